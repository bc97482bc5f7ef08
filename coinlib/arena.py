"""Who wins: single matches, many games, round robins, and the training of learners.

There are two drivers. `play_match` moves one object at a time: any function, a person, a
learner's seat. Where everybody's play can be written down as a table, `kernels.play_games`
plays the same games in one loop.
"""

from __future__ import annotations

import itertools
import math
import os
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np

from coinlib import kernels
from coinlib.agents import agent_name
from coinlib.games import (
    LISTED_AT_MOST,
    CoinGame,
    IllegalMove,
    check_agent,
    counted,
    members,
    one_of,
    processes_of,
    read_move,
    shown,
    truth,
    whole_number,
)
from coinlib.interrupts import TWICE_SECONDS, CtrlC
from coinlib.learners import Learner, Seat

if TYPE_CHECKING:
    import pandas as pd

MOVES_AT_MOST = 1_000_000  # in one match: a game that goes on for longer may have no end
GAMES_AT_MOST = 100_000_000  # in one call: each takes three bytes
CHUNK_SECONDS = 0.1  # how long the loop may run before it looks up: for the bar, and for Ctrl-C


class AgentError(RuntimeError):
    """An agent raised; the message names the agent and the state, the cause is attached."""


class AgentWarning(UserWarning):
    """Something raised in the middle of many games or runs; those already done are kept."""


