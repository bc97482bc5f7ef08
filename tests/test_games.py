"""The rules: what is legal, what a move leads to, who has won."""

from __future__ import annotations

import ast
from functools import cache
from itertools import product
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import coinlib
from coinlib import (
    SCENARIOS,
    CoinGame,
    GreedyCoins,
    HumanAgent,
    IllegalMove,
    Move,
    ScriptedAgent,
    minimax,
    play_match,
    solve,
    sticks,
    three_piles,
)
from coinlib.games import Game, read_move

settings.register_profile("coinlib", derandomize=True, deadline=None, database=None, max_examples=100)
settings.load_profile("coinlib")

ROOT = Path(coinlib.__file__).parent.parent
PACKAGES = ("coincourse.outside", "coincourse", "coinlib")  # where rooms lie


# --- worked examples, from the handouts -----------------------------------------------------------------


def test_the_game_of_marvin_and_hal():
    """20 sticks, 1 to 3 a turn; who has to take the last one loses."""
    marvin, hal = ScriptedAgent(3, 1, 2, 3, 2), ScriptedAgent(2, 3, 2, 1, 1)
    match = play_match(sticks(20), marvin, hal)
    assert [state[0] for state in match.states] == [20, 17, 15, 14, 11, 9, 7, 4, 3, 1, 0]
    assert match.winner == 1
    assert match.reason == "player 2 took the last coin and loses (misère play)"


def test_the_first_session_of_two_people():
    """10 sticks: 3, 3, 3 and then the last one, which loses."""
    match = play_match(sticks(10), ScriptedAgent(3, 3), ScriptedAgent(3, 1))
    assert [state[0] for state in match.states] == [10, 7, 4, 1, 0]
    assert match.winner == 1


def test_the_second_session_of_two_people():
    """50 sticks; asked for 55, a person is told what is wrong and asked again."""
    said = []
    answers = iter(["55", "3"])
    person = HumanAgent(name="Player 2", ask=lambda prompt: next(answers), say=said.append)
    game = sticks(50)
    state = game.play(game.start, 3)
    assert state == (47,)
    assert game.play(state, person(game, state)) == (44,)
    assert said == ["Row 0 holds 47 coins; asked to take 55 (legal: 1 to 3)."]


def test_a_session_against_the_computer():
    """10 sticks: 3, 2, 3, and the computer's 2 takes the rest: it loses."""
    assert play_match(sticks(10), ScriptedAgent(3, 3), ScriptedAgent(2, 2)).winner == 1
    assert play_match(sticks(10), ScriptedAgent(1, 3, 2), ScriptedAgent(1, 3)).winner == 2


def test_the_scenarios_of_the_coin_game():
    layouts = {name: (game.rows, game.max_pick, game.misere) for name, game in SCENARIOS.items()}
    assert layouts == {
        "SINGLE_21_2": ((21,), 2, True),
        "SINGLE_21_3": ((21,), 3, True),
        "DOUBLE_21_2": ((21, 21), 2, True),
        "DOUBLE_21_3": ((21, 21), 3, True),
        "NIM": ((1, 3, 5, 7), 2, True),
        "NIM_7": ((1, 3, 5, 7), 7, True),
    }
    with pytest.raises(TypeError):
        SCENARIOS["NIM"] = sticks(3)


def test_three_piles_are_played_to_the_last_coin_which_wins():
    game = three_piles(2, 2, 1)
    assert (game.max_pick, game.misere, game.ending) == (None, False, "normal play")
    assert game.play((2, 2, 1), Move(2, 1)) == (2, 2, 0)
    assert game.result((0, 0, 0)) == -1  # no coin is left for whoever moves: lost


def test_an_empty_table_is_a_legal_start():
    game = three_piles(0, 0, 0)
    assert game.is_over(game.start)
    assert game.legal_moves(game.start) == []
    match = play_match(game, ScriptedAgent(), ScriptedAgent())
    assert (match.winner, match.moves) == (2, [])
    assert match.reason == "no coin was on the table, so player 2 wins (normal play)"
    assert play_match(sticks(0), ScriptedAgent(), ScriptedAgent()).winner == 1


def test_greedy_coins_by_hand():
    """1 2 4 3: Alice 3, Bob 4, Alice 2, Bob 1 is five each."""
    game = GreedyCoins((1, 2, 4, 3))
    match = play_match(game, ScriptedAgent("R", "R"), ScriptedAgent("R", "L"))
    assert match.rewards == [3, 4, 2, 1]
    assert (match.winner, match.reason) == (0, "a tie: 5 to 5 points")
    assert [game.coins_left(state) for state in match.states] == [(1, 2, 4, 3), (1, 2, 4), (1, 2), (1,), ()]


