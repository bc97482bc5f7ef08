"""Talking with a person: questions that are asked until they are answered, and words on the screen."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

NUMBER = re.compile(r"\s*[+-]?[0-9]{1,9}\s*")
GREEN, RED, BOLD = "32", "31", "1"


class Gone(BaseException):
    """The input has ended: nobody is there any more. Not an error, so no agent's mistake."""


def say(words: str = "") -> None:
    """Print words at once, also into a pipe; on a terminal no word is broken at the edge."""
    if is_terminal(sys.stdout):
        width = shutil.get_terminal_size().columns
        words = "\n".join(_fold(line, width) for line in words.split("\n"))
    print(words, flush=True)


def _fold(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)


def is_terminal(stream) -> bool:
    """Whether somebody sees what is printed; a stream that was closed from the start is None."""
    return stream is not None and stream.isatty()


def ask(question: str) -> str:
    """What a person answers.

    Raises
    ------
    Gone
        If the input has ended, or there never was one.
    """
    try:
        return input(question)
    except (EOFError, RuntimeError):  # RuntimeError: started without an input or an output
        say()
        raise Gone from None


def number_in(words: str) -> int | None:
    """The whole number that somebody typed; None for anything else, also for a thousand digits.

    Examples
    --------
    >>> number_in(" 12 "), number_in("-1"), number_in("1e9"), number_in("9" * 1000), number_in("")
    (12, -1, None, None, None)
    """
    return int(words) if NUMBER.fullmatch(words) else None


def ask_number(question: str, least: int, most: int) -> int:
    """A number from `least` to `most`; the question comes again until there is one."""
    while True:
        number = number_in(ask(question))
        if number is not None and least <= number <= most:
            return number
        say(f"Please enter a number between {least} and {most}")


def again(won: Sequence[bool] = ()) -> bool:
    """Whether to play once more; from the second game on the score is said first."""
    if len(won) > 1:
        say(f"You have won {sum(won):,} of {len(won):,} games.")
    return ask_number("Play again (1 = yes, 0 = no)? ", 0, 1) == 1


class Told:
    """A game as far as the people at the table have been told of it.

    Parameters
    ----------
    game : Game
    tell : function (state, state) -> None
        Says what a machine has done between two states.
    choose : function (game, state, who) -> move
        Asks a person for a legal move.
    """

    def __init__(self, game, tell: Callable, choose: Callable) -> None:
        self.state, self.tell, self.choose = game.start, tell, choose

    def person(self, who) -> Callable:
        """An agent that hears what has happened since, and then asks."""

        def agent(game, state):
            self.catch_up(state)
            move = self.choose(game, state, who)
            self.state = game.play(state, move)
            return move

        return agent

    def catch_up(self, state) -> None:
        """Tell of the machine's move, if there was one."""
        if state != self.state:
            self.tell(self.state, state)
            self.state = state


def whole(least: int, most: int = 999_999_999) -> Callable[[str], int]:
    """A type for argparse: a whole number within bounds.

    Examples
    --------
    >>> whole(1)("12")
    12
    >>> whole(0, 100)("101")
    Traceback (most recent call last):
        ...
    argparse.ArgumentTypeError: expected a whole number from 0 to 100, got '101'
    """

    def read(words: str) -> int:
        number = number_in(words)
        if number is None or not least <= number <= most:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {most:,}, got {words[:40]!r}")
        return number

    return read


def old_file(words: str) -> Path:
    """A type for argparse: a file that is there."""
    if not os.path.isfile(words):
        raise argparse.ArgumentTypeError(f"there is no file {words[:60]!r}")
    return Path(words)


def new_file(words: str) -> Path:
    """A type for argparse: a file that can be written, as far as that can be known before.

    Examples
    --------
    >>> new_file("no/such/folder/hats.npz")
    Traceback (most recent call last):
        ...
    argparse.ArgumentTypeError: there is no folder 'no/such/folder'
    """
    folder, name = os.path.split(words)
    if folder and not os.path.isdir(folder):
        raise argparse.ArgumentTypeError(f"there is no folder {folder[:60]!r}")
    if not name or (os.path.exists(words) and not os.path.isfile(words)):
        raise argparse.ArgumentTypeError(f"expected the name of a file, got {words[:60]!r}")
    if not os.access(words if os.path.exists(words) else folder or ".", os.W_OK):
        raise argparse.ArgumentTypeError(f"{words[:60]!r} may not be written")
    return Path(words)


def seed_option(parser: argparse.ArgumentParser) -> None:
    """`--seed`, which every program with chance in it has."""
    parser.add_argument(
        "--seed", type=whole(0), metavar="N", help="the same seed, the same luck (default: new luck each time)"
    )


def in_colour(words: str, colour: str) -> str:
    """The words with a colour, on a terminal that wants colours; otherwise as they are."""
    wanted = is_terminal(sys.stdout) and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return f"\033[{colour}m{words}\033[0m" if wanted else words


@contextmanager
def compiling_is_said() -> Iterator[None]:
    """Inside it the first compilation, if there is one, is announced in one line on a terminal."""
    try:
        from numba.core import event
    except ImportError:
        event = None
    if event is None or not is_terminal(sys.stderr):
        yield
        return

    class Once(event.Listener):
        """Speaks when the first compilation begins."""

        silent = True

        def on_start(self, event) -> None:
            if self.silent:
                print(
                    "Compiling the fast loops; this happens once and takes some seconds.", file=sys.stderr, flush=True
                )
            self.silent = False

        def on_end(self, event) -> None:
            pass

    with event.install_listener("numba:compile", Once()):
        yield


def practised(learner, opponent, **how):
    """The record of `arena.train`; Ctrl-C ends the program, not only the training."""
    from coinlib.arena import train

    with compiling_is_said(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="stopped after")  # which whoever pressed it knows
        run = train(learner, opponent, **how)
    if run.stopped:
        raise KeyboardInterrupt
    return run
