"""The web book in a real browser: light and dark, wide and narrow, and without any other machine."""

import itertools
import re
from pathlib import Path

import nbformat
import pytest
from axe import CONTRAST, barriers
from lab import NOTEBOOKS, another_context, expect, shot_of, too_wide, troubles_of

from coincourse.course import alternative_text
from coinlib.plots.look import BLUE, SKY

pytestmark = pytest.mark.browser

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}
HATS = "notebooks/04_hats.html"
PROOF = "notebooks/14_why_multiples_of_four_lose.html"
PAGES = ["index.html", "notebooks/02_random_agents.html", HATS, PROOF, "docs/api/solvers.html", "docs/guide/04.html"]


@pytest.fixture
def reader(chromium, book):
    """Opens a page of the book: ``reader(path, look)``; nothing may go wrong or come from elsewhere."""
    yield from reading(chromium, book)


def reading(context, book):
    page = context.new_page()
    troubles = troubles_of(page, book, "blob:")  # the front ends of the labs

    def hear(message) -> None:
        if message.type in ("error", "warning"):
            troubles.append(message.text)

    page.on("console", hear)

    def begin(path: str, look: dict = WIDE):
        page.set_viewport_size(look)
        page.goto(book + path, wait_until="load")
        if path == "index.html":
            page.wait_for_url("**/docs/index.html", wait_until="load")
        return page

    yield begin
    page.close()
    assert troubles == []


LINES = """() => [...document.querySelectorAll("article :is(h1, h2, h3)")].filter(heading =>
    heading.getBoundingClientRect().height > 2.5 * parseFloat(getComputedStyle(heading).lineHeight)
).map(heading => heading.textContent)"""


@pytest.mark.parametrize("path", PAGES)
def test_pages_fit_the_window_and_fetch_nothing_from_elsewhere(reader, path):
    page = reader(path, NARROW)
    assert page.locator("h1").count() == 1
    assert page.evaluate(LINES) == []
    for look, theme in itertools.product((NARROW, WIDE), ("light", "dark")):
        page.set_viewport_size(look)
        page.emulate_media(color_scheme=theme)
        assert page.evaluate("document.documentElement.scrollWidth") == look["width"]
        assert too_wide(page.locator("article")) == []
        light = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert light == (theme == "light")
        shot_of(page, f"book-{Path(path).stem}-{theme}-{look['width']}")


def test_a_solution_is_folded_until_it_is_opened(reader):
    page = reader(HATS, NARROW)
    code = page.locator("details[id^=solution-] pre").first
    opens = page.locator("button:visible, summary:visible").get_by_text("Solution", exact=True).first
    assert not code.is_visible()
    opens.click()
    assert code.is_visible()
    opens.click()
    assert not code.is_visible()


def test_an_answer_of_a_question_opens(reader):
    answer = reader(HATS).locator("details", has_text="By chance").first
    folded = answer.bounding_box()["height"]
    answer.locator("summary").click()
    assert answer.bounding_box()["height"] > 2 * folded


def test_a_lab_takes_the_colours_of_the_chosen_theme(reader):
    page = reader("notebooks/10_greedy_coins.html")
    lab = page.locator(".output.text_html", has=page.locator(".coin-triangle")).first
    assert lab.locator("svg").first.is_visible()
    alice = "getComputedStyle(document.querySelector('.coin-triangle')).getPropertyValue('--alice')"
    assert page.evaluate(alice) == BLUE
    page.locator(".content-icon-container .theme-toggle").click()  # from the system's theme to the other one
    page.wait_for_function(f"{alice} === '{SKY}'")
    lab.scroll_into_view_if_needed()
    shot_of(page, "book-lab-dark")


def test_the_search_finds_words_with_accents(reader):
    page = reader("search.html?q=mis%C3%A8re", NARROW)
    found = page.locator("#search-results li")
    found.get_by_role("link", name=re.compile("^14 · Why multiples of four lose")).wait_for()
    page.get_by_text(re.compile(r"found \d+ pages")).wait_for()
    assert found.count() >= 13
    titles = found.get_by_role("link").all_inner_texts()
    assert titles.index("Glossary") < titles.index("01 · The coin game") < titles.index("09 · Three piles")
    found.get_by_role("link", name=re.compile("^01 · The coin game")).click()
    page.wait_for_url("**/notebooks/01_the_coin_game.html*")