# --- what is legal --------------------------------------------------------------------------------------


def test_the_largest_legal_take_is_legal():
    assert sticks(20).play((20,), 3) == (17,)
    assert three_piles(3, 3, 7).play((3, 3, 7), (2, 7)) == (3, 3, 0)
    assert sticks(20).legal_moves((20,))[-1] == Move(0, 3)


def test_no_more_is_offered_than_is_left():
    assert sticks(20).legal_moves((1,)) == [Move(0, 1)]
    assert sticks(20).legal_moves((2,)) == [Move(0, 1), Move(0, 2)]
    assert sticks(20).legal_moves((0,)) == []


def test_legal_moves_follow_the_state():
    """They are worked out anew for each state, and a list that was changed changes nothing."""
    game = sticks(20)
    game.legal_moves((20,)).clear()
    assert [len(game.legal_moves((held,))) for held in (20, 3, 2, 1, 0)] == [3, 3, 2, 1, 0]
    assert len(game.legal_moves((20,))) == 3


def test_legal_moves_stand_in_order_of_row_then_count():
    assert CoinGame((2, 0, 1), max_pick=None).legal_moves((2, 0, 1)) == [Move(0, 1), Move(0, 2), Move(2, 1)]
    assert SCENARIOS["NIM"].moves == tuple(Move(row, count) for row in range(4) for count in (1, 2))
    assert three_piles(1, 0, 2).moves == tuple(Move(row, count) for row in range(3) for count in (1, 2))


@pytest.mark.parametrize("answer", [2, (0, 2), [0, 2], Move(0, 2), np.int64(2), np.uint8(2), (np.int32(0), np.int8(2))])
def test_what_is_accepted_on_one_row(answer):
    assert sticks(20).play((20,), answer) == (18,)
    assert type(sticks(20).play((20,), answer)[0]) is int


@pytest.mark.parametrize("answer", [(2, 1), [2, 1], Move(2, 1), np.array([2, 1]), (np.int64(2), 1)])
def test_what_is_accepted_on_several_rows(answer):
    assert SCENARIOS["NIM"].play((1, 3, 5, 7), answer) == (1, 3, 4, 7)


def words(answer) -> str:
    """A short name for a case."""
    return type(answer).__name__


class Broken:
    def __repr__(self):
        raise RuntimeError("no words for this")


NOT_MOVES = {
    "nothing": None,
    "a float": 2.0,
    "a fraction": 1.5,
    "not a number": float("nan"),
    "True": True,
    "NumPy's True": np.True_,
    "text": "2",
    "bytes": b"2",
    "a pair of text": ("0", "2"),
    "a pair of floats": (0, 2.0),
    "a pair with True": (0, True),
    "three numbers": (0, 1, 2),
    "an empty tuple": (),
    "a set": {0, 2},
    "a dict": {0: 1, 2: 3},
    "a function": len,
    "something without words": Broken(),
}
BAD_MOVES = {
    "no coin": (0, 0),
    "less than none": (0, -1),
    "one too many": (0, 4),
    "a huge number": (0, 10**30),
    "a number too long to print": (0, 10**5000),
    "row 9": (9, 1),
    "row -1": (-1, 1),
    "a row too long to print": (10**5000, 1),
}


@pytest.mark.parametrize("answer", [*NOT_MOVES.values(), *BAD_MOVES.values()], ids=[*NOT_MOVES, *BAD_MOVES])
def test_an_illegal_move_is_refused(answer):
    for game in (sticks(20), CoinGame((20, 1), 3)):
        with pytest.raises(IllegalMove) as caught:
            game.play(game.start, answer)
        assert 10 < len(str(caught.value)) < 300


def test_a_bare_number_names_no_row_where_there_are_two():
    with pytest.raises(IllegalMove, match=r"expected a Move\(row, count\), got 2"):
        CoinGame((3, 3), 3).play((3, 3), 2)


@pytest.mark.parametrize(
    ("state", "move", "words"),
    [
        ((1, 3, 1, 7), (2, 3), "row 2 holds 1 coin; asked to take 3 (legal: 1)"),
        ((1, 3, 5, 7), (2, 3), "row 2 holds 5 coins; asked to take 3 (legal: 1 to 2)"),
        ((0, 3, 5, 7), (0, 1), "row 0 holds 0 coins; asked to take 1 (legal: nothing)"),
        ((1, 3, 5, 7), (4, 1), "there is no row 4; this game has rows 0 to 3"),
        ((0, 0, 0, 0), (0, 1), "the game is over: no coin is left to take, asked for (0, 1)"),
    ],
)
def test_the_message_says_what_would_be_legal(state, move, words):
    with pytest.raises(IllegalMove) as caught:
        SCENARIOS["NIM"].play(state, move)
    assert str(caught.value) == words


