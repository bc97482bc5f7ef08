"""Record the exercises of the lessons for the pages of the web book, when the book is built.

A `RecordedExercise` holds what the judge needs: the cases with their right answers, and what each typical
mistake gives. If code is needed to try an answer (a `run`, an `accept`, a check by hand), the parts of its
module that it needs are included, but not the reference or the mistakes.
"""

from __future__ import annotations

import ast
import functools
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType

import coincourse
from coincourse import checks, course
from coincourse.checks.engine import Check, Exercise
from coincourse.checks.judging import Comparison
from coincourse.checks.plain_data import encode, shortened
from coinlib.files import whole_file

from . import absent, needs
from .recorded_exercise import RecordedExercise

LARGEST = 4_000_000  # characters of one value
RULES = [field.name for field in fields(Comparison)]
FUNCTIONS = ("run", "accept", "answer_in_words")  # the rules that are functions
CHECK_CALL = re.compile(r"\bcheck\.(\w+)\((\w+)\)")  # the check, and the name of the answer
# What a page can import; some of these are only stand-ins: see `absent`
IN_PAGE = {*sys.stdlib_module_names, "coinlib", "coincourse", *absent.PACKAGES}
COURSE = Path(coincourse.__file__).parent
ROOT = COURSE.parent
TRIAL_SECONDS = 120.0  # for one solution, on a busy machine


@functools.cache
def record_lesson(lesson: str, solutions: bool = True) -> dict[str, RecordedExercise]:
    """Record all exercises of a lesson, by name.

    Parameters
    ----------
    lesson : str
        The notebook, without the ending: "04_hats", "projects/networks".
    solutions : bool
        Whether the page may contain the code of solutions.
    """
    notebook = json.loads(_lessons()[lesson].read_text("utf-8"))
    solved = course.solutions(notebook)
    recorded: dict[str, RecordedExercise] = {}
    before: list[ast.stmt] = []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"])
        name = cell["metadata"].get("coinlib", {}).get("exercise", "")
        with_solution = course.in_place(source, solved[name]) if name in solved else source
        if name:
            answers = {each.exercise: each.answer for each in recorded.values()}
            if recorded:
                _end(recorded, before)
            recorded[name] = _record_cell(name, source, with_solution, before, answers)
        before += _statements(with_solution if solutions else source)
    if recorded:
        _end(recorded, before)
    if solutions:
        reasons = _try_solutions(recorded, solved)
    else:
        complete = record_lesson(lesson)  # An exercise may need the solution to an earlier one.
        reasons = {name: complete[name].why_not for name in recorded}
    texts = _solutions_as_text(notebook) if solutions else {}
    for name, each in recorded.items():
        task = "" if reasons[name] else each.task
        recorded[name] = replace(each, why_not=reasons[name], solution=texts.get(name, ""), task=task)
    return recorded


def page_modules() -> dict[str, str]:
    """The source of the modules that a page needs, by path: "coincourse/checks/judging.py"."""
    folders = (ROOT / "coinlib", COURSE / "checks", COURSE / "page")
    files = {COURSE / "__init__.py"}.union(*(folder.glob("*.py") for folder in folders))
    files -= {COURSE / "checks" / f"{lesson}.py" for lesson in checks.NAMES}
    files -= {COURSE / "page/record_exercises.py"}
    return {file.relative_to(ROOT).as_posix(): file.read_text("utf-8") for file in sorted(files)}


# --- a cell of a lesson ---------------------------------------------------------------------------------


@functools.cache
def _lessons() -> dict[str, Path]:
    folder = course.originals(course.home())
    return {path.with_suffix("").as_posix(): folder / path for path in course.notebooks(folder)}


def _solutions_as_text(notebook: dict) -> dict[str, str]:
    """The solutions in a lesson in Markdown, by exercise."""
    cells = filter(course.is_solution, notebook["cells"])
    return {cell["metadata"]["coinlib"]["solution"]: "".join(cell["source"]) for cell in cells}


def _record_cell(
    name: str, stub: str, solved: str, before: list[ast.stmt], answers: dict[str, str]
) -> RecordedExercise:
    """Record the cell of an exercise.

    `solved` is the stub with the solution in it, `before` the code before it, and `answers` the names of the
    answers of earlier exercises.
    """
    wanted = needs.names_needed([*_statements(stub), *_statements(solved)])
    return RecordedExercise(
        exercise=name,
        stub=stub,
        answer=dict(CHECK_CALL.findall(stub))[name],
        before=as_code(_known(before)),
        uses=[*answers],
        needs=_answered_in(needs.needed(before, wanted), answers),
        task=_task_as_json(name),
    )


def _end(recorded: dict[str, RecordedExercise], code: list[ast.stmt]) -> None:
    """Note the code up to the exercise after the last one, or up to the end of the lesson."""
    *_, last = recorded
    recorded[last] = replace(recorded[last], after=as_code(_known(code)))


def _answered_in(statements: list[ast.stmt], answers: dict[str, str]) -> list[str]:
    """The exercises whose answers these statements define."""
    given = set().union(*map(needs.names_given, statements))
    return [exercise for exercise, answer in answers.items() if answer in given]


def as_code(statements: Iterable[ast.stmt]) -> str:
    """Statements as code, without comments."""
    return "\n".join(map(ast.unparse, statements))


def _statements(code: str) -> list[ast.stmt]:
    """The statements of a cell without the calls of checks and what it shows; none if it is not only Python."""
    try:
        statements = ast.parse(code).body
    except SyntaxError:  # a line for the terminal, or one that is wrong on purpose
        return []
    if statements and isinstance(statements[-1], ast.Expr):
        statements.pop()
    return [each for each in statements if not CHECK_CALL.search(ast.unparse(each))]


