"""For the teacher: the marking of what students hand in, the sheet and the letters."""

from coincourse.classroom.desk import Desk
from coincourse.classroom.marking import mark
from coincourse.classroom.marks import Marks

__all__ = ["Desk", "Marks", "mark"]