def test_a_long_answer_is_cut_in_the_message():
    for game, answer in ((sticks(5), "x" * 10**6), (GreedyCoins((1, 2)), "x" * 10**6), (sticks(5), [7] * 10**6)):
        with pytest.raises(IllegalMove) as caught:
            game.play(game.start, answer)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("answer", [None, 0, 1.0, "l", "LR", "left", "", ("L",), True, Broken()], ids=words)
def test_only_an_end_of_the_row_can_be_taken(answer):
    game = GreedyCoins((1, 2, 4, 3))
    with pytest.raises(IllegalMove, match="expected 'L' or 'R'"):
        game.play(game.start, answer)
    with pytest.raises(IllegalMove):
        game.reward(game.start, answer)


@pytest.mark.parametrize(
    "state", [None, 3, (21,), (1, 3, 5), (1, 3, 5, 8), (1, 3, 5, -1), [1, 3, 5, 7], (1, 3, 5, 2.0)]
)
def test_a_state_of_another_game_is_refused(state):
    game = SCENARIOS["NIM"]
    for ask in (game.legal_moves, game.is_over, game.result, lambda state: game.play(state, (0, 1))):
        with pytest.raises(ValueError, match="expected a state of this game"):
            ask(state)


@pytest.mark.parametrize("state", [None, 3, (0, 1, 2), (2, 1), (-1, 2), (0, 5), [0, 4], (0.0, 4)])
def test_a_state_of_another_row_is_refused(state):
    game = GreedyCoins((1, 2, 4, 3))
    asks = (game.legal_moves, game.is_over, game.result, game.coins_left)
    for ask in (*asks, lambda state: game.play(state, "L"), lambda state: game.reward(state, "L")):
        with pytest.raises(ValueError, match="expected a state of this game"):
            ask(state)


def test_there_is_no_result_before_the_end():
    for game in (sticks(3), GreedyCoins((1, 2))):
        with pytest.raises(ValueError, match="the game is not over"):
            game.result(game.start)


# --- making a game --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "max_pick", "misere", "error", "words"),
    [
        ((), 3, True, ValueError, "rows: expected at least one row, got none"),
        ((-1,), 3, True, ValueError, "a row: expected 0 or more, got -1"),
        ((2.0,), 3, True, TypeError, "a row: expected a whole number, got 2.0"),
        ((float("nan"),), 3, True, TypeError, "a row: expected a whole number, got nan"),
        ((True,), 3, True, TypeError, "a row: expected a whole number, got True"),
        (("3",), 3, True, TypeError, "a row: expected a whole number, got '3'"),
        ("357", 3, True, TypeError, r"rows: expected counts such as \(1, 3, 5, 7\), got '357'"),
        (21, 3, True, TypeError, r"rows: expected counts such as \(1, 3, 5, 7\), got 21"),
        (None, 3, True, TypeError, "rows: expected counts"),
        ({3, 5}, 3, True, TypeError, "rows: expected counts .*, got {3, 5}"),
        ({3: 5}, 3, True, TypeError, "rows: expected counts .*, got {3: 5}"),
        (np.array(7), 3, True, TypeError, r"rows: expected counts .*, got array\(7\)"),
        ((3,), 0, True, ValueError, "max_pick: expected 1 or more, got 0"),
        ((3,), -2, True, ValueError, "max_pick: expected 1 or more, got -2"),
        ((3,), 1.5, True, TypeError, "max_pick: expected a whole number, got 1.5"),
        ((3,), True, True, TypeError, "max_pick: expected a whole number, got True"),
        ((3,), 3, None, TypeError, "misere: expected True or False, got None"),
        ((3,), 3, 1, TypeError, "misere: expected True or False, got 1"),
        ((3,), 3, "normal", TypeError, "misere: expected True or False, got 'normal'"),
    ],
)
def test_what_is_wrong_with_a_game_is_said(rows, max_pick, misere, error, words):
    with pytest.raises(error, match=words):
        CoinGame(rows, max_pick, misere)


