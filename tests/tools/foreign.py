"""An agent and a server of the AI Sandbox protocol as a stranger would write them: bytes by hand.

Nothing here uses coinlib or protobuf, so what the tests show is true of programs in any language.
"""

from __future__ import annotations

import contextlib
import socket
import threading

SECONDS = 60.0  # after which a test gives up
WIN, PLAY, LOSE = 0, 1, 2
opened: list[socket.socket] = []


def close_all() -> None:
    """Close whatever a test has opened and may have left open."""
    while opened:
        opened.pop().close()


def varint(number: int) -> bytes:
    """A number as protobuf writes it; negative ones take ten bytes."""
    number %= 1 << 64
    digits = []
    while number > 127:
        digits.append(number % 128 + 128)
        number //= 128
    return bytes([*digits, number])


def number(field: int, value: int) -> bytes:
    """A field that holds a number; proto3 leaves it out if it is 0."""
    return varint(field * 8) + varint(value) if value else b""


def text(field: int, value: bytes) -> bytes:
    return varint(field * 8 + 2) + varint(len(value)) + value


def framed(body: bytes) -> bytes:
    return varint(len(body)) + body


def state(session: bytes, episode: bytes, coins, most: int, packed: bool = True) -> bytes:
    """A CoinGameState after its length. An old encoder does not pack repeated numbers."""
    if packed:
        counts = text(4, b"".join(map(varint, coins)))
    else:
        counts = b"".join(varint(4 * 8) + varint(count) for count in coins)
    return framed(text(1, session) + text(2, episode) + number(3, len(coins)) + counts + number(5, most))


def action(row: int, count: int) -> bytes:
    return framed(number(1, row) + number(2, count))


def result(status: int) -> bytes:
    return framed(number(1, status))


def read_varint(data: bytes, place: int) -> tuple[int, int]:
    """The number that starts at a place, and the place after it."""
    value = shift = 0
    while True:
        byte = data[place]
        value += (byte % 128) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place


def fields(body: bytes) -> dict[int, list]:
    """What a message holds: for each field its numbers and texts, in order."""
    found: dict[int, list] = {}
    place = 0
    while place < len(body):
        key, place = read_varint(body, place)
        value, place = read_varint(body, place)
        if key % 8 == 2:
            value, place = body[place : place + value], place + value
        found.setdefault(key // 8, []).append(value)
    return found


class Line:
    """A connection that reads whole messages."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        opened.append(sock)
        self.sock.settimeout(SECONDS)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def body(self) -> bytes | None:
        """The next message without its length; None if the other side has closed."""
        head = b""
        while not head or head[-1] > 127:
            piece = self.sock.recv(1)
            if not piece:
                return None
            head += piece
        length, body = read_varint(head, 0)[0], b""
        while len(body) < length:
            body += self.sock.recv(length - len(body))
        return body

    def state(self) -> dict | None:
        """The next State, as text; None if the other side has closed."""
        body = self.body()
        if body is None:
            return None
        found = fields(body)
        packed, counts, place = found.get(4, [b""])[0], [], 0
        while place < len(packed):
            count, place = read_varint(packed, place)
            counts.append(count)
        one = {name: found.get(key, [0])[0] for name, key in (("session", 1), ("episode", 2), ("rows", 3), ("most", 5))}
        assert one["rows"] == len(counts)
        return {**one, "coins": tuple(counts)}

    def result(self) -> int | None:
        """The status of the next Result: one that is left out is 0, a win."""
        body = self.body()
        return None if body is None else fields(body).get(1, [0])[0]

    def is_silent(self, seconds: float = 0.15) -> bool:
        """Whether nothing comes for some time."""
        self.sock.settimeout(seconds)
        try:
            self.sock.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            return True
        finally:
            self.sock.settimeout(SECONDS)
        return False

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def close(self) -> None:
        self.sock.close()


class Agent(Line):
    """An agent that joins a server."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        super().__init__(socket.create_connection((host, port), SECONDS))
        self.log: list = []  # what it heard and did, as lesson 13 writes it down

    def play(self, choose, games: int | None = None) -> list[int]:
        """Play until the server closes, or this many games; `choose` maps a State to a row and a count."""
        outcomes: list[int] = []
        while games is None or len(outcomes) < games:
            asked = self.state()
            if asked is None:
                break
            move = choose(asked)
            self.log += [("State", asked["coins"]), ("Action", tuple(move))]
            self.send(action(*move))
            status = self.result()
            if status is None:
                break
            self.log.append(("Result", ("WIN", "PLAY", "LOSE")[status]))
            if status != PLAY:
                outcomes.append(status)
        return outcomes

    def start(self, choose) -> threading.Thread:
        """Play in a thread."""
        thread = threading.Thread(target=self.play, args=(choose,), daemon=True)
        thread.start()
        return thread


class Server:
    """A server for one agent; the other side is played here. Misère play on rows of coins.

    Like the original, it ends the run if an amount is never allowed or a row does not exist.
    """

    def __init__(self, rows=(21,), most: int = 3, games: int = 2, packed: bool = True) -> None:
        self.rows, self.most, self.games, self.packed = rows, most, games, packed
        self.listener = socket.create_server(("127.0.0.1", 0))
        opened.append(self.listener)
        self.port = self.listener.getsockname()[1]
        self.outcomes: list[int] = []
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        line = Line(self.listener.accept()[0])
        with contextlib.suppress(EOFError, OSError):  # the agent may leave, or do something that ends the run
            for game in range(self.games):
                self.outcomes.append(self.play(line, b"game %d" % game, game % 2 == 0))
        line.close()
        self.listener.close()

    def play(self, line: Line, episode: bytes, agents_turn: bool) -> int:
        coins, moved, status = list(self.rows), False, PLAY
        while status == PLAY:
            if agents_turn:
                if moved:
                    line.send(result(PLAY))
                line.send(state(b"a session", episode, coins, self.most, self.packed))
                body = line.body()
                if body is None:
                    raise EOFError
                found = fields(body)
                row, count = (found.get(key, [0])[0] for key in (1, 2))
                moved = True
            else:
                row, count = take_one(coins)
            if not (0 <= row < len(coins) and 1 <= count <= self.most):
                raise EOFError
            if count > coins[row]:
                status = LOSE if agents_turn else WIN
            else:
                coins[row] -= count
                if not any(coins):  # the player who took the last coin loses
                    status = LOSE if agents_turn else WIN
            agents_turn = not agents_turn
        if moved:
            line.send(result(status))
        return status


def take_one(coins) -> tuple[int, int]:
    """One coin from the first row that has any."""
    return next(row for row, count in enumerate(coins) if count), 1


def one_coin(asked: dict) -> tuple[int, int]:
    """The same, for an agent."""
    return take_one(asked["coins"])
