"""A client of the AI Sandbox protocol: an agent joins a server, plays and learns there."""

from __future__ import annotations

import socket
from asyncio import open_connection
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass

from google.protobuf.message import Message

from coincourse.outside.sandbox.CoinGame_pb2 import LOSE, PLAY, WIN, CoinGameAction, CoinGameResult, CoinGameState
from coincourse.outside.sandbox.wire import SHORTEST_WAIT, Conversation, Disconnected, Line, WireError, nothing
from coinlib.agents import agent_name, take_one
from coinlib.arguments import check_agent, counted, number_in
from coinlib.games import SCENARIOS, CoinGame, IllegalMove, Move, State, read_move
from coinlib.learners import Learner
from coinlib.match import ask, sit_down

CONNECT_SECONDS = 10.0
NAMES = {WIN: "WIN", PLAY: "PLAY", LOSE: "LOSE"}


@dataclass(eq=False, repr=False)
class Client(Conversation):
    """An agent connected to a server; `join` makes and starts it, and describes its settings.

    Attributes
    ----------
    agent : agent
        None until it is made, if `join` was given a function that makes it.
    records : list of Record
        The games that are over; `illegal` describes the illegal move that lost the game, or is "".
    stopped : str
        Why it stopped early, or "".
    """

    agent: Callable | None = None
    host: str = "127.0.0.1"
    port: int = 9000
    make: Callable | None = None
    timeout: float | None = None
    learn: bool = True
    watch: Callable[[Message], object] = nothing
    Record = namedtuple("Record", ["session", "game", "episode", "result", "illegal"])

    def __post_init__(self) -> None:
        if self.make is None:
            check_agent(self.agent, "agent")
        if self.timeout is not None:
            number_in(self.timeout, "timeout", SHORTEST_WAIT)
        try:
            self._taken = socket.create_connection((self.host, self.port), timeout=CONNECT_SECONDS)
        except OSError as error:
            where = f"{self.host}, port {self.port} ({error.strerror or error})"
            raise OSError(f"no server answers on {where}; is it running?") from None

    @property
    def score(self) -> str:
        """The score so far, as text."""
        name = "an agent" if self.agent is None else agent_name(self.agent)
        wins = sum(record.result > 0 for record in self.records)
        words = f"{name}: {wins:,} of {len(self.records):,} games won"
        illegal = [record.illegal for record in self.records if record.illegal]
        if illegal:
            words += f"; {counted(len(illegal), 'illegal move')}, the last: {illegal[-1]}"
        return words

    async def _converse(self) -> None:
        self.line = Line("the server", *await open_connection(sock=self._taken), self.timeout)
        try:
            while message := await self._first_state():
                result, illegal = await self._play(message)
                number = len(self.records) + 1
                record = self.Record(message.sessionID, number, message.episodeID, result, illegal)
                self.records.append(record)
        finally:
            await self.line.close()

    async def _first_state(self) -> CoinGameState | None:
        """Return the first State of a game; None if the server has ended the run."""
        try:
            return await self._hear(CoinGameState)
        except Disconnected:
            if not self.records:
                self.stopped = "the server closed the connection at once: is the seat taken, or the run over?"
            return None

    async def _play(self, message: CoinGameState) -> tuple[int, str]:
        """Play a game from its first State; return its result and why an illegal move lost it, or ""."""
        game = self._game(tuple(message.coinCount), message.maxPick)
        self.agent = self.agent or self.make(game)
        seat = sit_down(self.agent, self.learn)
        # Only a learner's seat has this method. The server decides the game, so there is no `Match` to call it.
        observe = getattr(seat, "observe", nothing)
        try:
            while True:
                state = tuple(message.coinCount)
                answer = ask(seat, agent_name(self.agent), game, state)
                try:
                    move = read_move(game, state, answer)
                except IllegalMove as error:
                    observe(state, answer, -1.0, None)
                    await self._give_away(game, message)
                    return -1, f"{error}; the game is lost, and a losing move was sent instead"
                status = await self._act(move)
                if status != PLAY:
                    result = 1 if status == WIN else -1
                    observe(state, move, float(result), None)
                    return result, ""
                message = await self._hear(CoinGameState)
                observe(state, move, 0.0, tuple(message.coinCount))
        finally:
            if hasattr(seat, "close"):
                seat.close()

    async def _give_away(self, game: CoinGame, message: CoinGameState) -> None:
        """Play the rest of the game to lose."""
        while await self._act(give_away(game, tuple(message.coinCount))) == PLAY:
            message = await self._hear(CoinGameState)

    async def _act(self, move: Move) -> int:
        """Send a move as an Action, and return the status of its Result."""
        action = CoinGameAction(selectedRow=move.row, removeCount=move.count)
        self.watch(action)
        await self.line.send(action)
        return (await self._hear(CoinGameResult)).status

    async def _hear(self, kind: type[Message]):
        """Return the next message, which must be of this kind."""
        message = await self.line.receive(kind)
        self.watch(message)
        return message

    def _game(self, rows: State, most: int) -> CoinGame:
        """Return the game for a first State: the learner's own, a scenario, or these rows in misère play."""
        known = [*SCENARIOS.values(), CoinGame(rows, most)]
        if isinstance(self.agent, Learner):
            known = [self.agent.game]
        for game in known:
            fits = len(rows) == len(game.rows) and all(left <= held for left, held in zip(rows, game.rows))
            if fits and most == game.most:
                return game
        raise WireError(f"the server plays {rows}, at most {most} a turn; this agent plays {known[0]}")


