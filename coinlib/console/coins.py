"""`coinlib coins`: any rows of coins, either ending, between people, machines or both."""

from __future__ import annotations

import argparse
from itertools import pairwise

from coinlib.games import SCENARIOS, CoinGame, State, read_move

from .talk import BOLD, Told, again, ask, compiling_is_said, in_colour, number_in, say, seed_option, whole

PERSON = "person"
COIN, WIDEST = "o", 60  # a sign for a coin, and how many of them in a line
PLAYERS = {  # how they are called, and what they do
    PERSON: "asks somebody",
    "random": "any legal move",
    "careless": "any move, legal or not",
    "take-one": "one coin from the first row that has any",
    "take-most": "as many as allowed from the fullest row",
    "leave-multiple": "counts on all coins as if they lay in one row",
    "mirror": "makes two rows equal",
    "hats": "has practised with itself, and goes on learning",
    "qlearner": "has practised with itself, and goes on learning",
    "perfect": "never gives a win away",
}


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", nargs="?", metavar="SCENARIO", help=f"one of {', '.join(SCENARIOS)}")
    parser.add_argument("--rows", metavar="N,N,...", help="rows of your own, such as 1,3,5,7")
    parser.add_argument(
        "--max-pick", type=whole(1), metavar="K", help="the most coins one turn may take (default: any)"
    )
    parser.add_argument("--normal", action="store_true", help="normal play: who takes the last coin wins, not loses")
    who = "; ".join(f"{name}: {words}" for name, words in PLAYERS.items())
    parser.add_argument("--first", choices=PLAYERS, default=PERSON, metavar="PLAYER", help=f"who moves first. {who}")
    parser.add_argument("--second", choices=PLAYERS, default="perfect", metavar="PLAYER", help="the other player")
    parser.add_argument("--games", type=whole(1, 10_000_000), help="two machines: play so many games and count")
    parser.add_argument("--alternate", action="store_true", help="two machines: the first move goes round")
    parser.add_argument(
        "--practice",
        type=whole(0, 10_000_000),
        default=100_000,
        help="games that hats and qlearner have played before (default: 100000)",
    )
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
    while True:
        _play(game, machines)
        if not people or not again():
            return


def _game(wanted: argparse.Namespace) -> CoinGame:
    """The game that was asked for."""
    if (wanted.scenario is None) == (wanted.rows is None):
        raise ValueError(f"expected a scenario ({', '.join(SCENARIOS)}) or --rows, such as --rows 1,3,5,7")
    if wanted.rows is not None:
        rows = [number_in(row) for row in wanted.rows.split(",")]
        if None in rows:
            raise ValueError(f"--rows: expected numbers of coins, such as 1,3,5,7; got {wanted.rows[:40]!r}")
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
    from coinlib import agents, arena, learners, solvers

    if name in ("hats", "qlearner"):
        explores = learners.linear(0.5, 0.0, max(1, practice))
        learner = (
            learners.Hats(game, seed=seed)
            if name == "hats"
            else learners.QLearner(game, learning_rate=0.2, exploration=explores, seed=seed)
        )
        with compiling_is_said():
            arena.train(learner, learner, games=practice)
        return learner
    if name == "mirror" and len(game.rows) != 2:
        raise ValueError(f"mirror needs two rows; this game has {len(game.rows)}")
    if name in ("random", "careless"):
        return agents.RandomAgent(seed, legal_only=name == "random")
    if name == "perfect":
        with compiling_is_said():
            solvers.solve(game)  # now: later it is remembered, and a game too large is refused at once
        return agents.PerfectAgent(seed)
    return agents.RuleAgent(getattr(agents, name.replace("-", "_")), name)


def _play(game: CoinGame, machines: list) -> None:
    """One game in which people are asked, and told of what machines do."""
    from coinlib.agents import HumanAgent
    from coinlib.arena import play_match

    def choose(game: CoinGame, state: State, player: int):
        _show(game, state)
        return read_move(game, state, HumanAgent(f"Player {player}", ask, say)(game, state))

    def tell(before: State, after: State) -> None:
        row = next(row for row, held in enumerate(before) if held != after[row])
        _show(game, before)
        say(f"The machine takes {before[row] - after[row]} from row {row}.")

    told = Told(game, tell, choose)
    match = play_match(game, *(machine or told.person(seat) for seat, machine in enumerate(machines, 1)), learn=True)
    if None in machines:
        told.catch_up(match.states[-1])
    else:
        for state, following in pairwise(match.states):
            tell(state, following)
    say(in_colour(f"Player {match.winner} wins: {match.reason}.", BOLD))


def _show(game: CoinGame, state: State) -> None:
    """The rows, a sign for each coin."""
    width = len(str(max(game.rows)))
    say()
    for row, held in enumerate(state):
        say(f"row {row}: {held:>{width}}  {COIN * min(held, WIDEST)}{' ...' if held > WIDEST else ''}".rstrip())


def _count(game: CoinGame, machines: list, wanted: argparse.Namespace) -> None:
    """Many games between two machines, counted for each."""
    from coinlib.arena import evaluate, wilson

    games = wanted.games or 1_000
    with compiling_is_said():
        found = evaluate(game, *machines, games=games, first="alternate" if wanted.alternate else "agent")
    order = "the first move alternates" if wanted.alternate else f"{wanted.first} always moves first"
    say(f"{games:,} games, {order}.")
    for name, wins, forfeits in (
        (wanted.first, found.wins, found.forfeits),
        (wanted.second, found.losses, found.opponent_forfeits),
    ):
        low, high = wilson(wins, games)
        lost = f"; {forfeits:,} forfeited by an illegal move" if forfeits else ""
        say(f"{name}: {wins:,} won ({wins / games:.1%}, 95 % interval {low:.1%} to {high:.1%}){lost}")
    if found.error:
        say(f"stopped after {found.games:,} games: {found.error}")
