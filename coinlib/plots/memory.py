"""Pictures of what a learner holds: the balls in the hats, the values in the Q-table, the policy.

Each has a twin, `..._table`, that gives the same as a DataFrame.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from coinlib import lazy
from coinlib.plots import look
from coinlib.plots.look import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, SKY, SMALL, VERMILION, YELLOW
from coinlib.plots.view import STATES_SHOWN, States, View, Winning, all_states

BALLS_DRAWN = 12  # A fuller hat is drawn as shares.
STATES_ACROSS = 22  # More states than this stand one below another.
COLOURS = (SKY, ORANGE, GREEN, YELLOW, PURPLE, BLUE, VERMILION, "#FFFFFF")
DASHED = (0, (2, 1.5))
HATCHES = ("", "//", "..", "\\\\", "--", "xx", "oo", "++")
MOVE_LOOKS = tuple(zip(COLOURS, HATCHES))  # A move's colour and hatching; the hats lab has the same colours.


def hats(table, balls, winning: Winning = None, states: States = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """The hats and what they hold, in the way that suits their number and what is in them.

    Up to 22 hats are drawn with their balls while none holds more than 12, as bars of shares when
    they are fuller; more hats, or more than 8 moves, are a heat map of shares.

    Parameters
    ----------
    table : the learner's `table`
    balls : array, shape (S, M)
        The learner's `balls` or `values`, or a checkpoint of a run.
    winning : function state -> moves, or None
        The moves to mark as right, for example ``solve(game).best_moves``; None for no mark.
    states : iterable of states, or None
        Which hats, in order; None for all, or of more than 40 those nearest the start.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes

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
    view = View(table, balls, None, states, "hat")
    if len(view.states) > STATES_ACROSS or len(view.moves) > len(MOVE_LOOKS):
        draw = hats_heat
    elif view.numbers.max() <= BALLS_DRAWN:
        draw = hats_balls
    else:
        draw = hats_shares
    return draw(table, balls, winning, states, ax)


