"""Pictures of game trees: all that can happen, level by level.

What is drawn is described by `GameTree`; `coinlib.solvers.game_tree` makes it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from coinlib.games import CoinGame, GreedyCoins, Move
from coinlib.plots.look import BLUE, GREEN, GREY, INK, SMALL, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

NODES_ACROSS = 30  # a wider tree is folded
FOLDED_ACROSS = 45  # and one that is still wider than this is refused
MOVES_NAMED = 70  # of more branches than this the moves are not written


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
POINT_PLAYERS = {1: PLAYERS[1]._replace(name="Alice"), 2: PLAYERS[2]._replace(name="Bob")}


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
    """A game level by level, as `coinlib.solvers.game_tree` returns it."""

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
        From `coinlib.solvers.game_tree`, as it is, or `merged` or `folded`.
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
    ValueError
        If there are more nodes side by side than can be read, even when it is folded.

    See Also
    --------
    tree_table : the same as words.

    Examples
    --------
    >>> from coinlib import sticks
    >>> from coinlib.solvers import game_tree
    >>> ax = tree(game_tree(sticks(2)))
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "node"]
    ['2\\nwins', '1\\nloses', '0\\nwins', '0\\nwins']
    """
    drawn, wide = tree, _width(tree)
    is_tree = all(len(node.branches) <= 1 for level in tree.levels for node in level)
    if wide > NODES_ACROSS and is_tree:
        drawn = tree.folded()
        wide = _width(drawn)
    if wide > FOLDED_ACROSS:
        raise ValueError(
            f"a tree {wide:,} nodes wide cannot be read (at most {FOLDED_ACROSS}); see tree_table, or draw a smaller game"
        )
    labels = [[_label(drawn, node) for node in level] for level in drawn.levels]
    places = _places(drawn)
    longest = max(len(line) for level in labels for label in level for line in label.split("\n"))
    step = max(0.56, 0.26 + 0.078 * longest)
    ax = axes(ax, max(5.0, 1.2 + step * wide), 0.9 + 0.95 * len(drawn.levels))
    ax.set(xlim=(-1.5, wide - 0.3), ylim=(len(drawn.levels) - 0.45, -0.5), xticks=[])
    ax.spines[:].set_visible(False)
    _draw_branches(ax, drawn, places)
    players = _players(drawn)
    for depth, level in enumerate(drawn.levels):
        for node, x, label in zip(level, places[depth], labels[depth]):
            _draw_node(ax, (x, depth), label, node, players[node.player])
    ax.set_yticks(range(len(drawn.levels)), [_level_name(drawn, level) for level in drawn.levels])
    ax.tick_params(length=0)
    _caption(ax, drawn, drawn is not tree)
    return ax


def tree_table(tree: GameTree) -> DataFrame:
    """A game tree as words: a line for each node, level by level.

    Parameters
    ----------
    tree : Tree
        From `coinlib.solvers.game_tree`, as it is, or `merged` or `folded`.

    Returns
    -------
    DataFrame
        Columns level (from 1), turn, state, came by (the state before, and the move), outcome (for
        whoever moves there), and repeated, whether the state stands earlier already.

    Examples
    --------
    >>> from coinlib import sticks
    >>> from coinlib.solvers import game_tree
    >>> print(tree_table(game_tree(sticks(2))).to_string(index=False))
     level     turn state came by outcome  repeated
         1 player 1     2            wins     False
         2 player 2     1  2: take 1   loses     False
         2 player 2     0  2: take 2    wins     False
         3 player 1     0  1: take 1    wins      True
    """
    import pandas as pd

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


def _width(tree: GameTree) -> int:
    """How many nodes must stand side by side: the leaves of a tree, the longest level of a merged one."""
    if all(len(node.branches) <= 1 for level in tree.levels for node in level):
        return sum(not children for level in _children(tree) for children in level)
    return max(map(len, tree.levels))