@pytest.mark.parametrize(
    ("coins", "error"),
    [
        ((), ValueError),
        ((1, -1), ValueError),
        ((1.5,), TypeError),
        ("123", TypeError),
        (5, TypeError),
        (None, TypeError),
    ],
)
def test_what_is_wrong_with_a_row_of_coins_is_said(coins, error):
    with pytest.raises(error, match="coin"):
        GreedyCoins(coins)


def test_a_game_is_a_value():
    game = CoinGame([np.int64(1), 3], max_pick=np.int8(2), misere=np.True_)
    assert game == CoinGame((1, 3), 2)
    assert hash(game) == hash(CoinGame((1, 3), 2))
    assert repr(game) == "CoinGame(rows=(1, 3), max_pick=2, misere=True)"
    assert game != CoinGame((1, 3), 2, misere=False)
    with pytest.raises(AttributeError):
        game.max_pick = 3
    assert isinstance(game, Game)
    assert isinstance(GreedyCoins([1, 2]), Game)


def test_huge_games_can_be_named_and_played():
    """Only what has to be listed costs memory."""
    game = CoinGame((10**12, 5), max_pick=10**9)
    assert game.play(game.start, (0, 10**9)) == (10**12 - 10**9, 5)
    with pytest.raises(ValueError, match="moves are too many to list"):
        game.legal_moves(game.start)
    with pytest.raises(ValueError, match="moves are too many to list"):
        game.moves  # noqa: B018
    with pytest.raises(ValueError, match="a row: expected 0 or more"):
        CoinGame((-(10**5000),), 3)


# --- properties -----------------------------------------------------------------------------------------

games = st.builds(
    CoinGame,
    rows=st.lists(st.integers(0, 9), min_size=1, max_size=4),
    max_pick=st.none() | st.integers(1, 11),
    misere=st.booleans(),
)


@st.composite
def positions(draw):
    game = draw(games)
    return game, tuple(draw(st.integers(0, held)) for held in game.rows)


@given(positions())
def test_a_move_is_legal_exactly_if_the_rule_says_so(position):
    """Rule: from one row, at least one coin, at most max_pick, at most what lies there."""
    game, state = position
    most = 12 if game.max_pick is None else game.max_pick
    allowed = [Move(row, n) for row in range(len(state)) for n in range(1, 13) if n <= most and n <= state[row]]
    assert game.legal_moves(state) == allowed
    for move in product(range(-1, 5), range(-1, 13)):
        if move in allowed:
            after = game.play(state, move)
            assert sum(state) - sum(after) == move[1]
            assert [row for row in range(len(state)) if after[row] != state[row]] == [move[0]]
        else:
            with pytest.raises(IllegalMove):
                game.play(state, move)


@given(positions())
def test_a_game_is_over_exactly_if_nothing_can_be_done(position):
    game, state = position
    assert game.is_over(state) == (game.legal_moves(state) == []) == (sum(state) == 0)


@given(positions())
def test_every_legal_move_can_be_named(position):
    game, state = position
    assert set(game.legal_moves(state)) <= set(game.moves)
    assert len(set(game.moves)) == len(game.moves)


@given(positions(), st.data())
def test_the_last_coin_decides_and_the_ending_says_how(position, data):
    """Documented as misère and played as misère: who takes the last coin loses; and the other way round."""
    game, state = position
    mover = 0
    while not game.is_over(state):
        last = mover
        state = game.play(state, data.draw(st.sampled_from(game.legal_moves(state))))
        mover = 1 - mover
    if any(position[1]):
        winner = mover if game.result(state) == 1 else 1 - mover
        assert winner == (1 - last if game.misere else last)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9), st.data())
def test_every_coin_is_taken_once_and_paid_once(coins, data):
    game = GreedyCoins(coins)
    state, paid = game.start, []
    while not game.is_over(state):
        move = data.draw(st.sampled_from(game.legal_moves(state)))
        left = game.coins_left(state)
        paid.append(game.reward(state, move))
        assert paid[-1] == (left[0] if move == "L" else left[-1])
        state = game.play(state, move)
        assert game.coins_left(state) == (left[1:] if move == "L" else left[:-1])
    assert sorted(paid) == sorted(coins)
    assert game.result(state) == 0


# --- a student's own small games ------------------------------------------------------------------------


class RaceToTen:
    """Count to 10 together, each adding 1 or 2; who says 10 wins."""

    start = 0
    moves = (1, 2)

    def legal_moves(self, state):
        return [move for move in self.moves if state + move <= 10]

    def play(self, state, move):
        if move not in self.legal_moves(state):
            raise IllegalMove(f"cannot add {move} to {state}")
        return state + move

    def is_over(self, state):
        return state == 10

    def reward(self, state, move):
        return 0

    def result(self, state):
        return -1


