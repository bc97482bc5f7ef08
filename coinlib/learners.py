"""Who improves: each learner keeps one table and updates it from experience.

Calling a learner only chooses a move. To learn, it sits down: `learner.sit()` returns a seat that remembers what it
chose in one game and learns from what it observes. The rules for choosing and learning are those in lessons 04 and
06: `draw`, `settle`, `greedy` and `back_up` in `loops`, where `play_games` learns the same numbers from many games
at a time.
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
from coinlib.games import Game, Move, as_game, game_words, named_move, one_row
from coinlib.tables import Table, same_game, tabulate

Schedule = float | Callable[[int], float]  # a number, or a function of the games already learnt


def linear(start: float, end: float, games: int) -> Callable[[int], float]:
    """A schedule that goes from `start` to `end` in a straight line over a number of games, and then stays there.

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
    """Everything a learner has learnt; replaced in one assignment, so it is never left half changed.

    `values` is a float64 array of shape (S, M). `visits`, an int64 array of shape (S,), counts how often the
    learner made a move in each state while learning. `games` is the number of games it has learnt from.
    """

    values: np.ndarray
    visits: np.ndarray
    games: int


class Learner:
    """The base class of all learners: a game, its table, a memory, a generator, and seats.

    Your own learner derives from this class and defines `choose` and `learn`. It then plays move by move
    against any agent; ``docs/your-own.md`` has a complete example.

    Parameters
    ----------
    game : Game
    seed : int, SeedSequence, Generator or None

    Attributes
    ----------
    name : str
        The name of its class, unless the class defines another.
    game : Game
    table : coinlib.tables.Table
        The states (rows, S of them) and the moves (columns, M of them).
    memory : Memory
    generator : numpy.random.Generator
    exploration, learning_rate : float or function of the games already learnt
        0 by default; a seat holds their values for its game.
    discount : float
    loop : int or None
        The learning rule in `loops.play_games`: `loops.HATS` or `loops.Q_LEARNING`. Learners without one
        play move by move, and so do subclasses that override how they choose or learn.

    Methods
    -------
    choose(values, row, exploration)
        The column of the move to make in one row of a table of values. Every learner defines this.
    __call__(game, state)
        A move without exploring, made by `choose`. While the learner learns, its seat calls `choose` directly.
    learn(seat, move, reward, after)
        Update `seat.values` after a move (row and column), given the reward until its next turn and the row from
        which it then moves; `after` is None when the game is over. Every learner defines this.
    untaught()
        float64 array, shape (S, M): the values before learning; by default 0 for legal moves and minus infinity
        for others.
    move_weights(game, table)
        float64 array, shape (S, M): how likely each move is, without exploring, up to a constant factor in each row.
        `distance_to_perfect` needs it, and a class that has it is evaluated in the compiled loop.
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
        self.seats: list[Seat] = []  # in the last game it sat down to play
        self.game = as_game(game)
        self.table = tabulate(self.game)
        self._played = self.game  # the game it was last asked to play
        self.generator = np.random.default_rng(seed)
        self.memory = Memory(self.untaught(), np.zeros(len(self.table.states), dtype=np.int64), 0)

    def untaught(self) -> np.ndarray:
        """float64 array, shape (S, M): 0 for every legal move, minus infinity for the others."""
        return np.where(self.table.legal, 0.0, -np.inf)

    def choose(self, values: np.ndarray, row: int, exploration: float) -> int:
        """The column of the move to make in one row of a table of values."""
        raise NotImplementedError(f"{self.name} does not say how it chooses: write its method `choose`")

    def learn(self, seat: Seat, move: tuple[int, int], reward: float, after: int | None) -> None:
        """Update `seat.values` after a move."""
        raise NotImplementedError(f"{self.name} does not say how it learns: write its method `learn`")

    @property
    def values(self) -> np.ndarray:
        """float64 array, shape (S, M): what has been learnt; it may be changed."""
        return self.memory.values

    @values.setter
    def values(self, values: np.ndarray) -> None:
        self.memory = self.memory._replace(values=np.array(values, dtype=np.float64))

    @property
    def visits(self) -> np.ndarray:
        """int64 array, shape (S,): how often the learner made a move in each state while learning."""
        return self.memory.visits

    @property
    def games(self) -> int:
        """The number of games learnt from so far."""
        return self.memory.games

    def __call__(self, game: Game, state):
        """A move in `state`, without exploring; nothing changes but the generator."""
        row = self.row_of(game, state)
        return self.table.moves[self.choose(self.values, row, 0.0)]

    def sit(self, partner: Seat | None = None) -> Seat:
        """A seat for learning from one game; in self-play `partner` is the learner's other seat."""
        return Seat(self, partner)

    def probabilities(self) -> np.ndarray:
        """float64 array, shape (S, M): how likely each move is, without exploring; 0 where the game is over.

        Raises TypeError for a learner without `move_weights`.
        """
        if not is_fast(self):
            raise TypeError(f"{self.name} does not say how likely it makes each move: write `move_weights`")
        weights = weights_in(self, self.game, self.table)
        sums = weights.sum(axis=1, keepdims=True)
        return np.divide(weights, sums, out=np.zeros_like(weights), where=~self.table.over[:, None])

    def rates(self, games: int) -> tuple[np.ndarray, np.ndarray, float]:
        """The exploration and learning rates for the next games, both of shape (games,), and the discount."""
        exploration = _scheduled(self.exploration, "exploration", self.games, games)
        learning_rate = _scheduled(self.learning_rate, "learning_rate", self.games, games)
        return exploration, learning_rate, self.discount

    def distance_to_perfect(self, first: str = "agent") -> Distance:
        """How far this learner is from perfect play, measured with the exact solver.

        Parameters
        ----------
        first : {"agent", "opponent", "alternate"}
            Who moves first, this learner or its opponent; "alternate" counts the states for
            both seats and averages the chances.

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
        """Write everything learnt to a file (``.npz`` by convention), completely or not at all.

        Raises OSError if the file cannot be written; an older file is then left unchanged.
        """
        return save_learnt(path, self._about(), self.games, self._arrays())

    def load(self, path: str | os.PathLike) -> None:
        """Load what a learner of the same kind has learnt about the same game; nothing is unpickled.

        Raises
        ------
        ValueError
            If the file is damaged, comes from elsewhere, or holds a different learner or game;
            the learner is left unchanged.

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
            raise ValueError(f"{path}: it holds values for moves other than those this learner may make")
        self.memory = Memory(arrays["values"], arrays["visits"], games)

    def _arrays(self) -> dict[str, np.ndarray]:
        """The arrays to save."""
        return {"values": self.values, "visits": self.visits}

    def _about(self) -> str:
        """The description to save: the learner, the game, and a checksum of the game's table."""
        return f"{self.name} of {game_words(self.game)} (table {self.table.checksum})"

    def row_of(self, game: Game, state) -> int:
        """The row of a state; ValueError if the game is over there."""
        self.check_game(game)
        row = self.table.row(state)
        if self.table.over[row]:
            raise ValueError(f"state: the game is over in {state}, there is nothing to choose")
        return row

    def check_game(self, game: Game) -> None:
        """Raise ValueError for any game but the learner's own."""
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

    It works on a copy, which becomes the learner's memory when the game is over; leaving the seat
    earlier changes nothing.

    Parameters
    ----------
    learner : Learner
    partner : Seat, optional
        The same learner's other seat in this game; the two share one copy, and the game counts once.

    Attributes
    ----------
    values : float64 array, shape (S, M)
    visits : int64 array, shape (S,)
    exploration, rate : float
        The exploration rate and the learning rate in this game.
    chosen : list of (row, column)
        The moves made from this seat in this game.
    outcome : int or None
        +1, 0 or -1 when the game is over.
    notes : dict
        Anything else that a learner wants to remember in this game.
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
        """Learn from the effect of a move, at this seat's next turn or when the game is over.

        Parameters
        ----------
        state, move
            The last state in which this seat chose, and its move.
        reward : float
            The points of the move minus those of the reply, plus the result at the end.
        next_state
            The state after the opponent's reply; None when the game is over.
        """
        learner = self.learner
        after = None if next_state is None else learner.table.row(next_state)
        if after is None and self.outcome is None:
            self.outcome = (reward > 0) - (reward < 0)
        learner.learn(self, (learner.table.row(state), learner.column_of(move)), reward, after)
        if after is None:
            self._finish()

    def hear(self, outcome: int) -> None:
        """Receive the result, +1, 0 or -1 for this seat, before it observes the end.

        In a game with points the last reward does not say who won. A game that ends before this seat's first
        move is only counted.
        """
        self.outcome = outcome
        if not self.chosen:
            self._finish()

    def close(self) -> None:
        """Leave the game; an unfinished game changes nothing."""
        self.chosen = []

    def _finish(self) -> None:
        """Mark this seat as finished; once all seats are, the copy becomes the learner's memory."""
        self.chosen = []  # The balls go back into their hats.
        self.over = True
        if all(seat.over for seat in self.seats):
            self.learner.memory = Memory(self.values, self.visits, self.learner.games + 1)


