"""Exercises recorded as plain data, for pages of the web book: made when the book is built, judged by `in_page`.

A recording holds what the judge must know: the cases with their right answers, and what each typical mistake
gives. A way of trying an answer that is code (a `run`, an `accept`, a check by hand) goes along as those
parts of its module which it needs; the reference and the mistakes stay here.
"""

from __future__ import annotations

import ast
import functools
import inspect
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import coincourse
from coincourse import checks, course
from coincourse.checks.engine import Check, Exercise
from coincourse.checks.judging import Comparison
from coincourse.checks.plain_data import encode, shortened
from coinlib.files import whole_file

from . import needs

LARGEST = 4_000_000  # characters of one value
RULES = [field.name for field in fields(Comparison)]
WAYS = ("run", "accept", "answer_in_words")  # those of the rules that are functions
ANSWER = re.compile(r"\bcheck\.(\w+)\((\w+)\)")  # the check, and the name of the answer
# What a page can import; see `absent` for those that it only seems to have
IN_PAGE = {*sys.stdlib_module_names, "coinlib", "numpy", "pandas", "matplotlib", "ipywidgets"}
COURSE = Path(coincourse.__file__).parent
ROOT = COURSE.parent


def page_modules() -> dict[str, str]:
    """The texts of the modules that a page needs, by their paths: "coincourse/checks/judging.py"."""
    folders = (ROOT / "coinlib", COURSE / "checks", COURSE / "page")
    files = {COURSE / "__init__.py"}.union(*(folder.glob("*.py") for folder in folders))
    files -= {COURSE / "checks" / f"{lesson}.py" for lesson in checks.NAMES}
    files -= {COURSE / "checks/engine.py", COURSE / "page/recording.py"}
    return {file.relative_to(ROOT).as_posix(): file.read_text("utf-8") for file in sorted(files)}


# --- an exercise ----------------------------------------------------------------------------------------


def record(name: str, solutions: bool = True) -> dict:
    """All that a page needs of an exercise.

    Parameters
    ----------
    name : str
        The exercise: "settle".
    solutions : bool
        Whether the page may hold code of solutions.

    Returns
    -------
    dict
        Plain data: "exercise"; "lesson"; "stub", the cell; "answer", the name of what it hands to the check;
        "before", the code of earlier cells that the exercise needs or a reader may try; "uses", the exercises
        whose functions stand in it; "needs", those of them that the exercise needs; "solution", in Markdown, or ""; "why_not", why the exercise does not live in a page, or
        ""; "task", what the judge must know, as JSON in a text, since JavaScript would change its numbers.
    """
    file = checks.FILE_OF[name]
    (lesson,) = [lesson for lesson in _lessons() if re.sub(r"^(.*/|\d+_)", "", lesson) == file]
    return record_lesson(lesson, solutions)[name]


@functools.cache
def record_lesson(lesson: str, solutions: bool = True) -> dict[str, dict]:
    """The recordings of all exercises of a lesson, by their names.

    Parameters
    ----------
    lesson : str
        Its file among the notebooks, without the ending: "04_hats", "projects/networks".
    solutions : bool
        As in `record`.
    """
    notebook = json.loads(_lessons()[lesson].read_text("utf-8"))
    answers = course.solutions(notebook)
    recordings = {}
    earlier: list[ast.stmt] = []
    uses: dict[str, str] = {}  # the exercises so far, with the names of their answers
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"])
        name = cell["metadata"].get("coinlib", {}).get("exercise", "")
        solved = course.in_place(source, answers[name]) if name in answers else source
        if name:
            recordings[name] = _recorded(name, source, solved, earlier, uses) | {"lesson": lesson}
            uses |= {name: recordings[name]["answer"]}
        earlier += _statements(solved if solutions else source)
    if solutions:
        reasons = _why_not(recordings, answers)
    else:
        with_solutions = record_lesson(lesson)  # An exercise may need the solution of an earlier one.
        reasons = {name: with_solutions[name]["why_not"] for name in recordings}
    texts = _solutions_as_text(notebook) if solutions else {}
    for name, recording in recordings.items():
        recording |= {"why_not": reasons[name], "solution": texts.get(name, "")}
        if reasons[name]:
            recording["task"] = ""
    return recordings


