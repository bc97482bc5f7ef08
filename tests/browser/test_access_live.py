"""Access in a real browser: axe-core on labs, lessons and the book; every lab by keyboard; text in pictures.

axe looks at what the course itself shows: outputs and rendered text. JupyterLab's own menus, side bars and
editors are not ours, and axe finds faults in them.
"""

import io
import re

import nbformat
import pytest
from lab import NOTEBOOKS, expect, in_lab, says, status

from coincourse.course import alternative_text

pytestmark = pytest.mark.browser

SETUP = "from coincourse.labs import *"
LABS = {
    "board": "Board('NIM', opponent='take one', hints=True, delay=0.1)",
    "training": "TrainingLab()",
    "hats": "HatsLab(sticks=6, reveal=True)",
    "q": "QLab(sticks=6)",
    "proof": "ProofLab(sticks=9)",
    "piles": "PileLab((3, 5, 7), most=7)",
    "game": "PileLab((1, 2, 3), mode='play', sums=True, most=7)",
    "triangle": "TriangleLab(task='play', moves='')",
    "fill": "TriangleLab(task='fill', arrows=True)",
}
OURS = [".jp-OutputArea-output", ".jp-RenderedMarkdown"]


# --- axe --------------------------------------------------------------------------------------------------------

KINDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ALL = {"runOnly": {"type": "tag", "values": KINDS}, "resultTypes": ["violations", "incomplete"]}
CONTRAST = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}  # all that another theme changes
GRAVE = ("serious", "critical")


