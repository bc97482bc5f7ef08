"""What a reader does with a lab in JupyterLab by hand, and what the lab then says."""

from __future__ import annotations

import pytest
from browser import expect


def in_lab(name: str):
    """Marks a test that takes this lab of its file's LABS as `cell`."""
    return pytest.mark.parametrize("cell", [name], indirect=True)


def status(cell):
    """What a lab says about its state."""
    return cell.get_by_role("status").first


def says(cell, *words: str) -> None:
    """Wait until a lab says each of these about its state."""
    for sentence in words:
        expect(status(cell)).to_contain_text(sentence)


def press(cell, *names: str) -> None:
    """Press buttons, one after another, using only the keyboard."""
    for name in names:
        button = cell.get_by_role("button", name=name, exact=True)
        expect(button).to_be_enabled()
        button.press("Enter")


def knob(cell, label: str):
    """The slider with this label."""
    return cell.get_by_role("slider", name=label, exact=True)


def drag_to_the_left_end(handle) -> None:
    """Pull the handle of a slider with the mouse, past its left end."""
    handle.hover()  # waits until it stops moving
    mouse, place = handle.page.mouse, handle.bounding_box()
    mouse.down()
    mouse.move(place["x"] - 400, place["y"] + place["height"] / 2, steps=12)
    mouse.up()
