"""The loop in `hats.c`, compiled on the spot if there is a compiler."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).with_name("hats.c")


def compiled() -> ctypes.CDLL | None:
    """`hats.c` for 20 sticks, as fast as the compiler can make it; None if there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        library = Path(folder) / "hats.so"
        command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", str(SOURCE), "-o", str(library)]
        subprocess.run(command, check=True, capture_output=True)
        return ctypes.CDLL(str(library))  # stays loaded when the file is gone


def hats(loop: ctypes.CDLL, games: int) -> tuple[Callable[[], None], np.ndarray]:
    """The loop as a function, and the hats that it will fill; it draws as `train(hats, hats, seed=1)` does."""
    balls = np.ones((21, 3))
    generator = np.random.default_rng(np.random.SeedSequence(1).spawn(2)[0])
    state = generator.bit_generator.state["state"]
    halves = [half for number in (state["state"], state["inc"]) for half in divmod(number, 2**64)]
    words = (ctypes.c_uint64 * 4)(*halves)
    pointer = balls.ctypes.data_as(ctypes.c_void_p)
    return lambda: loop.hats_pcg64(pointer, ctypes.c_long(games), words), balls
