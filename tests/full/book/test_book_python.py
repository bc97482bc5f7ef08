"""Exercises are written, checked and handed in on the pages of the book: from a file, and without a network."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest
from axe import CONTRAST, barriers
from lab import NOTEBOOKS, expect, shot_of, too_wide

from coincourse import checks
from coincourse.classroom import mark
from coincourse.course.copies import without_solutions
from coincourse.course.solutions import in_place, solutions

pytestmark = pytest.mark.browser

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}
START = 60_000  # milliseconds for Python to start, beside other tests
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


@pytest.fixture(scope="module")
def book_with_python(built_book):
    """The folder of a book in which one can write."""
    if not (built_book.folder / "_static" / "python.js").exists():
        pytest.skip("the book was built without Python: npm could not fetch it")
    return built_book.folder


@pytest.fixture
def opened(chromium, book_with_python):
    """Opens a lesson from its file; nothing may go wrong, and nothing come from elsewhere."""
    pages = []
    troubles = []

    def begin(name: str, look: dict = WIDE, script: str = ""):
        page = chromium.new_page()
        pages.append(page)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: troubles.append(request.url) if "://" in elsewhere(request.url) else None)
        page.set_viewport_size(look)
        if script:
            page.add_init_script(script)
        page.goto((book_with_python / "notebooks" / f"{name}.html").as_uri())
        return page

    yield begin
    for page in pages:
        page.evaluate("localStorage.clear()")
        page.close()
    assert troubles == []


def elsewhere(address: str) -> str:
    """An address, if it is no part of the page; otherwise ""."""
    return "" if address.startswith(("file:", "data:", "blob:")) else address


class Exercise:
    """An exercise on a page, as a reader sees it."""

    def __init__(self, page, name: str) -> None:
        self.page = page
        self.place = page.locator(f".write[data-exercise={name}]")
        self.field = self.place.get_by_role("textbox")
        self.line = self.place.locator(".write-line")
        self.answer = self.place.locator(".write-answer")
        self.place.scroll_into_view_if_needed()

    def press(self, button: str) -> None:
        self.place.get_by_role("button", name=button, exact=True).click()

    def check(self, source: str) -> str:
        """What the page says of an answer."""
        self.field.fill(source)
        self.press("Check")
        expect(self.line).to_have_text("", timeout=START)
        expect(self.answer).not_to_be_empty()
        return self.answer.inner_text()


@pytest.fixture(scope="module")
def hats(chromium, book_with_python):
    """Lesson 04 with Python in it, for tests that need no page of their own."""
    page = chromium.new_page()
    page.set_viewport_size(WIDE)
    page.goto((book_with_python / "notebooks" / "04_hats.html").as_uri())
    yield page
    page.evaluate("localStorage.clear()")
    page.close()


@pytest.fixture
def settle(hats):
    return Exercise(hats, "settle")


# --- what is said


def stub_of(lesson: str, exercise: str) -> str:
    cells = json.loads((NOTEBOOKS / f"{lesson}.ipynb").read_text("utf-8"))["cells"]
    (stub,) = ["".join(cell["source"]) for cell in cells if of(cell) == exercise]
    return stub


def of(cell: dict) -> str:
    """The exercise whose stub a cell is."""
    return cell["metadata"].get("coinlib", {}).get("exercise", "")


def said_in_notebook(exercise: str, source: str) -> str:
    """What the check of a notebook says of a cell; other checks are not heard."""
    names = {"check": checks}
    body, _, asked = source.rpartition("\n")
    exec(body, names)  # noqa: S102 - written above, or by the authors of the lesson
    return str(getattr(checks, exercise).judge(names[re.search(r"\((\w+)\)", asked)[1]]))


ASK = """async ([name, source]) => {
    const { answer } = await python.ask("check", source, JSON.stringify(LESSON.recordings[name]));
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
    for source in (stub, breaks):
        verdict = hats.evaluate(ASK, [exercise, source])
        assert verdict["text"].startswith(said_in_notebook(exercise, source))
        assert not verdict["right"]
    assert hats.evaluate(ASK, [exercise, solved(lesson, exercise)])["right"]


def test_a_typical_mistake_gets_its_sentence_and_letters_of_any_kind_stay(settle):
    assert "The last ball of a number always goes back" in settle.check(THROWN_AWAY)
    strange = RIGHT.replace("[drawn]\n", "['ä🎩']  # größer\n")
    assert "['ä🎩']" in settle.check(strange).replace("[2, 3, 'ä🎩']", "['ä🎩']")
    assert "✓ Right, for wins, losses and last balls. (16 cases tried)" in settle.check(RIGHT)


def test_what_is_tried_is_shown_as_python_shows_it(settle):
    settle.field.fill(RIGHT + "\nprint('two')\nsettle([1, 3], 2, True)")
    settle.press("Run")
    expect(settle.answer).to_contain_text("two\n[1, 3, 2, 2]", timeout=START)
    settle.field.fill("def settle(balls)\n    return balls")
    settle.press("Run")
    expect(settle.answer).to_contain_text("Line 1:")
    expect(settle.answer).to_contain_text("SyntaxError: expected ':'")
    settle.press("Check")
    expect(settle.answer).to_contain_text("SyntaxError: expected ':'")
    expect(settle.answer).to_contain_text("In line 1 of your cell")


def test_a_hundred_megabytes_of_printing_do_no_harm(settle):
    settle.field.fill("for _ in range(100):\n    print('x' * 1_000_000)")
    settle.press("Run")
    expect(settle.answer).to_contain_text("xxx", timeout=START)
    assert len(settle.answer.inner_text()) < 20_000


def test_an_answer_without_end_is_ended(settle):
    said = settle.check("def settle(balls, drawn, won):\n    while True: pass\n\n\ncheck.settle(settle)")
    assert "For balls [2, 3], drawn 1 and won True" in said
    assert "your function gave no answer within 5 seconds" in said
    settle.field.fill("sum(range(10**12))")  # one long call into C
    settle.press("Run")
    expect(settle.line).to_have_text(re.compile("ended after 5 seconds"), timeout=START)
    assert "✓ Right" in settle.check(RIGHT)


def test_a_function_that_calls_itself_for_ever_does_no_harm(settle):
    assert "RecursionError" in settle.check("def settle(*given):\n    return settle(*given)\n\n\ncheck.settle(settle)")
    settle.field.fill("def settle(*given):\n    return sorted(given, key=settle)\n\n\ncheck.settle(settle)\nsettle(1)")
    settle.press("Run")
    expect(settle.line).to_have_text(re.compile("Python broke down"), timeout=START)
    assert "✓ Right" in settle.check(RIGHT)


def test_two_exercises_at_once(hats):
    settle, chance = Exercise(hats, "settle"), Exercise(hats, "chance")
    settle.field.fill(RIGHT)
    chance.field.fill("def chance(balls, sticks, number):\n    return 0\n\n\ncheck.chance(chance)")
    settle.press("Check")
    chance.press("Check")
    expect(settle.answer).to_contain_text("✓ Right", timeout=START)
    expect(chance.answer).to_contain_text("✗ Not yet")


def solved(lesson: str, exercise: str) -> str:
    """The stub of an exercise with its solution in it."""
    notebook = json.loads((NOTEBOOKS / f"{lesson}.ipynb").read_text("utf-8"))
    return in_place(stub_of(lesson, exercise), solutions(notebook)[exercise])


def test_a_rule_that_is_right_plays_at_the_board_of_its_page(opened):
    page = opened("03_rules")
    rule = Exercise(page, "found_rule")
    assert "✓" in rule.check(solved("03_rules", "found_rule"))
    rule.place.get_by_role("button", name=re.compile("Play against your")).click(timeout=START)
    board = page.locator(".living", has=page.locator(".board")).first
    expect(board.locator(".living-line")).to_contain_text("The computer now plays by your function found.")
    board.get_by_role("button", name=re.compile("^take 3")).click()
    board.get_by_role("button", name="Take 3 coins").click()
    expect(board).to_contain_text(re.compile("Computer takes"))
    shot_of(page, "page-board")
    board.get_by_role("link", name="Back to your code").click()
    expect(rule.field).to_be_in_viewport()


# --- the keyboard


def test_an_exercise_is_done_by_keyboard_on_a_phones_screen_and_is_there_the_next_day(opened, book_with_python):
    page = opened("04_hats", NARROW)
    settle = Exercise(page, "settle")
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    settle.field.focus()
    keys = page.keyboard
    keys.press("Control+a")
    for line in ("def settle(balls, drawn, won):", "if won:", "return balls"):
        keys.type(line)
        keys.press("Enter")
    assert settle.field.input_value() == "def settle(balls, drawn, won):\n    if won:\n        return balls\n        "
    keys.press("Backspace")
    keys.type("return balls")
    assert settle.field.input_value().endswith("\n    return balls")
    keys.press("Tab")
    keys.press("Control+z")
    assert settle.field.input_value().endswith("\n    return balls")
    keys.press("Control+Enter")
    expect(settle.answer).to_contain_text("✗ Not yet", timeout=START)
    shot_of(page, "page-wrong-390")
    keys.press("Control+a")
    keys.insert_text(RIGHT)
    keys.press("Control+Enter")
    expect(settle.answer).to_contain_text("✓ Right")
    shot_of(page, "page-right-390")
    assert too_wide(settle.place) == []
    keys.press("Escape")
    keys.press("Tab")
    expect(settle.place.get_by_role("button", name="Check")).to_be_focused()
    expect(page.locator("[data-exercise=settle].done")).to_have_text(["✓ settle"] * 2)  # in both scores
    expect(page.get_by_text("Exercises: 1 of 2 done").first).to_be_visible()
    page.reload()
    settle = Exercise(page, "settle")
    expect(settle.field).to_have_value(RIGHT)
    expect(page.locator("[data-exercise=settle].done")).to_have_text(["✓ settle"] * 2)  # in both scores
    settle.press("Start again")
    expect(settle.field).to_have_value(stub_of("04_hats", "settle"))
    settle.press("Bring back what I wrote")
    expect(settle.field).to_have_value(RIGHT)
    settle.press("Solution")
    expect(page.locator("#solution-settle pre").first).to_be_visible()
    page.locator("article").get_by_role("button", name="Begin again").first.click()
    expect(page.locator("[data-exercise=settle].done")).to_have_count(0)
    expect(settle.field).to_have_value(RIGHT)


def test_tab_indents_lines_and_shift_tab_takes_it_back(settle):
    settle.field.fill("a\n\nb\n")
    settle.field.press("Control+a")
    settle.field.press("Tab")
    expect(settle.field).to_have_value("    a\n\n    b\n")
    settle.field.press("Shift+Tab")
    expect(settle.field).to_have_value("a\n\nb\n")


# --- looks


def test_no_barrier_where_one_writes(hats, settle):
    settle.check(THROWN_AWAY)
    places = [".write", ".work"]
    assert barriers(hats, places) == []
    hats.emulate_media(color_scheme="dark")
    assert barriers(hats, places, CONTRAST) == []
    shot_of(hats, "page-wrong-dark")
    hats.emulate_media(color_scheme="light")


def test_where_the_browser_keeps_nothing_the_page_says_so(opened):
    refuses = "Object.defineProperty(Storage.prototype, 'setItem', { value() { throw new Error('no'); } })"
    page = opened("04_hats", script=refuses)
    settle = Exercise(page, "settle")
    settle.field.press("x")
    expect(settle.line).to_have_text(re.compile("keeps nothing"))


# --- handing in


def test_the_work_is_a_notebook_to_hand_in_and_to_go_on_with(opened, tmp_path):
    page = opened("04_hats")
    written = {"settle": RIGHT, "chance": "# größer 🎩\n\n"}
    for name, source in written.items():
        Exercise(page, name).field.fill(source)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my work").last.click()
    assert download.value.suggested_filename == "04_hats.ipynb"
    file = Path(download.value.path())
    expected = json.loads(without_solutions((NOTEBOOKS / "04_hats.ipynb").read_bytes()))
    for cell in expected["cells"]:
        if of(cell) in written:
            cell["source"] = written[of(cell)].splitlines(keepends=True)
    assert file.read_text("utf-8") == json.dumps(expected, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    nbformat.validate(nbformat.reads(file.read_text("utf-8"), 4))
    handed_in = tmp_path / "in"
    handed_in.mkdir()
    mine = handed_in / "ada_04.ipynb"
    mine.write_bytes(file.read_bytes())
    rows = mark(handed_in, tmp_path / "desk", seconds=10, gigabytes=1).rows
    assert [row.exercise for row in rows if row.outcome == "passed"] == ["settle"]
    page.evaluate("localStorage.clear()")
    page.reload()
    page.locator(".work input[type=file]").last.set_input_files(mine)
    expect(page.get_by_text("exercises came from ada_04.ipynb")).to_be_visible()
    for name, source in written.items():
        expect(Exercise(page, name).field).to_have_value(source)
    mine.write_text("no notebook")
    page.locator(".work input[type=file]").last.set_input_files(mine)
    expect(page.get_by_text("ada_04.ipynb holds no exercise of this lesson")).to_be_visible()
