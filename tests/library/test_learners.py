"""Who improves: hats and Q-table by hand, schedules, seats, and replacing the memory."""

from __future__ import annotations

from functools import partial

import hypothesis.strategies as st
import numpy as np
import pytest
from by_the_rules import games
from hypothesis import given, settings

from coinlib.agents import RandomAgent, ScriptedAgent, take_one
from coinlib.arena import evaluate, round_robin
from coinlib.games import CoinGame, GreedyCoins, Move, sticks, three_piles
from coinlib.learners import Hats, QLearner, linear
from coinlib.match import AgentError, play_match
from coinlib.training import train

TEN = sticks(10)
KINDS = {
    "hats": lambda game=TEN, seed=3: Hats(game, seed),
    "q": lambda game=TEN, seed=3: QLearner(game, 0.5, 0.9, linear(0.9, 0.1, 80), seed=seed),
    "q, all moves": lambda game=TEN, seed=3: QLearner(game, 0.5, exploration=0.4, legal_only=False, seed=seed),
}
EACH_KIND = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)


class Chances:
    """A random source that gives these numbers in turn."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


def balls(*numbers, of=3):
    """Random numbers that draw these balls from hats with one ball of each number."""
    return Chances(*((number - 0.5) / of for number in numbers))


def trained(make):
    learner = make()
    train(learner, RandomAgent(), games=50, seed=3)
    return learner


def memory(learner):
    """Everything a learner has learnt, for comparison."""
    return learner.values.tobytes(), learner.visits.tobytes(), learner.games


# --- hats, from the handout -----------------------------------------------------------------------------


def test_the_game_of_the_handout_to_the_ball(capsys):
    """Player 3, computer 2 from hat 7, player 1, computer 3 from hat 4, player the last one."""
    hats = Hats(TEN)
    hats.generator = balls(2, 3)
    match = play_match(TEN, ScriptedAgent(3, 1, 1), hats, learn=True)
    assert [state[0] for state in match.states] == [10, 7, 5, 4, 1, 0]
    assert (match.winner, hats.games) == (2, 1)
    hats.show()
    shown = {line.split()[0]: line.split()[1] for line in capsys.readouterr().out.splitlines()[1:]}
    assert shown == {str(hat): "1,2,3" for hat in range(1, 11)} | {"4": "1,2,3,3", "7": "1,2,2,3"}


def test_balls_lie_beside_their_hats_until_the_game_is_over(capsys):
    """The handout's table in the middle of the game: hat 4 has 1, 2 and hat 7 has 1, 3."""
    hats = Hats(TEN)
    hats.generator = balls(2, 3)
    seat = hats.sit()
    assert (seat(TEN, (7,)), seat(TEN, (4,))) == ((0, 2), (0, 3))
    assert (hats.contents(4), hats.contents(7)) == ([1, 2], [1, 3])
    named = [(hats.table.states[row], hats.table.moves[column]) for row, column in hats.beside()]
    assert named == [((7,), (0, 2)), ((4,), (0, 3))]
    hats.show()
    lines = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()}
    assert (lines["4"], lines["7"], lines["8"]) == (["1,2", "3"], ["1,3", "2"], ["1,2,3"])
    seat.observe((7,), Move(0, 2), 0, (4,))
    assert (hats.contents(4), hats.contents(7)) == ([1, 2], [1, 3])
    seat.observe((4,), Move(0, 3), 1, None)
    assert (hats.contents(4), hats.contents(7), hats.beside()) == ([1, 2, 3, 3], [1, 2, 2, 3], [])


@settings(max_examples=30)
@given(games, st.integers(0, 10**6))
def test_balls_change_in_the_hats_that_were_used_by_who_won(game, seed):
    """One more after a win, one less after a loss but never the last, as many after a tie."""
    hats = Hats(game, seed=seed)
    for _ in range(10):
        before = hats.balls
        match = play_match(game, hats, RandomAgent(seed=seed), learn=True)
        assert match.forfeit is None  # a ball that would be illegal goes straight back
        for state, move in zip(match.states[0::2], match.moves[0::2]):
            place = hats.table.row(state), hats.table.column[move]
            before[place] = max(1, before[place] + {1: 1, 2: -1, 0: 0}[match.winner])
        assert np.array_equal(hats.balls, before)


