"""Pictures of game trees: all that can happen, level by level.

What is drawn is described by `GameTree`; `coinlib.trees.game_tree` makes it.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from coinlib.games import CoinGame, GreedyCoins, Move
from coinlib.plots.asked import check_has
from coinlib.plots.look import BLUE, GREEN, GREY, INK, SMALL, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

NODES_ACROSS = 26  # a wider tree is folded
FOLDED_ACROSS = 40  # and one that is still wider than this is refused
LEVELS_DOWN = 30
MOVES_NAMED = 10  # where equal states are merged and more branches than this lead to a level, moves are not written
TREE = ("game", "levels", "points", "folded")  # what a tree has
SWEEPS = 12
THICK, THIN = {"linewidth": 2.4, "color": INK}, {"linewidth": 0.9, "color": GREY}


class Player(NamedTuple):
    """How a player's nodes look, told apart by more than their colour."""

    name: str
    colour: str
    light: str
    box: str


PLAYERS = {
    1: Player("player 1", BLUE, "#CFE6F5", "round,pad=0.35,rounding_size=0.9"),
    2: Player("player 2", GREEN, "#CDEBE0", "square,pad=0.3"),
}
POINT_PLAYERS = {  # square and round as in the triangle of greedy coins
    1: PLAYERS[1]._replace(name="Alice", box=PLAYERS[2].box),
    2: PLAYERS[2]._replace(name="Bob", box=PLAYERS[1].box),
}


class Branch(Protocol):
    """A move that led to a node, from which node one level above."""

    @property
    def parent(self) -> int: ...

    @property
    def move(self) -> Any: ...

    @property
    def points(self) -> float: ...

    @property
    def best(self) -> bool: ...


