"""References agree with the library, winning agents are right, and whatever a text leaves open is accepted."""

import subprocess
import sys
from functools import cache
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from paths import STORED

from coincourse import checks
from coincourse.checks import conversations, why_multiples_of_four_lose
from coincourse.course import data
from coincourse.outside.sandbox.CoinGame_pb2 import CoinGameState
from coincourse.outside.sandbox.wire import encode
from coinlib import (
    SCENARIOS,
    CoinGame,
    Hats,
    QLearner,
    RandomAgent,
    play_match,
    solve,
    sticks,
    three_piles,
    train,
)
from coinlib.games import read_move
from coinlib.search import SearchAgent, upper_bound
from coinlib.solvers import greedy_margin, solve_greedy
from coinlib.trees import tree_size

HANDOUTS = STORED / "handouts"
ROWS = [list(coins) for count in range(1, 6) for coins in product((1, 5, 2, 0), repeat=count)]


# --- references -----------------------------------------------------------------------------------------


def test_moves_next_states_and_winners_are_those_of_the_game():
    for name, seed, misere in product(SCENARIOS, range(20), (False, True)):
        game = CoinGame(SCENARIOS[name].rows, SCENARIOS[name].max_pick, misere)
        match = play_match(game, RandomAgent(), RandomAgent(), seed=seed)
        for state, move, after in zip(match.states, match.moves, match.states[1:]):
            assert checks.legal_moves.reference(state, game.max_pick) == game.legal_moves(state)
            assert checks.next_state.reference(state, move) == after
        assert checks.winner.reference(len(match.moves), misere) == match.winner


def test_the_advantage_in_random_games_is_that_of_perfect_play():
    games = pd.read_csv(data("random_games.csv"))
    assert checks.advantage.reference(games) == {name: solve(game).winner() for name, game in SCENARIOS.items()}


def test_hats_settled_game_by_game_are_the_hats_of_the_learner():
    learner, waiting = Hats(sticks(10), seed=1), {}
    by_hand = {count: learner.contents(count) for count in range(1, 11)}
    for seed in range(200):
        match = play_match(sticks(10), RandomAgent(), learner, seed=seed, learn=True)
        beside = {state[0]: move.count for state, move in list(zip(match.states, match.moves))[1::2]}
        waiting = {hat: balls.copy() for hat, balls in by_hand.items()}
        for hat, drawn in beside.items():
            waiting[hat].remove(drawn)
        settled = checks.settle_game.reference(waiting, beside, match.winner == 2)
        by_hand = {hat: sorted(balls) for hat, balls in settled.items()}
        assert by_hand == {count: learner.contents(count) for count in range(1, 11)}


def test_three_piles():
    normal, misere = (solve(CoinGame((4, 4, 4), None, ending)) for ending in (False, True))
    for state in product(range(5), repeat=3):
        game = three_piles(*state)
        assert sorted(checks.children.reference(state)) == sorted(
            game.play(state, move) for move in game.legal_moves(state)
        )
        assert checks.wins.reference(state) == normal.wins[state]
        assert checks.misere_wins.reference(state) == misere.wins[state]
        best = normal.best_moves(state)
        assert not best or checks.perfect_player.reference(game, state) in best
        if sum(state) < 8:
            assert checks.size_of_tree.reference(state) == tree_size(game).nodes
    assert np.array_equal(checks.fill_u.reference(4, 4, 4), normal.wins)


def test_the_losing_counts():
    solution = solve(sticks(300, max_pick=3, misere=True))
    assert all(checks.losing.reference(count) != solution.wins[count] for count in range(1, 301))


def test_the_favourite_is_chosen_as_often_as_the_reference_says():
    """20,000 choices of a learner; a right one fails in about one of 10,000 runs (four standard deviations)."""
    learner = QLearner(sticks(20), exploration=0.3, seed=3)
    seat = learner.sit()
    share = sum(seat(learner.game, (20,)).count == 1 for _ in range(20_000)) / 20_000
    wanted = checks.chance_of_best.reference(0.3, 3)
    assert abs(share - wanted) < 4 * (wanted * (1 - wanted) / 20_000) ** 0.5


def test_one_can_train_with_the_falling_plan():
    learner = QLearner(sticks(10), learning_rate=0.3, exploration=checks.falling.reference)
    run = train(learner, RandomAgent(), games=1_100, seed=1)
    assert learner.distance_to_perfect().perfect and run.won[-100:].mean() > 0.9