def _known(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """What a reader's code may use: all definitions, and what changes their values later. A page runs what is needed.

    What only shows something is left out, and so are the variables of loops.
    """
    kept: list[ast.stmt] = []
    made: set[str] = set()
    for statement in statements:
        given = needs.names_given(statement)
        if isinstance(statement, needs.IMPORTS):
            is_kept = _is_import_of_a_page(statement)
        elif isinstance(statement, (*needs.COMPOUND, ast.Expr)):
            is_kept = bool((given | needs.changed_by(statement, needs.imported_by(kept))) & made)
        else:
            is_kept = bool(given)
        if is_kept:
            kept.append(statement)
            made |= given
    return kept


def _is_import_of_a_page(statement: ast.stmt) -> bool:
    """Whether a statement imports something that a page has, or has a stand-in for."""
    modules = [statement.module] if isinstance(statement, ast.ImportFrom) else [each.name for each in statement.names]
    return {module.partition(".")[0] for module in modules} <= IN_PAGE


# --- what the judge needs -------------------------------------------------------------------------------


@functools.cache
def _task_as_json(name: str) -> str:
    return json.dumps(task_as_data(getattr(checks, name)), separators=(",", ":"), ensure_ascii=False)


def task_as_data(check: Check) -> dict:
    """An exercise as plain data: its rules, cases and mistakes; or the function of a check by hand."""
    data = {"takes_function": check.takes_function, "by_hand": None}
    if isinstance(check, Exercise):
        task = check.task()
        rules = {name: getattr(task.comparison, name) for name in RULES}
        functions = [rules[name] for name in FUNCTIONS]
        data["rules"] = rules | {name: callable_as_data(rules[name]) for name in FUNCTIONS}
        data["cases"] = [[_encoded(part) for part in case] for case in task.cases]
        data["mistakes"] = [
            [sentence, [[_encoded(made.answer), made.words] for made in outcomes], is_better]
            for sentence, outcomes, is_better in task.mistakes
        ]
    else:
        functions = [check.__wrapped__]
        data["by_hand"] = callable_as_data(check.__wrapped__)
    return data | {"modules": dict(_parts_of_modules(functions))}


def _encoded(value: object) -> object:
    return shortened(encode(value, LARGEST))


def callable_as_data(function: Callable | None) -> dict | None:
    """A function of the course by module and name; a partial one with its arguments."""
    if function is None:
        return None
    if isinstance(function, functools.partial):
        return {"partial": [callable_as_data(part) for part in (function.func, *function.args)]}
    if "<" in function.__qualname__:  # a lambda, or a function inside another
        raise ValueError(f"{function.__module__}: {function.__qualname__} must be a function of a module, with a name")
    return {"function": [function.__module__, function.__qualname__]}


def _plain_functions(functions: Iterable[Callable | None]) -> Iterator[Callable]:
    """The functions themselves, and those inside partial ones."""
    for function in functions:
        if isinstance(function, functools.partial):
            yield from _plain_functions((function.func, *function.args))
        elif function is not None:
            yield function


def _parts_of_modules(functions: Iterable[Callable | None]) -> Iterator[tuple[str, str]]:
    """The modules of lessons' checks by name, each with the part of its source that these functions need."""
    wanted: dict[ModuleType, set[str]] = {}
    for function in _plain_functions(functions):
        wanted.setdefault(inspect.getmodule(function), set()).add(function.__qualname__)
    for module, names in wanted.items():
        if module.__name__.rpartition(".")[2] in checks.NAMES:
            statements = [_bare(each) for each in ast.parse(inspect.getsource(module)).body]
            yield module.__name__, as_code(needs.needed(statements, names))


def _bare(statement: ast.stmt) -> ast.stmt:
    """A function without its docstring, and without a decorator that turns it into a check."""
    if isinstance(statement, ast.FunctionDef):
        makers = ("by_hand", "exercise")
        statement.decorator_list = [
            each for each in statement.decorator_list if getattr(getattr(each, "func", each), "id", "") not in makers
        ]
        if ast.get_docstring(statement) and len(statement.body) > 1:
            del statement.body[0]
    return statement


# --- which exercises can be done on a page --------------------------------------------------------------


def _try_solutions(recorded: dict[str, RecordedExercise], solved: dict[str, str]) -> dict[str, str]:
    """Judge each solution as on a page: why the exercise cannot be done there, in a sentence; "" if it can."""
    calls = []
    for name, each in recorded.items():
        source = course.in_place(each.stub, solved[name])
        calls.append(["check", {"source": source, "recorded": each.to_json(), "seconds": TRIAL_SECONDS}])
    reasons = {}
    for name, (verdict, missed) in zip(recorded, call_in_page(calls)):
        if verdict["right"]:
            reasons[name] = ""
        elif missed:
            reasons[name] = f"It needs {missed[0]}, which this page does not have."
        else:
            reasons[name] = f"Its solution does not pass on this page: {verdict['text']}"
    return reasons


def call_in_page(calls: list) -> list:
    """Make calls to `in_page` in another process, which finds a page's modules and no packages: see `trial`."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in page_modules().items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(file) as half:
                half.write_text(text, "utf-8")
        settings = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        command = [sys.executable, "-S", "-s", "-B", "-P", "-X", "utf8", "-m", "coincourse.page.trial"]
        ran = subprocess.run(
            command,
            input=json.dumps(calls),
            capture_output=True,
            encoding="utf-8",
            check=False,
            env=settings | {"PYTHONPATH": folder},
        )
    if ran.returncode:
        raise RuntimeError(f"the exercises cannot be tried without packages: {ran.stderr.strip()}")
    return json.loads(ran.stdout)
