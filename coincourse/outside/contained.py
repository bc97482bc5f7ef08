"""A contained process for code from outside: started, called, limited and stopped here.

Calls go in as pickles, since we write them. Answers come out as lines of JSON, since they cannot be trusted. Where
bubblewrap works, the process has no network, its own process numbers, a small disk that is deleted with it, and
read-only access to Python and the course. It sees nothing else, and `system_calls` filters its calls to the kernel.
Elsewhere it is a plain process with limits, which stop mistakes and ordinary mischief but are not a prison.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import os
import pickle
import re
import secrets
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from pathlib import Path

import psutil

from coincourse.outside import system_calls
from coincourse.outside.lines import Lines

DISK = 64 * 2**20  # bytes on the disk of a process
ATOMIC = 4096  # bytes that a pipe with room takes in one piece
LONGEST_ANSWER = 1_000_000  # bytes
# Seconds to wait for a process to end after its connection has, on a busy machine. Only a process that closes its
# connection and keeps running makes its caller wait that long.
ENDING = 10.0
OWN_MEMORY = 0.5  # gigabytes that Python and the library need before any code from outside runs
MOST_PROCESSES = 512  # processes that it may have at a time, where systemd limits them
BUS = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")  # the variables through which programs find systemd
LINUX_FOLDERS = (  # the parts of a Linux system that Python needs
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts"),
)
SHOWN_BY_PROC = ("/proc/keys", "/proc/key-users", "/proc/timer_list")  # they reveal other processes
PASSED_ON = re.compile(  # the environment variables that we pass on to a process
    r"PATH|PATHEXT|SYSTEM(ROOT|DRIVE)|WINDIR|COMSPEC|LANG|LC_\w+|TZ|(DY)?LD_LIBRARY_PATH"
    r"|VIRTUAL_ENV|CONDA_PREFIX"
)


class Reason(Enum):
    """Why a contained process gave no answer; each value is a sentence with a place for its detail."""

    COULD_NOT_START = "its process could not be started: {}"  # why
    LATE = "no answer after {:g} s"  # the seconds that it had
    KILLED = "its process was killed (signal 9)"  # for example because the system ran out of memory
    CRASHED = "its process ended (signal {})"  # the number of any other signal
    LEFT = "its process ended (status {})"  # its exit status
    CLOSED = "it closed its connection"
    INTERFERED = "it interfered with its connection"


class NoAnswer(Exception):
    """A contained process gave no answer, and can no longer be used.

    Attributes
    ----------
    reason : Reason
    detail : float or str
        The detail in the sentence of the reason: seconds, a signal, a status.
    """

    def __init__(self, reason: Reason, detail: float | str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return self.reason.value.format(self.detail)


class Contained:
    """The caller's side of a contained process, in which a module of the course answers calls.

    The process ends with the thread that started it, at the latest.

    Parameters
    ----------
    module : str
        It is run as ``python -m module``, and calls `answer_calls`.
    folder : Path, optional
        The folder in which it runs and that it may read (default: an empty folder on its own disk).
    hidden : iterable of Path
        Files and folders that it may not read.
    readable : iterable of Path
        Other files and folders that it may read.
    settings : dict of str to str
        Environment variables, in addition to the usual ones.
    gigabytes : float, optional
        Memory for it and its children in total, if `limits_all`.

    Raises
    ------
    NoAnswer
        If the process could not be started.
    """

    def __init__(
        self,
        module: str,
        folder: Path | None = None,
        hidden: Iterable[Path] = (),
        readable: Iterable[Path] = (),
        settings: Mapping[str, str] | None = None,
        gigabytes: float | None = None,
    ) -> None:
        self._call: int | None = None  # the number of the last call
        self._lines: Lines | None = None
        try:
            self._own = tempfile.TemporaryDirectory(prefix="coinlib-", ignore_cleanup_errors=True)
            with call_filter() as filter_file:
                self._walls = [] if why_plain() else walls(self._own.name, folder, hidden, readable, filter_file)
                self._process = subprocess.Popen(
                    [*scope(gigabytes), *self._walls, sys.executable, "-P", "-m", module],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=variables(self._own.name) | dict(settings or {}) | _bus(),
                    cwd=folder or self._own.name,
                    # In its own session it does not receive Ctrl-C, and its children can be stopped with it.
                    start_new_session=True,
                    pass_fds=filter_file,
                )
        except OSError as error:
            raise NoAnswer(Reason.COULD_NOT_START, error.strerror) from None
        try:
            self._lines = Lines(self._process.stdout, LONGEST_ANSWER)
        except RuntimeError as error:  # no more threads are allowed
            self.stop()
            raise NoAnswer(Reason.COULD_NOT_START, str(error)) from None

    # --- calls

    def wait_until_ready(self, seconds: float) -> None:
        """Wait until the process can be called; raises `NoAnswer` if it cannot."""
        try:
            self.get(seconds)
        except NoAnswer as error:
            raise NoAnswer(Reason.COULD_NOT_START, str(error)) from None

    def put(self, *call) -> None:
        """Send a call, without waiting: the name of a method of the answerer, and its arguments."""
        # The number is random, so that a process cannot answer in advance.
        self._call = secrets.randbits(48)
        message = pickle.dumps([self._call, *call])
        if len(message) <= ATOMIC and self._has_room():
            self._write(message)
        else:
            # A process that does not read its calls must not block its caller.
            threading.Thread(target=self._write, args=(message,), daemon=True).start()

    def get(self, seconds: float) -> list:
        """Return the answer to the last call; raises `NoAnswer` if there is none after this many seconds."""
        try:
            line = self._lines.next(seconds)
        except TimeoutError:
            raise NoAnswer(Reason.LATE, seconds) from None
        if not line:
            raise self._why_ended()
        # Anything else in the line is not an answer.
        with contextlib.suppress(ValueError, TypeError, RecursionError):
            number, *answer = json.loads(line)
            if number == self._call:
                return answer
        raise NoAnswer(Reason.INTERFERED)

    def _has_room(self) -> bool:
        """Whether a short call can be written at once; False on Windows, where it is not known."""
        try:
            return bool(select.select([], [self._process.stdin], [], 0)[1])
        except (OSError, ValueError):
            return False

    def _write(self, message: bytes) -> None:
        """Write a call."""
        left = memoryview(message)
        # If the process has ended, `get` will say why.
        with contextlib.suppress(OSError, ValueError):
            while left:
                left = left[self._process.stdin.raw.write(left) :]

    # --- its end

    def stop(self) -> None:
        """Stop the process and its children, and delete what it has written."""
        # Its children are listed first: once it has ended, they have another parent.
        family: list = []
        with contextlib.suppress(psutil.Error):
            family = psutil.Process(self._process.pid).children(recursive=True)
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):  # it has ended already
                os.killpg(self._process.pid, signal.SIGKILL)
        for process in (self._process, *family):
            with contextlib.suppress(OSError, psutil.Error):
                process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        if self._lines:
            self._lines.close()
        self._own.cleanup()

    def _why_ended(self) -> NoAnswer:
        """Return why nothing more can be read from the process."""
        try:
            status = self._process.wait(ENDING)
        except subprocess.TimeoutExpired:
            return NoAnswer(Reason.CLOSED)
        # Python returns the negative number of a signal; bubblewrap adds 128 to it, as a shell does.
        signal_number = status - 128 if self._walls else -status
        if signal_number <= 0:
            return NoAnswer(Reason.LEFT, status)
        if signal_number == signal.SIGKILL:
            return NoAnswer(Reason.KILLED)
        return NoAnswer(Reason.CRASHED, signal_number)


def variables(own: str) -> dict[str, str]:
    """Return the environment of a process whose own folder is `own`."""
    settings = {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name.upper())}
    settings |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    settings |= dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR", "IPYTHONDIR"), own)
    settings |= dict.fromkeys(("TQDM_DISABLE", "PYTHONDONTWRITEBYTECODE"), "1")
    settings |= {"MPLBACKEND": "Agg", "PYTHONHASHSEED": "0"}
    settings["PYTHONPATH"] = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)
    settings["NUMBA_CACHE_DIR"] = os.path.join(own, "compiled")
    return settings


# --- bubblewrap -----------------------------------------------------------------------------------------


def how_contained() -> str:
    """Return how processes are contained here, as the end of a sentence: "Each entry ran ..."."""
    why = why_plain()
    if why:
        return f"in a plain process with limits: {why}"
    return "in bubblewrap, without a network or access to other people's files"


@functools.cache
def why_plain() -> str:
    """Return why bubblewrap cannot contain a process here; "" if a trial run succeeds."""
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed"
    with tempfile.TemporaryDirectory() as own, call_filter() as filter_file:
        command = [*walls(own, filter_file=filter_file), sys.executable, "-P", "-c", "import numpy"]
        trial = subprocess.run(
            command, env=variables(own), capture_output=True, text=True, check=False, pass_fds=filter_file
        )
    if trial.returncode == 0:
        return ""
    words = trial.stderr.strip().splitlines() or [f"status {trial.returncode}"]
    return f"bubblewrap does not work here ({words[-1]})"


@contextlib.contextmanager
def call_filter() -> Iterator[tuple[int, ...]]:
    """Open the filter of system calls for bubblewrap to read; an empty tuple without a filter."""
    filter_program = system_calls.program()
    if not filter_program or not shutil.which("bwrap"):
        yield ()
        return
    readable_end, writable_end = os.pipe()
    try:
        os.write(writable_end, filter_program)
        os.close(writable_end)
        yield (readable_end,)
    finally:
        os.close(readable_end)


def walls(
    own: str,
    folder: Path | None = None,
    hidden: Iterable[Path] = (),
    readable: Iterable[Path] = (),
    filter_file: tuple[int, ...] = (),
) -> list[str]:
    """Return the start of a command line that contains the rest of it.

    Parameters
    ----------
    own : str
        The folder that becomes the process's own disk.
    folder, hidden, readable
        As in `Contained`.
    filter_file : tuple of int
        See `call_filter`.
    """
    course = Path(__file__).resolve().parents[1]
    library = course.with_name("coinlib")
    installed = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    seen = [sys.prefix, sys.base_prefix, *filter(os.path.isdir, installed), course, library, *readable]
    if folder is not None:
        seen.append(folder)
    words = ["bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    # If the caller is root, the writable files in /proc are settings of the whole system.
    words += ["--die-with-parent", "--proc", "/proc"]
    for path in filter(os.path.exists, SHOWN_BY_PROC):
        words += ["--ro-bind", os.devnull, path]
    words += ["--remount-ro", "/proc", "--dev", "/dev"]
    for number in filter_file:
        words += ["--seccomp", str(number)]
    words += ["--size", str(DISK), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    for path in LINUX_FOLDERS:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        else:
            words += ["--ro-bind-try", path, path]
    for path in seen:
        words += ["--ro-bind", str(path), str(path)]
    for path in hidden:
        words += ["--tmpfs", str(path)] if os.path.isdir(path) else ["--ro-bind", os.devnull, str(path)]
    for place in filter(os.path.isdir, hidden):
        # Readable files in a hidden folder are mounted on top of it.
        for path in readable:
            if Path(place) in Path(path).parents:
                words += ["--ro-bind", str(path), str(path)]
        words += ["--remount-ro", str(place)]
    for name in BUS:
        words += ["--unsetenv", name]
    words += ["--size", str(DISK), "--tmpfs", own, "--remount-ro", "/"]
    return [*words, "--chdir", str(folder or own), "--"]


# --- systemd --------------------------------------------------------------------------------------------


def scope(gigabytes: float | None) -> list[str]:
    """Return the start of a command line that limits the memory of the rest and of its children.

    Memory that belongs to no process, such as a memfd, counts too.
    """
    manager = limits_all()
    if gigabytes is None or not manager:
        return []
    memory = int((gigabytes + OWN_MEMORY) * 2**30)
    words = ["systemd-run", manager, "--scope", "--quiet", "--collect", "-p", f"MemoryMax={memory}"]
    return [*words, "-p", "MemorySwapMax=0", "-p", f"TasksMax={MOST_PROCESSES}", "--"]


@functools.cache
def limits_all() -> str:
    """Return the option for the systemd that can limit a process with its children; "" if a trial fails."""
    if not shutil.which("systemd-run"):
        return ""
    memory = 2**26
    read_limit = "cat /sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)/memory.max"
    for manager in ("--user", "--system"):
        trial = ["systemd-run", manager, "--scope", "--quiet", "--collect", "-p", f"MemoryMax={memory}"]
        # Without systemd the command fails or waits for ever.
        with contextlib.suppress(subprocess.SubprocessError):
            found = subprocess.check_output(
                [*trial, "--", "sh", "-c", read_limit], stderr=subprocess.DEVNULL, timeout=10
            )
            if found.split() == [b"%d" % memory]:
                return manager
    return ""


def _bus() -> dict[str, str]:
    """Return the variables through which systemd is found, if it is needed."""
    return {name: os.environ[name] for name in BUS if limits_all() and name in os.environ}


def memory_limits() -> str:
    """Return a sentence about how the memory of a process is limited here."""
    if limits_all():
        return "Memory is limited for each of them together with its children."
    if importlib.util.find_spec("resource"):
        return "Memory is limited for each process; one that starts several can use more in total."
    return "Memory is not limited here."