# --- one match ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Match:
    """One game as it was played.

    Attributes
    ----------
    game : Game
    names : tuple of str
        Of the first and the second player.
    moves : list
        The legal moves that were made, in turn.
    states : list
        The start and the state after each move: one more than `moves`.
    rewards : list
        The points of each move.
    winner : int
        1, 2, or 0 for a tie.
    reason : str
        Why, in words.
    forfeit : int
        The player (1 or 2) who made an illegal move, or 0.
    """

    game: object
    names: tuple[str, str]
    moves: list
    states: list
    rewards: list
    winner: int
    reason: str
    forfeit: int = 0

    def to_frame(self) -> pd.DataFrame:
        """A table with a row for each move: player, name, move, points, what was left."""
        import pandas as pd

        turns = [number % 2 for number in range(len(self.moves))]
        columns: dict[str, list] = {
            "player": [turn + 1 for turn in turns],
            "name": [self.names[turn] for turn in turns],
        }
        left: list = self.states[1:]
        if not isinstance(self.game, CoinGame):
            columns |= {"move": self.moves, "points": self.rewards}
        elif len(self.game.rows) == 1:
            columns["takes"] = [move.count for move in self.moves]
            left = [state[0] for state in left]
        else:
            columns |= {"row": [move.row for move in self.moves], "takes": [move.count for move in self.moves]}
        columns["left"] = left
        return pd.DataFrame(columns, index=pd.RangeIndex(1, len(self.moves) + 1, name="turn"))

    def __repr__(self) -> str:
        return f"Match({self.names[0]} against {self.names[1]}: {self.reason})"


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
    TypeError, ValueError
        If an argument is none of the above, the game's rules do not hold together, or it does not end within
        1,000,000 moves.

    Examples
    --------
    >>> from coinlib import ScriptedAgent, sticks
    >>> match = play_match(sticks(5), first=ScriptedAgent(3, 1), second=ScriptedAgent(1))
    >>> match.winner, match.reason
    (2, 'player 1 took the last coin and loses (misère play)')

    >>> play_match(sticks(2), first=lambda game, state: 3, second=ScriptedAgent(1)).reason
    'player 1 forfeits: row 0 holds 2 coins; asked to take 3 (legal: 1 to 2)'
    """
    agents = (first, second)
    kernels.check_game(game)
    check_agent(first, "first")
    check_agent(second, "second")
    learn = truth(learn, "learn")
    with CtrlC() as ctrl_c, _generators(agents, seed):
        return _play_one(game, agents, (learn, learn), ctrl_c)


def _play_one(game, agents, learn, ctrl_c: CtrlC) -> Match:
    """One match: turn order, forfeits and the delayed rewards are decided here."""
    seats = _sit(agents, learn)
    names = (agent_name(agents[0]), agent_name(agents[1]))
    try:
        ctrl_c.listen()
        state, turn, forfeit = game.start, 0, 0
        states, moves, rewards = [state], [], []
        pending: list = [None, None]  # each seat's last (state, move), and
        gained = [0.0, 0.0]  # its points since then
        lead = 0.0  # of the first player, in points
        reason = ""
        while not game.is_over(state):
            seat = seats[turn]
            if isinstance(seat, Seat):
                ctrl_c.hold()
            if pending[turn] is not None and hasattr(seat, "observe"):
                seat.observe(*pending[turn], gained[turn], state)
            answer = _ask(seat, names[turn], game, state)
            ctrl_c.listen()
            move, complaint = _read(game, state, answer)
            if complaint:
                forfeit, reason = turn + 1, f"player {turn + 1} forfeits: {complaint}"
                pending[turn], gained[turn] = (state, answer), 0.0
                break
            if len(moves) == MOVES_AT_MOST:
                raise ValueError(
                    f"game: no end after {MOVES_AT_MOST:,} moves; is it too large, or can a state come twice?"
                )
            points = game.reward(state, move)
            pending[turn], gained[turn] = (state, move), points
            gained[1 - turn] -= points
            lead += -points if turn else points
            state = game.play(state, move)
            moves.append(move)
            states.append(state)
            rewards.append(points)
            turn = 1 - turn
        if turn == 1:
            lead = -lead  # of whoever would move next
        # an illegal move loses by one point, whatever was gained before
        last_word = -1.0 - lead if forfeit else game.result(state)
        final = lead + last_word
        winner = 0 if final == 0 else (turn + 1 if final > 0 else 2 - turn)
        for side in sorted((0, 1), key=lambda side: isinstance(seats[side], Seat)):  # learners last, all at once
            if isinstance(seats[side], Seat):
                ctrl_c.hold()
                seats[side].hear((winner == side + 1) - (winner == 2 - side))
            if pending[side] is not None and hasattr(seats[side], "observe"):
                seats[side].observe(*pending[side], gained[side] + (last_word if side == turn else -last_word), None)
        return Match(game, names, moves, states, rewards, winner, reason or _verdict(game, rewards, winner), forfeit)
    finally:
        ctrl_c.hold()
        for seat in seats:
            if hasattr(seat, "close"):
                seat.close()


def _ask(seat, name: str, game, state):
    try:
        return seat(game, state)
    except Exception as error:
        raise AgentError(f"{name} raised {type(error).__name__} in state {state}: {error}") from error


def _read(game, state, answer) -> tuple:
    """The legal move that an answer means, or None and why it is illegal."""
    try:
        return read_move(game, state, answer), ""
    except IllegalMove as error:
        return None, str(error) or "an illegal move"


def _verdict(game, rewards: list, winner: int) -> str:
    """Why the game ended as it did, in words."""
    if isinstance(game, CoinGame):
        if not rewards:
            return f"no coin was on the table, so player {winner} wins ({game.ending})"
        last = 2 - len(rewards) % 2
        return f"player {last} took the last coin and {'wins' if winner == last else 'loses'} ({game.ending})"
    points = f"{sum(rewards[0::2]):g} to {sum(rewards[1::2]):g} points" if any(rewards) else ""
    who = f"player {winner} wins" if winner else "a tie"
    return f"{who}: {points}" if points else f"{who} by the rules of the game"


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
    error : str
        What stopped the games early, or "".
    """

    games: int
    wins: int
    ties: int
    losses: int
    forfeits: int = 0
    opponent_forfeits: int = 0
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
        notes = f"; {counted(self.forfeits, 'forfeit')}" if self.forfeits else ""
        notes += f"; {counted(self.opponent_forfeits, 'forfeit')} of the opponent" if self.opponent_forfeits else ""
        notes += f"; stopped: {self.error}" if self.error else ""
        return (
            f"Evaluation({self.wins:,} of {self.games:,} games won{ties}: {self.win_rate:.1%}, "
            f"95 % interval {self.low:.1%} to {self.high:.1%}{notes})"
        )


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The 95 % Wilson interval for a win rate.

    Parameters
    ----------
    wins : int
        0 to `games`.
    games : int
        At least 1.

    Returns
    -------
    tuple of float
        The lower and the upper end, from 0 to 1.

    Raises
    ------
    TypeError, ValueError
        If one of them is not a whole number, or lies outside.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).

    Examples
    --------
    >>> low, high = wilson(60, 100)
    >>> round(low, 3), round(high, 3)
    (0.502, 0.691)
    """
    games = whole_number(games, "games", least=1)
    wins = whole_number(wins, "wins", least=0, most=games)
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
        1 to 100,000,000.
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
    TypeError, ValueError
        If an argument is none of the above, or the game's rules do not hold together.

    Examples
    --------
    >>> from coinlib import PerfectAgent, RandomAgent, sticks
    >>> evaluate(sticks(20), PerfectAgent(), RandomAgent(), games=1_000, seed=1, first="agent")
    Evaluation(1,000 of 1,000 games won: 100.0%, 95 % interval 99.6% to 100.0%)
    """
    kernels.check_game(game)
    check_agent(agent, "agent")
    check_agent(opponent, "opponent")
    order = _first(first, whole_number(games, "games", least=1, most=GAMES_AT_MOST))
    with CtrlC() as ctrl_c, _generators((agent, opponent), seed):
        record = _play_many(game, (agent, opponent), order, (False, False), ctrl_c)
    return _tally(record)


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

    Raises
    ------
    AgentError, TypeError, ValueError
        As in `evaluate`; if there are fewer than two agents.

    Examples
    --------
    >>> from coinlib import PerfectAgent, RandomAgent, sticks
    >>> table = round_robin(sticks(20), {"random": RandomAgent(), "perfect": PerfectAgent()}, games=100, seed=1)
    >>> table.index[0], float(table.loc["perfect", "perfect"]), bool(table.loc["perfect", "mean"] > 0.9)
    ('perfect', nan, True)
    """
    import pandas as pd

    if not isinstance(agents, Mapping):
        raise TypeError(f"agents: expected names with agents, such as {{'mine': agent}}; got {shown(agents)}")
    names = list(agents)
    if len(names) < 2:
        raise ValueError(f"agents: expected two or more, got {len(names)}")
    for name, agent in agents.items():
        check_agent(agent, f"agents: {shown(name)}")
    rates = pd.DataFrame(np.nan, index=names, columns=names)
    pairs = [(one, other) for number, one in enumerate(names) for other in names[number + 1 :]]
    children = kernels.seeds(seed, len(pairs)) if seed is not None else [None] * len(pairs)
    for (one, other), child in zip(pairs, children):
        outcome = evaluate(game, agents[one], agents[other], games, child)
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
    checkpoints : dict of int to float64 array, shape (S, M)
        The learner's table after so many games of this run.
    stopped : str
        What stopped it early, or "".
    """

    learner: str
    opponent: str
    result: np.ndarray
    moved_first: np.ndarray
    checkpoints: dict[int, np.ndarray] = field(default_factory=dict)
    stopped: str = ""

    @property
    def won(self) -> np.ndarray:
        """bool array, shape (games,): the games that the learner won."""
        return self.result > 0

    def win_rate(self, window: int = 5) -> np.ndarray:
        """The share of wins in the last `window` games, after each game.

        Parameters
        ----------
        window : int
            Games looked back at, this one included; at least 1.

        Returns
        -------
        float64 array, shape (games,)
            NaN before a full window.

        Raises
        ------
        TypeError, ValueError
            If `window` is not a whole number of 1 or more.
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
        stopped = f"; stopped: {self.stopped}" if self.stopped else ""
        return (
            f"Run({self.learner} against {self.opponent}: {self.won.sum():,} of "
            f"{len(self.result):,} games won{stopped})"
        )


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
    the kernel*) stops the training: the learner keeps every game that was finished and nothing of
    any other, and the run tells what was played. A second Ctrl-C within three seconds raises
    KeyboardInterrupt, so that a loop of trainings can be stopped as well.

    Parameters
    ----------
    learner : Hats or QLearner
        Changed in place; its game is played.
    opponent : agent
    games : int
        0 to 100,000,000.
    seed : int, SeedSequence, Generator or None
        See `play_match`: the result equals a loop of matches with `learn=True` and the same generators.
    first : {"agent", "opponent", "alternate"}
        Who moves first: "agent" is the learner; "alternate" begins with it.
    checkpoints : iterable of int
        After how many games of this run to keep a copy of the learner's table.

    Returns
    -------
    Run

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above, or a schedule of the learner gives no number from 0 to 1; the learner
        is then as it was. (An opponent that raises stops the training, and what was learnt is kept.)

    Examples
    --------
    >>> from coinlib import Hats, sticks
    >>> hats = Hats(sticks(10), seed=1)
    >>> train(hats, hats, games=100_000, seed=1)
    Run(Hats against Hats: 99,860 of 100,000 games won)
    """
    if not isinstance(learner, Learner):
        raise TypeError(f"learner: expected Hats or a QLearner, got {shown(learner)}")
    check_agent(opponent, "opponent")
    games = whole_number(games, "games", least=0, most=GAMES_AT_MOST)
    listed = members(checkpoints, "checkpoints", "numbers of games such as (100, 1_000)")
    marks = sorted({whole_number(mark, "a checkpoint", least=0) for mark in listed})
    if marks and marks[-1] > games:
        raise ValueError(f"checkpoints: expected at most {games:,}, the games of this run; got {shown(marks[-1])}")
    order = _first(first, games)
    agents, learn = (learner, opponent), (True, isinstance(opponent, Learner))
    with CtrlC() as ctrl_c, _generators(agents, seed):
        record = _play_many(learner.game, agents, order, learn, ctrl_c, marks)
    played = len(record.outcome)
    names = agent_name(learner), agent_name(opponent)
    return Run(*names, record.outcome, order[:played] == 0, record.checkpoints, record.stopped)


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
        Processes at once, at most four for each core; one for each core if left out, or all that a cluster
        has; 1 to stay in this process.

    Returns
    -------
    pandas.DataFrame
        A row for each setting and seed, in order: the settings, the seed, the measures, and
        ``error``, which is empty unless the experiment raised. One that fails is reported in
        a warning by its setting, and the others go on.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above, or there are more than 10,000,000 runs.

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

    if not callable(experiment):
        raise TypeError(f"experiment: expected a function (seed, **setting) -> dict, got {shown(experiment)}")
    values, numbers = _grid(grid), _seeds(seeds)
    runs = math.prod(map(len, values.values())) * len(numbers)
    if runs > LISTED_AT_MOST:
        raise ValueError(f"grid: expected at most {LISTED_AT_MOST:,} runs in all, got {runs:,}")
    jobs = (-1 if runs > 1 else 1) if jobs is None else min(processes_of(jobs, "jobs", joblib.cpu_count()), runs)
    settings = [dict(zip(values, each)) for each in itertools.product(*values.values())]
    tasks = [(setting, seed) for setting in settings for seed in numbers]
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator")
    rows = []
    with _Bar(len(tasks), "run") as bar:
        for row in parallel(joblib.delayed(_measure)(experiment, setting, seed) for setting, seed in tasks):
            rows.append(row)
            bar.show(len(rows))
    table = pd.DataFrame(rows, columns=list(dict.fromkeys([*values, "seed", *itertools.chain(*rows)])))
    table = table[[*(name for name in table if name != "error"), "error"]]
    failed = [row for row in rows if row["error"]]
    if failed:
        setting = ", ".join(f"{name}={failed[0][name]!r}" for name in [*values, "seed"])
        warnings.warn(
            f"{counted(len(failed), 'run')} of {len(tasks):,} failed, the first at {setting}: {failed[0]['error']}",
            AgentWarning,
            stacklevel=2,
        )
    return table


