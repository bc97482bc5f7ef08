"""The buttons of a lab, and rows of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .controls import Control


@dataclass(frozen=True)
class Button:
    """A button of a lab.

    Attributes
    ----------
    words : str
        Its label.
    explanation : str
        What it does, in a sentence.
    act : function
        Called when it is pressed.
    disabled : bool
        Whether it cannot be pressed now.
    key : str
        A key that does the same anywhere on the lab's page.
    now : bool
        Whether the focus moves here when the part that had it disappears or is disabled.
    leaves : bool
        Whether pressing this button moves the focus to the place marked `now`.
    once : bool
        Whether a double click presses it once: it makes a move, and two would be a surprise.
    """

    words: str
    explanation: str
    act: Callable[..., object]
    disabled: bool = False
    key: str = ""
    now: bool = False
    leaves: bool = False
    once: bool = False


@dataclass(frozen=True)
class ButtonRow:
    """Buttons side by side, with a name before them and an explanation after them.

    Each button is called with the values of `fields`, by name; these are not settings of the lab.
    """

    buttons: Sequence[Button]
    name: str = ""
    explanation: str = ""
    fields: Mapping[str, Control] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """Everything the front end needs to draw it."""
        fields = []
        for name, control in self.fields.items():
            fields.append(control.describe(name) | {"value": control.default_value})
        buttons = [vars(button) for button in self.buttons]
        return {"row": self.name, "explanation": self.explanation, "fields": fields, "buttons": buttons}
