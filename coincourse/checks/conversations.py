"""Exercises that ask and print: the conversation is compared with the words of the handout, line by line."""

import io
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout

from .engine import ENDLESS, Wrong, shown

INITIALLY = "How many sticks are there on the table initially (10-100)? "
TAKE = "How many sticks do you take (1-3)? "
LONGEST = 10_000  # characters of a conversation that are kept


def on_board(left: int) -> str:
    """The line that says how many sticks there are.

    Examples
    --------
    >>> on_board(1), on_board(4)
    ('There is 1 stick on the board.', 'There are 4 sticks on the board.')
    """
    noun = "is 1 stick" if left == 1 else f"are {left} sticks"
    return f"There {noun} on the board."


class Talk(list):
    """The lines of a conversation, each question with its answer in one line; at the end what a function returned."""

    def __repr__(self) -> str:
        return "1 line" if len(self) == 1 else f"{len(self)} lines"


class AllGiven(EOFError):
    """A program asks again when all answers have been given."""


def conversation(function: Callable, arguments: Sequence, answers: Sequence[str]) -> tuple[Talk, object]:
    """What is asked and printed while somebody gives these answers, line by line; and what the function returns.

    Examples
    --------
    >>> talk, returned = conversation(lambda name, ask: print("Hello", ask(f"{name}? ")), ["You"], ["Ada"])
    >>> list(talk), returned
    (['You? Ada', 'Hello Ada'], None)
    """
    screen = _Screen()
    waiting = list(answers)

    def ask(question: str = "") -> str:
        if not waiting:
            raise AllGiven
        answer = waiting.pop(0)
        screen.write(f"{question}{answer}\n")
        return answer

    try:
        with redirect_stdout(screen):
            returned = function(*arguments, ask)
    except AllGiven:
        raise Wrong("your function asks once more when all answers have been given.") from None
    return Talk(screen.getvalue().splitlines()), returned


class _Screen(io.StringIO):
    """Takes what one thread prints; what others print goes where it went before."""

    def __init__(self) -> None:
        super().__init__()
        self.thread = threading.get_ident()
        self.behind = sys.stdout

    def write(self, words: str) -> int:
        if threading.get_ident() != self.thread:
            return self.behind.write(words)
        return super().write(words) if self.tell() < LONGEST else len(words)


def difference(found: Talk, wanted: Talk, *arguments) -> str:
    """The first line that is not as in the handout; "" if there is none."""
    for number, line in enumerate(wanted, 1):
        if len(found) < number:
            return f"Then line {number} is missing: {shown(line)}."
        if found[number - 1] != line:
            return f"Line {number} is {shown(found[number - 1])}; expected {shown(line)}."
    if len(found) > len(wanted):
        return f"Line {len(wanted) + 1} is one too many: {shown(found[len(wanted)])}."
    return ""


# How an exercise is tried that asks and prints
IN_WORDS = {
    "accept": difference,
    "made": "wrote",
    "slow": f"{ENDLESS} Does it ask with `input`? Hand `ask` on to whatever asks. A bare `except:` catches everything, "
    "also the end of the answers: write `except ValueError:`.",
}
