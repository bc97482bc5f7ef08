"""The hats lab in the web book: it draws at random and learns, and says and shows exactly what `HatsLab` does."""

import json
import re

import numpy as np
import pytest
from browser import expect
from lab import shot_of
from reader import SHORT_PAUSES, Reader

from coincourse.labs import HatsLab
from coincourse.labs.book.hats_data import CHANCE
from coincourse.labs.book.page_data import page_data
from coinlib.arguments import counted

pytestmark = pytest.mark.browser

EVERYTHING = ["look", "reveal", "partner", "first", "play", "train", "meddle"]
LABS = {
    "closed": lambda: HatsLab(controls=["play"], look=False),
    "an open game": lambda: HatsLab(controls=["play"], history=[("open", "you", "other", (3, 2, 1, 3))]),
    "everything": lambda: HatsLab(controls=EVERYTHING),
    "small, normal play": lambda: HatsLab(controls=EVERYTHING, sticks=5, max_take=2, ending="normal", reveal=True),
    "many hats": lambda: HatsLab(controls=EVERYTHING, sticks=20, history=[("train", 2_000, "twin", "alternate")]),
    "they take turns": lambda: HatsLab(controls=["play", "train"], sticks=6, first="alternate", partner="twin"),
    "a random partner": lambda: HatsLab(controls=["train"], sticks=6, first="computer", partner="random"),
}
BEGIN = """told => {
    const place = document.createElement("div");
    place.innerHTML = "<p class='live-lab-note'></p>";
    window.model = liveLabs.hosts.hats(told, place);
    return SHOWN;
}"""
ACT = """([message, chances]) => {
    const real = Math.random;
    Math.random = () => chances.shift() ?? real();
    if ("set" in message) { model.set(message.set, message.value); model.save_changes(); } else model.send(message);
    Math.random = real;
    return SHOWN;
}"""
# Both sides as the browser reads them: the lab of Python is written in another order of attributes and blanks.
SHOWN = """["page", "frame"].flatMap(name => window.plain(model.get(name)))"""
PLAIN = """window.plain = html => {
    const box = document.createElement("template");
    box.innerHTML = html;
    const told = [];
    const tell = (node) => {
        if (node.nodeType === Node.TEXT_NODE && node.data.trim()) told.push(node.data.replace(/\\s+/g, " ").trim());
        if (node.attributes) told.push([node.nodeName, ...[...node.attributes].map(({ name, value }) => `${name}=${value}`).sort()].join(" "));
        if (node.nodeName !== "PRE") node.childNodes.forEach(tell); // its code is another in the book
    };
    tell(box.content);
    return told;
}"""


@pytest.fixture(scope="module")
def tab(chromium, built_book):
    """A page of the book, opened as a file."""
    reader = Reader(chromium, "file:", built_book.folder)
    reader.goes_to("notebooks/04_hats.html", as_file=True)
    reader.page.evaluate(PLAIN)
    yield reader
    assert reader.new_troubles() == []
    reader.close()


class Chances:
    """A generator that passes on what another one draws, and records it."""

    def __init__(self, seed: int) -> None:
        self.chance = np.random.default_rng(seed)
        self.drawn: list[float] = []

    def __deepcopy__(self, memo):
        return self  # an abandoned game has drawn, too

    def random(self) -> float:
        self.drawn.append(self.chance.random())
        return self.drawn[-1]

    def integers(self, most: int) -> int:
        return int(self.random() * most)


def lines_of(page, lab):
    """What a lab shows, as the browser reads it."""
    return [line for text in (lab.page, lab.frame) for line in page.evaluate("plain", text)]


class Both:
    """A `HatsLab`, and the page's host, which gets the same random numbers; every action is done to both."""

    def __init__(self, tab, lab):
        self.page, self.lab = tab.page, lab
        self.chances = Chances(1)
        self.shown = self.page.evaluate(BEGIN.replace("SHOWN", SHOWN), json.loads(json.dumps(page_data(lab))))

    def do(self, message):
        self.chances.drawn.clear()
        match = self.lab.data.on_table
        for player in (match or self.lab.data).players.values():
            player.generator = self.chances
        if "set" in message:
            setattr(self.lab, message["set"], message["value"])
        else:
            self.lab.hear(message)
        self.shown = self.page.evaluate(ACT.replace("SHOWN", SHOWN), [message, self.chances.drawn])

    def messages(self, dice):
        """What can be done now; many games at once have a separate test."""
        rows = [part for place in ("above", "below") for part in self.lab.view[place]]
        buttons = [button for row in rows for button in row.get("buttons", ()) if not button["disabled"]]
        can = []
        for button in buttons:
            words = button["words"]
            if words == "Set":
                fields = {"hat": int(dice.integers(1, 5)), "ball": int(dice.integers(1, 3)), "balls": 2000}
                can.append({"press": words, "fields": fields})
            elif words.startswith(("Take", "One move")):
                can += [{"press": words, "fields": {}}] * 9
            elif words == "New game" or (words == "Start again" and dice.random() < 0.1):
                can.append({"press": words, "fields": {}})
        for control in rows if dice.random() < 0.2 else ():
            now = getattr(self.lab, control["name"]) if "name" in control else None
            values = [value for _, value in control.get("options", [("on", True), ("off", False)])]
            can += [{"set": control["name"], "value": value} for value in values if "name" in control and value != now]
        return can


@pytest.mark.parametrize("name", LABS)
def test_the_page_says_and_shows_what_the_lab_does(tab, name):
    dice, both = np.random.default_rng(1), Both(tab, LABS[name]())
    for _ in range(120):
        assert both.shown == lines_of(tab.page, both.lab)
        both.do(dice.choice(both.messages(dice)))
    assert both.lab.data.hats.games > 1


