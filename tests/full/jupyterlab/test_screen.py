"""What surrounds a lesson in JupyterLab: labs that sleep and wake, results, links, progress, the list of files."""

import json
import re

import pytest
from axe import barriers
from browser import expect
from lab import shot_of
from paths import NOTEBOOKS
from small_course import write_lesson

from coincourse import checks
from coincourse.course.copies import as_handed_out
from coincourse.course.progress import FOLDER
from coincourse.labs.predictions.prediction import questions

pytestmark = pytest.mark.browser

BOARD = """from coincourse.labs import Board
from coinlib import sticks

Board(sticks(side), "random", seed=1)"""
TO_WAKE = "Press “Wake it”."
ASLEEP = f"This lab sleeps. Below is how it looked when its cell last ran. {TO_WAKE}"
ASLEEP_NOW = f"This lab sleeps. Below is what you have done so far. {TO_WAKE}"


def leave(lab, lesson):
    """Save a lesson, and end its kernel."""
    lesson.menu("File", "Save Notebook")
    lesson.page.wait_for_function("() => !document.querySelector('.jp-mod-dirty')")
    lesson.close()
    lab.lessons.remove(lesson)


def reopen(lab, lesson):
    """Leave a lesson and open it again, as on the next day."""
    leave(lab, lesson)
    return lab.show(lesson.name, 900, anew=True)


# --- day two


def test_a_lab_of_yesterday_shows_its_picture_and_wakes(lab):
    lesson = lab.write("yesterday.ipynb", "side = 7", "def unfinished(:", BOARD, height=900)
    for number, last in ((0, 0), (2, -1)):
        lesson.page.locator(".jp-CodeCell").nth(number).locator(".cm-line").nth(last).click()
        lesson.page.keyboard.press("Shift+Enter")
    lesson.page.get_by_role("button", name=re.compile("^take 1")).wait_for()
    before = lesson.page.locator(".coin-lab").bounding_box()
    lesson = reopen(lab, lesson)
    page = lesson.page
    cell = lesson.cell("Board(sticks(side)")
    expect(cell.get_by_text(ASLEEP)).to_be_visible()
    expect(cell.get_by_text("7 coins")).to_be_visible()
    expect(cell.get_by_text("New game. You start. Your turn.")).to_be_visible()
    expect(cell.get_by_text("still picture")).to_have_count(0)  # which would say something else about what to do
    expect(page.get_by_text("Error displaying widget")).to_be_hidden()
    assert barriers(page, [".coin-asleep"]) == []
    shot_of(page, "day-two-asleep")
    top = cell.bounding_box()["y"]
    cell.get_by_role("button", name="Wake it").dblclick()
    take_one = cell.get_by_role("button", name=re.compile("^take 1"))
    take_one.wait_for()
    expect(cell.locator(".coin-lab")).to_have_count(1)
    awake = cell.locator(".coin-lab").bounding_box()
    assert (awake["x"], awake["width"]) == (before["x"], before["width"])  # so nothing in it moves
    assert page.locator(".coin-asleep").count() == 0 and cell.bounding_box()["y"] == top
    expect(lesson.cell("unfinished").get_by_text("SyntaxError")).to_have_count(0)  # no cell has run
    take_one.click()
    cell.get_by_role("button", name="Take 1 coin", exact=True).click()
    cell.get_by_text("The computer takes").wait_for()
    shot_of(page, "day-two-awake")

    lesson.menu("Kernel", "Restart Kernel…")
    page.locator(".jp-Dialog .jp-mod-accept").click()
    expect(cell.get_by_text(ASLEEP)).to_be_visible()
    expect(take_one).to_have_count(0)
    cell.get_by_role("button", name="Wake it").press("Enter")
    take_one.wait_for()
    page.keyboard.press("Tab")
    expect(take_one).to_be_focused()
    take_one.click()
    cell.get_by_role("button", name="Take 1 coin", exact=True).click()
    cell.get_by_text("The computer takes").wait_for()  # it answers, so JupyterLab has nothing more to send


