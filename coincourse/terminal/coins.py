"""`coinlib coins`: any rows of coins, either ending, between people, machines or both."""

from __future__ import annotations

import argparse
import warnings
from functools import partial
from itertools import pairwise

from coinlib import named
from coinlib.games import SCENARIOS, CoinGame, Move, State, read_move
from coinlib.solvers import solve

from .talk import BOLD, Told, again, ask, compiling_is_said, in_colour, number_in, say, seed_option, whole

PERSON = "person"
COIN, WIDEST = "o", 60  # a sign for a coin, and how many of them in a line
MOST_ROWS, MOST_COINS = 20, 1_000_000  # more cannot be looked at, or played in a lifetime
PLAYERS = {PERSON: "asks somebody", **{name.replace("_", "-"): agent.words for name, agent in named.AGENTS.items()}}


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", nargs="?", metavar="SCENARIO", help=f"one of {', '.join(SCENARIOS)}")
    parser.add_argument("--rows", metavar="N,N,...", help="rows of your own, such as 1,3,5,7")
    parser.add_argument(
        "--max-pick",
        type=whole(1),
        metavar="K",
        help="the most coins one turn may take (default: the scenario's; with --rows any number)",
    )
    parser.add_argument("--normal", action="store_true", help="normal play: who takes the last coin wins, not loses")
    parser.add_argument(
        "--first", choices=PLAYERS, default=PERSON, metavar="PLAYER", help="who moves first (default: person)"
    )
    parser.add_argument(
        "--second", choices=PLAYERS, default="perfect", metavar="PLAYER", help="the other player (default: perfect)"
    )
    parser.add_argument(
        "--games", type=whole(1, 10_000_000), metavar="N", help="two machines: play so many games and count"
    )
    parser.add_argument(
        "--alternate", action="store_true", help="two machines: each moves first in turn (1000 games without --games)"
    )
    parser.add_argument(
        "--practice",
        type=whole(0, 10_000_000),
        default=100_000,
        metavar="N",
        help="games that hats and qlearner have played before (default: 100000)",
    )
    width = max(map(len, PLAYERS))
    parser.epilog = "\n".join(["players:", *(f"  {name:<{width}}  {words}" for name, words in PLAYERS.items())])
    seed_option(parser)


def run(wanted: argparse.Namespace) -> None:
    game = _game(wanted)
    people = [wanted.first, wanted.second].count(PERSON)
    if people and (wanted.games or wanted.alternate):
        raise ValueError("--games and --alternate are for two machines; choose --first and --second without a person")
    machines = _machines(game, wanted)
    say(f"{rules(game)} {game.ending.capitalize()}: who takes the last coin {'loses' if game.misere else 'wins'}.")
    if wanted.games or wanted.alternate:
        _count(game, machines, wanted)
        return
    names = (wanted.first, wanted.second)
    won: list[bool] = []
    while True:
        winner = _play(game, machines, names)
        if people == 1:
            won.append(names[winner - 1] == PERSON)
        if not people or not again(won):
            return


def _game(wanted: argparse.Namespace) -> CoinGame:
    """The game that was asked for."""
    if (wanted.scenario is None) == (wanted.rows is None):
        raise ValueError(f"expected a scenario ({', '.join(SCENARIOS)}) or --rows, such as --rows 1,3,5,7")
    if wanted.rows is not None:
        rows = [number_in(row) for row in wanted.rows.split(",")]
        if None in rows:
            raise ValueError(f"--rows: expected numbers of coins, such as 1,3,5,7; got {wanted.rows[:40]!r}")
        if len(rows) > MOST_ROWS or max(rows) > MOST_COINS:
            raise ValueError(f"--rows: expected at most {MOST_ROWS} rows of at most {MOST_COINS:,} coins")
        return CoinGame(tuple(rows), wanted.max_pick, misere=not wanted.normal)
    if wanted.scenario.upper() not in SCENARIOS:
        raise ValueError(f"expected a scenario ({', '.join(SCENARIOS)}); got {wanted.scenario[:40]!r}")
    scenario = SCENARIOS[wanted.scenario.upper()]
    return CoinGame(scenario.rows, wanted.max_pick or scenario.max_pick, misere=not wanted.normal)


