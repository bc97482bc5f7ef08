"""The loop of `hats.c`, compiled on the spot where there is a compiler."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).with_name("hats.c")


def compiler() -> str | None:
    """The C compiler of this machine, or None."""
    return next((found for found in map(shutil.which, ("cc", "gcc", "clang")) if found), None)


def compiled(sticks: int = 20) -> ctypes.CDLL | None:
    """`hats.c` for a row of sticks, as fast as the compiler can make it; None where it cannot be compiled."""
    found = compiler()
    if found is None:
        return None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        library = Path(folder) / "hats.so"
        for flags in (["-O3", "-march=native"], ["-O3"]):
            command = [found, *flags, f"-DSTICKS={sticks}", "-shared", "-fPIC", str(SOURCE), "-o", str(library)]
            if subprocess.run(command, check=False, capture_output=True).returncode == 0:
                return ctypes.CDLL(str(library))  # stays loaded when the file is gone
    return None


def hats(loop: ctypes.CDLL, games: int, sticks: int = 20) -> tuple[Callable[[], None], np.ndarray]:
    """The loop as a function, and the hats that it will fill; it draws as `train(hats, hats, seed=1)` does.

    `sticks` is the number for which the loop was compiled.
    """
    balls = np.ones((sticks + 1, 3))
    generator = np.random.default_rng(np.random.SeedSequence(1).spawn(2)[0])
    state = generator.bit_generator.state["state"]
    halves = [half for number in (state["state"], state["inc"]) for half in divmod(number, 2**64)]
    words = (ctypes.c_uint64 * 4)(*halves)
    pointer = balls.ctypes.data_as(ctypes.c_void_p)
    return lambda: loop.hats_pcg64(pointer, ctypes.c_long(games), words), balls
