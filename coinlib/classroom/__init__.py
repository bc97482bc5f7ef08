"""For the teacher: the students' copy of the lessons, and the marking of what comes back."""

from coinlib.classroom.copies import student_copy
from coinlib.classroom.marks import Marks, mark

__all__ = ["Marks", "mark", "student_copy"]
