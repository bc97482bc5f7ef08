"""Which room imports which, how long a file or a function may be, and habits of the code.

A room is a module or a folder of `coinlib` or `coincourse`. Each rule lists what breaks it. Everything here is
read from the source (`sources`); only the tests of import times import anything.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap

import pytest
import sources
from paths import ROOT
from sources import (
    FILES,
    WRITTEN,
    circle,
    code_lines,
    folder_of,
    functions_of,
    imported_names,
    imports_of,
    module_of,
    modules_of,
    names_set_in_modules,
    nodes_of,
    ours,
    room,
    rooms_of,
    tree_of,
)

# The rooms of coinlib in reading order: each imports only from rooms before it.
COINLIB = (
    *(
        "arguments",
        "files",
        "lazy",
        "games",
        "words",
        "tables",
        "compiling",
        "loops",
        "theory",
        "solvers",
        "runs",
        "trees",
    ),
    *("agents", "match", "distance", "learners", "series", "arena", "training", "sweeps"),
    *("search", "projects", "named", "plots"),
)
# The floors of coincourse: each imports only from floors below it, and nothing on its own floor.
COINCOURSE = (("course", "outside"), ("checks",), ("labs", "page"), ("classroom",), ("terminal",))

FILE_LINES = 300  # lines of code: docstrings, comments and empty lines are not counted
FUNCTION_LINES = 45
LONGER_FUNCTIONS = {"coinlib.loops.play_games": 60}  # the game loop
PARAMETERS = 8  # `self` is not counted

# Each of these takes a tenth of a second or more to import.
SLOW = {"pandas", "numba", "matplotlib", "ipywidgets", "anywidget", "IPython", "joblib", "tqdm", "google"}
SLOW |= {"pettingzoo", "gymnasium", "psutil", "nbformat", "nbconvert", "jupyterlab", "distributed"}


# --- imports go one way -------------------------------------------------------------------------------


def test_every_room_has_its_place():
    rooms = {room(module) for module in modules_of("coinlib")} - {"coinlib"}
    missing = rooms - set(COINLIB)
    assert not missing, f"put {missing} into COINLIB, after all the rooms that it imports from"
    floors = {name for floor in COINCOURSE for name in floor}
    missing = {room(module) for module in modules_of("coincourse")} - floors - {"coincourse", "__main__"}
    assert not missing, f"put {missing} on a floor of COINCOURSE, above all that it imports from"


def test_a_room_of_coinlib_imports_only_rooms_before_it():
    wrong = []
    for module in modules_of("coinlib"):
        if module != "coinlib":  # it offers the names of all rooms
            before = COINLIB[: COINLIB.index(room(module))]
            wrong += [f"{module} imports {later}" for later in rooms_of("coinlib", module) - set(before)]
        wrong += [f"{module} imports {other}" for other in ours(module) if other.startswith("coincourse")]
    assert wrong == [], "move what is needed to an earlier room; what both packages need belongs into coinlib"


def test_a_room_of_coincourse_imports_only_floors_below():
    wrong = []
    for number, floor in enumerate(COINCOURSE):
        below = {name for lower in COINCOURSE[:number] for name in lower} | {"coincourse"}
        for module in modules_of("coincourse"):
            if room(module) in floor:
                wrong += [f"{module} imports {other}" for other in rooms_of("coincourse", module) - below]
    assert wrong == [], "move what both need to a lower floor"


def test_no_modules_of_a_room_import_each_other_in_a_circle():
    """Not inside functions either: a delayed import only hides the cycle."""
    folders = {".".join(module.split(".")[:2]) for module in FILES if module.count(".") > 1}
    assert len(folders) > 5
    for folder in folders:
        found = circle([module for module in FILES if f"{module}.".startswith(f"{folder}.")])
        assert not found, f"{' <- '.join(found)}: move what they share into a new module"


# --- how much is in one place -------------------------------------------------------------------------


def test_a_file_is_read_in_one_sitting():
    long = {module: len(code_lines(module)) for module in WRITTEN if len(code_lines(module)) > FILE_LINES}
    assert long == {}, "which idea can have its own file?"


def test_a_function_is_read_at_one_glance():
    long = {}
    for module in WRITTEN:
        for function in functions_of(module):
            lines = len(code_lines(module) & set(range(function.lineno, function.end_lineno + 1)))
            name = f"{module}.{function.name}"
            if lines > LONGER_FUNCTIONS.get(name, FUNCTION_LINES):
                long[name] = lines
    assert long == {}, "which part can have its own name?"


def test_a_function_has_few_parameters():
    many = {}
    for module in WRITTEN:
        for function in functions_of(module):
            asked = function.args
            names = {argument.arg for argument in (*asked.posonlyargs, *asked.args, *asked.kwonlyargs)}
            if len(names - {"self", "cls"}) > PARAMETERS:
                many[f"{module}.{function.name}"] = names
    assert many == {}, "which belong together?"


# --- habits of the code -------------------------------------------------------------------------------

RUNS_CELLS = "coincourse.page.cell"  # a reader's cells, in the reader's own browser


def test_nothing_that_a_user_typed_is_run_or_asserted():
    """`eval(input())` runs whatever is typed, and `assert` vanishes under `python -O`."""
    wrong = []
    for module in WRITTEN:
        for node in nodes_of(module):
            if isinstance(node, ast.Assert):
                wrong.append(f"{module}, line {node.lineno}: raise an error with words")
            elif isinstance(node, ast.Name) and node.id in ("eval", "exec") and module != RUNS_CELLS:
                wrong.append(f"{module}, line {node.lineno}: it runs whatever was typed")
    assert wrong == []


def test_modules_neither_mock_nor_set_the_names_of_others():
    wrong = []
    for module in WRITTEN:
        wrong += [
            f"{module} imports {name}" for name in imports_of(module) if name.split(".")[0] in ("unittest", "mock")
        ]
        wrong += [f"{module}, {found}" for found in names_set_in_modules(tree_of(module), folder_of(module))]
    assert wrong == [], "pass what differs as an argument, or let the other module have a function for it"


# --- what an import costs -----------------------------------------------------------------------------


def test_what_is_slow_is_imported_where_it_is_used():
    wrong = []
    for module in modules_of("coinlib"):
        if room(module) != "plots":
            at_once = {name.split(".")[0] for name in imports_of(module, inside_functions=False)}
            wrong += [f"{module} imports {name}" for name in at_once & SLOW]
    assert wrong == [], "import it inside the function that uses it"


def run(code: str) -> str:
    """Run code in its own process, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_library_brings_in_nothing_slow():
    assert run(f"import sys, coinlib; print(sorted({SLOW} & set(sys.modules)))") == "[]"


