"""The book's labs work in a real browser: opened as files, without a network and without Python."""

import re

import pytest
from axe import CONTRAST, barriers
from browser import expect
from lab import shot_of
from reader import NARROW, WIDE, Reader, fits

from coinlib.plots.look import BLUE, SKY

pytestmark = pytest.mark.browser

LINE = ".live-lab-note"


@pytest.fixture(scope="module")
def page(chromium, built_book):
    """The page with one lab of each kind, opened as a file; all labs are live, and nothing goes wrong."""
    reader = Reader(chromium, "file:", built_book.folder)
    page = reader.goes_to("docs/living.html", as_file=True)
    for lab in page.locator(".live-lab").all():
        lab.scroll_into_view_if_needed()
        expect(lab.locator(".page > :not(style)").first).to_be_visible()
    yield page
    assert reader.new_troubles() == []
    reader.close()


@pytest.fixture
def live(page, request):
    """The lab with this title; its page and words change with what is done."""
    found = page.locator(".live-lab", has_text=request.param).first
    found.scroll_into_view_if_needed()
    return found


def titled(*titles):
    return pytest.mark.parametrize("live", titles, indirect=True)


def press(lab, *words):
    for button in words:
        lab.get_by_role("button", name=button, exact=True).click()


@titled("What does a Q-learner learn?")
def test_a_slider_moves_by_key_and_by_pointer_and_one_control_at_a_time(live):
    games, seed = live.get_by_role("slider"), live.get_by_label("Seed")
    games.focus()
    live.page.keyboard.press("End")
    expect(live.get_by_text("After 10,000 games", exact=True)).to_be_visible()
    expect(games).to_be_focused()
    before = live.locator("svg").first.inner_html()
    seed.fill("2")
    seed.press("Enter")
    expect(games).to_have_attribute("aria-valuetext", "100")
    expect(live.locator(LINE)).to_contain_text("“Games” went back to 100: in the book only some settings go together.")
    assert live.locator("svg").first.inner_html() != before
    seed.fill("77")
    seed.press("Enter")
    expect(seed).to_have_value("3")
    expect(live.locator(LINE)).to_contain_text("“Seed” has only these values: 1, 2, 3")
    games.click(position={"x": 3, "y": 5})  # near its left end
    expect(live.locator(LINE)).to_contain_text("“Seed” went back to 1: in the book only some settings go together.")
    expect(games).to_have_attribute("aria-valuetext", "0")
    for value in ("2", "1"):  # back to where the page has it
        seed.fill(value)
        seed.press("Enter")


@titled("Peaks fuse on the stack")
def test_a_film_plays_stops_and_is_scrubbed(live):
    at = live.get_by_role("slider")
    press(live, "Play")
    expect(at).to_have_attribute("aria-valuetext", "3")
    press(live, "Stop")
    stopped = at.get_attribute("aria-valuetext")
    press(live, "Next")
    expect(at).to_have_attribute("aria-valuetext", str(int(stopped) + 1))
    at.press("Home")
    expect(live.get_by_text("The stack is empty")).to_be_visible()
    expect(live.get_by_role("button", name="Back")).to_be_disabled()


@titled("What does a Q-learner learn?")
def test_a_practice_is_run_and_goes_game_by_game(live):
    press(live, "Start again", "One game")
    expect(live.get_by_text("After 1 game", exact=True)).to_be_visible()
    press(live, "Run")
    expect(live.get_by_text("After 100 games", exact=True)).to_be_visible(timeout=20_000)
    expect(live.get_by_role("button", name="Run")).to_be_visible()
    press(live, "One game", "One game", "One game")
    expect(live.get_by_text("After 103 games", exact=True)).to_be_visible()
    press(live, "One game")
    expect(live.locator(LINE)).to_contain_text("the recording ends here")
    press(live, "Run")  # begins again
    expect(live.get_by_text(re.compile(r"^After \d\d? games?$"))).to_be_visible(timeout=20_000)
    press(live, "Stop")


