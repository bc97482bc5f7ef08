"""Messages on a socket: each behind its own length, a protobuf varint, and all of it within limits."""

from __future__ import annotations

import contextlib
import socket
import time

from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from coinlib.arguments import number_in, shown, whole_number

LONGEST = 65_536  # bytes of a State: room for many thousand rows
LONGEST_ACTION = 1_024  # bytes of an Action: 22 would do, and the rest is for what a later protocol may add
LONGEST_VARINT = 10  # bytes, as protobuf has it
LAST_PORT = 65_535
LONGEST_WAIT = 1e6  # seconds: systems know no longer ones
PIECE = 4_096  # bytes asked of the socket at a time


class WireError(Exception):
    """The other side cannot be spoken with any more; the message says why."""


class Left(WireError):
    """The other side closed the connection, and not in the middle of a message."""


def encode(message: Message) -> bytes:
    """A message as it travels, behind its length.

    Parameters
    ----------
    message : protobuf message

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        If the message is longer than `LONGEST`.
    TypeError
        If it is none.

    Examples
    --------
    >>> from coincourse.outside.sandbox.CoinGame_pb2 import CoinGameAction
    >>> encode(CoinGameAction(selectedRow=2, removeCount=1)).hex(" ")
    '04 08 02 10 01'
    """
    if not isinstance(message, Message):
        raise TypeError(f"message: expected one of protobuf, got {shown(message)}")
    body = message.SerializeToString()
    if len(body) > LONGEST:
        raise ValueError(f"expected a message of at most {LONGEST:,} bytes, got {len(body):,}")
    length, left = bytearray(), len(body)
    while left > 127:
        length.append(left & 127 | 128)
        left >>= 7
    return bytes(length) + bytes([left]) + body


def take(buffer: bytearray, longest: int = LONGEST) -> bytes | None:
    """Take the first whole message out of what has arrived so far.

    Parameters
    ----------
    buffer : bytearray
        Shortened by the message and its length.
    longest : int
        Bytes of the longest message that is let in.

    Returns
    -------
    bytes or None
        The message without its length; None while it is not complete.

    Raises
    ------
    WireError
        If the length does not end, or is more than `longest`.
    TypeError, ValueError
        If an argument is none of the above.

    Examples
    --------
    >>> buffer = bytearray(b"\\x02\\x08\\x01\\x05")
    >>> take(buffer), take(buffer), buffer
    (b'\\x08\\x01', None, bytearray(b'\\x05'))
    """
    if not isinstance(buffer, bytearray):
        raise TypeError(f"buffer: expected a bytearray, got {shown(buffer)}")
    longest = whole_number(longest, "longest", least=0)
    length = 0
    for place, byte in enumerate(buffer[:LONGEST_VARINT]):
        length |= (byte & 127) << 7 * place
        if length > longest:
            raise WireError(f"it announced a message of more than {longest:,} bytes")
        if byte < 128:
            start, end = place + 1, place + 1 + length
            if len(buffer) < end:
                return None
            body = bytes(buffer[start:end])
            del buffer[:end]
            return body
    if len(buffer) >= LONGEST_VARINT:
        raise WireError("it sent a length that does not end")
    return None


def decode(kind: type[Message], body: bytes) -> Message:
    """The message that some bytes hold; raises `WireError` if they hold something else.

    Parameters
    ----------
    kind : protobuf message class
    body : bytes

    Raises
    ------
    TypeError
        If `kind` or `body` is something else.
    """
    if not (isinstance(kind, type) and issubclass(kind, Message)):
        raise TypeError(f"kind: expected a class of messages of protobuf, got {shown(kind)}")
    if not isinstance(body, (bytes, bytearray)):
        raise TypeError(f"body: expected bytes, got {shown(body)}")
    name = kind.DESCRIPTOR.name
    try:
        message = kind.FromString(bytes(body))
    except DecodeError:
        raise WireError(f"it sent {len(body)} bytes that are no {name}") from None
    if not message.ListFields() and len(UnknownFieldSet(message)):
        raise WireError(f"it sent another message in the place of a {name}")
    return message