def _grid(grid) -> dict[str, list]:
    """The values of each setting, read once."""
    if not isinstance(grid, Mapping):
        raise TypeError(f"grid: expected a dict of settings, each with a list of values, got {shown(grid)}")
    values = {}
    for name, choices in grid.items():
        if not isinstance(name, str):
            raise TypeError(f"grid: expected the names of settings, got {shown(name)}")
        if name in ("seed", "error"):
            raise ValueError(f"grid: {name!r} is set by sweep; call the setting something else")
        values[name] = list(members(choices, f"grid: {name}", "a list of values"))
        if not values[name]:
            raise ValueError(f"grid: {name}: expected one value or more, got none")
    return values


def _seeds(seeds) -> list:
    """The seeds themselves, from how many or from a list."""
    if isinstance(seeds, (str, bytes)) or not isinstance(seeds, Iterable) or getattr(seeds, "ndim", 1) == 0:
        return list(range(whole_number(seeds, "seeds", least=1, most=LISTED_AT_MOST)))
    numbers = list(members(seeds, "seeds", "how many, or a list"))
    if not numbers:
        raise ValueError("seeds: expected one or more, got none")
    return numbers


def _measure(experiment, setting: dict, seed: int) -> dict:
    """One row of a sweep."""
    row, kept = {**setting, "seed": seed}, CtrlC.kept
    try:
        measured = experiment(seed=seed, **setting)
        if not isinstance(measured, Mapping):
            raise TypeError(f"expected a dict of what was measured, such as {{'wins': 3}}, got {shown(measured)}")
        row |= {**measured, "error": ""}
    except Exception as error:  # noqa: BLE001 - whatever goes wrong in one run, the others go on
        row["error"] = f"{type(error).__name__}: {error}"
    if CtrlC.kept != kept:
        raise KeyboardInterrupt  # a training in it was cut short, so what was measured is not true
    return row


