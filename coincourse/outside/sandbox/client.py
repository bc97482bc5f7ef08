"""A client of the AI Sandbox protocol: it lets an agent play on a server, and learn there."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from coincourse.outside.sandbox.CoinGame_pb2 import LOSE, PLAY, WIN, CoinGameAction, CoinGameResult, CoinGameState
from coincourse.outside.sandbox.wire import LAST_PORT, Connection, Left, WireError, host_name, patience, seconds_of
from coinlib.agents import agent_name
from coinlib.arena import AgentError
from coinlib.arguments import check_agent, counted, shown, whole_number
from coinlib.games import SCENARIOS, CoinGame, IllegalMove, State, read_move
from coinlib.learners import Learner

if TYPE_CHECKING:
    import pandas as pd

CONNECT_SECONDS = 10.0


class Client:
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

    def __init__(self, connection, agent, make, game, timeout, learn, watch) -> None:
        self.connection, self.agent, self.make, self.timeout = connection, agent, make, timeout
        self.learn, self.watch, self.stopped, self.closing = learn, watch, "", False
        self.game: CoinGame | None = agent.game if isinstance(agent, Learner) else game
        self.fixed = self.game is not None  # a game that was named, or that a learner plays, stays
        self.outcomes: list[tuple[str, str, int, int]] = []
        self.wins = self.illegal = 0
        self.complaint = ""
        self.thread = threading.Thread(target=self._run, name="coinlib client", daemon=True)
        self.thread.start()

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

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the server ends the run; whether it has.

        Parameters
        ----------
        seconds : float, optional
            0 or more; without limit if left out. Raises TypeError or ValueError where it is neither.
        """
        self.thread.join(patience(seconds))
        return not self.thread.is_alive()

    def close(self) -> None:
        """Leave the server; a game that is not over leaves no trace in what has been learnt."""
        self.closing = self.thread.is_alive()
        self.connection.close()
        self.thread.join(5.0)  # the agent may be deep in thought

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __repr__(self) -> str:
        name = agent_name(self.agent) if self.agent is not None else "an agent"
        notes = f"; {counted(self.illegal, 'illegal move')}, the last: {self.complaint}" if self.illegal else ""
        notes += f"; stopped: {self.stopped}" if self.stopped else ""
        return f"Client({name}: {self.wins:,} of {self.games:,} games won{notes})"

    def _run(self) -> None:
        message = None
        try:
            while message := message or self._first_state():
                message = self._play(message)
        except Left:
            self.stopped = "the server left in the middle of a game"
        except WireError as error:
            self.stopped = f"lost the server: {error}"
        except AgentError as error:
            self.stopped = str(error)
        except Exception as error:  # noqa: BLE001 - a student's `observe` or `watch` may raise anything
            self.stopped = f"{type(error).__name__}: {error}"
        finally:
            if self.closing:
                self.stopped = "closed"
            self.connection.close()

    def _first_state(self) -> CoinGameState | None:
        """The first State of a game; None when the server has ended the run."""
        try:
            return self._hear(CoinGameState)
        except Left:
            if not self.outcomes:
                self.stopped = "the server ended the conversation before it began: is the seat taken, or the run over?"
            return None

    def _play(self, message: CoinGameState) -> CoinGameState | None:
        """One game from its first State on; the first State of the next, if the server never ended this one."""
        game = self._read_game(message)
        seat = self._sit(game)
        episode, turns, last = message.episodeID, 0, None
        try:
            while message.episodeID == episode:
                state = _read_state(game, message)
                if last is not None and hasattr(seat, "observe"):
                    seat.observe(*last, 0.0, state)
                last = state, self._move(seat, game, state)
                turns += 1
                status = self._hear(CoinGameResult).status
                if status in (WIN, LOSE):
                    self._end(seat, last, (message.sessionID, episode, turns, 1 if status == WIN else -1))
                    return None
                if status != PLAY:
                    raise WireError(f"it sent a Result of {status}, which is none of WIN, PLAY and LOSE")
                message = self._hear(CoinGameState)
            return message
        finally:
            if hasattr(seat, "close"):
                seat.close()

    def _sit(self, game: CoinGame):
        """The agent as it sits down to a game: a learner who learns takes a seat."""
        if self.agent is None:
            try:
                self.agent = self.make(game)
            except Exception as error:
                raise AgentError(f"the agent cannot be made: {error}") from error
            self.fixed = self.fixed or isinstance(self.agent, Learner)
        if hasattr(self.agent, "new_match"):
            self.agent.new_match()
        return self.agent.sit() if self.learn and isinstance(self.agent, Learner) else self.agent

    def _move(self, seat, game: CoinGame, state: State):
        """Ask the agent, and send its Action; the server decides what becomes of an illegal one."""
        try:
            answer = seat(game, state)
        except Exception as error:
            name = agent_name(self.agent)
            raise AgentError(f"{name} raised {type(error).__name__} in state {state}: {error}") from error
        action = CoinGameAction()  # no coins from row 0: what stands for an answer that is no move
        try:
            answer = read_move(game, state, answer)
        except IllegalMove as error:
            self.illegal, self.complaint = self.illegal + 1, str(error)
        with contextlib.suppress(IllegalMove, ValueError):  # ValueError: a number too large for the message
            row, count = game.named_move(answer)
            action = CoinGameAction(selectedRow=row, removeCount=count)
        self._watch(action)
        self.connection.send(action, seconds=self.timeout)
        return answer

    def _end(self, seat, last, outcome) -> None:
        """Let the agent learn from how the game ended, and count it."""
        result = outcome[-1]
        if hasattr(seat, "observe"):
            seat.observe(*last, float(result), None)
        self.outcomes.append(outcome)
        self.wins += result > 0

    def _hear(self, kind):
        message = self.connection.receive(kind, self.timeout)
        self._watch(message)
        return message

    def _watch(self, message) -> None:
        if self.watch:
            self.watch(message)

    def _read_game(self, message: CoinGameState) -> CoinGame:
        """The game that a first State belongs to: the one it must be, a scenario, or rows as they lie."""
        rows, most = tuple(message.coinCount), message.maxPick
        for game in (self.game, *(() if self.fixed else SCENARIOS.values())):
            if game and _fits(game, rows, most):
                self.game = game
                return game
        if self.fixed:
            raise WireError(f"it plays {rows}, at most {most} a turn; this agent plays {self.game}")
        try:
            self.game = CoinGame(rows, most)
        except (ValueError, TypeError) as error:
            raise WireError(f"it sent a State that cannot be ({error})") from None
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

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above.
    OSError
        If there is no server.

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
    elif not callable(make):
        raise TypeError(f"make: expected a function (game) -> agent; got {shown(make)}")
    if game is not None and isinstance(agent, Learner) and agent.game != game:
        raise ValueError(f"game: this learner plays {agent.game}; got {game}")
    host, port = host_name(host), whole_number(port, "port", least=1, most=LAST_PORT)
    timeout = None if timeout is None else seconds_of(timeout, "timeout")
    if not (watch is None or callable(watch)):
        raise TypeError(f"watch: expected a function (message) -> None, or None; got {shown(watch)}")
    try:
        sock = socket.create_connection((host, port), timeout=CONNECT_SECONDS)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise OSError(f"no server answers on {host}, port {port} ({why}); is it running?") from None
    return Client(Connection(sock), agent, make, game, timeout, learn, watch)


