"""How an answer is tried, and how its verdict is printed, shown and passed on."""

from __future__ import annotations

import builtins
import html
import linecache
import re
import sys
import threading
import time
from decimal import Decimal
from fractions import Fraction

import pytest

from coincourse import checks
from coincourse.checks import engine, hints, judging
from coincourse.checks.screens import CUT
from coincourse.checks.verdict import Verdict, picture

# --- what an answer prints and asks ---------------------------------------------------------------------


def test_what_an_answer_prints_is_held_back_and_its_first_line_is_said(capsys):
    checks.sticks_left(lambda before, taken: print(before - taken))
    verdict, note = capsys.readouterr().out.splitlines()
    assert verdict.endswith(hints.RETURNED_NONE)
    assert note == "(What your function printed is held back here. It began with: 0)"
    found = checks.sticks_left.judge(lambda before, taken: print("x" * 10**6) or before - taken)
    assert found.right and found.printed == "x" * 1_000 + CUT and len(str(found).splitlines()[1]) < 150


def test_only_the_thread_of_the_check_is_held_back(capsys):
    begun = threading.Event()
    ended = threading.Event()

    def answer(before, taken):
        print("mine")
        begun.set()
        ended.wait()
        return before - taken

    def print_meanwhile():
        begun.wait()
        print("meanwhile")
        ended.set()

    thread = threading.Thread(target=print_meanwhile, daemon=True)
    thread.start()
    output = sys.stdout
    found = checks.sticks_left.judge(answer)
    assert found.right and found.printed.startswith("mine\n") and "meanwhile" not in found.printed
    assert capsys.readouterr().out == "meanwhile\n"
    assert sys.stdout is output


def ask_without_ask(question, least, most, ask=input):
    return int(input(question))


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("ask_number", ask_without_ask, judging.CALLED_INPUT_NOT_ASK),
        ("two_players", lambda ask: ask_without_ask("How many? ", 1, 3), judging.CALLED_INPUT_NOT_ASK),
        ("finish", lambda left: int(input("How many? ")), judging.CALLED_INPUT),
        ("my_mirror", lambda game, state: int(input("How many? ")), judging.CALLED_INPUT),
    ],
)
def test_an_answer_that_asks_a_person_is_told_so_at_once(name, answer, words):
    before = sys.stdin
    verdict = getattr(checks, name).judge(answer)
    assert verdict.words.startswith("For ") and verdict.words.endswith(words)
    assert "<code>input</code>" in picture(verdict) and "`" not in picture(verdict)
    assert not verdict.late and sys.stdin is before


class Kernel:
    """As Jupyter's, with what its own `input` looks at."""

    _allow_stdin = True

    def raw_input(self, question=""):
        if not self._allow_stdin:
            raise type("StdinNotImplementedError", (RuntimeError,), {})
        return "1"


def test_an_answer_in_a_notebook_cannot_ask_a_person_either(monkeypatch):
    kernel = Kernel()
    monkeypatch.setattr(builtins, "input", kernel.raw_input)

    def asks(left, ask=kernel.raw_input):
        return int(ask())

    assert judging.CALLED_INPUT in engine.in_time(checks.finish, asks).words
    assert kernel._allow_stdin and input() == "1"


# --- who hears a verdict, and when ----------------------------------------------------------------------


def never_ends(*arguments):
    while True:
        time.sleep(0.001)


def test_an_answer_without_end_is_given_up(monkeypatch, capsys):
    monkeypatch.setattr(engine, "SECONDS", 0.05)
    checks.losing(never_ends)
    assert "within 0.05 seconds" in capsys.readouterr().out
    assert engine.in_time(checks.losing, never_ends).late


