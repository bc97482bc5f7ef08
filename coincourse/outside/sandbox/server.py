"""A server of the AI Sandbox protocol: it plays games between agents that join it over TCP.

A `Match` decides turns, forfeits and winners here as everywhere; whoever joins is asked for moves by a State.
When an agent goes, the run ends, with what was played on record.
"""

from __future__ import annotations

import asyncio
import contextlib
import csv
import io
import os
import socket
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from coincourse.outside.sandbox.CoinGame_pb2 import LOSE, PLAY, WIN, CoinGameAction, CoinGameResult, CoinGameState
from coincourse.outside.sandbox.wire import LONGEST_ACTION, Conversation, Line, WireError
from coinlib.agents import agent_name
from coinlib.arena import Match, sit_down
from coinlib.arguments import check_agent, one_of, whole_number
from coinlib.games import CoinGame, Move, State, coin_game

if TYPE_CHECKING:
    import pandas as pd


class Record(NamedTuple):
    """What is kept of a game; agents are called 1 and 2, whoever moved first."""

    session: str
    game: int
    episode: str
    first: int
    winner: int
    forfeit: int  # the agent that lost by an illegal move, or 0
    turns: int
    agent_1: str
    agent_2: str
    reason: str
    moves: str  # row:count of each turn


class Seat:
    """A port at which one agent sits."""

    def __init__(self, number: int, host: str, port: int) -> None:
        self.number, self.listener = number, _listen(host, port)
        self.port = self.listener.getsockname()[1]
        self.line: Line | None = None  # to whoever sits here
        self.moved = False  # in this game: only then it hears a Result

    @property
    def name(self) -> str:
        """Whoever sits here, by address."""
        return self.line.name if self.line else "nobody"

    @property
    def is_taken(self) -> bool:
        """Whether somebody sits here who has not left."""
        return self.line is not None and self.line.is_open

    async def ask(self, message: CoinGameState) -> Move:
        """Send a State, behind the Result of the last Action, and wait for the next Action."""
        due = [CoinGameResult(status=PLAY)] if self.moved else []
        try:
            await self.line.send(*due, message)
            action = await self.line.receive(CoinGameAction)
        except WireError as error:
            raise WireError(f"agent {self.number} is gone: {error}") from None
        self.moved = True
        return Move(action.selectedRow, action.removeCount)

    async def end_game(self, won: bool) -> None:
        """Send the Result of a game that is over and on record."""
        if self.moved:
            with contextlib.suppress(WireError):  # noticed when it is next asked for a move
                await self.line.send(CoinGameResult(status=WIN if won else LOSE))
        self.moved = False


