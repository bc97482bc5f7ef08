"""Who improves: learners keep one table, and change it by what happens to them.

Calling a learner only chooses a move. To learn, it sits down: `learner.sit()` gives a seat
that remembers what it chose in one game and learns from what it observes.
"""

from __future__ import annotations

import json
import math
import os
import weakref
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from coinlib import kernels
from coinlib.files import whole_file
from coinlib.games import (
    LISTED_AT_MOST,
    CoinGame,
    Game,
    one_of,
    path_of,
    real_number,
    shown,
    truth,
    whole_number,
)
from coinlib.solvers import state_values

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

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number, or `games` is below 1.

    Examples
    --------
    >>> exploration = linear(0.5, 0.0, games=100)
    >>> exploration(0), exploration(50), exploration(100), exploration(1_000)
    (0.5, 0.25, 0.0, 0.0)
    """
    start, end = real_number(start, "start"), real_number(end, "end")
    games = whole_number(games, "games", least=1)
    return lambda learnt: start + (end - start) * min(learnt / games, 1.0)


@dataclass(frozen=True)
class Distance:
    """How far a learner is from perfect play, counted over the winning states of its seat.

    A winning state is one in which the learner can be to move, and from which perfect play
    wins. A move is right there if it keeps all that perfect play would get.

    Attributes
    ----------
    winning : int
        How many such states there are.
    visited : int
        In how many of them it has ever chosen while it learned.
    right, right_visited : int
        In how many its favourite move is right: of all, and of those visited.
    sure, sure_visited : int
        In how many every move that it may make is right: of all, and of those visited.
    beats_perfect : float
        The chance of winning one game against a perfect opponent.
    """

    winning: int
    visited: int
    right: int
    right_visited: int
    sure: int
    sure_visited: int
    beats_perfect: float

    @property
    def perfect(self) -> bool:
        """Whether the favourite move is right in every winning state."""
        return self.right == self.winning


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

    Raises
    ------
    TypeError, ValueError
        If it is asked about another game, or about a state in which nobody is to move.
    """

    how: int
    name: str

    def __init__(self, game: Game, values: Callable[[kernels.Table], np.ndarray], seed=None) -> None:
        self.game = game
        self.table = kernels.tabulate(game)
        self.values = values(self.table)
        self.visits = np.zeros(len(self.table.states), dtype=np.int64)
        self.games = 0
        self.generator = kernels.generator(seed)
        self._seats: weakref.WeakSet[Seat] = weakref.WeakSet()

    def __call__(self, game: Game, state):
        """A move in `state`, without exploring; nothing changes but the generator."""
        return self._choose(self._row(game, state), exploration=0.0)

    def policy(self, game: Game, table: kernels.Table) -> kernels.Policy:
        """How it chooses in every state: see `kernels.Policy`; raises ValueError for another game."""
        self._check_game(game)
        return kernels.Policy(self.how, self.values)

    def sit(self, partner: Seat | None = None) -> Seat:
        """A seat in one game that is learnt from; `partner` is the learner's other seat in self-play: see `Seat`."""
        return Seat(self, partner)

    def rates(self, games: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Exploration and learning rate in each of the next games, and the discount; as `QLearner.rates`."""
        games = whole_number(games, "games", least=0, most=LISTED_AT_MOST)
        return np.broadcast_to(0.0, games), np.broadcast_to(0.0, games), 0.0

    def probabilities(self) -> np.ndarray:
        """float64 array, shape (S, M): how likely it makes each move, without exploring; 0 where the game is over."""
        raise NotImplementedError

    def distance_to_perfect(self, first: str = "agent") -> Distance:
        """How far it is from perfect play, by the exact solver.

        Parameters
        ----------
        first : {"agent", "opponent", "alternate"}
            The seat: who moves first, this learner or its opponent; "alternate" looks at
            both seats, and gives the mean chance of the two.

        Returns
        -------
        Distance

        Raises
        ------
        ValueError
            If `first` is none of these.

        Examples
        --------
        >>> from coinlib import RandomAgent, sticks, train
        >>> learner = QLearner(sticks(10), seed=1)
        >>> run = train(learner, RandomAgent(), games=300, seed=1)
        >>> distance = learner.distance_to_perfect()
        >>> distance.winning, distance.right, distance.beats_perfect
        (7, 7, 1.0)
        """
        table, may = self.table, self.probabilities()
        value, best = _best_moves(table)
        mine = _turns(table, first) & (value > 0)
        favourite = may.argmax(axis=1)
        right = mine & best[np.arange(len(best)), favourite]
        sure = mine & ~((may > 0) & ~best).any(axis=1)
        visited = mine & (self.visits > 0)
        counts = [int(np.count_nonzero(states)) for states in (mine, visited, right, right & visited)]
        counts += [int(np.count_nonzero(states)) for states in (sure, sure & visited)]
        return Distance(*counts, _chance(table, may, best, first))

    def save(self, path: str | os.PathLike) -> Path:
        """Write all that has been learnt to a file; nothing is left half written.

        Parameters
        ----------
        path : path of the file
            By custom its name ends in ``.npz``.

        Returns
        -------
        pathlib.Path

        Raises
        ------
        OSError
            If the file cannot be written; an older file of that name is then unharmed.
        TypeError, ValueError
            If `path` is no path of a file.
        """
        path = path_of(path, "path")
        about = {
            "format": FORMAT,
            "learner": self.name,
            "game": repr(self.game),
            "games": self.games,
            "generator": self.generator.bit_generator.state,
        }
        with whole_file(path) as half, open(half, "wb") as file:
            np.savez_compressed(file, about=np.array(json.dumps(about)), values=self.values, visits=self.visits)
        return path

    def load(self, path: str | os.PathLike) -> None:
        """Take over what a learner of the same kind had learnt of the same game.

        Parameters
        ----------
        path : path of a file that `save` wrote

        Raises
        ------
        ValueError
            If the file is damaged, comes from elsewhere, or holds another learner or game;
            this learner is then as it was.
        OSError
            If the file cannot be read.
        TypeError
            If `path` is no path.

        Examples
        --------
        >>> import tempfile
        >>> from coinlib import sticks
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     trained = Hats(sticks(10), seed=1)
        ...     trained.put(4, move=3, balls=5)
        ...     fresh = Hats(sticks(10))
        ...     fresh.load(trained.save(f"{folder}/hats.npz"))
        >>> fresh.contents(4)
        [1, 2, 3, 3, 3, 3, 3]
        """
        about, values, visits = _read(path_of(path, "path"))
        for what, have, came in (
            ("a learner of this kind", self.name, about["learner"]),
            ("this game", repr(self.game), about["game"]),
            ("a table of this shape", self.values.shape, values.shape),
        ):
            if have != came:
                raise ValueError(f"{path}: expected {what}, {have}; the file holds {came}")
        self._check_values(values, path)
        generator = np.random.default_rng()
        try:
            generator.bit_generator.state = about["generator"]
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(f"{path} is damaged: its generator cannot be restored ({error})") from None
        self.values[:], self.visits[:] = values, visits
        self.games, self.generator = about["games"], generator

    def _check_values(self, values: np.ndarray, path) -> None:
        """Refuse a table that this learner could never hold."""
        finite = np.isfinite(self.values)
        if not (np.isfinite(values[finite]).all() and np.array_equal(values[~finite], self.values[~finite])):
            raise ValueError(f"{path} is damaged: it holds values where there are none, or none where there are")

    def _choose(self, row: int, exploration: float):
        move = kernels.choose(self.how, self.values, row, exploration, self.generator.random())
        return self.table.moves[move]

    def _row(self, game: Game, state) -> int:
        self._check_game(game)
        row = self.table.row(state)
        if self.table.over[row]:
            raise ValueError(f"state: the game is over in {state}, there is nothing to choose")
        return row

    def _check_game(self, game: Game) -> None:
        if game is not self.game and not (type(game) is type(self.game) and game == self.game):
            raise ValueError(f"game: this learner plays {self.game}; asked to play {shown(game)}")

    def _column(self, move) -> int:
        """The column of a move, or of a count on one row."""
        move = self.game.named_move(move) if isinstance(self.game, CoinGame) else move
        try:
            return self.table.column[move]
        except (KeyError, TypeError):
            raise ValueError(f"move: {shown(move)} is not a move of {self.game}") from None

    def __getstate__(self) -> dict:
        """What is copied or stored: all but the seats, which belong to games of the original."""
        return {**self.__dict__, "_seats": None}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state, _seats=weakref.WeakSet())

    def __repr__(self) -> str:
        return f"{self.name}({self.game}, games={self.games:,})"


class Seat:
    """A learner's place in one game: it chooses, remembers, and learns.

    Parameters
    ----------
    learner : Learner
    partner : Seat, optional
        The same learner's other seat in this game; then the game is counted once.

    Raises
    ------
    TypeError, ValueError
        If `learner` is not a learner, or `partner` not its seat; if the seat is asked about another game, or about a
        state in which nobody is to move; if the number of a schedule does not lie between 0 and 1.
    """

    def __init__(self, learner: Learner, partner: Seat | None = None) -> None:
        if not isinstance(learner, Learner):
            raise TypeError(f"learner: expected Hats or a QLearner, got {shown(learner)}")
        if partner is not None and getattr(partner, "learner", None) is not learner:
            raise TypeError(f"partner: expected the other seat of this learner, or None; got {shown(partner)}")
        self.learner = learner
        self.counts = partner is None
        self.exploration, self.rate = (float(each[0]) for each in learner.rates(1)[:2])
        self.chosen: list[tuple[int, int]] = []  # row and column of each move of this game
        self.before: list[tuple[int, int, float]] = []  # and what the table said before it learnt from one
        self.total = 0.0
        self.outcome: int | None = None
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

        Raises
        ------
        TypeError, ValueError
            If a state or the move is none of this game, or the reward not a finite number; nothing is learnt then.
        """
        learner = self.learner
        reward = real_number(reward, "reward")
        if not math.isfinite(reward):
            raise ValueError(f"reward: expected a finite number, got {reward}")
        row = learner.table.row(state)
        after = None if next_state is None else learner.table.row(next_state)
        if learner.how == kernels.GREEDY:
            column = learner._column(move)
            self.before.append((row, column, learner.values[row, column]))
            target = reward
            if after is not None:
                target += learner.discount * kernels.best_value(learner.values, after)
            kernels.back_up(learner.values, row, column, self.rate, target)
        self.total += reward
        if learner.how == kernels.DRAW and next_state is None:
            for row, column in self.chosen:
                kernels.settle(learner.values, row, column, self.total if self.outcome is None else self.outcome)
        if next_state is None:
            learner.games += self.counts
            self.chosen, self.before = [], []  # the game is over: what was learnt stays
            self.close()

    def hear(self, outcome: int) -> None:
        """Be told who has won, +1, 0 or -1 for this seat, before it observes the end.

        Its own rewards do not always tell: what the other side earned before this seat's first
        move is in none of them. A game that ended before that move is only counted. Raises TypeError or
        ValueError where it is none of the three.
        """
        self.outcome = whole_number(outcome, "outcome", least=-1, most=1)
        if not self.chosen:
            self.learner.games += self.counts

    def close(self) -> None:
        """Leave the table; a game that was not finished leaves no trace: balls and values are as before it."""
        for row, _ in self.chosen:
            self.learner.visits[row] -= 1
        for row, column, value in reversed(self.before):
            self.learner.values[row, column] = value
        self.chosen, self.before = [], []
        self.open = False
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

    Raises
    ------
    TypeError, ValueError
        If `game` is not a game, or its rules do not hold together; if `seed` is none; if it is asked about another
        game, or about a state in which nobody is to move.
    MemoryError
        If the game is too large for a table.

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

        A ball that is never played stays what it was: one.
        """
        inside = np.where(self.table.legal, self.values, 1.0).astype(np.int64)
        inside[self.table.over] = 0
        for row, column in self.beside():
            inside[row, column] -= 1
        return inside

    def beside(self) -> list[tuple[int, int]]:
        """Row and column of each ball that lies beside its hat, in games that are being learnt from."""
        return [ball for seat in list(self._seats) for ball in seat.chosen]

    def probabilities(self) -> np.ndarray:
        """float64 array, shape (S, M): the share of each ball among those that can be played."""
        return self.values / np.maximum(self.values.sum(axis=1, keepdims=True), 1.0)

    def put(self, hat, move, balls: int) -> None:
        """Meddle: let a hat hold so many balls of one move.

        Parameters
        ----------
        hat : int or state
            On one row the number of coins will do.
        move : Move, or a count on one row
            It must be legal there: other balls are never played.
        balls : int
            At least 1: a hat always has one ball of each number. At most 10,000,000.

        Raises
        ------
        IllegalMove, TypeError, ValueError
            If there is no such hat or ball, or the number is none of these.
        """
        row, column = self._row(self.game, _as_state(hat)), self._column(move)
        if not self.table.legal[row, column]:
            raise ValueError(
                f"hat {shown(hat)}: a ball {shown(move)} is never played from it, so its number cannot be changed"
            )
        self.values[row, column] = whole_number(balls, "balls", least=1, most=LISTED_AT_MOST)

    def show(self) -> None:
        """Print the hats, one a line, each with its balls and those that lie beside it.

        Examples
        --------
        >>> from coinlib import sticks
        >>> hats = Hats(sticks(3))
        >>> hats.put(3, move=2, balls=20)
        >>> hats.show()
        hat  content          beside
        1    1,2,3
        2    1,2,3
        3    1, 2 (20 x), 3
        """
        beside: dict[int, list] = {}
        for row, column in self.beside():
            beside.setdefault(row, []).append(self._ball_names()[column])
        rows = [row for row in reversed(range(len(self.table.states))) if not self.table.over[row]]
        names = [
            _listed([state[0] if len(state) == 1 else state]) for state in map(self.table.states.__getitem__, rows)
        ]
        inside = [_listed(self.contents(self.table.states[row])) for row in rows]
        lines = [("hat", "content", "beside")]
        lines += [(*pair, _listed(beside.get(row, []))) for row, *pair in zip(rows, names, inside)]
        widths = [max(len(line[part]) for line in lines) for part in (0, 1)]
        for line in lines:
            print(f"{line[0]:<{widths[0]}}  {line[1]:<{widths[1]}}  {line[2]}".rstrip())

    def _check_values(self, values: np.ndarray, path) -> None:
        super()._check_values(values, path)
        legal = self.table.legal
        if (values[legal] < 1).any() or values[~legal].any() or (values != np.floor(values)).any():
            raise ValueError(f"{path} is damaged: a hat must hold one ball or more of each number")

    def _ball_names(self) -> list:
        """What is written on the balls: counts on one row, otherwise moves."""
        one_row = isinstance(self.game, CoinGame) and len(self.game.rows) == 1
        return [move.count if one_row else tuple(move) for move in self.table.moves]

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

        Raises
        ------
        ValueError
            If there is no such hat.
        """
        row = self._row(self.game, _as_state(hat))
        return [name for name, balls in zip(self._ball_names(), self.balls[row]) for _ in range(balls)]


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

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above, or the rules of the game do not hold together; if it is asked about
        another game, or about a state in which nobody is to move.
    MemoryError
        If the game is too large for a table.

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
        legal_only = truth(legal_only, "legal_only")

        def zeros(table: kernels.Table) -> np.ndarray:
            return np.where(table.legal | (not legal_only), 0.0, -np.inf)

        super().__init__(game, zeros, seed)
        self.learning_rate = learning_rate
        self.discount = _share(discount, "discount")
        self.exploration = exploration
        self.legal_only = legal_only
        self.rates(1)  # says at once what is wrong with a rate

    def rates(self, games: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Exploration and learning rate in each of the next games, and the discount.

        Raises TypeError or ValueError where `games` is not a whole number from 0 to 10,000,000, or a schedule gives
        no number from 0 to 1.
        """
        games = whole_number(games, "games", least=0, most=LISTED_AT_MOST)
        exploration = _scheduled(self.exploration, "exploration", self.games, games)
        return exploration, _scheduled(self.learning_rate, "learning_rate", self.games, games), self.discount

    def probabilities(self) -> np.ndarray:
        """float64 array, shape (S, M): 1 for the move of largest value, the first of equals."""
        chosen = np.zeros(self.values.shape)
        chosen[np.arange(len(chosen)), self.values.argmax(axis=1)] = 1.0
        chosen[self.table.over] = 0.0
        return chosen


# --- how far from perfect -------------------------------------------------------------------------------


def _best_moves(table: kernels.Table) -> tuple[np.ndarray, np.ndarray]:
    """The value of each state, shape (S,), and which moves get it, bool of shape (S, M)."""
    value = state_values(table)
    worth = np.where(table.legal, table.reward - value[table.next_state], -np.inf)
    return value, table.legal & (worth == value[:, None])


def _turns(table: kernels.Table, first: str) -> np.ndarray:
    """bool array, shape (S,): where the agent can be to move, when anybody may make any legal move."""
    seats = {"agent": [0], "opponent": [1], "alternate": [0, 1]}
    first = one_of(first, "first", tuple(seats))
    after = np.zeros((2, len(table.states)), dtype=bool)  # after an even and after an odd number of moves
    after[0, 0] = True
    for row, following in enumerate(table.next_state):
        for parity in (0, 1):
            if after[parity, row]:
                after[1 - parity, following[following >= 0]] = True
    return after[seats[first]].any(axis=0) & ~table.over


def _chance(table: kernels.Table, may: np.ndarray, best: np.ndarray, first: str) -> float:
    """The chance that a policy beats a perfect opponent, who draws evenly among its best moves.

    Where every move of the opponent loses, all of them are best, and it may make any. Points
    are not followed: the chance is that of winning what is still to come.
    """
    evenly = best / np.maximum(best.sum(axis=1, keepdims=True), 1)
    following = table.next_state
    win = np.zeros((2, len(table.states)))  # the policy to move, the opponent to move
    for row in reversed(range(len(table.states))):
        if table.over[row]:
            win[:, row] = table.result[row] > 0, table.result[row] < 0
        else:
            win[0, row] = may[row] @ np.where(following[row] >= 0, win[1, following[row]], 0.0)  # or it forfeits
            win[1, row] = evenly[row] @ win[0, following[row]]
    return {"agent": win[0, 0], "opponent": win[1, 0], "alternate": win[:, 0].mean()}[first].item()


# --- files and words ------------------------------------------------------------------------------------

FORMAT = "coinlib learner 1"


def _read(path: Path) -> tuple[dict, np.ndarray, np.ndarray]:
    """What a file of `Learner.save` holds; never unpickles."""
    with open(path, "rb") as file:
        try:
            with np.load(file, allow_pickle=False) as stored:
                about = json.loads(str(stored["about"]))
                values, visits = stored["values"].astype(np.float64), stored["visits"].astype(np.int64)
            known = about["format"] == FORMAT and {"learner", "game", "generator"} <= set(about)
            whole = isinstance(about["games"], int) and about["games"] >= 0 and visits.shape == values.shape[:1]
            whole = whole and bool((visits >= 0).all())
        except Exception as error:
            raise ValueError(f"{path} is not a learner that coinlib saved, or is damaged") from error
    if not (known and whole):
        raise ValueError(f"{path} is not a learner that coinlib saved, or is damaged")
    return about, values, visits


def _as_state(hat):
    try:
        return (whole_number(hat, "hat", least=0),)
    except TypeError:  # a state, perhaps
        return hat


def _listed(balls: Iterable) -> str:
    """The balls as text: "1,2,3", or "1, 2 (20 x), 3" where there are many of a kind."""
    names = [str(ball) for ball in balls]
    if len(names) <= 9:
        return ",".join(names)
    return ", ".join(name if many == 1 else f"{name} ({many:,} x)" for name, many in Counter(names).items())


def _scheduled(schedule: Schedule, what: str, start: int, games: int) -> np.ndarray:
    """The value of a schedule in each of the next games."""
    if not callable(schedule):
        return np.broadcast_to(_share(schedule, what), games)
    try:
        numbers = [schedule(start + game) for game in range(games)]
    except TypeError as error:
        raise TypeError(f"{what}: expected a number or a function (games already learnt) -> number; {error}") from error
    return np.array([_share(number, what) for number in numbers])


def _share(value, what: str) -> float:
    """A float from 0 to 1, or an error that names it."""
    number = real_number(value, what, "a number from 0 to 1")
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{what}: expected a number from 0 to 1, got {shown(value)}")
    return number
