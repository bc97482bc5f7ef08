"""Where things stand: which room imports which, how long a file or a function may be, and habits of the code.

A room is a module or a folder of `coinlib` or `coincourse`. Everything here is read off the source; only the
tests of what an import costs import anything.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import textwrap
import tokenize
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from paths import ROOT

PACKAGES = ("coinlib", "coincourse")

# The rooms of coinlib in the order of reading: each imports only from rooms that stand before it.
COINLIB = (
    *("arguments", "files", "lazy", "games", "words", "tables", "compiling", "loops", "theory", "solvers", "runs", "trees"),
    *("agents", "match", "distance", "learners", "series", "arena", "training", "sweeps"),
    *("search", "projects", "named", "plots"),
)
# The floors of coincourse: each imports only from floors below it, and nothing that shares its own.
COINCOURSE = (("course", "outside"), ("checks",), ("labs", "page"), ("classroom",), ("terminal",))

FILE_LINES = 300  # lines of code: docstrings, comments and empty lines are not counted
FUNCTION_LINES = 45
LONGER_FUNCTIONS = {"coinlib.loops.play_games": 60}  # the game loop
PARAMETERS = 8  # `self` is not counted

# Each of these takes a tenth of a second or more to import.
SLOW = {"pandas", "numba", "matplotlib", "ipywidgets", "anywidget", "IPython", "joblib", "tqdm", "google"}
SLOW |= {"pettingzoo", "gymnasium", "psutil", "nbformat", "nbconvert", "jupyterlab", "distributed"}


# --- reading the source -------------------------------------------------------------------------------


def module_name(path: Path) -> str:
    """The dotted name of a file: "coinlib.games"; "coincourse.labs" for the `__init__.py` of that folder."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {module_name(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}
WRITTEN = [module for module in FILES if not module.endswith("_pb2")]  # The others are made by protobuf.
EACH_FILE = pytest.mark.parametrize("module", WRITTEN)


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(FILES[module].read_text(encoding="utf-8"))


def run_statements(node: ast.AST, inside_functions: bool = True) -> Iterator[ast.AST]:
    """Everything in a tree that is run: not what stands there for type checkers alone."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and not inside_functions:
            continue
        yield child
        yield from run_statements(child, inside_functions)


def imports_of(module: str, inside_functions: bool = True) -> set[str]:
    """The dotted names that a module imports; `from a import b` gives "a.b"."""
    return imported_names(tree_of(module), folder_of(module), inside_functions)


def folder_of(module: str) -> str:
    """The dotted name of the folder that a module lies in; an `__init__.py` lies in the folder of its name."""
    return module if FILES[module].name == "__init__.py" else module.rpartition(".")[0]


def imported_names(tree: ast.Module, folder: str, inside_functions: bool = True) -> set[str]:
    """The dotted names that a file of a folder imports."""
    names = set()
    for node in run_statements(tree, inside_functions):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = node.module or ""
            if node.level:
                above = folder.split(".")[: len(folder.split(".")) + 1 - node.level]
                start = ".".join([*above, *start.split(".")]).rstrip(".")
            names |= {f"{start}.{alias.name}" for alias in node.names}
    return names


def module_of(name: str) -> str | None:
    """The module of ours that holds an imported name, or None."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        if ".".join(parts[:end]) in FILES:
            return ".".join(parts[:end])
    return None


@cache
def ours(module: str) -> set[str]:
    """The modules of ours that a module imports from, also inside functions."""
    return {module_of(name) for name in imports_of(module)} - {None, module}


def room(module: str) -> str:
    """The room of a module: "games" for coinlib.games, "labs" for coincourse.labs.board."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def rooms_of(package: str, module: str) -> set[str]:
    """The rooms of a package that a module imports from, its own left out."""
    return {room(other) for other in ours(module) if other.split(".")[0] == package} - {room(module)}


def modules_of(package: str) -> list[str]:
    return [module for module in FILES if module.split(".")[0] == package]


# --- imports go one way -------------------------------------------------------------------------------


def test_every_room_has_its_place():
    rooms = {room(module) for module in modules_of("coinlib")} - {"coinlib"}
    missing = rooms - set(COINLIB)
    assert not missing, f"put {missing} into COINLIB, after all the rooms that it imports from"
    floors = {name for floor in COINCOURSE for name in floor}
    missing = {room(module) for module in modules_of("coincourse")} - floors - {"coincourse", "__main__"}
    assert not missing, f"put {missing} on a floor of COINCOURSE, above all that it imports from"


@pytest.mark.parametrize("module", modules_of("coinlib"))
def test_a_room_of_coinlib_imports_only_rooms_before_it(module):
    if module == "coinlib":
        return  # it offers the names of all rooms
    before = COINLIB[: COINLIB.index(room(module))]
    wrong = rooms_of("coinlib", module) - set(before)
    assert not wrong, f"{module} imports {wrong}, which comes later: move what it needs to an earlier room"


@pytest.mark.parametrize("module", modules_of("coinlib"))
def test_nothing_in_coinlib_imports_coincourse(module):
    wrong = [other for other in ours(module) if other.startswith("coincourse")]
    assert not wrong, f"{module} imports {wrong}: what both packages need belongs into coinlib"


@pytest.mark.parametrize("module", modules_of("coincourse"))
def test_a_room_of_coincourse_imports_only_floors_below(module):
    mine = [number for number, floor in enumerate(COINCOURSE) if room(module) in floor]
    if not mine:
        return  # the package itself, and what starts it
    below = {name for floor in COINCOURSE[: mine[0]] for name in floor}
    wrong = rooms_of("coincourse", module) - below - {"coincourse"}
    assert not wrong, f"{module} imports {wrong}, which is not below it: move what both need to a lower floor"


def circle(modules: list[str]) -> list[str]:
    """A circle of imports among some modules; an empty list if there is none."""
    try:
        TopologicalSorter({module: ours(module) & set(modules) for module in modules}).prepare()
    except CycleError as error:
        return error.args[1]
    return []


FOLDERS = sorted({".".join(module.split(".")[:2]) for module in FILES if module.count(".") > 1})


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_modules_of_a_room_import_each_other_in_a_circle(folder):
    """Not inside functions either: an import that waits until it is called only hides the circle."""
    found = circle([module for module in FILES if f"{module}.".startswith(f"{folder}.")])
    assert not found, f"{' <- '.join(found)}: move what they share into a module of its own"


# --- how much stands in one place ---------------------------------------------------------------------

SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE}
SILENT |= {tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def code_lines(module: str) -> frozenset[int]:
    """The numbers of the lines of code of a module."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(FILES[module].read_text(encoding="utf-8")).readline):
        if token.type not in SILENT:
            lines |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree_of(module)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return frozenset(lines)


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def functions_of(module: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree_of(module)) if isinstance(node, FUNCTIONS)]


