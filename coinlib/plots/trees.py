"""Pictures of game trees: all that can happen, level by level.

What is drawn is what `coinlib.trees.game_tree` returns.
"""

from __future__ import annotations

from itertools import zip_longest
from statistics import fmean
from typing import Any

from coinlib import lazy
from coinlib.games import one_row
from coinlib.plots import look
from coinlib.plots.look import GREEDY_PLAYERS, GREY, INK, PLAYERS
from coinlib.words import ending_words, move_words, row_word

NODES_ACROSS = 26  # A wider tree is folded.
FOLDED_ACROSS = 40  # One that is still wider than this is refused.
MOVES_NAMED = 10  # Where equal states are merged, moves are not written if more than this lead to a level.
SWEEPS = 6  # down and up
THICK = {"linewidth": 2.4, "color": INK}
THIN = {"linewidth": 0.9, "color": GREY}

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
    drawn = tree
    places = _places(tree)
    if _width(places) > NODES_ACROSS and _is_tree(tree):
        drawn = tree.folded()
        places = _places(drawn)
    wide = _width(places)
    high = len(drawn.levels)
    if wide > FOLDED_ACROSS:
        most = f"at most {FOLDED_ACROSS}; see tree_table, or draw a smaller game"
        raise ValueError(f"a tree {wide:.0f} nodes wide cannot be read ({most})")
    nodes = [node for level in drawn.levels for node in level]
    words = [_state_name(drawn, node.state) for node in nodes] + [_outcome(drawn, node) for node in nodes]
    step = max(0.48, 0.2 + 0.075 * max(map(len, words)))  # inches from node to node
    ax = look.axes(ax, max(5.5, 1.0 + step * wide), 0.8 + 0.86 * high)
    ax.set(xlim=(-0.7, wide - 0.3), ylim=(high - 0.6, -0.4), xticks=[])
    ax.spines[:].set_visible(False)
    named = [_moves_are_named(level) for level in drawn.levels]
    for depth in range(1, high):
        _draw_branches(ax, drawn, places, depth, named[depth])
    for depth, level in enumerate(drawn.levels):
        for node, x in zip(level, places[depth]):
            _draw_node(ax, (x, depth), drawn, node)
    ax.set_yticks(range(high), [_level_in_words(drawn, depth) for depth in range(high)])
    ax.tick_params(length=0)
    look.caption(ax, _notes(drawn, all(named), folded=drawn is not tree))
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
    lines = []
    above = ()
    for number, level in enumerate(tree.levels, 1):
        for node in level:
            ways = []
            for way in node.branches:
                before = _state_name(tree, above[way.parent].state)
                ways.append(f"{before}: take {move_words(tree.game, way.move)}")
            turn = _player(tree, node).name
            state = _state_name(tree, node.state)
            lines.append((number, turn, state, "; ".join(ways), _outcome(tree, node), node.repeated))
        above = level
    return lazy.DataFrame(lines, columns=["level", "turn", "state", "came by", "outcome", "repeated"])


