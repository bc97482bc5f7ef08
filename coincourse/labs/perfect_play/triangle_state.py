"""The state of the triangle lab: a row of greedy coins, its tables, the moves so far, the answers filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field

from coinlib.arguments import counted
from coinlib.runs import left_by, run_in_words, runs_of
from coinlib.solvers import Greedy

from ..base.amounts import minus
from ..base.match_on_screen import COMPUTER, YOU, MatchOnScreen, conjugate, with_verb, within_sentence
from .triangle_cells import ENDS, Cell, explain, heading, read_answer, slips, truth, verdict_on

PLAYERS = ("Alice", "Bob")
WRONG_ANSWERS = 2  # how many in a row are recorded for a page without Python


@dataclass(frozen=True)
class Answer:
    """An answer filled into a cell; `table` is "alice", "margin" or "moves"."""

    table: str
    i: int
    j: int
    answer: int | str


@dataclass
class Triangle:
    """One row of coins with its tables, the game so far, and the answers filled in.

    Attributes
    ----------
    greedy : Greedy
    match : MatchOnScreen
        The game so far, with the names of Alice and Bob; in a game one of them is "You".
    answers : list of Answer
        Every answer in order, including wrong ones.
    at : (int, int) or None
        The cell that was visited last.
    notice : str
        The verdict on the last answer, a hint, or why something cannot be done.

    Examples
    --------
    >>> from coinlib import GreedyCoins, solve_greedy
    >>> data = Triangle(solve_greedy([1, 2, 4, 3]), MatchOnScreen(GreedyCoins((1, 2, 4, 3))))
    >>> for move in "RR":
    ...     data.match.make(move)
    >>> data.run, data.points, data.costs
    ((0, 1), [3, 4], [0, 0])
    """

    greedy: Greedy
    match: MatchOnScreen
    answers: list[Answer] = field(default_factory=list)
    at: Cell | None = None
    notice: str = ""
    momentary = ("notice", "at")  # shown on the page, but not kept in any setting

    # --- what was played

    @property
    def coins(self) -> tuple[int, ...]:
        """The whole row."""
        return self.greedy.coins

    @property
    def moves(self) -> str:
        """The moves so far, Alice's and Bob's in turn."""
        return "".join(self.match.moves)

    @property
    def runs(self) -> list[Cell]:
        """The runs of coins in this game: the whole row, and what each move left."""
        return [(left, right - 1) for left, right in self.match.states if left < right]

    @property
    def run(self) -> Cell | None:
        """The coins that are left; None when the game is over."""
        return None if self.match.over else self.runs[-1]

    @property
    def coins_left(self) -> list[int]:
        """The coins that are still on the table."""
        return list(self.match.game.coins_left(self.match.state))

    @property
    def points(self) -> list[int]:
        """What Alice and Bob have so far."""
        return list(self.match.points)

    @property
    def costs(self) -> list[int]:
        """How many points of the margin each move cost."""
        return [self.greedy.cost(move, *run) for run, move in zip(self.runs, self.moves)]

    @property
    def owners(self) -> dict[int, str]:
        """Who took which coins, by their places in the row."""
        owners = {}
        for number, ((i, j), move) in enumerate(zip(self.runs, self.moves)):
            place = i if move == "L" else j
            owners[place] = PLAYERS[number % 2]
        return owners

    @property
    def left(self) -> int:
        """How many moves can still be made."""
        return len(self.coins) - len(self.moves)

    def step(self, steps: int) -> None:
        """Make this number of moves of best play, taking the left coin if both are equally good."""
        for move, _ in self.greedy.line(*self.run)[:steps]:
            self.match.make(move)

    @property
    def tease(self) -> bool:
        """Whether you can let the other side choose your move: it is your turn, and both ends are best."""
        return self.match.yours and self.left > 1 and self.greedy.moves[self.run] == "LR"

    # --- what was filled in

    @property
    def filled(self) -> tuple[tuple[str, int, int, int | str], ...]:
        """The answers as plain data."""
        return tuple(map(astuple, self.answers))

    def answer(self, table: str, i: int, j: int, answer: int | str) -> None:
        """Fill in an answer, and say whether it is correct."""
        self.answers.append(Answer(table, i, j, answer))
        self.at = (i, j)
        self.notice = verdict_on(self.greedy, table, i, j, answer)

    def fill(self, table: str, arrows: bool, cell: Cell, typed: str) -> None:
        """Fill in what was typed into a cell: a number, and with `arrows` also the best moves."""
        number, moves = read_answer(typed, arrows)
        if number is not None and number != self.last(table, *cell):
            self.answer(table, *cell, number)
        if arrows and cell[0] < cell[1] and self.correct(table, *cell):
            if moves:
                self.answer("moves", *cell, moves)
            else:
                coins = run_in_words(self.greedy, *cell)
                question = "which end is best, L, R, or LR for both?"
                self.notice = f"✓ The number is correct. Coins {coins}: {question}"

    def hint(self, table: str, asked: Sequence[Cell]) -> None:
        """Name the two candidates for the cell that was visited last, or for the first one to fill in."""
        if self.at not in asked:
            self.at = asked[0]
        i, j = self.at
        rests = [left_by(self.at, end) for end in ENDS] if i < j else []
        missing = [run_in_words(self.greedy, *rest) for rest in rests if not self.correct(table, *rest)]
        if missing:
            first = f"First fill in the cells of what is left: {', and '.join(missing)}."
            self.notice = f"Hint: {heading(self.greedy, i, j)}. {first}"
        else:
            self.notice = f"Hint: {explain(self.greedy, table, i, j, verdict=False)}"

    def last(self, table: str, i: int, j: int) -> int | str | None:
        """The last answer for a cell; None if there is none."""
        for each in reversed(self.answers):
            if (each.table, each.i, each.j) == (table, i, j):
                return each.answer
        return None

    def correct(self, table: str, i: int, j: int) -> bool:
        """Whether the last answer for a cell is correct."""
        return self.last(table, i, j) == truth(self.greedy, table, i, j)

    def typed(self, table: str, i: int, j: int) -> tuple[str, bool]:
        """The last answer in a cell that is still to fill in, and whether it is wrong.

        If the number is correct but its arrow is not, the wrong arrow comes after the number.
        """
        words = ""
        answer = self.last(table, i, j)
        if self.correct(table, i, j):
            words = minus(answer)
            answer = self.last("moves", i, j)
        if answer is None:
            return words, False
        return words + minus(answer), True

    def asked(self, table: str, arrows: bool) -> list[Cell]:
        """The cells in which the number, or with `arrows` the best moves, are still missing, in a sensible order."""
        cells = []
        for i, j in runs_of(self.greedy):
            arrow_asked = arrows and i < j and not self.correct("moves", i, j)
            if arrow_asked or not self.correct(table, i, j):
                cells.append((i, j))
        return cells

    def wrong(self, table: str) -> int:
        """How many answers were wrong: numbers in this table, and moves."""
        answers = [each for each in self.answers if each.table in (table, "moves")]
        return sum(each.answer != truth(self.greedy, each.table, each.i, each.j) for each in answers)

    def tried(self, table: str, arrows: bool, cell: Cell) -> list[str]:
        """What a recording types into a cell: the correct answer, and at first typical wrong ones."""
        correct = truth(self.greedy, table, *cell)
        best = truth(self.greedy, "moves", *cell)
        numbers = {correct}
        letters = [best]
        if self.wrong(table) < WRONG_ANSWERS:
            numbers |= slips(self.greedy, table, *cell)
            letters = ["L", "R", "LR"]
        if not arrows or cell[0] == cell[1]:
            letters = []
        if self.correct(table, *cell):  # The number is there, but its arrow is missing.
            return letters
        return [*map(str, sorted(numbers)), *(f"{correct}{letter}" for letter in letters)]


# --- what to say about a game --------------------------------------------------------------------------------------


def tell(data: Triangle, seen: bool = True) -> tuple[str, str]:
    """The last moves, and the score; if the table may be shown, also what a move cost and what can be announced."""
    names = data.match.names
    first, second = data.points
    announced = promise(data) if seen and data.run else ""
    if not data.moves:
        begins = "Your turn." if names[0] == YOU else f"{names[0]} moves first."
        return begins, announced
    moves = _last_moves(data, seen)
    score = f"{names[0]} {first}, {within_sentence(names[1])} {second}"
    lead = abs(first - second)
    leader = names[1] if second > first else names[0]
    if data.run:
        stand = f"{within_sentence(leader)} {conjugate(leader, 'lead')} by {lead}" if lead else "the score is level"
        return moves, f"{score}: {stand}. {announced}".strip()
    wins = f"{with_verb(leader, 'win')} by {lead}." if lead else "A tie."
    if not seen:
        return f"{moves} {wins}", f"{score}. {_compared_with_safe(data)}"
    costs = [sum(data.costs[0::2]), sum(data.costs[1::2])]
    lost = "; ".join(f"{within_sentence(name)} {cost}" for name, cost in zip(names, costs))
    best = f"When both play perfectly, the first player gets {data.greedy.value}."
    return f"{moves} {wins}", f"{score}. Points of the margin lost by mistakes: {lost}. {best}"


def _compared_with_safe(data: Triangle) -> str:
    """The points that you could be sure of at the start, and yours."""
    side = data.match.names.index(YOU)
    sure = data.greedy.value if side == 0 else sum(data.coins) - data.greedy.value
    points = data.points[side]
    less = f": {sure - points} less" if points < sure else ""
    return f"At the start you could be sure of {sure}, and you got {points}{less}."


def _last_moves(data: Triangle, seen: bool) -> str:
    """The last move as text; if it was the computer's, also your move before it."""
    number = len(data.moves)
    last = data.match.names[(number - 1) % 2]
    since = 2 if number > 1 and last == COMPUTER else 1
    return " ".join(_move_in_words(data, ply, seen) for ply in range(number - since, number))


