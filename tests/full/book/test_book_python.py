"""Writing, checking and handing in exercises on the book's pages, opened as files and without a network.

Python takes seconds to start. So one page serves all tests that need no other, and Python starts there once, and
again after each answer that ends it. The tests are in an order that reopens the page late.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest
from axe import CONTRAST, barriers
from browser import expect, too_wide
from lab import shot_of
from paths import NOTEBOOKS
from reader import ALIVE, NARROW, WIDE, Reader
from written import START, Exercise, exercise_of, said_in_notebook, solved, stub_of

from coincourse.classroom.marking import mark
from coincourse.course.copies import without_solutions

pytestmark = pytest.mark.browser

HATS = "notebooks/04_hats.html"
RIGHT = """def settle(balls, drawn, won):
    if won:
        return balls + [drawn, drawn]
    if drawn in balls:
        return balls.copy()
    return balls + [drawn]


check.settle(settle)"""
THROWN_AWAY = """def settle(balls, drawn, won):
    return balls + won * [drawn, drawn]


check.settle(settle)"""


# --- a page

# While `window.clocks` has numbers, each timer that ends an answer gets the next one, in milliseconds.
# `window.workers` counts the workers that have started Python.
CLOCKS = """window.clocks = [];
window.workers = 0;
window.Worker = class extends Worker {
    constructor(...given) {
        super(...given);
        window.workers += 1;
    }
};
const wait = setTimeout;
window.setTimeout = (act, ms) => {
    const ends = typeof python !== "undefined" && ms === 1000 * python.SECONDS;
    return wait(act, ends ? (window.clocks.shift() ?? ms) : ms);
}"""


@pytest.fixture(scope="module")
def tab_with_python(chromium, built_book):
    """A tab for pages that can be written on, opened from their files."""
    if not (built_book.folder / "_static" / "python.js").exists():
        pytest.skip("the book was built without Python: npm could not fetch it")
    reader = Reader(chromium, "file:", built_book.folder, CLOCKS)
    yield reader
    reader.close()


@pytest.fixture(scope="module")
def hats_page(tab_with_python):
    """Lesson 04, opened once."""
    return tab_with_python.goes_to(HATS, as_file=True)


@pytest.fixture
def hats(hats_page, tab_with_python):
    """Lesson 04; nothing goes wrong there."""
    yield hats_page
    assert tab_with_python.new_troubles() == []


@pytest.fixture
def settle(hats):
    return Exercise(hats, "settle")


# --- what the page says

ASK = """async ([name, source]) => {
    const { answer } = await python.ask("check", source, JSON.stringify(LESSON.exercises[name]));
    return JSON.parse(answer);
}"""
SAMPLE = [
    *[("04_hats", "settle"), ("04_hats", "chance"), ("01_the_coin_game", "legal_moves")],
    *[("06_q_learning", "q_update"), ("08_game_trees", "wins")],
]


@pytest.mark.parametrize(("lesson", "exercise"), SAMPLE)
def test_words_are_those_of_the_notebook(hats, lesson, exercise):
    hats.evaluate("name => python.script(`_static/exercises/${name}.js`)", lesson)
    stub = stub_of(lesson, exercise)
    answer = re.search(r"\((\w+)\)", stub.splitlines()[-1])[1]
    breaks = f"def {answer}(*given):\n    return given[5]\n\n\n{stub.splitlines()[-1]}"
    for source, said in ((stub, "○ Not written yet."), (breaks, said_in_notebook(exercise, breaks))):
        verdict = hats.evaluate(ASK, [exercise, source])
        assert verdict["text"].startswith(said)
        assert not verdict["right"]
    assert hats.evaluate(ASK, [exercise, solved(lesson, exercise)])["right"]


def test_a_typical_mistake_gets_its_sentence_and_letters_of_any_kind_stay(settle):
    assert "The last ball of a number always goes back" in settle.check(THROWN_AWAY)
    strange = RIGHT.replace("[drawn]\n", "['ä🎩']  # größer\n")
    assert "['ä🎩']" in settle.check(strange).replace("[2, 3, 'ä🎩']", "['ä🎩']")
    made_with = settle.page.locator("[data-made-with=settle]").first  # a sentence about the book's outputs
    expect(made_with).to_have_js_property("hidden", False)
    assert "✓ Right, for wins, losses and last balls. (16 cases tried)" in settle.check(RIGHT)
    expect(made_with).to_have_js_property("hidden", True)


def test_a_verdict_is_grey_while_the_code_is_not_what_was_checked(settle):
    old = settle.place.locator(".write-old")
    done = settle.page.locator("[data-exercise=settle].done")
    right_so_far = settle.page.get_by_text("Right so far: 1 of the 4 exercises").first
    wrong = RIGHT.replace("balls.copy()", "balls")
    assert "✓ Right" in settle.check(RIGHT)
    settle.field.fill(RIGHT + "\n\n# a note\n")  # this changes nothing
    expect(old).to_be_hidden()
    expect(right_so_far).to_be_visible()
    settle.field.fill(wrong)
    expect(old).to_have_text("You have changed your code since this check.")
    expect(settle.answer).to_have_class("write-answer old")
    expect(done).to_have_count(0)
    expect(right_so_far).to_have_count(0)
    assert barriers(settle.page, [".write[data-exercise=settle]"]) == []
    shot_of(settle.page, "page-old")
    settle.field.fill(RIGHT)
    expect(old).to_be_hidden()
    expect(settle.answer).to_have_class("write-answer")
    expect(done).to_have_count(1)
    assert "✗" in settle.check(THROWN_AWAY)
    settle.field.fill(RIGHT)
    expect(old).to_be_visible()
    assert "✓ Right" in settle.check(RIGHT)
    expect(old).to_be_hidden()


def test_run_counts_an_answer_that_its_own_check_finds_right(hats):
    chance = Exercise(hats, "chance")
    chance.field.fill(solved("04_hats", "chance"))
    chance.press("Run")
    expect(chance.answer).to_contain_text("✓ Right")
    expect(hats.locator("[data-exercise=chance].done")).to_have_count(1)


def test_what_is_tried_is_shown_as_python_shows_it(settle):
    settle.field.fill(RIGHT + "\nprint('two')\nsettle([1, 3], 2, True)")
    settle.press("Run")
    expect(settle.answer).to_contain_text("two\n[1, 3, 2, 2]")
    settle.field.fill("def settle(balls)\n    return balls")
    settle.press("Run")
    expect(settle.answer).to_contain_text("Line 1:")
    expect(settle.answer).to_contain_text("SyntaxError: expected ':'")
    settle.press("Check")
    expect(settle.answer).to_contain_text("SyntaxError: expected ':'")
    expect(settle.answer).to_contain_text("In line 1 of your code")


def test_a_hundred_megabytes_of_printing_do_no_harm(settle):
    settle.field.fill("for _ in range(100):\n    print('x' * 1_000_000)")
    settle.press("Run")
    expect(settle.answer).to_contain_text("xxx")
    assert len(settle.answer.inner_text()) < 20_000


def test_two_exercises_at_once(hats, settle):
    chance = Exercise(hats, "chance")
    settle.field.fill(RIGHT)
    chance.field.fill("def chance(balls, sticks, number):\n    return 0\n\n\ncheck.chance(chance)")
    settle.press("Check")
    chance.press("Check")
    expect(settle.answer).to_contain_text("✓ Right")
    expect(chance.answer).to_contain_text("✗ Not yet")


def test_no_barrier_where_one_writes(hats, settle):
    settle.check(THROWN_AWAY)
    places = [".write[data-exercise=settle]", ".work"]
    assert barriers(hats, places) == []
    hats.emulate_media(color_scheme="dark")
    assert barriers(hats, places, CONTRAST) == []
    shot_of(hats, "page-wrong-dark")
    hats.emulate_media(color_scheme="light")


# --- the keyboard


def test_tab_indents_lines_and_shift_tab_takes_it_back(settle):
    settle.field.fill("a\n\nb\n")
    settle.field.press("Control+a")
    settle.field.press("Tab")
    expect(settle.field).to_have_value("    a\n\n    b\n")
    settle.field.press("Shift+Tab")
    expect(settle.field).to_have_value("a\n\nb\n")


def test_the_buttons_of_a_phone_move_whole_lines_and_the_caret_keeps_its_letter(settle):
    less, more = settle.place.locator(".write-blanks button").all()  # hidden where there is a mouse
    select = "(field, [begin, end]) => field.setSelectionRange(begin, end)"
    caret = "field => [field.selectionStart, field.selectionEnd]"
    settle.field.fill("ab\ncd\nef")
    settle.field.evaluate(select, [5, 5])  # after "cd"
    more.dispatch_event("click")
    expect(settle.field).to_have_value("ab\n    cd\nef")
    assert settle.field.evaluate(caret) == [9, 9]
    less.dispatch_event("click")
    expect(settle.field).to_have_value("ab\ncd\nef")
    assert settle.field.evaluate(caret) == [5, 5]
    settle.field.evaluate(select, [1, 4])  # parts of two lines
    more.dispatch_event("click")
    more.dispatch_event("click")
    expect(settle.field).to_have_value("        ab\n        cd\nef")
    less.dispatch_event("click")
    expect(settle.field).to_have_value("    ab\n    cd\nef")


def on_map(page, lesson: str):
    """The line of a lesson in the map of the course, scrolled to."""
    row = page.locator(".course-map").get_by_role("row").filter(has_text=lesson)
    row.scroll_into_view_if_needed()
    return row


def test_an_exercise_is_done_by_keyboard_on_a_phones_screen_and_is_there_the_next_day(hats):
    right = solved("04_hats", "chance")
    chance = Exercise(hats, "chance")
    done = hats.locator("[data-exercise=chance].done")
    hats.set_viewport_size(NARROW)
    expect(done).to_have_count(0)
    chance.field.focus()
    keys = hats.keyboard
    keys.press("Control+a")
    for line in ("def chance(balls, sticks, number):", "if sticks > 1:", "return 1"):
        keys.insert_text(line)
        keys.press("Enter")
    expect(chance.field).to_have_value(
        "def chance(balls, sticks, number):\n    if sticks > 1:\n        return 1\n        "
    )
    keys.press("Backspace")
    keys.type("return 2")
    assert chance.field.input_value().endswith("\n    return 2")
    keys.press("Tab")
    keys.press("Control+z")
    assert chance.field.input_value().endswith("\n    return 2")
    keys.press("Control+Enter")
    expect(chance.answer).to_contain_text("✗ Not yet")
    shot_of(hats, "page-wrong-390")
    keys.press("Control+a")
    keys.insert_text(right)
    keys.press("Control+Enter")
    expect(chance.answer).to_contain_text("✓ Right")
    shot_of(hats, "page-right-390")
    assert hats.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    assert too_wide(chance.place) == []
    keys.press("Escape")
    keys.press("Tab")
    expect(chance.place.get_by_role("button", name="Check")).to_be_focused()
    expect(done).to_have_text("✓ chance")
    expect(hats.get_by_text(re.compile("Exercises: [12] of 2 done")).first).to_be_visible()
    hats.reload()
    chance = Exercise(hats, "chance")
    expect(chance.field).to_have_value(right)
    expect(chance.line).to_have_text("✓ Right when you last checked it.")
    expect(done).to_have_text("✓ chance")
    map_page = hats.context.new_page()
    map_page.goto(hats.url.replace("04_hats", "00_start_here"))
    expect(on_map(map_page, "04 ● Hats")).to_contain_text("✓")
    done_of_two = on_map(map_page, "04 ● Hats").get_by_role("img", name=re.compile("[12] of 2 done"))
    expect(done_of_two.first).to_be_visible()
    map_page.close()
    chance.press("Start again")
    expect(chance.field).to_have_value(stub_of("04_hats", "chance"))
    expect(done).to_have_count(0)  # what would be handed in now is not right
    chance.field.press("x")
    hats.reload()
    chance = Exercise(hats, "chance")
    chance.press("Bring back what I wrote")
    expect(chance.field).to_have_value(right)
    expect(done).to_have_text("✓ chance")
    chance.press("Solution")
    expect(hats.locator("#solution-chance pre").first).to_be_visible()
    for _ in range(2):  # the second press confirms
        hats.locator("article").get_by_role("button", name="Begin again").first.click()
    expect(done).to_have_count(0)
    expect(chance.field).to_have_value(right)
    hats.set_viewport_size(WIDE)


def test_code_is_tried_in_a_second_box_and_the_answer_stays_right(hats):
    chance = Exercise(hats, "chance")
    right = solved("04_hats", "chance")
    assert "✓ Right" in chance.check(right)
    chance.place.get_by_text("Try code").click()
    box = chance.place.get_by_role("textbox", name="Code to try below chance")
    box.fill("chance([1, 1, 2], 4, 1)")
    chance.place.locator(".write-try").get_by_role("button", name="Run").click()
    expect(chance.place.locator(".write-tried")).to_have_text(re.compile(r"^0\.66"))
    expect(chance.line).to_have_text("")
    own_line = chance.place.locator(".write-try .write-line")
    box.fill("sticks_there = 3")
    box.press("Control+Enter")
    expect(own_line).to_have_text("It ran and printed nothing. Write a call as the last line to see its value.")
    expect(chance.line).to_have_text("")
    box.fill("hats.show()")  # made between this exercise and the one above
    box.press("Control+Enter")
    expect(chance.place.locator(".write-tried")).to_have_text(
        re.compile("^`hats` needs NumPy, which this page does not")
    )
    expect(own_line).to_have_text("")
    box.fill("sticks_there")  # each run begins anew
    box.press("Control+Enter")
    expect(chance.place.locator(".write-tried")).to_contain_text("NameError")
    box.fill("1 / 0")
    box.press("Control+Enter")
    expect(chance.place.locator(".write-tried")).to_contain_text("Line 1: 1 / 0")
    expect(chance.place.get_by_role("textbox").first).to_have_value(right)
    assert barriers(hats, [".write[data-exercise=chance]"]) == []
    shot_of(hats, "page-try")
    hats.reload()


def test_what_is_changed_in_another_tab_does_not_stay_old_in_this_one(hats):
    chance = Exercise(hats, "chance")
    expect(chance.line).to_have_text("✓ Right when you last checked it.")
    other = hats.context.new_page()
    other.goto(hats.url)
    Exercise(other, "chance").field.fill("# another day")
    expect(chance.field).to_have_value("# another day")
    expect(chance.line).to_have_text("This was changed in another tab.")
    expect(hats.locator("[data-exercise=chance].done")).to_have_count(0)
    Exercise(hats, "settle").field.fill("# mine")
    expect(Exercise(other, "settle").field).to_have_value("# mine")
    other.close()
    hats.reload()
    expect(Exercise(hats, "chance").field).to_have_value("# another day")


def test_an_exercise_for_jupyterlab_is_not_counted_in_the_book(tab_with_python):
    page = tab_with_python.goes_to("notebooks/02_random_agents.html", as_file=True)
    expect(page.locator(".chips").first).to_contain_text("– win_rate (in JupyterLab)")
    expect(page.get_by_text("Exercises: 0 of 2 done").first).to_be_visible()
    expect(page.get_by_text("With a ★, if you want more: in JupyterLab").first).to_be_visible()
    page = tab_with_python.goes_to("notebooks/00_start_here.html", as_file=True)
    row = on_map(page, "02 ● Random agents")
    expect(row.get_by_role("img", name="0 of 2 done")).to_have_text("○ – ○")
    tab_with_python.goes_to(HATS, as_file=True)
    assert tab_with_python.new_troubles() == []


# --- handing in, with pages on which Python has not started


def test_the_work_is_a_notebook_to_hand_in_and_to_go_on_with(hats, tmp_path):
    written = {"settle": RIGHT, "chance": "# größer 🎩\n\n"}
    for name, source in written.items():
        Exercise(hats, name).field.fill(source)
    prediction = hats.locator(".live-lab-asks").first
    prediction.get_by_role("button").nth(1).click()
    reply = prediction.inner_text()
    with hats.expect_download() as download:
        hats.get_by_role("button", name="Download my work").last.click()
    expect(hats.get_by_text("Your browser saves 04_hats.ipynb")).to_be_visible()
    assert download.value.suggested_filename == "04_hats.ipynb"
    file = Path(download.value.path())
    expected = json.loads(without_solutions((NOTEBOOKS / "04_hats.ipynb").read_bytes()))
    for cell in expected["cells"]:
        if exercise_of(cell) in written:
            cell["source"] = written[exercise_of(cell)].splitlines(keepends=True)
    expected["metadata"]["coinlib"] = {"choices": hats.evaluate("liveLabs.choices()")}
    assert len(expected["metadata"]["coinlib"]["choices"]) == 1
    assert file.read_text("utf-8") == json.dumps(expected, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    nbformat.validate(nbformat.reads(file.read_text("utf-8"), 4))
    handed_in = tmp_path / "in"
    handed_in.mkdir()
    mine = handed_in / "ada_04.ipynb"
    mine.write_bytes(file.read_bytes())
    rows = mark(handed_in, tmp_path / "desk", seconds=10, gigabytes=1).rows
    assert [row.exercise for row in rows if row.outcome == "passed"] == ["settle"]
    hats.evaluate("localStorage.clear()")
    # The browser no longer stores anything, and the page says so as soon as something is written.
    hats.add_init_script("Storage.prototype.setItem = () => { throw new Error('no'); }")
    hats.reload()
    expect(hats.locator("[data-lesson].work").last).to_be_visible()
    hats.wait_for_function(ALIVE)
    hats.locator(".work input[type=file]").last.set_input_files(mine)
    said = "2 of 4 exercises are written in ada_04.ipynb. 2 exercises changed here. Press Check all to see which are right."
    expect(hats.get_by_text(f"{said} 1 prediction came from it too.")).to_be_visible()
    expect(prediction).to_have_text(reply, use_inner_text=True)
    empty = tmp_path / "04_hats.ipynb"
    empty.write_bytes(without_solutions((NOTEBOOKS / "04_hats.ipynb").read_bytes()))
    hats.locator(".work input[type=file]").last.set_input_files(empty)
    said = "0 of 4 exercises are written in 04_hats.ipynb. So your code here was not changed."
    expect(hats.get_by_text(said)).to_be_visible()
    for name, source in written.items():
        expect(Exercise(hats, name).field).to_have_value(source)
    hats.get_by_role("button", name="Check all").last.click()
    expect(hats.get_by_text("Checked: 2. Right: 1.")).to_be_visible(timeout=START)
    expect(hats.get_by_text("Right so far: 1 of the 4 exercises").first).to_be_visible()
    mine.write_text("no notebook")
    hats.locator(".work input[type=file]").last.set_input_files(mine)
    expect(hats.get_by_text("ada_04.ipynb is empty, damaged or not a notebook.")).to_be_visible()
    settle = Exercise(hats, "settle")
    settle.field.press("x")
    expect(settle.line).to_have_text(re.compile("cannot save"))
    mine.write_bytes(file.read_bytes())
    hats.locator(".work input[type=file]").last.set_input_files(mine)
    expect(hats.get_by_text("1 exercise changed here.")).to_contain_text("“Bring back what I wrote”")
    settle.press("Bring back what I wrote")
    assert settle.field.input_value() != RIGHT


def test_a_page_is_emptied_for_the_next_reader(tab_with_python, chromium, built_book):
    reader = Reader(chromium, "file:", built_book.folder)
    page = reader.goes_to("notebooks/01_the_coin_game.html", as_file=True)
    name = page.locator(".write").first.get_attribute("data-exercise")
    Exercise(page, name).field.fill("mine")
    page.locator(".live-lab-asks button").first.click()
    page = reader.goes_to("notebooks/00_start_here.html", as_file=True)
    expect(on_map(page, "01 ● The coin game")).to_contain_text("1 of 3 made")
    here = on_map(page, "00 ● Start here")
    expect(here).to_contain_text("0 of 2 made")
    page.locator(".live-lab-asks button").first.click()
    expect(here).to_contain_text("1 of 2 made")
    expect(on_map(page, "02 ● Random agents")).to_contain_text("0 of 3")
    page = reader.goes_to("notebooks/01_the_coin_game.html", as_file=True)
    work = page.locator(".work").last
    work.get_by_role("button", name="Empty this page").click()
    work.get_by_role("button", name="Keep it").click()
    expect(Exercise(page, name).field).to_have_value("mine")
    expect(work.get_by_role("button", name="Delete it")).to_have_count(0)
    work.get_by_role("button", name="Empty this page").click()
    work.get_by_role("button", name="Delete it").click()
    expect(Exercise(page, name).field).to_have_value(stub_of("01_the_coin_game", name))
    assert page.evaluate("Object.keys(localStorage).filter(key => key.includes('01_the_coin_game'))") == []
    deleted = "Your work on this page is deleted from this browser."
    expect(page.get_by_text(deleted).last).to_be_visible()
    page.reload()
    expect(page.locator(".work button").first).to_be_visible()
    expect(page.get_by_text(deleted)).to_have_count(0)
    assert reader.new_troubles() == []
    reader.close()


# --- another page, on which Python is ended more than once


@pytest.fixture(scope="module")
def rule(hats_page, tab_with_python):
    """An exercise of lesson 03, opened in the tab of lesson 04."""
    return Exercise(tab_with_python.goes_to("notebooks/03_rules.html", as_file=True), "found_rule")


def test_a_rule_that_is_right_plays_at_the_board_of_its_page(rule, tab_with_python):
    page = rule.page
    assert "✓" in rule.check(solved("03_rules", "found_rule"))
    plays = rule.place.get_by_role("button", name=re.compile("Play against your"))
    expect(plays).to_be_visible()
    rule.field.press("x")
    expect(plays).to_be_hidden()  # it would play by the code that was checked
    rule.field.press("Backspace")
    plays.click()
    board = page.locator(".live-lab", has=page.locator(".board")).first
    expect(board.locator(".live-lab-note")).to_contain_text("The computer now plays by your function found.")
    board.get_by_role("button", name=re.compile("^take 3")).click()
    board.get_by_role("button", name="Take 3 coins").click()
    expect(board).to_contain_text(re.compile("The computer takes"))
    shot_of(page, "page-board")
    board.get_by_role("link", name="Back to your code").click()
    expect(rule.field).to_be_in_viewport()
    assert tab_with_python.new_troubles() == []


def test_a_function_that_calls_itself_for_ever_does_no_harm(rule, tab_with_python):
    assert "RecursionError" in rule.check("def found(*given):\n    return found(*given)\n\n\ncheck.found_rule(found)")
    rule.field.fill("def found(*given):\n    return sorted(given, key=found)\n\n\nfound(1)")
    rule.press("Run")
    expect(rule.line).to_have_text(re.compile("Python broke down"))
    assert any("fatal error" in trouble for trouble in tab_with_python.new_troubles())  # Pyodide says so, too


def test_a_right_answer_has_the_name_that_the_lesson_gives_it(rule):
    """`copying = check.my_mirror.or_ours(my_mirror)`: a later exercise finds the reader's function there."""
    mirror = Exercise(rule.page, "my_mirror")
    right = solved("03_rules", "my_mirror").replace("):\n", '):\n    """Mine"""\n', 1)
    assert "✓" in mirror.check(right)
    players = Exercise(rule.page, "two_players")
    players.field.fill("copying.__doc__")
    players.press("Run")
    expect(players.answer).to_have_text("'Mine'")


