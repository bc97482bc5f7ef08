"""A server of the AI Sandbox protocol: it plays games between agents that join it over TCP.

`play_match` decides turns, forfeits and winners here as everywhere. To it a seat for an agent from
outside is an agent: asked for a move it sends a State and waits for the Action, and what it is told
to observe, when the other side has moved or the game is over, is the Result.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import os
import re
import socket
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from coincourse.outside.sandbox.CoinGame_pb2 import LOSE, PLAY, WIN, CoinGameAction, CoinGameResult, CoinGameState
from coincourse.outside.sandbox.wire import (
    LAST_PORT,
    LONGEST_ACTION,
    Connection,
    WireError,
    encode,
    host_name,
    patience,
    seconds_of,
)
from coinlib.agents import agent_name
from coinlib.arena import play_match
from coinlib.arguments import check_agent, shown, whole_number
from coinlib.games import CoinGame, Move, State, coin_game
from coinlib.learners import Learner

if TYPE_CHECKING:
    import pandas as pd

LOOK_UP = 0.1  # seconds after which a waiting thread looks whether the server is being stopped
LINES = 1_000  # of the log that are kept in memory


class Record(NamedTuple):
    """What is kept of a game; agents are called 1 and 2, whoever moved first."""

    session: str
    game: int
    episode: str
    first: int
    winner: int
    forfeit: int  # the agent that lost without a legal move, or 0
    turns: int
    agent_1: str
    agent_2: str
    reason: str
    moves: str  # row:count of each turn


class NoMove(str):
    """What stands in the place of a move when the agent is gone: the rules refuse it, so the game is lost."""

    def __repr__(self) -> str:
        return f"no move ({self})"


class Stopped(Exception):
    """The server is being stopped."""


class Vacant(Exception):
    """Nobody has taken a seat for so long that the run is over."""


class Seat:
    """A port at which one agent can sit; to `play_match` an agent like any other.

    An agent that cannot be spoken with loses its seat, and the next one may take it. If it had
    moved in the game that is being played it loses the game too; if not, the game waits for the next.
    """

    def __init__(self, server: Server, number: int, host: str, port: int) -> None:
        self.server, self.number, self.timeout = server, number, server.timeout
        self.listener = _listen(host, port)
        self.port = self.listener.getsockname()[1]
        self.last = "nobody"  # who sat down last
        self.peer: Connection | None = None  # who sits here
        self.player: Connection | None = None  # who has moved in this game, even if it has gone since
        self.asking = False  # whether the server waits for its Action: otherwise it has to be silent
        self.due: list[CoinGameResult] = []  # what it is told together with the next State, just before it
        self.changed = threading.Condition()
        self.used = False  # whether anybody has ever moved here; before that it waits without limit
        self.vacant_since = float("inf")
        self.thread = threading.Thread(target=self._welcome, name=f"coinlib agent {number}", daemon=True)

    @property
    def name(self) -> str:
        """Whoever plays this game, by address; before its first move, whoever sat down last."""
        return self.player.name if self.player else self.last

    def new_match(self) -> None:
        """Nobody has moved yet; `play_match` calls this before the first move."""
        self.player, self.due = None, []

    def __call__(self, game: CoinGame, state: State) -> Move | NoMove:
        """Send a State and wait for the Action."""
        message = self.server.state_message(state)
        while True:
            try:
                peer = self.player or self.somebody()
            except Vacant as error:
                return NoMove(error)
            try:
                with self.changed:
                    peer.check_silent()
                    self.asking = True
                peer.send(*self.due, message, seconds=self.timeout)
                action = peer.receive(CoinGameAction, self.timeout)
                self.asking = False
            except WireError as error:
                self._lose(peer, error)
                if self.player:
                    return NoMove(error)
            else:
                self.player, self.used, self.vacant_since = peer, True, float("inf")
                return Move(action.selectedRow, action.removeCount)

    def observe(self, state: State, move, reward: float, next_state: State | None) -> None:
        """Note the Result of the last Action: `play_match` calls this when the protocol wants it."""
        if self.player:
            status = PLAY if next_state is not None else WIN if reward > 0 else LOSE
            self.due = [CoinGameResult(status=status)]

    def tell_end(self) -> None:
        """Send the Result of a game that is over and on record."""
        if self.player:
            with contextlib.suppress(WireError):  # noticed when it is next asked for a move
                self.player.send(*self.due, seconds=self.timeout)

    def somebody(self) -> Connection:
        """Whoever sits here; waits for them. Raises `Vacant` when that takes too long."""
        with self.changed:
            while self.peer is None:
                if self.server.stopping.is_set():
                    raise Stopped
                left = self.vacant_since + self.server.wait_for_agents - time.monotonic()
                if left <= 0:
                    raise Vacant(
                        f"nobody took the seat of agent {self.number} within {self.server.wait_for_agents:g} s"
                    )
                self.changed.wait(min(left, 1.0))
            return self.peer

    def shut(self) -> None:
        """Send whoever sits here away (`play_match` calls what is named `close` after every game)."""
        with self.changed:
            if self.peer:
                self.peer.close()
            self.changed.notify_all()

    def _lose(self, peer: Connection, error: WireError) -> None:
        self.asking = False
        if self.server.stopping.is_set():
            raise Stopped
        peer.close()
        with self.changed:
            if self.peer is peer:  # otherwise somebody else has its seat already
                self._free(str(error))

    def _free(self, why: str) -> None:
        self.server.log(f"agent {self.number}: {self.last} lost its seat: {why}")
        self.peer = None
        if self.used:  # whoever comes and goes without a move gains no time
            self.vacant_since = min(self.vacant_since, time.monotonic())

    def _welcome(self) -> None:
        """Until the server stops: let the first who comes sit down, and send others away."""
        with self.listener:
            while not self.server.stopping.is_set():
                try:
                    sock, _ = self.listener.accept()
                except TimeoutError:
                    continue
                except OSError as error:  # no more file descriptors: some may come free
                    self.server.log(f"agent {self.number}: cannot let anybody in ({error})")
                    time.sleep(LOOK_UP)
                    continue
                self._seat(Connection(sock, LONGEST_ACTION))

    def _seat(self, peer: Connection) -> None:
        with self.changed:
            seen = self.peer.peek() if self.peer else None
            if seen == b"" or (seen and not self.asking):
                self.peer.close()
                self._free("it spoke before it was asked" if seen else "it left")
            if self.peer or self.server.stopping.is_set():
                peer.close()
                self.server.log(f"agent {self.number}: {peer.name} was sent away: {self.last} has the seat")
            else:
                self.peer, self.last = peer, peer.name
                self.server.log(f"agent {self.number}: {self.last} took the seat")
                self.changed.notify_all()


class Server:
    """A run of games; made and started by `serve`.

    Attributes
    ----------
    game : CoinGame
    games : int
        How many will be played.
    ports : tuple of int
        Of the agents from outside.
    wins : list of int
        Of agent 1 and agent 2, so far.
    lines : deque of str
        The last lines of the log.
    stopped : str
        What stopped the run early, or "".
    """

    def __init__(self, game, games, opponent, seat, host, port, record, timeout, wait, learn, log) -> None:
        self.game, self.games = _game(game), whole_number(games, "games", least=1)
        self.learn = learn
        host, record = host_name(host), None if record is None else Path(record)
        if isinstance(opponent, Learner) and opponent.game != self.game:
            raise ValueError(f"opponent: this learner plays {opponent.game}; the server plays {self.game}")
        self.timeout, self.wait_for_agents = seconds_of(timeout, "timeout"), seconds_of(wait, "wait")
        self.session = self.episode = str(uuid.uuid4())
        encode(self.state_message(self.game.start))  # says at once when it does not fit
        self.lines: deque[str] = deque(maxlen=LINES)
        self.tell, self.stopping, self.stopped = log, threading.Event(), ""
        self.wins, self.records = [0, 0], list[Record]()
        self.agents: list = [opponent if opponent is not None and seat == number else None for number in (1, 2)]
        self.seats: list[Seat] = []
        try:
            for place, agent in enumerate(self.agents):
                if agent is None:
                    self.agents[place] = Seat(self, place + 1, host, port and port + place)
                    self.seats.append(self.agents[place])
            self.file = _open(record)
        except BaseException:
            for each in self.seats:
                each.listener.close()
            raise
        self.thread = threading.Thread(target=self._run, name="coinlib server", daemon=True)
        for each in self.seats:
            each.thread.start()
        self.thread.start()

    @property
    def ports(self) -> tuple[int, ...]:
        """The port of each agent from outside."""
        return tuple(seat.port for seat in self.seats)

    @property
    def names(self) -> tuple[str, str]:
        """What agent 1 and agent 2 are called: our own by name, others by address."""
        return agent_name(self.agents[0]), agent_name(self.agents[1])

    @property
    def results(self) -> pd.DataFrame:
        """A table with a row for each game that is over: see `Record`."""
        import pandas as pd

        return pd.DataFrame(list(self.records), columns=Record._fields).set_index("game")

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until all games are played; whether the run is over.

        Parameters
        ----------
        seconds : float, optional
            0 or more; without limit if left out. Raises TypeError or ValueError where it is neither.
        """
        self.thread.join(patience(seconds))
        return not self.thread.is_alive()

    def close(self) -> None:
        """Stop now; a game that is being played is not counted."""
        if self.thread.is_alive() and not self.stopping.is_set():
            self.stopped = "closed"
        self.stopping.set()
        for seat in self.seats:
            seat.shut()
        for thread in (self.thread, *(seat.thread for seat in self.seats)):
            thread.join(5.0)  # an agent of our own may be deep in thought

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __repr__(self) -> str:
        stopped = f"; stopped: {self.stopped}" if self.stopped else ""
        return (
            f"Server({len(self.records):,} of {self.games:,} games: "
            f"agent 1 won {self.wins[0]:,}, agent 2 won {self.wins[1]:,}{stopped})"
        )

    def log(self, line: str) -> None:
        """Keep a line of the log, and hand it to whoever wants to hear it."""
        self.lines.append(line)
        if self.tell:
            with contextlib.suppress(Exception):  # a log that cannot be written stops no game
                self.tell(line)

    def state_message(self, state: State) -> CoinGameState:
        """A state of this game as the protocol has it; raises ValueError for a state of another game."""
        self.game.is_over(state)
        most = self.game.max_pick or max(1, *self.game.rows)
        try:
            return CoinGameState(
                sessionID=self.session, episodeID=self.episode, rowCount=len(state), coinCount=state, maxPick=most
            )
        except ValueError:
            raise ValueError(f"game: expected numbers below 2^31, as the protocol has them; got {self.game}") from None

    def _run(self) -> None:
        try:
            for number in range(1, self.games + 1):
                for seat in self.seats:
                    seat.somebody()
                self._play(number)
        except Exception as error:  # noqa: BLE001 - whatever an agent of ours or a full disk does, the run ends in words
            if not self.stopping.is_set():
                self.stopped = str(error)
        finally:
            self.stopping.set()
            if self.file:
                with contextlib.suppress(OSError):  # a full disk has been told of already
                    self.file.close()
            for seat in self.seats:
                seat.shut()

    def _play(self, number: int) -> None:
        """One game, and its line in the record."""
        self.episode = f"{self.session}-{number}"
        order = (1, 2) if number % 2 else (2, 1)
        match = play_match(self.game, *(self.agents[agent - 1] for agent in order), learn=self.learn)
        winner, forfeit = order[match.winner - 1], match.forfeit and order[match.forfeit - 1]
        record = Record(
            session=self.session,
            game=number,
            episode=self.episode,
            first=order[0],
            winner=winner,
            forfeit=forfeit,
            turns=len(match.moves),
            agent_1=self.names[0],
            agent_2=self.names[1],
            reason=re.sub(r"\bplayer ([12])\b", lambda found: f"agent {order[int(found[1]) - 1]}", match.reason),
            moves=" ".join(f"{move.row}:{move.count}" for move in match.moves),
        )
        if self.file:
            line = io.StringIO()
            csv.writer(line, lineterminator="\n").writerow(record)
            _append(self.file, line.getvalue())
        self.records.append(record)
        self.wins[winner - 1] += 1
        for seat in self.seats:  # only now, so that nobody has heard of a game that is not written down
            seat.tell_end()