def rules(game: CoinGame) -> str:
    most = "any number of coins" if game.max_pick is None else f"1 to {game.max_pick} coins"
    most = {1: "1 coin", 2: "1 or 2 coins"}.get(game.max_pick, most)
    rows = ", ".join(map(str, game.rows))
    return f"{'Row' if len(game.rows) == 1 else 'Rows'} of {rows}: take {most} from one row."


def _machines(game: CoinGame, wanted: argparse.Namespace) -> list:
    """The two players, None for a person; learners have practised, each with itself."""
    from numpy.random import SeedSequence

    seeds = SeedSequence(wanted.seed).spawn(2)
    names = (wanted.first, wanted.second)
    return [None if name == PERSON else machine(game, name, seed, wanted.practice) for name, seed in zip(names, seeds)]


def machine(game: CoinGame, name: str, seed, practice: int):
    """The agent of that name; a learner has practised, and what plays perfectly has solved the game."""
    if name == "mirror" and len(game.rows) != 2:
        raise ValueError(f"mirror needs two rows; this game has {len(game.rows)}")
    with compiling_is_said(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="stopped after")  # which whoever pressed Ctrl-C knows
        agent = named.agent(name, game, seed, practice)
        if name == "perfect":
            solve(game)  # now: later it is remembered, and a game too large is refused at once
    if getattr(agent, "games", practice) < practice:
        raise KeyboardInterrupt  # it ends the program, not only the practice
    return agent


def _play(game: CoinGame, machines: list, names: tuple[str, str]) -> int:
    """One game in which people are asked, and told of what machines do: who won, 1 or 2."""
    from coinlib.arena import play_match

    def tell(seat: int, before: State, after: State) -> None:
        row = next(row for row, held in enumerate(before) if held != after[row])
        _show(game, before)
        say(f"Player {seat} ({names[seat - 1]}) takes {before[row] - after[row]} from row {row}.")

    told = Told(game, partial(tell, 1 if machines[0] else 2), _ask_person)
    match = play_match(game, *(machine or told.person(seat) for seat, machine in enumerate(machines, 1)), learn=True)
    if None in machines:
        told.catch_up(match.states[-1])
    else:
        for turn, (state, following) in enumerate(pairwise(match.states)):
            tell(turn % 2 + 1, state, following)
    say(in_colour(f"Player {match.winner} wins: {match.reason}.", BOLD))
    return match.winner


def _ask_person(game: CoinGame, state: State, player: int) -> Move:
    from coinlib.agents import HumanAgent

    _show(game, state)
    question = "How many coins do you take" if len(state) == 1 else "Which row, and how many coins, such as 0 1"
    return read_move(game, state, HumanAgent(ask=lambda _: ask(f"Player {player}: {question}? "), say=say)(game, state))


def _show(game: CoinGame, state: State) -> None:
    """The rows, a sign for each coin."""
    width, digits = len(str(max(game.rows))), len(str(len(game.rows) - 1))
    say()
    for row, held in enumerate(state):
        say(
            f"row {row:>{digits}}: {held:>{width}}  {COIN * min(held, WIDEST)}{' ...' if held > WIDEST else ''}".rstrip()
        )


def _count(game: CoinGame, machines: list, wanted: argparse.Namespace) -> None:
    """Many games between two machines, counted for each."""
    from coinlib.arena import evaluate, wilson

    games = wanted.games or 1_000
    with compiling_is_said():
        found = evaluate(game, *machines, games=games, first="alternate" if wanted.alternate else "agent")
    one, two = _told_apart(wanted.first, wanted.second)
    order = "the first move alternates" if wanted.alternate else f"{one} always moves first"
    say(f"{found.games:,} games, {order}.")
    for name, wins, forfeits in (
        (one, found.wins, found.forfeits),
        (two, found.losses, found.opponent_forfeits),
    ):
        low, high = wilson(wins, found.games)
        lost = f"; {forfeits:,} forfeited by an illegal move" if forfeits else ""
        say(f"{name}: {wins:,} won ({wins / found.games:.1%}, 95 % interval {low:.1%} to {high:.1%}){lost}")
    if found.error:
        say(f"stopped: {found.error}")


def _told_apart(one: str, two: str) -> tuple[str, str]:
    """The names of two players, with numbers where they are the same."""
    return (f"{one} 1", f"{two} 2") if one == two else (one, two)
