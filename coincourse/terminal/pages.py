"""The arguments of a command: `Page`, a parser with a page of help, and readers of numbers and files."""

import argparse
import math
import os
import re
import textwrap
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NoReturn

from .talk import complain

Typed = argparse.Namespace  # the arguments that were typed after a command


class Folded(argparse.HelpFormatter):
    """Wraps the texts above and below the list of options, but keeps the lines of lists of names."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = []
        paragraphs = re.sub(r"(?<=\S)\n(?=\S)", " ", text)
        for line in paragraphs.splitlines():
            before_meaning = re.match(r" +\S+ +", line)
            hanging = " " * len(before_meaning[0]) if before_meaning else ""
            folded = textwrap.wrap(line, width, subsequent_indent=hanging, break_on_hyphens=False)
            lines.append("\n".join(folded))
        return "\n".join(lines)


class Page(argparse.ArgumentParser):
    """An argparse parser with shorthands for the usual arguments; an error is one line.

    Options show their default, and a choice from a list of names appears with its meanings at the end of the help.
    """

    def __init__(self, **settings) -> None:
        super().__init__(formatter_class=Folded, **settings)
        # The names to choose from, by the metavar of the argument.
        self._lists: dict[str, Mapping[str, str]] = {}

    def error(self, message: str) -> NoReturn:
        """Print the error, and exit."""
        complain(f"{self.prog}: {message} (see `{self.prog} --help`)")
        self.exit(2)

    def add_option(self, flag: str, read: Callable, words: str, default=None, **settings) -> None:
        """Add an option with a value, which `read` parses; the help shows its default."""
        if default:
            words = f"{words} (default: {default})"
        self.add_argument(flag, type=read, default=default, help=words, **settings)

    def add_flag(self, flag: str, words: str) -> None:
        """Add an option without a value."""
        self.add_argument(flag, action="store_true", help=words)

    def add_choice(self, flag: str, metavar: str, names: Mapping[str, str], words: str, **settings) -> None:
        """Add a choice of one of these names; the end of the page lists them with their meanings."""
        self._lists[metavar] = names
        known = {name.lower(): name for name in names}

        def read(word: str) -> str:
            """Return the name in its usual spelling: "take-one" is "take_one", and "nim" is "NIM"."""
            return known.get(word.lower().replace("-", "_"), word)

        self.add_option(flag, read, words, metavar=metavar, choices=names, **settings)

    def add_seed(self) -> None:
        """Add ``--seed``."""
        self.add_option("--seed", whole(0), "Seed for a repeatable session (default: a new one each time)")

    def end_with(self, example: str) -> None:
        """Set the end of the page: the names to choose from, with their meanings, and an example."""
        parts = []
        for metavar, names in self._lists.items():
            parts.append(f"{metavar.lower()}s:\n{listed(names)}")
        self.epilog = "\n\n".join([*parts, f"example: coinlib {example}"])


def listed(names: Mapping[str, str]) -> str:
    """Return a line for each name, with its meaning."""
    width = max(len(name) for name in names)
    return "\n".join(f"  {name:<{width}}  {meaning}" for name, meaning in names.items())


# --- numbers ------------------------------------------------------------------------------------------


def whole(least: float = -math.inf, most: int | None = None) -> Callable[[str], int]:
    """Return a function that reads a whole number, optionally from `least` to `most`."""
    return partial(_number, int, least, most)


def decimal(least: float) -> Callable[[str], float]:
    """Return a function that reads a number of at least `least`, which may have a decimal point."""
    return partial(_number, float, least, None)


def _number(kind: type, least: float, most: float | None, word: str):
    """Return a word as a number within these bounds."""
    try:
        number = kind(word)
    except ValueError:
        expected = "a whole number" if kind is int else "a number"
        raise ArgumentTypeError(f"expected {expected}, got {word[:40]!r}") from None
    if number >= least and (most is None or number <= most):
        return number
    bounds = f"{least} or more" if most is None else f"{least} to {most}"
    raise ArgumentTypeError(f"expected {bounds}, got {word}")


def row_counts(word: str) -> tuple[int, ...]:
    """Return the counts in "1,3,5,7"."""
    return tuple(_number(int, 0, None, count) for count in word.split(","))


# --- files --------------------------------------------------------------------------------------------


def file_to_read(word: str) -> Path:
    """Return the path of a file that exists and can be read."""
    path = Path(word)
    if path.is_dir():
        raise ArgumentTypeError(f"{path} is a folder; expected a file")
    if not os.access(path, os.R_OK):
        raise ArgumentTypeError(f"{path} does not exist or cannot be read")
    return path


def file_to_write(word: str) -> Path:
    """Return the path of a file that can be written; its folder must exist."""
    path = Path(word)
    if path.is_dir():
        raise ArgumentTypeError(f"{path} is a folder; expected a file")
    if not path.parent.is_dir():
        raise ArgumentTypeError(f"the folder {path.parent} does not exist")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ArgumentTypeError(f"{path} cannot be written: you have no permission to write there")
    return path


def picture_to_write(word: str) -> Path:
    """Return the path of a file that can be written, with an ending for a format that Matplotlib can draw."""
    path = file_to_write(word)
    with plain_matplotlib():
        from matplotlib.backend_bases import FigureCanvasBase

        kinds = sorted(FigureCanvasBase.get_supported_filetypes())
    if path.suffix and path.suffix[1:].lower() not in kinds:
        raise ArgumentTypeError(f"{path}: {path.suffix} is not a picture format (expected one of {', '.join(kinds)})")
    return path


def draw_into(file: Path, plot: str, data: tuple, size: tuple[float, float]) -> None:
    """Save the picture that the function `plot` of `coinlib.plots` draws from the data."""
    from coinlib.files import whole_file

    with plain_matplotlib(), whole_file(file) as half:
        # Not a pyplot figure: a file needs no window, and a notebook's figures must stay as they are.
        from matplotlib.figure import Figure

        from coinlib import plots

        axes = getattr(plots, plot)(*data, ax=Figure(size, layout="constrained").subplots())
        axes.figure.savefig(half, bbox_inches="tight")


@contextmanager
def plain_matplotlib() -> Iterator[None]:
    """Use Matplotlib's own defaults, whatever MPLBACKEND and matplotlibrc say."""
    backend = os.environ.pop("MPLBACKEND", None)  # an unknown one stops the import
    try:
        import matplotlib
    finally:
        if backend is not None:
            os.environ["MPLBACKEND"] = backend
    defaults = {name: value for name, value in matplotlib.rcParamsDefault.items() if name != "backend"}
    with matplotlib.rc_context(defaults):
        yield
