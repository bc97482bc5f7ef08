"""Pictures of perfect play: tested through what they draw, and a few as images.

To draw the images of comparison anew, after looking at what differs: `python tests/test_pictures.py`.
"""

from __future__ import annotations

import math
import pathlib
from functools import cache
from itertools import pairwise, product

import matplotlib
import numpy as np
import pytest
from colours import contrast

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.colors import same_color, to_rgb
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle
from matplotlib.path import Path
from matplotlib.testing.compare import compare_images

from coinlib import SCENARIOS, CoinGame, GreedyCoins, plots, solve, solve_greedy, sticks, three_piles
from coinlib.plots import look
from coinlib.theory import grundy, is_lost, nim_sum
from coinlib.trees import game_tree

IMAGES = pathlib.Path(__file__).parent / "images"
SQUARES, ROUND = Rectangle, Circle
HANDOUT = {  # 1 2 4 3: what Alice still gets, and where the arrows point, by the run of coins
    (0, 3): (5, [(0, 2), (1, 3)]),
    (0, 2): (2, [(0, 1)]),
    (1, 3): (4, [(1, 2), (2, 3)]),
    (0, 1): (2, [(0, 0)]),
    (1, 2): (4, [(1, 1)]),
    (2, 3): (4, [(3, 3)]),
    (0, 0): (0, []),
    (1, 1): (0, []),
    (2, 2): (0, []),
    (3, 3): (0, []),
}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def row_of(many, most=9, seed=1):
    return solve_greedy(np.random.default_rng([seed, many]).integers(1, most + 1, many))


def texts(ax, kind):
    return [text for text in ax.texts if text.get_gid() == kind]


# --- the triangle -----------------------------------------------------------------------------------------


def run_at(x, y):
    """The run of coins whose cell is nearest to a place."""
    length = round(y)
    start = round(x - (length - 1) / 2)
    assert math.hypot(start + (length - 1) / 2 - x, length - y) < 0.45
    return start, start + length - 1


def cells(ax):
    """What stands in the cell of each run."""
    return {run_at(*text.get_position()): text.get_text() for text in texts(ax, "cell")}


def arrows(ax):
    """From which run to which each arrow points, and its colours, line and head."""
    ax.figure.draw_without_rendering()  # where an arrow ends follows from the size of the page
    found = []
    for arrow in ax.patches:
        if isinstance(arrow, FancyArrowPatch):
            whole = arrow.get_path()  # from the tail to the tip, then the head
            path = whole.vertices[whole.codes != Path.CLOSEPOLY]
            tip = max(path, key=lambda place: math.dist(path[0], place))
            colours = (arrow.get_edgecolor(), arrow.get_facecolor())
            found.append((run_at(*path[0]), run_at(*tip), *colours, arrow.get_linewidth()))
    return found


def shapes(ax):
    """The frame of the cell of each run."""
    frames = [(patch, patch.get_center()) for patch in ax.patches if isinstance(patch, SQUARES | ROUND)]
    return {run_at(*place): patch for patch, place in frames if place[1] > 0.5}


def discs(ax):
    return [patch for patch in ax.patches if isinstance(patch, ROUND) and patch.center[1] == 0]


@cache
def best_margin(coins):
    if not coins:
        return 0
    return max(coins[0] - best_margin(coins[1:]), coins[-1] - best_margin(coins[:-1]))


def best_after(coins, i, j):
    """The runs that best moves leave, by plain recursion."""
    if i == j:
        return []
    worth = {(i + 1, j): coins[i] - best_margin(coins[i + 1 : j + 1]), (i, j - 1): coins[j] - best_margin(coins[i:j])}
    return [run for run in sorted(worth) if worth[run] == max(worth.values())]


def test_the_triangle_of_the_handout_cell_by_cell():
    ax = plots.triangle(solve_greedy([1, 2, 4, 3]))
    assert cells(ax) == {run: str(points) for run, (points, _) in HANDOUT.items()}
    ends = [arrow[:2] for arrow in arrows(ax)]
    assert sorted(ends) == sorted((run, after) for run, (_, to) in HANDOUT.items() for after in to)
    assert [text.get_text() for text in sorted(texts(ax, "coin"), key=lambda text: text.get_position())] == list("1243")
    assert len(discs(ax)) == 4


