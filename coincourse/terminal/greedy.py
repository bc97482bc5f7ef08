"""`coinlib greedy`: a row of coins with values; take one from either end, and the larger total wins."""

import shutil

from coinlib.agents import PerfectAgent
from coinlib.games import GreedyCoins, State
from coinlib.match import Match
from coinlib.solvers import Greedy, solve_greedy

from .pages import Page, Typed, whole
from .program import Program
from .talk import ask, say

NAMES = ("Alice", "Bob")


def options(page: Page) -> None:
    """Add the arguments of `coinlib greedy`."""
    page.add_argument("coins", nargs="+", type=whole(), help="The values from left to right")
    page.add_flag("--margin", "Print S, the margin of the player to move, instead of A")
    page.add_flag("--bob", "Play Bob, who moves second (default: Alice)")
    page.add_flag("--no-play", "Print the table and best play, then stop")
    page.add_seed()


def run(typed: Typed) -> None:
    """Solve a row of greedy coins, and play it against a computer that never makes a mistake."""
    greedy = solve_greedy(typed.coins)
    what = "A: what Alice, who moves first, still gets"
    if typed.margin:
        what = "S: by how much the player to move wins from there on"
    say(f"{what}; L, R or LR: the best moves of the player to move.\n")
    lines = triangle(greedy, typed.margin)
    if max(len(line) for line in lines) > shutil.get_terminal_size().columns:
        lines = [f"(The triangle of {len(greedy.coins):,} coins is too wide to print.)"]
    say("\n".join(lines))
    say(f"\n{best_play(greedy)}")
    if typed.no_play:
        return
    you, other = NAMES[::-1] if typed.bob else NAMES
    say(f"\nYou are {you}, the computer is {other}. Alice moves first.", end=" ")
    say("Take the left coin (L) or the right (R).")
    computer = PerfectAgent(typed.seed)
    seats = (computer, None) if typed.bob else (None, computer)
    TakeFromEnds(GreedyCoins(tuple(typed.coins)), seats, NAMES).run()


def triangle(greedy: Greedy, margin: bool = False) -> list[str]:
    """Return the triangle table of greedy coins as lines of text.

    Parameters
    ----------
    greedy : solvers.Greedy
    margin : bool
        S instead of A.

    Returns
    -------
    list of str
        From the whole row down to the single coins, then the coins themselves. Each line
        begins with the player to move.

    Examples
    --------
    >>> from coinlib import solve_greedy
    >>> print("\\n".join(triangle(solve_greedy([1, 2, 4, 3]))))
    Alice            5 LR
    Bob           2 R   4 LR
    Alice      2 R   4 R   4 L
    Bob     0 LR  0 LR  0 LR  0 LR
    coins   1     2     4     3
    """
    values = greedy.margin if margin else greedy.alice
    size = len(greedy.coins)
    rows: list[list[str]] = []  # the cells of all runs of one length, the longest run first
    for length in range(size, 0, -1):
        runs = [(i, i + length - 1) for i in range(size - length + 1)]
        rows.append([f"{values[run]} {greedy.moves[run]}" for run in runs])
    rows.append([str(coin) for coin in greedy.coins])
    half = max(3, *(len(cell) // 2 + 1 for row in rows[:-1] for cell in row))
    lines = []
    for gone, row in enumerate(rows):
        label = NAMES[gone % 2] if gone < size else "coins"
        indent = " " * half * (size - len(row))
        cells = "".join(f"{cell:<{2 * half}}" for cell in row)
        lines.append(f"{label:<8}{indent}{cells}".rstrip())
    return lines


def best_play(greedy: Greedy) -> str:
    """Return the value of the row and one line of best play, as text."""
    margin = int(greedy.margin[0, -1])
    winner = "Alice" if margin > 0 else "Bob"
    verdict = f"{winner} wins by {abs(margin)}" if margin else "a tie"
    steps = [f"{NAMES[turn % 2]} {move} ({coin})" for turn, (move, coin) in enumerate(greedy.line())]
    gets = f"With best play Alice gets {greedy.value} of {sum(greedy.coins)}: {verdict}."
    return f"{gets}\nOne line of best play: {', '.join(steps)}."


class TakeFromEnds(Program):
    """A person against best play, with a remark when a move loses something."""

    def show(self, match: Match) -> None:
        say(f"\n{self.game.picture(match.state)}")

    def ask(self, state: State, player: int) -> str:
        left, right = state
        while True:
            answer = ask(f"{NAMES[player - 1]}: left or right (L/R)? ").strip()
            move = answer[:1].upper()
            if move in ("L", "R"):
                break
            say(f"Please enter L or R, got {answer[:40]!r}")
        if cost := solve_greedy(self.game.coins).cost(move, left, right - 1):
            say(("That was a mistake", "red"), f": it costs {cost} of your margin.")
        return move

    def tell(self, match: Match) -> None:
        end = "left" if match.moves[-1] == "L" else "right"
        say(f"{NAMES[2 - match.turn]} takes the coin on the {end}: {match.rewards[-1]}.")

    def end(self, match: Match) -> None:
        alice, bob = match.points
        verdict = f"{NAMES[match.winner - 1]} wins" if match.winner else "A tie"
        say((f"{verdict}: Alice {alice}, Bob {bob}.", "bold"))
        person = 1 + self.seats.index(None)
        self.won.append(match.winner == person)
