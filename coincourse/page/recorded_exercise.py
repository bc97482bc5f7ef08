"""What a page of the web book knows about an exercise, as plain data: made by `record_exercises`, read by `in_page`."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class RecordedExercise:
    """One exercise, recorded when the book is built.

    Attributes
    ----------
    exercise : str
        Its name: "settle".
    stub : str
        The cell as handed out.
    answer : str
        The name of what the cell passes to the check.
    before : str
        The code of earlier cells, which the exercise needs or a reader may want to try.
    uses : list of str
        The earlier exercises, whose answers are in `before`.
    needs : list of str
        Those that this exercise needs.
    solution : str
        In Markdown; "" in a book without solutions.
    why_not : str
        Why the exercise cannot be done on a page; "" if it can.
    after : str
        The code up to the next exercise, which the text below this one is about.
    task : str
        What the judge needs, as JSON (as text, because JavaScript would change its numbers); "" if `why_not`.

    Examples
    --------
    >>> settle = RecordedExercise("settle", "def settle(): ...", "settle", before="", uses=[], needs=[])
    >>> RecordedExercise.from_json(settle.to_json()) == settle
    True
    """

    exercise: str
    stub: str
    answer: str
    before: str
    uses: list[str]
    needs: list[str]
    after: str = ""
    solution: str = ""
    why_not: str = ""
    task: str = ""

    def to_json(self) -> str:
        """The exercise as a page hands it to `in_page`."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> RecordedExercise:
        """The exercise that `to_json` turned into this text."""
        return cls(**json.loads(text))
