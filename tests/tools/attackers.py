"""Notebooks that are meant to fool or stop the marking: their cells, and the outcomes in lesson 04.

The words PORT, WORK, ANSWERS and MARKER are replaced before they are handed in, as `placed` says.
"""

from __future__ import annotations

from hand_ins import CHANCE, DRAW, SETTLE, SETTLE_GAME, WRONG, notebook

from coincourse.classroom.notebooks import LARGEST

# Right answers that follow; the answer to draw is left out because it is slow.
RIGHT = [CHANCE, SETTLE, SETTLE_GAME]
REST = [SETTLE, SETTLE_GAME]

# Each cell is refused by the system, with this error; the answers that follow are right.
MISCHIEF = {
    "open(check.__file__, 'a')": "OSError",
    "import os; open(os.path.join(os.path.dirname(check.__file__), 'planted.py'), 'w')": "OSError",
    "print(open('WORK').read())": "FileNotFoundError",
    "os.remove('WORK')": "FileNotFoundError",
    "import socket; socket.create_connection(('127.0.0.1', PORT), 3)": "ConnectionRefusedError",
    "import shutil; open('large', 'wb').write(bytes(100_000_000))": "OSError",
    "held = bytearray(10**11)": "MemoryError",
    "open('ANSWERS/x', 'w')": "FileNotFoundError",
    "import psutil; [one.name() for one in psutil.process_iter() if 'pytest' in ' '.join(one.cmdline())][0]": (
        "IndexError"
    ),
}
STARTS = """
    import os, subprocess, sys
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(999) # MARKER"], start_new_session=True)
    if os.fork() == 0:
        os.setsid()
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(999) # MARKER"])
"""
KILLS = "import os, signal; os.kill(os.getppid(), signal.SIGKILL); os.kill(1, 9)"
LEAVES = "import sys; sys.exit()"
FORGES = """
    import gc, io
    def chance(*_):
        for held in gc.get_objects():
            if isinstance(held, io.FileIO) and not held.closed and held.fileno() > 2 and held.writable():
                held.write(b"[" * 1000 + b"\\n")
        return 0
    check.chance(chance)
"""
TOWER = """
    def chance(*_):
        tower = []
        for _ in range(100_000):
            tower = [tower]
        return tower
    check.chance(chance)
"""
EATS = "def chance(*_):\n    held = []\n    while True:\n        held.append(bytes(10**8))\ncheck.chance(chance)"
STUBBORN = "import time\nwhile True:\n    try:\n        while True: time.sleep(1)\n    except BaseException: pass"
REPLACES = "check.chance = print\ncheck.chance(lambda *_: 0)"
ENDS = CHANCE + "\nimport os; os._exit(7)"
CRASHES = "import ctypes; ctypes.string_at(0)"
FLOODS = """
    import gc, types
    for each in gc.get_objects():
        if isinstance(each, types.FunctionType) and each.__name__ == "_in_words":
            each.__code__ = (lambda error: "x" * 150_000).__code__
"""
HOSTILE = {
    "mischief": ([*MISCHIEF, *RIGHT], "✓✓✓–"),
    "starts and leaves": ([STARTS, LEAVES, *RIGHT, "quit"], "✓✓✓–"),
    "kills": ([KILLS, *RIGHT], "✓✓✓–"),
    "forges": ([FORGES, *REST], "–✓✓–"),
    "tower": ([TOWER, *REST], "✗✓✓–"),
    "eats": ([EATS, *REST], "✗✓✓–"),
    "hangs": ([CHANCE, STUBBORN, *REST], "✓✓✓–"),
    "replaces": ([REPLACES, *REST], "–✓✓–"),
    "ends": ([ENDS, SETTLE, CRASHES], "–✓––"),
    "floods": ([FLOODS, *["1 / 0"] * 50, DRAW], "–––✓"),
}

# --- forged answers -------------------------------------------------------------------------------------

READS_THE_STACK = """
    import sys
    def chance(*given):
        frame = sys._getframe()
        while frame:
            for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
                if type(value).__name__ in ("Case", "Exercise", "Task"):
                    return value.expected if hasattr(value, "expected") else value.reference(*given)
            frame = frame.f_back
        return 2
    check.chance(chance)
"""
READS_MEMORY = """
    import gc
    def chance(*given):
        for value in gc.get_objects():
            if type(value).__name__ == "Exercise" and hasattr(value, "reference"):
                return value.reference(*given)
        return 2
    check.chance(chance)
"""
READS_FILES = """
    import glob, importlib, os, sys
    del sys.modules["coincourse.checks"]
    sys.path_importer_cache.clear()
    chance = importlib.import_module("coincourse.checks.hats").chance.reference
    check.chance(chance)
"""
LIES = """
    class Liar(list):
        def __eq__(self, other): return True
        def __len__(self): return 3
        def __getitem__(self, place): return 0
        def __class__(self): return list
    def settle(*_): return Liar()
    check.settle(settle)
"""
PATCHES = """
    import builtins, math
    from coincourse.checks import judging
    class Any(float):
        def __eq__(self, other): return True
        def tolist(self): return self
    math.isclose = builtins.all = lambda *_, **__: True
    judging.alike = judging.judge = judging.Task.refusal = lambda *_, **__: ""
    def chance(*_): return Any(2)
    check.chance(chance)
"""
SAYS_RIGHT = """
    import gc
    right = {"exercise": "chance", "right": True, "lines": ["Right."]}
    for value in gc.get_objects():
        if type(value).__name__ == "NotebookRunner":
            type(value).run = type(value).call = lambda *_: ["Judged", right]
"""
ASKS_FOR_THE_REFERENCE = "check.chance(check.chance.reference)"
# A single right answer would be enough, so one row shows that no cell has forged any.
FORGED = {
    "looks for answers": ([READS_THE_STACK, READS_MEMORY, ASKS_FOR_THE_REFERENCE, READS_FILES], "✗–––"),
    "lies and patches": ([LIES, PATCHES], "✗✗––"),
    "says right": ([SAYS_RIGHT, WRONG, SETTLE], "––––"),
}

# --- not notebooks ---------------------------------------------------------------------------------------

AGAIN = "Download the notebook again, and hand it in again."
# What is in the file, why it is not judged, and what the letter advises
BROKEN = {
    "letter": (
        b"Dear teacher, my dog",
        "it is not a notebook: it begins with 'Dear teacher, my dog'",
        AGAIN,
    ),
    "deep": (b'{"a":' * 100_000 + b"}", "it is not a notebook", AGAIN),
    "list": (
        b"[1, 2]",
        "it is not a notebook: it begins with '[1, 2]'",
        AGAIN,
    ),
    "huge": (
        bytes(LARGEST + 1),
        "the file is larger than 20 MB",
        "Delete what the lesson does not need, and hand it in again.",
    ),
    "words": (
        b'{"nbformat": 4, "cells": []}',
        "the notebook has no code cells",
        AGAIN,
    ),
    "web page": (
        b"<!DOCTYPE html>",
        "it is a web page, not a notebook",
        AGAIN,
    ),
    "nothing": (b"", "it is empty", AGAIN),
    "zipped": (
        b"PK\x03\x04",
        "it is a zip file: unpack it first",
        "Hand in the notebook from inside it.",
    ),
}


def placed(cells: list[str], words: dict[str, str]) -> bytes:
    """A notebook with these cells, in which each of `words` is replaced by its value."""
    content = notebook(*cells).decode()
    for word, value in words.items():
        content = content.replace(word, value)
    return content.encode()
