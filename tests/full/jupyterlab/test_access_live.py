"""Accessibility in a real browser: axe-core on labs and a lesson; the Tab key; text in pictures.

axe looks at what the course itself shows: outputs and rendered text. JupyterLab's own menus, side bars and
editors are not ours, and axe finds faults in them. What each lab does by keyboard is in its own tests.
"""

import io
import re

import pytest
from axe import CONTRAST, barriers
from browser import expect
from gallery import KINDS
from hands import in_lab
from lab import shot_of

pytestmark = pytest.mark.browser

LABS = [f"[data-lab='{name}']" for name in KINDS]


# --- text in pictures and edges of controls, which axe does not look at

TEXTS = """cell => {
    const found = [];
    for (const text of cell.querySelectorAll("svg text")) {
        const [box, look] = [text.getBoundingClientRect(), getComputedStyle(text)];
        const large = parseFloat(look.fontSize) >= (parseInt(look.fontWeight) >= 700 ? 18.66 : 24);
        const [red, green, blue] = look.fill.match(/[\\d.]+/g).map(Number);
        if (text.textContent.trim() && box.width)
            found.push([text.textContent, [red / 255, green / 255, blue / 255], large ? 3 : 4.5,
                        box.left, box.top, box.width, box.height]);
    }
    return found;
}"""
EDGES = """cell => {
    const look = (place, what) =>
        getComputedStyle(cell.querySelector(place))[what].match(/[\\d.]+/g).slice(0, 3).map(n => n / 255);
    return [look("select", "borderTopColor"), look("input[type=number]", "borderTopColor"),
            look("input[type=range]", "accentColor")];
}"""


def unreadable(*cells):
    """The texts in labs' pictures on the screen that hardly differ from the background."""
    from colours import contrasts
    from matplotlib.image import imread

    page = cells[0].page
    texts = [text for cell in cells for text in cell.evaluate(TEXTS)]
    style = page.add_style_tag(content="svg text { visibility: hidden !important }")
    ground = imread(io.BytesIO(page.screenshot()))[..., :3]
    style.evaluate("node => node.remove()")
    for words, ink, least, left, top, wide, high in texts:
        behind = ground[int(top) : int(top + high), int(left) : int(left + wide)]
        share = (contrasts(ink, behind) >= least).mean()
        if share < 0.7:
            yield f"{words!r} can be read on {share:.0%} of its ground"


# A grid of positions, a triangle and a table have many similar parts: axe looks at the first of them.
FEW = """[data-lab] svg g[data-to]:nth-of-type(n + 30), [data-lab] tr:nth-of-type(n + 4) { display: none !important }"""


TALL = 11_000  # pixels: axe measures the contrast of what is seen


def test_no_barrier_in_any_lab(labs):
    page = labs.lesson.page
    shown = [labs.output(name) for name in KINDS]
    usual = page.viewport_size
    page.set_viewport_size(usual | {"height": TALL})
    shown[0].evaluate("lab => lab.scrollIntoView()")
    few = page.add_style_tag(content=FEW)
    assert barriers(page, LABS) == []
    few.evaluate("node => node.remove()")
    assert sum(cell.locator("svg text").count() for cell in shown) > 100
    assert list(unreadable(*shown)) == []
    assert weak_edges(labs, "#ffffff") == []
    page.set_viewport_size(usual)


def test_no_barrier_in_any_lab_in_the_dark(labs):
    page = labs.lesson.page
    shown = [labs.output(name) for name in KINDS]
    usual = page.viewport_size
    with labs.lesson.dark():  # in a small window, since everything visible changes
        page.set_viewport_size(usual | {"height": TALL})
        shown[0].evaluate("lab => lab.scrollIntoView()")
        assert list(unreadable(*shown)) == []
        assert weak_edges(labs, "#212121") == []
        shot_of(page, "labs-dark")
        few = page.add_style_tag(content=FEW)
        assert barriers(page, LABS, CONTRAST) == []
        few.evaluate("node => node.remove()")
        page.set_viewport_size(usual)


def weak_edges(labs, ground: str) -> list:
    """The colours of controls' edges that hardly differ from the background."""
    from colours import WEAK, contrast

    edges = labs.output("q").evaluate(EDGES)
    return [edge for edge in edges if contrast(edge, ground) < WEAK]