def _solutions_as_text(notebook: dict) -> dict[str, str]:
    """The solutions of a lesson in Markdown, by the name of the exercise."""
    cells = filter(course.is_solution, notebook["cells"])
    return {cell["metadata"]["coinlib"]["solution"]: "".join(cell["source"]) for cell in cells}


@functools.cache
def _lessons() -> dict[str, Path]:
    folder = course.originals(course.home())
    return {path.with_suffix("").as_posix(): folder / path for path in course.notebooks(folder)}


def _recorded(name: str, stub: str, solved: str, earlier: list[ast.stmt], uses: dict[str, str]) -> dict:
    """What is recorded of an exercise, if it can live; `solved` is its stub with the solution in it."""
    wanted = needs.names_needed([*_statements(stub), *_statements(solved)])
    before = needs.needed(earlier, wanted | _tools(earlier))
    return {
        "exercise": name,
        "stub": stub,
        "answer": dict(ANSWER.findall(stub))[name],
        "before": as_code(before),
        "uses": _among(before, uses),
        "needs": _among(needs.needed(earlier, wanted), uses),
        "task": _task(name),
    }


def _among(statements: list[ast.stmt], answers: dict[str, str]) -> list[str]:
    """The exercises whose answers these statements define; `answers` has the name of each."""
    given = set().union(*map(needs.names_given, statements))
    return [exercise for exercise, answer in answers.items() if answer in given]


@functools.cache
def _task(name: str) -> str:
    return json.dumps(task_as_data(getattr(checks, name)), separators=(",", ":"), ensure_ascii=False)


def as_code(statements: Iterable[ast.stmt]) -> str:
    """Statements as code, without comments."""
    return "\n".join(map(ast.unparse, statements))


def _statements(code: str) -> list[ast.stmt]:
    """The statements of a cell without the calls of checks; none where it is no Python alone."""
    try:
        statements = ast.parse(code).body
    except SyntaxError:  # a line for the terminal, or one that is wrong on purpose
        return []
    return [each for each in statements if not ANSWER.search(ast.unparse(each))]


def _tools(statements: Iterable[ast.stmt]) -> set[str]:
    """The names of what earlier cells import and define; a page runs of it what a reader uses."""
    names = set()
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef) or _is_import_of_a_page(statement):
            names |= needs.names_given(statement)
    return names


def _is_import_of_a_page(statement: ast.stmt) -> bool:
    """Whether a statement imports something that a page has, or seems to have."""
    if isinstance(statement, ast.ImportFrom):
        modules = [statement.module]
    elif isinstance(statement, ast.Import):
        modules = [alias.name for alias in statement.names]
    else:
        return False
    packages = {module.partition(".")[0] for module in modules}
    return packages <= IN_PAGE and "plots" not in ast.unparse(statement)


# --- what the judge must know ---------------------------------------------------------------------------


def task_as_data(check: Check) -> dict:
    """An exercise as plain data: its rules, cases and mistakes; or the function of a check by hand."""
    data = {"takes_function": check.takes_function, "by_hand": None}
    if isinstance(check, Exercise):
        task = check.task()
        rules = {name: getattr(task.comparison, name) for name in RULES}
        ways = [rules[way] for way in WAYS]
        data["rules"] = rules | {way: callable_as_data(rules[way]) for way in WAYS}
        data["cases"] = [[_encoded(part) for part in case] for case in task.cases]
        data["mistakes"] = [
            [
                mistake.name,
                mistake.sentence,
                [[_encoded(made.answer), made.words] for made in mistake.outcomes],
                mistake.is_better,
            ]
            for mistake in task.mistakes
        ]
    else:
        ways = [check.__wrapped__]
        data["by_hand"] = callable_as_data(check.__wrapped__)
    return data | {"modules": dict(_parts(ways))}


