"""Who improves: learners keep one table, and change it by what happens to them.

Calling a learner only chooses a move. To learn, it sits down: `learner.sit()` gives a seat
that remembers what it chose in one game and learns from what it observes. The rules by which it
chooses and learns are those of lessons 04 and 06: `draw`, `settle`, `greedy`, `back_up` in `loops`, where
`play_games` learns the same numbers many games at a time.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from coinlib import loops
from coinlib.agents import is_fast, weights_in
from coinlib.arguments import number_in, shown, whole_number
from coinlib.distance import Distance, distance
from coinlib.files import load_learnt, save_learnt
from coinlib.games import Game, Move, game_words, named_move, one_row, read_game
from coinlib.tables import Table, same_game, tabulate

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
    return partial(_on_a_line, start, end, whole_number(games, "games", least=1))


def _on_a_line(start: float, end: float, games: int, learnt: int) -> float:
    return start + (end - start) * min(learnt / games, 1.0)


class Memory(NamedTuple):
    """All that a learner has learnt: replaced in one assignment, so nothing can be left half changed.

    `values` is a float64 array of shape (S, M), `visits` an int64 array of shape (S,): how often it
    chose in each state while learning. `games` is how many games it has learnt.
    """

    values: np.ndarray
    visits: np.ndarray
    games: int


class Learner:
    """What the learners share: a game, its table, a memory, a generator, and seats.

    A learner of your own derives from this class and says how it chooses and how it learns, by `choose` and
    `learn`. It is then played move by move, against anybody; ``docs/your-own.md`` has a whole one.

    Parameters
    ----------
    game : Game
    seed : int, SeedSequence, Generator or None

    Attributes
    ----------
    name : str
        What it is called: the name of its class if it does not say.
    game : Game
    table : coinlib.tables.Table
        The states (rows, S of them) and the moves (columns, M of them).
    memory : Memory
    generator : numpy.random.Generator
    exploration, learning_rate : float or function of the games already learnt
        Both are 0 if it does not say; a seat has their values in its game.
    discount : float
    loop : int or None
        `loops.HATS` or `loops.Q_LEARNING`: which of the two rules that `loops.play_games` knows it learns
        by. None, or whoever derives from a class with a loop and overrides how it chooses or learns: move
        by move.

    Methods
    -------
    choose(values, row, exploration)
        The column of the move that it makes by a table of values, in one row of it. Every learner has its
        own.
    __call__(game, state)
        A move without exploring, by `choose`. While it learns, its seat asks `choose` and not this.
    learn(seat, move, reward, after)
        Change `seat.values` by what came of a move (row and column), given the reward until its turn has
        come round again, and the row that it finds then; `after` is None when the game is over. Every
        learner has its own.
    untaught()
        float64 array, shape (S, M): the values before anything is learnt. 0 for legal moves and minus
        infinity for others if it does not say.
    move_weights(game, table)
        float64 array, shape (S, M): how likely it makes each move, without exploring, up to a factor in
        each row. A class that has it is measured by `distance_to_perfect`, and evaluated in one loop.
    """

    name: str
    loop: int | None = None
    exploration: Schedule = 0.0
    learning_rate: Schedule = 0.0
    discount = 0.0

    def __init_subclass__(cls, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in vars(cls):
            cls.name = cls.__name__

    def __init__(self, game: Game, seed=None) -> None:
        self.seats: list[Seat] = []  # those of the game for which it sat down last
        self.game = read_game(game)
        self.table = tabulate(self.game)
        self._played = self.game  # the game that it was asked to play last
        self.generator = np.random.default_rng(seed)
        self.memory = Memory(self.untaught(), np.zeros(len(self.table.states), dtype=np.int64), 0)

    def untaught(self) -> np.ndarray:
        """float64 array, shape (S, M): 0 for every legal move, and minus infinity for the others."""
        return np.where(self.table.legal, 0.0, -np.inf)

    def choose(self, values: np.ndarray, row: int, exploration: float) -> int:
        """The column of the move that it makes by a table of values, in one row of it."""
        raise NotImplementedError(f"{self.name} does not say how it chooses: write its method `choose`")

    def learn(self, seat: Seat, move: tuple[int, int], reward: float, after: int | None) -> None:
        """Change `seat.values` by what came of a move."""
        raise NotImplementedError(f"{self.name} does not say how it learns: write its method `learn`")

    @property
    def values(self) -> np.ndarray:
        """float64 array, shape (S, M): all that has been learnt; it may be written into."""
        return self.memory.values

    @values.setter
    def values(self, values: np.ndarray) -> None:
        self.memory = self.memory._replace(values=np.array(values, dtype=np.float64))

    @property
    def visits(self) -> np.ndarray:
        """int64 array, shape (S,): how often it chose in each state while learning."""
        return self.memory.visits

    @property
    def games(self) -> int:
        """The games already learnt."""
        return self.memory.games

    def __call__(self, game: Game, state):
        """A move in `state`, without exploring; nothing changes but the generator."""
        row = self.row_of(game, state)
        return self.table.moves[self.choose(self.values, row, 0.0)]

    def sit(self, partner: Seat | None = None) -> Seat:
        """A seat in one game that is learnt from; in self-play `partner` is the learner's other seat."""
        return Seat(self, partner)

    def probabilities(self) -> np.ndarray:
        """float64 array, shape (S, M): how likely it makes each move, without exploring; 0 where it is over.

        Raises TypeError for a learner that does not say so, by `move_weights`.
        """
        if not is_fast(self):
            raise TypeError(f"{self.name} does not say how likely it makes each move: write `move_weights`")
        weights = weights_in(self, self.game, self.table)
        sums = weights.sum(axis=1, keepdims=True)
        return np.divide(weights, sums, out=np.zeros_like(weights), where=~self.table.over[:, None])

    def rates(self, games: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Exploration and learning rates of the next games, both of shape (games,), and the discount."""
        exploration = _scheduled(self.exploration, "exploration", self.games, games)
        learning_rate = _scheduled(self.learning_rate, "learning_rate", self.games, games)
        return exploration, learning_rate, self.discount

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

        Examples
        --------
        >>> from coinlib import RandomAgent, sticks, train
        >>> learner = QLearner(sticks(10), seed=1)
        >>> run = train(learner, RandomAgent(), games=300, seed=1)
        >>> distance = learner.distance_to_perfect()    # all 7 winning positions right: it beats perfect play
        >>> distance.winning, distance.right, distance.beats_perfect
        (7, 7, 1.0)
        """
        return distance(self.table, self.probabilities(), self.visits, first)

    def save(self, path: str | os.PathLike) -> Path:
        """Write all that has been learnt to a file, ``.npz`` by custom; nothing is left half written.

        Raises OSError if the file cannot be written; the older file is then unharmed.
        """
        return save_learnt(path, self._about(), self.games, self._arrays())

    def load(self, path: str | os.PathLike) -> None:
        """Take over what a learner of the same kind has learnt of the same game; nothing is unpickled.

        Raises
        ------
        ValueError
            If the file is damaged, comes from elsewhere, or holds another learner or game;
            this learner is left unchanged.

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
        arrays, games = load_learnt(path, self._about(), self._arrays())
        if not np.array_equal(np.isfinite(arrays["values"]), np.isfinite(self.values)):
            raise ValueError(f"{path}: it holds values for other moves than this learner may make")
        self.memory = Memory(arrays["values"], arrays["visits"], games)

    def _arrays(self) -> dict[str, np.ndarray]:
        """The arrays in its file."""
        return {"values": self.values, "visits": self.visits}

    def _about(self) -> str:
        """The description in its file: the learner, the game, and a checksum of the game's table."""
        return f"{self.name} of {game_words(self.game)} (table {self.table.checksum})"

    def row_of(self, game: Game, state) -> int:
        """The row of a state in which somebody is to move."""
        self.check_game(game)
        row = self.table.row(state)
        if self.table.over[row]:
            raise ValueError(f"state: the game is over in {state}, there is nothing to choose")
        return row

    def check_game(self, game: Game) -> None:
        """ValueError for another game than its own."""
        if game is self._played:
            return
        if not same_game(game, self.game):
            raise ValueError(f"game: this learner plays {self.game}; asked to play {shown(game)}")
        self._played = game

    def column_of(self, move) -> int:
        """The column of a move, or of a count on one row."""
        move = named_move(self.game, move)
        if move not in self.table.column:
            raise ValueError(f"move: {shown(move)} is not a move of {game_words(self.game)}")
        return self.table.column[move]

    def __repr__(self) -> str:
        return f"{self.name}({self.game}, games={self.games:,})"


class Seat:
    """A learner's place in one game: it chooses, remembers, and learns.

    It works on a copy, which becomes the learner's memory when the game is over; a seat that is left
    before that changes nothing.

    Parameters
    ----------
    learner : Learner
    partner : Seat, optional
        The same learner's other seat in this game: the two share one copy, and the game counts once.

    Attributes
    ----------
    values : float64 array, shape (S, M)
    visits : int64 array, shape (S,)
    exploration, rate : float
        The exploration rate and the learning rate in this game.
    chosen : list of (row, column)
        The moves that it has made in this game.
    outcome : int or None
        +1, 0 or -1 when the game is over.
    notes : dict
        Room for whatever else a learner wants to remember in this game.
    """

    def __init__(self, learner: Learner, partner: Seat | None = None) -> None:
        self.learner = learner
        self.values = partner.values if partner else learner.values.copy()
        self.visits = partner.visits if partner else learner.visits.copy()
        self.seats: list[Seat] = partner.seats if partner else []  # all seats of the learner in this game
        self.seats.append(self)
        learner.seats = self.seats
        exploration, rate, _ = learner.rates(1)
        self.exploration = float(exploration[0])
        self.rate = float(rate[0])
        self.chosen: list[tuple[int, int]] = []
        self.outcome: int | None = None
        self.notes: dict = {}
        self.over = False

    def __call__(self, game: Game, state):
        """A move in `state`, remembered until the game is over."""
        row = self.learner.row_of(game, state)
        column = self.learner.choose(self.values, row, self.exploration)
        self.visits[row] += 1
        self.chosen.append((row, column))
        return self.learner.table.moves[column]

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
        after = None if next_state is None else learner.table.row(next_state)
        if after is None and self.outcome is None:
            self.outcome = (reward > 0) - (reward < 0)
        learner.learn(self, (learner.table.row(state), learner.column_of(move)), reward, after)
        if after is None:
            self._finish()

    def hear(self, outcome: int) -> None:
        """Be told who has won, +1, 0 or -1 for this seat, before it observes the end.

        Its last reward tells in a game without points only. A game that ended before this seat's first
        move is counted, and nothing else.
        """
        self.outcome = outcome
        if not self.chosen:
            self._finish()

    def close(self) -> None:
        """Leave the table; a game that was not finished leaves no trace."""
        self.chosen = []

    def _finish(self) -> None:
        """Mark this seat as finished; once all seats are, the copy becomes the learner's memory."""
        self.chosen = []  # The balls go back into their hats.
        self.over = True
        if all(seat.over for seat in self.seats):
            self.learner.memory = Memory(self.values, self.visits, self.learner.games + 1)


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

    name = "Hats"
    loop = loops.HATS

    def untaught(self) -> np.ndarray:
        """float64 array, shape (S, M): one ball of every legal move; the others are never played."""
        return self.table.legal * 1.0

    def move_weights(self, game: Game, table: Table) -> np.ndarray:
        """float64 array, shape (S, M): the balls of which one is drawn."""
        self.check_game(game)
        return self.values

    def choose(self, values: np.ndarray, row: int, exploration: float) -> int:
        """Draw a ball from the hat; hats do not explore."""
        column = loops.draw(values, row, self.generator.random())
        if column < 0:
            raise ValueError(f"hat {self.table.states[row]}: it holds no ball that can be drawn")
        return column

    def learn(self, seat: Seat, move: tuple[int, int], reward: float, after: int | None) -> None:
        """At the end of the game every ball beside its hat is put back with one more, or thrown away."""
        if after is None:
            for row, column in seat.chosen:
                loops.settle(seat.values, row, column, seat.outcome)

    @property
    def balls(self) -> np.ndarray:
        """int64 array, shape (S, M): the number of balls of each move in each hat.

        Balls of illegal moves are never played, so each hat keeps exactly one of each.
        """
        # `values` holds 0 for illegal moves, so that they are never drawn.
        inside = np.where(self.table.legal, self.values, 1.0).astype(np.int64)
        inside[self.table.over] = 0
        for row, column in self.beside():  # These have been drawn in this game.
            inside[row, column] -= 1
        return inside

    def beside(self) -> list[tuple[int, int]]:
        """Row and column of each ball that lies beside its hat, in the game for which it sat down last."""
        return [ball for seat in self.seats for ball in seat.chosen]

    def put(self, hat, move, balls: int) -> None:
        """Meddle: let a hat hold so many balls of one move.

        Parameters
        ----------
        hat : int or state
            On one row the number of coins will do.
        move : Move, or a count on one row
            It must be legal there: other balls are never played.
        balls : int
            At least 1: a hat always has one ball of each number.
        """
        row, column = self._hat(hat), self.column_of(move)
        if not self.table.legal[row, column]:
            never = f"a ball {shown(move)} is never played from it"
            raise ValueError(f"hat {shown(hat)}: {never}, so its number cannot be changed")
        self.values[row, column] = whole_number(balls, "balls", least=1)

    def contents(self, hat) -> list:
        """The balls in one hat, in order: counts on one row, otherwise moves.

        `hat` is a state; on one row the number of coins is enough.
        """
        row = self._hat(hat)
        return [name for name, count in zip(self._ball_names(), self.balls[row]) for _ in range(count)]

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
        names, beside = self._ball_names(), self.beside()
        lines = [("hat", "content", "beside")]
        for row in np.flatnonzero(~self.table.over)[::-1]:
            state = self.table.states[row]
            outside = [names[column] for place, column in beside if place == row]
            hat = state[0] if isinstance(state, tuple) and len(state) == 1 else state
            lines.append((str(hat), _listed(self.contents(state)), _listed(outside)))
        widths = [max(len(line[part]) for line in lines) for part in (0, 1)]
        for hat, content, outside in lines:
            print(f"{hat:<{widths[0]}}  {content:<{widths[1]}}  {outside}".rstrip())

    def _hat(self, hat) -> int:
        """The row of a hat, named by its state or, on one row, by a count."""
        is_state = isinstance(hat, tuple) or hat in self.table.index
        return self.row_of(self.game, hat if is_state else (hat,))

    def _ball_names(self) -> list:
        """What is written on the balls: counts on one row, otherwise moves."""
        if one_row(self.game):
            return [move.count for move in self.table.moves]
        return [tuple(move) if isinstance(move, Move) else move for move in self.table.moves]


class QLearner(Learner):
    """A value for every move in every state, corrected towards what came of it.

    The defaults are the learner of the course's source: learning rate 1, no discount, no
    exploration, zeros at first, the smallest move among equals. A class that derives from this one may have
    other values of these three.

    Parameters
    ----------
    game : Game
    learning_rate : float in (0, 1], or function of the games already learnt, optional
        1.0 if it is not given.
    discount : float in [0, 1], optional
        1.0 if it is not given.
    exploration : float in [0, 1], or function of the games already learnt, optional
        How often it tries any legal move while it learns: 0.0 if it is not given.
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

    name = "QLearner"
    loop = loops.Q_LEARNING
    learning_rate: Schedule = 1.0
    discount = 1.0

    def __init__(
        self,
        game: Game,
        learning_rate: Schedule | None = None,
        discount: float | None = None,
        exploration: Schedule | None = None,
        legal_only: bool = True,
        seed=None,
    ) -> None:
        self.legal_only = legal_only
        super().__init__(game, seed)
        if learning_rate is not None:
            self.learning_rate = learning_rate
        if discount is not None:
            self.discount = discount
        if exploration is not None:
            self.exploration = exploration
        self.discount = number_in(self.discount, "discount", 0, 1)
        self.rates(1)  # says at once what is wrong with a rate

    def untaught(self) -> np.ndarray:
        """float64 array, shape (S, M): 0 for every move that it may make, minus infinity for the others."""
        if self.legal_only:
            return super().untaught()
        return np.zeros(self.table.legal.shape)

    def move_weights(self, game: Game, table: Table) -> np.ndarray:
        """float64 array, shape (S, M): 1 for the move of largest value, the first of equals."""
        self.check_game(game)
        best = self.values.argmax(axis=1)
        weights = np.eye(self.values.shape[1])[best]
        weights[self.table.over] = 0.0
        return weights

    def choose(self, values: np.ndarray, row: int, exploration: float) -> int:
        """The move of largest value; or, now and then, any that is allowed."""
        return loops.explore(values, row, loops.greedy(values, row), exploration, self.generator.random())

    def learn(self, seat: Seat, move: tuple[int, int], reward: float, after: int | None) -> None:
        """Move one value towards the reward plus, before the end, the best value of the next state."""
        target = reward
        if after is not None:
            target += self.discount * seat.values[after].max()
        loops.back_up(seat.values, *move, seat.rate, target)


def _scheduled(schedule: Schedule, what: str, start: int, games: int) -> np.ndarray:
    """The value of a schedule in each of the next games."""
    if not callable(schedule):
        return np.broadcast_to(number_in(schedule, what, 0, 1), games)
    return np.array([number_in(schedule(start + game), what, 0, 1) for game in range(games)])


def _listed(balls: Iterable) -> str:
    """The balls as text: "1,2,3", or "1, 2 (20 x), 3" where there are many of a kind."""
    names = [str(ball) for ball in balls]
    if len(names) <= 9:
        return ",".join(names)
    return ", ".join(name if many == 1 else f"{name} ({many:,} x)" for name, many in Counter(names).items())
