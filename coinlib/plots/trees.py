"""Pictures of game trees: all that can happen, level by level.

What is drawn is what `coinlib.trees.game_tree` returns.
"""

from __future__ import annotations

from itertools import zip_longest
from statistics import fmean
from typing import Any

from coinlib import lazy
from coinlib.games import CoinGame, GreedyCoins
from coinlib.plots import look
from coinlib.plots.look import GREEDY_PLAYERS, GREY, INK, PLAYERS

NODES_ACROSS = 26  # a wider tree is folded
FOLDED_ACROSS = 40  # and one that is still wider than this is refused
MOVES_NAMED = 10  # where equal states are merged and more branches than this lead to a level, moves are not written
SWEEPS = 12
THICK, THIN = {"linewidth": 2.4, "color": INK}, {"linewidth": 0.9, "color": GREY}

Links = list[list[list[int]]]  # the neighbours of each node on another level
Places = list[list[float]]  # where each node stands across, level by level


def tree(tree, ax: lazy.Axes | None = None) -> lazy.Axes:
    """A game tree, level by level: whose turn it is, what is left, and who wins.

    A tree that is too wide to be read is folded: what stands under a repeated state is left out.

    Parameters
    ----------
    tree : Tree
        From `coinlib.trees.game_tree`, as it is, or `merged` or `folded`.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Round boxes are states in which player 1 moves, square ones those of player 2. In each stands
        the state and whether whoever moves there wins; in games with points, by how many points it
        beats the other from there on. Moves stand on the branches, the best ones are thick. A dashed
        box is a state that stands higher up already, or further to the left.

    See Also
    --------
    tree_table : the same as words.

    Examples
    --------
    >>> from coinlib import sticks
    >>> from coinlib.trees import game_tree
    >>> ax = tree(game_tree(sticks(2)))
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "node"]
    ['2\\nwins', '1\\nloses', '0\\nwins', '0\\nwins']
    """
    drawn, places = tree, _places(tree)
    if _width(places) > NODES_ACROSS and _is_tree(tree):
        drawn = tree.folded()
        places = _places(drawn)
    wide, high = _width(places), len(drawn.levels)
    if wide > FOLDED_ACROSS:
        most = f"at most {FOLDED_ACROSS}; see tree_table, or draw a smaller game"
        raise ValueError(f"a tree {wide:.0f} nodes wide cannot be read ({most})")
    names = [_state_name(drawn, node.state) for level in drawn.levels for node in level]
    outcomes = [_outcome(drawn, node) for level in drawn.levels for node in level]
    step = max(0.48, 0.2 + 0.075 * max(map(len, names + outcomes)))
    ax = look.axes(ax, max(5.5, 1.0 + step * wide), 0.8 + 0.86 * high)
    ax.set(xlim=(-0.7, wide - 0.3), ylim=(high - 0.6, -0.4), xticks=[])
    ax.spines[:].set_visible(False)
    named = _draw_branches(ax, drawn, places)
    for depth, level in enumerate(drawn.levels):
        for node, x in zip(level, places[depth]):
            _draw_node(ax, (x, depth), drawn, node)
    ends = [all(node.over for node in level) for level in drawn.levels]
    turns = [f"{_player(drawn, level[0]).name}\nmoves" for level in drawn.levels]
    ax.set_yticks(range(high), ["the end" if end else turn for end, turn in zip(ends, turns)])
    ax.tick_params(length=0)
    look.caption(ax, _notes(drawn, named, folded=drawn is not tree))
    return ax


def tree_table(tree) -> lazy.DataFrame:
    """A game tree as words: a line for each node, level by level.

    Parameters
    ----------
    tree : Tree
        From `coinlib.trees.game_tree`, as it is, or `merged` or `folded`.

    Returns
    -------
    DataFrame
        Columns level (from 1), turn, state, came by (the state before, and the move), outcome (for
        whoever moves there), and repeated, whether the state stands earlier already.

    Examples
    --------
    >>> from coinlib import sticks
    >>> from coinlib.trees import game_tree
    >>> print(tree_table(game_tree(sticks(2))).to_string(index=False))
     level     turn state came by outcome  repeated
         1 player 1     2            wins     False
         2 player 2     1  2: take 1   loses     False
         2 player 2     0  2: take 2    wins     False
         3 player 1     0  1: take 1    wins      True
    """
    import pandas as pd

    lines = []
    for number, (above, level) in enumerate(zip([(), *tree.levels], tree.levels), 1):
        for node in level:
            ways = [(_state_name(tree, above[way.parent].state), _move_name(tree, way)) for way in node.branches]
            came_by = "; ".join(f"{state}: take {move}" for state, move in ways)
            turn, state = _player(tree, node).name, _state_name(tree, node.state)
            lines.append((number, turn, state, came_by, _outcome(tree, node), node.repeated))
    return pd.DataFrame(lines, columns=["level", "turn", "state", "came by", "outcome", "repeated"])


# --- where the nodes stand ------------------------------------------------------------------------------------


def _is_tree(tree) -> bool:
    """Whether every node has one node above it, so that nothing has been merged."""
    return all(len(node.branches) <= 1 for level in tree.levels for node in level)


def _width(places: Places) -> float:
    """How many nodes have room side by side."""
    return 1 + max(x for level in places for x in level)


def _places(tree) -> Places:
    """Where each node stands across, from 0; neighbours are at least 1 apart."""
    parents = [[[branch.parent for branch in node.branches] for node in level] for level in tree.levels]
    children = [[[] for _ in level] for level in parents]
    for below, level in zip(children, parents[1:]):
        for number, above in enumerate(level):
            for parent in above:
                below[parent].append(number)
    places = _tree_places(children) if _is_tree(tree) else _merged_places(parents, children)
    least = min(x for level in places for x in level)
    return [[x - least for x in level] for level in places]


