"""NumPy's random generator in plain Python, for pages of the web book: the same seed gives the same numbers.

The npm package of Pyodide, from which the book is built, has no NumPy, and a page must not fetch it from the
network. But agents and exercises must draw the same numbers on a page as in a notebook.

The method is NumPy's: a `SeedSequence` makes the initial state of a PCG64, which gives 64 bits at a time. A test
compares the two. It draws what the course needs: integers, numbers from 0 to 1, items from a list.
"""

from __future__ import annotations

import itertools
import secrets
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

POOL = 4  # the number of 32-bit words in which a seed is mixed
LOW_32 = 2**32 - 1
LOW_64 = 2**64 - 1
LOW_128 = 2**128 - 1
STEP = 0x2360ED051FC65DA44385DF649FCCF645  # PCG64 multiplies its state by this


class SeedSequence:
    """A seed whose bits are mixed well; M. E. O'Neill, "Developing a seed_seq alternative" (2015).

    Parameters
    ----------
    entropy : int, optional
        The seed (default: a random one).
    spawn_key : tuple of int
        Which child of that seed this is, then which child of that child, and so on.
    """

    def __init__(self, entropy: int | None = None, spawn_key: tuple[int, ...] = ()) -> None:
        self.entropy = secrets.randbits(128) if entropy is None else entropy
        self.spawn_key = spawn_key
        self.children = 0
        self._mixed = _mixed(_words_of(self.entropy, self.spawn_key))

    def spawn(self, number: int) -> list[SeedSequence]:
        """Independent seeds."""
        first = self.children
        self.children += number
        return [SeedSequence(self.entropy, (*self.spawn_key, child)) for child in range(first, first + number)]

    def state(self, words: int) -> list[int]:
        """`words` numbers of 64 bits."""
        factor = 0x8B51F9DD
        found = []
        for place in range(2 * words):
            value = self._mixed[place % POOL] ^ factor
            factor = factor * 0x58F38DED & LOW_32
            value = value * factor & LOW_32
            found.append(value ^ value >> 16)
        return [low | high << 32 for low, high in zip(found[0::2], found[1::2])]


def _words_of(entropy: int, spawn_key: tuple[int, ...]) -> list[int]:
    """A seed, and the key of a child, as words of 32 bits."""
    words = _in_words(entropy)
    if spawn_key:
        words += [0] * (POOL - len(words))
    for child in spawn_key:
        words += _in_words(child)
    return words


def _in_words(number: int) -> list[int]:
    if number < 0:
        raise ValueError("expected non-negative integer")
    words = [number & LOW_32]
    while number := number >> 32:
        words.append(number & LOW_32)
    return words


def _mixed(words: list[int]) -> list[int]:
    """The pool, in which each word has affected all others."""
    factor = 0x43B0D7E5

    def scattered(value: int) -> int:
        nonlocal factor
        value ^= factor
        factor = factor * 0x931E8875 & LOW_32
        value = value * factor & LOW_32
        return value ^ value >> 16

    def joined(one: int, other: int) -> int:
        value = 0xCA01F9DD * one - 0x4973F715 * other & LOW_32
        return value ^ value >> 16

    filled = words + [0] * (POOL - len(words))
    pool = [scattered(word) for word in filled[:POOL]]
    for source, place in itertools.permutations(range(POOL), 2):
        pool[place] = joined(pool[place], scattered(pool[source]))
    for word in filled[POOL:]:
        for place in range(POOL):
            pool[place] = joined(pool[place], scattered(word))
    return pool


