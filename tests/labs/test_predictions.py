"""Predictions that count: the first choice, its reasons, the score; and the questions themselves."""

from __future__ import annotations

import re
from collections import Counter

import nbformat
import pytest
from paths import ROOT

from coincourse import checks
from coincourse.course import progress
from coincourse.course.progress import Done, Progress, file_of
from coincourse.labs import CourseMap, Prediction, Score
from coincourse.labs.predictions.answers import ANSWERS, Answers
from coincourse.labs.predictions.lessons import LESSONS
from coincourse.labs.predictions.prediction import QUESTIONS, questions
from coincourse.labs.predictions.score import Tally

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
    assert f"0 of {size} right" in score.page and f"{size} still open" in score.page
    for name, question in questions("hats").items():
        Prediction("hats", name).choose(question["right"] - 1)
    assert f"{size} of {size} right" in score.page and "still open" not in score.page


def test_predictions_with_a_star_are_counted_apart_as_exercises_are():
    answers = Answers()
    score = Score("tournament", answers)
    assert "Predictions: 0 of 2 right</strong> at the first choice; 2 still open" in score.page
    assert "Predictions with a ★, if you want more: 0 of 1 right" in score.page
    for name in ("bad entries", "circle"):
        Prediction("tournament", name, answers=answers).choose(0)
    assert "Predictions: 0 of 2 right</strong> at the first choice.</p>" in score.page
    assert "0 of 1 right</strong> at the first choice; 1 still open" in score.page
    assert "2 of 2 predictions made, 0 of 1 with a ★" in str(CourseMap(answers))
    Prediction("tournament", "wire", answers=answers).choose(0)
    assert "still open" not in score.page
    assert "★" not in Score("start", answers).page


# --- what survives the kernel


def answers_in(folder):
    """The answers of a kernel that `coinlib lab` has given this folder."""
    return Answers(progress=Progress(folder))


def test_what_is_done_outlives_the_kernel(tmp_path):
    monday, topic = answers_in(tmp_path), "hats"
    score = Score(topic, monday)
    monday.progress.note_right("hats", "settle")
    assert "✓ settle" in score.page and "○ chance" in score.page and "Exercises: 1 of 2 done" in score.page
    Prediction(topic, "last ball", answers=monday).press("It is empty")
    tuesday = answers_in(tmp_path)
    assert Score(topic, tuesday).page == score.page
    assert Prediction(topic, "last ball", answers=tuesday).data.chosen == 2
    assert tuesday.choose(topic, "last ball", 0) == 2  # too late, also on the next day
    score = Score(topic, tuesday)
    score.press("Begin again")
    score.press("Begin again")
    assert Score(topic, answers_in(tmp_path)).data.done == Score(topic, tuesday).data.predictions.answered == 0
    assert list(tmp_path.iterdir()) == []


def test_begin_again_asks_first_and_leaves_no_box_that_disagrees():
    answers = Answers()
    score = Score("hats", answers)
    other = Prediction("training_hats", next(iter(questions("training_hats"))), answers=answers)
    other.choose(0)
    asked = Prediction("hats", "last ball", answers=answers)
    asked.press("It is empty")
    score.press("Begin again")
    assert asked.data.chosen == 2 and "press “Begin again” once more" in score.page
    answers.progress.note_right("hats", "settle")  # something else happens, so the question is withdrawn
    assert "once more" not in score.page
    score.press("Begin again")
    score.press("Begin again")
    assert asked.data.chosen is None and "It is empty" in asked.frame and "your answer" not in asked.page
    assert other.data.chosen == 0


def test_the_score_says_only_what_is_true_wherever_the_reader_is():
    kernel = Answers()
    assert "3 still open.</p>" in Score("hats", kernel).page  # some questions are further on, after the score
    assert "An exercise gets its ✓ once" in Score("hats", kernel).page
    kernel.progress.note_right("hats", "settle")
    assert "The open exercises are waiting" in Score("hats", kernel).page
    kernel.progress.note_right("hats", "chance")
    assert "You have done every exercise" in Score("hats", kernel).page


def test_a_file_that_cannot_be_read_or_written_changes_nothing_but_the_memory(tmp_path):
    file_of(tmp_path, "hats").write_text("[1,")
    assert Score("hats", answers_in(tmp_path)).data.done == 0
    nowhere = answers_in(tmp_path / "a file" / "below")
    (tmp_path / "a file").write_text("")
    nowhere.progress.note_right("hats", "settle")
    nowhere.choose("hats", "last ball", 1)
    assert Score("hats", nowhere).data.done == Score("hats", nowhere).data.predictions.answered == 1
    assert (tmp_path / "a file").read_text() == ""


