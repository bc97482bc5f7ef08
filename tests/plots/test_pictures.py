"""Pictures of perfect play, tested through what they draw."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pytest
from matplotlib.colors import same_color
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle
from matplotlib.path import Path

from coinlib import SCENARIOS, CoinGame, greedy_valley, plots, solve, solve_greedy, three_piles
from coinlib.plots import look
from coinlib.theory import grundy, is_lost, nim_sum
from coinlib.words import ending_words


def row_of(size, most=9):
    return solve_greedy(np.random.default_rng([1, size]).integers(1, most + 1, size))


def texts(ax, kind):
    return [text for text in ax.texts if text.get_gid() == kind]


def title(ax):
    return " ".join(ax.get_title("left").split())


# --- the triangle ---------------------------------------------------------------------------------------


def run_at(x, y):
    """The run of coins whose cell is closest to a place."""
    length = round(y)
    start = round(x - (length - 1) / 2)
    assert math.hypot(start + (length - 1) / 2 - x, length - y) < 0.45
    return start, start + length - 1


def cells(ax):
    """Return the text in each run's cell."""
    return {run_at(*text.get_position()): text.get_text() for text in texts(ax, "cell")}


def arrows(ax):
    """The arrows, as pairs of runs: from and to."""
    ax.figure.draw_without_rendering()  # where an arrow ends follows from the size of the page
    found = {}
    for arrow in ax.patches:
        if isinstance(arrow, FancyArrowPatch):
            whole = arrow.get_path()  # from the tail to the tip, then the head
            path = whole.vertices[whole.codes != Path.CLOSEPOLY]
            tip = max(path, key=lambda place: math.dist(path[0], place))
            found[run_at(*path[0]), run_at(*tip)] = arrow
    return found


def frames(ax):
    """The frame of the cell of each run, and of each coin."""
    return {
        run_at(*patch.get_center()) if patch.get_center()[1] else patch.get_center()[0]: patch
        for patch in ax.patches
        if isinstance(patch, Rectangle | Circle)
    }


def best_after(greedy, i, j):
    """The runs that best moves leave."""
    if i == j:
        return []
    return [(i + 1, j) if move == "L" else (i, j - 1) for move in greedy.moves[i, j]]


@pytest.mark.parametrize(("size", "show"), [(1, "margin"), (2, "alice"), (7, "alice"), (8, "margin")])
def test_arrows_point_to_what_the_best_moves_leave(size, show):
    """Alice's arrows are blue and filled and her cells square, Bob's hollow, green and round."""
    greedy = row_of(size, most=5)
    ax = plots.triangle(greedy, show=show)
    runs = [(i, j) for i in range(size) for j in range(i, size)]
    assert set(arrows(ax)) == {(run, after) for run in runs for after in best_after(greedy, *run)}
    is_alice = {(i, j): (size - (j - i + 1)) % 2 == 0 for i, j in runs}
    for (run, _), arrow in arrows(ax).items():
        assert same_color(arrow.get_edgecolor(), look.BLUE if is_alice[run] else look.GREEN)
        assert same_color(arrow.get_facecolor(), look.BLUE if is_alice[run] else "white")
    beside = {round(text.get_position()[1]): text.get_text() for text in ax.texts if text.get_position()[0] < -0.5}
    for i, j in runs:
        number = getattr(greedy, show)[i, j]
        assert cells(ax)[i, j] == (look.signed(number) if show == "margin" else str(number))
        assert beside[j - i + 1] == ("Alice moves" if is_alice[i, j] else "Bob moves")
        assert isinstance(frames(ax)[i, j], Rectangle if is_alice[i, j] else Circle)


@pytest.mark.parametrize(("size", "most"), [(1, 9), (12, 9), (7, 10**9)])
def test_every_number_fits_into_its_cell(size, most):
    ax = plots.triangle(row_of(size, most), show="margin")
    ax.figure.draw_without_rendering()
    around = frames(ax)
    for text in [*texts(ax, "cell"), *texts(ax, "coin")]:
        x, y = text.get_position()
        inner, frame = text.get_window_extent(), around[run_at(x, y) if y else x].get_window_extent()
        assert inner.width <= frame.width + 1 and inner.height <= frame.height
        assert text.get_fontsize() >= look.SMALL


def test_a_line_of_best_play_is_thick_and_a_run_is_lit_with_its_coins():
    greedy = solve_greedy([1, 2, 2, 1, 2, 1, 1, 2])
    ax = plots.triangle(greedy, line=True, run=(1, 3))
    runs = [(0, 7)]
    for move, _ in greedy.line()[:-1]:
        i, j = runs[-1]
        runs.append((i + 1, j) if move == "L" else (i, j - 1))
    lit = [place for place, frame in frames(ax).items() if same_color(frame.get_facecolor(), look.ORANGE)]
    assert {place for place, frame in frames(ax).items() if frame.get_linewidth() >= 3} == {*runs, 1, 2, 3}
    assert lit == [(1, 3), 1, 2, 3]
    assert {ends for ends, arrow in arrows(ax).items() if arrow.get_linewidth() > 3} == set(pairwise(runs))
    assert "thick" in title(ax) and "thick" not in title(plots.triangle(greedy))


