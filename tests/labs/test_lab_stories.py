"""What labs say, step by step, is what is stored in tests/stored/referee/labs/.

Store intended differences with `python tests/tools/referee.py`, and check what git shows.
"""

import lab_stories
import pytest
from referee import REFEREE


@pytest.mark.parametrize("name", lab_stories.NAMES)
def test_what_a_lab_says_step_by_step_is_what_is_stored(name):
    stored = (REFEREE / "labs" / f"{name}.txt").read_text("utf-8")
    assert f"{lab_stories.story(name).rstrip()}\n" == stored