def _encoded(value: object) -> object:
    return shortened(encode(value, LARGEST))


def callable_as_data(function: Callable | None) -> dict | None:
    """A function of the course by its module and name, and what a partial one holds."""
    if function is None:
        return None
    if isinstance(function, functools.partial):
        return {"partial": [callable_as_data(part) for part in (function.func, *function.args)]}
    if "<" in function.__qualname__:  # a lambda, or a function inside another
        raise ValueError(f"{function.__module__}: {function.__qualname__} must be a function with a name of its own")
    return {"function": [function.__module__, function.__qualname__]}


def _functions(ways: Iterable[Callable | None]) -> Iterator[Callable]:
    """The functions that are named, those inside a partial one too."""
    for way in ways:
        if isinstance(way, functools.partial):
            yield from _functions((way.func, *way.args))
        elif way is not None:
            yield way


def _parts(ways: Iterable[Callable | None]) -> Iterator[tuple[str, str]]:
    """The modules of lessons' checks, each cut to what these functions need."""
    wanted: dict[ModuleType, set[str]] = {}
    for function in _functions(ways):
        wanted.setdefault(inspect.getmodule(function), set()).add(function.__qualname__)
    for module, names in wanted.items():
        if module.__name__.rpartition(".")[2] in checks.NAMES:
            statements = [_bare(each) for each in ast.parse(inspect.getsource(module)).body]
            yield module.__name__, as_code(needs.needed(statements, names))


def _bare(statement: ast.stmt) -> ast.stmt:
    """A function without its decorator, if that makes a check of it, and without its docstring."""
    if isinstance(statement, ast.FunctionDef):
        makers = ("by_hand", "exercise")
        statement.decorator_list = [
            each for each in statement.decorator_list if getattr(getattr(each, "func", each), "id", "") not in makers
        ]
        if ast.get_docstring(statement) and len(statement.body) > 1:
            del statement.body[0]
    return statement


# --- which exercises live -------------------------------------------------------------------------------

# The solutions are judged where nothing is but what a page has, in a process of its own.
TRY = """
import json
import sys

sys.path.insert(0, sys.argv[1])
from coincourse.page import absent, in_page

found = {}
for name, (solution, recording) in json.load(sys.stdin).items():
    absent.missed.clear()
    verdict = json.loads(in_page.check(solution, recording))
    found[name] = [verdict["right"], verdict["text"], [*absent.missed]]
json.dump(found, sys.stdout)
"""


def _why_not(recordings: dict[str, dict], answers: dict[str, str]) -> dict[str, str]:
    """Why exercises cannot live in a page, in a sentence; "" for those that can."""
    asked = {}
    for name, recording in recordings.items():
        solved = course.in_place(recording["stub"], answers[name])
        asked[name] = [solved, json.dumps(recording)]
    reasons = {}
    for name, (right, words, missed) in run_as_in_a_page(TRY, asked).items():
        if right:
            reasons[name] = ""
        elif missed:
            reasons[name] = f"It needs {missed[0]}, which this page does not have."
        else:
            reasons[name] = f"Its solution is not right in this page: {words}"
    return reasons


def run_as_in_a_page(program: str, data: object) -> object:
    """What a program prints that finds no package beside the modules of a page; both are JSON.

    The folder of these modules is the program's first argument.
    """
    with tempfile.TemporaryDirectory() as folder:
        for path, text in page_modules().items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(file) as half:
                half.write_text(text, "utf-8")
        command = [sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c", program, folder]
        ran = subprocess.run(command, input=json.dumps(data), capture_output=True, encoding="utf-8", check=False)
    if ran.returncode:
        raise RuntimeError(f"the exercises cannot be tried without packages: {ran.stderr.strip()}")
    return json.loads(ran.stdout)
