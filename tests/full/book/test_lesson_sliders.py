"""Sliders over a function in a book of one page: opened as a file, without a network and without Python."""

import re
import subprocess
import sys

import nbformat
import pytest
from axe import barriers
from browser import expect, troubles_of
from lab import shot_of
from paths import ROOT
from reader import NARROW, WIDE, fits
from small_course import write_lesson

from coincourse.course.authors import execute

pytestmark = pytest.mark.browser

CELLS = (
    "import pandas as pd\nfrom coincourse.labs import sliders\nfrom coinlib import QLearner, RandomAgent, plots, sticks, train",
    "numbers = [1]",
    "numbers.append(2)",
    '''def learning(games=100, learning_rate=1.0, opponent="random"):
    """How often the learner wins"""
    learner = QLearner(sticks(10), learning_rate=learning_rate, seed=1)
    run = train(learner, RandomAgent(), games=games, seed=1)
    return plots.win_rate(run, window=5)

sliders(learning, games=(10, 1000, 10), learning_rate=(0.0, 1.0), opponent=["random", "other"])''',
    """def table(rows=3, squares=True):
    print("rows:", rows, "numbers:", numbers)
    return pd.DataFrame({"n": range(rows), "square": [n * n if squares else 0 for n in range(rows)]})

sliders(table, rows=(1, 9), squares=True)""",
)
INDEX = "# A book\n\n```{toctree}\nliving\n../notebooks/06_q_learning\n```\n"
SETTINGS = ("extensions=myst_nb,lessons,live_labs,mathml,captions", "html_additional_pages.index=search.html")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The book on the disk."""
    source = tmp_path_factory.mktemp("source")
    lesson = source / "notebooks" / "06_q_learning.ipynb"  # a name that the map of the lessons has
    write_lesson(lesson, *CELLS)
    notebook = nbformat.read(lesson, 4)
    notebook.cells[3].metadata["coinlib"] = {"stops": [{"games": 500, "learning_rate": 0.25}]}
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell("# A lesson"))
    nbformat.write(notebook, lesson)
    execute(lesson)
    (source / "docs").mkdir()
    (source / "docs" / "index.md").write_text(INDEX)
    (source / "docs" / "living.md").write_text("# What lives\n\n## In JupyterLab\n\nLabs.\n")
    built = source.with_name("built")
    command = [sys.executable, "-m", "sphinx", "-q", "-c", ROOT / "docs", *(f"-D{each}" for each in SETTINGS)]
    done = subprocess.run([*command, source, built], check=True, capture_output=True, text=True)
    assert done.stderr == ""  # the sliders show what is stored
    return built


@pytest.fixture
def page(chromium, folder):
    """The lesson; nothing goes wrong in it, and nothing is asked of another machine."""
    page = chromium.new_page()
    page.set_viewport_size(WIDE)
    troubles = troubles_of(page, "file:", "blob:")
    page.goto((folder / "notebooks" / "06_q_learning.html").as_uri())
    yield page
    assert troubles == []
    page.close()


def test_each_slider_moves_alone_from_the_stored_position(page):
    own = page.locator(".lesson-sliders").first
    own.scroll_into_view_if_needed()
    picture, line = own.get_by_role("img"), own.locator(".live-lab-note")
    expect(own.get_by_text("In the book only some settings go together")).to_be_visible()
    expect(picture).to_have_attribute(
        "alt", "How often the learner wins: games 100, learning rate 1.0, opponent random."
    )
    expect(page.locator(".cell_output > img, .cell_output .output ~ img")).to_be_hidden()  # the still picture
    assert picture.evaluate("image => image.complete && image.naturalWidth") > 600
    games = own.get_by_role("slider", name="games")
    before = picture.get_attribute("src")
    games.press("ArrowRight")
    expect(picture).to_have_attribute("alt", re.compile("games 210"))
    assert picture.get_attribute("src") != before
    games.press("End")
    expect(games).to_have_attribute("aria-valuetext", "1000")
    own.get_by_role("combobox", name="opponent").select_option("other")
    expect(picture).to_have_attribute("alt", re.compile("games 100, learning rate 1.0, opponent other"))
    expect(line).to_contain_text("“games” went back to 100: in the book only some settings go together.")
    rate = own.get_by_role("slider", name="learning rate")
    box = rate.bounding_box()
    page.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    expect(picture).to_have_attribute("alt", re.compile("games 100, learning rate 0.0, opponent random"))
    shot_of(page, "book-sliders")


def test_settings_that_the_lesson_asks_for_are_reached_one_control_after_the_other(page):
    own = page.locator(".lesson-sliders").first
    own.scroll_into_view_if_needed()
    picture, line = own.get_by_role("img"), own.locator(".live-lab-note")
    games, rate = own.get_by_role("slider", name="games"), own.get_by_role("slider", name="learning rate")
    words = "How often the learner wins: games {}, learning rate {}, opponent random."
    while rate.get_attribute("aria-valuetext") != "0.25":
        rate.press("ArrowLeft")
    games.press("ArrowRight")  # it skips the stops at which the other slider would be thrown back
    expect(picture).to_have_attribute("alt", words.format(500, 0.25))
    games.press("End")
    expect(picture).to_have_attribute("alt", words.format(500, 0.25))
    expect(line).to_contain_text("with the other controls as they are, “games” has only these values: 100, 500.")
    rate.press("End")
    expect(picture).to_have_attribute("alt", words.format(500, "1.0"))
    games.press("End")
    expect(picture).to_have_attribute("alt", words.format(1000, "1.0"))


def test_words_and_tables_follow_too(page):
    own = page.locator(".lesson-sliders").last
    expect(
        own.get_by_text("a slider stops at some of its values, and moving one control sets the others back")
    ).to_be_visible()
    expect(own.get_by_text("rows: 3 numbers: [1, 2]")).to_be_visible()
    own.get_by_role("slider", name="rows").press("End")
    expect(own.get_by_text("rows: 9")).to_be_visible()
    expect(own.get_by_role("cell", name="64")).to_be_visible()
    own.get_by_role("slider", name="squares").press("Home")
    expect(own.get_by_role("cell", name="4", exact=True)).to_have_count(0)
    page.set_viewport_size(NARROW)
    assert fits(page) == []
    shot_of(page, "book-sliders-narrow")
    assert barriers(page, [".lesson-sliders"]) == []


def test_without_a_script_the_still_picture_stays(chromium, folder):
    page = chromium.browser.new_context(java_script_enabled=False).new_page()
    page.goto((folder / "notebooks" / "06_q_learning.html").as_uri())
    expect(page.get_by_text("games 100, learning rate 1.0")).to_be_visible()
    expect(page.get_by_alt_text("How often the learner wins: games 100")).to_be_visible()
    page.close()
