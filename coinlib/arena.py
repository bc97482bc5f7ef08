"""Who wins: single matches, many games, round robins, sweeps, and the training of learners.

`Match` moves one game a move at a time: any function, a person, a learner's seat. Where everybody's play
can be written down as a table, `loops.play_games` plays the same games in one loop.
"""

from __future__ import annotations

import itertools
import math
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from coinlib import loops
from coinlib.agents import agent_name
from coinlib.arguments import check_agent, counted, shown, whole_number
from coinlib.games import CoinGame, GameError, IllegalMove, moves_of, points_of, read_game, read_move, result_of
from coinlib.learners import Learner, Memory, who_begins
from coinlib.tables import tabulate

if TYPE_CHECKING:
    import pandas as pd

MOVES_AT_MOST = 1_000_000  # in one match: a game that goes on for longer has no end
CHUNK_SECONDS = 0.1  # how long the loop may run before it looks up: for the bar, and for Ctrl-C
TWICE_SECONDS = 3.0  # a second Ctrl-C within this time ends more than one training


class AgentError(RuntimeError):
    """An agent raised; the message names the agent and the state, the cause is attached."""


class AgentWarning(UserWarning):
    """Something raised in the middle of many games or runs; those already done are kept."""


# --- one match ----------------------------------------------------------------------------------------


def sit_down(agent, learn: bool, partner=None):
    """An agent as it sits down to a match, which it is told of; a learner that learns takes a seat.

    `partner` is the seat of whoever sits there already, None in an empty one.
    """
    if hasattr(agent, "new_match"):
        agent.new_match()
    return agent.sit(partner) if learn and isinstance(agent, Learner) else agent


def ask(agent, name: str, game, state):
    """What an agent answers; `AgentError` names it, and the state, if it raises."""
    try:
        return agent(game, state)
    except GameError:
        raise
    except Exception as error:
        moves_of(game, state)  # a game that gives none is no fault of the agent
        raise AgentError(f"{name} raised {type(error).__name__} in state {state}: {error}") from error


