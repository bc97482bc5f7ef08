"""Answers to the exercises: each check tries a student's function and says in words how it did.

A lesson writes ``from coincourse import checks as check`` and then ``check.name(function)``. A check
never raises and never hangs: it prints ✓, or ✗ with the smallest example that goes wrong.
"""

from .lesson_00 import finish, first_move, sticks_left
from .lesson_01 import heard, legal_moves, next_state, takes, winner
from .lesson_02 import advantage, games_needed, random_move, win_rate
from .lesson_03 import beats_random, counter, found_rule, mirror, misere_mirror, stranger
from .lesson_04 import chance, draw, settle, settle_game
from .lesson_05 import favourite, locked_hats, losing, share_locked
from .lesson_06 import greedy_take, q_update, rolling_win_rate
from .lesson_07 import chance_of_best, falling, mean_and_band, perfect_share
from .lesson_08 import children, misere_wins, size_of_tree, u_table, winning_moves, wins
from .lesson_09 import alice_gets, alice_table, better_colour, refutes
from .lesson_10 import count_nodes, fuse_all, fuse_once, next_diagonal
from .lesson_11 import beat_field, find_circle, guests, read_varint, unbeaten
from .lesson_12 import break_claim, first_take, lost_rows, make_four

__all__ = [
    "advantage",
    "alice_gets",
    "alice_table",
    "beat_field",
    "beats_random",
    "better_colour",
    "break_claim",
    "chance",
    "chance_of_best",
    "children",
    "count_nodes",
    "counter",
    "draw",
    "falling",
    "favourite",
    "find_circle",
    "finish",
    "first_move",
    "first_take",
    "found_rule",
    "fuse_all",
    "fuse_once",
    "games_needed",
    "greedy_take",
    "guests",
    "heard",
    "legal_moves",
    "locked_hats",
    "losing",
    "lost_rows",
    "make_four",
    "mean_and_band",
    "mirror",
    "misere_mirror",
    "misere_wins",
    "next_diagonal",
    "next_state",
    "perfect_share",
    "q_update",
    "random_move",
    "read_varint",
    "refutes",
    "rolling_win_rate",
    "settle",
    "settle_game",
    "share_locked",
    "size_of_tree",
    "sticks_left",
    "stranger",
    "takes",
    "u_table",
    "unbeaten",
    "win_rate",
    "winner",
    "winning_moves",
    "wins",
]
