"""Judging states never seen before: a network with one hidden layer, in plain NumPy.

A table has an entry for each state and does not generalise. A network is *shown* a state as a few numbers, and
computes from them what the state is worth. So the way a state is shown decides what can be learnt: see `counts`,
`thermometer`, `binary` and `signs`.

Every sum here is computed in a fixed order, with only ``+ - * /`` and the square root. So the same seed gives the
same numbers on every processor. (A matrix product ``@`` is faster, but its last digits differ between processors.)
"""

from __future__ import annotations

import math
import os
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from coinlib.agents import agent_name, draw_evenly
from coinlib.files import load_learnt, save_learnt
from coinlib.games import CoinGame, Game, State, as_game, game_words, moves_to_choose
from coinlib.tables import tabulate

IN_FILE = ("first", "first_added", "second", "second_added")  # the names of the weights in a file

# --- ways to show a state: functions (game, state) -> numbers, equally many for every state --------------


def counts(game: CoinGame, state: State) -> list[float]:
    """One number for each row: its coins, divided by the longest row at the start.

    Examples
    --------
    >>> from coinlib import three_piles
    >>> counts(three_piles(4, 4, 4), (2, 1, 4))
    [0.5, 0.25, 1.0]
    """
    return [count / max(game.rows) for count in state]


def thermometer(game: CoinGame, state: State) -> list[float]:
    """One number for each coin: 1 if it is still there, 0 if it has been taken.

    Examples
    --------
    >>> from coinlib import three_piles
    >>> thermometer(three_piles(1, 1, 3), (0, 1, 2))
    [0.0, 1.0, 1.0, 1.0, 0.0]
    """
    return [float(coin < count) for row, count in zip(game.rows, state) for coin in range(row)]


def binary(game: CoinGame, state: State) -> list[float]:
    """The binary digits of each row, 0 or 1, the most significant first.

    Examples
    --------
    >>> from coinlib import three_piles
    >>> binary(three_piles(3, 3, 7), (3, 1, 6))
    [1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]
    """
    digits = []
    for row, count in zip(game.rows, state):
        for place in reversed(range(row.bit_length())):
            digits.append(float(count >> place & 1))
    return digits


def signs(game: CoinGame, state: State) -> list[float]:
    """The binary digits of each row, shown as -1 and 1 instead of 0 and 1.

    Examples
    --------
    >>> from coinlib import three_piles
    >>> signs(three_piles(3, 3, 7), (3, 1, 6))
    [1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0]
    """
    return [2 * digit - 1 for digit in binary(game, state)]


def one_of_all(game: Game, state) -> list[float]:
    """One number for each state of the game: 1 for this state, 0 for the others; for any game with a table.

    Examples
    --------
    >>> from coinlib import GreedyCoins
    >>> one_of_all(GreedyCoins((1, 2)), (1, 2))
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    """
    table = tabulate(game)
    place = table.row(state)
    return [float(row == place) for row in range(len(table.states))]


WAYS = {way.__name__: way for way in (counts, thermometer, binary, signs)}

# --- the network -----------------------------------------------------------------------------------------


