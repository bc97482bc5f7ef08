"""The minutes of the lessons, counted as slowly as a student of 16 works through them.

    uv run --group test python docs/minutes.py            # a table of what is counted
    uv run --group test python docs/minutes.py --write    # writes the minutes wherever they are named

The count: 115 words of open text a minute, and folded text at half its length; 9 lines of code a minute; 9
minutes for an exercise, or what its author says in the metadata of the cell, ``{"coinlib": {"exercise":
"settle", "minutes": 12}}`` (the minutes alone for an exercise on paper); 4.5 for a board, a lab, a film or a cell
with sliders; 1.5 for a question with folded answers and for a prediction; 2 for each "Change it", "Test it",
"Break it", "Make your own"; a quarter for each output. It was calibrated on four readers, who put the lessons at
70 to 110 minutes.

Minutes are named in the lessons (their box, their sections, and the break in the middle), in the teacher's
guide, in README.md and in docs/index.md. The page of a lesson in the guide has a timetable of 90 minutes, which
begins with switching on, ends with saving, and has a break. A section with a dash instead of a time has no
minutes in it: its row says what happens instead. Not counted: sections whose title begins with ★, solutions, sources.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass, fields
from functools import cache
from itertools import zip_longest
from pathlib import Path

import nbformat

from coincourse.course.authors import as_text
from coincourse.course.solutions import is_solution

ROOT = Path(__file__).resolve().parent.parent
LESSONS = {path.name[:2]: path for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))}
HEADING = re.compile(r"^## (?P<title>\S.*?)(?: \*\((?:\d+ minutes?)\)\*)?$", re.MULTILINE)
BOX = re.compile(r"(?<=\*\*Time:\*\* )\d+ minutes")
BREAK = re.compile(r"\d+ minutes are behind you, \d+ are ahead")
FOLDED = re.compile(r"<details.*?</details>", re.DOTALL)
CLICKED = re.compile(r"<summary>.*?</summary>", re.DOTALL)  # the line of a folded text that is always seen
# Folded texts one below the other: the answers of one question.
ANSWERS = re.compile(r"(?:<details.*?</details>\s*)+", re.DOTALL)
NO_QUESTION = ("Sources", "What the solution does", "A hint", "Hint")  # what else is folded
TRY = re.compile(r"\*\*(?:Change it|Test it|Break it|Make your own|On paper)\b")
TAG = re.compile(r"<[^>]+>")
EXERCISE = 9  # minutes, unless its author says otherwise
PAUSE = 5  # minutes of break, between the two parts of a lesson
SWITCH_ON, SAVE = 5, 3  # minutes at the start and the end of a lesson
FIRST_TIME = 8, 5  # the same, for the first lesson
LEFT_OUT = "–"  # instead of the time of a section, and of the minutes of a week
TIMETABLE = re.compile(r"(?<=^## Minutes\n\n)(?:\|.*\n)+", re.MULTILINE)


@dataclass
class Count:
    """What takes time in a part of a lesson."""

    words: int = 0
    folded: int = 0  # words
    lines: int = 0
    exercises: float = 0  # minutes
    labs: int = 0
    quizzes: int = 0
    tries: int = 0
    outputs: int = 0

    def __add__(self, other: Count) -> Count:
        sums = [getattr(self, field.name) + getattr(other, field.name) for field in fields(self)]
        return Count(*sums)

    @property
    def minutes(self) -> float:
        """What a student needs."""
        read = (self.words + self.folded / 2) / 115 + self.lines / 9 + self.outputs / 4
        asked = 1.5 * self.quizzes + 2 * self.tries
        return read + asked + self.exercises + 4.5 * self.labs


def counted(cell) -> Count:
    """What takes time in one cell."""
    if is_solution(cell):
        return Count()
    if cell.cell_type == "markdown":
        return _counted_text(cell)
    lines = [line.strip() for line in cell.source.splitlines()]
    noted = cell.metadata.get("coinlib", {})
    exercises = noted.get("minutes", EXERCISE) if "exercise" in noted else 0
    return Count(
        lines=sum(1 for line in lines if line and not line.startswith("#")),
        exercises=exercises,
        labs=int(bool(re.search(r"\b(\w*(Lab|Film)|Board|sliders)\(", cell.source))),
        quizzes=len(re.findall(r"\bPrediction\(", cell.source)),
        outputs=len(cell.outputs),
    )


def _counted_text(cell) -> Count:
    """What takes time in a cell of text."""
    source = cell.source
    asked = [group for group in ANSWERS.findall(source) if not _is_no_question(group)]
    open_text = FOLDED.sub("", source)
    clicked = " ".join(CLICKED.findall(source))
    hidden = "".join(CLICKED.sub("", group) for group in asked)
    return Count(
        words=_words(open_text + clicked),
        folded=_words(hidden),
        exercises=cell.metadata.get("coinlib", {}).get("minutes", 0),  # an exercise on paper
        quizzes=len(asked),
        tries=len(TRY.findall(open_text)),
    )


def _words(html: str) -> int:
    return len(re.findall(r"\w+", TAG.sub("", html)))


def _is_no_question(group: str) -> bool:
    first = TAG.sub("", CLICKED.search(group)[0])
    return first.startswith(NO_QUESTION)


@cache
def sections(number: str) -> dict[str, Count]:
    """The sections of a lesson that are counted, by title; cells above the first one count with it."""
    found: dict[str, Count] = {}
    title = ""
    before = Count()  # the cells above the first section
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
    """The whole minutes of a lesson's sections: at least one each; they add up to the minutes of the lesson.

    Each is rounded down, and the sections that lose most by it get a minute more.
    """
    counted_minutes = {title: count.minutes for title, count in sections(number).items()}
    found = {title: max(1, int(exact)) for title, exact in counted_minutes.items()}
    missing = whole(number) - sum(found.values())
    by_loss = sorted(found, key=lambda title: found[title] - counted_minutes[title])
    for title in by_loss[:missing]:
        found[title] += 1
    return found


def whole(number: str) -> int:
    """The minutes of a lesson, rounded once."""
    return round(sum(count.minutes for count in sections(number).values()))


def parts(number: str) -> list[int]:
    """The minutes of a lesson before its break and after it; all of them if it has no break."""
    last = before_break(number)
    if last is None:
        return [whole(number)]
    known = minutes(number)
    titles = list(known)
    place = titles.index(last) + 1
    before = sum(known[title] for title in titles[:place])
    return [before, sum(known.values()) - before]


def before_break(number: str) -> str | None:
    """The title of the section at whose end a lesson has its break."""
    title = None
    for cell in nbformat.read(LESSONS[number], 4).cells:
        heading = HEADING.search(cell.source) if cell.cell_type == "markdown" else None
        if heading:
            title = heading["title"]
        if "pause" in cell.metadata.get("tags", []):
            return title
    return None


def in_words(number_of: int) -> str:
    """Minutes as a lesson gives them: "1 minute", "12 minutes"."""
    if number_of == 1:
        return "1 minute"
    return f"{number_of} minutes"


# --- writing


def write_lesson(number: str) -> None:
    """The box at the top, and the headings."""
    notebook = nbformat.read(LESSONS[number], 4)
    before_and_after_break = parts(number)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = BOX.sub(in_words(whole(number)), cell.source)
            cell.source = HEADING.sub(lambda heading: _heading(number, heading["title"]), cell.source)
            cell.source = _with_parts(cell.source, before_and_after_break)
    LESSONS[number].write_text(as_text(notebook), encoding="utf-8")


def _with_parts(source: str, known: list[int]) -> str:
    """A text with the minutes before and after the break filled in, if it names them."""
    if len(known) == 2:
        source = BREAK.sub("{} minutes are behind you, {} are ahead".format(*known), source)
    return source


def _heading(number: str, title: str) -> str:
    known = minutes(number).get(title)
    return f"## {title}" if known is None else f"## {title} *({in_words(known)})*"


def write_page(number: str) -> None:
    """The teacher's page of a lesson."""
    page = ROOT / "docs" / "guide" / f"{number}.md"
    text = page.read_text(encoding="utf-8")
    old_table = TIMETABLE.search(text)[0]
    text = text.replace(old_table, timetable(number, old_table))
    lesson_is = r"(?m)(^The lesson is\s\[`notebooks/\S+,\s)\d+ minutes"
    text = re.sub(lesson_is, rf"\g<1>{whole(number)} minutes", text)
    page.write_text(text, encoding="utf-8")


