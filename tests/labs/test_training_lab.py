"""The training lab without a browser: what its two bars show, and what they say."""

import xml.etree.ElementTree as ET

import pytest

from coincourse.labs import TrainingLab
from coinlib import Hats, RandomAgent, evaluate, sticks


def test_the_first_picture_is_a_player_who_has_never_practised():
    lab = TrainingLab()
    untrained = evaluate(sticks(20), Hats(sticks(20)), RandomAgent(), games=1_000, seed=1)
    assert lab.data["random"] == untrained
    assert f"<strong>{untrained.win_rate:.1%}</strong>" in lab.page


def test_practice_helps_and_half_is_the_limit_against_a_perfect_player():
    first, last = (TrainingLab.compute(games, "itself", 20, 1) for games in (0, 100_000))
    assert first["perfect"].win_rate < 0.01
    assert 0.49 < last["perfect"].win_rate <= 0.5
    assert first["random"].win_rate < 0.55
    assert last["random"].win_rate > 0.98
    assert TrainingLab.compute(100_000, "random", 20, 1)["perfect"].win_rate < 0.1  # a weak partner teaches less


def test_the_bars_are_as_long_as_the_numbers_say():
    lab = TrainingLab(practised=100)
    svg = ET.fromstring(lab.page[lab.page.index("<svg") : lab.page.index("</svg>") + 6])
    widths = [float(bar.get("width")) for bar in svg.iter("rect")]
    assert widths == pytest.approx([410 * found.win_rate for found in lab.data.values()], abs=0.1)
    for found in lab.data.values():
        assert f"{found.win_rate:.1%}" in svg.get("aria-label")
        assert f"interval {found.low:.1%} to {found.high:.1%}" in lab.page  # the same in words