def hats_balls(table, balls, winning: Winning = None, states: States = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Each hat with its numbered balls, one above another; the parameters are those of `hats`.

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
    view = View(table, balls, winning, states, "hat")
    drawn = np.where(view.legal, view.numbers, 1).astype(int)  # An illegal ball is drawn once.
    highest = drawn.sum(axis=1).max()
    wide = 0.42 if max(map(len, view.moves)) < 3 else 0.5
    ax = look.axes(ax, max(4.5, 0.6 + wide * len(drawn)), 1.3 + wide * highest)
    for place, hat in enumerate(drawn):
        brim = hat.sum() - 0.5
        sides = [place - 0.47, place - 0.47, place + 0.47, place + 0.47]
        ax.plot(sides, [brim, -0.5, -0.5, brim], color=INK, linewidth=1)
        columns = np.repeat(np.arange(len(hat)), hat)
        for height, column in enumerate(columns):
            _draw_ball(ax, view, (place, height), column)
    _name_states(ax, view)
    ax.set(xlim=(-0.7, len(drawn) - 0.3), ylim=(-0.7, highest - 0.2), yticks=[], aspect="equal")
    ax.spines[:].set_visible(False)
    notes = list(view.notes)
    if view.right.any():
        notes.append("thick ring: a winning move")
    if not view.legal.all():
        notes.append("dashed: illegal there, never played")
    look.caption(ax, notes, letters=14)
    return ax


def hats_shares(table, balls, winning: Winning = None, states: States = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Each hat as a bar: the share of every ball among those that can be played.

    The parameters are those of `hats`.

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
    view = View(table, balls, winning, states, "hat")
    if len(view.moves) > len(MOVE_LOOKS):
        most = len(MOVE_LOOKS)
        raise ValueError(f"bars can tell {most} moves apart, this game has {len(view.moves)}; use hats_heat")
    places = range(len(view.states))
    ax = look.axes(ax, max(4.5, 0.9 + 0.42 * len(places)), 3.8)
    below = np.zeros(len(places))
    for name, part, (colour, hatch) in zip(view.moves, view.shares.T, MOVE_LOOKS):
        ax.bar(places, part, 0.84, below, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.6, label=name)
        for place in np.flatnonzero(part >= 8):
            look.write(ax, (place, below[place] + part[place] / 2), name, rim=1.5)
        below += part
    notes = list(view.notes)
    if view.marked:
        for place, names in enumerate(view.wins):
            words = "★" + ",".join(names) if names else "–"
            look.write(ax, (place, 102), words, va="bottom")
        notes.append("★ wins, – lost whatever is played")
    _name_states(ax, view)
    top = 110 if view.marked else 100
    ax.set(xlim=(-0.6, len(places) - 0.4), ylim=(0, top), ylabel="share of the balls in %")
    ax.set_yticks(range(0, 101, 25))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(reverse=True, loc="upper left", bbox_to_anchor=(1, 1), title=view.moves_label, fontsize=SMALL)
    look.caption(ax, notes, letters=14)
    return ax


def hats_heat(table, balls, winning: Winning = None, states: States = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Each hat as a line of a heat map: the share of every ball among those that can be played.

    The parameters are those of `hats`.

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
    view = View(table, balls, winning, states, "hat")
    words = np.where(view.legal, np.vectorize("{:.0f}".format)(view.shares), "")
    scale = {"cmap": look.blend("shares", ["white", BLUE]), "vmin": 0, "vmax": 100}
    return _heat(ax, view, view.shares, words, "share of the balls in %", **scale)


def hats_table(table, balls, winning: Winning = None) -> lazy.DataFrame:
    """The hats as numbers.

    Parameters
    ----------
    table : the learner's `table`
    balls : array, shape (S, M)
        As in `hats`.
    winning : function or None
        As in `hats`.

    Returns
    -------
    DataFrame
        A row for each hat, a column for each move with its balls (missing where it is illegal);
        with `winning` also the column wins, the names of the winning moves.

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
    view = View(table, balls, winning, all_states(table), "hat")
    return view.frame().astype(dict.fromkeys(view.moves, "Int64"))


def q_table(table, values, winning: Winning = None, states: States = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """A heat map of what a learner expects from each move in each state.

    Parameters
    ----------
    table : the learner's `table`
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
    view = View(table, values, winning, states)
    finite = np.isfinite(view.numbers)
    # A learner may value illegal moves as well; they are written where it has learnt such a value.
    learnt_illegal = finite & ~view.legal & (view.numbers != 0)
    known = finite & (view.legal | learnt_illegal.any(axis=1, keepdims=True))
    words = np.where(known, np.vectorize(look.short)(view.numbers), "")
    largest = max(1.0, np.abs(view.numbers[words != ""]).max())
    scale = {"cmap": look.blend("values", [ORANGE, "white", BLUE]), "vmin": -largest, "vmax": largest}
    return _heat(ax, view, view.numbers, words, "value of the move", **scale)


def q_values_table(table, values, winning: Winning = None) -> lazy.DataFrame:
    """The values of a learner as numbers.

    Parameters
    ----------
    table : the learner's `table`
    values : float array, shape (S, M)
    winning : function or None
        As in `hats`.

    Returns
    -------
    DataFrame
        A row for each state, a column for each move (NaN where it is illegal), and the column
        favourite, the first of the largest; with `winning` also wins, the winning moves.

    Examples
    --------
    >>> from coinlib import QLearner, sticks
    >>> learner = QLearner(sticks(3))
    >>> learner.values[learner.table.row((3,)), 1] = 0.75
    >>> table = q_values_table(learner.table, learner.values)
    >>> table.loc["3", ["2", "favourite"]].to_dict(), int(table.loc["1"].isna().sum())
    ({'2': 0.75, 'favourite': '2'}, 2)
    """
    return View(table, values, winning, all_states(table)).frame()


def policy(table, values, winning: Winning, ax: lazy.Axes | None = None) -> lazy.Axes:
    """The favourite move of a learner in every state, beside the solver's winning moves.

    Parameters
    ----------
    table : the learner's `table`
        Its states must be tuples of whole numbers.
    values : float array, shape (S, M)
        The learner's `values`, or a checkpoint. The favourite is the first of the largest.
    winning : function state -> moves
        Right moves, for example ``solve(game).best_moves``; none where the state is lost.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        The favourite's name in a circle where it wins, in a diamond where it throws the win
        away, and plain where every move loses. The legend counts them.

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
    view = View(table, values, winning, all_states(table))
    across, up = _two_sides(view)
    verdicts = _verdicts(view)
    places = np.array([across.places, up.places])
    wide = 0.36 if max(map(len, view.moves)) < 3 else 0.42
    high = max(up.places) + 1
    ax = look.axes(ax, max(5.5, 0.9 + wide * len(across.labels)), 1.5 + 0.36 * high)
    for verdict, marker, size, colour in ((WINS, "o", 430, SKY), (THROWS_AWAY, "D", 300, ORANGE)):
        chosen = places[:, verdicts == verdict]
        label = f"{verdict} ({chosen.shape[1]:,})"
        ax.scatter(*chosen, size, colour, marker=marker, edgecolors=INK, linewidths=0.8, label=label)
    lost = np.count_nonzero(verdicts == LOST)
    ax.plot([], [], linestyle="none", label=f"no mark: lost whatever it plays ({lost:,})")
    for place, column in zip(places.T, view.favourite):
        look.write(ax, place, view.moves[column])
    ax.set_xticks(range(len(across.labels)), across.labels)
    ax.set_yticks(range(len(up.labels)), up.labels)
    ax.set(xlim=(-0.6, len(across.labels) - 0.4), ylim=(-0.6, high - 0.4))
    ax.set(xlabel=f"{across.name}; in the field: {view.moves_label}", ylabel=up.name)
    columns = 3 if len(across.labels) > 15 else 1
    corner = {"loc": "lower left", "bbox_to_anchor": (0, 1)}
    ax.legend(ncols=columns, frameon=False, fontsize=SMALL, markerscale=0.6, **corner)
    return ax


def policy_table(table, values, winning: Winning) -> lazy.DataFrame:
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
    view = View(table, values, winning, all_states(table))
    return view.frame()[["favourite", "wins"]].assign(verdict=_verdicts(view))


# --- what the pictures share ----------------------------------------------------------------------------


def _name_states(ax: lazy.Axes, view: View) -> None:
    """The states along the x-axis, upright where their names are long."""
    has_long_names = max(map(len, view.names)) > 3
    ax.set_xticks(range(len(view.names)), view.names, rotation=90 if has_long_names else 0)
    ax.set_xlabel(view.states_label)


def _draw_ball(ax: lazy.Axes, view: View, place: tuple[int, int], column: int) -> None:
    """A ball of a move: `place` is the place of the hat, and how many balls lie below."""
    ball = (place[0], column)
    colour = COLOURS[column % len(COLOURS)] if view.legal[ball] else "white"
    edge = "-" if view.legal[ball] else DASHED
    radius = 0.38 if view.right[ball] else 0.42
    ring = 3 if view.right[ball] else 0.8
    look.disc(ax, place, radius, facecolor=colour, edgecolor=INK, linestyle=edge, linewidth=ring)
    look.write(ax, place, view.moves[column], color=look.readable_on(colour))


# --- heat maps ------------------------------------------------------------------------------------------


def _heat(ax, view: View, numbers: np.ndarray, words: np.ndarray, label: str, **scale) -> lazy.Axes:
    """A heat map with words in its cells: few states of one row across, others down.

    `label` says what the colours mean; `scale` is cmap, vmin and vmax of Matplotlib's `imshow`.
    """
    many, moves = numbers.shape
    across = view.one_row and many <= STATES_ACROSS
    wide, high = (0.46 * many, 0.4 * moves) if across else (0.62 * moves, 0.28 * many)
    ax = look.axes(ax, max(4.5, 1.7 + wide), 1.5 + high)
    cells = np.where(view.legal, numbers, np.nan)
    image = ax.imshow(cells.T if across else cells, aspect="auto", **scale)
    favourites = numbers.argmax(axis=1)
    for cell, word in np.ndenumerate(words):
        state, column = cell
        place = (state, column) if across else (column, state)
        ground = image.cmap(image.norm(numbers[cell]))
        _draw_cell(ax, view, cell, place, word, ground, is_favourite=favourites[state] == column)
    if across:
        _name_states(ax, view)
        ax.set_yticks(range(moves), view.moves)
        ax.set(ylabel=view.moves_label, ylim=(-0.5, moves - 0.5))
    else:
        ax.set_xticks(range(moves), view.moves)
        ax.set_yticks(range(many), view.names)
        ax.set(xlabel=view.moves_label, ylabel=view.states_label)
    ax.tick_params(length=0)
    ax.figure.colorbar(image, ax=ax, label=label)
    notes = [*view.notes, "thick frame: its favourite"]
    if view.right.any():
        notes.append("★ wins")
    if not view.legal.all():
        notes.append("hatched: illegal")
    look.caption(ax, notes, letters=14)
    return ax


def _draw_cell(ax: lazy.Axes, view: View, cell, place, word: str, ground, is_favourite: bool) -> None:
    """What stands in a cell, which is a state and a move: the hatching, the frame, the word, the star."""
    x, y = place
    rim = None
    ink = look.readable_on(ground)
    if not view.legal[cell]:
        look.square(ax, place, 0.5, facecolor="white", edgecolor=GREY, hatch="////", linewidth=0)
        rim = 2
        ink = "black"
    if is_favourite:
        look.square(ax, place, 0.46, fill=False, edgecolor=INK, linewidth=2.5)
    if word:
        look.write(ax, place, word, rim=rim, color=ink)
    if view.right[cell]:
        ax.plot(x - 0.38, y - 0.28, "*", markersize=6, color=ink)


# --- the policy -----------------------------------------------------------------------------------------

WINS = "wins"
THROWS_AWAY = "throws the win away"
LOST = "lost"


def _verdicts(view: View) -> np.ndarray:
    """What becomes of each state if the favourite is played, in words."""
    favourite_wins = view.right[np.arange(len(view.states)), view.favourite]
    verdicts = np.full(len(view.states), THROWS_AWAY)
    verdicts[favourite_wins] = WINS
    verdicts[~view.right.any(axis=1)] = LOST
    return verdicts


class Side(NamedTuple):
    """One side of the plane in which the policy is drawn: some counts of a state, as those of rows 0 and 1.

    `labels` stand along it, and `places` says where among them each state has its place.
    """

    name: str
    labels: list[str]
    places: list[int]


def _two_sides(view: View) -> tuple[Side, Side]:
    """The sides of a plane in which each state has a place, with as many counts across as can be read."""
    sizes = [len(set(counts)) for counts in zip(*view.states)]  # how many different numbers each count can be
    across = _counts_across(sizes)
    up = [part for part in range(len(sizes)) if part not in across]
    places = math.prod(sizes)
    if not across or places > STATES_SHOWN * math.prod(sizes[part] for part in across):
        raise ValueError(f"{places:,} states are too many for one picture; see policy_table")
    return _side(view, across), _side(view, up)


def _counts_across(sizes: list[int]) -> Sequence[int]:
    """Which counts stand across: those that fill the line best; none where even one has too many numbers."""

    def wide(group: Sequence[int]) -> int:
        return math.prod(sizes[part] for part in group)

    parts = range(len(sizes))
    groups = itertools.chain.from_iterable(itertools.combinations(parts, many + 1) for many in parts)
    return max((group for group in groups if wide(group) <= STATES_ACROSS + 2), key=wide, default=())


def _side(view: View, parts: Sequence[int]) -> Side:
    """Some counts of the states as a side; it has no name and no labels where there are none."""
    counts = [tuple(state[part] for part in parts) for state in view.states]
    along = sorted(set(counts))
    places = [along.index(count) for count in counts]
    if not parts:
        return Side("", [], places)
    if view.game == "one row":
        name = "how many are left"
    elif view.game == "rows":
        name = f"left in row {' and row '.join(map(str, parts))}"
    else:
        name = f"state{list(parts)}"
    return Side(name, [look.state_name(count) for count in along], places)
