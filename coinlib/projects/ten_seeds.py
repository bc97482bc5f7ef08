"""Measure how well a judgement carries over to states that it was not taught, with ten seeds and an interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from coinlib import lazy
from coinlib.games import CoinGame, State
from coinlib.projects.networks import Judgement
from coinlib.theory import is_lost

SEEDS = range(1, 11)
STUDENT_T = 2.26  # the 95 % quantile for the mean of only ten numbers; for many numbers it is 1.96
COLOURS = ("#767676", "#D55E00", "#009E73", "#0072B2")
MARKERS = "vs^o"


def all_states(game: CoinGame) -> list[State]:
    """List every state with at least one coin.

    Examples
    --------
    >>> all_states(CoinGame((1, 2), max_pick=None, misere=False))
    [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    """
    return [state for state in product(*(range(row + 1) for row in game.rows)) if any(state)]


def divide(game: CoinGame, seed: int, number: int | None = None) -> tuple[list[State], list[State]]:
    """Draw `number` states to teach (half of all if None); return them and the rest.

    Examples
    --------
    >>> seen, unseen = divide(CoinGame((7, 7), max_pick=None, misere=False), seed=1)
    >>> len(seen), len(unseen)
    (31, 32)
    """
    states = all_states(game)
    order = np.random.default_rng([seed, 1]).permutation(len(states))
    shuffled = [states[place] for place in order]
    if number is None:
        number = len(states) // 2
    return shuffled[:number], shuffled[number:]


def exact(game: CoinGame, state: State) -> int:
    """What a state is worth to the player to move: -1 if it is lost, 1 if it is won.

    Examples
    --------
    >>> three = CoinGame((7, 7, 7), max_pick=None, misere=False)
    >>> exact(three, (3, 5, 6)), exact(three, (7, 7, 7))
    (-1, 1)
    """
    return -1 if is_lost(game, state) else 1


def taught(
    game: CoinGame, way: Callable, seed: int, number: int | None = None, *, width: int = 64, steps: int = 4_000
) -> tuple[Judgement, list[State]]:
    """Teach a judgement the exact values of `number` states (half if None); return it and the unseen states.

    Examples
    --------
    >>> from coinlib.projects.networks import signs
    >>> judgement, unseen = taught(CoinGame((7, 7), max_pick=None, misere=False), signs, seed=1, number=40, steps=10)
    >>> len(unseen)
    23
    """
    seen, unseen = divide(game, seed, number)
    judgement = Judgement(game, way, width, seed=seed)
    judgement.learn(seen, [exact(game, state) for state in seen], steps)
    return judgement, unseen


def right_moves(judgement: Judgement, states: Sequence[State]) -> tuple[int, int]:
    """Count the won states in which the judgement's move wins, and all won states.

    Its move leads to the next state that it judges worst for the opponent.

    Examples
    --------
    >>> from coinlib import sticks
    >>> from coinlib.projects.networks import signs
    >>> judgement = Judgement(sticks(7, misere=False), signs, seed=1)
    >>> judgement.learn([(1,), (2,), (3,), (4,)], [1, 1, 1, -1], steps=200)
    >>> right_moves(judgement, [(4,), (5,), (6,), (7,)])
    (3, 3)
    """
    game = judgement.game
    everywhere = [*all_states(game), (0,) * len(game.rows)]
    worth = dict(zip(everywhere, judgement.worth(everywhere)))
    won = [state for state in states if not is_lost(game, state)]
    right = 0
    for state in won:
        after = [game.play(state, move) for move in game.legal_moves(state)]
        right += is_lost(game, min(after, key=worth.__getitem__))
    return right, len(won)


def share_right(game: CoinGame, way: Callable, seed: int, number: int | None = None, **settings) -> float:
    """Return the share of right moves in unseen won states, after `taught` with the same arguments."""
    judgement, unseen = taught(game, way, seed, number, **settings)
    right, won = right_moves(judgement, unseen)
    return right / won


def by_memory(game: CoinGame, seed: int, number: int | None = None) -> float:
    """Return the share of right moves by a player who remembers the taught states and otherwise moves at random.

    If she can, she moves to a state that she knows is lost. She knows the end of the game from the rules.

    Examples
    --------
    >>> round(by_memory(CoinGame((7, 7, 7), max_pick=None, misere=False), seed=1), 2)
    0.64
    """
    seen, unseen = divide(game, seed, number)
    known = {state for state in seen if is_lost(game, state)} | {(0,) * len(game.rows)}
    chances = []
    for state in unseen:
        if not is_lost(game, state):
            after = [game.play(state, move) for move in game.legal_moves(state)]
            lost = sum(is_lost(game, next_state) for next_state in after)
            chances.append(1 if known & set(after) else lost / len(after))
    return sum(chances) / len(chances)


def interval(shares: Sequence[float]) -> str:
    """Return the mean of ten shares and half the width of its 95 % interval, in per cent.

    Examples
    --------
    >>> interval([0.4, 0.6] * 5)
    ' 50.0 ±  7.5'
    """
    mean, reach = mean_and_reach(shares)
    return f"{mean:5.1f} ± {reach:4.1f}"


def mean_and_reach(shares: Sequence[float]) -> tuple[float, float]:
    """Return the mean of ten shares and half the width of its 95 % interval, both in per cent."""
    if len(shares) != len(SEEDS):
        raise ValueError(f"an interval over ten seeds needs {len(SEEDS)} shares, not {len(shares)}")
    error = np.std(shares, ddof=1) / len(SEEDS) ** 0.5
    return 100 * float(np.mean(shares)), 100 * STUDENT_T * float(error)


def ten(share: Callable, *arguments, **settings) -> str:
    """Return the interval of `share(*arguments, seed=seed)` over the seeds 1 to 10.

    Examples
    --------
    >>> ten(by_memory, CoinGame((7, 7, 7), max_pick=None, misere=False))
    ' 66.6 ±  5.9'
    """
    return interval([share(*arguments, seed=seed, **settings) for seed in SEEDS])


def curves(table: lazy.DataFrame, lines: str, along: str, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw a line with a 95 % band for each value of a column.

    Parameters
    ----------
    table : DataFrame
        A column `share` with ten shares for each point, and the two columns named below.
    lines : str
        The column with one value for each line, at most four.
    along : str
        The column for the horizontal axis.
    ax : Axes or None
        Where to draw; None for a new figure.

    Examples
    --------
    >>> from pandas import DataFrame
    >>> table = DataFrame({"way": "signs", "games": [10] * 10 + [20] * 10, "share": [0.4, 0.6] * 10})
    >>> curves(table, "way", "games").get_xlabel()
    'games'
    """
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(figsize=(9, 3.8), layout="constrained")
    for name, colour, marker in zip(table[lines].unique(), COLOURS, MARKERS):
        points = table[table[lines] == name].groupby(along).share
        mean, reach = np.array([mean_and_reach(shares) for _, shares in points]).T
        places = list(points.groups)
        ax.plot(places, mean, color=colour, marker=marker, label=str(name))
        ax.fill_between(places, np.maximum(mean - reach, 0), np.minimum(mean + reach, 100), color=colour, alpha=0.2)
    ax.set(xlabel=along, ylabel="right moves, in %", ylim=(0, 103))
    return ax
