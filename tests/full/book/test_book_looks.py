"""How the pages of the book look: light and dark, wide and narrow, with other fonts, on paper; and without barriers."""

import re
from pathlib import Path

import pytest
from axe import CONTRAST, barriers
from browser import another_context, expect
from lab import shot_of
from reader import NARROW, WIDE, Reader, fits

pytestmark = pytest.mark.browser

PROOF = "notebooks/14_why_multiples_of_four_lose.html"
# One page is enough for the parts that are the same on all of them: axe is slow on thousands of words.
CODE, LIST = ".highlight", ".sidebar-drawer"
KINDS = {
    "docs/index.html": [CODE],
    "docs/your-own.html": [LIST],
    "notebooks/08_game_trees.html": [LIST],
    "docs/api/solvers.html": [CODE, LIST],
    "search.html?q=nim": [CODE, LIST],
}
# A code block with no new kind of word looks like the others.
ONE_OF_A_KIND = """() => {
    const seen = new Set();
    for (const block of document.querySelectorAll(".highlight")) {
        const kinds = [...block.querySelectorAll("span")].map((word) => word.className);
        if (kinds.every((kind) => seen.has(kind))) block.remove();
        kinds.forEach((kind) => seen.add(kind));
    }
}"""
IS_LIGHT = "getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'"


@pytest.mark.parametrize(("path", "without"), KINDS.items(), ids=KINDS)
def test_one_page_of_each_kind_fits_in_both_themes_and_has_no_barrier(reader, path, without):
    page = reader.goes_to(path, NARROW)
    assert page.locator("h1").count() == 1
    assert fits(page) == []
    shot_of(page, f"book-{Path(path).stem}-390")
    page.set_viewport_size(WIDE)
    assert fits(page) == []
    assert page.evaluate(IS_LIGHT)
    page.evaluate(ONE_OF_A_KIND)
    assert barriers(page, without=without) == []
    page.emulate_media(color_scheme="dark")
    assert not page.evaluate(IS_LIGHT)
    shot_of(page, f"book-{Path(path).stem}-dark")
    assert barriers(page, rules=CONTRAST, without=without) == []
    page.emulate_media(color_scheme="light")


OTHERS = ["docs/guide/04.html", "docs/guide/14.html", "docs/guide/plans.html", "docs/guide/rooms.html"]
OTHERS += ["docs/sandbox.html", "docs/api/index.html", "docs/api/labs.html", "README.html", "genindex.html"]


@pytest.mark.parametrize("path", OTHERS)
def test_other_pages_fit_a_phone(reader, path):
    assert fits(reader.goes_to(path, NARROW)) == []


def test_a_picture_with_small_print_can_be_opened_in_full_size(reader):
    page = reader.goes_to("notebooks/05_training_hats.html", WIDE)
    buttons = page.get_by_role("button", name="Full size")
    expect(buttons).to_have_count(0)
    page.set_viewport_size(NARROW)
    folded = page.locator("details.hide:has(img)").first
    folded.locator("summary").first.click()
    expect(folded.get_by_role("button", name="Full size")).to_have_count(1)
    sizes = []
    for place in range(buttons.count()):
        button = buttons.nth(place)
        small = button.locator("xpath=preceding-sibling::*[1]").bounding_box()
        button.press("Enter")
        dialog = page.get_by_role("dialog")
        sizes.append(dialog.locator("img").bounding_box()["width"] / small["width"])
        assert dialog.evaluate("dialog => dialog.getBoundingClientRect().right <= innerWidth")
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(button).to_be_focused()
    button.locator("xpath=preceding-sibling::*[1]").click()  # a tap on the picture
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    assert len(sizes) >= 3 and min(sizes) > 2
    assert fits(page) == []


def test_a_table_that_scrolls_says_so(reader):
    table = reader.goes_to("docs/guide/14.html", NARROW).locator(".table-wrapper.scrolls").first
    assert "scrolls sideways" in table.evaluate("box => getComputedStyle(box, '::before').content")


def test_code_that_scrolls_has_a_shadow_where_it_goes_on(reader):
    page = reader.goes_to("notebooks/00_start_here.html", NARROW)
    for place in ("pre.scrolls", ".write-code > textarea"):
        layers = page.locator(place).first.evaluate("box => getComputedStyle(box).backgroundAttachment")
        assert layers == "local, local, scroll, scroll", place  # the paper scrolls with the code, the shadows stay


