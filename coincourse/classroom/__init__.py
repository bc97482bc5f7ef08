"""For the teacher: the students' copy of the lessons, and the marking of what comes back."""

from coincourse.classroom.copies import student_copy
from coincourse.classroom.desk import Desk
from coincourse.classroom.marking import mark
from coincourse.classroom.marks import Marks

__all__ = ["Desk", "Marks", "mark", "student_copy"]
