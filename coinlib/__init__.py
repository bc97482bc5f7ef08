"""How machines learn to win: the small library under the course.

The rooms, in the order of the course: `games` (what is played), `agents` (who chooses),
`learners` (who improves), `arena` (who wins), `solvers` (who is right), `theory` (why).
"""

from coinlib.agents import HumanAgent, PerfectAgent, RandomAgent, RuleAgent, ScriptedAgent
from coinlib.arena import evaluate, play_match, round_robin, sweep, train
from coinlib.games import SCENARIOS, CoinGame, GreedyCoins, IllegalMove, Move, sticks, three_piles
from coinlib.learners import Hats, QLearner, linear
from coinlib.solvers import greedy_margin, greedy_move, minimax, solve, solve_greedy

__version__ = "0.1.0"
