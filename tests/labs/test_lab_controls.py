"""Controls, buttons and tasks of labs: what they are told, what they refuse, and how they show errors."""

import json
import math

import pytest
from lab_words import parts
from test_labs import HELD

from coincourse.labs import Board, HatsLab, Lab, PileLab, ProofLab, QLab, TriangleLab
from coincourse.labs.base.buttons import Button, ButtonRow
from coincourse.labs.base.controls import field, menu, number, seed, share, slider, text, tick
from coincourse.labs.base.lab import CONTROLS_STYLE
from coincourse.labs.book.page_data import lab_from, page_data


@pytest.mark.parametrize("kind", HELD)
def test_every_control_has_an_explanation(kind):
    lab = kind(controls=True)
    shown = {part["name"]: part["explanation"] for part in parts(lab) if "name" in part}
    assert shown == {name: control.explanation for name, control in lab.CONTROLS.items()} and all(shown.values())
    assert CONTROLS_STYLE in lab._css and ".control > label" in lab._css  # exactly as in the file


def test_a_setting_that_makes_no_sense_is_said():
    for kind, settings, words in [
        (QLab, {"games": 7}, "games: expected one of 0, 1, 2, 5, 10, .*, 10000, got 7"),
        (QLab, {"sticks": 31}, "sticks: expected a whole number from 1 to 30, got 31"),
        (ProofLab, {"sed": 1}, "settings: expected some of sticks, max_take, ending; got sed"),
        (ProofLab, {"controls": ["sed"]}, "controls: expected 'sticks', .* got 'sed'"),
        (Board, {"game": "CHESS"}, r"game: expected a game such as sticks\(20\), or one of SINGLE_21_2, .* 'CHESS'"),
        (Board, {"opponent": "god"}, "opponent: expected 'random', .* or a function .*, got 'god'"),
        (PileLab, {"piles": (3, 3)}, r"piles: expected three whole numbers, got \(3, 3\)"),
        (PileLab, {"piles": (3, 2.5, 7)}, "second: expected a whole number from 0 to 31, got 2.5"),
        (PileLab, {"piles": (3, 3, 8), "most": 7}, r"piles: .* from 0 to 7, got \(3, 3, 8\)"),
        (TriangleLab, {"coins": 7}, "coins: expected a row of coins such as 1 2 4 3, got 7"),
        (TriangleLab, {"moves": "LX"}, "moves: Bob in state .*'X'"),
        (HatsLab, {"history": [("eat", 3)]}, r"history: expected \('train', ...\), .* got \('eat', 3\)"),
        (HatsLab, {"history": [("play", "other", (4,))]}, "You can take 1 to 3, not 4"),
        (QLab, {"tasks": [("Fly.", {"height": 3})]}, "tasks: 'Fly.' asks for height; known: games, .* perfect"),
    ]:
        with pytest.raises((TypeError, ValueError), match=words):
            kind(**settings)


def test_controls_can_be_left_out_and_still_count():
    lab, heard = QLab(controls=["games"], opponent="careless", games=100), []
    assert [part["name"] for part in parts(lab) if "name" in part] == ["games"]
    assert lab.page == QLab(opponent="careless", games=100).page
    lab.observe(lambda change: heard.append((change["name"], change["new"])), ["games", "seed"])
    lab.games, lab.sticks, lab.seed = 10, 12, 3
    assert heard == [("games", 10), ("seed", 3)]


def test_the_still_twin_is_the_same_picture():
    lab = QLab(games=1_000, decay=100)
    html = lab._repr_mimebundle_()[0]["text/html"]
    assert lab.page in html
    assert "games: 1,000, learning rate: 1.0" in html
    assert "its decay: 100 games, opponent: a random player, seed: 1" in html
    assert "run = train(learner, RandomAgent(seed=2), games=1_000" in html


def test_what_the_screen_sends_is_checked_and_goes_back():
    lab = ProofLab()
    lab.set_state({"sticks": 11})
    assert (lab.sticks, lab.data) == (11, ProofLab(sticks=11).data)
    lab.set_state({"sticks": 99})
    assert lab.sticks == 11
    assert "sticks: expected a whole number from 0 to 30, got 99" in lab.page


