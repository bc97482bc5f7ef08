"""The exercises: each table is tried against itself, and the judge and the engine on answers of every kind."""

from __future__ import annotations

import builtins
import dataclasses
import html
import json
import linecache
import re
import subprocess
import sys
import threading
import types
from pathlib import Path

import nbformat
import numpy as np
import pytest
from paths import ROOT

from coincourse import checks
from coincourse.checks import contests, engine, judging
from coincourse.checks.engine import Check, Exercise
from coincourse.checks.verdict import Verdict
from coincourse.course import exercise_of_stub

CHECKS = {name: getattr(checks, name) for name in checks.__all__ if isinstance(getattr(checks, name), Check)}
EXERCISES = {name: made for name, made in CHECKS.items() if isinstance(made, Exercise)}
MISTAKES = [(name, sentence) for name, made in EXERCISES.items() for sentence in made.mistakes]
PATIENT = 60.0  # seconds: on a busy machine a hint would come too late


# --- every exercise -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXERCISES)
def test_the_reference_passes_and_what_returns_nothing_does_not(name):
    made = EXERCISES[name]
    right = made.judge(made.reference, PATIENT)
    assert right.right and right.words.startswith(f"Right, {made.rules.praise}.")
    wrong = made.judge(lambda *arguments: None, PATIENT)
    assert not wrong.right and wrong.case and wrong.words.startswith(f"For {wrong.case} ")
    assert made.__doc__


@pytest.mark.parametrize(("name", "sentence"), MISTAKES)
def test_each_mistake_is_refused_with_its_own_sentence(name, sentence):
    mistake = EXERCISES[name].mistakes[sentence]
    verdict = EXERCISES[name].judge(mistake, PATIENT)
    assert not verdict.right and not verdict.late
    assert verdict.hint == sentence and verdict.mistake == mistake.__name__
    assert verdict.words.startswith("For ") and verdict.words.endswith(sentence)


@pytest.mark.parametrize("name", CHECKS)
def test_a_verdict_names_its_exercise_and_is_plain_data(name):
    verdict = CHECKS[name].judge(None)
    assert verdict.exercise == CHECKS[name].name == name and not verdict.right
    data = json.loads(json.dumps(dataclasses.asdict(verdict)))
    assert Verdict(**data)._repr_mimebundle_() == verdict._repr_mimebundle_()


def test_no_name_of_a_check_is_the_name_of_a_file():
    files = {path.stem for path in Path(checks.__file__).parent.glob("*.py")}
    assert not files & set(checks.__all__)
    assert {path for path in checks.NAMES} <= files
    assert sum(len(names) for names in checks.NAMES.values()) == len(checks.__all__) == len(set(dir(checks)))
    with pytest.raises(AttributeError, match="no attribute 'no_such_check'"):
        _ = checks.no_such_check


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").rglob("*.ipynb")), ids=lambda path: path.stem)
def test_a_stub_names_its_exercise_in_the_metadata_of_its_cell(path):
    """Running a lesson writes it; see `coincourse.course.tidy`."""
    for cell in nbformat.read(path, as_version=4).cells:
        named = cell.metadata.get("coinlib", {}).get("exercise", "")
        assert named == exercise_of_stub(cell)
        assert not named or named in CHECKS


# --- the judge alone ------------------------------------------------------------------------------------


WITHOUT_NUMPY = """
import sys

class Refuses:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "pandas", "coinlib"):
            raise ImportError(f"{name} is not here")

sys.meta_path.insert(0, Refuses())
from coincourse.checks.judging import Case, Mistake, Outcome, Task, judge

doubled = Mistake("doubled", "That is twice the number.", [Outcome(2), Outcome(6)])
task = Task("square", "for two rows", [Case((1,), "a row of 1", 1), Case((3,), "a row of 3", 9)], [doubled])
print(judge(task, lambda n: n * n))
print(judge(task, lambda n: n + n))
print(sorted(name for name in sys.modules if name.startswith("coincourse")))
"""