def test_the_margins_of_the_same_row():
    ax = plots.triangle(solve_greedy([1, 2, 4, 3]), show="margin")
    assert cells(ax) == {
        (0, 3): "0",
        (0, 2): "+3",
        (1, 3): "+1",
        (0, 1): "+1",
        (1, 2): "+2",
        (2, 3): "+1",
        (0, 0): "+1",
        (1, 1): "+2",
        (2, 2): "+4",
        (3, 3): "+3",
    }
    assert cells(plots.triangle(solve_greedy([1, 5, 1]), show="margin"))[0, 2] == "−3"


@pytest.mark.parametrize("many", [1, 2, 7, 16])
@pytest.mark.parametrize("show", ["alice", "margin"])
def test_arrows_point_to_what_the_best_moves_leave(many, show):
    """Against plain recursion; Alice's arrows are blue and filled, Bob's green and hollow."""
    greedy = row_of(many, most=5)
    ax = plots.triangle(greedy, show=show)
    runs = [(i, j) for i in range(many) for j in range(i, many)]
    found = arrows(ax)
    assert sorted(arrow[:2] for arrow in found) == sorted(
        (run, after) for run in runs for after in best_after(greedy.coins, *run)
    )
    for (i, j), _, edge, face, _ in found:
        alice = (many - (j - i + 1)) % 2 == 0
        assert same_color(edge, look.BLUE if alice else look.GREEN)
        assert same_color(face, look.BLUE if alice else "white")
    assert cells(ax) == {
        (i, j): str(getattr(greedy, show)[i, j])
        if show == "alice"
        else f"{greedy.margin[i, j]:+}".replace("-", "−")
        if greedy.margin[i, j]
        else "0"
        for i, j in runs
    }


def test_whose_turn_it_is_stands_beside_the_cells_and_in_their_shape():
    for many in (3, 4):
        ax = plots.triangle(row_of(many))
        beside = {round(text.get_position()[1]): text.get_text() for text in ax.texts if text.get_position()[0] < -0.5}
        assert beside.pop(0) == "the coins"
        for (i, j), frame in shapes(ax).items():
            alice = (many - (j - i + 1)) % 2 == 0
            assert beside[j - i + 1] == ("Alice moves" if alice else "Bob moves")
            assert isinstance(frame, SQUARES if alice else ROUND)
        assert len(shapes(ax)) == many * (many + 1) // 2


@pytest.mark.parametrize("many", [1, 2, 8, 18])
@pytest.mark.parametrize("most", [9, 10**9])
def test_every_number_stands_within_its_cell(many, most):
    ax = plots.triangle(row_of(many, most), show="margin")
    ax.figure.draw_without_rendering()
    frames = shapes(ax)
    for text in texts(ax, "cell"):
        inner, frame = text.get_window_extent(), frames[run_at(*text.get_position())].get_window_extent()
        assert inner.width <= frame.width + 1 and inner.height <= frame.height
        assert text.get_fontsize() >= look.SMALL
    for text, disc in zip(texts(ax, "coin"), discs(ax)):
        assert text.get_window_extent().width <= disc.get_window_extent().width
    page = ax.figure.bbox
    for text in [*ax.texts, ax.title, ax._left_title]:
        extent = text.get_window_extent()
        assert page.x0 - 1 <= extent.x0 and extent.x1 <= page.x1 + 1
        assert page.y0 - 1 <= extent.y0 and extent.y1 <= page.y1 + 1


def test_numbers_can_be_read_on_their_cells():
    ax = plots.triangle(row_of(4), run=(1, 2))
    backgrounds = [*shapes(ax).values(), *discs(ax)]
    for text in [*texts(ax, "cell"), *texts(ax, "coin")]:
        for patch in backgrounds:
            assert contrast(text.get_color(), to_rgb(patch.get_facecolor())) >= 4.5
    for text in ax.texts:
        assert contrast(text.get_color(), "white") >= 4.5
    for arrow in ax.patches:
        if isinstance(arrow, FancyArrowPatch):
            assert contrast(to_rgb(arrow.get_edgecolor()), "white") >= 3