def test_sliders_wake_after_the_cells_above_and_the_page_stays_where_it_is(lab):
    sliders = "from coincourse.labs import sliders\n\nsliders(lambda n: f'{side * n} coins', n=(1, 9))"
    tall = "side = 7\nprint('\\n' * 60)"
    lesson = lab.write(
        "tall.ipynb", tall, "def unfinished(:", "side = 0", "side = 7", sliders, "print('\\n' * 90)", height=900
    )
    for number in (0, 4, 5):
        lesson.page.locator(".jp-CodeCell").nth(number).locator(".cm-line").first.click()
        lesson.page.keyboard.press("Shift+Enter")
    lesson.page.locator(".widget-hslider").wait_for()
    lesson = reopen(lab, lesson)
    cell = lesson.cell("sliders(")
    wake = cell.get_by_role("button", name="Wake it")
    wake.scroll_into_view_if_needed()
    expect(cell.get_by_text("the cells above run first")).to_be_visible()
    top = cell.bounding_box()["y"]
    wake.click()
    cell.locator(".widget-hslider").wait_for()
    assert abs(cell.bounding_box()["y"] - top) < 2
    expect(lesson.cell("unfinished").get_by_text("SyntaxError")).to_have_count(1)  # which the lab does not need


def test_an_unknown_name_that_a_cell_above_defines_says_what_to_run(lab):
    calls = ("check", "left, right", "sticks", "steps(1)", "nowhere")
    above = "from coincourse import checks as check\nfrom coinlib import Hats, sticks\nleft, right = 1, 2\ndef steps(n):\n    nowhere = 1"
    lesson = lab.write("section_five.ipynb", above, *calls, height=900)
    for number in range(1, 6):
        last = lesson.page.locator(".jp-CodeCell").nth(number)
        last.locator(".cm-line").first.click()
        lesson.page.keyboard.press("Shift+Enter")
        # what waits for a cell with an error does not run
        expect(last.get_by_text("NameError").first).to_be_visible()
    says = lesson.page.get_by_text("Run All Above Selected Cell")
    expect(says).to_have_count(4)  # the last name is defined only inside a function
    expect(last.get_by_text("Run All Above Selected Cell")).to_have_count(0)
    assert barriers(lesson.page, [".coin-unknown"]) == []
    shot_of(lesson.page, "unknown-name")
    lesson.page.locator(".jp-CodeCell").nth(4).locator(".cm-line").first.click()
    lesson.menu("Run", "Run All Above Selected Cell")
    expect(says).to_have_count(1)  # below the cell itself, which has not run again


def test_an_unknown_name_below_a_cell_with_an_error_says_which_cell_to_correct(lab):
    lesson = lab.write("broken.ipynb", "n = 1", "def half(n:\n    return n / 2", "twice = 2 * n", "twice", height=900)
    cells = lesson.page.locator(".jp-CodeCell")
    cells.nth(3).locator(".cm-line").first.click()
    lesson.menu("Run", "Run All Above Selected Cell")
    expect(cells.nth(1).get_by_text("SyntaxError").first).to_be_visible()
    cells.nth(3).locator(".cm-line").first.click()
    lesson.page.keyboard.press("Shift+Enter")
    expect(cells.nth(3).locator(".coin-unknown")).to_contain_text(
        "The cell that begins “def half(n:” ends with an error"
    )
    shot_of(lesson.page, "broken-above")


ASK = 'Prediction("hats", "last ball")'


@pytest.fixture
def kept(lab, tmp_path):
    """Keep progress from one kernel to the next, as `coinlib lab` does."""
    startup = lab.server.folder.parent / "IPYTHONDIR" / "profile_default" / "startup" / "kept.py"
    startup.parent.mkdir(parents=True, exist_ok=True)
    startup.write_text(f"import os\nos.environ[{FOLDER!r}] = {str(tmp_path)!r}", encoding="utf-8")
    yield
    startup.unlink()


