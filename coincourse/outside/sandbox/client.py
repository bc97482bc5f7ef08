"""A client of the AI Sandbox protocol: it lets an agent play on a server, and learn there."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from coincourse.outside.sandbox.CoinGame_pb2 import LOSE, PLAY, WIN, CoinGameAction, CoinGameResult, CoinGameState
from coincourse.outside.sandbox.wire import LONGEST, Conversation, Left, Line, WireError
from coinlib.agents import agent_name, take_one
from coinlib.arena import ask, sit_down
from coinlib.arguments import check_agent, counted
from coinlib.games import SCENARIOS, CoinGame, IllegalMove, Move, State, read_move
from coinlib.learners import Learner

if TYPE_CHECKING:
    import pandas as pd

CONNECT_SECONDS = 10.0


class Client(Conversation):
    """An agent that plays on a server; made and started by `join`.

    Attributes
    ----------
    agent : agent
        None until it is made, where `join` was given a function that makes it.
    game : CoinGame
        None until the first State has told which it is, unless `join` was told.
    games, wins : int
        Games that are over, and won, so far.
    illegal : int
        Illegal moves so far; `complaint` is what was wrong with the last.
    stopped : str
        What ended it early, or "".
    """

    def __init__(self, sock: socket.socket, agent, make, game, timeout, learn, watch) -> None:
        self.agent, self.make, self.timeout, self.learn = agent, make, timeout, learn
        self.watch = watch or (lambda message: None)
        self.sock, self._leave = sock, sock.close
        self.game: CoinGame | None = agent.game if isinstance(agent, Learner) else game
        self.fixed = self.game is not None  # a game that was named, or that a learner plays, stays
        self.outcomes: list[tuple[str, str, int, int]] = []
        self.wins = self.illegal = 0
        self.complaint = ""

    @property
    def games(self) -> int:
        """How many games are over."""
        return len(self.outcomes)

    @property
    def results(self) -> pd.DataFrame:
        """A table with a row for each game: session, episode, turns of this agent, result (+1 or -1)."""
        import pandas as pd

        index = pd.RangeIndex(1, self.games + 1, name="game")
        return pd.DataFrame(list(self.outcomes), index=index, columns=["session", "episode", "turns", "result"])

    def __repr__(self) -> str:
        name = agent_name(self.agent) if self.agent is not None else "an agent"
        notes = f"; {counted(self.illegal, 'illegal move')}, the last: {self.complaint}" if self.illegal else ""
        notes += f"; stopped: {self.stopped}" if self.stopped else ""
        return f"Client({name}: {self.wins:,} of {self.games:,} games won{notes})"

    async def _converse(self) -> None:
        streams = await asyncio.open_connection(sock=self.sock)
        self.line = Line(*streams, LONGEST, self.timeout)
        try:
            while message := await self._first_state():
                await self._play(message)
        except Left:
            raise Left("the server left in the middle of a game") from None
        except WireError as error:
            raise WireError(f"lost the server: {error}") from None
        finally:
            await self.line.close()

    async def _first_state(self) -> CoinGameState | None:
        """The first State of a game; None when the server has ended the run."""
        try:
            return await self._hear(CoinGameState)
        except Left:
            if not self.outcomes:
                self.stopped = "the server ended the conversation before it began: is the seat taken, or the run over?"
            return None

    async def _play(self, message: CoinGameState) -> None:
        """One game from its first State on."""
        game = self._read_game(message)
        if self.agent is None:
            self.agent = self.make(game)
            self.fixed = self.fixed or isinstance(self.agent, Learner)
        seat = sit_down(self.agent, self.learn)
        tell = getattr(seat, "observe", _forget)  # whoever learns hears what came of its last move
        turns, status, last, lost = 0, PLAY, (), False
        try:
            while status == PLAY:
                state = tuple(message.coinCount)
                if last:
                    tell(*last, 0.0, state)
                answer = give_away(game, state) if lost else self._choose(seat, game, state)
                if not stops_nobody(game, answer):
                    tell(state, answer, -1.0, None)
                    tell, lost = _forget, True
                    answer = give_away(game, state)
                last = state, answer
                status = await self._act(game, answer)
                turns += 1
                if status == PLAY:
                    message = await self._hear(CoinGameState)
            won = status == WIN and not lost
            tell(*last, 1.0 if won else -1.0, None)
        finally:
            if hasattr(seat, "close"):
                seat.close()
        self.outcomes.append((message.sessionID, message.episodeID, turns, 1 if won else -1))
        self.wins += won

    def _choose(self, seat, game: CoinGame, state: State):
        """What the agent answers: a legal move, or whatever else it was."""
        answer = ask(seat, agent_name(self.agent), game, state)
        try:
            return read_move(game, state, answer)
        except IllegalMove as error:
            self.illegal, self.complaint = self.illegal + 1, str(error)
            if not stops_nobody(game, answer):
                self.complaint += "; the game is lost, and this was not sent: it could stop the server"
            return answer

    async def _act(self, game: CoinGame, answer) -> int:
        """Send a move as an Action; the status of its Result."""
        row, count = game.named_move(answer)
        action = CoinGameAction(selectedRow=row, removeCount=count)
        self.watch(action)
        await self.line.send(action)
        return (await self._hear(CoinGameResult)).status

    async def _hear(self, kind):
        message = await self.line.receive(kind)
        self.watch(message)
        return message

    def _read_game(self, message: CoinGameState) -> CoinGame:
        """The game that a first State belongs to: the one it must be, a scenario, or rows as they lie."""
        rows, most = tuple(message.coinCount), message.maxPick
        if not self.fixed:
            fitting = (game for game in SCENARIOS.values() if _fits(game, rows, most))
            self.game = next(fitting, None) or CoinGame(rows, most)
        elif not _fits(self.game, rows, most):
            raise WireError(f"it plays {rows}, at most {most} a turn; this agent plays {self.game}")
        return self.game


def join(
    agent=None,
    host: str = "127.0.0.1",
    port: int = 9000,
    game: CoinGame | None = None,
    make: Callable | None = None,
    timeout: float | None = None,
    learn: bool = True,
    watch: Callable | None = None,
) -> Client:
    """Let an agent play on a server of the AI Sandbox protocol, without waiting for the end.

    A learner learns from the delayed Results as it does in `train`: what it sees after the other
    agent's reply is its next state. Games in which it had no turn never reach it.

    Parameters
    ----------
    agent : agent
        A function (game, state) -> move, or one of ours. A learner plays its own game.
    host, port : str, int
        Where the server listens.
    game : CoinGame, optional
        The protocol says how many coins are left, not how many there were, and nothing of the ending.
        Left out: the scenario that the first State fits, else its rows in misère play.
    make : function (game) -> agent, optional
        In the place of `agent`: makes it when the first State has told which game is played.
    timeout : float, optional
        Seconds to wait for the server; without limit if left out, since it may wait for the other agent.
    learn : bool
        Whether an agent that can learn does.
    watch : function (message) -> None, optional
        Is handed every message as it passes, in another thread.

    Returns
    -------
    Client
        Playing in a thread of its own. ``client.wait()`` waits for the end, ``client.close()`` leaves.

    Examples
    --------
    >>> from coinlib import QLearner, RandomAgent, SCENARIOS
    >>> from coincourse.outside.sandbox import serve
    >>> learner = QLearner(SCENARIOS["NIM"], seed=1)
    >>> with serve("NIM", games=50, opponent=RandomAgent(seed=1), port=0) as server:
    ...     client = join(learner, port=server.ports[0])
    ...     over = client.wait(30)
    >>> client.games, learner.games
    (50, 50)
    """
    if (agent is None) == (make is None):
        raise TypeError("join: expected an agent, or make, a function (game) -> agent; and not both")
    if make is None:
        check_agent(agent, "agent")
    try:
        sock = socket.create_connection((host, port), timeout=CONNECT_SECONDS)
    except OSError as error:
        raise OSError(f"no server answers on {host}, port {port} ({error.strerror or error}); is it running?") from None
    client = Client(sock, agent, make, game, timeout, learn, watch)
    client.start()
    return client


def words(message) -> str:
    """A message of the protocol in one line, without the names of run and game.

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
    names = {WIN: "WIN", PLAY: "PLAY", LOSE: "LOSE"}
    return f"Result {names.get(message.status, message.status)}"


