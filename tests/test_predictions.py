"""Predictions that count: the first choice, its reasons, the score; and the questions themselves."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import nbformat
import pytest

from coincourse.labs import Prediction, Score
from coincourse.labs.predictions.answers import ANSWERS
from coincourse.labs.predictions.prediction import QUESTIONS, questions

ROOT = Path(__file__).resolve().parent.parent
TOPICS = sorted(file.stem for file in QUESTIONS.glob("*.toml"))
ALL = [(topic, name) for topic in TOPICS for name in questions(topic)]


@pytest.fixture(autouse=True)
def nothing_chosen():
    ANSWERS.forget()


def test_the_first_choice_counts_and_its_reasons_open():
    asked = Prediction("hats", "last ball")
    words = [answer[0] for answer in asked.data.answers]
    reasons = [answer[1] for answer in asked.data.answers]
    assert not any(reason in asked.page for reason in reasons)
    asked.press(words[2])
    asked.choose(1)  # too late
    assert asked.settings == {"topic": "hats", "name": "last ball", "chosen": 2}
    assert "Not what you predicted." in asked.page and f"✗ {words[2]}</strong> (your answer)" in asked.page
    assert all(reason in asked.page for reason in reasons)
    again = Prediction("hats", "last ball")  # the cell is run once more
    assert again.data.chosen == 2 and again.view["below"] == []


def test_the_score_follows_what_is_chosen():
    score, size = Score("hats"), len(questions("hats"))
    assert f"0 of {size} prediction" in score.page and f"{size} still open" in score.page
    for name, question in questions("hats").items():
        Prediction("hats", name).choose(question["right"] - 1)
    assert f"{size} of {size} prediction" in score.page and "open" not in score.page


def test_without_a_kernel_the_answers_are_folded():
    still = Prediction("hats", "last ball").still()
    for words, reason in questions("hats")["last ball"]["answers"]:
        assert f"<summary>{words}</summary>{reason}" in still
    assert "The code" not in still


def test_a_question_that_is_not_there_is_said():
    with pytest.raises(ValueError, match="topic: expected .*'hats'"):
        Prediction("heads", "last ball")
    with pytest.raises(ValueError, match="name: expected .*'last ball'"):
        Prediction("hats", "first ball")


@pytest.mark.parametrize(("topic", "name"), ALL)
def test_a_question_has_one_right_answer_with_a_reason(topic, name):
    question = questions(topic)[name]
    said_yes = [place for place, (_, reason) in enumerate(question["answers"], 1) if reason.startswith("Yes")]
    assert len(question["answers"]) >= 3 and said_yes == [question["right"]]


def test_the_right_answer_stands_in_each_place_equally_often():
    places = Counter(questions(topic)[name]["right"] for topic, name in ALL)
    for lesson in (ROOT / "notebooks").glob("*.ipynb"):
        for cell in nbformat.read(lesson, 4).cells:
            for answers in re.findall(r"(?:<details>.*?</details>\s*)+", cell.source, re.DOTALL):
                reasons = re.findall(r"</summary>\s*(.*?)</details>", answers, re.DOTALL)
                right = [place for place, reason in enumerate(reasons, 1) if reason.startswith("Yes")]
                if len(reasons) > 1 and len(right) == 1:
                    places[right[0]] += 1
    assert len(places) == 3 and max(places.values()) < 1.2 * min(places.values())


def test_every_question_is_asked_in_one_lesson():
    asked = re.findall(
        r'Prediction\(\\"(\w+)\\", \\"([^"]+)\\"\)',
        "".join(lesson.read_text(encoding="utf-8") for lesson in (ROOT / "notebooks").glob("*.ipynb")),
    )
    assert sorted(asked) == sorted(ALL)