@pytest.mark.parametrize("answer", [True, 1.0, "1", None, 3, [1], (1,), np.int64(1), Broken()], ids=words)
def test_another_game_takes_its_own_moves_only(answer):
    with pytest.raises(IllegalMove, match=r"is not a legal move in 0 \(legal: 1, 2\)"):
        read_move(RaceToTen(), 0, answer)


def test_another_game_takes_its_own_moves():
    assert read_move(RaceToTen(), 0, 2) == 2
    with pytest.raises(IllegalMove, match=r"2 is not a legal move in 9 \(legal: 1\)"):
        read_move(RaceToTen(), 9, 2)


# --- habits of the code ---------------------------------------------------------------------------------

TABLE = {  # the rooms, and what each may import
    "files": [],
    "interrupts": [],
    "games": [],
    "kernels": ["interrupts"],
    "theory": ["games"],
    "solvers": ["games", "kernels"],
    "agents": ["games", "kernels", "theory", "solvers"],
    "learners": ["files", "games", "kernels", "solvers"],
    "arena": ["games", "interrupts", "kernels", "theory", "solvers", "agents", "learners"],
    "processes": ["kernels"],
    "tournament": ["games", "kernels", "theory", "solvers", "agents", "learners", "arena", "processes", "files"],
    "plots": ["games"],
    "sandbox": ["games", "kernels", "theory", "solvers", "agents", "learners", "arena"],
    "envs": ["games", "kernels", "theory", "solvers", "agents"],
}
"""`agents` also names the tables of `kernels`, for `policy`."""


def files_of(room: str) -> list[Path]:
    """The files of a room, which is a module or a folder of them; none if it is not there yet."""
    folders = [ROOT.joinpath(*package.split(".")) for package in PACKAGES]
    files = [file for folder in folders for file in (folder / f"{room}.py", *sorted((folder / room).glob("*.py")))]
    return [file for file in files if file.exists()]


def files_in(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> set[str]:
    """The full names of what a file imports, anywhere in it; relative ones begin with a point."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = "." if node.level and not node.module else f"{'.' * bool(node.level)}{node.module}."
            found |= {f"{module}{name.name}" for name in node.names}
    return found


def imported_rooms(path: Path) -> set[str]:
    """The rooms of both packages that a file imports."""
    rooms = set()
    for name in imports(path):
        package = next((package for package in (*PACKAGES, "") if name.startswith(f"{package}.")), None)
        if package is not None:
            rooms.add(name.removeprefix(f"{package}.").split(".")[0])
    return rooms


@pytest.mark.parametrize(
    ("room", "path"), [pytest.param(room, path, id=path.stem) for room in TABLE for path in files_of(room)]
)
def test_imports_only_go_up_the_table(room, path):
    assert imported_rooms(path) <= {room, *TABLE[room]}


def test_the_table_of_rooms_would_notice_a_wrong_import(tmp_path):
    file = tmp_path / "games.py"
    file.write_text(
        "def f():\n    from coinlib.arena import train\n    import coinlib.agents\n    from coinlib import plots\n"
        "    from .checks.core import report\n    from coincourse.outside import sandbox\n    import coincourse.labs\n"
    )
    assert imported_rooms(file) == {"arena", "agents", "plots", "checks", "sandbox", "labs"}


@pytest.mark.parametrize("path", files_in("coinlib"), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_library_knows_nothing_of_the_course(path):
    assert not {name for name in imports(path) if name.split(".")[0] == "coincourse"}


@pytest.mark.parametrize(
    "path", files_in("coinlib") + files_in("coincourse"), ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_nothing_that_a_user_typed_is_run_or_asserted(path):
    """`eval(input())` runs whatever is typed, and `assert` vanishes under `python -O`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Assert), f"assert in line {node.lineno}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("eval", "exec"), f"{node.func.id} in line {node.lineno}"


def test_the_rules_by_a_second_hand():
    """Who wins each small heap, by the sentence of the handout alone."""

    @cache
    def mover_wins(count: int, misere: bool) -> bool:
        if count == 0:
            return misere  # the other player has taken the last one
        return any(not mover_wins(count - take, misere) for take in (1, 2, 3) if take <= count)

    for misere in (True, False):
        for count in range(30):
            game = sticks(count, misere=misere)
            assert solve(game).winner() == (1 if mover_wins(count, misere) else 2)
            assert (minimax(game).value > 0) == mover_wins(count, misere)
