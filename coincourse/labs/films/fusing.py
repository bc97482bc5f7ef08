"""Peaks that fuse on the stack (lesson 11)."""

from __future__ import annotations

from typing import NamedTuple

from ..base.controls import number, text
from ..perfect_play.coin_rows import LARGEST, read_row
from .film import Film

ANY_ROW = {"fewest": 1, "most": 40, "smallest": -LARGEST}


class Pass(NamedTuple):
    """One moment in the pass.

    Attributes
    ----------
    stack : tuple of int
    coin : int or None
        The coin that has arrived; None between two coins.
    rest : tuple of int
        The coins still to come.
    peak : bool
        Whether the last coin on the stack is now a peak.
    fused : bool
        Whether the coin was made by fusing three.
    """

    stack: tuple[int, ...]
    coin: int | None
    rest: tuple[int, ...]
    peak: bool = False
    fused: bool = False


class FusingFilm(Film):
    """The pass that turns any row of coins into a valley, in pictures.

    Coins arrive one by one. While the last coin b on the stack is a peak, between the coin a before it and
    the new coin c, the three become one coin a − b + c.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "coins".
    at : int
        The number of the picture, from 0.
    coins : str
        The row, 1 to 40 whole numbers with spaces between them.

    Examples
    --------
    >>> film = FusingFilm(coins="3 5 1 4 2")
    >>> film.at = len(film.data.frames) - 1
    >>> film.data.shown.stack
    (-3,)
    """

    title = "Peaks fuse on the stack"
    goal = "Play, or go through it with the slider or with Next. Then write your own row."
    template = "fusing.html"
    at = number("Picture", "How far the pass has come.", 0, 10_000, 0)
    coins = text("Coins", "The row, with spaces between the numbers.", "6 3 9 1 8 4 5")

    @staticmethod
    def frames(coins: str) -> list[Pass]:
        """Every moment of the pass."""
        row = read_row(coins, **ANY_ROW)
        found = [Pass((), None, row)]
        stack: list[int] = []
        for place, coin in enumerate(row, 1):
            rest = row[place:]
            fused = False
            while len(stack) > 1 and stack[-2] <= stack[-1] >= coin:
                found.append(Pass(tuple(stack), coin, rest, peak=True, fused=fused))
                peak = stack.pop()
                before = stack.pop()
                coin = before - peak + coin
                fused = True
            found.append(Pass(tuple(stack), coin, rest, fused=fused))
            stack.append(coin)
        return [*found, Pass(tuple(stack), None, ())]

    @staticmethod
    def code(at: int, coins: str) -> str:
        """A program that makes the same stack."""
        return f"""\
stack, data = [], []
for coin in {list(read_row(coins, **ANY_ROW))}:
    while len(stack) > 1 and stack[-2] <= stack[-1] >= coin:    # the last one is a peak
        peak = stack.pop()
        coin = stack.pop() - peak + coin
    stack.append(coin)
    data.append(tuple(stack))

data    # the stack after each coin
"""
