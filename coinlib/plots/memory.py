"""Pictures of what a learner holds: the balls in the hats, the values in the Q-table, the policy.

Each has a twin, `..._table`, that gives the same as a DataFrame.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from coinlib.arguments import sequence, shown
from coinlib.games import Move
from coinlib.plots.asked import LARGEST, answer_of, array_of, check_has
from coinlib.plots.look import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    SMALL,
    VERMILION,
    YELLOW,
    axes,
    blend,
    readable_on,
    short,
)

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from pandas import DataFrame

BALLS_DRAWN = 12  # a fuller hat is drawn as shares
BALLS_AT_MOST = 200  # a fuller hat is not drawn ball by ball
STATES_ACROSS = 22  # more states than this stand one below another
STATES_AT_MOST = 200  # more are not drawn, even if they are named
STATES_SHOWN = 40  # of more states than this only those nearest the start are shown


class Table(Protocol):
    """What the pictures need to know of a game as a table; a learner's `table` has it.

    Attributes
    ----------
    states : sequence
        S states, the start first.
    moves : sequence
        M moves.
    next_state : int array, shape (S, M)
        Row of the state a move leads to, or -1 where it is illegal.
    over : bool array, shape (S,)
        Where the game has ended.
    """

    @property
    def states(self) -> Sequence[Any]: ...

    @property
    def moves(self) -> Sequence[Any]: ...

    @property
    def next_state(self) -> np.ndarray: ...

    @property
    def over(self) -> np.ndarray: ...


Winning = Callable[[Any], Iterable] | Sequence  # the best moves of a state, or a bool array of states by moves


def hats(
    table: Table, balls, winning: Winning | None = None, states: Iterable | None = None, ax: Axes | None = None
) -> Axes:
    """The hats and what they hold, in the way that suits their number and what is in them.

    Up to 22 hats are drawn with their balls while none holds more than 12, as bars of shares when
    they are fuller; more hats, or more than 8 moves, are a heat map of shares.

    Parameters
    ----------
    table : Table
        The learner's `table`.
    balls : array, shape (S, M)
        The learner's `balls` or `values`, or a checkpoint of a run.
    winning : function state -> moves, or bool array of shape (S, M), or None
        The moves to mark as right, for example ``solve(game).best_moves``; None for no mark.
    states : iterable of states, or None
        Which hats, in order; None for all, or of more than 40 those nearest the start.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above, `balls` or `winning` do not fit the table, or a state is not in it or
        is over.

    See Also
    --------
    hats_table : the same as numbers.
    hats_balls, hats_shares, hats_heat : the three ways.

    Examples
    --------
    >>> from coinlib import Hats, solve, sticks
    >>> learner = Hats(sticks(4))
    >>> learner.put(4, move=3, balls=2)
    >>> ax = hats(learner.table, learner.balls, winning=solve(sticks(4)).best_moves)
    >>> [text.get_text() for text in ax.texts]    # hats 1 to 4, each from below
    ['1', '2', '3', '1', '2', '3', '1', '2', '3', '1', '2', '3', '3']
    """
    _check_table(table)
    rows = _shown(table, states)
    if len(rows) > STATES_ACROSS or len(table.moves) > len(MOVE_LOOKS):
        return hats_heat(table, balls, winning, states, ax)
    small = _checked(table, balls, "balls")[rows].max(initial=0) <= BALLS_DRAWN
    return (hats_balls if small else hats_shares)(table, balls, winning, states, ax)


MOVE_LOOKS = (  # colour and hatching of each move; the hats lab has the same colours, under dark ink
    (SKY, ""),
    (ORANGE, "//"),
    (GREEN, ".."),
    (YELLOW, "\\\\"),
    (PURPLE, "--"),
    (BLUE, "xx"),
    (VERMILION, "oo"),
    ("#FFFFFF", "++"),
)


def hats_balls(
    table: Table, balls, winning: Winning | None = None, states: Iterable | None = None, ax: Axes | None = None
) -> Axes:
    """Each hat with its numbered balls, one above another; for what is asked and raised see `hats`.

    Returns
    -------
    Axes
        A ball with a thick ring is a winning move; a dashed one is never played, because it would
        be illegal.

    Examples
    --------
    >>> from coinlib import Hats, sticks
    >>> learner = Hats(sticks(3))
    >>> ax = hats_balls(learner.table, learner.balls)
    >>> [label.get_text() for label in ax.get_xticklabels()], len(ax.patches)
    (['1', '2', '3'], 9)
    """
    import numpy as np

    _check_table(table)
    rows, right, names, legal = _shown(table, states), _right(table, winning), _move_names(table), _legal(table)
    held = np.where(legal, _checked(table, balls, "balls"), 1)
    if (fullest := held[rows].sum(axis=1).max(initial=0)) > BALLS_AT_MOST:
        raise ValueError(
            f"balls: expected at most {BALLS_AT_MOST} in a hat that is drawn ball by ball, got {fullest:,.0f}; use "
            "hats_shares"
        )
    many = held.astype(int)
    highest = max(many[rows].sum(axis=1), default=1)
    wide = 0.42 if max(map(len, names)) < 3 else 0.5
    ax = axes(ax, max(4.5, 0.6 + wide * len(rows)), 1.3 + wide * highest)
    for place, row in enumerate(rows):
        held = np.repeat(np.arange(len(names)), many[row])
        brim = len(held) - 0.5
        ax.plot([place - 0.47] * 2 + [place + 0.47] * 2, [brim, -0.5, -0.5, brim], color=INK, linewidth=1)
        for height, column in enumerate(held):
            _draw_ball(ax, (place, height), column, names[column], legal[row, column], right[row, column])
    _states_across(ax, table, rows, "hat")
    ax.set(xlim=(-0.7, len(rows) - 0.3), ylim=(-0.7, highest - 0.2), yticks=[], aspect="equal")
    ax.spines[:].set_visible(False)
    notes = ["thick ring: a winning move"] * bool(right[rows].any())
    notes += ["dashed: illegal there, never played"] * bool(not legal[rows].all())
    _caption(ax, table, rows, states, notes)
    return ax


def _draw_ball(ax: Axes, centre: tuple[int, int], column: int, name: str, legal: bool, right: bool) -> None:
    """One ball with its number."""
    from matplotlib.patches import Circle

    colour = MOVE_LOOKS[column % len(MOVE_LOOKS)][0] if legal else "white"
    look = {"linestyle": "-" if legal else (0, (2, 1.5)), "linewidth": 3 if right else 0.8}
    ax.add_patch(Circle(centre, 0.38 if right else 0.42, facecolor=colour, edgecolor=INK, **look))
    ax.text(*centre, name, ha="center", va="center", fontsize=SMALL, color=readable_on(colour))


def hats_shares(
    table: Table, balls, winning: Winning | None = None, states: Iterable | None = None, ax: Axes | None = None
) -> Axes:
    """Each hat as a bar: the share of every ball among those that can be played; otherwise as `hats`.

    Returns
    -------
    Axes
        Each move has a colour and a hatching; its name stands in a part that is large enough, and
        the winning moves stand above the bars, after a star.

    Examples
    --------
    >>> from coinlib import Hats, solve, sticks
    >>> learner = Hats(sticks(3))
    >>> learner.put(3, move=2, balls=98)
    >>> ax = hats_shares(learner.table, learner.balls, solve(sticks(3)).best_moves)
    >>> [text.get_text() for text in ax.texts]    # in the bars, then above them
    ['1', '1', '2', '2', '–', '★1', '★2']
    """
    import numpy as np

    _check_table(table)
    rows, right, names = _shown(table, states), _right(table, winning), _move_names(table)
    if len(names) > len(MOVE_LOOKS):
        raise ValueError(f"bars can tell {len(MOVE_LOOKS)} moves apart, this game has {len(names)}; use hats_heat")
    shares = 100 * _shares(table, balls)[rows]
    ax = axes(ax, max(4.5, 0.9 + 0.42 * len(rows)), 3.8)
    below = np.zeros(len(rows))
    for column, name in enumerate(names):
        colour, hatch = MOVE_LOOKS[column]
        part = shares[:, column]
        ax.bar(range(len(rows)), part, 0.84, below, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.6, label=name)
        for place in np.flatnonzero(part >= 8):
            label = ax.text(place, below[place] + part[place] / 2, name, ha="center", va="center", fontsize=SMALL)
            label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})
        below += part
    for place, row in enumerate(rows):
        stars = ",".join(names[column] for column in np.flatnonzero(right[row]))
        if winning is not None:
            ax.text(place, 102, "★" + stars if stars else "–", ha="center", va="bottom", fontsize=SMALL)
    _states_across(ax, table, rows, "hat")
    ax.set(xlim=(-0.6, len(rows) - 0.4), ylim=(0, 100 if winning is None else 110), ylabel="share of the balls in %")
    ax.set_yticks(range(0, 101, 25))
    ax.spines[["top", "right"]].set_visible(False)
    handles, labels = ax.get_legend_handles_labels()
    title = _moves_label(table, "hat")
    ax.legend(handles[::-1], labels[::-1], loc="upper left", bbox_to_anchor=(1, 1), title=title, fontsize=SMALL)
    _caption(ax, table, rows, states, ["★ wins, – lost whatever is played"] * (winning is not None))
    return ax


def hats_heat(
    table: Table, balls, winning: Winning | None = None, states: Iterable | None = None, ax: Axes | None = None
) -> Axes:
    """Each hat as a line of a heat map: the share of every ball among those that can be played; otherwise as `hats`.

    Returns
    -------
    Axes
        The share in % stands in each cell, a thick frame is the most frequent ball, a star a
        winning move, hatching an illegal one.

    Examples
    --------
    >>> from coinlib import Hats, sticks
    >>> learner = Hats(sticks(3))
    >>> ax = hats_heat(learner.table, learner.balls)
    >>> [text.get_text() for text in ax.texts]    # hats 1 to 3: only what is legal
    ['100', '50', '50', '33', '33', '33']
    """
    import numpy as np

    _check_table(table)
    shares = 100 * _shares(table, balls)
    words = np.where(_legal(table), np.vectorize("{:.0f}".format, otypes=["O"])(shares), "")
    colours = blend("share", ["white", BLUE])
    label = "share of the balls in %"
    return _heat(ax, table, "hat", shares, words, winning, states, colours, (0, 100), label)


def hats_table(table: Table, balls, winning: Winning | None = None) -> DataFrame:
    """The hats as numbers.

    Parameters
    ----------
    table : Table
    balls : array, shape (S, M)
        As in `hats`.
    winning : function, bool array or None
        As in `hats`.

    Returns
    -------
    DataFrame
        A row for each hat, a column for each move with its balls (missing where it is illegal);
        with `winning` also the column wins, the names of the winning moves.

    Raises
    ------
    TypeError, ValueError
        As in `hats`.

    Examples
    --------
    >>> from coinlib import Hats, solve, sticks
    >>> learner = Hats(sticks(3))
    >>> print(hats_table(learner.table, learner.balls, solve(sticks(3)).best_moves))
           1     2     3 wins
    hat
    1      1  <NA>  <NA>
    2      1     1  <NA>    1
    3      1     1     1    2
    """
    _check_table(table)
    numbers = _checked(table, balls, "balls")
    return _table_of(table, numbers, winning, "hat").astype(dict.fromkeys(_move_names(table), "Int64"))


def q_table(
    table: Table, values, winning: Winning | None = None, states: Iterable | None = None, ax: Axes | None = None
) -> Axes:
    """A heat map of what a learner expects from each move in each state.

    Parameters
    ----------
    table : Table
        The learner's `table`.
    values : float array, shape (S, M)
        The learner's `values`, or a checkpoint of a run.
    winning, states, ax
        As in `hats`.

    Returns
    -------
    Axes
        The value stands in each cell, rounded; a thick frame is the move it prefers, the first
        among equals; a star is a winning move; hatching an illegal one, with its value only if
        the learner has one for it.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above, an array does not fit the table, or a state is not in it or is over.

    See Also
    --------
    q_values_table : the same as numbers.

    Examples
    --------
    >>> from coinlib import QLearner, sticks
    >>> learner = QLearner(sticks(3))
    >>> learner.values[learner.table.row((3,)), 1] = 0.75
    >>> ax = q_table(learner.table, learner.values)
    >>> [text.get_text() for text in ax.texts]
    ['0', '0', '0', '0', '0.75', '0']
    """
    import numpy as np

    _check_table(table)
    numbers = _checked(table, values, "values")
    legal = _legal(table)
    known = np.isfinite(numbers) & (legal | numbers.any(axis=1, keepdims=True, where=~legal & np.isfinite(numbers)))
    words = np.where(known, np.vectorize(short, otypes=["O"])(numbers), "")
    most = max(1.0, np.abs(numbers[known]).max(initial=0))
    colours = blend("loses to wins", [ORANGE, "white", BLUE])
    return _heat(ax, table, "state", numbers, words, winning, states, colours, (-most, most), "value of the move")


def q_values_table(table: Table, values, winning: Winning | None = None) -> DataFrame:
    """The values of a learner as numbers.

    Parameters
    ----------
    table : Table
    values : float array, shape (S, M)
    winning : function, bool array or None
        As in `hats`.

    Returns
    -------
    DataFrame
        A row for each state, a column for each move (NaN where it is illegal), and the column
        favourite, the first of the largest; with `winning` also wins, the winning moves.

    Raises
    ------
    TypeError, ValueError
        As in `q_table`.

    Examples
    --------
    >>> from coinlib import QLearner, sticks
    >>> learner = QLearner(sticks(3))
    >>> learner.values[learner.table.row((3,)), 1] = 0.75
    >>> table = q_values_table(learner.table, learner.values)
    >>> table.loc["3", ["2", "favourite"]].to_dict(), int(table.loc["1"].isna().sum())
    ({'2': 0.75, 'favourite': '2'}, 2)
    """
    _check_table(table)
    numbers = _checked(table, values, "values")
    frame = _table_of(table, numbers, winning, "state")
    names = _move_names(table)
    rows = _ordered(table, _open_rows(table))
    frame.insert(len(names), "favourite", [names[column] for column in numbers[rows].argmax(axis=1)])
    return frame


def policy(table: Table, values, winning: Winning, ax: Axes | None = None) -> Axes:
    """The favourite move of a learner in every state, beside the solver's winning moves.

    Parameters
    ----------
    table : Table
        The learner's `table`; its states must be tuples of whole numbers.
    values : float array, shape (S, M)
        The learner's `values`, or a checkpoint. The favourite is the first of the largest.
    winning : function state -> moves, or bool array of shape (S, M)
        Right moves, for example ``solve(game).best_moves``; none where the state is lost.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        The favourite's name in a circle where it wins, in a diamond where it throws the win
        away, and plain where every move loses. The legend counts them.

    Raises
    ------
    TypeError, ValueError
        If an argument is none of the above, an array does not fit the table, or there are too many states to be
        read.

    See Also
    --------
    policy_table : the same as words.

    Examples
    --------
    >>> from coinlib import QLearner, solve, sticks
    >>> learner = QLearner(sticks(5))
    >>> ax = policy(learner.table, learner.values, solve(sticks(5)).best_moves)
    >>> ax.get_legend_handles_labels()[1]
    ['wins (1)', 'throws the win away (2)', 'no mark: lost whatever it plays (2)']
    """
    import numpy as np

    _check_table(table)
    rows, favourite, right = _favourites(table, values, winning)
    places, axis_names, ticks = _plane(table, rows)
    names = _move_names(table)
    won = right[rows].any(axis=1)
    good = won & right[rows, favourite]
    wide = 0.36 if max(map(len, names)) < 3 else 0.42
    ax = axes(ax, max(5.5, 0.9 + wide * len(ticks[0])), 1.5 + 0.36 * len(ticks[1]))
    for label, chosen, marker, size, colour in (
        ("wins", good, "o", 430, SKY),
        ("throws the win away", won & ~good, "D", 300, ORANGE),
    ):
        label = f"{label} ({np.count_nonzero(chosen):,})"
        ax.scatter(*places[chosen].T, s=size, c=colour, marker=marker, edgecolors=INK, linewidths=0.8, label=label)
    ax.plot([], [], linestyle="none", label=f"no mark: lost whatever it plays ({np.count_nonzero(~won):,})")
    for (x, y), column in zip(places, favourite):
        ax.text(x, y, names[column], ha="center", va="center", fontsize=SMALL, color="black")
    ax.set_xticks(range(len(ticks[0])), ticks[0])
    ax.set_yticks(range(len(ticks[1])), ticks[1])
    ax.set(xlim=(-0.6, len(ticks[0]) - 0.4), ylim=(-0.6, len(ticks[1]) - 0.4))
    if len(ticks[1]) == 1:
        ax.set_yticks([])
    ax.set(xlabel=f"{axis_names[0]}; in the field: {_moves_label(table)}", ylabel=axis_names[1])
    columns = 3 if len(ticks[0]) > 15 else 1
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, frameon=False, fontsize=SMALL, markerscale=0.6)
    return ax


def policy_table(table: Table, values, winning: Winning) -> DataFrame:
    """The favourite move of a learner in every state, beside the solver's winning moves, as words.

    Parameters
    ----------
    table, values, winning
        As in `policy`.

    Returns
    -------
    DataFrame
        A row for each state: favourite; wins, the winning moves; verdict, which is "wins",
        "throws the win away" or "lost".

    Raises
    ------
    TypeError, ValueError
        As in `policy`.

    Examples
    --------
    >>> from coinlib import QLearner, solve, sticks
    >>> learner = QLearner(sticks(3))
    >>> print(policy_table(learner.table, learner.values, solve(sticks(3)).best_moves))
          favourite wins              verdict
    state
    1             1                      lost
    2             1    1                 wins
    3             1    2  throws the win away
    """
    import numpy as np
    import pandas as pd

    _check_table(table)
    rows, favourite, right = _favourites(table, values, winning)
    won = right[rows].any(axis=1)
    verdict = np.where(~won, "lost", np.where(right[rows, favourite], "wins", "throws the win away"))
    columns = {
        "favourite": [_move_names(table)[column] for column in favourite],
        "wins": _named_moves(table, right[rows]),
        "verdict": verdict,
    }
    return pd.DataFrame(columns, index=pd.Index([_state_name(table.states[row]) for row in rows], name="state"))


def _check_table(table) -> None:
    check_has(table, "table", ("states", "moves", "next_state", "over"), "the `table` of a learner")


def _legal(table: Table) -> np.ndarray:
    """bool array, shape (S, M)."""
    return table.next_state >= 0


def _checked(table: Table, numbers, what: str) -> np.ndarray:
    """A float array of states by moves without NaN."""
    import numpy as np

    array, expected = array_of(numbers, what), table.next_state.shape
    if array.shape != expected:
        raise ValueError(f"{what}: expected {expected[0]} states by {expected[1]} moves, got shape {array.shape}")
    if np.isnan(array).any() or not np.isfinite(array[_legal(table)]).all():
        raise ValueError(f"{what}: expected a number for every legal move")
    if np.abs(array[np.isfinite(array)]).max(initial=0) > LARGEST:
        raise ValueError(f"{what}: expected numbers up to {LARGEST:,.0f}, got larger ones")
    if what == "balls" and (array[_legal(table)] < 0).any():
        raise ValueError(f"balls: expected 0 or more, got {array[_legal(table)].min():g}")
    return array


def _right(table: Table, winning: Winning | None) -> np.ndarray:
    """bool array, shape (S, M): the moves that win."""
    import numpy as np

    right = np.zeros(table.next_state.shape, dtype=bool)
    if winning is None:
        return right
    if not callable(winning):
        expected = f"winning: expected a bool array of shape {right.shape}, or a function state -> moves"
        try:
            array = np.asarray(winning)
        except Exception:  # noqa: BLE001 - NumPy has many words for it
            raise TypeError(f"{expected}; got {shown(winning)}") from None
        if array.shape != right.shape or array.dtype != bool:
            raise ValueError(f"{expected}; got {shown(winning)}")
        return array
    column = {move: number for number, move in enumerate(table.moves)}
    for row in _open_rows(table):
        state = table.states[row]
        for move in sequence(answer_of(winning, state, "winning"), f"winning: in state {state}", "a list of moves"):
            try:
                right[row, column[move]] = True
            except (KeyError, TypeError):
                raise ValueError(f"winning: in state {state}: expected moves of the game, got {shown(move)}") from None
    return right


def _shares(table: Table, balls) -> np.ndarray:
    """The share of each ball among those that can be played, from 0 to 1; 0 in an empty hat."""
    import numpy as np

    drawn = np.where(_legal(table), _checked(table, balls, "balls"), 0)
    return drawn / np.maximum(drawn.sum(axis=1, keepdims=True), 1)


def _favourites(table: Table, values, winning: Winning) -> tuple[list[int], np.ndarray, np.ndarray]:
    """The rows where the game goes on, the favourite's column in each, and the winning moves."""
    rows = _ordered(table, _open_rows(table))
    return rows, _checked(table, values, "values")[rows].argmax(axis=1), _right(table, winning)