def test_a_hint_that_is_not_found_in_time_is_late(monkeypatch):
    """Such a verdict could differ on a less busy machine, so marking tries again."""
    looks_for_a_hint = threading.Event()
    monkeypatch.setattr(threading.Thread, "join", lambda thread, seconds=None: looks_for_a_hint.wait())

    @engine.exercise(cases=[(1,)], given="{}", praise="")
    def same(number):
        return number

    @same.mistake("That is a zero.")
    def zero(number):
        looks_for_a_hint.set()
        never_ends()

    verdict = engine.in_time(same, lambda number: 0)
    assert (verdict.right, verdict.late, verdict.hint) == (False, True, "")
    assert verdict.words == "For 1 your function returned 0; expected 1."


def test_where_there_are_no_threads_an_answer_is_tried_all_the_same(monkeypatch, capsys):
    """As in a browser."""

    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    checks.sticks_left(lambda before, taken: before - taken)
    checks.sticks_left(lambda before, taken: print("here") or 1 // 0)
    right, wrong, printed = capsys.readouterr().out.splitlines()
    assert right.startswith("✓ Right") and "raised ZeroDivisionError" in wrong and "here" in printed


def test_a_check_that_goes_wrong_does_not_blame_the_answer():
    @engine.by_hand()
    def broken(function):
        """Fail."""
        raise ZeroDivisionError("of our own")

    words = broken.judge(print).words
    assert words == "The check itself went wrong, and that is not your mistake: ZeroDivisionError: of our own."


# --- the cell that calls the check ----------------------------------------------------------------------


def run_cells(*sources, name="settle"):
    """What checks print in some cells that run one after another, as in a kernel."""
    names = {"check": checks}
    for number, source in enumerate(sources):
        file = f"<{name} {number}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec"), names)  # noqa: S102 - as a kernel does it


RIGHT = "def sticks_left(before, taken):\n    return before - taken\n"
CALL = "check.sticks_left(sticks_left)\n"


def test_an_old_function_does_not_pass_under_a_misspelt_new_one(capsys):
    misspelt = RIGHT.replace("sticks_left", "stick_left").replace("-", "+")
    other = misspelt.replace("stick_left", "answer")
    run_cells(RIGHT + CALL, misspelt + CALL, other + CALL, CALL, RIGHT + CALL)
    first, second, third, fourth, fifth = capsys.readouterr().out.splitlines()
    assert first.startswith("✓") and fourth.startswith("✓") and fifth.startswith("✓")
    said = "Your cell defines `{}`, but the check was given `sticks_left` from an earlier cell. Use one name for both."
    assert second == f"✗ {said.format('stick_left')}" and third == f"✗ {said.format('answer')}"


def test_a_value_of_an_earlier_cell_is_not_judged_for_a_misspelt_new_one(capsys):
    run_cells("my_move = 2\ncheck.first_move(my_move)", "my_mvoe = 9\ncheck.first_move(my_move)")
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("✓") and "Your cell defines `my_mvoe`" in second


def test_a_cell_may_define_a_helper_for_the_function_of_an_earlier_cell(capsys):
    helped = "def sticks_left(before, taken):\n    return less(before, taken)\n"
    run_cells(helped, "def less(before, taken):\n    return before - taken\n" + CALL)
    assert capsys.readouterr().out.startswith("✓")


def test_a_line_of_another_cell_is_named_with_its_function(capsys):
    helper = "def half(number):\n    # of sticks\n    return number / 0\n"
    run_cells(helper, "def finish(left):\n    return half(left)\n\ncheck.finish(finish)")
    assert capsys.readouterr().out.splitlines()[1] == "In line 3 of the cell that defines `half`: return number / 0"


# --- what else a message must not say -------------------------------------------------------------------


def test_the_time_of_all_cases_is_not_told_as_the_time_of_one():
    answered = []

    def slow(left):
        answered.append(left)
        return checks.finish.reference(left) if len(answered) < 4 else never_ends()

    words = engine.in_time(checks.finish, slow, 0.3).words
    assert "For 4 sticks your function was not done within 0.3 seconds for all cases together" in words
    assert "it had answered 3 before this one" in words


def test_a_forgotten_breakpoint_is_called_by_its_name():
    def stops(left):
        import pdb  # noqa: T100 - a student has forgotten it

        pdb.Pdb().set_trace()
        return left

    assert judging.BREAKPOINT in checks.finish.judge(stops).words


