"""`coinlib qlearn`: a Q-learner that always moves first learns the game of sticks (misère play)."""

from __future__ import annotations

import argparse
from pathlib import Path

from coinlib.games import CoinGame, State, counted, sticks

from .talk import Gone, Told, ask, compiling_is_said, number_in, say, seed_option, whole

LEAVE = -1


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=whole(1, 1_000_000), help="how many (default: 100; with a person: until -1)")
    parser.add_argument("--opponent", choices=("random", "human"), default="random", help="default: random")
    parser.add_argument("--sticks", type=whole(1, 10_000), default=10, help="sticks at the start (default: 10)")
    parser.add_argument("--window", type=whole(1), default=5, help="games in the rolling win rate (default: 5)")
    parser.add_argument("--verbose", action="store_true", help="print every move")
    parser.add_argument("--print-q", action="store_true", help="print the Q-table at the end")
    parser.add_argument("--graph", type=Path, metavar="FILE", help="draw the win rate into a file (.png, .svg, .pdf)")
    seed_option(parser)


def run(wanted: argparse.Namespace) -> None:
    from numpy.random import SeedSequence

    from coinlib.agents import RandomAgent
    from coinlib.learners import QLearner

    if wanted.graph:
        _check_graph(wanted.graph)
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
    from coinlib.arena import play_match, train

    if not verbose:
        with compiling_is_said():
            return train(learner, opponent, games=games).won.tolist()
    won = []
    for number in range(1, games + 1):
        match = play_match(learner.game, learner, opponent, learn=True)
        say(f"\nGame {number}")
        for turn, (move, state) in enumerate(zip(match.moves, match.states[1:])):
            say(f"{'random' if turn % 2 else 'learner'} takes {move.count}, {state[0]} left")
        say(f"The learner {'wins' if match.winner == 1 else 'loses'}: {match.reason}.")
        won.append(match.winner == 1)
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
    say(f"\nThe learner won {sum(won):,} of {counted(len(won), 'game')}.")
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


def _check_graph(file: Path) -> None:
    """Say what is wrong with the name of the picture before anything is played."""
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = FigureCanvasBase.get_supported_filetypes()
    if file.suffix.removeprefix(".") not in kinds:
        raise ValueError(f"--graph: expected a name that ends in .png, .svg or .pdf; got {str(file)!r}")
    if not file.absolute().parent.is_dir():
        raise ValueError(f"--graph: there is no folder {str(file.parent)!r}")


def _draw(won: list[bool], window: int, file: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")  # a file needs no window
    import numpy as np

    from coinlib.arena import Run
    from coinlib.plots import win_rate

    results = np.where(won, 1, -1).astype(np.int8)
    run = Run("QLearner", "opponent", results, np.ones(len(won), dtype=bool), {})
    win_rate(run, window=window).figure.savefig(file)