class Node(Protocol):
    """A state in a tree."""

    @property
    def state(self) -> Any: ...

    @property
    def player(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def over(self) -> bool: ...

    @property
    def repeated(self) -> bool: ...

    @property
    def branches(self) -> Sequence[Branch]: ...


class GameTree(Protocol):
    """A game level by level, as `coinlib.trees.game_tree` returns it."""

    @property
    def game(self) -> Any: ...

    @property
    def levels(self) -> Sequence[Sequence[Node]]: ...

    @property
    def points(self) -> bool: ...

    def folded(self) -> GameTree: ...


def tree(tree: GameTree, ax: Axes | None = None) -> Axes:
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

    Raises
    ------
    TypeError
        If `tree` is not such a tree, or `ax` no Axes.
    ValueError
        If there are more nodes side by side than can be read, even when it is folded.

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
    check_has(tree, "tree", TREE, "what `game_tree` returns")
    drawn = tree
    places = _places(tree)
    if _width(places) > NODES_ACROSS and _is_tree(tree):
        drawn = tree.folded()
        places = _places(drawn)
    wide = _width(places)
    if wide > FOLDED_ACROSS or len(drawn.levels) > LEVELS_DOWN:
        raise ValueError(
            f"a tree of {len(drawn.levels):,} levels, {wide:.0f} nodes wide, cannot be read (at most {LEVELS_DOWN} levels "
            f"and {FOLDED_ACROSS} nodes); see tree_table, or draw a smaller game"
        )
    labels = [[_label(drawn, node) for node in level] for level in drawn.levels]
    longest = max(len(line) for level in labels for label in level for line in label.split("\n"))
    step = max(0.48, 0.2 + 0.075 * longest)
    ax = axes(ax, max(5.5, 1.0 + step * wide), 0.8 + 0.86 * len(drawn.levels))
    ax.set(xlim=(-0.7, wide - 0.3), ylim=(len(drawn.levels) - 0.6, -0.4), xticks=[])
    ax.spines[:].set_visible(False)
    named = _draw_branches(ax, drawn, places)
    players = _players(drawn)
    for depth, level in enumerate(drawn.levels):
        for node, x, label in zip(level, places[depth], labels[depth]):
            _draw_node(ax, (x, depth), label, node, players[node.player], not drawn.points)
    ax.set_yticks(range(len(drawn.levels)), [_level_name(drawn, level) for level in drawn.levels])
    ax.tick_params(length=0)
    _caption(ax, drawn, drawn is not tree, named)
    return ax


def tree_table(tree: GameTree) -> DataFrame:
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

    Raises
    ------
    TypeError
        If `tree` is not such a tree.

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

    check_has(tree, "tree", TREE, "what `game_tree` returns")
    players = _players(tree)
    lines = []
    for depth, level in enumerate(tree.levels):
        for node in level:
            came = [
                f"{_state_name(tree, tree.levels[depth - 1][branch.parent].state)}: take {_move_name(tree, branch.move)}"
                for branch in node.branches
            ]
            lines.append(
                (
                    depth + 1,
                    players[node.player].name,
                    _state_name(tree, node.state),
                    "; ".join(came),
                    _outcome(tree, node),
                    node.repeated,
                )
            )
    return pd.DataFrame(lines, columns=["level", "turn", "state", "came by", "outcome", "repeated"])


def _is_tree(tree: GameTree) -> bool:
    """Whether every node has one node above it, so that nothing has been merged."""
    return all(len(node.branches) <= 1 for level in tree.levels for node in level)


def _width(places: list[list[float]]) -> float:
    """How many nodes have room side by side."""
    return 1 + max(x for level in places for x in level)


def _places(tree: GameTree) -> list[list[float]]:
    """Where each node stands across, from 0, level by level; neighbours are at least 1 apart."""
    return _tree_places(tree) if _is_tree(tree) else _merged_places(tree)


def _tree_places(tree: GameTree) -> list[list[float]]:
    """Each node above the middle of what follows it, all as close together as they can stand.

    E. M. Reingold and J. S. Tilford, "Tidier drawings of trees" (1981), in short: subtrees are pushed
    together until their outlines touch.
    """
    children: list[list[list[int]]] = [[[] for _ in level] for level in tree.levels]
    for depth, level in enumerate(tree.levels):
        for number, node in enumerate(level):
            for branch in node.branches:
                children[depth - 1][branch.parent].append(number)
    shift: list[list[float]] = [[0.0] * len(level) for level in tree.levels]  # from the node above
    outlines: list[list[tuple[float, float]]] = []  # of the level below: leftmost and rightmost place, level by level
    for depth in reversed(range(len(tree.levels))):
        here = []
        for below in children[depth]:
            outline, places = _pushed_together([outlines[child] for child in below])
            middle = (places[0] + places[-1]) / 2 if places else 0.0
            for child, place in zip(below, places):
                shift[depth + 1][child] = place - middle
            here.append([(0.0, 0.0), *((left - middle, right - middle) for left, right in outline)])
        outlines = here
    places = [[0.0]]
    for depth, level in enumerate(tree.levels[1:], 1):
        places.append([places[-1][node.branches[0].parent] + shift[depth][number] for number, node in enumerate(level)])
    return _from_zero(places)


def _pushed_together(outlines: list) -> tuple[list[tuple[float, float]], list[float]]:
    """The outline of several subtrees side by side, and where the top of each of them stands."""
    whole: list[tuple[float, float]] = []
    places = []
    for outline in outlines:
        place = max((right - left + 1 for (_, right), (left, _) in zip(whole, outline)), default=0.0)
        moved = [(left + place, right + place) for left, right in outline]
        joined = [(first[0], last[1]) for first, last in zip(whole, moved)]
        whole = joined + (whole if len(whole) > len(moved) else moved)[len(joined) :]
        places.append(place)
    return whole, places


def _merged_places(tree: GameTree) -> list[list[float]]:
    """Levels in the middle, in an order in which few branches cross."""
    order = _untangled([[[branch.parent for branch in node.branches] for node in level] for level in tree.levels])
    wide = max(map(len, order))
    gap = [min(1.6, wide / len(level)) for level in order]
    places = [[0.0] * len(level) for level in order]
    for depth, level in enumerate(order):
        for place, number in enumerate(level):
            places[depth][number] = (place - (len(level) - 1) / 2) * gap[depth]
    return _from_zero(places)


def _from_zero(places: list[list[float]]) -> list[list[float]]:
    least = min(x for level in places for x in level)
    return [[x - least for x in level] for level in places]


def _untangled(parents: list[list[list[int]]]) -> list[list[int]]:
    """An order of each level, by sweeps that put a node in the middle of its neighbours above, then below.

    K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical system
    structures" (1981).
    """
    children: list[list[list[int]]] = [[[] for _ in level] for level in parents]
    for depth, level in enumerate(parents):
        for number, above in enumerate(level):
            for parent in above:
                children[depth - 1][parent].append(number)
    order = [list(range(len(level))) for level in parents]
    best, fewest = order, _crossings(order, parents)
    for sweep in range(SWEEPS):
        order = [list(level) for level in order]
        depths = range(1, len(order)) if sweep % 2 == 0 else range(len(order) - 2, -1, -1)
        for depth in depths:
            near, towards = (parents, -1) if sweep % 2 == 0 else (children, 1)
            place = {number: at for at, number in enumerate(order[depth + towards])}
            order[depth].sort(key=lambda number: _mean([place[other] for other in near[depth][number]]))
        if (crossings := _crossings(order, parents)) < fewest:
            best, fewest = order, crossings
    return best


def _mean(numbers: list[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _crossings(order: list[list[int]], parents: list[list[list[int]]]) -> int:
    """How many pairs of branches cross."""
    crossings = 0
    for depth in range(1, len(order)):
        place = {number: at for at, number in enumerate(order[depth - 1])}
        ends = [(place[parent], at) for at, number in enumerate(order[depth]) for parent in parents[depth][number]]
        crossings += sum((a - c) * (b - d) < 0 for (a, b), (c, d) in itertools.combinations(ends, 2))
    return crossings


def _draw_branches(ax: Axes, tree: GameTree, places: list[list[float]]) -> bool:
    """The lines from level to level; whether the moves have been written on all of them."""
    all_named = True
    for depth, level in enumerate(tree.levels[1:], 1):
        named = sum(len(node.branches) for node in level) <= max(MOVES_NAMED, len(level))
        all_named &= named
        for node, x in zip(level, places[depth]):
            together: dict[int, list[Branch]] = {}
            for branch in node.branches:
                together.setdefault(branch.parent, []).append(branch)
            for parent, branches in together.items():
                above = places[depth - 1][parent]
                look = THICK if _is_good(tree, depth, branches[0]) else THIN
                ax.plot([above, x], [depth - 1, depth], zorder=1, gid="branch", **look)
                if named:
                    words = "/".join(_branch_name(tree, branch) for branch in branches)
                    _draw_move(ax, (above + 0.55 * (x - above), depth - 0.45), words)
    return all_named


def _is_good(tree: GameTree, depth: int, branch: Branch) -> bool:
    """Whether a move is worth marking: a best one, unless all lose."""
    return branch.best and (tree.points or tree.levels[depth - 1][branch.parent].value >= 0)


def _draw_move(ax: Axes, place: tuple[float, float], words: str) -> None:
    label = ax.text(*place, words, ha="center", va="center", fontsize=SMALL, color=INK, zorder=2, gid="move")
    label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.8})


def _draw_node(ax: Axes, place: tuple[float, float], label: str, node: Node, player: Player, mark_lost: bool) -> None:
    lost = mark_lost and node.value < 0
    dashed = node.repeated and not node.over
    look = {
        "boxstyle": player.box,
        "facecolor": "#EEEEEE" if node.over else "white" if dashed else player.light,
        "edgecolor": GREY if node.over else player.colour,
        "linestyle": (0, (3, 2)) if dashed else "-",
        "linewidth": 2.4 if lost else 1.2,
    }
    weight = "bold" if lost else "normal"
    text = {"ha": "center", "va": "center", "fontsize": SMALL, "color": "black", "weight": weight}
    ax.text(*place, label, bbox=look, zorder=3, gid="node", **text)


def _players(tree: GameTree) -> dict[int, Player]:
    return POINT_PLAYERS if isinstance(tree.game, GreedyCoins) else PLAYERS


def _label(tree: GameTree, node: Node) -> str:
    return f"{_state_name(tree, node.state)}\n{_outcome(tree, node)}"


def _outcome(tree: GameTree, node: Node) -> str:
    """What a state means for whoever moves there: words, or the margin in games with points."""
    if tree.points:
        return f"{node.value:+g}".replace("-", "−") if node.value else "0"
    return "wins" if node.value > 0 else "loses" if node.value < 0 else "ties"


def _state_name(tree: GameTree, state: Any) -> str:
    """What is left: counts, or the coins themselves."""
    if isinstance(tree.game, GreedyCoins):
        return " ".join(map(str, tree.game.coins_left(state))) or "none"
    words = ",".join(map(str, state)) if isinstance(state, tuple) else str(state)
    return words or "none"


def _move_name(tree: GameTree, move: Any) -> str:
    """A short name: the count on one row, "row:count" on several."""
    if not isinstance(move, Move):
        return str(move)
    return f"{move.count}" if len(tree.game.rows) == 1 else f"{move.row}:{move.count}"


def _move_label(tree: GameTree) -> str:
    """What a move's short name means."""
    if not isinstance(tree.game, CoinGame):
        return "the move"
    return "how many are taken" if len(tree.game.rows) == 1 else "row:coins taken"


def _branch_name(tree: GameTree, branch: Branch) -> str:
    """The move, and the points that it earns in games with points."""
    name = _move_name(tree, branch.move)
    return f"{name} +{branch.points:g}" if tree.points else name


def _level_name(tree: GameTree, level: Sequence[Node]) -> str:
    if all(node.over for node in level):
        return "the end"
    return f"{_players(tree)[level[0].player].name}\nmoves"


def _caption(ax: Axes, tree: GameTree, folded: bool, named: bool) -> None:
    notes = []
    if isinstance(tree.game, CoinGame):
        notes.append(f"{tree.game.ending}: who takes the last coin {'loses' if tree.game.misere else 'wins'}")
    if tree.points:
        notes.append("in a box: what is left, and by how much whoever moves then beats the other")
        notes.append("on a line: the move and its points; thick: a best move")
    else:
        notes.append("in a box: what is left, and whether whoever moves there wins")
        notes.append(f"on a line: {_move_label(tree)}; thick: it wins")
    if not named:
        notes.append("where lines are many the boxes at their ends tell the move")
    if any(node.repeated and not node.over for level in tree.levels for node in level):
        notes.append("dashed: stands above or further left already" + (", and goes on there" if folded else ""))
    notes.append("grey: the game is over")
    across = ax.get_position().width * ax.figure.get_figwidth()
    ax.set_title(textwrap.fill("; ".join(notes), max(30, int(13 * across))), fontsize=SMALL, loc="left")
