"""Intervals that rain on the true rate (lesson 02)."""

from __future__ import annotations

from typing import ClassVar

from coinlib import RandomAgent, evaluate, sticks
from coinlib.arena import Evaluation

from ..base.controls import menu, number, seed
from .film import Film, Reel

SAMPLES = 100
FOUR_COINS = sticks(4, max_pick=3, misere=True)
# A random player takes 1 of the 4 coins (and then wins half of the games), or 2 (also half), or 3 (all).
TRUE_RATE = 2 / 3


class IntervalsFilm(Film):
    """The 95 % intervals from sample after sample, drawn over the true win rate.

    Two random players play (4 coins, 1 to 3 a turn, misère play), and the wins of the first player are
    counted. The true rate is 2/3.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "games", "seed".
    at : int
        The number of samples shown, 0 to 100.
    games : {25, 100, 400}
        Games in each sample.
    seed : int
        0 to 9,999.

    Examples
    --------
    >>> film = IntervalsFilm(at=100)
    >>> "5 of 100 intervals miss the true rate" in film.page
    True
    """

    title = "Intervals rain on the true rate"
    goal = "Play, or go sample by sample with Next. How many intervals miss the dashed line?"
    template = "intervals.html"
    at = number("Samples", "How many samples have been played.", 0, SAMPLES, 10)
    games = menu("Games in each sample", "How many games make one interval.", [25, 100, 400], 100)
    seed = seed()
    pause = 0.25
    STILL_AT: ClassVar = SAMPLES

    @staticmethod
    def frames(games: int, seed: int) -> list[list[Evaluation]]:
        """No samples at first, then one more in each frame."""
        agent, opponent = RandomAgent(), RandomAgent()
        samples: list[Evaluation] = []
        for sample_seed in range(SAMPLES * seed, SAMPLES * (seed + 1)):
            found = evaluate(FOUR_COINS, agent, opponent, games, seed=sample_seed, first="agent")
            samples.append(found)
        return [samples[:count] for count in range(SAMPLES + 1)]

    @classmethod
    def draw(cls, data: Reel, **settings) -> str:
        """A bar for each interval, thick with a cross if it misses; the number of misses as text."""
        samples = enumerate(data.shown, 1)
        missed = {place: sample for place, sample in samples if not sample.low <= TRUE_RATE <= sample.high}
        return super().draw(data, missed=missed, rate=TRUE_RATE, **settings)

    @staticmethod
    def code(at: int, games: int, seed: int) -> str:
        """The lines of code that make the same intervals."""
        return f"""\
game = sticks(4, max_pick=3, misere=True)    # the player who takes the last coin loses
data = []
for number in range({at}):
    seed = {SAMPLES * seed} + number
    sample = evaluate(game, RandomAgent(), RandomAgent(), games={games}, seed=seed, first="agent")
    data.append((sample.wins, sample.low, sample.high))

data
"""
