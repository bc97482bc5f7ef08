"""Greedy coins as a triangle: look at best play, play, or fill it in by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from coinlib import GreedyCoins, named, solve_greedy
from coinlib.arguments import one_of
from coinlib.runs import player_to_move, run_in_words, runs_of

from ..base.buttons import Button, ButtonRow
from ..base.controls import menu, seed, text, tick
from ..base.lab import Lab, acts
from ..base.match_on_screen import COMPUTER, YOU, MatchOnScreen
from ..base.pages import styles
from .coin_rows import LEAST, MOST, read_row, row_in_words
from .triangle_cells import ENDS, TABLES, ends_in_words, explain, heading
from .triangle_state import PLAYERS, Triangle, tell

COINS = f"{LEAST} to {MOST} coins from left to right, with spaces between them."
TASKS = [("look at best play", "look"), ("play on it", "play"), ("fill it in by hand", "fill")]
SHOWS = [("A: what Alice still gets", "alice"), ("S: the margin of the player to move", "margin")]
SIDES = [("Alice, who moves first", "alice"), ("Bob", "bob")]
OPPONENTS = [(named.AGENTS[name].words, name) for name in ("perfect", "random")]
# controls that only one task needs
TASK_OF = {"side": "play", "opponent": "play", "reveal": "play", "arrows": "fill"}
TASK_WORDS = {  # the text before and after the buttons of each task
    "look": (
        "Look",
        "Best play, move by move. To try another move, choose a coin at an end (on a keyboard: L or R).",
    ),
    "play": ("Play", "Choose a coin at an end (on a keyboard: L or R)."),
    "fill": ("Fill in", "On a keyboard, ? asks for a hint, and arrow keys go from cell to cell."),
}
HELPERS = {  # what the template calls
    "ENDS": ENDS,
    "TABLES": TABLES,
    "ends_in_words": ends_in_words,
    "explain": explain,
    "heading": heading,
    "player_to_move": player_to_move,
    "run_in_words": run_in_words,
    "runs_of": runs_of,
    "tell": tell,
}


class TriangleLab(Lab):
    """One row of greedy coins and the triangle of its subgames: look, play, or fill it in by hand.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "task", "coins", "show", "side", "opponent", "reveal", "arrows",
        "seed". Those that only one task needs are shown in that task only.
    moves : str
        Moves made before the first picture, such as "RL".
    filled : iterable of (table, i, j, answer)
        Answers given before the first picture; table is "alice", "margin" or "moves".
    **settings
        Values for controls; the others keep their defaults. `coins` may be numbers or text.

    Examples
    --------
    >>> lab = TriangleLab(coins=(1, 2, 4, 3), task="fill")
    >>> lab.fill(2, 2, "4")
    >>> lab.data.notice
    '✗ Coin 4, Bob moves: 4 is wrong. Bob takes this coin, so Alice does not get it.'
    >>> lab = TriangleLab(task="play", side="bob", moves="R")
    >>> lab.take("L")
    >>> lab.data.costs[:2]
    [0, 4]
    """

    title = "The triangle of greedy coins"
    goal = "Alice and Bob take turns. Each takes one coin from an end."
    template = "triangle.html"
    once = True
    style = styles("triangle.css")
    task = menu("Task", "What you do with the triangle.", TASKS, "look")
    coins = text("Coins", COINS, "1 2 4 3", "a row of coins such as 1 2 4 3", row_in_words)
    show = menu(
        "In the cells", "A counts Alice's points; S is the margin of the player to move.", SHOWS, "alice", keeps=True
    )
    side = menu("You are", "Alice makes the first move.", SIDES, "alice")
    opponent = menu("The computer", "Perfect play makes no mistakes; random play makes some.", OPPONENTS)
    reveal = tick(
        "Show the table",
        "Without a tick you see the coins alone, and no mistake is named.",
        True,
        keeps=True,
    )
    reveal.tag(look=True)
    arrows = tick("Arrows too", "Fill in the best moves as well: L, R, or LR where both are best.", keeps=True)
    seed = seed()
    PAST: ClassVar = {"coins": (1, 2, 4, 3), "moves": "", "filled": ()}  # `coins` is the row on the screen
    BELOW = ("side", "opponent", "reveal", "arrows", "seed")
    at_once = 1
    pause = 0.9  # slow enough to watch

    @staticmethod
    def compute(
        coins: str | Sequence[int], task: str, side: str, opponent: str, seed: int, moves: str, filled: Iterable, **look
    ) -> Triangle:
        """The tables of the row, with the moves made and the answers filled in."""
        if task != "play":
            names = PLAYERS
        elif side == "alice":
            names = (YOU, COMPUTER)
        else:
            names = (COMPUTER, YOU)
        match = MatchOnScreen(GreedyCoins(read_row(coins)), names=names)
        for move in moves:
            match.make(move)
        if match.forfeit:
            raise ValueError(f"moves: {match.forfeit.words}")
        match.reply(opponent, seed)
        data = Triangle(solve_greedy(match.game.coins), match)
        for entry in filled:
            data.answer(*entry)
        return data

    @classmethod
    def draw(cls, data: Triangle, **settings) -> str:
        """What happened, the triangle over its coins, and the same content as a table."""
        return super().draw(data, **HELPERS, **settings)

    @staticmethod
    def code(coins: str | Sequence[int], moves: str = "", **settings) -> str:
        """The lines of code that make the same data."""
        start = f"""\