def _open_rows(table: Table) -> list[int]:
    return [row for row, over in enumerate(table.over) if not over]


def _shown(table: Table, states: Iterable | None) -> list[int]:
    """The rows of the states to show, in order."""
    if states is None:
        rows = _open_rows(table)
        return _ordered(table, rows if len(rows) <= STATES_SHOWN else _nearest(table)[:STATES_SHOWN])
    index = {state: row for row, state in enumerate(table.states)}
    rows = []
    for state in sequence(states, "states", "states such as [(3,), (2,)]"):
        try:
            row = index[state if isinstance(state, tuple) else (state,)]
        except (KeyError, TypeError):
            row = None
        if row is None or table.over[row]:
            raise ValueError(f"states: {shown(state)} is not a state in which somebody is to move")
        rows.append(row)
    if not 0 < len(rows) <= STATES_AT_MOST:
        raise ValueError(f"states: expected 1 to {STATES_AT_MOST}, got {len(rows):,}")
    return rows


def _nearest(table: Table) -> list[int]:
    """The rows where the game goes on, those that the fewest moves lead to first."""
    seen, order = {0}, [0]
    for row in order:
        for after in table.next_state[row]:
            if after >= 0 and after not in seen:
                seen.add(int(after))
                order.append(int(after))
    return [row for row in order if not table.over[row]]