class Hats(Learner):
    """A hat of numbered balls for every state; the ball that is drawn is the move.

    Each hat starts with one ball for every move that can be named. A ball whose move is illegal
    goes straight back and another is drawn. After a win each ball next to its hat goes back in
    with one more of the same number; after a loss it is thrown away, unless it is the last of
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
        """float64 array, shape (S, M): one ball for every legal move; the others are never played."""
        return self.table.legal * 1.0

    def move_weights(self, game: Game, table: Table) -> np.ndarray:
        """float64 array, shape (S, M): the balls that can be drawn."""
        self.check_game(game)
        return self.values

    def choose(self, values: np.ndarray, row: int, exploration: float) -> int:
        """Draw a ball from the hat; hats do not explore."""
        column = loops.draw(values, row, self.generator.random())
        if column < 0:
            raise ValueError(f"hat {self.table.states[row]}: it holds no ball that can be drawn")
        return column

    def learn(self, seat: Seat, move: tuple[int, int], reward: float, after: int | None) -> None:
        """At the end of the game, put each ball next to its hat back with one more, or throw it away."""
        if after is None:
            for row, column in seat.chosen:
                loops.settle(seat.values, row, column, seat.outcome)

    @property
    def balls(self) -> np.ndarray:
        """int64 array, shape (S, M): the number of balls for each move in each hat.

        Balls for illegal moves are never played, so each hat keeps exactly one of each.
        """
        # `values` holds 0 for illegal moves, so that they are never drawn.
        balls = np.where(self.table.legal, self.values, 1.0).astype(np.int64)
        balls[self.table.over] = 0
        for row, column in self.beside():  # drawn in this game
            balls[row, column] -= 1
        return balls

    def beside(self) -> list[tuple[int, int]]:
        """Row and column of each ball next to its hat, in the last game the learner sat down to play."""
        return [ball for seat in self.seats for ball in seat.chosen]

    def put(self, hat, move, balls: int) -> None:
        """Set the number of balls for one move in a hat.

        Parameters
        ----------
        hat : int or state
            With one row, the number of coins is enough.
        move : Move, or a count on one row
            It must be legal there; other balls are never played.
        balls : int
            At least 1, since a hat always has a ball of each number.
        """
        row, column = self._hat(hat), self.column_of(move)
        if not self.table.legal[row, column]:
            never = f"A ball {shown(move)} is never played from hat {shown(hat)}"
            raise ValueError(f"{never}, so its number cannot be changed.")
        self.values[row, column] = whole_number(balls, "balls", least=1)

    def contents(self, hat) -> list:
        """The balls in one hat, in order: counts on one row, otherwise moves.

        `hat` is a state; on one row the number of coins is enough.
        """
        row = self._hat(hat)
        return [name for name, count in zip(self._ball_names(), self.balls[row]) for _ in range(count)]

    def counts(self, hat) -> list[int]:
        """How many balls a hat holds for each legal move, in the order of the game's `legal_moves`.

        `hat` is a state; on one row the number of coins is enough.

        Examples
        --------
        >>> from coinlib import sticks
        >>> hats = Hats(sticks(3))
        >>> hats.put(2, move=1, balls=20)
        >>> hats.counts(2), hats.counts(3)
        ([20, 1], [1, 1, 1])
        """
        row = self._hat(hat)
        return self.balls[row][self.table.legal[row]].tolist()

    def show(self) -> None:
        """Print the hats, one per line, each with the balls in it and next to it.

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
        """The labels of the balls: counts on one row, otherwise moves."""
        if one_row(self.game):
            return [move.count for move in self.table.moves]
        return [tuple(move) if isinstance(move, Move) else move for move in self.table.moves]


