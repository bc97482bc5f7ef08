"""One contained process for code from outside: how it is started, asked, limited and ended.

Calls go through its pipes as pickles, since they are ours, and answers as lines of JSON, since they may be
anybody's. Where bubblewrap works the process has no network, process numbers of its own, a small disk of its own
that goes with it, a view of Python and the course that it cannot change, and nothing of anybody else. Elsewhere it
is a plain process with limits: that contains mistakes and ordinary mischief and is not a prison.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import pickle
import queue
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import cloudpickle
import psutil

DISK = 64 * 2**20  # bytes on the disk of a process
LONGEST = 200_000  # bytes of one answer
LARGEST_FILE = 2**28  # bytes, where there is no such disk
INTERFERED = "it interfered with its connection"
SYSTEM = (  # what Python needs of a system of Linux
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts"),
)
PASSED_ON = re.compile(  # the variables of our environment that it gets
    r"PATH|PATHEXT|SYSTEM(ROOT|DRIVE)|WINDIR|COMSPEC|LANG|LC_\w+|TZ|(DY)?LD_LIBRARY_PATH|VIRTUAL_ENV|CONDA_PREFIX"
)
Late = queue.Empty  # no answer came in time


class Ended(Exception):
    """No answer will come any more; why, in words."""


class Contained:
    """A module of the course that answers calls in a contained process, as whoever started it sees it.

    It ends with the thread that started it, at the latest.

    Parameters
    ----------
    module : str
        It is run as ``python -m module``, and leads to `answer_calls`.
    folder : Path, optional
        Where it runs, and what it may read; left out: an empty folder of its own, on its own disk.
    hidden : iterable of Path
        Files in there that it may not read.
    readable : iterable of Path
        What else it may read.
    """

    def __init__(
        self, module: str, folder: Path | None = None, hidden: Iterable[Path] = (), readable: Iterable[Path] = ()
    ) -> None:
        self._call: int | None = None  # the number of the last
        self._own = tempfile.TemporaryDirectory(prefix="coinlib-", ignore_cleanup_errors=True)
        self._walls = [] if why_plain() else walls(self._own.name, folder, hidden, readable)
        self._process = subprocess.Popen(
            [*self._walls, sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=variables(self._own.name),
            cwd=folder or self._own.name,
            # Ctrl-C is for us, and whatever it starts can be stopped with it
            start_new_session=True,
        )
        # so whoever talks without end fills no memory
        self._lines: queue.Queue[bytes] = queue.Queue(1)
        # no system else waits for a pipe with a limit
        threading.Thread(target=self._read, daemon=True).start()

    # --- calls

    def put(self, *call) -> None:
        """Send a call: the name of what shall answer, and its arguments; a long one waits until it is read."""
        # cannot be guessed: nothing is answered before it is asked
        self._call = secrets.randbits(48)
        # if nobody takes it there is no answer, and `get` will say why
        with contextlib.suppress(OSError):
            cloudpickle.dump([self._call, *call], self._process.stdin)
            self._process.stdin.flush()

    def get(self, seconds: float) -> list:
        """The answer to the last call, at first that it is ready (``["", 0]``); `Late` or `Ended` if there is none."""
        line = self._lines.get(timeout=seconds)
        if not line:
            raise self._why_ended()
        with contextlib.suppress(ValueError, TypeError, RecursionError):  # it is none
            number, *answer = json.loads(line)
            if number == self._call:
                return answer
        raise Ended(INTERFERED)

    def _read(self) -> None:
        """Read line by line what comes, until it ends; runs in a thread."""
        with self._process.stdout as answers:
            while (line := answers.readline(LONGEST + 1)) and self._process.returncode is None:
                self._lines.put(line)
        self._lines.put(b"")

    # --- its end

    def stop(self) -> None:
        """End the process, and with it whatever it has started and written."""
        family: list = []
        # now: once it ends nobody knows whose children those were
        with contextlib.suppress(psutil.Error):
            family = psutil.Process(self._process.pid).children(recursive=True)
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):  # it has ended
                os.killpg(self._process.pid, signal.SIGKILL)
        for process in (self._process, *family):
            with contextlib.suppress(OSError, psutil.Error):
                process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(queue.Empty):
            self._lines.get_nowait()  # whoever reads may be waiting for room
        self._own.cleanup()

    def _why_ended(self) -> Ended:
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return Ended("it closed its connection")
        # bubblewrap tells of a signal as a shell does
        number = status - 128 if self._walls else -status
        return Ended(f"its process ended ({f'signal {number}' if number > 0 else f'status {status}'})")


def variables(own: str) -> dict[str, str]:
    """The environment of a process whose own folder is `own`."""
    settings = {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name.upper())}
    settings |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    settings |= dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR", "IPYTHONDIR"), own)
    settings |= {"MPLBACKEND": "Agg", "TQDM_DISABLE": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
    settings["PYTHONPATH"] = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)
    settings["NUMBA_CACHE_DIR"] = os.path.join(own, "compiled")
    return settings


# --- bubblewrap -------------------------------------------------------------------------------------------


def in_words() -> str:
    """How processes are contained here: the end of a sentence."""
    if why := why_plain():
        return f"in a plain process with limits: {why}"
    return "in bubblewrap, without a network and with nothing of anybody else in view"


@functools.cache
def why_plain() -> str:
    """Why bubblewrap cannot contain a process here; nothing where a trial run has succeeded."""
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed"
    with tempfile.TemporaryDirectory() as own:
        command = [*walls(own), sys.executable, "-P", "-c", "import numpy"]
        trial = subprocess.run(command, env=variables(own), capture_output=True, text=True, check=False)
    words = trial.stderr.strip().splitlines() or [f"status {trial.returncode}"]
    return f"bubblewrap does not work here ({words[-1]})" if trial.returncode else ""


def walls(own: str, folder: Path | None = None, hidden: Iterable[Path] = (), readable: Iterable[Path] = ()) -> list:
    """The words of a command line that stand before a command to contain it; see `Contained`."""
    course = Path(__file__).resolve().parents[1]
    installed = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    python = [sys.prefix, sys.base_prefix, *filter(os.path.isdir, installed)]
    words = ["bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL", "--die-with-parent"]
    words += ["--proc", "/proc", "--dev", "/dev", "--size", str(DISK), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    for path in SYSTEM:
        words += ["--symlink", os.readlink(path), path] if os.path.islink(path) else ["--ro-bind-try", path, path]
    for path in map(str, (*python, course, course.with_name("coinlib"), *readable, *filter(None, [folder]))):
        words += ["--ro-bind", path, path]
    for path in map(str, hidden):
        words += ["--ro-bind", os.devnull, path]
    return [*words, "--size", str(DISK), "--tmpfs", own, "--remount-ro", "/", "--chdir", str(folder or own), "--"]


# --- on the side of the process ---------------------------------------------------------------------------


def answer_calls(answerer) -> None:
    """Answer calls by the methods of `answerer`, each of which returns a list, until nobody asks."""
    calls, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDWR)
    # from now on there is no input, and what is printed goes nowhere
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()

    def send(message: list) -> None:
        answers.write(json.dumps(message).encode("ascii") + b"\n")

    send([None, "", 0])  # ready
    while calls.peek():
        number, name, *arguments = pickle.load(calls)
        send([number, *getattr(answerer, name)(*arguments)])


def end_with(parent: int) -> None:
    """Leave when the parent process is gone, even in the middle of an endless loop; runs in a thread."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def compiled_loops() -> tuple[str, str]:
    """Where compiled loops are kept here, and the name of the folder in which a process looks for its copies."""
    from coinlib import compiling, loops

    if compiling.numba() is None:
        return "", ""
    from numba.core.caching import _CacheLocator

    kept = loops.play_games.dispatcher().stats.cache_path
    return str(kept or ""), _CacheLocator.get_suitable_cache_subpath(loops.__file__)


def take_compiled_loops(kept: str, place: str) -> None:
    """Take a copy of `compiled_loops`, so that none need be compiled again, nor can be changed."""
    copies = Path(os.environ["NUMBA_CACHE_DIR"], place)
    copies.mkdir(parents=True, exist_ok=True)
    for file in Path(kept).glob("loops.*.nb?") if kept else ():
        shutil.copy2(file, copies)


def limit(gigabytes: float) -> None:
    """No more memory than so much on top of what is in use now, and no huge file; only Unix knows such limits."""
    try:
        import resource
    except ImportError:
        return
    memory = psutil.Process().memory_info().vms + int(gigabytes * 2**30)
    limits = {resource.RLIMIT_AS: memory, resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: LARGEST_FILE}
    for kind, most in limits.items():
        # a stricter limit is in force already, or the system has none
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))
