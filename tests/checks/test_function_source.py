"""What the source of a function shows: slips are found, and no right answer has one."""

from __future__ import annotations

import ast

import pytest
from bank import BANK, run_as_cell

from coincourse import checks
from coincourse.checks.function_source import read_source
from coincourse.checks.verdict import picture
from coinlib.agents import take_one

FIRST_OF_ALL = "in np.argwhere("  # one answer uses a loop to return the first item, or None


def sources(code: str) -> list:
    """What the functions in some code show."""
    return [read_source(each) for each in ast.parse(code).body if isinstance(each, ast.FunctionDef)]


@pytest.mark.parametrize("lesson", BANK)
def test_no_right_answer_has_a_slip(lesson):
    right = [answer["code"] for answer in BANK[lesson] if answer["right"] and FIRST_OF_ALL not in answer["code"]]
    assert [(code, each.slip) for code in right for each in sources(code) if each.slip] == []


@pytest.mark.parametrize(
    ("loop", "line"),
    [
        ("for n in numbers:\n        return n", 3),
        ("for n in numbers:\n        if n:\n            return n\n        else:\n            return None", 6),
        ("while numbers:\n        numbers = numbers[1:]\n        return numbers", 4),
        ("for n in numbers:\n        if n:\n            continue\n        return n", None),
        ("for n in numbers:\n        if n:\n            return n", None),
        ("for n in numbers:\n        if n:\n            found.append(n)\n            return found", 5),
        ("for n in numbers:\n        if n:\n            count += 1\n            return count / 2", 5),
        ("for n in numbers:\n        if n:\n            value += n\n            return value, n", None),
        ("while numbers:\n        if full:\n            games *= 2\n            return games", None),
        (
            "while True:\n        try:\n            return numbers[0]\n        except IndexError:\n            pass",
            None,
        ),
    ],
)
def test_a_loop_that_ends_too_early_is_named_with_the_line_of_the_return(loop, line):
    (found,) = sources(f"def first(numbers):\n    {loop}\n")
    assert found.returns
    assert found.slip == "" if line is None else f"`return` in line {line}" in found.slip


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (
            "n == 2 or 3 or 4",
            "is always true, because `3` alone counts as true. Compare each time: `n == 2 or n == 3`.",
        ),
        ("n % 4 == 1 or 2", "Compare each time: `n % 4 == 1 or n % 4 == 2`."),
        ("n == 2 and n == 3", "is never true, because nothing is both. Is `or` meant?"),
        ("n == 2 or n == 3", ""),
        ("n == 2 or m", ""),
        ("n == 2 or 0", ""),
        ("n == 2 and m == 3", ""),
        ("n == 2 and n == 2", ""),
        ("n == 2 and n < 3", ""),
    ],
)
def test_a_condition_that_is_always_or_never_true_is_named(condition, said):
    (under_if,) = sources(f"def f(n, m):\n    if {condition}:\n        return 1\n    return 2")
    (in_line,) = sources(f"def f(n, m):\n    return 1 if {condition} else 2")
    assert under_if.slip == in_line.slip
    assert under_if.slip.endswith(said) and bool(under_if.slip) == bool(said)


def test_a_stub_is_dots_and_only_a_value_counts_as_returned():
    stub, nothing, helper = sources(
        "def f(n):\n    return ...\ndef g(n):\n    return\ndef h(n):\n    def inner():\n        return 1\n    inner()"
    )
    assert stub.is_dots and not nothing.is_dots
    assert not nothing.returns and not helper.returns


def test_an_answer_below_the_dots_of_the_stub_is_told_to_delete_them():
    names = {}
    run_as_cell(
        "def finish(left):\n    return ...\n    if 2 <= left <= 4:\n        return left - 1\n    return 1\n", names
    )
    verdict = checks.finish.judge(names["finish"])
    assert not verdict.written
    assert verdict.hint.startswith("Line 2, `return ...`, ends the function")
    assert picture(verdict).count("Delete that line.") == 1
    (inside,) = sources("def finish(left):\n    if left > 4:\n        return ...\n    return left - 1")
    assert inside.slip == ""


def test_of_two_agents_that_are_handed_in_the_new_one_is_read():
    names = {}
    run_as_cell("def agent(game, state):\n    for move in game.legal_moves(state):\n        return move\n", names)
    slips = [checks.repaired.judge(pair).hint for pair in ((take_one, names["agent"]), (names["agent"], take_one))]
    assert "`return` in line 3" in slips[0] and slips[1] == ""


def test_a_slip_comes_before_what_a_check_says_itself_and_is_known_if_the_time_is_up():
    names = {}
    run_as_cell("def rule(game, state):\n    for move in game.legal_moves(state):\n        return [move]\n", names)
    noted = []
    verdict = checks.my_rule.judge(names["rule"], note=noted.append)
    assert "your function returned [Move(row=0, count=1)]" in verdict.words
    assert "`return` in line 3" in verdict.hint and "`return` in line 3" in noted[0].hint


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("n - 1", "Is `return` missing before it"),
        ("n == 1", "`return` returns it"),
        (
            "n = n.append(1)",
            "sets `n` to None: `append` changes the list itself, and returns nothing. Leave out `n =`.",
        ),
        ("m = n.append(1)", ""),
        ("n = n.copy()", ""),
        ("print(n)", ""),
        ("if n / 2 == 0:\n        return 1", "Is the remainder meant?"),
        ("if n % 2 == 0:\n        return 1", ""),
        ("if n / 2 == 0.5:\n        return 1", ""),
    ],
)
def test_a_line_that_nobody_writes_on_purpose_is_named(line, said):
    (found,) = sources(f"def f(n):\n    {line}\n")
    assert said in found.slip if said else found.slip == ""
