"""What a lesson tells its readers to set can be set in the web book too, where a slider has only some stops."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator

import pytest
from paths import ROOT

from coincourse.labs.base.without_kernel import DESCRIBED
from coincourse.labs.boards.board import Board
from coincourse.labs.book.page_data import lab_from
from coincourse.labs.book.record_lab import recorded_values as lab_values
from coincourse.labs.book.record_sliders import recorded_values, settings_of
from coincourse.labs.functions.controls import label_of, spoken
from coincourse.labs.functions.sliders import SLIDERS
from coincourse.labs.learning.hats_lab import HatsLab
from coincourse.labs.predictions.prediction import Prediction

sys.path.append(str(ROOT / "docs" / "_ext"))

from lesson_sliders import box_of, stops_of

ASKS = re.compile(r"(?:(?:Now|Then|First) )?(?:move|drag|set|choose|try|predict|experiment \d)\b", re.IGNORECASE)
NUMBER = r"(?<![\w.−-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w%]| %)"
FOLDED = re.compile(r"<details><summary>(Experiment \d)?(.*?)</summary>.*?</details>", re.DOTALL)
ELSEWHERE = re.compile(r"\*\*Change it\.\*\*.*?(?=\n## |\Z)", re.DOTALL)  # needs JupyterLab
NOT_SET = re.compile(r"`[^`]*`|\[[^]]*\]\([^)]*\)|^#.*$|^>.*$|seconds? \d+|from \d+ upwards", re.MULTILINE)
KEEP = "keep that"  # the settings of the experiment before


def asked_in(text: str) -> list[str]:
    """The sentences of a text that ask a reader of the book to set something.

    >>> asked_in("It has 3 rows. **Move the slider to 1,600, then to 0.5.** **Change it.** Set it to 7.")
    ['Move the slider to 1,600, then to 0.5.']
    """
    text = FOLDED.sub(lambda folded: f"{folded[1]}{folded[2]}.\n" if folded[1] else "", text)
    plain = " ".join(NOT_SET.sub("", ELSEWHERE.sub("", text)).replace("**", "").split())
    return [sentence for sentence in re.split(r"(?<=[.?!]) ", plain) if ASKS.match(sentence)]


def numbers_in(sentence: str) -> list[float]:
    """The numbers in a sentence, without that of an experiment.

    >>> numbers_in("Experiment 3: from 5 to 1,600: 0.5, not 20 %.")
    [5.0, 1600.0, 0.5]
    """
    sentence = re.sub(r"Experiment \d", "", sentence)
    return [float(found.replace(",", "")) for found in re.findall(NUMBER, sentence)]


def settings_in(sentence: str, labels: dict[str, str]) -> list[dict[str, float]]:
    """The settings that a sentence asks for one after the other, of the controls with these names and labels.

    >>> settings_in("learning rate 0.3 and 1,000 games", {"rate": "learning rate", "games": "games"})
    [{'rate': 0.3, 'games': 1000.0}]
    >>> settings_in("lower the rate to 0.5, then to 0.3", {"rate": "rate"})
    [{'rate': 0.5}, {'rate': 0.3}]
    """
    first: dict[str, float] = {}
    second: dict[str, float] = {}
    for name, label in labels.items():
        found = re.search(rf"{label} (?:to )?({NUMBER})(?:, then (?:to )?({NUMBER}))?|({NUMBER}) {label}", sentence)
        if found:
            first[name], *_ = numbers_in(found[1] or found[3])
            second |= {name: numbers_in(found[2])[0]} if found[2] else {}
    return [settings for settings in (first, first | second if second else {}) if settings]


def places(notebook: dict, kind: str) -> Iterator[tuple[int, list[str]]]:
    """The cells with an output of this kind, each with the sentences around it that ask for a setting."""
    cells = notebook["cells"]
    for place, cell in enumerate(cells):
        if any(kind in output.get("data", {}) for output in cell.get("outputs", [])):
            near = [each for each in cells[max(place - 1, 0) : place + 2] if each["cell_type"] == "markdown"]
            yield place, [sentence for each in near for sentence in asked_in("".join(each["source"]))]


LESSONS = [(file, json.loads(file.read_text("utf-8"))) for file in sorted(ROOT.glob("notebooks/**/*.ipynb"))]
WITH_SLIDERS = [
    pytest.param(notebook["cells"], place, asked, id=f"{file.stem}-{place}")
    for file, notebook in LESSONS
    for place, asked in places(notebook, SLIDERS)
]


@pytest.mark.parametrize(("cells", "place", "asked"), WITH_SLIDERS)
def test_the_book_has_each_setting_that_a_lesson_asks_its_readers_for(cells, place, asked):
    box, stops = box_of(cells, place), stops_of(cells[place])
    values = recorded_values(box, stops)
    there = {float(value) for found in values.values() for value in found.values() if isinstance(value, int | float)}
    assert [(sentence, number) for sentence in asked for number in numbers_in(sentence) if number not in there] == []
    now = {name: spoken(control) for name, control in box.controls.items()}
    recorded = [changed for _, changed in settings_of(values, now, stops)]
    labels = {name: label_of(control) for name, control in box.controls.items()}
    before: dict[str, float] = {}
    for sentence in asked:
        kept = before if KEEP in sentence else {}
        for settings in settings_in(sentence, labels):
            before = kept | settings
            changed = {name: value for name, value in before.items() if value != box.settings[name]}
            assert changed in recorded, sentence


def test_the_lessons_ask_for_settings_of_most_sliders_and_one_names_four_at_once():
    asked = {param.id: param.values[2] for param in WITH_SLIDERS}
    experiments = [sentence[:12] for sentence in asked["06_q_learning-38"] if numbers_in(sentence)]
    assert experiments == ["Experiment 1", "Experiment 2", "Experiment 3"]
    assert sum(len(numbers_in(sentence)) for sentences in asked.values() for sentence in sentences) > 15


def test_a_recorded_lab_has_each_value_that_a_lesson_asks_its_readers_for():
    missing, tried = [], 0
    for file, notebook in LESSONS:
        for place, asked in places(notebook, DESCRIBED):
            wanted = [(sentence, number) for sentence in asked for number in numbers_in(sentence)]
            output = next(each for each in notebook["cells"][place]["outputs"] if DESCRIBED in each.get("data", {}))
            lab = lab_from(output["data"][DESCRIBED])
            if wanted and not isinstance(lab, Board | HatsLab | Prediction):  # these answer without a recording
                there = {value for name in lab.shown if name in lab.CONTROLS for value in lab_values(lab, name)}
                missing += [(file.stem, sentence, number) for sentence, number in wanted if number not in there]
                tried += 1
    assert missing == []
    assert tried > 2
