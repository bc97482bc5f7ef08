"""Runs inside a contained process, and answers the calls of a `contained.Contained`."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import shutil
import threading
import time
from pathlib import Path

import psutil

GO_ON = "go on"  # the call that answers a question
LARGEST_FILE = 2**28  # bytes, in a process without bubblewrap


class Answering:
    """Answers calls with the methods of `answerer`, which return lists.

    A method may ask a question before it returns: the question is sent as the answer to the current call, and
    the method continues when the caller calls `GO_ON`. The caller may call other methods in between.
    """

    def __init__(self, answerer) -> None:
        self.answerer = answerer
        self.calls = os.fdopen(os.dup(0), "rb")
        self.answers = os.fdopen(os.dup(1), "wb", buffering=0)
        self.number: int | None = None  # of the call that is waiting for an answer
        self.process = os.getpid()
        # From now on input is empty, and prints are discarded.
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)

    def send(self, *answer) -> None:
        """Answer the last call."""
        if os.getpid() != self.process:  # Code from outside has forked, and this is the child.
            os._exit(0)
        self.answers.write(json.dumps([self.number, *answer]).encode("ascii") + b"\n")

    def serve(self) -> list:
        """Answer calls until `GO_ON` is called and return its arguments, or until the pipe is closed."""
        while self.calls.peek():
            self.number, name, *arguments = pickle.load(self.calls)
            if name == GO_ON:
                return arguments
            self.send(*getattr(self.answerer, name)(*arguments))
        return []

    def ask(self, *question) -> list:
        """Ask the caller a question in the middle of a method, and return the answer."""
        self.send(*question)
        return self.serve()


def answer_calls(answerer) -> None:
    """Answer calls with the methods of `answerer`, which return lists, until the pipe is closed."""
    answerer.answering = Answering(answerer)
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    answerer.answering.send("", 0)  # ready
    answerer.answering.serve()


def end_with(parent: int) -> None:
    """Exit when the parent process is gone, even in the middle of an endless loop; runs in a thread."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def compiled_loops() -> tuple[str, str]:
    """Return the folder of the compiled loops, and the folder in its cache where a process looks for them."""
    from coinlib import compiling, loops

    if compiling.numba_or_none() is None:
        return "", ""
    from numba.core.caching import _CacheLocator

    kept = loops.play_games.dispatcher().stats.cache_path
    return str(kept or ""), _CacheLocator.get_suitable_cache_subpath(loops.__file__)


def take_compiled_loops(kept: str, place: str) -> None:
    """Copy `compiled_loops`, so that this process need not compile them and cannot change the originals."""
    copies = Path(os.environ["NUMBA_CACHE_DIR"], place)
    copies.mkdir(parents=True, exist_ok=True)
    if not kept:
        return
    for file in Path(kept).glob("loops.*.nb?"):
        shutil.copy2(file, copies)


def limit(gigabytes: float) -> None:
    """Allow this process `gigabytes` more memory than it uses now, and no huge files; on Unix only."""
    try:
        import resource
    except ImportError:
        return
    memory = psutil.Process().memory_info().vms + int(gigabytes * 2**30)
    limits = {resource.RLIMIT_AS: memory, resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: LARGEST_FILE}
    for kind, most in limits.items():
        # A stricter limit may be in force already, or the system may have none.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))
