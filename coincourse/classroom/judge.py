"""The judge: a process that has the genuine checks, asks the student's process, and says how each exercise went.

No line of a student's code is run here, and nothing that comes from a student is unpickled.
"""

from __future__ import annotations

import io
import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from typing import NamedTuple

from coincourse import checks
from coincourse.checks import engine
from coincourse.classroom.lessons import Cell, Plan, Try, plan
from coincourse.classroom.pupil import Limits, Lost, NoAnswer, Pupil, clean, inherit_strays
from coincourse.outside.contained import channel, end_with, run_plain_python

PASSED, WRONG, UNTOUCHED, MISSING, FAILED = "passed", "wrong", "not tried", "no answer", "not judged"
SHORT = 2.0  # seconds; what failed in less is tried again, for a busy machine is sometimes slow
LONGEST = 1_000  # characters of a message
CHECK = 60.0  # seconds for a whole check, in place of its own few: each call goes to another process and back
HUNG = "✗ One call of your function gave no answer within {:g} seconds. Is there a loop that never ends?"


class Verdict(NamedTuple):
    """How an exercise went."""

    exercise: str
    outcome: str  # PASSED, WRONG, UNTOUCHED, MISSING or FAILED
    message: str  # what the check has said, or why it has not


def main() -> None:
    """Judge one notebook after the other, as they come over the socket whose number stands on the command line."""
    ours = channel()
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    inherit_strays()
    run_plain_python()
    import pandas  # noqa: F401 - checks use it: what is loaded now cannot be changed by a student's code later

    engine.SECONDS = CHECK  # in this process alone; one call has its own, shorter limit
    plan([], [])
    orders = ours.makefile("rb")

    def say(*message) -> None:
        ours.sendall(json.dumps(message).encode("ascii") + b"\n")

    say("ready")
    for line in orders:
        order = json.loads(line)
        lesson, handed_in = ([Cell(*cell) for cell in order[name]] for name in ("lesson", "handed_in"))
        for message in judged(plan(lesson, handed_in), Limits(*order["limits"])):
            say(*message)
        say("end")


def judged(todo: Plan, limits: Limits) -> Iterator[tuple]:
    """Run a notebook and judge its exercises.

    Parameters
    ----------
    todo : Plan
    limits : Limits

    Yields
    ------
    tuple
        ("verdict", exercise, outcome, message) for each exercise that has something to judge, the best
        of its tries; and before these ("note", words) for each cell that went wrong.
    """
    for name in todo.untouched:
        yield "verdict", *Verdict(name, UNTOUCHED, "The cell is as it was handed out.")
    if not todo.tries:
        return
    pupil = Pupil(limits)
    best: dict[str, Verdict] = {}
    wrong: dict[int, str] = {}
    try:
        for cell in todo.run:
            if words := pupil.run(cell.source):
                wrong[cell.number] = words
                yield "note", f"cell {cell.number} ({_begin(cell.source)}): {words}"
            for one in (one for one in todo.tries if one.cell == cell.number):
                verdict = _judge(pupil, one, wrong.get(cell.number, ""))
                if one.exercise not in best or best[one.exercise].outcome != PASSED:
                    best[one.exercise] = verdict
    finally:
        pupil.stop()
    for verdict in best.values():
        yield "verdict", *verdict


def _judge(pupil: Pupil, one: Try, went_wrong: str) -> Verdict:
    """One try at an exercise."""
    began = time.monotonic()
    if one.broken and went_wrong and not pupil.out:  # what has the name comes from another cell, and is judged there
        return Verdict(one.exercise, MISSING, f"Its cell went wrong: {went_wrong}.")
    try:
        verdict = _checked(pupil, one)
        if verdict.outcome == WRONG and time.monotonic() - began < SHORT:
            return _checked(pupil, one)
    except NoAnswer as error:
        why = f"Its cell went wrong: {went_wrong}." if went_wrong else f"No answer: {error}."
        return Verdict(one.exercise, MISSING, why)
    except Lost as error:
        return Verdict(one.exercise, FAILED, f"Could not be judged: {error}.")
    return verdict


def _checked(pupil: Pupil, one: Try) -> Verdict:
    """What the check says."""
    answer = pupil.look(one.answer)
    said = io.StringIO()
    try:
        with redirect_stdout(said), suppress(Lost):  # why it is lost is asked below
            getattr(checks, one.exercise)(answer)
    except Exception as error:  # noqa: BLE001 - a check does not raise; if one does, the student is not to blame
        return Verdict(one.exercise, FAILED, f"Could not be judged: the check raised {type(error).__name__}: {error}.")
    finally:
        pupil.settle_down()
    if pupil.hung:
        return Verdict(one.exercise, WRONG, HUNG.format(pupil.limits.call))
    if pupil.trouble:
        raise Lost(pupil.trouble)
    words = clean(said.getvalue())[:LONGEST]
    return Verdict(one.exercise, PASSED if words.startswith("✓ ") else WRONG, words)


def _begin(source: str) -> str:
    """The first line of a cell that says something."""
    lines = [line.strip() for line in source.splitlines() if line.strip() not in ("", "None")]
    line = clean(lines[0]) if lines else ""
    return line if len(line) <= 50 else line[:47] + "..."


if __name__ == "__main__":
    main()
