"""A handed-in notebook as the judge sees it: cells to be run, and functions that answer from another process."""

from __future__ import annotations

import base64
import builtins
import io
import json
import os
import pickle
import random
import re
import secrets
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from coincourse.checks.engine import Wrong
from coincourse.classroom.plain import generator_at, unpack, write_back
from coincourse.outside.contained import Contained, Ended, Late

MODULE = "coincourse.classroom.child"
LONGEST = 16_000_000  # bytes of one reply
PATIENCE = 120.0  # seconds for starting Python, which is not the student's fault
GRACE = 2.0  # seconds that an interrupted cell or function may take to end
SLICE = 0.1  # seconds between two looks at whether the check has given up
RESTARTS = 8
PASSED_ON = re.compile(  # the variables of our environment that the student's process gets
    r"PATH|PATHEXT|SYSTEM(ROOT|DRIVE)|WINDIR|COMSPEC|TE?MP|TMPDIR|HOME(DRIVE|PATH)?|USERPROFILE|(LOCAL)?APPDATA"
    r"|LANG|LC_\w+|TZ|(DY)?LD_LIBRARY_PATH|VIRTUAL_ENV|CONDA_PREFIX|MPLCONFIGDIR|NUMBA_CACHE_DIR|XDG_CACHE_HOME"
)


class Limits(NamedTuple):
    """What a handed-in notebook may use."""

    seconds: float  # for one cell
    call: float  # seconds for one call of a function
    total: float  # seconds for all of it
    gigabytes: float  # on Unix


class Lost(BaseException):
    """The process has given no answer, and why in words; not an Exception, so that no check takes it for the student's."""


class NoAnswer(Exception):
    """What should be handed to a check is not there; why, in words."""


