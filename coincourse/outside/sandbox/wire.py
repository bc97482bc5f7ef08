"""Messages on a stream, each preceded by its length, and a conversation that runs in its own thread."""

from __future__ import annotations

import asyncio
import contextlib
import io
import threading
from abc import ABC, abstractmethod
from collections.abc import Awaitable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Self

from google.protobuf.message import DecodeError, Message
from google.protobuf.proto import serialize_length_prefixed
from google.protobuf.unknown_fields import UnknownFieldSet

from coinlib.match import AgentError

if TYPE_CHECKING:
    import pandas as pd


SHORTEST_WAIT = 0.001  # seconds: with 0 every wait would fail


def nothing(*_) -> None:
    """Do nothing; the default callback."""


class WireError(Exception):
    """The conversation cannot continue; the message says why."""


class Disconnected(WireError):
    """The other side closed the connection."""


def encode(message: Message) -> bytes:
    """Return the bytes of a message, preceded by its length as a protobuf varint.

    Parameters
    ----------
    message : protobuf message

    Returns
    -------
    bytes

    Examples
    --------
    >>> from coincourse.outside.sandbox.CoinGame_pb2 import CoinGameAction
    >>> encode(CoinGameAction(selectedRow=2, removeCount=1)).hex(" ")
    '04 08 02 10 01'
    """
    stream = io.BytesIO()
    serialize_length_prefixed(message, stream)
    return stream.getvalue()


class Line:
    """One end of a connection that sends and receives whole messages.

    Parameters
    ----------
    who : str
        The name of the other end in error messages.
    reader, writer : asyncio.StreamReader, asyncio.StreamWriter
    seconds : float or None
        The time limit for a whole message, so that sending it byte by byte gains no time; None: no limit.

    Attributes
    ----------
    heard : bool
        Whether the other end has sent anything yet.
    """

    def __init__(
        self, who: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float | None
    ) -> None:
        self.who = who
        self.reader = reader
        self.writer = writer
        self.seconds = seconds
        self.heard = False

    @property
    def is_open(self) -> bool:
        """Whether the other side is still connected, as far as we know."""
        return not self.reader.at_eof() and self.reader.exception() is None

    async def send(self, *messages: Message) -> None:
        """Send messages together; raises `WireError` if that fails."""
        self.writer.write(b"".join(map(encode, messages)))
        await self._within(self.writer.drain())

    async def receive(self, kind: type[Message]) -> Message:
        """Return the next message; raises `WireError` if none arrives or it is of another kind."""
        body = await self._within(self._body())
        with contextlib.suppress(DecodeError):
            message = kind.FromString(body)
            # otherwise it is a message of another kind
            if message.ListFields() or not len(UnknownFieldSet(message)):
                return message
        raise WireError(f"{self.who} sent {len(body)} bytes that are not a {kind.DESCRIPTOR.name}")

    async def close(self) -> None:
        """Close this end after everything has been sent."""
        self.writer.close()
        with contextlib.suppress(WireError):
            await self._within(self.writer.wait_closed())

    async def _body(self) -> bytes:
        """Return the bytes of a message. Its length comes first, in at most three pieces of 7 bits."""
        length = 0
        for place in (0, 7, 14):
            (piece,) = await self.reader.readexactly(1)
            self.heard = True
            length += (piece & 127) << place
            if piece < 128:
                return await self.reader.readexactly(length)
        raise WireError(f"{self.who} announced a message of 2 MB or more")

    async def _within(self, work: Awaitable):
        """Return the result of `work`; raises `WireError` if it fails or takes too long."""
        try:
            async with asyncio.timeout(self.seconds):
                return await work
        except TimeoutError:
            raise WireError(f"{self.who} did not send a whole message within {self.seconds:g} s") from None
        except (asyncio.IncompleteReadError, ConnectionError):
            raise Disconnected(f"{self.who} left") from None


class Conversation(ABC):
    """A conversation in its own thread: the base class of the server and the client.

    A subclass provides `_converse`, the coroutine to run; `score`; `Record`, a named tuple for one game; and
    `_taken`, a context manager that closes the sockets that were opened before the start.

    Attributes
    ----------
    records : list of Record
        The games that are over.
    stopped : str
        Why it stopped early, or "".
    """

    Record: type[tuple]
    _taken: AbstractContextManager
    stopped = ""

    @property
    @abstractmethod
    def score(self) -> str:
        """The score so far, as text."""

    @abstractmethod
    async def _converse(self) -> None:
        """Play from the first game to the last, and add each to `records`."""

    def start(self) -> Self:
        """Start the thread; returns self."""
        self.records: list = []
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._converse())
        # An event, since before Python 3.13 a `join` interrupted by Ctrl-C assumes that its thread has ended.
        self._over = threading.Event()
        name = f"coinlib {type(self).__name__.lower()}"
        self.thread = threading.Thread(target=self._go, name=name, daemon=True)
        self.thread.start()
        return self

    @property
    def results(self) -> pd.DataFrame:
        """A table with a row for each game that is over; see `Record`."""
        import pandas as pd

        return pd.DataFrame(self.records.copy(), columns=self.Record._fields).set_index("game")

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is over, or for `seconds` at most; return whether it is over."""
        return self._over.wait(seconds)

    def close(self) -> None:
        """Stop now; the current game does not count, and no agent learns from it."""
        with contextlib.suppress(RuntimeError):  # the loop is closed if the conversation is over
            self._loop.call_soon_threadsafe(self._task.cancel)
        self._over.wait(5.0)  # not for ever: our own agent may be busy with a move

    def __repr__(self) -> str:
        stopped = f"; stopped: {self.stopped}" if self.stopped else ""
        return f"{type(self).__name__}({self.score}{stopped})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _go(self) -> None:
        """Run the conversation, and store why it ends early; runs in a thread."""
        try:
            with self._taken:
                self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            self.stopped = "closed"
        except (WireError, AgentError, OSError) as error:
            self.stopped = str(error)
        except Exception as error:  # noqa: BLE001 - an agent, or `watch`, may raise anything
            self.stopped = f"{type(error).__name__}: {error}"
        finally:
            # One more round of the loop releases connections that were closed just now.
            self._loop.run_until_complete(asyncio.sleep(0))
            self._loop.close()
            self._over.set()
