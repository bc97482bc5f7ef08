"""What an error hints at: from the words of its message, and from a line that Python cannot read.

A hint may not be wrong. So a correction of a line is suggested only if Python can read the code with it.
"""

from __future__ import annotations

import difflib
import keyword
import linecache
import math
import re
import unicodedata
from collections.abc import Iterator

RETURNED_NONE = "A function that ends without `return` returns None, and so do `print` and `append`."
MET_NONE = f"Something is None here: a name that was set to None, or what came back from a call. {RETURNED_NONE}"
KEEP_TUPLE = "A tuple cannot be changed. Change a list, `new = list(old)`; `tuple(new)` makes a tuple of it."
JOINS = "`+` joins two lists. Put the number into brackets: `old + [number]`."
ONE_ITEM = (
    "`append` adds one item: for two items call it twice. "
    "A pair is one value, in its own brackets: `moves.append((row, count))`."
)
ONE_OF_MANY = "`if` and `while` need one True or False, and that is a whole column of them: compare one line at a time."
NO_PLACE = (
    "Places are counted from 0: n items have the places 0 to n - 1. "
    "Is this list or tuple shorter than you expect, or even empty?"
)
NO_SUCH_PLACE = "`values[place] = value` changes an item that is there. It makes no list longer: `append` does."
NOT_WHOLE = "`/` makes a decimal number, even of 4 / 2. For a place or a count divide with `//`."
NO_SUCH_KEY = (
    "This key is not in the dictionary. Is it put in before it is read? "
    "If the dictionary is given to you, loop over the keys that it has: `for key in table`."
)
NO_SUCH_PAIR = (
    "This key is not in the dictionary. Is it put in before it is read? "
    "In a dictionary of dictionaries each key has its own brackets: `table[i][j]`, not `table[i, j]`."
)
NO_PAIRS = (
    "Two names need a pair, and this is one number. "
    "`for key in table` takes the keys alone; `for key, value in table.items()` takes pairs."
)
TWO_PLACES = "In a list of lists each place has its own brackets: `table[i][j]`."
STAR = "`nim_sum` takes numbers, not a list. The star hands them over one by one: `nim_sum(*values)`."
NO_FUNCTION = (
    "Round brackets after the name of a list call it, and a list cannot be called. "
    "Is a method missing, such as `.count`, or are square brackets meant, as in `coins[0]`?"
)
NOT_CALLED = "A method needs brackets after its name, even with nothing in them, such as `game.legal_moves(state)`."
NO_VALUE_YET = "That name has no value yet: the line that sets it was not reached. Set it before the loop or the `if`."
# What to say about an error in any exercise, by a part of the words of its message: see `hint_of_error`
HINTS_OF_ERRORS = {
    "method'": NOT_CALLED,
    "'NoneType'": MET_NONE,
    "it is not associated with a value.": NO_VALUE_YET,
    "'tuple' object does not support item assignment.": KEEP_TUPLE,
    "list.remove(x): x not in list.": "`remove(x)` needs an x that is in the list. Is it there at this moment?",
    'can only concatenate list (not "int") to list.': JOINS,
    "unsupported operand type(s) for +: 'int' and 'list'.": JOINS,
    'can only concatenate tuple (not "int") to tuple.': "A tuple of one number has a comma: `(number,)`.",
    "list.append() takes exactly one argument (2 given).": ONE_ITEM,
    "Use a.empty, a.item(), a.any() or a.all().": ONE_OF_MANY,
    "list index out of range.": NO_PLACE,
    "tuple index out of range.": NO_PLACE,
    "list assignment index out of range.": NO_SUCH_PLACE,
    "list indices must be integers or slices, not tuple.": TWO_PLACES,
    "slice indices must be integers": NOT_WHOLE,
    "indices must be integers or slices, not float.": NOT_WHOLE,
    "'float' object cannot be interpreted as an integer.": NOT_WHOLE,
    "KeyError: (": NO_SUCH_PAIR,
    "KeyError": NO_SUCH_KEY,
    "cannot unpack non-iterable int object.": NO_PAIRS,
    "unsupported operand type(s) for ^: 'int' and 'list'.": STAR,
    "'function' object is not subscriptable.": "That is a function. Call it with round brackets, such as `run(seed)`.",
    "'list' object is not callable.": NO_FUNCTION,
}
# How to get a name that is used without its import
IMPORTS = {name: f"import {name}" for name in ("collections", "copy", "itertools", "math", "random", "time")}
IMPORTS |= {"np": "import numpy as np", "pd": "import pandas as pd", "plt": "import matplotlib.pyplot as plt"}
NUMBERS = {"int", "float", "bool"}
# The types in the message about two values that do not go together
OPERANDS = re.compile(
    r"""(?:not supported between instances of|unsupported operand type\(s\) for .+:) '(\w+)' and '(\w+)'"""
    r"""|can only concatenate (\w+) \(not "(\w+)"\)"""
)
# What to say if one of them is a number and the other is of this type
NEXT_TO_A_NUMBER = {
    "tuple": "A tuple, such as a pair, is several values in one. Take one of them, as in `low, high = pair` or `pair[0]`.",
    "list": "A list is several values in one. Take one of them, such as `values[0]`, or their number, `len(values)`.",
    "dict": "A dictionary is several values in one. Take one of them, such as `table[key]`.",
    "range": "A range is several numbers in one. A loop takes them one by one.",
    "function": "One of the two is a function. Call it, with brackets after its name.",
    "str": "One of the two is text. A name or a number has no quotes. (`int(text)` makes a number of text.)",
}
INDENT_IT = "The lines of a function begin with four blanks. Does this line begin at the left edge?"
# What people write, and what Python calls it
SIGNS = {"=<": "<=", "=>": ">=", "=!": "!=", "<>": "!=", "&&": "and", "||": "or", "else if": "elif", "elseif": "elif"}
# For a sign of the keyboard, what a phone or a text program puts there instead
INSTEAD_OF = {
    "-": "–—−‐‑",
    '"': "“”„«»",
    "'": "‘’‚´",
    "*": "×·",
    "/": "÷",
    "<=": "≤",
    ">=": "≥",
    "!=": "≠",
    "...": "…",
}
TO_TYPE = {character: sign for sign, characters in INSTEAD_OF.items() for character in characters}
STRANGE = re.compile(r"^invalid .*character .*U\+([0-9A-F]{4,6})")  # what Python says about such a character
WORD = re.compile(r"[A-Za-z_]\w+")
WORDS = [word for word in keyword.kwlist if word.islower()]
Place = tuple[float, int]  # a line, and a place in it
ALIKE = 0.75  # how similar a misspelt word and a word of Python must be; 1 is equal


