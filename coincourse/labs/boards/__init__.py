"""Boards to play on: the board, its match, and what it says about any game."""
