"""What is measured: each function here returns some lines of the table.

A new one takes `Sizes`, returns rows, and is listed in `MEASURES`. It leaves out the rows of a rival that
is not installed. Before measuring, it checks that the library and the rival do the same work.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import diagonals, native, rivals, slider, student
from benchmarks.contest import Row, contest, timed
from coinlib import CoinGame, Hats, QLearner, RandomAgent, solve, solve_greedy, sticks, three_piles, train
from coinlib.projects.networks import Network
from coinlib.solvers import _solve, greedy_margin


@dataclass(frozen=True)
class Sizes:
    """How much work is done, and how often.

    Attributes
    ----------
    rounds, slow_rounds : int
        How often work is measured, and how often if it takes seconds.
    games, few_games : int
        Games of hats and of Q-learning; games of Q-learning if the rival needs a millisecond for each.
    pile : int
        Coins in each of three piles.
    table, linear : int
        Coins in the row for the tables, and in the row for the margin alone.
    moves : int
        Moves of a slider in one round.
    """

    rounds: int = 21
    slow_rounds: int = 5
    games: int = 100_000
    few_games: int = 1_000
    pile: int = 100
    table: int = 2_000
    linear: int = 10_000_000
    moves: int = 100


QUICK = Sizes(
    rounds=3,
    slow_rounds=2,
    games=5_000,
    few_games=50,
    pile=20,
    table=200,
    linear=100_000,
    moves=10,
)


def hats(sizes: Sizes) -> list[Row]:
    """Hats, 20 sticks, self-play: against C with the same generator."""
    games = sizes.games
    loop = native.compiled()
    if loop is None:
        print("no C compiler: C is left out", file=sys.stderr)
        return []

    def ours():
        learner = Hats(sticks(20))
        return lambda: train(learner, learner, games, seed=1)

    check_same_hats(loop, games)
    seconds = contest(ours, lambda: native.hats(loop, games)[0], sizes.rounds)
    work = f"hats, 20 sticks, {games:,} games of self-play"
    return [Row(work, "C, the same generator", *seconds, hold=1 / 2.4, beat=1 / 1.5)]


def check_same_hats(loop, games: int) -> None:
    """Check that the loop in C does the same work: the same random numbers give the same hats."""
    learner = Hats(sticks(20))
    train(learner, learner, games, seed=1)
    # C counts the hats from the empty row upwards; the table of the game begins with the full one.
    learnt = np.where(learner.table.legal, learner.values, 1.0)[::-1]
    work, balls = native.hats(loop, games)
    work()
    if (learnt != balls).any():
        raise AssertionError("the loop in C ends with different hats")


def q_learning(sizes: Sizes) -> list[Row]:
    """Q-learning, 10 sticks, against random: against plain Python."""
    games = sizes.games

    def ours():
        learner = QLearner(sticks(10), seed=1)
        opponent = RandomAgent(seed=2)
        return lambda: train(learner, opponent, games, seed=3)

    def plain():
        return lambda: student.train_q(10, games, seed=1)

    for won in (ours()().won, plain()()):
        assert all(won[-1_000:]), "the learner should win its last games"
    seconds = contest(ours, plain, sizes.slow_rounds, often=10)
    work = f"Q-learning, 10 sticks, {games:,} games against random"
    return [Row(work, "plain Python", *seconds, hold=90, beat=200)]


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
    seconds = contest(ours, grids, sizes.rounds)
    work = f"U table, three piles of 0 to {sizes.pile}"
    return [Row(work, "XOR of index grids", *seconds, hold=0.5, beat=1)]


def greedy(sizes: Sizes) -> list[Row]:
    """Greedy coins: the tables against NumPy by diagonals, and a long row's margin against a limit."""
    chance = np.random.default_rng(1)
    few = chance.integers(0, 100, sizes.table)
    many = chance.integers(0, 100, sizes.linear)
    ours = solve_greedy(few)
    for mine, theirs in zip((ours.alice, ours.margin, ours.moves), diagonals.tables(few), strict=True):
        assert (mine == theirs).all()
    tables = contest(lambda: lambda: solve_greedy(few), lambda: lambda: diagonals.tables(few), sizes.rounds)
    greedy_margin(many)  # The loop is compiled before it is measured.
    linear = [timed(lambda: lambda: greedy_margin(many)) for _ in range(sizes.rounds)]
    return [
        Row(f"greedy coins, A, M and S of {sizes.table:,} coins", "NumPy by diagonals", *tables, hold=8),
        _against_limit(f"greedy coins, margin of {sizes.linear:,}", linear, 0.15),
    ]


