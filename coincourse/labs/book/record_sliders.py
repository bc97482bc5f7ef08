"""Record a function's `sliders` for a page without Python: one slider moves at a time, and stops at a few values.

The settings that the text of a lesson asks for are recorded too, also where they move several sliders. The page gets a
recording like a lab's (`record_lab.py`), and the same script answers from it.
"""

from __future__ import annotations

import base64
import functools
import io
import itertools
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ipywidgets import Checkbox, Text
from markupsafe import escape

from ..base.controls import Control, menu, slider
from ..base.pages import page, styles
from ..functions.controls import label_of, spoken
from ..functions.shown import Shown, bounds
from ..functions.sliders import Sliders

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STOPS = 11  # recorded values of one slider, apart from those that a lesson asks for
LARGEST = 300_000  # bytes for one cell of the page
HOW_IT_MOVES = "In the book the slider stops at some of its values."
HOW_ONE_OF_THEM_MOVES = "In the book a slider stops at some of its values, and moving one control sets the others back."
HOW_THEY_MOVE = (
    "In the book only some settings go together: moving one control may set another back. A note below says when."
)
STAYS = " “{}” stays at “{}”: text can only be typed in JupyterLab."


def record_sliders(box: Sliders, asked: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """Everything that a page needs to move these controls, as plain data of at most 300 kB.

    The pictures are SVGs: most of their lines are the same and are stored only once. If they are too large, they
    become images, then smaller images, and finally the sliders get fewer stops.

    Parameters
    ----------
    box : Sliders
    asked : sequence of dict
        The settings that the lesson asks for: each moves some controls to a value, or to each value of a list. They are
        recorded with all that a reader passes on the way there: ``{"rate": 0.3, "games": [10, 100]}``.
    """
    ways: list[tuple[Callable[[Figure], bytes], int]] = [(as_svg, STOPS)]
    ways += [
        (functools.partial(as_webp, dpi=dpi), stops) for dpi, stops in ((100, STOPS), (70, STOPS), (70, 6), (50, 3))
    ]
    for draw, stops in ways:
        found = _recorded(box, asked, draw, stops)
        if len(packed(found)) <= LARGEST:
            return found
    raise ValueError(f"{box!r}: its pictures are too large for a page, even with three stops for each slider")


def packed(recording: dict[str, Any]) -> bytes:
    """A recording as a page holds it: compressed, in base64."""
    text = json.dumps(recording, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(zlib.compress(text.encode(), 9))


def _recorded(
    box: Sliders, asked: Sequence[Mapping[str, Any]], draw: Callable[[Figure], bytes], stops: int
) -> dict[str, Any]:
    """The recording with pictures of one kind."""
    lines: dict[str, int] = {}
    texts: list[list[int]] = []

    def text(html: str) -> int:
        texts.append([lines.setdefault(line, len(lines)) for line in html.split("\n")])
        return len(texts) - 1

    found = recorded_values(box, asked, stops)
    now = {name: spoken(control) for name, control in box.controls.items()}
    together = [settings for settings in asked if len(settings) > 1]
    if together:
        how = HOW_THEY_MOVE
    else:
        how = HOW_ONE_OF_THEM_MOVES if len(found) > 1 else HOW_IT_MOVES
    frame = text(_frame(box, found, how))
    states = []
    for words, settings in settings_of(found, now, together):
        html = page_of(box.at(settings, draw), box.alternative(words))
        states.append({"page": text(html), "frame": frame, "values": {name: words[name] for name in found}})
    return {
        "host": "recorded",
        "style": styles(),
        "lines": list(lines),
        "texts": texts,
        "moments": [{"states": [state], "go": {}} for state in states],
        "anywhere": {},
        "labels": {name: label_of(box.controls[name]) for name in found},
        "pause": 0,
        "runs": [],
        "right_answers": {},
    }


def recorded_values(box: Sliders, asked: Sequence[Mapping[str, Any]] = (), stops: int = STOPS) -> dict[str, dict]:
    """The recorded values of each control that can be moved, by their text; `asked` as in `record_sliders`."""
    unknown = {name for settings in asked for name in settings} - set(box.controls)
    if unknown:
        raise ValueError(f"{box!r} has no control {', '.join(sorted(unknown))}")
    found = {}
    for name, control in box.controls.items():
        wanted = [value for settings in asked if name in settings for value in _listed(settings[name])]
        values = values_of(control, stops, wanted)
        if len(values) > 1:
            found[name] = values
    return found


def settings_of(
    found: Mapping[str, Mapping[str, Any]], now: Mapping[str, str], together: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """The settings as they are, then others: as text, and the changed arguments of the function.

    First each control is moved alone. Then several are moved to each of the settings in `together`, and to each part of
    these, because a reader moves one control after the other.

    Examples
    --------
    >>> found = {"n": {"1": 1, "2": 2, "3": 3}, "k": {"5": 5, "6": 6}}
    >>> [changed for _, changed in settings_of(found, {"n": "1", "k": "5"}, [{"n": 3, "k": [5, 6]}])]
    [{}, {'n': 2}, {'n': 3}, {'k': 6}, {'n': 3, 'k': 6}]
    """
    seen = {tuple(now.values())}
    yield dict(now), {}
    ways = [{name: words} for name, values in found.items() for words in values]
    texts = {name: {value: words for words, value in values.items()} for name, values in found.items()}
    for settings in together:
        choices = [[now[name], *(texts[name][value] for value in _listed(settings[name]))] for name in settings]
        ways += [dict(zip(settings, words)) for words in itertools.product(*choices)]
    for way in ways:
        words = {**now, **way}
        if tuple(words.values()) not in seen:
            seen.add(tuple(words.values()))
            yield words, {name: found[name][word] for name, word in way.items() if word != now[name]}


def _listed(value: Any) -> list:
    return value if isinstance(value, list) else [value]


def values_of(control, stops: int = STOPS, asked: Sequence = ()) -> dict[str, Any]:
    """The recorded values of a control, by their text: its present value, those that are asked for, and others.

    Examples
    --------
    >>> from ipywidgets import IntSlider
    >>> list(values_of(IntSlider(120, 0, 1000, 10), asked=[10, 500]).values())
    [0, 10, 120, 200, 300, 400, 500, 600, 700, 800, 900, 1000]
    """
    if isinstance(control, Checkbox):
        values: Any = {"False": False, "True": True}
    elif hasattr(control, "label"):
        values = dict(zip(control._options_labels, control._options_values))
    elif all(hasattr(control, name) for name in ("min", "max", "step")):
        return _stops(control, stops, asked)
    else:
        values = {}
    few = dict(list(values.items())[:stops])
    now = {spoken(control): control.value}
    return few if spoken(control) in few else dict(list(few.items())[: stops - 1]) | now


def _stops(control, stops: int, asked: Sequence) -> dict[str, Any]:
    """Roughly evenly spaced values of a numeric slider; on a logarithmic slider the exponents are evenly spaced.

    Each value that must be there takes the place of the nearest one, unless that is an end or must be there too.
    """
    steps = round((control.max - control.min) / control.step)
    if not steps:
        return {spoken(control): control.value}
    count = min(steps, stops - 1)
    values = [round(control.min + round(steps * place / count) * control.step, 10) for place in range(count + 1)]
    if hasattr(control, "base"):
        values = [float(f"{control.base**exponent:.4g}") for exponent in values]
    kept = {values[0], values[-1]}
    for wanted in (control.value, *map(type(control.value), asked)):
        nearest = min(values, key=lambda value: abs(value - wanted))
        if wanted not in values and nearest not in kept:
            values.remove(nearest)
        kept.add(wanted)
        values = sorted({*values, wanted})
    return {str(value): value for value in values}


def _frame(box: Sliders, found: dict[str, dict[str, Any]], goal: str) -> str:
    """The controls of the page."""
    above = [page_control(box.controls[name], list(values)).describe(name) for name, values in found.items()]
    for control in box.controls.values():
        if isinstance(control, Text):
            goal += STAYS.format(label_of(control), spoken(control))
    title = title_of(box)
    return page("lab.html", program="", title=title, goal=goal, tasks=[], waits="", once=False, above=above, below=[])


def title_of(box: Sliders) -> str:
    """What the function shows, as a title.

    Examples
    --------
    >>> from coincourse.labs import sliders
    >>> def hats_after(games=10): ...
    >>> title_of(sliders(hats_after, games=(0, 10)))
    'Hats after'
    """
    words = box.about().replace("_", " ")
    return words[:1].upper() + words[1:]


def page_control(control, words: list[str]) -> Control:
    """The control for a widget on a page; its values are strings."""
    make = menu if hasattr(control, "label") else slider
    return make(label_of(control), "", words)


def page_of(shown: Shown, words: str) -> str:
    """What the function showed, as HTML."""
    parts = ["<div role='status'>", shown.html, "</div>"]
    for each in shown.pictures:
        parts.append(f"<img class='drawn' alt='{escape(words)}' src=\"{address_of(each)}\">")
        parts.append("<button type='button' class='full-size'>Full size</button>")
    return "\n".join(parts)


def address_of(picture: bytes) -> str:
    """A picture as a `data:` address.

    An SVG stays split into lines, because a recording stores each line once; a browser ignores the line breaks.
    """
    for beginning, kind in ((b"\x89PNG", "png"), (b"RIFF", "webp")):
        if picture.startswith(beginning):
            return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
    text = picture.decode()
    for letter, code in (("%", "%25"), ("#", "%23"), ('"', "'"), ("&", "%26"), ("\n", "%20\n")):
        text = text.replace(letter, code)
    return f"data:image/svg+xml,{text}"


def as_svg(figure: Figure) -> bytes:
    """A figure as an SVG, the same each time."""
    from matplotlib import rc_context

    file = io.BytesIO()
    with rc_context({"svg.hashsalt": "coinlib"}):
        figure.savefig(file, format="svg", bbox_inches=bounds(figure), metadata={"Date": None})
    return file.getvalue()


def as_webp(figure: Figure, dpi: int) -> bytes:
    """A figure as a lossless image."""
    file = io.BytesIO()
    figure.savefig(file, format="webp", dpi=dpi, bbox_inches=bounds(figure), pil_kwargs={"lossless": True})
    return file.getvalue()
