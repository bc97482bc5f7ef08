"""What may be typed after a command: its page of help, and the numbers, names and files on it."""

from __future__ import annotations

import argparse
import os
from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn

from .talk import complain


class Page(argparse.ArgumentParser):
    """What may follow a command, and its help; a mistake is said in one line.

    Attributes
    ----------
    lists : dict of str to dict
        The names that may be typed, by the noun that they are called, each with its meaning: the end of the page.
    """

    def __init__(self, **settings) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **settings)
        self.lists: dict[str, Mapping[str, str]] = {}

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end."""
        complain(f"{self.prog}: {message} (`{self.prog} --help` lists what may stand here)")
        self.exit(2)

    def add_choice(self, *flags: str, noun: str, names: Mapping[str, str], **settings) -> None:
        """Let one of some names follow; they stand with their meanings at the end of the page."""
        self.lists[noun] = names
        self.add_argument(*flags, choices=names, type=name_among(names), **settings)

    def add_seed(self) -> None:
        """Let ``--seed`` follow."""
        words = "The same seed, the same luck (default: new luck each time)"
        self.add_argument("--seed", type=whole(0), help=words)

    def end_with(self, example: str) -> None:
        """Write the end of the page: the lists of names, and an example."""
        parts = []
        for noun, names in self.lists.items():
            width = max(len(name) for name in names)
            lines = [f"  {name:<{width}}  {meaning}" for name, meaning in names.items()]
            parts.append("\n".join([f"{noun}s:", *lines]))
        self.epilog = "\n\n".join([*parts, f"example: coinlib {example}"])


# --- numbers ------------------------------------------------------------------------------------------


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """What reads a whole number from `least` on, or from `least` to `most`."""

    def read(word: str) -> int:
        try:
            number = int(word)
        except ValueError:
            raise ArgumentTypeError(f"invalid int value: {word!r}") from None
        if number < least or (most is not None and number > most):
            raise ArgumentTypeError(f"expected {_bounds(least, most)}, got {number}")
        return number

    return read


def decimal(least: float) -> Callable[[str], float]:
    """What reads a number, which may have a point, from `least` on."""

    def read(word: str) -> float:
        try:
            number = float(word)
        except ValueError:
            raise ArgumentTypeError(f"invalid float value: {word!r}") from None
        if not number >= least:
            raise ArgumentTypeError(f"expected {_bounds(least, None)}, got {word}")
        return number

    return read


def rows(word: str) -> tuple[int, ...]:
    """The counts in "1,3,5,7"."""
    read = whole(0)
    return tuple(read(count) for count in word.split(","))


def _bounds(least: float, most: float | None) -> str:
    return f"{least} or more" if most is None else f"{least} to {most}"


# --- names --------------------------------------------------------------------------------------------


def name_among(names: Mapping[str, str]) -> Callable[[str], str]:
    """What reads a name: "take-one" is "take_one", and "nim" is "NIM"."""
    known = {name.lower(): name for name in names}

    def read(word: str) -> str:
        return known.get(word.lower().replace("-", "_"), word)

    return read


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
    from matplotlib.backend_bases import FigureCanvasBase

    path = file_to_write(word)
    kinds = sorted(FigureCanvasBase.get_supported_filetypes())
    if path.suffix and path.suffix[1:].lower() not in kinds:
        raise ArgumentTypeError(f"{path}: no picture can have the ending {path.suffix} (it can be {', '.join(kinds)})")
    return path


def draw_into(file: Path, draw: Callable, size: tuple[float, float]) -> None:
    """Store the picture that a function draws into the axes it is given."""
    # The figure is not one of pyplot's: a file needs no window, and a notebook keeps its own figures.
    from matplotlib.figure import Figure

    from coinlib.files import whole_file

    axes = draw(ax=Figure(size, layout="constrained").subplots())
    with whole_file(file) as half:
        axes.figure.savefig(half, bbox_inches="tight")
