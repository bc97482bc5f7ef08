"""A Q-learner with all its settings: what it has learnt, how often it wins, how far it is from perfect play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from coinlib import QLearner, linear, named

from ..base.amounts import minus
from ..base.buttons import Button
from ..base.controls import menu, number, seed, share, slider
from ..base.lab import Lab, acts
from ..base.sticks import ending, game_code, make_game, rules_in_words
from .q_practice import Practice, window_of

SLIDER_GAMES = (0, 1, 2, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1_000, 2_000, 3_000, 5_000, 10_000)
DECAYS = (50, 100, 300, 1_000, 3_000, 10_000)
POINTS = 300  # If there are more games than this, they are drawn in groups.
WINDOWS = [("5, later 50", 0), 5, 20, 50, 100, 500]
MOVES_FIRST = [("the learner", "agent"), ("the opponent", "opponent"), ("they take turns", "alternate")]


class Opponent(NamedTuple):
    """The other player: its name in a sentence, and its code with a place for a seed."""

    words: str
    code: str


OPPONENTS = {
    "random": Opponent("a random player", "RandomAgent(seed={})"),
    "careless": Opponent("a careless player", "RandomAgent(seed={}, legal_only=False)"),
    "take one": Opponent("one that always takes one", "RuleAgent(take_one)"),
    "perfect": Opponent("a perfect player", "PerfectAgent(seed={})"),
    "itself": Opponent("itself, with one table", "learner"),
}


class QLab(Lab):
    """A Q-learner on one row of sticks: its settings, its table, its win rate, its distance to perfect play.

    Whenever a control moves, the practice begins again. "Run" shows it from the first game to the number on the
    slider; "One game" adds one.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "games", "learning_rate", "discount", "exploration", "decay",
        "opponent", "seed", "first", "sticks", "max_take", "ending", "window".
    steps : int
        Games beyond the number on the slider; negative during a run.
    **settings
        Values for controls; the others keep their defaults.

    Examples
    --------
    >>> lab = QLab(games=300)
    >>> lab.data.distance.right, lab.data.distance.winning
    (7, 7)
    >>> lab.games = 10
    >>> lab.data.distance.perfect
    False
    """

    title = "What does a Q-learner learn?"
    goal = "Move a slider and look: the win rate, the Q-table, and how far from perfect."
    template = "q.html"
    step_name = "One game"
    pause = 0.1
    PAST: ClassVar = {"steps": 0}
    games = slider("Games", "How many games it practises before you see it.", SLIDER_GAMES, 50)
    learning_rate = share(
        "Learning rate", "How far a value moves towards its target: 1 is all the way, 0 is not at all."
    ).tag(recorded=(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0))
    discount = share("Discount", "How much the value of the next state counts: 1 is in full, 0 is not at all.")
    exploration = share(
        "Exploration", "How often it tries a random legal move in practice, instead of the best it knows.", 0.0
    )
    decay = slider(
        "Its decay",
        "The number of games after which exploration has fallen to 0, in a straight line.",
        [("it does not fall", 0), *((f"{games:,} games", games) for games in DECAYS)],
    ).tag(recorded=(0, 100, 300, 1_000, 10_000))
    opponent = menu(
        "Opponent",
        "The other player in practice; the careless one tries illegal moves too.",
        [(opponent.words, name) for name, opponent in OPPONENTS.items()],
    )
    seed = seed()
    first = menu("Moves first", "Who makes the first move of each game.", MOVES_FIRST)
    sticks = number("Sticks", "How many sticks there are at the start.", 1, 30, 10)
    sticks.tag(recorded=range(5, 31, 5))
    max_take = number("Take at most", "The most sticks that one move can take.", 1, 7, 3)
    ending = ending()
    window = slider(
        "Window",
        "The win rate is counted over this number of last games; by default 5, and 50 from 300 games on.",
        WINDOWS,
    )
    BELOW = ("first", "sticks", "max_take", "ending", "window")  # what it plays

    @staticmethod
    def compute(
        sticks: int, max_take: int, ending: str, opponent: str, first: str, games: int, window: int, steps: int, **rates
    ) -> Practice:
        """A new learner, after the number of games on the slider and `steps` more."""
        exploration = rates.pop("exploration")
        decay = rates.pop("decay")
        schedule = linear(exploration, 0.0, games=decay) if decay else exploration
        learner = QLearner(make_game(sticks, max_take, ending), exploration=schedule, **rates)
        other = learner if opponent == "itself" else named.agent(opponent, seed=rates["seed"] + 1)
        practice = Practice(learner, other, first, window, games)
        if games + steps:
            practice.step(games + steps)
        return practice

    @classmethod
    def draw(cls, data: Practice, **settings) -> str:
        """The text, the win rate as a curve, the Q-table, and what the last game changed."""
        return super().draw(
            data,
            curve=groups(data.win_rate),
            ticks=ticks(len(data.result)),
            two_digits=two_digits,
            players=OPPONENTS,
            rules=rules_in_words(data.learner.game),
            **settings,
        )

    @staticmethod
    def code(opponent: str, first: str, games: int, steps: int, **settings) -> str:
        """The lines of code that make the same data."""
        other = OPPONENTS[opponent].code.format(settings["seed"] + 1)  # as in `compute`: not the learner's own seed
        exploration = settings["exploration"]
        if settings["decay"]:
            exploration = f"linear({exploration!r}, 0.0, games={settings['decay']:_})"
        # A learner that plays itself learns both seats, and is measured in both.
        measured_first = "alternate" if opponent == "itself" else first
        return f"""\
{game_code(settings["sticks"], settings["max_take"], settings["ending"])}
learner = QLearner(
    game,
    learning_rate={settings["learning_rate"]!r},
    discount={settings["discount"]!r},
    exploration={exploration},
    seed={settings["seed"]},
)
run = train(learner, {other}, games={games + steps:_}, first="{first}")

