"""A student's progress in each lesson; only the student sees it, and marking does not read it.

`coinlib lab` tells the kernels where the copies are; a hidden file there for each lesson stores the
progress. Without a folder (in an author's lesson, a test or during marking), it is kept in memory while the
kernel runs, and no file is read or written.
"""

from __future__ import annotations

import json
import os
import weakref
from dataclasses import dataclass, field
from pathlib import Path

from coincourse.course.places import CourseError, write

FOLDER = "COINLIB_PROGRESS"  # an environment variable


@dataclass
class Done:
    """A student's progress in one lesson.

    Attributes
    ----------
    exercises : set of str
        The names of those answered correctly at least once, even if a later answer is wrong.
    choices : dict of str to int
        For each prediction, the number of the answer that was chosen first, counted from 0.
    """

    exercises: set[str] = field(default_factory=set)
    choices: dict[str, int] = field(default_factory=dict)


class Progress:
    """Progress in all lessons, stored in a folder, or in memory if there is none or it cannot be written.

    A lesson is named after its file, without the number: "hats".

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Progress(Path(folder)).note_right("hats", "settle")
    ...     Progress(Path(folder)).done_in("hats")
    Done(exercises={'settle'}, choices={})
    >>> in_memory = Progress(None)
    >>> in_memory.note_right("hats", "settle")
    >>> in_memory.done_in("hats"), Progress(None).done_in("hats")
    (Done(exercises={'settle'}, choices={}), Done(exercises=set(), choices={}))
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.followers = weakref.WeakSet()  # scores to count again after each exercise
        self._in_memory: dict[str, Done] = {}

    def done_in(self, lesson: str) -> Done:
        """Return the progress in a lesson."""
        if lesson in self._in_memory:
            return self._in_memory[lesson]
        return Done() if self.folder is None else _read(file_of(self.folder, lesson))

    def note_right(self, lesson: str, exercise: str) -> None:
        """Record that an exercise was answered correctly."""
        done = self.done_in(lesson)
        if exercise in done.exercises:
            return
        done.exercises.add(exercise)
        self._keep(lesson, done)
        for lab in list(self.followers):
            lab.count_again()

    def note_choice(self, lesson: str, question: str, place: int) -> None:
        """Record which answer to a prediction was chosen first; without a folder, `Answers` keeps it."""
        done = self.done_in(lesson)
        if self.folder is not None and question not in done.choices:
            done.choices[question] = place
            self._keep(lesson, done)

    def forget(self, lesson: str) -> None:
        """Forget the progress in a lesson."""
        self._in_memory.pop(lesson, None)
        if self.folder is not None:
            forget(self.folder, lesson)

    def _keep(self, lesson: str, done: Done) -> None:
        if self.folder is None:
            self._in_memory[lesson] = done
            return
        words = {"exercises": sorted(done.exercises), "choices": done.choices}
        try:
            write(file_of(self.folder, lesson), (json.dumps(words, indent=1) + "\n").encode())
            self._in_memory.pop(lesson, None)
        except CourseError:
            self._in_memory[lesson] = done


def file_of(folder: Path, lesson: str) -> Path:
    """Return the file that stores the progress in a lesson."""
    return folder / f".progress-{lesson}.json"


def forget(folder: Path, lesson: str) -> None:
    """Remove the stored progress in a lesson; raises CourseError if that is impossible."""
    try:
        file_of(folder, lesson).unlink(missing_ok=True)
    except OSError as error:
        raise CourseError(f"{file_of(folder, lesson)} cannot be removed: {error.strerror}.") from error


def _read(file: Path) -> Done:
    """Read a file of progress; empty if it cannot be read."""
    try:
        words = json.loads(file.read_text(encoding="utf-8"))
        return Done({str(name) for name in words["exercises"]}, {**words["choices"]})
    except (OSError, ValueError, KeyError, TypeError):
        return Done()


def _named_folder() -> Path | None:
    """Return the folder that `coinlib lab` has given to this kernel."""
    named = os.environ.get(FOLDER)
    return Path(named) if named else None


KEPT = Progress(_named_folder())  # of this process
