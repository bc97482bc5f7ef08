"""What a student has done in each lesson; only the student sees it, and no marking reads it.

`coinlib lab` tells the kernels the folder of the copies; a hidden file there for each lesson stores what was
done. If no folder is given (in an author's lesson, in a test, in a marking), it is remembered as long as the
kernel runs, and no file is read or written.
"""

from __future__ import annotations

import json
import os
import weakref
from dataclasses import dataclass, field
from pathlib import Path

from coincourse.course.places import CourseError, write

FOLDER = "COINLIB_PROGRESS"  # a variable of the environment


@dataclass
class Done:
    """What was done in one lesson.

    Attributes
    ----------
    exercises : set of str
        The names of those that were right once; a later mistake removes none.
    choices : dict of str to int
        For each prediction, the number of the answer that was chosen first, from 0.
    """

    exercises: set[str] = field(default_factory=set)
    choices: dict[str, int] = field(default_factory=dict)


class Progress:
    """What is done, stored in a folder, or in memory if there is none or it cannot be written.

    A lesson is named after its file, without the number: "hats".

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Progress(Path(folder)).note_right("hats", "settle")
    ...     Progress(Path(folder)).of("hats")
    Done(exercises={'settle'}, choices={})
    >>> in_memory = Progress(None)
    >>> in_memory.note_right("hats", "settle")
    >>> in_memory.of("hats"), Progress(None).of("hats")
    (Done(exercises={'settle'}, choices={}), Done(exercises=set(), choices={}))
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.followers = weakref.WeakSet()  # scores that are counted again after each exercise
        self._in_memory: dict[str, Done] = {}

    def of(self, lesson: str) -> Done:
        """What is done in a lesson."""
        if lesson in self._in_memory:
            return self._in_memory[lesson]
        return Done() if self.folder is None else _read(file_of(self.folder, lesson))

    def note_right(self, lesson: str, exercise: str) -> None:
        """Note that an exercise is right."""
        done = self.of(lesson)
        if exercise in done.exercises:
            return
        done.exercises.add(exercise)
        self._keep(lesson, done)
        for lab in list(self.followers):
            lab.count_again()

    def note_choice(self, lesson: str, question: str, place: int) -> None:
        """Note which answer to a prediction was chosen first; without a folder, `Answers` keeps it."""
        done = self.of(lesson)
        if self.folder is not None and question not in done.choices:
            done.choices[question] = place
            self._keep(lesson, done)

    def forget(self, lesson: str) -> None:
        """Forget what was done in a lesson."""
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
    """The file that stores what is done in a lesson."""
    return folder / f".progress-{lesson}.json"


def forget(folder: Path, lesson: str) -> None:
    """Remove what a folder stores about a lesson; CourseError if that is impossible."""
    try:
        file_of(folder, lesson).unlink(missing_ok=True)
    except OSError as error:
        raise CourseError(f"{file_of(folder, lesson)} cannot be removed: {error.strerror}.") from error


def _read(file: Path) -> Done:
    """What a file stores; nothing if it cannot be read."""
    try:
        words = json.loads(file.read_text(encoding="utf-8"))
        return Done({str(name) for name in words["exercises"]}, {**words["choices"]})
    except (OSError, ValueError, KeyError, TypeError):
        return Done()


def _named_folder() -> Path | None:
    """The folder that `coinlib lab` has given to this kernel."""
    named = os.environ.get(FOLDER)
    return Path(named) if named else None


KEPT = Progress(_named_folder())  # of this process
