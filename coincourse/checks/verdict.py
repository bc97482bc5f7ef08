"""What a check finds out about an answer, as text and as a picture.

The picture of a verdict has the same words as its text, in an order that is quicker to read: a coloured bar and a mark
show how the answer did; then come the hint, the example on separate lines, and the turns of a lost game one below the
other. What the student's function printed is folded. The styles are in the elements themselves, so the picture is the
same in every notebook, in the web book, and without an extension.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

CODE = re.compile("`([^`]+)`")  # in a message
EMPHASIS = re.compile(r"(?<![^\s(])\*([a-z]+(?: [a-z]+)*)\*(?![\w*&])")  # not a star in a value, such as '*a*'
LONGEST_LINE = 80  # the most characters to quote from a student's line
BAR = "border-left: 6px solid {}; padding: 2px 14px; max-width: 80ch; overflow-wrap: break-word"
RIGHT = "#0072b2"  # the blue and the orange of all labs
NOT_YET = "#d55e00"
NOT_WRITTEN = "#767676"
GREY = 0.75  # opacity of a grey headline: it takes the colour of the theme's own text
EXAMPLE = "font-family: var(--jp-code-font-family, monospace); margin: 6px 0"
PRINTED = "white-space: pre-wrap; overflow-wrap: anywhere; margin: 4px 0 4px 14px"


@dataclass(frozen=True)
class Verdict:
    """What a check finds out about an answer, in parts.

    Attributes
    ----------
    exercise : str
        Its name, such as "legal_moves".
    right : bool
    lines : tuple of str
        The message, line by line: the case, what the function did, what was expected.
    headline : str
        The word before the lines, in large letters: "Right". The first line begins with its comma or colon.
    turns : tuple of str
        The turns at the end of a lost game; they follow the lines.
    after : str
        What follows the turns.
    hint : str
        The sentence about the mistake; it comes at the end.
    error : str
        The type of the error that the student's function raised: "NameError".
    late : bool
        Whether the time was up before the answer was judged, or before the hint about it was found.
    line : str
        The line of the student's cell in which the error was raised, as text.
    printed : str
        The beginning of what the student's function printed.
    written : bool
        Whether the student has begun: an answer that is still `...` is neither right nor wrong.
    better : bool
        Whether the answer is better than the one asked for.

    Examples
    --------
    >>> print(Verdict("settle", True, (", for wins and losses.",), headline="Right"))
    ✓ Right, for wins and losses.
    >>> lines = ("For 1 ball", "your function returned None.")
    >>> print(Verdict("settle", False, lines, printed="[1]\\n[2]\\n"))
    ✗ For 1 ball your function returned None.
    (What your function printed is held back here. It began with: [1])
    """

    exercise: str
    right: bool
    lines: tuple[str, ...]
    headline: str = ""
    turns: tuple[str, ...] = ()
    after: str = ""
    hint: str = ""
    error: str = ""
    late: bool = False
    line: str = ""
    printed: str = ""
    written: bool = True
    better: bool = False

    @property
    def mark(self) -> str:
        """The sign before the words."""
        if self.right:
            return "✓"
        return "✗" if self.written else "○"

    @property
    def words(self) -> str:
        """The whole message, without the mark before it."""
        parts = list(self.lines)
        if self.turns:
            parts.append(f"{', '.join(self.turns)}.")
        if self.after:
            parts.append(self.after)
        if self.hint:
            parts.append(self.hint)
        return self.headline + " ".join(parts)

    def __str__(self) -> str:
        said = [f"{self.mark} {self.words}"]
        if self.line:
            said.append(self.line)
        lines = [line for line in self.printed.splitlines() if line.strip()]
        if lines:
            began = cut(lines[0], LONGEST_LINE)
            said.append(f"(What your function printed is held back here. It began with: {began})")
        return "\n".join(said)

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        """What a notebook shows: a picture, or the text if it cannot show pictures."""
        return {"text/plain": str(self), "text/html": picture(self)}


def cut(words: str, longest: int) -> str:
    """Words, cut to a number of characters.

    Examples
    --------
    >>> cut("abcdefgh", 6), cut("abc", 6)
    ('abc...', 'abc')
    """
    return words if len(words) <= longest else f"{words[: longest - 3]}..."


# --- the picture ---------------------------------------------------------------------------------------


def picture(verdict: Verdict) -> str:
    """A verdict as HTML.

    Examples
    --------
    >>> lines = ("For a row of 1", "your function returned 2;", "expected 1.")
    >>> html = picture(Verdict("square", False, lines, hint="That is twice the number."))
    >>> html.index("Not yet") < html.index("That is twice") < html.index("For a row of 1<br>your function")
    True
    """
    parts = []
    hint = [_paragraph(with_code(verdict.hint))] if verdict.hint else []
    if verdict.right:
        colour = RIGHT
        parts.append(_paragraph(_headline(f"✓ {verdict.headline}") + with_code(" ".join(verdict.lines))))
    elif not verdict.written:
        colour = NOT_WRITTEN
        headline = _headline(f"○ {verdict.headline}", f"; opacity: {GREY}")
        parts += [_paragraph(headline + with_code(" ".join(verdict.lines))), *hint]
    else:
        colour = NOT_YET
        parts += [_paragraph(_headline("✗ Not yet")), *hint]
        parts.append(_paragraph("<br>".join(map(with_code, verdict.lines)), EXAMPLE))
    if verdict.turns:
        parts.append(_listed(verdict.turns))
    if verdict.after:
        parts.append(_paragraph(with_code(verdict.after)))
    if verdict.line:
        parts.append(_paragraph(with_code(verdict.line), EXAMPLE))
    if verdict.printed.strip():
        printed = f"<pre style='{PRINTED}'>{escape(verdict.printed.rstrip())}</pre>"
        parts.append(f"<details><summary>What your function printed</summary>{printed}</details>")
    bar = BAR.format(colour)
    inside = "\n".join(parts)
    return f"<div class='coin-verdict' style='{bar}'>\n{inside}\n</div>"


def with_code(words: str) -> str:
    """A message as HTML: text between two backticks is code, and a word between two stars is emphasized.

    Examples
    --------
    >>> with_code("`a < b` is a *comparison*")
    '<code>a &lt; b</code> is a <em>comparison</em>'
    """
    return EMPHASIS.sub(r"<em>\1</em>", CODE.sub(r"<code>\1</code>", escape(words)))


def _headline(words: str, style: str = "") -> str:
    return f"<strong style='font-size: 1.15em{style}'>{words}</strong>"


def _paragraph(html: str, style: str = "margin: 6px 0") -> str:
    return f"<p style='{style}'>{html}</p>"


def _listed(turns: Sequence[str]) -> str:
    items = "".join(f"<li>{with_code(turn)}</li>" for turn in turns)
    return f"<ol style='margin: 6px 0; padding-left: 2em'>{items}</ol>"
