"""Make a control for each parameter that a student wants to move, from the shorthand of `ipywidgets.interact`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from ipywidgets import Text, ValueWidget, fixed, interactive

NOTHING = inspect.Parameter.empty
PLAIN = (bool, int, float, str, type(None))  # values whose repr is the same on every machine


def make_controls(function: Callable, abbreviations: Mapping[str, Any]) -> dict[str, ValueWidget | fixed]:
    """The controls for a function's parameters, by name; raises a readable TypeError or ValueError.

    Parameters
    ----------
    function : function
    abbreviations : dict
        For each parameter what `ipywidgets.interact` takes: ``(low, high)``, ``(low, high, step)``, a list
        or a dictionary of choices, a bool, a text, a widget, or ``fixed(value)``.

    Examples
    --------
    >>> def area(width=2, height=1.5): ...
    >>> controls = make_controls(area, {"width": (1, 9), "height": (0.0, 2.0, 0.5)})
    >>> controls["width"].value, controls["height"].value, controls["height"].step
    (2, 1.5, 0.5)
    """
    if not callable(function):
        raise TypeError(f"sliders: expected a function, got {type(function).__name__}; write its name without ()")
    defaults = {name: parameter.default for name, parameter in parameters_of(function).items()}
    name = name_of(function)
    unknown = [wanted for wanted in abbreviations if wanted not in defaults]
    if unknown:
        raise TypeError(
            f"sliders: {name} has no parameter {', '.join(unknown)}; it has {', '.join(defaults) or 'none'}"
        )
    missing = [needed for needed, value in defaults.items() if value is NOTHING and needed not in abbreviations]
    if missing:
        raise TypeError(f"sliders: {name} needs a value for {', '.join(missing)}: a slider, or a default value")
    if not abbreviations:
        raise TypeError(f"sliders: expected a slider, such as sliders({name}, {next(iter(defaults), 'n')}=(1, 10))")
    return {each: make_control(each, wanted, defaults[each]) for each, wanted in abbreviations.items()}


def parameters_of(function: Callable) -> dict[str, inspect.Parameter]:
    """The parameters that can be passed by name."""
    found = inspect.signature(function).parameters
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {name: parameter for name, parameter in found.items() if parameter.kind in by_name}


def name_of(function: Callable) -> str:
    """The name of a function in messages and in reprs."""
    return getattr(function, "__name__", type(function).__name__)


def make_control(name: str, wanted: Any, default: Any = NOTHING) -> ValueWidget | fixed:
    """One control, which starts at the default value of its parameter; its label is the parameter's name."""
    control = interactive.widget_from_abbrev(wanted, default)
    if control is None:
        raise TypeError(
            f"{name}: expected (low, high), (low, high, step), a list of choices or a widget, got {wanted!r}"
        )
    if isinstance(wanted, fixed):
        return control
    # ipywidgets ignores a default that the control does not offer.
    if isinstance(wanted, tuple | list | dict) and default is not NOTHING and control.value != default:
        words = f"{name}: the function begins at {default!r}, and {wanted!r} does not offer it"
        if isinstance(wanted, tuple) and isinstance(control.value, int) and isinstance(default, float):
            words += (
                f"; whole numbers make a slider for whole numbers, so write ({float(wanted[0])}, {float(wanted[1])})"
            )
        raise ValueError(words)
    if isinstance(control, Text) and control is not wanted:
        control.continuous_update = False
    if not control.description:
        control.description = name.replace("_", " ")
    if control.tooltip is None:
        control.tooltip = ""  # a label would show "null"
    return control


def align(controls: list[ValueWidget]) -> None:
    """Give all labels the width of the longest, and all controls the same width, unless a student has set one."""
    longest = max((len(control.description) for control in controls), default=0)
    for control in controls:
        control.style.description_width = f"{0.6 * longest + 1:.1f}em"
        control.layout.width = control.layout.width or "32em"
        control.layout.max_width = "100%"


def in_words(control: ValueWidget | fixed) -> str:
    """The value of a control in a repr, the same on every machine.

    Examples
    --------
    >>> in_words(make_control("opponent", {"random": object(), "perfect": object()}))
    "'random'"
    """
    value = control.value
    if isinstance(value, PLAIN) or not hasattr(control, "label"):
        return repr(value)
    return repr(control.label)  # of a choice, whose value may be any object


def spoken(control: ValueWidget) -> str:
    """The value of a control in a sentence: the label of a choice, a text without quotes."""
    return str(getattr(control, "label", control.value))


def label_of(control: ValueWidget) -> str:
    """The label of a control, without a colon at its end."""
    return control.description.rstrip(": ")