def test_films_predictions_and_scores_wake_without_the_cells_above_and_show_what_was_done(lab, kept):
    imports = "from coincourse.labs import HatsFilm, Prediction, Score"
    lesson = lab.write("short.ipynb", imports, "(left = 1 / 0", ASK, 'Score("hats")', "HatsFilm()", height=1250)
    lesson.cell("import").locator(".cm-line").first.click()
    for number in (0, 2, 3, 4):
        lesson.page.locator(".jp-InputArea-editor .cm-line").nth(number).click()
        lesson.page.keyboard.press("Shift+Enter")
    lesson.page.locator(".coin-lab").nth(2).wait_for()
    lesson.cell(ASK).get_by_role("button", name="It is empty").click()
    lesson.cell(ASK).get_by_text("(your answer)").wait_for()
    expect(lesson.cell("Score(").get_by_role("status")).to_contain_text("2 still open")

    lesson = reopen(lab, lesson)
    asked, score, film = (lesson.cell(words) for words in (ASK, "Score(", "HatsFilm("))
    for cell in (asked, score):
        expect(cell.get_by_text(ASLEEP_NOW)).to_be_visible()
    expect(asked.get_by_text("(your answer)")).to_be_visible()
    expect(lesson.page.get_by_text("still picture")).to_have_count(0)
    expect(score.get_by_text("2 still open")).to_be_visible()
    expect(film.get_by_text(ASLEEP)).to_be_visible()
    assert barriers(lesson.page, [".coin-asleep"]) == []
    shot_of(lesson.page, "day-two-short")
    assert lesson.page.locator(".jp-mod-dirty").count() == 0  # no cell was run for this
    for cell in (film, score):
        cell.get_by_role("button", name="Wake it").click()
        cell.get_by_role("button", name=re.compile("Next|Begin again")).wait_for()
    expect(lesson.cell("1 / 0").get_by_text("Error")).to_have_count(0)
    assert lesson.page.locator(".jp-InputPrompt").all_inner_texts()[3:5] == ["[3]:", "[4]:"]  # as they were


def test_a_notebook_that_is_not_trusted_says_how_to_trust_it(lab):
    lesson = lab.write("foreign.ipynb", BOARD.replace("side", "7"), height=900)
    lesson.run_all()
    leave(lab, lesson)
    file = lab.server.folder / lesson.name
    stored = json.loads(file.read_text(encoding="utf-8"))
    stored["cells"][0]["source"] = [*stored["cells"][0]["source"], " # from elsewhere"]
    file.write_text(json.dumps(stored), encoding="utf-8")
    lesson = lab.show(lesson.name, 900)
    lesson.page.get_by_text("this notebook is not trusted").wait_for()
    shot_of(lesson.page, "day-two-untrusted")
    lesson.page.get_by_role("button", name="Trust it").click()
    lesson.page.locator(".jp-Dialog .jp-mod-accept").click()
    expect(lesson.page.get_by_text("this notebook is not trusted")).to_have_count(0)
    expect(lesson.page.get_by_text(ASLEEP)).to_be_visible()


def test_a_lab_says_that_it_waits_while_a_cell_asks_for_input(lab):
    hats = "from coincourse.labs import HatsLab\n\nHatsLab(controls=('train',))"
    lesson = lab.write("asks.ipynb", hats, "input('name? ')", height=1000)
    cell, page = lesson.cell("HatsLab("), lesson.page
    cell.locator(".cm-line").first.click()
    page.keyboard.press("Shift+Enter")
    learnt = cell.get_by_text("The hats have learnt")
    for games in ("1 game", "2 games"):  # JupyterLab opens a second line to the kernel when the first button is pressed
        cell.get_by_role("button", name="1 game", exact=True).click()
        expect(learnt).to_contain_text(f" {games}")
    lesson.cell("input(").locator(".cm-line").first.click()
    page.keyboard.press("Shift+Enter")
    typed = page.locator(".jp-Stdin-input")
    typed.wait_for()
    cell.get_by_role("button", name="10 games", exact=True).click()
    expect(cell.get_by_role("alert").filter(has_text="waits for what you type")).to_be_visible()
    shot_of(page, "busy-lab")
    typed.press("Enter")
    expect(learnt).to_contain_text(" 12 games")
    expect(cell.get_by_text("waits for what you type")).to_have_count(0)


# --- results

