"""The colours of all labs, and the style that highlights parts that belong together."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from coinlib.plots.look import BLUE, INK, ORANGE, SKY  # noqa: F401 - templates use them
from coinlib.plots.memory import MOVE_LOOKS

BALLS = tuple(colour for colour, _ in MOVE_LOOKS[:5])  # for balls 1, 2, 3, ..., as in the plots
COIN = "#F0B32E"  # the gold of a coin
WON = "#D6EBF8"  # a light sky blue, on which dark text is readable
LIGHT = "rgba(86, 180, 233, 0.35)"  # over the parts that light up


def lights_up(numbers: Iterable[int]) -> Markup:
    """A style that highlights all parts with the class n7 while one of them is pointed at or has the focus."""
    lit = ", ".join(f".coin-lab:has(.n{n}:is(:hover, :focus)) .n{n}" for n in numbers)
    return Markup(f"<style>{lit} {{ --lit: {LIGHT}; --edge: currentColor }}</style>")


def ground(value: float) -> str:
    """The colour for a value: from orange (-1) through white (0) to blue (+1)."""
    end = (86, 180, 233) if value > 0 else (230, 159, 0)
    share = min(abs(value), 1)
    channels = [f"{255 + share * (channel - 255):.0f}" for channel in end]
    return f"rgb({', '.join(channels)})"
