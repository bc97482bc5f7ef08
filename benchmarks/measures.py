"""What is measured: each function here gives some lines of the table.

A new one takes `Sizes`, returns rows, and is named in `MEASURES`. Where a rival is not installed
it leaves its rows out. Before anything is measured it is checked that all do the same work.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks import diagonals, native, rivals, student
from benchmarks.contest import Row, contest, contest_with_slow
from coinlib import (
    CoinGame,
    Hats,
    QLearner,
    RandomAgent,
    greedy_margin,
    loops,
    solve,
    solve_greedy,
    sticks,
    three_piles,
    train,
)
from coinlib.solvers import _solve


@dataclass(frozen=True)
class Sizes:
    """How much work is done, and how often.

    Attributes
    ----------
    rounds, slow_rounds : int
        Of everything, and of what takes seconds.
    games, few_games : int
        Of hats and of Q-learning; of Q-learning where a game takes the other a millisecond.
    pile : int
        Coins in each of three piles.
    table, quadratic, linear : int
        Coins in a row whose tables are made, whose margin is found the quadratic way, and the linear way.
    moves : int
        Moves of the controls of each lab in one round.
    """

    rounds: int = 21
    slow_rounds: int = 5
    games: int = 100_000
    few_games: int = 1_000
    pile: int = 100
    table: int = 2_000
    quadratic: int = 5_000
    linear: int = 10_000_000
    moves: int = 100


QUICK = Sizes(
    rounds=3, slow_rounds=2, games=5_000, few_games=50, pile=20, table=200, quadratic=500, linear=100_000, moves=10
)


def hats(sizes: Sizes) -> list[Row]:
    """Hats, 20 sticks, self-play: against C and plain Python."""
    games = sizes.games
    work = f"hats, 20 sticks, {games:,} games of self-play"

    def ours():
        learner = Hats(sticks(20))
        return lambda: train(learner, learner, games, seed=1)

    ours()()  # compiled before it is measured
    rows = []
    loops = native.compiled()
    if loops is None:
        print("no C compiler (cc, gcc or clang) that can compile hats.c: C is left out", file=sys.stderr)
    else:
        check_same_hats(loops, games)
        makers = (native.pcg64, native.through_numpy, native.xorshift)
        ways = [ours, *(lambda make=make: make(loops, games)[0] for make in makers)]
        mine, inside, outside, cheap = contest(ways, sizes.rounds)
        rows = [
            Row(work, "C, its own PCG64", mine, inside, least=0.5),
            Row(work, "C, NumPy's PCG64", mine, outside),
            Row(work, "C, a cheap generator (xorshift)", mine, cheap),
        ]
    plain = [
        lambda: lambda: student.train_hats(20, games, seed=1),
        lambda: lambda: student.train_hats_tight(20, games, seed=1),
    ]
    mine, read, tight = contest_with_slow(ours, plain, sizes.slow_rounds, often=5)
    return [*rows, Row(work, "plain Python", mine, read), Row(work, "plain Python, one tight loop", mine, tight)]


def check_same_hats(loops, games: int) -> None:
    """The loops in C do the same work: from the same numbers come the same hats."""
    learner = Hats(sticks(20))
    train(learner, learner, games, seed=1)
    for make in (native.pcg64, native.through_numpy):
        work, balls = make(loops, games)
        work()
        for left in range(1, 21):
            most = min(3, left)
            ours = learner.values[learner.table.row((left,)), :most]
            if (ours != balls[left, :most]).any():
                raise AssertionError(f"hat {left}: {ours} here, {balls[left, :most]} in C ({make.__name__})")


def q_learning(sizes: Sizes) -> list[Row]:
    """Q-learning, 10 sticks, against random: against plain Python."""
    games = sizes.games
    work = f"Q-learning, 10 sticks, {games:,} games against random"

    def ours():
        learner, opponent = QLearner(sticks(10), seed=1), RandomAgent(seed=2)
        return lambda: train(learner, opponent, games, seed=3)

    plain = [
        lambda: lambda: student.train_q(10, games, seed=1),
        lambda: lambda: student.train_q_tight(10, games, seed=1),
    ]
    for won in (ours()().won, *(way()() for way in plain)):
        assert all(won[-1_000:]), "the learner should win its last games"
    mine, read, tight = contest_with_slow(ours, plain, sizes.slow_rounds, often=10)
    return [
        Row(work, "plain Python", mine, read, least=100),
        Row(work, "plain Python, one tight loop", mine, tight),
    ]


def piles(sizes: Sizes) -> list[Row]:
    """The U table by the recursion: against XOR of index grids, which is the theorem."""
    game = three_piles(sizes.pile, sizes.pile, sizes.pile)

    def ours():
        _solve.cache_clear()
        return lambda: solve(game)

    def grids():
        pile = np.arange(sizes.pile + 1)
        return lambda: (pile[:, None, None] ^ pile[None, :, None] ^ pile[None, None, :]) != 0

    assert (solve(game).wins == grids()()).all()
    seconds = contest([ours, grids], sizes.rounds)
    return [Row(f"U table, three piles of 0 to {sizes.pile}", "NumPy, XOR of index grids", *seconds, least=0.5)]


def greedy(sizes: Sizes) -> list[Row]:
    """Greedy coins, tables and margins: against NumPy by diagonals, and a limit."""
    chance = np.random.default_rng(1)
    few, more, many = (chance.integers(0, 100, size) for size in (sizes.table, sizes.quadratic, sizes.linear))
    ours = solve_greedy(few)
    for mine, theirs in zip((ours.alice, ours.margin, ours.moves), diagonals.tables(few), strict=True):
        assert (mine == theirs).all()
    loop = loops.margin_by_diagonals

    def quadratic():
        diagonal = more.copy()
        return lambda: loop(more, diagonal)

    assert quadratic()() == diagonals.margin(more) == greedy_margin(more)
    tables = contest([lambda: lambda: solve_greedy(few), lambda: lambda: diagonals.tables(few)], sizes.rounds)
    margins = contest([quadratic, lambda: lambda: diagonals.margin(more)], sizes.rounds)
    (linear,) = contest([lambda: lambda: greedy_margin(many)], sizes.rounds)
    by_diagonals = "NumPy by diagonals"
    return [
        Row(f"greedy coins, A, M and S of {sizes.table:,} coins", by_diagonals, *tables, least=4),
        Row(f"greedy coins, margin of {sizes.quadratic:,}, the quadratic way", by_diagonals, *margins, least=5),
        _against_limit(f"greedy coins, margin of {sizes.linear:,}", linear, 0.25),
    ]


def libraries(sizes: Sizes) -> list[Row]:
    """Q-learning and perfect play on Nim, sticks solved: against OpenSpiel and easyAI, where they are installed."""
    game, games = CoinGame((3, 4, 5), max_pick=5, misere=True), sizes.few_games
    rows = []
    if rivals.HAVE_OPEN_SPIEL:

        def learn():
            learner, opponent = QLearner(game, seed=1), RandomAgent(seed=2)
            return lambda: train(learner, opponent, games, seed=3)

        late = games - games // 10
        for won in (learn()().won, rivals.train_q(game, games, seed=1)()):
            assert won[late:].mean() > won.mean() or won[late:].all(), "the learner should win more at the end"
        seconds = contest_with_slow(learn, [lambda: rivals.train_q(game, games, seed=1)], sizes.slow_rounds, often=10)
        work = f"Q-learning, Nim 3 4 5 (misère play), {games:,} games"
        rows.append(Row(work, "OpenSpiel, tabular_qlearner", *seconds))

        def whole():
            _solve.cache_clear()
            return lambda: solve(game)

        wins = solve(game).wins
        assert all(wins[state] == won for state, won in rivals.solve_nim(game)().items())
        seconds = contest_with_slow(whole, [lambda: rivals.solve_nim(game)], sizes.slow_rounds, often=10)
        rows.append(Row("perfect play, Nim 3 4 5 (misère play)", "OpenSpiel, value_iteration", *seconds))
    if rivals.HAVE_EASY_AI:

        def row_of_sticks():
            _solve.cache_clear()
            return lambda: solve(sticks(100))

        assert all(bool(solve(sticks(n)).wins[n]) == rivals.search_sticks(n, 3)() for n in range(1, 25))
        seconds = contest([row_of_sticks, lambda: rivals.search_sticks(100, 3)], sizes.rounds)
        rows.append(Row("perfect play, 100 sticks (misère play)", "easyAI, search with a memory", *seconds))
    return rows


def redraws(sizes: Sizes) -> list[Row]:
    """A control of a lab moves and the new picture is there: 95 of 100 moves, against a limit."""
    from coincourse import labs

    rows = []
    for name, kind in labs_of(labs).items():
        chance = np.random.default_rng(1)
        slow = [slowest_redraw(kind(), chance, sizes.moves) for _ in range(sizes.slow_rounds)]
        rows.append(_against_limit(f"redraw of {name}, 95 of 100 random moves", slow, 0.2))
    return rows


def labs_of(room) -> dict[str, type]:
    """Every lab of the course, by its name."""
    kinds = {name: getattr(room, name) for name in room.__all__}
    return {name: kind for name, kind in kinds.items() if getattr(kind, "CONTROLS", None)}


def moves_of(lab) -> list[tuple]:
    """For each slider and menu of a lab a function that sets it, and the values that it can have."""
    if hasattr(lab, "inputs"):  # a lab on the former base
        found = []
        for control in lab.inputs.values():
            if hasattr(control, "options"):
                values = [choice[1] if isinstance(choice, tuple) else choice for choice in control.options]
            elif hasattr(control, "max"):
                values = [type(control.value)(value) for value in np.linspace(control.min, control.max, 21)]
            else:
                continue
            found.append((functools.partial(setattr, control, "value"), values))
        return found
    found = []
    for name, control in lab.CONTROLS.items():
        about = control.element | lab.now().get(name, {})
        if "options" in about:
            found.append((functools.partial(setattr, lab, name), [value for _, value in about["options"]]))
        elif "least" in about:
            values = np.arange(about["least"], about["most"] + about["step"], about["step"]).tolist()
            found.append((functools.partial(setattr, lab, name), values))
    return found


def slowest_redraw(lab, chance: np.random.Generator, moves: int) -> float:
    """Seconds of processor time that 95 of 100 moves of a lab's sliders and menus stay below."""
    movable = moves_of(lab)

    def move():
        set_to, choices = movable[chance.integers(len(movable))]
        value = choices[chance.integers(len(choices))]
        return lambda: set_to(value)

    (seconds,) = contest([move], moves)
    return float(np.quantile(seconds, 0.95))


