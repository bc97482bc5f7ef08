"""What labs say, told step by step: what is done with each, and what it shows afterwards.

The texts are in tests/stored/referee/labs/; `python tests/tools/referee.py` updates them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from operator import methodcaller as call

from lab_words import parts, position

from coincourse.labs import Board, HatsLab, Lab, PileLab, ProofLab, QLab, TriangleLab
from coinlib.games import sticks, three_piles


def change(**settings) -> Callable[[Lab], None]:
    """A step: these controls are moved."""

    def act(lab) -> None:
        for name, value in settings.items():
            setattr(lab, name, value)

    return act


def takes(*counts: int) -> Callable:
    """An opponent that takes these numbers of coins of row 0, and then forgets to return a move."""
    left = iter(counts)

    def forgets(game, state):
        count = next(left, None)
        return None if count is None else (0, count)

    return forgets


def fails(game, state):
    """An opponent whose program fails."""
    raise ValueError("<script>alert(1)</script>")


BOARD_STEPS = [  # lost, taken back, won because the opponent does not answer, and once more
    call("reply"),
    call("pick", 0, 4),
    call("take", 0, 4),
    call("take"),
    call("take", 1),
    call("take", 1),
    call("take", 1),
    call("take", 1),
    call("undo"),
    call("undo"),
    call("move", 1),
    call("undo"),
    call("move", 2),
    call("take", 1),
    call("reply"),
    call("new_game"),
    call("take", 2),
    change(you_start=False),
    call("take", 1),
    call("undo"),
    change(opponent=fails),
    call("reply"),
    change(you_start=True, ending="normal"),
    call("take", 2),
    call("undo"),
]
ROWS_STEPS = [  # two people
    call("pick", 3, 2),
    call("pick", 3, 3),
    call("take", 9, 1),
    call("take", 0, None),
    call("take", 3),
    call("take", 3, 2),
    change(hints=True),
    call("clicked", "2,2"),
    call("take"),
    call("undo"),
    change(game=three_piles(1, 0, 0)),
    call("take", 0, 1),
    change(game=three_piles(0, 0, 0)),
]
HATS_PLAYED_STEPS = [
    call("take", 5),
    call("one_step"),
    call("take", 1),
    call("take", 1),
    change(reveal=True),
    call("put", 3, 2, 3),
    call("put", 9, 1, 1),
    call("put", 3, 3, 0),
    change(ending="normal"),
    call("take", 2),
    call("put", 1, 1, 2),
    call("train", 20),
    change(first="computer"),
    call("new_game"),
]
HATS_WATCHED_STEPS = [
    *[call("one_step")] * 6,
    call("train", 1_000),
    change(partner="random"),
    call("train", 1),
    call("one_step"),
    call("take", 1),
    change(partner="itself"),
    *[call("one_step")] * 2,
    call("put", 4, 1, 2),
    call("take", 1),
    call("new_game"),
]
HATS_STEPS = [
    call("take", 3),
    call("take", 1),
    call("take", 1),
    call("one_step"),
    change(look=False, reveal=True),
    call("put", 4, 3, 50),
    call("train", 100),
]
PILE_STEPS = [
    call("best_move"),
    change(third=6),
    call("go", (1, 2, 4)),
    call("best_move"),
    call("best_move"),
    call("start_again"),
    call("go", (0, 0, 0)),
    call("press", "New game"),
]
LOOK_STEPS = [
    call("one_step"),
    call("run"),
    change(show="margin"),
    change(coins="1 2 x"),
    change(seed=5),
]
PLAY_STEPS = [
    call("undo"),
    call("take", "L"),
    call("clicked", "R"),
    change(coins="1 2 4 3"),
    call("let_choose"),
    call("let_choose"),
    call("undo"),
    change(reveal=False),
    call("take", "R"),
    change(side="bob"),
    call("take", "L"),
    call("undo"),
    call("press", "New game"),
]
FILL_STEPS = [
    call("hint"),
    call("fill", 0, 0, "-1"),
    call("fill", 0, 0, "-1"),
    call("fill", 0, 0, "one"),
    *[call("fill", place, place, coin) for place, coin in enumerate("251")],
    call("looked_at", "0,1"),
    call("hint"),
    call("fill", 0, 1, "2"),
    call("fill", 0, 1, "B"),
    call("fill", 0, 1, "l"),
    call("fill", 0, 1, "2R"),
    call("fill", 1, 2, "1 L"),
    call("fill", 0, 2, "3R"),
    call("fill", 0, 2, "B"),
    change(show="margin"),
]
Q_STEPS = [
    call("one_step"),
    change(games=300),
    change(games=10_000),
    change(games=2, window=5),
    change(learning_rate=0.0, discount=0.0, decay=100),
    change(exploration=0.5, decay=3_000),
    change(exploration=1.0, decay=0),
    change(exploration=0.0, opponent="perfect", first="opponent"),
    change(sticks=9, first="agent"),
    change(max_take=1),
    change(opponent="itself", max_take=3, first="alternate", ending="normal"),
    call("start_again"),
]
PROOF_STEPS = [
    change(ending="misere"),
    change(max_take=2),
    change(sticks=14, max_take=3),
    change(sticks=13),
    change(sticks=1),
    change(sticks=0),
    change(ending="normal"),
    change(sticks=2),
    change(sticks=14),
]
WATCHED = {"sticks": 6, "max_take": 2, "ending": "normal", "partner": "twin", "first": "alternate", "seed": 3}
STORIES: dict[str, tuple[Callable[[], Lab], list]] = {
    "board": (lambda: Board(sticks(5), takes(1, 1, 1)), BOARD_STEPS),
    "board_for_two": (lambda: Board("NIM", "person"), ROWS_STEPS),
    "hats_played": (lambda: HatsLab(sticks=3, history=[("put", 1, 1, 2)]), HATS_PLAYED_STEPS),
    "hats_watched": (lambda: HatsLab(**WATCHED), HATS_WATCHED_STEPS),
    "piles": (lambda: PileLab(most=7), PILE_STEPS),
    "triangle_look": (lambda: TriangleLab(coins=(3, 5, 1, 2)), LOOK_STEPS),
    "triangle_play": (lambda: TriangleLab(coins=(3, 5, 1, 2), task="play", seed=3), PLAY_STEPS),
    "triangle_fill": (lambda: TriangleLab(coins=(2, 5, 1), task="fill", arrows=True), FILL_STEPS),
    "q": (QLab, Q_STEPS),
    "proof": (lambda: ProofLab(sticks=11), PROOF_STEPS),
}
NAMES = ["hats", *STORIES]


def words_of(page: str) -> str:
    """The readable text in some HTML, one line for each block; programs are left out."""
    page = re.sub(r"<(style|script|pre)\b.*?</\1>", "", page, flags=re.DOTALL)
    page = re.sub(r"\s+", " ", page)  # line breaks in a template mean nothing
    page = re.sub(r"</?(p|div|tr|li|table|caption|h\d|details|summary|svg|br)\b[^>]*>", "\n", page)
    lines = html.unescape(re.sub(r"<[^>]*>", " ", page)).replace("\xa0", " ").split("\n")
    lines = [" ".join(line.split()) for line in lines]
    return "\n".join(filter(None, lines))


def controls_of(lab: Lab) -> str:
    """The controls and buttons that are shown, with disabled ones in brackets."""
    found = []
    for part in parts(lab):
        if "name" in part and not part.get("hidden"):
            found.append(f"({part['name']})" if part.get("disabled") else part["name"])
        for button in part.get("buttons", ()):
            found.append(f"({button['words']})" if button["disabled"] else button["words"])
    return ", ".join(found)


def story(name: str) -> str:
    """The text of a lab at first, and after each step."""
    return hats() if name == "hats" else told(*STORIES[name])


def told(make: Callable[[], Lab], steps: list) -> str:
    """What can be read of a lab at first, and what is new after each step; its picture is left out."""
    lab = make()
    lab.pause = 0
    found = []
    before: set[str] = set()
    for number, step in enumerate([None, *steps]):
        if step:
            step(lab)
        if isinstance(lab, Board):
            lines = [f"{what}: {told}" for what, told in position(lab).items()]
        else:
            page = re.sub(r"<svg.*?</svg>", "", lab.page, flags=re.DOTALL)
            lines = words_of(page).split("\n")
        new = [line for line in lines if line not in before]
        gone = [f"({len(before - set(lines))} lines are gone)"] if before - set(lines) else []
        before = set(lines)
        found.append("\n".join([f"=== step {number}: {lab!r}", f"[{controls_of(lab)}]", *new, *gone, ""]))
    return "\n".join(found)


def hats() -> str:
    """The lab of hats with its picture and its code, as a page without a kernel shows it."""
    lab = HatsLab()
    controls = [f"{control.label}: {control.explanation}" for control in lab.CONTROLS.values()]
    found = ["\n".join([lab.title, lab.goal, *controls, ""])]
    for number, step in enumerate([None, *HATS_STEPS]):
        if step:
            step(lab)
        page = words_of(lab._repr_mimebundle_()[0]["text/html"])
        found.append(f"=== step {number}: {lab!r}\n{page}\n--- code\n{lab.program}\n")
    return "\n".join(found)