# --- the drivers ------------------------------------------------------------------------------------------


@dataclass
class _Record:
    """Many games: +1, 0 or -1 for agent 0, and who forfeited (0, 1 or -1)."""

    outcome: np.ndarray
    forfeit: np.ndarray
    checkpoints: dict[int, np.ndarray]
    stopped: str = ""


def _play_many(game, agents, first: np.ndarray, learn, ctrl_c: CtrlC, marks=()) -> _Record:
    """Play games in chunks, by the loop over tables where all have one, else one move at a time."""
    games = len(first)
    record = _Record(np.zeros(games, np.int8), np.full(games, -1, np.int8), {})
    done, chunk = 0, 1
    try:
        ctrl_c.listen()
        play, most = _table_driver(game, agents, learn, ctrl_c) or _object_driver(game, agents, learn, ctrl_c)
        ctrl_c.hold()
        with _Bar(games) as bar:
            while True:
                if done in marks:
                    record.checkpoints[done] = agents[0].values.copy()
                if done == games:
                    return record
                until = min([done + chunk, games, *(mark for mark in marks if mark > done)])
                part = slice(done, until)
                began = time.perf_counter()
                play(first[part], record.outcome[part], record.forfeit[part])
                seconds = time.perf_counter() - began
                chunk = max(1, min(int(chunk * _growth(seconds)), most))
                done = until
                bar.show(done)
    except AgentError as error:
        if done == 0 and not any(learn):
            raise
        record.stopped = str(error)
        warnings.warn(f"stopped after {counted(done, 'game')}: {error}", AgentWarning, stacklevel=3)
    except KeyboardInterrupt:
        if not any(learn) or ctrl_c.pressed_again():
            raise
        record.stopped = "interrupted"
        if ctrl_c.heard:  # in a loop of trainings one would wonder
            more = f"a second Ctrl-C or Stop within {TWICE_SECONDS:g} seconds stops everything"
            warnings.warn(f"interrupted after {counted(done, 'game')}; {more}", AgentWarning, stacklevel=3)
    record.outcome, record.forfeit = record.outcome[:done], record.forfeit[:done]
    return record


