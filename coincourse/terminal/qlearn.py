"""`coinlib qlearn`: a Q-learner that always moves first learns the game of sticks (misère play)."""

from __future__ import annotations

from functools import partial

import numpy as np

from coinlib.agents import RandomAgent
from coinlib.arena import Match, Run, train
from coinlib.arguments import counted
from coinlib.games import CoinGame, State, sticks
from coinlib.learners import QLearner

from .coins import Coins, rules
from .talk import Gone, Page, Wanted, ask, ctrl_c_leaves, draw_into, new_picture, say

LEAVE = "-1"


def options(page: Page) -> None:
    page.number("--games", "how many (default: 100; with a human: until -1)")
    page.choice("--opponent", ("random", "human"), "who moves second", default="random")
    page.number("--sticks", "sticks at the start", default=10)
    page.number("--most", "the most sticks that one turn may take", default=3)
    page.number("--window", "games in the rolling win rate", default=5)
    page.switch("--verbose", "print every move, also against random play")
    page.switch("--print-q", "print the Q-table after every update")
    page.file("--graph", new_picture, "draw the win rate into a file (.png, .svg or .pdf)")
    page.seed()


def run(wanted: Wanted) -> None:
    """Let a Q-learner learn the game of sticks (misère play), and draw its win rate."""
    mine, theirs = np.random.SeedSequence(wanted.seed).spawn(2)
    game = sticks(wanted.sticks, max_pick=wanted.most)
    learner = QLearner(game, legal_only=False, seed=mine)  # as in the source it has to find out what loses
    opponent = RandomAgent(theirs, legal_only=False)
    say(rules(game))
    say("The Q-learner always moves first: learning rate 1, discount 1, no exploration.")
    if wanted.opponent == "human":
        say(f"You are the other player. {LEAVE} leaves.")
        opponent = None
    else:
        wanted.games = wanted.games or 100
    if opponent is None or wanted.verbose or wanted.print_q:
        run = Lesson(game, (learner, opponent), wanted).run()
    else:
        with ctrl_c_leaves():
            run = train(learner, opponent, games=wanted.games)
    sum_up(run, wanted)


class Lesson(Coins):
    """Games that the learner learns from, told move by move; the wins are the learner's."""

    def __init__(self, game: CoinGame, seats: tuple, wanted: Wanted) -> None:
        super().__init__(game, seats, ("learner", wanted.opponent))
        self.wanted = wanted

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
        if self.wanted.print_q:
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
        return self.wanted.games is None or len(self.won) < self.wanted.games


def sum_up(run: Run, wanted: Wanted) -> None:
    """What came of it: the count, the window, the graph."""
    played, won, window = len(run.result), run.won, wanted.window
    say(f"\nThe learner won {won.sum():,} of {played:,} game{'s' * (played != 1)}.")
    if played < window:
        say(f"There is no win rate: it needs {counted(window, 'game')}, the window.")
        return
    say(f"Of the last {window} it won {won[-window:].sum()}.")
    if wanted.graph:
        from coinlib.plots import win_rate

        draw_into(wanted.graph, partial(win_rate, run, window), (8, 4.2))
        say(f"The win rate over the last {counted(window, 'game')} is drawn in {wanted.graph}.")