def test_counts_are_those_of_the_legal_moves_in_their_order():
    game = CoinGame((1, 3), max_pick=2)
    hats = Hats(game)
    hats.put((1, 1), move=Move(1, 1), balls=7)
    assert hats.counts((1, 1)) == [1, 7]
    assert [len(hats.counts(state)) for state in ((1, 3), (0, 3), (0, 1))] == [3, 2, 1]
    moves = game.legal_moves((1, 3))
    for balls, move in enumerate(moves, 10):
        hats.put((1, 3), move=move, balls=balls)
    assert hats.counts((1, 3)) == [10, 11, 12]
    row = Hats(sticks(5))
    assert [row.counts(left) for left in (1, 2, 5)] == [[1], [1, 1], [1, 1, 1]]


def test_hats_of_several_rows_hold_moves(capsys):
    hats = Hats(CoinGame((1, 2), 2))
    assert hats.contents((1, 2)) == [(0, 1), (0, 2), (1, 1), (1, 2)]
    hats.show()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 2 * 3 - 1
    assert any(line.startswith("(1, 2)") and "(0, 1),(0, 2)" in line for line in lines)


def test_put_changes_one_number_and_the_chance_of_it():
    hats = Hats(TEN)
    hats.put(7, move=2, balls=8)
    assert hats.contents(7) == [1] + [2] * 8 + [3]
    assert hats.probabilities()[hats.table.row((7,))].tolist() == [0.1, 0.8, 0.1]
    hats.put((7,), move=Move(0, 2), balls=1)
    assert np.array_equal(hats.balls, Hats(TEN).balls)


def test_points_lost_before_the_first_move_count_for_the_hats():
    """The opponent opens with the 9 of 9 1 2: what came after is two to one, and still the game is lost."""
    game = GreedyCoins((9, 1, 2))
    hats = Hats(game)
    row = hats.table.index[1, 3]
    hats.values[row] = [1, 5]
    hats.generator = Chances(0.9)
    match = play_match(game, ScriptedAgent("L", "L"), hats, learn=True)
    assert (match.rewards, match.winner) == ([9, 2, 1], 1)
    assert hats.values[row].tolist() == [1, 4]  # a ball is thrown away


# --- the Q-table by hand --------------------------------------------------------------------------------


def test_the_update_on_three_transitions_by_hand():
    """Learning rate 0.5, discount 0.9: each value moves halfway towards reward + 0.9 x best next value."""
    learner = QLearner(TEN, learning_rate=0.5, discount=0.9)
    learner.values[learner.table.index[6,]] = [0.2, 0.6, -1.0]
    learner.values[learner.table.index[10,], 2] = 0.4
    seat = learner.sit()
    for state, take, reward, after in ((10, 3, 0, (6,)), (6, 2, 0, (2,)), (2, 1, 1, None)):
        seat.observe((state,), Move(0, take), reward, after)
    worth = {state: learner.values[learner.table.index[state,]] for state in (10, 6, 2)}
    assert worth[10] == pytest.approx([0, 0, 0.47])  # 0.4 + 0.5 (0 + 0.9 x 0.6 - 0.4)
    assert worth[6] == pytest.approx([0.2, 0.3, -1.0])  # 0.6 + 0.5 (0 + 0.9 x 0 - 0.6)
    assert worth[2] == pytest.approx([0.5, 0.0, -np.inf])  # 0 + 0.5 (1 - 0)
    assert learner.games == 1


def test_the_learner_of_the_source_by_hand():
    """Zeros and the smallest among equals: games against the same replies, 10 -1-> 9 -3-> 6 -1-> 5 -2-> 3, and on."""
    learner = QLearner(TEN)
    first, middle, low = ([1, 3, 1, 2, 1, 1, 1], 2), ([1, 3, 1, 2, 2, 1], 1), [-1, 1, 0]
    for played, worth in (
        (first, {1: [-1, -np.inf, -np.inf], 3: [0, 0, 0]}),  # it takes the last stick
        (first, {3: [-1, 0, 0]}),  # what it finds after the reply, one stick, is worth -1
        (middle, {3: low, 6: [0, 0, 0]}),  # so it takes two of three, and leaves the last one
        (middle, {3: low, 6: [1, 0, 0], 10: [0, 0, 0]}),
        (middle, {3: low, 6: [1, 0, 0], 10: [1, 0, 0]}),
    ):
        match = play_match(TEN, learner, ScriptedAgent(3, 2, 1), learn=True)
        assert ([move.count for move in match.moves], match.winner) == played
        assert {count: learner.values[learner.table.index[count,]].tolist() for count in worth} == worth


def test_an_illegal_move_is_learnt_from_as_a_loss():
    learner = QLearner(sticks(2), legal_only=False)
    assert not learner.values.any()
    learner.values[0] = [-1, -0.5, 0]
    match = play_match(sticks(2), learner, take_one, learn=True)
    assert (match.forfeit.player, match.winner) == (1, 2)
    assert learner.values[0].tolist() == [-1, -0.5, -1]