def product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The matrix product of an (N, K) and a (K, M) array, summed in the order of K.

    Examples
    --------
    >>> product(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]))
    array([[11.]])
    """
    return (left[:, :, None] * right).sum(axis=1)


def squash(total: np.ndarray) -> np.ndarray:
    """Map any number to one between -1 and 1: ``x / (1 + |x|)``, the *softsign*.

    Examples
    --------
    >>> squash(np.array([0.0, 1.0, -3.0]))
    array([ 0.  ,  0.5 , -0.75])
    """
    return total / (1 + np.abs(total))


def slope(squashed: np.ndarray) -> np.ndarray:
    """The slope of `squash` where it has this value: ``1 / (1 + |x|)²``, which is ``(1 - |value|)²``."""
    return (1 - np.abs(squashed)) ** 2


class Network:
    """A network with one hidden layer, and one output between -1 and 1.

    Parameters
    ----------
    inputs : int
        K, the number of inputs for a state.
    width : int
        H, the number of hidden units.
    generator : numpy.random.Generator
        Draws the weights: uniformly, with variance 1/K and 1/H.

    Attributes
    ----------
    weights : list of four float64 arrays
        From the inputs to the hidden units, shape (K, H); added to each hidden unit, shape (H,); from the
        hidden units to the output, shape (H, 1); added to the output, shape (1,).

    References
    ----------
    D. E. Rumelhart, G. E. Hinton, R. J. Williams, "Learning representations by back-propagating errors",
    Nature 323 (1986).
    """

    def __init__(self, inputs: int, width: int, generator: np.random.Generator) -> None:
        first = generator.uniform(-1, 1, (inputs, width)) * math.sqrt(3 / inputs)
        second = generator.uniform(-1, 1, (width, 1)) * math.sqrt(3 / width)
        self.weights = [first, np.zeros(width), second, np.zeros(1)]

    def forward(self, shown: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The hidden units, shape (N, H), and the output, shape (N, 1), for N states shown as an (N, K) array."""
        first, first_added, second, second_added = self.weights
        hidden = squash(product(shown, first) + first_added)
        output = squash(product(hidden, second) + second_added)
        return hidden, output

    def gradient(self, shown: np.ndarray, targets: np.ndarray) -> list[np.ndarray]:
        """The gradient of the mean squared error with respect to the weights; `targets` has shape (N,).

        This is the chain rule, from the output backwards: first for each total, then for each weight.
        """
        hidden, output = self.forward(shown)
        error = 2 * (output - targets[:, None]) / len(shown)
        at_output = error * slope(output)
        at_hidden = product(at_output, self.weights[2].T) * slope(hidden)
        first = product(shown.T, at_hidden)
        second = product(hidden.T, at_output)
        return [first, at_hidden.sum(axis=0), second, at_output.sum(axis=0)]

    def step(self, shown: np.ndarray, targets: np.ndarray, rate: float) -> None:
        """Make one step of gradient descent: move every weight a little downhill."""
        for weight, uphill in zip(self.weights, self.gradient(shown, targets)):
            weight -= rate * uphill


# --- the judgement --------------------------------------------------------------------------------------


