"""The hats lab in the web book: it draws by chance and learns, and says and shows what `HatsLab` does, letter by letter."""

import json
import re

import numpy as np
import pytest
from browser import expect
from lab import shot_of
from reader import Reader

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
    """A generator that passes on what another one draws, and remembers it."""

    def __init__(self, seed: int) -> None:
        self.chance = np.random.default_rng(seed)
        self.drawn: list[float] = []

    def __deepcopy__(self, memo):
        return self  # a game that is given up has drawn, too

    def random(self) -> float:
        self.drawn.append(self.chance.random())
        return self.drawn[-1]

    def integers(self, most: int) -> int:
        return int(self.random() * most)


def lines_of(page, lab):
    """What a lab shows, as the browser reads it."""
    return [line for text in (lab.page, lab.frame) for line in page.evaluate("plain", text)]


class Both:
    """A `HatsLab`, and the host of the page, which gets the same chances; what is done is done to both."""

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
        """What can be done now; many games at once have a test of their own."""
        rows = [part for place in ("above", "below") for part in self.lab.view[place]]
        buttons = [button for row in rows for button in row.get("buttons", ()) if not button["disabled"]]
        can = []
        for button in buttons:
            words = button["words"]
            if words == "Put in":
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
    assert both.lab.data.hats.games > 2


@pytest.mark.parametrize("first", ["other", "computer", "alternate"])
def test_many_games_of_practice_teach_ball_by_ball_what_python_learns(tab, first):
    """The update is that of `settle` in lesson 04: the same chances fill the same hats."""
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
