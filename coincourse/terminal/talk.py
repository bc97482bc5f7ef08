"""Printing text for a person, and asking questions until they are answered."""

import os
import re
import shutil

from rich.console import Console
from rich.text import Text

# A state as Python writes it, such as (3, 3, 7).
STATE = re.compile(r"\(\d+(?:, \d+)*,?\)")
# A private-use character that replaces a space where no line may end.
JOINT = "\ue000"


class EndOfInput(SystemExit):
    """The input has ended, or the person leaves: the program exits with status 0."""


# --- words --------------------------------------------------------------------------------------------


def screen(stderr: bool = False) -> Console:
    """Return the console to print on: in colour on a terminal that supports it, plain elsewhere, even in notebooks."""
    colours = None if os.environ.get("NO_COLOR") else "auto"
    # With COLUMNS=0 rich would print nothing; the standard library takes it as 80.
    width = shutil.get_terminal_size().columns
    return Console(color_system=colours, force_jupyter=False, stderr=stderr, markup=False, highlight=False, width=width)


def say(*words: str | tuple[str, str] | Text, end: str = "\n") -> None:
    """Print text, where a pair is (text, style); a terminal gets wrapped lines."""
    _print(screen(), Text.assemble(*words), end)


def complain(words: str) -> None:
    """Print an error to stderr."""
    _print(screen(stderr=True), Text(words), "\n")


def _print(console: Console, text: Text, end: str) -> None:
    if console.is_terminal:
        text = _folded(text, console)
    console.print(text, end=end, soft_wrap=True)


def _folded(text: Text, console: Console) -> Text:
    """Wrap text for a terminal; no line breaks inside a word or a state."""
    whole = text.copy()
    whole.plain = STATE.sub(lambda state: state[0].replace(" ", JOINT), text.plain)
    lines = whole.wrap(console, console.width)
    for line in lines:
        line.plain = line.plain.replace(JOINT, " ")
    return Text("\n").join(lines)


# --- questions ----------------------------------------------------------------------------------------


def ask(question: str) -> str:
    """Ask a person, and return the answer; raises `EndOfInput` if the input has ended."""
    say(question, end="")
    try:
        return input()
    except (EOFError, RuntimeError):  # RuntimeError: standard input is closed
        say()
        raise EndOfInput from None


def ask_number(question: str, least: int, most: int, leave: str = "") -> int:
    """Ask until the answer is a number from `least` to `most`; raises `EndOfInput` if it is `leave`."""
    while True:
        answer = ask(question).strip()
        if leave and answer == leave:
            raise EndOfInput
        # No question needs a longer number, and Python is slow to read one with thousands of digits.
        if answer.isdecimal() and len(answer) < 10 and least <= int(answer) <= most:
            return int(answer)
        say(f"Please enter a number between {least} and {most}")
