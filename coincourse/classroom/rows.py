"""Step 4 of a marking begins here: one row for each exercise of a notebook that has run."""

from __future__ import annotations

import math
import re
import sys

from coincourse.checks.judging import name_and_message
from coincourse.checks.verdict import Verdict, cut
from coincourse.classroom.marks import FAILED, MISSING, NOT_WRITTEN, PASSED, WRONG, Row
from coincourse.classroom.running import LONGEST, Ran, Running, Stopped
from coincourse.outside.text import clean, clean_lines, first_of, printable_lines
from coinlib.arguments import counted

MOST_NOTES = 30  # cells of a notebook that are listed because they could not run
OPEN = "Not written yet."
LONGEST_CODE = 10_000  # characters of a student's code that are kept with an answer


def rows_of(running: Running) -> list[Row]:
    """Run a notebook; return a row for each exercise of its lesson."""
    rows = _rows_before(running)
    answered_in: dict[str, int] = {}  # the cell whose answer a row speaks of, by the name of the exercise
    failed = CellsThatFailed(running.work.notebook.python)
    late = False
    why_not = running.work.why_not  # then it has no cells to run
    try:
        for ran in running.run():
            late = late or ran.late
            if ran.error:
                failed.add(ran)
            changed = _rows_after(rows, ran, failed)
            rows |= changed
            answered_in |= dict.fromkeys(changed, ran.cell.number)
    except Stopped as error:
        late = True
        why_not = str(error)
    except Exception as error:  # noqa: BLE001 - one notebook stops no other
        late = True  # Other notebooks may have taken all threads, processes or memory.
        why_not = f"the marking itself failed with {clean(name_and_message(error), LONGEST)}"
    finally:
        running.close()
    if why_not:
        for name, row in rows.items():
            if row.outcome in (NOT_WRITTEN, MISSING):
                message = f"Could not be judged: {why_not}."
                rows[name] = row._replace(outcome=FAILED, message=message, why_not=why_not)
    if running.work.why_not:
        rows = {name: row._replace(hint=running.work.for_student) for name, row in rows.items()}
    judged = []
    for name, row in rows.items():
        code = _code(running, name, answered_in.get(name, math.inf))
        row = row._replace(code=code, late=row.late or late)
        waits_for = _open_exercise_in(code, name, rows, running)
        if row.outcome in (WRONG, NOT_WRITTEN) and waits_for:
            row = _missing(row, "", waits_for)
        judged.append(row)
    # Only the first row lists the cells that did not run.
    judged[0] = judged[0]._replace(not_run="\n".join(failed.lines()))
    return judged


class CellsThatFailed:
    """The cells of a notebook that could not run, by cause: a cell, or an exercise without a right answer.

    A cell that needs a name which a failed cell should have defined has the same cause.

    Parameters
    ----------
    python : str
        The version that ran the notebook.

    Examples
    --------
    >>> from coincourse.classroom.notebooks import Cell
    >>> failed = CellsThatFailed("3.11.4")
    >>> failed.add(Ran(Cell(1, "mine = check.settle.or_ours(settle)"), "it waits until settle is right", waits_for="settle"))
    >>> failed.add(Ran(Cell(2, "mine(3)"), "NameError: name 'mine' is not defined"))
    >>> failed.lines()
    ['cell `mine = check.settle.or_ours(settle)`: it waits until settle is right; 1 later cell cannot run without it']
    """

    def __init__(self, python: str) -> None:
        self._python = python
        self._causes: dict[int, str | int] = {}  # by the number of the cell: an exercise, or the number of a cell
        self._lines: dict[str | int, str] = {}  # by cause
        self._lacking: dict[str, str | int] = {}  # the cause for each word of those cells

    def add(self, ran: Ran) -> None:
        """Add a cell that went wrong."""
        cause = ran.waits_for or self.cause(ran.error) or ran.cell.number
        self._causes[ran.cell.number] = cause
        self._lines.setdefault(cause, f"{ran.cell.place}: {ran.error}{_newer_python(ran.error, self._python)}")
        for word in ran.cell.words:
            self._lacking.setdefault(word, cause)

    def cause(self, message: str) -> str | int | None:
        """Return why the name in a NameError is unknown; None if no cell is known that should have defined it."""
        unknown = re.search(r"name '(\w+)' is not defined", message)
        return self._lacking.get(unknown[1]) if unknown else None

    def lines(self) -> list[str]:
        """Return a line for each cause."""
        lines = []
        for cause, line in self._lines.items():
            later = [*self._causes.values()].count(cause) - 1
            lines.append(f"{line}; {counted(later, 'later cell')} cannot run without it" if later else line)
        return first_of(lines, MOST_NOTES)


