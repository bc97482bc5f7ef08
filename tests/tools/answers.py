"""Answers of every kind to each exercise; run as a program, it judges them as in a page, without any package.

The program reads JSON: for each exercise its recording as text, and the sources of some cells. It prints the verdicts.
"""

from __future__ import annotations

import dataclasses
import json
import sys

PATIENT = 60.0  # seconds


def nothing(*arguments):
    """An answer without `return`."""


def dots(*arguments):
    """An answer that has not been written."""
    return ...


# fmt: off
def stub(*arguments):
    # your code here
    ...
# fmt: on


def half_an_agent(game, state):
    """An agent that has been started."""
    return takes_one(game, state) if sum(state) < 3 else ...


def divides(*arguments):
    """An answer that raises an error."""
    return 1 / 0


def prints_and_asks(*arguments):
    """An answer that asks a person."""
    print("How many?")
    return input()


def takes_one(game, state):
    """An agent: one coin from the first row that has one."""
    return game.legal_moves(state)[0]


def takes_most(game, state):
    """An agent: as much as may be taken from the last row that has coins."""
    return game.legal_moves(state)[-1]


def answers(check) -> dict[str, object]:
    """What is handed to a check: its reference and each mistake, or two agents; and what goes wrong elsewhere."""
    if not check.takes_function:
        return {"dots": ..., "two": 2, "nine": 9, "none": None, "text": "1 1 0 1"}
    found = {
        "nothing": nothing,
        "dots": dots,
        "stub": stub,
        "divides": divides,
        "asks": prints_and_asks,
        "three": 3,
        "text": "1 1 0 1",
    }
    if not hasattr(check, "reference"):
        return found | {"takes one": takes_one, "takes most": takes_most, "half": half_an_agent}
    functions = [mistake.outcomes.function for mistake in check.mistakes]
    mistakes = {f"mistake {number}": function for number, function in enumerate(functions, 1)}
    return found | {"reference": check.reference} | mistakes


def main() -> None:
    """Judge all answers as in a page."""
    from coincourse import checks
    from coincourse.page import in_page
    from coincourse.page.recorded_exercise import RecordedExercise

    found = {}
    for name, (recorded, cells) in json.load(sys.stdin).items():
        exercise = in_page.RecordedCheck(RecordedExercise.from_json(recorded))
        for answer, value in answers(getattr(checks, name)).items():
            found[f"{name}, {answer}"] = dataclasses.asdict(exercise.judge(value, PATIENT))
        for cell, source in cells.items():
            found[f"{name}, {cell}"] = json.loads(in_page.check(source, recorded, seconds=PATIENT))["text"]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])  # where the course is: nothing else can be imported
    main()
