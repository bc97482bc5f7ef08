"""The exercises of lesson 09: what each check says to the stub, the solution, another right answer and common mistakes."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from exercises import Exercises, said

from coinlib import GreedyCoins, greedy_margin, greedy_move, minimax, solve_greedy

LESSON = Exercises("09_greedy_coins")
NAMES = ["better_colour", "alice_gets", "alice_table", "refutes"]


# --- stubs and solutions of the lesson itself

BACK = "Does it hand its answer back with `return`?"
STUBS = {
    "better_colour": f"✗ For coins [2, 5] your function returned None; expected 'R'. {BACK}",
    "alice_gets": f"✗ For coins [] and Alice's turn your function returned None; expected 0. {BACK}",
    "alice_table": (
        "✗ For coins [4] your function has 0 in A[0][0]; expected 4. Coin 4, Alice moves. She takes the last coin."
    ),
    "refutes": f"✗ For coins [3, 3] your function returned None; expected False. {BACK}",
}
RIGHT = {
    "better_colour": "✓ Right, for rows of 2, 4 and 6 coins. (13 cases tried)",
    "alice_gets": "✓ Right, for both players, and for no coin. (18 cases tried)",
    "alice_table": "✓ Right, in every cell, for odd and even numbers of coins. (10 rows tried)",
    "refutes": "✓ Right, for rows that refute it and rows that do not. (18 cases tried)",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_and_the_solution_of_the_lesson(name, capsys):
    LESSON.check_cells(capsys, name, STUBS[name], RIGHT[name], greedy_margin=greedy_margin)


# --- other right answers


def colour_by_loop(coins):
    totals = [0, 0]
    for place, coin in enumerate(coins):
        totals[place % 2] += coin
    return "R" if totals[1] >= totals[0] else "L"


def gets_from_the_margin(coins, alices_turn):
    total, margin = sum(coins), greedy_margin(coins) if coins else 0
    return (total + margin) // 2 if alices_turn else (total - margin) // 2


def table_by_memory(coins):
    @cache
    def gets(i, j):
        if i > j:
            return 0
        if (len(coins) - (j - i + 1)) % 2 == 0:
            return max(coins[i] + gets(i + 1, j), coins[j] + gets(i, j - 1))
        return min(gets(i + 1, j), gets(i, j - 1))

    return [tuple(gets(i, j) for j in range(len(coins))) for i in range(len(coins))]


def refutes_by_recursion(coins):
    @cache
    def margin(run):
        return max(run[0] - margin(run[1:]), run[-1] - margin(run[:-1])) if run else 0

    half = len(coins) // 2
    halves = margin(tuple(coins[:half])), margin(tuple(coins[half:]))
    return len(coins) % 2 == 0 and halves == (0, 0) and margin(tuple(coins)) > 0


OTHERS = {
    "better_colour": [colour_by_loop, lambda coins: "LR"[sum(coins[1::2]) > sum(coins[0::2])]],
    "alice_gets": [gets_from_the_margin, lambda *given: np.int64(LESSON.solution("alice_gets")(*given))],
    "alice_table": [table_by_memory, lambda coins: solve_greedy(coins).alice],
    "refutes": [
        refutes_by_recursion,
        lambda coins: np.bool_(LESSON.solution("refutes", greedy_margin=greedy_margin)(coins)),
    ],
}


@pytest.mark.parametrize(("name", "number"), [(name, number) for name in NAMES for number in range(len(OTHERS[name]))])
def test_another_right_answer_is_right(name, number, capsys):
    assert said(capsys, name, OTHERS[name][number]) == RIGHT[name]


# --- mistakes


def gets_with(hers=max, his=min, bobs_coin=0, adds=1, left=slice(1, None), right=slice(None, -1), flip=True, base=0):
    """The two sentences with a mistake in them."""

    def alice_gets(coins, alices_turn):
        if not coins:
            return base
        turn = alices_turn ^ flip
        rests = alice_gets(coins[left], turn), alice_gets(coins[right], turn)
        counts = adds if alices_turn else bobs_coin
        return (hers if alices_turn else his)(counts * coins[0] + rests[0], counts * coins[-1] + rests[1])

    return alice_gets


def gets_without_an_end(coins, alices_turn):
    return max(gets_without_an_end(coins[1:], not alices_turn), gets_without_an_end(coins[:-1], not alices_turn))


def gets_until_one_is_left(coins, alices_turn):
    if len(coins) == 1:
        return coins[0] if alices_turn else 0
    rests = [gets_until_one_is_left(rest, not alices_turn) for rest in (coins[1:], coins[:-1])]
    return max(coins[0] + rests[0], coins[-1] + rests[1]) if alices_turn else min(rests)


def gets_by_the_larger_end(coins, alices_turn):
    if not coins:
        return 0
    left = coins[0] >= coins[-1]
    rest = gets_by_the_larger_end(coins[1:] if left else coins[:-1], not alices_turn)
    return rest + alices_turn * max(coins[0], coins[-1])


def table_with(
    turn=lambda n, length: (n - length) % 2 == 0, choose=(max, min), bobs_coin=0, backwards=False, lists=None
):
    """The table with a mistake in it."""

    def alice_table(coins):
        n = len(coins)
        A = lists(n) if lists else [[0] * n for _ in range(n)]
        lengths = range(n, 0, -1) if backwards else range(1, n + 1)
        for length in lengths:
            for i in range(n - length + 1):
                j = i + length - 1
                rests = (A[i + 1][j], A[i][j - 1]) if i < j else (0, 0)
                alices = turn(n, length)
                counts = 1 if alices else bobs_coin
                A[i][j] = choose[not alices](counts * coins[i] + rests[0], counts * coins[j] + rests[1])
        return A

    return alice_table


def table_with_one_list(coins):
    return table_with(lists=lambda n: [[0] * n] * n)(coins)


def table_by_the_tree(coins):
    gets = gets_with()
    n = len(coins)
    return [[gets(coins[i : j + 1], (n - (j - i + 1)) % 2 == 0) for j in range(n)] for i in range(n)]


def refutes_with(part=lambda coins: greedy_margin(coins) == 0, odd=False, whole=lambda margin: margin != 0):
    """The refutation with a mistake in it."""

    def refutes(coins):
        if len(coins) % 2 and not odd:
            return False
        half = len(coins) // 2
        return part(coins[:half]) and part(coins[half:]) and whole(greedy_margin(coins))

    return refutes


MISTAKES = {
    "better_colour": [
        (lambda coins: "L" if coins[0] >= coins[-1] else "R", "The larger of the two end coins does not decide."),
        (
            lambda coins: "L" if sum(coins[: len(coins) // 2]) >= sum(coins[len(coins) // 2 :]) else "R",
            "A colour is every second coin, not one half of the row.",
        ),
        (
            lambda coins: "R" if colour_by_loop(coins) == "L" else "L",
            "Your function answers with the end of the smaller total.",
        ),
        (lambda coins: greedy_move(coins)[0], "For coins [7, 1, 1, 6, 1, 6] your function returned 'L'; expected 'R'."),
        (lambda coins: max(sum(coins[0::2]), sum(coins[1::2])), "Return the end, 'L' or 'R'."),
        (lambda coins: "red", "Return the end, 'L' or 'R'."),
        (lambda coins: "LR", "Return the end, 'L' or 'R'."),
        (lambda coins: None, BACK),
    ],
    "alice_gets": [
        (gets_with(his=max), "Bob leaves Alice the smaller of the two, not the larger."),
        (gets_with(hers=min), "Alice chooses the larger of the two."),
        (
            gets_with(bobs_coin=1),
            "For coins [4] and Bob's turn your function returned 4; expected 0. Bob keeps the coin",
        ),
        (gets_with(bobs_coin=1, his=max), "Bob keeps the coin that he takes."),
        (gets_with(bobs_coin=-1), "Bob's coin is not taken away from them."),
        (
            gets_with(adds=0),
            "For coins [4] and Alice's turn your function returned 0; expected 4. Alice takes the last",
        ),
        (gets_with(flip=False), "After a move it is the other player's turn."),
        (gets_without_an_end, "raised RecursionError"),
        (gets_without_an_end, "Say first what happens when no coin is left."),
        (gets_until_one_is_left, "For coins [] and Alice's turn your function raised"),
        (gets_until_one_is_left, "Say first what happens when no coin is left."),
        (gets_by_the_larger_end, "Try it by hand"),
        (
            lambda coins, alices_turn: sum(coins) - gets_with()(coins, alices_turn),
            "For coins [4] and Alice's turn your function returned 0; expected 4. Alice takes the last coin.",
        ),
        (lambda coins, alices_turn: float(gets_with()(coins, alices_turn)), "Return a whole number of points."),
        (lambda coins: 0, "your function raised TypeError"),
    ],
    "alice_table": [
        (
            table_with(turn=lambda n, length: length % 2 == 0),
            "For coins [4] your function has 0 in A[0][0]; expected 4. Coin 4, Alice moves.",
        ),
        (table_with(turn=lambda n, length: length % 2 == 1), "Coin 2, Bob moves. He takes the last coin."),
        (table_with(turn=lambda n, length: True), "Coin 2, Bob moves. He takes the last coin."),
        (
            lambda coins: coins[1:][0],
            "Below a run of one coin there is no cell: no coin is left, so Alice gets 0 more.",
        ),
        (table_with(backwards=True), "Are the cells of the shorter runs filled in before this one?"),
        (table_with(choose=(max, max)), "Bob leaves Alice the smaller of the two"),
        (table_with(choose=(min, min)), "Alice chooses the larger of the two."),
        (table_with(bobs_coin=1), "Coin 2, Bob moves. He takes the last coin."),
        (lambda coins: np.array(table_with()(coins)).T, "It stands in A[1][0]."),
        (lambda coins: solve_greedy(coins).margin, "Coin 2, Bob moves."),
        (lambda coins: None, f"expected the table A. {BACK}"),
        (lambda coins: gets_with()(coins, True), "expected a list of 1 lists, one for each first coin"),
        (lambda coins: table_with()(coins)[:1], "There is no A[1][1]."),
        (table_with_one_list, "All lines of your table are one and the same list"),
        (table_by_the_tree, "Every number is right, but a row of 16 coins took as long as a walk"),
        (lambda coins: [[None] * len(coins)] * len(coins), "For coins [4] your function has None in A[0][0]"),
    ],
    "refutes": [
        (refutes_with(part=lambda coins: True), "The halves [1] and [2] are not ties."),
        (refutes_with(whole=lambda margin: True), "this row speaks for the conjecture."),
        (refutes_with(whole=lambda margin: margin == 0), "this row speaks for the conjecture."),
        (refutes_with(odd=True), "An odd number of coins has no two halves of the same length."),
        (refutes_with(part=lambda coins: sum(coins[0::2]) == sum(coins[1::2])), "The half [2, 1, 2, 3] is no tie."),
        (lambda coins: greedy_margin(coins) != 0, "The halves [1] and [2] are not ties."),
        (lambda coins: greedy_margin(coins), "Return True or False."),
        (lambda coins: False, "Both halves are ties, but the whole row has margin 2."),
        (lambda coins: "yes", "Return True or False."),
        (lambda coins: greedy_margin(coins[: len(coins) // 2]) == 0 and greedy_margin(coins) > 0, "The half "),
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
@pytest.mark.parametrize("answer", [3.5, "1", [[]], {"row": 1}, object, [None], [3.0], {3}, 2])
def test_nonsense_is_refused_in_words(name, answer, capsys):
    words = said(capsys, name, lambda *given: answer)
    assert words.startswith("✗ ") and "Traceback" not in words


@pytest.mark.parametrize("name", NAMES)
def test_a_function_that_raises_is_said_to_do_so(name, capsys):
    assert "your function raised ZeroDivisionError" in said(capsys, name, lambda *given: 1 / 0)


def test_either_colour_is_right_where_they_are_equal(capsys):
    for tie in "LR":
        answer = said(
            capsys,
            "better_colour",
            lambda coins, tie=tie: tie if sum(coins[0::2]) == sum(coins[1::2]) else colour_by_loop(coins),
        )
        assert answer == RIGHT["better_colour"]


# --- what the lesson states


def output(words):
    """What the one cell that holds these words has stored, as text."""
    (cell,) = [cell for cell in LESSON.code if words in cell.source]
    stored = cell.outputs[0]
    return stored.get("text") or stored["data"]["text/plain"]


ROWS = [coins for count in range(1, 7) for coins in product(range(1, 4), repeat=count)]


def test_the_solutions_make_what_the_library_makes():
    for coins in ROWS[::7]:
        greedy = solve_greedy(coins)
        assert np.array_equal(np.array(LESSON.solution("alice_table")(list(coins))), greedy.alice)
        assert LESSON.solution("alice_gets")(list(coins), True) == greedy.value
        assert (
            LESSON.solution("alice_gets")(list(coins), False) == sum(coins) - (sum(coins) + greedy_margin(coins)) // 2
        )


def test_alice_keeps_to_a_colour_and_never_loses():
    """The proof of section 3, with one colour chosen at the start and kept, whatever Bob does."""
    for coins in ROWS:
        if len(coins) % 2 == 0:
            colour = 0 if sum(coins[0::2]) >= sum(coins[1::2]) else 1
            assert all(got == sum(coins[colour::2]) for got in kept(coins, 0, len(coins), colour))


def kept(coins, left, right, colour):
    """All that Alice can end up with, if she takes the coins at the places of one colour."""
    if left == right:
        return {0}
    place = left if left % 2 == colour else right - 1
    left, right = (left + 1, right) if place == left else (left, right - 1)
    rests = kept(coins, left + 1, right, colour) | kept(coins, left, right - 1, colour)
    return {coins[place] + rest for rest in rests}


def test_the_tests_of_the_lesson_come_out_as_it_says():
    assert output("the smallest margin:").startswith("4,368 rows, the smallest margin: 0, ")
    assert output("all(least(i, j)") == "True"
    assert output("tuple(own) in found") == "True"
    assert output("best play does better than the colours") == (
        "red 6 - blue 5\nbest play 7\nbest play does better than the colours in 277 of 4,368 rows\n"
    )


def test_the_row_of_section_6_has_the_properties_of_the_posts_game():
    own = (1, 4, 9, 14, 17, 8)
    assert minimax(GreedyCoins(own)).value == 27 - (sum(own) - 27) == 1
    game = GreedyCoins(own)
    assert minimax(game).moves == ["L"]
    assert minimax(game, (1, 6)).moves == ["L", "R"]
    assert (minimax(game, (2, 6)).moves, own[2]) == (["L"], 9)  # Bob has taken the 4: she takes the 9
    assert (minimax(game, (1, 5)).moves, own[4]) == (["R"], 17)  # he has taken the 8: she takes the 17


@cache
def margin(coins):
    return max(coins[0] - margin(coins[1:]), coins[-1] - margin(coins[:-1])) if coins else 0


def best(coins):
    left, right = coins[0] - margin(coins[1:]), coins[-1] - margin(coins[:-1])
    return "LR" if left == right else "L" if left > right else "R"


def smallest(refuted, counts, most):
    """How many rows refute a conjecture, and the smallest total among them, by count of coins."""
    found = {count: [row for row in product(range(1, most + 1), repeat=count) if refuted(row)] for count in counts}
    return {count: (len(rows), min(map(sum, rows), default=None)) for count, rows in found.items()}


def halves_tie(coins):
    half = len(coins) // 2
    return margin(coins[:half]) == margin(coins[half:]) == 0 != margin(coins)


def ends_mislead(coins):
    left, right = coins[0] - max(coins[1], coins[-1]), coins[-1] - max(coins[0], coins[-2])
    return left != right and ("L" if left > right else "R") not in best(coins)


def colours_mislead(coins):
    return sum(coins[0::2]) == sum(coins[1::2]) and best(coins) != "LR"


def test_the_searches_find_what_another_program_finds():
    assert smallest(halves_tie, (2, 4, 6), 4) == {2: (0, None), 4: (0, None), 6: (0, None)}
    assert smallest(halves_tie, (8,), 2) == {8: (8, 10)} and sum((1, 2, 2, 1, 2, 1, 1, 2)) == 12
    assert "8 of 256 rows refute it\n   smallest total: (1, 1, 1, 1, 2, 1, 1, 2)" in output("search(refutes, (8,), 2)")
    assert smallest(colours_mislead, (2, 4), 4) == {2: (0, None), 4: (8, 8)}
    assert "8 of 256 rows refute it\n   smallest total: (2, 1, 2, 3)" in output("search(refutes_colours")
    assert smallest(ends_mislead, (2, 3, 4), 4) == {2: (0, None), 3: (0, None), 4: (2, 9)}
    assert "2 of 256 rows refute it\n   smallest total: (1, 1, 4, 3)" in output("search(refutes_ends")


def test_the_rows_against_the_conjectures():
    assert halves_tie((1, 2, 2, 1, 2, 1, 1, 2))
    assert colours_mislead((2, 1, 2, 3, 3, 3)) and best((2, 1, 2, 3, 3, 3)) == "R"
    assert ends_mislead((2, 1, 2, 5, 5, 3)) and best((2, 1, 2, 5, 5, 3)) == "R"


def test_the_row_that_is_checked_with_a_pencil():
    greedy = solve_greedy((2, 1, 2, 3))
    assert greedy.line() == [("R", 3), ("L", 2), ("R", 2), ("L", 1)]
    assert (greedy.value, greedy.margin[0, 3], greedy.cost("L")) == (5, 2, 2)  # 5 to 3; the other end: 4 to 4


def test_no_row_of_coins_above_0_that_is_shorter_refutes_conjecture_1():
    """Lesson 10 lets students prove it: tied halves of three coins are peaks a, a + c, c, and fuse to 0."""
    for coins in product(range(1, 10), repeat=3):
        assert (margin(coins) == 0) == (coins[1] == coins[0] + coins[2])


def test_costs_lead_from_the_first_margin_to_the_last():
    said = output("margin in the end:")
    costs = [int(line.rpartition(" ")[2]) for line in said.splitlines()[:6]]
    assert costs == [6, 0, 6, 12, 0, 0]
    assert 8 - sum(costs[0::2]) + sum(costs[1::2]) == 8
    assert "start: 8\n" in said and said.endswith("end:   8\n")
