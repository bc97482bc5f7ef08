"""No test of pictures needs a screen, and none leaves a figure open."""

import matplotlib
import pytest

matplotlib.use("Agg")
from matplotlib import pyplot as plt


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")