FUNCTIONS = """from coincourse import checks as check

def finish(left):
    {}

check.finish(finish)"""
LOSES = """def my_rule(game, state):
    return 1

check.my_counter(my_rule)"""
HINTED = """from coincourse import checks as check

def sticks_left(left, taken):
    return left - 1

check.sticks_left(sticks_left)"""
VERDICTS = {
    "not written": FUNCTIONS.format("return ...  # your code here"),
    "right": FUNCTIONS.format("return left - 1 if 2 <= left <= 4 else 1"),
    "hint": HINTED,
    "error": FUNCTIONS.format("helper = {}\n    return helper[left]"),
    "prints": FUNCTIONS.format("print('so many:', left)\n    return 7"),
    "game": LOSES,
}


def test_results_look_like_results(lab):
    lesson = lab.write("results.ipynb", *VERDICTS.values(), height=1250)
    lesson.run_all()
    page = lesson.page
    shown = page.locator(".coin-verdict")
    expect(shown).to_have_count(len(VERDICTS))
    texts = dict(zip(VERDICTS, shown.all_inner_texts(), strict=True))
    assert texts["right"].startswith("✓ Right, with 2, 3 and 4 sticks")
    said = "That takes one stick away, whatever taken is."
    assert texts["hint"].split("\n\n")[:2] == ["✗ Not yet", said]
    assert "For 2 sticks of which 2 are taken\nyour function returned 1;\nexpected 0." in texts["hint"]
    assert "In line 5 of your code: return helper[left]" in texts["error"]
    assert "so many: 1\n" not in texts["prints"]
    shown.nth(4).get_by_text("What your function printed").click()
    expect(shown.nth(4).get_by_text("so many: 1")).to_be_visible()
    assert shown.nth(5).get_by_role("listitem").count() >= 2
    assert texts["not written"] == "○ Not written yet. Replace ... in the cell above, then run it again."
    assert barriers(page, [".coin-verdict"]) == []
    shot_of(page, "results")
    with lesson.dark():
        assert barriers(page, [".coin-verdict"]) == []
        shot_of(page, "results-dark")


# --- a lesson on the screen

OURS = [".jp-OutputArea-output", ".jp-RenderedMarkdown"]


TOO_LONG = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length"


def test_no_barrier_in_a_lesson_no_line_cut_and_no_figure_too_tall(lab):
    lesson = lab.open("11_greedy_coins_large.ipynb")
    page = lesson.page
    page.wait_for_function("() => document.querySelectorAll('.jp-RenderedImage img:not([alt])').length === 0")
    words = [figure.get_attribute("alt") for figure in page.locator(".jp-RenderedImage img").all()]
    assert len(words) >= 3
    assert all(alt.startswith("As the lesson has it: ") for alt in words)
    assert max(figure.bounding_box()["height"] for figure in page.locator(".jp-RenderedImage img").all()) == 600
    lines = page.locator(".jp-CodeCell .cm-scroller")
    assert lines.count() > 20 and lines.evaluate_all(TOO_LONG) == 0  # long lines of code are wrapped
    assert barriers(page, OURS) == []


LETTERS_IN_A_LINE = """text => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = new Set([...range.getClientRects()].map(part => Math.round(part.bottom / 8)));
    return text.textContent.length / lines.size;
}"""
TEXT = """# 04 · Hats

You need lessons 01 (state) and 03, lesson 04 itself, and `lesson 05` in code. After it comes [lesson five](05_training_hats.ipynb).

{words}

**1.** What is left?

<details><summary>One coin</summary>Yes. Whoever must take it loses.</details>
<details><summary>Nothing</summary>Then you have taken the last coin yourself, and lost.</details>

**2.** Who begins?

<details><summary>You</summary>Yes.</details>
<details><summary>The computer</summary>No.</details>

**3.** How many remain?

<details><summary>A hint</summary>Count them.</details>
<details><summary>Answer</summary>Three.</details>
"""


# JupyterLab scrolls at once when a cell is run; the extension scrolls to the top of the lab a little later.
TOP_IS_SEEN = """() => {
    const { top, bottom } = document.querySelector(".coin-lab").getBoundingClientRect();
    return bottom > innerHeight && 0 <= top && top < 300;
}"""