@dataclass(eq=False, repr=False)
class Server(Conversation):
    """A run of games; made and started by `serve`.

    Parameters
    ----------
    game : CoinGame or str
    games : int
    opponent : agent, optional
    seat : {1, 2}
    host : str
        Where to listen: this machine only, unless you name an address ("0.0.0.0": all there are).
    port : int
        Of agent 1; agent 2 has the next one. 0: any that are free (see `ports`).
    record : path, optional
        A CSV file to which every game is added as it ends.
    timeout : float
        Seconds that an agent has for a move.
    patience : float, optional
        Seconds that the server waits for its agents before the first game; without limit if left out.
    learn : bool
        Whether an opponent that can learn does.
    log : function (line) -> None, optional
        Hears who comes, and who is sent away, from another thread.

    Attributes
    ----------
    ports : tuple of int
        Of the agents from outside.
    records : list of Record
        The games that are over.
    stopped : str
        What stopped the run early, or "".
    """

    game: CoinGame | str = "NIM"
    games: int = 1_000
    opponent: Callable | None = None
    seat: int = 2
    host: str = "127.0.0.1"
    port: int = 9000
    record: str | Path | None = None
    timeout: float = 30.0
    patience: float | None = None
    learn: bool = True
    log: Callable[[str], object] = str  # which does nothing

    def __post_init__(self) -> None:
        self.game = coin_game(self.game)
        one_of(self.seat, "seat", (1, 2))
        if self.opponent is not None:
            check_agent(self.opponent, "opponent")
        self.session = self.episode = str(uuid.uuid4())
        self.records: list[Record] = []
        self.agents = {1: None, 2: None, self.seat: self.opponent}
        self._complete = asyncio.Event()
        with contextlib.ExitStack() as taken:
            for number, agent in self.agents.items():
                if agent is None:
                    seat = self.agents[number] = Seat(number, self.host, self.port and self.port + number - 1)
                    taken.callback(seat.listener.close)
            self._file = taken.enter_context(_open(self.record)) if self.record else None
            self._leave = taken.pop_all().close

    @property
    def seats(self) -> list[Seat]:
        """The seats of the agents from outside."""
        return [agent for agent in self.agents.values() if isinstance(agent, Seat)]

    @property
    def ports(self) -> tuple[int, ...]:
        """The port of each agent from outside."""
        return tuple(seat.port for seat in self.seats)

    @property
    def names(self) -> tuple[str, str]:
        """What agent 1 and agent 2 are called: our own by name, others by address."""
        return agent_name(self.agents[1]), agent_name(self.agents[2])

    @property
    def wins(self) -> list[int]:
        """How often agent 1 and agent 2 have won so far."""
        return [sum(record.winner == number for record in self.records) for number in (1, 2)]

    @property
    def results(self) -> pd.DataFrame:
        """A table with a row for each game that is over: see `Record`."""
        import pandas as pd

        return pd.DataFrame(list(self.records), columns=Record._fields).set_index("game")

    @property
    def score(self) -> str:
        """How the run goes, in words."""
        one, two = self.wins
        return f"{len(self.records):,} of {self.games:,} games: agent 1 won {one:,}, agent 2 won {two:,}"

    # --- who comes

    def _welcome(self, seat: Seat, reader, writer) -> None:
        """Let the first who comes sit down, and send others away; until the first game a seat can be left again."""
        line = Line(reader, writer, LONGEST_ACTION, self.timeout)
        if seat.is_taken or self._complete.is_set():
            writer.close()
            self.log(f"agent {seat.number}: {line.name} was sent away: {seat.name} has the seat")
            return
        if seat.line:
            seat.line.writer.close()
        seat.line = line
        self.log(f"agent {seat.number}: {line.name} took the seat")
        if all(seat.is_taken for seat in self.seats):
            self._complete.set()

    # --- the games

    async def _converse(self) -> None:
        doors = [await asyncio.start_server(partial(self._welcome, seat), sock=seat.listener) for seat in self.seats]
        try:
            async with asyncio.timeout(self.patience):
                await self._complete.wait()
            for number in range(1, self.games + 1):
                await self._play(number)
        except TimeoutError:
            free = next(seat.number for seat in self.seats if not seat.is_taken)
            raise WireError(f"nobody took the seat of agent {free} within {self.patience:g} s") from None
        finally:
            for door in doors:
                door.close()
            for seat in self.seats:
                if seat.line:
                    await seat.line.close()

    async def _play(self, number: int) -> None:
        """One game, and its line in the record."""
        self.episode = f"{self.session}-{number}"
        order = (1, 2) if number % 2 else (2, 1)
        sides = [self.agents[agent] for agent in order]
        seats = tuple(None if isinstance(side, Seat) else sit_down(side, self.learn) for side in sides)
        match = Match(self.game, seats, (agent_name(sides[0]), agent_name(sides[1])))
        try:
            while not match.over:
                side = sides[match.turn - 1]
                if isinstance(side, Seat):
                    match.make(await side.ask(self._message(match.state)))
                else:
                    match.step()
                    await asyncio.sleep(0)  # whoever comes, or closes the run, has a turn as well
        finally:
            match.leave()
        self._keep(number, order, match)
        for seat in self.seats:  # only now, so that nobody has heard of a game that is not written down
            await seat.end_game(seat.number == order[match.winner - 1])

    def _keep(self, number: int, order: tuple[int, int], match: Match) -> None:
        """Write a game down."""
        reason = match.reason_with(*(f"agent {agent}" for agent in order))
        moves = " ".join(f"{move.row}:{move.count}" for move in match.moves)
        players = (0, *order)
        first, winner, forfeit = (players[player] for player in (1, match.winner, match.forfeit))
        facts = self.session, number, self.episode, first, winner, forfeit, len(match.moves)
        record = Record(*facts, *self.names, reason, moves)
        if self._file:
            line = io.StringIO()
            csv.writer(line, lineterminator="\n").writerow(record)
            _append(self._file, line.getvalue())
        self.records.append(record)

    def _message(self, state: State) -> CoinGameState:
        """A state of this game as the protocol has it."""
        names = {"sessionID": self.session, "episodeID": self.episode}
        return CoinGameState(rowCount=len(state), coinCount=state, maxPick=self.game.most, **names)


