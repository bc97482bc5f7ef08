"""The labs that the tests of this folder look at: all in one notebook, each in its own cell."""

from paths import ROOT

SETUP = (
    f"""
import sys
import time

sys.path.insert(0, {str(ROOT / "tests" / "tools")!r})
from own_games import NoughtsAndCrosses

from coincourse.labs import *
from coincourse.labs import Lab
from coincourse.labs.base.controls import field, menu, number, share, text, tick
from coincourse.labs.base.buttons import Button, ButtonRow
from coincourse.labs.base.lab import acts
from coinlib import CoinGame, sticks

def take_one(game, state):
    return game.legal_moves(state)[0]

def slow(lab, **more):  # its run lasts until a browser that is late has pressed Stop
    vars(lab).update(pause=0.2, **more)
    return lab

"""
    + '''
class Count:
    notice, left = "", 10_000

    def __init__(self, start, steps):
        self.start, self.steps = start, steps

    def step(self, steps):
        self.steps += steps
        time.sleep(0.01 * steps)

class Counting(Lab):
    title = "Counting"
    start = number("Start", "Where it begins.", 0, 100, 0)
    PAST = {"steps": 0}
    compute = Count

    @staticmethod
    def draw(data, start, steps):
        return f"<p>counted to {start + steps}.</p>"

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
        late = '<i data-to="late" data-after="50"></i>' if told and told[-1] == "a" else ""
        now = "data-now" if "b typed 7" in told else ""
        place = '<foreignObject width="60" height="40" y="0"'
        return f"""<p role="status">{name}: {"; ".join(told)} {data.notice}</p>
        <svg data-group="cells" width="320" height="100" role="img">
        <g data-to="a" data-x="0" data-y="0" aria-label="cell a"><rect width="60" height="40" fill="#ddd"/></g>
        <g data-to="b" data-x="2" data-y="0">{place} x="70"><input aria-label="field b"></foreignObject></g>
        <g data-to="c" data-x="1" data-y="1" {now}>{place} x="140"><input aria-label="field c"></foreignObject></g>
        </svg>
        <p><button data-to="left" data-key="l">L</button>{late}</p>"""

    def rows(self):
        put = Button("Put in", "Puts balls in.", self.put, key="?")
        fields = {"hat": field("Hat", "Which.", 1, 30, 4), "balls": field("Balls", "How many.", 1, 99, 10)}
        return {"meddle": ButtonRow([put], "Meddle", "By hand.", fields), "no": ButtonRow([Button("No", "Cannot be.", self.no)])}

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
'''
)
LABS = {  # first one of each kind, with all that it can show
    "nim": 'Board("NIM", opponent="take one", hints=True, delay=0.1)',
    "meddle": "HatsLab(sticks=6, reveal=True)",
    "q": "slow(QLab(games=50, tasks=[('Let it learn nothing.', {'learning_rate': 0.0})]))",
    "proof": "ProofLab()",
    "piles": "PileLab()",
    "film": "HatsFilm(at=3)",
    "rain": "IntervalsFilm(at=40)",
    "asked": 'Prediction("hats", "last ball")',
    "sums": "PileLab((1, 2, 3), controls=['third', 'sums', 'most'], sums=True, most=7)",
    "play": "TriangleLab(task='play', moves='')",
    "margin": "TriangleLab(task='fill', show='margin', arrows=True, coins=(2, 5, 1))",
    "won": "Board(CoinGame((1, 3), max_pick=2), opponent=take_one, delay=0.1)",
    "keyboard": "Board(sticks(6), opponent=take_one, delay=0.1)",
    "squares": "Board(NoughtsAndCrosses(), opponent=take_one, hints=True, delay=0.1)",
    "long": "Board(sticks(100), opponent=take_one, delay=0.1)",
    "hats": "slow(HatsLab(), at_once=500)",
    "full": "HatsLab(sticks=30, max_take=5, history=[('train', 1_000, 'twin', 'alternate')], reveal=True)",
    "counting": "Counting()",
    "everything": "Everything()",
    "game": "PileLab((1, 2, 4), most=7)",
    "look": "TriangleLab()",
    "fill": "TriangleLab(task='fill')",
    "large": "TriangleLab(coins=(12, 3, 40, 14, 5, 6, 27, 8, 9, 1), show='margin')",
}
KINDS = list(LABS)[:12]
