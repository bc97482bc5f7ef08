"""Exercises in a page of the web book: recorded, and judged without NumPy in the words of the notebook."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import json
import subprocess
import sys

import answers
import numpy as np
import pytest
from paths import ROOT

from coincourse import checks, course
from coincourse.checks import engine
from coincourse.checks.engine import Exercise
from coincourse.checks.screens import Screen
from coincourse.checks.verdict import picture
from coincourse.course.solutions import BLOCK
from coincourse.page import in_page, recording
from coincourse.page.cell import run_cell
from coincourse.page.generator import default_rng
from coinlib import RandomAgent, play_match, sticks

PATIENT = 60.0  # seconds
LESSONS = [path.with_suffix("").as_posix() for path in course.notebooks(course.originals(course.home()))]
LIBRARIES = ("NumPy", "pandas", "Jupyter's widgets")
# All exercises of these lessons live.
WHOLE = ("00_start_here", "01_the_coin_game", "04_hats", "06_q_learning", "08_game_trees")


@pytest.fixture(scope="module")
def recorded() -> dict[str, dict]:
    """The recordings of all exercises, by their names."""
    found = {}
    for lesson in LESSONS:
        found |= recording.record_lesson(lesson)
    return found


@pytest.fixture(scope="module")
def living(recorded) -> dict[str, dict]:
    return {name: each for name, each in recorded.items() if not each["why_not"]}


def solution_of(each: dict) -> str:
    """The stub of an exercise with its solution in it."""
    (code,) = BLOCK.findall(each["solution"])
    return course.in_place(each["stub"], code)


# --- which live -----------------------------------------------------------------------------------------


def test_two_thirds_of_all_exercises_live_and_the_others_say_why_not(recorded, living):
    assert len(living) >= 2 / 3 * len(recorded)
    assert {each["exercise"] for each in recorded.values() if each["lesson"] in WHOLE} <= set(living)
    reasons = {each["why_not"] for each in recorded.values() if each["why_not"]}
    assert reasons <= {f"It needs {name}, which this page does not have." for name in LIBRARIES}


def test_a_recording_is_small_plain_data(recorded):
    for each in recorded.values():
        assert json.loads(json.dumps(each)) == each
        assert len(each["task"]) < 200_000
        assert each["answer"] in each["stub"] and f"check.{each['exercise']}(" in each["stub"]


# --- the same words -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def words_in_a_page(living) -> dict[str, object]:
    """The verdicts about all answers, where no package can be imported."""
    asked = {name: [each, cells_of(each)] for name, each in living.items()}
    command = [sys.executable, "-I", "-S", "-X", "utf8", answers.__file__, str(ROOT)]
    ran = subprocess.run(command, input=json.dumps(asked), capture_output=True, encoding="utf-8", check=False)
    assert not ran.returncode, ran.stderr
    return json.loads(ran.stdout)


def cells_of(each: dict) -> dict[str, str]:
    """The cells that are tried: the stub, and the solution."""
    return {"stub": each["stub"], "solution": solution_of(each)}


def in_a_notebook(source: str, before: str) -> str:
    """What a cell hears of its check."""
    heard = []
    engine.listen(heard.append, PATIENT)
    try:
        ran = run_cell(source, before, checks, Screen())
    finally:
        engine.listen()
    assert ran.error is None
    return str(heard[-1])


@pytest.mark.parametrize("name", [name for name in checks.FILE_OF if isinstance(getattr(checks, name), engine.Check)])
def test_every_answer_hears_in_a_page_what_it_hears_in_a_notebook(name, recorded, words_in_a_page):
    """The reference, each mistake, the stub, the solution, and answers that go wrong in other ways."""
    if recorded[name]["why_not"]:
        return
    check = getattr(checks, name)
    for answer, value in answers.answers(check).items():
        verdict = check.judge(value, PATIENT)
        as_sent = json.loads(json.dumps(dataclasses.asdict(verdict)))
        assert words_in_a_page[f"{name}, {answer}"] == as_sent, answer
    for cell, source in cells_of(recorded[name]).items():
        heard = in_a_notebook(source, recorded[name]["before"])
        assert words_in_a_page[f"{name}, {cell}"] == heard
        assert heard.startswith("✓") == (cell == "solution")


# --- without solutions ----------------------------------------------------------------------------------


def test_without_solutions_a_recording_holds_no_code_of_a_reference():
    for lesson in LESSONS:
        for name, each in recording.record_lesson(lesson, solutions=False).items():
            check = getattr(checks, name)
            assert not each["solution"]
            code = "\n".join(json.loads(each["task"])["modules"].values()) if each["task"] else ""
            assert ".reference" not in code
            if isinstance(check, Exercise):
                assert f"def {check.reference.__name__}(" not in code
            for used in each["uses"]:
                stub = ast.parse(recording.record(used)["stub"].partition("check.")[0])
                function = [part for part in stub.body if isinstance(part, ast.FunctionDef)]
                assert recording.as_code(function) in each["before"]


def test_an_exercise_names_those_that_must_be_right_before_it():
    def needs(name: str) -> list[str]:
        each = recording.record(name, solutions=False)
        assert set(each["needs"]) <= set(each["uses"])
        return each["needs"]

    assert [needs("settle"), needs("settle_game"), needs("two_players")] == [[], ["settle"], ["ask_number"]]


# --- a cell ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def settle() -> str:
    return json.dumps(recording.record("settle"))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("def settle(:\n    pass", "✗ SyntaxError: invalid syntax.\nIn line 1 of your cell: def settle(:"),
        ("x = 1\ny = x / 0", "✗ ZeroDivisionError: division by zero.\nIn line 2 of your cell: y = x / 0"),
        ("import sys\nsys.exit(3)", "✗ SystemExit: 3.\nIn line 2 of your cell: sys.exit(3)"),
        ("def settel(balls): ...", "✗ There is nothing of the name `settle` in your cell: that name is looked for."),
        (
            "def settle(balls, drawn, won):\n    print(balls)\n    return balls[9]",
            """✗ For balls [2, 3], drawn 1 and won True your function raised IndexError: list index out of range.