class Roots(Lab):
    """A lab that can fail in expected and unexpected ways."""

    n = number("n", "Its root is drawn.", -9, 9, 4)
    unit = menu("unit", "What it is.", ["m", "<b>"], "m", keeps=True)
    part = share("part", "How much of it.", 1.0)
    name = text("name", "What to call it.", "root")
    loud = tick("loud", "In capitals.", keeps=True)
    seed = seed()
    scale = slider("scale", "Times.", [1, 0], 1)
    presses = ()

    @staticmethod
    def compute(n, scale, part, **settings):
        if n < 0:
            raise ValueError(f"n: expected 0 or more, got {n} < 0")
        return part * math.sqrt(n) / scale

    @staticmethod
    def draw(data, unit, name, loud, **settings):
        words = f"{name}: {data} {unit}"
        return words.upper() if loud else words

    def rows(self):
        """Two buttons with a field, of which one is disabled."""
        on = Button("On", "", lambda count: self.note("On", count))
        off = Button("Off", "", lambda count: self.note("Off", count), disabled=True)
        return {"row": ButtonRow([on, off], fields={"count": field("Count", "", 1, 9, 1)})}

    def note(self, *press):
        self.presses = (*self.presses, press)


def test_every_kind_of_control():
    lab = Roots()
    assert "root: 2.0 m" in lab.page
    for name, value in {"n": 9, "part": 0.5, "name": "width", "loud": True}.items():
        setattr(lab, name, value)
    assert "WIDTH: 1.5 M" in lab.page
    assert "n: 9, unit: m, part: 0.5, name: width, loud: True, seed: 1, scale: 1" in lab.still()


def test_an_update_draws_once_and_makes_the_data_only_if_they_depend_on_it():
    done = []

    class Counted(Roots):
        @staticmethod
        def compute(**settings):
            done.append("compute")
            return Roots.compute(**settings)

        @staticmethod
        def draw(data, **settings):
            done.append("draw")
            return Roots.draw(data, **settings)

    lab = Counted()
    lab.update(n=9, part=0.5, unit="<b>")
    assert (done, lab.page) == (["compute", "draw"] * 2, "root: 1.5 <b>")
    lab.update(loud=True)
    assert done == [*["compute", "draw"] * 2, "draw"]
    lab.set_quietly(n=4)
    assert (lab.n, lab.data, len(done)) == (4, 1.5, 5)


def test_a_disabled_button_cannot_be_pressed():
    lab = Roots()
    for button in ("On", "Off", "Gone"):
        lab.hear({"press": button, "fields": {"count": 3}})
    lab.hear({"press": "On", "fields": {"count": 10}})  # more than the field allows
    assert lab.presses == (("On", 3),)
    for button in ("Off", "Gone"):
        with pytest.raises(ValueError, match=f"press: there is no button '{button}' that can be pressed now"):
            lab.press(button, count=3)


def test_errors_are_said_in_the_lab_and_go_again():
    lab = Roots()
    lab.n = -1
    assert "role='alert'" in lab.page
    assert "n: expected 0 or more, got -1 &lt; 0" in lab.page
    assert lab.data is None
    lab.n = 4
    assert "root: 2.0 m" in lab.page
    lab.scale = 0
    assert "ZeroDivisionError" in lab.page


# --- tasks

TASKS = [
    ("Let it learn nothing.", {"learning_rate": 0.0}),
    ("Make it perfect in 300 games at most.", {"perfect": True, "games": (1, 300)}),
    ("Explore, and forget it all.", {"exploration": 0.25, "discount": 0.25}),
]


def test_a_task_is_ticked_when_its_facts_are_seen_and_stays_so():
    lab = QLab(tasks=TASKS)
    assert [done for _, done in lab.view["tasks"]] == [False, False, False]
    lab.learning_rate = 0.0
    lab.learning_rate = 1.0
    lab.games = 300
    assert [done for _, done in lab.view["tasks"]] == [True, True, False]
    assert lab.frame.count("data-task='done'") == 2 and "<li><b>○</b> Let it learn nothing.</li>" in lab.still()
    board = Board("NIM", opponent="person", tasks=[("Win.", {"winner": 1})], moves=[(0, 1), (1, 2)])
    assert board.view["tasks"] == [("Win.", False)] and '"tasks"' not in str(Board("NIM").described())


def test_in_the_book_a_task_that_no_recording_reaches_says_so():
    controls = ["games", "learning_rate", "exploration", "discount"]
    lab = QLab(tasks=TASKS, controls=controls, games=5)
    twin = lab_from(json.loads(json.dumps(lab.described())))
    assert twin.frame == lab.frame
    told = {line for line in page_data(twin)["lines"] if line.startswith("<li data-task='open'")}
    assert [words for words, _ in TASKS if f"<b>○</b> {words} (in JupyterLab" in str(told)] == [TASKS[2][0]]
