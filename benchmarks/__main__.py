"""Measure the library against plain Python, C and NumPy: `python -m benchmarks [--rounds 20]`.

Each line is a ratio measured in one run, the ways in turn, in processor time: how many times as
fast the library is. The machine's own noise shows in "middle half": half of all rounds lie there.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks import student
from benchmarks.contest import HEADER, Row, contest
from coinlib import Hats, QLearner, RandomAgent, sticks, three_piles, train
from coinlib.solvers import _solve, solve

GAMES = 100_000
HATS, Q = "hats, 20 sticks, 100,000 games of self-play", "Q-learning, 10 sticks, 100,000 games"
SLOW_ROUNDS = 5  # of plain Python, which takes seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=20, help="how often each is measured (default 20, at least 3)")
    rounds = max(3, parser.parse_args().rounds)
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {_numba()}, {os.cpu_count()} cores")
    print(f"ratio: how many times as fast as the other; best of {rounds} rounds ({SLOW_ROUNDS} of plain Python)\n")
    print(HEADER)
    _our_hats()()  # compiled before anything is measured
    for measure in (hats, q_learning, piles, imports):
        for row in measure(rounds):
            print(row, flush=True)


def hats(rounds: int) -> list[Row]:
    """Hats against C, with the library's source of chance and with a cheap one, and against plain Python."""
    ours, plain, tight = _against_slow(
        _our_hats,
        [
            lambda: lambda: student.train_hats(20, GAMES, seed=1),
            lambda: lambda: student.train_hats_tight(20, GAMES, seed=1),
        ],
        rounds,
    )
    rows = [Row(HATS, "plain Python", ours, plain), Row(HATS, "plain Python, one tight loop", ours, tight)]
    with tempfile.TemporaryDirectory() as folder:
        loops = _compiled(Path(folder))
        if loops is None:
            print("no C compiler (cc, gcc or clang): the loops in C are left out")
            return rows
        _check_same_hats(loops)
        ours, same, cheap = contest([_our_hats, lambda: _c_hats(loops)[0], lambda: _c_hats_xorshift(loops)], rounds)
    return [
        Row(HATS, "C, the same generator (PCG64)", ours, same, least=0.5),
        Row(HATS, "C, a cheap generator (xorshift)", ours, cheap),
        *rows,
    ]


def q_learning(rounds: int) -> list[Row]:
    """A Q-learner against a random opponent, against plain Python."""

    def ours():
        learner, opponent = QLearner(sticks(10), seed=1), RandomAgent(seed=2)
        return lambda: train(learner, opponent, GAMES, seed=3)

    def plain():
        return lambda: student.train_q(10, GAMES, seed=1)

    def tight():
        return lambda: student.train_q_tight(10, GAMES, seed=1)

    for way, won in (("ours", ours()().won), ("plain Python", plain()()), ("one tight loop", tight()())):
        assert all(won[-1_000:]), f"{way}: the learner should win its last games"
    fast, slow, quick = _against_slow(ours, [plain, tight], rounds)
    return [
        Row(Q, "plain Python", fast, slow, least=100),
        Row(Q, "plain Python, one tight loop", fast, quick),
    ]


def piles(rounds: int) -> list[Row]:
    """Three piles of 0 to 100 by the recursion, against the XOR of three index grids, which is the theorem."""
    game = three_piles(100, 100, 100)

    def ours():
        _solve.cache_clear()
        return lambda: solve(game)

    def grids():
        pile = np.arange(101)
        return lambda: (pile[:, None, None] ^ pile[None, :, None] ^ pile[None, None, :]) != 0

    assert (solve(game).wins == grids()()).all()
    return [Row("who wins, three piles of 0 to 100", "NumPy, XOR of index grids", *contest([ours, grids], rounds), 0.5)]


def imports(rounds: int) -> list[Row]:
    """`import coinlib` against `import numpy`, each in a fresh Python."""
    seconds: dict[str, list[float]] = {"coinlib": [], "numpy": []}
    for _ in range(max(3, rounds // 2)):
        for name, taken in seconds.items():
            code = f"import time; began = time.process_time(); import {name}; print(time.process_time() - began)"
            taken.append(float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout))
    return [Row("import coinlib", "import numpy", seconds["coinlib"], seconds["numpy"], least=0.5)]


def _against_slow(ours, others: list, rounds: int) -> list[list[float]]:
    """Seconds of ours and of each slow other, in turn; ours, short and so noisy, as the best of many each time."""
    seconds: list[list[float]] = [[] for _ in (ours, *others)]
    for _ in range(SLOW_ROUNDS):
        seconds[0].append(min(contest([ours], rounds)[0]))
        for taken, (once,) in zip(seconds[1:], contest(others, 1)):
            taken.append(once)
    return seconds


def _our_hats():
    learner = Hats(sticks(20))
    return lambda: train(learner, learner, GAMES, seed=1)


def _c_hats(loops):
    """The loop in C over the generator that `train(seed=1)` uses, and the hats it will fill."""
    balls = np.ones((21, 3))
    generator = np.random.default_rng(np.random.SeedSequence(1).spawn(2)[0])
    interface = generator.bit_generator.ctypes
    arguments = (_pointer(balls), ctypes.c_long(GAMES), interface.next_double, ctypes.c_void_p(interface.state_address))

    def work():
        loops.hats_numpy(*arguments)
        return generator  # which must live as long as the loop

    return work, balls


def _c_hats_xorshift(loops):
    balls = np.ones((21, 3))
    return lambda: loops.hats_xorshift(_pointer(balls), ctypes.c_long(GAMES), ctypes.c_uint64(88172645463325252))


def _check_same_hats(loops) -> None:
    """The C loop does the same work: from the same numbers come the same hats."""
    learner = Hats(sticks(20))
    train(learner, learner, GAMES, seed=1)
    work, balls = _c_hats(loops)
    work()
    for left in range(1, 21):
        most = min(3, left)
        ours = learner.values[learner.table.row((left,)), :most]
        assert (ours == balls[left, :most]).all(), f"hat {left}: {ours} here, {balls[left, :most]} in C"


def _compiled(folder: Path):
    """`hats.c` as a library, or None where there is no compiler."""
    compiler = next((found for found in map(shutil.which, ("cc", "gcc", "clang")) if found), None)
    if compiler is None:
        return None
    source, library = Path(__file__).with_name("hats.c"), folder / "hats.so"
    command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def _pointer(array: np.ndarray):
    return array.ctypes.data_as(ctypes.c_void_p)


def _numba() -> str:
    try:
        import numba
    except ImportError:
        return "no Numba"
    return f"Numba {numba.__version__}"


if __name__ == "__main__":
    main()
