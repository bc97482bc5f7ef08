"""`coinlib qlearn`: a Q-learner that always moves first learns the game of sticks (misère play)."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from coinlib.agents import RandomAgent
from coinlib.arguments import counted
from coinlib.games import CoinGame, Move, State
from coinlib.learners import QLearner
from coinlib.match import Match
from coinlib.training import Run, train

from .coins import Coins, rules
from .pages import Page, Typed, draw_into, picture_to_write, whole
from .talk import EndOfInput, ask_number, say

LEAVE = "-1"
GAMES = 100  # against random play, by default
OPPONENTS = {"random": "plays at random", "human": "asks a person"}


def options(page: Page) -> None:
    """Add the arguments of `coinlib qlearn`."""
    page.add_option("--games", whole(1), f"Number of games (default: {GAMES}; with a human: until you type {LEAVE})")
    page.add_choice("--opponent", "OPPONENT", OPPONENTS, "The player who moves second", default="random")
    page.add_option("--sticks", whole(1), "Sticks at the start", default=10)
    page.add_option("--most", whole(1), "Most sticks per turn", default=3)
    page.add_option("--window", whole(1), "Games in the rolling win rate", default=5)
    page.add_flag("--verbose", "Print every move, even against random play")
    page.add_flag("--print-q", "Print the Q-table after every update")
    page.add_option("--graph", picture_to_write, "Save a plot of the win rate (.png, .svg or .pdf)")
    page.add_seed()


def run(typed: Typed) -> None:
    """Let a Q-learner learn the game of sticks (misère play), and draw its win rate."""
    human = typed.opponent == "human"
    games = typed.games
    if games is None and not human:
        games = GAMES
    if typed.graph and games is not None and games < typed.window:
        too_few = f"{counted(games, 'game')} cannot fill a window of {typed.window}"
        raise ValueError(f"--graph: {too_few}; play more, or choose --window")
    mine, theirs = np.random.SeedSequence(typed.seed).spawn(2)
    game = CoinGame((typed.sticks,), max_pick=typed.most)
    # As in the post, both may take more than is left, and the learner has to find out that this loses.
    learner = QLearner(game, legal_only=False, seed=mine)
    player = None if human else RandomAgent(theirs, legal_only=False)
    say(rules(game))
    say("A player who takes more than is left takes the last coin too, and loses.")
    say("The Q-learner always moves first: learning rate 1, discount 1, no exploration.")
    if human:
        say(f"You are the other player. {LEAVE} leaves.")
    if human or typed.verbose or typed.print_q:
        result = LearningGames(game, (learner, player), typed.opponent, games, typed.print_q).learn()
    else:
        result = train(learner, player, games=games)
    sum_up(result, typed.window, typed.graph)


class LearningGames(Coins):
    """Games from which the learner learns, shown move by move; `won` counts its wins."""

    def __init__(self, game: CoinGame, seats: tuple, opponent: str, games: int | None, print_q: bool) -> None:
        super().__init__(game, seats, ("learner", opponent))
        self.games = games
        self.print_q = print_q

    def learn(self) -> Run:
        """Play until all games are over or a person leaves; nothing is learnt from an unfinished game."""
        try:
            self.run()
        except EndOfInput:
            say()
        results = np.where(self.won, 1, -1).astype(np.int8)
        return Run(*self.names, results, np.ones(len(results), dtype=bool))

    def begin(self) -> None:
        say(f"\nGame {len(self.won) + 1}")

    def show(self, match: Match) -> None:
        # Just before its last move, the learner learnt from the one before.
        if match.turn == 2 and len(match.moves) > 1:
            self.show_table()
        super().show(match)

    def show_table(self) -> None:
        """Print the value of every take for every number of sticks, if --print-q asks for it."""
        if not self.print_q:
            return
        learner = self.seats[0]
        takes = [f"take {move.count}" for move in learner.table.moves]
        say("\nsticks" + "".join(f"{take:>10}" for take in takes))
        for (left,), values in sorted(zip(learner.table.states, learner.values)):
            if left > 0:
                say(f"{left:>6}" + "".join(f"{value:>10.3g}" for value in values))

    def ask(self, state: State, player: int) -> Move:
        """Ask a person for a take, which may be more than is left."""
        return Move(0, ask_number("Sticks to remove? ", 1, self.game.max_pick, leave=LEAVE))

    def end(self, match: Match) -> None:
        self.show_table()
        won = match.winner == 1
        self.won.append(won)
        verb = "wins" if won else "loses"
        say(f"\nThe learner {verb}: {why_it_ended(match)}.")

    def again(self) -> bool:
        return self.games is None or len(self.won) < self.games


def why_it_ended(match: Match) -> str:
    """Return why a game ended; taking more than is left is not a forfeit here: it takes the last coin."""
    if match.forfeit is None:
        return match.reason
    (left,) = match.state
    taken = match.forfeit.answer.count
    return f"player {match.turn} took {taken} with only {counted(left, 'coin')} left and loses (misère play)"


def sum_up(run: Run, window: int, graph: Path | None) -> None:
    """Print how many games were won, in all and in the last window, and draw the graph."""
    played = len(run.result)
    if played == 0:
        say("\nNo game was finished, so the learner has learnt nothing.")
        return
    say(f"\nThe learner won {run.won.sum():,} of {counted(played, 'game')}.")
    say(f"Of the last {min(window, played)} it won {run.won[-window:].sum()}.")
    if graph and played < window:
        say(f"No win rate is drawn: {counted(played, 'game')} cannot fill a window of {window}.")
    elif graph:
        # As in the post, a game that ended by taking more than was left has no special mark.
        unmarked = replace(run, forfeit=np.zeros(played, dtype=np.int8))
        draw_into(graph, "win_rate", (unmarked, window), (8, 4.2))
        say(f"The win rate over the last {counted(window, 'game')} is drawn in {graph}.")
