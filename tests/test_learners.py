"""Who improves: the hats and the Q-table by hand, seats, schedules."""

from __future__ import annotations

import copy
import gc
import pickle

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from coinlib import (
    CoinGame,
    GreedyCoins,
    Hats,
    Move,
    PerfectAgent,
    QLearner,
    RandomAgent,
    ScriptedAgent,
    evaluate,
    linear,
    play_match,
    sticks,
    three_piles,
    train,
)
from coinlib.agents import take_one

settings.register_profile("coinlib", derandomize=True, deadline=None, database=None, max_examples=60)
settings.load_profile("coinlib")


class Chances:
    """A source of chance that gives these numbers in turn."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


def balls(*numbers, of=3):
    """Chances that draw these balls from hats that hold one ball of each number."""
    return Chances(*((number - 0.5) / of for number in numbers))


def kept(learner):
    """All that a learner remembers."""
    return learner.values.tolist(), learner.visits.tolist(), learner.games


# --- hats, from the handout -----------------------------------------------------------------------------


def test_every_hat_starts_with_one_ball_of_each_number():
    hats = Hats(sticks(10))
    assert [hats.contents(hat) for hat in range(1, 11)] == [[1, 2, 3]] * 10


def test_the_game_of_the_handout_to_the_ball():
    """Player 3, computer 2 from hat 7, player 1, computer 3 from hat 4, player the last one."""
    hats = Hats(sticks(10))
    hats.generator = balls(2, 3)
    match = play_match(sticks(10), ScriptedAgent(3, 1, 1), hats, learn=True)
    assert [state[0] for state in match.states] == [10, 7, 5, 4, 1, 0]
    assert match.winner == 2
    assert {hat: hats.contents(hat) for hat in range(1, 11)} == {
        **{hat: [1, 2, 3] for hat in range(1, 11)},
        4: [1, 2, 3, 3],
        7: [1, 2, 2, 3],
    }
    assert hats.games == 1


def test_balls_lie_beside_their_hats_until_the_game_is_over():
    """The table of the handout in the middle of the game: hat 4 holds 1, 2 and hat 7 holds 1, 3."""
    hats = Hats(sticks(10))
    hats.generator = balls(2, 3)
    seat = hats.sit()
    assert (seat(hats.game, (7,)), seat(hats.game, (4,))) == ((0, 2), (0, 3))
    assert (hats.contents(4), hats.contents(7)) == ([1, 2], [1, 3])
    assert [(hats.table.states[row], hats.table.moves[column]) for row, column in hats.beside()] == [
        ((7,), (0, 2)),
        ((4,), (0, 3)),
    ]
    seat.observe((7,), Move(0, 2), 0, (4,))
    assert (hats.contents(4), hats.contents(7)) == ([1, 2], [1, 3])
    seat.observe((4,), Move(0, 3), 1, None)
    assert (hats.contents(4), hats.contents(7), hats.beside()) == ([1, 2, 3, 3], [1, 2, 2, 3], [])


def test_a_loss_throws_balls_away_but_never_the_last_of_a_number():
    """The same game won and then lost by the same draws: hats 4 and 7 are back where they were, hat 2 stays full."""
    hats = Hats(sticks(10))
    hats.generator = balls(2, 3)
    play_match(sticks(10), ScriptedAgent(3, 1, 1), hats, learn=True)
    hats.generator = Chances(0.5, 0.5)  # hat 7 holds 1, 2, 2, 3: the middle is a 2; hat 2: of 1 and 2 the 2
    match = play_match(sticks(10), ScriptedAgent(3, 3), hats, learn=True)  # the second game of the handout
    assert ([move.count for move in match.moves], match.winner) == ([3, 2, 3, 2], 1)
    assert hats.contents(7) == [1, 2, 3]
    assert hats.contents(2) == [1, 2, 3]
    assert hats.contents(4) == [1, 2, 3, 3]


def test_an_illegal_ball_goes_straight_back_and_another_is_drawn():
    hats = Hats(sticks(10), seed=1)
    assert {hats(sticks(10), (2,)) for _ in range(100)} == {(0, 1), (0, 2)}
    assert {hats(sticks(10), (1,)) for _ in range(100)} == {(0, 1)}
    train(hats, hats, games=500, seed=1)
    assert hats.contents(1) == [1, 2, 3]
    assert 3 in hats.contents(2)


@given(st.integers(0, 10**6), st.sampled_from([True, False]))
def test_hats_are_never_empty_and_gain_one_ball_for_each_ball_of_a_won_game(seed, misere):
    game = sticks(9, misere=misere)
    hats = Hats(game, seed=seed)
    for _ in range(10):
        before = hats.balls
        match = play_match(game, hats, RandomAgent(seed=seed), learn=True)
        moved = {(state, move) for state, move in zip(match.states[0::2], match.moves[0::2])}
        for row, state in enumerate(hats.table.states):
            for column, move in enumerate(game.moves):
                change = hats.balls[row, column] - before[row, column]
                if (state, move) not in moved:
                    assert change == 0
                elif match.winner == 1:
                    assert change == 1
                else:
                    assert change == (-1 if before[row, column] > 1 else 0)
        assert hats.balls[~hats.table.over].min() >= 1


def test_a_tie_changes_no_hat():
    game = GreedyCoins((1, 2, 4, 3))
    hats = Hats(game)
    hats.generator = balls(1, 1, of=2)
    before = hats.balls
    match = play_match(game, hats, ScriptedAgent("R", "R"), learn=True)  # 1 and 2 and ... by hand: 1, 3, 2, 4
    assert match.rewards == [1, 3, 2, 4]
    assert match.winner == 2
    hats = Hats(game)
    hats.generator = Chances(0.75, 0.75)
    match = play_match(game, hats, ScriptedAgent("R", "L"), learn=True)
    assert (match.rewards, match.winner) == ([3, 4, 2, 1], 0)
    assert np.array_equal(hats.balls, before)


def test_hats_of_several_rows_hold_moves():
    hats = Hats(CoinGame((1, 2), 2))
    assert hats.contents((1, 2)) == [(0, 1), (0, 2), (1, 1), (1, 2)]


@pytest.mark.parametrize("hat", [0, 11, (11,), (1, 1), None])
def test_a_hat_that_is_not_there(hat):
    with pytest.raises(ValueError, match=r"cannot be reached|the game is over"):
        Hats(sticks(10)).contents(hat)


# --- the Q-table by hand ----------------------------------------------------------------------------------


def test_the_update_on_three_transitions_by_hand():
    """Learning rate 0.5, discount 0.9: each value goes half of the way to reward + 0.9 x best next value."""
    learner = QLearner(sticks(10), learning_rate=0.5, discount=0.9)
    row = {count: learner.table.index[count,] for count in range(11)}
    learner.values[row[6]] = [0.2, 0.6, -1.0]
    learner.values[row[10], 2] = 0.4
    seat = learner.sit()
    seat.observe((10,), Move(0, 3), 0, (6,))  # 0.4 + 0.5 (0 + 0.9 x 0.6 - 0.4) = 0.47
    assert learner.values[row[10]] == pytest.approx([0, 0, 0.47])
    seat.observe((6,), Move(0, 2), 0, (2,))  # 0.6 + 0.5 (0 + 0.9 x 0 - 0.6) = 0.3
    assert learner.values[row[6]] == pytest.approx([0.2, 0.3, -1.0])
    seat.observe((2,), Move(0, 1), 1, None)  # 0 + 0.5 (1 - 0) = 0.5
    assert learner.values[row[2]] == pytest.approx([0.5, 0.0, -np.inf])
    assert learner.games == 1


def test_the_best_next_value_is_backed_up_not_the_average():
    """Learning rate 1, discount 1, as in the source: the value becomes the largest of the next state."""
    learner = QLearner(sticks(10))
    row = learner.table.index
    learner.values[row[6,]] = [0.25, -1.0, 1.0]
    learner.sit().observe((10,), Move(0, 1), 0, (6,))
    assert learner.values[row[10,]].tolist() == [1.0, 0, 0]


def test_the_learner_of_the_source_by_hand():
    """Zeros and the smallest among equals: four games against the same replies, move by move."""
    game = sticks(10)
    learner = QLearner(game)
    row = {count: learner.table.index[count,] for count in range(11)}

    def play():
        # 10 -1-> 9 -3-> 6 -1-> 5 -2-> 3, and then one stick at a time
        match = play_match(game, learner, ScriptedAgent(3, 2, 1), learn=True)
        return [move.count for move in match.moves], match.winner

    assert play() == ([1, 3, 1, 2, 1, 1, 1], 2)  # it takes the last stick
    assert (learner.values[row[1], 0], learner.values[row[3], 0]) == (-1, 0)
    assert play() == ([1, 3, 1, 2, 1, 1, 1], 2)  # what it finds after the reply, one stick, is worth -1
    assert learner.values[row[3]].tolist() == [-1, 0, 0]
    assert play() == ([1, 3, 1, 2, 2, 1], 1)  # so it takes two of three, and leaves the last one
    assert learner.values[row[3]].tolist() == [-1, 1, 0]
    assert learner.values[row[6]].tolist() == [0, 0, 0]
    assert play() == ([1, 3, 1, 2, 2, 1], 1)
    assert learner.values[row[6]].tolist() == [1, 0, 0]
    assert play() == ([1, 3, 1, 2, 2, 1], 1)
    assert learner.values[row[10]].tolist() == [1, 0, 0]


def test_points_less_the_reply_are_the_reward():
    """3 5 1 2: it takes 3, the reply takes 5, and so on; with learning rate 1 by hand."""
    game = GreedyCoins((3, 5, 1, 2))
    learner = QLearner(game)
    match = play_match(game, learner, ScriptedAgent("L", "L"), learn=True)
    assert match.rewards == [3, 5, 1, 2]
    assert learner.values[learner.table.index[0, 4]].tolist() == [3 - 5, 0]
    assert learner.values[learner.table.index[2, 4]].tolist() == [1 - 2, 0]


def test_an_illegal_move_is_learnt_from_as_a_loss():
    learner = QLearner(sticks(2), legal_only=False)
    learner.values[0] = [-1, -0.5, 0]
    match = play_match(sticks(2), learner, take_one, learn=True)
    assert (match.forfeit, match.winner) == (1, 2)
    assert learner.values[0].tolist() == [-1, -0.5, -1]


def test_illegal_moves_are_never_made_unless_it_has_to_learn_them():
    legal, free = QLearner(sticks(5)), QLearner(sticks(5), legal_only=False)
    assert np.array_equal(np.isneginf(legal.values), ~legal.table.legal)
    assert not free.values.any()
    train(free, RandomAgent(), games=500, seed=1)
    assert free.values[free.table.index[1,]].tolist() == [-1, -1, -1] or free.values.min() == -1
    assert evaluate(sticks(5), legal, RandomAgent(), games=50, seed=1).forfeits == 0


def test_against_random_play_it_becomes_perfect_from_that_seat():
    learner = QLearner(sticks(10), seed=1)
    train(learner, RandomAgent(), games=2_000, seed=1)
    assert evaluate(sticks(10), learner, PerfectAgent(), games=50, seed=1, first="agent").wins == 50


# --- schedules --------------------------------------------------------------------------------------------


def test_exploration_falls():
    schedule = linear(0.6, 0.1, games=10)
    rates = [schedule(game) for game in range(15)]
    assert rates == sorted(rates, reverse=True)
    assert (rates[0], rates[5], rates[10], rates[14]) == pytest.approx((0.6, 0.35, 0.1, 0.1))
    assert QLearner(sticks(5), exploration=schedule).rates(12)[0].tolist() == rates[:12]


def test_a_schedule_goes_on_where_the_last_games_ended():
    learner = QLearner(sticks(5), exploration=linear(0.5, 0.0, 100))
    train(learner, RandomAgent(), games=60, seed=1)
    assert learner.rates(1)[0][0] == pytest.approx(0.2)
    assert learner.sit().exploration == pytest.approx(0.2)


def test_how_often_it_explores():
    """With rate 0.3 and three moves the largest value is left two times in ten."""
    learner = QLearner(sticks(20), exploration=0.3, seed=1)
    seat = learner.sit()
    other = sum(seat(learner.game, (20,)) != (0, 1) for _ in range(5_000))
    assert abs(other - 1_000) < 5 * (5_000 * 0.2 * 0.8) ** 0.5
    assert {learner(learner.game, (20,)) for _ in range(100)} == {(0, 1)}  # asked for a move it does not explore


@pytest.mark.parametrize("name", ["learning_rate", "discount", "exploration"])
@pytest.mark.parametrize(
    ("value", "error"),
    [(1.5, ValueError), (-0.1, ValueError), (float("nan"), ValueError), ("x", TypeError), (None, TypeError)],
)
def test_a_rate_is_a_number_from_0_to_1(name, value, error):
    with pytest.raises(error, match=f"{name}: expected a number from 0 to 1, got"):
        QLearner(sticks(5), **{name: value})


def test_a_schedule_that_leaves_0_to_1_is_named_when_it_does():
    learner = QLearner(sticks(5), exploration=lambda games: games / 100)
    with pytest.raises(ValueError, match="exploration: expected a number from 0 to 1"):
        train(learner, RandomAgent(), games=500, seed=1)


def test_a_schedule_needs_games():
    with pytest.raises(ValueError, match="games: expected 1 or more, got 0"):
        linear(1, 0, games=0)


# --- no traces --------------------------------------------------------------------------------------------

LEARNERS = {
    "hats": lambda game: Hats(game, seed=3),
    "q": lambda game: QLearner(game, 0.5, 0.9, exploration=0.4, seed=3),
    "q, all moves": lambda game: QLearner(game, 0.5, exploration=0.4, legal_only=False, seed=3),
}


def trained(kind, count=10):
    game = sticks(count)
    learner = LEARNERS[kind](game)
    train(learner, RandomAgent(), games=50, seed=5)
    return learner


@pytest.mark.parametrize("kind", LEARNERS)
def test_calling_a_learner_changes_nothing_but_its_generator(kind):
    learner = trained(kind)
    before = kept(learner)
    for count in range(1, 11):
        learner(learner.game, (count,))
    evaluate(learner.game, learner, RandomAgent(), games=50, seed=1)
    evaluate(learner.game, learner, take_one, games=50, seed=1)
    play_match(learner.game, learner, learner)
    assert kept(learner) == before


@pytest.mark.parametrize("kind", LEARNERS)
@pytest.mark.parametrize("moves", range(1, 5))
def test_a_seat_closed_early_leaves_no_trace(kind, moves):
    """After one move, or after some have been learnt from: everything is as before the game."""
    learner = trained(kind)
    before = kept(learner)
    seat, state = learner.sit(), 10
    for _ in range(moves):
        move = seat(learner.game, (state,))
        seat.observe((state,), move, -0.25, (state - 2,))
        state -= 2
    assert kept(learner) != before
    seat.close()
    assert kept(learner) == before
    assert not seat.open


def test_a_seat_closed_early_gives_the_balls_back():
    hats = Hats(sticks(10), seed=1)
    seat = hats.sit()
    seat(hats.game, (7,))
    assert len(hats.contents(7)) == 2
    seat.close()
    assert hats.contents(7) == [1, 2, 3]


def test_a_seat_that_is_forgotten_gives_the_balls_back():
    hats = Hats(sticks(10), seed=1)
    hats.sit()(hats.game, (7,))
    gc.collect()
    assert hats.contents(7) == [1, 2, 3]


@pytest.mark.parametrize("kind", LEARNERS)
def test_a_match_in_which_somebody_raises_is_not_learnt_from(kind):
    def leaves(game, state):
        if state[0] < 6:
            raise RuntimeError("gone home")
        return 1

    learner = trained(kind, 20)
    learner.values[:] = LEARNERS[kind](sticks(20)).values  # so that no illegal move ends the game before
    before = kept(learner)
    with pytest.raises(RuntimeError, match="gone home"):
        play_match(learner.game, learner, leaves, learn=True)
    assert kept(learner) == before


@pytest.mark.parametrize("kind", LEARNERS)
def test_a_game_in_self_play_that_is_given_up_leaves_no_trace(kind):
    learner = trained(kind)
    before = kept(learner)
    one = learner.sit()
    other = learner.sit(partner=one)
    one(learner.game, (10,))
    other(learner.game, (8,))
    one.observe((10,), Move(0, 2), -0.5, (6,))
    one(learner.game, (6,))
    other.observe((8,), Move(0, 2), -0.5, (4,))
    other.close()
    one.close()
    assert kept(learner) == before


def test_self_play_counts_a_game_once():
    for learner in (make(sticks(10)) for make in LEARNERS.values()):
        play_match(learner.game, learner, learner, learn=True)
        assert learner.games == 1


# --- the wrong game ---------------------------------------------------------------------------------------


def test_a_learner_plays_its_own_game_only():
    hats = Hats(sticks(10))
    with pytest.raises(ValueError, match="this learner plays CoinGame"):
        hats(sticks(11), (11,))
    with pytest.raises(ValueError, match="this learner plays CoinGame"):
        evaluate(sticks(11), hats, RandomAgent(), games=10)
    with pytest.raises(ValueError, match="the game is over in"):
        hats(sticks(10), (0,))


def test_a_game_without_a_move_can_be_learnt():
    for game in (sticks(0), three_piles(0, 0, 0)):
        for learner in (Hats(game), QLearner(game)):
            run = train(learner, RandomAgent(), games=10, seed=1)
            assert run.result.tolist() == [1 if game.misere else -1] * 10
            assert learner.games == 10


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda learner: pickle.loads(pickle.dumps(learner))])
@pytest.mark.parametrize("kind", LEARNERS)
def test_a_learner_can_be_copied_and_stored(kind, copied):
    """The copy knows the same, goes on with the same chances, and does not disturb the original."""
    learner = trained(kind)
    seat = learner.sit()  # somebody is in the middle of a game
    seat(learner.game, (10,))
    twin = copied(learner)
    seat.close()
    before = kept(learner)
    chance = copy.deepcopy(learner.generator)
    first = train(twin, RandomAgent(seed=4), games=50)
    assert kept(learner) == before
    learner.generator = chance
    assert train(learner, RandomAgent(seed=4), games=50).result.tolist() == first.result.tolist()
    assert twin.values.tolist() == learner.values.tolist()


def test_reprs_hold_no_addresses():
    assert repr(Hats(sticks(10))) == "Hats(CoinGame(rows=(10,), max_pick=3, misere=True), games=0)"


# --- who has won is heard, not guessed --------------------------------------------------------------------


def test_points_lost_before_the_first_move_count_for_the_hats():
    """The other side opens with the 9 of 9 1 2: what came after is two to one, and still the game is lost."""
    game = GreedyCoins((9, 1, 2))
    hats = Hats(game)
    row = hats.table.index[1, 3]
    hats.values[row] = [1, 5]
    hats.generator = Chances(0.9)
    match = play_match(game, ScriptedAgent("L", "L"), hats, learn=True)
    assert (match.rewards, match.winner) == ([9, 2, 1], 1)
    assert hats.values[row].tolist() == [1, 4]  # a ball is thrown away


def test_a_game_that_ends_before_the_first_move_is_counted():
    for learner in (make(sticks(1)) for make in LEARNERS.values()):
        before = learner.values.copy()
        play_match(sticks(1), take_one, learner, learn=True)
        assert (learner.games, learner.visits.sum()) == (1, 0)
        assert np.array_equal(learner.values, before)
    itself = Hats(sticks(0))
    play_match(sticks(0), itself, itself, learn=True)
    assert itself.games == 1
