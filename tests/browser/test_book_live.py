"""The web book in a real browser: light and dark, wide and narrow, and without any other machine."""

import re

import pytest
from lab import shot_of

from coincourse.labs.shared import BLUE, SKY

pytestmark = pytest.mark.browser

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
PAGES = {
    "front": "index.html",
    "lesson-02": "notebooks/02_random_agents.html",
    "lesson-04": "notebooks/04_hats.html",
    "lesson-14": "notebooks/14_why_multiples_of_four_lose.html",
    "library": "docs/api/solvers.html",
    "guide": "docs/guide/04.html",
}
# what stands to the right of the page without a place of its own in which it can be scrolled
TOO_WIDE = """() => [...document.querySelectorAll('article *')].filter(part => {
    if (part.getBoundingClientRect().right <= innerWidth + 1) return false;
    for (let box = part; box !== document.body; box = box.parentElement)
        if (getComputedStyle(box).overflowX !== 'visible') return false;
    return true;
}).map(part => part.outerHTML.slice(0, 120))"""


class Reader:
    """A browser page on the book that notes what goes wrong and what is asked of other machines."""

    def __init__(self, browser, address: str, look: dict, theme: str):
        self.page = browser.new_page()
        self.page.set_viewport_size(look)
        self.page.emulate_media(color_scheme=theme)
        self.address, self.troubles, self.strangers = address, [], []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("request", self._note)

    def _hear(self, said) -> None:
        if said.type in ("error", "warning"):
            self.troubles.append(f"{said.text} ({said.location['url']})")

    def _note(self, request) -> None:
        if not request.url.startswith((self.address, "data:")):
            self.strangers.append(request.url)

    def open(self, path: str) -> None:
        """Open one page of the book and wait until it stands still."""
        self.page.goto(self.address + path, wait_until="load")
        if path == "index.html":
            self.page.wait_for_url("**/docs/index.html", wait_until="load")

    def shot(self, name: str) -> None:
        """A picture of what is seen."""
        shot_of(self.page, f"book-{name}")


@pytest.fixture
def reader(chromium, book):
    """Opens pages: ``reader(look, theme)``; nothing may go wrong, and nothing may come from elsewhere."""
    readers = []

    def begin(look: dict = WIDE, theme: str = "light") -> Reader:
        readers.append(Reader(chromium, book, look, theme))
        return readers[-1]

    yield begin
    for one in readers:
        one.page.close()
        assert one.strangers == []
        assert one.troubles == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("look", [WIDE, NARROW], ids=["wide", "narrow"])
def test_pages_fit_the_window_and_fetch_nothing_from_elsewhere(reader, look, theme):
    it = reader(look, theme)
    for name, path in PAGES.items():
        it.open(path)
        assert it.page.locator("h1").count() == 1
        assert it.page.evaluate("document.documentElement.scrollWidth") == look["width"], path
        assert it.page.evaluate(TOO_WIDE) == [], path
        light = it.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert light == (theme == "light")
        it.shot(f"{name}-{theme}-{look['width']}")


def test_a_solution_is_folded_until_it_is_opened(reader):
    it = reader(NARROW)
    it.open(PAGES["lesson-04"])
    fold = it.page.locator("details.hide").first
    code = fold.get_by_text("the others go straight back")
    assert not code.is_visible()
    fold.get_by_text("Show the solution").click()
    assert code.is_visible()
    assert fold.get_by_text("✓").first.is_visible()
    it.shot("solution-open")
    fold.get_by_text("Hide the solution").click()
    assert not code.is_visible()


def test_an_answer_of_a_question_opens(reader):
    it = reader()
    it.open(PAGES["lesson-04"])
    answer = it.page.locator("details", has_text="By chance").first
    folded = answer.bounding_box()["height"]
    answer.locator("summary").click()
    assert answer.bounding_box()["height"] > 2 * folded


def test_a_still_lab_takes_the_colours_of_the_theme_that_the_reader_chooses(reader):
    it = reader(WIDE, "light")
    it.open("notebooks/10_greedy_coins.html")
    lab = it.page.locator(".output.text_html", has_text="A still picture").first
    assert lab.locator("svg").first.is_visible()
    alice = "getComputedStyle(document.querySelector('.coin-triangle')).getPropertyValue('--alice')"
    assert it.page.evaluate(alice) == BLUE
    it.page.locator(".content-icon-container .theme-toggle").click()  # from the system's theme to the other one
    it.page.wait_for_function(f"{alice} === '{SKY}'")
    lab.scroll_into_view_if_needed()
    it.shot("lab-dark")


def test_the_search_finds_words_with_accents(reader):
    it = reader(NARROW)
    it.open("search.html?q=mis%C3%A8re")
    found = it.page.locator("#search-results li")
    found.get_by_role("link", name=re.compile("^12 · Why multiples of four lose")).wait_for()
    it.page.get_by_text(re.compile(r"found \d+ pages")).wait_for()
    assert found.count() >= 13
    it.shot("search")
    found.get_by_role("link", name=re.compile("^01 · The coin game")).click()
    it.page.wait_for_url("**/notebooks/01_the_coin_game.html*")


def test_the_search_field_of_a_page_leads_to_the_results(reader):
    it = reader()
    it.open("docs/api/index.html")
    it.page.get_by_placeholder("Search").fill("greedy_margin")
    it.page.keyboard.press("Enter")
    it.page.locator("#search-results").get_by_role("link", name="coinlib.solvers.greedy_margin").click()
    it.page.wait_for_url("**/docs/api/solvers.html#coinlib.solvers.greedy_margin")
