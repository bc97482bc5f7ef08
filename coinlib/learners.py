"""Who improves: learners keep one table, and change it by what happens to them.

Calling a learner only chooses a move. To learn, it sits down: `learner.sit()` gives a seat
that remembers what it chose in one game and learns from what it observes.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable

import numpy as np

from coinlib import kernels
from coinlib.games import CoinGame, Game

Schedule = float | Callable[[int], float]  # a number, or a function of the games already learnt


def linear(start: float, end: float, games: int) -> Callable[[int], float]:
    """A schedule that goes in a straight line from `start` to `end` in `games` games, and stays there.

    Parameters
    ----------
    start, end : float
    games : int
        At least 1.

    Returns
    -------
    function (games already learnt) -> float

    Examples
    --------
    >>> exploration = linear(0.5, 0.0, games=100)
    >>> exploration(0), exploration(50), exploration(100), exploration(1_000)
    (0.5, 0.25, 0.0, 0.0)
    """
    if games < 1:
        raise ValueError(f"games: expected 1 or more, got {games}")
    return lambda learnt: start + (end - start) * min(learnt / games, 1.0)


class Learner:
    """What the learners share: a game, its table, a generator, and seats.

    Attributes
    ----------
    game : Game
    table : kernels.Table
        The states (rows, S of them) and the moves (columns, M of them).
    values : float64 array, shape (S, M)
        All that has been learnt.
    visits : int64 array, shape (S,)
        How often it chose in each state while learning.
    games : int
        The games already learnt.
    generator : numpy.random.Generator
    """

    how: int
    name: str

    def __init__(self, game: Game, values: Callable[[kernels.Table], np.ndarray], seed=None) -> None:
        self.game = game
        self.table = kernels.tabulate(game)
        self.values = values(self.table)
        self.visits = np.zeros(len(self.table.states), dtype=np.int64)
        self.games = 0
        self.generator = np.random.default_rng(seed)
        self._seats: weakref.WeakSet[Seat] = weakref.WeakSet()

    def __call__(self, game: Game, state):
        """A move in `state`, without exploring; nothing changes but the generator."""
        return self._choose(self._row(game, state), exploration=0.0)

    def policy(self, game: Game, table: kernels.Table) -> kernels.Policy:
        """How it chooses in every state: see `kernels.Policy`."""
        self._check_game(game)
        return kernels.Policy(self.how, self.values)

    def sit(self, partner: Seat | None = None) -> Seat:
        """A seat in one game that is learnt from; `partner` is the learner's other seat in self-play."""
        return Seat(self, partner)

    def rates(self, games: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Exploration and learning rate in each of the next games, and the discount."""
        return np.zeros(games), np.zeros(games), 0.0

    def _choose(self, row: int, exploration: float):
        move = kernels.choose(self.how, self.values, row, exploration, self.generator.random())
        return self.table.moves[move]

    def _row(self, game: Game, state) -> int:
        self._check_game(game)
        row = self.table.row(state)
        if self.table.over[row]:
            raise ValueError(f"the game is over in {state}: there is nothing to choose")
        return row

    def _check_game(self, game: Game) -> None:
        if game != self.game:
            raise ValueError(f"this learner plays {self.game}; asked to play {game}")

    def __repr__(self) -> str:
        return f"{self.name}({self.game}, games={self.games:,})"


class Seat:
    """A learner's place in one game: it chooses, remembers, and learns.

    Parameters
    ----------
    learner : Learner
    partner : Seat, optional
        The same learner's other seat in this game; then the game is counted once.
    """

    def __init__(self, learner: Learner, partner: Seat | None = None) -> None:
        self.learner = learner
        self.counts = partner is None
        self.exploration, self.rate = (float(each[0]) for each in learner.rates(1)[:2])
        self.chosen: list[tuple[int, int]] = []  # row and column of each move of this game
        self.total = 0.0
        self.open = True
        learner._seats.add(self)

    def __call__(self, game: Game, state):
        """A move in `state`, remembered until the game is over."""
        row = self.learner._row(game, state)
        move = self.learner._choose(row, self.exploration)
        self.learner.visits[row] += 1
        self.chosen.append((row, self.learner.table.column[move]))
        return move

    def observe(self, state, move, reward: float, next_state) -> None:
        """Learn from what came of a move, when the turn has come round again or the game is over.

        Parameters
        ----------
        state, move
            The last state in which this seat chose, and its move.
        reward : float
            Its points less the reply's; at the end the result as well.
        next_state
            What it finds after the opponent's reply; None when the game is over.
        """
        learner = self.learner
        self.total += reward
        if learner.how == kernels.GREEDY:
            row, column = learner.table.row(state), learner.table.column[move]
            target = reward
            if next_state is not None:
                target += learner.discount * kernels.best_value(learner.values, learner.table.row(next_state))
            kernels.back_up(learner.values, row, column, self.rate, target)
        elif next_state is None:
            for row, column in self.chosen:
                kernels.settle(learner.values, row, column, self.total)
        if next_state is None:
            learner.games += self.counts
            self.close()

    def close(self) -> None:
        """Leave the table; balls of a game that was not finished go back as they were."""
        self.open = False
        self.chosen = []
        self.learner._seats.discard(self)


class Hats(Learner):
    """A hat of numbered balls for every state; a ball drawn is a move made.

    Each hat starts with one ball of every move that can be named. A ball that would be
    illegal goes straight back and another is drawn. After a win each ball beside its hat goes
    back with one more of the same; after a loss it is thrown away, unless it is the last of
    its number.

    Parameters
    ----------
    game : Game
    seed : int, SeedSequence, Generator or None

    References
    ----------
    D. Michie, "Experiments on the mechanization of game-learning", The Computer Journal 6 (1963).

    Examples
    --------
    >>> from coinlib import ScriptedAgent, play_match, sticks
    >>> hats = Hats(sticks(10), seed=1)
    >>> match = play_match(sticks(10), first=ScriptedAgent(3, 1, 1), second=hats, learn=True)
    >>> match.winner
    2
    >>> hats.contents(4), hats.contents(7)
    ([1, 2, 3, 3], [1, 2, 2, 3])
    """

    how = kernels.DRAW
    name = "Hats"

    def __init__(self, game: Game, seed=None) -> None:
        super().__init__(game, lambda table: table.legal * 1.0, seed)

    @property
    def balls(self) -> np.ndarray:
        """int64 array, shape (S, M): balls of each move in each hat.

        A ball that can never be drawn stays what it was: one.
        """
        inside = np.where(self.table.legal, self.values, 1.0).astype(np.int64)
        inside[self.table.over] = 0
        for row, column in self.beside():
            inside[row, column] -= 1
        return inside

    def beside(self) -> list[tuple[int, int]]:
        """Row and column of each ball that lies beside its hat, in games that are being learnt from."""
        return [ball for seat in list(self._seats) for ball in seat.chosen]

    def contents(self, hat) -> list:
        """The balls in one hat: counts on one row, otherwise moves.

        Parameters
        ----------
        hat : int or state
            On one row the number of coins will do.

        Returns
        -------
        list
            In order, each as often as it lies there.
        """
        row = self._row(self.game, (hat,) if isinstance(hat, int) else hat)
        one_row = isinstance(self.game, CoinGame) and len(self.game.rows) == 1
        names = [move.count if one_row else move for move in self.table.moves]
        return [name for name, balls in zip(names, self.balls[row]) for _ in range(balls)]


class QLearner(Learner):
    """A value for every move in every state, corrected towards what came of it.

    The defaults are the learner of the course's source: learning rate 1, no discount, no
    exploration, zeros at first, the smallest move among equals.

    Parameters
    ----------
    game : Game
    learning_rate : float in (0, 1], or function of the games already learnt
    discount : float in [0, 1]
    exploration : float in [0, 1], or function of the games already learnt
        How often it tries any legal move while it learns.
    legal_only : bool
        False: it has to learn which moves are illegal, by losing.
    seed : int, SeedSequence, Generator or None

    References
    ----------
    C. J. C. H. Watkins and P. Dayan, "Q-learning", Machine Learning 8 (1992).

    Examples
    --------
    >>> from coinlib import RandomAgent, sticks, train
    >>> learner = QLearner(sticks(10), seed=1)
    >>> run = train(learner, RandomAgent(), games=1_000, seed=1)
    >>> learner(sticks(10), (10,))
    Move(row=0, count=1)
    """

    how = kernels.GREEDY
    name = "QLearner"

    def __init__(
        self,
        game: Game,
        learning_rate: Schedule = 1.0,
        discount: float = 1.0,
        exploration: Schedule = 0.0,
        legal_only: bool = True,
        seed=None,
    ) -> None:
        def zeros(table: kernels.Table) -> np.ndarray:
            return np.where(table.legal | (not legal_only), 0.0, -np.inf)

        super().__init__(game, zeros, seed)
        self.learning_rate = learning_rate
        self.discount = _share(discount, "discount")
        self.exploration = exploration
        self.legal_only = legal_only
        self.rates(1)  # says at once what is wrong with a rate

    def rates(self, games: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Exploration and learning rate in each of the next games, and the discount."""
        exploration = _scheduled(self.exploration, "exploration", self.games, games)
        return exploration, _scheduled(self.learning_rate, "learning_rate", self.games, games), self.discount


def _scheduled(schedule: Schedule, what: str, start: int, games: int) -> np.ndarray:
    """The value of a schedule in each of the next games."""
    if not callable(schedule):
        return np.full(games, _share(schedule, what))
    return np.array([_share(schedule(start + game), what) for game in range(games)])


def _share(value, what: str) -> float:
    """A float from 0 to 1, or an error that names it."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what}: expected a number from 0 to 1, got {value!r}") from None
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{what}: expected a number from 0 to 1, got {value!r}")
    return number
