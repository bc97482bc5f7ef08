"""Step 4 of a marking begins here: one row for each exercise of a notebook that has run."""

from __future__ import annotations

import math
import re
import sys

from coincourse.checks.judging import name_and_message
from coincourse.checks.verdict import Verdict, cut
from coincourse.classroom.marks import FAILED, MISSING, NOT_WRITTEN, PASSED, WRONG, Row
from coincourse.classroom.running import LONGEST, Ran, Running, Stopped
from coincourse.outside.text import clean, clean_lines, first_of, printable, printable_lines

MOST_NOTES = 30  # cells of a notebook that are listed because they could not run
OPEN = "Not written yet."
LONGEST_CODE = 10_000  # characters of a student's code that are kept with an answer


def rows_of(running: Running) -> list[Row]:
    """Run a notebook; return a row for each exercise of its lesson."""
    rows = _rows_before(running)
    answered_in: dict[str, int] = {}  # the cell whose answer a row speaks of, by the name of the exercise
    went_wrong: dict[int, str] = {}  # by the number of the cell
    late = False
    why_not = running.work.why_not  # then it has no cells to run
    try:
        for ran in running.run():
            late = late or ran.late
            if ran.error:
                first_line = printable(ran.cell.source.strip().splitlines()[0])[:50].rstrip(":")
                words = ran.error + _newer_python(ran.error, running.work.notebook.python)
                went_wrong[ran.cell.number] = f"cell {ran.cell.number} ({first_line}): {words}"
            changed = _rows_after(rows, ran)
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
        hint = _what_to_hand_in(running.work.why_not)
        rows = {name: row._replace(hint=hint) for name, row in rows.items()}
    judged = []
    for name, row in rows.items():
        code = _code(running, name, answered_in.get(name, math.inf))
        judged.append(row._replace(code=code, late=row.late or late))
    # Only the first row lists the cells that did not run.
    judged[0] = judged[0]._replace(not_run="\n".join(first_of([*went_wrong.values()], MOST_NOTES)))
    return judged


def _what_to_hand_in(why_not: str) -> str:
    """Return what a letter says about a file that cannot be read: what it is, and what to do.

    Examples
    --------
    >>> _what_to_hand_in("it is a web page, not a notebook")
    'Your file is a web page, not a notebook. Download the notebook again and hand it in again.'
    >>> _what_to_hand_in("it is a zip file: unpack it first")
    'Your file is a zip file: unpack it first. Then hand in the notebook.'
    >>> _what_to_hand_in("the file is larger than 20 MB")
    'Your file is larger than 20 MB. Delete what the lesson does not need and hand it in again.'
    """
    file = re.sub("^(it|the file|the notebook) ", "Your file ", why_not)
    if file.endswith(("unpack it first", "save it as UTF-8")):
        return f"{file}. Then hand in the notebook."
    if re.search(" (larger|more) than ", file):
        return f"{file}. Delete what the lesson does not need and hand it in again."
    return f"{file}. Download the notebook again and hand it in again."


def _newer_python(error: str, python: str) -> str:
    """Return what to add to a SyntaxError of a cell that was written for a newer Python, or "".

    Examples
    --------
    >>> _newer_python("it failed with SyntaxError: invalid syntax", "3.99.1")[:29]
    '; handed in from Python 3.99,'
    """
    number = re.match(r"(\d+)\.(\d+)", python)
    if "SyntaxError" not in error or not number:
        return ""
    theirs = int(number[1]), int(number[2])
    ours = sys.version_info[:2]
    if theirs <= ours:
        return ""
    return "; handed in from Python {}.{}, marked with {}.{}".format(*theirs, *ours)


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
            came = (MISSING, "The cell with its check is not there.")
        rows[name] = Row(work.student, work.lesson, name, *came, file=work.file, id=work.id, section=section)
    return rows


def _rows_after(rows: dict[str, Row], ran: Ran) -> dict[str, Row]:
    """Return the rows that a student's cell has changed; one right answer to an exercise is enough."""
    changed: dict[str, Row] = {}
    if not ran.cell.own:
        return changed
    for verdict in ran.verdicts:
        row = changed.get(verdict.exercise, rows[verdict.exercise])
        if row.outcome != PASSED:
            changed[verdict.exercise] = row._replace(
                outcome=_outcome(verdict),
                message=clean_lines(str(verdict), LONGEST) if verdict.written else OPEN,
                hint=verdict.hint,
                error=clean(verdict.error, LONGEST),
                late=verdict.late,
            )
    if ran.again:
        return changed
    # A cell may call a check without a verdict.
    silence = f"Its cell went wrong: {ran.error}." if ran.error else "Its check gave no verdict."
    asked = ran.cell.answered & rows.keys()
    for name in asked - {verdict.exercise for verdict in ran.verdicts}:
        if rows[name].outcome not in (PASSED, WRONG):
            changed[name] = rows[name]._replace(outcome=MISSING, message=silence)
    return changed


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
