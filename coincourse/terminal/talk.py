"""Talking with a person: words on the screen, and questions that are asked until they are answered."""

import os
import re
import shutil

from rich.console import Console
from rich.text import Text

# A state as Python writes it, such as (3, 3, 7).
STATE = re.compile(r"\(\d+(?:, \d+)*,?\)")
# A letter of private use, in the place of a space at which no line may end.
JOINT = "\ue000"


class Gone(SystemExit):
    """The input has ended, so the program ends, with status 0."""


# --- words --------------------------------------------------------------------------------------------


def screen(stderr: bool = False) -> Console:
    """Where words appear: in colour on a terminal that wants it, plain elsewhere, in notebooks too."""
    colours = None if os.environ.get("NO_COLOR") else "auto"
    # In a width of 0, as COLUMNS=0 asks for, rich prints nothing; for the standard library that means 80.
    width = shutil.get_terminal_size().columns
    return Console(color_system=colours, force_jupyter=False, stderr=stderr, markup=False, highlight=False, width=width)


def say(*words: str | tuple[str, str] | Text, end: str = "\n") -> None:
    """Print words at once, those in a pair in the style beside them; a terminal's edge begins a new line."""
    _print(screen(), Text.assemble(*words), end)


def complain(words: str) -> None:
    """Say what is wrong, where errors go."""
    _print(screen(stderr=True), Text(words), "\n")


def _print(console: Console, text: Text, end: str) -> None:
    if console.is_terminal:
        text = _folded(text, console)
    console.print(text, end=end, soft_wrap=True)


def _folded(text: Text, console: Console) -> Text:
    """Text in lines that fit on a terminal; no line ends in the middle of a word or of a state."""
    whole = text.copy()
    whole.plain = STATE.sub(lambda state: state[0].replace(" ", JOINT), text.plain)
    lines = whole.wrap(console, console.width)
    for line in lines:
        line.plain = line.plain.replace(JOINT, " ")
    return Text("\n").join(lines)


# --- questions ----------------------------------------------------------------------------------------


def ask(question: str) -> str:
    """What a person answers to a question; `Gone` if the input has ended."""
    say(question, end="")
    try:
        return input()
    except EOFError:
        say()
        raise Gone from None


def ask_number(question: str, least: int, most: int, leave: str = "") -> int:
    """A number from `least` to `most`; the question comes again until the answer is one, or `leave`: then `Gone`."""
    while True:
        answer = ask(question).strip()
        if leave and answer == leave:
            raise Gone
        # A longer number is none that is asked for, and Python takes long to read one of thousands of digits.
        if answer.isdecimal() and len(answer) < 10 and least <= int(answer) <= most:
            return int(answer)
        say(f"Please enter a number between {least} and {most}")
