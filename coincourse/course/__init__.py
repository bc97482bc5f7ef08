"""Opening the course: where it lies, the students' copies of the lessons, JupyterLab, and what authors run.

A student works on copies in `my-notebooks/`, which git does not see. What was handed out is noted
there, so that a later version of a lesson replaces a copy only where the student has written nothing.
"""

from .authors import alternative_text, as_text, execute, exercise_of_stub, meant, run, tidy
from .copies import fingerprint, folder_of_copies, hand_out, own_folder, reset, student_copy
from .jupyter import compile_ahead, lab_command, lab_environment, open_lab
from .places import CourseError, data, find_lesson, home, notebooks, originals, own_home, write
from .solutions import in_place, is_solution, solutions, solved

# The reference of the web book describes these names.
__all__ = [
    "CourseError",
    "alternative_text",
    "as_text",
    "compile_ahead",
    "data",
    "execute",
    "exercise_of_stub",
    "find_lesson",
    "fingerprint",
    "folder_of_copies",
    "hand_out",
    "home",
    "in_place",
    "is_solution",
    "lab_command",
    "lab_environment",
    "meant",
    "notebooks",
    "open_lab",
    "originals",
    "own_folder",
    "own_home",
    "reset",
    "run",
    "solutions",
    "solved",
    "student_copy",
    "tidy",
    "write",
]
