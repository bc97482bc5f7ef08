"""Talking with a person: words on the screen, questions that are asked until they are answered, pages of help."""

from __future__ import annotations

import argparse
import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, NoReturn, get_args, get_origin

from rich.console import Console
from rich.text import Text


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
        try:
            return whole(ask(question), least, most)
        except argparse.ArgumentTypeError:
            say(f"Please enter a number between {least} and {most}")


def whole(words: str, least: int = 0, most: int = 999_999_999) -> int:
    """The whole number that somebody has typed.

    Examples
    --------
    >>> whole("12")
    12
    >>> whole("101", 0, 100)
    Traceback (most recent call last):
        ...
    argparse.ArgumentTypeError: expected a whole number from 0 to 100, got '101'
    """
    number = int(words) if re.fullmatch(r"\s*\d{1,12}\s*", words) else -1
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {most:,}, got {words[:40]!r}")
    return number


# --- what is typed after a command --------------------------------------------------------------------


class Names:
    """The names of some kind of thing that may be typed, each with what it means: "take-one" is "take_one"."""

    def __init__(self, noun: str, meanings: Mapping[str, str]) -> None:
        self.noun, self.meanings = noun, meanings

    def __call__(self, words: str) -> str:
        """The name that somebody has typed."""
        for name in self.meanings:
            if name.lower() == words.lower().replace("-", "_"):
                return name
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(self.meanings)}; got {words[:40]!r}")

    def __str__(self) -> str:
        width = max(map(len, self.meanings))
        return "\n".join(
            [f"{self.noun}s:", *(f"  {name:<{width}}  {meaning}" for name, meaning in self.meanings.items())]
        )


class Page(argparse.ArgumentParser):
    """The words that may follow a command, and its help; a mistake among them is one line."""

    def __init__(self, **how) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **how)
        self.names: dict[str, Names] = {}

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

        Its annotation reads what is typed; beside `Annotated` stands a function for what has no type that does.
        """
        name, read, required = parameter.name, parameter.annotation, parameter.default is parameter.empty
        default, several = None if required else parameter.default, get_origin(read) is Sequence
        while parts := get_args(read):  # of "int | None" the first, of Annotated the last
            read = parts[-1] if get_origin(read) is Annotated else parts[0]
        how = {"default": default, "help": f"{words} (default: {default})" if default else words}
        how |= {"action": "store_true"} if read is bool else {"type": whole if read is int else read}
        if isinstance(read, Names):
            how["metavar"] = read.noun.upper()
            self.names[read.noun] = read
        if parameter.kind is parameter.KEYWORD_ONLY:
            how |= {"action": "append", "default": []} if several else {}
            self.add_argument(f"--{name.replace('_', '-')}", **how)
        elif several:
            self.add_argument(name, nargs="+" if required else "*", **how)
        else:
            self.add_argument(name, nargs=None if required else "?", **how)
