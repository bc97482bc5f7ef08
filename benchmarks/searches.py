"""How often searches find a right move, and how long they take: `python -m benchmarks.searches`.

Positions are drawn at random among those in which some moves are right and some are not, and every search gets
the same ones. The tables go to `results/search.md`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks import report, rivals
from benchmarks.contest import in_words
from coinlib import SCENARIOS, CoinGame, GreedyCoins, greedy_move, three_piles
from coinlib.arena import wilson
from coinlib.search import SearchAgent, playouts
from coinlib.theory import winning_moves

RESULTS = Path(__file__).parent / "results"
SIMULATIONS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
SIDE_BY_SIDE = (100, 1_000)
Search = Callable[[object, tuple, int, int], object]  # (game, state, simulations, seed) -> move


class Position(NamedTuple):
    """A state of a game, and its right moves."""

    game: CoinGame | GreedyCoins
    state: tuple
    right: list


def in_rows(game: CoinGame, count: int) -> list[Position]:
    """Positions with any counts up to those at the start, equally likely."""
    chance = np.random.default_rng(1)
    found = []
    while len(found) < count:
        state = tuple(chance.integers(0, np.array(game.rows) + 1).tolist())
        right = winning_moves(game, state)
        if 0 < len(right) < len(game.legal_moves(state)):
            found.append(Position(game, state, right))
    return found


def in_greedy_rows(coins: int, most: int, count: int) -> list[Position]:
    """Full rows with values from 1 to `most`, equally likely."""
    chance = np.random.default_rng(1)
    found = []
    while len(found) < count:
        game = GreedyCoins(chance.integers(1, most + 1, coins).tolist())
        best = greedy_move(game.coins)
        if best != "LR":
            found.append(Position(game, game.start, [best]))
    return found


def judged(search: Search, simulations: int, positions: list[Position]) -> str:
    """The share of right moves with its 95 % interval, and the processor time of a move."""
    right = 0
    began = time.process_time()
    for seed, position in enumerate(positions):
        move = search(position.game, position.state, simulations, seed)
        if move in position.right:
            right += 1
    seconds = (time.process_time() - began) / len(positions)
    low, high = wilson(right, len(positions))
    return f"{right / len(positions):.0%} ({low:.0%} to {high:.0%}), {in_words(seconds)}"


def tree_search(game, state, simulations: int, seed: int):
    """The move of the library's tree search."""
    return SearchAgent(simulations, seed=seed)(game, state)


def flat_playouts(game, state, simulations: int, seed: int):
    """The move of as many random games, shared evenly among the legal moves."""
    found = playouts(game, state, max(2, simulations // len(game.legal_moves(state))), seed)
    return max(found, key=lambda move: found[move].mean)


def curves(count: int) -> list[list[str]]:
    """How our tree search improves with more simulations, in small and in large games."""
    games = {
        "NIM_7 (misère play)": in_rows(SCENARIOS["NIM_7"], count),
        "three piles of 12 (normal play)": in_rows(three_piles(12, 12, 12), count),
        "greedy rows of 30, values to 9": in_greedy_rows(30, 9, count),
        "greedy rows of 60, values to 1,000": in_greedy_rows(60, 1_000, count),
    }
    table = [["simulations", *games]]
    for simulations in SIMULATIONS:
        cells = [judged(tree_search, simulations, positions) for positions in games.values()]
        table.append([f"{simulations:,}", *cells])
    table.append(["a random move", *map(_by_chance, games.values())])
    return table


def _by_chance(positions: list[Position]) -> str:
    """How often a random move is right."""
    shares = [len(right) / len(game.legal_moves(state)) for game, state, right in positions]
    return f"{np.mean(shares):.0%}"


def side_by_side(count: int) -> list[list[str]]:
    """The same positions, the same number of simulations: ours and the libraries that are installed."""
    ways: dict[str, Search] = {"coinlib, tree search": tree_search, "coinlib, flat playouts": flat_playouts}
    if rivals.HAVE_OPEN_SPIEL:
        ways["OpenSpiel, tree search in Python"] = lambda *asked: rivals.mcts(*asked, compiled=False)
        ways["OpenSpiel, tree search in C++"] = lambda *asked: rivals.mcts(*asked, compiled=True)
    if rivals.HAVE_EASY_AI:
        ways["easyAI, alpha-beta"] = lambda game, state, positions, seed: rivals.negamax(game, state, positions)
    games = {
        "NIM_7": in_rows(SCENARIOS["NIM_7"], count),
        "three piles of 12": in_rows(three_piles(12, 12, 12), count),
    }
    heads = [f"{name}, {simulations:,}" for name, simulations in product(games, SIDE_BY_SIDE)]
    table = [["search", *heads]]
    for name, search in ways.items():
        row = [name]
        for game, simulations in product(games, SIDE_BY_SIDE):
            row.append(judged(search, simulations, games[game]))
        table.append(row)
    return table


def large(simulations: int = 1_000) -> list[list[str]]:
    """The first move in games that are too large for a table."""
    games = {
        "five rows of 50, any number a turn": CoinGame((50,) * 5, max_pick=None),
        "60 greedy coins, values to 1,000": in_greedy_rows(60, 1_000, 1)[0].game,
    }
    table = [["game", "a move", "states in the tree"]]
    for name, game in games.items():
        agent = SearchAgent(simulations, seed=1)
        began = time.process_time()
        agent(game, game.start)
        table.append([name, in_words(time.process_time() - began), f"{len(agent.tree):,}"])
    return table


def main(count: int = 200) -> None:
    """Print the tables and store them."""
    words = f"""# How well searches play

{report.machine()}.

Each cell: how often the move is a right one in {count} random positions (each with another seed), its 95 % Wilson
interval, and the processor time of a move.

## Right moves against simulations

{report.table(curves(count))}

## Large games, 1,000 simulations

{report.table(large())}

## Beside other libraries

The same positions. The searches with playouts make 100 or 1,000 for each move; easyAI deepens an alpha-beta search
until one has made as many moves. It has no playouts, and nothing to learn from a game that it does not see to its end.

{report.table(side_by_side(count))}
"""
    print(words)
    (RESULTS / "search.md").write_text(words, encoding="utf-8")


if __name__ == "__main__":
    main()