def barriers(page, places=("body",), rules=ALL, without=()):
    """What axe calls serious or critical in some places of a page, and not in others, in words.

    Where axe cannot decide, the same holds, but for contrast: on a ground of several colours it never can,
    and `unreadable` below measures it.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    context = {
        "include": [[place] for place in places if page.locator(place).count()],
        "exclude": [[place] for place in without],
    }
    # JupyterLab's page has no height, and axe takes what lies in such a part for invisible: its texts have no contrast
    page.add_style_tag(content="body { min-height: 100vh }")
    found = axe.Axe().run(page, context=context, options=rules).response
    doubts = [rule for rule in found["incomplete"] if rule["id"] != "color-contrast"]
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:160]}"
        for rule in found["violations"] + doubts
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]


def test_no_barrier_in_any_lab(labs):
    page = labs.lesson.page
    assert page.locator(".jp-OutputArea-output").count() >= len(LABS)
    assert barriers(page, OURS) == []
    with labs.lesson.dark():
        assert barriers(page, OURS, CONTRAST) == []


def test_barriers_are_found(labs):
    page = labs.lesson.page
    cell = labs.output("board").locator(".jp-OutputArea-output").first
    cell.evaluate(
        """(node) => node.insertAdjacentHTML("beforeend",
            `<div id="faults"><p style="color: #aaa; background: #fff">faint</p><img src="data:,"><button></button>
            <div role="slider" tabindex="0" aria-valuenow="1"></div></div>`)"""
    )
    said = "\n".join(barriers(page, ["#faults"]))
    page.locator("#faults").evaluate("node => node.remove()")
    assert set(re.findall(r"^[\w-]+", said, re.MULTILINE)) == {
        *("color-contrast", "image-alt", "button-name", "aria-input-field-name"),
    }


@pytest.mark.parametrize("name", ["05_training_hats", "08_game_trees", "10_greedy_coins"])
def test_no_barrier_in_a_lesson(lab, name):
    lesson = lab.open(f"{name}.ipynb")
    page = lesson.page
    page.wait_for_function("() => document.querySelectorAll('.jp-RenderedImage img:not([alt])').length === 0")
    figures = page.locator(".jp-RenderedImage img")
    assert figures.count() >= 4
    for figure in figures.all():
        assert figure.get_attribute("alt").startswith("As the lesson has it: ")
    assert barriers(page, OURS) == []
    assert lesson.errors == []


BOOK = [
    "docs/index.html",
    "notebooks/02_random_agents.html",
    "notebooks/08_game_trees.html",
    "docs/your-own.html",  # much code
]


@pytest.mark.parametrize("path", BOOK)
def test_no_barrier_in_the_book(chromium, book, path):
    page = chromium.new_page()
    page.goto(book + path)
    # code has the same colours on every page, and axe takes seconds for the words of a whole lesson
    without = [".highlight"] if path.startswith("notebooks") else []
    assert barriers(page, without=without) == []
    page.emulate_media(color_scheme="dark")
    assert barriers(page, rules=CONTRAST, without=without) == []
    page.close()


def test_figures_are_told_in_words_in_the_book(built_book):
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        words = [alternative_text(cell) for cell in nbformat.read(path, 4).cells]
        elements = built_book.pages[f"notebooks/{path.stem}.html"].elements
        shown = [about.get("alt") for name, about in elements if name == "img" and "_images" in about.get("src", "")]
        assert shown == list(filter(None, words))


# --- text in pictures, which axe does not look at -----------------------------------------------------------------

TEXTS = """cell => {
    const [corner, found] = [cell.getBoundingClientRect(), []];
    for (const text of cell.querySelectorAll("svg text")) {
        const [box, look] = [text.getBoundingClientRect(), getComputedStyle(text)];
        const large = parseFloat(look.fontSize) >= (parseInt(look.fontWeight) >= 700 ? 18.66 : 24);
        const [red, green, blue] = look.fill.match(/[\\d.]+/g).map(Number);
        if (text.textContent.trim() && box.width)
            found.push([text.textContent, [red / 255, green / 255, blue / 255], large ? 3 : 4.5,
                        box.left - corner.left, box.top - corner.top, box.width, box.height]);
    }
    return found;
}"""


def unreadable(cell):
    """The texts in the pictures of a lab that stand on a ground from which they hardly differ."""
    from colours import contrasts
    from matplotlib.image import imread

    page = cell.page
    texts = cell.evaluate(TEXTS)
    style = page.add_style_tag(content="svg text { visibility: hidden !important }")
    ground = imread(io.BytesIO(cell.screenshot()))[..., :3]
    style.evaluate("node => node.remove()")
    for words, ink, least, left, top, wide, high in texts:
        behind = ground[int(max(top, 0)) : int(top + high), int(max(left, 0)) : int(left + wide)]
        if behind.size and (share := (contrasts(ink, behind) >= least).mean()) < 0.7:
            yield f"{words!r} can be read on {share:.0%} of its ground"


def test_texts_in_pictures_can_be_read(labs):
    def look():
        shown = [labs.output(name) for name in LABS]
        assert sum(cell.locator("svg text").count() for cell in shown) > 100
        for cell in shown:
            cell.scroll_into_view_if_needed()
            assert list(unreadable(cell)) == []

    look()
    with labs.lesson.dark():
        look()


def test_text_that_cannot_be_read_is_found(labs):
    cell = labs.output("training")
    text = cell.locator("svg text").first
    text.evaluate("node => node.setAttribute('fill', '#bbbbbb')")
    words = text.text_content()
    assert [line.split(" can")[0] for line in unreadable(cell)] == [repr(words)]
    text.evaluate("node => node.removeAttribute('fill')")


EDGES = """cell => {
    const look = (place, what) => getComputedStyle(cell.querySelector(place))[what].match(/[\\d.]+/g).slice(0, 3).map(n => n / 255);
    return [look("select", "borderTopColor"), look("input[type=number]", "borderTopColor"),
            look("input[type=range]", "accentColor")];
}"""


def test_the_edges_of_controls_stand_out(labs):
    from colours import WEAK, contrast

    cell = labs.output("training")
    for edge in cell.evaluate(EDGES):
        assert contrast(edge, "#ffffff") >= WEAK
    with labs.lesson.dark():
        edges = cell.evaluate(EDGES)
    for edge in edges:
        assert contrast(edge, "#212121") >= WEAK


# --- keyboard ------------------------------------------------------------------------------------------------------

STOPS = """cell => [...cell.querySelectorAll(
    "a[href], button, select, input, textarea, summary, [tabindex], [contenteditable='true']")].filter(node =>
    node.tabIndex >= 0 && !node.disabled && node.checkVisibility({visibilityProperty: true}) && node.getClientRects().length)
