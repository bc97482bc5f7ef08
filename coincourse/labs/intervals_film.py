"""How intervals rain on the true win rate, sample by sample, and some miss it."""

from __future__ import annotations

from typing import NamedTuple

from coinlib.agents import RandomAgent
from coinlib.arena import evaluate
from coinlib.games import sticks

from .controls import menu, number, seed
from .film import Film, Reel
from .pages import styles

SAMPLES = 100
GAME = sticks(4, max_pick=3, misere=True)
TRUE_RATE = 2 / 3  # at 4 coins a random player takes 1 (then wins half of the games), 2 (half as well) or 3 (all)


class Sample(NamedTuple):
    """A number of games: which sample it is, how many were won, and the 95 % interval, from 0 to 1."""

    number: int
    wins: int
    low: float
    high: float

    @property
    def holds(self) -> bool:
        return self.low <= TRUE_RATE <= self.high


class IntervalsFilm(Film):
    """The 95 % intervals of one sample of games after the other, over the true win rate.

    The games are those of two random players (4 coins, 1 to 3 a turn, misère play); counted are the wins of
    the one who moves first. The true rate is 2 of 3.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "games", "seed".
    at : int
        Samples that are shown, 0 to 100.
    games : {25, 100, 400}
        Games in each sample.
    seed : int
        0 to 9,999.

    Examples
    --------
    >>> film = IntervalsFilm(at=100)
    >>> sum(not sample.holds for sample in film.data.shown)
    5
    """

    title = "Intervals rain on the true rate"
    goal = "Play, or go sample by sample with Next. How many intervals miss the dashed line?"
    template, style = "intervals.html", styles("intervals.css")
    at = number("Samples", "How many samples have been played.", 0, SAMPLES, 10)
    games = menu("Games in each sample", "How many games make one interval.", [25, 100, 400], 100)
    seed = seed()
    pause = 0.25

    @staticmethod
    def frames(games: int, seed: int) -> list[tuple[Sample, ...]]:
        """No sample, then one more in each frame."""
        samples = []
        for place in range(SAMPLES):
            won = evaluate(GAME, RandomAgent(), RandomAgent(), games, seed=SAMPLES * seed + place, first="agent")
            samples.append(Sample(1 + place, won.wins, won.low, won.high))
        return [tuple(samples[:count]) for count in range(SAMPLES + 1)]

    @classmethod
    def draw(cls, data: Reel, **settings) -> str:
        """A bar for each interval, those that miss thick and crossed; the count and the misses in words."""
        return super().draw(data, rate=TRUE_RATE, **settings)

    @staticmethod
    def code(at: int, games: int, seed: int) -> str:
        """The lines of coinlib that make the same intervals."""
        return f"""\
from coinlib import RandomAgent, evaluate, sticks

game = sticks(4, max_pick=3, misere=True)    # who takes the last coin loses
data = []
for number in range({at}):
    seed = {SAMPLES * seed} + number
    sample = evaluate(game, RandomAgent(), RandomAgent(), games={games}, seed=seed, first="agent")
    data.append((sample.wins, sample.low, sample.high))

data
"""
