"""Pictures of game trees, tested through what they draw."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from coinlib import CoinGame, GreedyCoins, plots, solve_greedy, sticks, three_piles
from coinlib.trees import game_tree


def texts(ax, kind):
    return [text for text in ax.texts if text.get_gid() == kind]


def title(ax):
    return " ".join(ax.get_title("left").split())


TREES = {
    "sticks": lambda: game_tree(sticks(5)),
    "three piles, folded": lambda: game_tree(three_piles(2, 2, 1)).folded(),
    "three piles, merged": lambda: game_tree(three_piles(2, 2, 1)).merged(),
    "greedy": lambda: game_tree(GreedyCoins((1, 2, 4, 3))),
    "greedy, merged": lambda: game_tree(GreedyCoins((1, 2, 4, 3))).merged(),
    "over": lambda: game_tree(sticks(0)),
}


def drawn_nodes(ax):
    """The boxes, level by level from left to right."""
    levels: dict[int, list] = {}
    for box in sorted(texts(ax, "node"), key=lambda text: text.get_position()):
        levels.setdefault(round(box.get_position()[1]), []).append(box)
    return [levels[depth] for depth in sorted(levels)]


def lines(ax):
    return [line for line in ax.lines if line.get_gid() == "branch"]


def test_the_tree_of_three_sticks_by_hand():
    ax = plots.tree(game_tree(sticks(3)))
    assert [[box.get_text() for box in level] for level in drawn_nodes(ax)] == [
        ["3\nwins"],
        ["2\nwins", "1\nloses", "0\nwins"],
        ["1\nloses", "0\nwins", "0\nwins"],
        ["0\nwins"],
    ]
    assert [text.get_text() for text in texts(ax, "move")] == ["1", "2", "3", "1", "2", "1", "1"]
    turns = [label.get_text() for label in ax.get_yticklabels()]
    assert turns == [
        "level 1\nplayer 1 moves",
        "level 2\nplayer 2 moves",
        "level 3\nplayer 1 moves",
        "level 4\nthe end",
    ]
    thick = [line.get_linewidth() > 2 for line in lines(ax)]
    assert thick == [False, True, False, True, False, False, False]  # 3 - 2 and 2 - 1 leave the last stick
    assert "misère play: the player who takes the last stick loses" in title(ax)


@pytest.mark.parametrize("name", TREES)
def test_a_tree_draws_every_node_and_every_branch_and_no_box_touches_another(name):
    tree = TREES[name]()
    ax = plots.tree(tree)
    boxes = drawn_nodes(ax)
    places = [[box.get_position()[0] for box in level] for level in boxes]
    assert [len(level) for level in boxes] == [len(level) for level in tree.levels]
    branches = {
        (depth, way.parent, number)
        for depth, level in enumerate(tree.levels)
        for number, node in enumerate(level)
        for way in node.branches
    }
    ends = {tuple(map(float, line.get_xydata().ravel())) for line in lines(ax)}
    assert len(ends) == len(lines(ax)) == len(branches)
    for x, y, to_x, to_y in ends:
        assert to_y == y + 1
        assert min(abs(x - place) for place in places[int(y)]) < 1e-9
        assert min(abs(to_x - place) for place in places[int(to_y)]) < 1e-9
    ax.figure.draw_without_rendering()
    page = ax.figure.bbox
    for level in boxes:
        frames = [box.get_bbox_patch().get_window_extent() for box in level]
        assert all(left.x1 < right.x0 for left, right in pairwise(frames))
        assert all(page.x0 <= frame.x0 and frame.x1 <= page.x1 for frame in frames)
    moves = [text.get_window_extent() for text in texts(ax, "move")]
    assert not any(first.overlaps(second) for first, second in combinations(moves, 2))
    assert ax._left_title.get_window_extent().y1 <= page.y1 + 1


@pytest.mark.parametrize("name", ["sticks", "greedy"])
def test_players_and_repeated_states_are_told_apart_without_colour(name):
    """In greedy coins player 1 is Alice, whose boxes are square as her cells in the triangle are."""
    tree = TREES[name]()
    ax = plots.tree(tree)
    for level, drawn in zip(tree.levels, drawn_nodes(ax)):
        for node, box in zip(level, drawn):
            patch = box.get_bbox_patch()
            assert (type(patch.get_boxstyle()).__name__ == "Round") == ((node.player == 1) == (name != "greedy"))
            assert (patch.get_linestyle() not in ("-", "solid")) == (node.repeated and not node.over)
            if name != "greedy":
                assert (box.get_weight() == "bold") == (node.value < 0)
    assert "dashed" in title(ax) and "dashed" not in title(plots.tree(game_tree(sticks(1))))


def test_a_wide_tree_is_folded_and_says_so_or_refused():
    tree = game_tree(three_piles(2, 2, 1))
    ax = plots.tree(tree)
    assert len(texts(ax, "node")) == len(tree.folded()) == 46
    assert "goes on there" in title(ax) and "goes on there" not in title(plots.tree(game_tree(sticks(6))))
    with pytest.raises(ValueError, match=r"a tree 74 nodes wide cannot be read .*draw a smaller game"):
        plots.tree(game_tree(three_piles(1, 3, 3)))


def test_greedy_coins_as_a_tree_name_the_coins_and_what_alice_gets():
    ax = plots.tree(game_tree(GreedyCoins((1, 2, 4, 3))))
    boxes = [[box.get_text() for box in level] for level in drawn_nodes(ax)]
    assert boxes[:3] == [["1 2 4 3\n5"], ["1 2 4\n2", "2 4 3\n4"], ["1 2\n2", "2 4\n4", "2 4\n4", "4 3\n4"]]
    assert [text.get_text() for text in texts(ax, "move")][:2] == ["R 3", "L 1"]


def test_a_tree_of_greedy_coins_holds_the_table_a():
    coins = (3, 1, 9, 6, 8)
    alice = solve_greedy(coins).alice
    ax = plots.tree(game_tree(GreedyCoins(coins)).merged().without_ends())
    boxes = [box.get_text().split("\n") for level in drawn_nodes(ax) for box in level]
    found = {tuple(map(int, state.split())): int(points) for state, points in boxes}
    assert found == {coins[i : j + 1]: alice[i, j] for j in range(5) for i in range(j + 1)}


def test_a_move_that_costs_points_has_a_minus():
    class Costly(CoinGame):
        def reward(self, state, move):
            return -move.count

    ax = plots.tree(game_tree(Costly((2,), max_pick=2)))
    assert [text.get_text() for text in texts(ax, "move")] == ["1 −1", "2 −2", "1 −1"]
