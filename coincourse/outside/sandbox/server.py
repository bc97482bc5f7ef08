"""A server of the AI Sandbox protocol: it plays games between agents that join it over TCP.

A `Match` decides turns, forfeits and winners here as everywhere; whoever joins is asked for moves by a State.
When an agent goes, the run ends, with what was played on record.
"""

from __future__ import annotations

import asyncio
import contextlib
import csv
import os
import socket
import uuid
from collections import namedtuple
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from coincourse.outside.sandbox.CoinGame_pb2 import LOSE, PLAY, WIN, CoinGameAction, CoinGameResult, CoinGameState
from coincourse.outside.sandbox.wire import Conversation, Line, WireError
from coinlib.agents import agent_name
from coinlib.arguments import check_agent, one_of, whole_number
from coinlib.games import CoinGame, Move, coin_game
from coinlib.match import Match, sit_down

COLUMNS = ("session", "game", "episode", "first", "winner", "forfeit", "turns", "agent_1", "agent_2", "reason", "moves")


class Seat:
    """A port at which one agent sits."""

    def __init__(self, number: int, host: str, port: int) -> None:
        self.number = number
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.listener = socket.create_server((host, whole_number(port, "port", most=65_535)), family=family)
        # whoever is let in has it from here
        self.listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.port = self.listener.getsockname()[1]
        self.line: Line | None = None  # to whoever sits here

    @property
    def name(self) -> str:
        """Whoever sits here, by address."""
        return _address(self.line.writer) if self.line else "nobody"

    @property
    def is_taken(self) -> bool:
        """Whether somebody sits here who has not left."""
        return self.line is not None and self.line.is_open


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
        The games that are over. Agents are called 1 and 2, whoever moved first; `forfeit` is the agent that
        lost by an illegal move, or 0; `moves` has row:count of each turn.
    stopped : str
        What stopped the run early, or "".
    """

    game: CoinGame | str = "NIM"
    games: int = 1_000
    opponent: Callable | None = None
    seat: int = 2
    host: str = "127.0.0.1"
    port: int = 9000
    record: str | Path = os.devnull
    timeout: float = 30.0
    patience: float | None = None
    learn: bool = True
    log: Callable[[str], object] = str  # which does nothing
    Record = namedtuple("Record", COLUMNS)

    def __post_init__(self) -> None:
        self.game = coin_game(self.game)
        one_of(self.seat, "seat", (1, 2))
        if self.opponent is not None:
            check_agent(self.opponent, "opponent")
        self.session = str(uuid.uuid4())
        self.agents = {1: None, 2: None, self.seat: self.opponent}
        self._complete = asyncio.Event()
        with contextlib.ExitStack() as taken:
            for number, agent in self.agents.items():
                if agent is None:
                    seat = self.agents[number] = Seat(number, self.host, self.port and self.port + number - 1)
                    taken.enter_context(seat.listener)
            _continue(self.record)
            self._taken = taken.pop_all()

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
    def score(self) -> str:
        """How the run goes, in words."""
        one, two = self.wins
        return f"{len(self.records):,} of {self.games:,} games: agent 1 won {one:,}, agent 2 won {two:,}"

    # --- who comes

    def _welcome(self, seat: Seat, reader, writer) -> None:
        """Let the first who comes sit down, and send others away; until the first game a seat can be left again."""
        if seat.is_taken or self._complete.is_set():
            writer.close()
            self.log(f"agent {seat.number}: {_address(writer)} was sent away: {seat.name} has the seat")
            return
        if seat.line:
            seat.line.writer.close()
        seat.line = Line(f"agent {seat.number}", reader, writer, self.timeout)
        self.log(f"agent {seat.number}: {seat.name} took the seat")
        if all(seat.is_taken for seat in self.seats):
            self._complete.set()

    # --- the games

    async def _converse(self) -> None:
        for seat in self.seats:
            seat.door = await asyncio.start_server(partial(self._welcome, seat), sock=seat.listener)
        try:
            async with asyncio.timeout(self.patience):
                await self._complete.wait()
            for number in range(1, self.games + 1):
                await self._play(number, (1, 2) if number % 2 else (2, 1))
        except TimeoutError:
            free = next(seat.number for seat in self.seats if not seat.is_taken)
            raise WireError(f"nobody took the seat of agent {free} within {self.patience:g} s") from None
        finally:
            for seat in self.seats:
                seat.door.close()
                if seat.line:
                    await seat.line.close()

    async def _play(self, number: int, order: tuple[int, int]) -> None:
        """One game, its line in the record, and only then its Result."""
        self.episode = f"{self.session}-{number}"
        sides = [self.agents[agent] for agent in order]
        seats = tuple(side if isinstance(side, Seat) else sit_down(side, self.learn) for side in sides)
        match = Match(self.game, seats, tuple(map(agent_name, sides)))
        try:
            while not match.over:
                seat = seats[match.turn - 1]
                if isinstance(seat, Seat):
                    match.make(await self._ask(seat, match))
                else:
                    match.step()
                    # whoever comes, or closes the run, has a turn as well
                    await asyncio.sleep(0)
        finally:
            match.leave()
        self._keep(match, number, order)
        turns = len(match.moves) + (match.forfeit > 0)
        # whoever had no turn hears nothing
        for player, seat in enumerate(seats[:turns], 1):
            if isinstance(seat, Seat):
                # noticed when it is next asked for a move
                with contextlib.suppress(WireError):
                    await seat.line.send(CoinGameResult(status=WIN if player == match.winner else LOSE))

    async def _ask(self, seat: Seat, match: Match) -> Move:
        """Send a State, behind the Result of the last Action, and wait for the next Action."""
        due = [CoinGameResult(status=PLAY)] if len(match.moves) > 1 else []
        state = {"rowCount": len(match.state), "coinCount": match.state, "maxPick": self.game.most}
        message = CoinGameState(sessionID=self.session, episodeID=self.episode, **state)
        await seat.line.send(*due, message)
        action = await seat.line.receive(CoinGameAction)
        return Move(action.selectedRow, action.removeCount)

    def _keep(self, match: Match, number: int, order: tuple[int, int]) -> None:
        """Write a game down."""
        players = (0, *order)
        who = order[0], players[match.winner], players[match.forfeit]
        reason = match.reason_with(*(f"agent {agent}" for agent in order))
        moves = " ".join(f"{move.row}:{move.count}" for move in match.moves)
        record = self.Record(self.session, number, self.episode, *who, len(match.moves), *self.names, reason, moves)
        _append(self.record, record)
        self.records.append(record)


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


def _address(writer) -> str:
    """Who is at the other end."""
    return "{}:{}".format(*writer.get_extra_info("peername"))


def _continue(record: str | Path) -> None:
    """Make a record ready for more lines."""
    header = ",".join(COLUMNS) + "\n"
    before = Path(record).read_text(encoding="utf-8", errors="replace") if os.path.exists(record) else ""
    if not (before or header).startswith(header):
        first = before.splitlines()[0]
        raise ValueError(f"{record} is no record of games: its first line is {first[:40]!r}")
    if not before.endswith("\n"):  # a line that was never finished stays alone
        _append(record, [] if before else COLUMNS)


def _append(record: str | Path, line: Iterable) -> None:
    """Add a line to the end of a record, all of it or nothing: half a line could be taken for a game."""
    end = os.path.getsize(record) if os.path.exists(record) else 0
    try:
        with open(record, "a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(line)
    except OSError as error:  # a full disk takes what it has room for, and names no file
        os.truncate(record, end)
        raise OSError(error.errno, error.strerror, str(record)) from None