@EACH_FILE
def test_a_file_is_read_in_one_sitting(module):
    lines = len(code_lines(module))
    assert lines <= FILE_LINES, f"{module} has {lines} lines of code: which idea can have a file of its own?"


@EACH_FILE
def test_a_function_is_read_at_one_glance(module):
    for function in functions_of(module):
        lines = len(code_lines(module) & set(range(function.lineno, function.end_lineno + 1)))
        name = f"{module}.{function.name}"
        most = LONGER_FUNCTIONS.get(name, FUNCTION_LINES)
        assert lines <= most, (
            f"{name} has {lines} lines of code, {most} at most: which part can have a name of its own?"
        )


@EACH_FILE
def test_a_function_has_few_parameters(module):
    for function in functions_of(module):
        asked = function.args
        names = {argument.arg for argument in (*asked.posonlyargs, *asked.args, *asked.kwonlyargs)}
        count = len(names - {"self", "cls"})
        assert count <= PARAMETERS, f"{module}.{function.name} has {count} parameters: which belong together?"


# --- habits of the code -------------------------------------------------------------------------------


RUNS_CELLS = "coincourse.page.cell"  # a reader's cells, in a page of her own browser


@EACH_FILE
def test_nothing_that_a_user_typed_is_run_or_asserted(module):
    """`eval(input())` runs whatever is typed, and `assert` vanishes under `python -O`."""
    for node in ast.walk(tree_of(module)):
        assert not isinstance(node, ast.Assert), f"line {node.lineno}: raise an error with words"
        if module != RUNS_CELLS and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("eval", "exec"), f"line {node.lineno}: it runs whatever was typed"


@EACH_FILE
def test_the_packages_use_no_mocks(module):
    wrong = [name for name in imports_of(module) if name.split(".")[0] in ("unittest", "mock")]
    assert not wrong, f"{module} imports {wrong}: pass what differs as an argument"


def names_set_in_modules(tree: ast.Module, folder: str) -> list[str]:
    """Where a file sets, deletes or patches a name of another module of ours, such as `loops.RULES = ()`."""
    modules = set()  # what such modules are called in this file
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name for alias in node.names if module_of(alias.name)}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                one = ast.Module([ast.ImportFrom(node.module, [alias], node.level)], [])
                if imported_names(one, folder) <= set(FILES):
                    modules.add(alias.asname or alias.name)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            changed = node.value
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("setattr", "delattr"):
            changed = node.args[0]
        else:
            continue
        if ast.unparse(changed) in modules:
            found.append(f"line {node.lineno}: {ast.unparse(node)}")
    return found


@EACH_FILE
def test_nobody_sets_the_names_of_another_module(module):
    found = names_set_in_modules(tree_of(module), folder_of(module))
    assert not found, f"{module}, {found}: pass it as an argument, or let that module have a function for it"


# --- what an import costs -----------------------------------------------------------------------------


@pytest.mark.parametrize("module", [name for name in modules_of("coinlib") if room(name) != "plots"])
def test_what_is_slow_is_imported_where_it_is_used(module):
    found = {name.split(".")[0] for name in imports_of(module, inside_functions=False)} & SLOW
    assert not found, f"{module} imports {found} at its top: import it inside the function that uses it"


def run(code: str) -> str:
    """What some code prints in a process of its own."""
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


# --- these rules find what they should ----------------------------------------------------------------


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
    monkeypatch.setitem(globals(), "ours", lambda module: borrowed.get(module, set()))
    found = circle(["coinlib.games", "coinlib.tables", "coinlib.agents"])
    assert set(found) == {"coinlib.games", "coinlib.agents"}
    assert circle(["coinlib.games", "coinlib.tables"]) == []
