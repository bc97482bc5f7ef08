"""The ground of the browser tests itself: a notebook is opened, run, and a slider is moved."""

import pytest

pytestmark = pytest.mark.browser

SLIDER = """
import ipywidgets as widgets
slider = widgets.IntSlider(value=4, min=0, max=9, description="sticks")
said = widgets.HTML("nothing yet")
slider.observe(lambda change: setattr(said, "value", f"now {change['new']} sticks"), "value")
widgets.VBox([slider, said])
"""


def test_a_notebook_runs_and_a_slider_answers(lab):
    lesson = lab.write("slider.ipynb", "print(6 * 7)", SLIDER)
    lesson.run_all()
    assert lesson.cell("6 * 7").locator(".jp-OutputArea-output").inner_text().strip() == "42"

    lesson.page.locator(".noUi-handle").focus()
    lesson.page.keyboard.press("ArrowRight")
    lesson.page.get_by_text("now 5 sticks").wait_for(timeout=10_000)
    assert lesson.shot("slider").stat().st_size > 10_000
    assert lesson.strangers == [] and lesson.errors == []


# --- all that the front end of the labs can do, in one lab

EVERYTHING = """
from coincourse.labs import Lab
from coincourse.labs.controls import field, menu, number, share, text, tick
from coincourse.labs.lab import Button, Row, acts

class Told:
    notice = ""
    def __init__(self, told, **settings):
        self.told = tuple(told)

class Everything(Lab):
    title, goal = "Everything", "For a test."
    side = menu("Side", "Left or right.", [("left side", "L"), ("right side", "R")], "L", keeps=True)
    part = share("Part", "How much.", 0.5)
    loud = tick("Loud", "In capitals.", keeps=True)
    name = text("Name", "Anything.", "ada")
    PAST, BELOW, compute = {"told": ()}, ("name",), Told

    @staticmethod
    def draw(data, told, name, **settings):
        return f'''<p role="status">{name}: {"; ".join(told)} {data.notice}</p>
        <svg data-group="cells" width="320" height="100" role="img"><g data-to="a" data-x="0" data-y="0" aria-label="cell a">
        <rect width="60" height="40" fill="#ddd"/></g><g data-to="b" data-x="2" data-y="0" data-ask="" aria-label="field b">
        <rect class="face" x="70" width="60" height="40" fill="none"/></g><g data-to="c" data-x="1" data-y="1" data-ask=""
        aria-label="field c"{"" if "b typed 7" not in told else " data-now"}><rect class="face" x="140" width="60" height="40" fill="none"/></g></svg>
        <p><button data-to="left" data-key="l">L</button>{'<i data-to="late" data-after="50"></i>' if told and told[-1] == "a" else ""}</p>'''

    @staticmethod
    def code(told, **settings):
        return f"data = {told!r}"

    def rows(self):
        put = Button("Put in", "Puts balls in.", self.put, key="?")
        fields = {"hat": field("Hat", "Which.", 1, 30, 4), "balls": field("Balls", "How many.", 1, 99, 10)}
        return {"meddle": Row([put], "Meddle", "By hand.", fields), "no": Row([Button("No", "Cannot be.", self.no)])}

    @acts
    def put(self, hat, balls):
        self.data.told += (f"hat {hat} balls {balls}",)

    @acts
    def no(self):
        raise ValueError("That cannot be.")

    @acts
    def clicked(self, to):
        self.data.told += (to,)

    @acts
    def typed(self, to, words):
        self.data.told += (f"{to} typed {words}",)

Everything()
"""


def test_all_that_a_lab_can_ask_of_its_front_end(lab):
    from playwright.sync_api import expect

    lesson = lab.write("everything.ipynb", EVERYTHING)
    lesson.run_all()
    page, cell = lesson.page, lesson.page.locator(".jp-OutputArea").first
    status = cell.get_by_role("status")

    def said(words):
        expect(status).to_have_text(words)

    said("ada:")
    cell.get_by_label("Hat").fill("7")
    cell.get_by_role("button", name="Put in").click()
    said("ada: hat 7 balls 10")
    cell.get_by_role("button", name="No").click()
    said("ada: hat 7 balls 10 That cannot be.")
    expect(cell.get_by_label("Hat")).to_have_value("7")
    cell.get_by_label("Side").select_option("right side")  # keeps what has happened
    cell.get_by_label("Loud").check()
    said("ada: hat 7 balls 10")
    cell.get_by_label("Name").fill("eve")
    cell.get_by_label("Name").press("Enter")
    said("eve:")

    page.mouse.move(0, 0)
    cell.get_by_role("button", name="cell a").focus()
    page.keyboard.press("Enter")
    said("eve: a; late")  # the second came by itself
    page.keyboard.press("l")
    said("eve: a; late; left")
    page.keyboard.press("ArrowRight")
    expect(cell.get_by_label("field b")).to_be_focused()
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    said("eve: a; late; left; b typed 7")
    expect(cell.get_by_label("field c")).to_be_focused()  # where Python says
    page.keyboard.press("?")
    said("eve: a; late; left; b typed 7; hat 7 balls 10")
    page.keyboard.press("ArrowDown")
    expect(cell.get_by_role("button", name="cell a")).to_be_focused()
    lesson.shot("everything")
    cell.get_by_label("Part").press("End")
    said("eve:")
    expect(cell.get_by_label("Part")).to_have_attribute("aria-valuetext", "1.00")
    assert lesson.errors == [] and lesson.strangers == []
