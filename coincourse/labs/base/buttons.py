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
        What stands on it.
    explanation : str
        What it does, in a sentence.
    act : function
        What is called when it is pressed.
    disabled : bool
        Whether it cannot be pressed now.
    key : str
        A key of the keyboard that does the same anywhere on the page of the lab.
    now : bool
        Whether the focus comes here when the part that had it is gone, or cannot be pressed any more.
    leaves : bool
        Whether the focus leaves this button for that place when it is pressed.
    """

    words: str
    explanation: str
    act: Callable[..., object]
    disabled: bool = False
    key: str = ""
    now: bool = False
    leaves: bool = False


@dataclass(frozen=True)
class ButtonRow:
    """Buttons side by side, with a name before and an explanation after them.

    The values of `fields`, which are no settings of the lab, are handed to each of its buttons by name.
    """

    buttons: Sequence[Button]
    name: str = ""
    explanation: str = ""
    fields: Mapping[str, Control] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """All that the front end needs to draw it."""
        fields = []
        for name, control in self.fields.items():
            fields.append(control.describe(name) | {"value": control.default_value})
        buttons = [vars(button) for button in self.buttons]
        return {"row": self.name, "explanation": self.explanation, "fields": fields, "buttons": buttons}
