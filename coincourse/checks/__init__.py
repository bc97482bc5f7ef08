"""Checks for the exercises: each one tries a student's function and says how it did.

A lesson writes ``from coincourse import checks as check`` and then ``check.name(function)``. A check prints ✓, ✗ with
the smallest example that goes wrong, or ○ if the exercise is not written yet, and does not raise. It gives up on an
answer after 5 seconds; but it cannot interrupt a single long call into C, such as ``sum(range(10**10))``.

A name is loaded from its file when it is first used, so `coincourse.checks.judging` can be imported alone.
"""

from __future__ import annotations

import importlib

# The files are named after the lessons and projects; these are the exercises in each file
NAMES = {
    "start_here": ["first_move", "sticks_left", "finish"],
    "the_coin_game": ["takes", "legal_moves", "winner", "next_state"],
    "random_agents": ["random_move", "win_rate", "games_needed", "advantage"],
    "rules": [
        *("stranger", "found_rule", "my_rule", "my_counter", "my_mirror"),
        *("ask_number", "two_players"),
    ],
    "hats": ["chance", "settle", "settle_game", "draw"],
    "training_hats": [
        *("favourite", "losing", "lost_states", "locked_hats", "share_locked", "play_hats", "train_hats"),
    ],
    "q_learning": ["greedy_take", "q_update", "my_slider", "rolling_win_rate"],
    "exploration_and_opponents": ["chance_of_best", "falling", "teacher"],
    "game_trees": ["children", "size_of_tree", "wins"],
    "three_piles": ["u_table", "fill_u", "moves_on_paper", "misere_wins", "perfect_player"],
    "greedy_coins": ["better_colour", "alice_table", "alices_margin", "refutes", "best_ends"],
    "greedy_coins_large": ["fuse_once", "fuse_all", "end_to_take"],
    "search": ["play_out", "look_next", "back_up"],
    "your_agent_in_a_tournament": ["guests", "beat_field", "find_circle", "repaired", "heard", "read_varint"],
    "why_multiples_of_four_lose": ["break_claim", "first_take", "proof_order"],
    "several_rows": ["missing", "to_zero", "lost_rows"],
    "networks": ["forward_pass", "show_signs"],
}
GIVEN = ("stranger", "guests")  # opponents that lessons use: not exercises
# Exercises in sections with a ★: nothing later needs them
STARRED = {
    *("heard", "next_state", "advantage", "ask_number", "two_players", "settle_game", "draw"),
    *("lost_states", "locked_hats", "share_locked", "play_hats", "train_hats", "rolling_win_rate"),
    *("perfect_player", "misere_wins", "refutes", "best_ends", "read_varint"),
}
FILE_OF = {name: file for file, names in NAMES.items() for name in names}

__all__ = [*FILE_OF]  # noqa: PLE0604 - all of them are strings


def __getattr__(name: str):
    if name not in FILE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{FILE_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