@dataclass(repr=False)
class Match:
    """One game, while it is played and afterwards: turn order, forfeits, points and delayed rewards.

    Parameters
    ----------
    game : Game
    seats : tuple of two agents or None
        Who chooses for player 1 and player 2; None for whoever is asked from outside, by `make`.
    names : tuple of str

    Attributes
    ----------
    moves : list
        The legal moves that were made, in turn.
    states : list
        The start and the state after each move: one more than `moves`.
    rewards : list
        The points of each move.
    winner : int or None
        1, 2, or 0 for a tie; None while the game goes on.
    reason : str
        Why, in words.
    forfeit : int
        The player (1 or 2) who made an illegal move, or 0.

    Examples
    --------
    >>> from coinlib import sticks
    >>> match = Match(sticks(4))
    >>> match.make(2)
    >>> match.state, match.turn
    ((2,), 2)
    >>> match.make(3)
    >>> match.winner, match.reason
    (1, 'player 2 forfeits: row 0 holds 2 coins; asked to take 3 (legal: 1 to 2)')
    """

    game: object
    seats: tuple = field(default=(None, None), compare=False)
    names: tuple[str, str] = ("player 1", "player 2")
    moves: list = field(default_factory=list, init=False)
    states: list = field(default_factory=list, init=False)
    rewards: list = field(default_factory=list, init=False)
    winner: int | None = field(default=None, init=False)
    reason: str = field(default="", init=False)
    forfeit: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.game = read_game(self.game)
        self.states.append(self.game.start)
        self._last: list = [None, None]  # each side's last (state, move), and
        self._gained = [0, 0]  # its points since then, less those of the reply
        if self.game.is_over(self.state):
            self._end(result_of(self.game, self.state))

    @property
    def state(self):
        """The state now."""
        return self.states[-1]

    @property
    def turn(self) -> int:
        """Who is to move, 1 or 2."""
        return 1 + len(self.moves) % 2

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.winner is not None

    @property
    def illegal_move(self) -> str:
        """The move that forfeited the game in words, and who made it in which state; "" where none did."""
        who = f"{self.names[self.forfeit - 1]} in state {self.state}"
        return f"{who}: {self.reason.partition('forfeits: ')[2]}" if self.forfeit else ""

    @property
    def _lead(self) -> int:
        """By how many points whoever is to move is ahead."""
        lead = sum(self.rewards[0::2]) - sum(self.rewards[1::2])
        return lead if self.turn == 1 else -lead

    def _check_not_over(self) -> None:
        if self.over:
            raise ValueError(f"match: the game is over, {self.reason}")

    def step(self) -> None:
        """Ask whoever sits at the turn for a move, and make it; `AgentError` if the agent raises."""
        self._check_not_over()
        seat, side, state = self.seats[self.turn - 1], self.turn - 1, self.state
        if self._last[side] is not None and hasattr(seat, "observe"):
            seat.observe(*self._last[side], self._gained[side], state)  # only now it knows what came of its move
        answer = ask(seat, self.names[side], self.game, state)
        self.make(answer)

    def make(self, answer) -> None:
        """Make a move for whoever is to move; one that is not legal forfeits the game."""
        self._check_not_over()
        side, state = self.turn - 1, self.state
        try:
            move = read_move(self.game, state, answer)
        except IllegalMove as error:
            self._last[side], self._gained[side] = (state, answer), 0
            self.forfeit, self.reason = self.turn, f"player {self.turn} forfeits: {error or 'an illegal move'}"
            self._end(-1 - self._lead)  # an illegal move loses by one point, whatever was gained before
            return
        if len(self.moves) == MOVES_AT_MOST:
            raise GameError(f"game: no end after {MOVES_AT_MOST:,} moves; is it too large, or can a state come twice?")
        points = points_of(self.game, state, move)
        self._last[side], self._gained[side] = (state, move), points
        self._gained[1 - side] -= points
        self.moves.append(move)
        self.rewards.append(points)
        self.states.append(self.game.play(state, move))
        if self.game.is_over(self.state):
            self._end(result_of(self.game, self.state))

    def leave(self) -> None:
        """Everybody leaves the table; learners learn nothing from a game that is not over."""
        for seat in self.seats:
            if hasattr(seat, "close"):
                seat.close()

    def _end(self, result: int) -> None:
        """The game is over; `result` is for whoever would move next, on top of the points."""
        side = self.turn - 1
        final = result + self._lead
        self.winner = 0 if final == 0 else 1 + (side if final > 0 else 1 - side)
        self.reason = self.reason or self._verdict()
        for number, seat in enumerate(self.seats):
            if hasattr(seat, "hear"):
                seat.hear((self.winner == number + 1) - (self.winner == 2 - number))
            if self._last[number] is not None and hasattr(seat, "observe"):
                seat.observe(*self._last[number], self._gained[number] + (result if number == side else -result), None)

    def _verdict(self) -> str:
        """Why the game ended as it did, in words."""
        if isinstance(self.game, CoinGame):
            if not self.moves:
                return f"no coin was on the table, so player {self.winner} wins ({self.game.ending})"
            last = 3 - self.turn
            return f"player {last} took the last coin and {'wins' if self.winner == last else 'loses'} ({self.game.ending})"
        who = f"player {self.winner} wins" if self.winner else "a tie"
        if not any(self.rewards):
            return f"{who} by the rules of the game"
        return f"{who}: {sum(self.rewards[0::2])} to {sum(self.rewards[1::2])} points"

    def reason_with(self, first: str, second: str) -> str:
        """Why it has ended, in words, with other names for player 1 and player 2."""
        return self.reason.replace("player 1", first).replace("player 2", second)

    def to_frame(self) -> pd.DataFrame:
        """A table with a row for each move: player, name, move, points, what was left."""
        import pandas as pd

        turns = [number % 2 for number in range(len(self.moves))]
        made: dict[str, list] = {"move": self.moves, "points": self.rewards}
        left: list = self.states[1:]
        if isinstance(self.game, CoinGame):
            made = {"row": [move.row for move in self.moves], "takes": [move.count for move in self.moves]}
            if len(self.game.rows) == 1:
                del made["row"]
                left = [state[0] for state in left]
        columns = {"player": [turn + 1 for turn in turns], "name": [self.names[turn] for turn in turns]}
        index = pd.RangeIndex(1, len(self.moves) + 1, name="turn")
        return pd.DataFrame(columns | made | {"left": left}, index=index)

    def __repr__(self) -> str:
        return f"Match({self.names[0]} against {self.names[1]}: {self.reason or f'player {self.turn} is to move'})"


