"""Games as tables, the small rules for choosing and learning, and the two speeds."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import hypothesis.strategies as st
import numpy as np
import pytest
from coinlib.kernels import tabulate
from hypothesis import given, settings

from coinlib import (
    SCENARIOS,
    CoinGame,
    GreedyCoins,
    Move,
    PerfectAgent,
    QLearner,
    RandomAgent,
    evaluate,
    kernels,
    minimax,
    play_match,
    sticks,
    three_piles,
)

settings.register_profile("coinlib", derandomize=True, deadline=None, database=None, max_examples=100)
settings.load_profile("coinlib")


# --- a game becomes a table -----------------------------------------------------------------------------


def test_the_table_of_four_sticks_by_hand():
    table = tabulate(sticks(4))
    assert table.states == [(4,), (3,), (2,), (1,), (0,)]
    assert table.moves == (Move(0, 1), Move(0, 2), Move(0, 3))
    assert table.next_state.tolist() == [[1, 2, 3], [2, 3, 4], [3, 4, -1], [4, -1, -1], [-1, -1, -1]]
    assert table.over.tolist() == [False] * 4 + [True]
    assert table.result.tolist() == [0, 0, 0, 0, 1]
    assert not table.reward.any()
    assert table.depth == 4


def test_the_table_of_a_row_with_points_by_hand():
    table = tabulate(GreedyCoins((1, 5)))
    row = table.index[0, 2]
    assert (row, table.reward[row].tolist(), table.depth) == (0, [1, 5], 2)
    assert table.states[table.next_state[row, 0]] == (1, 2)
    assert not table.result.any()  # the points decide


@pytest.mark.parametrize(
    "game",
    [*SCENARIOS.values(), three_piles(3, 2, 1), CoinGame((4, 0, 2), 3, False), GreedyCoins((3, 5, 1, 2)), sticks(0)],
    ids=str,
)
def test_a_table_says_what_the_game_says(game):
    table = tabulate(game)
    for row, state in enumerate(table.states):
        assert table.index[state] == row
        assert table.over[row] == game.is_over(state)
        legal = game.legal_moves(state)
        assert [table.moves[column] for column in np.flatnonzero(table.legal[row])] == legal
        for move in legal:
            below = table.next_state[row, table.column[move]]
            assert below > row  # play only goes down
            assert table.states[below] == game.play(state, move)
            assert table.reward[row, table.column[move]] == game.reward(state, move)
        assert table.result[row] == (game.result(state) if game.is_over(state) else 0)


def test_every_state_of_a_coin_game_is_reached():
    assert len(tabulate(SCENARIOS["NIM"]).states) == 2 * 4 * 6 * 8 == SCENARIOS["NIM"].state_count


def test_the_longest_game():
    assert tabulate(SCENARIOS["NIM"]).depth == 16
    assert tabulate(sticks(0)).depth == 0


def test_a_table_cannot_be_changed_and_is_kept():
    table = tabulate(sticks(5))
    assert tabulate(sticks(5)) is table
    for array in (table.next_state, table.reward, table.result, table.over):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_a_state_that_cannot_be_reached_is_named():
    for state in ((6,), (1, 1), None, [3], "x"):
        with pytest.raises(ValueError, match=r"cannot be reached from \(5,\)"):
            tabulate(sticks(5)).row(state)
    with pytest.raises(ValueError, match=r"3 cannot be reached from \(5,\); write \(3,\)$"):
        tabulate(sticks(5)).row(3)


# --- games of other people ------------------------------------------------------------------------------


class Countdown:
    """From `start` down to 0 by the moves; who cannot move has lost."""

    moves = (1, 2)

    def __init__(self, start=3):
        self.start = start

    def legal_moves(self, state):
        return [move for move in self.moves if move <= state]

    def play(self, state, move):
        return state - move

    def is_over(self, state):
        return state == 0

    def reward(self, state, move):
        return 0

    def result(self, state):
        return -1


@pytest.mark.parametrize("what", ["result", "reward"])
@pytest.mark.parametrize("value", [None, "won", float("nan")])
def test_points_that_are_no_number_are_said(what, value):
    broken = type("Broken", (Countdown,), {what: lambda self, *given: value})
    with pytest.raises(ValueError, match=rf"{what}\(.*\): expected a number of points, got"):
        minimax(broken())


def test_what_is_not_a_game_is_said():
    for thing in (3, None, "sticks", [1, 2]):
        for use in (tabulate, minimax, lambda game: evaluate(game, RandomAgent(), RandomAgent())):
            with pytest.raises(TypeError, match="expected a game such as sticks"):
                use(thing)
    with pytest.raises(TypeError, match="a name is not a game; SCENARIOS has some"):
        tabulate("NIM")
    with pytest.raises(TypeError, match="it has no result"):
        play_match(
            type("Half", (), dict.fromkeys(("start", "moves", "legal_moves", "play", "is_over", "reward")))(),
            RandomAgent(),
            RandomAgent(),
        )


def test_a_state_that_comes_twice_has_no_table():
    class Circle(Countdown):
        def play(self, state, move):
            return 3

    with pytest.raises(ValueError, match="state 3 can come twice in one game"):
        tabulate(Circle())


def test_a_state_without_a_legal_move_that_is_not_the_end_is_an_error():
    class Stuck(Countdown):
        def is_over(self, state):
            return False

    with pytest.raises(ValueError, match="not over in state 0, yet there is no legal move"):
        minimax(Stuck())


def test_a_legal_move_that_is_not_among_the_moves_is_an_error():
    class Unnamed(Countdown):
        def legal_moves(self, state):
            return list(range(1, state + 1))

    with pytest.raises(ValueError, match="3 is legal in state 3, yet it is not among the game's moves"):
        minimax(Unnamed())


def test_states_and_moves_must_be_keys():
    class Lists(Countdown):
        def play(self, state, move):
            return [state - move]

    class ListMoves(Countdown):
        moves = ([1], [2])

    for game, words in ((Countdown([3]), r"a state .* got \[3\]"), (Lists(), r"a state .* got \[2\]")):
        with pytest.raises(TypeError, match=words):
            tabulate(game)
    with pytest.raises(TypeError, match=r"a move must be something that can be a key .* got \[1\]"):
        tabulate(ListMoves())


def test_games_that_are_equal_as_tuples_are_still_two_games():
    """Two NamedTuples with the same contents are equal; their tables are not."""

    class Up(NamedTuple):
        start: int = 4

    class Down(NamedTuple):
        start: int = 4

    for name in ("moves", "legal_moves", "play", "is_over", "reward", "result"):
        for kind in (Up, Down):
            setattr(kind, name, Countdown.__dict__[name])
    Up.result = lambda self, state: 1
    assert Up() == Down()
    assert (minimax(Up()).value, minimax(Down()).value) == (-1, 1)  # who takes the last loses; wins


@dataclass
class Changeable(Countdown):
    """A dataclass with `==` and so without a hash; it can be changed."""

    start: int = 7
    seen: list = field(default_factory=list, compare=False)

    def is_over(self, state):
        self.seen.append(state)
        return state == 0


def test_a_game_that_cannot_be_a_key_is_read_once_and_again_when_it_was_changed():
    game = Changeable()
    with pytest.raises(TypeError):
        hash(game)
    assert minimax(game).value == 1
    game.seen.clear()
    assert minimax(game, 4).value == 1
    assert game.seen == []  # the table was kept
    game.start = 6
    assert minimax(game) == (-1, [1, 2])  # the multiples of three lose in normal play
    assert evaluate(game, PerfectAgent(), RandomAgent(), games=200, seed=1, first="opponent").wins == 200


# --- memory ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (CoinGame((10**6,) * 4, 3), "would need 320,376,247,169,509,.* GiB"),
        (sticks(10**9), "a table of 1,000,000,001 states and 3 moves would need 219.8 GiB"),
        (sticks(21, max_pick=10**9), "a table of 22 states and 1,000,000,000 moves would need 245.9 GiB"),
        (CoinGame((10**6,) * 1000, 3), r"a table of about 10\^6000 states and 3,000 moves would need about"),
    ],
)
def test_a_table_that_is_too_large_is_refused_before_it_is_made(game, words):
    with pytest.raises(MemoryError, match=words):
        tabulate(game)
    with pytest.raises(MemoryError, match=words):
        QLearner(game)


def test_a_game_without_a_table_is_still_played():
    game = sticks(21, max_pick=10**9)
    assert evaluate(game, PerfectAgent(), RandomAgent(), games=20, seed=1).wins >= 19
    wide = CoinGame((30,) * 5, max_pick=None)
    assert evaluate(wide, RandomAgent(), RandomAgent(), games=4, seed=1).games == 4


# --- choosing and learning, one state at a time ---------------------------------------------------------

weights = st.lists(st.integers(0, 50).map(float), min_size=1, max_size=6)
chances = st.floats(0, 1, exclude_max=True) | st.sampled_from([0.0, 1 - 2**-53, 0.5])


def both_speeds(name):
    return getattr(kernels, name), getattr(kernels.fast(), name)


def test_a_ball_is_drawn_by_hand():
    """Hat 7 of the handout after its game: 1, 2, 2, 3. A quarter, a half, a quarter."""
    hat = np.array([[1.0, 2.0, 1.0]])
    for draw in both_speeds("draw"):
        assert [draw(hat, 0, chance) for chance in (0.0, 0.2, 0.25, 0.5, 0.74, 0.75, 0.999)] == [0, 0, 1, 1, 1, 2, 2]


@given(weights, chances)
def test_a_move_without_weight_is_never_drawn(row, chance):
    values = np.array([row])
    first, second = (draw(values, 0, chance) for draw in both_speeds("draw"))
    assert first == second
    assert (first == -1) if not any(row) else row[first] > 0


@given(st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 2.5]), min_size=1, max_size=6), chances)
def test_a_move_that_is_not_allowed_is_never_picked(row, chance):
    values = np.array([row])
    first, second = (pick(values, 0, chance) for pick in both_speeds("pick"))
    assert first == second
    allowed = [move for move, value in enumerate(row) if value > -np.inf]
    assert first == (allowed[int(chance * len(allowed))] if allowed else -1)


@given(st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 2.5]), min_size=1, max_size=6), chances, chances)
def test_the_best_is_chosen_or_with_some_probability_any(row, exploration, chance):
    values = np.array([row])
    for choose in both_speeds("choose"):
        move = choose(kernels.GREEDY, values, 0, exploration, chance)
        if chance >= exploration:
            assert move == row.index(max(row))  # the first of equals
        else:
            assert row[move] > -np.inf or not np.isfinite(values).any()


def test_draws_are_as_likely_as_the_balls():
    hat, generator = np.array([[1.0, 0.0, 3.0, 4.0]]), np.random.default_rng(1)
    seen = Counter(kernels.draw(hat, 0, generator.random()) for _ in range(20_000))
    assert set(seen) == {0, 2, 3}
    for move, share in ((0, 1 / 8), (2, 3 / 8), (3, 4 / 8)):
        assert abs(seen[move] / 20_000 - share) < 5 * (share * (1 - share) / 20_000) ** 0.5


@pytest.mark.parametrize(("outcome", "balls"), [(1, [1, 3, 1]), (-1, [1, 1, 1]), (0, [1, 2, 1])])
def test_a_ball_is_put_back(outcome, balls):
    for settle in both_speeds("settle"):
        hat = np.array([[1.0, 2.0, 1.0]])
        settle(hat, 0, 1, outcome)
        assert hat.tolist() == [balls]


def test_the_last_ball_of_a_number_always_goes_back():
    for settle in both_speeds("settle"):
        hat = np.array([[1.0, 2.0, 1.0]])
        settle(hat, 0, 0, -1)
        assert hat.tolist() == [[1, 2, 1]]


def test_a_value_moves_by_the_learning_rate():
    for back_up in both_speeds("back_up"):
        values = np.array([[0.0, 0.5]])
        back_up(values, 0, 1, 0.25, -1.5)
        assert values.tolist() == [[0.0, 0.0]]
        back_up(values, 0, 1, 1.0, -1.5)
        assert values.tolist() == [[0.0, -1.5]]


# --- compiling --------------------------------------------------------------------------------------------


def run_python(code, *arguments, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr.strip()


def test_the_library_is_imported_quickly():
    """What is heavy is imported where it is used."""
    heavy = (
        "pandas numba matplotlib ipywidgets joblib tqdm google.protobuf pettingzoo gymnasium anywidget IPython psutil"
    )
    code = f"import sys, coinlib; print([name for name in {heavy.split()} if name in sys.modules])"
    assert run_python(code)[0].strip() == "[]"


def test_whoever_waits_for_a_loop_to_be_compiled_is_told_once(tmp_path):
    pytest.importorskip("numba")
    code = "from coinlib import solve, sticks; solve(sticks(3)); solve(sticks(4))"
    environment = {name: value for name, value in os.environ.items() if name != "TQDM_DISABLE"}
    environment["NUMBA_CACHE_DIR"] = str(tmp_path)
    said = [
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stderr
        for _ in range(2)
    ]
    assert said[0].count("Compiling a fast loop: a few seconds, this once") == 1
    assert said[1] == ""
