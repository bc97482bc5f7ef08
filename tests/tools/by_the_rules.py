"""What follows from the rules of a game alone, and games to try: the library is compared with it.

It shares only the seven names of a game with the library, not its tables, loops or closed forms.
"""

from __future__ import annotations

from functools import cache

import hypothesis.strategies as st
from own_games import Ladder

from coinlib import CoinGame, GreedyCoins


@cache
def value(game, state):
    """Return what a state is worth to the player to move."""
    if game.is_over(state):
        return game.result(state)
    return max(worth(game, state, move) for move in game.legal_moves(state))


def worth(game, state, move):
    """Return what a move is worth to the player who makes it."""
    return game.reward(state, move) - value(game, game.play(state, move))


def best_moves(game, state):
    """Return all the moves that are worth as much as the state."""
    return [move for move in game.legal_moves(state) if worth(game, state, move) == value(game, state)]


def states_of(game):
    """Return every state that play can reach, the start first."""
    seen = {}
    todo = [game.start]
    while todo:
        state = todo.pop()
        if state not in seen:
            seen[state] = True
            todo += [game.play(state, move) for move in game.legal_moves(state)]
    return list(seen)


bounds = st.none() | st.integers(1, 6)
coin_games = st.builds(CoinGame, st.lists(st.integers(0, 4), min_size=1, max_size=4), bounds, st.booleans())
games = st.one_of(
    coin_games,
    st.builds(GreedyCoins, st.lists(st.integers(0, 9), min_size=1, max_size=7)),
    st.builds(Ladder, st.integers(0, 8)),  # with points, and ties
)