data = {{
    "values": learner.values,    # a row for each number of sticks, a column for each move
    "result": run.result,
    "win_rate": run.win_rate(window={window_of(settings["window"], games + steps)}),
    "distance": learner.distance_to_perfect(first="{measured_first}"),
}}
data["distance"]
"""

    def facts(self) -> dict[str, Any]:
        """The settings, the number of games `played`, and how well the learner plays after them."""
        distance = self.data.distance
        found = {name: getattr(distance, name) for name in ("right", "winning", "perfect", "beats_perfect")}
        rate = self.data.win_rate[-1:].tolist() or [None]
        return self.settings | found | {"played": len(self.data.result), "win_rate": rate[0]}

    # --- a run

    @property
    def at_once(self) -> int:
        """Games until the next picture of a run: one at first, so that you see it learn, then more and more."""
        played = len(self.data.result)
        jump = 1
        while played >= 10 * jump:
            jump = _next_round(jump)
        return jump - played % jump

    def run(self, steps: int | None = None) -> None:
        """Play on to the number of games on the slider; begin again if they have all been played."""
        if not self.running and self.data is not None and not self.data.left:
            self.start_again()
        super().run(steps)

    def start_again(self) -> None:
        """Stop, and go back to the table of zeros before the first game."""
        self.update(steps=-self.games)

    def is_untouched(self) -> bool:
        """Whether no game has been played."""
        return not len(self.data.result)

    def run_buttons(self) -> list[Button]:
        """As in every lab, but a run that is over can begin again, and one more game is always possible."""
        run, step, again = super().run_buttons()
        return [replace(run, disabled=not self.games), replace(step, disabled=self.running), again]

    @acts
    def one_step(self) -> None:
        """Play one game, even beyond the number on the slider."""
        self.data.step(1)

    @acts
    def clicked(self, to: str) -> None:
        """Show the next picture of a run, or the table of zeros before it; a page without a kernel asks for these."""
        if to == "begin":
            self.start_again()
        elif self.data.left:
            self.data.step(min(self.at_once, self.data.left))

    # --- without a kernel

    def events(self, first: QLab) -> Iterator[str]:
        """With the lesson's settings: a run, the first thirty games one by one, and three games after the run."""
        played = len(self.data.result)
        as_in_lesson = all(getattr(self, name) == getattr(first, name) for name in self.CONTROLS)
        if as_in_lesson:
            yield "to more" if self.data.left else "to begin"
            if played < 30 or 0 <= self.data.steps < 3:
                yield f"press {self.step_name}"
        if played:
            yield "press Start again"

    def events_of_run(self) -> list[str]:
        """The pictures of a run."""
        return ["to more"]


# --- pictures -------------------------------------------------------------------------------------------


def two_digits(value: float) -> str:
    """A value to two decimal places; never minus zero.

    Examples
    --------
    >>> two_digits(-0.25), two_digits(-0.001)
    ('−0.25', '0.00')
    """
    words = f"{value:.2f}"
    return "0.00" if words == "-0.00" else minus(words)


def groups(rate: np.ndarray) -> list[list[float]]:
    """The win rate after each game from the first full window on, or after groups of games if there are many.

    Parameters
    ----------
    rate : float64 array, shape (games,)
        NaN before the first full window.

    Returns
    -------
    list of [game, mean, lowest, highest]
        At most 300 of them; `game` is the middle of a group.

    Examples
    --------
    >>> groups(np.array([np.nan, 0.5, 1.0]))
    [[2.0, 0.5, 0.5, 0.5], [3.0, 1.0, 1.0, 1.0]]
    """
    games = np.flatnonzero(~np.isnan(rate))
    if len(games) == 0:
        return []
    begin = np.linspace(0, len(games), min(POINTS, len(games)), endpoint=False, dtype=int)
    parts = np.split(games, begin[1:])
    means = [(part.mean() + 1, rate[part].mean(), rate[part].min(), rate[part].max()) for part in parts]
    return np.array(means).tolist()


def ticks(games: int) -> list[int]:
    """At most six round numbers for an axis of games, beginning with 0.

    Examples
    --------
    >>> [ticks(games) for games in (0, 7, 10_001)]
    [[0], [0, 2, 4, 6], [0, 2000, 4000, 6000, 8000, 10000]]
    """
    step = 1
    while games >= 6 * step:
        step = _next_round(step)
    return list(range(0, games + 1, step))


def _next_round(number: int) -> int:
    """The next larger round number: 1, 2, 5, 10, 20, 50, ..."""
    leading = int(str(number)[0])
    return number * 5 // 2 if leading == 2 else number * 2