def give_away(game: CoinGame, state: State) -> Move:
    """The move that loses soonest without stopping a server: more than a row holds, if some row holds few enough.

    The AI Sandbox's own server ends the run of both agents at an amount that no move may take, or a row
    that is not there; only taking more than a row holds loses there, as it does here.

    Examples
    --------
    >>> give_away(SCENARIOS["NIM"], (1, 3, 5, 7)), give_away(SCENARIOS["SINGLE_21_3"], (21,))
    (Move(row=0, count=2), Move(row=0, count=1))
    """
    short = [row for row, held in enumerate(state) if held < game.most]
    return Move(max(short, key=state.__getitem__), game.most) if short else take_one(game, state)


def stops_nobody(game: CoinGame, answer) -> bool:
    """Whether an answer may be sent: a row that is there, and a number of coins that some move may take."""
    try:
        row, count = game.named_move(answer)
    except IllegalMove:
        return False
    return 0 <= row < len(game.rows) and 1 <= count <= game.most


def _forget(*told) -> None:
    """Hears, like an agent that does not learn, and does nothing."""


def _fits(game: CoinGame, state: State, most: int) -> bool:
    """Whether a State can be one of this game."""
    counts_fit = len(state) == len(game.rows) and all(0 <= held <= row for held, row in zip(state, game.rows))
    return counts_fit and any(state) and most == game.most
