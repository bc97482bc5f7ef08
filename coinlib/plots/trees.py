"""Pictures of the trees that `coinlib.trees.game_tree` returns."""

from __future__ import annotations

from itertools import zip_longest
from statistics import fmean
from typing import Any

from coinlib import lazy
from coinlib.games import has_rows, one_row
from coinlib.plots import look
from coinlib.plots.look import ALICE_AND_BOB, GREY, INK, PLAYERS
from coinlib.words import ending_words, move_words, row_word

NODES_ACROSS = 26  # A wider tree is folded.
FOLDED_ACROSS = 40  # If it is still wider than this, it is refused.
MOVES_NAMED = 10  # If equal states are merged and more moves than this lead to a level, they get no labels.
SWEEPS = 6  # down and up
THICK = {"linewidth": 2.4, "color": INK}
THIN = {"linewidth": 0.9, "color": GREY}

Links = list[list[list[int]]]  # the neighbours of each node on another level
Places = list[list[float]]  # the x-coordinate of each node, level by level


def tree(tree, ax: lazy.Axes | None = None) -> lazy.Axes:
    """Draw a game tree, level by level: whose turn it is, what is left, and who wins.

    A tree that is too wide to read is folded: the nodes below a repeated state are left out.

    Parameters
    ----------
    tree : Tree
        From `coinlib.trees.game_tree`; it may be `merged` or `folded`.
    ax : Axes or None
        Where to draw; None for a new figure.

    Returns
    -------
    Axes
        Player 1 moves in round boxes, player 2 in square ones. Each box shows the state and whether the
        player to move wins; in games with points, by how many points it beats the other from then on;
        in greedy coins, the points that Alice still gets. The moves are on the branches; the best ones
        are thick. A dashed box is a state that is also higher up, or further to the left.

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
    width = _width(places)
    height = len(drawn.levels)
    if width > FOLDED_ACROSS:
        most = f"at most {FOLDED_ACROSS}; draw a smaller game"
        raise ValueError(f"a tree {width:.0f} nodes wide cannot be read ({most})")
    nodes = [node for level in drawn.levels for node in level]
    words = [_state_name(drawn, node.state) for node in nodes] + [_outcome(drawn, node) for node in nodes]
    step = max(0.48, 0.2 + 0.075 * max(map(len, words)))  # inches from node to node
    ax = look.axes(ax, max(5.5, 1.0 + step * width), 0.8 + 0.86 * height)
    ax.set(xlim=(-0.7, width - 0.3), ylim=(height - 0.6, -0.4), xticks=[])
    ax.spines[:].set_visible(False)
    named = [_moves_are_named(level) for level in drawn.levels]
    for depth in range(1, height):
        _draw_branches(ax, drawn, places, depth, named[depth])
    for depth, level in enumerate(drawn.levels):
        for node, x in zip(level, places[depth]):
            _draw_node(ax, (x, depth), drawn, node)
    ax.set_yticks(range(height), [_level_label(drawn, depth) for depth in range(height)])
    ax.tick_params(length=0)
    look.caption(ax, _notes(drawn, all(named), folded=drawn is not tree))
    return ax


# --- the places of the nodes ----------------------------------------------------------------------------


def _is_tree(tree) -> bool:
    """Whether no node has more than one parent, so that nothing is merged."""
    return all(len(node.branches) <= 1 for level in tree.levels for node in level)


def _width(places: Places) -> float:
    """How many nodes fit next to each other."""
    return 1 + max(x for level in places for x in level)


def _places(tree) -> Places:
    """The x-coordinate of each node, level by level; the leftmost is at 0, and neighbours are at least 1 apart."""
    parents = [[[branch.parent for branch in node.branches] for node in level] for level in tree.levels]
    children = [[[] for _ in level] for level in parents]
    for depth in range(1, len(parents)):
        for number, above in enumerate(parents[depth]):
            for parent in above:
                children[depth - 1][parent].append(number)
    places = _tree_places(children) if _is_tree(tree) else _merged_places(parents, children)
    least = min(x for level in places for x in level)
    return [[x - least for x in level] for level in places]


def _tree_places(children: Links) -> Places:
    """Place each node above the middle of its children, all as close together as possible.

    Subtrees are pushed together until their outlines touch, which is the idea of E. M. Reingold and
    J. S. Tilford, "Tidier drawings of trees" (1981).
    """
    subtrees: list[Places] = []  # of the nodes one level below; each node is at 0 in its own subtree
    for level in reversed(children):
        subtrees = [_joined([subtrees[child] for child in below]) for below in level]
    return subtrees[0]


def _joined(subtrees: list[Places]) -> Places:
    """The subtree of a node at 0, centred above these subtrees, which are placed next to each other."""
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
    """A subtree moved to the right by this distance."""
    return [[x + right for x in places] for places in subtree]


def _merged_places(parents: Links, children: Links) -> Places:
    """Centre each level, and order its nodes so that few branches cross.

    The order is found by sweeps that put each node in the middle of its neighbours above, then below.
    K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical system
    structures" (1981).
    """
    order = [list(range(len(level))) for level in parents]  # the nodes of each level from left to right
    for _ in range(SWEEPS):
        for depth in range(1, len(order)):
            _sort_by_neighbours(order[depth], order[depth - 1], parents[depth])
        for depth in reversed(range(len(order) - 1)):
            _sort_by_neighbours(order[depth], order[depth + 1], children[depth])
    width = max(map(len, order))
    places = []
    for level in order:
        apart = min(1.6, width / len(level))
        middle = (len(level) - 1) / 2
        across = [0.0] * len(level)
        for place, number in enumerate(level):
            across[number] = (place - middle) * apart
        places.append(across)
    return places


def _sort_by_neighbours(level: list[int], other_level: list[int], neighbours: list[list[int]]) -> None:
    """Sort the nodes of a level by the mean position of their neighbours on another level."""
    place = {number: at for at, number in enumerate(other_level)}

    def middle(number: int) -> float:
        return fmean([place[other] for other in neighbours[number]] or [0])

    level.sort(key=middle)


# --- drawing --------------------------------------------------------------------------------------------


def _moves_are_named(level) -> bool:
    """Whether the moves that lead to a level get labels: always in a tree, otherwise if there are few."""
    branches = sum(len(node.branches) for node in level)
    return branches <= max(MOVES_NAMED, len(level))


def _draw_branches(ax: lazy.Axes, tree, places: Places, depth: int, named: bool) -> None:
    """Draw the lines to the level at this depth, with the moves if they are `named`."""
    for node, x in zip(tree.levels[depth], places[depth]):
        branches_from: dict[int, list] = {}
        for branch in node.branches:
            branches_from.setdefault(branch.parent, []).append(branch)
        for parent, branches in branches_from.items():
            above = places[depth - 1][parent]
            not_lost = tree.points or tree.levels[depth - 1][parent].value >= 0
            # If every move loses, all of them are best, and none is marked.
            line = THICK if branches[0].best and not_lost else THIN
            ax.plot([above, x], [depth - 1, depth], zorder=1, gid="branch", **line)
            if named:
                words = "/".join(_branch_label(tree, branch) for branch in branches)
                place = (above + 0.55 * (x - above), depth - 0.45)
                look.write(ax, place, words, rim=0.8, color=INK, zorder=2, gid="move")


def _branch_label(tree, branch) -> str:
    """A move; in games with points, also what it earns: "2 +3"; in greedy coins, the end and its coin: "R 3"."""
    words = move_words(tree.game, branch.move)
    if _is_greedy_coins(tree):
        return f"{words} {branch.points}"
    return f"{words} {look.signed(branch.points)}" if tree.points else words


def _draw_node(ax: lazy.Axes, place: tuple[float, float], tree, node) -> None:
    """Draw a box with the state and its outcome: bold if the player to move loses, dashed if repeated."""
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
    """The style of the player to move; in greedy coins, the same as in the triangle."""
    looks = ALICE_AND_BOB if _is_greedy_coins(tree) else PLAYERS
    return looks[node.player]


def _level_label(tree, depth: int) -> str:
    """The number of a level, from 1 at the top, and who moves there."""
    level = tree.levels[depth]
    if all(node.over for node in level):
        return f"level {depth + 1}\nthe end"
    return f"level {depth + 1}\n{_player(tree, level[0]).name} moves"


def _outcome(tree, node) -> str:
    """What a state means for the player to move: a word, or the margin in games with points.

    In greedy coins: the points that Alice still gets, as in the triangle.
    """
    if _is_greedy_coins(tree):
        return str(_alices_points(tree, node))
    if tree.points:
        return look.signed(node.value)
    return node.outcome


def _is_greedy_coins(tree) -> bool:
    """Whether the game is a row of coins with values, and its players are Alice and Bob."""
    return hasattr(tree.game, "coins_left")


def _alices_points(tree, node) -> int:
    """What Alice, player 1, still gets of the coins that are left: half of their total and her margin."""
    total = sum(tree.game.coins_left(node.state))
    alices_margin = node.value if node.player == 1 else -node.value
    return (total + alices_margin) // 2


def _state_name(tree, state: Any) -> str:
    """What is left: the counts or, in greedy coins, the coins themselves."""
    if _is_greedy_coins(tree):
        state = tree.game.coins_left(state)
        return " ".join(map(str, state)) or "none"
    return look.state_name(state) or "none"


def _notes(tree, named: bool, folded: bool) -> list[str]:
    """The legend of the picture."""
    notes = []
    thing = "stick" if one_row(tree.game) else "coin"
    ending = ending_words(tree.game, thing)
    if ending:
        notes.append(ending)
    if _is_greedy_coins(tree):
        notes.append("in a box: what is left, and the points that Alice still gets")
        notes.append("on a line: the end and its coin; thick: a best move")
    elif tree.points:
        notes.append("in a box: what is left, and the margin of the player to move")
        notes.append("on a line: the move and its points; thick: a best move")
    else:
        notes.append("in a box: what is left, and whether the player to move wins or loses")
        notes.append(f"on a line: {_move_legend(tree.game)}; thick: it wins")
    if not named:
        notes.append("no label where lines are many")
    if any(node.repeated and not node.over for level in tree.levels for node in level):
        goes_on = ", and goes on there" if folded else ""
        notes.append(f"dashed: drawn before{goes_on}")
    if any(node.over for node in tree.levels[-1]):
        notes.append("grey: the end")
    return notes


def _move_legend(game) -> str:
    """What the short name of a move means."""
    if one_row(game):
        return "how many are taken"
    return f"{row_word(game)}:coins taken" if has_rows(game) else "the move"
