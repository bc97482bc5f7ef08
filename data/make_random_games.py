"""Make data/random_games.csv again: 10,000 games between two random players, the same bytes every time.

In the folder of the course:

    uv run python data/make_random_games.py

The columns are explained in data/README.md.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np

from coinlib import SCENARIOS, RandomAgent, play_match, solve
from coinlib.files import whole_file
from coinlib.match import Match

GAMES = 10_000
SEED = 2
COLUMNS = ("game", "scenario", "moves", "first_row", "first_count", "slips", "winner")
FILE = Path(__file__).resolve().parent / "random_games.csv"


def slips(match: Match) -> int:
    """How many moves of a game gave away a position that was won with perfect play.

    Parameters
    ----------
    match : Match
        A finished game of a `CoinGame`.

    Returns
    -------
    int
        0 to the number of moves.

    Examples
    --------
    >>> from coinlib import ScriptedAgent, sticks
    >>> slips(play_match(sticks(3), first=ScriptedAgent(1, 1), second=ScriptedAgent(1)))
    1
    """
    wins = solve(match.game).wins
    return sum(bool(wins[before] and wins[after]) for before, after in zip(match.states, match.states[1:]))


def rows(games: int = GAMES, seed: int = SEED):
    """One row for each game, in the order of `COLUMNS`; the scenarios take turns."""
    names = list(SCENARIOS)
    children = np.random.SeedSequence(seed).spawn(2)
    first, second = (RandomAgent(seed=child) for child in children)
    for game in range(1, games + 1):
        name = names[(game - 1) % len(names)]
        match = play_match(SCENARIOS[name], first, second)
        yield game, name, len(match.moves), *match.moves[0], slips(match), match.winner


def write(file: Path = FILE) -> None:
    """Write the whole file, with the same line ends on every system."""
    with whole_file(file) as half, half.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows())


def main() -> None:
    """Read the command line, then write."""
    words = "Make random_games.csv: 10,000 games between two random players."
    parser = argparse.ArgumentParser(description=words)
    parser.add_argument("--to", type=Path, default=FILE, help="where to write (default: beside this program)")
    write(parser.parse_args().to)


if __name__ == "__main__":
    main()
