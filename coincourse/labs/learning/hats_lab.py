"""Hats full of balls: watch them, play against them, train them, change what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from coinlib.arguments import counted

from ..base.buttons import Button, ButtonRow
from ..base.controls import field, menu, number, seed, tick
from ..base.lab import Lab, acts
from ..base.match_on_screen import LETTERS
from ..base.pages import styles
from ..base.sticks import ending, game_code, make_game, rules_in_words
from .hats_drawn import hats_of
from .hats_history import AGAINST_YOU, PARTNERS, Training, read_history, who_moves_first
from .hats_state import HatsState

BATCHES = (1, 10, 100, 1_000)  # numbers of games, each with a button
TWO_CLICKS = "Choose a stick: that marks it and all to its right. Choose it again to take them. There is no Undo."
MOVES_FIRST = [("you or its partner", "other"), ("the computer", "computer"), ("they take turns", "alternate")]


class HatsLab(Lab):
    """Hats full of balls for one row of sticks: play against them, train them, reach into them.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "look", "reveal", "partner", "first", "sticks", "max_take", "ending",
        "seed", and the groups of buttons "play", "train" and "meddle".
    history : iterable of tuple
        What has happened, as in `settings`: ``("train", games, partner, first)``,
        ``("play", first, your moves)``, ``("put", hat, ball, balls)``, and at the end a game on
        the table, ``("open", partner, first, moves)``.
    **settings
        Values for controls; the others keep their defaults.

    Examples
    --------
    >>> lab = HatsLab(history=[("train", 100, "itself", "other"), ("put", 4, 3, 50)])
    >>> lab.data.hats.contents(4).count(3)
    50
    >>> type(lab)(**lab.settings).data.hats.balls.tolist() == lab.data.hats.balls.tolist()
    True
    """

    template = "hats.html"
    style = styles("sticks.css", "hats.css")
    look = tick("Look inside", "Shows the balls in every hat, as a picture and as a table.", True, keeps=True)
    reveal = tick("Reveal", "Marks the right balls with ★: those that win against perfect play.", keeps=True)
    partner = menu(
        "Practises with",
        "The other player while it practises.",
        [(partner.words, name) for name, partner in PARTNERS.items()],
        keeps=True,
    )
    first = menu(
        "Moves first",
        "Who makes the first move: the computer, or the other player (you, or its partner in practice). "
        "In practice with itself both sides draw from the same hats, so there it makes no difference.",
        MOVES_FIRST,
        keeps=True,
    )
    sticks = number("Sticks", "How many sticks there are at the start; new hats.", 1, 30, 10)
    max_take = number("Take at most", "The most sticks that one move can take; new hats.", 1, 5, 3)
    ending = ending()
    seed = seed()
    PAST: ClassVar = {"history": ()}
    GROUPS = ("play", "train", "meddle")
    BELOW = ("look", "reveal", "partner", "first", "sticks", "max_take", "ending", "seed")
    step_name = "One move"
    at_once = 10_000  # few enough to watch

    @staticmethod
    def compute(
        sticks: int, max_take: int, ending: str, seed: int, history: Iterable[Sequence] = (), **settings
    ) -> HatsState:
        """New hats, after everything in this history."""
        return HatsState(make_game(sticks, max_take, ending), seed, history)

    @classmethod
    def draw(cls, data: HatsState, reveal: bool, **settings) -> str:
        """The sticks and the hats, as a picture and as a table."""
        words = {"hats": hats_of(data.hats, reveal), "rules": rules_in_words(data.game), "letters": LETTERS}
        return super().draw(data, reveal=reveal, **words, **settings)

    @staticmethod
    def code(sticks: int, max_take: int, ending: str, seed: int, history: Sequence = (), **settings) -> str:
        """The lines of code that do the same to the same hats."""
        entries = read_history(history)
        names = {"itself", *(entry.partner for entry in entries if isinstance(entry, Training))}
        partners = [partner for name, partner in PARTNERS.items() if name in names]
        lines = [game_code(sticks, max_take, ending)]
        lines += [f"{partner.code} = {partner.made.format(seed, seed + 1)}" for partner in partners]
        for place, entry in enumerate(entries):
            lines += entry.code(entries[:place], sticks)
        data = '{"balls": hats.balls, "visits": hats.visits}'
        lines += ["", f"data = {data}    # a row for each hat, a column for each ball", "hats.show()"]
        return "\n".join(lines)

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings; unless they name a partner, it is the one of the last practice."""
        history = tuple(settings.get("history", ()))
        practised = [entry for entry in read_history(history) if isinstance(entry, Training)]
        if practised:
            settings = {"partner": practised[-1].partner} | settings | {"history": history}
        return super().complete(settings)

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
        """Play one move of a game between the computer and its partner."""
        if self.data.on_table is None:
            self.data.sit(self.partner, self.first)
        self.data.watch()

    @acts
    def put(self, hat: int, ball: int, balls: int) -> None:
        """Reach into a hat: set how many balls of this number it holds."""
        self.data.put(hat, ball, balls)

    def step(self, steps: int) -> None:
        """Practise this number of games with the partner that is currently chosen."""
        self.data.train(steps, self.partner, self.first)

    def train(self, games: int) -> None:
        """Practise this number of games; in a notebook this returns at once."""
        self.run(games)

    # --- what is on the screen

    @property
    def is_secret(self) -> bool:
        """Whether it is a secret that hats play: they are closed, and no control opens them."""
        return not self.look and "look" not in self.shown

    @property
    def title(self) -> str:
        """Who plays, unless that is a secret."""
        if self.is_secret:
            return "Sticks against the computer"
        return "A computer made of hats"

    @property
    def goal(self) -> str:
        """How the computer plays, unless that is a secret; and how you take sticks, if you can."""
        if self.is_secret:
            goal = "Take sticks, and the computer answers."
        else:
            goal = (
                "Each hat stands for a number of sticks. The computer draws a ball from the hat for the sticks "
                "that are left, and takes that many."
            )
        return f"{goal} {TWO_CLICKS}" if "play" in self.shown else goal

    def settings_in_still(self) -> list[str]:
        """The names of the settings in the text of a still picture: those about practice only with practice."""
        left_out = {"look", "reveal"}  # the picture shows these
        if "train" not in self.shown:
            left_out.add("first")  # the last line of the picture says who moves first against you
            if not any(isinstance(entry, Training) for entry in self.data.entries):
                left_out.add("partner")
        return [name for name in super().settings_in_still() if name not in left_out]

    def rows(self) -> dict[str, ButtonRow]:
        """The buttons for playing, for practice, and for balls put in by hand."""
        return {"play": self._play(), "train": self._practise(), "meddle": self._meddle()}

    def _play(self) -> ButtonRow:
        data = self.data
        if data.on_table:
            your_turn = data.yours
        else:
            your_turn = who_moves_first(data.entries, AGAINST_YOU, self.first, data.hats.games) == "other"
        most = data.sticks if your_turn and not self.running else 0
        words = "Put all sticks back and play against the computer"
        has_begun = data.on_table is not None and not data.on_table.moves
        begin = Button("New game", words, self.new_game, has_begun or self.running, now=bool(data.ended))
        buttons = [begin]
        for count in range(1, self.max_take + 1):
            words = f"You take {count}, and the computer answers"
            buttons.append(Button(f"Take {count}", words, partial(self.take, count), count > most, once=True))
        words = "You against the computer. It learns from the game when it is over."
        return ButtonRow(buttons, "Play", words)

    def _practise(self) -> ButtonRow:
        run, step, again = self.run_buttons()
        step = replace(step, disabled=self.running or self.data.yours)
        practise = []
        for games in BATCHES:
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
        put = Button("Set", "Set how many balls of this number the hat holds", self.put, self.running)
        words = "Reach into a hat: set how many balls of this number it holds. The last one always stays."
        return ButtonRow([put], "Meddle", words, fields)
