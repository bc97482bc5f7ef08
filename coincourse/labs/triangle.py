"""A row of greedy coins in the triangle lab: its cells, the moves and answers made, and words for all of it.

A cell is a run of coins i...j, both included. In the words "correct" is said of answers, since
"right" is an end of the row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from coinlib.arguments import counted, one_of, sequence, shown, whole_number
from coinlib.games import GreedyCoins
from coinlib.solvers import Greedy

LEAST, MOST, LARGEST = 2, 14, 999  # coins in a row, and the value of one coin
PLAYERS = ("Alice", "Bob")
ENDS = {"L": "left", "R": "right"}
TABLES = {
    "alice": ("A", "how many points Alice still gets when the coins under the cell are left"),
    "margin": ("S", "by how many points whoever moves beats the other, from there on"),
}
Cell = tuple[int, int]


@dataclass
class Triangle:
    """One row of coins with its tables, the moves made so far, and the answers of who fills the table in.

    Attributes
    ----------
    greedy : Greedy
    moves : str
        "L" and "R" from the start, Alice's and Bob's in turn.
    filled : list of (table, i, j, answer)
        Every answer in order, wrong ones too; table is "alice", "margin" or "moves".
    at : (int, int) or None
        The cell that was last entered.
    notice : str
        The verdict on the last answer, a hint, or what cannot be done.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> data = Triangle(solve_greedy([1, 2, 4, 3]), "RR")
    >>> data.run, data.points, data.costs
    ((0, 1), [3, 4], [0, 0])
    """

    greedy: Greedy
    moves: str = ""
    filled: list[tuple[str, int, int, int | str]] = field(default_factory=list)
    at: Cell | None = None
    notice: str = ""

    def __post_init__(self) -> None:
        self.game = GreedyCoins(self.greedy.coins)

    # --- what was played

    @property
    def states(self) -> list[tuple[int, int]]:
        """The states of the game from the start on."""
        states = [self.game.start]
        for move in self.moves:
            states.append(self.game.play(states[-1], move))
        return states

    @property
    def runs(self) -> list[Cell]:
        """The cells of these states: one less than states when no coin is left."""
        return [(left, right - 1) for left, right in self.states if left < right]

    @property
    def run(self) -> Cell | None:
        """The coins that are left; None when the game is over."""
        return self.runs[-1] if len(self.moves) < len(self.greedy.coins) else None

    @property
    def taken(self) -> list[int]:
        """The value of the coin that each move took."""
        return [self.game.reward(state, move) for state, move in zip(self.states, self.moves)]

    @property
    def points(self) -> list[int]:
        """What Alice and Bob have so far."""
        return [sum(self.taken[0::2]), sum(self.taken[1::2])]

    @property
    def costs(self) -> list[int]:
        """How many points of the margin each move threw away."""
        return [self.greedy.cost(move, *run) for run, move in zip(self.runs, self.moves)]

    def reply(self, side: str, opponent: str, seed: int) -> None:
        """The computer's move, if it is its turn: `side` is who it plays against."""
        number = len(self.moves)
        if self.run and PLAYERS[number % 2].lower() != side:
            self.moves += draw(str(self.greedy.moves[self.run]) if opponent == "perfect" else "LR", seed, number)

    # --- what was filled in

    def cells(self) -> list[Cell]:
        """Every cell, the base of the triangle first."""
        size = len(self.greedy.coins)
        return [(i, i + gap) for gap in range(size) for i in range(size - gap)]

    def answer(self, table: str, i: int, j: int, answer: int | str) -> None:
        """Write an answer down, and say whether it is correct; ValueError if it cannot be one."""
        one_of(table, "table", (*TABLES, "moves"))
        i, j = whole_number(i, "i", least=0), whole_number(j, "j", least=0)
        if (i, j) not in self.cells():
            raise ValueError(f"expected a table and coins i...j of this row, got {table}, {i}, {j}")
        if answer not in ("L", "R", "LR") if table == "moves" else type(answer) is not int:
            raise ValueError(f"expected 'L', 'R', 'LR' or a whole number, got {shown(answer)}")
        self.filled.append((table, i, j, answer))
        self.at = (i, j)
        self.notice = (
            judge_move(self.greedy, i, j, answer)
            if table == "moves"
            else judge_number(self.greedy, table, i, j, answer)
        )

    def last(self, table: str, i: int, j: int) -> int | str | None:
        """The last answer for a cell; None if there is none."""
        return next((answer for *cell, answer in reversed(self.filled) if cell == [table, i, j]), None)

    def correct(self, table: str, i: int, j: int) -> bool:
        """Whether the last answer for a cell is correct."""
        return self.last(table, i, j) == _truth(self.greedy, table, i, j)

    def done(self, table: str, arrows: bool, i: int, j: int) -> bool:
        """Whether nothing more is asked of a cell."""
        return self.correct(table, i, j) and (not arrows or i == j or self.correct("moves", i, j))

    def asked(self, table: str, arrows: bool) -> list[Cell]:
        """The cells that are still to be filled, in a good order."""
        return [cell for cell in self.cells() if not self.done(table, arrows, *cell)]

    def wrong(self, table: str) -> int:
        """How many answers were wrong: numbers of this table, and moves."""
        return sum(
            name in (table, "moves") and answer != _truth(self.greedy, name, i, j) for name, i, j, answer in self.filled
        )