class Pupil:
    """The process of one notebook.

    When it ends or hangs it is started again, a limited number of times, and what went well before is run again.

    Parameters
    ----------
    limits : Limits
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.trouble = ""  # why the last exercise could not be judged
        self.hung = False  # whether that was a call that took too long
        self.out = ""  # why nothing more is asked
        self._deadline = time.monotonic() + limits.total
        self._worker: Contained | None = None
        self._starts = 0
        self._done: list[str] = []  # sources of cells that have come to an end
        self._folder = tempfile.TemporaryDirectory(prefix="coinlib-", ignore_cleanup_errors=True)
        self._numbers = random.Random(secrets.randbits(128))
        self._waiting: int | None = None  # the number of the question that has no answer yet
        self._turn = threading.Lock()

    # --- cells

    def run(self, source: str) -> str:
        """Run a cell; what went wrong, in words, or ""."""
        if self.out:
            return "it was not run"
        try:
            self._make_ready()
        except Lost:
            return "it was not run"
        words = self._run(source, self.limits.seconds)
        if self._worker is not None and not words.startswith("it was stopped"):
            self._done.append(source)
        return words

    def _run(self, source: str, seconds: float) -> str:
        try:
            match self._ask(["run", source], seconds):
                case ["done"]:
                    return ""
                case ["failed", str(), str(words)]:
                    return f"it failed with {clean(words)}"
        except Late:
            return f"it was stopped after {seconds:g} s"
        except Ended as error:
            return str(error)
        self._lose()
        return "it interfered with its connection"

    # --- answers

    def look(self, expression: str):
        """What the student hands to a check: a value, or an `Answer` that stands for a function.

        Raises
        ------
        NoAnswer
            If there is no such thing.
        Lost
            If there is no process that could say.
        """
        self.trouble, self.hung = "", False
        self._make_ready()
        try:
            match self._ask(["look", expression], self.limits.seconds):
                case ["function"]:
                    return Answer(self)
                case ["value", packed]:
                    return unpack(packed)
                case ["failed", "NameError", str()]:
                    raise NoAnswer(f"there is no {expression[:60]}")
                case ["failed", str(), str(words)]:
                    raise NoAnswer(f"{expression[:60]} is no answer: {clean(words)}")
        except Late:
            raise self._lost("it did not hand over its answer in time") from None
        except Ended as error:
            raise self._lost(str(error)) from None
        except ValueError:
            pass
        self._lose()
        raise self._lost("it interfered with its connection")

    def call(self, arguments: tuple, run: Callable | None = None):
        """What the student's function answers, or ``run(function, *arguments)``; it raises what was raised there."""
        if self.trouble or self.out:
            raise Lost(self.trouble or self.out)
        watch = sys.getprofile()  # a check that counts calls counts those in the other process
        sys.setprofile(None)
        try:
            with self._turn:
                return self._call(arguments, run, watch)
        finally:
            sys.setprofile(watch)

    def _call(self, arguments: tuple, run: Callable | None, watch: Callable | None):
        try:
            self._put(["call", base64.b64encode(_pickled((run, arguments))).decode("ascii"), watch is not None])
            while True:
                match self._get_patiently(time.monotonic() + self.limits.call):
                    case ["calls", int(made)] if watch is not None and 0 <= made <= LONGEST:
                        _tell(watch, made)
                    case ["answer", packed, int(made)]:
                        answer, after = unpack(packed)
                        for one, other in zip(arguments, after, strict=True):
                            write_back(one, other)
                        if watch is not None and 0 <= made <= LONGEST:
                            _tell(watch, made)
                        return answer
                    case ["raised", str(module), [*kinds], str(words)]:
                        break
                    case _:
                        raise ValueError
        except Late:
            self._interrupt()
            self.hung = True
            raise self._lost("the function gave no answer in time") from None
        except Ended as error:
            raise self._lost(f"when the function was called, {error}") from None
        except (ValueError, TypeError):
            self._lose()
            raise self._lost("it interfered with its connection") from None
        raise _error(module, kinds, words)

    def settle_down(self) -> None:
        """After a check: if the function still runs, interrupt it, or else end the process."""
        if not self._turn.acquire(timeout=GRACE):  # the check's own thread has not come back
            self._lose()
            return
        try:
            if self._waiting is not None:
                self._interrupt()
        finally:
            self._turn.release()

    # --- the process

    def stop(self) -> None:
        """End the process and remove its folder."""
        self._lose()
        self._folder.cleanup()

    def _make_ready(self) -> None:
        """See to it that there is a process in which the cells so far have been run; `Lost` if there cannot be one."""
        if not self.out and time.monotonic() > self._deadline:
            self.out = f"the notebook has used up its {self.limits.total:g} s"
        while self._worker is None and not self.out:
            if self._starts > RESTARTS:
                self.out = f"its process had to be started {self._starts} times"
                break
            self._starts += 1
            self._start()
            for source in self._done:
                self._run(source, self.limits.seconds)
                if self._worker is None:  # what went well before has now ended it: leave that cell out
                    self._done.remove(source)
                    break
        if self.out:
            self._lose()
            raise self._lost(self.out)

    def _start(self) -> None:
        ours = {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name.upper())}
        ours = {"NUMBA_CACHE_DIR": "", **ours, "IPYTHONDIR": self._folder.name}
        try:
            self._worker = Contained(MODULE, LONGEST, Path(self._folder.name), environment=ours, plain=True)
            if self._worker.receive(PATIENCE) != b'["ready"]':
                raise Ended("it did not say that it was ready")
            self._worker.send(json.dumps({"gigabytes": self.limits.gigabytes}).encode() + b"\n", PATIENCE)
        except (Late, Ended, OSError) as error:
            self._lose()
            self.out = f"its process could not be started: {error}"

    def _lose(self) -> None:
        worker, self._worker, self._waiting = self._worker, None, None
        if worker is not None:
            worker.stop()
            end_strays()

    def _lost(self, words: str) -> Lost:
        self.trouble = words
        return Lost(words)

    # --- questions

    def _put(self, question: list) -> None:
        if self._worker is None:
            raise Ended("its process has ended")
        self._waiting = self._numbers.getrandbits(48)  # cannot be guessed: nothing is answered before it is asked
        line = json.dumps([self._waiting, *question]).encode("ascii") + b"\n"
        try:
            self._worker.send(line, self.limits.seconds)
        except (Late, Ended):
            self._lose()
            raise

    def _get(self, seconds: float) -> list:
        """The reply to the question; `Late` leaves it open, `Ended` and nonsense end the process."""
        try:
            line = self._worker.receive(seconds)
            number, *reply = json.loads(line or b"")
        except Ended:
            self._lose()
            raise
        except (ValueError, TypeError, RecursionError):
            self._lose()
            return []
        if number != self._waiting or not reply:
            self._lose()
            return []
        if reply[0] != "calls":
            self._waiting = None
        return reply

    def _get_patiently(self, until: float) -> list:
        """The reply, in slices, so that the thread of a check that has given up can be ended."""
        while True:
            try:
                return self._get(SLICE)
            except Late:
                if time.monotonic() > min(until, self._deadline):
                    raise

    def _ask(self, question: list, seconds: float) -> list:
        """Question and reply; what takes too long is interrupted, and then its process is ended."""
        self._put(question)
        try:
            return self._get(max(SLICE, min(seconds, self._deadline - time.monotonic())))
        except Late:
            self._interrupt()
            raise

    def _interrupt(self) -> None:
        """Ctrl-C; the process is ended if that does not end what it is doing."""
        until = time.monotonic() + GRACE
        if self._worker.interrupt():
            while self._waiting is not None and self._worker is not None and time.monotonic() < until:
                try:
                    self._get(until - time.monotonic())
                except (Late, Ended):
                    break
        if self._waiting is not None:
            self._lose()


