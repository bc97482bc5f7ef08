"""Lesson 09, greedy coins: the better colour, Alice's points as a recursion and as a table, and a counterexample."""

from __future__ import annotations

import operator
from collections.abc import Callable

from coinlib.solvers import greedy_margin, solve_greedy

from .core import NO_RETURN, Wrong, call, refusal, report, same, seconds, shown, whole

SLOW = 0.03  # seconds; a table of 16 coins needs less than a hundredth of this, the trees of all its cells far more


def better_colour(function) -> None:
    """Try ``better_colour(coins)``, the end whose colour has the larger total, and say how it did.

    Parameters
    ----------
    function : function (list of int) -> str
        The student's answer, "L" or "R"; both are right where the colours have the same total.

    Examples
    --------
    >>> better_colour(lambda coins: "L")
    ✗ For coins [2, 5] your function returned 'L'; expected 'R'. The left end's colour has 2 in all, the right end's 5.
    """
    rows = [
        *([2, 5], [5, 2], [3, 3], [3, 5, 1, 2], [5, 3, 1, 2], [1, 2, 4, 3], [1, 9, 1, 2], [2, 1, 9, 1], [6, 0, 0, 5]),
        *([3, 1, 9, 6, 8, 5], [1, 1, 2, 8, 1, 2], [7, 1, 1, 6, 1, 6], [1, 4, 9, 14, 17, 8]),
    ]

    def judge() -> str:
        for coins in rows:
            given = f"coins {coins}"
            answer = call(function, (coins,), given)
            left, right = sum(coins[0::2]), sum(coins[1::2])
            wanted = "L" if left >= right else "R"
            if not (isinstance(answer, str) and answer == wanted) and not (left == right and answer == "R"):
                raise Wrong(_words(given, answer, wanted, _about_colour(function, rows, coins, answer)))
        return f"Right, for rows of 2, 4 and 6 coins. ({len(rows)} cases tried)"

    report(function, judge)