def play_match(game, first, second, seed=None, learn: bool = False) -> Match:
    """Play one game between two agents.

    Parameters
    ----------
    game : Game
    first, second : agents
        Functions from (game, state) to a move; an illegal move loses the game.
    seed : int, SeedSequence, Generator or None
        None: each agent goes on with its own generator. Otherwise each gets a new one for
        this match; one object in both seats gets one.
    learn : bool
        Whether learners learn from the game.

    Returns
    -------
    Match

    Raises
    ------
    AgentError
        If an agent raises; a learner then keeps what it had before the match.

    Examples
    --------
    >>> from coinlib import ScriptedAgent, sticks
    >>> match = play_match(sticks(5), first=ScriptedAgent(3, 1), second=ScriptedAgent(1))
    >>> match.winner, match.reason
    (2, 'player 1 took the last coin and loses (misère play)')

    >>> play_match(sticks(2), first=lambda game, state: 3, second=ScriptedAgent(1)).reason
    'player 1 forfeits: row 0 holds 2 coins; asked to take 3 (legal: 1 to 2)'
    """
    check_agent(first, "first")
    check_agent(second, "second")
    with _seeded((first, second), seed):
        return _play(game, (first, second), (learn, learn))


def _play(game, agents, learn) -> Match:
    """One game from start to end."""
    first = sit_down(agents[0], learn[0])
    second = sit_down(agents[1], learn[1], first if agents[0] is agents[1] else None)
    match = Match(game, (first, second), (agent_name(agents[0]), agent_name(agents[1])))
    try:
        while not match.over:
            match.step()
    finally:
        match.leave()
    return match


@contextmanager
def _seeded(agents, seed) -> Iterator[None]:
    """Lend each agent a generator made from `seed`, and give back its own afterwards."""
    own = [(agent, agent.generator) for agent in agents if hasattr(agent, "generator")]
    lent = [] if seed is None else zip(agents, np.random.default_rng(seed).spawn(len(agents)))
    try:
        for agent, generator in reversed([*lent]):  # one object in both seats gets the first
            if hasattr(agent, "generator"):
                agent.generator = generator
        yield
    finally:
        for agent, generator in own:
            agent.generator = generator


# --- many games -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Evaluation:
    """How an agent fared in many games.

    Attributes
    ----------
    games, wins, ties, losses : int
    forfeits : int
        Losses by an illegal move.
    opponent_forfeits : int
        Wins by the opponent's illegal move.
    reason : str
        An illegal move in words, and who made it in which state; "" where nobody made one.
    error : str
        What stopped the games early, or "".
    """

    games: int
    wins: int
    ties: int
    losses: int
    forfeits: int = 0
    opponent_forfeits: int = 0
    reason: str = ""
    error: str = ""

    @property
    def win_rate(self) -> float:
        """Wins as a share of all games."""
        return self.wins / self.games

    @property
    def low(self) -> float:
        """The lower end of the 95 % Wilson interval of the win rate."""
        return wilson(self.wins, self.games)[0]

    @property
    def high(self) -> float:
        """The upper end of the 95 % Wilson interval of the win rate."""
        return wilson(self.wins, self.games)[1]

    def __repr__(self) -> str:
        ties = f", {self.ties:,} ties" if self.ties else ""
        won = f"{self.wins:,} of {self.games:,} games won{ties}: {self.win_rate:.1%}"
        return f"Evaluation({won}, 95 % interval {self.low:.1%} to {self.high:.1%}{_notes(self, self.error)})"


