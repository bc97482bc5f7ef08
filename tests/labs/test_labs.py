"""What every lab must do: its code makes its data, and any state of it can be restored."""

import ast
import re
from graphlib import TopologicalSorter

import numpy as np
import pytest
from lab_words import data_of, parts
from paths import ROOT

from coincourse.labs import Board, HatsFilm, HatsLab, PileLab, ProofLab, QLab, TriangleLab


def piles(lab):
    """What the program of the three-piles lab makes."""
    made = {"state": lab.state, "best": lab.data.best, "wins": lab.data.solution.wins[:, :, lab.third]}
    if lab.sums:
        made["sums"] = np.bitwise_xor(*np.indices([lab.most + 1] * 2)) ^ lab.third
    return made


def triangle(lab):
    """What the program of the triangle lab makes."""
    made = {name: getattr(lab.data.greedy, name) for name in ("alice", "margin", "moves")}
    if lab.data.moves:
        made |= {name: getattr(lab.data, name) for name in ("points", "costs")}
        made["left"] = lab.data.coins[slice(*lab.data.match.state)]
    return made


HELD = {  # what the program of each lab leaves in `data`
    Board: None,
    HatsLab: lambda lab: {"balls": lab.data.hats.balls, "visits": lab.data.hats.visits},
    PileLab: piles,
    ProofLab: lambda lab: list(map(tuple, lab.data)),
    QLab: lambda lab: {name: getattr(lab.data, name) for name in ("values", "result", "win_rate", "distance")},
    TriangleLab: triangle,
}


def same(lab):
    """The program makes the lab's own data; a restored lab and the page without a kernel show the same."""
    twin = Board(**lab.settings) if isinstance(lab, Board) else eval(repr(lab))
    assert twin.settings == lab.settings
    assert twin.page == type(twin)(**twin.settings).page
    assert not re.search(r"0x[0-9a-f]{6}|<script", twin.still())
    if lab.program:
        nodes = list(ast.walk(ast.parse(lab.program)))
        imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
        imported = {name.name for node in imports for name in node.names}
        assert imported <= {node.id for node in nodes if isinstance(node, ast.Name)}  # it says itself what is missing
        held = next(held for kind, held in HELD.items() if isinstance(lab, kind))
        np.testing.assert_equal(data_of(lab.program), held(lab))


# --- pressed, moved and clicked at random


def values(part):
    """The values that a control or a field can be set to on the screen."""
    if part["kind"] == "text":
        return ["1 2 2 1", "3, 5, 1, 2, 7", "7 x"]
    if part["kind"] == "tick":
        return [True, False]
    if "options" in part:
        return [value for _, value in part["options"]]
    return [part["least"], min(part["least"] + part["step"], part["most"]), part["most"]]


def presses(lab, dice, disabled=False):
    """The messages for a press of each button that is disabled, or is not."""
    for part in parts(lab):
        fields = {each["name"]: int(dice.choice(values(each))) for each in part.get("fields", ())}
        for button in part.get("buttons", ()):
            if button["disabled"] == disabled and button["words"] != "Run":
                yield {"press": button["words"], "fields": fields}


def messages(lab, dice):
    """What can be done on the screen now: pressed, clicked, typed, and moved."""
    yield from presses(lab, dice)
    for part in parts(lab):
        if "kind" in part and not part.get("hidden") and not part.get("disabled"):
            yield {part["name"]: dice.choice(np.array(values(part), object))}
    spots = re.findall(r"data-to='([^']*)'", lab.page)
    if isinstance(lab, Board):  # from which the front end draws the page
        spots = [*lab.data.position(hints=False)["legal"], f"reply {len(lab.moves)}"]
    for to in dice.permutation(spots)[:5]:
        yield {"to": str(to)}
    for to in re.findall(r"data-to='([^']*)'[^<]*<rect[^<]*<foreignObject", lab.page)[:5]:
        yield {"looked": True, "to": to}
        yield {"to": to, "typed": str(dice.choice(["0", "1 l", "2", "-3b", "x"]))}


