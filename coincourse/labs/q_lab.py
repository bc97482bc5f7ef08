"""Every slider of a Q-learner: what it has learnt, how often it wins, how far it is from perfect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from coinlib import QLearner, linear, named, play_match, solve
from coinlib.distance import Distance
from coinlib.match import Match, who_begins
from coinlib.solvers import Solution
from coinlib.training import Run

from .controls import menu, number, seed, share, slider
from .lab import Lab
from .pages import TEMPLATES
from .shared import ending, game_code, go_on, make_game, turns_of, with_imports

GAMES = (0, 1, 2, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1_000, 2_000, 3_000, 5_000, 10_000)
DECAYS = (50, 100, 300, 1_000, 3_000, 10_000)
WINDOWS = (5, 20, 50, 100, 500)
OPPONENTS = {  # in words, and in code
    "random": ("a random player", "RandomAgent(seed={})"),
    "careless": ("a careless player (illegal moves too)", "RandomAgent(seed={}, legal_only=False)"),
    "take one": ("one that always takes one", "RuleAgent(take_one)"),
    "perfect": ("a perfect player", "PerfectAgent(seed={})"),
    "itself": ("itself (one table for both sides)", "learner"),
}
FIRST = [("the learner", "agent"), ("the opponent", "opponent"), ("they take turns", "alternate")]
LAST_STEP = 100_000  # where a run ends by itself
POINTS = 300  # more games than this are drawn in groups


# --- what happens --------------------------------------------------------------------------------------------


class Update(NamedTuple):
    """One change of the Q-table; `found` is what lay there after the reply, None when the game was over."""

    sticks: int
    took: int
    found: int | None
    target: float
    before: float
    after: float


def updates_of(match: Match, seats: tuple, learner: QLearner, before: np.ndarray) -> list[Update]:
    """What a game has changed, turn by turn; `before` is the learner's table before the game.

    Each number of sticks is met once in a game, so what the learner found is what lay there before.
    """
    turns, updates = turns_of(match), []
    for turn, (sticks, took) in enumerate(turns):
        if seats[turn % 2] is learner:
            place = learner.table.row((sticks,)), took - 1
            found, target = None, 1.0 if match.winner == turn % 2 + 1 else -1.0
            if turn + 2 < len(turns):
                found, _ = turns[turn + 2]
                target = learner.discount * before[learner.table.row((found,))].max()
            updates.append(Update(sticks, took, found, target, before[place], learner.values[place]))
    return updates


@dataclass
class Practice:
    """A learner and all it has gone through.

    Attributes
    ----------
    learner : QLearner
    opponent : agent
    first : str
        Who moves first, as in `train`.
    window : int
    games : int
        Those of the slider.
    result : int8 array, shape (games,)
        +1 or -1 for the learner in each game.
    updates : list of Update
        What the last game changed, in order.
    """

    learner: QLearner
    opponent: object
    first: str
    window: int
    games: int
    result: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))
    updates: Sequence[Update] = ()

    @property
    def values(self) -> np.ndarray:
        """float64 array, shape (S, M): the Q-table."""
        return self.learner.values

    @property
    def win_rate(self) -> np.ndarray:
        """float64 array, shape (games,): the rolling win rate."""
        return Run("the learner", "its opponent", self.result, None).win_rate(self.window)

    @property
    def distance(self) -> Distance:
        """How far from perfect play, in the seat in which it practises, or in both."""
        return self.learner.distance_to_perfect("alternate" if self.opponent is self.learner else self.first)

    @property
    def solution(self) -> Solution:
        """What perfect play would do."""
        return solve(self.learner.game)

    @property
    def steps(self) -> int:
        """Games after those of the slider."""
        return len(self.result) - self.games

    @property
    def left(self) -> int:
        """The games that a run can still add."""
        return LAST_STEP - self.steps

    def step(self, games: int) -> None:
        """So many games more (1 at least), the last one a move at a time, so that its updates can be seen."""
        hidden = go_on(self.learner, self.opponent, games - 1, self.first, len(self.result))
        order, before = who_begins(self.first), self.learner.values
        side = order[(len(self.result) + games - 1) % len(order)]
        seats = (self.opponent, self.learner) if side else (self.learner, self.opponent)
        match = play_match(self.learner.game, *seats, learn=True)
        self.updates = updates_of(match, seats, self.learner, before)
        last = np.int8(1 if match.winner == side + 1 else -1)
        self.result = np.concatenate([self.result, hidden, [last]])


# --- the lab -------------------------------------------------------------------------------------------------


class QLab(Lab):
    """A Q-learner on one row of sticks: all its settings, its table, its win rate, its distance to perfect play.

    It practises afresh whenever a control is moved. "One game" and "Run" add games to those of
    the slider.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "games", "learning_rate", "discount", "exploration", "decay",
        "opponent", "first", "sticks", "max_take", "ending", "window", "seed".
    steps : int
        Games after those of the slider.
    **settings
        A value for each control that should not have its default.

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
    goal = "Move a slider and look: the win rate, the Q-table, and how far from perfect. Arrow keys move a slider too."
    template = "q.html"
    step_name = "One game"
    at_once = 500  # so that one can watch
    PAST: ClassVar = {"steps": 0}
    games = slider("Games", "How many games it practises before you see it.", GAMES, 50)
    learning_rate = share("Learning rate", "How far a value moves towards its target: 1 is all the way, 0 not at all.")
    discount = share(
        "Discount", "What the value of the next state counts: 1 is in full, 0 looks at the last move alone."
    )
    exploration = share(
        "Exploration", "How often it tries any legal move in practice, instead of the best it knows.", 0.0
    )
    decay = slider(
        "Its decay",
        "After so many games exploration has fallen to 0, in a straight line.",
        [("it does not fall", 0), *((f"{games:,} games", games) for games in DECAYS)],
    ).tag(recorded=(0, 100, 1_000, 10_000))
    opponent = menu(
        "Opponent", "Who sits on the other side in practice.", [(words, name) for name, (words, _) in OPPONENTS.items()]
    )
    first = menu("Moves first", "Who makes the first move of each game.", FIRST)
    sticks = number("Sticks", "How many sticks lie there at the start.", 1, 30, 10).tag(recorded=range(5, 31, 5))
    max_take = number("Take at most", "The most sticks that one move may take.", 1, 7, 3)
    ending = ending()
    window = slider("Window", "The win rate is counted over so many last games.", WINDOWS, 5)
    seed = seed()
    BELOW = ("first", "sticks", "max_take", "ending", "window", "seed")  # what it plays; above, what it is like

    @staticmethod
    def compute(
        sticks: int, max_take: int, ending: str, opponent: str, first: str, games: int, window: int, steps: int, **rates
    ) -> Practice:
        """A new learner after the games of the slider, and so many more."""
        exploration, decay = rates.pop("exploration"), rates.pop("decay")
        schedule = linear(exploration, 0.0, games=decay) if decay else exploration
        learner = QLearner(make_game(sticks, max_take, ending), exploration=schedule, **rates)
        other = learner if opponent == "itself" else named.agent(opponent, seed=rates["seed"] + 1)
        practice = Practice(learner, other, first, window, games)
        if games + steps:
            practice.step(games + steps)
        return practice

    @staticmethod
    def code(opponent: str, first: str, games: int, steps: int, **settings) -> str:
        """The lines of coinlib that make the same data."""
        decay, other = settings["decay"], OPPONENTS[opponent][1].format(settings["seed"] + 1)
        falling = f"linear({settings['exploration']!r}, 0.0, games={decay:_})"
        seat = "alternate" if opponent == "itself" else first
        return with_imports(f"""\
{game_code(settings["sticks"], settings["max_take"], settings["ending"])}
learner = QLearner(
    game,
    learning_rate={settings["learning_rate"]!r},
    discount={settings["discount"]!r},
    exploration={falling if decay else settings["exploration"]},
    seed={settings["seed"]},
)
run = train(learner, {other}, games={games + steps:_}, first="{first}")

data = {{
    "values": learner.values,    # a row for each number of sticks, a column for each move
    "result": run.result,
    "win_rate": run.win_rate(window={settings["window"]}),
    "distance": learner.distance_to_perfect(first="{seat}"),
}}
data["distance"]
""")

    def start_again(self) -> None:
        """Stop, and go back to the table of zeros, before the first game."""
        self.change(games=0, **self.PAST)

    def events(self, first: QLab) -> Iterator[str]:
        """Game by game from the lesson's settings, and further from a table of zeros."""
        as_in_lesson = self.settings | {"games": first.games, "steps": first.data.steps} == first.settings
        if as_in_lesson and self.data.steps < (3 if self.games else 30):
            yield f"press {self.step_name}"
        if self.games or self.data.steps:
            yield "press Start again"