def _tree_places(children: Links) -> Places:
    """Each node above the middle of what follows it, all as close together as they can stand.

    E. M. Reingold and J. S. Tilford, "Tidier drawings of trees" (1981), in short: subtrees are pushed
    together until their outlines touch.
    """
    subtrees: list[Places] = []  # of each node of the level below: the places of all under it, its own at 0
    for level in reversed(children):
        joined = []
        for below in level:
            tops, together = [], []
            for subtree in (subtrees[child] for child in below):
                push = max((left[-1] - right[0] + 1 for left, right in zip(together, subtree)), default=0.0)
                pushed = [[x + push for x in places] for places in subtree]
                tops.append(push)
                together = [left + right for left, right in zip_longest(together, pushed, fillvalue=[])]
            middle = (tops[0] + tops[-1]) / 2 if tops else 0.0
            joined.append([[0.0], *([x - middle for x in places] for places in together)])
        subtrees = joined
    return subtrees[0]


def _merged_places(parents: Links, children: Links) -> Places:
    """Levels in the middle, in an order in which few branches cross.

    The order is found by sweeps that put a node in the middle of its neighbours above, then below.
    K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical system
    structures" (1981).
    """
    order = [list(range(len(level))) for level in parents]
    for sweep in range(SWEEPS):
        down = range(1, len(order)), parents, -1
        up = range(len(order) - 2, -1, -1), children, 1
        depths, near, towards = up if sweep % 2 else down
        for depth in depths:
            place = {number: at for at, number in enumerate(order[depth + towards])}
            order[depth].sort(key=lambda number: fmean([place[other] for other in near[depth][number]] or [0]))
    wide = max(map(len, order))
    places = [[0.0] * len(level) for level in order]
    for here, level in zip(places, order):
        for place, number in enumerate(level):
            here[number] = (place - (len(level) - 1) / 2) * min(1.6, wide / len(level))
    return places


# --- what stands in the picture --------------------------------------------------------------------------------


def _draw_branches(ax: lazy.Axes, tree, places: Places) -> bool:
    """The lines from level to level; whether the moves have been written on all of them."""
    all_named = True
    for depth, level in enumerate(tree.levels[1:], 1):
        named = sum(len(node.branches) for node in level) <= max(MOVES_NAMED, len(level))
        all_named &= named
        for node, x in zip(level, places[depth]):
            for parent in dict.fromkeys(branch.parent for branch in node.branches):
                ways = [branch for branch in node.branches if branch.parent == parent]
                above = places[depth - 1][parent]
                good = ways[0].best and (tree.points or tree.levels[depth - 1][parent].value >= 0)  # unless all lose
                ax.plot([above, x], [depth - 1, depth], zorder=1, gid="branch", **(THICK if good else THIN))
                if named:
                    words = "/".join(
                        _move_name(tree, way) + (f" +{way.points:g}" if tree.points else "") for way in ways
                    )
                    middle = (above + 0.55 * (x - above), depth - 0.45)
                    look.write(ax, middle, words, rim=0.8, color=INK, zorder=2, gid="move")
    return all_named


def _draw_node(ax: lazy.Axes, place: tuple[float, float], tree, node) -> None:
    player, lost = _player(tree, node), node.value < 0 and not tree.points
    dashed = node.repeated and not node.over
    box = {
        "boxstyle": player.box,
        "facecolor": "#EEEEEE" if node.over else "white" if dashed else player.light,
        "edgecolor": GREY if node.over else player.colour,
        "linestyle": (0, (3, 2)) if dashed else "-",
        "linewidth": 2.4 if lost else 1.2,
    }
    label = f"{_state_name(tree, node.state)}\n{_outcome(tree, node)}"
    look.write(ax, place, label, bbox=box, weight="bold" if lost else "normal", zorder=3, gid="node")


def _player(tree, node) -> look.PlayerLook:
    """Whose turn it is: in greedy coins as in their triangle."""
    looks = GREEDY_PLAYERS if isinstance(tree.game, GreedyCoins) else PLAYERS
    return looks[node.player]


def _outcome(tree, node) -> str:
    """What a state means for whoever moves there: words, or the margin in games with points."""
    if tree.points:
        return look.signed(node.value)
    return "wins" if node.value > 0 else "loses" if node.value < 0 else "ties"


def _state_name(tree, state: Any) -> str:
    """What is left: counts, or the coins themselves."""
    if isinstance(tree.game, GreedyCoins):
        return " ".join(map(str, tree.game.coins_left(state))) or "none"
    return look.state_name(state) or "none"


def _one_row(tree) -> bool:
    return look.is_one_row(tree.levels[0][0].state)


def _move_name(tree, way) -> str:
    return look.move_name(way.move, _one_row(tree))


def _notes(tree, named: bool, folded: bool) -> dict[str, bool]:
    """What the marks mean."""
    coins = isinstance(tree.game, CoinGame)
    dashed = [node.repeated and not node.over for level in tree.levels for node in level]
    taken = "how many are taken" if _one_row(tree) else "row:coins taken" if coins else "the move"
    return {
        look.ending(tree.game): coins,
        "in a box: what is left, and by how much whoever moves then beats the other": tree.points,
        "on a line: the move and its points; thick: a best move": tree.points,
        "in a box: what is left, and whether whoever moves there wins": not tree.points,
        f"on a line: {taken}; thick: it wins": not tree.points,
        "where lines are many the boxes at their ends tell the move": not named,
        "dashed: stands above or further left already" + ", and goes on there" * folded: any(dashed),
        "grey: the game is over": True,
    }