@pytest.mark.parametrize("first", ["other", "computer", "alternate"])
def test_many_games_of_practice_teach_ball_by_ball_what_python_learns(tab, first):
    """The update is `settle` from lesson 04: the same random numbers fill the same hats."""
    lab = HatsLab(controls=["train", "first"], seed=3, first=first)
    told = json.loads(json.dumps(page_data(lab)))
    tab.page.evaluate(BEGIN.replace("SHOWN", SHOWN), told)
    chances = np.random.default_rng(3).random(20_000).tolist()
    for games in (1, 10, 100):
        lab.step(games)
        lab.update()
        message = {"press": counted(games, "game"), "fields": {}}
        shown = tab.page.evaluate(ACT.replace("SHOWN", SHOWN), [message, chances])
        assert shown == lines_of(tab.page, lab)
        used = int(lab.data.hats.visits.sum())
        chances = np.random.default_rng(3).random(20_000).tolist()[used:]


# --- in the lessons, with real random numbers


@pytest.fixture
def page(chromium, built_book):
    """A page of the book; nothing goes wrong there."""
    reader = Reader(chromium, "file:", built_book.folder, SHORT_PAUSES)
    yield reader
    assert reader.new_troubles() == []
    reader.close()


def lab_on(page, name, number=0):
    """A hats lab on the page of a lesson."""
    lab = (
        page.goes_to(f"notebooks/{name}.html", as_file=True).locator(".live-lab:has(.hats-lab .of-sticks)").nth(number)
    )
    lab.scroll_into_view_if_needed()
    return lab


def play(lab, take) -> str:
    """A game; what happened in it."""
    told = []
    while True:
        words = lab.get_by_role("status").first.inner_text()
        told.append(words)
        if "to play against it" in words:
            return " ".join(told)
        left = int(re.search(r"(\d+) sticks? of", lab.locator(".of-sticks").get_attribute("aria-label"))[1])
        lab.get_by_role("button", name=f"Take {take(left)}", exact=True).click()


def test_no_two_games_are_alike_and_the_hats_remember_them(page):
    lab = lab_on(page, "04_hats")
    stick = lab.locator(".coin.n9")
    stick.click()
    expect(lab.locator(".picked")).to_have_text("9")
    expect(lab.get_by_role("button", name="Take 3", exact=True)).to_be_enabled()
    stick.click()
    expect(lab.get_by_role("status").first).to_contain_text("You take 2: 8 sticks left")
    games = set()
    for number in range(1, 9):
        games.add(play(lab, lambda left: 1))
        known = lab.get_by_text("The computer has learnt from")
        expect(known).to_contain_text(f"learnt from {counted(number, 'game')}.")
        expect(known).to_contain_text(f"of {counted(number, 'game')}.")
        lab.get_by_role("button", name="New game").click()
    assert len(games) > 2
    expect(lab.locator(".live-lab-note")).to_be_empty()
    shot_of(lab, "book-04-hats-played")


def test_twenty_games_fill_the_hats_with_what_has_won(page):
    """The section with a star of lesson 04: after each game the balls are what the lesson's rule leaves."""
    lab = lab_on(page, "04_hats", -1)
    hats = {hat: [1, 1, 1] for hat in range(1, 11)}
    for _ in range(20):
        told = play(lab, lambda left: 1 + (left % 2 and left > 1))
        drawn = dict(re.findall(r"draws a \d from hat (\d+), lays it beside, and takes (\d)", told))
        for hat, ball in drawn.items():
            balls = hats[int(hat)]
            if "The computer won" in told:
                balls[int(ball) - 1] += 1
            elif balls[int(ball) - 1] > 1:
                balls[int(ball) - 1] -= 1
        for hat, balls in hats.items():
            shown = [f"{count}" if ball <= hat else "–" for ball, count in enumerate(balls, 1)]
            assert lab.locator(f"tr.n{hat} td").all_inner_texts()[:3] == shown, (hat, told)
        lab.get_by_role("button", name="New game").click()
    expect(lab.get_by_text("20 games", exact=True).first).to_be_visible()
    assert any(balls != [1, 1, 1] for balls in hats.values())


BELOW = "(part, field) => part.getBoundingClientRect().top - field.getBoundingClientRect().top"


def test_a_run_goes_on_until_stop_and_what_cannot_be_is_said(page):
    lab = lab_on(page, "05_training_hats", -1)
    lab.get_by_role("button", name="Run", exact=True).click()
    stop = lab.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_visible()
    expect(lab.get_by_role("button", name="One move")).to_be_disabled()
    expect(lab.get_by_text(re.compile(r"Trained: [\d,]{4,} games"))).to_be_visible()
    stop.click()
    after = lab.get_by_role("status").first.inner_text()
    lab.get_by_label("Reveal").check()
    expect(lab.get_by_text("there is a right ball (★)")).to_be_visible()
    assert lab.get_by_role("status").first.inner_text() == after
    lab.get_by_text("Show the code").click()
    expect(lab.get_by_role("group", name="The code of this lab")).to_contain_text(CHANCE)
    hat = lab.get_by_label("Hat", exact=True)
    for impossible in ("25", "0", "-1", ""):
        hat.fill(impossible)
        hat.press("Enter")
        refusal = lab.get_by_role("alert").filter(has_text=re.compile("Value must be|fill out"))
        expect(refusal).to_be_visible()
        expect(hat).to_have_value(impossible)
        assert 0 < refusal.evaluate(BELOW, hat.element_handle()) < 150
    hat.fill("2")
    hat.press("Enter")
    expect(refusal).to_have_count(0)
    lab.get_by_label("Ball", exact=True).fill("3")
    lab.get_by_role("button", name="Set").click()
    expect(lab.get_by_role("status").first).to_contain_text("A ball 3 is never played from hat 2, so")
