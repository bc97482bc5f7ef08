"""`coinlib qlearn`: a Q-learner that always moves first learns the game of sticks (misère play)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np

from coinlib.agents import RandomAgent
from coinlib.arguments import counted, whole_number
from coinlib.games import CoinGame, State
from coinlib.learners import QLearner
from coinlib.match import Match
from coinlib.training import Run, train

from .coins import Coins, rules
from .talk import Gone, ask, draw_into, say

LEAVE = "-1"
Opponent = Annotated[str, "opponent", {"random": "plays at random", "human": "asks somebody"}]


def run(
    *,
    games: int | None = None,
    opponent: Opponent = "random",
    sticks: int = 10,
    most: int = 3,
    window: int = 5,
    verbose: bool = False,
    print_q: bool = False,
    graph: Path | None = None,
    seed: int | None = None,
) -> None:
    """Let a Q-learner learn the game of sticks (misère play), and draw its win rate.

    Parameters
    ----------
    games : int, optional
        How many (default: 100; with a human: until -1).
    opponent : str
        Who moves second.
    sticks : int
        Sticks at the start.
    most : int
        The most sticks that one turn may take.
    window : int
        Games in the rolling win rate.
    verbose : bool
        Print every move, also against random play.
    print_q : bool
        Print the Q-table after every update.
    graph : Path, optional
        Draw the win rate into a file (.png, .svg or .pdf).
    seed : int, optional
        The same seed, the same luck (default: new luck each time).
    """
    for option, number in {"games": 100 if games is None else games, "sticks": sticks, "window": window}.items():
        whole_number(number, option, least=1)
    mine, theirs = np.random.SeedSequence(seed).spawn(2)
    game = CoinGame((sticks,), max_pick=most)
    learner = QLearner(game, legal_only=False, seed=mine)  # as in the source it has to find out what loses
    player = None if opponent == "human" else RandomAgent(theirs, legal_only=False)
    say(rules(game))
    say("The Q-learner always moves first: learning rate 1, discount 1, no exploration.")
    if player is None:
        say(f"You are the other player. {LEAVE} leaves.")
    else:
        games = games or 100
    if player is None or verbose or print_q:
        run = Lesson(game, (learner, player), opponent, games, print_q).run()
    else:
        run = train(learner, player, games=games)
    sum_up(run, window, graph)


class Lesson(Coins):
    """Games that the learner learns from, told move by move; the wins are the learner's."""

    def __init__(self, game: CoinGame, seats: tuple, opponent: str, games: int | None, print_q: bool) -> None:
        super().__init__(game, seats, ("learner", opponent))
        self.games, self.print_q = games, print_q

    def run(self) -> Run:
        """Game after game, until all are played or a person leaves; the game that was not finished is not learnt from."""
        try:
            super().run()
        except Gone:
            say()
        results = np.where(self.won, 1, -1).astype(np.int8)
        return Run(*self.names, results, np.ones(len(results), dtype=bool))

    def begin(self) -> None:
        say(f"\nGame {len(self.won) + 1}")

    def show(self, match: Match) -> None:
        if match.turn == 2 and len(match.moves) > 1:  # the learner has just heard what came of its move before
            self.show_table()
        super().show(match)

    def show_table(self) -> None:
        """The values of every take with every number of sticks, where they are wanted."""
        if self.print_q:
            learner = self.seats[0]
            say("\nsticks" + "".join(f"{f'take {move.count}':>10}" for move in learner.table.moves))
            for (left,), values in sorted(zip(learner.table.states, learner.values))[1:]:
                say(f"{left:>6}" + "".join(f"{value:>10.3g}" for value in values))

    def answer(self, state: State, player: int) -> str:
        words = ask("Sticks to remove? ")
        if words.strip() == LEAVE:
            raise Gone
        return words

    def end(self, match: Match) -> None:
        self.show_table()
        self.won.append(match.winner == 1)
        say(f"\nThe learner {'wins' if self.won[-1] else 'loses'}: {match.reason}.")

    def again(self) -> bool:
        return self.games is None or len(self.won) < self.games


def sum_up(run: Run, window: int, graph: Path | None) -> None:
    """What came of it: the count, the window, the graph."""
    played, won = len(run.result), run.won
    say(f"\nThe learner won {won.sum():,} of {played:,} game{'s' * (played != 1)}.")
    say(f"Of the last {min(window, played)} it won {won[-window:].sum()}.")
    if graph:
        from coinlib.plots import win_rate

        draw_into(graph, partial(win_rate, run, window), (8, 4.2))
        say(f"The win rate over the last {counted(window, 'game')} is drawn in {graph}.")
