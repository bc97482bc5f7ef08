"""Pictures of what a learner has learnt: the balls in its hats, and its policy as a table."""

from __future__ import annotations

import numpy as np

from coinlib import lazy
from coinlib.plots import grid, look
from coinlib.plots.look import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, SKY, SMALL, VERMILION, YELLOW
from coinlib.plots.view import States, View, Winning, all_states

BALLS_DRAWN = 12  # Hats are drawn as shares if one holds more balls of one number than this,
HAT_DRAWN = 24  # or more balls in total than this.
STATES_ACROSS = 22  # If there are more states than this, they are drawn one below another.
COLOURS = (SKY, ORANGE, GREEN, YELLOW, PURPLE, BLUE, VERMILION, "#FFFFFF")
DASHED = (0, (2, 1.5))
HATCHES = ("", "//", "..", "\\\\", "--", "xx", "oo", "++")
MOVE_LOOKS = tuple(zip(COLOURS, HATCHES))  # A move's colour and hatching; the hats lab has the same colours.


def hats(table, balls, winning: Winning = None, states: States = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw the hats and what they hold, in the way that suits their number and contents.

    Up to 22 hats are drawn with their balls if none holds more than 24, or more than 12 of one number;
    fuller hats are drawn as bars of shares; more hats, or more than 8 moves, as a heat map of shares.

    Parameters
    ----------
    table : the learner's `table`
    balls : array, shape (S, M)
        The learner's `balls` or `values`, or a checkpoint of a run.
    winning : function state -> moves, or None
        The moves to mark as right, for example ``solve(game).best_moves``; None for no mark.
    states : iterable of states, or None
        Which hats, in order; None for all, or for the 40 nearest the start if there are more.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes

    See Also
    --------
    hats_balls, hats_shares, hats_heat : the three ways to draw them.

    Examples
    --------
    >>> from coinlib import Hats, solve, sticks
    >>> learner = Hats(sticks(4))
    >>> learner.put(4, move=3, balls=2)
    >>> ax = hats(learner.table, learner.balls, winning=solve(sticks(4)).best_moves)
    >>> [text.get_text() for text in ax.texts]    # hats 1 to 4, each from the bottom
    ['1', '2', '3', '1', '2', '3', '1', '2', '3', '1', '2', '3', '3']
    """
    view = View(table, balls, None, states)
    if len(view.states) > STATES_ACROSS or len(view.moves) > len(MOVE_LOOKS):
        draw = hats_heat
    elif view.numbers.max() <= BALLS_DRAWN and view.numbers.sum(axis=1).max() <= HAT_DRAWN:
        draw = hats_balls
    else:
        draw = hats_shares
    return draw(table, balls, winning, states, ax)


def hats_balls(table, balls, winning: Winning = None, states: States = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw each hat with its numbered balls, one above another; the parameters are those of `hats`.

    Returns
    -------
    Axes
        A ball with a thick ring is a winning move; a dashed one is illegal, and never played.

    Examples
    --------
    >>> from coinlib import Hats, sticks
    >>> learner = Hats(sticks(3))
    >>> ax = hats_balls(learner.table, learner.balls)
    >>> [label.get_text() for label in ax.get_xticklabels()], len(ax.patches)
    (['1', '2', '3'], 9)
    """
    view = View(table, balls, winning, states)
    drawn = np.where(view.legal, view.numbers, 1).astype(int)  # An illegal ball is drawn once.
    highest = drawn.sum(axis=1).max()
    pitch = 0.42 if max(map(len, view.moves)) < 3 else 0.5  # inches from ball to ball
    ax = look.axes(ax, max(4.5, 0.6 + pitch * len(drawn)), 1.3 + pitch * highest)
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
    _explain(ax, view, [], "thick ring: a winning move", "dashed: illegal there, never played")
    return ax


def hats_shares(table, balls, winning: Winning = None, states: States = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw each hat as a bar: the share of every ball among those that can be played.

    The parameters are those of `hats`.

    Returns
    -------
    Axes
        Each move has a colour and a hatching; parts that are large enough show its name, and the
        winning moves are above the bars, after a star.

    Examples
    --------
    >>> from coinlib import Hats, solve, sticks
    >>> learner = Hats(sticks(3))
    >>> learner.put(3, move=2, balls=98)
    >>> ax = hats_shares(learner.table, learner.balls, solve(sticks(3)).best_moves)
    >>> [text.get_text() for text in ax.texts]    # in the bars, then above them
    ['1', '1', '2', '2', '–', '★1', '★2']
    """
    view = View(table, balls, winning, states)
    if len(view.moves) > len(MOVE_LOOKS):
        most = len(MOVE_LOOKS)
        raise ValueError(f"bars can tell {most} moves apart, this game has {len(view.moves)}; use hats_heat")
    places = range(len(view.states))
    ax = look.axes(ax, max(4.5, 0.9 + 0.42 * len(places)), 3.8)
    share_bars(ax, view, 0, 100, 8)
    notes = list(view.notes)
    if winning is not None:
        for place, names in enumerate(view.wins):
            words = "★" + ",".join(names) if names else "–"
            look.write(ax, (place, 102), words, va="bottom")
        notes.append("★ wins, – lost whatever is played")
    _name_states(ax, view)
    top = 110 if winning is not None else 100
    ax.set(xlim=(-0.6, len(places) - 0.4), ylim=(0, top), ylabel="share of the balls in %")
    ax.set_yticks(range(0, 101, 25))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(reverse=True, loc="upper left", bbox_to_anchor=(1, 1), title=_ball_word(view), fontsize=SMALL)
    look.caption(ax, notes, letters=14)
    return ax


def hats_heat(table, balls, winning: Winning = None, states: States = None, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw each hat as a line of a heat map: the share of every ball among those that can be played.

    Hats run across if there are few and the game has one row, otherwise down. The parameters are those of `hats`.

    Returns
    -------
    Axes
        Each cell shows the share in %; a thick frame marks the most frequent ball, a star a
        winning move, hatching an illegal one.

    Examples
    --------
    >>> from coinlib import Hats, sticks
    >>> learner = Hats(sticks(3))
    >>> ax = hats_heat(learner.table, learner.balls)
    >>> [text.get_text() for text in ax.texts]    # hats 1 to 3: only legal moves
    ['100', '50', '50', '33', '33', '33']
    """
    view = View(table, balls, winning, states)
    shares = view.shares
    hats, moves = shares.shape
    across = view.kind == "one row" and hats <= STATES_ACROSS
    width, height = (0.46 * hats, 0.4 * moves) if across else (0.62 * moves, 0.28 * hats)
    ax = look.axes(ax, max(4.5, 1.7 + width), 1.5 + height)
    cells = np.where(view.legal, shares, np.nan)
    image = grid.colour_cells(ax, cells.T if across else cells, ["white", BLUE], (0, 100), aspect="auto")
    favourites = shares.argmax(axis=1)
    for cell, share in np.ndenumerate(shares):
        hat, column = cell
        place = (hat, column) if across else (column, hat)
        _mark_cell(ax, view, cell, place, share, image.cmap(image.norm(share)))
        if column == favourites[hat]:
            grid.frame(ax, place, 0.46, 2.5)
    if across:
        _name_states(ax, view)
        ax.set_yticks(range(moves), view.moves)
        ax.set(ylabel=_ball_word(view), ylim=(-0.5, moves - 0.5))
    else:
        ax.set_xticks(range(moves), view.moves)
        ax.set_yticks(range(hats), view.names)
        ax.set(xlabel=_ball_word(view), ylabel=_hat_word(view))
    ax.tick_params(length=0)
    ax.figure.colorbar(image, ax=ax, label="share of the balls in %")
    _explain(ax, view, ["thick frame: its favourite"], "★ wins", "hatched: illegal")
    return ax


def policy_table(table, values, winning: Winning) -> lazy.DataFrame:
    """A table with the favourite move of a learner in every state, next to the winning moves.

    Parameters
    ----------
    table : the learner's `table`
    values : array, shape (S, M)
        The learner's `values`, or a checkpoint of a run.
    winning : function state -> moves
        For example ``solve(game).best_moves``.

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
    columns = {
        "favourite": [view.moves[column] for column in view.favourite],
        "wins": [" ".join(names) for names in view.wins],
        "verdict": _verdicts(view),
    }
    return lazy.DataFrame(columns, index=view.names).rename_axis("state")


# --- what the pictures share ----------------------------------------------------------------------------


def share_bars(ax: lazy.Axes, view: View, bottom: float, height: float, named_from: float) -> None:
    """Draw a bar for each state: the share of every move, with its name if it is at least `named_from` %."""
    places = range(len(view.states))
    below = np.full(len(places), float(bottom))
    for name, share, (colour, hatch) in zip(view.moves, view.shares.T, MOVE_LOOKS):
        part = share * height / 100
        ax.bar(places, part, 0.84, below, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.6, label=name)
        for place in np.flatnonzero(share >= named_from):
            look.write(ax, (place, below[place] + part[place] / 2), name, rim=1.5)
        below += part


def _name_states(ax: lazy.Axes, view: View) -> None:
    """Label the x-axis with the states; long names are rotated."""
    has_long_names = max(map(len, view.names)) > 3
    ax.set_xticks(range(len(view.names)), view.names, rotation=90 if has_long_names else 0)
    ax.set_xlabel(_hat_word(view))


def _hat_word(view: View) -> str:
    """What the name of a hat means."""
    return "hat: how many are left in row 0, row 1, ..." if view.kind == "rows" else "hat"


def _ball_word(view: View) -> str:
    """What the name of a ball means."""
    return "ball (row:take)" if view.kind == "rows" else "ball"


def _draw_ball(ax: lazy.Axes, view: View, place: tuple[int, int], column: int) -> None:
    """Draw a ball of a move; `place` is the position of the hat, and the number of balls below this one."""
    ball = (place[0], column)
    colour = COLOURS[column % len(COLOURS)] if view.legal[ball] else "white"
    edge = "-" if view.legal[ball] else DASHED
    radius = 0.38 if view.right[ball] else 0.42
    ring = 3 if view.right[ball] else 0.8
    look.circle(ax, place, radius, facecolor=colour, edgecolor=INK, linestyle=edge, linewidth=ring)
    look.write(ax, place, view.moves[column], color=look.readable_on(colour))


def _explain(ax: lazy.Axes, view: View, notes: list[str], if_it_wins: str, if_illegal: str) -> None:
    """Write below a picture what its marks mean; winning and illegal moves only if it has some."""
    notes = [*view.notes, *notes]
    if view.right.any():
        notes.append(if_it_wins)
    if not view.legal.all():
        notes.append(if_illegal)
    look.caption(ax, notes, letters=14)


def _mark_cell(ax: lazy.Axes, view: View, cell, place, share: float, ground) -> None:
    """Draw on a cell, which is a hat and a move: its share or its hatching, and its star."""
    ink = look.readable_on(ground)
    if view.legal[cell]:
        look.write(ax, place, f"{share:.0f}", color=ink)
    else:
        look.square(ax, place, 0.5, facecolor="white", edgecolor=GREY, hatch="////", linewidth=0)
        ink = "black"
    if view.right[cell]:
        ax.plot(place[0] - 0.38, place[1] - 0.28, "*", markersize=6, color=ink)


# --- the policy -----------------------------------------------------------------------------------------

WINS = "wins"
THROWS_AWAY = "throws the win away"
LOST = "lost"


def _verdicts(view: View) -> np.ndarray:
    """What the favourite move does in each state: `WINS`, `THROWS_AWAY`, or `LOST` if no move wins."""
    favourite_wins = view.right[np.arange(len(view.states)), view.favourite]
    verdicts = np.full(len(view.states), THROWS_AWAY)
    verdicts[favourite_wins] = WINS
    verdicts[~view.right.any(axis=1)] = LOST
    return verdicts