coins = {read_row(coins)!r}
greedy = solve_greedy(coins)
data = {{"alice": greedy.alice, "margin": greedy.margin, "moves": greedy.moves}}    # A, S and M
"""
        if not moves:
            return f"{start}greedy.line()    # best play from the start\n"
        return f"""{start}
game = GreedyCoins(coins)
state = game.start    # the coins that are left are coins[left:right]
points, costs = [0, 0], []
for number, move in enumerate("{moves}"):    # Alice's and Bob's moves in turn
    left, right = state
    points[number % 2] += game.reward(state, move)
    costs.append(greedy.cost(move, left, right - 1))    # of the margin
    state = game.play(state, move)
data |= {{"left": game.coins_left(state), "points": points, "costs": costs}}
points, costs
"""

    # --- what can be done

    @acts
    def take(self, end: str) -> None:
        """Take the coin at the left ("L") or the right end ("R"); in a game the computer answers."""
        self.data.match.make(one_of(end, "end", tuple(ENDS)))
        self.data.match.reply(self.opponent, self.seed)

    @acts
    def let_choose(self) -> None:
        """Tease: let the computer choose your move. With the table shown, only where both ends are equally good."""
        if not self._may_let_choose():
            raise ValueError("Only where both ends are equally good for you.")
        end = self.data.match.choose("random", self.seed)
        self.take(end)
        harmless = ": it could not hurt you" if self.reveal else ""
        self.data.notice = f"The computer chose the {ENDS[end]} end for you{harmless}."

    def _may_let_choose(self) -> bool:
        """Whether the computer may choose your move; without the table, the answer does not reveal which moves are best."""
        if self.reveal:
            return self.data.tease
        return self.data.match.yours and self.data.left > 1

    @acts
    def undo(self) -> None:
        """Take back your last move, and the computer's answer to it."""
        self.update(moves="".join(self.data.match.taken_back()))

    def start_again(self) -> None:
        """Stop, and go back to the whole row or, if the table is being filled in, to an empty table."""
        if self.task == "fill":
            self.update(moves="", filled=())
        else:
            self.update(moves="")

    def is_untouched(self) -> bool:
        """Whether the whole row is on the table."""
        return not self.data.match.moves

    def new_game(self) -> None:
        """Begin again with the next seed."""
        self.seed = (self.seed + 1) % 10_000

    def shuffle(self) -> None:
        """Put the coins in another order, drawn with the next seed."""
        self.new_game()
        order = np.random.default_rng(self.seed).permutation(sorted(self.data.coins))
        self.update(coins=order.tolist(), moves="", filled=())

    @acts
    def fill(self, i: int, j: int, typed: str) -> None:
        """Fill an answer into the cell of coins i...j: a number, the moves L, R or LR (both), or number and moves."""
        self.data.fill(self.show, self.arrows, (i, j), typed)

    @acts
    def hint(self) -> None:
        """Name the two candidates for the cell that was visited last, or for the next one."""
        if asked := self.data.asked(self.show, self.arrows):
            self.data.hint(self.show, asked)

    # --- the page

    def clicked(self, to: str) -> None:
        """Take a coin at an end of the row."""
        if to in ENDS:
            self.take(to)

    def typed(self, to: str, words: str) -> None:
        """Fill in an answer."""
        self.fill(*map(int, to.split(",")), words)

    def looked_at(self, to: str) -> None:
        """Note which field has the focus."""
        self.data.at = tuple(map(int, to.split(",")))

    def moved(self, name: str) -> dict[str, Any]:
        """A valid row replaces the old one; other controls restart the game, but keep the answers filled in."""
        if self.CONTROLS[name].keeps:
            return {}
        if name != "coins":
            return {"moves": ""}
        try:
            return {"coins": read_row(self.coins), "moves": "", "filled": ()}
        except ValueError as error:
            self.data.notice = f"{error}. The old row stays."
            return {}

    def now(self) -> dict[str, dict[str, Any]]:
        """Show only the controls for the current task."""
        return {name: {"hidden": True} for name, task in TASK_OF.items() if task != self.task}

    def rows(self) -> dict[str, ButtonRow]:
        """The buttons for the current task."""
        if self.task == "look":
            buttons = self.run_buttons()
        elif self.task == "play":
            buttons = self._play_buttons()
        else:
            complete = not self.data.asked(self.show, self.arrows)
            hint = Button("Hint", "Name the two candidates for the cell you were in", self.hint, complete, key="?")
            buttons = [hint, Button("Empty table", "Begin again", self.start_again, not self.data.filled)]
        if "coins" in self.shown:
            buttons.append(Button("Shuffle", "The same coins in another order", self.shuffle))
        name, explanation = TASK_WORDS[self.task]
        return {self.task: ButtonRow(buttons, name, explanation)}

    def _play_buttons(self) -> list[Button]:
        chooses = "For a move where both ends are equally good"
        return [
            self._take_button("L"),
            self._take_button("R"),
            Button("Let the computer choose", chooses, self.let_choose, disabled=not self._may_let_choose()),
            Button("Undo", "Take your last move back", self.undo, self.data.match.before_yours is None),
            Button("New game", "Begin again with the next seed", self.new_game),
        ]

    def _take_button(self, end: str) -> Button:
        """The button that takes the coin at one end, with the coin on it."""
        words = f"Take {ENDS[end]}"
        run = self.data.run
        if run:
            place = run[0] if end == "L" else run[1]
            words = f"{words} ({self.data.coins[place]})"
        explanation = f"Or press {end} on the picture"
        return Button(words, explanation, partial(self.take, end), disabled=run is None, once=True)

    # --- without a kernel

    def events(self, first: TriangleLab) -> Iterator[str]:
        """Every game against the computer; or the cells in order, with correct and with typical wrong answers."""
        if self.task == "fill":
            for i, j in self.data.asked(self.show, self.arrows)[:1]:
                for words in self.data.tried(self.show, self.arrows, (i, j)):
                    yield f"type {i},{j} {words}"
        elif self.data.run:
            for end in ENDS:
                yield f"to {end}"
        for event in super().events(first):
            if event not in ("press New game", "press Shuffle"):
                yield event
