"""Hats full of balls that one can watch, play against, train, and meddle with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import cycle
from typing import ClassVar

from coinlib.arguments import counted

from ..base.buttons import Button, ButtonRow
from ..base.controls import field, menu, number, seed, tick
from ..base.lab import Lab, acts
from ..base.pages import styles
from ..base.sticks import ending, game_code, make_game
from . import hats_drawn  # noqa: F401 - the page draws with it
from .hats_state import AGAINST_YOU, PARTNERS, SEATS, HatsState, opener

AT_A_PRESS = (1, 10, 100, 1_000)  # There is a button for each of these numbers of games.
MOVES_FIRST = [("the other side", "other"), ("the computer", "computer"), ("they take turns", "alternate")]


class HatsLab(Lab):
    """Hats full of balls on one row of sticks: play against them, train them, reach into them.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "look", "reveal", "partner", "first", "sticks", "max_take", "ending",
        "seed", and the groups of buttons "play", "train" and "meddle".
    history : iterable of tuple
        What has happened, as `settings` gives it: ``("train", games, partner, first)``,
        ``("play", first, your moves)``, ``("put", hat, ball, balls)``, and at the end a game on
        the table, ``("open", partner, first, moves)``.
    **settings
        A value for each control that should not have its default.

    Examples
    --------
    >>> lab = HatsLab(history=[("train", 100, "itself", "other"), ("put", 4, 3, 50)])
    >>> lab.data.hats.contents(4).count(3)
    50
    >>> type(lab)(**lab.settings).data.hats.balls.tolist() == lab.data.hats.balls.tolist()
    True
    """

    template = "hats.html"
    style = styles("hats.css")
    look = tick("Look inside", "Shows the balls in every hat, as a picture and as a table.", True, keeps=True)
    reveal = tick("Reveal", "Marks the right balls with ★: those that win against perfect play.", keeps=True)
    partner = menu(
        "Practises with",
        "Who sits on the other side while it practises.",
        [(partner.words, name) for name, partner in PARTNERS.items()],
        keeps=True,
    )
    first = menu(
        "Moves first",
        "Who makes the first move: the computer, or the other side (you, when you play). "
        "In practice with itself both sides draw from the same hats, so there it makes no difference.",
        MOVES_FIRST,
        keeps=True,
    )
    sticks = number("Sticks", "How many sticks lie there at the start; new hats.", 1, 30, 10)
    max_take = number("Take at most", "The most sticks that one move may take; new hats.", 1, 5, 3)
    ending = ending()
    seed = seed()
    PAST: ClassVar = {"history": ()}
    LOOKS: ClassVar = ("look", "reveal")
    MOMENTARY = ("notice", "story", "seen", "fresh")
    GROUPS = ("play", "train", "meddle")
    BELOW = ("meddle", "look", "reveal", "partner", "first", "sticks", "max_take", "ending", "seed")
    step_name = "One move"
    at_once = 10_000  # so that one can watch

    @staticmethod
    def compute(
        sticks: int, max_take: int, ending: str, seed: int, history: Iterable[tuple] = (), **settings
    ) -> HatsState:
        """New hats, and all that a history tells done to them."""
        return HatsState(make_game(sticks, max_take, ending), seed, history)

    @staticmethod
    def code(sticks: int, max_take: int, ending: str, seed: int, history: Sequence = (), **settings) -> str:
        """The lines of coinlib that do the same to the same hats."""
        names = {"itself", *(entry[2] for entry in history if entry[0] == "train")}
        partners = [partner for name, partner in PARTNERS.items() if name in names]
        lines = [game_code(sticks, max_take, ending)]
        lines += [f"{partner.code} = {partner.made.format(seed, seed + 1)}" for partner in partners]
        for entry in history:
            lines += lines_of(entry, history[:-1], sticks)
        data = '{"balls": hats.balls, "visits": hats.visits}'
        lines += ["", f"data = {data}    # a row for each hat, a column for each ball", "hats.show()"]
        return "\n".join(lines)

    # --- what can be done

    @acts
    def new_game(self) -> None:
        """Begin a game with you."""
        self.data.sit(AGAINST_YOU, self.first)

    @acts
    def take(self, count: int) -> None:
        """Take sticks, in a new game if none is on the table; the computer answers."""
        if self.data.on_table is None:
            self.data.sit(AGAINST_YOU, self.first)
        self.data.take(count)

    @acts
    def one_step(self) -> None:
        """One move of a game between the computer and its partner."""
        if self.data.on_table is None:
            self.data.sit(self.partner, self.first)
        self.data.watch()

    @acts
    def put(self, hat: int, ball: int, balls: int) -> None:
        """Reach into a hat: afterwards it holds so many balls of this number."""
        self.data.put(hat, ball, balls)

    def step(self, steps: int) -> None:
        """Practise so many games with the partner that is chosen now."""
        self.data.train(steps, self.partner, self.first)

    def train(self, games: int) -> None:
        """Practise so many games; in a notebook this returns at once."""
        self.run(games)

    # --- what is on the screen

    @property
    def is_secret(self) -> bool:
        """Whether nothing tells that hats play: they are closed, and no control opens them."""
        return not self.look and "look" not in self.shown

    @property
    def title(self) -> str:
        """Who plays, if that is no secret."""
        if self.is_secret:
            return "Sticks against the computer"
        return "A computer made of hats"

    @property
    def goal(self) -> str:
        """How the computer plays, if that is no secret."""
        if self.is_secret:
            return "Take sticks, and the computer answers."
        return (
            "Each hat stands for a number of sticks. The computer draws a ball from the hat of the sticks "
            "that are left, and takes as many."
        )

    def named_in_still(self) -> list[str]:
        """The settings that a still picture names: not what it shows, nor a partner where nobody practised."""
        left_out = set(self.LOOKS)
        if "train" not in self.shown and not any(entry[0] == "train" for entry in self.settings["history"]):
            left_out.add("partner")
        return [name for name in super().named_in_still() if name not in left_out]

    def rows(self) -> dict[str, ButtonRow]:
        """The buttons to play, to practise and to meddle with."""
        return {"play": self._play(), "train": self._practise(), "meddle": self._meddle()}

    def _play(self) -> ButtonRow:
        data = self.data
        if data.on_table:
            your_turn = data.yours
        else:
            your_turn = opener(data.entries, AGAINST_YOU, self.first, data.hats.games) == "other"
        most = data.sticks if your_turn and not self.running else 0
        buttons = [Button("New game", "Put all sticks back and play against the computer", self.new_game)]
        for count in range(1, self.max_take + 1):
            words = f"You take {count}, and the computer answers"
            buttons.append(Button(f"Take {count}", words, partial(self.take, count), count > most))
        words = "You against the computer. It learns from the game when it is over."
        return ButtonRow(buttons, "Play", words)

    def _practise(self) -> ButtonRow:
        run, step, again = self.run_buttons()
        practise = []
        for games in AT_A_PRESS:
            train = partial(self.train, games)
            button = Button(counted(games, "game"), f"Practise {games:,} at once", train, self.running)
            practise.append(button)
        whom = "the partner chosen below" if "partner" in self.shown else PARTNERS[self.partner].words
        words = f"It practises with {whom}: move by move, or many games at once. Run goes on until Stop."
        return ButtonRow([step, *practise, run, again], "Practise", words)

    def _meddle(self) -> ButtonRow:
        fields = {
            "hat": field("Hat", "", 1, self.sticks, min(4, self.sticks)),
            "ball": field("Ball", "", 1, self.max_take, min(3, self.max_take)),
            "balls": field("How many", "", 1, 1_000_000, 10),
        }
        put = Button("Put in", "Let this hat hold so many balls of this number", self.put)
        words = "Reach into a hat: afterwards it holds so many balls of this number."
        return ButtonRow([put], "Meddle", words, fields)

    # --- without a kernel

    def events(self, first: HatsLab) -> Iterator[str]:
        """One game against the hats; or one game move by move, and practice of 1, 10, 100 and 1,000 games."""
        history = self.data.entries
        if "train" not in first.shown:
            if not any(entry[0] == "play" for entry in history):
                yield from super().events(first)
            return
        trained = sum(entry[1] for entry in history)
        if not trained:
            yield f"press {self.step_name}"
        as_in_lesson = (self.partner, self.first) == (first.partner, first.first)
        if self.data.on_table is None and (as_in_lesson or not trained):
            for games in AT_A_PRESS:
                if trained % games == 0 and trained < 10 * games:
                    yield f"press {counted(games, 'game')}"
        yield "press Start again"

    def events_of_run(self) -> list[str]:
        """Practice games, the fewest first."""
        return [f"press {counted(games, 'game')}" for games in AT_A_PRESS]


def lines_of(entry: tuple, before: Sequence[tuple], sticks: int) -> list[str]:
    """The lines that make one entry of a history; a game on the table comes after all that was before."""
    match entry:
        case ("train", games, partner, first):
            return [f'train(hats, {PARTNERS[partner].code}, games={games:_}, first="{SEATS[first]}")']
        case ("put", hat, ball, balls):
            return [f"hats.put({hat}, move={ball}, balls={balls:_})"]
        case ("play", first, yours):
            you = f"ScriptedAgent({', '.join(map(str, yours))})"
            pair = f"hats, {you}" if first == "computer" else f"{you}, hats"
            return [f"play_match(game, {pair}, learn=True)    # your moves"]
    _, partner, first, counts = entry
    lines = ["seat = hats.sit()    # a game that is not over: its balls lie beside their hats"]
    seats = ["seat"]  # whose moves draw from the hats
    if partner == "itself":
        lines.append("other_seat = hats.sit(seat)")
        seats.append("other_seat")
    order = ["seat", "other_seat"]
    if opener(before, partner, first) == "other":
        order.reverse()
    left = sticks
    for seat, count in zip(cycle(order), counts):
        if seat in seats:
            lines.append(f"{seat}(game, ({left},))    # draws a {count}")
        left -= count
    return lines
