"""The Game of Sticks as a program: what it asks and prints is compared with the words of the handout."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout

from .engine import ENDLESS, exercise, shown

INITIALLY = "How many sticks are there on the table initially (10-100)? "
TAKE = "How many sticks do you take (1-3)? "
SLOW = (
    f"{ENDLESS} Does it ask with `input`? Hand `ask` on to whatever asks. A bare `except:` catches everything, also the "
    "end of the answers: write `except ValueError:`."
)
LONGEST = 1_000  # lines of a conversation that are kept


class Talk(list):
    """The lines of a conversation, each question with its answer in one line; at the end what a function returned."""

    def __repr__(self) -> str:
        return f"{len(self)} line{'s' * (len(self) != 1)}"


class _Screen(io.TextIOBase):
    """Takes what one thread prints; what others print goes where it went before."""

    def __init__(self) -> None:
        self.words, self.thread, self.behind = [""], threading.get_ident(), sys.stdout

    def write(self, words: str) -> int:
        if threading.get_ident() != self.thread:
            return self.behind.write(words)
        if len(self.words) < LONGEST:
            self.words.append(words)
        return len(words)


def conversation(function: Callable, arguments: Sequence, answers: Sequence[str]) -> tuple[list[str], object]:
    """What is asked and printed while somebody gives these answers, line by line; and what the function returns.

    Examples
    --------
    >>> conversation(lambda name, ask: print("Hello", ask(f"{name}? ")), ["You"], ["Ada"])
    (['You? Ada', 'Hello Ada'], None)
    """
    screen, left = _Screen(), list(answers)

    def ask(question: str = "") -> str:
        if not left:
            raise EOFError("it asks once more, and all answers have been given")
        screen.write(f"{question}{left[0]}\n")
        return left.pop(0)

    with redirect_stdout(screen):
        returned = function(*arguments, ask)
    return "".join(screen.words).splitlines(), returned


def difference(found: Talk, wanted: Talk) -> str:
    """The first line that is not as in the handout; "" if there is none."""
    for number, line in enumerate(wanted, 1):
        if len(found) < number:
            return f"Then line {number} is missing: {shown(line)}."
        if found[number - 1] != line:
            return f"Line {number} is {shown(found[number - 1])}; expected {shown(line)}."
    return f"Line {len(wanted) + 1} is one too many: {shown(found[len(wanted)])}." if len(found) > len(wanted) else ""


# --- the question that is asked until it is answered --------------------------------------------------------------


def _asked(function: Callable, question: str, least: int, most: int, answers: Sequence[str]) -> Talk:
    lines, returned = conversation(function, (question, least, most), answers)
    return Talk([*lines, f"(returned {shown(returned)})"])


@exercise(
    cases=[(TAKE, 1, 3, [answer]) for answer in "213"]
    + [(TAKE, 1, 3, ["55", "3"]), (INITIALLY, 10, 100, ["500", "3", "50"])]
    + [(INITIALLY, 10, 100, ["9", "101", "10"]), (INITIALLY, 10, 100, ["0", "-20", "100"])]
    + [(TAKE, 1, 3, ["three", "", "2.5", "1"]), (TAKE, 1, 3, ["3-1", "len('abc')", "3"])],
    given=lambda question, least, most, answers: f"least {least}, most {most} and the answers {answers}",
    praise="with the words of the handout, for numbers, words and empty answers",
    run=_asked,
    accept=lambda answer, *arguments: difference(answer, _asked(ask_number.reference, *arguments)),
    made="wrote",
    slow=SLOW,
)
def ask_number(
    question, least, most, ask=input, *, read=int, fits=lambda number, least, most: least <= number <= most, times=99
):
    """Ask until the answer is a whole number from `least` to `most`, and return it."""
    for _ in range(times):
        try:
            number = read(ask(question))
            if fits(number, least, most):
                return number
        except ValueError:
            pass
        print(f"Please enter a number between {least} and {most}")
    return read(ask(question))


ask_number.slip(
    "The smallest and the largest number may be chosen, too.", fits=lambda number, least, most: least < number < most
)
ask_number.slip("It refuses once only. The next answer may be wrong as well: use a loop.", times=1)
ask_number.slip("Too few or too many must be refused.", fits=lambda number, least, most: True)
ask_number.slip("A number below the smallest must be refused, too.", fits=lambda number, least, most: number <= most)


RUN = {"3-1": 2, "len('abc')": 3}  # what `eval` makes of answers in the cases
ask_number.slip(
    "`eval` runs whatever somebody types. Use `int`, which reads a number and nothing else.",
    read=lambda words: RUN[words] if words in RUN else int(words),
)


@ask_number.mistake("An answer may be no number at all. Then `int` raises a ValueError: catch it, and ask again.")
def numbers_only(question, least, most, ask=input):
    number = int(ask(question))
    while not least <= number <= most:
        print(f"Please enter a number between {least} and {most}")
        number = int(ask(question))
    return number


# --- a person against a person ------------------------------------------------------------------------------------


def _played(function: Callable, answers: Sequence[str]) -> Talk:
    return Talk(conversation(function, (), answers)[0])


def on_board(left: int) -> str:
    return f"There {'is' if left == 1 else 'are'} {left} stick{'s' * (left != 1)} on the board."


@exercise(
    cases=[
        (["10", "3", "3", "3", "1"],),  # the handout's first example
        (["10", "3", "3", "2", "1", "1"],),
        (["10", "3", "3", "2", "3"],),
        (["500", "3", "50", "3", "55", "3"] + ["3"] * 13 + ["2", "1", "1", "1"],),  # its second one
        (["ten", "12", "0", "1", "1", "4", "", "2", "3", "3", "1", "1"],),
    ],
    given=lambda answers: f"the answers {', '.join(answers)}" if "" not in answers else f"the answers {answers}",
    praise="line by line as in the handout",
    run=_played,
    accept=lambda answer, answers: difference(answer, _played(two_players.reference, answers)),
    made="wrote",
    slow=SLOW,
)
def two_players(
    ask=input,
    *,
    board=on_board,
    read=ask_number.reference,
    loser=lambda player: player,
    turn=lambda player: 3 - player,
    space="\n",
):
    """The Game of Sticks (misère play) for two people: who takes the last stick loses."""
    print("Welcome to the game of sticks!")
    left, player = ask_number.reference(INITIALLY, 10, 100, ask), 1
    while left > 0:
        print(f"{space}{board(left)}")
        left -= read(f"Player {player}: {TAKE}", 1, 3, ask)
        if left <= 0:  # whoever takes more than there are takes all
            print(f"Player {loser(player)}, you lose.")
        player = turn(player)


two_players.slip("This is misère play: who takes the last stick loses.", loser=lambda player: 3 - player)
two_players.slip("In the handout an empty line stands before each turn: print() writes one.", space="")
two_players.slip(
    "With one stick the handout says: There is 1 stick on the board.",
    board=lambda left: f"There are {left} sticks on the board.",
)
two_players.slip(
    "Refuse a bad answer, and ask the same player again: `ask_number` does both.",
    read=lambda question, least, most, ask: int(ask(question)),
)
two_players.slip("The players take turns: after player 1 comes player 2.", turn=lambda player: player)
