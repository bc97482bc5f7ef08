"""Films: things that happen step by step, computed in advance, to play, step through or scrub."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from ..base.buttons import Button
from ..base.lab import Lab, acts
from ..base.sticks import game_code, make_game

TEN_STICKS = make_game(10, 3, "misere")  # the game of the films about learning
TEN_STICKS_CODE = game_code(10, 3, "misere")


class Reel:
    """The frames of a film, and which one is shown.

    Attributes
    ----------
    frames : sequence
        What is drawn, in order.
    at : int
        The number of the frame that is shown, from 0.
    left : int
        How many frames come after it.
    """

    def __init__(self, frames: Sequence, at: int) -> None:
        self.frames = frames
        self.at = min(at, len(frames) - 1)

    @property
    def shown(self) -> Any:
        """The frame that is shown."""
        return self.frames[self.at]

    @property
    def before(self) -> Any:
        """The frame before it; for the first frame, that frame itself."""
        return self.frames[max(self.at - 1, 0)]

    @property
    def left(self) -> int:
        """How many frames come after the one that is shown."""
        return len(self.frames) - 1 - self.at

    def step(self, steps: int) -> None:
        """Go forward by this number of frames, or back if it is negative, but not past either end."""
        self.at = min(max(self.at + steps, 0), len(self.frames) - 1)


class Film(Lab):
    """A lab whose data are frames: a slider moves through them, and they can be played.

    Your own film defines its slider `at`, its `frames`, and how `data.shown` is drawn.

    >>> from coincourse.labs.base.controls import number
    >>> class Halves(Film):
    ...     title, goal = "Halves", "Play, or move the slider."
    ...     at = number("Step", "How often it was halved.", 0, 1_000, 0)
    ...     start = number("Start", "The first number.", 1, 100, 64)
    ...
    ...     @staticmethod
    ...     def frames(start):
    ...         found = [start]
    ...         while found[-1] > 1:
    ...             found.append(found[-1] // 2)
    ...         return found
    ...
    ...     @classmethod
    ...     def draw(cls, data, **settings):
    ...         return f"<p>{data.shown}, and {data.left} more</p>"
    >>> film = Halves(start=20, at=1)
    >>> film.page
    '<p>10, and 3 more</p>'
    >>> film.press("Next")
    >>> film.at, film.page
    (2, '<p>5, and 2 more</p>')
    >>> film.start = 9
    >>> film.at, film.page
    (2, '<p>2, and 1 more</p>')
    """

    pause = 0.6
    at_once = 1  # frames between two pictures
    step_name = "Next"
    STILL_AT: ClassVar = 0  # the frame on a page without a kernel, instead of an earlier one

    def __init_subclass__(cls, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        cls.CONTROLS["at"].tag(look=True)

    def still(self) -> str:
        """The film on a page without a kernel; it cannot be played there, so it does not show its empty beginning."""
        if self.at >= self.STILL_AT:
            return super().still()
        settings = self.arguments() | {"at": self.STILL_AT}
        return type(self)(self.shown, **settings).still()

    @classmethod
    def compute(cls, at: int, **settings) -> Reel:
        """The frames, made by `frames` from all settings except `at`."""
        return Reel(cls.frames(**settings), at)

    def now(self) -> dict[str, dict[str, Any]]:
        """The slider ends at the last frame."""
        if self.data is None:
            return {}
        return {"at": {"most": len(self.data.frames) - 1}}

    def moved(self, name: str) -> dict[str, Any]:
        """The slider shows another frame; any other control makes new frames, and the slider stays where it is."""
        if name == "at" and self.data:
            self.data.step(self.at - self.data.at)
            return {}
        return super().moved(name)

    def controls_from_data(self) -> dict[str, Any]:
        """The slider follows the frame that is shown."""
        return {"at": self.data.at}

    def start_again(self) -> None:
        """Go back to the first frame, without computing it again."""
        self.stop()
        self.at = 0

    def run_buttons(self) -> list[Button]:
        """Play, back, next, and back to the beginning."""
        data = self.data
        first = Button("Play", "Show the pictures one after the other", self.run, not data.left, "p")
        if self.running:
            first = Button("Stop", "Stop here", self.stop, key="p")
        return [
            first,
            Button("Back", "The picture before this one", self.back, not data.at or self.running),
            Button(self.step_name, "The picture after this one", self.one_step, self.running or not data.left),
            Button("Start again", "Go back to the first picture", self.start_again, not data.at),
        ]

    @acts
    def back(self) -> None:
        """Show the frame before this one."""
        self.data.step(-1)

    def events(self, first: Lab) -> Iterable[str]:
        """None: the slider leads to every frame."""
        return ()