class Generator:
    """Draws the numbers of ``numpy.random.default_rng(seed)``, as lists instead of arrays.

    Examples
    --------
    >>> generator = Generator(1)
    >>> [generator.integers(1, 7) for _ in range(6)], generator.choice(["a", "b", "c"])
    ([3, 4, 5, 6, 1, 1], 'c')
    """

    def __init__(self, seed: int | SeedSequence | None = None) -> None:
        self.seeds = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        high, low, way_high, way_low = self.seeds.state(4)
        self._way = (way_high << 64 | way_low) << 1 & LOW_128 | 1
        self._state = 0
        self._half: int | None = None  # 32 bits left over from the last 64
        self._move_on()
        self._state += high << 64 | low
        self._move_on()

    def spawn(self, number: int) -> list[Generator]:
        """Independent generators."""
        return [Generator(seeds) for seeds in self.seeds.spawn(number)]

    def integers(self, low: int, high: int | None = None, size: int | None = None, endpoint: bool = False):
        """An integer from `low` up to `high`, excluding `high` unless `endpoint`; ``integers(n)`` is below n."""
        if high is None:
            low, high = 0, low
        if isinstance(high, list):
            high = 0  # For NumPy a list holds many bounds, and in a list of moves the row 0 is one of them.
        last = high if endpoint else high - 1
        if last < low:
            raise ValueError("low >= high" if low else "high <= 0")  # NumPy's wording
        if size is not None:
            return [low + self._up_to(last - low) for _ in range(size)]
        return low + self._up_to(last - low)

    def random(self, size: int | None = None):
        """A number from 0 up to 1, excluding 1."""
        if size is not None:
            return [self.random() for _ in range(size)]
        return (self._bits_64() >> 11) / 2**53

    def choice(self, things: int | Sequence, size: int | None = None, p: Sequence[float] | None = None):
        """An item from a sequence, all equally likely or with the probabilities `p`; an int n means ``range(n)``."""
        things = range(things) if isinstance(things, int) else list(things)
        if not things:
            raise ValueError("a cannot be empty unless no samples are taken")
        if size is not None:
            return [self.choice(things, p=p) for _ in range(size)]
        if p is None:
            return things[self.integers(len(things))]
        if len(p) != len(things):
            raise ValueError("a and p must have same size")
        if min(p) < 0:
            raise ValueError("Probabilities are not non-negative")
        sums = list(accumulate(p))
        if not abs(sums[-1] - 1) <= 1e-8:  # also catches nan
            raise ValueError("Probabilities do not sum to 1")
        return things[bisect_right([part / sums[-1] for part in sums], self.random())]

    def shuffle(self, things: list) -> None:
        """Shuffle a list in place."""
        for last in range(len(things) - 1, 0, -1):
            place = self._masked(last)
            things[last], things[place] = things[place], things[last]

    # --- bits

    def _move_on(self) -> None:
        self._state = self._state * STEP + self._way & LOW_128

    def _bits_64(self) -> int:
        self._move_on()
        turned = self._state >> 122
        both = self._state >> 64 ^ self._state & LOW_64
        return (both >> turned | both << (64 - turned)) & LOW_64

    def _bits_32(self) -> int:
        if self._half is not None:
            bits = self._half
            self._half = None
            return bits
        bits = self._bits_64()
        self._half = bits >> 32
        return bits & LOW_32

    def _up_to(self, most: int) -> int:
        """0 to `most`, all equally likely; D. Lemire, "Fast random integer generation in an interval" (2019)."""
        if most == 0:
            return 0
        draw, width = (self._bits_32, 32) if most <= LOW_32 else (self._bits_64, 64)
        count = most + 1
        product = draw() * count
        while product & (1 << width) - 1 < (1 << width) % count:
            product = draw() * count
        return product >> width

    def _masked(self, most: int) -> int:
        """0 to `most`, all equally likely: draw as many bits as `most` has, until the number is at most `most`."""
        mask = (1 << most.bit_length()) - 1
        while (value := self._bits_32() & mask) > most:
            pass
        return value


def default_rng(seed: int | SeedSequence | Generator | None = None) -> Generator:
    """A random generator; one that is passed in is returned unchanged."""
    return seed if isinstance(seed, Generator) else Generator(seed)
