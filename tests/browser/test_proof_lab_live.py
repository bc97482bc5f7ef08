"""The proof lab in JupyterLab: its sliders by key, the ending by its menu, and what lights up together."""

import pytest
from lab import knob

pytestmark = pytest.mark.browser


def test_the_pattern_and_the_proof_follow_the_sliders(lab):
    from playwright.sync_api import expect

    lesson = lab.write("proof.ipynb", "from coincourse.labs import ProofLab\nProofLab()", height=1000)
    lesson.run_all()
    page, cell = lesson.page, lesson.page.locator(".jp-CodeCell .jp-OutputArea").first
    status = cell.get_by_role("status").first
    expect(status).to_contain_text("Normal play: 20 sticks are lost")
    lesson.shot("proof-lab-start")

    sticks, most = (knob(cell, name) for name in ("Sticks", "Take at most"))
    sticks.focus()
    page.keyboard.press("ArrowRight")
    expect(status).to_contain_text("Normal play: 21 sticks are won for whoever has to move: take 1")
    expect(cell.get_by_text("21 = 5 · 4 + 1: the remainder is 1.")).to_be_visible()
    cell.get_by_role("combobox").select_option("misère play: last stick loses")
    expect(status).to_contain_text("Misère play: 21 sticks are lost")
    expect(status).to_contain_text("Lost up to here: 1, 5, 9, 13, 17 and 21")
    most.focus()
    page.keyboard.press("ArrowRight")
    expect(status).to_contain_text("Lost up to here: 1, 6, 11, 16 and 21")
    lesson.shot("proof-lab-moved")

    row = cell.get_by_role("region", name="The Grundy row").locator("td.n16").first
    plain = edge(row)
    cell.get_by_label("16: lost").focus()
    assert edge(row) != plain
    lesson.shot("proof-lab-linked")
    assert lesson.errors == []
    assert lesson.strangers == []


def edge(cell):
    return cell.evaluate("cell => getComputedStyle(cell).outlineColor")
