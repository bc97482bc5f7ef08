"""Whether the texts and lines of a figure stand out from their background."""

from __future__ import annotations

import matplotlib
import numpy as np
from colours import READABLE, WEAK, contrast, contrasts

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex, to_rgb


def complaints_about_figure(draw) -> list[str]:
    """What does not stand out in the figure drawn by a function that returns its axes."""
    figure = draw().figure
    figure.set_dpi(60)  # enough for what is measured here
    found = [f"the colour {colour} is faint" for colour in faint(figure)]
    found += hard_to_read(figure)
    if not texts_on(figure):
        found.append("no text at all")
    plt.close(figure)
    return found


def texts_on(figure):
    """Every text of a figure that has letters: legends and the numbers along the axes as well."""
    figure.draw_without_rendering()
    found = figure.findobj(lambda part: isinstance(part, matplotlib.text.Text))
    return [text for text in found if text.get_text().strip() and text.get_visible()]


def hard_to_read(figure):
    """The texts that hardly differ from their background, which is drawn without them."""
    texts = texts_on(figure)
    for text in texts:
        text.set_alpha(0)
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3] / 255
    height, width = pixels.shape[:2]
    for text in texts:
        left, low, right, top = np.round(text.get_window_extent().extents).astype(int)
        behind = pixels[max(height - top, 0) : height - max(low, 0), max(left, 0) : min(right, width)]
        if behind.size:
            share = (contrasts(text.get_color(), behind) >= READABLE).mean()
            if share < 0.7:  # lines may pass
                yield f"{text.get_text()!r} can be read on {share:.0%} of its ground"


def faint(figure):
    """The colours of lines and marks that hardly differ from the background of their axes."""
    for ax in figure.axes:
        if ax.images:  # the background differs from cell to cell
            continue
        looks = [[line.get_color()] for line in ax.lines if line.get_linestyle() != "None"]
        looks += [[line.get_markeredgecolor()] for line in ax.lines if line.get_marker() not in ("None", "", None)]
        dots = [group for group in ax.collections if isinstance(group, matplotlib.collections.PathCollection)]
        looks += [[*group.get_facecolor(), *group.get_edgecolor()] for group in dots]  # bands lie behind their lines
        for look_of_one in looks:
            if max(contrast(to_rgb(part), to_rgb(ax.get_facecolor())) for part in look_of_one) < WEAK:
                yield to_hex(look_of_one[0])