def serve(
    game: CoinGame | str = "NIM", games: int = 1_000, opponent: Callable | None = None, wait=None, **settings
) -> Server:
    """Serve a coin game to agents of the AI Sandbox protocol, without waiting for the end.

    The first move alternates, and agent 1 has it in the first game. Games begin when every seat is
    taken. An illegal move loses the game. When an agent leaves, is silent or sends nonsense, the run ends
    with what was played on record.

    Parameters
    ----------
    game : CoinGame or str
        A name from `SCENARIOS`. "NIM" is that of the handout, at most 2 coins a turn; what the
        AI Sandbox itself plays under this name is "NIM_7".
    games : int
        At least 1.
    opponent : agent, optional
        One of our own for one of the two seats: the second, unless you say ``seat=1``.
    wait : float, optional
        Seconds that it waits for its agents before the first game; without limit if left out.
    **settings
        ``host``, ``port``, ``record``, ``timeout``, ``learn`` and ``log``: see `Server`.

    Returns
    -------
    Server
        Playing in a thread of its own. ``server.wait()`` waits for the end, ``server.close()``
        stops it; in a ``with`` block it is stopped when the block ends.

    Examples
    --------
    >>> from coinlib import PerfectAgent, RandomAgent
    >>> from coincourse.outside.sandbox import join
    >>> with serve("NIM", games=20, opponent=RandomAgent(seed=1), port=0) as server:
    ...     client = join(PerfectAgent(seed=1), port=server.ports[0])
    ...     over = server.wait(30)
    >>> len(server.results), server.wins[0] > server.wins[1]
    (20, True)
    """
    return Server(game, games, opponent, patience=wait, **settings).start()


def _listen(host: str, port: int) -> socket.socket:
    """A socket that waits for agents, or an OSError in words."""
    whole_number(port, "port", most=65_535)
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        why = "is the port taken, or the address another machine's?"
        raise OSError(f"cannot listen on {host}, port {port}: {why}") from error


def _open(record: str | Path) -> io.FileIO:
    """A record, ready for more lines."""
    header = ",".join(Record._fields)
    before = Path(record).read_bytes() if os.path.exists(record) else b""
    first = before.partition(b"\n")[0].decode(errors="replace").strip()
    if first not in ("", header):
        raise ValueError(f"{record} is no record of games: its first line is {first[:40]!r}")
    file = io.FileIO(record, "a")
    if not before.endswith(b"\n"):  # a line that was never finished stays alone
        _append(file, "\n" if before else header + "\n")
    return file


def _append(file: io.FileIO, words: str) -> None:
    """Add words to the end of a file, all of them or none: half a line could be taken for a game."""
    end, left = file.seek(0, os.SEEK_END), words.encode()
    try:
        while left:
            left = left[file.write(left) :]
    except OSError as error:  # a full disk takes what it has room for, and names no file
        file.truncate(end)
        raise OSError(error.errno, error.strerror, str(file.name)) from None