def test_nothing_lies_over_the_text_when_a_reader_scrolls_up(reader):
    page = reader.goes_to("notebooks/08_game_trees.html", NARROW)
    for place in (3_000, 2_700):
        page.evaluate("place => scrollTo({ top: place, behavior: 'instant' })", place)
        page.wait_for_timeout(100)  # the theme looks once in each frame
    page.wait_for_function("document.documentElement.matches('.show-back-to-top')")
    expect(page.locator(".back-to-top")).to_be_hidden()


# --- other fonts

LIBERATION = Path("/usr/share/fonts/truetype/liberation")
FONTS = """<fontconfig>
  <dir>{}</dir>
  <cachedir>{}</cachedir>
  <alias><family>sans-serif</family><prefer><family>Liberation Sans</family></prefer></alias>
</fontconfig>"""
# A heading with the tag of its section, whose class may make it smaller
HEADING = re.compile(r"(<section[^>]*>)\s*(?:<span[^>]*></span>\s*)*(<(h[123])\b.*?</\3>)", re.DOTALL)


@pytest.fixture
def reader_with_liberation(chromium, book, built_book, tmp_path):
    """As `reader`, in a browser that finds Liberation's fonts and no others."""
    if not LIBERATION.is_dir():
        pytest.skip("Liberation's fonts are not installed")
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(FONTS.format(LIBERATION, tmp_path))
    with another_context(chromium, FONTCONFIG_FILE=str(fonts)) as context:
        yield Reader(context, book, built_book.folder)


def long_headings(reader, built_book) -> list[str]:
    """The headings of the whole book that have more than two lines on a phone: one page shows them all.

    The headings of data/README.md are names of files, as many as have the same columns.
    """
    found = []
    for path in built_book.pages.keys() - {"data/README.html"}:
        text = (built_book.folder / path).read_text("utf-8")
        found += [f"{section}{heading}</section>" for section, heading, _ in HEADING.findall(text)]
    assert len(found) > 5 * len(built_book.pages)
    page = reader.goes_to("docs/guide/04.html", NARROW)
    page.evaluate("html => { document.querySelector('article').innerHTML = html; }", "".join(found))
    return fits(page)


def test_on_a_phone_no_heading_of_the_book_has_more_than_two_lines(reader, built_book):
    assert long_headings(reader, built_book) == []


def test_nor_with_other_fonts(reader_with_liberation, built_book):
    assert long_headings(reader_with_liberation, built_book) == []
    for path in (PROOF, "docs/guide/plans.html", "docs/guide/rooms.html"):
        assert fits(reader_with_liberation.goes_to(path, NARROW)) == [], path


# --- the first page

BOTTOM = "part => part.getBoundingClientRect().bottom"


def test_the_first_page_has_a_board_above_the_fold(reader):
    page = reader.goes_to("index.html")
    page.wait_for_url("**/docs/index.html", wait_until="load")
    page.get_by_role("button", name=re.compile("^take 1")).click()
    take = page.get_by_role("button", name=re.compile("^Take 1 coin"))
    for look in (WIDE, NARROW):
        page.set_viewport_size(look)
        assert take.evaluate(BOTTOM) + page.evaluate("scrollY") < look["height"]
    take.click()
    page.get_by_role("status").get_by_text("The computer takes").wait_for()


# --- on paper

# What is printed but useless on paper: buttons other than a prediction's answers, and text fields
PAPER = """() => [...document.querySelectorAll(
    ".skip-to-content, .back-to-top, .places, .copybtn, textarea, .write button, .live-lab:not(.live-lab-asks) button"
)].filter(part => part.getClientRects().length).map(part => part.outerHTML.slice(0, 80))"""
CUT = """() => [...document.querySelectorAll("pre")].filter(part => part.scrollWidth > part.clientWidth + 1)
    .map(part => part.textContent.slice(0, 80))"""


def test_what_answers_a_question_is_folded_and_paper_has_no_buttons_and_no_cut_line(reader):
    page = reader.goes_to(PROOF)
    fold = page.locator("details.hide").first
    answer = fold.locator(".output").first
    assert not answer.is_visible()
    fold.get_by_text("Show the output").click()
    assert answer.is_visible()
    field = page.locator(".write textarea").first
    if field.count():  # in a book without Python nobody can write
        field.fill("# a line as long as this" + " and longer" * 20)
    page.set_viewport_size({"width": 680, "height": 960})  # what is left of a page of A4
    page.emulate_media(media="print")
    assert page.evaluate(PAPER) == []
    assert page.evaluate(CUT) == []
    expect(page.locator(".live-lab-asks button").first).to_be_visible()
    page.emulate_media(media="screen")
    page.evaluate("localStorage.clear()")
