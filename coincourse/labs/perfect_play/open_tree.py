"""A game tree that opens click by click, state by state, without a kernel (lesson 08)."""

from __future__ import annotations

from markupsafe import Markup, escape

from coinlib.plots.look import state_name
from coinlib.trees import Node, Tree, game_tree
from coinlib.words import move_words

STYLE = "margin-left: 1.6em"
MOVES = {1: "player 1 moves", 2: "player 2 moves"}


class OpenTree:
    """The tree of a small game, folded: a click on a state opens the states one move later.

    The winner is shown inside a state, so that a reader can guess before clicking. It is plain HTML with
    `<details>`, which works in JupyterLab, on a page without a kernel, and with the keyboard.

    Parameters
    ----------
    game : Game
        Any small game without points.

    Examples
    --------
    >>> from coinlib import sticks
    >>> OpenTree(sticks(2))
    level 1: 2, player 1 moves: wins
      take 1, level 2: 1, player 2 moves: loses
        take 1, level 3: 0, the end: wins
      take 2, level 2: 0, the end: wins
    """

    def __init__(self, game) -> None:
        self.tree: Tree = game_tree(game)
        if self.tree.points:
            raise ValueError("game: expected one without points; `plots.tree` draws the tree of any game")

    def __repr__(self) -> str:
        return "\n".join(self._lines(0, self.tree.levels[0][0], 0))

    def _repr_html_(self) -> str:
        return f"<div>{self._opened(0, self.tree.levels[0][0], 0)}</div>"

    def _below(self, depth: int, place: int) -> list[tuple[int, Node]]:
        """The nodes below a node, each with its position on its level."""
        if depth + 1 == len(self.tree.levels):
            return []
        level = enumerate(self.tree.levels[depth + 1])
        return [(number, node) for number, node in level if node.branches[0].parent == place]

    def _headline(self, depth: int, node: Node) -> str:
        """The text of a state before it is opened."""
        came_by = f"take {move_words(self.tree.game, node.move)}, " if depth else ""
        state = state_name(node.state)
        turn = "the end" if node.over else MOVES[node.player]
        return f"{came_by}level {depth + 1}: {state}, {turn}"

    def _lines(self, depth: int, node: Node, place: int) -> list[str]:
        """A state and everything below it, as text."""
        lines = [f"{'  ' * depth}{self._headline(depth, node)}: {node.outcome}"]
        for number, child in self._below(depth, place):
            lines += self._lines(depth + 1, child, number)
        return lines

    def _opened(self, depth: int, node: Node, place: int) -> Markup:
        """A state that can be opened, with the states one move later inside."""
        headline = escape(self._headline(depth, node))
        if node.over:
            return Markup("<p style='{}'>{}. The player to move {}.</p>").format(STYLE, headline, node.outcome)
        below = self._below(depth, place)
        inside = Markup("").join(self._opened(depth + 1, child, number) for number, child in below)
        verdict = f"Player {node.player} {node.outcome}: {self._reason(node, below)}"
        return Markup("<details style='{}'><summary>{}</summary><p><strong>{}</strong></p>{}</details>").format(
            STYLE, headline, verdict, inside
        )

    def _reason(self, node: Node, below: list[tuple[int, Node]]) -> str:
        """Why the player to move wins or loses here."""
        winning = [f"take {move_words(self.tree.game, child.move)}" for _, child in below if child.value < 0]
        if winning:
            return f"{' or '.join(winning)} leaves the other side a state that loses."
        return "each move leaves the other side a state that wins."
