"""What a sleeping lab in JupyterLab asks a new kernel: its picture, and whether it needs only imports."""

import json

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from paths import NOTEBOOKS

from coincourse.labs import Board, Prediction, Score, waking
from coincourse.labs.base.without_kernel import DESCRIBED
from coincourse.labs.predictions.answers import ANSWERS
from coincourse.labs.waking import import_for, needed_imports, picture_now
from coinlib import sticks

AWAKE_WITH_IMPORTS = {"Prediction", "Score", "FusingFilm", "HatsFilm", "IntervalsFilm", "NewsFilm"}
ABOVE = [
    "from coincourse.labs import Board, Score\nimport numpy as np",
    "game = np.arange(3)\n\ndef choose(state):\n    best = 1\n    return best",
    "import pandas.plotting\nfor chosen in game:\n    pass",
]
NEEDS = {
    "Score('hats')": ["from coincourse.labs import Board, Score"],
    "best = 2\nBoard(best)": ["from coincourse.labs import Board, Score"],  # it defines that itself
    "def draw(state):\n    return np.ones(state)": ["import numpy as np"],
    "pandas.plotting.table": ["import pandas.plotting"],
    "print(1)": [],
    "Board(game)": None,
    "def draw(state):\n    return choose(state)": None,
    "[Board(each) for each in range(chosen)]": None,
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
def test_imports_are_all_that_a_cell_needs_or_not(cell):
    assert needed_imports(cell, ABOVE) == NEEDS[cell]


def test_what_is_needed_is_imported_into_the_notebook(shell):
    assert import_for("Score('hats')", ABOVE)
    assert shell.user_ns["Score"] is Score and "game" not in shell.user_ns
    assert not import_for("Board(game)", ABOVE)
    assert not import_for("Board(", ABOVE)
    assert import_for("Score('hats')", ["%config InlineBackend.close_figures\n!true", *ABOVE])
    assert not import_for("Score('hats')", ["from coincourse.labs import Score, Scores"])


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
                assert needed_imports(source, above) is not None, (file.name, cell.source)
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
