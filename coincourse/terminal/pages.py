"""What may be typed after a command: its page of help, and the numbers, names and files on it."""

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


class Typed(argparse.Namespace):
    """What was typed after a command: an attribute for all that its page lists."""


class Folded(argparse.HelpFormatter):
    """The form of a page: texts above and below its lists are folded at words, and lists of names stay lists."""

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
    """What may follow a command, and its help; a mistake is said in one line."""

    def __init__(self, **settings) -> None:
        super().__init__(formatter_class=Folded, **settings)
        # The names that may be typed, by the word that stands for one of them.
        self._lists: dict[str, Mapping[str, str]] = {}

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end."""
        complain(f"{self.prog}: {message} (`{self.prog} --help` lists what may stand here)")
        self.exit(2)

    def add_option(self, flag: str, read: Callable, words: str, default=None, **settings) -> None:
        """Let an option with a value follow; `read` makes it of what is typed. The page says its default."""
        if default:
            words = f"{words} (default: {default})"
        self.add_argument(flag, type=read, default=default, help=words, **settings)

    def add_flag(self, flag: str, words: str) -> None:
        """Let an option without a value follow."""
        self.add_argument(flag, action="store_true", help=words)

    def add_choice(self, flag: str, metavar: str, names: Mapping[str, str], words: str, **settings) -> None:
        """Let one of some names follow; they stand with their meanings at the end of the page."""
        self._lists[metavar] = names
        known = {name.lower(): name for name in names}

        def read(word: str) -> str:
            """The name that is meant: "take-one" is "take_one", and "nim" is "NIM"."""
            return known.get(word.lower().replace("-", "_"), word)

        self.add_option(flag, read, words, metavar=metavar, choices=names, **settings)

    def add_seed(self) -> None:
        """Let ``--seed`` follow."""
        self.add_option("--seed", whole(0), "The same seed, the same luck (default: new luck each time)")

    def end_with(self, example: str) -> None:
        """Write the end of the page: the names that may be typed, with their meanings, and an example."""
        parts = []
        for metavar, names in self._lists.items():
            parts.append(f"{metavar.lower()}s:\n{listed(names)}")
        self.epilog = "\n\n".join([*parts, f"example: coinlib {example}"])


def listed(names: Mapping[str, str]) -> str:
    """A line for each name, with its meaning."""
    width = max(len(name) for name in names)
    return "\n".join(f"  {name:<{width}}  {meaning}" for name, meaning in names.items())


# --- numbers ------------------------------------------------------------------------------------------


def whole(least: float = -math.inf, most: int | None = None) -> Callable[[str], int]:
    """What reads a whole number: any, or from `least` on, or from `least` to `most`."""
    return partial(_number, int, least, most)


def decimal(least: float) -> Callable[[str], float]:
    """What reads a number, which may have a point, from `least` on."""
    return partial(_number, float, least, None)


def _number(kind: type, least: float, most: float | None, word: str):
    """The number that a word means, within its bounds."""
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
    """The counts in "1,3,5,7"."""
    return tuple(_number(int, 0, None, count) for count in word.split(","))


# --- files --------------------------------------------------------------------------------------------


def file_to_read(word: str) -> Path:
    """A file that is there."""
    path = Path(word)
    if path.is_dir():
        raise ArgumentTypeError(f"{path} is a folder; expected a file")
    if not os.access(path, os.R_OK):
        raise ArgumentTypeError(f"there is no file {path} that can be read")
    return path


def file_to_write(word: str) -> Path:
    """A file that can be written: it need not be there, but its folder must."""
    path = Path(word)
    if path.is_dir():
        raise ArgumentTypeError(f"{path} is a folder; expected a file")
    if not path.parent.is_dir():
        raise ArgumentTypeError(f"there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ArgumentTypeError(f"{path} cannot be written: you may not write there")
    return path


def picture_to_write(word: str) -> Path:
    """A file that can be written, and whose ending names a kind of picture that Matplotlib can draw."""
    path = file_to_write(word)
    with plain_matplotlib():
        from matplotlib.backend_bases import FigureCanvasBase

        kinds = sorted(FigureCanvasBase.get_supported_filetypes())
    if path.suffix and path.suffix[1:].lower() not in kinds:
        can_be = ", ".join(kinds)
        raise ArgumentTypeError(f"{path}: no picture can have the ending {path.suffix} (it can be {can_be})")
    return path


def draw_into(file: Path, plot: str, data: tuple, size: tuple[float, float]) -> None:
    """Store the picture that the function of `coinlib.plots` with this name draws of the data."""
    from coinlib.files import whole_file

    with plain_matplotlib(), whole_file(file) as half:
        # The figure is not one of pyplot's: a file needs no window, and a notebook keeps its own figures.
        from matplotlib.figure import Figure

        from coinlib import plots

        axes = getattr(plots, plot)(*data, ax=Figure(size, layout="constrained").subplots())
        axes.figure.savefig(half, bbox_inches="tight")


@contextmanager
def plain_matplotlib() -> Iterator[None]:
    """Matplotlib with its own defaults, whatever MPLBACKEND and matplotlibrc say for a person's other programs."""
    backend = os.environ.pop("MPLBACKEND", None)  # an unknown one stops the import
    try:
        import matplotlib
    finally:
        if backend is not None:
            os.environ["MPLBACKEND"] = backend
    defaults = {name: value for name, value in matplotlib.rcParamsDefault.items() if name != "backend"}
    with matplotlib.rc_context(defaults):
        yield
