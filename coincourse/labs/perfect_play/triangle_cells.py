"""One cell of the triangle: its true content, the answers typed into it, and what to say about both.

A cell is a run of coins i...j, both included. Answers are called "correct", because "right" is an end of
the row.
"""

from __future__ import annotations

import re

from coinlib.arguments import counted
from coinlib.runs import ALICE, left_by, player_to_move, run_in_words
from coinlib.solvers import Greedy

from ..base.amounts import minus

ENDS = {"L": "left", "R": "right"}
TABLES = {
    "alice": ("A", "how many points Alice still gets when the coins under the cell are left"),
    "margin": ("S", "by how many points the player to move beats the other, from there on"),
}
NO_SLIP = "Look at the two cells below it, or ask for a hint."
Cell = tuple[int, int]


def truth(greedy: Greedy, table: str, i: int, j: int) -> int | str:
    """The content of a cell in a table: "alice", "margin" or "moves"."""
    found = getattr(greedy, table)[i, j]
    return str(found) if table == "moves" else int(found)


def read_answer(typed: str, arrows: bool) -> tuple[int | None, str | None]:
    """The number and the moves typed into a cell; ValueError with a readable message if there is neither.

    Examples
    --------
    >>> read_answer("7", False), read_answer("−2b", True), read_answer("l", True)
    ((7, None), (-2, 'LR'), (None, 'L'))
    """
    found = re.fullmatch(r"([-−+]?\d{1,6})?\s*(L|R|B|LR|RL)?", typed.strip().upper(), re.ASCII)
    if not found or not found[0] or (found[2] and not arrows):
        wanted = "a whole number, then L, R or LR (both)" if arrows else "a whole number"
        raise ValueError(f"“{typed.strip()}” is not an answer: write {wanted}.")
    number, letters = found.groups()
    if number is not None:
        number = int(number.replace("−", "-"))
    if letters in ("B", "LR", "RL"):
        letters = "LR"
    return number, letters


def heading(greedy: Greedy, i: int, j: int) -> str:
    """The coins of a cell, and who moves."""
    coins = "Coins" if i < j else "Coin"
    return f"{coins} {run_in_words(greedy, i, j)}, {player_to_move(greedy, i, j).name} moves"


def explain(greedy: Greedy, table: str, i: int, j: int, verdict: bool = True) -> str:
    """One cell of A or S explained: who moves, and what each of the two moves is worth.

    Parameters
    ----------
    greedy : Greedy
    table : {"alice", "margin"}
    i, j : int
    verdict : bool
        False leaves out which move is chosen, for a hint.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> greedy = solve_greedy([1, 2, 4, 3])
    >>> explain(greedy, "alice", 1, 3)
    'Coins 2 4 3, Bob moves. Left: Alice gets 4. Right: Alice gets 4. Both moves are equally good.'
    >>> explain(greedy, "margin", 0, 2, verdict=False)
    'Coins 1 2 4, Bob moves. Left: 1 − 2 = −1. Right: 4 − 1 = 3. Bob chooses the larger. Which is it?'
    """
    who = player_to_move(greedy, i, j).name
    value = truth(greedy, table, i, j)
    head = heading(greedy, i, j)
    if i == j:
        return f"{head}. {who} takes the last coin. {_last_coin(table, who, value, verdict)}"
    left, left_sum = worth(greedy, table, i, j, "L")
    right, right_sum = worth(greedy, table, i, j, "R")
    chooses = f"{who} chooses the larger"
    if (table, who) == ("alice", "Bob"):
        chooses = "Bob leaves Alice the smaller"
    if not verdict:
        chosen = f"{chooses}. Which is it?"
    elif left == right:
        chosen = "Both moves are equally good."
    else:
        chosen = f"{chooses}, {value}: the {ENDS[truth(greedy, 'moves', i, j)]} coin is best."
    return minus(f"{head}. Left: {left_sum}. Right: {right_sum}. {chosen}")


def _last_coin(table: str, who: str, value: int, verdict: bool) -> str:
    """What the last coin is worth, or the question about it."""
    if table == "alice":
        return f"Alice gets {value}." if verdict else "How much of it does Alice get?"
    return f"That is {value} ahead." if verdict else f"By how much is {who} ahead then?"