def test_barriers_are_found(labs):
    cell = labs.output("proof")
    cell.locator(".page").evaluate(
        """(node) => node.insertAdjacentHTML("beforeend",
            `<div id="faults"><p style="color: #aaa; background: #fff">faint</p><img src="data:,"><button></button>
            <svg><text y="20" fill="#bbbbbb">pale</text></svg>
            <div role="slider" tabindex="0" aria-valuenow="1"></div></div>`)"""
    )
    cell.evaluate("cell => cell.scrollIntoView({ block: 'center' })")  # all of it, with what was added
    found = "\n".join(barriers(cell.page, ["#faults"]))
    texts = list(unreadable(cell))
    cell.locator("#faults").evaluate("node => node.remove()")
    assert set(re.findall(r"^[\w-]+", found, re.MULTILINE)) == {
        *("color-contrast", "image-alt", "button-name", "aria-input-field-name"),
    }
    assert [words.split(" can")[0] for words in texts] == ["'pale'"]


# --- keyboard and screen reader

STOPS = """cell => [...cell.querySelectorAll(
    "a[href], button, select, input, textarea, summary, [tabindex], [contenteditable='true']")].filter(node =>
    node.tabIndex >= 0 && !node.disabled && node.checkVisibility({visibilityProperty: true})
    && node.getClientRects().length)
"""
# What has the focus: its place among the stops, and the element if it does not look different with the focus.
# The place is -1 for an element that is no stop, such as a part that scrolls. Outside the lab all is null.
FOCUSED = """(stops, cell) => {
    const node = document.activeElement;
    if (!cell.contains(node)) return null;
    const looks = () => [node, node.parentElement, ...node.querySelectorAll("*")].map(part => {
        const look = getComputedStyle(part);
        return [look.outlineStyle, look.outlineWidth, look.outlineColor, look.boxShadow, look.borderColor,
                look.backgroundColor, look.stroke, look.strokeWidth].join();
    }).join(";");
    const focused = looks();
    node.blur();
    const plain = looks();
    node.focus();
    return [stops.indexOf(node), focused === plain ? node.outerHTML.slice(0, 120) : ""];
}"""


@pytest.mark.parametrize("cell", KINDS, indirect=True)
def test_the_tab_key_reaches_everything_and_shows_where_it_is(cell):
    keyboard = cell.page.keyboard
    stops = cell.evaluate_handle(STOPS)
    whole = cell.element_handle()
    many = stops.evaluate("stops => { stops[0].focus(); return stops.length; }")
    keyboard.press("Tab")
    keyboard.press("Shift+Tab")  # Now the page knows that there is a keyboard, and the first stop has the focus.
    reached = set()
    hidden = []
    for _ in range(2 * many + 3):  # the browser stops at parts that scroll as well
        place, alike = stops.evaluate(FOCUSED, whole) or (None, "")
        if place is None:
            break
        reached.add(place)
        if alike:
            hidden.append(alike)
        keyboard.press("Tab")
    html = "(stops, n) => stops[n].outerHTML.slice(0, 120)"
    missed = [stops.evaluate(html, number) for number in set(range(many)) - reached]
    assert many >= 3
    assert (place, missed) == (None, [])
    assert hidden == []


def test_sliders_say_their_name_and_their_value(labs):
    for cell in [labs.output(name) for name in KINDS]:
        for line in cell.locator(".control.slider:visible").all():
            label, readout = (line.locator(place).inner_text() for place in ("label", ".readout"))
            handle = cell.get_by_role("slider", name=label, exact=True)
            expect(handle).to_have_attribute("aria-valuetext", readout)
            expect(handle).to_have_attribute("aria-description", line.locator(".words").text_content())


@in_lab("proof")
def test_a_slider_says_what_it_was_moved_to(cell):
    handle = cell.get_by_role("slider", name="Sticks", exact=True)
    handle.fill("20")
    handle.focus()
    for key, sticks in {"ArrowRight": "21", "ArrowUp": "22", "End": "30", "Home": "0"}.items():
        cell.page.keyboard.press(key)
        expect(handle).to_have_attribute("aria-valuetext", sticks)
        expect(handle).to_be_focused()  # the notebook has its own shortcuts for these keys
    handle.fill("20")  # as other tests expect it
    expect(handle).to_have_attribute("aria-valuetext", "20")
