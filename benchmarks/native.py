"""The loops of `hats.c`, compiled on the spot where there is a compiler."""

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


def pcg64(loops: ctypes.CDLL, games: int, sticks: int = 20) -> tuple[Callable[[], None], np.ndarray]:
    """A loop with PCG64 compiled into it, and the hats that it will fill; it draws as `train(seed=1)` does.

    `sticks` is the number for which the loops were compiled.
    """
    balls = np.ones((sticks + 1, 3))
    state = _generator().bit_generator.state["state"]
    halves = [half for number in (state["state"], state["inc"]) for half in divmod(number, 2**64)]
    words = (ctypes.c_uint64 * 4)(*halves)
    return lambda: loops.hats_pcg64(_pointer(balls), ctypes.c_long(games), words), balls


def through_numpy(loops: ctypes.CDLL, games: int) -> tuple[Callable[[], None], np.ndarray]:
    """The same with the same numbers, drawn from NumPy's own generator."""
    balls = np.ones((21, 3))
    generator = _generator()
    interface = generator.bit_generator.ctypes

    def work() -> None:
        arguments = ctypes.c_long(games), interface.next_double, ctypes.c_void_p(interface.state_address)
        loops.hats_numpy(_pointer(balls), *arguments)
        assert generator is not None  # it must live as long as the loop runs

    return work, balls


def xorshift(loops: ctypes.CDLL, games: int) -> tuple[Callable[[], None], np.ndarray]:
    """The same game with a cheaper source of chance, and so with other numbers."""
    balls = np.ones((21, 3))
    seed = ctypes.c_uint64(88172645463325252)
    return lambda: loops.hats_xorshift(_pointer(balls), ctypes.c_long(games), seed), balls


def _generator() -> np.random.Generator:
    """The generator that `train(hats, hats, seed=1)` lends to the hats."""
    return np.random.default_rng(np.random.SeedSequence(1).spawn(2)[0])


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)
