"""Many games between the same two agents: in one compiled loop where that is possible, otherwise in matches.

`evaluate` and `train` make a series. `Series.play` decides how its games are played, plays them in chunks,
and yields the number of games done.
"""

import math
import os
import sys
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from coinlib import loops
from coinlib.agents import agent_name, is_fast, weights_in
from coinlib.arguments import counted
from coinlib.compiling import interrupts_wait
from coinlib.games import why_illegal
from coinlib.learners import Memory
from coinlib.match import AgentError, Forfeit, play, who_begins
from coinlib.tables import Table, tabulate

LIBRARY = Path(__file__).parent
CHUNK_SECONDS = 0.1  # how long the loop runs between updates of the bar and checks for Ctrl-C
BAR_SECONDS = 1.0  # work that takes longer than this gets a progress bar


class AgentWarning(UserWarning):
    """An agent or experiment raised partway through many games or runs; those already done are kept."""


class Series:
    """Many games between the same two agents.

    Parameters
    ----------
    game : Game
    agents : tuple of two agents
    games : int
    first : {"agent", "opponent", "alternate"}
        Who moves first; "alternate" starts with agents[0].
    learn : tuple of two bool
        Whether each of them learns; only learners can.

    Attributes
    ----------
    starters : int8 array, shape (games,)
        Who moves first in each game: 0 or 1.
    outcome : int8 array, shape (games,)
        +1, 0 or -1 for agents[0].
    forfeit : int8 array, shape (games,)
        The outcome if an illegal move ended the game, otherwise 0.
    done : int
        The games played so far.
    illegal_move : Forfeit or None
        The first illegal move of either agent.
    error : str
        The agent's error that stopped the games; empty if there was none.
    """

    def __init__(self, game, agents: tuple, games: int, first: str, learn: tuple = (False, False)) -> None:
        self.game = game
        self.agents = agents
        self.learn = learn
        self.starters = np.tile(np.array(who_begins(first), dtype=np.int8), games)[:games]
        self.outcome = np.zeros(games, dtype=np.int8)
        self.forfeit = np.zeros(games, dtype=np.int8)
        self.done = 0
        self.illegal_move: Forfeit | None = None
        self.error = ""

    def play(self, marks: Sequence[int] = ()) -> Iterator[int]:
        """Play all games; yield the number of games done at the start, after each chunk and at each mark.

        If an agent raises, earlier games are kept, with a warning; in the first game `AgentError` is raised.
        """
        try:
            yield from self._play_chunks(marks)
        except AgentError as error:
            if self.done == 0:
                raise
            self.error = f"{error}{_line_of(error)}"
            warnings.warn(f"stopped after {counted(self.done, 'game')}: {self.error}", AgentWarning, stacklevel=3)

    def _play_chunks(self, marks: Sequence[int]) -> Iterator[int]:
        """Play all games, yielding as `play` does."""
        play_until = self._choose_loop()
        total = len(self.starters)
        chunk = 1
        started = math.inf
        bar = None
        with ExitStack() as stack:
            yield 0
            while self.done < total:
                next_stop = min(mark for mark in (*marks, total) if mark > self.done)
                began = time.perf_counter()
                play_until(min(self.done + chunk, next_stop))
                now = time.perf_counter()
                chunk = _next_chunk(chunk, now - began, total)
                # The clock starts after the first games, so that compiling does not count.
                started = min(started, now)
                if bar is None and self.done < total and now - started > BAR_SECONDS:
                    bar = stack.enter_context(progress_bar(total=total, unit="game"))
                if bar is not None:
                    bar.update(self.done - bar.n)
                yield self.done

    def _choose_loop(self):
        """Choose the function that plays up to a given game.

        The compiled loop needs two fast agents (`agents.is_fast`), a game that fits in a table, and a move from each
        agent in every state. Everything else is played in matches.
        """
        if not all(map(is_fast, self.agents, self.learn)):
            return self._play_matches
        try:
            table = tabulate(self.game)
        except MemoryError:
            return self._play_matches
        weights = [_weights(agent, learns, self.game, table) for agent, learns in zip(self.agents, self.learn)]
        if any(table_of_agent is None for table_of_agent in weights):
            return self._play_matches
        return TableGames(self, table, weights).play_until

    def _play_matches(self, until: int) -> None:
        """Play up to this game, one move at a time."""
        while self.done < until:
            starter = self.starters[self.done]
            order = 1 if starter == 0 else -1  # Whoever moves first is listed first.
            match = play(self.game, self.agents[::order], self.learn[::order])
            self.outcome[self.done] = match.outcome(1 + starter)
            if match.forfeit:
                # A forfeit has the sign of its outcome.
                self.forfeit[self.done] = self.outcome[self.done]
                self.illegal_move = self.illegal_move or match.forfeit
            self.done += 1


def _next_chunk(chunk: int, seconds: float, total: int) -> int:
    """How many games to play next if `chunk` games took this long; it grows fast at first, slowly later."""
    growth = CHUNK_SECONDS / 2 / max(seconds, 1e-9)
    growth = min(max(0.5, growth), 64.0)
    return max(1, min(total, int(chunk * growth)))