def words(message) -> str:
    """A message of the protocol in one line, without the names of run and game.

    Parameters
    ----------
    message : CoinGameState, CoinGameAction or CoinGameResult

    Returns
    -------
    str

    Raises
    ------
    TypeError
        If it is none of these.

    Examples
    --------
    >>> words(CoinGameState(coinCount=(1, 3), maxPick=2)), words(CoinGameAction(selectedRow=1, removeCount=2))
    ('State (1, 3), at most 2', 'Action: 2 from row 1')
    >>> words(CoinGameResult())
    'Result WIN'
    """
    if not isinstance(message, (CoinGameState, CoinGameAction, CoinGameResult)):
        raise TypeError(f"message: expected a State, an Action or a Result, got {shown(message)}")
    if isinstance(message, CoinGameState):
        return f"State {tuple(message.coinCount)}, at most {message.maxPick}"
    if isinstance(message, CoinGameAction):
        return f"Action: {message.removeCount} from row {message.selectedRow}"
    names = {WIN: "WIN", PLAY: "PLAY", LOSE: "LOSE"}
    return f"Result {names.get(message.status, message.status)}"


# --- small helpers --------------------------------------------------------------------------------------


def _fits(game: CoinGame, state: State, most: int) -> bool:
    """Whether a State can be one of this game."""
    counts_fit = len(state) == len(game.rows) and all(0 <= held <= row for held, row in zip(state, game.rows))
    return counts_fit and any(state) and most == (game.max_pick or max(game.rows))


def _read_state(game: CoinGame, message: CoinGameState) -> State:
    state = tuple(message.coinCount)
    if not _fits(game, state, message.maxPick):
        raise WireError(f"it sent a State, {state}, at most {message.maxPick} a turn, that is none of {game}")
    return state