@pytest.mark.parametrize(
    "use",
    [
        "import coinlib.arguments",
        "from coinlib import SCENARIOS, sticks; sticks(20).play((20,), 3); SCENARIOS['NIM'].moves",
        "from coinlib.games import GreedyCoins; GreedyCoins((1, 2, 4, 3)).picture((0, 4))",
        "from coincourse.checks.verdict import Verdict; print(Verdict('takes', right=True, lines=('Right.',)))",
    ],
    ids=["arguments", "games", "greedy coins", "judging"],
)
def test_what_runs_in_a_page_of_the_web_book_needs_no_numpy(use):
    run(f"import sys; sys.modules['numpy'] = None; {use}")


# --- these rules catch what they should ---------------------------------------------------------------


def test_imports_are_found_wherever_they_stand():
    code = """
        from typing import TYPE_CHECKING
        from .. import labs
        from . import contained as box
        if TYPE_CHECKING:
            from coinlib.sweeps import sweep
        def train_them():
            from coinlib.games import sticks, GreedyCoins
            import coinlib.agents
    """
    tree = ast.parse(textwrap.dedent(code))
    at_once = {"typing.TYPE_CHECKING", "coincourse.labs", "coincourse.outside.contained"}
    later = {"coinlib.games.sticks", "coinlib.games.GreedyCoins", "coinlib.agents"}
    assert imported_names(tree, "coincourse.outside") == at_once | later
    assert imported_names(tree, "coincourse.outside", inside_functions=False) == at_once
    assert module_of("coinlib.games.sticks") == "coinlib.games" and module_of("numpy.random") is None


def test_a_name_set_in_another_module_is_found():
    code = """
        from coinlib import loops
        from coinlib.loops import greedy
        import coinlib.games as rules
        loops.RULES, greedy.learns = (), True
        rules.LARGEST += 1
        setattr(loops, "draw", None)
    """
    found = names_set_in_modules(ast.parse(textwrap.dedent(code)), "coincourse")
    expected = ["line 5: loops.RULES", "line 6: rules.LARGEST", "line 7: setattr(loops, 'draw', None)"]
    assert sorted(found) == expected


def test_a_circle_is_found(monkeypatch):
    borrowed = {"coinlib.games": {"coinlib.agents"}, "coinlib.agents": {"coinlib.tables", "coinlib.games"}}
    monkeypatch.setattr(sources, "ours", lambda module: borrowed.get(module, set()))
    found = circle(["coinlib.games", "coinlib.tables", "coinlib.agents"])
    assert set(found) == {"coinlib.games", "coinlib.agents"}
    assert circle(["coinlib.games", "coinlib.tables"]) == []