def _ordered(table: Table, rows: list[int]) -> list[int]:
    """Rows of single counts from small to large; others from large to small, so that the start leads."""
    try:
        return sorted(rows, key=lambda row: table.states[row], reverse=not _one_row(table))
    except TypeError:  # a student's own states may have no order
        return sorted(rows)


def _one_row(table: Table) -> bool:
    return isinstance(table.states[0], tuple) and len(table.states[0]) == 1


def _move_names(table: Table) -> list[str]:
    """Short names: the count on one row, "row:count" on several."""
    if not all(isinstance(move, Move) for move in table.moves):
        return [str(move) for move in table.moves]
    return [f"{move.count}" if _one_row(table) else f"{move.row}:{move.count}" for move in table.moves]


# A row may be of coins or of sticks: the words of the pictures fit both.


def _moves_label(table: Table, kind: str = "state") -> str:
    """What a move's short name means, on the balls of a hat or beside a state."""
    if not _coins(table):
        return "ball" if kind == "hat" else "move"
    if _one_row(table):
        return "ball" if kind == "hat" else "take"
    return "ball (row:take)" if kind == "hat" else "row:take"


def _named_moves(table: Table, chosen: np.ndarray) -> list[str]:
    names = _move_names(table)
    return [" ".join(itertools.compress(names, line)) for line in chosen]