def read_row(asked: str | Sequence[int]) -> tuple[int, ...]:
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
    found = (
        re.split(r"[\s,;]+", asked.strip(" \t,;()[]"))
        if isinstance(asked, str)
        else list(sequence(asked, "coins", "a row"))
    )
    if not found or (isinstance(found[0], str) and not found[0]):
        raise ValueError("there is no coin: write whole numbers with spaces between them, such as 1 2 4 3")
    row: list[int] = []
    for coin in found:
        digits = isinstance(coin, str) and coin.isascii() and coin.isdecimal() and len(coin) < 20
        try:
            whole = whole_number(int(coin) if digits else coin, "coins", least=0, most=LARGEST)
        except (TypeError, ValueError):
            raise ValueError(
                f"“{coin if isinstance(coin, str) else shown(coin)}” is not a coin: write whole numbers from 0 to "
                f"{LARGEST} with spaces between them, such as 1 2 4 3"
            ) from None
        row.append(whole)
    if not LEAST <= len(found) <= MOST:
        raise ValueError(
            f"this row has {counted(len(found), 'coin')}: write {LEAST} to {MOST}, with spaces between them"
        )
    return GreedyCoins(tuple(row)).coins


def read_answer(typed: str, arrows: bool) -> tuple[int | None, str | None]:
    """The number and the move that were typed into a cell; ValueError, in words, if there is neither.

    Examples
    --------
    >>> read_answer("7", False), read_answer("−2b", True), read_answer("l", True)
    ((7, None), (-2, 'LR'), (None, 'L'))
    """
    if not isinstance(typed, str):
        raise TypeError(f"{shown(typed)} is no answer: expected what somebody typed")
    found = re.fullmatch(r"([-−+]?\d{1,6})?\s*(L|R|B|LR|RL)?", typed.strip().upper(), re.ASCII)
    if not found or not found[0] or (found[2] and not arrows):
        raise ValueError(f"“{typed.strip()}” is no answer: write a whole number{', then L, R or B (both)' * arrows}")
    number, letters = found.groups()
    move = letters and (letters if letters in ENDS else "LR")
    return int(number.replace("−", "-")) if number else None, move


def draw(ends: str, seed: int, number: int) -> str:
    """One of the ends, for move `number`: the same seed draws the same."""
    return str(np.random.default_rng([seed, number]).choice(list(ends)))


def mover(greedy: Greedy, i: int, j: int) -> str:
    """Who moves when coins i...j are left: Alice where an even number of coins is gone."""
    return PLAYERS[(len(greedy.coins) - (j - i + 1)) % 2]


def after(i: int, j: int, move: str) -> Cell:
    """The cell that a move leads to."""
    return (i + 1, j) if move == "L" else (i, j - 1)


def _truth(greedy: Greedy, table: str, i: int, j: int) -> int | str:
    found = getattr(greedy, table)[i, j]
    return str(found) if table == "moves" else int(found)


