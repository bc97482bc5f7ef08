"""Hats full of balls that one can watch, play against, train, and meddle with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar

import ipywidgets as widgets
import numpy as np

from coinlib.agents import RandomAgent
from coinlib.arena import Match, train
from coinlib.arguments import shown, whole_number
from coinlib.games import IllegalMove, Move, read_move
from coinlib.learners import Hats
from coinlib.solvers import solve

from .asked import read_controls, read_entries, read_settings
from .shared import BALLS, INK, batches, game_code, make_game, percent, rules, so_many
from .widget_lab import Lab, RunningLab, ending, linked, make_button, make_group, menu, number, seed, tick

PARTNERS = {
    "itself": ("itself, from the same hats", "hats", "The other side"),
    "twin": ("a twin with hats of its own", "twin", "The twin"),
    "random": ("a random player", "other", "The random player"),
}
YOU = "you"
GAMES = (1, 10, 100, 1_000)
LONGEST = 1_000_000  # games of one run
AT_ONCE = 10_000  # games between two pictures of a run, so that one can watch
MOST_BALLS = 1_000_000
PANELS = ("play", "train", "meddle")


# --- the hats and all that happened to them ------------------------------------------------------------------


@dataclass
class Sitting:
    """One game on the table that is not over yet.

    Attributes
    ----------
    partner : str
        Who sits opposite the computer: "you", or a name of `PARTNERS`.
    first : str
        "computer" or "other".
    match : Match
        Its seats are None where you choose.
    before : list
        The generators as they were, for a game that is given up.
    """

    partner: str
    first: str
    match: Match
    before: list

    @property
    def state(self) -> tuple[int, ...]:
        """The sticks that are left."""
        return self.match.state

    @property
    def turn(self) -> int:
        """0: the computer is to move; 1: the other side."""
        return self._side(self.match.turn)

    @property
    def moves(self) -> list[tuple[int, int]]:
        """Side and number of sticks of each move."""
        return [(self._side(1 + number % 2), move.count) for number, move in enumerate(self.match.moves)]

    def seat(self, side: int):
        """Who chooses for a side."""
        return self.match.seats[side ^ (self.first == "other")]

    def _side(self, player: int) -> int:
        return (player - 1) ^ (self.first == "other")

    @property
    def yours(self) -> bool:
        """Whether you are to move."""
        return self.partner == YOU and self.turn == 1


class Play:
    """Hats, those who play against them, the game on the table, and a history that makes it all again.

    Parameters
    ----------
    game : CoinGame
        One row.
    seed : int
        Of the hats; the twin and the random player have the next one.

    Examples
    --------
    >>> play = Play(make_game(10, 3, "misere"), seed=1)
    >>> play.train(100, "itself", "other")
    >>> play.history
    [('train', 100, 'itself', 'other')]
    """

    def __init__(self, game, seed: int) -> None:
        self.game = game
        self.hats = Hats(game, seed=seed)
        self.others = {
            "itself": self.hats,
            "twin": Hats(game, seed=seed + 1),
            "random": RandomAgent(seed=seed + 1),
        }
        self.history: list[tuple] = []
        self.sitting: Sitting | None = None
        self.said = ""

    @property
    def balls(self) -> np.ndarray:
        """int64 array, shape (S, M): balls of each number in each hat; those beside a hat are not in it."""
        return self.hats.balls

    @property
    def visits(self) -> np.ndarray:
        """int64 array, shape (S,): how often a ball was drawn from each hat, in games that are over."""
        return self.hats.visits

    @property
    def left(self) -> int:
        """The sticks on the table."""
        return (self.sitting.state if self.sitting else self.game.start)[0]

    # --- one game, one move at a time

    def starter(self, partner: str, first: str) -> str:
        """Who moves first in the next game: "computer" or "other"."""
        return starter(first, self.hats.games if partner == YOU else running(self.history, partner, first))

    def sit(self, partner: str, first: str) -> None:
        """Begin a game; one that is on the table is given up."""
        gone = self.give_up()
        begins = self.starter(partner, first)
        before = [(agent, agent.generator.bit_generator.state) for agent in self.others.values()]
        mine = self.hats.sit()
        other = None if partner == YOU else self.others[partner]
        if isinstance(other, Hats):
            other = other.sit(mine if other is self.hats else None)
        seats = (mine, other) if begins == "computer" else (other, mine)
        self.sitting = Sitting(partner, begins, Match(self.game, seats), before)
        self._first = first
        who = (
            "The computer moves"
            if begins == "computer"
            else ("You move" if partner == YOU else _who(partner, 1) + " moves")
        )
        self.said = f"{gone}New game. {who} first."

    def take(self, count: int) -> None:
        """Your move, and the computer's answer to it."""
        sitting = self.sitting
        if sitting is None or not sitting.yours:
            raise ValueError("it is not your turn")
        move = read_move(self.game, sitting.state, count)
        self.said = ""
        self._make(move)
        self.answer()

    def answer(self) -> None:
        """The computer's move in a game with you, if it is its turn."""
        if self.sitting and self.sitting.partner == YOU and self.sitting.turn == 0:
            self.step()

    def step(self) -> None:
        """One move of whoever is to move, if it is not you."""
        sitting = self.sitting
        if sitting is None or sitting.yours:
            raise ValueError("it is your turn")
        if sitting.partner != YOU:
            self.said = ""
        self._make()

    def give_up(self) -> str:
        """End the game on the table as if it had never begun; what happened, in words."""
        sitting, self.sitting = self.sitting, None
        if sitting is None:
            return ""
        sitting.match.leave()
        for agent, state in sitting.before:
            agent.generator.bit_generator.state = state
        return "The unfinished game leaves no trace: its balls are back in their hats. " if sitting.moves else ""

    def _make(self, move: Move | None = None) -> None:
        """Your move, or that of whoever sits at the turn, in words; the last one ends the game."""
        sitting = self.sitting
        side, held, balls = sitting.turn, sitting.state[0], self.hats.values
        if move is None:
            sitting.match.step()
        else:
            sitting.match.make(move)
        count, who = held - sitting.state[0], _who(sitting.partner, side)
        if isinstance(sitting.seat(side), (RandomAgent, type(None))):
            did = f"{who} take{'s' * (who != 'You')} {count}"
        else:
            where = f"hat {held}" if side == 0 or sitting.partner == "itself" else f"its own hat {held}"
            did = f"{who} draws a {count} from {where}, lays it beside, and takes {count}"
        self.said += f" {did}: {so_many(sitting.state[0], 'stick')} left."
        if sitting.match.over:
            self._tell_end(balls)

    def _tell_end(self, balls: np.ndarray) -> None:
        """Whether every ball has gone back, doubled, or gone away, by what the hats held before."""
        sitting, self.sitting = self.sitting, None
        match, words = sitting.match, []
        won = sitting._side(match.winner)  # the side
        if won == 1 and sitting.partner != "itself":
            winner = _who(sitting.partner, 1)
            words.append(f"{winner} {'win' if winner == 'You' else 'wins'}!")
        for side in (0, 1):
            drawn = [(state[0], count) for state, (mover, count) in zip(match.states, sitting.moves) if mover == side]
            if drawn and getattr(sitting.seat(side), "learner", None) is self.hats:
                words.append(_settled(self.hats, balls, drawn, side == won, _who(sitting.partner, side)))
        self.said += f" {' '.join(words)}"
        if sitting.partner == YOU:
            yours = tuple(count for side, count in sitting.moves if side == 1)
            self.history.append(("play", sitting.first, yours))
        else:
            self._note_training(1, sitting.partner, self._first)

    # --- many games, and meddling

    def train(self, games: int, partner: str, first: str) -> None:
        """Many games at once; one on the table is given up."""
        gone = self.give_up()
        done = running(self.history, partner, first)
        for who, part in batches({"computer": "agent", "other": "opponent"}.get(first, first), done, games):
            train(self.hats, self.others[partner], part, first=who)
        self._note_training(games, partner, first)
        self.said = f"{gone}Trained: {so_many(self.history[-1][1], 'game')} with {PARTNERS[partner][0]}."

    def put(self, hat: int, ball: int, balls: int) -> None:
        """Put balls in by hand: afterwards the hat holds so many of this number."""
        self.hats.put(hat, ball, balls)
        gone = self.give_up()
        if self.history and self.history[-1][:3] == ("put", hat, ball):
            self.history.pop()
        self.history.append(("put", hat, ball, balls))
        self.said = f"{gone}By hand: hat {hat} now holds {balls:,} of ball {ball}."

    def _note_training(self, games: int, partner: str, first: str) -> None:
        done = running(self.history, partner, first)
        if done:
            self.history.pop()
        self.history.append(("train", done + games, partner, first))

    # --- making it again

    def told(self) -> tuple[tuple, ...]:
        """The history, and the game on the table as its last entry."""
        sitting = self.sitting
        if sitting is None or not sitting.moves:
            return tuple(self.history)
        first = sitting.first if sitting.partner == YOU else self._first
        return (*self.history, ("open", sitting.partner, first, tuple(count for _, count in sitting.moves)))

    def again(self, history: Iterable[tuple]) -> None:
        """Do all that a history tells; ValueError, in words, if it does not fit this game."""
        for entry in read_entries(history, "history"):
            try:
                self._do(*entry)
            except (TypeError, ValueError, KeyError, IllegalMove) as error:
                raise ValueError(f"history: {shown(entry)} does not fit here; {error}") from None

    def _do(self, what: str, *told) -> None:
        if what == "train":
            games, partner, first = told
            self.train(whole_number(games, "games", least=1, most=LONGEST), partner, _check_first(first))
        elif what == "put":
            self.put(*told)
        elif what == "play":
            self._replay(*told)
            if self.sitting is not None:
                raise ValueError("the game is not over after these moves")
        elif what == "open":
            self._reopen(*told)
        else:
            raise ValueError("expected 'train', 'put', 'play' or 'open'")

    def _reopen(self, partner: str, first: str, counts: Iterable[int]) -> None:
        """A game up to where it was left."""
        self.sit(partner, _check_first(first))
        for count in counts:
            if self.sitting is not None and self.sitting.yours:
                self._make(read_move(self.game, self.sitting.state, count))
            else:
                self.step()
        drawn = [count for _, count in self.sitting.moves] if self.sitting else None
        if drawn != list(counts):
            raise ValueError(f"the game came to {drawn} instead")

    def _replay(self, first: str, yours: Iterable[int]) -> None:
        self.sit(YOU, _check_first(first))
        self.answer()
        for count in yours:
            self.take(count)