def test_a_tall_lab_is_seen_from_its_top_when_it_is_first_run(lab):
    words = "\n".join(f"# line {number}" for number in range(20))
    lab_cell = "from coincourse.labs import QLab\n\nQLab()"
    lesson = lab.write("tall.ipynb", words, lab_cell, words, words, words, height=700)
    page = lesson.page
    cell = lesson.cell("QLab()")
    cell.locator(".cm-line").first.click()
    page.keyboard.press("Shift+Enter")
    cell.get_by_role("button", name="Run", exact=True).wait_for()
    page.wait_for_function(TOP_IS_SEEN)
    title = cell.locator(".coin-lab > p > strong").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    text = cell.locator(".coin-lab .words").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert title > text
    shot_of(page, "tall-lab")


def test_a_tall_figure_is_seen_from_its_top_when_its_cell_is_run(lab):
    words = "\n".join(f"# line {number}" for number in range(20))
    figure = "from IPython.display import HTML\n\nHTML('<div class=tall style=height:640px>TOP</div>')"
    lesson = lab.write("figure.ipynb", words, figure, words, words, words, height=800)
    lesson.cell("IPython").locator(".cm-line").first.click()
    lesson.page.keyboard.press("Shift+Enter")
    lesson.page.wait_for_function("() => document.querySelector('.tall')?.getBoundingClientRect().top > 0")
    lesson.page.wait_for_timeout(1000)
    top = lesson.page.locator(".tall").evaluate("node => node.getBoundingClientRect().top")
    assert 0 < top < 400


def test_twenty_hats_and_their_buttons_fit_into_one_window(lab):
    hats = "HatsLab(sticks=20, reveal=True, history=[('train', 1_000, 'twin', 'alternate')])"
    lesson = lab.write("twenty.ipynb", f"from coincourse.labs import HatsLab\n\n{hats}", height=800)
    lesson.run_all()
    shown = lesson.page.locator(".coin-lab")
    room = lesson.page.locator(".jp-WindowedPanel-outer").bounding_box()["height"]
    button, last = shown.get_by_role("button", name="New game"), shown.locator(".hats > svg").last
    high = last.bounding_box()["y"] + last.bounding_box()["height"] - button.bounding_box()["y"]
    assert 300 < high < room


def test_a_double_click_or_enter_on_an_answer_only_opens_and_closes_it(lab):
    lesson = lab.write("answers.ipynb", "1", height=800)
    for key in ("Escape", "m", "Enter"):
        lesson.page.keyboard.press(key)
    lesson.page.keyboard.insert_text(
        "<details><summary>One</summary>Yes.</details>\n<details><summary>Two</summary>No.</details>"
    )
    lesson.page.keyboard.press("Shift+Enter")
    answer = lesson.page.locator("details").first
    answer.locator("summary").dblclick()
    expect(answer).not_to_have_attribute("open", "")  # opened and closed
    answer.locator("summary").press("Enter")
    expect(answer).to_have_attribute("open", "")
    answer.dblclick(position={"x": 40, "y": 40})
    expect(answer).to_be_visible()  # and not the cell's HTML
    expect(lesson.page.locator(".jp-MarkdownCell .cm-content:visible")).to_have_count(0)


# --- progress


