"""`coinlib qlearn`: a Q-learner that always moves first learns the game of sticks (misère play)."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from coinlib.agents import RandomAgent
from coinlib.arena import Match, Run, train
from coinlib.arguments import counted
from coinlib.games import State, sticks
from coinlib.learners import QLearner

from .play import Program
from .sticks import take
from .talk import Gone, Page, Wanted, ask_until, ctrl_c_leaves, draw_into, new_picture, say

LEAVE = "-1"
VOICES = {  # the players, what ends a sentence, and what is said when the learner has lost or won
    "random": (("learner", "random"), "", ("The learner loses.", "The learner wins.")),
    "human": (("The learner", "You"), ".", ("You win.", "You lose.")),
}


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
    takes = "1" if wanted.most == 1 else f"1 to {wanted.most}"
    say(f"{counted(wanted.sticks, 'stick')}, take {takes}, misère play: who takes the last one loses.")
    say("The Q-learner always moves first: learning rate 1, discount 1, no exploration.")
    if wanted.opponent == "human":
        say(f"You are the other player. {LEAVE} leaves.")
        opponent = None
    else:
        wanted.games = wanted.games or 100
    if opponent is None or wanted.verbose or wanted.print_q:
        won = Lesson(game, (learner, opponent), wanted).run()
    else:
        with ctrl_c_leaves():
            won = train(learner, opponent, games=wanted.games).won.tolist()
    _sum_up(won, wanted)


class Lesson(Program):
    """Games that the learner learns from, told move by move; the wins are the learner's."""

    def run(self) -> list[bool]:
        """Game after game, until all are played or a person leaves; which of them the learner has won."""
        self.names, self.stop, self.verdicts = VOICES[self.wanted.opponent]
        self.takes = {str(take): take for take in range(1, self.wanted.most + 1)} | {LEAVE: None}
        try:
            super().run()
        except Gone:  # the game that was not finished is not learnt from
            say()
        return self.won

    def begin(self) -> None:
        say(f"\nGame {len(self.won) + 1}")

    def ask(self, state: State, player: int) -> int:
        takes = ", ".join(list(self.takes)[:-1])
        complaint = f"Please enter {' or '.join(takes.rsplit(', ', 1))}, or {LEAVE} to leave"
        count = ask_until("Sticks to remove? ", lambda words: self.takes[words.strip()], complaint)
        if count is None:
            raise Gone
        return take(count, state)

    def tell(self, match: Match) -> None:
        if (
            match.turn == 2 and len(match.moves) > 1 and not match.over
        ):  # the learner, which has just heard what came of its move before
            self.show_table()
        say(f"{self.names[2 - match.turn]} takes {match.moves[-1].count}, {match.state[0]} left{self.stop}")

    def show_table(self) -> None:
        """The table after an update, where it is wanted."""
        if self.wanted.print_q:
            _print_q(self.seats[0])
            say()

    def end(self, match: Match) -> None:
        self.show_table()
        self.won.append(match.winner == 1)
        if match.forfeit:
            say(f"{self.names[match.forfeit - 1]} takes more than is left{self.stop}")
        say(self.verdicts[self.won[-1]])

    def again(self) -> bool:
        return self.wanted.games is None or len(self.won) < self.wanted.games


def _sum_up(won: list[bool], wanted: Wanted) -> None:
    """What came of it: the count, the window, the graph."""
    total = f"{len(won):,} game{'s' * (len(won) != 1)}"
    say(f"\nThe learner won {sum(won):,} of {total}." if won else "\nNo game was finished.")
    if len(won) >= wanted.window:
        say(f"Of the last {wanted.window} it won {sum(won[-wanted.window :])}.")
    if wanted.graph and len(won) < wanted.window:
        say(f"There is no graph: it needs {counted(wanted.window, 'game')}, the window.")
    elif wanted.graph:
        _draw(won, wanted.window, wanted.graph)
        say(f"The win rate over the last {counted(wanted.window, 'game')} is drawn in {wanted.graph}.")


def _print_q(learner: QLearner) -> None:
    """The values of every take with every number of sticks."""
    say("\nsticks" + "".join(f"{f'take {move.count}':>10}" for move in learner.table.moves))
    for state, values in list(zip(learner.table.states, learner.values))[::-1]:
        if any(state):
            say(f"{state[0]:>6}" + "".join(f"{value:>10.3g}" for value in values))


def _draw(won: list[bool], window: int, file: Path) -> None:
    from coinlib.plots import win_rate

    results = np.where(won, 1, -1).astype(np.int8)
    run = Run("QLearner", "opponent", results, np.ones(len(won), dtype=bool))
    draw_into(file, partial(win_rate, run, window), (8, 4.2))