def _children(tree: GameTree) -> list[list[list[int]]]:
    """For each node, which nodes of the next level it leads to."""
    found: list[list[list[int]]] = [[[] for _ in level] for level in tree.levels]
    for depth, level in enumerate(tree.levels):
        for number, node in enumerate(level):
            for branch in node.branches:
                found[depth - 1][branch.parent].append(number)
    return found


def _places(tree: GameTree) -> list[list[float]]:
    """Where each node stands across, level by level."""
    if any(len(node.branches) > 1 for level in tree.levels for node in level):
        wide = max(map(len, tree.levels))
        return [[(number + 0.5) * wide / len(level) - 0.5 for number in range(len(level))] for level in tree.levels]
    children = _children(tree)
    places: list[list[float]] = [[0.0] * len(level) for level in tree.levels]
    free = 0

    def settle(depth: int, number: int) -> float:
        nonlocal free
        below = [settle(depth + 1, child) for child in children[depth][number]]
        if not below:
            below, free = [free], free + 1
        places[depth][number] = (below[0] + below[-1]) / 2
        return places[depth][number]

    settle(0, 0)
    return places


def _draw_branches(ax: Axes, tree: GameTree, places: list[list[float]]) -> None:
    named = sum(len(node.branches) for level in tree.levels for node in level) <= MOVES_NAMED
    for depth, level in enumerate(tree.levels):
        for node, x in zip(level, places[depth]):
            together: dict[int, list[Branch]] = {}
            for branch in node.branches:
                together.setdefault(branch.parent, []).append(branch)
            for parent, branches in together.items():
                above = places[depth - 1][parent]
                best = any(branch.best for branch in branches)
                look = {"linewidth": 2.4, "color": INK} if best else {"linewidth": 0.9, "color": GREY}
                ax.plot([above, x], [depth - 1, depth], zorder=1, gid="branch", **look)
                if named:
                    words = "/".join(_move_name(tree, branch.move) for branch in branches)
                    _draw_move(ax, (above + 0.55 * (x - above), depth - 0.45), words)


def _draw_move(ax: Axes, place: tuple[float, float], words: str) -> None:
    label = ax.text(*place, words, ha="center", va="center", fontsize=SMALL, color=INK, zorder=2, gid="move")
    label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.8})


def _draw_node(ax: Axes, place: tuple[float, float], label: str, node: Node, player: Player) -> None:
    look = {
        "boxstyle": player.box,
        "facecolor": "white" if node.repeated else player.light,
        "edgecolor": player.colour,
        "linestyle": (0, (3, 2)) if node.repeated else "-",
        "linewidth": 1.4,
    }
    ax.text(*place, label, ha="center", va="center", fontsize=SMALL, color="black", bbox=look, zorder=3, gid="node")


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
        return " ".join(map(str, tree.game.coins_left(state))) or "–"
    words = ",".join(map(str, state)) if isinstance(state, tuple) else str(state)
    return words or "–"


def _move_name(tree: GameTree, move: Any) -> str:
    """A short name: the count on one row, "row:count" on several."""
    if not isinstance(move, Move):
        return str(move)
    return f"{move.count}" if len(tree.game.rows) == 1 else f"{move.row}:{move.count}"


def _level_name(tree: GameTree, level: Sequence[Node]) -> str:
    if all(node.over for node in level):
        return "the end"
    return f"{_players(tree)[level[0].player].name}\nmoves"


def _caption(ax: Axes, tree: GameTree, folded: bool) -> None:
    notes = []
    if isinstance(tree.game, CoinGame):
        notes.append(f"{tree.game.ending}: who takes the last coin {'loses' if tree.game.misere else 'wins'}")
    notes.append(
        "in the boxes: what is left, and by how much whoever moves beats the other"
        if tree.points
        else "wins, loses: whoever moves there"
    )
    notes.append("thick: best moves")
    if any(node.repeated for level in tree.levels for node in level):
        notes.append("dashed: stands earlier already" + (", what follows is drawn there only" if folded else ""))
    across = ax.get_position().width * ax.figure.get_figwidth()
    ax.set_title(textwrap.fill("; ".join(notes), max(30, int(13 * across))), fontsize=SMALL, loc="left")
