"""The minutes of the lessons, counted: 130 words a minute, 6 s a line of code, some minutes for each task.

    uv run --group test python docs/minutes.py            # a table of what is counted
    uv run --group test python docs/minutes.py --write    # writes it wherever minutes stand

Minutes stand in the lessons (their box and their sections), in the teacher's guide, in README.md and in
docs/index.md. Sections whose title begins with ★ are not counted, nor are solutions and folded answers.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass, fields
from functools import cache
from itertools import zip_longest
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
LESSONS = {path.name[:2]: path for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))}
HEADING = re.compile(r"^## (?P<title>\S.*?)(?: \*\((?:\d+ minutes?)\)\*)?$", re.MULTILINE)
BOX = re.compile(r"(?<=\*\*Time:\*\* )\d+ minutes")
FOLDED = re.compile(r"<details.*?</details>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")


@dataclass
class Count:
    """What takes time in a part of a lesson."""

    words: int = 0
    lines: int = 0
    exercises: int = 0
    labs: int = 0
    quizzes: int = 0

    def __add__(self, other: Count) -> Count:
        sums = [getattr(self, field.name) + getattr(other, field.name) for field in fields(self)]
        return Count(*sums)

    @property
    def minutes(self) -> float:
        """5 minutes for an exercise, 3 for a lab, half a minute for a question."""
        return self.words / 130 + self.lines / 10 + 5 * self.exercises + 3 * self.labs + self.quizzes / 2


def counted(cell) -> Count:
    """What takes time in one cell."""
    if "solution" in cell.metadata.get("tags", []):
        return Count()
    if cell.cell_type == "markdown":
        words = re.findall(r"\w+", TAG.sub("", FOLDED.sub("", cell.source)))
        return Count(words=len(words), quizzes=int("<details" in cell.source))
    lines = [line.strip() for line in cell.source.splitlines()]
    return Count(
        lines=sum(1 for line in lines if line and not line.startswith("#")),
        exercises=int("exercise" in cell.metadata.get("coinlib", {})),
        labs=int(bool(re.search(r"\b(\w*(Lab|Film)|Board)\(", cell.source))),
        quizzes=len(re.findall(r"\bPrediction\(", cell.source)),
    )


@cache
def sections(number: str) -> dict[str, Count]:
    """The sections of a lesson that are counted, by title; what stands above the first one counts with it."""
    found: dict[str, Count] = {}
    title = ""
    before = Count()  # what stands above the first section
    for cell in nbformat.read(LESSONS[number], 4).cells:
        heading = HEADING.search(cell.source) if cell.cell_type == "markdown" else None
        if heading:
            title = heading["title"]
            found[title] = before
            before = Count()
        if title:
            found[title] += counted(cell)
        else:
            before += counted(cell)
    return {title: count for title, count in found.items() if not title.startswith("★")}


def minutes(number: str) -> dict[str, int]:
    """The whole minutes of the sections of a lesson: at least one each."""
    return {title: max(1, round(count.minutes)) for title, count in sections(number).items()}


def whole(number: str) -> int:
    """The minutes of a lesson: those of its sections together."""
    return sum(minutes(number).values())


def in_words(number_of: int) -> str:
    """Minutes as a lesson says them: "1 minute", "12 minutes"."""
    if number_of == 1:
        return "1 minute"
    return f"{number_of} minutes"


# --- writing


def write_lesson(number: str) -> None:
    """The box at the top, and the headings."""
    notebook = nbformat.read(LESSONS[number], 4)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = BOX.sub(in_words(whole(number)), cell.source)
            cell.source = HEADING.sub(lambda heading: _heading(number, heading["title"]), cell.source)
    nbformat.write(notebook, LESSONS[number])


def _heading(number: str, title: str) -> str:
    known = minutes(number).get(title)
    return f"## {title}" if known is None else f"## {title} *({in_words(known)})*"


def write_page(number: str) -> None:
    """The teacher's page of a lesson."""
    page = ROOT / "docs" / "guide" / f"{number}.md"
    text = page.read_text(encoding="utf-8")
    for title, known in minutes(number).items():
        text = re.sub(rf"(?m)^(\| {re.escape(title)} \|) \d+ \|", rf"\g<1> {known} |", text)
    text = re.sub(r"(?m)^\| together \| \d+ \|", f"| together | {whole(number)} |", text)
    lesson_is = r"(?m)(^The lesson is\s\[`notebooks/\S+,\s)\d+ minutes"
    text = re.sub(lesson_is, rf"\g<1>{whole(number)} minutes", text)
    page.write_text(text, encoding="utf-8")


def write_maps() -> None:
    """The tables of lessons in README.md and docs/index.md."""
    for page in (ROOT / "README.md", ROOT / "docs" / "index.md"):
        text = page.read_text(encoding="utf-8")
        for number, path in LESSONS.items():
            text = re.sub(rf"(?m)({re.escape(path.name)}\)) \| \d+ \|", rf"\1 | {whole(number)} |", text)
        page.write_text(text, encoding="utf-8")


def planned(lesson: str, section: str) -> int | None:
    """The minutes of a session in a plan: "whole lesson", or "§" and the number and title of a section.

    None if the session is of no lesson, or the lesson has no such section.
    """
    if not lesson:
        return None
    if section == "whole lesson":
        return whole(lesson)
    return minutes(lesson).get(section.removeprefix("§").replace(" ", " · ", 1))


NO_MINUTES = "–"  # in the table of a term


def write_plans() -> None:
    """The tables of plans: the minutes of sessions, of the weeks of a term, and the sums below them."""
    page = ROOT / "docs" / "guide" / "plans.md"
    lines = []
    sums: list[int] = []  # of the columns of minutes in the table that is being read
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        is_session = len(cells) == 4 and cells[2].isdigit()
        is_week = len(cells) > 4 and cells[0].isdigit()
        if is_session:
            cells[2] = str(planned(cells[0], cells[1]) or cells[2])
            sums = _with_row(sums, cells[2:3])
        elif is_week:
            minutes_of_week = str(whole(cells[1]))
            cells[2:] = [cell if cell == NO_MINUTES else minutes_of_week for cell in cells[2:]]
            sums = _with_row(sums, cells[2:])
        elif "**together**" in cells:
            cells[2 : 2 + len(sums)] = [f"**{total}**" for total in sums]
            sums = []
        if cells and "---" not in line:
            line = "| " + " | ".join(cells) + " |"
        lines.append(line)
    page.write_text("\n".join(lines).replace("|  |", "| |") + "\n", encoding="utf-8")


def _with_row(sums: list[int], cells: list[str]) -> list[int]:
    """The sums of columns after one more row."""
    row = [0 if cell == NO_MINUTES else int(cell) for cell in cells]
    return [total + number for total, number in zip_longest(sums, row, fillvalue=0)]


def main() -> None:
    """Show the count, or write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lessons", nargs="*", help="numbers of lessons; all of them, if none is named")
    parser.add_argument("--write", action="store_true", help="write the minutes wherever they stand")
    options = parser.parse_args()
    for number in options.lessons or LESSONS:
        count = sum(sections(number).values(), Count())
        things = [f"{field.name} {getattr(count, field.name)}" for field in fields(count)]
        print(f"{number}: {whole(number)} minutes", *things)
        if options.lessons:
            for title, part in sections(number).items():
                print(f"    {part.minutes:5.1f}  {title}")
        if options.write:
            write_lesson(number)
            write_page(number)
    if options.write:
        write_maps()
        write_plans()


if __name__ == "__main__":
    main()
