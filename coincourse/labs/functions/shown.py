"""Call a function, and keep everything that it shows: pictures, tables and text."""

from __future__ import annotations

import base64
import contextlib
import io
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from IPython import get_ipython
from IPython.core.formatters import DisplayFormatter
from markupsafe import escape

from coincourse.checks.judging import error_in_words, line_of_cell

from ..base.pages import page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PNG = "image/png"
STOPPED = "It was stopped before it had an answer."


@dataclass(frozen=True)
class Shown:
    """What one call of a function showed.

    Attributes
    ----------
    result : object
        What it returned; None if it raised an error.
    figures : tuple of Figure
        The figures that it drew. They are closed, but their data can still be read.
    pictures : tuple of bytes
        These figures as images, and other images that it displayed.
    html, text : str
        What it printed, displayed and returned (tables and texts), and its error: as HTML and as plain text.
    error : str
        The error that it raised, as a sentence with the line of the cell; "" if there is none.
    """

    result: Any = None
    figures: tuple[Figure, ...] = ()
    pictures: tuple[bytes, ...] = ()
    html: str = ""
    text: str = ""
    error: str = ""


def as_png(figure: Figure) -> bytes:
    """A figure as a PNG."""
    file = io.BytesIO()
    figure.savefig(file, format="png", bbox_inches=bounds(figure))
    return file.getvalue()


def bounds(figure: Figure) -> str | None:
    """The part of a figure to draw, for `savefig`.

    A figure with a layout, such as those of `coinlib.plots`, keeps its size while a slider moves. Any other is cropped
    to its content, as in Jupyter.
    """
    return None if figure.get_layout_engine() else "tight"


def call(function: Callable, settings: Mapping[str, Any], draw: Callable[[Figure], bytes] = as_png) -> Shown:
    """Call a function with these settings, and keep everything that it shows.

    Nothing appears on the screen, and figures that the function opens are closed. An error becomes a sentence.

    Parameters
    ----------
    function : function
        It may return an Axes, a figure, a table or any value, print, display, leave figures open, or call
        ``plt.show()``.
    settings : dict
        Its arguments by name.
    draw : function
        Turns a figure into a picture.

    Examples
    --------
    >>> call(lambda n: n * n, {"n": 3}).text
    '9'
    >>> call(lambda n: 1 / n, {"n": 0}).error.split(". ")[0]
    'ZeroDivisionError: division by zero'
    """
    printed = io.StringIO()
    displayed: list[dict[str, Any]] = []
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), _hooked(displayed), _interruptible():
        ran = _run(function, settings, draw)
    bundles = [_words(printed.getvalue()), *displayed]
    if ran.result is not None and not figures_of(ran.result):
        bundles.append(bundle_of(ran.result))
    if ran.error:
        bundles = [bundle for bundle in bundles if PNG not in bundle]
        bundles.append({"text/html": page("trouble.html", words=ran.error), "text/plain": ran.error})
    others = [_bytes(bundle[PNG]) for bundle in bundles if bundle.get(PNG)]
    bundles = [bundle for bundle in bundles if PNG not in bundle]
    return replace(ran, pictures=(*ran.pictures, *others), html=_html(bundles), text=_text(bundles))


def _run(function: Callable, settings: Mapping[str, Any], draw: Callable[[Figure], bytes]) -> Shown:
    """Call a function and draw its figures, or return its error as a sentence; either way, its figures are closed."""
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    figures: list[Figure] = []
    try:
        with _displayed(figures):
            result = function(**settings)
        figures += _opened_since(before)
        figures += figures_of(result)
        figures = list(dict.fromkeys(figures))  # each once
        return Shown(result, tuple(figures), tuple(draw(figure) for figure in figures))
    except KeyboardInterrupt:
        return Shown(error=STOPPED)
    except Exception as error:  # noqa: BLE001 - it is the student's function
        return Shown(error=f"{error_in_words(error)} {line_of_cell(error)}".strip())
    finally:
        for figure in [*figures, *_opened_since(before)]:
            plt.close(figure)


