"""Answers to the exercises: each check tries a student's function and says in words how it did.

A lesson writes ``from coincourse import checks as check`` and then ``check.name(function)``. A check
never raises and never hangs: it prints ✓, or ✗ with the smallest example that goes wrong.
"""

import types

from .coin_game import heard, legal_moves, next_state, takes, winner
from .exploration import chance_of_best, falling, mean_and_band, perfect_share, slider
from .greedy import alice_gets, alice_table, best_ends, better_colour, refutes
from .hats import chance, draw, settle, settle_game
from .large import count_nodes, fuse_all, fuse_once, next_diagonal
from .networks import forward_pass, show_signs
from .proof import break_claim, first_take, make_four
from .q_learning import greedy_take, q_update, rolling_win_rate
from .random_agents import advantage, games_needed, random_move, win_rate
from .rules import beats_random, counter, found_rule, mirror, misere_mirror, stranger
from .search import back_up, look_next, play_out
from .several_rows import lost_rows, missing, to_zero
from .start import finish, first_move, sticks_left
from .sticks_hats import play_hats, train_hats
from .sticks_program import ask_number, two_players
from .three_piles import fill_u, perfect_player
from .tournament import beat_field, find_circle, guests, read_varint, unbeaten
from .training_hats import favourite, locked_hats, losing, share_locked
from .trees import children, misere_wins, size_of_tree, u_table, winning_moves, wins

__all__ = [name for name, made in vars().items() if not (name.startswith("_") or isinstance(made, types.ModuleType))]
