"""The time from moving a slider to the last change in its picture, in JupyterLab in Chromium."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "tools"))
import browser
import lab

LAB = "from coincourse.labs import QLab\nQLab()"
EMPTY = """
import ipywidgets as widgets
slider, words = widgets.IntSlider(value=4, max=9), widgets.HTML()
slider.observe(lambda change: setattr(words, "value", f"<p>{change['new']}</p>"), "value")
widgets.VBox([slider, words])
"""
# The slider itself moves at once, but that is not an answer. After 250 quiet milliseconds nothing more will change.
WATCH = """(cell) => {
    let began = 0, last = 0;
    document.addEventListener("keydown", () => { began = performance.now(); last = 0; }, true);
    new MutationObserver((changes) => {
        const places = changes.map(({target}) => target.closest ? target : target.parentElement);
        if (places.some((place) => place && !place.closest(".widget-hslider, input"))) last = performance.now();
    }).observe(cell, {subtree: true, childList: true, attributes: true, characterData: true});
    window.answerTook = () => last && performance.now() - last > 250 ? last - began : 0;
}"""


def seconds(moves: int, rounds: int) -> tuple[list[list[float]], list[list[float]]] | None:
    """Seconds for each move in each round: for the Q lab, and for a slider without work. None without a browser."""
    if browser.find_chromium() is None or browser.expect is None:
        return None
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        browser.chromium_context() as chromium,
        contextlib.closing(lab.Server(Path(folder))) as server,
    ):
        labs = lab.Lab(server, chromium)
        of_lab = [_moved(labs, LAB, moves) for _ in range(rounds)]
        of_empty = [_moved(labs, EMPTY, moves) for _ in range(rounds)]
        return of_lab, of_empty


def _moved(labs, code: str, moves: int) -> list[float]:
    """How long each answer took in a new notebook; the first move is not counted."""
    lesson = labs.write("slider.ipynb", code)
    lesson.run_all()
    cell = lesson.page.locator(".jp-CodeCell .jp-OutputArea").first
    cell.evaluate(WATCH)
    cell.get_by_role("slider").first.focus()
    taken = []
    for number in range(moves + 1):
        lesson.page.keyboard.press("ArrowLeft" if number % 2 else "ArrowRight")
        taken.append(lesson.page.wait_for_function("() => window.answerTook()").json_value() / 1000)
    labs.forget()
    return taken[1:]