def change_something(lab):
    """A press of any button that can be pressed changes the lab; each is tried on a copy."""
    for message in presses(lab, np.random.default_rng(1)):
        twin = type(lab)(**lab.settings)
        before = twin.page, twin.frame, twin.settings
        twin.hear(message)
        assert (twin.page, twin.frame, twin.settings) != before, (lab, message)


def change_nothing(lab, sent):
    """Presses of buttons that are disabled arrive, and the lab stays as it is."""
    before = lab.page, lab.frame, lab.settings
    for message in sent:
        lab.hear(message)
        assert (lab.page, lab.frame, lab.settings) == before, message


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", HELD, ids=lambda kind: kind.__name__)
def test_whatever_is_done_can_be_handed_on_and_is_in_the_code(kind, seed):
    dice, lab = np.random.default_rng(seed), kind(controls=True)
    same(lab)
    change_something(lab)
    for _ in range(15):
        change_nothing(lab, list(presses(lab, dice, disabled=True)))
        message = dice.choice(list(messages(lab, dice)))
        if set(message) <= set(lab.CONTROLS):
            lab.set_state(message)
        else:
            lab.hear(message)
        assert lab.data is not None and "role='alert'" not in lab.page, message
        same(lab)
    change_something(lab)


@pytest.mark.parametrize(
    ("kind", "settings", "still"),
    [
        (ProofLab, {}, ""),
        (PileLab, {"controls": True}, "seed"),  # it counts from the next game on
        (QLab, {"games": 200, "exploration": 0.3, "decay": 300}, ""),
    ],
)
def test_every_control_changes_the_picture(kind, settings, still):
    lab = kind(**settings)
    seen = [lab.page]
    for name in lab.CONTROLS:
        if name != still:
            described = next(part for part in parts(lab) if part.get("name") == name)
            other = [value for value in values(described) if value != getattr(lab, name)]
            setattr(lab, name, other[-1])
            assert lab.page not in seen, name
            seen.append(lab.page)


def test_what_belongs_to_a_number_of_sticks_lights_up_together():
    """A stick, a hat and a row of the table; a cell of the grid."""
    for kind, tags in [(HatsLab, ["span", "g", "tr"]), (QLab, ["tr"]), (HatsFilm, ["g", "tr"]), (ProofLab, ["td"])]:
        lab = kind()
        for count in range(1, 11):
            found = re.findall(rf"<(\w+) class='(?:cell )?n{count}\b", lab.page)
            assert f".coin-lab:has(.n{count}:is(:hover, :focus)) .n{count}" in lab.page
            assert found[: len(tags)] == tags, (kind, count)


# --- their rooms

LABS = ROOT / "coincourse" / "labs"
FILES = {path.relative_to(LABS).with_suffix("").parts: path for path in LABS.rglob("*.py")}
FLOORS = (
    "base, boards functions learning perfect_play predictions, films, book"  # none imports from a floor above its own
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS.split(", ")) for room in rooms.split()}


def imported_by(module):
    """The files of the labs that one of them imports, anywhere in it: ("base", "lab")."""
    found = set()
    for node in ast.walk(ast.parse(FILES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = (*module[: len(module) - node.level], *(node.module or "").split("."))
            names = [folder, *((*folder, name.name) for name in node.names)]
            found |= {tuple(filter(None, name)) for name in names} & FILES.keys()
        elif isinstance(node, ast.ImportFrom):
            assert not node.module.startswith("coincourse.labs"), module
    return found


def test_imports_go_one_way_inside_labs_without_a_circle():
    graph = {module: imported_by(module) for module in FILES}
    assert ("base", "lab") in graph["films", "film"] and len(graph["book", "page_data"]) > 10
    TopologicalSorter(graph).prepare()  # this raises a CycleError
    for module, others in graph.items():
        if len(module) > 1:  # what is outside of a folder offers the names of all
            assert all(other[0] == module[0] or FLOOR[other[0]] < FLOOR[module[0]] for other in others), module
