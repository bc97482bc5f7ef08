"""A first slider: the more games the computer has practised, the more it wins."""

from __future__ import annotations

from typing import ClassVar

from coinlib.agents import PerfectAgent, RandomAgent
from coinlib.arena import Evaluation, evaluate, train
from coinlib.games import sticks as make_sticks
from coinlib.learners import Hats

from .lab import Lab, menu, number, seed, slider

GAMES = (0, 10, 100, 1_000, 10_000, 100_000)
BLUE, ORANGE = "#0072B2", "#E69F00"
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
    >>> lab.inputs["practised"].value = 10_000
    >>> lab.data["random"].win_rate > few
    True
    """

    title = "How much practice does the computer need?"
    goal = "Move the slider, then look at the two bars. Arrow keys move it too, once you have clicked it."
    CONTROLS: ClassVar = {
        "practised": slider(
            "Practice games",
            "How many games the computer has practised before you see it.",
            [(f"{games:,}", games) for games in GAMES],
            0,
        ),
        "partner": menu(
            "Practises with",
            "Who sits on the other side while it practises.",
            [("itself", "itself"), ("a random player", "random")],
            "itself",
        ),
        "sticks": number("Sticks", "How many sticks lie there at the start.", 10, 20, 20),
        "seed": seed(),
    }

    @staticmethod
    def compute(practised: int, partner: str, sticks: int, seed: int) -> dict[str, Evaluation]:
        """How the trained computer fares: against "random" and against "perfect"."""
        game = make_sticks(sticks, max_pick=3, misere=True)
        hats = Hats(game, seed=seed)
        other = hats if partner == "itself" else RandomAgent()
        train(hats, other, games=practised, seed=seed, first="alternate")
        opponents = {"random": RandomAgent(), "perfect": PerfectAgent()}
        return {name: evaluate(game, hats, agent, games=MEASURED, seed=seed) for name, agent in opponents.items()}

    @staticmethod
    def draw(data: dict[str, Evaluation], practised: int, partner: str, sticks: int, seed: int) -> str:
        """Two bars with their intervals, and the same as sentences."""
        whom = "itself" if partner == "itself" else "a random player"
        return (
            f"{_picture(data, practised)}\n<p>After <strong>{practised:,}</strong> practice games with {whom} "
            f"the computer wins {_words(data['random'])} against a random player, "
            f"and {_words(data['perfect'])} against a perfect player.</p>\n"
            f"<p>{sticks} sticks, take 1 to 3. Misère play: who takes the last stick loses. "
            f"Each bar is counted from {MEASURED:,} games; who moves first alternates, in practice as well. "
            "The thin line is the 95 % interval: where the true win rate most likely lies.</p>"
        )

    @staticmethod
    def code(practised: int, partner: str, sticks: int, seed: int) -> str:
        """The lines of coinlib that make the same data."""
        other = "hats" if partner == "itself" else "RandomAgent()"
        return f"""\
from coinlib import Hats, PerfectAgent, RandomAgent, evaluate, sticks, train

game = sticks({sticks}, max_pick=3, misere=True)    # who takes the last stick loses
hats = Hats(game, seed={seed})
train(hats, {other}, games={practised:_}, seed={seed}, first="alternate")

opponents = {{"random": RandomAgent(), "perfect": PerfectAgent()}}
data = {{name: evaluate(game, hats, agent, games={MEASURED:_}, seed={seed}) for name, agent in opponents.items()}}
data
"""


def _words(found: Evaluation) -> str:
    return f"<strong>{found.win_rate:.1%}</strong> (interval {found.low:.1%} to {found.high:.1%})"


# --- the picture: a coordinate system of 640 by 196 points, whatever its size on the screen -----------------

LEFT, RIGHT, BOTTOM = 150, 560, 150


def _across(share: float) -> str:
    """The place of a share of games, from 0 to 1, between the ends of the axis."""
    return f"{LEFT + share * (RIGHT - LEFT):.1f}"


def _picture(data: dict[str, Evaluation], practised: int) -> str:
    said = ", ".join(f"{found.win_rate:.1%} against a {name} player" for name, found in data.items())
    bars = _bar(data["random"], 26, BLUE, "a random player") + _bar(data["perfect"], 86, ORANGE, "a perfect player")
    places = [(_across(part / 4), f"{25 * part} %") for part in range(5)]
    ticks = "".join(f"<text x='{x}' y='{BOTTOM + 20}' text-anchor='middle'>{label}</text>" for x, label in places)
    marks = "".join(f"M{x} {BOTTOM}v5" for x, _ in places)
    return (
        f"<svg viewBox='0 0 640 196' role='img' aria-label='Bars: {practised:,} practice games; wins {said}.' "
        "style='width: 100%; max-width: 640px; font: 14px sans-serif' fill='currentColor'>"
        f"<path d='M{LEFT} 16V{BOTTOM}H{RIGHT}{marks}' stroke='currentColor' fill='none'/>{ticks}{bars}{_limit()}"
        f"<text x='{_across(0.5)}' y='{BOTTOM + 40}' text-anchor='middle'>games won by the computer</text></svg>"
    )


def _bar(found: Evaluation, top: int, colour: str, opponent: str) -> str:
    """One bar with its interval, its name on the left and its number on the right."""
    middle, end = top + 20, _across(found.win_rate)
    low, high = _across(found.low), _across(found.high)
    return (
        f"<text x='{LEFT - 10}' y='{middle - 4}' text-anchor='end'>against</text>"
        f"<text x='{LEFT - 10}' y='{middle + 13}' text-anchor='end'>{opponent}</text>"
        f"<rect x='{LEFT}' y='{top}' width='{float(end) - LEFT:.1f}' height='40' fill='{colour}' "
        "stroke='currentColor'/>"
        f"<path d='M{low} {middle}H{high}M{low} {middle - 7}v14M{high} {middle - 7}v14' "
        "stroke='currentColor' stroke-width='2' fill='none'/>"
        f"<text x='{RIGHT + 12}' y='{middle + 6}' font-size='18' font-weight='bold'>{found.win_rate:.1%}</text>"
    )


def _limit() -> str:
    """Half of the games: a perfect player never loses from the better place, and has it every second game."""
    return (
        f"<line x1='{_across(0.5)}' x2='{_across(0.5)}' y1='78' y2='134' stroke='currentColor' stroke-width='2' "
        f"stroke-dasharray='5 4'/><text x='{_across(0.55)}' y='103' font-size='12'>more than half</text>"
        f"<text x='{_across(0.55)}' y='118' font-size='12'>is not possible here</text>"
    )