class Answer:
    """A student's function, to be called here and run there."""

    def __init__(self, pupil: Pupil) -> None:
        self._pupil = pupil

    def __call__(self, *arguments):
        return self._pupil.call(arguments)

    def there(self, run: Callable, *arguments):
        """What ``run(function, *arguments)`` gives there: for a function that asks and prints."""
        return self._pupil.call(arguments, run)


class _Pickler(pickle.Pickler):
    """Pickles generators the short way; NumPy's own takes longer than most answers."""

    def reducer_override(self, value):
        if type(value) is np.random.Generator and type(value.bit_generator) is np.random.PCG64:
            return generator_at, (value.bit_generator.state,)
        return NotImplemented


def _pickled(arguments: tuple) -> bytes:
    written = io.BytesIO()
    try:
        _Pickler(written).dump(arguments)
        return written.getvalue()
    except Exception:  # noqa: BLE001 - functions that were made in place
        import cloudpickle

        return cloudpickle.dumps(arguments)


def _tell(watch: Callable, made: int) -> None:
    frame = sys._getframe()
    for _ in range(made):
        watch(frame, "call", None)


def _error(module: str, kinds: list, words: str) -> BaseException:
    """An error that looks to a check like the student's: its name, its words, and the kind of error it is."""
    names = [str(kind) for kind in kinds] or ["Exception"]
    if [module, names[0]] == [Wrong.__module__, "Wrong"]:
        return Wrong(words)
    known = (getattr(builtins, name, None) for name in names)
    kind = next((one for one in known if isinstance(one, type) and issubclass(one, BaseException)), Exception)
    if issubclass(kind, (BaseExceptionGroup, GeneratorExit)):
        kind = Exception
    same = type(names[0], (kind,), {"__str__": lambda error: words, "__init__": lambda error: None})
    return same()


def clean(words: str) -> str:
    """Words in one line of signs that can be shown; addresses, which differ from run to run, are cut.

    Examples
    --------
    >>> clean("no\\x1b[2J such\\n thing at 0x7f12ab34")
    'no?[2J such thing at 0x...'
    """
    line = "".join(sign if sign.isprintable() else "?" for sign in " ".join(words.split()))
    return re.sub(r"0x[0-9a-fA-F]{4,}", "0x...", line)


def end_strays() -> None:
    """End what a student's process has started and left behind: where we are the one that inherits it."""
    if not _INHERITS:
        return
    import psutil

    for _ in range(5):
        family = psutil.Process().children(recursive=True)
        if not family:
            return
        for one in family:
            try:
                one.kill()
            except psutil.Error:  # it has ended by itself
                continue
        psutil.wait_procs(family, timeout=1.0)


_INHERITS: list[bool] = []  # not empty in a judge's process on Linux


def inherit_strays() -> None:
    """From now on processes whose parent has ended are children of this one, which nobody can look into; on Linux."""
    import ctypes

    if sys.platform != "linux":
        return
    become_subreaper, be_dumpable = 36, 4  # as <linux/prctl.h> numbers them
    system = ctypes.CDLL(None)
    if system.prctl(become_subreaper, 1, 0, 0, 0) == 0:
        _INHERITS.append(True)
    system.prctl(be_dumpable, 0, 0, 0, 0)