def _about_colour(function, rows: list[list[int]], coins: list[int], answer) -> str:
    """The two totals, and another question that the function may have answered."""
    if not isinstance(answer, str) or answer not in ("L", "R"):
        return "Return the end, 'L' or 'R'."
    words = f"The left end's colour has {sum(coins[0::2])} in all, the right end's {sum(coins[1::2])}."
    mistakes = {
        "The larger of the two end coins does not decide.": lambda row: row[0] - row[-1],
        "A colour is every second coin, not one half of the row.": lambda row: (
            sum(row[: len(row) // 2]) - sum(row[len(row) // 2 :])
        ),
        "Your function answers with the end of the smaller total.": lambda row: sum(row[1::2]) - sum(row[0::2]),
    }
    try:
        said = [(row, function(list(row))) for row in rows if len(row) > 2]
    except Exception:  # noqa: BLE001 - only a guess is lost
        return words
    for hint, lead in mistakes.items():
        if all(lead(row) == 0 or end == ("L" if lead(row) > 0 else "R") for row, end in said):
            return f"{words} {hint}"
    return words


def alice_gets(function) -> None:
    """Try ``alice_gets(coins, alices_turn)``, the points that Alice still gets, and say how it did.

    Parameters
    ----------
    function : function (list of int, bool) -> int
        The student's answer.

    Examples
    --------
    >>> alice_gets(lambda coins, alices_turn: max(coins, default=0))
    ✗ For coins [4] and Bob's turn your function returned 4; expected 0. Bob keeps the coin that he takes.
    """
    rows = [[], [4], [2, 5], [1, 5, 1], [5, 1, 2], [3, 5, 1, 2], [1, 2, 4, 3], [2, 7, 1, 3, 4], [2, 1, 2, 3, 3, 3]]
    cases = [(coins, alices_turn) for coins in rows for alices_turn in (True, False)]

    def judge() -> str:
        for coins, alices_turn in cases:
            given = f"coins {coins} and {'Alice' if alices_turn else 'Bob'}'s turn"
            try:
                answer = call(function, (coins, alices_turn), given)
            except Wrong as wrong:
                no_end = "RecursionError" in str(wrong) or ("IndexError" in str(wrong) and not coins)
                hint = " Say first what happens when no coin is left." if no_end else ""
                raise Wrong(f"{wrong}{hint}") from None
            expected = _alice(coins, alices_turn)
            if not same(answer, expected, whole):
                raise Wrong(_words(given, answer, expected, _about_alice(coins, alices_turn, answer)))
        return f"Right, for both players, and for no coin. ({len(cases)} cases tried)"

    report(function, judge)


def _alice(
    coins: list[int],
    alices_turn: bool,
    hers: Callable = max,
    his: Callable = min,
    bobs_coin: int = 0,
    adds: int = 1,
    turns: bool = True,
) -> int:
    """What Alice gets, by the rule or with a mistake in it: what each player chooses, and which coins are added."""
    if not coins:
        return 0
    next_turn = not alices_turn if turns else alices_turn
    after_left, after_right = (
        _alice(rest, next_turn, hers, his, bobs_coin, adds, turns) for rest in (coins[1:], coins[:-1])
    )
    choose, counted = (hers, adds) if alices_turn else (his, bobs_coin)
    return choose(counted * coins[0] + after_left, counted * coins[-1] + after_right)


def _about_alice(coins: list[int], alices_turn: bool, answer) -> str:
    """What a wrong number shows."""
    number = _number(answer)
    if number is None:
        return "Return a whole number of points."
    if len(coins) == 1 and alices_turn:
        return "Alice takes the last coin."
    mistakes = [
        ({"turns": False}, "After a move it is the other player's turn."),
        ({"bobs_coin": 1}, "Bob keeps the coin that he takes."),
        ({"bobs_coin": 1, "his": max}, "Bob keeps the coin that he takes."),
        ({"his": max}, "Bob leaves Alice the smaller of the two, not the larger."),
        ({"hers": min}, "Alice chooses the larger of the two."),
        ({"adds": 0}, "Add the coin that Alice takes to what she gets of the rest."),
        ({"bobs_coin": -1, "his": min}, "Count Alice's points only: Bob's coin is not taken away from them."),
    ]
    for mistake, words in mistakes:
        if number == _alice(coins, alices_turn, **mistake):
            return words
    if number == sum(coins) - _alice(coins, alices_turn):
        return "That is what Bob gets of these coins."
    return "Try it by hand: both ends, and what Alice gets of the rest."


def alice_table(function) -> None:
    """Try ``alice_table(coins)``, the table A, and say how it did.

    Parameters
    ----------
    function : function (list of int) -> list of list of int
        The student's answer: ``A[i][j]`` for the coins i...j, both included; what stands where i > j
        is not looked at. It must not walk through the whole tree.

    Examples
    --------
    >>> alice_table(lambda coins: [[0] * len(coins) for _ in coins])
    ✗ For coins [4] your function has 0 in A[0][0]; expected 4. Coin 4, Alice moves. She takes the last coin.
    """
    rows = [
        *([4], [2, 5], [1, 5, 1], [3, 5, 1, 2], [1, 2, 4, 3], [2, 7, 1, 3, 4], [2, 1, 2, 3, 3, 3], [3, 1, 9, 6, 8, 5]),
        [1, 2, 2, 1, 2, 1, 1, 2],
    ]
    long = [7 * place % 19 for place in range(16)]

    def judge() -> str:
        for coins in [*rows, long]:
            try:
                answer = call(function, (coins,), f"coins {coins}")
            except Wrong as wrong:
                hint = " Below a run of one coin there is no cell: no coin is left, so Alice gets 0 more."
                raise Wrong(f"{wrong}{hint * ('IndexError' in str(wrong))}") from None
            _check_table(coins, answer)
        if seconds(lambda: function(list(long))) > SLOW:
            raise Wrong(
                f"Every number is right, but a row of {len(long)} coins took as long as a walk through the whole "
                "tree. Look up what the shorter runs give in A; do not work it out again."
            )
        return f"Right, in every cell, for odd and even numbers of coins. ({len(rows) + 1} rows tried)"

    report(function, judge)


def _check_table(coins: list[int], answer) -> None:
    """`Wrong` with the first cell that is wrong: short runs first, as the table is filled."""
    given, size = f"coins {coins}", len(coins)
    if answer is None:
        raise Wrong(f"For {given} your function returned None; expected the table A. {NO_RETURN}")
    expected = solve_greedy(coins).alice
    wrong = []
    for gap in range(size):
        for i in range(size - gap):
            j = i + gap
            try:
                held = answer[i][j]
            except Exception:  # noqa: BLE001 - whatever it is, it is no table
                raise Wrong(
                    f"For {given} your function returned {shown(answer)}; expected a list of {size} lists, one for "
                    f"each first coin, with {size} numbers in each. There is no A[{i}][{j}]."
                ) from None
            if not same(held, int(expected[i, j]), whole):
                wrong.append((i, j, held))
    if wrong:
        i, j, held = wrong[0]
        number = _number(held)
        raise Wrong(
            f"For {given} your function has {shown(held if number is None else number)} in A[{i}][{j}]; "
            f"expected {expected[i, j]}. {_about_table(answer, expected, i, j) or _about_cell(coins, i, j, number)}"
        )


def _about_table(answer, expected, i: int, j: int) -> str:
    """What is wrong with the table as a whole, if it can be seen."""
    try:
        if len(expected) > 1 and answer[0] is answer[1]:
            return "All lines of your table are one and the same list: [[0] * n] * n is one list with n names."
        if i < j and answer[j][i] == expected[i, j]:
            return f"It stands in A[{j}][{i}]. The first number is the first coin of the run, the second the last."
    except Exception:  # noqa: BLE001 - only a guess is lost
        return ""
    return ""


def _about_cell(coins: list[int], i: int, j: int, number: int | None) -> str:
    """Whose turn it is there, and what a wrong number shows."""
    alices_turn = (len(coins) - (j - i + 1)) % 2 == 0
    run = coins[i : j + 1]
    who, pronoun = ("Alice", "She") if alices_turn else ("Bob", "He")
    head = f"Coin{'s' * (i < j)} {' '.join(map(str, run))}, {who} moves."
    if i == j:
        return f"{head} {pronoun} takes the last coin."
    if number == 0 or (alices_turn and number == max(coins[i], coins[j])):
        return f"{head} Are the cells of the shorter runs filled in before this one?"
    return f"{head} {_about_alice(run, alices_turn, number)}"


def refutes(function) -> None:
    """Try ``refutes(coins)``, whether a row refutes "two tied halves make a tie", and say how it did.

    Parameters
    ----------
    function : function (sequence of int) -> bool
        The student's answer.

    Examples
    --------
    >>> refutes(lambda coins: True)
    ✗ For coins [3, 3] your function returned True; expected False. The halves [3] and [3] are not ties.
    """
    rows = [
        *([3, 3], [1, 2], [2, 5, 1], [1, 1, 2, 2], [2, 2, 3, 5], [3, 5, 1, 1], [1, 2, 4, 3], [1, 1, 1, 1, 1]),
        *([1, 2, 1, 2, 3, 1], [1, 2, 1, 4, 5, 2], [1, 2, 2, 1, 1, 2, 2, 1], [1, 1, 1, 1, 2, 1, 1, 2]),
        *(
            [2, 1, 1, 1, 1, 1, 1, 2],
            [1, 2, 1, 1, 2, 1, 1, 2],
            [1, 2, 2, 1, 2, 1, 1, 2],
            [1, 2, 2, 1, 2, 1, 1, 1],
            [2, 1, 2, 3, 1, 1, 1, 1],
            [1, 1, 1, 1, 2, 1, 3, 1, 1],
        ),
    ]

    def judge() -> str:
        for coins in rows:
            given = f"coins {coins}"
            answer = call(function, (tuple(coins),), given)
            half = len(coins) // 2
            halves = coins[:half], coins[half:]
            ties = [greedy_margin(part) == 0 for part in (*halves, coins)]
            expected = len(coins) % 2 == 0 and ties == [True, True, False]
            if not same(answer, expected, _truth):
                raise Wrong(_words(given, answer, expected, _about_refutes(coins, halves, ties, answer)))
        return f"Right, for rows that refute it and rows that do not. ({len(rows)} cases tried)"

    report(function, judge)


def _about_refutes(coins: list[int], halves: tuple, ties: list[bool], answer) -> str:
    try:
        _truth(answer)
    except TypeError:
        return "Return True or False."
    if len(coins) % 2:
        return "An odd number of coins has no two halves of the same length."
    loose = [str(part) for part, tie in zip(halves, ties) if not tie]
    if len(loose) == 2:
        return f"The halves {loose[0]} and {loose[1]} are not ties."
    if loose:
        return f"The half {loose[0]} is no tie."
    if ties[2]:
        return "Both halves are ties, and so is the whole row: this row speaks for the conjecture."
    return f"Both halves are ties, but the whole row has margin {greedy_margin(coins)}."


# --- what the checks share ------------------------------------------------------------------------------


def _words(given: str, answer, expected, hint: str) -> str:
    return refusal(given, answer, expected, NO_RETURN if answer is None else hint)


def _number(answer) -> int | None:
    try:
        return None if isinstance(answer, bool) else operator.index(answer)
    except TypeError:
        return None


def _truth(answer) -> bool:
    """Python's or NumPy's True or False; TypeError for anything else."""
    if isinstance(answer, bool) or type(answer).__name__ in ("bool", "bool_"):
        return bool(answer)
    raise TypeError