def libraries(sizes: Sizes) -> list[Row]:
    """Q-learning on Nim: against OpenSpiel, if it is installed."""
    if not rivals.HAVE_OPEN_SPIEL:
        return []
    game = CoinGame((3, 4, 5), max_pick=5, misere=True)
    games = sizes.few_games

    def ours():
        learner = QLearner(game, seed=1)
        opponent = RandomAgent(seed=2)
        return lambda: train(learner, opponent, games, seed=3).won

    def theirs():
        return rivals.train_q(game, games, seed=1)

    for won in (ours()(), theirs()()):
        late = won[-games // 10 :]
        assert late.mean() > won.mean() or late.all(), "the learner should win more at the end"
    seconds = contest(ours, theirs, sizes.slow_rounds, often=10)
    work = f"Q-learning, Nim 3 4 5 (misère play), {games:,} games"
    return [Row(work, "OpenSpiel, tabular_qlearner", *seconds)]


def networks(sizes: Sizes) -> list[Row]:
    """Steps of a network with 64 hidden units, 32 states of 9 numbers: against matrix products and libraries."""
    steps, rate, chance = sizes.few_games, 0.1, np.random.default_rng(1)
    shown, targets = chance.uniform(-1, 1, (32, 9)), chance.uniform(-1, 1, 32)
    weights = Network(9, 64, np.random.default_rng(2)).weights

    def ours():
        network = Network(9, 64, np.random.default_rng(2))

        def work():
            for _ in range(steps):
                network.step(shown, targets, rate)
            return network.weights

        return work

    others = {"NumPy with @": lambda: rivals.steps_by_matrix_products(weights, shown, targets, rate, steps)}
    if rivals.HAVE_PYTORCH:
        others["PyTorch, CPU"] = lambda: rivals.steps_of_pytorch(weights, shown, targets, rate, steps)
    for other in others.values():
        for mine, theirs in zip(ours()(), other()(), strict=True):
            assert np.allclose(mine, theirs), "the steps should end in the same weights"
    if rivals.HAVE_SCIKIT_LEARN:
        others["scikit-learn, MLPRegressor"] = lambda: rivals.steps_of_scikit_learn(64, shown, targets, rate, steps)
    work = f"a network, {steps:,} steps of 32 states"
    return [Row(work, name, *contest(ours, other, sizes.slow_rounds)) for name, other in others.items()]


def sliders(sizes: Sizes) -> list[Row]:
    """From moving a slider in Chromium to the last change in the Q lab's picture: against a limit."""
    found = slider.seconds(sizes.moves, sizes.slow_rounds)
    if found is None:
        print("no Playwright, or no Chromium or Chrome: the slider is left out", file=sys.stderr)
        return []
    of_lab, of_empty = found
    lab = [float(np.quantile(moves, 0.95)) for moves in of_lab]
    empty = [float(np.quantile(moves, 0.95)) for moves in of_empty]
    work = "slider moved → picture of the Q lab, 95 of 100 moves"
    return [_against_limit(work, lab, 0.1, 0.065), Row(work, "a slider without any work", lab, empty)]


def imports(sizes: Sizes) -> list[Row]:
    """`import coinlib`, each in a fresh Python: against `import numpy`."""
    seconds: dict[str, list[float]] = {"coinlib": [], "numpy": []}
    for _ in range(sizes.rounds):
        for name, taken in seconds.items():
            taken.append(_in_fresh_python(f"import {name}"))
    return [Row("import coinlib", "import numpy", *seconds.values(), hold=0.5)]


def first_plot(sizes: Sizes) -> list[Row]:
    """From `import coinlib` to the first win-rate plot, with nothing compiled, then later: against a limit."""
    plot = """
        from coinlib import QLearner, RandomAgent, plots, sticks, train
        import matplotlib.pyplot as plt
        run = train(QLearner(sticks(10), seed=1), RandomAgent(seed=2), games=1_000, seed=3)
        plots.win_rate(run)
        plt.gcf().canvas.draw()
    """
    first = []
    later = []
    for _ in range(sizes.slow_rounds):
        with tempfile.TemporaryDirectory() as folder:
            first.append(_in_fresh_python(plot, NUMBA_CACHE_DIR=folder, MPLBACKEND="agg"))
            later.append(_in_fresh_python(plot, NUMBA_CACHE_DIR=folder, MPLBACKEND="agg"))
    work = "from import coinlib to the first plot"
    return [
        _against_limit(f"{work}, nothing compiled", first, 5, 2.5),
        _against_limit(f"{work}, later", later, 2.5, 1),
    ]


def tests(sizes: Sizes) -> list[Row]:
    """The test command, once, by the clock: against a limit, for two quiet cores."""
    command = [sys.executable, "-m", "pytest", "-q"]
    if sizes == QUICK:
        command.append("--collect-only")
    began = time.perf_counter()
    subprocess.run(command, cwd=Path(__file__).parent.parent, check=True, capture_output=True)
    return [_against_limit("the test command", [time.perf_counter() - began], 180, 120)]


def _in_fresh_python(code: str, **settings: str) -> float:
    """Seconds of processor time that some lines take in a fresh Python."""
    begin = "import time; began = time.process_time()"
    end = "print(time.process_time() - began)"
    program = f"{begin}\n{textwrap.dedent(code)}\n{end}"
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | settings)
    return float(ended.stdout.split()[-1])


def _against_limit(work: str, seconds: list[float], limit: float, welcome: float | None = None) -> Row:
    """A row for work that is compared with a limit in seconds instead of a rival."""
    beat = None if welcome is None else limit / welcome
    return Row(work, f"the limit, {limit:g} s", seconds, [limit] * len(seconds), hold=1, beat=beat)


MEASURES: dict[str, Callable[[Sizes], list[Row]]] = {
    measure.__name__: measure
    for measure in (hats, q_learning, piles, greedy, libraries, networks, sliders, imports, first_plot, tests)
}
