"""Text that strangers have written, cleaned once where it enters."""

from __future__ import annotations

import re

ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")  # differs from run to run


def printable(text: str) -> str:
    """A text in one line of characters that can be shown.

    Examples
    --------
    >>> printable("no\\x1b[2J such\\n thing")
    'no?[2J such thing'
    """
    one_line = " ".join(text.split())
    return "".join(sign if sign.isprintable() else "?" for sign in one_line)


def clean(text: str, longest: int) -> str:
    """A text cut to a length, in one printable line, and without addresses in memory.

    Examples
    --------
    >>> clean("<Agent at 0x7f0012ab34cd>\\x1b]0;title", 60)
    '<Agent at 0x...>?]0;title'
    """
    return ADDRESS.sub("0x...", printable(text[:longest]))