def _move_in_words(data: Triangle, ply: int, seen: bool) -> str:
    """One move as text, with its cost if the table may be shown."""
    takes = f"{with_verb(data.match.names[ply % 2], 'take')} the {data.match.rewards[ply]}"
    left, right = data.runs[ply]
    if left == right:
        return f"{takes}, the last coin."
    takes = f"{takes} on the {ENDS[data.moves[ply]]}"
    if not seen:
        return f"{takes}."
    cost = data.costs[ply]
    if cost:
        return f"{takes}. A mistake: it costs {counted(cost, 'point')} of the margin."
    if data.greedy.moves[left, right] == "LR":
        return f"{takes}. It costs nothing; nor would the other end."
    return f"{takes}. It costs nothing."


def promise(data: Triangle) -> str:
    """What you can announce (or Alice, if you are not playing), whatever the other player does."""
    names = data.match.names
    side = names.index(YOU) if YOU in names else 0
    more = int(data.greedy.alice[data.run])
    if side == 1:  # Bob gets what Alice does not get.
        more = sum(data.coins_left) - more
    points = data.points[side]
    amount = f"{more} more, {points + more} in all" if points else f"{more}"
    words = f"{names[side]} can announce: “I get at least {amount}, whatever you do.”"
    if data.tease:
        return f"{words} Both ends are equally good: let the computer choose your move."
    return words