def hint_of_error(words: str, of_exercise: dict[str, str]) -> str:
    """What to say about an error; empty if nothing.

    An exercise may replace a hint in `HINTS_OF_ERRORS`, or add one, which counts if none of those fits.

    Examples
    --------
    >>> about_states = {"IndexError": "Is it empty?", "list index out of range.": "Is `moves` empty?"}
    >>> hint_of_error("your function raised IndexError: list index out of range.", about_states)
    'Is `moves` empty?'
    >>> hint_of_error("your function raised IndexError: pop from empty list.", about_states)
    'Is it empty?'
    """
    hints = HINTS_OF_ERRORS | of_exercise
    found = next((hint for part, hint in hints.items() if part in words), "")
    return found or hint_about_operands(words)


def hint_about_operands(words: str) -> str:
    """What to say about a number that was compared or combined with something else; empty if nothing.

    Examples
    --------
    >>> hint_about_operands("TypeError: '>' not supported between instances of 'function' and 'int'.")
    'One of the two is a function. Call it, with brackets after its name.'
    >>> hint_about_operands("TypeError: unsupported operand type(s) for -: 'list' and 'list'.")
    ''
    """
    found = OPERANDS.search(words)
    if not found:
        return ""
    types = set(filter(None, found.groups()))
    others = types - NUMBERS
    return NEXT_TO_A_NUMBER.get(others.pop(), "") if types & NUMBERS and len(others) == 1 else ""