def forfeits_in_words(forfeits: int, opponent_forfeits: int, reason: str) -> str:
    """How many games were lost and won by an illegal move, and one of the moves; "" where there was none."""
    sides = ((forfeits, ""), (opponent_forfeits, " of the opponent"))
    counts = "; ".join(counted(number, "forfeit") + whose for number, whose in sides if number)
    return f"{counts}, for example {reason}" if counts else ""


def _notes(found: Evaluation | Run, stopped: str) -> str:
    """What else is to be said of many games: forfeits, and what stopped them."""
    forfeits = forfeits_in_words(found.forfeits, found.opponent_forfeits, found.reason)
    return "".join(f"; {words}" for words in (forfeits, stopped and f"stopped: {stopped}") if words)


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The 95 % Wilson interval for a win rate: its lower and its upper end, from 0 to 1.

    Parameters
    ----------
    wins : int
        0 to `games`.
    games : int
        At least 1.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).

    Examples
    --------
    >>> low, high = wilson(60, 100)
    >>> round(low, 3), round(high, 3)
    (0.502, 0.691)
    """
    z = 1.959964  # 95 % of a normal distribution lies within this many standard deviations
    rate = wins / games
    middle = rate + z * z / (2 * games)
    spread = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def evaluate(game, agent, opponent, games: int = 10_000, seed=None, first: str = "alternate") -> Evaluation:
    """How often an agent wins against an opponent; nobody learns.

    Parameters
    ----------
    game : Game
    agent, opponent : agents
    games : int
        At least 1.
    seed : int, SeedSequence, Generator or None
        See `play_match`.
    first : {"agent", "opponent", "alternate"}
        Who moves first; "alternate" begins with the agent.

    Returns
    -------
    Evaluation
        If an agent raises after the first game, the games already played, with a warning.

    Raises
    ------
    AgentError
        If an agent raises in the first game.

    Examples
    --------
    >>> from coinlib import PerfectAgent, RandomAgent, sticks
    >>> evaluate(sticks(20), PerfectAgent(), RandomAgent(), games=1_000, seed=1, first="agent")
    Evaluation(1,000 of 1,000 games won: 100.0%, 95 % interval 99.6% to 100.0%)
    """
    check_agent(agent, "agent")
    games = whole_number(games, "games", least=1)
    run = _series(read_game(game), (agent, opponent), games, seed, first)
    counts = [int(np.count_nonzero(run.result == sign)) for sign in (1, 0, -1)]
    return Evaluation(len(run.result), *counts, run.forfeits, run.opponent_forfeits, run.reason, run.stopped)


def round_robin(game, agents: Mapping[str, object], games: int = 1_000, seed=None) -> pd.DataFrame:
    """Everybody against everybody: win rates of the row's agent against the column's.

    Parameters
    ----------
    game : Game
    agents : dict of str to agent
    games : int
        Games of each pair; first moves alternate.
    seed : int, SeedSequence, Generator or None

    Returns
    -------
    pandas.DataFrame, shape (agents, agents + 1)
        Win rates from 0 to 1, NaN on the diagonal; the last column is the mean of the row,
        and the rows stand in its order, the best first.

    Examples
    --------
    >>> from coinlib import PerfectAgent, RandomAgent, sticks
    >>> table = round_robin(sticks(20), {"random": RandomAgent(), "perfect": PerfectAgent()}, games=100, seed=1)
    >>> table.index[0], float(table.loc["perfect", "perfect"]), bool(table.loc["perfect", "mean"] > 0.9)
    ('perfect', nan, True)
    """
    import pandas as pd

    if not isinstance(agents, Mapping) or len(agents) < 2:
        raise TypeError(f"agents: expected two names or more, as in {{'mine': agent, ...}}; got {shown(agents)}")
    rates = pd.DataFrame(np.nan, index=list(agents), columns=list(agents))
    pairs = list(itertools.combinations(agents, 2))
    children = [None] * len(pairs) if seed is None else np.random.default_rng(seed).spawn(len(pairs))
    for (one, other), child in zip(pairs, children):
        outcome = evaluate(game, agents[one], agents[other], games, child)
        if max(outcome.forfeits, outcome.opponent_forfeits) == outcome.games:  # a program that cannot play
            words = f"{one} against {other}: every game ended by an illegal move, for example {outcome.reason}"
            warnings.warn(words, AgentWarning, stacklevel=2)
        rates.loc[one, other] = outcome.win_rate
        rates.loc[other, one] = outcome.losses / outcome.games
    rates["mean"] = rates.mean(axis=1)
    order = rates.sort_values("mean", ascending=False, kind="stable").index
    return rates.loc[order, [*order, "mean"]]


# --- training -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Run:
    """What happened while a learner was trained.

    Attributes
    ----------
    learner, opponent : str
        Their names.
    result : int8 array, shape (games,)
        +1, 0 or -1 for the learner in each game.
    moved_first : bool array, shape (games,)
        Whether the learner moved first.
    forfeit : int8 array, shape (games,)
        -1 where an illegal move of the learner, +1 where one of the opponent ended the game, otherwise 0.
    checkpoints : dict of int to float64 array, shape (S, M)
        The learner's table after so many games of this run.
    reason : str
        An illegal move in words, and who made it in which state; "" where nobody made one.
    stopped : str
        What stopped it early, or "".
    """

    learner: str
    opponent: str
    result: np.ndarray
    moved_first: np.ndarray
    forfeit: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int8))
    checkpoints: dict[int, np.ndarray] = field(default_factory=dict)
    reason: str = ""
    stopped: str = ""

    @property
    def won(self) -> np.ndarray:
        """bool array, shape (games,): the games that the learner won."""
        return self.result > 0

    @property
    def forfeits(self) -> int:
        """How many games the learner lost by an illegal move."""
        return int(np.count_nonzero(self.forfeit < 0))

    @property
    def opponent_forfeits(self) -> int:
        """How many games it won by an illegal move of the opponent."""
        return int(np.count_nonzero(self.forfeit > 0))

    def win_rate(self, window: int = 5) -> np.ndarray:
        """float64 array, shape (games,): the share of wins in the last `window` games, this one included.

        NaN before a full window.
        """
        window = whole_number(window, "window", least=1)
        rate = np.full(len(self.result), np.nan)
        sums = np.concatenate([[0], np.cumsum(self.won)])
        rate[window - 1 :] = (sums[window:] - sums[:-window]) / window
        return rate

    def to_frame(self) -> pd.DataFrame:
        """A table with a row for each game, numbered from 1: result, won, moved_first."""
        import pandas as pd

        index = pd.RangeIndex(1, len(self.result) + 1, name="game")
        columns = {"result": self.result, "won": self.won, "moved_first": self.moved_first}
        return pd.DataFrame(columns, index=index)

    def __repr__(self) -> str:
        won = f"{self.won.sum():,} of {len(self.result):,} games won"
        return f"Run({self.learner} against {self.opponent}: {won}{_notes(self, self.stopped)})"


def train(
    learner: Learner,
    opponent,
    games: int = 100_000,
    seed=None,
    first: str = "agent",
    checkpoints: Iterable[int] = (),
) -> Run:
    """Let a learner play many games and learn from them; the opponent learns too if it can.

    The same learner in both places is self-play with one memory. Ctrl-C (in a notebook: *Interrupt
    the kernel*) stops the training: the learner keeps the games that were finished and nothing of
    any other, and the run tells what was played. A second Ctrl-C within three seconds raises
    KeyboardInterrupt, so that a loop of trainings can be stopped as well.

    Parameters
    ----------
    learner : Hats or QLearner
        Changed in place; its game is played.
    opponent : agent
        If it raises, the training stops with a warning, and what was learnt is kept.
    games : int
    seed : int, SeedSequence, Generator or None
        See `play_match`: the result equals a loop of matches with `learn=True` and the same generators.
    first : {"agent", "opponent", "alternate"}
        Who moves first: "agent" is the learner; "alternate" begins with it.
    checkpoints : iterable of int
        After how many games of this run to keep a copy of the learner's table.

    Returns
    -------
    Run

    Examples
    --------
    >>> from coinlib import Hats, sticks
    >>> hats = Hats(sticks(10), seed=1)
    >>> train(hats, hats, games=100_000, seed=1)
    Run(Hats against Hats: 99,860 of 100,000 games won)
    """
    if not isinstance(learner, Learner):
        raise TypeError(f"learner: expected Hats or a QLearner, got {shown(learner)}")
    games, agents = whole_number(games, "games"), (learner, opponent)
    marks = sorted({whole_number(mark, "a checkpoint", most=games) for mark in checkpoints})
    return _series(learner.game, agents, games, seed, first, (True, isinstance(opponent, Learner)), marks)


_pressed = -math.inf  # when a training was last ended by Ctrl-C


def _pressed_again() -> bool:
    """Whether Ctrl-C has ended a training a moment ago, and now this one: somebody wants to end a loop of them."""
    global _pressed
    before, _pressed = _pressed, time.monotonic()
    return _pressed - before < TWICE_SECONDS


# --- many settings ----------------------------------------------------------------------------------------


def sweep(experiment, grid: Mapping[str, Iterable], seeds=100, jobs: int | None = None) -> pd.DataFrame:
    """Run an experiment for every setting of a grid and many seeds, on all cores.

    On a Dask cluster the same call works inside ``joblib.parallel_config("dask")``.

    Parameters
    ----------
    experiment : function (seed=..., setting=..., ...) -> dict of str to number
        What to measure; each measure becomes a column.
    grid : dict of str to iterable
        The values of each setting; every combination is tried.
    seeds : int or iterable of int
        So many seeds from 0 on, or the seeds themselves.
    jobs : int, optional
        Processes at once; one for each core if left out, or all that a cluster has; 1 to stay in
        this process.

    Returns
    -------
    pandas.DataFrame
        A row for each setting and seed, in order: the settings, the seed, the measures, and
        ``error``, which is empty unless the experiment raised. One that fails is reported in
        a warning by its setting, and the others go on.

    Examples
    --------
    >>> from coinlib import QLearner, RandomAgent, sticks
    >>> def learn(seed, games):
    ...     learner = QLearner(sticks(10))
    ...     run = train(learner, RandomAgent(), games=games, seed=seed)
    ...     return {"right": learner.distance_to_perfect().right}
    >>> table = sweep(learn, {"games": [50, 300]}, seeds=20, jobs=1)
    >>> table.groupby("games")["right"].mean().to_dict()
    {50: 5.6, 300: 7.0}
    """
    import joblib
    import pandas as pd

    values = {name: list(choices) for name, choices in grid.items()}
    numbers = seeds if isinstance(seeds, Iterable) else range(whole_number(seeds, "seeds", least=1))
    names = [*values, "seed"]
    settings = [dict(zip(names, chosen)) for chosen in itertools.product(*values.values(), numbers)]
    if {"seed", "error"} & set(values) or not settings:
        raise ValueError(f"grid: expected settings (not seed or error), a value for each, a seed; got {shown(grid)}")
    # -1 are as many processes as there are cores
    parallel, rows = joblib.Parallel(n_jobs=jobs or -1, return_as="generator"), []
    with loops.progress_bar(total=len(settings), unit="run", delay=1.0) as bar:
        for measured in parallel(joblib.delayed(_measure)(experiment, setting) for setting in settings):
            rows.append(settings[len(rows)] | measured)
            bar.update()
    table = pd.DataFrame(rows)
    table["error"] = table.pop("error")  # the last column, also where the first run has failed
    failed = table[table["error"] != ""]
    if len(failed):
        first = rows[failed.index[0]]
        setting = ", ".join(f"{name}={first[name]!r}" for name in names)
        words = f"{counted(len(failed), 'run')} of {len(table):,} failed, the first at {setting}: {first['error']}"
        warnings.warn(words, AgentWarning, stacklevel=2)
    return table


def _measure(experiment, setting: dict) -> dict:
    """What was measured in one run of a sweep, and the error that ended it, or ""."""
    pressed = _pressed
    try:
        if not isinstance(measured := experiment(**setting), Mapping):
            raise TypeError(f"expected a dict of what was measured, such as {{'wins': 3}}, got {shown(measured)}")
        measured = {**measured, "error": ""}
    except Exception as error:  # noqa: BLE001 - whatever goes wrong in one run, the others go on
        measured = {"error": f"{type(error).__name__}: {error}"}
    if _pressed != pressed:
        raise KeyboardInterrupt  # a training in it was cut short, so what was measured is not true
    return measured


# --- many games at once -----------------------------------------------------------------------------------


def _series(game, agents, games: int, seed, first: str, learn=(False, False), marks=()) -> Run:
    """Many games; where an agent raises or Ctrl-C ends a training those that were played, with a warning."""
    check_agent(agents[1], "opponent")
    order = np.tile(np.array(who_begins(first), dtype=np.int8), games)[:games]
    series, tables, stopped = Games(game, agents, order, learn), {}, ""
    with _seeded(agents, seed):
        try:
            for done in series.play(marks):
                if done in marks:
                    tables[done] = agents[0].values.copy()
        except AgentError as error:
            if not series.done:
                raise
            stopped = f"{error}{_line(error)}"
        except KeyboardInterrupt:
            if not any(learn) or _pressed_again():
                raise
            stopped = "interrupted"
    if stopped:
        words = f"stopped after {counted(series.done, 'game')}: {stopped}"
        if stopped == "interrupted":
            words += f"; a second Ctrl-C or Stop within {TWICE_SECONDS:g} seconds stops everything"
        warnings.warn(words, AgentWarning, stacklevel=3)  # the line that called `evaluate` or `train`
    arrays = (array[: series.done] for array in (series.outcome, order == 0, series.forfeit))
    return Run(*map(agent_name, agents), *arrays, tables, series.reason, stopped)


class Games:
    """Many games between two agents, played in chunks: by the loop over tables where both can be written down.

    Parameters
    ----------
    game : Game
    agents : tuple of two agents
    order : int8 array, shape (games,)
        Who moves first in each game: 0 or 1.
    learn : tuple of two bool

    Attributes
    ----------
    outcome : int8 array, shape (games,)
        +1, 0 or -1 for agent 0.
    forfeit : int8 array, shape (games,)
        The outcome where an illegal move ended the game, otherwise 0.
    done : int
        The games played so far.
    reason : str
        An illegal move in words, and who made it in which state; "" where nobody made one.
    """

    def __init__(self, game, agents, order: np.ndarray, learn) -> None:
        self.game, self.agents, self.order, self.learn = game, agents, order, learn
        self.outcome, self.forfeit = np.zeros((2, len(order)), np.int8)
        self.done, self.reason = 0, ""

    def play(self, marks: Sequence[int]) -> Iterator[int]:
        """Play them all; at first, after each chunk and at each mark say how many are done."""
        play_until = self._by_table() or self._by_match
        total, chunk, started, bar = len(self.order), 1, math.inf, None
        with ExitStack() as stack:
            yield 0
            while self.done < total:
                began = time.perf_counter()
                play_until(min(self.done + chunk, *(mark for mark in [*marks, total] if mark > self.done)))
                now = time.perf_counter()
                # quickly towards that time, carefully near it
                growth = CHUNK_SECONDS / 2 / max(now - began, 1e-9)
                chunk = max(1, min(total, int(chunk * min(max(0.5, growth), 64.0))))
                started = min(started, now)  # after the first games: compiling is not playing
                if bar is None and self.done < total and now - started > 1.0:
                    bar = stack.enter_context(loops.progress_bar(total=total, unit="game"))
                if bar is not None:
                    bar.update(self.done - bar.n)
                yield self.done

    def _by_match(self, until: int) -> None:
        """Play up to this game, a move at a time."""
        while self.done < until:
            starter = int(self.order[self.done])
            turns = slice(None, None, -1 if starter else 1)
            match = _play(self.game, self.agents[turns], self.learn[turns])
            self.outcome[self.done] = {0: 0, 1 + starter: 1}.get(match.winner, -1)
            self.forfeit[self.done] = self.outcome[self.done] if match.forfeit else 0
            self.reason = self.reason or match.illegal_move
            self.done += 1

    def _by_table(self) -> Callable[[int], None] | None:
        """What plays up to a game in one loop; None where somebody has no table."""
        players = self.agents[:1] if self.agents[0] is self.agents[1] else self.agents
        if not all(hasattr(agent, "move_weights") for agent in players):
            return None
        try:
            table = tabulate(self.game)
        except MemoryError:
            return None
        weights = [agent.move_weights(self.game, table) for agent in players]
        if any(own is None for own in weights):
            return None
        rules = loops.Rules(table.next_state, table.reward, table.result, table.over)
        values = np.concatenate(weights)
        turns = tuple(np.zeros(len(table.states) + 1, kind) for kind in (np.int64, np.int64, np.float64, np.float64))
        spare = np.random.default_rng(0)  # for rules, which leave nothing to chance
        generators = tuple(getattr(agent, "generator", spare) for agent in self.agents)

        def play_until(until: int) -> None:
            part, count = slice(self.done, until), until - self.done
            state = _players(self.agents, values, self.learn, count)
            written = self.outcome[part], self.forfeit[part]
            # what was learnt is taken over whole, with the games it was learnt from
            with loops.interrupts_wait():
                loops.play_games(rules, state, generators, self.order[part], *written, turns)
                tables = (np.split(array, len(players)) for array in (values, state.visits))
                for agent, learns, own, visits in zip(players, self.learn, *tables):
                    if learns:
                        agent.memory = Memory(own.copy(), agent.visits + visits, agent.games + count)
                self.done = until
            forfeits = self.forfeit[part][self.forfeit[part] != 0]
            if not self.reason and len(forfeits):
                self.reason = _illegal_move(self.agents[int(forfeits[0] > 0)], self.game, table)

        return play_until


def _line(error: AgentError) -> str:
    """The line of its own code in which an agent raised, for a warning, which shows no traceback."""
    below = traceback.extract_tb(error.__cause__.__traceback__)[1:2]
    return "".join(f" (line {frame.lineno}: {frame.line})" for frame in below)


def _illegal_move(agent, game, table) -> str:
    """An illegal move that an agent may make, in words."""
    may = agent.move_weights(game, table) > (0.0 if getattr(agent, "draws", True) else -np.inf)
    row, column = np.argwhere(may & ~table.legal & ~table.over[:, None])[0]
    match = Match(game, names=(agent_name(agent), ""))
    match.states = [table.states[row]]
    match.make(table.moves[column])
    return match.illegal_move


def _players(agents, values: np.ndarray, learn, games: int) -> loops.Players:
    """The agents as the loop sees them: always the same types, or Numba would compile it again."""
    exploration, rate = np.zeros((2, 2, games))  # 0 for whoever does not learn
    discount = np.zeros(2)
    for seat, agent in enumerate(agents):
        if learn[seat]:
            exploration[seat], rate[seat], discount[seat] = agent.rates(games)
    draws = np.array([getattr(agent, "draws", True) for agent in agents])
    below = np.array([0, 0 if agents[0] is agents[1] else len(values) // 2])
    visits = np.zeros(len(values), dtype=np.int64)
    return loops.Players(below, values, visits, draws, np.array(learn), exploration, rate, discount)