def test_an_answer_without_end_is_ended(rule):
    number = Exercise(rule.page, "ask_number")
    rule.page.evaluate("window.clocks = [60_000, 500]")  # the second clock runs when the first case is tried
    said = number.check("def ask_number(*given):\n    while True: pass\n\n\ncheck.ask_number(ask_number)")
    assert re.search("^For .*\nyour function was not done within 5 seconds", said, re.MULTILINE)
    rule.page.evaluate("window.clocks = [500]")
    rule.field.fill("sum(range(10**12))")  # one long call into C
    rule.press("Run")
    expect(rule.line).to_have_text(re.compile("stopped after 5 seconds"))
    rule.page.evaluate("window.clocks = [1_000]")
    rule.field.fill("print('so far')\nwhile True: print('x')")
    rule.press("Run")
    expect(rule.line).to_have_text(re.compile("stopped after 5 seconds"), timeout=START)
    expect(rule.answer).to_contain_text("so far\nx\nx\n")
    rule.field.fill("20 + 3")
    rule.press("Run")
    expect(rule.place.get_by_role("progressbar")).to_be_visible()  # Python starts again
    expect(rule.answer).to_have_text("23", timeout=START)
    expect(rule.place.get_by_role("progressbar")).to_be_hidden()


def test_a_second_python_starts_while_code_seems_endless(rule):
    assert rule.page.evaluate("navigator.deviceMemory") >= 4
    workers = rule.page.evaluate("window.workers")
    rule.page.evaluate("window.clocks = [60_000, 15_000]")
    rule.field.fill("while True: pass")
    rule.press("Run")
    rule.page.wait_for_function(f"window.workers === {workers + 1}")
    expect(rule.line).to_have_text("Running your code.")