@pytest.mark.parametrize("query", ["misere", "misère"])
def test_the_search_folds_accents_shows_the_words_and_opens_the_glossary_at_the_term(built_book, chromium, query):
    page = chromium.new_page()
    page.goto((built_book.folder / "search.html").as_uri() + f"?q={query}")  # a file, which may read no other page
    first = page.locator("#search-results li").first
    expect(first.locator(".context")).to_contain_text("misère")
    first.get_by_role("link", name="Glossary").click()
    assert page.url.endswith("glossary.html#term-misere-play")
    page.close()


# What is printed though it is no use on paper: buttons other than the answers of a prediction, and fields for text
PAPER = """() => [...document.querySelectorAll(
    ".skip-to-content, .back-to-top, .places, .copybtn, textarea, .write button, .living:not(.living-asks) button"
)].filter(part => part.getClientRects().length).map(part => part.outerHTML.slice(0, 80))"""
CUT = """() => [...document.querySelectorAll("pre")].filter(part => part.scrollWidth > part.clientWidth + 1)
    .map(part => part.textContent.slice(0, 80))"""


def test_on_paper_stand_no_buttons_and_no_line_is_cut(reader):
    page = reader(PROOF)
    field = page.locator(".write textarea").first
    if field.count():  # in a book without Python nobody writes
        field.fill("# a line as long as this" + " and longer" * 20)
    expect(page.locator(".living > script")).to_have_count(0)  # all labs live
    page.set_viewport_size({"width": 680, "height": 960})  # what is left of a page of A4
    page.emulate_media(media="print")
    assert page.evaluate(PAPER) == []
    assert page.evaluate(CUT) == []
    expect(page.locator(".living-asks button").first).to_be_visible()
    page.evaluate("localStorage.clear()")


SMALL_LETTERS = """() => [...document.querySelectorAll(".living svg text")].map(text =>
    parseFloat(getComputedStyle(text).fontSize) * text.closest("svg").getScreenCTM().a).filter(size => size < 10.9)"""


@pytest.mark.parametrize("path", ["notebooks/00_start_here.html", "notebooks/02_random_agents.html", HATS])
def test_letters_in_pictures_are_large_enough_on_a_phone(reader, path):
    page = reader(path, NARROW)
    page.wait_for_timeout(1000)
    assert page.evaluate(SMALL_LETTERS) == []


def test_what_answers_a_question_is_folded_until_it_is_opened(reader):
    fold = reader(PROOF).locator("details.hide").first
    answer = fold.locator(".output").first
    assert not answer.is_visible()
    fold.get_by_text("Show what comes out").click()
    assert answer.is_visible()


def test_the_search_field_of_a_page_leads_to_the_results(reader):
    page = reader("docs/api/index.html")
    page.get_by_placeholder("Search").fill("greedy_margin")
    page.keyboard.press("Enter")
    page.locator("#search-results").get_by_role("link", name="coinlib.solvers.greedy_margin").click()
    page.wait_for_url("**/docs/api/solvers.html#coinlib.solvers.greedy_margin")


# --- on a phone, opened as files

KINDS = ["docs/guide/14.html", "docs/guide/plans.html", "docs/guide/rooms.html", "docs/sandbox.html"]
KINDS += ["docs/api/index.html", "docs/api/labs.html", "README.html", "genindex.html", "search.html?q=nim"]


def test_on_a_phone_headings_have_two_lines_at_most(reader):
    for path in KINDS:
        page = reader(path, NARROW)
        assert page.evaluate(LINES) == [], path
        assert too_wide(page.locator("article")) == [], path


LIBERATION = Path("/usr/share/fonts/truetype/liberation")
FONTS = """<fontconfig>
  <dir>{}</dir>
  <cachedir>{}</cachedir>
  <alias><family>sans-serif</family><prefer><family>Liberation Sans</family></prefer></alias>
</fontconfig>"""


@pytest.fixture
def reader_with_liberation(chromium, book, tmp_path):
    """As `reader`, in a browser that finds Liberation's fonts and no others."""
    if not LIBERATION.is_dir():
        pytest.skip("Liberation's fonts are not installed")
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(FONTS.format(LIBERATION, tmp_path))
    with another_context(chromium, FONTCONFIG_FILE=str(fonts)) as context:
        yield from reading(context, book)


