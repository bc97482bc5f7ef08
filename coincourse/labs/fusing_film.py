"""How peaks fuse on the stack, coin by coin."""

from __future__ import annotations

from typing import NamedTuple

from .controls import number, text
from .film import Film, Reel
from .pages import styles

LONGEST = 40  # coins


class Frame(NamedTuple):
    """A moment of the pass: the stack, the coin that has come (None between two coins), what is still to come.

    `peak` says whether the last coin of the stack is a peak now.
    """

    stack: tuple[int, ...]
    coin: int | None
    rest: tuple[int, ...]
    peak: bool
    words: str


class FusingFilm(Film):
    """The pass that makes a valley of any row of coins, in pictures.

    Coins come one by one. While the last coin b of the stack is a peak, between the coin a before it and
    the coin c that has come, the three become one coin a − b + c.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "coins".
    at : int
        The picture that is shown, from 0.
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
    goal = "Play, or go through it with the slider or with Next. Then write a row of your own."
    template, style = "fusing.html", styles("fusing.css")
    at = number("Picture", "How far the pass has come.", 0, 10_000, 0)
    coins = text("Coins", "The row, with spaces between the numbers.", "6 3 9 1 8 4 5")

    @staticmethod
    def frames(coins: str) -> list[Frame]:
        """Every moment of the pass."""
        try:
            rest = [int(word) for word in coins.replace(",", " ").split()]
        except ValueError:
            raise ValueError("The coins are whole numbers, with spaces between them, such as 3 5 1 4 2.") from None
        if not 1 <= len(rest) <= LONGEST:
            raise ValueError(f"A row has 1 to {LONGEST} coins here.")
        stack: list[int] = []
        found = [Frame((), None, tuple(rest), False, "The stack is empty.")]
        while rest:
            coin = rest.pop(0)
            words = f"The coin {coin} has come."
            while len(stack) > 1 and stack[-2] <= stack[-1] >= coin:
                before, peak = stack[-2:]
                fused = before - peak + coin
                words += f" {peak} is a peak between {before} and {coin}: {_sum(before, peak, coin)} = {fused}."
                found.append(Frame(tuple(stack), coin, tuple(rest), True, words))
                coin, words = fused, f"The three have become one coin, {fused}."
                del stack[-2:]
            found.append(Frame(tuple(stack), coin, tuple(rest), False, f"{words} It goes on the stack."))
            stack.append(coin)
        return [
            *found,
            Frame(tuple(stack), None, (), False, "No peak is left: the stack is a valley, down and then up."),
        ]

    @classmethod
    def draw(cls, data: Reel, **settings) -> str:
        """Bars for the stack, the coin that has come, and the coins still to come; the same in words."""
        heights = [abs(coin) for frame in data.frames for coin in (*frame.stack, frame.coin or 0, *frame.rest)]
        return super().draw(data, tallest=max(heights) or 1, **settings)

    @staticmethod
    def code(at: int, coins: str) -> str:
        """A program that makes the same stack."""
        return f"""\
stack, data = [], []
for coin in [{", ".join(coins.replace(",", " ").split())}]:
    while len(stack) > 1 and stack[-2] <= stack[-1] >= coin:    # the last one is a peak
        peak = stack.pop()
        coin = stack.pop() - peak + coin
    stack.append(coin)
    data.append(tuple(stack))

data    # the stack after each coin
"""


def _sum(before: int, peak: int, after: int) -> str:
    """a − b + c, with brackets around what is below 0 behind a sign."""
    second, third = (f"({value})" if value < 0 else value for value in (peak, after))
    return f"{before} - {second} + {third}"