def test_the_judge_needs_the_standard_library_only():
    run = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.splitlines() == [
        "✓ Right, for two rows. (2 cases tried)",
        "✗ For a row of 1 your function returned 2; expected 1. That is twice the number.",
        "['coincourse', 'coincourse.checks', 'coincourse.checks.judging', 'coincourse.checks.verdict']",
    ]


RECORDED = [name for name, made in EXERCISES.items() if not made.rules.run and made.rules.answer_in_words is None]


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_cases_are_judged_as_in_a_notebook(name):
    """The answers are recorded beforehand, and no function of the course is asked any more."""
    made = EXERCISES[name]
    task = made.task()
    mistakes = [judging.Mistake(each.name, each.sentence, list(each.outcomes)) for each in task.mistakes]
    recorded = dataclasses.replace(task, cases=list(task.cases), mistakes=mistakes)
    for answer in (made.reference, lambda *arguments: None, lambda *arguments: 1 / 0, *made.mistakes.values()):
        assert judging.judge(recorded, answer) == made.judge(answer, PATIENT)


# --- what is said ---------------------------------------------------------------------------------------


def test_a_rule_that_stumbles_over_its_state_is_told_what_a_state_is():
    verdict = checks.my_mirror.judge(lambda game, state: state % 4)
    assert verdict.hint == contests.HINT_OF_A_TYPE_ERROR and verdict.words.endswith(verdict.hint)
    assert verdict.error == "TypeError" and verdict.case == "rows (1, 0)"
    assert "your function raised SystemExit." in checks.my_mirror.judge(lambda game, state: sys.exit()).words


def test_numbers_of_numpy_are_shown_as_pythons_and_digits_only_where_they_count():
    for answer, words in [
        (lambda exploration, legal: np.float64(1 / 3), "returned 0.333333; expected 1.0."),
        (lambda exploration, legal: [np.int64(2)], "returned [2]; expected 1.0."),
    ]:
        assert words in checks.chance_of_best.judge(answer).words
    verdict = checks.count_nodes.judge(lambda coins: 2.0 ** (coins + 1) - 1 + 1e-7)
    assert "returned 1.0000001; expected 1." in verdict.words


def gives_an_error(left):
    raise ValueError("Take one.")


def leaves_out_a_case(left):
    if left == 0:
        return 1


def best_below_nothing(left, taken):
    best = None
    if left > taken:
        best = left - taken
    return best


def may_mean_none(counts, sticks):
    return None if len(set(counts)) < len(counts) else counts.index(max(counts)) + 1


@pytest.mark.parametrize(
    ("name", "answer", "end"),
    [
        ("finish", gives_an_error, "your function raised ValueError: Take one."),
        ("finish", leaves_out_a_case, judging.RETURNED_NONE),
        ("sticks_left", best_below_nothing, judging.NONE_HERE),
        ("favourite", lambda counts, sticks: None, judging.RETURNED_NONE),
        ("favourite", may_mean_none, "your function returned None; expected 3."),
        ("finish", 3, "Give the check a function, without brackets: expected a function, got 3."),
    ],
)
def test_no_hint_blames_what_is_not_there(name, answer, end):
    assert CHECKS[name].judge(answer).words.endswith(end)


# --- what an answer prints and asks ---------------------------------------------------------------------


def test_what_an_answer_prints_is_held_back_and_its_first_line_is_said(capsys):
    def prints(before, taken):
        print(before - taken)

    checks.sticks_left(prints)
    verdict, note = capsys.readouterr().out.splitlines()
    assert verdict.endswith(judging.RETURNED_NONE)
    assert note == "(What your function printed is held back here. It began with: 0)"
    found = checks.sticks_left.judge(lambda before, taken: print("x" * 10**6) or before - taken)
    assert found.right and found.printed == "x" * 1_000 and len(str(found).splitlines()[1]) < 150


def test_only_the_thread_of_the_check_is_held_back(capsys):
    begun = threading.Event()
    ended = threading.Event()

    def answer(before, taken):
        print("mine")
        begun.set()
        ended.wait(10)
        return before - taken

    def beside():
        begun.wait(10)
        print("beside")
        ended.set()

    thread = threading.Thread(target=beside)
    thread.start()
    output = sys.stdout
    found = checks.sticks_left.judge(answer)
    thread.join()
    assert found.right and found.printed.startswith("mine\n") and "beside" not in found.printed
    assert capsys.readouterr().out == "beside\n"
    assert sys.stdout is output


