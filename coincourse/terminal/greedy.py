"""`coinlib greedy`: a row of coins with values; take one from either end, the larger total wins."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from coinlib.agents import PerfectAgent
from coinlib.games import GreedyCoins, State
from coinlib.match import Match
from coinlib.solvers import Greedy, solve_greedy

from .play import Program
from .talk import ask, say

NAMES = ("Alice", "Bob")


def run(
    coins: Sequence[int], *, margin: bool = False, bob: bool = False, no_play: bool = False, seed: int | None = None
) -> None:
    """Solve a row of greedy coins, and play it against a computer that never errs.

    Parameters
    ----------
    coins : sequence of int
        The values from left to right.
    margin : bool
        Print S, by how much the mover wins, in place of A.
    bob : bool
        Play Bob, who moves second (default: Alice).
    no_play : bool
        Print the table and best play, then stop.
    seed : int, optional
        The same seed, the same luck (default: new luck each time).
    """
    greedy = solve_greedy(coins)
    what = "S: by how much whoever moves wins from there on"
    if not margin:
        what = "A: what Alice, who moves first, still gets"
    say(f"{what}; L, R or LR: the best moves of whoever is to move.\n")
    lines, width = triangle(greedy, margin), shutil.get_terminal_size().columns
    if max(map(len, lines)) > width:
        lines = [f"(The triangle of {len(greedy.coins):,} coins is too wide to be printed.)"]
    say("\n".join(lines))
    say(f"\n{best_play(greedy)}")
    if not no_play:
        you, other = NAMES[bob], NAMES[not bob]
        say(f"\nYou are {you}, the computer is {other}. Alice moves first. Take the left coin (L) or the right (R).")
        computer = PerfectAgent(seed)
        Row(GreedyCoins(tuple(coins)), (computer, None) if bob else (None, computer), NAMES).run()


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


def best_play(greedy: Greedy) -> str:
    """What the row is worth, and one line of best play, in words."""
    margin = int(greedy.margin[0, -1])
    verdict = f"{NAMES[margin < 0]} wins by {abs(margin)}" if margin else "a tie"
    steps = [f"{NAMES[turn % 2]} {move} ({coin})" for turn, (move, coin) in enumerate(greedy.line())]
    return (
        f"With best play Alice gets {greedy.value} of {sum(greedy.coins)}: {verdict}.\n"
        f"One line of best play: {', '.join(steps)}."
    )


class Row(Program):
    """A person against best play: a word where a move costs something."""

    def show(self, match: Match) -> None:
        say(f"\n{self.game.picture(match.state)}")

    def answer(self, state: State, player: int) -> str:
        return ask(f"{NAMES[player - 1]}: left or right (L/R)? ").strip()[:1]

    def ask(self, state: State, player: int) -> str:
        move, (left, right) = super().ask(state, player), state
        if cost := solve_greedy(self.game.coins).cost(move, left, right - 1):
            say(("That was a mistake", "red"), f": it costs {cost} of your margin.")
        return move

    def tell(self, match: Match) -> None:
        end = "left" if match.moves[-1] == "L" else "right"
        say(f"{NAMES[2 - match.turn]} takes the coin on the {end}: {match.rewards[-1]}.")

    def end(self, match: Match) -> None:
        alice, bob = sum(match.rewards[0::2]), sum(match.rewards[1::2])
        winner = f"{NAMES[match.winner - 1]} wins" if match.winner else "A tie"
        say((f"{winner}: Alice {alice}, Bob {bob}.", "bold"))
        self.won.append(match.winner == 1 + self.seats.index(None))
