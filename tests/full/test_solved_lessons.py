"""Every lesson as left by a student who has solved everything; `solved` says how it is run.

One of them is also in the quick tier: tests/lessons/test_solved_lesson.py.
"""

import pytest
from solved import WITH_EXERCISES, complaints


@pytest.mark.parametrize("path", WITH_EXERCISES, ids=lambda path: path.stem)
def test_a_solved_lesson_runs_and_every_answer_is_right(path):
    assert complaints(path) == []