def worth(greedy: Greedy, table: str, i: int, j: int, move: str) -> tuple[int, str]:
    """What a move is worth in a cell of two or more coins, and the sum that gives it."""
    coin = greedy.coins[i] if move == "L" else greedy.coins[j]
    rest = truth(greedy, table, *left_by((i, j), move))
    if table == "margin":
        subtracted = f"({rest})" if rest < 0 else rest
        return coin - rest, f"{coin} − {subtracted} = {coin - rest}"
    if player_to_move(greedy, i, j) is ALICE:
        return coin + rest, f"{coin} + {rest} = {coin + rest}"
    return rest, f"Alice gets {rest}"


def verdict_on(greedy: Greedy, table: str, i: int, j: int, answer: int | str) -> str:
    """Whether an answer for a cell is correct; if not, what may have gone wrong, but never the correct number.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> greedy = solve_greedy([1, 2, 4, 3])
    >>> verdict_on(greedy, "alice", 0, 0, 1)
    '✗ Coin 1, Bob moves: 1 is wrong. Bob takes this coin, so Alice does not get it.'
    >>> verdict_on(greedy, "moves", 0, 1, "R")
    '✓ Correct. Coins 1 2, Alice moves: the right end is best.'
    """
    head = heading(greedy, i, j)
    correct = answer == truth(greedy, table, i, j)
    if table != "moves":
        if correct:
            return minus(f"✓ Correct. {explain(greedy, table, i, j)}")
        return minus(f"✗ {head}: {answer} is wrong. {_slip(greedy, table, i, j, answer)}")
    best = truth(greedy, "moves", i, j)
    if correct:
        ends = "both ends are" if best == "LR" else f"the {ENDS[best]} end is"
        return f"✓ Correct. {head}: {ends} best."
    if best == "LR":
        return f"✗ {head}: the {ENDS[answer]} end is best, but not alone. Compare what the two moves give."
    if answer == "LR":
        return f"✗ {head}: the two ends are not equally good. Compare what they give."
    lost = counted(greedy.cost(answer, i, j), "point")
    return f"✗ {head}: the {ENDS[answer]} end is not best. It costs {lost} of the margin."


def _slip(greedy: Greedy, table: str, i: int, j: int, answer: int) -> str:
    """The slip that may have led to a wrong number: A has one rule for each player, S one rule for both."""
    who = player_to_move(greedy, i, j).name
    value = truth(greedy, table, i, j)
    coins = greedy.coins[i : j + 1]
    bobs = (table, who) == ("alice", "Bob")
    if i == j:
        if bobs and answer == coins[0]:
            return "Bob takes this coin, so Alice does not get it."
        return f"One coin is left, and {who} takes it."
    ways = [worth(greedy, table, i, j, end)[0] for end in ENDS]
    rests = [truth(greedy, table, *left_by((i, j), end)) for end in ENDS]
    added = [coins[0] + rests[0], coins[-1] + rests[1]]
    one_end = f"That is what one end gives; for {who} the other end is better."
    of_bob = "That is what Bob gets of these coins; this table counts Alice's points."
    if table == "margin":
        subtract = "Subtract, do not add: the margin in the cell below belongs to the other player, who moves next."
        sign = f"Look at the sign: it is the margin of {who}, who moves."
        explained = [(ways, one_end), (added, subtract), ([-value], sign)]
    elif bobs:
        least = "That is what Alice gets if Bob takes the other end; he leaves her as little as he can."
        keeps = "Bob keeps the coin that he takes: do not add it to Alice's points."
        explained = [(ways, least), (added, keeps), ([sum(coins) - value], of_bob)]
    else:
        add = "Add the coin that Alice takes now to what she gets later."
        explained = [(ways, one_end), (rests, add), ([sum(coins) - value], of_bob)]
    other = "margin" if table == "alice" else "alice"
    belongs = f"That number belongs in the other table, {TABLES[other][0]}."
    explained.append(([truth(greedy, other, i, j)], belongs))
    for numbers, words in explained:
        if answer in numbers:
            return words
    return NO_SLIP


def slips(greedy: Greedy, table: str, i: int, j: int) -> set[int]:
    """The wrong numbers that a known slip explains."""
    if i == j:
        return {0, greedy.coins[i]}
    most = sum(greedy.coins)
    return {number for number in range(-most, most + 1) if _slip(greedy, table, i, j, number) != NO_SLIP}


def ends_in_words(moves: str) -> str:
    """The ends named by moves.

    Examples
    --------
    >>> ends_in_words("LR")
    'left or right'
    """
    return " or ".join(ENDS[move] for move in moves)