class Connection:
    """One end of a conversation.

    Parameters
    ----------
    sock : socket.socket
        Connected; it belongs to this object from now on.
    longest : int
        Bytes of the longest message that is let in.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above; here and in the methods.
    """

    def __init__(self, sock: socket.socket, longest: int = LONGEST) -> None:
        if not isinstance(sock, socket.socket):
            raise TypeError(f"sock: expected a socket, got {shown(sock)}")
        longest = whole_number(longest, "longest", least=0)
        self.sock, self.longest, self.buffer = sock, longest, bytearray()
        with contextlib.suppress(OSError):  # it may have gone already
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            self.name = "{}:{}".format(*sock.getpeername())
        except (OSError, IndexError):  # not of the internet, such as one end of a pair
            self.name = "somebody"

    def send(self, *messages: Message, seconds: float | None = None) -> None:
        """Send messages together; raises `WireError` if nobody takes them within `seconds`."""
        seconds = None if seconds is None else seconds_of(seconds, "seconds")
        sent = b"".join(map(encode, messages))
        try:
            self.sock.settimeout(seconds)
            self.sock.sendall(sent)
        except OSError as error:
            raise self._broken(error) from None

    def receive(self, kind: type[Message], seconds: float | None = None) -> Message:
        """The next message.

        Parameters
        ----------
        kind : protobuf message class
        seconds : float, optional
            For the whole message, so that sending it byte by byte gains no time.

        Returns
        -------
        message of `kind`

        Raises
        ------
        WireError
            If it does not come, or is something else.
        """
        deadline = None if seconds is None else time.monotonic() + seconds_of(seconds, "seconds")
        if not (isinstance(kind, type) and issubclass(kind, Message)):
            raise TypeError(f"kind: expected a class of messages of protobuf, got {shown(kind)}")
        while (body := take(self.buffer, self.longest)) is None:
            try:
                self._read_on(None if deadline is None else max(deadline - time.monotonic(), 1e-9))
            except TimeoutError:
                raise WireError(f"it sent no whole message within {seconds:g} seconds") from None
        return decode(kind, body)

    def check_silent(self) -> None:
        """Raise `WireError` if the other side has left, or has spoken before it was asked."""
        with contextlib.suppress(TimeoutError, BlockingIOError):
            self._read_on(0)
        if self.buffer:
            raise WireError("it spoke before it was asked")

    def peek(self) -> bytes | None:
        """What has arrived, left where it is: None if nothing has, no bytes if the other side has left."""
        try:
            twin = self.sock.dup()  # so that whoever waits on the socket itself is not disturbed
        except OSError:
            return b"" if self.sock.fileno() < 0 else None  # closed; or no twin can be had, and nobody knows
        with twin:
            try:
                twin.settimeout(0)
                return twin.recv(1, socket.MSG_PEEK)
            except BlockingIOError:
                return None
            except OSError:
                return b""

    def close(self) -> None:
        """Close this end; whoever waits on it in another thread is woken."""
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        self.sock.close()

    def _read_on(self, seconds: float | None) -> None:
        try:
            self.sock.settimeout(seconds)
            piece = self.sock.recv(PIECE)
        except (TimeoutError, BlockingIOError):
            raise
        except OSError as error:
            raise self._broken(error) from None
        if not piece:
            raise self._gone()
        self.buffer += piece

    def _broken(self, error: OSError) -> WireError:
        gone = isinstance(error, ConnectionError) or self.sock.fileno() < 0
        return self._gone() if gone else WireError(f"the connection broke ({error.strerror or error})")

    def _gone(self) -> WireError:
        return WireError("it left in the middle of a message") if self.buffer else Left("it left")


# --- what is asked of arguments ---------------------------------------------------------------------------


def seconds_of(value, what: str) -> float:
    """A time above 0 and at most a million seconds, as a float.

    Raises
    ------
    TypeError, ValueError
        If it is none; `what` names it.
    """
    seconds = number_in(value, what)
    if not 0 < seconds <= LONGEST_WAIT:
        most = f", at most {LONGEST_WAIT:,.0f}" if seconds > 0 else ""
        raise ValueError(f"{what}: expected a number of seconds above 0{most}, got {shown(value)}")
    return seconds


def patience(value) -> float | None:
    """How long to wait: 0 or more seconds, or None for no limit.

    Raises
    ------
    TypeError, ValueError
        If it is none of these.
    """
    if value is None or (isinstance(value, (int, float)) and value == 0):
        return value
    return seconds_of(value, "seconds")


def host_name(value) -> str:
    """The name or the address of a machine.

    Raises
    ------
    TypeError, ValueError
        If it can be none.
    """
    if not isinstance(value, str):
        raise TypeError(f"host: expected a name or an address, got {shown(value)}")
    if not value or "\0" in value:
        raise ValueError(f"host: expected a name or an address, got {shown(value)}")
    return value
