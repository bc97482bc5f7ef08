"""Every lesson as a student leaves it who has solved all of it; `solved` says how it is run.

One of them is also in the quick tier: tests/lessons/test_solved_lesson.py.
"""

import pytest
from solved import WITH_EXERCISES, complaints


@pytest.mark.parametrize("path", WITH_EXERCISES, ids=lambda path: path.stem)
def test_a_solved_lesson_runs_and_every_answer_is_right(path):
    assert complaints(path) == []
