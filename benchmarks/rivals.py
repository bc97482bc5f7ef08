"""The rivals: OpenSpiel, easyAI, scikit-learn and PyTorch do the same work, if they are installed."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from coinlib import CoinGame, Move

HAVE_OPEN_SPIEL = find_spec("pyspiel") is not None
HAVE_EASY_AI = find_spec("easyAI") is not None
HAVE_SCIKIT_LEARN = find_spec("sklearn") is not None
HAVE_PYTORCH = find_spec("torch") is not None


# --- OpenSpiel -----------------------------------------------------------------------------------------


def nim(game: CoinGame):
    """OpenSpiel's Nim with the rows and the ending of one of our games; a move may take any number there."""
    import pyspiel

    return pyspiel.load_game("nim", {"pile_sizes": ";".join(map(str, game.start)), "is_misere": game.misere})


def train_q(game: CoinGame, games: int, seed: int) -> Callable[[], np.ndarray]:
    """Its tabular Q-learner moves first against a random player; the function returns which games it won.

    Learning rate 1, discount 1, no exploration: the same as our defaults. It draws from NumPy's
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


# --- easyAI ---------------------------------------------------------------------------------------------


def rows_of_coins(game: CoinGame, state: tuple):
    """Rows of coins as an easyAI game, which counts the moves made."""
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
    """The move of its alpha-beta search, deepened until one search has made that many moves."""
    import easyAI

    for depth in range(1, sum(state) + 1):
        rows = rows_of_coins(game, state)
        move = easyAI.Negamax(depth)(rows)
        if rows.made >= positions:
            break
    return Move(*move)


# --- networks with one hidden layer: functions that make that many steps, and return the weights --------


def steps_by_matrix_products(weights: list[np.ndarray], shown, targets, rate: float, steps: int) -> Callable:
    """Our own step in NumPy with ``@``: faster, but its last digits differ from processor to processor."""
    first, first_added, second, second_added = (weight.copy() for weight in weights)

    def work() -> list[np.ndarray]:
        for _ in range(steps):
            total = shown @ first + first_added
            hidden = total / (1 + abs(total))
            total = hidden @ second + second_added
            output = total / (1 + abs(total))
            at_output = 2 * (output - targets[:, None]) / len(shown) * (1 - abs(output)) ** 2
            at_hidden = at_output @ second.T * (1 - abs(hidden)) ** 2
            second[:] -= rate * (hidden.T @ at_output)
            second_added[:] -= rate * at_output.sum(axis=0)
            first[:] -= rate * (shown.T @ at_hidden)
            first_added[:] -= rate * at_hidden.sum(axis=0)
        return [first, first_added, second, second_added]

    return work


def steps_of_pytorch(weights: list[np.ndarray], shown, targets, rate: float, steps: int) -> Callable:
    """The same steps with PyTorch, in double precision and one thread."""
    import torch

    torch.set_num_threads(1)
    tensors = [torch.tensor(weight, requires_grad=True) for weight in weights]
    first, first_added, second, second_added = tensors
    states, wanted = torch.tensor(shown), torch.tensor(targets)
    downhill = torch.optim.SGD(tensors, lr=rate)

    def work() -> list[np.ndarray]:
        for _ in range(steps):
            downhill.zero_grad()
            hidden = torch.nn.functional.softsign(states @ first + first_added)
            output = torch.nn.functional.softsign(hidden @ second + second_added)
            ((output[:, 0] - wanted) ** 2).mean().backward()
            downhill.step()
        return [tensor.detach().numpy() for tensor in tensors]

    return work


def steps_of_scikit_learn(width: int, shown, targets, rate: float, steps: int) -> Callable:
    """The same number of steps with scikit-learn's network. It has no softsign: tanh inside, nothing at the output."""
    from sklearn.neural_network import MLPRegressor

    network = MLPRegressor(
        hidden_layer_sizes=(width,), activation="tanh", solver="sgd", momentum=0, alpha=0, learning_rate_init=rate
    )
    network.partial_fit(shown, targets)  # the first call also makes the weights

    def work() -> list[np.ndarray]:
        for _ in range(steps):
            network.partial_fit(shown, targets)
        return network.coefs_

    return work
