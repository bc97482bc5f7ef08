"""`coinlib greedy`: a row of coins with values; take one from either end, the larger total wins."""

from __future__ import annotations

import shutil

from numpy.random import default_rng

from coinlib.arena import Match
from coinlib.games import GreedyCoins, State
from coinlib.solvers import Greedy, solve_greedy

from .play import Program
from .talk import Page, Wanted, ask_until, say, whole

NAMES = ("Alice", "Bob")
SIDES = {"l": "L", "left": "L", "r": "R", "right": "R"}
SIDE = {"L": "left", "R": "right"}


def options(page: Page) -> None:
    page.add_argument("coins", nargs="+", type=whole(0), metavar="COIN", help="the values from left to right")
    page.switch("--margin", "print S, by how much the mover wins, in place of A")
    page.switch("--bob", "play Bob, who moves second (default: Alice)")
    page.switch("--no-play", "print the table and best play, then stop")
    page.seed()


def run(wanted: Wanted) -> None:
    """Solve a row of greedy coins, and play it against a computer that never errs."""
    greedy = solve_greedy(wanted.coins)
    _print_table(greedy, wanted.margin)
    _print_best(greedy)
    if wanted.no_play:
        return
    generator = default_rng(wanted.seed)

    def computer(game: GreedyCoins, state: State) -> str:
        left, right = state
        return str(generator.choice(list(greedy.moves[left, right - 1])))

    you, other = NAMES[wanted.bob], NAMES[not wanted.bob]
    say(f"\nYou are {you}, the computer is {other}. Alice moves first. Take the left coin (L) or the right (R).")
    Row(greedy, (computer, None) if wanted.bob else (None, computer), wanted).run()


class Row(Program):
    """A person against best play: a word where a move costs something."""

    def __init__(self, greedy: Greedy, seats: tuple, wanted: Wanted) -> None:
        super().__init__(GreedyCoins(tuple(wanted.coins)), seats, wanted)
        self.greedy = greedy

    def show(self, state: State) -> None:
        say(f"\n{' '.join(map(str, self.game.coins_left(state)))}")

    def ask(self, state: State, player: int) -> str:
        question = f"{NAMES[player - 1]}: left or right (L/R)? "
        move = ask_until(question, lambda words: SIDES[words.strip().lower()], "Please enter L or R")
        left, right = state
        cost = self.greedy.cost(move, left, right - 1)
        if cost:
            say(("That was a mistake", "red"), f": it costs {cost} of your margin.")
        return move

    def tell(self, match: Match) -> None:
        say(f"{NAMES[2 - match.turn]} takes the coin on the {SIDE[match.moves[-1]]}: {match.rewards[-1]}.")

    def end(self, match: Match) -> None:
        alice, bob = sum(match.rewards[0::2]), sum(match.rewards[1::2])
        winner = f"{NAMES[match.winner - 1]} wins" if match.winner else "A tie"
        say((f"{winner}: Alice {alice:g}, Bob {bob:g}.", "bold"))
        self.won.append(match.winner == 1 + self.wanted.bob)


# --- the table and best play --------------------------------------------------------------------------


def _print_table(greedy: Greedy, margin: bool) -> None:
    """The triangle: the coins at the bottom, above them the runs of two, of three, and so on."""
    lines = triangle(greedy, margin)
    what = "S: by how much whoever moves wins from there on" if margin else "A: what Alice, who moves first, still gets"
    say(f"{what}; L, R or LR: the best moves of whoever is to move.\n")
    width = max(map(len, lines))
    if width <= shutil.get_terminal_size().columns:
        say("\n".join(lines))
    else:
        say(f"(The triangle of {len(greedy.coins):,} coins is {width:,} letters wide, too wide to be printed.)")


def triangle(greedy: Greedy, margin: bool = False) -> list[str]:
    """The triangle table of greedy coins as lines of text.

    Parameters
    ----------
    greedy : solvers.Greedy
    margin : bool
        S in place of A.

    Returns
    -------
    list of str
        From the whole row down to the single coins, and then the coins themselves; each
        line begins with who is to move.

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
    cells = {(i, j): f"{values[i, j]} {greedy.moves[i, j]}" for i in range(size) for j in range(i, size)}
    half = max(3, *(len(cell) // 2 + 1 for cell in cells.values()))
    lines = []
    for length in range(size, 0, -1):
        mover = NAMES[(size - length) % 2]
        runs = [cells[i, i + length - 1] for i in range(size - length + 1)]
        lines.append(f"{mover:<8}{' ' * half * (length - 1)}{''.join(f'{cell:<{2 * half}}' for cell in runs)}".rstrip())
    return [*lines, f"{'coins':<8}{''.join(f'{coin:<{2 * half}}' for coin in greedy.coins)}".rstrip()]


def _print_best(greedy: Greedy) -> None:
    margin = int(greedy.margin[0, -1])
    verdict = "a tie" if margin == 0 else f"{'Alice' if margin > 0 else 'Bob'} wins by {abs(margin)}"
    say(f"\nWith best play Alice gets {greedy.value} of {sum(greedy.coins)}: {verdict}.")
    line = greedy.line()
    steps = [f"{NAMES[turn % 2]} {move} ({coin})" for turn, (move, coin) in enumerate(line[:12])]
    say(f"One line of best play: {', '.join(steps)}{', ...' if len(line) > 12 else ''}.")