def running(history: Sequence[tuple], partner: str, first: str) -> int:
    """How many games of one training the next game with this partner goes on with."""
    last = history[-1] if history else ()
    return last[1] if last and last[0] == "train" and last[2:] == (partner, first) else 0


def starter(first: str, done: int) -> str:
    """Who moves first after so many games: "computer" or "other"."""
    if first != "alternate":
        return first
    return "other" if done % 2 else "computer"


def _check_first(first: str) -> str:
    if first not in ("computer", "other", "alternate"):
        raise ValueError(f"first: expected 'computer', 'other' or 'alternate', got {first!r}")
    return first


def _who(partner: str, side: int) -> str:
    if side == 0:
        return "The computer"
    return "You" if partner == YOU else PARTNERS[partner][2]


def _settled(hats: Hats, balls: np.ndarray, drawn: list[tuple[int, int]], won: bool, who: str) -> str:
    """What happened to the balls drawn from some hats, in words; `balls` as they were before."""
    parts = []
    for hat, ball in drawn:
        if won:
            parts.append(f"the {ball} goes back to hat {hat} with one more {ball}")
        elif balls[hats.table.row((hat,)), ball - 1] > 1:
            parts.append(f"the {ball} of hat {hat} is thrown away")
        else:
            parts.append(f"the {ball} goes back to hat {hat}, for it is the last {ball} there")
    return f"{who} {'won' if won else 'lost'}: {'; '.join(parts)}."


