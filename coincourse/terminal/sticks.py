"""`coinlib sticks`: the Game of Sticks (misère play), with a friend or against a computer that learns."""

from __future__ import annotations

import argparse

from coinlib.arguments import counted
from coinlib.games import CoinGame, State, sticks

from .talk import Told, again, ask_number, new_file, old_file, practised, say, seed_option, whole

OPTIONS = ("Play against a friend", "Play against the computer", "Play against the trained computer")
MENUS = {"friend": 1, "computer": 2, "full": 3}  # how many of the options each offers
FRIEND, COMPUTER, TRAINED = 1, 2, 3


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--menu",
        choices=MENUS,
        default="full",
        help="whom one can play: only a friend (nothing is asked); a friend or the computer; "
        "or the trained computer as well (default: full)",
    )
    parser.add_argument(
        "--games",
        type=whole(0, 10_000_000),
        default=100_000,
        metavar="N",
        help="how many games the trained computer has played before the first move (default: 100000)",
    )
    parser.add_argument("--show-hats", action="store_true", help="print the computer's hats after each game")
    parser.add_argument("--load", type=old_file, metavar="FILE", help="let the computer begin with the hats in a file")
    parser.add_argument(
        "--save", type=new_file, metavar="FILE", help="write the computer's hats to a file after each game"
    )
    seed_option(parser)


def run(wanted: argparse.Namespace) -> None:
    say("Welcome to the game of sticks!")
    game = sticks(ask_number("How many sticks are there on the table initially (10-100)? ", 10, 100), max_pick=3)
    choice = _choose(MENUS[wanted.menu])
    hats = None if choice == FRIEND else _computer(game, wanted, wanted.games if choice == TRAINED else 0)
    while True:
        _play(game, hats)
        if hats is not None and wanted.show_hats:
            hats.show()
        if hats is not None and wanted.save:
            hats.save(wanted.save)
        if wanted.menu == "friend" or not again():
            return


def _choose(offered: int) -> int:
    if offered == 1:
        return FRIEND
    say("Options:")
    for number, words in enumerate(OPTIONS[:offered], 1):
        say(f"{words} ({number})")
    return ask_number(f"Which option do you take (1-{offered})? ", 1, offered)


def _computer(game: CoinGame, wanted: argparse.Namespace, games: int):
    """Hats that have learnt from so many games against other hats, each moving first in turn."""
    from numpy.random import SeedSequence

    from coinlib.learners import Hats

    mine, theirs = SeedSequence(wanted.seed).spawn(2)
    hats = Hats(game, seed=mine)
    if wanted.load:
        hats.load(wanted.load)
    if games:
        practised(hats, Hats(game, seed=theirs), games=games, first="alternate")
    return hats


def _play(game: CoinGame, hats) -> None:
    """One game of player 1 against the hats, which learn from it, or against a friend."""
    from coinlib.arena import play_match

    told = Told(game, _tell, _ask_person)
    match = play_match(game, told.person(1), told.person(2) if hats is None else hats, learn=True)
    told.catch_up(match.states[-1])
    loser = 3 - match.winner
    if hats is None:
        say(f"Player {loser}, you lose.")
    else:
        say("You lose." if loser == 1 else "AI loses.")


def _ask_person(game: CoinGame, state: State, player: int) -> int:
    _show(state)
    wanted = ask_number(f"Player {player}: How many sticks do you take (1-3)? ", 1, 3)
    return min(wanted, *state)  # more than is left takes everything, and loses


def _tell(before: State, after: State) -> None:
    _show(before)
    say(f"AI selects {before[0] - after[0]}")


def _show(state: State) -> None:
    (left,) = state
    say(f"\nThere {'is' if left == 1 else 'are'} {counted(left, 'stick')} on the board.")
