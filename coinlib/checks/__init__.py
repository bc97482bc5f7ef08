"""Answers to the exercises: each check tries a student's function and says in words how it did.

A lesson writes ``from coinlib import checks as check`` and then ``check.name(function)``. A check
never raises and never hangs: it prints ✓, or ✗ with the smallest example that goes wrong.
"""

from .lesson_00 import finish, first_move, sticks_left
from .lesson_01 import heard, legal_moves, next_state, takes, winner
from .lesson_02 import advantage, games_needed, random_move, win_rate
from .lesson_03 import beats_random, counter, found_rule, mirror, misere_mirror, stranger

__all__ = [
    "advantage",
    "beats_random",
    "counter",
    "finish",
    "first_move",
    "found_rule",
    "games_needed",
    "heard",
    "legal_moves",
    "mirror",
    "misere_mirror",
    "next_state",
    "random_move",
    "sticks_left",
    "stranger",
    "takes",
    "win_rate",
    "winner",
]
