"""The pictures are tested through what they draw: circles, labels, numbers."""

import matplotlib
import numpy as np
import pytest
from pandas import DataFrame

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from coinlib import plots
from coinlib.arena import wilson
from coinlib.games import SCENARIOS, CoinGame, sticks, three_piles


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def circles(ax, filled):
    """The centres of the circles that are filled, or of those that are not."""
    return [tuple(map(float, patch.center)) for patch in ax.patches if bool(patch.get_facecolor()[3]) == filled]


def row_labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_board_shows_every_coin_of_the_start():
    ax = plots.board(SCENARIOS["NIM"])
    assert len(circles(ax, filled=True)) == 1 + 3 + 5 + 7
    assert circles(ax, filled=False) == []
    assert row_labels(ax) == ["row 0: 1 coin", "row 1: 3 coins", "row 2: 5 coins", "row 3: 7 coins"]


def test_board_leaves_a_place_for_each_coin_that_is_gone():
    ax = plots.board(SCENARIOS["NIM"], (1, 3, 3, 0))
    assert len(circles(ax, filled=True)) == 7
    assert [centre for centre in circles(ax, filled=False) if centre[1] == 2] == [(3, 2), (4, 2)]  # at the right end
    assert row_labels(ax)[3] == "row 3: 0 coins"


def test_board_names_the_ending():
    assert plots.board(sticks(5)).get_title() == "misère play: who takes the last coin loses"
    assert plots.board(three_piles(1, 2, 3)).get_title() == "normal play: who takes the last coin wins"


def test_board_breaks_a_long_row_into_lines():
    ax = plots.board(sticks(60), (58,))
    assert sorted({y for _, y in circles(ax, filled=True)}) == [0, 1, 2]
    assert len(circles(ax, filled=True)) == 58
    assert row_labels(ax) == ["row 0: 58 coins"]


def test_board_draws_rows_of_none_and_where_it_is_told():
    _, mine = plt.subplots()
    assert plots.board(CoinGame((0, 0), max_pick=1), ax=mine) is mine
    assert len(mine.patches) == 0
    assert row_labels(mine) == ["row 0: 0 coins", "row 1: 0 coins"]


def test_board_refuses_a_state_of_another_game():
    with pytest.raises(ValueError, match="expected a state of this game"):
        plots.board(sticks(5), (6,))


def test_heatmap_writes_the_number_in_each_cell():
    names = ["mine", "random", "take one"]
    table = DataFrame([[np.nan, 0.9, 1.0], [0.1, np.nan, 0.4], [0.0, 0.6, np.nan]], index=names, columns=names)
    ax = plots.round_robin_heatmap(table)
    assert [text.get_text() for text in ax.texts] == [
        *("–", "90 %", "100 %"),
        *("10 %", "–", "40 %"),
        *("0 %", "60 %", "–"),
    ]
    assert [label.get_text() for label in ax.get_yticklabels()] == names
    assert [label.get_text() for label in ax.get_xticklabels()] == names
    np.testing.assert_array_equal(ax.images[0].get_array().filled(np.nan), table.to_numpy())
    assert ax.get_xlabel() == "against"
    assert ax.get_title()


def test_heatmap_numbers_can_be_read_on_every_colour():
    ax = plots.round_robin_heatmap(DataFrame([[0.0, 0.25, 0.5, 0.75, 1.0]], index=["a"], columns=list("abcde")))
    image = ax.images[0]
    for text, rate in zip(ax.texts, image.get_array()[0]):
        assert contrast(text.get_color(), image.cmap(image.norm(rate))[:3]) >= 4.5


def test_heatmap_refuses_counts():
    with pytest.raises(ValueError, match="win rates: expected 0 to 1, got 12 to 988"):
        plots.round_robin_heatmap(DataFrame([[np.nan, 988], [12, np.nan]]))


def test_win_rates_stand_where_the_table_says():
    names = ["100 games", "400 games"]
    table = DataFrame({"win_rate": [0.6, 0.5], "low": [0.502, 0.451], "high": [0.691, 0.549]}, index=names)
    ax = plots.win_rates(table.rename_axis("how many"))
    dots, _, (bars,) = ax.containers[0]
    np.testing.assert_allclose(dots.get_xydata(), [[60, 0], [50, 1]])
    np.testing.assert_allclose([bar[:, 0] for bar in bars.get_segments()], [[50.2, 69.1], [45.1, 54.9]])
    assert [label.get_text() for label in ax.get_yticklabels()] == names
    assert ax.get_ylim() == (1.5, -0.5)  # the first row at the top
    assert "95 %" in ax.get_xlabel() and ax.get_ylabel() == "how many"


@pytest.mark.parametrize("wins", [0, 1, 7])
def test_win_rates_of_none_and_all(wins):
    low, high = wilson(wins, 7)
    ax = plots.win_rates(DataFrame({"win_rate": [wins / 7], "low": [low], "high": [high]}), ax=plt.figure().subplots())
    assert ax.containers[0][0].get_xdata() == pytest.approx([100 * wins / 7])


def test_win_rates_refuse_what_is_no_rate():
    with pytest.raises(ValueError, match="missing: low, high"):
        plots.win_rates(DataFrame({"win_rate": [0.5]}))
    with pytest.raises(ValueError, match="0 <= low <= win_rate <= high <= 1"):
        plots.win_rates(DataFrame({"win_rate": [50], "low": [45], "high": [55]}))
    with pytest.raises(ValueError, match="0 <= low <= win_rate <= high <= 1"):
        plots.win_rates(DataFrame({"win_rate": [0.5], "low": [0.6], "high": [0.7]}))


def contrast(one, other):
    """The contrast ratio of two colours as WCAG 2 defines it, from 1 to 21."""
    low, high = sorted(luminance(to_rgb(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def luminance(rgb):
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
