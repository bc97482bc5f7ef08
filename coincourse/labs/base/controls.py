"""The controls of a lab: settings with a label, an explanation, and the browser's own element for each."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import traitlets

from coinlib.arguments import number_in, one_of, shown, whole_number


class Control(traitlets.TraitType):
    """One setting of a lab: an attribute that checks its values, and how the page shows it.

    Parameters
    ----------
    label : str
        The text before it.
    explanation : str
        One sentence, shown next to it.
    default : object
        The default value.
    expected : str
        Which values are possible, for error messages.
    read : function (value) -> object
        Returns the value as plain Python; raises TypeError or ValueError if it is not possible.
    keeps : bool
        Whether moving it keeps what has happened so far and only redraws the picture.
    **element
        What the front end needs to draw it: `kind`, and `options` or `least`, `most` and `step`.

    Two tags are for the web book: `recorded` holds the values to record, if there are too many to record
    them all; `look` is True if the control changes only the picture.
    """

    def __init__(
        self, label: str, explanation: str, default, expected: str, read: Callable, keeps: bool = False, **element
    ) -> None:
        super().__init__(default)
        self.tag(sync=True)
        self.label = label
        self.explanation = explanation
        self.expected = expected
        self.read = read
        self.keeps = keeps
        self.element = element

    def check(self, name: str, value) -> Any:
        """Return the value if it is possible for the control of this name; otherwise raise a readable ValueError."""
        try:
            return self.read(value)
        except (TypeError, ValueError):
            raise ValueError(f"{name}: expected {self.expected}, got {shown(value)}") from None

    def validate(self, lab, value) -> Any:
        """Called by traitlets whenever the attribute is set."""
        return self.check(self.name, value)

    def words(self, value) -> str:
        """A value as the screen shows it."""
        for words, choice in self.element.get("options", ()):
            if choice == value:
                return words
        return str(value)

    def describe(self, name: str) -> dict[str, Any]:
        """Everything the front end needs to draw it."""
        return {"name": name, "label": self.label, "explanation": self.explanation, **self.element}


def slider(
    label: str, explanation: str, choices: Sequence, default=None, keeps: bool = False, kind: str = "slider"
) -> Control:
    """A slider with a few values, which need not be numbers.

    Parameters
    ----------
    label, explanation : str
    choices : sequence
        The values in order; a pair (words, value) shows other text for a value.
    default : object
        One of the values; None for the first.
    keeps : bool
        As in `Control`.
    kind : str
        The kind of element in the browser.

    Examples
    --------
    >>> slider("Games", "How many.", [("none", 0), ("ten", 10)], 0).words(10)
    'ten'
    >>> slider("Games", "How many.", [0, 10], 0).check("games", 5)
    Traceback (most recent call last):
        ...
    ValueError: games: expected one of 0, 10, got 5
    """
    pairs = [choice if isinstance(choice, tuple) else (_shown(choice), choice) for choice in choices]
    values = [value for _, value in pairs]
    element = {"kind": kind, "options": pairs, "least": 0, "most": len(pairs) - 1}
    expected = "one of " + ", ".join(map(repr, values))
    if default is None:
        default = values[0]

    def read(value):
        return values[values.index(value)]

    return Control(label, explanation, default, expected, read, keeps, **element)


def _shown(value) -> str:
    """A slider or menu value as shown on the screen: whole numbers in groups of three digits."""
    return f"{value:,}" if isinstance(value, int) else str(value)


def menu(label: str, explanation: str, choices: Sequence, default=None, keeps: bool = False) -> Control:
    """A menu; the parameters are those of `slider`."""
    return slider(label, explanation, choices, default, keeps, kind="menu")


def number(
    label: str, explanation: str, least: int, most: int, default: int, keeps: bool = False, kind: str = "slider"
) -> Control:
    """A slider for whole numbers.

    Parameters
    ----------
    label, explanation : str
    least, most : int
        The smallest and the largest value.
    default : int
    keeps : bool
        As in `Control`.
    kind : str
        The kind of element in the browser.

    Examples
    --------
    >>> number("Sticks", "At the start.", 10, 20, 20).check("sticks", 30)
    Traceback (most recent call last):
        ...
    ValueError: sticks: expected a whole number from 10 to 20, got 30
    """
    expected = f"a whole number from {least:,} to {most:,}"
    element = {"kind": kind, "least": least, "most": most, "step": 1}
    read = functools.partial(whole_number, what=label, least=least, most=most)
    return Control(label, explanation, default, expected, read, keeps, **element)


def field(label: str, explanation: str, least: int, most: int, default: int, keeps: bool = False) -> Control:
    """A field for a whole number; the parameters are those of `number`."""
    return number(label, explanation, least, most, default, keeps, kind="number")


def share(label: str, explanation: str, default: float = 1.0) -> Control:
    """A slider for numbers from 0 to 1."""
    read = functools.partial(number_in, what=label, least=0, most=1)
    element = {"kind": "slider", "least": 0, "most": 1, "step": 0.05}
    control = Control(label, explanation, default, "a number from 0 to 1", read, **element)
    return control.tag(recorded=(0.0, 0.25, 0.3, 0.5, 0.75, 1.0))  # lessons ask for 0.3


def seed(default: int = 1, keeps: bool = False) -> Control:
    """A field for the seed behind all random choices in a lab: a whole number from 0 to 9,999."""
    words = "The same seed gives the same games again; another seed gives others."
    return field("Seed", words, 0, 9_999, default, keeps).tag(recorded=(1, 2, 3))


def tick(label: str, explanation: str, default: bool = False, keeps: bool = False) -> Control:
    """A checkbox."""

    def read(value) -> bool:
        return bool(one_of(value, label, (True, False)))

    control = Control(label, explanation, default, "True or False", read, keeps, kind="tick")
    return control.tag(recorded=(False, True))


def text(label: str, explanation: str, default: str, expected: str = "words", read: Callable = str) -> Control:
    """A line of text, read when Enter is pressed or the field loses the focus."""
    return Control(label, explanation, default, expected, read, kind="text")
