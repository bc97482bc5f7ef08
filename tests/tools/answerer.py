"""A contained process that runs any code: `python -m answerer` is the process, `started` starts one."""

from __future__ import annotations

import contextlib
import ctypes  # noqa: F401 - the code that is run uses what is imported here
import gc  # noqa: F401
import io  # noqa: F401
import os  # noqa: F401
import signal  # noqa: F401
import sys  # noqa: F401
import time  # noqa: F401
from collections.abc import Iterator
from pathlib import Path

from coincourse.outside import answering
from coincourse.outside.contained import Contained

SECONDS = 60.0  # after which a test gives up
HERE = Path(__file__).parent
LIBC = "libc = ctypes.CDLL(None, use_errno=True); "
# The file that the process writes its answers to
CHANNEL = (
    "next(each for each in gc.get_objects() if isinstance(each, io.FileIO) and each.fileno() > 2 and each.writable())"
)


class Answerer:
    """Answers the call `run`."""

    def run(self, source: str, gigabytes: float | None = None) -> list:
        """Run some code; return what it calls `answer`, or the error that it raises."""
        if gigabytes:
            answering.limit(gigabytes)
        names = globals() | {"answer": None}
        try:
            exec(source, names)  # noqa: S102 - the code of our tests
        except BaseException as error:  # noqa: BLE001 - it is the answer
            return ["raised", type(error).__name__, str(error)]
        return ["done", names["answer"]]


@contextlib.contextmanager
def started(**how) -> Iterator[Contained]:
    """A process, which ends at the end of the block."""
    process = Contained("answerer", readable=[HERE], **how)
    try:
        process.wait_until_ready(SECONDS)
        yield process
    finally:
        process.stop()


def answer(process: Contained, source: str, *gigabytes: float) -> object:
    """What some code calls `answer` in the process, or the name and the words of the error."""
    process.put("run", source, *gigabytes)
    outcome, *found = process.get(SECONDS)
    return found[0] if outcome == "done" else found


if __name__ == "__main__":
    answering.answer_calls(Answerer())