In line 3 of your cell: return balls[9]
(What your function printed is held back here. It began with: [2, 3])""",
        ),
    ],
)
def test_a_cell_that_goes_wrong_is_told_in_which_line(source, text, settle):
    found = json.loads(in_page.check(source, settle))
    assert not found["right"] and found["text"] == text
    assert "✗ Not yet" in found["html"]


def test_what_is_printed_is_cut_and_any_letters_go_through(settle):
    source = "print('äöü 🪙' * 10**6)\ndef settle(balls, drawn, won):\n    print('ß' * 10**8)\n    return [1, 'é']"
    found = json.loads(in_page.check(source, settle))
    assert found["printed"].startswith("äöü 🪙äöü") and len(found["printed"]) == 10_000
    assert "returned [1, 'é']" in found["text"] and len(found["html"]) < 5_000


def test_the_words_if_time_is_up_are_there_before_each_case(settle):
    heard = []
    found = json.loads(in_page.check(recording.record("settle")["stub"], settle, heard.append))
    texts = [json.loads(each)["text"] for each in heard]
    assert texts[0] == "✗ Your cell gave no answer within 5 seconds. Is there a loop that never ends?"
    assert texts[2].startswith(
        "✗ For balls [2, 3], drawn 1 and won True your function gave no answer within 5 seconds."
    )
    assert found["text"].startswith(texts[-1])  # the verdict without its hint


def test_what_is_tried_shows_its_last_value_and_errors_with_their_lines():
    def ran(source: str, before: str = "") -> dict:
        return json.loads(in_page.run(source, before))

    assert ran("half = 3 / 2\nhalf") == {"printed": "", "value": "1.5", "error": None}
    assert ran("print('a');") == {"printed": "a\n", "value": None, "error": None}
    assert ran("twice(4)", "print('not shown')\n\ndef twice(n):\n    return 2 * n")["value"] == "8"
    assert ran("input()")["error"].endswith("EOFError: nobody can type an answer here")
    assert ran("def f(n):\n    return f(n)\n\nf(0)")["error"].splitlines()[:2] == [
        "Line 4: f(0)",
        "Line 2, in f: return f(n)",
    ]
    assert ran("1 +")["error"].splitlines()[0] == "Line 1:" and "SyntaxError: invalid syntax" in ran("1 +")["error"]
    assert ran("print('x' * 10**8)")["printed"] == "x" * 10_000
    assert ran("raise SystemExit")["error"].endswith("SystemExit")


def test_a_reader_is_judged_with_functions_of_her_own():
    """What a page puts behind the code of earlier cells counts."""
    each = recording.record("legal_moves")
    own = "def takes(count, max_pick):\n    return []"
    verdict = json.loads(in_page.check(solution_of(each), json.dumps(each | {"before": each["before"] + "\n" + own})))
    assert not verdict["right"] and "returned []" in verdict["text"]


def test_a_board_can_play_what_a_reader_has_written():
    source = "def my_counter(game, state):\n    return 4 // state[0]"
    (table,) = json.loads(in_page.plays(source, json.dumps(recording.record("my_counter")), "[[[4], 3, true]]"))
    assert table == [[[1], None], [[2], [0, 2]], [[3], [0, 1]], [[4], [0, 1]]]


TRIES = """
import json
import sys