# --- words: one cell ---------------------------------------------------------------------------------------


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
    who, value, head = mover(greedy, i, j), _truth(greedy, table, i, j), heading(greedy, i, j)
    if i == j:
        question = "How much of it does Alice get?" if table == "alice" else f"By how much is {who} ahead then?"
        answer = f"Alice gets {value}." if table == "alice" else f"That is {value} ahead."
        return f"{head}. {who} takes the last coin. {answer if verdict else question}"
    (left, left_sum), (right, right_sum) = (worth(greedy, table, i, j, move) for move in ENDS)
    least = table == "alice" and who == "Bob"
    sums = f"Left: {'Alice gets ' * least}{left_sum}. Right: {'Alice gets ' * least}{right_sum}."
    chooses = "Bob leaves Alice the smaller" if least else f"{who} chooses the larger"
    if not verdict:
        chooses += ". Which is it?"
    elif left == right:
        chooses = "Both moves are equally good."
    else:
        chooses += f", {value}: the {ENDS[_truth(greedy, 'moves', i, j)]} coin is best."
    return minus(f"{head}. {sums} {chooses}")


def worth(greedy: Greedy, table: str, i: int, j: int, move: str) -> tuple[int, str]:
    """What a move makes of a cell, and the sum that gives it."""
    coin, rest = greedy.coins[i if move == "L" else j], after(i, j, move)
    then = int(_truth(greedy, table, *rest)) if rest[0] <= rest[1] else 0
    if table == "margin":
        return coin - then, f"{coin} − {f'({then})' if then < 0 else then} = {coin - then}"
    if mover(greedy, i, j) == "Alice":
        return coin + then, f"{coin} + {then} = {coin + then}"
    return then, str(then)


def judge_number(greedy: Greedy, table: str, i: int, j: int, answer: int) -> str:
    """Whether a number for a cell is correct, and if not, what may have gone wrong; never the correct number.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> judge_number(solve_greedy([1, 2, 4, 3]), "alice", 0, 0, 1)
    '✗ Coin 1, Bob moves: 1 is wrong. Bob takes this coin, so Alice does not get it.'
    """
    if answer == _truth(greedy, table, i, j):
        return "✓ Correct. " + explain(greedy, table, i, j)
    return minus(f"✗ {heading(greedy, i, j)}: {answer} is wrong. {_slip(greedy, table, i, j, answer)}")


def _slip(greedy: Greedy, table: str, i: int, j: int, answer: int) -> str:
    """What may have led to a wrong number."""
    who, both = mover(greedy, i, j), [worth(greedy, table, i, j, move)[0] for move in ENDS]
    if i == j:
        if (table, who, answer) == ("alice", "Bob", greedy.coins[i]):
            return "Bob takes this coin, so Alice does not get it."
        return f"One coin is left, and {who} takes it."
    rests = [int(_truth(greedy, table, *after(i, j, move))) for move in ENDS]
    added = [coin + rest for coin, rest in zip((greedy.coins[i], greedy.coins[j]), rests)]
    if answer in both:
        if (table, who) == ("alice", "Bob"):
            return "That is what Alice gets if Bob takes the other end; he leaves her as little as he can."
        return f"That is what one end gives; for {who} the other end is better."
    if table == "margin" and answer in added:
        return "Subtract, do not add: the margin in the cell below belongs to the other player, who moves next."
    if table == "margin" and answer == -int(greedy.margin[i, j]):
        return f"Look at the sign: it is the margin of {who}, who moves."
    if table == "alice" and who == "Bob" and answer in added:
        return "Bob keeps the coin that he takes: do not add it to Alice's points."
    if table == "alice" and who == "Alice" and answer in rests:
        return "Add the coin that Alice takes now to what she gets later."
    if table == "alice" and answer == sum(greedy.coins[i : j + 1]) - greedy.alice[i, j]:
        return "That is what Bob gets of these coins; this table counts Alice's points."
    other = "margin" if table == "alice" else "alice"
    if answer == _truth(greedy, other, i, j):
        return f"That number belongs in the other table, {TABLES[other][0]}."
    return "Look at the two cells below it, or ask for a hint."


def judge_move(greedy: Greedy, i: int, j: int, answer: str) -> str:
    """Whether the arrows of a cell are correct, and if not, why."""
    best, head = _truth(greedy, "moves", i, j), heading(greedy, i, j)
    if answer == best:
        return f"✓ Correct. {head}: {'both ends are' if best == 'LR' else f'the {ENDS[best]} end is'} best."
    if best == "LR":
        return f"✗ {head}: the {ENDS[answer]} end is best, but not alone. Compare what the two moves give."
    if answer == "LR":
        return f"✗ {head}: the two ends are not equally good. Compare what they give."
    lost = counted(greedy.cost(answer, i, j), "point")
    return f"✗ {head}: the {ENDS[answer]} end is not best. It costs {lost} of the margin."