def test_a_line_of_best_play_is_thick():
    greedy = solve_greedy([1, 2, 2, 1, 2, 1, 1, 2])
    ax = plots.triangle(greedy, line=True)
    i, j, runs = 0, 7, [(0, 7)]
    for move, coin in greedy.line()[:-1]:
        assert coin == greedy.coins[i if move == "L" else j]
        i, j = (i + 1, j) if move == "L" else (i, j - 1)
        runs.append((i, j))
    assert [run for run, frame in shapes(ax).items() if frame.get_linewidth() >= 3] == runs[::-1]
    assert sorted(arrow[:2] for arrow in arrows(ax) if arrow[4] > 3) == sorted(pairwise(runs))
    assert "thick" in ax.get_title("left")
    assert "thick" not in plots.triangle(greedy).get_title("left")


def test_a_run_is_lit_with_its_coins():
    ax = plots.triangle(row_of(6), run=(1, 3))
    lit = [run for run, frame in shapes(ax).items() if same_color(frame.get_facecolor(), look.ORANGE)]
    assert lit == [(1, 3)]
    assert [same_color(disc.get_facecolor(), look.ORANGE) for disc in discs(ax)] == [
        False,
        True,
        True,
        True,
        False,
        False,
    ]


def test_a_triangle_is_drawn_where_it_is_told_and_warns_of_nothing(caplog):
    _, (mine, other) = plt.subplots(1, 2, figsize=(10, 4))
    assert plots.triangle(row_of(4), ax=mine) is mine
    assert not other.patches
    mine.figure.canvas.draw()
    assert not caplog.records


def test_what_cannot_be_a_triangle():
    with pytest.raises(ValueError, match="19 coins are too many to read as a triangle .*triangle_heat"):
        plots.triangle(row_of(19))
    for draw in (plots.triangle, plots.triangle_heat, plots.triangle_table):
        with pytest.raises(ValueError, match="expected 'alice' or 'margin', got 'bob'"):
            draw(row_of(4), show="bob")
    for run in ((0, 4), (2, 1), (-1, 2), (1,)):
        with pytest.raises(ValueError, match="run: expected coins"):
            plots.triangle(row_of(4), run=run)


