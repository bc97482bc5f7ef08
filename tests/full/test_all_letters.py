"""The letters of every picture are large enough and inside it; one of each kind: tests/plots/test_plots.py."""

import pytest
import referee
from letters import ONE_OF_EACH, check_letters
from matplotlib import pyplot as plt


@pytest.mark.parametrize("name", sorted(set(referee.PICTURES) - set(ONE_OF_EACH)))
def test_letters_are_large_enough_and_inside_the_picture(name):
    check_letters(name)
    plt.close("all")
