"""The exercises of lesson 12: what each check says to stubs, solutions, other right answers and common mistakes."""

import re

import pytest
from exercises import Exercises, said

from coinlib import agents, theory

LESSON = Exercises("12_why_multiples_of_four_lose")
NAMES = ["break_claim", "make_four", "first_take", "lost_rows"]


# --- stubs and solutions of the lesson itself

STUBS = {
    "break_claim": '✗ For the claim "every count is lost" and lost = [True, False, False, False, True] your function '
    "returned None; expected 1. The claim says True for 1, and lost[1] is False.",
    "make_four": "✗ Normal play, 4 sticks, at most 3 a turn: the first player takes 1 and leaves 3, your agent takes 1 "
    "and leaves 2. The first player takes 2, the last sticks, and wins.",
    "first_take": "✗ For 1 stick, at most 3 a turn, normal play your function returned None; expected 1. Leave 0: there "
    "the other side is lost.",
    "lost_rows": "✗ For values [0] in misère play your function returned True; expected False. All values are 0 or 1: "
    "here the exception holds, and XOR 1 is lost.",
}
RIGHT = {
    "break_claim": "✓ Right, for claims that hold and claims that break, early and late. (6 claims tried)",
    "make_four": "✓ Right: moving second, your agent wins every game of normal play on multiples of k + 1 sticks. "
    "(k from 1 to 6, 168 positions tried)",
    "first_take": "✓ Right, in normal play and in misère play, from 1 stick to 100,003. (41 cases tried)",
    "lost_rows": "✓ Right, for one to four rows, in both endings. (236 cases tried)",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_and_the_solution_of_the_lesson(name, capsys):
    LESSON.check_cells(capsys, name, STUBS[name], RIGHT[name], nim_sum=theory.nim_sum)


def test_the_lesson_has_no_other_exercises_with_a_check():
    called = {name for cell in LESSON.code for name in re.findall(r"check\.(\w+)\(", cell.source)}
    assert called == set(NAMES)


# --- other right answers


def by_next(claim, lost):
    return next((count for count in range(len(lost)) if claim(count) is not lost[count]), None)


def by_list(claim, lost):
    wrong = [count for count in range(len(lost)) if claim(count) != lost[count]]
    return min(wrong) if wrong else None


def four_by_moves(game, state):
    """Tries the takes in turn."""
    for take in range(1, min(game.max_pick, state[0]) + 1):
        if (state[0] - take) % (game.max_pick + 1) == 0:
            return take
    return 1


def take_by_words(count, max_pick, misere):
    left = count % (max_pick + 1)
    if misere:
        left = left - 1 if left else max_pick
    return None if left == 0 else left


def climbs(count, max_pick, misere):
    """One count after the other."""
    lost = {1 if misere else 0}
    for left in range(1 + misere, count):
        if not any(left - take in lost for take in range(1, max_pick + 1)):
            lost.add(left)
    return next((take for take in range(1, max_pick + 1) if count - take in lost), None)


def lists_them(count, max_pick, misere):
    lost = set(range(1 if misere else 0, count, max_pick + 1))
    return next((take for take in range(1, max_pick + 1) if count - take in lost), None)


def by_counting(values, misere):
    ones, large = values.count(1), [value for value in values if value > 1]
    if misere and not large:
        return ones % 2 == 1
    total = 0
    for value in values:
        total ^= value
    return not total


@pytest.mark.parametrize(
    "name, function",
    [
        ("break_claim", by_next),
        ("break_claim", by_list),
        ("make_four", four_by_moves),
        ("make_four", agents.leave_multiple),
        ("make_four", agents.closed_form),
        ("make_four", agents.PerfectAgent(seed=1)),
        ("make_four", lambda game, state: (0, state[0] % (game.max_pick + 1) or 1)),
        ("first_take", take_by_words),
        ("first_take", climbs),
        ("first_take", lists_them),
        ("lost_rows", by_counting),
    ],
)
def test_other_right_answers(name, function, capsys):
    assert said(capsys, name, function) == RIGHT[name]


# --- what people get wrong


def gives_the_truth(claim, lost):
    return by_next(claim, lost) is None


def last_one(claim, lost):
    return max((count for count in range(len(lost)) if claim(count) != lost[count]), default=None)


def stops_early(claim, lost):
    for count in range(len(lost) - 1):
        if claim(count) != lost[count]:
            return count


def minus_one(claim, lost):
    found = by_next(claim, lost)
    return -1 if found is None else found


def all_of_them(claim, lost):
    return [count for count in range(len(lost)) if claim(count) != lost[count]]


def returns_at_once(claim, lost):
    for count, truth in enumerate(lost):
        if claim(count) != truth:
            return count
        return None


def only_four(game, state):
    return state[0] % 4 or 1


def no_answer(game, state):
    if state[0] % 4 == 3:
        return 3


def misere_answer(game, state):
    return (state[0] - 1) % (game.max_pick + 1) or 1


def the_other_way(game, state):
    return game.max_pick + 1 - state[0] % (game.max_pick + 1)


def zero_for_none(count, max_pick, misere):
    return (count - misere) % (max_pick + 1)


def with_k(count, max_pick, misere):
    return (count - misere) % max_pick or None


def always_four(count, max_pick, misere):
    return (count - misere) % 4 or None


def plus_poison(count, max_pick, misere):
    return (count + misere) % (max_pick + 1) or None


def poison_at_the_end(count, max_pick, misere):
    return count % (max_pick + 1) - misere or None


def always_poison(count, max_pick, misere):
    return (count - 1) % (max_pick + 1) or None


def one_of_three(count, max_pick, misere):
    return 1 if count == 3 else (count - misere) % (max_pick + 1) or None


def takes_all(count, max_pick, misere):
    return count if count <= max_pick else climbs(count, max_pick, misere)


def exception_everywhere(values, misere):
    return theory.nim_sum(*values) == (1 if misere else 0)


def exception_for_ones_only(values, misere):
    return theory.nim_sum(*values) == (1 if misere and set(values) == {1} else 0)


def always_exception(values, misere):
    return theory.nim_sum(*values) == (1 if max(values) <= 1 else 0)


def adds(values, misere):
    small = misere and max(values) <= 1
    return sum(values) % 4 == (1 if small else 0)


def returns_the_sum(values, misere):
    return theory.nim_sum(*values)


@pytest.mark.parametrize(
    "name, function, words",
    [
        ("break_claim", gives_the_truth, "your function returned False; expected 1. Return the count itself"),
        ("break_claim", last_one, "returned 3; expected 1. The claim is wrong there too, but 1 is smaller."),
        ("break_claim", stops_early, '"in normal play the multiples of four below 400 are lost" and a list of 401'),
        ("break_claim", stops_early, "returned None; expected 400. Look at the last place of the list as well."),
        ("break_claim", minus_one, "returned -1; expected None. Nothing breaks this claim"),
        ("break_claim", all_of_them, "returned [1, 2, 3]; expected 1. Return the smallest one, not a list."),
        ("break_claim", returns_at_once, "returned None; expected 1. The claim says True for 1"),
        ("make_four", only_four, "For 3 sticks and at most 1 your agent returned 3, which is illegal"),
        ("make_four", no_answer, "returned None; expected a take. Does every way through it end with `return`?"),
        ("make_four", misere_answer, "your agent takes 2 and leaves 1. The first player takes 1, the last stick"),
        ("make_four", the_other_way, "the first player takes 1 and leaves 3, your agent takes 1 and leaves 2."),
        ("make_four", lambda game, state: state, "The state is a tuple: state[0] is the number of sticks."),
        ("make_four", lambda game, state: 0, "returned 0, which is illegal: row 0 holds 3 coins"),
        ("make_four", lambda game, state: state % 4, "raised TypeError"),
        ("first_take", zero_for_none, "misère play your function returned 0; expected None. One cannot take 0."),
        ("first_take", lambda n, k, misere: n % (k + 1) or None, "expected None. That is the answer of normal play."),
        ("first_take", always_poison, "normal play your function returned None; expected 1. Leave 0: there the other"),
        (
            "first_take",
            always_four,
            "For 3 sticks, at most 2 a turn, normal play your function returned 3; expected None.",
        ),
        ("first_take", always_four, "A take is from 1 to 2 here."),
        ("first_take", plus_poison, "returned 2; expected None. Only 1 can be taken here."),
        ("first_take", poison_at_the_end, "returned -1; expected 2. A take is from 1 to 2 here."),
        ("first_take", one_of_three, "returned 1; expected 3. That leaves 2, and the other side takes 2 and wins."),
        ("first_take", takes_all, "misère play your function returned 1; expected None. That is the answer of normal"),
        ("first_take", lambda n, k, misere: "2", "returned '2'; expected 1. Return one whole number, or None."),
        ("first_take", with_k, "For 2 sticks, at most 2 a turn, normal play your function returned None; expected 2."),
        (
            "lost_rows",
            exception_everywhere,
            "For values [2, 2] in misère play your function returned False; expected True.",
        ),
        ("lost_rows", exception_everywhere, "Some value is above 1: the exception does not hold here."),
        ("lost_rows", exception_for_ones_only, "For values [0] in misère play your function returned True"),
        ("lost_rows", always_exception, "For values [0] in normal play your function returned False; expected True."),
        (
            "lost_rows",
            adds,
            "For values [4] in normal play your function returned True; expected False. Normal play: lost",
        ),
        ("lost_rows", returns_the_sum, "For values [0] in normal play your function returned 0; expected True."),
        ("lost_rows", None, "Give the check a function, without brackets"),
    ],
)
def test_common_mistakes(name, function, words, capsys):
    answer = said(capsys, name, function)
    assert answer.startswith("✗")
    assert words in answer