@titled("Three piles")
def test_positions_are_looked_at_and_best_play_goes_to_the_end(live):
    press(live, "Best move")
    expect(live.get_by_text("(1, 4, 5) was a losing position")).to_be_visible()
    press(live, "Start again")
    live.locator("g[data-to='3,3,5']").click()
    expect(live.get_by_text("(3, 3, 5)").first).to_be_visible()
    live.page.keyboard.press("ArrowRight")
    live.page.keyboard.press("Enter")
    expect(live.get_by_text("(4, 3, 5)").first).to_be_visible()
    live.get_by_role("slider").press("Home")
    expect(live.get_by_text("(4, 3, 0)").first).to_be_visible()


@titled("Take left")
def test_a_game_of_coins_is_won_or_lost_with_or_without_the_table(live):
    live.get_by_label("Show the table").uncheck()
    for _ in range(3):
        live.page.locator(".live-lab", has_text="Take left").locator("[data-to='L']").click()
    expect(live.get_by_text("the last coin")).to_be_visible()
    live.get_by_label("Show the table").check()


@titled("Empty table")
def test_a_cell_takes_right_and_wrong_answers(live):
    field = live.locator("foreignObject input").first
    for answer, words in (("3", "3 is wrong"), ("0", "Correct"), ("99", "filled in order")):
        live.locator("[data-now] input").fill(answer)
        live.locator("[data-now] input").press("Enter")
        expect(live.get_by_text(words).first).to_be_visible()
    assert field.count() == 1


@titled("Which counts are losing, and why?")
def test_the_proof_follows_its_sliders(live):
    live.get_by_label("Take at most").press("ArrowRight")
    expect(live.get_by_text("the counts in lines of 5")).to_be_visible()


def test_predictions_count_in_the_score(page):
    first, second = page.locator(".live-lab", has_text="Choose before you go on").all()
    score = page.locator(".live-lab", has_text="What you have done")
    expect(score.get_by_text("0 of 2 right")).to_be_visible()
    for prediction in (first, second):
        prediction.get_by_role("button").first.click()
        expect(prediction.get_by_role("button")).to_have_count(0)
    expect(score).not_to_contain_text("still open")


ALICE = "getComputedStyle(document.querySelector('.coin-triangle')).getPropertyValue('--alice')"


def test_labs_take_the_colours_of_the_chosen_theme(page):
    toggle = page.locator(".content-icon-container .theme-toggle")
    assert page.evaluate(ALICE) == BLUE
    toggle.click()  # from the system's theme to the other one
    page.wait_for_function(f"{ALICE} === '{SKY}'")
    for _ in range(2):  # and back to the system's
        toggle.click()
    page.wait_for_function(f"{ALICE} === '{BLUE}'")


# A grid of positions, a triangle and a table have many similar parts: axe looks at the first of them.
MANY = ".live-lab svg g[data-to]:nth-of-type(n + 30), .live-lab tr:nth-of-type(n + 4) { display: none !important }"


def test_no_barrier_and_all_fits_on_a_phone(page):
    page.set_viewport_size(NARROW)
    assert fits(page) == []
    shot_of(page, "live-labs-390")
    page.set_viewport_size(WIDE)
    page.add_style_tag(content=MANY)
    assert barriers(page, [".live-lab"]) == []
    page.emulate_media(color_scheme="dark")
    assert barriers(page, [".live-lab"], CONTRAST) == []
    shot_of(page, "live-labs-dark")


def test_an_arrow_key_moves_a_slider_to_the_next_value_at_which_it_lives(reader):
    page = reader.goes_to("notebooks/06_q_learning.html", as_file=True)
    lab = page.locator(".live-lab", has_text="What does a Q-learner learn?")
    exploration = lab.get_by_role("slider", name="Exploration")
    for key, value in (("ArrowRight", "0.25"), ("ArrowRight", "0.30"), ("ArrowLeft", "0.25")):
        exploration.press(key)
        expect(exploration).to_have_attribute("aria-valuetext", value)
        expect(lab.locator(LINE)).to_contain_text("has only these values: 0, 0.25, 0.3, 0.5, 0.75, 1")
