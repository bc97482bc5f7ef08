"""Who looks ahead without a table: playouts against exact expectations, a tree search against perfect play."""

from __future__ import annotations

import math

import numpy as np
import pytest
from by_the_rules import games
from hypothesis import given, settings
from own_games import OWN_GAMES, Ladder, NoughtsAndCrosses, Taking

from coinlib import SCENARIOS, CoinGame, GreedyCoins, Move, PerfectAgent, evaluate, minimax, play_match, sticks
from coinlib.search import SearchAgent, SearchNode, TriedMove, playouts, upper_bound
from coinlib.theory import is_lost, winning_moves

SMALL = {
    "misère play": sticks(7),
    "normal play": CoinGame((2, 3), max_pick=2, misere=False),
    "points": GreedyCoins((3, 5, 1, 2)),
    "a tie": GreedyCoins((1, 2, 4, 3)),
    "points and a result": Ladder(6),
    "the player who cannot move loses": Taking(6),
}


def expected(game, state) -> float:
    """What a state is worth on average when both sides play at random, directly from the rules."""
    moves = game.legal_moves(state)
    worth = [game.reward(state, move) - expected(game, game.play(state, move)) for move in moves]
    return sum(worth) / len(worth) if moves else game.result(state)


def checked_tree(agent: SearchAgent, root) -> None:
    """Every simulation at a node went on along one of its branches, and its value follows from its branches."""
    arrived = dict.fromkeys(agent.tree, 0) | {root: agent.simulations}
    for node in agent.tree.values():
        for branch in node.moves.values():
            arrived[branch.node.state] += branch.visits
    assert arrived == {state: node.visits for state, node in agent.tree.items()}
    top = agent.tree[root]
    assert sum(branch.visits for branch in top.moves.values()) == top.visits


# --- playouts


@pytest.mark.parametrize("name", SMALL)
def test_playouts_agree_with_the_exact_expectation(name):
    """Each of 10 seeds within 4 standard errors; if the game is right, one in 16,000 is further off."""
    game = SMALL[name]
    for seed in range(10):
        for move, found in playouts(game, game.start, games=300, seed=seed).items():
            exact = game.reward(game.start, move) - expected(game, game.play(game.start, move))
            assert abs(found.mean - exact) <= 4 * found.error + 1e-12, (seed, move)


def test_the_standard_error_halves_with_four_times_the_games():
    few, many = (playouts(sticks(9), (9,), games, seed=1) for games in (1_000, 4_000))
    assert list(few) == sticks(9).legal_moves((9,))
    assert all(many[move].error == pytest.approx(few[move].error / 2, rel=0.1) for move in few)


def test_playouts_fall_into_a_trap_that_the_tree_sees():
    """Most replies to the first move lose, so random games favour it; one reply refutes it."""
    game, state = CoinGame((1, 2, 9), max_pick=None, misere=False), (1, 2, 9)
    found = playouts(game, state, games=2_000, seed=1)
    praised = max(found, key=lambda move: found[move].mean)
    assert praised not in winning_moves(game, state)
    assert SearchAgent(3_000, seed=1)(game, state) in winning_moves(game, state)


# --- the tree


def test_the_upper_bound_by_hand():
    """The value 1 - 0.25; of 100 simulations 4 have made the move."""
    tried = TriedMove(points=1, node=SearchNode((3,), [], value=0.25), visits=4)
    node = SearchNode((5,), [], {"take": tried}, visits=100)
    assert upper_bound(node, "take", exploration=0.5) == pytest.approx(0.75 + 0.5 * (math.log(100) / 4) ** 0.5)


@settings(max_examples=30)
@given(games)
def test_the_tree_adds_up_in_any_game(game):
    agent = SearchAgent(simulations=60, seed=1)
    if game.legal_moves(game.start):
        agent(game, game.start)
        checked_tree(agent, game.start)


@pytest.mark.parametrize("name", [*SMALL, *OWN_GAMES])
def test_in_tiny_games_the_search_finds_a_best_move_from_every_seed(name):
    game = (SMALL | OWN_GAMES)[name]
    right = minimax(game).moves
    for seed in range(4):
        agent = SearchAgent(500, seed=seed)
        assert agent(game, game.start) in right
        checked_tree(agent, game.start)


def test_right_moves_become_more_with_more_simulations():
    """NIM_7: 20 positions in which some moves win and some do not; see benchmarks/results/search.md."""
    game = SCENARIOS["NIM_7"]
    positions = []
    chance = np.random.default_rng(1)
    while len(positions) < 20:
        state = tuple(chance.integers(0, np.array(game.rows) + 1).tolist())
        if 0 < len(winning_moves(game, state)) < len(game.legal_moves(state)):
            positions.append(state)
    right = []
    for simulations in (10, 500):
        moves = [SearchAgent(simulations, seed=1)(game, state) for state in positions]
        right.append(sum(is_lost(game, game.play(state, move)) for state, move in zip(positions, moves)))
    assert right[1] > 14 and right[1] > right[0] + 4


def test_exploration_means_the_same_where_points_are_larger():
    small, large = GreedyCoins((3, 5, 1, 2, 4, 1)), GreedyCoins((3_000, 5_000, 1_000, 2_000, 4_000, 1_000))
    trees = []
    for game in (small, large):
        agent = SearchAgent(200, seed=1)
        agent(game, game.start)
        trees.append({state: node.visits for state, node in agent.tree.items()})
    assert trees[0] == trees[1]


def test_without_exploration_what_looks_best_is_taken_again_and_again():
    visits = {}
    for exploration in (0, 10):
        agent = SearchAgent(300, exploration, seed=1)
        agent(sticks(20), (20,))
        visits[exploration] = [branch.visits for branch in agent.tree[20,].moves.values()]
    assert min(visits[10]) > 60 and min(visits[0]) < 20


# --- as an agent


def test_a_seed_repeats_a_match_and_every_move_begins_a_new_tree():
    matches = [play_match(SCENARIOS["NIM"], SearchAgent(50), PerfectAgent(), seed=3).moves for _ in range(2)]
    assert matches[0] == matches[1]
    agent = SearchAgent(50, seed=1)
    assert [agent(sticks(9), (count,)) for count in (9, 4)][1] == Move(0, 3)
    assert (9,) not in agent.tree and agent.tree[4,].visits == 50


def test_it_never_loses_noughts_and_crosses_to_perfect_play():
    found = evaluate(NoughtsAndCrosses(), SearchAgent(600), PerfectAgent(), games=2, seed=1)
    assert (found.ties, found.losses) == (2, 0)


class FreeSquares(NoughtsAndCrosses):
    """The free squares are legal moves, even when the game is won."""

    def legal_moves(self, state):
        return [square for square in self.moves if state[square] == "."]


def test_a_game_that_is_over_ends_though_moves_would_be_left():
    for state in ("XX.OO....", "XXOO....."):
        found = [playouts(game(), state, games=50, seed=1) for game in (NoughtsAndCrosses, FreeSquares)]
        assert found[0] == found[1]
        moves = [SearchAgent(50, seed=1)(game(), state) for game in (NoughtsAndCrosses, FreeSquares)]
        assert moves[0] == moves[1]


@pytest.mark.parametrize(
    "game", [CoinGame((50,) * 5, None), GreedyCoins(np.arange(60) * 17 % 1_000)], ids=["rows", "coins"]
)
def test_games_that_fit_in_no_table_are_played(game):
    agent = SearchAgent(100, seed=1)
    assert agent(game, game.start) in game.legal_moves(game.start)
    assert len(agent.tree) <= 101
