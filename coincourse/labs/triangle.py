"""A row of greedy coins in the triangle lab: its cells, the moves and answers made, and words for all of it.

A cell is a run of coins i...j, both included. In the words "correct" is said of answers, since
"right" is an end of the row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from coinlib.arguments import counted, sequence
from coinlib.runs import ALICE, left_by, mover, run_in_words, runs_of
from coinlib.solvers import Greedy

from .pages import TEMPLATES
from .playing import COMPUTER, YOU, Playing

LEAST, MOST, LARGEST = 2, 14, 999  # coins in a row, and the value of one coin
PLAYERS = ("Alice", "Bob")
ENDS = {"L": "left", "R": "right"}
TABLES = {
    "alice": ("A", "how many points Alice still gets when the coins under the cell are left"),
    "margin": ("S", "by how many points whoever moves beats the other, from there on"),
}
NO_SLIP = "Look at the two cells below it, or ask for a hint."
WRONG_ANSWERS = 2  # that are recorded for a page without Python, one after the other
Cell = tuple[int, int]


@dataclass
class Triangle:
    """One row of coins with its tables, the game so far, and the answers of who fills the table in.

    Attributes
    ----------
    greedy : Greedy
    match : Playing
        The game so far; its names say how Alice and Bob are called: in a game one of them is "You".
    filled : tuple of (table, i, j, answer)
        Every answer in order, wrong ones too; table is "alice", "margin" or "moves".
    at : (int, int) or None
        The cell that was last entered.
    notice : str
        The verdict on the last answer, a hint, or what cannot be done.

    Examples
    --------
    >>> from coinlib import GreedyCoins, solve_greedy
    >>> data = Triangle(solve_greedy([1, 2, 4, 3]), Playing(GreedyCoins((1, 2, 4, 3))))
    >>> for move in "RR":
    ...     data.match.make(move)
    >>> data.run, data.points, data.costs
    ((0, 1), [3, 4], [0, 0])
    """

    greedy: Greedy
    match: Playing
    filled: tuple[tuple[str, int, int, int | str], ...] = ()
    at: Cell | None = None
    notice: str = ""

    # --- what was played

    @property
    def coins(self) -> tuple[int, ...]:
        """The whole row."""
        return self.greedy.coins

    @property
    def moves(self) -> str:
        """The moves made so far, Alice's and Bob's in turn."""
        return "".join(self.match.moves)

    @property
    def runs(self) -> list[Cell]:
        """The cells that the game came through: where it began, and what each move left."""
        return [(left, right - 1) for left, right in self.match.states if left < right]

    @property
    def run(self) -> Cell | None:
        """The coins that are left; None when the game is over."""
        return None if self.match.over else self.runs[-1]

    @property
    def points(self) -> list[int]:
        """What Alice and Bob have so far."""
        return [sum(self.match.rewards[0::2]), sum(self.match.rewards[1::2])]

    @property
    def costs(self) -> list[int]:
        """How many points of the margin each move threw away."""
        return [self.greedy.cost(move, *run) for run, move in zip(self.runs, self.moves)]

    @property
    def owners(self) -> dict[int, str]:
        """Who has taken which coins, by their places in the row."""
        taken = [i if move == "L" else j for (i, j), move in zip(self.runs, self.moves)]
        return {place: PLAYERS[number % 2] for number, place in enumerate(taken)}

    @property
    def left(self) -> int:
        """How many moves can still be made."""
        return len(self.coins) - len(self.moves)

    def step(self, steps: int) -> None:
        """So many moves of best play; the left coin where both are equally good."""
        for move, _ in self.greedy.line(*self.run)[:steps]:
            self.match.make(move)

    @property
    def tease(self) -> bool:
        """Whether you may let the other side choose your move: it is your turn, and both ends are best."""
        return self.match.yours and self.left > 1 and self.greedy.moves[self.run] == "LR"

    # --- what was filled in

    def answer(self, table: str, i: int, j: int, answer: int | str) -> None:
        """Write an answer down, and say whether it is correct."""
        self.filled = (*self.filled, (table, i, j, answer))
        self.at = (i, j)
        self.notice = judge(self.greedy, table, i, j, answer)

    def fill(self, table: str, arrows: bool, cell: Cell, typed: str) -> None:
        """Write down what was typed into a cell: a number, and with `arrows` also the best moves."""
        number, moves = read_answer(typed, arrows)
        if number is not None and number != self.last(table, *cell):
            self.answer(table, *cell, number)
        if arrows and cell[0] < cell[1] and self.correct(table, *cell):
            if moves:
                self.answer("moves", *cell, moves)
            else:
                coins = run_in_words(self.greedy, *cell)
                self.notice = f"✓ The number is correct. Coins {coins}: which end is best, L, R, or B for both?"

    def hint(self, table: str, asked: Sequence[Cell]) -> None:
        """Name the two candidates for the cell last entered, or the first that is asked for."""
        self.at = self.at if self.at in asked else asked[0]
        i, j = self.at
        rests = [left_by(self.at, end) for end in ENDS] if i < j else []
        missing = [run_in_words(self.greedy, *rest) for rest in rests if not self.correct(table, *rest)]
        first = f"{heading(self.greedy, i, j)}. First fill in the cells of what is left: {', and '.join(missing)}."
        self.notice = "Hint: " + (first if missing else explain(self.greedy, table, i, j, verdict=False))

    def last(self, table: str, i: int, j: int) -> int | str | None:
        """The last answer for a cell; None if there is none."""
        return {(at, i, j): answer for at, i, j, answer in self.filled}.get((table, i, j))

    def correct(self, table: str, i: int, j: int) -> bool:
        """Whether the last answer for a cell is correct."""
        return self.last(table, i, j) == truth(self.greedy, table, i, j)

    def typed(self, table: str, i: int, j: int) -> tuple[str, bool]:
        """What was answered in a cell that is still asked for, and whether that is wrong."""
        answer, words = self.last(table, i, j), ""
        if self.correct(table, i, j):
            answer, words = self.last("moves", i, j), minus(answer)
        return words + minus("" if answer is None else answer).replace("LR", "B"), answer is not None

    def asked(self, table: str, arrows: bool) -> list[Cell]:
        """The cells of which something is still asked, in a good order: a number, and with `arrows` the best moves."""
        return [
            (i, j)
            for i, j in runs_of(self.greedy)
            if not self.correct(table, i, j) or (arrows and i < j and not self.correct("moves", i, j))
        ]

    def wrong(self, table: str) -> int:
        """How many answers were wrong: numbers of this table, and moves."""
        return sum(answer != truth(self.greedy, at, i, j) for at, i, j, answer in self.filled if at in (table, "moves"))

    def tried(self, table: str, arrows: bool, cell: Cell) -> list[str]:
        """What may be typed into a cell that is asked for: what is correct, and at first what is often typed instead."""
        correct, best = truth(self.greedy, table, *cell), truth(self.greedy, "moves", *cell).replace("LR", "B")
        numbers, letters = {correct}, best
        if self.wrong(table) < WRONG_ANSWERS:
            numbers, letters = numbers | slips(self.greedy, table, *cell), "LRB"
        if not arrows or cell[0] == cell[1]:
            letters = ""
        if self.correct(table, *cell):  # the number is there, and its arrow is asked for
            return list(letters)
        return [*map(str, sorted(numbers)), *(f"{correct}{letter}" for letter in letters)]


def row_in_words(coins: str | Sequence[int]) -> str:
    """A row as it is typed: "1 2 4 3"."""
    return coins if isinstance(coins, str) else " ".join(map(str, sequence(coins, "coins", "a row")))


def read_row(coins: str | Sequence[int], fewest: int = LEAST, most: int = MOST, smallest: int = 0) -> tuple[int, ...]:
    """A row of coins from what was typed, or from numbers; ValueError, in words, if it cannot be shown.

    Examples
    --------
    >>> read_row("1, 2 4;3")
    (1, 2, 4, 3)
    >>> read_row("1 2 x")
    Traceback (most recent call last):
        ...
    ValueError: “x” is not a coin: write whole numbers from 0 to 999 with spaces between them, such as 1 2 4 3
    """
    found = re.sub(r"[,;()\[\]]", " ", row_in_words(coins)).split()
    for coin in found:
        if not (re.fullmatch(r"-?\d+", coin, re.ASCII) and smallest <= int(coin) <= LARGEST):
            wanted = f"whole numbers from {smallest} to {LARGEST} with spaces between them, such as 1 2 4 3"
            raise ValueError(f"“{coin}” is not a coin: write {wanted}")
    if not fewest <= len(found) <= most:
        raise ValueError(
            f"this row has {counted(len(found), 'coin')}: write {fewest} to {most}, with spaces between them"
        )
    return tuple(map(int, found))


def read_answer(typed: str, arrows: bool) -> tuple[int | None, str | None]:
    """The number and the move that were typed into a cell; ValueError, in words, if there is neither.

    Examples
    --------
    >>> read_answer("7", False), read_answer("−2b", True), read_answer("l", True)
    ((7, None), (-2, 'LR'), (None, 'L'))
    """
    found = re.fullmatch(r"([-−+]?\d{1,6})?\s*(L|R|B|LR|RL)?", typed.strip().upper(), re.ASCII)
    if not found or not found[0] or (found[2] and not arrows):
        raise ValueError(f"“{typed.strip()}” is no answer: write a whole number{', then L, R or B (both)' * arrows}.")
    number, letters = found.groups()
    move = letters if letters is None or letters in ENDS else "LR"
    return int(number.replace("−", "-")) if number else None, move


def truth(greedy: Greedy, table: str, i: int, j: int) -> int | str:
    """What stands in a cell of a table: "alice", "margin" or "moves"."""
    found = getattr(greedy, table)[i, j]
    return str(found) if table == "moves" else int(found)


# --- words: one cell ---------------------------------------------------------------------------------------


def heading(greedy: Greedy, i: int, j: int) -> str:
    """The coins of a cell, and who moves."""
    coins = f"Coin{'s' * (i < j)} {run_in_words(greedy, i, j)}"
    return f"{coins}, {mover(greedy, i, j).name} moves"


def minus(words) -> str:
    """Words in which a minus sign is as wide as a plus."""
    return re.sub(r"(?<!\w)-(?=\d)", "−", str(words))


def explain(greedy: Greedy, table: str, i: int, j: int, verdict: bool = True) -> str:
    """One cell of A or S in words: who moves, and what each of the two moves is worth.

    Parameters
    ----------
    greedy : Greedy
    table : {"alice", "margin"}
    i, j : int
    verdict : bool
        False leaves out which of the two is chosen: a hint.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> greedy = solve_greedy([1, 2, 4, 3])
    >>> explain(greedy, "alice", 1, 3)
    'Coins 2 4 3, Bob moves. Left: Alice gets 4. Right: Alice gets 4. Both moves are equally good.'
    >>> explain(greedy, "margin", 0, 2, verdict=False)
    'Coins 1 2 4, Bob moves. Left: 1 − 2 = −1. Right: 4 − 1 = 3. Bob chooses the larger. Which is it?'
    """
    who, value, head = mover(greedy, i, j).name, truth(greedy, table, i, j), heading(greedy, i, j)
    if i == j:
        question = "How much of it does Alice get?" if table == "alice" else f"By how much is {who} ahead then?"
        answer = f"Alice gets {value}." if table == "alice" else f"That is {value} ahead."
        return f"{head}. {who} takes the last coin. {answer if verdict else question}"
    (left, left_sum), (right, right_sum) = (worth(greedy, table, i, j, move) for move in ENDS)
    chooses = "Bob leaves Alice the smaller" if (table, who) == ("alice", "Bob") else f"{who} chooses the larger"
    if not verdict:
        chooses += ". Which is it?"
    elif left == right:
        chooses = "Both moves are equally good."
    else:
        chooses += f", {value}: the {ENDS[truth(greedy, 'moves', i, j)]} coin is best."
    return minus(f"{head}. Left: {left_sum}. Right: {right_sum}. {chooses}")


def worth(greedy: Greedy, table: str, i: int, j: int, move: str) -> tuple[int, str]:
    """What a move makes of a cell of two coins or more, and the sum that gives it."""
    coin, rest = greedy.coins[i if move == "L" else j], truth(greedy, table, *left_by((i, j), move))
    if table == "margin":
        return coin - rest, f"{coin} − {f'({rest})' if rest < 0 else rest} = {coin - rest}"
    if mover(greedy, i, j) is ALICE:
        return coin + rest, f"{coin} + {rest} = {coin + rest}"
    return rest, f"Alice gets {rest}"


def judge(greedy: Greedy, table: str, i: int, j: int, answer: int | str) -> str:
    """Whether an answer for a cell is correct, and if not, what may have gone wrong; never the correct number.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> greedy = solve_greedy([1, 2, 4, 3])
    >>> judge(greedy, "alice", 0, 0, 1)
    '✗ Coin 1, Bob moves: 1 is wrong. Bob takes this coin, so Alice does not get it.'
    >>> judge(greedy, "moves", 0, 1, "R")
    '✓ Correct. Coins 1 2, Alice moves: the right end is best.'
    """
    head, best = heading(greedy, i, j), truth(greedy, "moves", i, j)
    correct = answer == truth(greedy, table, i, j)
    if table != "moves":
        verdict = f"✗ {head}: {answer} is wrong. {_slip(greedy, table, i, j, answer)}"
        return minus("✓ Correct. " + explain(greedy, table, i, j) if correct else verdict)
    if correct:
        return f"✓ Correct. {head}: {'both ends are' if best == 'LR' else f'the {ENDS[best]} end is'} best."
    if best == "LR":
        return f"✗ {head}: the {ENDS[answer]} end is best, but not alone. Compare what the two moves give."
    if answer == "LR":
        return f"✗ {head}: the two ends are not equally good. Compare what they give."
    lost = counted(greedy.cost(answer, i, j), "point")
    return f"✗ {head}: the {ENDS[answer]} end is not best. It costs {lost} of the margin."


def _slip(greedy: Greedy, table: str, i: int, j: int, answer: int) -> str:
    """What may have led to a wrong number: A has a rule for each of the two players, S one for both."""
    who, value, coins = mover(greedy, i, j).name, truth(greedy, table, i, j), greedy.coins[i : j + 1]
    bobs = (table, who) == ("alice", "Bob")
    if i == j:
        kept = bobs and answer == coins[0]
        return "Bob takes this coin, so Alice does not get it." if kept else f"One coin is left, and {who} takes it."
    ways = [worth(greedy, table, i, j, end)[0] for end in ENDS]
    rests = [truth(greedy, table, *left_by((i, j), end)) for end in ENDS]
    added = [coins[0] + rests[0], coins[-1] + rests[1]]
    one_end = f"That is what one end gives; for {who} the other end is better."
    of_bob = "That is what Bob gets of these coins; this table counts Alice's points."
    if table == "margin":
        subtract = "Subtract, do not add: the margin in the cell below belongs to the other player, who moves next."
        sign = f"Look at the sign: it is the margin of {who}, who moves."
        slips = [(ways, one_end), (added, subtract), ([-value], sign)]
    elif bobs:
        least = "That is what Alice gets if Bob takes the other end; he leaves her as little as he can."
        keeps = "Bob keeps the coin that he takes: do not add it to Alice's points."
        slips = [(ways, least), (added, keeps), ([sum(coins) - value], of_bob)]
    else:
        add = "Add the coin that Alice takes now to what she gets later."
        slips = [(ways, one_end), (rests, add), ([sum(coins) - value], of_bob)]
    other = "margin" if table == "alice" else "alice"
    slips.append(([truth(greedy, other, i, j)], f"That number belongs in the other table, {TABLES[other][0]}."))
    found = (words for numbers, words in slips if answer in numbers)
    return next(found, NO_SLIP)


def slips(greedy: Greedy, table: str, i: int, j: int) -> set[int]:
    """The wrong numbers that a slip explains."""
    if i == j:
        return {0, greedy.coins[i]}
    most = sum(greedy.coins)
    return {number for number in range(-most, most + 1) if _slip(greedy, table, i, j, number) != NO_SLIP}


# --- words: a game -----------------------------------------------------------------------------------------


def tell(data: Triangle, promised: bool = True) -> tuple[str, str]:
    """The last moves with their cost; and the score, with what can still be announced where that may be said."""
    names, number, points = data.match.names, len(data.moves), data.points
    announced = f" {promise(data)}" if promised and data.run else ""
    if not number:
        return ("Your turn." if names[0] == YOU else f"{names[0]} moves first."), announced.strip()
    since = 2 if number > 1 and names[(number - 1) % 2] == COMPUTER else 1
    moves = " ".join(_move_in_words(data, ply) for ply in range(number - since, number))
    score = f"{names[0]} {points[0]}, {_within(names[1])} {points[1]}"
    lead, leader = abs(points[0] - points[1]), names[points[0] < points[1]]
    s = "" if leader == YOU else "s"
    if data.run:
        stand = f"{_within(leader)} lead{s} by {lead}" if lead else "nobody leads"
        return moves, f"{score}: {stand}.{announced}"
    wins = f"{leader} win{s} by {lead}." if lead else "A tie."
    costs = [sum(data.costs[0::2]), sum(data.costs[1::2])]
    lost = "; ".join(f"{_within(name)} {cost}" for name, cost in zip(names, costs))
    best = f"When both play perfectly, who moves first gets {data.greedy.value}."
    return f"{moves} {wins}", f"{score}. Points of the margin lost by mistakes: {lost}. {best}"


def _move_in_words(data: Triangle, ply: int) -> str:
    """One move, with what it cost."""
    move, who, cost, run = data.moves[ply], data.match.names[ply % 2], data.costs[ply], data.runs[ply]
    takes = f"{who} take{'s' * (who != YOU)} the {data.match.rewards[ply]}"
    if run[0] == run[1]:
        return f"{takes}, the last coin."
    if cost:
        return f"{takes} on the {ENDS[move]}. A mistake: it costs {counted(cost, 'point')} of the margin."
    other = "; nor would the other end" if data.greedy.moves[run] == "LR" else ""
    return f"{takes} on the {ENDS[move]}. It costs nothing{other}."


def promise(data: Triangle) -> str:
    """What a player can announce, whatever the other does: you if you play, else Alice."""
    side = data.match.names.index(YOU) if YOU in data.match.names else 0
    of_alice = int(data.greedy.alice[data.run])
    more = sum(data.match.game.coins_left(data.match.state)) - of_alice if side else of_alice
    amount = f"{more} more, {data.points[side] + more} in all" if data.points[side] else f"{more}"
    words = f"{data.match.names[side]} can announce: “I get at least {amount}, whatever you do.”"
    return f"{words} Both ends are equally good: let the computer choose your move." if data.tease else words


def _within(name: str) -> str:
    """A name in the middle of a sentence."""
    return name if name in PLAYERS else name.lower()


TEMPLATES.filters |= {
    function.__name__: function for function in (explain, heading, minus, mover, run_in_words, runs_of, tell)
}
TEMPLATES.filters["end"] = ENDS.get
TEMPLATES.globals["TABLES"] = TABLES