def _state_name(state) -> str:
    return ",".join(map(str, state)) if isinstance(state, tuple) else str(state)


def _states_label(table: Table, kind: str = "state") -> str:
    """What a hat's or a state's short name means."""
    if not _coins(table):
        return kind
    if _one_row(table):
        return kind if kind == "hat" else "how many are left"
    return f"{kind}: how many are left in row 0, row 1, ..."


def _coins(table: Table) -> bool:
    return all(isinstance(move, Move) for move in table.moves)


def _states_across(ax: Axes, table: Table, rows: list[int], kind: str) -> None:
    names = [_state_name(table.states[row]) for row in rows]
    upright = max(map(len, names), default=0) > 3
    ax.set_xticks(range(len(rows)), names, rotation=90 if upright else 0)
    ax.set_xlabel(_states_label(table, kind))


def _caption(ax: Axes, table: Table, rows: list[int], states: Iterable | None, notes: list[str]) -> None:
    """What the marks mean, and what is not shown, above the picture."""
    import textwrap

    whole = len(_open_rows(table))
    if states is None and len(rows) < whole:
        notes = [f"{len(rows)} of {whole:,} states: those nearest the start", *notes]
    across = ax.get_position().width * ax.figure.get_figwidth()
    words = textwrap.fill("; ".join(notes), max(20, int(14 * across)))  # about 14 letters to the inch
    ax.set_title(words, fontsize=SMALL, loc="left")