def _opened_since(before: list[int]) -> list[Figure]:
    """The open figures of pyplot, except those with these numbers."""
    import matplotlib.pyplot as plt

    return [plt.figure(number) for number in plt.get_fignums() if number not in before]


def figures_of(value: Any) -> list[Figure]:
    """The figures of an Axes, a figure, or several of them; none for any other value."""
    import numpy as np
    from matplotlib.artist import Artist

    parts: Iterable = [value]
    if isinstance(value, Mapping):
        parts = value.values()
    elif isinstance(value, list | tuple):
        parts = value
    elif isinstance(value, np.ndarray) and value.dtype == object:
        parts = value.flat
    parts = list(parts)
    if not all(isinstance(part, Artist) and part.figure for part in parts):
        return []
    return list(dict.fromkeys(part.figure.figure for part in parts))  # for part of a figure, the whole figure


def bundle_of(value: Any) -> dict[str, Any]:
    """A value as a notebook shows it, by MIME type; a text is shown without quotes."""
    if isinstance(value, str):
        return _words(value)
    shell = get_ipython()
    formatter = shell.display_formatter if shell else DisplayFormatter()
    data, _ = formatter.format(value, include=("text/html", "text/plain", PNG))
    return data


def _bytes(picture: bytes | str) -> bytes:
    """An image as bytes; a text is base64."""
    return base64.b64decode(picture) if isinstance(picture, str) else picture


def _words(text: str) -> dict[str, Any]:
    """A text by MIME type; nothing if it is blank."""
    return {"text/plain": text} if text.strip() else {}


def _html(bundles: Iterable[Mapping[str, Any]]) -> str:
    """Tables and texts, one below the other."""
    parts = []
    for bundle in bundles:
        if "text/html" in bundle:
            parts.append(bundle["text/html"])
        elif "text/plain" in bundle:
            parts.append(f"<pre>{escape(bundle['text/plain'].rstrip())}</pre>")
    return "\n".join(parts)


def _text(bundles: Iterable[Mapping[str, Any]]) -> str:
    return "\n".join(bundle["text/plain"].rstrip() for bundle in bundles if "text/plain" in bundle)


@contextlib.contextmanager
def _hooked(displayed: list[dict[str, Any]]) -> Iterator[None]:
    """While this is open, what this thread displays goes into a list instead of onto the screen.

    IPython's `capture_output` would replace the kernel's publisher, and lose messages from other threads.
    """
    publisher = getattr(get_ipython(), "display_pub", None)
    if not hasattr(publisher, "register_hook"):  # Outside a kernel, displaying prints.
        yield
        return

    def keep(message: dict[str, Any]) -> None:
        if message["header"]["msg_type"] == "clear_output":
            displayed.clear()
        else:
            displayed.append(message["content"]["data"])

    publisher.register_hook(keep)
    try:
        yield
    finally:
        publisher.unregister_hook(keep)


@contextlib.contextmanager
def _displayed(figures: list[Figure]) -> Iterator[None]:
    """While this is open, add each figure that is displayed, as by ``plt.show()`` in a notebook, to a list.

    An empty image is displayed instead.
    """
    from matplotlib.figure import Figure

    shell = get_ipython()
    if shell is None:
        yield
        return

    def keep(figure: Figure) -> bytes:
        figures.append(figure)
        return b""

    formatter = shell.display_formatter.formatters[PNG]
    usual = formatter.for_type(Figure, keep)
    try:
        yield
    finally:
        if formatter.lookup_by_type(Figure) is keep:  # otherwise the first figure loaded the backend, which set its own
            formatter.pop(Figure)
            if usual:
                formatter.for_type(Figure, usual)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Let "Interrupt the kernel" raise KeyboardInterrupt, which a kernel ignores while no cell is running."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
