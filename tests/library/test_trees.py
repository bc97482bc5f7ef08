"""Game trees: small ones by hand, others against a plain recursion over the rules."""

from __future__ import annotations

import pytest
from by_the_rules import best_moves, games, value
from hypothesis import assume, given, settings

from coinlib import SCENARIOS, GreedyCoins, sticks, three_piles
from coinlib.trees import TREE_NODES, game_tree, tree_size


def states(tree):
    return [[node.state for node in level] for level in tree.levels]


# --- by hand --------------------------------------------------------------------------------------------


def test_three_sticks_by_hand():
    """Misère play: take 2 of 3 and leave the last one."""
    tree = game_tree(sticks(3))
    assert states(tree) == [[(3,)], [(2,), (1,), (0,)], [(1,), (0,), (0,)], [(0,)]]
    assert [[node.player for node in level] for level in tree.levels] == [[1], [2, 2, 2], [1, 1, 1], [2]]
    assert [[node.value for node in level] for level in tree.levels] == [[1], [1, -1, 1], [-1, 1, 1], [1]]
    assert [node.move and node.move.count for level in tree.levels for node in level] == [None, 1, 2, 3, 1, 2, 1, 1]
    assert [node.branches[0].parent for node in tree.levels[2]] == [0, 0, 1]
    assert [node.branches[0].best for node in tree.levels[1]] == [False, True, False]
    assert not tree.points
    assert states(tree) == states(game_tree(sticks(20), (3,)))  # a tree that starts later in the game
    assert tree_size(sticks(20), (3,)) == tree.size


def test_three_piles_of_the_handout():
    tree = game_tree(three_piles(2, 2, 1))
    assert states(tree)[1] == [(1, 2, 1), (0, 2, 1), (2, 1, 1), (2, 0, 1), (2, 2, 0)]
    assert [node.state for node in tree.levels[1] if node.value < 0] == [(2, 2, 0)]
    assert tree_size(three_piles(2, 2, 1)) == (150, 60, 18, 30, 5)


def test_greedy_coins_stand_as_in_the_triangle():
    """The coins left after the right one is taken are on the left; merged, the levels are the runs."""
    game = GreedyCoins((1, 2, 4, 3))
    tree = game_tree(game)
    assert len(tree) == 31 and tree.points
    assert [node.move for node in tree.levels[1]] == ["R", "L"]
    merged = tree.merged()
    assert [[game.coins_left(state) for state in level] for level in states(merged)][:4] == [
        [(1, 2, 4, 3)],
        [(1, 2, 4), (2, 4, 3)],
        [(1, 2), (2, 4), (4, 3)],
        [(1,), (2,), (4,), (3,)],
    ]
    assert [node.value for node in merged.levels[2]] == [1, 2, 1]  # the margins S


def test_merged_sticks_still_tell_whose_turn_it_is():
    merged = game_tree(sticks(4)).merged()
    assert states(merged) == [[(4,)], [(3,), (2,), (1,)], [(2,), (1,), (0,)], [(1,), (0,)], [(0,)]]
    again = [[node.state for node in level if node.repeated] for level in merged.levels]
    assert again == [[], [], [(2,), (1,)], [(1,), (0,)], [(0,)]]


def test_a_folded_tree_opens_every_state_once():
    tree = game_tree(three_piles(2, 2, 1)).folded()
    opened = [node.state for level in tree.levels for node in level if not node.repeated]
    assert len(opened) == len(set(opened)) == 18
    assert len(tree) == 1 + sum(map(sum, opened))  # from each state one branch for each coin that could be taken last
    assert states(game_tree(sticks(3)).folded()) == [[(3,)], [(2,), (1,), (0,)], [(1,), (0,), (0,)]]


# --- against recursion over the rules -------------------------------------------------------------------


@settings(max_examples=40)
@given(games)
def test_trees_by_recursion(game):
    """Every legal move of every node leads to one node of the next level, with the right values and marks."""
    size = tree_size(game)
    if size.nodes > TREE_NODES:
        with pytest.raises(ValueError, match=f"would have {size.nodes:,} nodes"):
            game_tree(game)
    assume(size.nodes <= 500)
    tree = game_tree(game)
    ends = sum(node.over for level in tree.levels for node in level)
    different = [set(level) for level in states(tree)]
    counted = len(tree), ends, len(set.union(*different)), sum(map(len, different)), len(tree.levels) - 1
    assert size == tree.size == counted
    seen = set()
    for level, below in zip(tree.levels, [*tree.levels[1:], ()]):
        for number, node in enumerate(level):
            after = [child for child in below if child.branches[0].parent == number]
            ways = [child.branches[0] for child in after]
            assert node.value == value(game, node.state)
            assert node.repeated == (node.state in seen)
            assert node.over == game.is_over(node.state) == (not after)
            assert sorted(way.move for way in ways) == sorted(game.legal_moves(node.state))
            assert [child.state for child in after] == [game.play(node.state, way.move) for way in ways]
            assert [way.points for way in ways] == [game.reward(node.state, way.move) for way in ways]
            assert {way.move for way in ways if way.best} == set(best_moves(game, node.state))
            seen.add(node.state)


@settings(max_examples=40)
@given(games)
def test_merging_loses_no_state_and_no_move(game):
    size = tree_size(game)
    assume(size.nodes <= 500)
    whole, merged = game_tree(game), game_tree(game).merged()
    assert len(merged) == size.merged
    assert [set(level) for level in states(whole)] == [set(level) for level in states(merged)]
    for small, large, above, above_large in zip(merged.levels[1:], whole.levels[1:], merged.levels, whole.levels):
        joined = [(above[way.parent].state, way.move, node.state) for node in small for way in node.branches]
        assert len(joined) == len(set(joined))
        assert set(joined) == {
            (above_large[node.branches[0].parent].state, node.branches[0].move, node.state) for node in large
        }


# --- sizes that are too large to draw --------------------------------------------------------------------


def test_large_trees_are_counted_exactly():
    """The number of games of n sticks is the sum of those of n - 1, n - 2 and n - 3."""
    ways = [1, 1, 2]
    while len(ways) <= 300:
        ways.append(sum(ways[-3:]))
    assert tree_size(sticks(300)).games == ways[300]
    assert tree_size(GreedyCoins((1, 2) * 50)) == (2**101 - 1, 2**100, 101 * 102 // 2, 101 * 102 // 2, 100)
    assert tree_size(SCENARIOS["SINGLE_21_3"])[:2] == (489_396, 223_317)


def test_a_tree_too_large_to_draw_is_refused_with_its_size():
    with pytest.raises(ValueError, match="would have 2,478,392 nodes; at most 5,000 are drawn"):
        game_tree(three_piles(3, 3, 7))
    with pytest.raises(ValueError, match=r"about 10\^265 nodes"):
        game_tree(sticks(1_000))


def test_a_long_game_is_no_deep_recursion():
    tree = game_tree(sticks(1_500, max_pick=1))
    assert len(tree) == len(tree.merged()) == len(tree.folded()) == 1_501
