"""A server of the AI Sandbox protocol: it plays games between agents that join it over TCP.

As everywhere, a `Match` decides turns, forfeits and winners; a State asks an agent for a move. When an agent
leaves, the run ends, and the games played so far are on record. An agent that leaves before it has sent
anything, such as a program that checks whether the port is open, frees its seat.
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
from coincourse.outside.sandbox.wire import SHORTEST_WAIT, Conversation, Disconnected, Line, WireError, nothing
from coinlib.agents import agent_name
from coinlib.arguments import check_agent, number_in, one_of, whole_number
from coinlib.games import CoinGame, IllegalMove, Move, coin_game, named_move
from coinlib.match import Match, sit_down
from coinlib.words import short_move

COLUMNS = ("session", "game", "episode", "first", "winner", "forfeit", "turns", "agent_1", "agent_2", "reason", "moves")


class Seat:
    """A port for one agent.

    Attributes
    ----------
    number : int
        1 or 2.
    port : int
    line : Line or None
        The connection to the agent in this seat, or to the last one.
    """

    def __init__(self, number: int, host: str, port: int) -> None:
        self.number = number
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.listener = socket.create_server((host, whole_number(port, "port", most=65_535)), family=family)
        # Every connection accepted by this socket inherits the option.
        self.listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.port = self.listener.getsockname()[1]
        self.line: Line | None = None

    @property
    def name(self) -> str:
        """The address of the agent in this seat."""
        return "nobody" if self.line is None else _address(self.line.writer)

    @property
    def is_taken(self) -> bool:
        """Whether an agent has this seat; one that left after sending something still counts."""
        return self.line is not None and (self.line.is_open or self.line.heard)


@dataclass(eq=False, repr=False)
class Server(Conversation):
    """A run of games; made and started by `serve`.

    Parameters
    ----------
    game : CoinGame or str
    games : int
        At least 1.
    opponent : agent, optional
    seat : {1, 2}
    host : str
        The address to listen on (default: only this machine; "0.0.0.0": all addresses).
    port : int
        The port of agent 1; agent 2 has the next one. 0: any free ports (see `ports`).
    record : path, optional
        A CSV file to which every game is added as it ends.
    timeout : float
        Seconds that an agent has for each move.
    patience : float, optional
        Seconds that the server waits for agents when a seat is empty (default: no limit).
    learn : bool
        Whether an opponent that can learn does so.
    log : function (line) -> None, optional
        Called in another thread when an agent arrives or is sent away.

    Attributes
    ----------
    ports : tuple of int
        The ports of the agents from outside.
    records : list of Record
        The games that are over. Agents are called 1 and 2, whichever moved first; `forfeit` is the agent that
        lost by an illegal move, or 0; `turns` counts the legal moves; `moves` lists row:count for each move,
        including an illegal one at the end.
    stopped : str
        Why the run stopped early, or "".
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
    log: Callable[[str], object] = nothing
    Record = namedtuple("Record", COLUMNS)

    def __post_init__(self) -> None:
        self.game = coin_game(self.game)
        whole_number(self.games, "games", least=1)
        number_in(self.timeout, "timeout", SHORTEST_WAIT)
        if self.patience is not None:
            number_in(self.patience, "wait", SHORTEST_WAIT)
        one_of(self.seat, "seat", (1, 2))
        if self.opponent is not None:
            check_agent(self.opponent, "opponent")
        self.session = str(uuid.uuid4())
        self._agent_arrived = asyncio.Event()
        self.agents: dict[int, Seat | Callable] = {}
        with contextlib.ExitStack() as taken:
            for number in (1, 2):
                if self.opponent is not None and number == self.seat:
                    self.agents[number] = self.opponent
                    continue
                port = 0 if self.port == 0 else self.port + number - 1
                self.agents[number] = Seat(number, self.host, port)
                taken.enter_context(self.agents[number].listener)
            _make_ready(self.record)
            self._taken = taken.pop_all()

    @property
    def seats(self) -> list[Seat]:
        """The seats for outside agents."""
        return [agent for agent in self.agents.values() if isinstance(agent, Seat)]

    @property
    def ports(self) -> tuple[int, ...]:
        """The port of each outside agent."""
        return tuple(seat.port for seat in self.seats)

    @property
    def names(self) -> tuple[str, str]:
        """The names of agent 1 and agent 2; an agent from outside is named by its address."""
        return agent_name(self.agents[1]), agent_name(self.agents[2])

    @property
    def wins(self) -> list[int]:
        """The number of games that agent 1 and agent 2 have won so far."""
        winners = [record.winner for record in self.records]
        return [winners.count(1), winners.count(2)]

    @property
    def score(self) -> str:
        """The score so far, as text."""
        one, two = self.wins
        return f"{len(self.records):,} of {self.games:,} games: agent 1 won {one:,}, agent 2 won {two:,}"

    # --- arriving agents

    def _welcome(self, seat: Seat, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Give an agent the seat if it is free; otherwise send it away."""
        if seat.is_taken:
            writer.close()
            self.log(f"agent {seat.number}: {_address(writer)} was sent away: {seat.name} has the seat")
            return
        if seat.line is not None:
            seat.line.writer.close()
        seat.line = Line(f"agent {seat.number}", reader, writer, self.timeout)
        self.log(f"agent {seat.number}: {seat.name} took the seat")
        self._agent_arrived.set()

    async def _wait_for_agents(self) -> None:
        """Wait until all seats are taken."""
        try:
            async with asyncio.timeout(self.patience):
                while not all(seat.is_taken for seat in self.seats):
                    self._agent_arrived.clear()
                    await self._agent_arrived.wait()
        except TimeoutError:
            empty = next(seat.number for seat in self.seats if not seat.is_taken)
            raise WireError(f"no agent took seat {empty} within {self.patience:g} s") from None

    # --- the games

    async def _converse(self) -> None:
        servers = []
        try:
            for seat in self.seats:
                servers.append(await asyncio.start_server(partial(self._welcome, seat), sock=seat.listener))
            await self._wait_for_agents()
            for number in range(1, self.games + 1):
                await self._play(number, (1, 2) if number % 2 == 1 else (2, 1))
        finally:
            for server in servers:
                server.close()
            for seat in self.seats:
                if seat.line is not None:
                    await seat.line.close()

    async def _play(self, number: int, order: tuple[int, int]) -> None:
        """Play a game, write its line to the record, and only then send its Result."""
        self.episode = f"{self.session}-{number}"
        sides = [self.agents[agent] for agent in order]
        seats = tuple(side if isinstance(side, Seat) else sit_down(side, self.learn) for side in sides)
        match = Match(self.game, seats, (agent_name(sides[0]), agent_name(sides[1])))
        try:
            while not match.over:
                seat = seats[match.turn - 1]
                if isinstance(seat, Seat):
                    match.make(await self._ask(seat, match))
                else:
                    match.step()
                    # Give other tasks a turn: an agent that arrives, or the end of the run.
                    await asyncio.sleep(0)
        finally:
            match.leave()
        self._keep(match, number, order)
        turns = len(match.moves)
        if match.forfeit is not None:
            turns += 1
        # An agent that had no turn gets no Result.
        for player, seat in enumerate(seats[:turns], 1):
            if isinstance(seat, Seat):
                status = WIN if player == match.winner else LOSE
                # If it has left, we notice when we next ask it for a move.
                with contextlib.suppress(WireError):
                    await seat.line.send(CoinGameResult(status=status))

    async def _ask(self, seat: Seat, match: Match) -> Move:
        """Return the move of the agent in a seat, or of the next agent if this one leaves without sending anything."""
        while True:
            line = seat.line
            try:
                return await self._ask_on(line, match)
            except Disconnected:
                if line.heard:
                    raise
                who = f"agent {seat.number}: {_address(line.writer)}"
                self.log(f"{who} left without a move; the seat is free again")
                await self._wait_for_agents()

    async def _ask_on(self, line: Line, match: Match) -> Move:
        """Send the Result of the last Action and a State, and wait for the next Action."""
        due = [CoinGameResult(status=PLAY)] if len(match.moves) > 1 else []
        state = CoinGameState(
            sessionID=self.session,
            episodeID=self.episode,
            rowCount=len(match.state),
            coinCount=match.state,
            maxPick=self.game.most,
        )
        await line.send(*due, state)
        action = await line.receive(CoinGameAction)
        return Move(action.selectedRow, action.removeCount)

    def _keep(self, match: Match, number: int, order: tuple[int, int]) -> None:
        """Record a game."""
        agents = {0: 0, 1: order[0], 2: order[1]}
        moves = [short_move(move, on_one_row=False) for move in match.moves]
        forfeit = 0
        if match.forfeit is not None:
            forfeit = agents[match.forfeit.player]
            moves += _recorded(self.game, match.forfeit.answer)
        record = self.Record(
            session=self.session,
            game=number,
            episode=self.episode,
            first=order[0],
            winner=agents[match.winner],
            forfeit=forfeit,
            turns=len(match.moves),
            agent_1=self.names[0],
            agent_2=self.names[1],
            reason=match.reason_with(f"agent {order[0]}", f"agent {order[1]}"),
            moves=" ".join(moves),
        )
        _append(self.record, record)
        self.records.append(record)


def serve(
    game: CoinGame | str = "NIM", games: int = 1_000, opponent: Callable | None = None, wait=None, **settings
) -> Server:
    """Serve a coin game to agents of the AI Sandbox protocol; returns at once.

    The agents take turns going first, starting with agent 1. The games start when all seats are taken. An
    illegal move loses the game. When an agent leaves, goes silent or sends nonsense, the run ends, and the games
    played so far are on record; an agent that leaves before it has sent anything frees its seat.

    Parameters
    ----------
    game : CoinGame or str
        A name from `SCENARIOS`. "NIM" is the handout's game, at most 2 coins a turn; the game that the
        AI Sandbox itself plays under this name is "NIM_7".
    games : int
        At least 1.
    opponent : agent, optional
        An agent of the library for one of the two seats: the second, unless you pass ``seat=1``.
    wait : float, optional
        Seconds to wait for agents when a seat is empty (default: no limit).
    **settings
        ``host``, ``port``, ``record``, ``timeout``, ``learn`` and ``log``: see `Server`.

    Returns
    -------
    Server
        It plays in its own thread. ``server.wait()`` waits for the end, ``server.close()`` stops it; a
        ``with`` block stops it at its end.

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


def _address(writer: asyncio.StreamWriter) -> str:
    """Return the address at the other end, as host:port."""
    host, port, *_ = writer.get_extra_info("peername")
    return f"{host}:{port}"


def _recorded(game: CoinGame, answer) -> list[str]:
    """Return an illegal move for the record; empty if our own agent named no move at all."""
    try:
        move = named_move(game, answer)
    except IllegalMove:
        return []
    return [short_move(move, on_one_row=False)]


def _make_ready(record: str | Path) -> None:
    """Prepare a record for more lines: a new one gets its header, and an unfinished line gets its line break."""
    header = ",".join(COLUMNS) + "\n"
    before = ""
    if os.path.exists(record):
        before = Path(record).read_text(encoding="utf-8", errors="replace")
    if before == "":
        _append(record, COLUMNS)
        return
    if not before.startswith(header):
        first = before.splitlines()[0]
        raise ValueError(f"{record} is not a record of games: its first line is {first[:40]!r}")
    if not before.endswith("\n"):
        _append(record, [])


def _append(record: str | Path, line: Iterable) -> None:
    """Add a line to the end of a record, whole or not at all: half a line could be mistaken for a game."""
    end = os.path.getsize(record) if os.path.exists(record) else 0
    try:
        with open(record, "a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(line)
    except OSError as error:
        # A full disk keeps what it had room for. Python's own error does not name the file.
        os.truncate(record, end)
        raise OSError(error.errno, error.strerror, str(record)) from None