def _table_of(table: Table, numbers: np.ndarray, winning: Winning | None, what: str) -> DataFrame:
    """States by moves, without what is illegal."""
    import numpy as np
    import pandas as pd

    rows = _ordered(table, _open_rows(table))
    index = pd.Index([_state_name(table.states[row]) for row in rows], name=what)
    frame = pd.DataFrame(np.where(_legal(table), numbers, np.nan)[rows], index=index, columns=_move_names(table))
    return frame if winning is None else frame.assign(wins=_named_moves(table, _right(table, winning)[rows]))


def _heat(
    ax: Axes | None,
    table: Table,
    kind: str,
    numbers,
    words,
    winning,
    states,
    colours,
    limits: tuple[float, float],
    label: str,
) -> Axes:
    """A heat map with words in its cells: few states of one row across, others down; `kind` is "hat" or "state"."""
    import numpy as np
    from matplotlib.colors import Normalize

    rows, legal, right = _shown(table, states), _legal(table), _right(table, winning)
    across = _one_row(table) and len(rows) <= STATES_ACROSS
    names, norm = _move_names(table), Normalize(*limits)
    cells = np.where(legal, numbers, np.nan)[rows]
    size = (0.46 * len(rows), 0.4 * len(names)) if across else (0.62 * len(names), 0.28 * len(rows))
    ax = axes(ax, max(4.5, 1.7 + size[0]), 1.5 + size[1])
    ax.set_facecolor("white")
    image = ax.imshow(cells.T if across else cells, cmap=colours, norm=norm, aspect="auto")
    for place, row in enumerate(rows):
        for column in range(len(names)):
            centre = (place, column) if across else (column, place)
            colour = colours(norm(numbers[row, column])) if legal[row, column] else "white"
            favourite = column == numbers[row].argmax()
            _draw_cell(ax, centre, words[row, column], colour, legal[row, column], favourite, right[row, column])
    if across:
        _states_across(ax, table, rows, kind)
        ax.set_yticks(range(len(names)), names)
        ax.set(ylabel=_moves_label(table, kind), ylim=(-0.5, len(names) - 0.5))
    else:
        ax.set_xticks(range(len(names)), names)
        ax.set_yticks(range(len(rows)), [_state_name(table.states[row]) for row in rows])
        ax.set(xlabel=_moves_label(table, kind), ylabel=_states_label(table, kind))
    ax.tick_params(length=0)
    ax.figure.colorbar(image, ax=ax, label=label)
    notes = ["thick frame: its favourite"] + ["★ wins"] * bool(right[rows].any())
    notes += ["hatched: illegal"] * bool(not legal[rows].all())
    _caption(ax, table, rows, states, notes)
    return ax


