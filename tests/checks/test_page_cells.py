"""A cell in a page of the web book: judged without NumPy in the same words as in the notebook, and run.

`tests/full/test_in_page.py` compares all exercises.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from pages import record_exercise, solution_of, words_in_a_notebook, words_in_a_page

from coincourse import checks
from coincourse.checks.error_hints import INDENT_IT
from coincourse.checks.screens import CUT
from coincourse.checks.verdict import picture
from coincourse.page import in_page
from coincourse.page.generator import default_rng
from coincourse.page.record_exercises import call_in_page
from coincourse.page.recorded_exercise import RecordedExercise
from coinlib import RandomAgent, play_match, sticks


@pytest.fixture(scope="module")
def recorded() -> RecordedExercise:
    """An exercise as a page has it."""
    return record_exercise("settle")


@pytest.fixture(scope="module")
def settle(recorded) -> str:
    return recorded.to_json()


def test_every_answer_hears_in_a_page_what_it_hears_in_a_notebook(recorded):
    assert words_in_a_page({"settle": recorded}) == words_in_a_notebook("settle", recorded)


def test_an_exercise_that_needs_a_package_does_not_live_in_a_page():
    slider = record_exercise("my_slider")
    assert slider.why_not and slider.task == ""


def test_without_solutions_an_exercise_names_those_that_must_be_right_before_it():
    for name, needed in (("settle", []), ("settle_game", ["settle"])):
        each = record_exercise(name, solutions=False)
        assert each.needs == needed and set(needed) <= set(each.uses)
        assert not each.solution and "reference" not in each.task


# --- a cell that is judged ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("def settle(:\n    pass", "✗ SyntaxError: invalid syntax.\nIn line 1 of your code: def settle(:"),
        ("x = 1\ny = x / 0", "✗ ZeroDivisionError: division by zero.\nIn line 2 of your code: y = x / 0"),
        (
            "if 1 = 2:\n    pass",
            """✗ SyntaxError: cannot assign to literal here. Maybe you meant '==' instead of '='?
In line 1 of your code: if 1 = 2:""",
        ),
        ("import sys\nsys.exit(3)", "✗ SystemExit: 3.\nIn line 2 of your code: sys.exit(3)"),
        (
            "def Settle(balls): ...",
            """✗ Your code does not define `settle`, which is the name that is checked. \
It defines `Settle`: capital letters count too.""",
        ),
        (
            "def setle(balls): ...",
            """✗ Your code does not define `settle`, which is the name that is checked. \
It defines `setle`: is that meant to be `settle`?""",
        ),
        (
            "if 1 =< 2:\n    pass",
            "✗ SyntaxError: invalid syntax. `=<` is written `<=`.\nIn line 1 of your code: if 1 =< 2:",
        ),
        (
            "def settle(balls, drawn, won):\n    balls.append(1)\nreturn balls\n",
            """✗ SyntaxError: 'return' outside function. \
The lines of a function begin with four blanks. Does this line begin at the left edge?
In line 3 of your code: return balls""",
        ),
        (
            "def settle(balls, drawn, won):\n    print(balls)\n    return balls[9]",
            """✗ For balls=[2, 3], drawn=1, won=True your function raised IndexError: list index out of range. \
