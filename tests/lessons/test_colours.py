"""No meaning depends on colour alone, whatever eyes see it."""

from __future__ import annotations

from itertools import combinations

import colours
import matplotlib
import pytest
from colours import contrast, distance, distance_for_all

matplotlib.use("Agg")
from matplotlib import pyplot as plt

from coincourse.labs import Board
from coincourse.labs.base import looks
from coinlib import QLearner, RandomAgent, plots, sticks, train
from coinlib.plots import look, memory, trees

DARK = "#111111"  # JupyterLab's dark ground
APART = 25  # CIE 1976: ten times the smallest visible difference


def curve_looks():
    """The colour, and the dash with its mark, of each of six curves: as many as there are looks."""
    runs = {str(seed): [train(QLearner(sticks(4)), RandomAgent(), games=40, seed=seed)] for seed in range(6)}
    ax = plots.win_rate(runs)
    found = {line.get_label(): (line.get_color(), (line.get_linestyle(), line.get_marker())) for line in ax.lines}
    plt.close("all")
    return found


def two(first, second, marks=(None, None)):
    return {"first": (first, marks[0]), "second": (second, marks[1])}


MEANINGS = {  # what each colour means, and what else differs between two meanings
    "curves": curve_looks,
    "moves in hats, by hatching": lambda: {number: kind for number, kind in enumerate(memory.MOVE_LOOKS)},
    "players of a tree, by frame": lambda: {who.name: (who.colour, who.box) for who in trees.PLAYERS.values()},
    "Alice and Bob of a triangle, by the head of the arrow": lambda: two(
        look.ALICE_AND_BOB[1].colour,
        look.ALICE_AND_BOB[2].colour,
        (look.ALICE_AND_BOB[1].head, look.ALICE_AND_BOB[2].head),
    ),
    "lost and won in a heat map": lambda: two(look.ORANGE, look.SKY),
    "nothing and won in a heat map": lambda: two("white", look.SKY),
    "lost and nothing in a heat map": lambda: two(look.ORANGE, "white"),
    "values below and above 0": lambda: two(look.ORANGE, look.BLUE),
    "positions": lambda: two(look.BLUE, "#E8E8E8"),
    "policies": lambda: two(look.SKY, look.ORANGE),
    "red and blue coins": lambda: two(look.VERMILION, look.BLUE),
    "proof lab": lambda: two(looks.WON, looks.ORANGE),
    "lost cells of the piles, on a light page": lambda: two("#0072b2", "white"),
    "lost cells of the piles, on a dark page": lambda: two("#0072b2", DARK),
    "coins of the board, there and marked": lambda: two("#e69f00", "#0072b2"),
    "won and lost on the board, by the sign before the words": lambda: two("#009e73", "#d55e00", ("★", "✕")),
}


def test_no_meaning_hangs_on_colour_alone():
    for what, looks_of in MEANINGS.items():
        pairs = [*combinations(looks_of().items(), 2)]
        assert pairs
        for (one, (colour, mark)), (other, (second, its_mark)) in pairs:
            apart = distance_for_all(colour, second)
            assert apart >= APART or mark != its_mark, f"{what}: {one} and {other} are {apart:.0f} apart"


def test_marks_are_not_only_claimed():
    """What the table above calls different is drawn differently."""
    assert len({kind for _, kind in curve_looks().values()}) == 6
    assert len({hatch for _, hatch in memory.MOVE_LOOKS}) == len(memory.MOVE_LOOKS)
    css = Board.style
    assert 'won { --sign: "★ "' in css and 'lost { --sign: "✕ "' in css


def test_eyes_that_are_simulated():
    greys = [(part, part, part) for part in (0, 0.3, 1)]
    for eyes in colours.EYES:  # greys stay grey, for everybody
        assert [distance(grey, tuple(colours.picture(grey, eyes).clip(0, 1))) < 1 for grey in greys] == [True] * 3
    assert distance("black", "white") == pytest.approx(100, abs=0.1)
    assert contrast("black", "white") == pytest.approx(21)
    red, green = "#C00000", "#4A6B00"  # as far apart as ripe and unripe
    assert distance(red, green) > 80
    assert distance(red, green, "deuteranopia") < 30
    assert distance(red, green, "tritanopia") > 60
    assert distance("#E69F00", "#CC79A7", "tritanopia") < APART < distance("#E69F00", "#CC79A7")