def ask_without_ask(question, least, most, ask=input):
    return int(input(question))


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("ask_number", ask_without_ask),
        ("two_players", lambda ask: ask_without_ask("How many? ", 1, 3)),
        ("finish", lambda left: int(input("How many? "))),
        ("my_mirror", lambda game, state: int(input("How many? "))),
    ],
)
def test_an_answer_that_asks_a_person_is_told_so_at_once(name, answer):
    before = sys.stdin
    verdict = CHECKS[name].judge(answer, PATIENT)
    assert verdict.words.startswith("For ") and verdict.words.endswith(judging.CALLED_INPUT)
    assert not verdict.late and sys.stdin is before


class Kernel:
    """As Jupyter's, with what an `input` of its own looks at."""

    _allow_stdin = True

    def raw_input(self, question=""):
        if not self._allow_stdin:
            raise type("StdinNotImplementedError", (RuntimeError,), {})
        return "1"


def test_in_a_notebook_nobody_types_for_an_answer_either(monkeypatch):
    kernel = Kernel()
    monkeypatch.setattr(builtins, "input", kernel.raw_input)

    def asks(left, ask=kernel.raw_input):
        return int(ask())

    assert judging.CALLED_INPUT in checks.finish.judge(asks).words
    assert kernel._allow_stdin and input() == "1"


# --- a verdict in a notebook ----------------------------------------------------------------------------

SAID = {
    "right": Verdict("a", True, (", for short rows.", "(11 cases tried)"), headline="Right"),
    "wrong": Verdict(
        "a", False, ("For a row of 1", "your function returned <b>;", "expected 1."), case="a row of 1", hint="Twice."
    ),
    "game": Verdict(
        "a",
        False,
        ("Moving second, your agent loses to odd.", "The end of the game:"),
        turns=("odd takes 1 from row 1 and leaves (0, 2)", "you take 2 from row 1 and leave (0, 0)"),
        after="Misère play: you took the last coin.",
    ),
    "error": Verdict("a", False, ("For 1", "your function raised KeyError: 3."), line="In line 2 of your cell: a[3]"),
    "prints": Verdict("a", False, ("For 1", "your function returned 2;", "expected 1."), printed="[1]\n[2]\n"),
}


@pytest.mark.parametrize("name", SAID)
def test_the_picture_of_a_verdict_says_the_words_of_print_and_no_others(name):
    shown = SAID[name]._repr_mimebundle_()
    assert shown["text/plain"] == str(SAID[name])
    words = html.unescape(re.sub("<[^>]+>", " ", shown["text/html"]))
    words = words.replace("✗ Not yet", "✗").replace("What your function printed", "").replace("[2]", "")
    plain = shown["text/plain"].replace("What your function printed is held back here. It began with: ", "")
    assert sorted(re.findall(r"\w+", words)) == sorted(re.findall(r"\w+", plain))


def test_the_picture_has_the_hint_before_the_example_and_each_turn_on_its_own_line():
    wrong, game, prints = (SAID[name]._repr_mimebundle_()["text/html"] for name in ("wrong", "game", "prints"))
    assert wrong.index("Twice.") < wrong.index("For a row of 1<br>your function returned &lt;b&gt;;<br>expected 1.")
    assert "<li>odd takes 1 from row 1 and leaves (0, 2)</li><li>you take 2 from row 1 and leave (0, 0)</li>" in game
    assert prints.count("<details>") == 1 and "[1]\n[2]</pre>" in prints


def test_an_error_comes_with_the_line_of_the_cell():
    source = "def finish(left):\n    helper = {}\n    return helper[left]\n"
    linecache.cache["<cell 7>"] = (len(source), None, source.splitlines(keepends=True), "<cell 7>")
    names = {}
    exec(compile(source, "<cell 7>", "exec"), names)  # noqa: S102 - as a kernel does it
    verdict = checks.finish.judge(names["finish"])
    assert verdict.line == "In line 3 of your cell: return helper[left]"
    assert str(verdict).splitlines()[1] == verdict.line
    assert checks.finish.judge(lambda left: 1 / 0).line == ""  # this file is no cell