sys.path.insert(0, sys.argv[1])
from coincourse.page import in_page

print(json.dumps([json.loads(in_page.run(source, "")) for source in json.load(sys.stdin)]))
"""


def test_a_package_that_is_not_there_says_so_when_it_is_used():
    sources = ["import numpy as np\nnp.zeros(3)", "import numpy as np\nnp.random.default_rng(1).integers(1, 7, size=3)"]
    sources += [
        "from coinlib import RandomAgent, play_match, sticks\nplay_match(sticks(5), *[RandomAgent(seed=2)] * 2)"
    ]
    zeros, numbers, match = recording.run_as_in_a_page(TRIES, sources)
    words = "Line 2: np.zeros(3)\nModuleNotFoundError: zeros needs NumPy, which this page does not have"
    assert zeros["error"] == words
    assert numbers["value"] == str(np.random.default_rng(1).integers(1, 7, size=3).tolist())
    assert match["value"] == repr(play_match(sticks(5), *[RandomAgent(seed=2)] * 2))


def test_the_picture_is_that_of_a_notebook(settle):
    found = json.loads(in_page.check("def settle(*_):\n    return []", settle))
    assert found["html"] == picture(checks.settle.judge(lambda *_: []))


# --- chance ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 2**31, 12345678901234567890, 2**130 + 7])
def test_the_generator_draws_the_numbers_of_numpy(seed):
    ours = default_rng(seed)
    numpys = np.random.default_rng(seed)
    for most in [1, 2, 3, 7, 100, 2**31, 2**32 - 1, 2**32, 2**33, 2**63] * 3:
        assert ours.integers(most) == numpys.integers(most)
        assert ours.random() == numpys.random()
        assert ours.integers(1, 6, size=3, endpoint=True) == numpys.integers(1, 6, size=3, endpoint=True).tolist()
        assert ours.choice([5, 6, 7]) == numpys.choice([5, 6, 7])
        assert ours.choice(3, size=2, p=[0.2, 0.3, 0.5]) == numpys.choice(3, size=2, p=[0.2, 0.3, 0.5]).tolist()
        assert ours.uniform(2, 5) == numpys.uniform(2, 5)
        assert ours.permutation(9) == numpys.permutation(9).tolist()
    for our_child, child in itertools.chain.from_iterable(zip(ours.spawn(2), numpys.spawn(2)) for _ in range(2)):
        assert our_child.spawn(2)[1].random() == child.spawn(2)[1].random()