@pytest.mark.parametrize("many", [1, 19, 50, 301])
def test_a_heat_map_has_every_run_of_coins(many):
    greedy = row_of(many)
    ax = plots.triangle_heat(greedy)
    image = ax.images[0]
    left, right, bottom, top = image.get_extent()
    held = image.get_array()
    for i, j in {(0, 0), (0, many - 1), (many // 3, many // 2), (many - 1, many - 1)}:
        line = int((j - i + 1 - bottom) / (top - bottom) * held.shape[0])
        column = int(((i + j) / 2 - left) / (right - left) * held.shape[1])
        assert held[line, column] == greedy.alice[i, j]
    assert held.count() == many * (many + 1)  # two columns wide, and nothing where there is no run
    assert ax.get_xlabel() and ax.get_ylabel() and "points that Alice still gets" in ax.figure.axes[1].get_ylabel()


def test_a_heat_map_of_margins_is_alices():
    """S where she moves, -S where Bob does; her points less his."""
    greedy = row_of(20)
    held = plots.triangle_heat(greedy, show="margin").images[0].get_array()
    total = sum(greedy.coins)
    assert held[19, 20] == greedy.margin[0, 19] == 2 * greedy.value - total
    assert held[18, 18] == -greedy.margin[0, 18] == 2 * greedy.alice[0, 18] - (total - greedy.coins[19])


def test_long_rows_and_large_coins_still_make_a_heat_map():
    assert plots.triangle_heat(row_of(1_200)).images[0].get_array().shape[0] == 600
    huge = solve_greedy([10**30, 1, 2 * 10**30] * 7)
    assert plots.triangle_heat(huge).images[0].get_array().max() == pytest.approx(float(huge.value))


def test_the_triangle_in_words():
    table = plots.triangle_table(solve_greedy([1, 2, 4, 3]))
    assert table.loc[(0, 3)].to_dict() == {
        "coins": "1 2 4 3",
        "turn": "Alice",
        "alice": 5,
        "best move": "take the 1 on the left, leave 2 4 3; or take the 3 on the right, leave 1 2 4",
    }
    assert table.loc[(0, 2)].tolist() == ["1 2 4", "Bob", 2, "take the 4 on the right, leave 1 2"]
    assert table.loc[(0, 1)].tolist() == ["1 2", "Alice", 2, "take the 2 on the right, leave 1"]
    assert table.loc[(2, 2)].tolist() == ["4", "Bob", 0, "take the last coin"]
    assert list(table["alice"]) == [5, 2, 4, 2, 4, 4, 0, 0, 0, 0]
    assert list(plots.triangle_table(solve_greedy([1, 2, 4, 3]), show="margin")["margin"])[:3] == [0, 3, 1]


def test_long_runs_are_cut_in_words():
    table = plots.triangle_table(solve_greedy(range(50)))
    assert len(table) == 50 * 51 // 2
    assert table.loc[(0, 49), "coins"] == "0 1 2 … 47 48 49 (50 coins)"


# --- who wins where ---------------------------------------------------------------------------------------


def lost_cells(ax):
    """Where the white dots stand."""
    return {(int(x), int(y)) for line in ax.lines for x, y in line.get_xydata()}


def framed(ax):
    return {tuple(map(round, patch.get_center())) for patch in ax.patches}


@pytest.mark.parametrize("misere", [True, False], ids=["misère play", "normal play"])
@pytest.mark.parametrize("most", [1, 2, 3, None])
def test_lost_states_of_two_rows_are_marked(misere, most):
    game = CoinGame((9, 6), most, misere)
    ax = plots.positions(solve(game))
    lost = {state for state in product(range(10), range(7)) if is_lost(game, state)}
    assert lost_cells(ax) == lost
    dark = ax.images[0].get_array()
    assert {(x, y) for (y, x), won in np.ndenumerate(dark) if not won} == lost
    ending = "misère play: who takes the last coin loses" if misere else "normal play: who takes the last coin wins"
    assert ending in " ".join(ax.get_title("left").split())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("coins in row 0", "coins in row 1")
    assert ax.images[0].origin == "lower"


@pytest.mark.parametrize("size", [8, 16, 32, 101])
def test_a_slice_through_three_piles_is_the_pattern_of_xor(size):
    solution = solve(three_piles(size - 1, size - 1, size - 1))
    held = size // 3
    ax = plots.positions(solution, fixed={2: held})
    pattern = {(x, y) for x, y in product(range(size), repeat=2) if x ^ y == held}
    assert {(x, y) for (y, x), won in np.ndenumerate(ax.images[0].get_array()) if not won} == pattern
    assert lost_cells(ax) == (pattern if size <= 32 else set())  # where cells are small their darkness must do
    title = " ".join(ax.get_title("left").split())
    assert f"row 2 holds {held} coins" in title and ("dot" in title) == (size <= 32)


def test_dark_and_light_cells_differ_without_colour():
    image = plots.positions(solve(SCENARIOS["DOUBLE_21_3"])).images[0]
    assert contrast(image.cmap(0.0)[:3], image.cmap(1.0)[:3]) >= 3


def test_any_two_rows_can_be_looked_at():
    solution = solve(SCENARIOS["NIM"])
    ax = plots.positions(solution, fixed={0: 1, 2: 4})
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("coins in row 1", "coins in row 3")
    assert lost_cells(ax) == {(x, y) for x in range(4) for y in range(8) if not solution.wins[1, x, 4, y]}
    table = plots.positions_table(solution, fixed={0: 1, 2: 4})
    assert table.shape == (8, 4)
    assert (table.index.name, table.columns.name) == ("row 3", "row 1")
    assert {(x, y) for y, x in product(range(8), range(4)) if table.loc[y, x] == "lost"} == lost_cells(ax)


@pytest.mark.parametrize("size", [8, 16])
def test_nim_sums_stand_in_the_cells(size):
    solution = solve(three_piles(size - 1, size - 1, 3))
    ax = plots.positions(solution, fixed={2: 3}, values=lambda state: nim_sum(*state))
    written = {text.get_position(): text.get_text() for text in ax.texts}
    assert written == {(x, y): str(x ^ y ^ 3) for x, y in product(range(size), repeat=2)}
    assert framed(ax) == {(x, y) for x, y in product(range(size), repeat=2) if x ^ y == 3}
    image = ax.images[0]
    for text in ax.texts:
        x, y = text.get_position()
        assert contrast(text.get_color(), image.cmap(image.norm(image.get_array()[y, x]))[:3]) >= 4.5


def test_values_of_bounded_rows_and_of_many_states():
    def nim_sum_of_grundy_values(state):
        return nim_sum(*(grundy(held, 2) for held in state))

    game = CoinGame((40, 40), 2, misere=False)
    ax = plots.positions(solve(game), values=nim_sum_of_grundy_values)
    assert not ax.texts and ax.images[0].get_array()[4, 5] == 3  # 1 and 2
    assert ax.figure.axes[1].get_ylabel() == "nim sum of grundy values"
    assert {tick % 1 for tick in ax.figure.axes[1].get_yticks()} == {0}  # whole numbers have a legend in whole numbers
    assert framed(ax) == {state for state in product(range(41), repeat=2) if is_lost(game, state)}


def test_the_plane_in_words():
    table = plots.positions_table(solve(three_piles(2, 2, 1)), fixed={2: 0})
    assert table.to_numpy().tolist() == [["lost", "won", "won"], ["won", "lost", "won"], ["won", "won", "lost"]]


def test_what_cannot_be_a_plane():
    solution = solve(three_piles(2, 2, 1))
    for draw in (plots.positions, plots.positions_table):
        with pytest.raises(ValueError, match="expected the coins of 1 row, so that two of the 3 rows are left"):
            draw(solution)
        with pytest.raises(ValueError, match="so that two of the 3 rows are left"):
            draw(solution, fixed={3: 0})
        with pytest.raises(ValueError, match="row 2 holds at most 1 coin, got 2"):
            draw(solution, fixed={2: 2})
        with pytest.raises(ValueError, match="two of the 1 row"):
            draw(solve(sticks(5)))


# --- game trees -------------------------------------------------------------------------------------------

TREES = {
    "sticks(4)": lambda: game_tree(sticks(4)),
    "sticks(5)": lambda: game_tree(sticks(5)),
    "sticks(6)": lambda: game_tree(sticks(6)),
    "sticks(6) merged": lambda: game_tree(sticks(6)).merged(),
    "sticks(4), normal play": lambda: game_tree(sticks(4, misere=False)),
    "three piles": lambda: game_tree(three_piles(2, 2, 1)).folded(),
    "three piles merged": lambda: game_tree(three_piles(2, 2, 1)).merged(),
    "greedy": lambda: game_tree(GreedyCoins((1, 2, 4, 3))),
    "greedy merged": lambda: game_tree(GreedyCoins((1, 2, 4, 3))).merged(),
    "over": lambda: game_tree(sticks(0)),
}


def drawn_nodes(ax):
    """The boxes, level by level from left to right."""
    boxes = sorted(texts(ax, "node"), key=lambda text: (round(text.get_position()[1]), text.get_position()[0]))
    levels: dict[int, list] = {}
    for box in boxes:
        levels.setdefault(round(box.get_position()[1]), []).append(box)
    return list(levels.values())


def lines(ax):
    return [line for line in ax.lines if line.get_gid() == "branch"]


def words(ax):
    return " ".join(ax.get_title("left").split())


def test_the_tree_of_three_sticks_by_hand():
    ax = plots.tree(game_tree(sticks(3)))
    assert [[box.get_text() for box in level] for level in drawn_nodes(ax)] == [
        ["3\nwins"],
        ["2\nwins", "1\nloses", "0\nwins"],
        ["1\nloses", "0\nwins", "0\nwins"],
        ["0\nwins"],
    ]
    assert [text.get_text() for text in texts(ax, "move")] == ["1", "2", "3", "1", "2", "1", "1"]
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        *("player 1\nmoves", "player 2\nmoves", "player 1\nmoves", "the end")
    ]
    thick = [line.get_linewidth() > 2 for line in lines(ax)]
    assert thick == [False, True, False, True, False, False, False]  # 3 - 2 and 2 - 1; who must take the last loses
    assert "misère play: who takes the last coin loses" in words(ax)
    assert "normal play: who takes the last coin wins" in words(plots.tree(game_tree(sticks(3, misere=False))))


@pytest.mark.parametrize("name", TREES)
def test_a_tree_draws_every_node_and_every_branch(name):
    tree = TREES[name]()
    ax = plots.tree(tree)
    boxes = drawn_nodes(ax)
    assert [len(level) for level in boxes] == [len(level) for level in tree.levels]
    ends = {tuple(map(float, line.get_xydata().ravel())) for line in lines(ax)}
    places = {depth: [box.get_position()[0] for box in level] for depth, level in enumerate(boxes)}
    for x, y, to_x, to_y in ends:
        assert to_y == y + 1
        assert min(abs(x - other) for other in places[y]) < 1e-9
        assert min(abs(to_x - other) for other in places[to_y]) < 1e-9
    pairs = {
        (depth, way.parent, number)
        for depth, level in enumerate(tree.levels)
        for number, node in enumerate(level)
        for way in node.branches
    }
    assert len(ends) == len(lines(ax)) == len(pairs)
    for level, drawn in zip(tree.levels, boxes):
        found = sorted(box.get_text().split("\n")[0] for box in drawn)
        named = [
            " ".join(map(str, tree.game.coins_left(node.state))) or "none"
            if isinstance(tree.game, GreedyCoins)
            else ",".join(map(str, node.state))
            for node in level
        ]
        assert found == sorted(named)


@pytest.mark.parametrize("name", TREES)
def test_boxes_of_a_tree_do_not_touch_and_stay_on_the_page(name):
    ax = plots.tree(TREES[name]())
    ax.figure.draw_without_rendering()
    for level in drawn_nodes(ax):
        extents = [box.get_bbox_patch().get_window_extent() for box in level]
        assert all(one.x1 < other.x0 for one, other in pairwise(extents))
        assert all(ax.figure.bbox.x0 <= extent.x0 and extent.x1 <= ax.figure.bbox.x1 for extent in extents)
    for box in texts(ax, "node"):
        assert contrast(box.get_color(), to_rgb(box.get_bbox_patch().get_facecolor())) >= 4.5
        assert box.get_fontsize() >= look.SMALL
    moves = [text.get_window_extent() for text in texts(ax, "move")]
    assert not any(one.overlaps(other) for place, one in enumerate(moves) for other in moves[:place])
    title = ax._left_title.get_window_extent()
    assert ax.figure.bbox.x0 <= title.x0 and title.x1 <= ax.figure.bbox.x1 and title.y1 <= ax.figure.bbox.y1 + 1


def test_players_and_repeated_states_are_told_apart_without_colour():
    tree = game_tree(sticks(5))
    ax = plots.tree(tree)
    for level, drawn in zip(tree.levels, drawn_nodes(ax)):
        for node, box in zip(level, drawn):
            patch = box.get_bbox_patch()
            assert type(patch.get_boxstyle()).__name__ == ("Round" if node.player == 1 else "Square")
            assert (patch.get_linestyle() != "-" and patch.get_linestyle() != "solid") == (
                node.repeated and not node.over
            )
            assert box.get_text().split("\n")[1] == ("wins" if node.value > 0 else "loses")
            assert (box.get_weight() == "bold") == (node.value < 0)
    assert "dashed" in words(ax)
    assert "dashed" not in words(plots.tree(game_tree(sticks(1))))


def test_a_wide_tree_is_folded_and_says_so():
    tree = game_tree(three_piles(2, 2, 1))
    ax = plots.tree(tree)
    assert len(texts(ax, "node")) == len(tree.folded()) == 46
    assert "goes on there" in words(ax)
    assert "goes on there" not in words(plots.tree(game_tree(sticks(6))))


def test_merged_three_piles_have_the_thick_way_to_win():
    ax = plots.tree(game_tree(three_piles(2, 2, 1)).merged())
    boxes = drawn_nodes(ax)
    first = [line for line in lines(ax) if line.get_ydata()[0] == 0 and line.get_linewidth() > 2]
    target = [box.get_text() for box in boxes[1] if box.get_position()[0] == first[0].get_xdata()[1]]
    assert len(first) == 1 and target == ["2,2,0\nloses"]
    assert "the boxes at their ends tell the move" in words(ax)


def test_greedy_coins_as_a_tree_name_the_coins_and_the_margins():
    ax = plots.tree(game_tree(GreedyCoins((1, 2, 4, 3))))
    boxes = [[box.get_text() for box in level] for level in drawn_nodes(ax)]
    assert boxes[:3] == [["1 2 4 3\n0"], ["1 2 4\n+3", "2 4 3\n+1"], ["1 2\n+1", "2 4\n+2", "2 4\n+2", "4 3\n+1"]]
    assert [text.get_text() for text in texts(ax, "move")][:2] == ["R +3", "L +1"]
    assert ax.get_yticklabels()[1].get_text() == "Bob\nmoves"
    merged = plots.tree(game_tree(GreedyCoins((1, 2, 4, 3))).merged())
    runs = [[box.get_text().split("\n")[0] for box in level] for level in drawn_nodes(merged)]
    assert runs[:4] == [["1 2 4 3"], ["1 2 4", "2 4 3"], ["1 2", "2 4", "4 3"], ["1", "2", "4", "3"]]


def test_players_of_greedy_coins_look_alike_in_the_tree_and_the_triangle():
    ax = plots.tree(game_tree(GreedyCoins((1, 2, 4, 3))))
    boxes = [text.get_bbox_patch() for text in ax.texts if text.get_gid() == "node" and "none" not in text.get_text()]
    shapes = {type(box.get_boxstyle()).__name__ for box in boxes if same_color(box.get_edgecolor(), look.BLUE)}
    others = {type(box.get_boxstyle()).__name__ for box in boxes if same_color(box.get_edgecolor(), look.GREEN)}
    assert (shapes, others) == ({"Square"}, {"Round"})  # as Alice's cells and Bob's in the triangle


@pytest.mark.parametrize("coins", [[7], [3, 5, 1, 2], [3, 1, 9, 6, 8, 5], list(range(15))])
def test_red_and_blue_coins_are_every_second_one(coins):
    ax = plots.red_and_blue(coins)
    red, blue = ([int(x) for x, _ in drawn.get_offsets()] for drawn in ax.collections)
    assert (red, blue) == (list(range(0, len(coins), 2)), list(range(1, len(coins), 2)))
    assert [int(text.get_text()) for text in ax.texts] == coins
    said = [text.get_text() for text in ax.get_legend().get_texts()]
    assert said == [f"red (circle): {sum(coins[::2])} in all", f"blue (square): {sum(coins[1::2])} in all"]
    assert len({len(drawn.get_paths()[0].vertices) for drawn in ax.collections}) == 2  # two shapes


def test_no_coins_have_no_colours():
    with pytest.raises(ValueError, match="expected at least one coin, got none"):
        plots.red_and_blue([])


def test_a_tree_that_cannot_be_read_is_refused():
    with pytest.raises(ValueError, match=r"nodes wide, cannot be read .*see tree_table"):
        plots.tree(game_tree(three_piles(1, 3, 3)))
    with pytest.raises(ValueError, match=r"61 levels, 1 nodes wide"):
        plots.tree(game_tree(sticks(60, max_pick=1)))


def test_the_tree_in_words():
    tree = game_tree(three_piles(2, 2, 1))
    table = plots.tree_table(tree)
    assert len(table) == 150
    assert table.iloc[0].to_dict() == {
        "level": 1,
        "turn": "player 1",
        "state": "2,2,1",
        "came by": "",
        "outcome": "wins",
        "repeated": False,
    }
    first = table[table["level"] == 2]
    assert list(first["came by"]) == [f"2,2,1: take {move}" for move in ("0:1", "0:2", "1:1", "1:2", "2:1")]
    assert list(first["outcome"]) == ["wins"] * 4 + ["loses"]
    merged = plots.tree_table(game_tree(GreedyCoins((1, 2, 4, 3))).merged())
    assert merged.loc[merged["state"] == "2 4", "came by"].item() == "1 2 4: take L; 2 4 3: take R"
    assert merged.loc[0, "outcome"] == "0"


# --- images -----------------------------------------------------------------------------------------------

PICTURES = {
    "triangle": lambda ax: plots.triangle(solve_greedy([1, 2, 4, 3]), ax=ax),
    "positions": lambda ax: plots.positions(solve(three_piles(7, 7, 7)), fixed={2: 3}, ax=ax),
    "tree": lambda ax: plots.tree(game_tree(sticks(4)), ax=ax),
    "merged": lambda ax: plots.tree(game_tree(GreedyCoins((1, 2, 4, 3))).merged(), ax=ax),
}
# Letters and the edges of shapes are drawn a little differently by each version of Matplotlib. So letters
# are hidden (other tests read them), and each pixel is the mean of a block of 8 by 8. What is left differs
# between Matplotlib 3.9 and 3.11 by at most 1.3 (root mean square over the grey values of 0 to 255), while
# one missing arrow makes 3.4 or more.
TOLERANCE = 2.3
BLOCK = 8


def draw_picture(name, path):
    """One picture, small and without letters, always with the same frame."""
    with plt.rc_context(matplotlib.rcParamsDefault | {"backend": "agg"}):
        figure = plt.figure(figsize=(5, 4.5), dpi=320)
        ax = figure.add_axes((0.02, 0.02, 0.96, 0.96))
        PICTURES[name](ax)
        ax.axis("off")
        ax.set_title("", loc="left")
        for text in ax.texts:
            text.set_alpha(0)
        for text in texts(ax, "move"):
            text.set_visible(False)
        for text in texts(ax, "node"):  # boxes of one size, whatever the letters
            text.set(text="0", fontsize=1)
            style = text.get_bbox_patch().get_boxstyle()
            style.pad, style.rounding_size = 9, 9
        save_coarsely(figure, path)
    return ax


def save_coarsely(figure, path):
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3]
    high, wide, colours = pixels.shape
    blocks = pixels.reshape(high // BLOCK, BLOCK, wide // BLOCK, BLOCK, colours).mean(axis=(1, 3))
    plt.imsave(path, np.round(blocks).astype(np.uint8))


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_look_as_they_did(name, tmp_path):
    draw_picture(name, tmp_path / f"{name}.png")
    differs = compare_images(str(IMAGES / f"{name}.png"), str(tmp_path / f"{name}.png"), TOLERANCE)
    assert differs is None, differs


def test_one_missing_arrow_is_noticed(tmp_path):
    path = tmp_path / "less.png"
    ax = draw_picture("triangle", path)
    all_arrows = [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]
    assert len(all_arrows) == 8
    for arrow in all_arrows:
        arrow.set_visible(False)
        save_coarsely(ax.figure, path)
        arrow.set_visible(True)
        assert compare_images(str(IMAGES / "triangle.png"), str(path), TOLERANCE, in_decorator=True)["rms"] > TOLERANCE


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    for picture in PICTURES:
        draw_picture(picture, IMAGES / f"{picture}.png")
