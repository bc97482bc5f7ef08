"""What a user would otherwise take: OpenSpiel's and easyAI's ways to do the same work, where they are installed."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from coinlib import CoinGame, Move

HAVE_OPEN_SPIEL = find_spec("pyspiel") is not None
HAVE_EASY_AI = find_spec("easyAI") is not None


# --- OpenSpiel: Nim on several piles, any number a turn ----------------------------------------------------


def nim(game: CoinGame):
    """OpenSpiel's Nim with the rows and the ending of one of our games, which must limit no move."""
    import pyspiel

    if (game.max_pick or max(game.start)) < max(game.start):
        raise ValueError(f"OpenSpiel's Nim lets a player take any number; this game stops at {game.max_pick}")
    return pyspiel.load_game("nim", {"pile_sizes": ";".join(map(str, game.start)), "is_misere": game.misere})


def train_q(game: CoinGame, games: int, seed: int) -> Callable[[], np.ndarray]:
    """Its tabular Q-learner moves first against a random player; the function gives which games it won.

    Learning rate 1, discount 1, no exploration: as ours when nothing is said. It draws from NumPy's
    global generator.
    """
    from open_spiel.python import rl_environment, rl_tools
    from open_spiel.python.algorithms import random_agent, tabular_qlearner

    environment = rl_environment.Environment(nim(game))
    actions = environment.action_spec()["num_actions"]
    never = rl_tools.ConstantSchedule(0.0)
    learner = tabular_qlearner.QLearner(0, actions, step_size=1.0, epsilon_schedule=never, discount_factor=1.0)
    players = [learner, random_agent.RandomAgent(1, actions)]
    np.random.seed(seed)  # the only way to seed these two

    def work() -> np.ndarray:
        won = np.zeros(games, dtype=bool)
        for number in range(games):
            now = environment.reset()
            while not now.last():
                now = environment.step([players[now.observations["current_player"]].step(now).action])
            for player in players:
                player.step(now)
            won[number] = now.rewards[0] > 0
        return won

    return work


def solve_nim(game: CoinGame) -> Callable[[], dict[tuple[int, ...], bool]]:
    """Its value iteration; the function gives for each state that can come up whether the mover wins."""
    from open_spiel.python.algorithms import value_iteration

    piles = nim(game)

    def work() -> dict[tuple[int, ...], bool]:
        values = value_iteration.value_iteration(piles, depth_limit=-1, threshold=0.01)
        wins = {}
        for words, value in values.items():  # "(0): 3 4 5": who moves, and what lies there; value for player 0
            mover, rows = words.split(":")
            state = tuple(map(int, rows.split()))
            if any(state):
                wins[state] = (value > 0) == (mover.strip("()") == "0")
        return wins

    return work


# --- easyAI: sticks, and a search that remembers -----------------------------------------------------------


def search_sticks(count: int, max_pick: int) -> Callable[[], bool]:
    """Its depth-first search with a transposition table: does the first player win one row in misère play?"""
    import easyAI

    class Sticks(easyAI.TwoPlayerGame):
        def __init__(self):
            self.players = [easyAI.AI_Player(None), easyAI.AI_Player(None)]
            self.left, self.current_player = count, 1

        def possible_moves(self):
            return [str(take) for take in range(1, min(max_pick, self.left) + 1)]

        def make_move(self, move):
            self.left -= int(move)

        def unmake_move(self, move):
            self.left += int(move)

        def win(self):
            return self.left <= 0  # the other side took the last stick

        def is_over(self):
            return self.win()

        def scoring(self):
            return 100 if self.win() else 0

        def ttentry(self):
            return self.left

    def work() -> bool:
        memory = easyAI.AI.TranspositionTable()
        return easyAI.AI.solving.solve_with_depth_first_search(Sticks(), 100, maxdepth=count + 1, tt=memory) == 1

    return work


# --- searches: the best move of a state ------------------------------------------------------------------


def mcts(game: CoinGame, state: tuple, simulations: int, seed: int, compiled: bool) -> Move:
    """The move of OpenSpiel's tree search, in Python or in C++: the exploration of its examples, nothing proven."""
    import pyspiel
    from open_spiel.python.algorithms import mcts

    piles = nim(CoinGame(state, game.max_pick, game.misere))
    if compiled:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(piles, evaluator, 2.0, simulations, 1_000, False, seed, False)
    else:
        chance = np.random.RandomState(seed)
        bot = mcts.MCTSBot(piles, 2.0, simulations, mcts.RandomRolloutEvaluator(1, chance), False, chance)
    start = piles.new_initial_state()
    pile, take = re.findall(r"\d+", start.action_to_string(bot.step(start)))
    return Move(int(pile) - 1, int(take))


def negamax(game: CoinGame, state: tuple, positions: int) -> Move:
    """The move of easyAI's alpha-beta search, deepened until one search has made so many moves."""
    import easyAI

    class Rows(easyAI.TwoPlayerGame):
        def __init__(self):
            self.players, self.current_player = [easyAI.AI_Player(None), easyAI.AI_Player(None)], 1
            self.state, self.made = state, 0

        def possible_moves(self):
            return game.legal_moves(self.state)

        def make_move(self, move):
            self.state, self.made = game.play(self.state, move), self.made + 1

        def unmake_move(self, move):
            row, count = move
            self.state = self.state[:row] + (self.state[row] + count,) + self.state[row + 1 :]

        def is_over(self):
            return not any(self.state)

        def scoring(self):
            return 100 * game.result(self.state) if self.is_over() else 0

    for depth in range(1, sum(state) + 1):
        rows = Rows()
        move = easyAI.Negamax(depth)(rows)
        if rows.made >= positions:
            break
    return move
