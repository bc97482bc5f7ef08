"""A reader of the web book in a browser, and what must hold of each page.

def test_the_proof_fits(reader):
    page = reader.goes_to("notebooks/14_why_multiples_of_four_lose.html", NARROW)
    assert fits(page) == []
"""

from __future__ import annotations

from pathlib import Path

from browser import too_wide, troubles_of

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}  # a phone

ALIVE = "[...document.querySelectorAll('.live-lab')].every(place => !place.querySelector(':scope > script'))"
LONG_HEADINGS = """() => [...document.querySelectorAll("article :is(h1, h2, h3)")].filter(heading =>
    heading.getBoundingClientRect().height > 2.5 * parseFloat(getComputedStyle(heading).lineHeight)
).map(heading => `a heading of more than two lines: ${heading.textContent}`)"""
SMALL_LETTERS = """() => [...document.querySelectorAll(".live-lab svg text")].filter(text =>
    parseFloat(getComputedStyle(text).fontSize) * text.closest("svg").getScreenCTM().a < 10.9
).map(text => `small letters: ${text.textContent}`)"""
# A test that plays whole games need not wait as long as a reader who looks at each move.
SHORT_PAUSES = "const wait = setTimeout; window.setTimeout = (act, ms) => wait(act, ms / 20)"


class Reader:
    """Reads the book in one tab; records what goes wrong there, and what is requested from another machine.

    Parameters
    ----------
    context : BrowserContext
        Playwright's context.
    book : str
        The address of the book on a web server, with "/" at its end.
    folder : Path
        The folder of the book.
    script : str
        A script that each page runs before its own scripts.
    """

    def __init__(self, context, book: str, folder: Path, script: str = "") -> None:
        self.book, self.folder = book, folder
        self.page = context.new_page()
        if script:
            self.page.add_init_script(script)
        self.troubles = troubles_of(self.page, book, "file:", "blob:")  # the front ends of the labs are blobs
        self.page.on("console", self._hear)

    def _hear(self, message) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(message.text)

    def goes_to(self, path: str, look: dict = WIDE, as_file: bool = False):
        """The page at a path of the book, freshly opened, with all its labs live."""
        self.page.set_viewport_size(look)
        address = (self.folder / path).as_uri() if as_file else self.book + path
        self.page.goto(address)
        self.page.wait_for_function(ALIVE)
        return self.page

    def new_troubles(self) -> list[str]:
        """What has gone wrong since the last call."""
        found = list(self.troubles)
        self.troubles.clear()
        return found

    def close(self) -> None:
        """Close the tab; the browser forgets what it has kept for the book."""
        self.page.evaluate("localStorage.clear()")
        self.page.close()


def fits(page) -> list[str]:
    """What does not fit the window on a page: parts that are too wide, headings of more than two lines."""
    found = too_wide(page.locator("article").first)
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("the page is wider than the window")
    return found + page.evaluate(LONG_HEADINGS)
