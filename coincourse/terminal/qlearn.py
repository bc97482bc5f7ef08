"""`coinlib qlearn`: a Q-learner that always moves first learns the game of sticks (misère play)."""

from __future__ import annotations

import argparse
from pathlib import Path

from coinlib.arguments import counted
from coinlib.files import whole_file
from coinlib.games import CoinGame, State, sticks

from .talk import Gone, Told, ask, new_file, number_in, practised, say, seed_option, whole

LEAVE = -1


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--games", type=whole(1, 1_000_000), metavar="N", help="how many (default: 100; with a human: until -1)"
    )
    parser.add_argument(
        "--opponent", choices=("random", "human"), default="random", help="who moves second (default: random)"
    )
    parser.add_argument(
        "--sticks", type=whole(1, 10_000), default=10, metavar="N", help="sticks at the start (default: 10)"
    )
    parser.add_argument(
        "--window", type=whole(1), default=5, metavar="N", help="games in the rolling win rate (default: 5)"
    )
    parser.add_argument("--verbose", action="store_true", help="print every move, also against random play")
    parser.add_argument("--print-q", action="store_true", help="print the Q-table at the end")
    parser.add_argument(
        "--graph", type=_picture, metavar="FILE", help="draw the win rate into a file (.png, .svg or .pdf)"
    )
    seed_option(parser)


def run(wanted: argparse.Namespace) -> None:
    from numpy.random import SeedSequence

    from coinlib.agents import RandomAgent
    from coinlib.learners import QLearner

    mine, theirs = SeedSequence(wanted.seed).spawn(2)
    game = sticks(wanted.sticks, max_pick=3)
    learner = QLearner(game, legal_only=False, seed=mine)  # as in the source it has to find out what loses
    say(f"{counted(wanted.sticks, 'stick')}, take 1 to 3, misère play: who takes the last one loses.")
    say("The Q-learner always moves first: learning rate 1, discount 1, no exploration.")
    if wanted.opponent == "human":
        say(f"You are the other player. {LEAVE} leaves.")
        won = _with_person(learner, wanted.games)
    else:
        won = _with_random(learner, RandomAgent(theirs, legal_only=False), wanted.games or 100, wanted.verbose)
    _sum_up(learner, won, wanted)


def _with_random(learner, opponent, games: int, verbose: bool) -> list[bool]:
    """Which games the learner won against random play, each move told or none."""
    from coinlib.arena import play_match

    if not verbose:
        return practised(learner, opponent, games=games).won.tolist()
    won = []
    for number in range(1, games + 1):
        match = play_match(learner.game, learner, opponent, learn=True)
        say(f"\nGame {number}")
        for turn, (move, state) in enumerate(zip(match.moves, match.states[1:])):
            say(f"{'random' if turn % 2 else 'learner'} takes {move.count}, {state[0]} left")
        won.append(match.winner == 1)
        if match.forfeit:
            say(f"{'random' if won[-1] else 'learner'} takes more than is left")
        say(f"The learner {'wins' if won[-1] else 'loses'}.")
    return won


def _with_person(learner, games: int | None) -> list[bool]:
    """Which games the learner won against a person, until so many are played or the person leaves."""
    from coinlib.arena import play_match

    won: list[bool] = []
    try:
        while games is None or len(won) < games:
            say(f"\nGame {len(won) + 1}")
            told = Told(learner.game, _tell, _ask_person)
            match = play_match(learner.game, learner, told.person("you"), learn=True)
            told.catch_up(match.states[-1])
            won.append(match.winner == 1)
            if match.forfeit:
                say("The learner takes more than is left.")
            say("You lose." if won[-1] else "You win.")
    except Gone:  # the game that was not finished is not learnt from
        say()
    return won


def _tell(before: State, after: State) -> None:
    say(f"The learner takes {before[0] - after[0]}, {after[0]} left.")


def _ask_person(game: CoinGame, state: State, _who) -> int:
    while True:
        number = number_in(ask("Sticks to remove? "))
        if number == LEAVE:
            raise Gone
        if number in (1, 2, 3):
            return min(number, *state)  # more than is left takes everything, and loses
        say(f"Please enter 1, 2 or 3, or {LEAVE} to leave")


def _sum_up(learner, won: list[bool], wanted: argparse.Namespace) -> None:
    """What came of it: the count, the window, the table, the graph."""
    total = f"{len(won):,} game{'s' * (len(won) != 1)}"
    say(f"\nThe learner won {sum(won):,} of {total}." if won else "\nNo game was finished.")
    if len(won) >= wanted.window:
        say(f"Of the last {wanted.window} it won {sum(won[-wanted.window :])}.")
    if wanted.print_q:
        _print_q(learner)
    if wanted.graph and len(won) < wanted.window:
        say(f"There is no graph: it needs {counted(wanted.window, 'game')}, the window.")
    elif wanted.graph:
        _draw(won, wanted.window, wanted.graph)
        say(f"The win rate over the last {counted(wanted.window, 'game')} is drawn in {wanted.graph}.")


def _print_q(learner) -> None:
    """The values of every take with every number of sticks."""
    takes = [f"take {move.count}" for move in learner.table.moves]
    say("\nsticks" + "".join(f"{take:>10}" for take in takes))
    for state, values in list(zip(learner.table.states, learner.values))[::-1]:
        if any(state):
            say(f"{state[0]:>6}" + "".join(f"{value:>10.3g}" for value in values))


def _picture(words: str) -> Path:
    """A type for argparse: a file that a picture can be written to."""
    file = new_file(words)
    if file.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise argparse.ArgumentTypeError(f"expected a name that ends in .png, .svg or .pdf; got {words[:60]!r}")
    return file


def _draw(won: list[bool], window: int, file: Path) -> None:
    import numpy as np
    from matplotlib.figure import Figure  # not pyplot: a file needs no window, and a notebook keeps its own

    from coinlib.arena import Run
    from coinlib.plots import win_rate

    results = np.where(won, 1, -1).astype(np.int8)
    run = Run("QLearner", "opponent", results, np.ones(len(won), dtype=bool), {})
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    win_rate(run, window=window, ax=figure.subplots())
    with whole_file(file) as half:
        figure.savefig(half)
