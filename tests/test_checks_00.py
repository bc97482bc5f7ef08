"""The checks of lesson 00: what they say to the stub, the solution, other right answers, and usual mistakes."""

import re
from pathlib import Path

import nbformat
import pytest

from coincourse import checks as check
from coinlib import IllegalMove, RandomAgent, evaluate, play_match, sticks

LESSON = Path(__file__).resolve().parent.parent / "notebooks" / "00_start_here.ipynb"
CELLS = nbformat.read(LESSON, 4).cells
PROSE = "\n".join(cell.source for cell in CELLS if cell.cell_type == "markdown")


def answer(name, solution):
    """What a cell of the lesson makes: the stub of an exercise, or its solution."""
    for cell in CELLS:
        made_here = re.search(rf"^(def {name}\(|{name} = )", cell.source, re.MULTILINE)
        if cell.cell_type == "code" and made_here and ("solution" in cell.metadata.get("tags", [])) == solution:
            names = {"check": check}
            exec(cell.source, names)  # noqa: S102 - a cell of our own lesson
            return names[name]
    raise LookupError(name)


def says(capsys, judge, given):
    capsys.readouterr()
    judge(given)
    return capsys.readouterr().out.strip()


MOVES = {
    "✓ Legal: 1 taken from 7, and 6 sticks are left.": 1,
    "✓ Legal: 3 taken from 7, and 4 sticks are left.": 3,
    "✗ IllegalMove: row 0 holds 7 coins; asked to take 4 (legal: 1 to 3)": 4,
    "✗ IllegalMove: row 0 holds 7 coins; asked to take 0 (legal: 1 to 3)": 0,
    "✗ IllegalMove: row 0 holds 7 coins; asked to take -1 (legal: 1 to 3)": -1,
    "✗ my_move should be a whole number such as 2; it is 'two'.": "two",
    "✗ my_move should be a whole number such as 2; it is 2.0.": 2.0,
    "✗ my_move should be a whole number such as 2; it is None.": None,
    "✗ my_move should be a whole number such as 2; it is True.": True,
}


@pytest.mark.parametrize("words", MOVES)
def test_first_move(capsys, words):
    assert says(capsys, check.first_move, MOVES[words]) == words


def test_first_move_in_the_lesson(capsys):
    stub = says(capsys, check.first_move, answer("my_move", solution=False))
    assert stub == "✗ IllegalMove: row 0 holds 7 coins; asked to take 5 (legal: 1 to 3)"
    solved = says(capsys, check.first_move, answer("my_move", solution=True))
    assert solved == "✓ Legal: 2 taken from 7, and 5 sticks are left."


LEFT = "✓ Right, for every move from 1 to 20 sticks. (57 cases tried)"
FIRST = "✗ For 2 sticks of which 1 is taken your function returned"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (answer("sticks_left", solution=False), f"{FIRST} None; expected 1."),
        (answer("sticks_left", solution=True), LEFT),
        (lambda before, taken: len(range(taken, before)), LEFT),
        (lambda before, taken: taken - before, f"{FIRST} -1; expected 1. Which of the two numbers is larger?"),
        (lambda before, taken: before + taken, f"{FIRST} 3; expected 1. Which of the two numbers is larger?"),
        (
            lambda before, taken: before - 1,
            "✗ For 2 sticks of which 2 are taken your function returned 1; expected 0. Nothing is left: 0.",
        ),
        (
            lambda before, taken: str(before - taken),
            f"{FIRST} '1'; expected 1. That is a text, in quotes. The value itself is asked for.",
        ),
        (
            lambda before: before,
            (
                "✗ For 2 sticks of which 1 is taken your function raised TypeError: "
                "<lambda>() takes 1 positional argument but 2 were given."
            ),
        ),
        (5, "✗ Give the check a function, without brackets: expected a function, got 5."),
    ],
)
def test_sticks_left(capsys, function, words):
    assert says(capsys, check.sticks_left, function) == words


