"""The rivals: OpenSpiel and easyAI do the same work in their own ways, where they are installed."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from coinlib import CoinGame, Move

HAVE_OPEN_SPIEL = find_spec("pyspiel") is not None
HAVE_EASY_AI = find_spec("easyAI") is not None


# --- OpenSpiel -----------------------------------------------------------------------------------------


def nim(game: CoinGame):
    """OpenSpiel's Nim with the rows and the ending of one of our games; a move may take any number there."""
    import pyspiel

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


def mcts(game: CoinGame, state: tuple, simulations: int, seed: int, compiled: bool) -> Move:
    """The move of OpenSpiel's tree search, in Python or in C++, which explores as in OpenSpiel's examples."""
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


# --- easyAI ------------------------------------------------------------------------------------------------


def rows_of_coins(game: CoinGame, state: tuple):
    """Rows of coins as a game of easyAI, which counts the moves that are made."""
    import easyAI

    class Rows(easyAI.TwoPlayerGame):
        def __init__(self):
            self.players = [easyAI.AI_Player(None), easyAI.AI_Player(None)]
            self.current_player = 1
            self.rows = list(state)
            self.most = game.max_pick or max(state)
            self.made = 0

        def possible_moves(self):
            moves = []
            for row, left in enumerate(self.rows):
                for take in range(1, min(self.most, left) + 1):
                    moves.append((row, take))
            return moves

        def make_move(self, move):
            row, take = move
            self.rows[row] -= take
            self.made += 1

        def unmake_move(self, move):
            row, take = move
            self.rows[row] += take

        def is_over(self):
            return not any(self.rows)

        def scoring(self):
            if not self.is_over():
                return 0
            return 100 if game.misere else -100

    return Rows()


def negamax(game: CoinGame, state: tuple, positions: int) -> Move:
    """The move of its alpha-beta search, deepened until one search has made so many moves."""
    import easyAI

    for depth in range(1, sum(state) + 1):
        rows = rows_of_coins(game, state)
        move = easyAI.Negamax(depth)(rows)
        if rows.made >= positions:
            break
    return Move(*move)