# --- schedules ------------------------------------------------------------------------------------------


def test_exploration_falls():
    schedule = linear(0.6, 0.1, games=10)
    rates = [schedule(game) for game in range(15)]
    assert rates == sorted(rates, reverse=True)
    assert (rates[0], rates[5], rates[10], rates[14]) == pytest.approx((0.6, 0.35, 0.1, 0.1))
    assert QLearner(sticks(5), exploration=schedule).rates(12)[0].tolist() == rates[:12]


def test_a_schedule_goes_on_where_the_last_games_ended():
    learner = QLearner(sticks(5), exploration=linear(0.5, 0.0, 100))
    train(learner, RandomAgent(), games=60, seed=1)
    assert learner.rates(1)[0][0] == learner.sit().exploration == pytest.approx(0.2)


# --- seats, and replacing the memory --------------------------------------------------------------------


@EACH_KIND
def test_calling_a_learner_changes_nothing_but_its_generator(make):
    learner = trained(make)
    before = memory(learner)
    for count in range(1, 11):
        learner(TEN, (count,))
    evaluate(TEN, learner, RandomAgent(), games=50, seed=1)
    evaluate(TEN, learner, take_one, games=50, seed=1)
    play_match(TEN, learner, learner)
    round_robin(TEN, {"learner": learner, "random": RandomAgent()}, games=20)
    assert memory(learner) == before


def moves_and_closes(learner, moves):
    seat = learner.sit()
    seats = [seat, learner.sit(partner=seat)] if moves % 2 else [seat]  # both seats of one game, or one
    for number in range(moves):
        state = (10 - 2 * number,)
        mover = seats[number % len(seats)]
        mover.observe(state, mover(TEN, state), -0.25, (8 - 2 * number,))
    assert not np.array_equal(seat.visits, learner.visits)  # they work on a copy
    for mover in seats:
        mover.close()


def sits_down_again(learner):
    learner.sit()(TEN, (7,))
    assert not isinstance(learner, Hats) or len(learner.beside()) == 1
    learner.sit()


def meets_an_opponent_that_raises(learner):
    with pytest.raises(AgentError, match="has 0 moves"):
        play_match(TEN, learner, ScriptedAgent(), learn=True)


@EACH_KIND
def test_a_seat_closed_early_leaves_no_trace(make):
    """After one move or several, when it is left for another seat, or when the opponent raises."""
    learner = trained(make)
    before = memory(learner)
    ends = [partial(moves_and_closes, moves=moves) for moves in range(1, 5)]
    for leave in (*ends, sits_down_again, meets_an_opponent_that_raises):
        leave(learner)
        assert memory(learner) == before
        assert not isinstance(learner, Hats) or learner.beside() == []


@EACH_KIND
def test_the_two_seats_of_one_learner_share_a_copy_and_count_the_game_once(make):
    learner = make()
    seat = learner.sit()
    other = learner.sit(partner=seat)
    seat.observe((10,), Move(0, 3), -1, None)
    assert learner.games == 0  # the other seat has not been told about the end
    other.observe((7,), Move(0, 3), 1, None)
    assert learner.games == 1 and learner.values is seat.values is other.values
    play_match(TEN, learner, learner, learn=True)
    train(learner, learner, games=5, seed=1)
    assert learner.games == 7


@EACH_KIND
def test_the_memory_is_replaced_and_never_written_into(make):
    """The old arrays still contain what was known before."""
    learner = make()
    for opponent in (RandomAgent(seed=1), lambda game, state: 1, learner, Hats(TEN)):
        kept = learner.memory
        copies = kept.values.copy(), kept.visits.copy()
        train(learner, opponent, games=20, seed=1)
        assert learner.games == kept.games + 20 and not np.array_equal(learner.visits, kept.visits)
        assert np.array_equal(kept.values, copies[0]) and np.array_equal(kept.visits, copies[1])


@EACH_KIND
def test_a_game_that_ends_before_the_first_move_is_counted(make):
    late = make(sticks(1))
    play_match(sticks(1), take_one, late, learn=True)
    assert (late.games, late.visits.sum()) == (1, 0)
    for game in (sticks(0), three_piles(0, 0, 0)):
        learner = make(game)
        play_match(game, learner, learner, learn=True)
        run = train(learner, RandomAgent(), games=10, seed=1)
        assert run.result.tolist() == [1 if game.misere else -1] * 10
        assert learner.games == 11
