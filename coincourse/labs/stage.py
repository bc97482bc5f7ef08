"""A page that Python wrote, on which one can click and move with the arrow keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anywidget
import traitlets


class Stage(anywidget.AnyWidget):
    """Shows HTML; what has ``data-to`` can be clicked, and says so to Python.

    Each group (an element with ``data-group``) is one stop of the Tab key; within it arrow keys
    go from place to place, by ``data-x`` and ``data-y`` (which grows upward). Everything with the
    same ``data-to`` lights up together when one of its parts is pointed at or has the focus, and
    its label is written into the element with ``data-peek``. Without the script the same HTML is
    a still picture.

    Parameters
    ----------
    clicked : function (to) -> None
        Called with the ``data-to`` of what was clicked.
    """

    _esm = (Path(__file__).parent / "stage.js").read_text(encoding="utf-8")
    value = traitlets.Unicode(help="the page").tag(sync=True)

    def __init__(self, clicked: Callable[[str], None]) -> None:
        super().__init__()
        self._clicked = clicked
        self.on_msg(lambda _, content, buffers: self._receive(content))

    def _receive(self, content: dict) -> None:
        """One message from the screen."""
        self._clicked(content["to"])
        self.send({"heard": content["to"]})  # also where nothing on the page has changed