class Judgement:
    """A learnt estimate of what a state is worth to the player to move, from -1 (lost) to 1 (won).

    It is a judge for `SearchAgent`, and its method `move` is an agent. It is meant for games without points.

    Parameters
    ----------
    game : Game
    show : function (game, state) -> numbers
        How a state is shown: one of `WAYS`, or your own function.
    width : int
        The number of hidden units.
    seed : int, SeedSequence, Generator or None

    Attributes
    ----------
    network : Network
    generator : numpy.random.Generator
    games : int
        How many games it has played against itself.

    References
    ----------
    G. Tesauro, "Temporal difference learning and TD-Gammon", Communications of the ACM 38 (1995).

    Examples
    --------
    >>> from coinlib import sticks
    >>> game = sticks(12, misere=False)
    >>> judgement = Judgement(game, show=signs, width=16, seed=1)
    >>> states = [(left,) for left in range(1, 9)]
    >>> judgement.learn(states, [1, 1, 1, -1, 1, 1, 1, -1], steps=500)
    >>> [left for left in range(1, 9) if judgement(game, (left,)) < 0]
    [4, 8]
    """

    def __init__(self, game: Game, show: Callable = signs, width: int = 64, seed=None) -> None:
        self.game = as_game(game)
        self.show = show
        self.generator = np.random.default_rng(seed)
        self.network = Network(len(show(self.game, self.game.start)), width, self.generator)
        self.games = 0

    def __call__(self, game: Game, state) -> float:
        """What one state is worth to the player to move."""
        return float(self.worth([state])[0])

    def worth(self, states: Sequence) -> np.ndarray:
        """float64 array, shape (N,): what each state is worth; if the game is over, by the rules."""
        _, output = self.network.forward(self.shown(states))
        worth = output[:, 0]
        for place, state in enumerate(states):
            if self.game.is_over(state):
                worth[place] = self.game.result(state)
        return worth

    def shown(self, states: Sequence) -> np.ndarray:
        """float64 array, shape (N, K): the states as they are shown to the network."""
        return np.array([self.show(self.game, state) for state in states], dtype=np.float64)

    def replies(self, state) -> tuple[list, np.ndarray]:
        """The legal moves, and what each is worth to the player who makes it: its points - worth of the next state."""
        moves = moves_to_choose(self.game, state)
        points = np.array([self.game.reward(state, move) for move in moves])
        return moves, points - self.worth([self.game.play(state, move) for move in moves])

    def move(self, game: Game, state):
        """The move with the largest worth, the first if there is a tie."""
        moves, values = self.replies(state)
        return moves[values.argmax()]

    def learn(self, states: Sequence, values, steps: int = 4_000, rate: float = 1.0, batch: int = 32) -> None:
        """Learn from the exact values of some states.

        Parameters
        ----------
        states : sequence of N states
        values : array of N numbers from -1 to 1
        steps : int
            The number of steps of gradient descent.
        rate : float
            The size of each step.
        batch : int
            How many randomly drawn states each step uses.
        """
        shown = self.shown(states)
        targets = np.array(values, dtype=np.float64)
        for _ in range(steps):
            drawn = self.generator.integers(len(shown), size=batch)
            self.network.step(shown[drawn], targets[drawn], rate)

    def practise(self, games: int, exploration: float = 0.3, rate: float = 1.0) -> None:
        """Learn by self-play: after each game, make one step towards the worth of the best moves.

        This is the Q-learning update with discount 1. There, a table entry moves towards the best value of the
        next state; here, the network moves towards the worth of the best move, in each state of the game.

        Parameters
        ----------
        games : int
        exploration : float
            How often it makes a random move.
        rate : float
            The size of each step.
        """
        for _ in range(games):
            state = self.game.start
            targets = {}  # No state occurs twice in a game.
            while not self.game.is_over(state):
                moves, values = self.replies(state)
                targets[state] = values.max()
                move = moves[values.argmax()]
                if self.generator.random() < exploration:
                    move = draw_evenly(moves, self.generator)
                state = self.game.play(state, move)
            self.network.step(self.shown(list(targets)), np.array(list(targets.values())), rate)
            self.games += 1

    def save(self, path: str | os.PathLike) -> Path:
        """Write everything learnt to a file (``.npz`` by convention), completely or not at all."""
        return save_learnt(path, self._about(), self.games, dict(zip(IN_FILE, self.network.weights)))

    def load(self, path: str | os.PathLike) -> None:
        """Load what a judgement with the same game, inputs and width has learnt; nothing is unpickled.

        Raises
        ------
        ValueError
            If the file is damaged, comes from elsewhere, or holds a different judgement; this one is left unchanged.

        Examples
        --------
        >>> import tempfile
        >>> from coinlib import sticks
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     practised = Judgement(sticks(10), seed=1)
        ...     practised.practise(20)
        ...     fresh = Judgement(sticks(10))
        ...     fresh.load(practised.save(f"{folder}/judgement.npz"))
        >>> fresh.games, fresh(sticks(10), (5,)) == practised(sticks(10), (5,))
        (20, True)
        """
        arrays, games = load_learnt(path, self._about(), dict(zip(IN_FILE, self.network.weights)))
        self.network.weights = [arrays[name] for name in IN_FILE]
        self.games = games

    def _about(self) -> str:
        """The description to save, with a checksum of how a few states are shown."""
        moves = moves_to_choose(self.game, self.game.start)
        states = [self.game.start, *(self.game.play(self.game.start, move) for move in moves)]
        return f"{self} (shown {zlib.crc32(self.shown(states).tobytes()):08x})"

    def __repr__(self) -> str:
        inputs, width = self.network.weights[0].shape
        return (
            f"Judgement by {agent_name(self.show)} ({inputs} numbers, {width} hidden units) of {game_words(self.game)}"
        )
