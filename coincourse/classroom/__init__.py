"""For the teacher: the students' copy of the lessons, and the marking of what comes back."""

from coincourse.classroom.copies import student_copy
from coincourse.classroom.desk import Desk
from coincourse.classroom.marking import mark
from coincourse.classroom.marks import Marks
from coincourse.classroom.running import Limits

__all__ = ["Desk", "Limits", "Marks", "mark", "student_copy"]