def _weights(agent, learns: bool, game, table: Table) -> np.ndarray | None:
    """The table that an agent plays by in the loop; None if it has no move in some state."""
    if learns and agent.loop == loops.Q_LEARNING:
        agent.check_game(game)
        return agent.values
    return weights_in(agent, game, table)  # for hats, the balls


class TableGames:
    """The games of a series, played in one loop over arrays.

    Parameters
    ----------
    series : Series
    table : Table
        The table of its game.
    weights : list of two float64 arrays, shape (S, M)
        The tables that the two agents play by.
    """

    def __init__(self, series: Series, table: Table, weights: list[np.ndarray]) -> None:
        self.series = series
        self.table = table
        self.self_play = series.agents[0] is series.agents[1]
        self.values = tuple(np.array(values, dtype=np.float64) for values in weights)
        if self.self_play:
            self.values = (self.values[0], self.values[0])
        self.rules = loops.Rules(table.next_state, table.reward, table.result, table.over)
        no_chance = np.random.default_rng(0)  # for rules, which have only one move to choose from
        self.generators = tuple(getattr(agent, "generator", no_chance) for agent in series.agents)

    def play_until(self, until: int) -> None:
        """Play up to this game, then replace the memory of each learner in one step."""
        series = self.series
        part = slice(series.done, until)
        games = until - series.done
        parts = [array[part] for array in (series.starters, series.outcome, series.forfeit)]
        players = self._players(games)
        illegal_move = np.array([-1, -1])
        with interrupts_wait():
            loops.play_games(self.rules, players, self.generators, *parts, illegal_move)
            self._take_over(players.visits, games)
            series.done = until
        if series.illegal_move is None and illegal_move[0] >= 0:
            series.illegal_move = self._forfeit(*illegal_move)

    def _players(self, games: int) -> loops.Players:
        """Both agents as the loop sees them; the types never change, or Numba would compile it again."""
        way = np.full(2, loops.WEIGHTS)
        exploration, rate = np.zeros((2, 2, games))
        discount = np.zeros(2)
        for seat, agent in enumerate(self.series.agents):
            if self.series.learn[seat]:
                way[seat] = agent.loop
                exploration[seat], rate[seat], discount[seat] = agent.rates(games)
        visits = tuple(np.zeros(len(values), dtype=np.int64) for values in self.values)
        if self.self_play:
            visits = (visits[0], visits[0])
        return loops.Players(self.values, visits, way, exploration, rate, discount)

    def _take_over(self, visits: tuple, games: int) -> None:
        """Replace the memory of each learner that learns."""
        learners = self.series.agents[:1] if self.self_play else self.series.agents
        for seat, agent in enumerate(learners):
            if self.series.learn[seat]:
                values = self.values[seat].copy()
                agent.memory = Memory(values, agent.visits + visits[seat], agent.games + games)

    def _forfeit(self, row: int, column: int) -> Forfeit:
        """The first illegal move of the series, as recorded by the loop."""
        series = self.series
        game_number = np.flatnonzero(series.forfeit)[0]
        seat = 0 if series.forfeit[game_number] < 0 else 1
        player = 1 if seat == series.starters[game_number] else 2
        state = self.table.states[row]
        move = self.table.moves[column]
        name = agent_name(series.agents[seat])
        return Forfeit(player, name, state, move, why_illegal(series.game, state, move))


def _line_of(error: AgentError) -> str:
    """The line of user code that led to an error, for a warning without a traceback; "" if unknown."""
    for frame in traceback.extract_tb(error.__cause__.__traceback__):
        if frame.lineno and Path(frame.filename).parent != LIBRARY:
            return f" (line {frame.lineno}: {frame.line})"
    return ""


def progress_bar(**options):
    """A tqdm bar for long work, shown in a terminal or a notebook, but not if output goes to a file.

    TQDM_DISABLE=1 in the environment hides it. `options` are those of `tqdm.auto.tqdm`, such as `total` and `unit`.
    """
    from tqdm.auto import tqdm

    hidden = bool(os.environ.get("TQDM_DISABLE"))  # tqdm's notebook bar does not check this itself
    kernel = sys.modules.get("ipykernel.kernelapp")
    if kernel and kernel.IPKernelApp.initialized() and not hidden:
        return _notebook_bar(**options)
    has_reader = sys.stderr.isatty() or "ipykernel" in sys.modules
    return tqdm(leave=False, disable=hidden or not has_reader, **options)


def _notebook_bar(**options):
    """A bar that leaves nothing in the notebook: tqdm's own leaves a widget, an error on the next day."""
    from IPython.display import display
    from tqdm.notebook import tqdm

    class Bar(tqdm):
        output = None  # where it is shown

        def display(self, *args, check_delay=True, **kwargs):
            if check_delay and self.output is None:
                self.output = display(self.container, display_id=True)
                self.displayed = True  # otherwise tqdm shows it too
            super().display(*args, check_delay=check_delay, **kwargs)

        def close(self):
            super().close()
            if self.output is not None:
                self.output.update({}, raw=True)

    return Bar(leave=False, display=False, **options)