@pytest.mark.parametrize("session", ["friends", "refused"])
def test_the_game_of_sticks_for_two_speaks_as_in_the_handout(session):
    lines = (HANDOUTS / f"{session}.txt").read_text(encoding="utf-8").splitlines()
    answers = [line.rpartition("? ")[2] for line in lines if "? " in line]
    assert conversations.conversation(checks.two_players.reference, (), answers)[0] == lines


def test_a_game_against_hats_speaks_as_in_the_handout():
    lines = (HANDOUTS / "computer.txt").read_text(encoding="utf-8").splitlines()[6:]
    answers = [line.rpartition("? ")[2] for line in lines if "? " in line]
    hats = {10: [1], 9: [1], 7: [2], 5: [3], 2: [2]}  # the AI can draw nothing but what it draws there
    arguments = (10, hats, np.random.default_rng(1))
    assert conversations.conversation(checks.play_hats.reference, arguments, answers)[0] == lines


def test_two_machines_that_train_each_other_find_the_strategy():
    naive = {left: [1, 2, 3] for left in range(1, 11)}
    for hats in checks.train_hats.reference(naive, naive, 10, 2_000, np.random.default_rng(1)):
        for left, balls in hats.items():
            best = [move.count for move in solve(sticks(10)).best_moves((left,))]
            if best:
                assert best == [max(balls, key=balls.count)]
            else:
                assert balls.count(1) == balls.count(3) == 1


def test_greedy_coins():
    for coins in ROWS:
        greedy = solve_greedy(coins)
        assert checks.alices_margin.reference(coins, greedy.value) == greedy.margin[0, -1]
        A = checks.alice_table.reference(coins)
        assert A == greedy.alice.tolist()
        runs = [(i, j) for j in range(len(coins)) for i in range(j + 1)]
        assert all(checks.best_ends.reference(coins, A, i, j) == greedy.moves[i, j] for i, j in runs)
        assert checks.end_to_take.reference(coins) in greedy.moves[0, -1]


def test_any_peak_may_be_fused_and_the_order_makes_no_difference():
    @cache
    def valleys(coins):
        rows = [
            (*coins[: i - 1], coins[i - 1] - coins[i] + coins[i + 1], *coins[i + 2 :])
            for i in range(1, len(coins) - 1)
            if coins[i - 1] <= coins[i] >= coins[i + 1]
        ]
        return frozenset().union(*map(valleys, rows)) if rows else {coins}

    for coins in ROWS:
        (valley,) = valleys(tuple(coins))
        assert tuple(checks.fuse_all.reference(coins)) == valley
        down = sorted(valley, reverse=True)
        assert sum(down[0::2]) - sum(down[1::2]) == greedy_margin(coins)


def test_one_row_and_several():
    assert not any(solve(sticks(400, 3, misere=False)).wins[why_multiples_of_four_lose.FOURS])
    for most, misere, count in product((1, 2, 3, 7), (False, True), range(1, 40)):
        best = solve(sticks(count, most, misere=misere)).best_moves((count,))
        assert checks.first_take.reference(count, most, misere) == (best[0].count if best else None)
    for most in (1, 2, 3):
        solution = solve(CoinGame((4, 5, 4), most, misere=False))
        for state in np.ndindex(solution.wins.shape):
            assert checks.to_zero.reference(list(state), most) == solution.best_moves(state)
    for misere in (False, True):  # without a bound a row of v coins has the value v
        wins = solve(CoinGame((5, 5, 5, 5), None, misere)).wins
        assert all(checks.lost_rows.reference(values, misere) != wins[values] for values in np.ndindex(wins.shape))


def test_the_update_makes_the_table_of_the_learner():
    game = sticks(10)
    learner = QLearner(game, learning_rate=0.5, discount=0.9, exploration=0.3, seed=1)
    q = {count: {move.count: 0.0 for move in game.legal_moves((count,))} for count in range(1, 11)}
    opponent = RandomAgent(seed=2)
    for _ in range(50):
        match = play_match(game, learner, opponent, learn=True)
        found = [state[0] for state in match.states[:-1:2]]
        for state, move, after in zip(found, match.moves[::2], [*found[1:], None]):
            reward = 0 if after else (1 if match.winner == 1 else -1)
            checks.q_update.reference(q, state, move.count, reward, after, 0.5, 0.9)
    for count, row in q.items():
        assert list(row.values()) == learner.values[learner.table.row((count,))][: len(row)].tolist()


