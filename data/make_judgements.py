"""Make the three tables of the project on networks again: the same bytes every time, in about half an hour.

In the folder of the course:

    uv run python data/make_judgements.py

The columns are explained in data/README.md.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np

from coinlib import CoinGame, sticks
from coinlib.files import whole_file
from coinlib.projects.networks import WAYS, Judgement, signs
from coinlib.projects.ten_seeds import SEEDS, all_states, exact, right_moves, taught
from coinlib.search import SearchAgent
from coinlib.theory import is_lost

FOLDER = Path(__file__).resolve().parent
EXPLORATIONS = (0.1, 0.2, 0.5)
SIMULATIONS = (30, 100, 300, 1_000, 3_000, 10_000)
ROW = sticks(63, max_pick=3, misere=False)


def piles(number: int, size: int) -> CoinGame:
    """Piles of one size, normal play; a move takes any number of coins from one pile."""
    return CoinGame((size,) * number, max_pick=None, misere=False)


GAMES = [ROW, piles(1, 7), piles(2, 7), piles(3, 7), piles(4, 7), piles(2, 15), piles(3, 15)]


def half_of_the_states() -> Iterator[tuple]:
    """Taught on half of the states, judged on the other half."""
    yield "rows", "max_pick", "way", "seed", "right", "won", "below_zero", "lost"
    for game in GAMES:
        for name, way in WAYS.items():
            for seed in SEEDS:
                judgement, unseen = taught(game, way, seed)
                lost = [state for state in unseen if is_lost(game, state)]
                below_zero = int((judgement.worth(lost) < 0).sum()) if lost else 0
                rows = " ".join(map(str, game.rows))
                yield rows, game.max_pick, name, seed, *right_moves(judgement, unseen), below_zero, len(lost)


def self_play() -> Iterator[tuple]:
    """Three piles of 7: right moves among all won states, after so many games with itself."""
    yield "way", "seed", "games", "right", "won"
    game = piles(3, 7)
    for name, way in WAYS.items():
        for seed in SEEDS:
            judgement = Judgement(game, way, seed=seed)
            for games in (250, 250, 500, 1_000, 1_000, 1_000, 1_000):
                judgement.practise(games)
                yield name, seed, judgement.games, *right_moves(judgement, all_states(game))


def inside_a_search() -> Iterator[tuple]:
    """Three piles of 7: first moves of the tree search that win, with different judges, in 20 won states."""
    yield "judge", "exploration", "seed", "simulations", "right", "states"
    game = piles(3, 7)
    large = [state for state in all_states(game) if sum(state) >= 12 and not is_lost(game, state)]
    for seed in SEEDS:
        drawn = np.random.default_rng([seed, 2]).choice(len(large), size=20, replace=False)
        states = [large[place] for place in drawn]
        practised = Judgement(game, signs, seed=seed)
        practised.practise(2_000)
        judges = {"playouts": None, "taught": taught(game, signs, seed)[0], "practised": practised, "exact": exact}
        for name, judge in judges.items():
            for exploration, simulations in product(EXPLORATIONS, SIMULATIONS):
                agent = SearchAgent(simulations, exploration, seed, judge)
                right = sum(is_lost(game, game.play(state, agent(game, state))) for state in states)
                yield name, exploration, seed, simulations, right, len(states)


TABLES = {
    "judgements_half.csv": half_of_the_states,
    "judgements_self_play.csv": self_play,
    "judgements_search.csv": inside_a_search,
}


def write(folder: Path = FOLDER) -> None:
    """Write the tables, with the same line ends on every system."""
    for name, rows in TABLES.items():
        with whole_file(folder / name) as half, half.open("w", newline="", encoding="utf-8") as lines:
            csv.writer(lines, lineterminator="\n").writerows(rows())


def main() -> None:
    """Read the command line, then write."""
    parser = argparse.ArgumentParser(description="Make the tables of the project on networks: judgements_*.csv.")
    parser.add_argument(
        "--to", type=Path, default=FOLDER, help="the folder to write into (default: that of this program)"
    )
    write(parser.parse_args().to)


if __name__ == "__main__":
    main()
