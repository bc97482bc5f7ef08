"""Every figure of the library can be read; `tests/lessons/test_contrast.py` looks at a few of them."""

from __future__ import annotations

import pytest
import referee
from legible import complaints_about_figure


@pytest.mark.parametrize("name", referee.PICTURES)
def test_texts_and_lines_of_every_figure_stand_out(name):
    assert complaints_about_figure(referee.PICTURES[name]) == []