def serve(
    game: CoinGame | str = "NIM",
    games: int = 1_000,
    opponent=None,
    seat: int = 2,
    host: str = "127.0.0.1",
    port: int = 9000,
    record: str | Path | None = None,
    timeout: float = 30.0,
    wait: float = 60.0,
    learn: bool = True,
    log: Callable[[str], None] | None = None,
) -> Server:
    """Serve a coin game to agents of the AI Sandbox protocol, without waiting for the end.

    The first move alternates, and agent 1 has it in the first game. Games begin when every seat is
    taken. An illegal move loses the game. An agent that leaves, is silent or sends nonsense loses its
    seat to the next that comes, and the game as well if it had moved in it.

    Parameters
    ----------
    game : CoinGame or str
        A name from `SCENARIOS`. "NIM" is that of the handout, at most 2 coins a turn; what the
        AI Sandbox itself plays under this name is "NIM_7".
    games : int
        At least 1.
    opponent : agent, optional
        One of our own for one of the two seats.
    seat : {1, 2}
        Which seat the opponent has.
    host : str
        Where to listen: this machine only, unless you name an address ("0.0.0.0": all there are).
    port : int
        Of agent 1; agent 2 has the next one. 0: any that are free (see `Server.ports`).
    record : path, optional
        A CSV file to which every game is added as it ends.
    timeout : float
        Seconds that an agent has for a move.
    wait : float
        Seconds for which a seat that an agent has lost may stay empty before the run ends.
        For the first agents it waits without limit.
    learn : bool
        Whether an opponent that can learn does.
    log : function (line) -> None, optional
        Hears who comes and goes, from another thread.

    Returns
    -------
    Server
        Playing in threads of its own. ``server.wait()`` waits for the end, ``server.close()``
        stops it; in a ``with`` block it is stopped when the block ends.

    Raises
    ------
    ValueError, TypeError
        If the game or a setting makes no sense.
    OSError
        If the port is taken, or the record cannot be written.

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
    try:
        seat = whole_number(seat, "seat", least=1, most=2)
    except (TypeError, ValueError):
        raise ValueError(f"seat: expected 1 or 2, got {shown(seat)}") from None
    if opponent is not None:
        check_agent(opponent, "opponent")
    if not (log is None or callable(log)):
        raise TypeError(f"log: expected a function (line) -> None, or None; got {shown(log)}")
    port = whole_number(port, "port", least=0, most=LAST_PORT)
    return Server(game, games, opponent, seat, host, port, record, timeout, wait, learn, log)


# --- small helpers --------------------------------------------------------------------------------------


def _game(game) -> CoinGame:
    game = coin_game(game)
    if not any(game.rows):
        raise ValueError(f"game: expected at least one coin to play for, got {game}")
    return game


def _listen(host: str, port: int) -> socket.socket:
    """A socket that waits for agents, or an OSError in words."""
    if port > LAST_PORT:
        raise ValueError(f"port: expected at most {LAST_PORT:,} for each agent, got {port:,}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise OSError(f"port {port} is taken by another program; choose another with port") from None
        raise OSError(f"cannot listen on {host}, port {port}: {getattr(error, 'strerror', None) or error}") from None
    listener.settimeout(LOOK_UP)
    return listener


def _open(record):
    """The record, ready for more lines; None without one."""
    if record is None:
        return None
    header, beginning = ",".join(Record._fields), ""
    with open(record, "ab+") as file:
        file.seek(0)
        first = file.readline(10_000).decode(errors="replace").strip()
        if first not in ("", header):
            raise ValueError(f"{record} is no record of games: its first line is {first[:40]!r}")
        if not first:
            beginning = header + "\n"
        elif file.seek(-1, os.SEEK_END) and file.read() != b"\n":
            beginning = "\n"  # a line that was never finished stays alone
    file = open(record, "ab", buffering=0)  # noqa: SIM115 - closed when the run is over
    try:
        _append(file, beginning)
    except BaseException:
        file.close()
        raise
    return file


def _append(file: io.FileIO, words: str) -> None:
    """Add words to the end of a file, all of them or none: half a line could be taken for a game."""
    end, left = file.seek(0, os.SEEK_END), words.encode()
    try:
        while left:
            left = left[file.write(left) :]
    except OSError as error:  # a full disk takes what it has room for, and names no file
        with contextlib.suppress(OSError):
            file.truncate(end)
        raise OSError(error.errno, error.strerror, str(file.name)) from None
