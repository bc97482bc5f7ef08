"""Who improves: hats and Q-table by hand, seats, schedules, files, and the distance to perfect play.

The distance is compared with a recursion written here from the rules alone, over dictionaries of
states: it shares nothing with the tables of the library but the game.
"""

from __future__ import annotations

import copy
import gc
import json
import math
import pickle
from fractions import Fraction
from functools import cache

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from own_games import Ladder, NoughtsAndCrosses

from coinlib import (
    SCENARIOS,
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

TEN = sticks(10)
KINDS = {
    "hats": lambda game=TEN, seed=3: Hats(game, seed),
    "q": lambda game=TEN, seed=3: QLearner(game, 0.5, 0.9, exploration=0.4, seed=seed),
    "q, all moves": lambda game=TEN, seed=3: QLearner(game, 0.5, exploration=0.4, legal_only=False, seed=seed),
}
EACH_KIND = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)


class Chances:
    """A source of chance that gives these numbers in turn."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


def balls(*numbers, of=3):
    """Chances that draw these balls from hats that hold one ball of each number."""
    return Chances(*((number - 0.5) / of for number in numbers))


def trained(make, game=TEN, games=50, seed=3):
    learner = make(game, seed)
    train(learner, RandomAgent(), games=games, seed=seed)
    return learner


def memory(learner):
    """All that a learner holds, to be compared."""
    state = json.dumps(learner.generator.bit_generator.state)
    return learner.values.tobytes(), learner.visits.tobytes(), learner.games, state


# --- hats, from the handout -----------------------------------------------------------------------------


def test_every_hat_starts_with_one_ball_of_each_number():
    hats = Hats(TEN)
    assert [hats.contents(hat) for hat in range(1, 11)] == [[1, 2, 3]] * 10


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
    """The table of the handout in the middle of the game: hat 4 holds 1, 2 and hat 7 holds 1, 3."""
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


def test_a_loss_throws_balls_away_but_never_the_last_of_a_number():
    """The second game of the handout, after the first: hat 7 is back where it was, hat 2 stays full."""
    hats = Hats(TEN)
    hats.generator = balls(2, 3)
    play_match(TEN, ScriptedAgent(3, 1, 1), hats, learn=True)
    hats.generator = Chances(0.5, 0.5)  # hat 7 holds 1, 2, 2, 3: the middle is a 2; hat 2: of 1 and 2 the 2
    match = play_match(TEN, ScriptedAgent(3, 3), hats, learn=True)
    assert ([move.count for move in match.moves], match.winner) == ([3, 2, 3, 2], 1)
    assert (hats.contents(7), hats.contents(2), hats.contents(4)) == ([1, 2, 3], [1, 2, 3], [1, 2, 3, 3])


def test_an_illegal_ball_goes_straight_back_and_another_is_drawn():
    hats = Hats(TEN, seed=1)
    assert {hats(TEN, (2,)) for _ in range(100)} == {(0, 1), (0, 2)}
    assert {hats(TEN, (1,)) for _ in range(100)} == {(0, 1)}
    train(hats, hats, games=500, seed=1)
    assert hats.contents(1) == [1, 2, 3]
    assert 3 in hats.contents(2)


@given(st.integers(0, 10**6), st.sampled_from([sticks(9), sticks(9, misere=False), GreedyCoins((1, 2, 4, 3))]))
def test_balls_change_in_the_hats_that_were_used_by_who_won(seed, game):
    """One more after a win, one less after a loss but never the last, as many after a tie."""
    hats = Hats(game, seed=seed)
    for _ in range(10):
        before = hats.balls
        match = play_match(game, hats, RandomAgent(seed=seed), learn=True)
        for state, move in zip(match.states[0::2], match.moves[0::2]):
            place = hats.table.row(state), hats.table.column[move]
            before[place] = max(1, before[place] + {1: 1, 2: -1, 0: 0}[match.winner])
        assert np.array_equal(hats.balls, before)


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


@pytest.mark.parametrize(
    ("hat", "move", "number", "words"),
    [
        (4, 2, 0, "balls: expected 1 or more, got 0"),
        (4, 2, 1.5, "balls: expected a whole number, got 1.5"),
        (4, 4, 2, r"move: Move\(row=0, count=4\) is not a move of"),
        (2, 3, 2, "hat 2: a ball 3 is never played from it"),
        (11, 1, 2, r"\(11,\) cannot be reached"),
        (0, 1, 2, r"the game is over in \(0,\)"),
    ],
)
def test_put_refuses_what_cannot_be(hat, move, number, words):
    hats = Hats(TEN)
    with pytest.raises((ValueError, TypeError), match=words):
        hats.put(hat, move, number)
    assert np.array_equal(hats.balls, Hats(TEN).balls)


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


# --- the Q-table by hand ----------------------------------------------------------------------------------


def learnt_in_a_game(learner, *transitions):
    """Let a seat observe some transitions and then the end: what each state is worth then, row by row."""
    seat = learner.sit()
    for state, take, reward, after in transitions:
        seat.observe((state,), Move(0, take), reward, None if after is None else (after,))
    return {count: learner.values[learner.table.index[count,]] for count in range(11)}


def test_the_update_on_three_transitions_by_hand():
    """Learning rate 0.5, discount 0.9: each value goes half of the way to reward + 0.9 x best next value."""
    learner = QLearner(TEN, learning_rate=0.5, discount=0.9)
    learner.values[learner.table.index[6,]] = [0.2, 0.6, -1.0]
    learner.values[learner.table.index[10,], 2] = 0.4
    worth = learnt_in_a_game(learner, (10, 3, 0, 6), (6, 2, 0, 2), (2, 1, 1, None))
    assert worth[10] == pytest.approx([0, 0, 0.47])  # 0.4 + 0.5 (0 + 0.9 x 0.6 - 0.4)
    assert worth[6] == pytest.approx([0.2, 0.3, -1.0])  # 0.6 + 0.5 (0 + 0.9 x 0 - 0.6)
    assert worth[2] == pytest.approx([0.5, 0.0, -np.inf])  # 0 + 0.5 (1 - 0)
    assert learner.games == 1


def test_the_best_next_value_is_backed_up_not_the_average():
    """Learning rate 1, discount 1, as in the source: the value becomes the largest of the next state."""
    learner = QLearner(TEN)
    learner.values[learner.table.index[6,]] = [0.25, -1.0, 1.0]
    assert learnt_in_a_game(learner, (10, 1, 0, 6), (6, 3, 1, None))[10].tolist() == [1.0, 0, 0]


def test_the_learner_of_the_source_by_hand():
    """Zeros and the smallest among equals: five games against the same replies, move by move."""
    learner = QLearner(TEN)
    row = {count: learner.table.index[count,] for count in range(11)}

    def play():
        # 10 -1-> 9 -3-> 6 -1-> 5 -2-> 3, and then one stick at a time
        match = play_match(TEN, learner, ScriptedAgent(3, 2, 1), learn=True)
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
    assert play_match(game, learner, ScriptedAgent("L", "L"), learn=True).rewards == [3, 5, 1, 2]
    assert learner.values[learner.table.index[0, 4]].tolist() == [3 - 5, 0]
    assert learner.values[learner.table.index[2, 4]].tolist() == [1 - 2, 0]


def test_an_illegal_move_is_learnt_from_as_a_loss():
    learner = QLearner(sticks(2), legal_only=False)
    assert not learner.values.any()
    learner.values[0] = [-1, -0.5, 0]
    match = play_match(sticks(2), learner, take_one, learn=True)
    assert (match.forfeit, match.winner) == (1, 2)
    assert learner.values[0].tolist() == [-1, -0.5, -1]


def test_illegal_moves_are_never_made_unless_it_has_to_learn_them():
    learner = QLearner(sticks(5), exploration=1.0)
    assert np.array_equal(np.isneginf(learner.values), ~learner.table.legal)
    train(learner, RandomAgent(), games=200, seed=1)
    assert np.array_equal(np.isneginf(learner.values), ~learner.table.legal)


# --- schedules --------------------------------------------------------------------------------------------


def test_exploration_falls():
    schedule = linear(0.6, 0.1, games=10)
    rates = [schedule(game) for game in range(15)]
    assert rates == sorted(rates, reverse=True)
    assert (rates[0], rates[5], rates[10], rates[14]) == pytest.approx((0.6, 0.35, 0.1, 0.1))
    assert QLearner(sticks(5), exploration=schedule).rates(12)[0].tolist() == rates[:12]


def test_a_schedule_goes_on_where_the_last_games_ended(tmp_path):
    """Also in a learner that was loaded."""
    learner, other = (QLearner(sticks(5), exploration=linear(0.5, 0.0, 100)) for _ in range(2))
    train(learner, RandomAgent(), games=60, seed=1)
    other.load(learner.save(tmp_path / "q.npz"))
    for one in (learner, other):
        assert one.rates(1)[0][0] == one.sit().exploration == pytest.approx(0.2)


def test_how_often_it_explores():
    """With rate 0.3 and three moves the largest value is left two times in ten."""
    learner = QLearner(sticks(20), exploration=0.3, seed=1)
    seat = learner.sit()
    other = sum(seat(learner.game, (20,)) != (0, 1) for _ in range(5_000))
    assert abs(other - 1_000) < 5 * (5_000 * 0.2 * 0.8) ** 0.5
    assert {learner(learner.game, (20,)) for _ in range(100)} == {(0, 1)}  # asked for a move it does not explore


@pytest.mark.parametrize("name", ["learning_rate", "discount", "exploration"])
@pytest.mark.parametrize(("value", "error"), [(1.5, ValueError), (-0.1, ValueError), ("x", TypeError)])
def test_a_rate_is_a_number_from_0_to_1(name, value, error):
    with pytest.raises(error, match=f"{name}: expected a number from 0 to 1, got {value!r}"):
        QLearner(sticks(5), **{name: value})


def test_a_schedule_that_leaves_0_to_1_is_named_when_it_does():
    learner = QLearner(sticks(5), exploration=lambda games: games / 100)
    with pytest.raises(ValueError, match="exploration: expected a number from 0 to 1, got 1.01"):
        train(learner, RandomAgent(), games=500, seed=1)
    with pytest.raises(ValueError, match="games: expected 1 or more, got 0"):
        linear(1, 0, games=0)


# --- seats, and the memory that is replaced ---------------------------------------------------------------


@EACH_KIND
def test_calling_a_learner_changes_nothing_but_its_generator(make):
    learner = trained(make)
    before = memory(learner)[:3]
    for count in range(1, 11):
        learner(TEN, (count,))
    evaluate(TEN, learner, RandomAgent(), games=50, seed=1)
    evaluate(TEN, learner, take_one, games=50, seed=1)
    play_match(TEN, learner, learner)
    assert memory(learner)[:3] == before


@EACH_KIND
def test_a_seat_closed_early_leaves_no_trace(make):
    """After one move, or after some have been learnt from; alone, and in both seats of one game."""
    for moves in range(1, 5):
        learner = trained(make)
        before = memory(learner)[:3]
        seat = learner.sit()
        seats = [seat, learner.sit(partner=seat)] if moves % 2 else [seat]
        state = 10
        for number in range(moves):
            mover = seats[number % len(seats)]
            move = mover(TEN, (state,))
            mover.observe((state,), move, -0.25, (state - 2,))
            state -= 2
        assert not np.array_equal(seat.visits, learner.visits)  # they work on a copy
        for mover in seats:
            mover.close()
        assert memory(learner)[:3] == before
        assert not isinstance(learner, Hats) or learner.beside() == []


def test_a_seat_that_is_forgotten_gives_the_balls_back():
    hats = Hats(TEN, seed=1)
    seat = hats.sit()
    seat(TEN, (7,))
    assert len(hats.contents(7)) == 2
    del seat
    gc.collect()
    assert hats.contents(7) == [1, 2, 3]


@EACH_KIND
def test_a_match_in_which_somebody_raises_is_not_learnt_from(make):
    def leaves(game, state):
        if state[0] < 16:
            raise RuntimeError("gone home")
        return 1

    learner = trained(make, sticks(20), games=0)
    before = memory(learner)[:3]
    with pytest.raises(RuntimeError, match="gone home"):
        play_match(sticks(20), learner, leaves, learn=True)
    assert memory(learner)[:3] == before


@EACH_KIND
def test_the_two_seats_of_one_learner_share_a_copy_and_count_the_game_once(make):
    learner = make()
    one = learner.sit()
    other = learner.sit(partner=one)
    assert one.values is other.values and one.visits is other.visits
    assert one.values is not learner.values
    one.observe((10,), Move(0, 3), -1, None)
    assert learner.games == 0  # the other seat has not heard of the end
    other.observe((7,), Move(0, 3), 1, None)
    assert learner.games == 1 and learner.values is one.values
    play_match(TEN, learner, learner, learn=True)
    train(learner, learner, games=5, seed=1)
    assert learner.games == 7


@EACH_KIND
def test_the_memory_is_replaced_and_never_written_into(make):
    """Whoever keeps the arrays of before keeps what was known before."""
    learner = make()
    for opponent in (RandomAgent(seed=1), lambda game, state: 1, learner, Hats(TEN)):
        held = learner.memory
        copies = held.values.copy(), held.visits.copy()
        train(learner, opponent, games=20, seed=1)
        assert learner.memory is not held and learner.games == held.games + 20
        assert np.array_equal(held.values, copies[0]) and np.array_equal(held.visits, copies[1])
        assert not np.array_equal(learner.visits, held.visits)


def test_a_learner_plays_its_own_game_only():
    hats = Hats(TEN)
    for ask in (hats, hats.sit()):
        with pytest.raises(ValueError, match="game: this learner plays CoinGame"):
            ask(sticks(11), (11,))
    with pytest.raises(ValueError, match="game: this learner plays CoinGame"):
        evaluate(sticks(11), hats, RandomAgent(), games=10)
    own = Hats(NoughtsAndCrosses())
    with pytest.raises(ValueError, match="never equal without an __eq__: make NoughtsAndCrosses a frozen dataclass"):
        own(NoughtsAndCrosses(), "." * 9)
    with pytest.raises(ValueError, match=r"state: the game is over in \(0,\)"):
        hats(TEN, (0,))


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


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda learner: pickle.loads(pickle.dumps(learner))])
@EACH_KIND
def test_a_learner_can_be_copied_and_stored(make, copied):
    """The copy knows the same, goes on with the same chances, and does not disturb the original."""
    learner = trained(make)
    seat = learner.sit()  # somebody is in the middle of a game
    seat(TEN, (10,))
    twin = copied(learner)
    before = memory(learner)
    train(twin, RandomAgent(seed=4), games=50)
    assert memory(learner) == before
    train(learner, RandomAgent(seed=4), games=50)
    assert memory(learner) == memory(twin)


# --- files ------------------------------------------------------------------------------------------------


@EACH_KIND
@pytest.mark.parametrize("game", [TEN, sticks(7, misere=False), SCENARIOS["NIM"], GreedyCoins((2, 1, 5, 3))], ids=str)
def test_round_trip_is_exact_and_goes_on_as_the_saved_one_would(make, game, tmp_path):
    before, after, path = trained(make, game), make(game, 99), tmp_path / "learner.npz"
    make(game).save(path)
    assert before.save(path) == path and [*tmp_path.iterdir()] == [path]  # an older file is replaced
    after.load(path)
    assert memory(after) == memory(before)
    for learner in (before, after):
        train(learner, RandomAgent(seed=5), games=30)
    assert memory(after) == memory(before)


def refused(learner, path, error=ValueError):
    """Loading fails with the path in the message and changes nothing; the message."""
    held, arrays = memory(learner), learner.memory
    with pytest.raises(error) as caught:
        learner.load(path)
    assert str(path) in str(caught.value)
    assert memory(learner) == held and learner.memory is arrays
    return str(caught.value)


@EACH_KIND
def test_a_file_cut_short_anywhere_is_refused(make, tmp_path):
    whole = trained(make).save(tmp_path / "whole.npz").read_bytes()
    learner, path = make(), tmp_path / "cut.npz"
    for length in range(0, len(whole), 100):
        path.write_bytes(whole[:length])
        assert "is not a learner that coinlib saved, or is damaged" in refused(learner, path)


SPRUNG = []


def spring() -> None:
    SPRUNG.append("the trap")


class Trap:
    """What an evil pickle does when it is opened."""

    def __reduce__(self):
        return spring, ()


def test_nothing_is_unpickled(tmp_path):
    plain, inside = tmp_path / "plain.npz", tmp_path / "inside.npz"
    plain.write_bytes(pickle.dumps(Trap()))
    np.savez(inside, about=np.array([Trap()], dtype=object), values=np.zeros((11, 3)), visits=np.zeros(11))
    for path in (plain, inside):
        refused(Hats(TEN), path)
    assert not SPRUNG
    pickle.loads(plain.read_bytes())
    assert SPRUNG  # the trap works


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (QLearner(TEN), "Hats; the file holds QLearner"),
        (
            Hats(sticks(11)),
            "the file holds CoinGame(rows=(11,), max_pick=3, misere=True) (here rows=(10,), there rows=(11,))",
        ),
        (Hats(sticks(10, misere=False)), "the file holds CoinGame(rows=(10,), max_pick=3, misere=False)"),
    ],
)
def test_another_learner_or_game_is_refused_by_name(other, words, tmp_path):
    assert words in refused(Hats(TEN), other.save(tmp_path / "other.npz"))


@pytest.mark.parametrize(
    ("make", "state", "column", "number"),
    [
        *((make, (4,), 2, number) for make in (Hats, QLearner) for number in (math.nan, math.inf)),
        (QLearner, (1,), 2, 7.0),  # it would choose what it may not
    ],
)
def test_values_for_other_moves_are_refused(make, state, column, number, tmp_path):
    learner = make(TEN)
    learner.load(learner.save(tmp_path / "good.npz"))
    learner.values[learner.table.row(state), column] = number
    assert "other moves" in refused(make(TEN), learner.save(tmp_path / "bad.npz"))
    assert "other moves" in refused(QLearner(TEN), QLearner(TEN, legal_only=False).save(tmp_path / "careless.npz"))


def test_a_file_that_cannot_be_read_or_written_is_named_by_its_path(tmp_path):
    refused(Hats(TEN), tmp_path / "nothing.npz", FileNotFoundError)
    path = tmp_path / "no such folder" / "hats.npz"
    with pytest.raises(OSError, match="hats.npz") as caught:
        Hats(TEN).save(path)
    assert str(path) in str(caught.value)


# --- distance to perfect play -----------------------------------------------------------------------------


@cache
def value(game, state):
    """What a state is worth to whoever moves there; by the rules alone."""
    if game.is_over(state):
        return game.result(state)
    return max(worth(game, state, move) for move in game.legal_moves(state))


def worth(game, state, move):
    return game.reward(state, move) - value(game, game.play(state, move))


STARTS = {"agent": [True], "opponent": [False], "alternate": [True, False]}


def met_by(game, first):
    """The states in which the agent can be to move: every line of play, followed."""
    seen, todo = set(), [(game.start, mine) for mine in STARTS[first]]
    while todo:
        state, mine = todo.pop()
        if (state, mine) not in seen and not game.is_over(state):
            seen.add((state, mine))
            todo += [(game.play(state, move), not mine) for move in game.legal_moves(state)]
    return {state for state, mine in seen if mine}


def chances(learner, state):
    """The moves that a learner may make in `state`, each with its chance, read off its values."""
    values = learner.values[learner.table.row(state)]
    if isinstance(learner, Hats):
        held = {move: int(balls) for move, balls in zip(learner.table.moves, values) if balls}
        return {move: Fraction(balls, sum(held.values())) for move, balls in held.items()}
    return {learner.table.moves[max(range(len(values)), key=lambda column: values[column])]: Fraction(1)}


def against_perfect(learner, first):
    """The exact chances to win and to tie against an opponent that draws evenly among its best moves."""
    game = learner.game

    @cache
    def chance(state, mine, lead, wanted):
        if game.is_over(state):
            final = lead + (game.result(state) if mine else -game.result(state))
            return Fraction((final > 0) - (final < 0) == wanted)
        legal = game.legal_moves(state)
        if mine:
            may = {move: part for move, part in chances(learner, state).items() if move in legal}  # or it forfeits
        else:
            best = [move for move in legal if worth(game, state, move) == value(game, state)]
            may = dict.fromkeys(best, Fraction(1, len(best)))
        points = {move: game.reward(state, move) if mine else -game.reward(state, move) for move in may}
        return sum(
            part * chance(game.play(state, move), not mine, lead + points[move], wanted) for move, part in may.items()
        )

    seats = STARTS[first]
    return [float(sum(chance(game.start, mine, 0, wanted) for mine in seats) / len(seats)) for wanted in (1, 0)]


def compare(learner, first):
    """The numbers of a `Distance`, counted one state at a time."""
    game, distance = learner.game, learner.distance_to_perfect(first)

    def keeps(state, move):
        return move in game.legal_moves(state) and worth(game, state, move) == value(game, state)

    winning = [state for state in met_by(game, first) if value(game, state) >= 0]
    visited = {state for state in winning if learner.visits[learner.table.row(state)]}
    right, sure = set(), set()
    for state in winning:
        may = chances(learner, state)
        if keeps(state, max(may, key=lambda move: may[move])):  # the first of the largest
            right.add(state)
        if all(keeps(state, move) for move in may):
            sure.add(state)
    assert (distance.winning, distance.visited) == (len(winning), len(visited))
    assert (distance.right, distance.right_visited) == (len(right), len(right & visited))
    assert (distance.sure, distance.sure_visited) == (len(sure), len(sure & visited))
    assert [distance.beats_perfect, distance.ties_perfect] == pytest.approx(against_perfect(learner, first), abs=1e-12)
    assert distance.perfect == (len(right) == len(winning))


def test_distance_of_a_new_learner_by_hand():
    """Five sticks, misère play: who moves first meets 5, 3, 2, 1 (after two moves at least 2 are gone).

    5 and 1 are lost; in 3 taking 2 wins, in 2 taking 1. A new Q-learner takes 1 everywhere.
    """
    distance = QLearner(sticks(5)).distance_to_perfect()
    assert (distance.winning, distance.visited, distance.right, distance.sure) == (2, 0, 1, 1)
    assert distance.beats_perfect == 0.0
    hats = Hats(sticks(5)).distance_to_perfect()
    assert (hats.winning, hats.right, hats.sure) == (2, 1, 0)  # equal balls: the smallest is the favourite


def test_the_chance_of_beating_a_perfect_opponent_by_hand():
    """Three sticks, misère play: new hats draw 1, 2 or 3 alike, and 2 leaves the last stick.

    Taking 1 leaves 2, where perfect play takes 1 and leaves the last stick; taking 3 loses.
    """
    hats = Hats(sticks(3))
    assert hats.distance_to_perfect().beats_perfect == pytest.approx(1 / 3)
    hats.put(3, move=2, balls=8)
    assert hats.distance_to_perfect().beats_perfect == pytest.approx(0.8)
    assert (hats.distance_to_perfect().right, hats.distance_to_perfect().sure) == (1, 0)


@given(
    game=st.one_of(
        st.builds(
            CoinGame, st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(any), st.integers(1, 4), st.booleans()
        ),
        st.builds(GreedyCoins, st.lists(st.integers(0, 4), min_size=1, max_size=6)),
        st.builds(Ladder, st.integers(1, 7)),
    ),
    first=st.sampled_from(list(STARTS)),
    kind=st.sampled_from([Hats, QLearner]),
    legal_only=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_distance_against_counting_by_hand(game, first, kind, legal_only, seed):
    """Any table, learnt or not: with points, with ties, in both endings."""
    chance = np.random.default_rng(seed)
    learner = Hats(game) if kind is Hats else QLearner(game, legal_only=legal_only)
    known = learner.table.legal if kind is Hats else np.isfinite(learner.values)
    drawn = chance.integers(1, 5, known.shape) if kind is Hats else chance.integers(-2, 3, known.shape) / 2
    learner.values[known] = drawn[known]
    learner.visits[:] = chance.integers(0, 2, learner.visits.shape)
    compare(learner, first)


@pytest.mark.parametrize("game", [GreedyCoins((3, 1, 4, 1, 5, 9, 2, 6)), NoughtsAndCrosses(), sticks(8)])
def test_distance_against_games_played(game):
    learner = QLearner(game, learning_rate=0.3, exploration=0.3, seed=1)
    train(learner, RandomAgent(), games=3_000, seed=1, first="alternate")
    distance = learner.distance_to_perfect("alternate")
    played = evaluate(game, learner, PerfectAgent(), games=4_000, seed=2)
    assert distance.beats_perfect == pytest.approx(played.win_rate, abs=0.03)
    assert distance.ties_perfect == pytest.approx(played.ties / played.games, abs=0.03)


def test_distance_names_a_wrong_seat():
    with pytest.raises(ValueError, match="first: expected 'agent', 'opponent' or 'alternate', got 'me'"):
        Hats(sticks(5)).distance_to_perfect("me")


# --- convergence ------------------------------------------------------------------------------------------


def perfect_runs(games, seeds):
    """How many learners of the handout are perfect: 10 sticks, misère play, always first, against random."""
    perfect = 0
    for seed in range(seeds):
        learner = QLearner(TEN)
        train(learner, RandomAgent(), games=games, seed=seed)
        distance = learner.distance_to_perfect()
        assert distance.winning == 7  # 2, 3, 4, 6, 7, 8 and 10 sticks
        assert distance.beats_perfect == 1.0 or not distance.perfect
        perfect += distance.perfect
    return perfect


def test_the_learner_of_the_handout_is_perfect_after_300_games():
    """At least 197 of 200 runs are right in every winning state after 300 games.

    Setting: Q-learning, rate 1, discount 1, no exploration; 10 sticks, misère play; always first,
    against random play. Over 20,000 other seeds 12 runs (0.06 %) were not yet perfect. With that
    share four or more of 200 would be seen with probability 0.00001: the rate of false alarms,
    had the seeds not been fixed.
    """
    assert perfect_runs(games=300, seeds=200) >= 197


def test_a_hundred_games_are_not_enough():
    """Between 54 % and 81 % of 200 runs are perfect after 100 games, so the test above can fail.

    Same setting. Over 4,000 other seeds it was 67.5 %; the limits lie 4 standard errors away, which
    gives false alarms with a probability of about 0.0001 for seeds that are not fixed.
    """
    assert 108 <= perfect_runs(games=100, seeds=200) <= 162
