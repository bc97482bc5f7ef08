"""The explained solutions in the lessons: folded text to read and copy, never run.

A solution is a Markdown cell with the tag `solution`. It names its exercise in its metadata,
``{"coinlib": {"solution": "settle"}}``, as the stub of the exercise does under ``"exercise"``, and contains a
block of Python. `solved` puts each block into its stub, as if a student had solved the whole lesson.
"""

import ast
import copy
import re
from collections.abc import Mapping

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def is_solution(cell: Mapping) -> bool:
    """Whether a cell of a notebook is an explained solution."""
    return "solution" in cell["metadata"].get("tags", ())


def solutions(notebook: Mapping) -> dict[str, str]:
    """Return the code of a lesson's solutions, by exercise name.

    Parameters
    ----------
    notebook : mapping
        A notebook, as JSON or from `nbformat`.
    """
    found = {}
    for cell in notebook["cells"]:
        if is_solution(cell):
            source = "".join(cell["source"])
            found[cell["metadata"]["coinlib"]["solution"]] = "\n\n".join(BLOCK.findall(source)).rstrip("\n")
    return found


def in_place(stub: str, solution: str) -> str:
    """Put a solution into a stub: the stub's first imports, the solution, the stub's last statement.

    Examples
    --------
    >>> print(in_place("from coincourse import checks as check\\ndef f():\\n    ...\\ncheck.f(f)", "f = abs"))
    from coincourse import checks as check
    <BLANKLINE>
    f = abs
    <BLANKLINE>
    check.f(f)
    """
    lines = stub.splitlines()
    statements = ast.parse(stub).body
    imported = 0  # the lines of the imports at the top
    for statement in statements:
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            break
        imported = statement.end_lineno
    asked = lines[statements[-1].lineno - 1 :]
    parts = ["\n".join(lines[:imported]), solution, "\n".join(asked)]
    return "\n\n".join(part for part in parts if part)


def solved(notebook: Mapping) -> Mapping:
    """Return the notebook with each solution in its stub; a stub without a solution is unchanged."""
    answers = solutions(notebook)
    after = copy.deepcopy(notebook)
    for cell in after["cells"]:
        exercise = cell["metadata"].get("coinlib", {}).get("exercise")
        if exercise in answers:
            cell["source"] = in_place("".join(cell["source"]), answers[exercise])
    return after
