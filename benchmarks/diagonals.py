"""Greedy coins with NumPy at its best: a whole diagonal of the table in one operation."""

from __future__ import annotations

import numpy as np


def tables(coins: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tables A, M and S of `coinlib.solve_greedy`, each of shape (n, n)."""
    size = len(coins)
    margin = np.zeros((size, size), dtype=np.int64)
    alice = np.zeros((size, size), dtype=np.int64)
    moves = np.full((size, size), "", dtype="U2")
    sums = np.concatenate([[0], np.cumsum(coins)])
    for length in range(1, size + 1):
        i = np.arange(size - length + 1)
        j = i + length - 1
        if length == 1:
            margin[i, j], moves[i, j] = coins, "LR"
        else:
            left = coins[i] - margin[i + 1, j]
            right = coins[j] - margin[i, j - 1]
            margin[i, j] = np.maximum(left, right)
            moves[i, j] = np.where(left > right, "L", np.where(right > left, "R", "LR"))
        total = sums[j + 1] - sums[i]
        alices_turn = (size - length) % 2 == 0
        sign = 1 if alices_turn else -1
        alice[i, j] = (total + sign * margin[i, j]) // 2
    return alice, margin, moves