def test_a_check_notes_what_is_right_and_takes_nothing_away(tmp_path, monkeypatch, capsys):
    kept = Progress(tmp_path)
    monkeypatch.setattr(progress, "KEPT", kept)
    checks.finish(checks.finish.reference)
    checks.finish(lambda left: None)
    checks.first_move(9)
    assert kept.done_in("start_here") == Done({"finish"}, {})
    checks.sticks_left.judge(checks.sticks_left.reference)  # as in marking: nothing is recorded
    assert Progress(tmp_path).done_in("start_here").exercises == {"finish"}


def test_without_a_folder_the_kernel_remembers_and_the_next_one_does_not(monkeypatch, capsys):
    kernel = Answers(progress=Progress(None))
    monkeypatch.setattr(progress, "KEPT", kernel.progress)
    checks.finish(checks.finish.reference)
    assert Score("start", kernel).data.done == 1 and "✓ finish" in Score("start", kernel).page
    score = Score("start", kernel)
    score.press("Begin again")
    score.press("Begin again")
    assert Score("start", kernel).data.done == 0
    assert "00 ● Start here: 0 of 3 exercises, 0 of 2 predictions made" in str(CourseMap(Answers())).splitlines()[0]


def test_the_map_of_the_course_leads_to_each_lesson(tmp_path):
    answers = answers_in(tmp_path)
    for name in checks.NAMES["hats"]:
        answers.progress.note_right("hats", name)
    shown = CourseMap(answers)._repr_mimebundle_()
    links = re.findall("href='([^']+)'", shown["text/html"])
    assert links == [path.name for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    assert re.search(
        r"04 ● Hats: (\d) of \1 exercises, (\d) of \2 with a ★, 0 of 3 predictions made", shown["text/plain"]
    )


def test_every_exercise_of_the_score_is_one_of_its_lesson():
    for lesson in LESSONS.values():
        cells = nbformat.read(ROOT / "notebooks" / lesson.notebook, 4).cells
        called = set()
        in_starred_section = False
        for cell in cells:
            if cell.cell_type == "markdown" and cell.source.startswith("## "):
                in_starred_section = cell.source.startswith("## ★")
            for name in re.findall(r"^check\.(\w+)\(", cell.source, re.MULTILINE):
                called.add(name)
                assert (name in checks.STARRED) == in_starred_section, name
            for name in re.findall(r'Prediction\("\w+", "([^"]+)"\)', cell.source):
                assert questions(lesson.topic)[name].get("starred", False) == in_starred_section, name
        assert called == set(lesson.exercises)


# --- the questions themselves


def test_without_a_kernel_the_answers_are_folded():
    still = Prediction("hats", "last ball").still()
    for words, reason in questions("hats")["last ball"]["answers"]:
        assert f"<summary>{words}</summary>{reason}" in still
    assert "The code" not in still


def test_a_question_that_is_not_there_is_said():
    for asked, complaint in [
        (("heads", "last ball"), "topic: expected .*'hats'"),
        (("hats", "first"), "name: .*'last ball'"),
    ]:
        with pytest.raises(ValueError, match=complaint):
            Prediction(*asked)


def test_a_question_has_one_right_answer_with_a_reason():
    wrong = []
    for topic, name in ALL:
        question = questions(topic)[name]
        reasons = [reason for _, reason in question["answers"]]
        said_yes = [place for place, reason in enumerate(reasons, 1) if reason.startswith("Yes")]
        if len(reasons) < 3 or said_yes != [question["right"]]:
            wrong.append((topic, name))
    assert wrong == []


def test_an_answer_is_plain_text_since_it_is_the_name_of_a_button():
    words = [answer for topic, name in ALL for answer, _ in questions(topic)[name]["answers"]]
    assert [answer for answer in words if re.search("[<>&`]", answer)] == []


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


def test_a_wrong_prediction_is_answered_and_not_right():
    asked = Prediction("hats", "last ball")
    asked.choose(next(place for place in range(3) if place != asked.data.right))
    tally = Tally("hats", ANSWERS)
    assert (tally.predictions.answered, tally.predictions.right) == (1, 0)
