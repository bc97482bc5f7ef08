"""A first slider: the more games the computer has practised, the more it wins."""

from __future__ import annotations

from coinlib import Hats, PerfectAgent, RandomAgent, evaluate, train
from coinlib.arena import Evaluation

from ..base.controls import menu, number, seed, slider
from ..base.lab import Lab
from ..base.sticks import game_code, make_game

PRACTICE_GAMES = (0, 10, 100, 1_000, 10_000, 100_000)
MEASURED = 1_000  # games from which each bar is counted


class TrainingLab(Lab):
    """How often the computer wins after so many practice games (Game of Sticks, misère play).

    The computer learns with hats full of balls. It is trained afresh each time a control is
    moved, and then plays 1,000 games against each of two opponents without learning from them.
    Who moves first alternates, in practice and when it is measured.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "practised", "partner", "sticks", "seed".
    practised : int
        Practice games: 0, 10, 100, 1,000, 10,000 or 100,000.
    partner : {"itself", "random"}
        Whom it practises with.
    sticks : int
        Sticks at the start, 10 to 20.
    seed : int
        0 to 9,999.

    Examples
    --------
    >>> lab = TrainingLab(practised=100)
    >>> lab
    TrainingLab(practised=100, partner='itself', sticks=20, seed=1)
    >>> few = lab.data["random"].win_rate
    >>> lab.practised = 10_000
    >>> lab.data["random"].win_rate > few
    True
    """

    title = "How much practice does the computer need?"
    goal = "Move the slider, then look at the two bars. Arrow keys move it too, once you have clicked it."
    template = "training.html"
    practised = slider("Practice games", "How many games the computer has practised before you see it.", PRACTICE_GAMES)
    partner = menu(
        "Practises with",
        "Who sits on the other side while it practises.",
        [("itself", "itself"), ("a random player", "random")],
    )
    sticks = number("Sticks", "How many sticks lie there at the start.", 10, 20, 20)
    seed = seed()

    @staticmethod
    def compute(practised: int, partner: str, sticks: int, seed: int) -> dict[str, Evaluation]:
        """How the trained computer fares: against "random" and against "perfect"."""
        game = make_game(sticks, 3, "misere")
        hats = Hats(game, seed=seed)
        other = hats if partner == "itself" else RandomAgent()
        train(hats, other, games=practised, seed=seed, first="alternate")
        opponents = {"random": RandomAgent(), "perfect": PerfectAgent()}
        found = {}
        for name, agent in opponents.items():
            found[name] = evaluate(game, hats, agent, games=MEASURED, seed=seed)
        return found

    @staticmethod
    def code(practised: int, partner: str, sticks: int, seed: int) -> str:
        """The lines of coinlib that make the same data."""
        other = "hats" if partner == "itself" else "RandomAgent()"
        return f"""\
{game_code(sticks, 3, "misere")}
hats = Hats(game, seed={seed})
train(hats, {other}, games={practised:_}, seed={seed}, first="alternate")

opponents = {{"random": RandomAgent(), "perfect": PerfectAgent()}}
data = {{name: evaluate(game, hats, agent, games={MEASURED:_}, seed={seed}) for name, agent in opponents.items()}}
data
"""
