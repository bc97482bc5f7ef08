"""Sliders over your own function in JupyterLab: by keyboard and mouse, with names, and again on day two."""

import re

import pytest
from axe import barriers
from browser import expect
from hands import drag_to_the_left_end, knob
from lab import shot_of

pytestmark = pytest.mark.browser

SETUP = """import matplotlib.pyplot as plt
from coincourse.labs import sliders
from coinlib import QLearner, RandomAgent, plots, sticks, train"""
LEARNING = '''calls = []

def learning(games=100, learning_rate=1.0, opponent="random"):
    """How often the learner has won."""
    calls.append(games)
    if games == 10:
        raise ValueError("Ten games are too few.")
    learner = QLearner(sticks(10), learning_rate=learning_rate, seed=1)
    run = train(learner, RandomAgent(), games=games, seed=1)
    print(f"{run.won.sum()} of {games} games won")
    plots.win_rate(run, window=5)
    plt.show()

sliders(learning, games=(10, 1000, 10), learning_rate=(0.0, 1.0), opponent=["random", "other"])'''
ASLEEP = "This lab sleeps."


def test_sliders_by_key_and_by_mouse_with_names_and_on_day_two(lab):
    lesson = lab.write("own_sliders.ipynb", SETUP, LEARNING, height=1000)
    lesson.run_all()
    cell = lesson.cell("sliders(learning")
    picture, games = cell.locator("img"), knob(cell, "games")
    expect(picture).to_have_count(1)  # the live one, and no still picture below it
    expect(picture).to_have_attribute(
        "title", "How often the learner has won: games 100, learning rate 1.0, opponent random."
    )
    before = picture.get_attribute("src")
    games.press("ArrowRight")
    expect(cell.get_by_text("of 110 games won")).to_be_visible()
    expect(picture).not_to_have_attribute("src", before)
    expect(picture).to_have_attribute("title", re.compile("games 110"))
    expect(games).to_be_focused()
    assert games.get_attribute("aria-valuenow") == "110.0"
    knob(cell, "learning rate").press("Home")
    expect(picture).to_have_attribute("title", re.compile("learning rate 0.0"))
    cell.get_by_label("opponent").select_option("other")
    expect(picture).to_have_attribute("title", re.compile("opponent other"))
    assert barriers(cell.page, [".jp-CodeCell .jp-OutputArea"]) == []
    shot_of(lesson.page, "sliders")

    drag_to_the_left_end(games)
    expect(cell.get_by_role("alert")).to_have_text(
        re.compile(r"ValueError: Ten games .* In line 7 of your code: raise")
    )
    expect(picture).to_be_hidden()
    shot_of(cell, "sliders-error")
    games.press("End")
    expect(cell.get_by_text("of 1000 games won")).to_be_visible()
    expect(cell.get_by_role("alert")).to_have_count(0)
    expect(cell.locator(".jp-OutputArea-child")).to_have_count(2)  # nothing has leaked
    with lesson.dark():
        expect(picture).to_have_css("filter", "brightness(0.85)")  # as every other figure
        shot_of(lesson.page, "sliders-dark")

    lesson.menu("File", "Save Notebook")
    lesson.page.wait_for_function("() => !document.querySelector('.jp-mod-dirty')")
    lesson.close()
    lab.lessons.remove(lesson)
    lesson = lab.show(lesson.name, 1000, anew=True)
    cell = lesson.cell("sliders(learning")
    expect(cell.get_by_text(ASLEEP)).to_have_count(1)
    expect(cell.get_by_text("games 100, learning rate 1.0")).to_be_visible()
    expect(cell.locator("img")).to_be_visible()
    expect(cell.locator("img")).to_have_attribute("alt", re.compile("How often the learner has won: games 100"))
    expect(cell.get_by_text("Error displaying widget").first).to_be_hidden()
    shot_of(lesson.page, "sliders-asleep")
    cell.get_by_role("button", name="Wake it").press("Enter")
    knob(cell, "games").press("ArrowLeft")
    expect(cell.get_by_text("of 90 games won")).to_be_visible()
    expect(cell.get_by_text(ASLEEP)).to_have_count(0)
