"""A Python process of its own for code from outside: how it is started, spoken to, limited and ended.

Lines of text go to and fro over a socket. The process is for containing mistakes and mischief. It
is not a prison: whoever runs programs of strangers should do it on a machine, or in a container, that
may break.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

PIECE = 65_536  # bytes that are read at once


class Late(Exception):
    """No line came in time."""


class Ended(Exception):
    """No line will come any more; why, in words."""


class Worker:
    """A module of the course that runs as a process of its own, as whoever started it sees it.

    Parameters
    ----------
    module : str
        It is run as ``python -m module``, and begins with `channel`.
    longest : int
        Bytes of one line that it may send.
    environment : mapping of str to str, optional
        Its environment variables (default: ours).
    folder : Path, optional
        Where it runs (default: here).
    """

    def __init__(
        self,
        module: str,
        longest: int,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        self.longest = longest
        self._received = bytearray()
        self._socket, theirs = socket.socketpair()
        command = [sys.executable, "-P", "-m", module]
        one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        paths = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)
        settings = {**(os.environ if environment is None else environment), **one_thread}
        settings |= {"PYTHONHASHSEED": "0", "PYTHONPATH": paths}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": settings, "cwd": folder}
        with theirs:
            if sys.platform == "win32":
                # the length of what is shared is the same for every process
                length = len(theirs.share(os.getpid()))
                self._process = subprocess.Popen([*command, str(length)], stdin=subprocess.PIPE, **quiet)
                self._process.stdin.write(theirs.share(self._process.pid))
                self._process.stdin.close()
            else:
                # a session of its own: Ctrl-C is for us, and whatever it starts can be stopped with it
                number = theirs.fileno()
                quiet |= {"stdin": subprocess.DEVNULL, "pass_fds": [number], "start_new_session": True}
                self._process = subprocess.Popen([*command, str(number)], **quiet)

    def send(self, line: bytes, seconds: float) -> None:
        """Send a line, which ends in a newline; `Late` or `Ended` if nobody takes it."""
        try:
            self._socket.settimeout(seconds)
            self._socket.sendall(line)
        except TimeoutError:
            raise Late from None
        except OSError:
            raise self._why_ended() from None

    def receive(self, seconds: float) -> bytes | None:
        """The next line, without its end; None if it is longer than allowed; `Late` or `Ended` if there is none."""
        deadline = time.monotonic() + seconds
        searched = 0
        while (end := self._received.find(b"\n", searched)) < 0:
            searched = len(self._received)
            if searched > self.longest:
                return None
            left = deadline - time.monotonic()
            if left <= 0:
                raise Late
            try:
                self._socket.settimeout(left)
                piece = self._socket.recv(PIECE)
            except TimeoutError:
                raise Late from None
            except OSError:
                raise self._why_ended() from None
            if not piece:
                raise self._why_ended()
            self._received += piece
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        return line if len(line) <= self.longest else None

    @property
    def has_said_more(self) -> bool:
        """Whether something has come behind the last line."""
        return bool(self._received)

    def interrupt(self) -> bool:
        """Press Ctrl-C in it, where that can be done; whether it can."""
        if sys.platform == "win32":
            return False
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self._process.pid, signal.SIGINT)
        return True

    def stop(self) -> None:
        """End the process and whatever it has started."""
        self._socket.close()
        family = _descendants(self._process.pid)
        if sys.platform == "win32":
            self._process.kill()
        else:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):  # PermissionError: on macOS, when all of it has ended
                self._process.kill()
        for one in family:
            with contextlib.suppress(Exception):  # it has ended by itself
                one.kill()
        self._process.wait()

    def _why_ended(self) -> Ended:
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return Ended("it closed its connection")
        return Ended(f"its process ended ({f'signal {-status}' if status < 0 else f'status {status}'})")


def _descendants(pid: int) -> list:
    """What a process has started, and what those have started, as psutil's processes."""
    import psutil

    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:  # it has ended
        return []


# --- on the side of the process -------------------------------------------------------------------------------


def channel() -> socket.socket:
    """The socket whose number stands on the command line; what is printed goes nowhere, and there is no input."""
    if sys.platform == "win32":
        ours = socket.fromshare(sys.stdin.buffer.read(int(sys.argv[1])))
    else:
        ours = socket.socket(fileno=int(sys.argv[1]))
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    return ours


def end_with(parent: int) -> None:
    """Leave when the parent process is gone, even in the middle of an endless loop; runs in a thread."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def run_plain_python() -> None:
    """Let coinlib's loops run as they stand: to import the compiler can cost more than it saves."""
    from coinlib import loops

    hidden = sys.modules.get("numba")
    sys.modules["numba"] = None  # type: ignore[assignment]
    loops.numba()
    if hidden is None:
        del sys.modules["numba"]
    else:
        sys.modules["numba"] = hidden


def limit_memory(gigabytes: float) -> None:
    """No more memory than so much on top of what is in use now; only Unix knows such limits."""
    try:
        import resource
    except ImportError:
        return
    import psutil

    most = psutil.Process().memory_info().vms + int(gigabytes * 2**30)
    with contextlib.suppress(ValueError, OSError):  # a stricter limit is in force already, or the system has none
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
