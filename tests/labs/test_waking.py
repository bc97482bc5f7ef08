"""What a sleeping lab in JupyterLab asks a new kernel: for itself as it was, and for its picture."""

import json

import nbformat
import pytest
from paths import NOTEBOOKS

from coincourse.labs import Board, Prediction, Score
from coincourse.labs.base.without_kernel import DESCRIBED
from coincourse.labs.predictions.answers import ANSWERS
from coincourse.labs.predictions.lessons import LESSONS
from coincourse.labs.waking import awake, picture_now
from coinlib import sticks


@pytest.fixture(autouse=True)
def nothing_done():
    """No answers, nor exercises that another test has answered in this process."""
    for topic in LESSONS:
        ANSWERS.forget(topic)
    yield
    ANSWERS.forget()


def stored_labs():
    """The description of each lab in the lessons, and its picture."""
    for file in sorted(NOTEBOOKS.glob("*.ipynb")):
        for cell in nbformat.read(file, 4).cells:
            for output in cell.get("outputs", ()):
                if DESCRIBED in output.get("data", {}):
                    yield output.data[DESCRIBED], output.data["text/html"]


def test_every_lab_of_the_lessons_wakes_without_its_cell_and_looks_the_same():
    kinds = set()
    for described, picture in stored_labs():
        lab = awake(json.dumps(described))
        kinds.add(described["lab"])
        assert lab.still() == picture
        assert lab.described() == described
    assert len(kinds) == 12


def test_a_prediction_that_sleeps_shows_what_was_chosen_and_a_score_what_is_done():
    asked, score = Prediction("hats", "last ball"), Score("hats")
    stored = [json.dumps(lab.described()) for lab in (asked, score)]
    before = [picture_now(each).data for each in stored]
    assert before == [asked.still(), score.still()] and "(your answer)" not in before[0]
    asked.choose(2)
    after = [picture_now(each).data for each in stored]
    assert "(your answer)" in after[0] and after[1] != before[1]
    assert after == [asked.still(), score.still()]
    assert picture_now(json.dumps(Board(sticks(7), seed=1).described())) is None