# --- the lab ------------------------------------------------------------------------------------------------------


class HatsLab(RunningLab):
    """Hats full of balls on one row of sticks: play against them, train them, reach into them.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "sticks", "max_take", "ending", "partner", "first", "reveal",
        "look", "seed", and the groups of buttons "play", "train" and "meddle".
    history : tuple
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
    >>> type(lab)(**lab.settings).data.balls.tolist() == lab.data.balls.tolist()
    True
    """

    title = "A computer made of hats"
    goal = (
        "Each hat stands for a number of sticks. The computer draws a ball from the hat of the sticks that are left, "
        "and takes as many."
    )
    step_name = "One move"
    CONTROLS: ClassVar = {
        "look": tick("Look inside", "Shows the balls in every hat, as a picture and as a table.", True),
        "reveal": tick("Reveal", "Marks the right balls with ★: those that win against perfect play."),
        "partner": menu(
            "Practises with",
            "Who sits on the other side while it practises.",
            [(words, name) for name, (words, *_) in PARTNERS.items()],
            "itself",
        ),
        "first": menu(
            "Moves first",
            "Who makes the first move: the computer, or the other side (you, when you play). "
            "In practice with itself both sides draw from the same hats, so there it makes no difference.",
            [("the other side", "other"), ("the computer", "computer"), ("they take turns", "alternate")],
            "other",
        ),
        "sticks": number("Sticks", "How many sticks lie there at the start; new hats.", 1, 30, 10),
        "max_take": number("Take at most", "The most sticks that one move may take; new hats.", 1, 5, 3),
        "ending": ending(),
        "seed": seed(),
    }

    def __init__(self, controls: bool | Iterable[str] = True, history: Iterable[tuple] = (), **settings) -> None:
        self._opening = read_entries(history, "history")
        super().__init__(controls, **settings)
        if self.data is None:
            self.compute(**self.settings)  # says what is wrong with the history

    @staticmethod
    def begin(
        sticks: int,
        max_take: int,
        ending: str,
        partner: str,
        first: str,
        look: bool,
        reveal: bool,
        seed: int,
        history: Iterable[tuple] = (),
    ) -> Play:
        """New hats, and all that a history tells done to them."""
        play = Play(make_game(sticks, max_take, ending), seed)
        play.again(history)
        if not play.said:
            play.said = "Every hat holds one ball of each number. " + (
                "You move first: take some sticks." if first == "other" else "Press “New game” to play."
            )
        return play

    @staticmethod
    def advance(data: Play, steps: int, **settings) -> None:
        """So many games of practice."""
        data.train(steps, settings["partner"], settings["first"])

    @classmethod
    def compute(cls, steps: int = 0, **settings) -> Play:
        """The hats after all that the history tells."""
        return cls.begin(**settings)

    @classmethod
    def complete(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings, the history among them where it was given; raises what `Lab` raises."""
        settings = read_settings(settings)
        history = {"history": settings["history"]} if "history" in settings else {}
        return Lab.complete.__func__(cls, {n: v for n, v in settings.items() if n != "history"}) | history

    @classmethod
    def render(cls, **settings) -> str:
        """The picture for these settings and this history: the same for the same, byte for byte.

        Raises what `Lab` raises.
        """
        return Lab.render.__func__(cls, **settings)

    @property
    def settings(self) -> dict[str, Any]:
        """The values of all controls, and all that has happened."""
        history = self._opening if self.data is None else self.data.told()
        return Lab.settings.fget(self) | {"history": history}

    # --- what can be done

    def new_game(self) -> None:
        """Begin a game with you."""
        self._act(lambda: (self.data.sit(YOU, self._first()), self.data.answer()))

    def take(self, count: int) -> None:
        """Take sticks; the computer answers."""

        def act() -> None:
            if self.data.sitting is None:
                self.data.sit(YOU, self._first())
                self.data.answer()
            self.data.take(count)

        self._act(act)

    def one_step(self) -> None:
        """One move of a game between the computer and its partner."""

        def act() -> None:
            if self.data.sitting is None:
                self.data.sit(self.inputs["partner"].value, self._first())
            if self.data.sitting.yours:
                raise ValueError("It is your turn: take some sticks.")
            self.data.step()

        self._act(act)

    def train(self, games: int) -> None:
        """Practise so many games, 1 to 1,000,000; in a notebook this returns at once.

        Raises TypeError or ValueError for another number.
        """
        games = whole_number(games, "games", least=1, most=LONGEST)
        if not self.running:
            self.steps, self.last_step = 0, games
            super().run()

    def run(self) -> None:
        """Practise until `stop` is called, a million games at most."""
        self.train(LONGEST)

    def put(self, hat: int, ball: int, balls: int) -> None:
        """Reach into a hat: afterwards it holds so many balls of this number."""
        self._act(lambda: self.data.put(hat, ball, balls))

    def start_again(self) -> None:
        """Stop, and go back to new hats."""
        self._opening = ()
        super().start_again()

    def _first(self) -> str:
        return self.inputs["first"].value

    def _act(self, act) -> None:
        """Do something to the hats; what cannot be done is said in words."""
        with self._lock:
            if self.running or self.data is None:
                return
            try:
                act()
            except (ValueError, TypeError) as error:
                words = str(error)
                self.data.said = f"That cannot be done: {words}{'' if words.endswith('.') else '.'}"
            self._draw()

    def _advance(self, steps: int) -> None:
        super()._advance(min(steps, AT_ONCE))

    def _moved(self, change) -> None:
        if change["owner"] in (self.inputs[name] for name in ("partner", "first", "look", "reveal")):
            with self._lock:
                self._draw()  # the hats stay as they are
        else:
            self.start_again()

    # --- what is on the screen

    def _draw(self) -> None:
        super()._draw()
        self._show_choices()

    def _show_choices(self) -> None:
        """Which buttons make sense now."""
        sitting, left = (self.data.sitting, self.data.left) if self.data else (None, 0)
        open_to_you = sitting.yours if sitting else bool(self.data) and self._yours_next()
        for count, button in enumerate(self._takes, 1):
            button.disabled = self._busy or not open_to_you or count > left
            button.layout.display = "" if count <= self.inputs["max_take"].value else "none"
        for button in self._quiet:
            button.disabled = self._busy
        self._hat.max = self.inputs["sticks"].value
        self._ball.max = self.inputs["max_take"].value

    def _yours_next(self) -> bool:
        return self.data.starter(YOU, self._first()) == "other"

    def _parts(self, shown) -> list[widgets.Widget]:
        self._shown = shown
        acts = {"play": "play a game", "train": "let it practise", "meddle": "put in balls of your own"}
        offered = [words for name, words in acts.items() if name in shown]
        if offered:
            watch = ", and watch the hats" if self.inputs["look"].value else ""
            self.goal += f" {', then '.join(offered).capitalize()}{watch}."
        head, *lines, row, picture, show, code = super()._parts([name for name in shown if name in self.CONTROLS])
        groups = {"play": self._play_row(), "train": self._train_row(row), "meddle": self._meddle_row()}
        play, practise, meddle = ([groups[name]] if name in shown else [] for name in PANELS)
        return [head, *play, *practise, picture, *meddle, *lines, show, code]

    def _play_row(self) -> widgets.Widget:
        self._takes = [
            make_button(
                f"Take {count}", f"You take {count}, and the computer answers", lambda count=count: self.take(count)
            )
            for count in range(1, 6)
        ]
        new = make_button("New game", "Put all sticks back and play against the computer", self.new_game)
        return make_group(
            "Play", [new, *self._takes], "You against the computer. It learns from the game when it is over."
        )

    def _train_row(self, row: widgets.HBox) -> widgets.Widget:
        self._practise = [
            make_button(
                f"{games:,} game{'s' * (games > 1)}",
                f"Practise {games:,} at once",
                lambda games=games: self.train(games),
            )
            for games in GAMES
        ]
        run, step, again = row.children
        for button in row.children:
            button.layout = widgets.Layout(width="auto", min_width="4.5rem")
        self._quiet = [*self._practise, step]
        partner = self.inputs["partner"].value
        whom = "the partner chosen below" if "partner" in self._shown else PARTNERS[partner][0]
        words = f"It practises with {whom}: move by move, or many games at once. Run goes on until Stop."
        return make_group("Practise", [step, *self._practise, run, again], words)

    def _meddle_row(self) -> widgets.Widget:
        def field(words: str, most: int, value: int) -> widgets.BoundedIntText:
            look = {"layout": widgets.Layout(width="8.5rem"), "style": {"description_width": "3.2rem"}}
            return widgets.BoundedIntText(value, min=1, max=most, description=words, **look)

        self._hat, self._ball = field("Hat", 30, 4), field("Ball", 5, 3)
        self._balls = field("How many", MOST_BALLS, 10)
        self._balls.style.description_width, self._balls.layout.width = "5rem", "11rem"
        put = make_button(
            "Put in",
            "Let this hat hold so many balls of this number",
            lambda: self.put(self._hat.value, self._ball.value, self._balls.value),
        )
        words = "Reach into a hat: afterwards it holds so many balls of this number."
        return make_group("Meddle", [self._hat, self._ball, self._balls, put], words)

    def _label_buttons(self, running: bool) -> None:
        super()._label_buttons(running)
        self._busy = running
        if hasattr(self, "_takes"):
            self._show_choices()

    @classmethod
    def _read_controls(cls, asked: bool | Iterable[str]) -> list[str]:
        return read_controls(asked, [*cls.CONTROLS, *PANELS])

    def _told(self) -> list[str]:
        """The settings that a still picture names: not what is seen in it, nor a partner where nobody practised."""
        practised = "train" in self._shown or any(entry[0] == "train" for entry in self.settings["history"])
        left_out = {"look", "reveal"} if practised else {"look", "reveal", "partner"}
        return [name for name in super()._told() if name not in left_out]

    # --- picture and code

    @staticmethod
    def draw(data: Play, **settings) -> str:
        """What happened in words, the sticks, every hat with its balls, and the same as a table."""
        game = [settings[name] for name in ("sticks", "max_take", "ending")]
        inside = "<p>The hats are closed.</p>"
        if settings["look"]:
            inside = f"{_hats(data, settings['reveal'])}\n{_table(data, settings['reveal'])}"
        return (
            f"<div class='coin-lab'>{linked(range(1, settings['sticks'] + 1))}{MOTION}\n"
            f"<p role='status'><strong>{escape(data.said.strip())} {_prompt(data)}</strong></p>\n{_sticks(data)}\n"
            f"<p>{_summary(data, settings)}</p>\n<div class='side'>{inside}</div>\n"
            f"<p>{escape(rules(*game))} {_who_first(settings)}</p></div>"
        )

    @staticmethod
    def code(history: Iterable[tuple] = (), **settings) -> str:
        """The lines of coinlib that do the same to the same hats."""
        history = list(history)
        lines = [
            game_code(settings["sticks"], settings["max_take"], settings["ending"]),
            f"hats = Hats(game, seed={settings['seed']})",
        ]
        names = {"Hats", "sticks"}
        partners = {entry[2] for entry in history if entry[0] == "train"}
        partners |= {entry[1] for entry in history if entry[0] == "open" and entry[1] == "itself"}
        if "twin" in partners:
            lines.append(f"twin = Hats(game, seed={settings['seed'] + 1})")
        if "random" in partners:
            lines.append(f"other = RandomAgent(seed={settings['seed'] + 1})")
            names.add("RandomAgent")
        for number_of, entry in enumerate(history):
            made, needed = _lines(entry, history[:number_of], settings)
            lines += made
            names |= needed
        return (
            f"from coinlib import {', '.join(sorted(names, key=str.lower))}\n\n"
            + "\n".join(lines)
            + '\n\ndata = {"balls": hats.balls, "visits": hats.visits}    # a row for each hat, a column for each ball\n'
            "hats.show()\n"
        )


def _lines(entry: tuple, before: Sequence[tuple], settings) -> tuple[list[str], set[str]]:
    """The lines that make one entry of a history, and the names that they import."""
    what, *told = entry
    if what == "train":
        games, partner, first = told
        first = {"computer": "agent", "other": "opponent"}.get(first, first)
        return [f'train(hats, {PARTNERS[partner][1]}, games={games:_}, first="{first}")'], {"train"}
    if what == "put":
        return [f"hats.put({told[0]}, move={told[1]}, balls={told[2]:_})"], set()
    if what == "play":
        first, yours = told
        you = f"ScriptedAgent({', '.join(map(str, yours))})"
        pair = f"hats, {you}" if first == "computer" else f"{you}, hats"
        return [f"play_match(game, {pair}, learn=True)    # your moves"], {"play_match", "ScriptedAgent"}
    partner, first, counts = told
    begins = starter(first, running(before, partner, first))
    return _open_lines(partner, counts, begins, settings["sticks"]), set()


def _open_lines(partner: str, counts: Iterable[int], begins: str, left: int) -> list[str]:
    """A game that is not over: each ball that lies beside a hat was drawn by a seat."""
    lines = ["seat = hats.sit()    # a game that is not over: its balls lie beside their hats"]
    if partner == "itself":
        lines.append("other_seat = hats.sit(seat)")
    for turn, count in enumerate(counts):
        computer = (turn % 2 == 0) == (begins == "computer")
        if computer or partner == "itself":
            lines.append(f"{'seat' if computer else 'other_seat'}(game, ({left},))    # draws a {count}")
        left -= count
    return lines


# --- words ---------------------------------------------------------------------------------------------------


def _prompt(data: Play) -> str:
    """What can be done next."""
    if data.sitting is None:
        return "" if not data.history else "Press “New game” to play against it."
    return "Your turn." if data.sitting.yours else ""


def _summary(data: Play, settings) -> str:
    """Games learnt and, if revealed, how many hats favour a right ball."""
    said = f"The hats have learnt from <strong>{so_many(data.hats.games, 'game')}</strong>."
    if not settings["reveal"]:
        return said
    table, right = data.hats.table, {hat: balls for hat, balls in _right(data).items() if balls}
    if not right:
        return f"{said} In no hat is there a ball that wins against perfect play."
    rows = {hat: table.row((hat,)) for hat in right}
    favoured = sum(_favourite(data.balls[row], table.legal[row]) in right[hat] for hat, row in rows.items())
    beside = {hat for hat, _ in data.hats.beside()}
    missed = sum(not data.visits[row] and row not in beside for row in rows.values())
    never = f" From {missed} of them no ball was ever drawn." if missed else ""
    return (
        f"{said} In {so_many(len(right), 'hat')} there is a right ball (★); in {favoured} of them it is the favourite: "
        f"no other number that can be played is on so many balls.{never}"
    )


def _who_first(settings) -> str:
    return {
        "other": "The other side (you, when you play) always moves first.",
        "computer": "The computer always moves first.",
        "alternate": "Who moves first alternates.",
    }[settings["first"]]


# --- pictures ----------------------------------------------------------------------------------------------

WIDE, HIGH, ACROSS = 112, 118, 4  # room for one hat, and hats in a line
MOST_DRAWN = 9  # more balls than this are drawn as bars
MOTION = (
    "<style>@media (prefers-reduced-motion: no-preference) { .coin-lab .fresh { animation: coin-lab-drop 0.5s } } "
    "@keyframes coin-lab-drop { from { transform: translate(-34px, -24px); opacity: 0 } }</style>"
)


def _sticks(data: Play) -> str:
    """The sticks that are left, and the places of those that are gone."""
    start, left = data.game.start[0], data.left
    drawn = []
    for place in range(1, start + 1):
        x = 10 + 18 * (place - 1) + 6 * ((place - 1) // 5)
        look = (
            "fill='#D55E00' stroke='currentColor'"
            if place <= left
            else "fill='none' stroke='#767676' stroke-dasharray='3 3'"
        )
        drawn.append(
            f"<g class='n{place}'><rect class='spot' x='{x - 5}' y='2' width='17' height='66' rx='3'/>"
            f"<rect x='{x}' y='6' width='7' height='44' rx='3' {look}/>"
            f"<text x='{x + 3.5}' y='64' text-anchor='middle' font-size='10'>{place}</text></g>"
        )
    width = 22 + 18 * start + 6 * ((start - 1) // 5)
    return (
        f"<svg viewBox='0 0 {width} 72' role='img' aria-label='{so_many(left, 'stick')} of {start} left on the table.' "
        f"style='width: 100%; max-width: {1.2 * width:.0f}px; font: 12px sans-serif' fill='currentColor'>{''.join(drawn)}</svg>"
    )


def _hats(data: Play, reveal: bool) -> str:
    """All hats, the largest last, each with its balls and the one that lies beside it."""
    hats, table = data.hats, data.hats.table
    balls, legal = data.balls, table.legal
    beside = dict(hats.beside())
    right = _right(data) if reveal else {}
    fresh = _last_drawn(data)
    rows = [row for row in range(len(table.states)) if not table.over[row]][::-1]
    drawn = []
    for place, row in enumerate(rows):
        sticks = table.states[row][0]
        x, y = WIDE * (place % ACROSS), HIGH * (place // ACROSS)
        now = sticks == data.left
        drawn.append(
            f"<g class='n{sticks}' transform='translate({x} {y})'>"
            f"<title>hat {sticks}: {_contents(balls[row])}</title>"
            f"{_one_hat(sticks, balls[row], legal[row], beside.get(row), right.get(sticks, ()), now, sticks == fresh)}</g>"
        )
    lines = -(-len(rows) // ACROSS)
    width = WIDE * min(ACROSS, len(rows))
    return (
        f"<div class='wide scroll' style='max-width: {1.15 * width:.0f}px'>"
        f"<svg viewBox='0 0 {width} {HIGH * lines}' role='img' aria-label='{len(rows)} hats; the table beside says what "
        f"each holds.' style='width: 100%; min-width: {0.85 * width:.0f}px; font: 12px sans-serif' fill='currentColor'>"
        f"{''.join(drawn)}</svg></div>"
    )


def _last_drawn(data: Play) -> int | None:
    """The hat from which the last move was drawn."""
    sitting = data.sitting
    if sitting is None or not sitting.moves:
        return None
    side, count = sitting.moves[-1]
    return sitting.state[0] + count if side == 0 or sitting.partner == "itself" else None


def _one_hat(sticks, balls, legal, beside, right, now: bool, fresh: bool) -> str:
    """One hat in a room of 112 by 118."""
    name = f"hat {sticks}" + (" ◀ now" if now else "")
    star = f"<text x='106' y='16' text-anchor='end'>★ {', '.join(map(str, right))}</text>" if right else ""
    edge = "stroke-width='2.6'" if now else "stroke-width='1.3'"
    inside = _drawn_balls(balls, legal, right) if balls.sum() <= MOST_DRAWN else _bars(balls, legal, right)
    out = "" if beside is None else _ball(96, 98, beside + 1, True, (beside + 1) in right, "fresh" if fresh else "")
    out += "" if beside is None else "<text x='96' y='82' text-anchor='middle' font-size='9'>beside</text>"
    return (
        f"<rect class='spot' x='1' y='1' width='110' height='114' rx='6'/>"
        f"<text x='6' y='16' font-weight='{'bold' if now else 'normal'}'>{name}</text>{star}"
        f"<path d='M3 30H87M9 30L14 112H76L81 30' fill='none' stroke='currentColor' {edge}/>{inside}{out}"
    )


def _drawn_balls(balls, legal, right) -> str:
    numbers = [ball for ball, many in enumerate(balls) for _ in range(many)]
    return "".join(
        _ball(25 + 20 * (place % 3), 100 - 22 * (place // 3), ball + 1, legal[ball], ball + 1 in right, "")
        for place, ball in enumerate(numbers)
    )


def _ball(x: int, y: int, number: int, legal: bool, right: bool, kind: str) -> str:
    """One ball with its number; a right one has a second ring, one that is never played is hollow."""
    ring = f"<circle cx='{x}' cy='{y}' r='9.6' fill='none' stroke='currentColor' stroke-width='1.6'/>" if right else ""
    look = (
        f"fill='{BALLS[number - 1]}' stroke='{INK}'" if legal else "fill='none' stroke='#767676' stroke-dasharray='2 2'"
    )
    ink = f" fill='{INK}'" if legal else ""
    return (
        f"<g class='{kind}'><circle cx='{x}' cy='{y}' r='8' {look}/>{ring}"
        f"<text x='{x}' y='{y + 4}' text-anchor='middle'{ink}>{number}</text></g>"
    )


def _bars(balls, legal, right) -> str:
    """Many balls: a bar for the share of each number among those that can be played, and how many there are."""
    total = max(1, int(balls[legal].sum()))
    drawn = []
    for ball, many in enumerate(balls):
        if not legal[ball]:
            continue
        y = 36 + 15 * ball
        width = 23 * many / total
        drawn.append(
            f"<text x='15' y='{y + 10}' font-size='11' font-weight='bold'>{ball + 1}{'★' * (ball + 1 in right)}</text>"
            f"<rect x='34' y='{y}' width='{width:.1f}' height='12' fill='{BALLS[ball]}' stroke='{INK}'/>"
            f"<text x='{36 + width:.1f}' y='{y + 10}' font-size='10'>{_short(int(many))}</text>"
        )
    return "".join(drawn)


def _short(many: int) -> str:
    """A number of balls in at most four characters; the table beside the picture has it in full."""
    if many < 1_000:
        return f"{many}"
    if many < 9_950:
        return f"{many / 1_000:.1f}k"
    return f"{many / 1_000:.0f}k" if many < 999_500 else f"{many / 1_000_000:.1f}M"


def _right(data: Play) -> dict[int, list[int]]:
    """The balls of each hat that win against perfect play."""
    solution = solve(data.game)
    states = [state for state in data.hats.table.states if state[0]]
    return {state[0]: [move.count for move in solution.best_moves(state)] for state in states}


def _favourite(balls, legal) -> int | None:
    """The number that is on more balls than any other that can be played; None among equals."""
    playable = np.where(legal, balls, -1)
    most = int(playable.argmax())
    return most + 1 if (playable == playable[most]).sum() == 1 else None


def _contents(balls) -> str:
    return ", ".join(f"{many:,} of ball {ball}" for ball, many in enumerate(balls, 1))


def _table(data: Play, reveal: bool) -> str:
    """The hats as numbers."""
    table, balls = data.hats.table, data.balls
    beside, right = dict(data.hats.beside()), _right(data)
    lines = []
    for row in reversed(range(len(table.states))):
        if table.over[row]:
            continue
        sticks, legal = table.states[row][0], table.legal[row]
        cells = "".join(f"<td>{many:,}</td>" if can else "<td>–</td>" for many, can in zip(balls[row], legal))
        favourite, total = _favourite(balls[row], legal), max(1, balls[row][legal].sum())
        words = "none" if favourite is None else f"{favourite} ({percent(balls[row][favourite - 1] / total)})"
        answer = ""
        if reveal:
            wins = ("★ " + ", ".join(map(str, right[sticks]))) if right[sticks] else "no ball wins"
            answer = f"<td style='text-align: left'>{wins}</td>"
        now = " ◀" if sticks == data.left else ""
        lines.append(
            f"<tr class='n{sticks}' tabindex='0'><th scope='row' style='text-align: left'>{sticks}{now}</th>{cells}"
            f"<td>{beside[row] + 1 if row in beside else ''}</td><td>{words}</td>{answer}</tr>"
        )
    short = "<br>k in the picture: thousand." if balls.max() >= 1_000 else ""
    head = "".join(f"<th scope='col'>{move.count}s</th>" for move in table.moves)
    last = "<th scope='col' style='text-align: left'>right</th>" if reveal else ""
    return (
        "<div class='scroll'><table><caption>Balls in each hat</caption>"
        f"<thead><tr><th scope='col' style='text-align: left'>hat</th>{head}<th scope='col'>beside</th>"
        f"<th scope='col'>favourite</th>{last}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
        f"<p>◀ the hat of the sticks on the table.<br>– a ball that is never played<br>(dashed in the picture).{short}</p></div>"
    )
