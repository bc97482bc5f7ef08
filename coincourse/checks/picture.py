"""What a verdict looks like in a notebook: the same words as in print, in an order that is quicker to read.

A bar of colour and a mark say how the answer did; then come the hint, the example on lines of its own, and
the turns of a lost game one below the other. What the student's function printed is folded. The style
stands in the elements themselves, so the picture is the same in every notebook, in the web book, and
without an extension.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .judging import Verdict

BAR = "border-left: 6px solid {}; padding: 2px 14px; max-width: 80ch; overflow-wrap: break-word"
RIGHT = "#0072b2"  # the blue and the orange of all labs
NOT_YET = "#d55e00"
EXAMPLE = "font-family: var(--jp-code-font-family, monospace); margin: 6px 0"
PRINTED = "white-space: pre-wrap; overflow-wrap: anywhere; margin: 4px 0 4px 14px"


def picture(verdict: Verdict) -> str:
    """A verdict as HTML.

    Examples
    --------
    >>> from coincourse.checks.judging import Verdict
    >>> lines = ("For a row of 1", "your function returned 2;", "expected 1.")
    >>> html = picture(Verdict("square", False, lines, hint="That is twice the number."))
    >>> html.index("Not yet") < html.index("That is twice") < html.index("For a row of 1<br>your function")
    True
    """
    parts = []
    if verdict.right:
        praise = escape(" ".join(verdict.lines))
        parts.append(_paragraph(f"{_headline(f'✓ {verdict.headline}')}{praise}"))
    else:
        parts.append(_paragraph(_headline("✗ Not yet")))
        if verdict.hint:
            parts.append(_paragraph(_with_code(verdict.hint)))
        parts.append(_paragraph("<br>".join(map(escape, verdict.lines)), EXAMPLE))
    if verdict.turns:
        parts.append(_listed(verdict.turns))
        parts.append(_paragraph(escape(verdict.after)))
    if verdict.line:
        parts.append(_paragraph(escape(verdict.line), EXAMPLE))
    if verdict.printed.strip():
        printed = f"<pre style='{PRINTED}'>{escape(verdict.printed.rstrip())}</pre>"
        parts.append(f"<details><summary>What your function printed</summary>{printed}</details>")
    bar = BAR.format(RIGHT if verdict.right else NOT_YET)
    inside = "\n".join(parts)
    return f"<div class='coin-verdict' style='{bar}'>\n{inside}\n</div>"


def _with_code(words: str) -> str:
    """A sentence of ours as HTML: what stands between two backticks is code.

    Examples
    --------
    >>> _with_code("`a < b` is a truth")
    '<code>a &lt; b</code> is a truth'
    """
    parts = escape(words).split("`")
    parts[1::2] = [f"<code>{part}</code>" for part in parts[1::2]]
    return "".join(parts)


def _headline(words: str) -> str:
    return f"<strong style='font-size: 1.15em'>{words}</strong>"


def _paragraph(html: str, style: str = "margin: 6px 0") -> str:
    return f"<p style='{style}'>{html}</p>"


def _listed(turns: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(turn)}</li>" for turn in turns)
    return f"<ol style='margin: 6px 0; padding-left: 2em'>{items}</ol>"