def test_what_is_done_is_seen_at_the_end_and_on_the_map(lab, tmp_path):
    from coincourse.course.progress import Progress

    kept = Progress(tmp_path)
    for file in ("start_here", "the_coin_game", "hats"):
        for name in checks.NAMES[file]:
            kept.note_right(file, name)
    here = f"import os\nos.environ[{FOLDER!r}] = {str(tmp_path)!r}"
    labs = "from coincourse.labs import CourseMap, Prediction, Score\n\n"
    cells = (f"{labs}CourseMap()", 'Prediction("training_hats", "{name}")', 'Score("training_hats")')
    cells = [cell.replace("{name}", next(iter(questions("training_hats")))) for cell in cells]
    write_lesson(lab.server.folder / "06_q_learning.ipynb", "1")
    lesson = lab.write("05_training_hats.ipynb", here, *cells, VERDICTS["right"], height=1250)
    lesson.run_all()
    page = lesson.page
    expect(page.get_by_role("row", name="04 ● Hats 2 of 2 done")).to_have_count(1)
    expect(page.get_by_role("row", name=re.compile("05 ● Training hats 0 of"))).to_have_count(1)
    shot_of(page, "map-three-done")
    asked, score = lesson.cell("Prediction("), lesson.cell("Score(")
    asked.locator("[data-press]").first.click()
    to_predict = len(questions("training_hats"))
    expect(score.get_by_role("status")).to_contain_text(f"{to_predict - 1} still open")
    expect(page.get_by_role("row", name=re.compile(f"05 ● Training hats .*1 of {to_predict} made"))).to_have_count(1)
    for width in (1280, 1024):  # with the list of files at the side
        page.set_viewport_size({"width": width, "height": 1250})
        assert page.locator(".course-map .scroll").evaluate("box => box.scrollWidth - box.clientWidth") == 0
        shot_of(page, f"map-{width}")
    page.set_viewport_size({"width": 1280, "height": 1250})
    assert barriers(page, [".coin-lab"]) == []
    shot_of(page, "lesson-end")
    assert len(Progress(tmp_path).done_in("training_hats").choices) == 1
    again = score.get_by_role("button", name="Begin again")
    again.press("Enter")
    expect(score.get_by_role("alert")).to_contain_text("press “Begin again” once more")
    assert len(Progress(tmp_path).done_in("training_hats").choices) == 1
    again.press("Enter")
    expect(score.get_by_role("status")).to_contain_text(f"{to_predict} still open")
    assert Progress(tmp_path).done_in("training_hats").choices == {}
    expect(asked.locator("[data-press]").first).to_be_visible()  # and the question asks again
    lab.follow(score.get_by_role("link", name="lesson 06 · Q-learning"), "06_q_learning.ipynb")


def test_a_lesson_that_was_only_read_need_not_be_saved(lab):
    name = "14_why_multiples_of_four_lose.ipynb"
    (lab.server.folder / name).write_bytes(as_handed_out(NOTEBOOKS / name))
    lesson = lab.show(name, 800)
    lesson.page.wait_for_timeout(1000)  # the kernel says what it is
    assert lesson.page.evaluate("() => jupyterapp.shell.currentWidget.context.model.dirty") is False


def test_a_lesson_is_easy_to_read_and_leads_to_others(lab):
    for number in (1, 2):
        write_lesson(lab.server.folder / f"03_rules-mine-{number}.ipynb", "1")
    lesson = lab.write("04_hats.ipynb", "1", height=900)
    page = lesson.page
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.keyboard.press("Enter")
    page.keyboard.insert_text(TEXT.format(words="Many words make a line that is long. " * 12))
    page.keyboard.press("Shift+Enter")
    text = page.locator(".jp-RenderedMarkdown").first
    links = text.locator("a.coin-lesson")  # not to what `coinlib reset` has kept
    expect(links).to_have_text(["03"])  # there is no lesson 01 here; 04 is this one
    lines = text.locator("p a").evaluate_all("all => all.map(link => getComputedStyle(link).textDecorationLine)")
    assert lines == ["underline"] * 2  # the link that the lesson has, too
    assert 70 <= text.locator("p").nth(1).evaluate(LETTERS_IN_A_LINE) <= 90
    first, second, third = (text.locator("details").nth(place) for place in range(3))
    for answer in (first, second, first, first, third, text.locator("details").last):
        answer.locator("summary").click()
    expect(text.locator(".coin-chosen > summary")).to_have_text(["One coin", "You"])  # what was opened first
    for answer in (second, third):
        answer.locator("summary").click()
    page.mouse.move(1, 1)
    above, question = second.bounding_box(), text.get_by_text("Who begins?").bounding_box()
    far = question["y"] - (above["y"] + above["height"])
    near = third.bounding_box()["y"] - (question["y"] + question["height"])
    assert far > near
    assert barriers(page, [".jp-RenderedMarkdown"]) == []
    shot_of(page, "questions")
    names = page.locator("#filebrowser .jp-DirListing-itemText")
    assert names.evaluate_all("all => all.filter(name => name.scrollWidth > name.clientWidth).length") == 0
    assert page.locator(".jp-id-modified:visible").count() == 0
    expect(links.first).to_have_attribute("href", "03_rules.ipynb")
    lab.follow(links.first, "03_rules.ipynb")