"""
LOOKS = """node => {
    const parts = [node, node.parentElement, ...node.querySelectorAll("*")];
    return parts.map(part => {
        const look = getComputedStyle(part);
        return [look.outlineStyle, look.outlineWidth, look.outlineColor, look.boxShadow, look.borderColor,
                look.backgroundColor, look.stroke, look.strokeWidth].join();
    }).join(";");
}"""


@pytest.mark.parametrize("cell", LABS, indirect=True)
def test_the_tab_key_reaches_everything_and_shows_where_it_is(cell):
    page = cell.page
    stops = cell.evaluate_handle(STOPS)
    many = stops.evaluate("stops => stops.length")
    assert many >= 3
    stops.evaluate("stops => { window.stops = stops; stops[0].focus(); }")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")  # now the page knows that there is a keyboard, and the first has the focus again
    reached, hidden = set(), []
    for _ in range(2 * many + 3):  # the browser stops at parts that scroll as well
        node = page.evaluate_handle("() => document.activeElement")
        if not cell.evaluate("(cell, node) => cell.contains(node)", node):
            break
        reached.add(page.evaluate("node => window.stops.indexOf(node)", node))
        with_focus = node.evaluate(LOOKS)
        node.evaluate("node => node.blur()")
        without = node.evaluate(LOOKS)
        node.evaluate("node => node.focus()")
        if with_focus == without:
            hidden.append(node.evaluate("node => node.outerHTML.slice(0, 120)"))
        page.keyboard.press("Tab")
    missed = [stops.evaluate("(stops, n) => stops[n].outerHTML.slice(0, 120)", n) for n in set(range(many)) - reached]
    assert missed == []
    assert hidden == []


def press(cell, name, key):
    """Press the button with the keyboard alone."""
    cell.get_by_role("button", name=name, exact=True).press(key)


@pytest.mark.parametrize("cell", [name for name in LABS if name != "board"], indirect=True)
def test_sliders_say_their_name_and_their_value(cell):
    for handle in cell.get_by_role("slider").all():
        line = handle.locator("xpath=ancestor::*[contains(@class, 'control')]").last
        label, readout = (line.locator(place).inner_text() for place in ("label", ".readout"))
        assert cell.get_by_role("slider", name=label, exact=True).get_attribute("aria-valuetext") == readout


@in_lab("training")
def test_a_slider_says_what_it_was_moved_to(cell):
    handle = cell.get_by_role("slider", name="Practice games", exact=True)
    handle.focus()
    for key, games in {"ArrowRight": "10", "ArrowUp": "100", "End": "100,000", "Home": "0"}.items():
        cell.page.keyboard.press(key)
        expect(handle).to_have_attribute("aria-valuetext", games)
        expect(handle).to_be_focused()  # the notebook has shortcuts of its own for these keys


@in_lab("hats")
def test_hats_by_keyboard(cell):
    press(cell, "Take 2", "Enter")
    says(cell, "draws")
    press(cell, "1,000 games", "Space")
    expect(cell.get_by_text("1,000 games", exact=False).last).to_be_visible()
    says(cell, "1,000")
    cell.get_by_text("Show the code", exact=True).press("Enter")
    expect(cell.get_by_label("The code of this lab")).to_be_visible()


@in_lab("q")
def test_q_learning_by_keyboard(cell):
    press(cell, "Start again", "Enter")
    says(cell, "Before the first game")
    press(cell, "One game", "Space")
    says(cell, "After 1 game against")
    press(cell, "Run", "Enter")
    press(cell, "Stop", "Enter")
    expect(cell.get_by_role("button", name="Run", exact=True)).to_be_visible()


@in_lab("proof")
def test_a_menu_by_keyboard(cell):
    says(cell, "Normal play")
    cell.get_by_role("combobox", name="Ending").focus()
    cell.page.keyboard.press("m")  # as in any menu: the first letter
    says(cell, "Misère play")


@in_lab("game")
def test_piles_by_keyboard(cell):
    press(cell, "Best move", "Enter")
    says(cell, "take")
    before = status(cell).inner_text()
    press(cell, "New game", "Space")
    expect(status(cell)).not_to_have_text(before)


@in_lab("triangle")
def test_greedy_coins_by_keyboard(cell):
    cell.locator("[data-to][tabindex='0']").focus()
    cell.page.keyboard.press("r")
    says(cell, "You take the 3 on the right.")
    press(cell, "New game", "Enter")
    says(cell, "Your turn.")


@in_lab("board")
def test_the_menus_of_the_board_by_keyboard(cell):
    page = cell.page
    cell.get_by_label("Hints").focus()
    page.keyboard.press("Space")
    expect(cell.get_by_label("Hints")).not_to_be_checked()
    cell.get_by_label("Ending").focus()
    page.keyboard.press("n")
    expect(cell.get_by_text("Normal play: who takes the last coin wins.")).to_be_visible()
    cell.get_by_label("Game", exact=True).focus()
    page.keyboard.press("Home")
    expect(cell.locator(".coin")).to_have_count(21)
