"""`coinlib greedy`: a row of coins with values; take one from either end, the larger total wins."""

from __future__ import annotations

import argparse
import shutil
from functools import partial

from coinlib.games import GreedyCoins, State

from .talk import BOLD, RED, Told, again, ask, compiling_is_said, in_colour, say, seed_option, whole

NAMES = ("Alice", "Bob")
SIDES = {"l": "L", "left": "L", "r": "R", "right": "R"}
SIDE = {"L": "left", "R": "right"}
MOST_COINS = 5_000  # the tables of more would need gigabytes


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("coins", nargs="+", type=whole(0), metavar="COIN", help="the values from left to right")
    parser.add_argument("--margin", action="store_true", help="print S, by how much the mover wins, in place of A")
    parser.add_argument("--bob", action="store_true", help="play Bob, who moves second (default: Alice)")
    parser.add_argument("--no-play", action="store_true", help="print the table and best play, then stop")
    seed_option(parser)


def run(wanted: argparse.Namespace) -> None:
    from numpy.random import default_rng

    from coinlib.arena import play_match
    from coinlib.solvers import solve_greedy

    if len(wanted.coins) > MOST_COINS:
        raise ValueError(f"expected at most {MOST_COINS:,} coins, got {len(wanted.coins):,}")
    game = GreedyCoins(tuple(wanted.coins))
    with compiling_is_said():
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
    won: list[bool] = []
    while True:
        told = Told(game, partial(_tell, game, other), partial(_ask_person, greedy))
        players = (told.person(you), computer)
        match = play_match(game, *(players[::-1] if wanted.bob else players))
        told.catch_up(match.states[-1])
        alice, bob = sum(match.rewards[0::2]), sum(match.rewards[1::2])
        winner = f"{NAMES[match.winner - 1]} wins" if match.winner else "A tie"
        say(in_colour(f"{winner}: Alice {alice:g}, Bob {bob:g}.", BOLD))
        won.append(match.winner == 1 + wanted.bob)
        if not again(won):
            return


# --- the table and best play --------------------------------------------------------------------------


def _print_table(greedy, margin: bool) -> None:
    """The triangle: the coins at the bottom, above them the runs of two, of three, and so on."""
    lines = triangle(greedy, margin)
    what = "S: by how much whoever moves wins from there on" if margin else "A: what Alice, who moves first, still gets"
    say(f"{what}; L, R or LR: the best moves of whoever is to move.\n")
    width = max(map(len, lines))
    if width <= shutil.get_terminal_size().columns:
        say("\n".join(lines))
    else:
        say(f"(The triangle of {len(greedy.coins):,} coins is {width:,} letters wide, too wide to be printed.)")


def triangle(greedy, margin: bool = False) -> list[str]:
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


def _print_best(greedy) -> None:
    total = sum(greedy.coins)
    margin = int(greedy.margin[0, -1])
    verdict = "a tie" if margin == 0 else f"{'Alice' if margin > 0 else 'Bob'} wins by {abs(margin)}"
    say(f"\nWith best play Alice gets {greedy.value} of {total}: {verdict}.")
    line = greedy.line()
    steps = [f"{NAMES[turn % 2]} {move} ({coin})" for turn, (move, coin) in enumerate(line[:12])]
    say(f"One line of best play: {', '.join(steps)}{', ...' if len(line) > 12 else ''}.")


# --- playing ------------------------------------------------------------------------------------------


def _ask_person(greedy, game: GreedyCoins, state: State, who: str) -> str:
    """The person's move, and a word where it costs something."""
    say(f"\n{' '.join(map(str, game.coins_left(state)))}")
    move = None
    while move is None:
        move = SIDES.get(ask(f"{who}: left or right (L/R)? ").strip().lower())
        if move is None:
            say("Please enter L or R")
    left, right = state
    lost = greedy.cost(move, left, right - 1)
    if lost:
        say(f"{in_colour('That was a mistake', RED)}: it costs {lost} of your margin.")
    return move


def _tell(game: GreedyCoins, who: str, before: State, after: State) -> None:
    side = "L" if after[0] > before[0] else "R"
    say(f"\n{' '.join(map(str, game.coins_left(before)))}")
    say(f"{who} takes the coin on the {SIDE[side]}: {game.reward(before, side)}.")