# --- pictures ------------------------------------------------------------------------------------------------


def signed(value: float) -> str:
    """A value with two digits; none is minus zero.

    Examples
    --------
    >>> signed(-0.25), signed(-0.001)
    ('−0.25', '0.00')
    """
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")


def ground(value: float) -> str:
    """The colour of a value: from orange (-1) over white (0) to blue (+1)."""
    end = (86, 180, 233) if value > 0 else (230, 159, 0)
    return f"rgb({', '.join(f'{255 + min(abs(value), 1) * (channel - 255):.0f}' for channel in end)})"


def groups(rate: np.ndarray) -> list[list[float]]:
    """The win rate of each game from the first full window on, or of groups of games, where there are many.

    Parameters
    ----------
    rate : float64 array, shape (games,)
        NaN before a full window.

    Returns
    -------
    list of [game, mean, lowest, highest]
        At most 300 of them, with the middle of each group.

    Examples
    --------
    >>> groups(np.array([np.nan, 0.5, 1.0]))
    [[2.0, 0.5, 0.5, 0.5], [3.0, 1.0, 1.0, 1.0]]
    """
    games = np.flatnonzero(~np.isnan(rate))
    begin = np.linspace(0, len(games), min(POINTS, len(games)), endpoint=False, dtype=int)
    parts = np.split(games, begin[1:]) if len(games) else []
    means = [(part.mean() + 1, rate[part].mean(), rate[part].min(), rate[part].max()) for part in parts]
    return np.array(means).tolist()


def ticks(games: int) -> list[int]:
    """Round numbers for an axis of games, at most six, the first 0.

    Examples
    --------
    >>> [ticks(games) for games in (0, 7, 10_001)]
    [[0], [0, 2, 4, 6], [0, 2000, 4000, 6000, 8000, 10000]]
    """
    steps = (leading * 10**power for power in range(9) for leading in (1, 2, 5))
    return list(range(0, games + 1, next(step for step in steps if games < 6 * step)))


TEMPLATES.globals |= {"signed": signed, "ground": ground, "groups": groups, "ticks": ticks, "players": OPPONENTS}