def join(agent=None, host: str = "127.0.0.1", port: int = 9000, **settings) -> Client:
    """Join a server of the AI Sandbox protocol with an agent; returns at once.

    A learner learns from the delayed Results as it does in `train`: its next state is what it sees after
    the other agent's reply. It is not told about games in which it had no turn.

    Parameters
    ----------
    agent : agent
        A function (game, state) -> move, or an agent of the library. A learner plays its own game. The protocol
        says how many coins are left, not how many there were at the start: other agents get the scenario that
        matches the first State, or else its rows, in misère play.
    host, port : str, int
        The address of the server.
    **settings
        ``make``: a function (game) -> agent, instead of `agent`; it is called when the first State shows which
        game is played. ``timeout``: seconds to wait for the server (default: no limit, since it may be waiting
        for the other agent). ``learn=False``: a learner does not learn. ``watch``: a function (message), called
        with every message, in another thread.

    Returns
    -------
    Client
        It plays in its own thread. ``client.wait()`` waits for the end, ``client.close()`` leaves.

    Examples
    --------
    >>> from coinlib import QLearner, RandomAgent, SCENARIOS
    >>> from coincourse.outside.sandbox import serve
    >>> learner = QLearner(SCENARIOS["NIM"], seed=1)
    >>> with serve("NIM", games=50, opponent=RandomAgent(seed=1), port=0) as server:
    ...     client = join(learner, port=server.ports[0])
    ...     over = client.wait(30)
    >>> len(client.results), learner.games
    (50, 50)
    """
    return Client(agent, host, port, **settings).start()


def words(message) -> str:
    """Return a message of the protocol as one line, without the run and game ids.

    Parameters
    ----------
    message : CoinGameState, CoinGameAction or CoinGameResult

    Returns
    -------
    str

    Examples
    --------
    >>> words(CoinGameState(coinCount=(1, 3), maxPick=2)), words(CoinGameAction(selectedRow=1, removeCount=2))
    ('State (1, 3), at most 2', 'Action: 2 from row 1')
    >>> words(CoinGameResult())
    'Result WIN'
    """
    if isinstance(message, CoinGameState):
        return f"State {tuple(message.coinCount)}, at most {message.maxPick}"
    if isinstance(message, CoinGameAction):
        return f"Action: {message.removeCount} from row {message.selectedRow}"
    return f"Result {NAMES.get(message.status, message.status)}"


def give_away(game: CoinGame, state: State) -> Move:
    """Return the move that loses soonest without stopping a server: if possible, by taking more than a row holds.

    The AI Sandbox's own server ends the run of both agents after an amount that no move may take or a row
    that does not exist; only taking more than a row holds loses the game there, as it does here.

    Examples
    --------
    >>> give_away(SCENARIOS["NIM"], (1, 3, 5, 7)), give_away(SCENARIOS["SINGLE_21_3"], (21,))
    (Move(row=0, count=2), Move(row=0, count=1))
    """
    short = [row for row, held in enumerate(state) if held < game.most]
    if not short:
        return take_one(game, state)
    return Move(max(short, key=lambda row: state[row]), game.most)
