"""Whether the letters of a picture are large enough, and inside it."""

from __future__ import annotations

import referee
from matplotlib.text import Text

from coinlib.plots import look

# One picture of each kind, the one with the most words if it is quick to draw.
ONE_OF_EACH = (
    "board-normal-long",
    "hats",
    "hats_shares",
    "witnesses",
    "positions-values",
    "triangle-margin-line",
    "opening",
    "red_and_blue",
    "tree-folded",
    "round_robin",
    "win_rates",
    "win_rate-bands",
)


def check_letters(name: str) -> None:
    """Fail if the picture of this name is too wide for a page, or its letters are small or outside."""
    ax = referee.PICTURES[name]()
    figure, legend = ax.figure, ax.get_legend()
    assert figure.get_figwidth() <= (15 if name.startswith("tree") else 11)  # inches; a notebook shrinks a wide tree
    figure.draw_without_rendering()
    assert all(text.get_fontsize() >= look.SMALL for text in figure.findobj(Text) if text.get_text())
    inside = [text for text in (*ax.texts, ax.title, ax._left_title) if text.get_text()]
    if legend:
        inside.append(legend)
    page = figure.bbox.padded(3)  # pixels: fonts differ a little
    for box in (part.get_window_extent() for part in inside):
        assert page.containsx(box.x0) and page.containsx(box.x1)