def timetable(number: str, old_table: str) -> str:
    """The table of a lesson's 90 minutes; what the class does and what is left out are kept from the old table."""
    tasks = {}
    left_out = set()
    for line in old_table.splitlines():
        begin, title, _, task = (cell.strip() for cell in line.strip("|").split("|"))
        tasks[title] = task
        if begin == LEFT_OUT:
            left_out.add(title)
    switch_on, save = FIRST_TIME if number == "00" else (SWITCH_ON, SAVE)
    steps = [("**switch on**", switch_on)]
    for title, known in minutes(number).items():
        steps.append((title, known))
        if title == before_break(number):
            steps.append(("**break**", PAUSE))
    steps.append(("**save, hand in**", save))
    rows = ["| from | part of the lesson | minutes | what the class does |", "|---|---|---|---|"]
    clock = 0
    for title, known in steps:
        begin = LEFT_OUT if title in left_out else _hours(clock)
        rows.append(f"| {begin} | {title} | {known} | {tasks.get(title, '')} |".replace("|  |", "| |"))
        if title not in left_out:
            clock += known
    rows.append(f"| {_hours(clock)} | **end** | | |")
    return "\n".join(rows) + "\n"


def _hours(clock: int) -> str:
    """Minutes since the beginning as a clock shows them: 1:05."""
    return f"{clock // 60}:{clock % 60:02}"


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
            cells[2:] = [cell if cell == LEFT_OUT else minutes_of_week for cell in cells[2:]]
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
    row = [0 if cell == LEFT_OUT else int(cell) for cell in cells]
    return [total + number for total, number in zip_longest(sums, row, fillvalue=0)]


def main() -> None:
    """Print the count, or write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lessons", nargs="*", help="numbers of lessons, or paths of copies (default: all lessons)")
    parser.add_argument("--write", action="store_true", help="write the minutes wherever they are named")
    options = parser.parse_args()
    for path in map(Path, options.lessons):
        if path.is_file():
            LESSONS[path.name[:2]] = path
    for number in [Path(lesson).name[:2] for lesson in options.lessons] or LESSONS:
        count = sum(sections(number).values(), Count())
        things = [f"{field.name} {getattr(count, field.name)}" for field in fields(count)]
        print(f"{number}: {whole(number)} minutes, in parts {parts(number)}:", *things)
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