# --- who hears a verdict --------------------------------------------------------------------------------


def test_whoever_listens_hears_each_verdict_and_nothing_is_printed(capsys):
    heard = []
    engine.listen(heard.append, seconds=0.5)
    try:
        checks.finish(checks.finish.reference)
        checks.first_move(2)
        checks.losing(lambda sticks: threading.Event().wait(5))
    finally:
        engine.listen()
    assert [(verdict.exercise, verdict.right, verdict.late) for verdict in heard] == [
        ("finish", True, False),
        ("first_move", True, False),
        ("losing", False, True),
    ]
    assert "within 0.5 seconds" in heard[-1].words
    assert capsys.readouterr().out == ""
    checks.first_move(2)
    assert capsys.readouterr().out.startswith("✓ Legal: 2 taken from 7")


def test_a_hint_that_is_not_found_in_time_is_late():
    """Such a verdict would be another one on a machine with less to do, so a marking asks again."""

    @engine.exercise(cases=[(1,)], given="{}", praise="")
    def same(number):
        return number

    @same.mistake("That is a zero.")
    def zero(number):
        return threading.Event().wait(5)

    verdict = same.judge(lambda number: 0, seconds=0.5)
    assert (verdict.right, verdict.late, verdict.hint) == (False, True, "")
    assert verdict.words == "For 1 your function returned 0; expected 1."


def test_where_there_are_no_threads_an_answer_is_tried_all_the_same(monkeypatch):
    """As in a browser."""

    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    found = checks.finish.judge(lambda left: print("here") or 1)
    assert not found.right and found.printed.startswith("here\n")


def test_a_check_that_goes_wrong_blames_nobody():
    @engine.by_hand()
    def broken(function):
        """Fail."""
        raise ZeroDivisionError("of our own")

    words = broken.judge(print).words
    assert words == "The check itself went wrong, and that is not your mistake: ZeroDivisionError: of our own."


def test_a_module_of_the_lessons_offers_its_checks_by_name():
    assert isinstance(checks, types.ModuleType) and checks.settle is checks.settle
    assert checks.legal_moves.name == "legal_moves" and repr(checks.my_mirror) == "Check(my_mirror)"


# --- answers that cannot be shown or compared -----------------------------------------------------------

HOLDS_ITSELF: list = []
HOLDS_ITSELF.append(HOLDS_ITSELF)
STRANGE = {"many digits": 10**5_000, "large": 10**400, "a class": np.ndarray, "itself": HOLDS_ITSELF}


@pytest.mark.parametrize("value", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize(
    "exercise", ["win_rate", "legal_moves", "sticks_left", "first_move", "moves_on_paper", "u_table"]
)
def test_an_answer_that_cannot_be_shown_is_wrong_and_no_fault_of_the_check(exercise, value):
    check = getattr(checks, exercise)
    verdict = check.judge((lambda *_: value) if check.takes_function else value)
    assert not verdict.right and "The check itself went wrong" not in str(verdict)


@pytest.mark.parametrize("answer", [None, [1]])
def test_an_argument_that_holds_itself_is_no_fault_of_the_check(answer):
    def settle(balls, drawn, won):
        balls.append(balls)
        return answer or balls

    assert "made something that holds itself" in str(checks.settle.judge(settle))


def test_in_any_order_items_of_several_kinds_are_compared():
    assert judging.alike([(3, 4), [1, 2]], [[1, 2], (3, 4)], any_order=True)
    assert not judging.alike([1, 1, 2], [1, 2, 2], any_order=True)


def test_what_stands_behind_the_turns_is_in_the_picture_without_them():
    verdict = Verdict("mine", False, ("You lost.",), after="Look again.")
    assert "Look again." in str(verdict) and "Look again." in verdict._repr_mimebundle_()["text/html"]
