"""Messages on a stream, each behind its length, and the conversation that goes on in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import io
import socket
import threading
from typing import Self

from google.protobuf.message import DecodeError, Message
from google.protobuf.proto import serialize_length_prefixed
from google.protobuf.unknown_fields import UnknownFieldSet

from coinlib.arena import AgentError

LONGEST = 65_536  # bytes of a State: room for many thousand rows
LONGEST_ACTION = 1_024  # bytes of an Action: 22 would do, and the rest is for what a later protocol may add


class WireError(Exception):
    """The other side cannot be spoken with any more; the message says why."""


class Left(WireError):
    """The other side closed the connection."""


def encode(message: Message) -> bytes:
    """A message as it travels, behind its length, a protobuf varint.

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


def decode(kind: type[Message], body: bytes) -> Message:
    """The message that some bytes hold; raises `WireError` if they hold something else."""
    name = kind.DESCRIPTOR.name
    try:
        message = kind.FromString(body)
    except DecodeError:
        raise WireError(f"it sent {len(body)} bytes that are no {name}") from None
    if not message.ListFields() and len(UnknownFieldSet(message)):
        raise WireError(f"it sent another message in the place of a {name}")
    return message


class Line:
    """One end of a conversation.

    Parameters
    ----------
    reader, writer : asyncio.StreamReader, asyncio.StreamWriter
    longest : int
        Bytes of the longest message that is let in.
    seconds : float or None
        For a whole message, so that sending it byte by byte gains no time; None: no limit.
    """

    def __init__(self, reader, writer, longest: int, seconds: float | None) -> None:
        self.reader, self.writer, self.longest, self.seconds = reader, writer, longest, seconds
        self.name = "{}:{}".format(*(writer.get_extra_info("peername") or ("nobody", 0)))
        with contextlib.suppress(OSError):  # no socket of the internet
            writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @property
    def is_open(self) -> bool:
        """Whether the other side is still there, as far as one knows."""
        return not self.reader.at_eof() and self.reader.exception() is None

    async def send(self, *messages: Message) -> None:
        """Send messages together; raises `WireError` if nobody takes them."""
        self.writer.write(b"".join(map(encode, messages)))
        await self._within(self.writer.drain())

    async def receive(self, kind: type[Message]) -> Message:
        """The next message; raises `WireError` if it does not come, or is something else."""
        return decode(kind, await self._within(self._body()))

    async def close(self) -> None:
        """Close this end, when what was sent has gone."""
        self.writer.close()
        with contextlib.suppress(WireError):
            await self._within(self.writer.wait_closed())

    async def _body(self) -> bytes:
        """A message without its length."""
        length, place, byte = 0, 0, 128
        while byte > 127:
            byte = (await self.reader.readexactly(1))[0]
            length |= (byte & 127) << place
            place += 7
            if length > self.longest or place > 63:
                raise WireError(f"it announced a message of more than {self.longest:,} bytes")
        return await self.reader.readexactly(length)

    async def _within(self, work):
        """What some work gives within the time, and its errors in words."""
        try:
            async with asyncio.timeout(self.seconds):
                return await work
        except TimeoutError:
            raise WireError(f"it sent no whole message within {self.seconds:g} seconds") from None
        except (asyncio.IncompleteReadError, ConnectionError):
            raise Left("it left") from None


class Conversation:
    """What goes on in a thread of its own, until it is over or closed; `stopped` is what ended it early, or "".

    Whoever is one has `_converse`, all that goes on, `_leave`, which lets go of what was taken before the start,
    and `score`, how it goes in words.
    """

    stopped = ""

    def start(self) -> Self:
        """Begin; itself."""
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._converse())
        self._over = threading.Event()  # until Python 3.13 a join that Ctrl-C breaks off takes a thread for ended
        self.thread = threading.Thread(target=self._go, name=f"coinlib {type(self).__name__.lower()}", daemon=True)
        self.thread.start()
        return self

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is over, at most so many seconds; whether it is."""
        return self._over.wait(seconds)

    def close(self) -> None:
        """Stop now; a game that is being played counts for nothing, and nobody learns from it."""
        with contextlib.suppress(RuntimeError):  # it is over
            self._loop.call_soon_threadsafe(self._task.cancel)
        self._over.wait(5.0)  # an agent may be deep in thought

    def __repr__(self) -> str:
        stopped = f"; stopped: {self.stopped}" if self.stopped else ""
        return f"{type(self).__name__}({self.score}{stopped})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _go(self) -> None:
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            self.stopped = "closed"
        except (WireError, AgentError, OSError) as error:
            self.stopped = str(error)
        except Exception as error:  # noqa: BLE001 - whatever an agent, or who watches, does wrong ends it in words
            self.stopped = f"{type(error).__name__}: {error}"
        finally:
            self._leave()
            self._loop.run_until_complete(asyncio.sleep(0))  # connections that were closed a moment ago are let go
            self._loop.close()
            self._over.set()