# --- code that Python cannot read ---------------------------------------------------------------------------


def hint_about_syntax(error: SyntaxError) -> str:
    """What to say about code that Python cannot read, where Python itself does not; empty if nothing.

    Examples
    --------
    >>> def hint_about(code):
    ...     try:
    ...         compile(code, "", "exec")
    ...     except SyntaxError as error:
    ...         print(hint_about_syntax(error))
    >>> hint_about("fro i in range(3): print(i)")
    `fro`: is `for` meant?
    >>> hint_about("x = 7 – 2")
    Python does not know the sign `–`. Type `-` instead.
    >>> hint_about("x = 1 2")
    <BLANKLINE>
    """
    if isinstance(error, IndentationError):
        return ""
    character = _strange_character(error)
    if character in TO_TYPE:
        return f"Python does not know the sign `{character}`. Type `{TO_TYPE[character]}` instead."
    if character and unicodedata.category(character) in ("Zs", "Cf"):
        return "There is a special blank in this line, as in copied text. Delete the blanks, and type them again."
    text = error.text or ""
    for wrong, right in SIGNS.items():
        if wrong in text and _next_error(error, text.replace(wrong, right)) > _place(error):
            return f"`{wrong}` is written `{right}`."
    best = max(_respelt(error), default=None)
    if best and best[0] > _place(error):
        _, wrong, right = best
        return f"`{wrong}`: is `{right}` meant?"
    return INDENT_IT if str(error.msg).endswith("outside function") else ""


def _strange_character(error: SyntaxError) -> str:
    """The character that stops Python, if it is not one of those that code is made of; otherwise empty."""
    message = str(error.msg)
    if named := STRANGE.match(message):
        return chr(int(named[1], 16))
    if message.startswith("unterminated string"):  # one end of the text may have another kind of quotation mark
        return next((each for each in error.text or "" if TO_TYPE.get(each) in ("'", '"')), "")
    return ""


def _respelt(error: SyntaxError) -> Iterator[tuple[Place, str, str]]:
    """Each word of the line that may be a misspelt word of Python: how far Python reads with that, and the two words."""
    text = error.text or ""
    for found in WORD.finditer(text):
        word = found[0]
        similar = [right for right in WORDS if word not in keyword.kwlist and _is_like(word.lower(), right)]
        for right in similar:
            line = text[: found.start()] + right + text[found.end() :]
            yield _next_error(error, line), word, right


def _is_like(word: str, right: str) -> bool:
    """Whether two words have the same letters, or nearly the same ones in the same order.

    Examples
    --------
    >>> _is_like("fro", "for"), _is_like("retun", "return"), _is_like("when", "while")
    (True, True, False)
    """
    is_similar = difflib.SequenceMatcher(None, word, right).ratio() >= ALIKE
    return sorted(word) == sorted(right) or is_similar and abs(len(word) - len(right)) <= 1


def _next_error(error: SyntaxError, line: str) -> Place:
    """Where Python stops if the line of an error is replaced; behind everything if it can read the code then."""
    lines = linecache.getlines(error.filename or "")
    number, _ = _place(error)
    if number > len(lines):  # only the line itself is known
        lines = [*number * [""]]
    try:
        compile("".join([*lines[: number - 1], line, *lines[number:]]), "", "exec")
    except SyntaxError as other:
        return _place(other)
    return math.inf, 0


def _place(error: SyntaxError) -> Place:
    return error.lineno or 1, error.offset or 0