def test_a_game_that_is_played_out_has_the_winner_of_the_match():
    for game, seed in product((SCENARIOS["NIM"], three_piles(3, 3, 7)), range(10)):
        match = play_match(game, RandomAgent(), RandomAgent(), seed=seed)
        moves = iter(match.moves)
        result = checks.play_out.reference(game, game.start, lambda legal, moves=moves: next(moves))
        assert result == (1 if match.winner == 1 else -1)


@pytest.mark.parametrize("exploration", [0, 0.5, 2])
def test_the_move_to_look_at_next_has_the_largest_bound_of_the_search(exploration):
    agent = SearchAgent(simulations=60, seed=1)
    for _ in agent.search(sticks(10), (10,)):
        root = agent.tree[(10,)]
        tried = {move: (branch.visits, branch.visits * branch.value) for move, branch in root.moves.items()}
        move = checks.look_next.reference(tried, exploration)
        bounds = [upper_bound(root, each, exploration) for each in tried]
        assert upper_bound(root, move, exploration) == pytest.approx(max(bounds))


def test_a_length_is_read_as_it_is_written_on_the_wire():
    for size in (1, 126, 127, 200, 20_000):
        message = CoinGameState(sessionID="x" * size)
        length = message.ByteSize()
        value, used = checks.read_varint.reference(encode(message))
        assert (value, used + length) == (length, len(encode(message)))


# --- agents ---------------------------------------------------------------------------------------------


def test_the_guests_go_in_a_circle_and_never_move_illegally():
    game = SCENARIOS["NIM"]
    take_one, odd, leave_one = (checks.guests[name] for name in ("take_one", "odd", "leave_one"))
    for winner, loser in ((leave_one, odd), (odd, take_one), (take_one, leave_one)):
        assert (play_match(game, winner, loser).winner, play_match(game, loser, winner).winner) == (1, 2)
    for state in np.ndindex(2, 4, 6, 8):
        if any(state):
            left = game.play(state, read_move(game, state, odd(game, state)))
            row = next(row for row, count in enumerate(state) if count)
            assert sum(left) % 2 == 1 or (sum(state) % 2 == 1 and state[row] == 1)


# --- what a text leaves open, and what it does not ------------------------------------------------------


def test_a_table_of_numbers_is_as_good_as_four_lines_of_text():
    table = np.array([[(n ^ d ^ 1) != 0 for n in range(4)] for d in (3, 2, 1, 0)])
    for form in (table, table.astype(int), table.astype(float).tolist()):
        assert str(checks.u_table.judge(form)) == "✓ Right, all 16 places."


def test_what_goes_wrong_is_named_and_nothing_else():
    asked = iter(range(600))

    def plan(learnt):
        if learnt < 1_000 and next(asked, None) is not None:
            return 0.6
        return 0.0

    words = checks.falling.judge(plan).words
    assert "Asked twice about the same number it must answer the same" in words
    words = checks.draw.judge(lambda balls, sticks, generator: (0, balls)).words
    assert "returned (0, [1]). Expected (1, [])." in words


def test_a_check_that_gives_up_while_numba_is_imported_leaves_it_whole():
    program = """
from coincourse.checks import losing
from coincourse.checks.engine import in_time
from coinlib import greedy_margin
for seconds in (0.05, 60.0):
    print(in_time(losing, lambda sticks: greedy_margin([1, 2]) == 1 and sticks % 4 == 1, seconds))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    late, right = run.stdout.splitlines()
    assert "within 0.05 seconds" in late and right.startswith("✓ Right")


USES = {"A": "BI", "E": "GI", "F": "DEA"}  # the lines of the proof in lesson 14, and those that each of them uses


def uses_only_lines_above(order):
    return all(order.index(used) < place for place, line in enumerate(order) for used in USES.get(line, ""))


def test_exactly_the_orders_of_a_proof_pass_in_which_each_line_uses_lines_above_it():
    what_is_wrong = why_multiples_of_four_lose.what_is_wrong
    orders = ["".join(order) for order in permutations("ABDEFGI")]
    right = [order for order in orders if uses_only_lines_above(order)]
    assert [order for order in orders if not what_is_wrong(order)] == right and len(right) == 96
    for order in right:  # each line is needed, and no line that is false helps
        assert all(what_is_wrong(order.replace(line, "")) for line in order)
        assert all(what_is_wrong(order + false) and what_is_wrong(order.replace("E", false)) for false in "CH")