def _growth(seconds: float) -> float:
    """How much larger the next chunk may be: quickly towards CHUNK_SECONDS, carefully near it."""
    if seconds > CHUNK_SECONDS:
        return 0.5
    if seconds > CHUNK_SECONDS / 10:
        return 2.0
    return 8.0 if seconds > CHUNK_SECONDS / 100 else 64.0


def _object_driver(game, agents, learn, ctrl_c: CtrlC):
    """Plays games through `_play_one`; returns the driver and how many games it may play at a time."""

    def play(first, outcome, forfeit) -> None:
        for number, starter in enumerate(first):
            order = (agents[0], agents[1]) if starter == 0 else (agents[1], agents[0])
            match = _play_one(game, order, (learn[starter], learn[1 - starter]), ctrl_c)
            winner = {0: 0, 1: starter + 1, 2: 2 - starter}[match.winner]  # 1: agents[0]
            outcome[number] = (0, 1, -1)[winner]
            if match.forfeit:
                forfeit[number] = starter if match.forfeit == 1 else 1 - starter

    return play, 1  # so that an error or Ctrl-C loses no game that was played


def _table_driver(game, agents, learn, ctrl_c: CtrlC):
    """Plays games through `kernels.play_games`, as `_object_driver`; None where somebody has no table."""
    if not all(hasattr(agent, "policy") for agent in agents):
        return None
    try:
        table = kernels.tabulate(game)
    except MemoryError:
        return None
    players = agents[:1] if agents[0] is agents[1] else agents
    policies = [agent.policy(game, table) for agent in players]
    if None in [policy and policy.how for policy in policies]:
        return None
    size = len(table.states)
    seat_of = np.array([0, len(players) - 1])
    draws = np.array([policy.how == kernels.DRAW for policy in policies])[seat_of]
    learns = np.array([learn[number] for number in range(len(players))])
    spare = np.random.default_rng(0)  # for rules, which leave nothing to chance
    generators = [getattr(agent, "generator", spare) for agent in (players[0], players[-1])]

    def play(first, outcome, forfeit) -> None:
        ctrl_c.listen()
        values = np.concatenate([policy.values for policy in policies])
        visits = np.zeros(len(values), dtype=np.int64)
        exploration, rate = np.zeros((2, len(players), len(first)))  # 0 for whoever does not learn
        discount = np.zeros(len(players))
        for number, agent in enumerate(players):
            if learns[number]:
                exploration[number], rate[number], discount[number] = agent.rates(len(first))
        play_games = kernels.fast().play_games
        if hasattr(play_games, "signatures"):
            # An exception while Numba compiles, or takes a Generator apart, would break it or end the whole process;
            # and what is compiled cannot be interrupted anyway. Plain Python can.
            ctrl_c.hold()
        play_games(
            table.next_state,
            table.reward,
            table.result,
            table.over,
            table.depth,
            seat_of,
            draws,
            values,
            learns,
            exploration,
            rate,
            discount,
            visits,
            *generators,
            first,
            outcome,
            forfeit,
        )
        ctrl_c.hold()
        for number, agent in enumerate(players):
            if learns[number]:
                mine = slice(number * size, (number + 1) * size)
                agent.values[:] = values[mine]
                agent.visits += visits[mine]
                agent.games += len(first)

    return play, 1_000_000


