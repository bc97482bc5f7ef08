"""Boards to play on: the board itself, a match on it, and the words for any game."""