FINISH = "✓ Right, with 2, 3 and 4 sticks, and everywhere else. (20 cases tried)"


def forgets_the_end(left):
    if left in (2, 3, 4):
        return left - 1


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (answer("finish", solution=False), "✗ For 1 stick your function returned None; expected 1."),
        (answer("finish", solution=True), FINISH),
        (lambda left: {2: 1, 3: 2, 4: 3}.get(left, 1), FINISH),
        (lambda left: max(1, left - 1) if left < 5 else 1, FINISH),
        (
            lambda left: left - 1,
            "✗ For 1 stick your function returned 0; expected 1. One stick must be taken, even if it is the last.",
        ),
        (
            lambda left: min(left, 3),
            (
                "✗ For 2 sticks your function returned 2; expected 1. "
                "If you take 1, one stick is left, and the other player must take it."
            ),
        ),
        (
            lambda left: 1,
            (
                "✗ For 3 sticks your function returned 1; expected 2. "
                "If you take 2, one stick is left, and the other player must take it."
            ),
        ),
        (
            lambda left: left - 1 if 2 <= left < 4 else 1,
            (
                "✗ For 4 sticks your function returned 1; expected 3. "
                "If you take 3, one stick is left, and the other player must take it."
            ),
        ),
        (
            lambda left: max(1, left - 1),
            (
                "✗ For 5 sticks your function returned 4; expected 1. "
                "No move of 1 to 3 leaves one of 5 sticks; the exercise then asks for 1 (lesson 03 asks for more)."
            ),
        ),
        (forgets_the_end, "✗ For 1 stick your function returned None; expected 1."),
    ],
)
def test_finish(capsys, function, words):
    assert says(capsys, check.finish, function) == words


# --- what the prose of the lesson says


def test_the_error_that_the_lesson_prints_is_the_real_one():
    with pytest.raises(IllegalMove) as caught:
        sticks(7).play((7,), 5)
    assert f"\nIllegalMove: {caught.value}\n```" in PROSE


def test_the_other_two_errors_as_well():
    with pytest.raises(NameError) as caught:
        eval("coins", {})
    assert f"NameError: {caught.value}" in PROSE
    with pytest.raises(SyntaxError) as caught:
        compile("len((7,)", "cell", "exec")
    assert f"SyntaxError: {caught.value.msg}" in PROSE


def test_three_to_seven_turns_and_some_seeds_with_more_than_four():
    turns = [len(play_match(sticks(7), RandomAgent(), RandomAgent(), seed=seed).moves) for seed in range(1, 200)]
    assert 3 <= min(turns)
    assert max(turns) <= 7
    assert any(turn > 4 for turn in turns[:10])
    assert len(play_match(sticks(7), lambda game, state: 1, lambda game, state: 1).moves) == 7


def test_the_last_task_can_be_won():
    from coinlib import PerfectAgent

    assert evaluate(sticks(9), PerfectAgent(), PerfectAgent(), games=100, seed=1, first="opponent").wins == 100


def test_the_map_names_all_thirteen_lessons():
    rows = re.findall(r"^\| (\d\d) \| ([^|]+) \|", PROSE, re.MULTILINE)
    assert [number for number, _ in rows] == [f"{lesson:02}" for lesson in range(13)]
    for path in LESSON.parent.glob("[0-9][0-9]_*.ipynb"):
        number, name = path.stem.split("_", 1)
        said = re.sub(r" \(.*\)", "", dict(rows)[number]).lower().replace(",", "").replace("-", " ").strip()
        assert said == name.lower().replace("_", " ").replace("-", " "), path.name


def test_each_section_has_its_minutes_and_they_fill_the_lesson():
    minutes = [int(number) for number in re.findall(r"^## .*\((\d+) minutes\)", PROSE, re.MULTILINE)]
    assert sum(minutes) == int(re.search(r"\*\*Time\*\* (\d+) minutes", PROSE).group(1)) == 45
