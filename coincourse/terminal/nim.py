"""`coinlib nim`: three piles of coins, normal play, against a player that never errs."""

from __future__ import annotations

import argparse
import re
from functools import partial

from coinlib.arguments import counted
from coinlib.games import CoinGame, Move, State, three_piles

from .talk import GREEN, RED, Told, again, ask, compiling_is_said, in_colour, say, seed_option, whole

PILES = "ndq"  # of nickels, dimes and quarters
ANSWER = re.compile(r"\s*([ndq])[\s,]*([0-9]{1,3})\s*", re.IGNORECASE)


def options(parser: argparse.ArgumentParser) -> None:
    for pile, coin in zip(PILES, ("nickels", "dimes", "quarters")):
        parser.add_argument(pile, type=whole(0, 100), metavar=pile.upper(), help=f"how many {coin}, 0 to 100")
    parser.add_argument("--second", action="store_true", help="let the computer make the first move")
    seed_option(parser)


def run(wanted: argparse.Namespace) -> None:
    from coinlib.agents import PerfectAgent
    from coinlib.arena import play_match
    from coinlib.solvers import solve

    game = three_piles(wanted.n, wanted.d, wanted.q)
    say("Three piles, normal play: n nickels, d dimes and q quarters.")
    say("Take any number of coins from one pile. Who takes the last coin wins.")
    with compiling_is_said():
        solution = solve(game)
    computer = PerfectAgent(wanted.seed)
    won: list[bool] = []
    while True:
        say(_forecast(solution, game))
        if game.is_over(game.start):
            return
        say("I move first." if wanted.second else "You move first.")
        told = Told(game, _tell, partial(_ask_person, solution))
        players = (told.person("you"), computer)
        match = play_match(game, *(players[::-1] if wanted.second else players))
        told.catch_up(match.states[-1])
        won.append((match.winner == 2) == wanted.second)
        say(in_colour("You took the last coin: you win.", GREEN) if won[-1] else "I took the last coin: I win.")
        if not again(won):
            return
        say()


def _forecast(solution, game: CoinGame) -> str:
    """Before the first move: whether the first player can force a win, and how."""
    start = game.start
    if game.is_over(start):
        return f"{start}: no coin is on the table, so whoever is to move has lost."
    moves = solution.best_moves(start)
    if not moves:
        return f"{start}: the first player cannot force a win. Every move leaves the other player a win."
    return f"{start}: the first player can force a win: {_or(game, start, moves)}."


def _or(game: CoinGame, state: State, moves: list[Move]) -> str:
    """Moves in words, with what they leave."""
    return ", or ".join(f"take {move.count} from {PILES[move.row]}, leaving {game.play(state, move)}" for move in moves)


def _ask_person(solution, game: CoinGame, state: State, _who) -> Move:
    """The person's move, and a word where it gives a win away."""
    piles = ", ".join(f"{pile} = {held}" for pile, held in zip(PILES, state))
    move = _read(f"\n{piles}. Your move (pile and number, such as n 2)? ", state)
    winning = solution.best_moves(state)
    if winning and move not in winning:
        say(f"{in_colour('That was a mistake.', RED)} You could have won: {_or(game, state, winning)}.")
    return move


def _tell(before: State, after: State) -> None:
    for pile, held, left in zip(PILES, before, after):
        if held > left:
            say(f"I take {held - left} from {pile}, leaving {after}.")


def _read(question: str, state: State) -> Move:
    """A legal move, asked for until there is one."""
    while True:
        found = ANSWER.fullmatch(ask(question))
        if not found:
            say("Please enter a pile (n, d or q) and a number of coins, such as n 2")
            continue
        pile, count = PILES.index(found[1].lower()), int(found[2])
        if 1 <= count <= state[pile]:
            return Move(pile, count)
        held = counted(state[pile], "coin")
        wanted = {0: "another pile", 1: f"{PILES[pile]} 1"}.get(state[pile], f"a number between 1 and {state[pile]}")
        say(f"Pile {PILES[pile]} holds {held}. Please enter {wanted}")