def _draw_cell(ax: Axes, centre, words: str, colour, legal: bool, favourite: bool, right: bool) -> None:
    """What stands in one cell of a heat map, over its colour."""
    from matplotlib.patches import Rectangle

    x, y = centre
    ink = readable_on(colour)
    if not legal:
        ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor="white", edgecolor=GREY, hatch="////", linewidth=0))
    if favourite:
        ax.add_patch(Rectangle((x - 0.46, y - 0.46), 0.92, 0.92, fill=False, edgecolor=INK, linewidth=2.5))
    if words:
        label = ax.text(x, y, words, ha="center", va="center", fontsize=SMALL, color=ink)
        if not legal:
            label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 2})
    if right:
        ax.plot(x - 0.38, y - 0.28, marker="*", markersize=6, color=ink, linestyle="none")


def _plane(table: Table, rows: list[int]) -> tuple[np.ndarray, tuple[str, str], tuple[list[str], list[str]]]:
    """Where each state stands in a plane of its counts: places (x, y), names of the axes, labels of the ticks."""
    import numpy as np

    states = [table.states[row] for row in rows]
    if not all(isinstance(state, tuple) and all(isinstance(held, int) for held in state) for state in states):
        raise ValueError("this picture needs states that are tuples of whole numbers; see policy_table")
    values = [sorted({state[part] for state in states}) for part in range(len(states[0]))]
    across = _parts_across([len(held) for held in values])
    down = [part for part in range(len(values)) if part not in across]
    grids = [list(itertools.product(*(values[part] for part in parts))) for parts in (across, down)]
    places = [
        [grid.index(tuple(state[part] for part in parts)) for grid, parts in zip(grids, (across, down))]
        for state in states
    ]
    names = [_axis_name(table, parts) for parts in (across, down)]
    return np.array(places), (names[0], names[1]), ([*map(_state_name, grids[0])], [*map(_state_name, grids[1])])


def _axis_name(table: Table, parts: Sequence[int]) -> str:
    if not parts or _one_row(table):
        return "how many are left" if parts else ""
    return f"left in row {' and row '.join(map(str, parts))}" if _coins(table) else f"state{[*parts]}"


def _parts_across(sizes: list[int]) -> list[int]:
    """Which counts of a state go along the x-axis: as many as can be read, so that it is not too high."""
    choices = [parts for many in range(1, len(sizes) + 1) for parts in itertools.combinations(range(len(sizes)), many)]
    wide = [parts for parts in choices if math.prod(sizes[part] for part in parts) <= STATES_ACROSS + 2]
    best = max(wide, key=lambda parts: math.prod(sizes[part] for part in parts), default=())
    if not best or math.prod(sizes) > STATES_SHOWN * math.prod(sizes[part] for part in best):
        raise ValueError(f"{math.prod(sizes):,} states are too many for one picture; see policy_table")
    return list(best)
