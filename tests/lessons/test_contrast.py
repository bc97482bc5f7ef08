"""Drawings and texts stand out from their background, in figures, labs and boards.

What needs a browser is in tests/full/jupyterlab/test_access_live.py; all figures are measured in
tests/full/test_figures_stand_out.py.
"""

from __future__ import annotations

import re

import nbformat
import numpy as np
import pytest
import referee
from colours import READABLE, WEAK, contrast
from legible import complaints_about_figure, faint, hard_to_read
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from paths import NOTEBOOKS

from coincourse.checks import verdict
from coincourse.course import notebooks
from coincourse.labs import Board, PileLab, ProofLab, TriangleLab
from coincourse.labs.base import looks
from coincourse.labs.boards.words import COIN, GONE

# --- figures --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["round_robin", "tree", "win_rate"])  # cells, boxes, lines
def test_texts_and_lines_of_a_figure_stand_out(name):
    assert complaints_about_figure(referee.PICTURES[name]) == []


def test_what_cannot_be_read_is_found():
    figure, (grey, white) = plt.subplots(1, 2, figsize=(6, 2))
    grey.imshow(np.zeros((2, 2)), cmap="gray")
    grey.text(0.5, 0.5, "dark on dark", color="#333333", ha="center")
    white.plot([0, 1], [0, 1], color="#E69F00")
    white.scatter([0, 1], [1, 0], color="#56B4E9")
    white.scatter([0, 1], [1, 0], color="#56B4E9", edgecolor="black")
    assert list(faint(figure)) == ["#e69f00", "#56b4e9"]
    assert [words.split(" can")[0] for words in hard_to_read(figure)] == ["'dark on dark'"]
    plt.close(figure)


def test_colours_that_lessons_name_stand_out_on_white():
    poor = []
    for name in notebooks(NOTEBOOKS):
        for cell in nbformat.read(NOTEBOOKS / name, 4).cells:
            if cell.cell_type == "code":
                named = re.findall(r"#[0-9A-Fa-f]{6}\b", cell.source)
                poor += [f"{name} {cell.id}: {colour}" for colour in named if contrast(colour, "white") < WEAK]
    assert poor == []


# --- labs and boards ------------------------------------------------------------------------------------

LIGHT = ["#ffffff", "#eeeeee"]  # JupyterLab's light grounds; white is the book's as well
DARK = ["#111111", "#212121", "#131416"]  # JupyterLab's dark grounds, and that of the book
STYLES = {
    "board": Board.style,
    "piles": PileLab.style,
    "triangle": TriangleLab.style,
    "proof": ProofLab.style,
    "linked": looks.lights_up([1]),
}
HEX = r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b"


def rules(css):
    """The rules of a style sheet, as pairs of selector and declarations."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return [(selector.strip(), body) for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css)]


def inks_and_grounds(css):
    """Where a rule sets both the text colour and the background: the ink, and each background."""
    for _, body in rules(css):
        ink = re.search(rf"(?<![-\w])color:\s*({HEX})", body)
        if ink:
            backgrounds = " ".join(re.findall(r"background:([^;]*)", body))
            for ground in re.findall(HEX + "|white", backgrounds):
                yield ink[1], ground


def test_text_on_a_ground_of_its_own_can_be_read():
    pairs = [pair for css in STYLES.values() for pair in inks_and_grounds(css)]
    assert len(pairs) >= 5
    pairs += [(looks.INK, ball) for ball in looks.BALLS]
    pairs += [(looks.INK, ground) for ground in (looks.WON, looks.ORANGE, looks.SKY, "white")]
    pairs += [(looks.INK, ground) for ground in ("#CFE8F7", "#D3F0E5", "#F0B32E")]  # cells and coins of the triangle
    pairs += [("#ffffff", "#0072b2")]  # lost cells of the three piles
    assert [pair for pair in pairs if contrast(*pair) < READABLE] == []


def test_the_grey_of_an_exercise_that_is_not_written_can_be_read_in_both_themes():
    """The headline is the theme's own text, slightly transparent: nearly black or nearly white."""
    for ground, ink in [*((ground, "#333333") for ground in LIGHT), *((ground, "#cccccc") for ground in DARK)]:
        seen = verdict.GREY * np.array(to_rgb(ink)) + (1 - verdict.GREY) * np.array(to_rgb(ground))
        assert contrast(seen, ground) >= READABLE
        assert contrast(verdict.NOT_WRITTEN, ground) >= WEAK


def variable(css, name):
    return re.search(rf"{name}: ({HEX})", css)[1]


@pytest.mark.parametrize("grounds", [LIGHT[:1], DARK], ids=["light", "dark"])
def test_what_is_drawn_stands_out_in_both_themes(grounds):
    dark = grounds is DARK
    triangle, piles = STYLES["triangle"], STYLES["piles"]
    marks = [COIN, GONE, variable(STYLES["board"], "--line")]
    marks += [variable(triangle, "--unknown")]
    marks += re.findall(rf"--focus: ({HEX})", piles)[dark : dark + 1]
    marks += re.findall(rf"--(?:alice|bob): ({HEX})", triangle)[2 * dark : 2 * dark + 2]
    assert len(marks) == 7
    assert [(mark, ground) for mark in marks for ground in grounds if contrast(mark, ground) < WEAK] == []


def test_a_coin_stands_out_by_its_face_or_its_edge():
    coins = {}
    for selector, body in rules(STYLES["board"] + STYLES["piles"]):
        if re.search(r"\.coin(\.far|\.picked|\.lit)?$", selector) and re.search(HEX, body):
            coins[selector] = re.findall(HEX, body)
    assert len(coins) >= 4
    for ground in (LIGHT[0], *DARK):
        assert [name for name, found in coins.items() if max(contrast(part, ground) for part in found) < WEAK] == []
