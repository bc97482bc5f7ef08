"""Measure the library against plain Python, C and NumPy: `python -m benchmarks [--rounds 20]`.

Each line is a ratio measured in one run, the ways in turn, in processor time: how many times as
fast the library is. The machine's own noise shows in "middle half": half of all rounds lie there.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks import diagonals, student
from benchmarks.contest import HEADER, Row, contest
from coinlib import Hats, QLearner, RandomAgent, greedy_margin, kernels, solve_greedy, sticks, three_piles, train
from coinlib.solvers import _solve, solve

GAMES = 100_000
HATS, Q = "hats, 20 sticks, 100,000 games of self-play", "Q-learning, 10 sticks, 100,000 games"
SLOW_ROUNDS = 5  # of plain Python, which takes seconds


RESULTS = Path(__file__).parent / "results"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=20, help="how often each is measured (default 20, at least 3)")
    parser.add_argument("--only", choices=[measure.__name__ for measure in MEASURED], help="one part of the table")
    parser.add_argument("--save", action="store_true", help="write the table to benchmarks/results/ as well")
    wanted = parser.parse_args()
    rounds = max(3, wanted.rounds)
    print(machine())
    print(f"ratio: how many times as fast as the other; best of {rounds} rounds ({SLOW_ROUNDS} of plain Python)\n")
    print(HEADER)
    _our_hats()()  # compiled before anything is measured
    rows = []
    for measure in MEASURED:
        if wanted.only in (None, measure.__name__):
            for row in measure(rounds):
                print(row, flush=True)
                rows.append(row)
    if wanted.save:
        save(rows)


def machine() -> str:
    """What the numbers were measured on, in one line."""
    compiler = _compiler()
    c = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout if compiler else ""
    parts = [
        f"Python {platform.python_version()}",
        f"NumPy {np.__version__}",
        _numba(),
        c.split("\n")[0] or "no C compiler",
    ]
    return ", ".join([*parts, f"{platform.system()} on {_processor()}, {os.cpu_count()} cores"])


def save(rows: list[Row]) -> None:
    """Write the table for people and for programs."""
    import pandas as pd

    RESULTS.mkdir(exist_ok=True)
    table = pd.DataFrame([row.cells() for row in rows])
    table.to_csv(RESULTS / "table.csv", index=False)
    lines = [list(table.columns), ["---"] * len(table.columns), *table.astype(str).to_numpy().tolist()]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    (RESULTS / "table.md").write_text(f"{machine()}\n\n{text}\n", encoding="utf-8")


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


def greedy(rounds: int) -> list[Row]:
    """Greedy coins: all three tables, the margin the quadratic way, and the margin of very many coins."""
    chance = np.random.default_rng(1)
    few, more, many = (chance.integers(0, 100, size) for size in (2_000, 5_000, 10_000_000))
    ours = solve_greedy(few)
    for mine, theirs in zip((ours.alice, ours.margin, ours.moves), diagonals.tables(few)):
        assert (np.triu(mine) == theirs).all() if mine.dtype.kind == "i" else (mine == theirs).all()
    loop = kernels.fast().margin_by_diagonals
    row = more.copy()
    loop(more, row)
    assert row[0] == diagonals.margin(more) == greedy_margin(more)
    pairs = (
        ("greedy coins: A, M and S of 2,000 coins", "NumPy by diagonals", _always(solve_greedy, few), few, 4),
        (
            "greedy coins: margin of 5,000, the quadratic way",
            "NumPy by diagonals",
            lambda: _on_copy(loop, more),
            more,
            5,
        ),
    )
    rows = []
    for (work, other, mine, coins, least), theirs in zip(pairs, (diagonals.tables, diagonals.margin)):
        rows.append(Row(work, other, *contest([mine, _always(theirs, coins)], rounds), least))
    seconds = contest([_always(greedy_margin, many)], max(3, rounds // 2))[0]
    rows.append(Row("greedy coins: margin of 10,000,000", "the limit, 0.25 s", seconds, [0.25] * len(seconds), 1))
    return rows


def redraws(rounds: int) -> list[Row]:
    """A slider moves and the new picture is there: the 95th of 100 moves of random controls of each lab."""
    from coinlib import widgets

    rows = []
    for name in ("TrainingLab", "HatsLab", "QLab", "PileLab", "TriangleLab", "ProofLab"):
        chance = np.random.default_rng(1)
        slow = [_slowest_redraw(getattr(widgets, name)(), chance) for _ in range(max(3, rounds // 5))]
        rows.append(Row(f"redraw: {name}, 95 of 100 moves", "the limit, 0.2 s", slow, [0.2] * len(slow), 1))
    return rows


def _slowest_redraw(lab, chance) -> float:
    """Seconds of processor time that 95 of 100 moves of a lab's sliders and menus stay below."""
    movable = [control for control in lab.inputs.values() if hasattr(control, "options") or hasattr(control, "max")]
    seconds = []
    for _ in range(100):
        control = movable[chance.integers(len(movable))]
        if hasattr(control, "options"):
            value = control.options[chance.integers(len(control.options))]
            value = value[1] if isinstance(value, tuple) else value
        else:
            value = type(control.value)(chance.uniform(control.min, control.max))
        began = time.process_time()
        control.value = value
        seconds.append(time.process_time() - began)
    return float(np.quantile(seconds, 0.95))


def _always(function, coins):
    return lambda: lambda: function(coins)


def _on_copy(loop, coins):
    row = coins.copy()
    return lambda: loop(coins, row)


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
    compiler = _compiler()
    if compiler is None:
        return None
    source, library = Path(__file__).with_name("hats.c"), folder / "hats.so"
    command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def _compiler() -> str | None:
    return next((found for found in map(shutil.which, ("cc", "gcc", "clang")) if found), None)


def _processor() -> str:
    """The processor's name, where the system tells it."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    return platform.processor() or platform.machine()


def _pointer(array: np.ndarray):
    return array.ctypes.data_as(ctypes.c_void_p)


def _numba() -> str:
    try:
        import numba
    except ImportError:
        return "no Numba"
    return f"Numba {numba.__version__}"


MEASURED = (hats, q_learning, piles, greedy, redraws, imports)

if __name__ == "__main__":
    main()
