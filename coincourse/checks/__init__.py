"""Answers to the exercises: each check tries a student's function and says in words how it did.

A lesson writes ``from coincourse import checks as check`` and then ``check.name(function)``. A check
never raises and never hangs: it prints ✓, or ✗ with the smallest example that goes wrong.
"""

import types

from .exploration_and_opponents import chance_of_best, falling, mean_and_band, perfect_share, slider
from .game_trees import children, size_of_tree, wins
from .greedy_coins import alice_gets, alice_table, best_ends, better_colour, refutes
from .greedy_coins_large import count_nodes, fuse_all, fuse_once, next_diagonal
from .hats import chance, draw, settle, settle_game
from .q_learning import greedy_take, q_update, rolling_win_rate
from .random_agents import advantage, games_needed, random_move, win_rate
from .rules import ask_number, beats_random, counter, found_rule, mirror, misere_mirror, stranger, two_players
from .search import back_up, look_next, play_out
from .several_rows import lost_rows, missing, to_zero
from .start_here import finish, first_move, sticks_left
from .the_coin_game import heard, legal_moves, next_state, takes, winner
from .three_piles import fill_u, misere_wins, perfect_player, u_table, winning_moves
from .training_hats import favourite, locked_hats, losing, play_hats, share_locked, train_hats
from .why_multiples_of_four_lose import break_claim, first_take, make_four
from .your_agent_in_a_tournament import beat_field, find_circle, guests, read_varint, unbeaten

__all__ = [name for name, made in vars().items() if not (name.startswith("_") or isinstance(made, types.ModuleType))]
