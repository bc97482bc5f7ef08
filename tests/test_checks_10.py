"""The exercises of lesson 10: what each check says to the stub, the solution, another right answer and common mistakes."""

import operator
import re
from functools import cache

import numpy as np
import pytest
from exercises import Exercises, said

from coincourse.checks.lesson_10 import _fuse_all
from coinlib import GreedyCoins, greedy_margin, solve_greedy
from coinlib.trees import tree_size

LESSON = Exercises("10_greedy_coins_large")
NAMES = ["count_nodes", "next_diagonal", "fuse_once", "fuse_all"]


# --- stubs and solutions of the lesson itself

BACK = "Does it hand its answer back with `return`?"
STUBS = {
    "count_nodes": f"✗ For 0 coins your function returned None; expected 1. {BACK}",
    "next_diagonal": f"✗ For coins [1, 2] and diagonal [1, 2] your function returned None; expected [1]. {BACK}",
    "fuse_once": f"✗ For coins [3] your function returned None; expected [3]. {BACK}",
    "fuse_all": f"✗ For coins [3] your function returned None; expected [3]. {BACK}",
}
RIGHT = {
    "count_nodes": "✓ Right, for no coin, for one, and for 64. (8 cases tried)",
    "next_diagonal": "✓ Right, for runs of every length. (21 cases tried)",
    "fuse_once": "✓ Right, for peaks, for equal coins, and for rows without a peak. (15 cases tried)",
    "fuse_all": "✓ Right, for every row, and in one pass. (17 cases tried)",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_and_the_solution_of_the_lesson(name, capsys):
    LESSON.check_cells(capsys, name, STUBS[name], RIGHT[name])


# --- other right answers


def nodes_by_recursion(coins):
    return 1 if coins == 0 else 1 + 2 * nodes_by_recursion(coins - 1)


def diagonal_with_numpy(coins, diagonal):
    coins, diagonal = np.array(coins), np.array(diagonal)
    more = len(coins) - len(diagonal) + 1
    return np.maximum(coins[:-more] - diagonal[1:], coins[more:] - diagonal[:-1])


def fuse_the_last(coins):
    for i in range(len(coins) - 2, 0, -1):
        if max(coins[i - 1], coins[i + 1]) <= coins[i]:
            coins[i - 1 : i + 2] = [coins[i - 1] - coins[i] + coins[i + 1]]
            break
    return tuple(coins)


def fuse_from_the_right(coins):
    return LESSON.solution("fuse_all")(coins[::-1])[::-1]


OTHERS = {
    "count_nodes": [
        lambda coins: 2 ** (coins + 1) - 1,
        lambda coins: sum(2**level for level in range(coins + 1)),
        nodes_by_recursion,
    ],
    "next_diagonal": [
        diagonal_with_numpy,
        lambda coins, diagonal: tuple(LESSON.solution("next_diagonal")(coins, diagonal)),
    ],
    "fuse_once": [fuse_the_last, lambda coins: np.array(LESSON.solution("fuse_once")(coins))],
    "fuse_all": [fuse_from_the_right, lambda coins: tuple(_fuse_all(coins))],
}


@pytest.mark.parametrize(("name", "number"), [(name, number) for name in NAMES for number in range(len(OTHERS[name]))])
def test_another_right_answer_is_right(name, number, capsys):
    assert said(capsys, name, OTHERS[name][number]) == RIGHT[name]


# --- mistakes


def walk_through_the_tree(coins):
    return 1 if coins == 0 else 1 + walk_through_the_tree(coins - 1) + walk_through_the_tree(coins - 1)


def diagonal_of(left, right, choose=max, after=operator.sub, shorter=1):
    """A way to make a diagonal from the coins and the numbers at certain places."""

    def next_diagonal(coins, diagonal):
        more = len(coins) - len(diagonal) + 1
        places = range(len(diagonal) - shorter)
        return [choose(after(*left(coins, diagonal, i, more)), after(*right(coins, diagonal, i, more))) for i in places]

    return next_diagonal


def at_left(coins, diagonal, i, more):
    return coins[i], diagonal[i + 1]


def at_right(coins, diagonal, i, more):
    return coins[i + more], diagonal[i]


def fuse_with(make, peak=lambda a, b, c: a <= b >= c):
    """Fuses one peak in another way, or something else than a peak."""

    def fuse_once(coins):
        for i in range(1, len(coins) - 1):
            if peak(*coins[i - 1 : i + 2]):
                return coins[: i - 1] + make(*coins[i - 1 : i + 2]) + coins[i + 2 :]
        return coins

    return fuse_once


def middle_with_minus(a, b, c):
    return [a - b + c]


def stack_with(loop, peak=lambda a, b, c: a <= b >= c, make=lambda a, b, c: a - b + c):
    """A stack whose inner loop runs at most so many times."""

    def fuse_all(coins):
        stack = []
        for coin in coins:
            turns = 0
            while turns < loop and len(stack) > 1 and peak(stack[-2], stack[-1], coin):
                b, a = stack.pop(), stack.pop()
                coin = make(a, b, coin)
                turns += 1
            stack.append(coin)
        return stack

    return fuse_all


def fuse_again_and_again(coins):
    while True:
        shorter = solution_of_fuse_once(coins)
        if shorter == coins:
            return coins
        coins = shorter


def solution_of_fuse_once(coins):
    for i in range(1, len(coins) - 1):
        a, b, c = coins[i - 1], coins[i], coins[i + 1]
        if a <= b >= c:
            return coins[: i - 1] + [a - b + c] + coins[i + 2 :]
    return coins


def one_pass_without_a_stack(coins):
    fused = []
    while coins:
        if len(coins) > 2 and coins[0] <= coins[1] >= coins[2]:
            coins = [coins[0] - coins[1] + coins[2], *coins[3:]]
        else:
            fused.append(coins.pop(0))
    return fused


MISTAKES = {
    "count_nodes": [
        (lambda coins: 2**coins, "That is the number of ends only"),
        (lambda coins: 2**coins - 1, "For 0 coins your function returned 0; expected 1. The ends"),
        (lambda coins: 2 ** (coins + 1), "That is one too many."),
        (lambda coins: 2 ** (coins + 1) - 2, "The row at the start is a node too."),
        (lambda coins: 2.0 ** (coins + 1) - 1, "A float does not hold so many digits"),
        (lambda coins: coins * (coins + 1) // 2, "So many different runs there are"),
        (lambda coins: coins * (coins + 1) // 2 + 1, "So many different rows there are"),
        (lambda coins: 2 * coins + 1, "For 2 coins your function returned 5; expected 7. Each of the two rows"),
        (lambda coins: coins + 1, "For 1 coin your function returned 2; expected 3. After each move there are two"),
        (lambda coins: True, "For 0 coins your function returned True; expected 1."),
        (walk_through_the_tree, "For 21 coins the number is right, but your function took as long as a walk"),
    ],
    "next_diagonal": [
        (diagonal_of(at_left, at_right, choose=min), "Whoever moves takes the better of the two"),
        (diagonal_of(at_left, at_right, after=operator.add), "take it away from the coin"),
        (
            diagonal_of(at_left, lambda coins, diagonal, i, more: (coins[i + 1], diagonal[i])),
            "The right end of a run of 3 coins is not the coin beside the left end.",
        ),
        (
            diagonal_of(
                lambda coins, diagonal, i, more: (coins[i], diagonal[i]),
                lambda coins, diagonal, i, more: (coins[i + more], diagonal[i + 1]),
            ),
            "it is diagonal[i + 1]",
        ),
        (diagonal_of(at_left, at_right, shorter=0), "your function raised IndexError"),
        (diagonal_of(at_left, at_right, shorter=2), "From 2 runs come 1 that are one coin longer, not 0."),
        (lambda coins, diagonal: max(diagonal), "Return a list of whole numbers."),
        (lambda coins, diagonal: diagonal, "From 2 runs come 1 that are one coin longer, not 2."),
    ],
    "fuse_once": [
        (
            lambda coins: coins,
            "For coins [1, 5, 2] your function returned [1, 5, 2]; expected [-2]. There is a peak: the 5.",
        ),
        (
            fuse_with(middle_with_minus, lambda a, b, c: a < b > c),
            "For coins [2, 2, 2] your function returned [2, 2, 2]; expected [2]. There is a peak: the 2. A neighbour",
        ),
        (
            fuse_with(middle_with_minus, lambda a, b, c: a >= b <= c),
            "For coins [4, 2, 3] your function returned [5]; expected [4, 2, 3]. There is no peak in this row",
        ),
        (fuse_with(middle_with_minus, lambda a, b, c: a <= b), "There is no peak in this row"),
        (fuse_with(lambda a, b, c: [a + b - c]), "the outer two with plus, the middle one with minus"),
        (fuse_with(lambda a, b, c: [a + b + c]), "not a + b + c"),
        (fuse_with(lambda a, b, c: [b - a - c]), "not its negative"),
        (fuse_with(lambda a, b, c: [a, a - b + c, c]), "Three coins go, and one takes their place."),
        (fuse_with(lambda a, b, c: [a, c]), "The outer two coins go as well."),
        (fuse_with(lambda a, b, c: []), "do not leave it out"),
        (_fuse_all, "That fuses every peak; here only one is asked for."),
        (lambda coins: len(coins), "Return a list of whole numbers, also where nothing is fused."),
        (lambda coins: [float(coin) for coin in LESSON.solution("fuse_once")(coins)], "Return a list of whole numbers"),
    ],
    "fuse_all": [
        (
            lambda coins: coins,
            "For coins [1, 5, 2] your function returned [1, 5, 2]; expected [-2]. There is still a peak",
        ),
        (
            stack_with(1),
            "[1, 2, 2]; expected [1]. There is still a peak: the 2. After a fuse the new coin may be the right end of a new",
        ),
        (stack_with(99, peak=lambda a, b, c: a < b > c), "For coins [2, 2, 2] your function returned [2, 2, 2]"),
        (stack_with(99, peak=lambda a, b, c: a >= b <= c), "For coins [4, 2, 3] your function returned [5]"),
        (stack_with(99, make=lambda a, b, c: a + b - c), "the outer two with plus, the middle one with minus"),
        (lambda coins: fuse_from_the_right(coins)[::-1], "That is the valley from right to left."),
        (lambda coins: [], "Push each coin on the stack"),
        (lambda coins: max(_fuse_all(coins)), "Return a list of whole numbers, the valley."),
        (one_pass_without_a_stack, "There is still a peak"),
        (fuse_again_and_again, "Every valley is right, but a row of 5,500 coins took as long as many walks along it."),
    ],
}


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name in NAMES for number in range(len(MISTAKES[name]))]
)
def test_a_mistake_is_named(name, number, capsys):
    function, words = MISTAKES[name][number]
    answer = said(capsys, name, function)
    assert answer.startswith("✗ ") and words in answer


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("answer", [3.5, "1", [[]], {"row": 1}, object, [None], True, [3.0], {3}])
def test_nonsense_is_refused_in_words(name, answer, capsys):
    words = said(capsys, name, lambda *given: answer)
    assert words.startswith("✗ ") and "Traceback" not in words


@pytest.mark.parametrize("name", NAMES)
def test_a_function_that_raises_is_said_to_do_so(name, capsys):
    assert "your function raised ZeroDivisionError" in said(capsys, name, lambda *given: 1 / 0)


# --- what the lesson states


def output(words):
    """What the one cell that holds these words has stored, as text."""
    (cell,) = [cell for cell in LESSON.code if words in cell.source]
    stored = cell.outputs[0]
    return stored.get("text") or stored["data"]["text/plain"]


def test_the_solutions_make_what_the_library_makes():
    coins = np.random.default_rng(1).integers(0, 50, 40).tolist()
    diagonal = coins
    margin = solve_greedy(coins).margin
    for more in range(1, 40):
        diagonal = LESSON.solution("next_diagonal")(coins, diagonal)
        assert diagonal == np.diagonal(margin, more).tolist()
    valley = sorted(LESSON.solution("fuse_all")(coins), reverse=True)
    assert sum(valley[0::2]) - sum(valley[1::2]) == diagonal[0] == greedy_margin(coins)
    for count in (0, 1, 5, 14, 64):
        if count:
            assert LESSON.solution("count_nodes")(count) == tree_size(GreedyCoins(range(count))).nodes


def test_the_numbers_of_the_tree_stand_where_the_lesson_says_they_do():
    assert output("visits.total(), len(visits)") == "(127, 22, 6)"
    assert len(str(2**500)) == 151
    table = output('"nodes", "seconds", "years"')
    assert f"{2**65 - 1:,}" in table
    assert f"{(2**65 - 1) / 1_000_000 / (60 * 60 * 24 * 365):,.0f}" in table


def test_no_test_of_the_lesson_failed():
    """The lesson says that peaks may be fused, that pits may not, and that the largest coin may be taken."""
    assert output("} peaks, {failed}") == "21,844 rows, 47,790 peaks, 0 failures\n"
    assert re.fullmatch(r"[\d,]+ pits, [1-9][\d,]+ failures\n", output(" pits, {failed:,}"))
    assert re.fullmatch(
        r"[1-9][\d,]+ rows with their largest coin .*, 0 failures\n", output("largest coin at the left")
    )
    assert output("disagree_long = ") == "(21844, 0, 20, 0)"


# --- the argument of section 5, each step of it, for all small rows, coins below 0 among them

COINS = range(-2, 4)


@cache
def value(row):
    return max(row[0] - value(row[1:]), row[-1] - value(row[:-1])) if row else 0


def all_rows(most, coins=COINS):
    rows = [()]
    for _ in range(most):
        yield from (rows := [(*row, coin) for row in rows for coin in coins])


def peaks(row):
    return [i for i in range(1, len(row) - 1) if row[i - 1] <= row[i] >= row[i + 1]]


def fused(row, i):
    return (*row[: i - 1], row[i - 1] - row[i] + row[i + 1], *row[i + 2 :])


def test_the_claim_and_fact_1():
    for row in all_rows(5):
        rest, z, m = row[:-1], row[-1], max(row)
        assert value(row) + value(rest) <= 2 * m - z  # the claim
        assert value((m, *row)) == m - value(row)  # fact 1, and its mirror
        assert value((*row, m)) == m - value(row)


def test_one_coin_changes_the_margin_by_its_change_at_most():
    for row in all_rows(5):
        for more in (1, 3):
            assert abs(value((row[0] + more, *row[1:])) - value(row)) <= more


def test_fact_2_step_by_step():
    """The largest coin stands beside the left end: whoever takes a, loses b, and then takes c or another coin."""
    for row in all_rows(6):
        if len(row) < 3 or row[1] != max(row):
            continue
        a, b, c, *rest = row
        rest, fuse = tuple(rest), a - b + c
        assert value(row[1:]) == b - value(row[2:])  # Bob takes b
        assert a - value(row[1:]) >= fuse - value(rest)  # so Alice gets as much as with the one coin
        if rest:  # and not more, if she then takes another coin
            assert a - b + rest[-1] - value((c, *rest[:-1])) <= rest[-1] - value((fuse, *rest[:-1]))
        assert value(row) == value((fuse, *rest))


def test_any_peak_may_be_fused_and_the_order_does_not_matter():
    @cache
    def ends(row):
        return frozenset({row} if not peaks(row) else set().union(*(ends(fused(row, i)) for i in peaks(row))))

    for row in all_rows(6):
        for i in peaks(row):
            assert value(fused(row, i)) == value(row)
            assert fused(row, i)[i - 1] <= min(row[i - 1], row[i + 1])
        (valley,) = ends(row)
        assert list(valley) == _fuse_all(row)
        down = sorted(valley, reverse=True)
        assert sum(down[0::2]) - sum(down[1::2]) == value(row)
        assert max(valley) in (valley[0], valley[-1])
