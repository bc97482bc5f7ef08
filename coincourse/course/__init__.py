"""Opening the course: its folders, the students' copies of the lessons, JupyterLab, and commands for authors.

A student works on copies in `my-notebooks/`, which git ignores. A note there records what was handed
out, so that a new version of a lesson replaces a copy only if the student has written nothing in it.
"""

import types

from .authors import alternative_text, as_text, execute, exercise_of_stub, run, selected_notebooks, tidy
from .copies import fingerprint, folder_of_copies, hand_out, own_folder, reset, student_copy
from .jupyter import compile_ahead, lab_command, lab_environment, open_lab
from .places import CourseError, data, find_lesson, home, notebooks, originals, own_home, write
from .solutions import in_place, is_solution, solutions, solved

__all__ = [name for name, thing in vars().items() if name[0] != "_" and not isinstance(thing, types.ModuleType)]
