"""The Game of Sticks as a program: what it asks and prints is compared with the words of the handout."""

from collections.abc import Callable, Sequence

from coinlib.arguments import counted

from .engine import ENDLESS, Wrong, exercise, shown
from .screens import CalledInput, Screen, printing_on

INITIALLY = "How many sticks are there on the table initially (10-100)? "
TAKE = "How many sticks do you take (1-3)? "
LONGEST_TALK = 10_000  # characters of a conversation that are kept


def conversation(function: Callable, arguments: Sequence, answers: Sequence[str]) -> tuple[list[str], object]:
    """What is asked and printed while somebody gives these answers, line by line; and what the function returns.

    Each question stands in one line with its answer.

    Examples
    --------
    >>> talk, returned = conversation(lambda name, ask: print("Hello", ask(f"{name}? ")), ["You"], ["Ada"])
    >>> talk, returned
    (['You? Ada', 'Hello Ada'], None)
    """
    screen = Screen(LONGEST_TALK)
    left = list(answers)

    def ask(question: str = "") -> str:
        if not left:
            raise EOFError("it asks once more, and all answers have been given")
        screen.write(f"{question}{left[0]}\n")
        return left.pop(0)

    try:
        with printing_on(screen):
            returned = function(*arguments, ask)
    except CalledInput as error:
        raise Wrong(CALLED_INPUT) from error
    return screen.getvalue().splitlines(), returned


CALLED_INPUT = (
    "your function called `input`, and nobody types while it is checked. It is given `ask`: call that in its place, "
    "and hand it on to every function that asks."
)


def difference(found: list[str], wanted: list[str], *arguments) -> str:
    """The first line that is not as in the handout; "" if there is none."""
    for number, line in enumerate(wanted, 1):
        if len(found) < number:
            return f"Then line {number} is missing: {shown(line)}."
        if found[number - 1] != line:
            return f"Line {number} is {shown(found[number - 1])}; expected {shown(line)}."
    if len(found) > len(wanted):
        return f"Line {len(wanted) + 1} is one too many: {shown(found[len(wanted)])}."
    return ""


def length_in_words(talk: list[str]) -> str:
    """How long a conversation is, to stand after "your function wrote"."""
    return counted(len(talk), "line")


IN_WORDS = {  # how an exercise is tried that asks and prints
    "accept": difference,
    "answer_in_words": length_in_words,
    "made": "wrote",
    "slow": f"{ENDLESS} A bare `except:` catches everything, also the end of the answers: write `except ValueError:`.",
}


# --- the question that is asked until it is answered --------------------------------------------------------------


def _asked(function: Callable, question: str, least: int, most: int, answers: Sequence[str]) -> list[str]:
    talk, returned = conversation(function, (question, least, most), answers)
    return [*talk, f"(returned {shown(returned)})"]


@exercise(
    cases=[(TAKE, 1, 3, [answer]) for answer in "213"]
    + [(TAKE, 1, 3, ["55", "3"]), (INITIALLY, 10, 100, ["500", "3", "50"])]
    + [(INITIALLY, 10, 100, ["9", "101", "10"]), (INITIALLY, 10, 100, ["0", "-20", "100"])]
    + [(TAKE, 1, 3, ["three", "", "2.5", "1"]), (TAKE, 1, 3, ["3-1", "len('abc')", "3"])],
    given="least {1}, most {2} and the answers {3}",
    praise="with the words of the handout, for numbers, words and empty answers",
    run=_asked,
    **IN_WORDS,
)
def ask_number(question, least, most, ask=input, *, ends=0, caught=ValueError):
    """Ask until the answer is a whole number from `least` to `most`, and return it."""
    while True:
        try:
            answer = int(ask(question))
            if least + ends <= answer <= most - ends:
                return answer
        except caught:
            pass
        print(f"Please enter a number between {least} and {most}")


ask_number.slip("The smallest and the largest number may be chosen, too.", ends=1)


ask_number.slip("An answer may be no number. Then `int` raises a ValueError: catch it, and ask again.", caught=())


# --- a person against a person ------------------------------------------------------------------------------------


def on_board(left: int) -> str:
    """The line that says how many sticks there are."""
    return f"There {'is' if left == 1 else 'are'} {left} stick{'s' * (left != 1)} on the board."


@exercise(
    cases=[
        (["10", "3", "3", "3", "1"],),  # the handout's first example
        (["10", "3", "3", "2", "1", "1"],),
        (["10", "3", "3", "2", "3"],),
        (["500", "3", "50", "3", "55", "3"] + ["3"] * 13 + ["2", "1", "1", "1"],),  # its second one
        (["ten", "12", "0", "1", "1", "4", "", "2", "3", "3", "1", "1"],),
    ],
    given="the answers {}",
    praise="line by line as in the handout",
    run=lambda function, answers: conversation(function, (), answers)[0],
    **IN_WORDS,
)
def two_players(ask=input, *, loser=0, too_many=True):
    """The Game of Sticks (misère play) for two people: who takes the last stick loses."""
    print("Welcome to the game of sticks!")
    left, turn = ask_number.reference(INITIALLY, 10, 100, ask), 0
    while left > 0:
        print(f"\n{on_board(left)}")
        left -= ask_number.reference(f"Player {turn % 2 + 1}: {TAKE}", 1, 3 if too_many else min(3, left), ask)
        turn += 1
    print(f"Player {(turn - 1 + loser) % 2 + 1}, you lose.")


two_players.slip("This is misère play: who takes the last stick loses.", loser=1)
two_players.slip("More sticks than there are may be named, too: that takes them all.", too_many=False)