# --- where the nodes stand ------------------------------------------------------------------------------


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

    Subtrees are pushed together until their outlines touch, which is the idea of E. M. Reingold and
    J. S. Tilford, "Tidier drawings of trees" (1981).
    """
    subtrees: list[Places] = []  # for each node of the level below the places of its subtree, itself at 0
    for level in reversed(children):
        subtrees = [_joined([subtrees[child] for child in below]) for below in level]
    return subtrees[0]


def _joined(subtrees: list[Places]) -> Places:
    """The subtree of a node, which stands at 0 above the middle of these subtrees, side by side."""
    together: Places = []
    tops = []
    for subtree in subtrees:
        overlaps = [left[-1] - right[0] + 1 for left, right in zip(together, subtree)]
        push = max(overlaps, default=0.0)
        pushed = _pushed(subtree, push)
        tops.append(push)
        together = [left + right for left, right in zip_longest(together, pushed, fillvalue=[])]
    middle = (tops[0] + tops[-1]) / 2 if tops else 0.0
    return [[0.0], *_pushed(together, -middle)]


def _pushed(subtree: Places, right: float) -> Places:
    """A subtree so far further to the right."""
    return [[x + right for x in places] for places in subtree]


def _merged_places(parents: Links, children: Links) -> Places:
    """Levels in the middle, in an order in which few branches cross.

    The order is found by sweeps that put a node in the middle of its neighbours above, then below.
    K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical system
    structures" (1981).
    """
    order = [list(range(len(level))) for level in parents]  # the nodes of each level from left to right
    for _ in range(SWEEPS):
        for depth in range(1, len(order)):
            _sort_by_neighbours(order[depth], order[depth - 1], parents[depth])
        for depth in reversed(range(len(order) - 1)):
            _sort_by_neighbours(order[depth], order[depth + 1], children[depth])
    wide = max(map(len, order))
    places = []
    for level in order:
        apart = min(1.6, wide / len(level))
        middle = (len(level) - 1) / 2
        across = [0.0] * len(level)
        for place, number in enumerate(level):
            across[number] = (place - middle) * apart
        places.append(across)
    return places


def _sort_by_neighbours(level: list[int], other_level: list[int], neighbours: list[list[int]]) -> None:
    """Put each node of a level where its neighbours on another level stand on average."""
    place = {number: at for at, number in enumerate(other_level)}

    def middle(number: int) -> float:
        return fmean([place[other] for other in neighbours[number]] or [0])

    level.sort(key=middle)


# --- what stands in the picture -------------------------------------------------------------------------


def _moves_are_named(level) -> bool:
    """Whether the moves that lead to a level are written: always in a tree, elsewhere if they are few."""
    branches = sum(len(node.branches) for node in level)
    return branches <= max(MOVES_NAMED, len(level))


def _draw_branches(ax: lazy.Axes, tree, places: Places, depth: int, named: bool) -> None:
    """The lines from one level to the next, which has this depth, with the moves if they are named."""
    for node, x in zip(tree.levels[depth], places[depth]):
        ways_from: dict[int, list] = {}
        for branch in node.branches:
            ways_from.setdefault(branch.parent, []).append(branch)
        for parent, ways in ways_from.items():
            above = places[depth - 1][parent]
            somebody_gains = tree.points or tree.levels[depth - 1][parent].value >= 0
            # Where every move loses, all of them are best, and none is marked.
            line = THICK if ways[0].best and somebody_gains else THIN
            ax.plot([above, x], [depth - 1, depth], zorder=1, gid="branch", **line)
            if named:
                words = "/".join(_way_in_words(tree, way) for way in ways)
                place = (above + 0.55 * (x - above), depth - 0.45)
                look.write(ax, place, words, rim=0.8, color=INK, zorder=2, gid="move")


def _way_in_words(tree, way) -> str:
    """A move, in games with points with what it earns: "R +3"."""
    words = move_words(tree.game, way.move)
    return f"{words} +{way.points:g}" if tree.points else words


def _draw_node(ax: lazy.Axes, place: tuple[float, float], tree, node) -> None:
    """A box with the state and its outcome: bold where whoever moves loses, dashed for a repeated state."""
    player = _player(tree, node)
    box = {"boxstyle": player.box, "facecolor": player.light, "edgecolor": player.colour, "linewidth": 1.2}
    weight = "normal"
    if node.over:
        box |= {"facecolor": "#EEEEEE", "edgecolor": GREY}
    elif node.repeated:
        box |= {"facecolor": "white", "linestyle": (0, (3, 2))}
    if node.value < 0 and not tree.points:
        box["linewidth"] = 2.4
        weight = "bold"
    label = f"{_state_name(tree, node.state)}\n{_outcome(tree, node)}"
    look.write(ax, place, label, bbox=box, weight=weight, zorder=3, gid="node")


def _player(tree, node) -> look.PlayerLook:
    """How whoever moves looks: in greedy coins as in their triangle."""
    looks = GREEDY_PLAYERS if hasattr(tree.game, "coins_left") else PLAYERS
    return looks[node.player]


def _level_in_words(tree, depth: int) -> str:
    """The number of a level, from 1 at the top, and who moves there."""
    level = tree.levels[depth]
    if all(node.over for node in level):
        return f"level {depth + 1}\nthe end"
    return f"level {depth + 1}\n{_player(tree, level[0]).name} moves"


def _outcome(tree, node) -> str:
    """What a state means for whoever moves there: words, or the margin in games with points."""
    if tree.points:
        return look.signed(node.value)
    if node.value > 0:
        return "wins"
    return "loses" if node.value < 0 else "ties"


def _state_name(tree, state: Any) -> str:
    """What is left: counts, or in greedy coins the coins themselves."""
    if hasattr(tree.game, "coins_left"):
        state = tree.game.coins_left(state)
        return " ".join(map(str, state)) or "none"
    return look.state_name(state) or "none"


def _notes(tree, named: bool, folded: bool) -> list[str]:
    """What the marks mean."""
    notes = []
    ending = ending_words(tree.game)
    if ending:
        notes.append(ending)
    if tree.points:
        notes.append("in a box: what is left, and the margin of whoever moves")
        notes.append("on a line: the move and its points; thick: a best move")
    else:
        notes.append("in a box: what is left; whoever moves there wins or loses")
        notes.append(f"on a line: {_what_a_move_says(tree.game)}; thick: it wins")
    if not named:
        notes.append("no label where lines are many")
    if any(node.repeated and not node.over for level in tree.levels for node in level):
        goes_on = ", and goes on there" if folded else ""
        notes.append(f"dashed: drawn before{goes_on}")
    if any(node.over for node in tree.levels[-1]):
        notes.append("grey: the end")
    return notes


def _what_a_move_says(game) -> str:
    """What the short name of a move says."""
    if one_row(game):
        return "how many are taken"
    return f"{row_word(game)}:coins taken" if hasattr(game, "rows") else "the move"
