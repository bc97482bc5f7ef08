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