class QLearner(Learner):
    """Keeps a value for every move in every state, and moves it towards what the move led to.

    The defaults are those of the learner in the course's source: learning rate 1, no discounting, no
    exploration, all values 0 at first, and ties going to the smallest move. A subclass may define other defaults
    for the first three.

    Parameters
    ----------
    game : Game
    learning_rate : float in (0, 1], or function of the games already learnt, optional
        1.0 if left out.
    discount : float in [0, 1], optional
        1.0 if left out.
    exploration : float in [0, 1], or function of the games already learnt, optional
        How often it tries a random move while it learns; 0.0 if left out.
    legal_only : bool
        False: it has to learn by losing which moves are illegal.
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
        self.rates(1)  # raises an error now if a rate is wrong

    def untaught(self) -> np.ndarray:
        """float64 array, shape (S, M): 0 for every move it may make, minus infinity for the others."""
        if self.legal_only:
            return super().untaught()
        return np.zeros(self.table.legal.shape)

    def move_weights(self, game: Game, table: Table) -> np.ndarray:
        """float64 array, shape (S, M): 1 for the move with the largest value, the first if there is a tie."""
        self.check_game(game)
        best = self.values.argmax(axis=1)
        weights = np.eye(self.values.shape[1])[best]
        weights[self.table.over] = 0.0
        return weights

    def choose(self, values: np.ndarray, row: int, exploration: float) -> int:
        """The move with the largest value or, with probability `exploration`, any allowed move."""
        return loops.explore(values, row, loops.greedy(values, row), exploration, self.generator.random())

    def learn(self, seat: Seat, move: tuple[int, int], reward: float, after: int | None) -> None:
        """Move one value towards its target: the reward plus, unless the game is over, the discounted best next value.

        The compiled loop, `loops.play_games`, computes the same target.
        """
        target = reward
        if after is not None:
            target += self.discount * seat.values[after].max()
        loops.back_up(seat.values, *move, seat.rate, target)


def _scheduled(schedule: Schedule, what: str, start: int, games: int) -> np.ndarray:
    """The value of a schedule for each of the next games."""
    if not callable(schedule):
        return np.broadcast_to(number_in(schedule, what, 0, 1), games)
    return np.array([number_in(schedule(start + game), what, 0, 1) for game in range(games)])


def _listed(balls: Iterable) -> str:
    """The balls as text: "1,2,3", or "1, 2 (20 x), 3" if there are more than nine."""
    names = [str(ball) for ball in balls]
    if len(names) <= 9:
        return ",".join(names)
    return ", ".join(name if count == 1 else f"{name} ({count:,} x)" for name, count in Counter(names).items())