def test_exact_numbers_are_numbers():
    def chance(balls, sticks, number):
        legal = [ball for ball in balls if ball <= sticks]
        return Fraction(legal.count(number), len(legal))

    assert checks.chance.judge(chance).right
    assert checks.sticks_left.judge(lambda before, taken: Decimal(before - taken)).right
    assert not checks.chance.judge(lambda *_: Fraction(1, 3)).right


def test_a_function_that_calls_an_unwritten_one_is_written():
    def unwritten(balls):
        return ...

    for answer in (lambda balls, drawn, won: balls + unwritten(balls), lambda balls, drawn, won: unwritten(balls)):
        said = checks.settle.judge(answer)
        assert said.written and "which function that it calls is not written yet" in str(said)


def test_a_branch_that_gets_dots_from_itself_is_still_open():
    def size(state):
        if sum(state) == 0:
            return 1
        return ... if state[1] else 1 + size((0, 1, 0))

    assert checks.size_of_tree.judge(size).words == f"For the state (0, 0, 1) {judging.MEETS_DOTS}"
    assert not checks.size_of_tree.judge(lambda s: 1 + ...).written


# --- a verdict in a notebook ----------------------------------------------------------------------------

VERDICTS = {
    "not written": judging.not_written("a"),
    "right": Verdict("a", True, (", for short rows.", "(11 cases tried)"), headline="Right"),
    "wrong": Verdict("a", False, ("For a row of 1", "your function returned <b>;", "expected 1."), hint="Twice."),
    "game": Verdict(
        "a",
        False,
        ("Moving second, your agent loses to odd.", "The end of the game:"),
        turns=("odd takes 1 from row 1 and leaves (0, 2)", "you take 2 from row 1 and leave (0, 0)"),
        after="Misère play: you took the last coin.",
    ),
    "no game": Verdict("mine", False, ("You lost.",), after="Look again."),
    "error": Verdict("a", False, ("For 1", "your function raised KeyError: 3."), line="In line 2 of your code: a[3]"),
    "prints": Verdict("a", False, ("For 1", "your function returned 2;", "expected 1."), printed="[1]\n[2]\n"),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_the_picture_of_a_verdict_says_the_words_of_print_and_no_others(name):
    shown = VERDICTS[name]._repr_mimebundle_()
    assert shown["text/plain"] == str(VERDICTS[name])
    words = html.unescape(re.sub("<[^>]+>", " ", shown["text/html"]))
    words = words.replace("✗ Not yet", "✗").replace("What your function printed", "").replace("[2]", "")
    plain = shown["text/plain"].replace("What your function printed is held back here. It began with: ", "")
    assert sorted(re.findall(r"\w+", words)) == sorted(re.findall(r"\w+", plain))


def test_the_picture_has_the_hint_before_the_example_and_each_turn_on_its_own_line():
    wrong, game, prints = (VERDICTS[name]._repr_mimebundle_()["text/html"] for name in ("wrong", "game", "prints"))
    assert wrong.index("Twice.") < wrong.index("For a row of 1<br>your function returned &lt;b&gt;;<br>expected 1.")
    assert "<li>odd takes 1 from row 1 and leaves (0, 2)</li><li>you take 2 from row 1 and leave (0, 0)</li>" in game
    assert prints.count("<details>") == 1 and "[1]\n[2]</pre>" in prints


def test_an_error_comes_with_the_line_of_the_cell():
    source = "def finish(left):\n    helper = {}\n    return helper[left]\n"
    linecache.cache["<cell 7>"] = (len(source), None, source.splitlines(keepends=True), "<cell 7>")
    names = {}
    exec(compile(source, "<cell 7>", "exec"), names)  # noqa: S102 - as a kernel does it
    verdict = checks.finish.judge(names["finish"])
    assert verdict.line == "In line 3 of your code: return helper[left]"
    assert str(verdict).splitlines()[1] == verdict.line
    assert checks.finish.judge(lambda left: 1 / 0).line == ""  # this file is no cell