def test_headings_have_two_lines_at_most_with_other_fonts_too(reader_with_liberation):
    for path in PAGES + KINDS:
        page = reader_with_liberation(path, NARROW)
        assert page.evaluate(LINES) == [], path
        assert too_wide(page.locator("article")) == [], path


def test_the_first_page_has_a_board_above_the_fold(reader):
    for look in (WIDE, NARROW):
        page = reader("docs/index.html", look)
        page.get_by_role("button", name=re.compile("^take 1")).click()
        take = page.get_by_role("button", name=re.compile("^Take 1 coin"))
        assert take.bounding_box()["y"] + take.bounding_box()["height"] < look["height"]
        take.click()
        page.get_by_role("status").get_by_text("Computer takes").wait_for()


def test_the_book_keeps_what_was_predicted(chromium, book):
    page = chromium.new_page()
    page.goto(f"{book}notebooks/04_hats.html")
    score = page.locator(".living", has=page.get_by_text("What you have done")).first  # another one ends the page
    expect(score.get_by_role("status").first).to_contain_text("3 still open")
    page.get_by_role("button", name="It is empty").click()
    expect(score.get_by_role("status").first).to_contain_text("2 still open")
    page.reload()
    expect(page.get_by_text("It is empty (your answer)")).to_be_visible()
    expect(score.get_by_role("status").first).to_contain_text("2 still open")
    score.get_by_role("button", name="Begin again").click()
    expect(score.get_by_role("status").first).to_contain_text("3 still open")
    assert score.get_by_role("link", name="lesson 05").get_attribute("href") == "05_training_hats.html"
    page.close()


def test_a_newcomer_finds_the_way_with_the_folder_alone(chromium, built_book):
    page = chromium.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size(NARROW)
    page.goto((built_book.folder / "index.html").as_uri())
    page.wait_for_url("**/docs/index.html")
    page.get_by_role("link", name="04 · Hats").last.click()
    page.get_by_text("In this lesson", exact=True).click()
    page.get_by_role("link", name="4 · Write the update").first.click()
    page.wait_for_url("**#write-the-update*")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download this notebook").first.click()
    assert download.value.suggested_filename == "04_hats.ipynb"
    assert Path(download.value.path()).read_bytes() == (NOTEBOOKS / "04_hats.ipynb").read_bytes()
    page.goto((built_book.folder / "search.html").as_uri())
    page.get_by_label("Search for").fill("misère")
    page.keyboard.press("Enter")
    page.locator("#search-results").get_by_role("link", name="Glossary").click()
    page.locator("dt", has_text="misère play").wait_for()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    page.close()


# --- no barrier

CODE, LIST = ".highlight", ".sidebar-drawer"  # one page is enough for each: they are alike on all of them
BOOK = {"docs/index.html": [CODE], "docs/your-own.html": [LIST]}
for path in ("notebooks/08_game_trees.html", "docs/guide/04.html", "docs/api/solvers.html", "search.html?q=nim"):
    BOOK[path] = [CODE, LIST]


# A block of code that brings no new kind of word is as the others are: axe takes long for thousands of words.
ONE_OF_A_KIND = """() => {
    const seen = new Set();
    for (const block of document.querySelectorAll(".highlight")) {
        const kinds = [...block.querySelectorAll("span")].map((word) => word.className);
        if (kinds.every((kind) => seen.has(kind))) block.remove();
        kinds.forEach((kind) => seen.add(kind));
    }
}"""


@pytest.mark.parametrize(("path", "without"), BOOK.items(), ids=BOOK)
def test_no_barrier_in_the_book(chromium, book, path, without):
    page = chromium.new_page()
    page.goto(book + path)
    page.evaluate(ONE_OF_A_KIND)
    assert barriers(page, without=without) == []
    page.emulate_media(color_scheme="dark")
    assert barriers(page, rules=CONTRAST, without=without) == []
    page.close()


def test_figures_are_told_in_words_in_the_book(built_book):
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        words = [alternative_text(cell) for cell in nbformat.read(path, 4).cells]
        elements = built_book.pages[f"notebooks/{path.stem}.html"].elements
        images = [about for name, about in elements if name == "img"]
        shown = [about.get("alt") for about in images if "_images" in about.get("src", "")]
        assert shown == list(filter(None, words))
