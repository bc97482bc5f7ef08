"""Talking with a person: words on the screen, questions that are asked until they are answered, pages of help."""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from rich.console import Console
from rich.text import Text

from coinlib.arena import AgentWarning
from coinlib.files import whole_file


class Gone(SystemExit):
    """The input has ended: nobody is there any more, and the program ends well."""


# --- words --------------------------------------------------------------------------------------------


class Screen(Console):
    """Where words appear: folded and in colour on a terminal that wants it, as they are elsewhere, in notebooks too."""

    def __init__(self, stderr: bool = False) -> None:
        colours = None if os.environ.get("NO_COLOR") else "auto"
        super().__init__(color_system=colours, force_jupyter=False, stderr=stderr, markup=False, highlight=False)

    def on_broken_pipe(self) -> None:
        """Nobody reads any more: the command ends, and not Python."""
        raise BrokenPipeError


def say(*words: str | tuple[str, str] | Text, end: str = "\n") -> None:
    """Print words at once, those in a pair in the style beside them; words move to a new line at the edge of a terminal."""
    screen = Screen()
    screen.print(Text.assemble(*words), end=end, soft_wrap=not screen.is_terminal)


def is_terminal(stream) -> bool:
    """Whether somebody sees what is printed."""
    return stream.isatty()


# --- questions ----------------------------------------------------------------------------------------


def ask(question: str) -> str:
    """What a person answers to a question; `Gone` if the input has ended."""
    say(question, end="")
    try:
        return input()
    except EOFError:
        say()
        raise Gone from None


def ask_number(question: str, least: int, most: int) -> int:
    """A number from `least` to `most`; the question comes again until the answer is one."""
    while True:
        try:
            return whole(least, most)(ask(question))
        except argparse.ArgumentTypeError:
            say(f"Please enter a number between {least} and {most}")


# --- what is typed after a command --------------------------------------------------------------------


Wanted = argparse.Namespace  # what was typed, by the names of the options


class Page(argparse.ArgumentParser):
    """The words that may follow a command; a mistake among them is one line."""

    def __init__(self, **how) -> None:
        super().__init__(formatter_class=_Paragraphs, **how)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end."""
        self.exit(2, f"{self.prog}: {message} (`{self.prog} --help` lists what may stand here)\n")

    def switch(self, name: str, words: str) -> None:
        """Add an option that is given or not."""
        self.add_argument(name, action="store_true", help=words)

    def number(self, name: str, words: str, default=None, least=1, most=999_999_999, metavar="N") -> None:
        """Add an option that is a whole number; its help ends with the default, where there is one."""
        shown = words if default is None else f"{words} (default: {default})"
        self.add_argument(name, type=whole(least, most), default=default, metavar=metavar, help=shown)

    def choice(self, name: str, choices, words: str, default: str, metavar: str | None = None) -> None:
        """Add an option that is one of some words, "take-one" for "take_one" too; its help ends with the default."""
        shown = f"{words} (default: {default})"
        how = {"choices": choices, "default": default, "metavar": metavar}
        self.add_argument(name, type=lambda word: word.replace("-", "_"), help=shown, **how)

    def file(self, name: str, read: Callable[[str], Path], words: str) -> None:
        """Add an option that names a file."""
        self.add_argument(name, type=read, metavar="FILE", help=words)

    def seed(self) -> None:
        """Add `--seed`, which every program with chance in it has."""
        self.number("--seed", "the same seed, the same luck (default: new luck each time)", least=0)

    def listing(self, title: str, words: dict[str, str]) -> None:
        """End the page with names and what they mean."""
        width = max(map(len, words))
        self.epilog = "\n".join([f"{title}:", *(f"  {name:<{width}}  {meaning}" for name, meaning in words.items())])


class _Paragraphs(argparse.HelpFormatter):
    """Paragraphs are filled one by one; lines that begin with blanks stay as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        return "\n".join(line if line.startswith(" ") else fill(line, width, indent) for line in text.split("\n"))


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
        try:
            number = int(words)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
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
    file = Path(words)
    if not file.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {str(file.parent)[:60]!r}")
    return file


def new_picture(words: str) -> Path:
    """A type for argparse: a file that a picture can be written to."""
    if not words.lower().endswith((".png", ".svg", ".pdf")):
        raise argparse.ArgumentTypeError(f"expected a name that ends in .png, .svg or .pdf; got {words[:60]!r}")
    return new_file(words)


# --- work ---------------------------------------------------------------------------------------------


@contextmanager
def ctrl_c_leaves() -> Iterator[None]:
    """Inside it Ctrl-C ends the program, and not only a learner's practice."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "stopped after .*: interrupted", AgentWarning)
        try:
            yield
        except AgentWarning:
            raise KeyboardInterrupt from None


def draw_into(file: Path, draw: Callable, size: tuple[float, float]) -> Path:
    """Store the picture that a function draws into the axes it is given; an older one stays until this one is whole."""
    from matplotlib.figure import Figure  # not pyplot: a file needs no window, and a notebook keeps its own

    figure = Figure(figsize=size, layout="constrained")
    draw(ax=figure.subplots())
    with whole_file(file) as half:
        figure.savefig(half, bbox_inches="tight")
    return file
