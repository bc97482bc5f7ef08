"""Clean text written by strangers, once, where it enters the course."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Sequence

ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")  # differs from run to run
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # printable according to Python, but they look like blanks
MOST_ACCENTS = 3  # on one letter
LATIN = " (ISO/IEC 8859-1)"  # added to a name that is not in UTF-8: no file name contains a slash


def printable(text: str) -> str:
    """Return the text as one line, with "?" for each character that cannot be shown.

    Examples
    --------
    >>> printable("no\\x1b[2J such\\n thing")
    'no?[2J such thing'
    >>> len(printable("e" + 500 * "\\u0301"))  # accents do not pile up
    4
    """
    return _printable_line(" ".join(text.split()))


def printable_lines(text: str) -> str:
    """Return the text with its lines and indentation, and "?" for each character that cannot be shown.

    Several empty lines in a row become one.

    Examples
    --------
    >>> printable_lines("\\n\\n\\ndef f():\\n\\treturn '\\u202e'\\n")
    "def f():\\n    return '?'"
    """
    lines: list[str] = []
    for line in text.splitlines():
        shown = _printable_line(line.expandtabs(4).rstrip())
        if shown or (lines and lines[-1]):
            lines.append(shown)
    return "\n".join(lines).rstrip()


def clean(text: str, longest: int) -> str:
    """Return the text cut to a length, as one printable line without memory addresses.

    Examples
    --------
    >>> clean("<Agent at 0x7f0012ab34cd>\\x1b]0;title", 60)
    '<Agent at 0x...>?]0;title'
    """
    return ADDRESS.sub("0x...", printable(text[:longest]))


def clean_lines(text: str, longest: int) -> str:
    """Return the text as `clean` does, but keep its lines.

    Examples
    --------
    >>> clean_lines("For 1 ball\\nyour function returned <a at 0x7f0012ab34cd>.", 60)
    'For 1 ball\\nyour function returned <a at 0x...>.'
    """
    return ADDRESS.sub("0x...", printable_lines(text[:longest]))


def first_of(entries: Sequence[str], most: int) -> list[str]:
    """Return the first entries of a list, and how many more there are.

    Examples
    --------
    >>> first_of(["a", "b", "c"], 2), first_of(["a", "b"], 2)
    (['a', 'b', '... and 1 more'], ['a', 'b'])
    """
    more = len(entries) - most
    if more <= 0:
        return [*entries]
    return [*entries[:most], f"... and {more} more"]


def at_line(number: int | None) -> str:
    """Return where an error was raised, as the end of a message; "" if Python does not know the line.

    Examples
    --------
    >>> at_line(3), at_line(None)
    (' (line 3)', '')
    """
    return "" if number is None else f" (line {number})"


def visible(name: str) -> str:
    """Return a file name as one printable line; two different names stay different.

    Examples
    --------
    >>> visible("Ada  Lovelace"), visible("no\\x1b[2J such\\nthing"), visible("J\\udcfcrg")
    ('Ada  Lovelace', 'no\\\\x1b[2J such\\\\nthing', 'Jürg (ISO/IEC 8859-1)')
    """
    latin = ""
    try:
        name.encode()
    except UnicodeEncodeError:  # Its bytes are not UTF-8.
        name = os.fsencode(name).decode("latin-1")
        latin = LATIN
    return "".join(_escaped(sign) for sign in name) + latin


def _printable_line(line: str) -> str:
    accents = 0
    signs = []
    for sign in line:
        accents = accents + 1 if unicodedata.combining(sign) else 0
        if accents <= MOST_ACCENTS:
            signs.append(_shown(sign))
    return "".join(signs)


def _shown(sign: str) -> str:
    if _is_shown(sign):
        return sign
    return " " if sign.isspace() else "?"


def _is_shown(sign: str) -> bool:
    return sign.isprintable() and sign not in BLANKS


def _escaped(sign: str) -> str:
    """Return a character, or its number if it cannot be shown."""
    if _is_shown(sign) and sign != "\\":
        return sign
    return sign.encode("unicode_escape").decode()