Places are counted from 0: n items have the places 0 to n - 1. Is this list or tuple shorter than you expect, or even empty?
In line 3 of your code: return balls[9]
(What your function printed is held back here. It began with: [2, 3])""",
        ),
    ],
)
def test_a_cell_that_goes_wrong_is_told_in_which_line(source, text, settle):
    found = json.loads(in_page.check(source, settle))
    assert not found["right"] and found["text"] == text
    assert "✗ Not yet" in found["html"]


def test_the_picture_is_that_of_a_notebook(settle):
    found = json.loads(in_page.check("def settle(*_):\n    return []", settle))
    assert found["html"] == picture(checks.settle.judge(lambda *_: []))


def test_a_stub_is_not_written_yet_and_an_open_branch_is_named(recorded, settle):
    stub = json.loads(in_page.check(recorded.stub, settle))
    half = json.loads(in_page.check("def settle(balls, drawn, won):\n    return [2, 3, 1, 1] if won else ...", settle))
    assert not stub["right"] and stub["text"].startswith("○ Not written yet.") and "○ Not written yet" in stub["html"]
    assert half["text"] == "✗ For balls=[2, 3], drawn=1, won=False this branch still returns `...`."


def test_a_check_that_is_called_without_an_answer_judges_what_the_cell_defines(recorded, settle):
    cell = solution_of(recorded) + "\nfrom coincourse import checks as check\ncheck.settle()"
    assert json.loads(in_page.check(cell, settle))["right"]
    assert "got None" in str(checks.settle.judge(None))


def test_what_is_printed_is_cut_and_any_letters_go_through(settle):
    source = "print('äöü 🪙' * 10**4)\ndef settle(balls, drawn, won):\n    print('ß' * 10**6)\n    return [1, 'é']"
    found = json.loads(in_page.check(source, settle))
    assert "ß\n(The rest is not shown.)" in found["html"]
    assert "returned [1, 'é']" in found["text"] and len(found["html"]) < 5_000


def test_the_words_if_time_is_up_are_there_before_each_case(settle):
    heard = []
    cell = "def settle(balls, drawn, won):\n    return None"
    found = json.loads(in_page.check(cell, settle, heard.append, seconds=5.0))
    texts = [json.loads(each)["text"] for each in heard]
    assert texts[0] == "✗ Your code gave no answer within 5 seconds. Is there a loop that never ends?"
    case = "✗ For balls=[2, 3], drawn=1, won=True"
    assert texts[2].startswith(f"{case} your function was not done within 5 seconds.")
    assert found["text"].startswith(texts[-1])  # the verdict without its hint


def test_the_functions_of_a_reader_are_used_to_judge_her_answer():
    """The code that a page adds after earlier cells counts."""
    each = record_exercise("legal_moves")
    own = "def takes(count, max_pick):\n    return []"
    with_own = replace(each, before=f"{each.before}\n{own}")
    verdict = json.loads(in_page.check(solution_of(each), with_own.to_json()))
    assert not verdict["right"] and "returned []" in verdict["text"]


# --- a cell that is run ---------------------------------------------------------------------------------


def run(source: str, before: str = "") -> dict:
    return json.loads(in_page.run(source, before))


def test_what_is_tried_shows_its_last_value():
    assert run("half = 3 / 2\nhalf") == {"printed": "", "value": "1.5", "error": None, "right": False}
    assert run("print('a');") == {"printed": "a\n", "value": None, "error": None, "right": False}
    assert run("twice(4)", "print('not shown')\n\ndef twice(n):\n    return 2 * n")["value"] == "8"
    assert run("print('x' * 10**6)")["printed"] == "x" * 10_000 + CUT
    assert run("print('x' * 9_999)")["printed"] == "x" * 9_999 + "\n"


def test_what_is_printed_is_heard_at_once_because_the_page_may_stop_the_code():
    heard = []
    in_page.run("print('a')\nprint('b' * 10**6)\nprint('c')", "print('not heard')", hear=heard.append)
    assert "".join(heard) == "a\n" + "b" * 9_998 + CUT


def test_what_is_tried_shows_errors_with_their_lines():
    assert run("input()")["error"].endswith(
        "there is no keyboard here: write the value into your code, such as `number = 5`"
    )
    endless = run("def f(n):\n    return f(n)\n\nf(0)")["error"]
    assert endless.splitlines()[:2] == ["Line 4: f(0)", "Line 2, in f: return f(n)"]
    unfinished = run("1 +")["error"]
    assert unfinished.splitlines()[0] == "Line 1:" and "SyntaxError: invalid syntax" in unfinished
    at_the_edge = run("def f():\n    pass\nreturn 1")["error"]
    assert at_the_edge == f"Line 3: return 1\nSyntaxError: 'return' outside function\n({INDENT_IT})"
    assert run("def f():\n    retrun 1")["error"].endswith(
        "SyntaxError: invalid syntax\n(`retrun`: is `return` meant?)"
    )
    assert run("raise SystemExit")["error"].endswith("SystemExit")


def test_a_board_can_play_what_a_reader_has_written():
    source = "def my_counter(game, state):\n    return 4 // state[0]"
    (table,) = json.loads(in_page.plays(source, record_exercise("my_counter").to_json(), "[[[4], 3, true]]"))
    assert table["moves"] == [[[1], None], [[2], [0, 2]], [[3], [0, 1]], [[4], [0, 1]]]


@pytest.mark.parametrize(
    ("rule", "fits"), [("state[0] % 4 or 1", "normal"), ("(state[0] - 1) % 4 or 1", "misere"), ("1", "both")]
)
def test_an_agent_is_offered_for_the_ending_that_it_plays_better(rule, fits):
    source = f"def my_counter(game, state):\n    return {rule}"
    games = json.dumps([[[12], 3, misere] for misere in (False, True)])
    normal, misere = json.loads(in_page.plays(source, record_exercise("my_counter").to_json(), games))
    assert [normal["fits"], misere["fits"]] == [fits in ("normal", "both"), fits in ("misere", "both")]


# --- what is known from the lesson ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "source", "value"),
    [
        ("first_move", "coins = coins - 1\ncoins", "5"),
        ("takes", "game.start", "(1, 3, 5, 7)"),
        ("next_state", "len(seen)", "384"),  # a loop fills this set
        ("finish", "rule(3)", "2"),  # the name that the lesson gives to the answer
    ],
)
def test_code_to_try_knows_the_values_of_the_lesson_up_to_the_next_exercise(name, source, value):
    recorded = record_exercise(name)
    tried = json.loads(in_page.run(source, recorded.after, recorded.to_json()))
    assert (tried["value"], tried["error"]) == (value, None)


def test_an_answer_is_not_known_until_it_is_right_but_the_lessons_name_for_it_is():
    recorded = record_exercise("finish")
    before = f"{recorded.after}\ndel finish"  # as python_page.js writes it
    assert json.loads(in_page.run("rule(3)", before, recorded.to_json()))["value"] == "2"
    error = json.loads(in_page.run("finish(3)", before, recorded.to_json()))["error"]
    assert error.splitlines()[-1] == in_page.NOT_YET


def test_a_value_made_with_an_exercise_that_is_still_dots_says_so():
    error = run("found + 1", "def best():\n    return ...\n\nfound = max(best(), 1)\n")["error"]
    assert error.splitlines()[-1] == in_page.DOTS
    assert error.count(in_page.DOTS) == 1


def test_only_what_is_read_is_run():
    before = "slow = 1 / 0\nn = 0\nfor slow in range(3):\n    n += slow\nprint(slow)"
    assert run("n", before)["value"] == "3"
    assert run("n = 5\nn", before)["value"] == "5"


# --- without packages -----------------------------------------------------------------------------------

NEEDS_NUMPY = "needs NumPy, which this page does not have. Use it in JupyterLab."
SOURCES = [
    "import numpy as np\nnp.zeros(3)",
    "import numpy as np\nnp.random.default_rng(1).integers(1, 7, size=3)",
    "from coinlib import RandomAgent, play_match, sticks\nplay_match(sticks(5), *[RandomAgent(seed=2)] * 2)",
]


def test_a_package_that_is_not_there_says_so_when_it_is_used():
    tried = call_in_page([["run", {"source": source, "before": ""}] for source in SOURCES])
    (zeros, missed), (numbers, _), (match, _) = tried
    assert missed == ["NumPy"]
    assert zeros["error"] == f"Line 2: np.zeros(3)\n`np.zeros` {NEEDS_NUMPY}"
    assert numbers["value"] == str(np.random.default_rng(1).integers(1, 7, size=3).tolist())
    assert match["value"] == repr(play_match(sticks(5), *[RandomAgent(seed=2)] * 2))


def test_what_the_lesson_makes_with_a_package_says_so_in_the_words_of_the_reader():
    hats, evaluate = record_exercise("chance"), record_exercise("finish")
    calls = [
        ["run", {"source": "hats.show()", "before": hats.after}],
        ["run", {"source": "evaluate(sticks(7), rule, RandomAgent(), games=10)", "before": evaluate.after}],
        ["check", {"source": "hats.show()", "recorded": hats.to_json()}],
    ]
    made, used, checked = [result for result, _ in call_in_page(calls)]
    assert made["error"] == f"`hats` {NEEDS_NUMPY}"
    assert used["error"].splitlines()[-1] == f"`evaluate` {NEEDS_NUMPY}"
    assert checked["text"] == f"✗ `hats` {NEEDS_NUMPY}"


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
        shuffled = [list(range(9)), list(range(9))]
        ours.shuffle(shuffled[0])
        numpys.shuffle(shuffled[1])
        assert shuffled[0] == shuffled[1]
    for chances in ([1, 1, 0], [0.5, 0.5], [1.5, -0.5, 0], [float("nan"), 1, 0]):
        for generator in (ours, numpys):
            with pytest.raises(ValueError, match=r"(?i)probabilities|same size"):
                generator.choice(["a", "b", "c"], p=chances)
    for our_child, child in itertools.chain.from_iterable(zip(ours.spawn(2), numpys.spawn(2)) for _ in range(2)):
        assert our_child.spawn(2)[1].random() == child.spawn(2)[1].random()


def test_an_error_after_a_right_answer_does_not_take_it_away(recorded, settle):
    after = json.loads(in_page.check(solution_of(recorded) + "\n1 / 0", settle))
    assert after["right"] and "ZeroDivisionError" in after["text"]


def test_a_cell_may_use_the_right_answer_to_an_earlier_exercise():
    """As lessons 03 and 04 say: `check.settle.reference` is the course's `settle`, or the reader's if it is right."""
    needed = {"settle_game": "settle", "two_players": "ask_number"}
    for name, earlier in needed.items():
        recorded = record_exercise(name)
        source = f"{earlier} = check.{earlier}.reference\n\n{solution_of(recorded)}"
        found = json.loads(in_page.check(source, recorded.to_json()))
        assert found["right"], found["text"]
    found = json.loads(in_page.run("check.draw.reference", ""))
    assert found["error"].endswith("AttributeError: check.draw.reference is not known here: use your own draw.")