def _open_exercise_in(code: str, name: str, rows: dict[str, Row], running: Running) -> str:
    """Return another exercise that the code uses, and whose answer is wrong or not written; "" if there is none."""
    for other, answer, _ in running.lesson.exercises:
        use = rf"(?<!\.)\b{answer}\(|\.{other}\.reference\b"
        if other != name and rows[other].outcome in (WRONG, NOT_WRITTEN) and re.search(use, code):
            return other
    return ""


def _newer_python(error: str, python: str) -> str:
    """Return what to add to a SyntaxError of a cell that was written for a newer Python, or "".

    Examples
    --------
    >>> _newer_python("it failed with SyntaxError: invalid syntax", "3.99.1")[:26]
    '; written for Python 3.99,'
    """
    number = re.match(r"(\d+)\.(\d+)", python)
    if "SyntaxError" not in error or not number:
        return ""
    theirs = int(number[1]), int(number[2])
    ours = sys.version_info[:2]
    if theirs <= ours:
        return ""
    return "; written for Python {}.{}, marked with {}.{}".format(*theirs, *ours)


def _rows_before(running: Running) -> dict[str, Row]:
    """Return the row of each exercise before a cell has run."""
    work = running.work
    exercise_of_stub = {cell.text: cell.exercise for cell in running.lesson.cells}
    untouched = {exercise_of_stub.get(cell.text) for cell in work.notebook.cells}
    rows = {}
    for name, _, section in running.lesson.exercises:
        if name in untouched:
            came = (NOT_WRITTEN, OPEN)
        else:
            came = (MISSING, "The cell with its check is missing.")
        rows[name] = Row(work.student, work.lesson, name, *came, file=work.file, id=work.id, section=section)
    return rows


def _rows_after(rows: dict[str, Row], ran: Ran, failed: CellsThatFailed) -> dict[str, Row]:
    """Return the rows that a student's cell has changed; one right answer to an exercise is enough."""
    changed: dict[str, Row] = {}
    if not ran.cell.own:
        return changed
    for verdict in ran.verdicts:
        row = changed.get(verdict.exercise, rows[verdict.exercise])
        if row.outcome != PASSED:
            judged = row._replace(
                outcome=_outcome(verdict),
                message=clean_lines(str(verdict), LONGEST) if verdict.written else OPEN,
                hint=verdict.hint,
                error=clean(verdict.error, LONGEST),
                late=verdict.late,
                waits_for="",
            )
            cause = failed.cause(judged.message) if verdict.error == "NameError" else None
            changed[verdict.exercise] = _missing(row, "", cause) if isinstance(cause, str) else judged
    if ran.again:
        return changed
    # A cell may call a check without a verdict.
    silence = "Its cell could not run." if ran.error else "Its check gave no verdict."
    asked = ran.cell.answered & rows.keys()
    for name in asked - {verdict.exercise for verdict in ran.verdicts}:
        if rows[name].outcome not in (PASSED, WRONG):
            changed[name] = _missing(rows[name], silence, ran.waits_for or failed.cause(ran.error))
    return changed


def _missing(row: Row, message: str, cause: str | int | None) -> Row:
    """Return the row of an exercise without an answer: it may wait for another exercise, which it uses."""
    if not isinstance(cause, str):
        return row._replace(outcome=MISSING, message=message)
    return row._replace(
        outcome=MISSING, message=f"It uses {cause}, so it waits until {cause} is right.", waits_for=cause
    )


def _outcome(verdict: Verdict) -> str:
    if verdict.right:
        return PASSED
    return WRONG if verdict.written else NOT_WRITTEN


def _code(running: Running, exercise: str, last: float = math.inf) -> str:
    """Return the code that belongs to an answer: the last two cells that name it, up to the one that gave it."""
    (answer,) = (answer for name, answer, _ in running.lesson.exercises if name == exercise)
    own = [cell.source for cell in running.cells.values() if cell.own and cell.number <= last]
    naming = [source for source in own if re.search(rf"\b{answer}\b", source)]
    return cut(printable_lines("\n\n".join(naming[-2:])), LONGEST_CODE)