def _sit(agents, learn) -> list:
    """The agents as they sit at the table: learners who learn take a seat."""
    for agent in agents:
        if hasattr(agent, "new_match"):
            agent.new_match()
    seats: list = []
    for agent, learns in zip(agents, learn):
        partner = seats[0] if seats and agents[0] is agents[1] else None
        seats.append(agent.sit(partner) if learns and isinstance(agent, Learner) else agent)
    return seats


def _tally(record: _Record) -> Evaluation:
    outcome, forfeit = record.outcome, record.forfeit
    counts = [int(np.count_nonzero(outcome == sign)) for sign in (1, 0, -1)]
    lost = [int(np.count_nonzero(forfeit == side)) for side in (0, 1)]
    return Evaluation(len(outcome), *counts, *lost, record.stopped)


def _first(first: str, games: int) -> np.ndarray:
    """Who moves first in each game: 0 the agent, 1 the opponent."""
    if one_of(first, "first", ("agent", "opponent", "alternate")) == "alternate":
        return np.resize(np.array([0, 1], dtype=np.int8), games)
    return np.full(games, int(first == "opponent"), dtype=np.int8)


@contextmanager
def _generators(agents, seed):
    """Lend each agent a generator made from `seed`, and give back its own afterwards.

    Where the games fail as a whole, the agents are as they were before.
    """
    own: dict[int, tuple] = {}
    before = [_kept(agent) for agent in agents]
    if seed is not None:
        for agent, child in zip(agents, kernels.seeds(seed, len(agents))):
            if hasattr(agent, "generator") and id(agent) not in own:
                own[id(agent)] = (agent, agent.generator)
                agent.generator = np.random.default_rng(child)
    try:
        yield
    except Exception:
        for give_back in before:
            give_back()
        raise
    finally:
        for agent, generator in own.values():
            agent.generator = generator


def _kept(agent) -> Callable[[], None]:
    """What gives back to an agent all that it has learnt so far, and its luck."""
    generator = getattr(agent, "generator", None)
    luck = generator.bit_generator.state if isinstance(generator, np.random.Generator) else None
    learnt = (agent.values.copy(), agent.visits.copy(), agent.games) if isinstance(agent, Learner) else None

    def give_back() -> None:
        if luck is not None:
            generator.bit_generator.state = luck
        if learnt is not None:
            agent.values[:], agent.visits[:], agent.games = learnt

    return give_back


class _Bar:
    """A progress bar that appears once the work has taken a second, and goes when it is done."""

    def __init__(self, games: int, unit: str = "game") -> None:
        self.unit = unit
        self.games, self.began, self.bar = games, math.inf, None

    def __enter__(self) -> Self:
        return self

    def show(self, done: int) -> None:
        self.began = min(self.began, time.perf_counter())  # after the first games: compiling is not playing
        if self.bar is None and done < self.games and time.perf_counter() - self.began > 1.0:
            from tqdm.auto import tqdm

            off = bool(os.environ.get("TQDM_DISABLE"))  # which tqdm's bar for notebooks does not look at
            self.bar = tqdm(total=self.games, unit=self.unit, leave=False, disable=off)
        if self.bar is not None:
            self.bar.update(done - self.bar.n)

    def __exit__(self, *_) -> None:
        if self.bar is not None:
            self.bar.close()
