"""Talking with a person: words on the screen, questions that are asked until they are answered, pages of help."""

from __future__ import annotations

import argparse
import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn, get_args, get_origin

from rich.console import Console
from rich.text import Text

from coinlib.files import whole_file


class Gone(SystemExit):
    """The input has ended: nobody is there any more, and the program ends well."""


# --- words --------------------------------------------------------------------------------------------


def screen(stderr: bool = False) -> Console:
    """Where words appear: folded and in colour on a terminal that wants it, as they are elsewhere, in notebooks too."""
    colours = None if os.environ.get("NO_COLOR") else "auto"
    return Console(color_system=colours, force_jupyter=False, stderr=stderr, markup=False, highlight=False)


def say(*words: str | tuple[str, str] | Text, end: str = "\n") -> None:
    """Print words at once, those in a pair in the style beside them; words move to a new line at the edge of a terminal."""
    here = screen()
    here.print(Text.assemble(*words), end=end, soft_wrap=not here.is_terminal)


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
        answer = ask(question).strip()
        if answer.isdecimal() and len(answer) < 10 and least <= int(answer) <= most:
            return int(answer)
        say(f"Please enter a number between {least} and {most}")


# --- what is typed after a command --------------------------------------------------------------------


class Page(argparse.ArgumentParser):
    """The words that may follow a command, and its help; a mistake among them is one line."""

    def __init__(self, **how) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **how)
        self.names: dict[str, Mapping[str, str]] = {}  # that may be typed, with what they mean

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end."""
        self.exit(2, f"{self.prog}: {message} (`{self.prog} --help` lists what may stand here)\n")

    def read_off(self, command: Callable) -> None:
        """Let a function's parameters follow; their help is what its docstring says of them."""
        words = dict(re.findall(r"^(\w+) : .*\n((?: .+\n?)+)", inspect.getdoc(command), re.MULTILINE))
        for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
            self.add_parameter(parameter, " ".join(words[name].split()).removesuffix("."))

    def add_parameter(self, parameter: inspect.Parameter, words: str) -> None:
        """Let a parameter follow: as an option if it is given by name alone, several times if it is a sequence.

        Its type reads what is typed; names stand beside it, by `Annotated`, as a noun and their meanings.
        """
        name, read, required = parameter.name, parameter.annotation, parameter.default is parameter.empty
        default, several = None if required else parameter.default, get_origin(read) is Sequence
        how = {"default": default, "help": f"{words} (default: {default})" if default else words}
        while parts := get_args(read):  # of "int | None" the int
            read, *beside = parts
            if len(beside) == 2:
                noun, self.names[noun] = beside
                how |= {"choices": self.names[noun], "metavar": noun.upper(), "type": reader(self.names[noun])}
        how |= {"action": "store_true"} if read is bool else {"type": how.get("type", read)}
        if parameter.kind is parameter.KEYWORD_ONLY:
            how |= {"action": "append", "default": []} if several else {}
            self.add_argument(f"--{name.replace('_', '-')}", **how)
        elif several:
            self.add_argument(name, nargs="+" if required else "*", **how)
        else:
            self.add_argument(name, nargs=None if required else "?", **how)


def reader(names: Iterable[str]) -> Callable[[str], str]:
    """What reads a name: "take-one" is "take_one", and "nim" is "NIM"."""
    known = {name.lower(): name for name in names}
    return lambda word: known.get(word.lower().replace("-", "_"), word)


# --- pictures -----------------------------------------------------------------------------------------


def draw_into(file: Path, draw: Callable, size: tuple[float, float]) -> None:
    """Store the picture that a function draws into the axes it is given."""
    from matplotlib.figure import Figure  # not pyplot: a file needs no window, and a notebook keeps its own

    axes = draw(ax=Figure(size, layout="constrained").subplots())
    with whole_file(file) as half:
        axes.figure.savefig(half, bbox_inches="tight")