def test_a_game_that_was_played_is_a_band_through_its_cells():
    greedy = solve_greedy([3, 1, 9, 6, 8, 5])
    for moves in ("RLRLLR", "RL", ""):
        ax = plots.triangle(greedy, line=moves)
        runs = [(0, 5), (0, 4), (1, 4), (1, 3), (2, 3), (3, 3)][: len(moves) + 1]
        assert {place for place, frame in frames(ax).items() if frame.get_linewidth() >= 3} == set(runs)
        (band,) = [line for line in ax.lines if line.get_gid() == "game"]
        assert band.get_xydata().tolist() == [[(i + j) / 2, j - i + 1] for i, j in runs]
        assert "the game that was played" in title(ax)


def test_what_cannot_be_a_triangle():
    with pytest.raises(ValueError, match=r"19 coins are too many to read as a triangle "):
        plots.triangle(row_of(19))
    with pytest.raises(ValueError, match="expected 'alice' or 'margin', got 'bob'"):
        plots.triangle(row_of(4), show="bob")


# --- peaks ----------------------------------------------------------------------------------------------


def test_fused_coins_are_as_wide_as_the_coins_that_they_replace():
    coins = np.random.default_rng(9).integers(0, 100, 60).tolist()
    for fuses in (0, 1, 20, None):
        ax = plots.fusing(coins, fuses)
        widths = [round(bar.get_width()) for bar in ax.patches]
        assert sum(widths) == 60 and all(width % 2 for width in widths)
        assert ax.get_title() == f"{len(widths)} coins"
        assert len(widths) == (len(greedy_valley(coins)) if fuses is None else 60 - 2 * fuses)
    assert [bar.get_height() for bar in ax.patches] == greedy_valley(coins)
    (bar,) = plots.fusing([1, 2, 1]).patches
    assert (bar.get_height(), bar.axes.get_title()) == (0, "1 coin")


def test_opening_a_peak_and_taking_the_fused_coin_leave_the_same():
    ax = plots.opening([3, 9, 4, 1])
    numbers = [text.get_text() for text in ax.texts if text.get_gid() is None and len(text.get_text()) < 3]
    assert numbers == ["3", "9", "4", "1", "9", "4", "1", "4", "1", "−2", "1"]
    assert [text.get_text() for text in texts(ax, "lead")][2:] == ["Bob leads by 2"] * 2
    assert texts(plots.opening([1, 2, 1]), "lead")[-1].get_text() == "level"
    for coins in ([1, 2], [3, 1, 2]):
        with pytest.raises(ValueError, match="expected a peak at the left end"):
            plots.opening(coins)


# --- which states win -------------------------------------------------------------------------------------


def dark(ax):
    return {(x, y) for (y, x), won in np.ndenumerate(ax.images[0].get_array()) if not won}


def dots(ax):
    return {(int(x), int(y)) for line in ax.lines for x, y in line.get_xydata()}


def framed(ax):
    return {tuple(map(round, patch.get_center())) for patch in ax.patches}


@pytest.mark.parametrize(("most", "misere"), [(1, True), (2, False), (3, True), (None, False)])
def test_lost_states_of_two_rows_are_marked(misere, most):
    game = CoinGame((9, 6), most, misere)
    ax = plots.positions(solve(game))
    assert dots(ax) == dark(ax) == {state for state in product(range(10), range(7)) if is_lost(game, state)}
    assert ending_words(game) in title(ax) and ax.images[0].origin == "lower"
    image = ax.images[0]
    assert same_color(image.cmap(image.norm(False)), look.BLUE)  # the colour of a lost position


@pytest.mark.parametrize("size", [8, 101])
def test_a_slice_through_three_piles_is_the_pattern_of_xor(size):
    third = size // 3
    ax = plots.positions(solve(three_piles(size - 1, size - 1, size - 1)), fixed={2: third})
    pattern = {(x, y) for x, y in product(range(size), repeat=2) if x ^ y == third}
    assert dark(ax) == pattern
    assert dots(ax) == (pattern if size <= 32 else set())  # if cells are small, their darkness must be enough
    assert f"pile 2 holds {third} coins" in title(ax) and ("dot" in title(ax)) == (size <= 32)


def test_any_two_rows_can_be_looked_at():
    solution = solve(SCENARIOS["NIM"])
    ax = plots.positions(solution, fixed={0: 1, 2: 4})
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("coins in row 1", "coins in row 3")
    assert dots(ax) == {(x, y) for x in range(4) for y in range(8) if not solution.wins[1, x, 4, y]}
    with pytest.raises(ValueError, match=r"expected the coins of all rows but two of 4 rows, got \{0: 1\}"):
        plots.positions(solution, fixed={0: 1})


def nim_sum_of_grundy_values(state):
    return nim_sum(*(grundy(count, 2) for count in state))


@pytest.mark.parametrize("size", [9, 41])
def test_nim_sums_stand_in_the_cells_where_there_is_room(size):
    game = CoinGame((size - 1, size - 1, 3), 2, misere=False)
    ax = plots.positions(solve(game), fixed={2: 1}, values=nim_sum_of_grundy_values)
    numbers = {(x, y): nim_sum_of_grundy_values((x, y, 1)) for x, y in product(range(size), repeat=2)}
    lost = {state for state, number in numbers.items() if number == 0}
    assert {(x, y) for (y, x), won in np.ndenumerate(ax.images[0].get_array()) if not won} == lost
    written = {text.get_position(): int(text.get_text()) for text in ax.texts}
    assert written == (numbers if size < 20 else {})
    assert framed(ax) == (lost if written else set())
    assert len(ax.figure.axes) == 1  # no legend: the numbers are in the cells
