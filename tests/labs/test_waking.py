"""What a sleeping lab in JupyterLab asks a new kernel: its picture, and whether it needs only imports."""

import json

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from paths import NOTEBOOKS

from coincourse.labs import Board, Prediction, Score, waking
from coincourse.labs.base.without_kernel import DESCRIBED
from coincourse.labs.predictions.answers import ANSWERS
from coincourse.labs.waking import needed_from, picture_now, prepare
from coinlib import sticks

AWAKE_WITH_IMPORTS = {"Prediction", "Score", "FusingFilm", "HatsFilm", "IntervalsFilm", "NewsFilm"}
LABS = "from coincourse.labs import Board, Score"
BROKEN = ["def half(state):\nreturn state", "\tgame\n  half = 1", "rule = (Board, Score(game", "return Board"]
ABOVE = [
    f"{LABS}\nimport numpy as np",
    "game = np.arange(3)\n\ndef choose(state):\n    best = 1\n    return best",
    "import pandas.plotting\nfor chosen in game:\n    pass",
    *BROKEN,  # exercises that are not finished
]
NEEDS = {  # the imports, and the cells that define anything else
    "Score('hats')": ([LABS], []),
    "best = 2\nBoard(best)": ([LABS], []),  # it defines that itself
    "def draw(state):\n    return np.ones(state)": (["import numpy as np"], []),
    "pandas.plotting.table": (["import pandas.plotting"], []),
    "print(1)": ([], []),
    "Board(game)": ([LABS], [1]),
    "def draw(state):\n    return choose(state)": ([], [1]),
    "[Board(each) for each in range(chosen)]": ([LABS], [1, 2]),
    "Board(half)": ([LABS], [3, 4]),
    "Board(rule)": ([LABS], [5]),
    "Board(": ([], []),
}


@pytest.fixture
def shell(monkeypatch):
    """A Python shell without a notebook."""
    shell = InteractiveShell()
    monkeypatch.setattr(waking, "get_ipython", lambda: shell)
    return shell


@pytest.fixture(autouse=True)
def nothing_chosen():
    ANSWERS.forget()
    yield
    ANSWERS.forget()


@pytest.mark.parametrize("cell", NEEDS)
def test_only_what_a_cell_needs_from_above_counts_and_no_unfinished_exercise(cell):
    assert needed_from(cell, ABOVE) == NEEDS[cell]


def test_what_is_needed_is_imported_into_the_notebook(shell):
    assert prepare("Score('hats')", ABOVE) == []
    assert shell.user_ns["Score"] is Score and "game" not in shell.user_ns
    assert prepare("Board(game)", ["%config InlineBackend.close_figures\n!true", *ABOVE]) == [2]
    assert shell.user_ns["Board"] is Board
    assert prepare("Score('hats')", ["1", "from coincourse.labs import Score, Scores"]) == [0, 1]


def test_films_predictions_and_scores_of_the_lessons_wake_with_imports_alone(shell):
    found = set()
    for file in sorted(NOTEBOOKS.glob("*.ipynb")):
        above = []
        for cell in nbformat.read(file, 4).cells:
            if cell.cell_type != "code":
                continue
            source = shell.transform_cell(cell.source)
            kinds = {output.data[DESCRIBED]["lab"] for output in cell.outputs if DESCRIBED in output.get("data", {})}
            for kind in kinds & AWAKE_WITH_IMPORTS:
                found.add(kind)
                assert needed_from(source, above)[1] == [], (file.name, cell.source)
            above.append(source)
    assert found == AWAKE_WITH_IMPORTS


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