def imports(sizes: Sizes) -> list[Row]:
    """`import coinlib`, each in a fresh Python: against `import numpy`."""
    seconds: dict[str, list[float]] = {"coinlib": [], "numpy": []}
    for _ in range(sizes.rounds):
        for name, taken in seconds.items():
            taken.append(_in_fresh_python(f"import {name}"))
    return [Row("import coinlib", "import numpy", seconds["coinlib"], seconds["numpy"], least=0.5)]


def first_question(sizes: Sizes) -> list[Row]:
    """`coinlib sticks`, from its start to its first question and out again: seconds of the processor."""
    code = "import io, sys; sys.stdin = io.StringIO(); from coincourse.terminal import main; main(['sticks'])"
    seconds = [_in_fresh_python(code) for _ in range(sizes.rounds)]
    return [_against_limit("coinlib sticks, to its first question", seconds, 1.0)]


def first_plot(sizes: Sizes) -> list[Row]:
    """From `import coinlib` to the first win-rate plot, with nothing compiled and again: against the libraries alone."""
    libraries = "import numba, pandas, matplotlib.pyplot"
    plot = """
        from coinlib import QLearner, RandomAgent, plots, sticks, train
        import matplotlib.pyplot as plt
        run = train(QLearner(sticks(10), seed=1), RandomAgent(seed=2), games=1_000, seed=3)
        plots.win_rate(run)
        plt.gcf().canvas.draw()
    """
    rows = []
    for name, compiled, rounds in (("again", True, sizes.rounds), ("nothing compiled", False, sizes.slow_rounds)):
        ours, theirs = [], []
        with tempfile.TemporaryDirectory() as folder:
            for number in range(rounds + compiled):
                place = folder if compiled else f"{folder}/{number}"
                seconds = [
                    _in_fresh_python(code, NUMBA_CACHE_DIR=place, MPLBACKEND="agg") for code in (plot, libraries)
                ]
                if number >= compiled:  # the first one compiles
                    ours.append(seconds[0])
                    theirs.append(seconds[1])
        rows.append(
            Row(f"from import coinlib to a win-rate plot, {name}", "import Numba, pandas, pyplot", ours, theirs)
        )
    return rows


def _in_fresh_python(code: str, **settings: str) -> float:
    """Seconds of processor time that some lines take in a Python of their own."""
    timed = f"import time; began = time.process_time()\n{textwrap.dedent(code)}\nprint(time.process_time() - began)"
    environment = os.environ | settings
    ended = subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True, env=environment)
    return float(ended.stdout.split()[-1])


def _against_limit(work: str, seconds: list[float], limit: float) -> Row:
    return Row(work, f"the limit, {limit:g} s", seconds, [limit] * len(seconds), least=1)


MEASURES: dict[str, Callable[[Sizes], list[Row]]] = {
    measure.__name__: measure
    for measure in (hats, q_learning, piles, greedy, libraries, redraws, imports, first_question, first_plot)
}
