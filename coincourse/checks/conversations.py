"""Exercises that ask and print: the conversation is compared with the handout, line by line."""

from collections.abc import Callable, Sequence

from coinlib.arguments import counted

from .judging import CALLED_INPUT_NOT_ASK, ENDLESS, Wrong, lacks_keyboard, shown
from .screens import Screen, printing_on

INITIALLY = "How many sticks are there on the table initially (10-100)? "
TAKE = "How many sticks do you take (1-3)? "
LONGEST_TALK = 10_000  # the most characters of a conversation to keep
ASKS_ONCE_MORE = "(asks again, though all answers have been given)"


class NoMoreAnswers(Exception):
    """A function asks again after all answers have been given."""


def on_board(left: int) -> str:
    """The line that says how many sticks there are.

    Examples
    --------
    >>> on_board(1), on_board(4)
    ('There is 1 stick on the board.', 'There are 4 sticks on the board.')
    """
    noun = "is 1 stick" if left == 1 else f"are {left} sticks"
    return f"There {noun} on the board."


def conversation(function: Callable, arguments: Sequence, answers: Sequence[str]) -> tuple[list[str], object]:
    """What a function asks and prints if it gets these answers; and what it returns.

    Each question is on one line with its answer.

    Examples
    --------
    >>> talk, returned = conversation(lambda name, ask: print("Hello", ask(f"{name}? ")), ["You"], ["Ada"])
    >>> talk, returned
    (['You? Ada', 'Hello Ada'], None)
    """
    screen = Screen(LONGEST_TALK)
    waiting = list(answers)

    def ask(question: str = "") -> str:
        if not waiting:
            raise NoMoreAnswers
        answer = waiting.pop(0)
        screen.write(f"{question}{answer}\n")
        return answer

    try:
        with printing_on(screen):
            returned = function(*arguments, ask)
    except NoMoreAnswers:
        return [*screen.kept.splitlines(), ASKS_ONCE_MORE], None
    except Exception as error:
        if lacks_keyboard(error):
            raise Wrong(CALLED_INPUT_NOT_ASK) from error
        raise
    return screen.kept.splitlines(), returned


def difference(found: list[str], wanted: list[str], *arguments) -> str:
    """The first line that differs from the handout; empty if there is none."""
    for number, line in enumerate(wanted, 1):
        if len(found) < number:
            return f"Then line {number} is missing: {shown(line)}."
        if found[number - 1] != line:
            return f"Line {number} is {shown(found[number - 1])}; expected {shown(line)}."
    if len(found) > len(wanted):
        return f"Line {len(wanted) + 1} is one too many: {shown(found[len(wanted)])}."
    return ""


def length_in_words(talk: list[str]) -> str:
    """The length of a conversation: what follows "your function wrote"."""
    return counted(len(talk), "line")


# How exercises that ask and print are tried
IN_WORDS = {
    "accept": difference,
    "answer_in_words": length_in_words,
    "made": "wrote",
    "slow": f"{ENDLESS} (A bare `except:` also catches the end of the answers: write `except ValueError:`.)",
}