def heading(greedy: Greedy, i: int, j: int) -> str:
    """The coins of a cell, and who moves."""
    return f"{'Coin' if i == j else 'Coins'} {spoken(greedy, i, j)}, {mover(greedy, i, j)} moves"


def spoken(greedy: Greedy, i: int, j: int) -> str:
    """The coins of a cell: "2 4 3"."""
    return " ".join(map(str, greedy.coins[i : j + 1]))


def minus(words) -> str:
    """Words in which a minus sign is as wide as a plus."""
    return re.sub(r"(?<!\w)-(?=\d)", "−", str(words))


# --- words: a game -----------------------------------------------------------------------------------------


def names_of(task: str, side: str) -> tuple[str, str]:
    """How Alice and Bob are called in the words of a task."""
    if task != "play":
        return PLAYERS
    return ("You", "The computer") if side == "alice" else ("The computer", "You")


def tell(data: Triangle, names: tuple[str, str], promised: bool = True) -> tuple[str, str]:
    """The last moves with their cost; and the score, with what can still be announced where that may be said."""
    number = len(data.moves)
    announced = f" {promise(data, names)}" if promised and data.run else ""
    if not number:
        return ("Your turn." if names[0] == "You" else f"{names[0]} moves first."), announced.strip()
    since = 2 if number > 1 and names[(number - 1) % 2] == "The computer" else 1
    said = " ".join(_told_move(data, each, names) for each in range(number - since, number))
    lead = data.points[0] - data.points[1]
    ahead = names[lead < 0]
    score = f"{names[0]} {data.points[0]}, {_within(names[1])} {data.points[1]}"
    if data.run:
        verb = "lead" if ahead == "You" else "leads"
        stand = f"{_within(ahead)} {verb} by {abs(lead)}" if lead else "nobody leads"
        return said, f"{score}: {stand}.{announced}"
    wins = f"{ahead} {'win' if ahead == 'You' else 'wins'} by {abs(lead)}." if lead else "A tie."
    costs = [sum(data.costs[0::2]), sum(data.costs[1::2])]
    lost = "; ".join(f"{_within(name)} {cost}" for name, cost in zip(names, costs))
    best = f"When both play perfectly, who moves first gets {data.greedy.value}."
    return f"{said} {wins}", f"{score}. Points of the margin lost by mistakes: {lost}. {best}"


def _told_move(data: Triangle, number: int, names: Sequence[str]) -> str:
    """One move in words, with what it cost."""
    move, who, cost, run = data.moves[number], names[number % 2], data.costs[number], data.runs[number]
    said = f"{who} take{'s' * (who != 'You')} the {data.taken[number]}"
    if run[0] == run[1]:
        return f"{said}, the last coin."
    said += f" on the {ENDS[move]}."
    if cost:
        return f"{said} A mistake: it costs {counted(cost, 'point')} of the margin."
    return f"{said} It costs nothing{'; nor would the other end' if data.greedy.moves[run] == 'LR' else ''}."


def promise(data: Triangle, names: Sequence[str]) -> str:
    """What a player can announce, whatever the other does: you if you play, else Alice."""
    side = names.index("You") if "You" in names else 0
    more = int(data.greedy.alice[data.run])
    if side == 1:
        more = sum(data.game.coins_left(data.states[-1])) - more
    amount = f"{more} more, {data.points[side] + more} in all" if data.points[side] else f"{more}"
    said = f"{names[side]} can announce: “I get at least {amount}, whatever you do.”"
    return f"{said} Both ends are equally good: let the computer choose your move." if tease(data, names) else said


def tease(data: Triangle, names: Sequence[str]) -> bool:
    """Whether you may let the other side choose your move: it is your turn, and both ends are best."""
    if data.run is None or names[len(data.moves) % 2] != "You":
        return False
    return data.run[0] < data.run[1] and _truth(data.greedy, "moves", *data.run) == "LR"


def _within(name: str) -> str:
    """A name in the middle of a sentence."""
    return name if name in PLAYERS else name.lower()
