"""Every slider of a Q-learner: what it has learnt, how often it wins, how far it is from perfect."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import ClassVar, NamedTuple

import ipywidgets as widgets
import numpy as np

from coinlib import named
from coinlib.arena import Match, Run, train
from coinlib.learners import Distance, QLearner, Seat, linear
from coinlib.solvers import solve

from .shared import BLUE, INK, batches, game_code, make_game, percent, rules, so_many
from .widget_lab import RunningLab, ending, linked, menu, number, seed, share, slider

GAMES = (0, 1, 2, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1_000, 2_000, 3_000, 5_000, 10_000)
DECAYS = (0, 50, 100, 300, 1_000, 3_000, 10_000)
WINDOWS = (5, 20, 50, 100, 500)
OPPONENTS = {
    "random": ("a random player", "RandomAgent(seed={})"),
    "careless": ("a careless player (illegal moves too)", "RandomAgent(seed={}, legal_only=False)"),
    "take one": ("one that always takes one", "RuleAgent(take_one)"),
    "perfect": ("a perfect player", "PerfectAgent(seed={})"),
    "itself": ("itself (one table for both sides)", "learner"),
}
ABOVE = 6  # controls that stand above the picture
AT_ONCE = 500  # games between two pictures of a run, so that one can watch


class Update(NamedTuple):
    """One change of the Q-table."""

    sticks: int
    took: int
    found: int | None  # sticks after the reply; None when the game was over
    reward: float
    target: float
    before: float
    after: float


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
    result : int8 array, shape (games,)
        +1 or -1 for the learner in each game.
    updates : list of Update
        What the last game changed, in order.
    """

    learner: QLearner
    opponent: object
    first: str
    window: int
    result: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))
    updates: list[Update] = field(default_factory=list)

    @property
    def values(self) -> np.ndarray:
        """float64 array, shape (S, M): the Q-table."""
        return self.learner.values

    @property
    def win_rate(self) -> np.ndarray:
        """float64 array, shape (games,): the rolling win rate."""
        return Run("", "", self.result, self.result > 0).win_rate(self.window)

    @property
    def distance(self) -> Distance:
        """How far from perfect play, in the seat in which it practises."""
        return self.learner.distance_to_perfect(_seat(self.first, self.opponent is self.learner))

    def go_on(self, games: int) -> None:
        """So many more games (1 or more); the updates of the last one are noted."""
        results = [self.result]
        if games > 1:
            for first, number_of in batches(self.first, len(self.result), games - 1):
                results.append(train(self.learner, self.opponent, number_of, first=first).result)
        learner_first = self.first == "agent" or (self.first == "alternate" and sum(map(len, results)) % 2 == 0)
        results.append(np.array([self._one_game(learner_first)], np.int8))
        self.result = np.concatenate(results)

    def _one_game(self, learner_first: bool) -> int:
        """The next game, played one move at a time; +1 or -1 for the learner."""
        self.updates = []
        noting = _NotingSeat(self.learner, self.updates)
        other = self.opponent
        if other is self.learner:
            other = _NotingSeat(self.learner, self.updates, noting)
        match = Match(self.learner.game, (noting, other) if learner_first else (other, noting))
        while not match.over:
            match.step()
        return 1 if (match.winner == 1) == learner_first else -1


class _NotingSeat(Seat):
    """A seat that writes down what it changes."""

    def __init__(self, learner: QLearner, updates: list[Update], partner: Seat | None = None) -> None:
        super().__init__(learner, partner)
        self.updates = updates

    def observe(self, state, move, reward: float, next_state) -> None:
        learner = self.learner
        place = learner.table.row(state), learner.table.column[move]
        target, before = reward, float(self.values[place])
        if next_state is not None:
            target += learner.discount * self.values[learner.table.row(next_state)].max()
        super().observe(state, move, reward, next_state)
        found = None if next_state is None else next_state[0]
        after = float(self.values[place])
        self.updates.append(Update(state[0], move.count, found, float(reward), float(target), before, after))


class QLab(RunningLab):
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
    >>> lab.inputs["games"].value = 10
    >>> lab.data.distance.perfect
    False
    """

    title = "What does a Q-learner learn?"
    goal = "Move a slider and look: the win rate, the Q-table, and how far from perfect. Arrow keys move a slider too."
    last_step = 100_000
    step_name = "One game"
    CONTROLS: ClassVar = {
        "games": slider(
            "Games", "How many games it practises before you see it.", [(f"{games:,}", games) for games in GAMES], 50
        ),
        "learning_rate": share(
            "Learning rate", "How far a value moves towards its target: 1 is all the way, 0 not at all.", 1.0
        ),
        "discount": share(
            "Discount", "What the value of the next state counts: 1 is in full, 0 looks at the last move alone.", 1.0
        ),
        "exploration": share(
            "Exploration", "How often it tries any legal move in practice, instead of the best it knows.", 0.0
        ),
        "decay": slider(
            "Its decay",
            "After so many games exploration has fallen to 0, in a straight line.",
            [("it does not fall", 0), *((f"{games:,} games", games) for games in DECAYS[1:])],
            0,
        ),
        "opponent": menu(
            "Opponent",
            "Who sits on the other side in practice.",
            [(words, name) for name, (words, _) in OPPONENTS.items()],
            "random",
        ),
        "first": menu(
            "Moves first",
            "Who makes the first move of each game.",
            [("the learner", "agent"), ("the opponent", "opponent"), ("they take turns", "alternate")],
            "agent",
        ),
        "sticks": number("Sticks", "How many sticks lie there at the start.", 1, 30, 10),
        "max_take": number("Take at most", "The most sticks that one move may take.", 1, 7, 3),
        "ending": ending(),
        "window": slider("Window", "The win rate is counted over so many last games.", WINDOWS, 5),
        "seed": seed(),
    }

    @staticmethod
    def begin(
        games: int,
        learning_rate: float,
        discount: float,
        exploration: float,
        decay: int,
        opponent: str,
        first: str,
        sticks: int,
        max_take: int,
        ending: str,
        window: int,
        seed: int,
    ) -> Practice:
        """A new learner after the games of the slider."""
        learner = QLearner(
            make_game(sticks, max_take, ending),
            learning_rate=_tidy(learning_rate),
            discount=_tidy(discount),
            exploration=linear(_tidy(exploration), 0.0, games=decay) if decay else _tidy(exploration),
            seed=seed,
        )
        practice = Practice(learner, _opponent(opponent, learner, seed + 1), first, window)
        if games:
            practice.go_on(games)
        return practice

    @staticmethod
    def advance(data: Practice, steps: int, **settings) -> None:
        """Practise so many games more."""
        data.go_on(steps)

    @staticmethod
    def draw(data: Practice, **settings) -> str:
        """Words, the rolling win rate, the Q-table as a heat map, and what the last game changed."""
        game = [settings[name] for name in ("sticks", "max_take", "ending")]
        noted = "".join(
            f"<p role='note'><strong>Look out:</strong> {escape(words)}</p>\n" for words in trouble(**settings)
        )
        return (
            f"<div class='coin-lab'>{linked(range(1, settings['sticks'] + 1))}\n"
            f"<p role='status'>{_summary(data, settings)}</p>\n{noted}"
            f"<div class='side'><div class='wide'>{_curve(data)}\n{_updates(data)}</div>\n{_heat_map(data)}</div>\n"
            f"<p>{escape(rules(*game))} {_who_first(settings)}</p></div>"
        )

    @staticmethod
    def code(steps: int = 0, **settings) -> str:
        """The lines of coinlib that make the same data."""
        opponent = OPPONENTS[settings["opponent"]][1].format(settings["seed"] + 1)
        exploration = f"{_tidy(settings['exploration'])!r}"
        if settings["decay"]:
            exploration = f"linear({exploration}, 0.0, games={settings['decay']:_})"
        names = {"QLearner", "sticks", "train"} | ({"linear"} if settings["decay"] else set())
        names |= {name for name in ("RandomAgent", "RuleAgent", "PerfectAgent") if name in opponent}
        rule = "from coinlib.agents import take_one\n" if settings["opponent"] == "take one" else ""
        seat = _seat(settings["first"], settings["opponent"] == "itself")
        return f"""\
from coinlib import {", ".join(sorted(names))}
{rule}
{game_code(settings["sticks"], settings["max_take"], settings["ending"])}
learner = QLearner(
    game,
    learning_rate={_tidy(settings["learning_rate"])!r},
    discount={_tidy(settings["discount"])!r},
    exploration={exploration},
    seed={settings["seed"]},
)
run = train(learner, {opponent}, games={settings["games"] + steps:_}, first="{settings["first"]}")

data = {{
    "values": learner.values,    # a row for each number of sticks, a column for each move
    "result": run.result,
    "win_rate": run.win_rate(window={settings["window"]}),
    "distance": learner.distance_to_perfect(first="{seat}"),
}}
data["distance"]
"""

    def start_again(self) -> None:
        """Stop, and go back to the table of zeros, before the first game."""
        if self.inputs["games"].value:
            self.inputs["games"].value = 0  # which draws
        else:
            super().start_again()

    def _moved(self, change) -> None:
        super().start_again()

    def _parts(self, shown) -> list[widgets.Widget]:
        """What the learner is like stands above the picture, what it plays below."""
        head, *lines, buttons, picture, show, code = super()._parts(shown)
        above = sum(name in shown for name in list(self.CONTROLS)[:ABOVE])
        return [head, *lines[:above], buttons, picture, *lines[above:], show, code]

    def _advance(self, steps: int) -> None:
        super()._advance(min(steps, AT_ONCE))


def _opponent(name: str, learner: QLearner, seed: int):
    """Who sits on the other side."""
    return learner if name == "itself" else named.agent(name, seed=seed)


def _seat(first: str, itself: bool) -> str:
    """The seat in which it is measured: both where it holds both in practice."""
    return "alternate" if itself else first


def _tidy(number: float) -> float:
    """A number from a slider without the dust of floating point."""
    return round(float(number), 6)


# --- words ---------------------------------------------------------------------------------------------------


def trouble(**settings) -> list[str]:
    """What is odd about a combination of settings, in words; nothing if all is well.

    Examples
    --------
    >>> settings = QLab.complete({"learning_rate": 0.0})
    >>> trouble(**settings)
    ['a learning rate of 0 moves no value: nothing is learnt, however many games it plays.']
    """
    said = []
    rate, exploration, decay, games = (settings[name] for name in ("learning_rate", "exploration", "decay", "games"))
    games += settings.get("steps", 0)
    if rate == 0:
        said.append("a learning rate of 0 moves no value: nothing is learnt, however many games it plays.")
    if settings["discount"] == 0:
        said.append("a discount of 0 passes nothing back: only moves that end the game get a value.")
    if exploration == 0 and decay:
        said.append("exploration is 0 from the start, so its decay changes nothing.")
    if exploration and decay > games:
        said.append(f"exploration falls to 0 in {decay:,} games, but only {so_many(games, 'game')} are played.")
    if exploration == 1 and not decay:
        said.append("exploration stays 1: every move of practice is random, so the win rate is that of random play.")
    if exploration == 0 and settings["opponent"] in ("take one", "perfect"):
        said.append("nobody tries new moves: without exploration it meets few states, and learns about no others.")
    if 0 < games < settings["window"]:
        said.append(
            f"the window of {settings['window']} games is not full yet after {so_many(games, 'game')}: no win rate."
        )
    return said + _trouble_of_game(settings)


def _trouble_of_game(settings) -> list[str]:
    said = []
    game = make_game(*(settings[name] for name in ("sticks", "max_take", "ending")))
    if settings["max_take"] == 1 or settings["sticks"] == 1:
        said.append("there is never a choice of moves here, so there is nothing to learn.")
    elif settings["opponent"] == "perfect":
        winner = solve(game).winner()
        seats = {"agent": (1,), "opponent": (2,), "alternate": (1, 2)}[settings["first"]]
        if winner not in seats:
            where = "first" if seats == (1,) else "second"
            said.append(
                f"who moves {where} loses this game against perfect play, so it can never win and sees no reward."
            )
    return said


def _summary(data: Practice, settings) -> str:
    """Games, wins and distance in words."""
    games, won = len(data.result), int(np.count_nonzero(data.result > 0))
    if not games:
        return "<strong>Before the first game</strong> every value is 0. " + _distance(data.distance)
    rate = data.win_rate[-1]
    lately = "" if np.isnan(rate) else f", and {percent(rate)} of the last {data.window}"
    exploring = data.learner.rates(1)[0][0]
    tries = f" Exploration is now {exploring:.2f}." if settings["exploration"] else ""
    return f"{_wins(games, won, settings)}{lately}.{tries} " + _distance(data.distance)


def _wins(games: int, won: int, settings) -> str:
    """How many games were won, and by whom."""
    after = f"<strong>After {so_many(games, 'game')}</strong>"
    if settings["opponent"] == "itself":
        counted = {
            "agent": "that moves first",
            "opponent": "that moves second",
            "alternate": "that began the first game",
        }
        return f"{after} against itself the side {counted[settings['first']]} has won {won:,}"
    return f"{after} against {escape(OPPONENTS[settings['opponent']][0])} it has won {won:,}"


def _distance(found: Distance) -> str:
    """How far it is from perfect, in words."""
    if not found.winning:
        return "<br><strong>How far from perfect:</strong> in this seat no state can be won against perfect play."
    missed = found.winning - found.visited
    never = f" It has never chosen in {missed} of these states." if missed else ""
    end = "It is perfect. " if found.perfect else f"It is wrong in {found.winning - found.right}. "
    return (
        f"<br><strong>How far from perfect:</strong> its best move is right in {found.right} of {found.winning} "
        f"winning states of its seat (states from which perfect play wins). {end}{never} "
        f"Against a perfect opponent it wins {percent(found.beats_perfect)} of games."
    )


def _who_first(settings) -> str:
    if settings["opponent"] == "itself":
        return "It holds both seats, so it learns as the first and as the second player."
    words = {
        "agent": "The learner always moves first.",
        "opponent": "The opponent always moves first.",
        "alternate": "Who moves first alternates; the learner begins.",
    }
    return words[settings["first"]]


# --- pictures ------------------------------------------------------------------------------------------------

LEFT, RIGHT, TOP, BOTTOM = 48, 412, 14, 176
POINTS = 300  # more games than this are drawn in groups


def _curve(data: Practice) -> str:
    """The rolling win rate as a line; with many games, the mean of each group and its range."""
    rate = data.win_rate
    games = len(rate)
    high = "".join(
        f"<line x1='{LEFT}' x2='{RIGHT}' y1='{_up(part / 4)}' y2='{_up(part / 4)}' stroke='#767676' stroke-opacity='0.5'/>"
        f"<text x='{LEFT - 6}' y='{float(_up(part / 4)) + 4:.1f}' text-anchor='end'>{25 * part} %</text>"
        for part in range(5)
    )
    marks = "".join(
        f"<text x='{_over(place, games)}' y='{BOTTOM + 17}' text-anchor='middle'>{place:,}</text>"
        for place in _ticks(games)
    )
    last = "no full window yet" if not games or np.isnan(rate[-1]) else f"{percent(rate[-1])} at the end"
    return (
        f"<svg viewBox='0 0 432 216' role='img' aria-label='Line: win rate over the last {data.window} games, "
        f"after each of {games:,} games; {last}.' style='width: 100%; max-width: 480px; font: 13px sans-serif' "
        f"fill='currentColor'>{high}{marks}{_line(rate)}"
        f"<text x='{(LEFT + RIGHT) / 2:g}' y='{BOTTOM + 35}' text-anchor='middle'>games practised; "
        f"won of the last {data.window}: {last}</text></svg>"
    )


def _ticks(games: int) -> list[int]:
    """Round numbers of games for the axis, at most six, the first 0.

    Examples
    --------
    >>> _ticks(0), _ticks(7), _ticks(50), _ticks(10_001)
    ([0], [0, 2, 4, 6], [0, 10, 20, 30, 40, 50], [0, 2000, 4000, 6000, 8000, 10000])
    """
    steps = (leading * 10**power for power in range(9) for leading in (1, 2, 5))
    return list(range(0, games + 1, next(step for step in steps if games < 6 * step)))


def _up(share: float) -> str:
    return f"{BOTTOM - share * (BOTTOM - TOP):.1f}"


def _over(game: float, games: int) -> str:
    return f"{LEFT + game / max(games, 1) * (RIGHT - LEFT):.1f}"


def _line(rate: np.ndarray) -> str:
    """The points from the first full window on."""
    games = len(rate)
    known = np.flatnonzero(~np.isnan(rate))
    if not len(known):
        return f"<text x='{(LEFT + RIGHT) / 2:g}' y='{(TOP + BOTTOM) / 2:g}' text-anchor='middle'>no full window yet</text>"
    groups = np.array_split(known, min(POINTS, len(known)))
    across = [_over(group.mean() + 1, games) for group in groups]
    mean = " ".join(f"{x},{_up(rate[group].mean())}" for x, group in zip(across, groups))
    shade = ""
    if len(known) > POINTS:
        upper = [f"{x},{_up(rate[group].max())}" for x, group in zip(across, groups)]
        lower = [f"{x},{_up(rate[group].min())}" for x, group in zip(across, groups)]
        shade = f"<polygon points='{' '.join(upper + lower[::-1])}' fill='#56B4E9' fill-opacity='0.45'/>"
    x, y = mean.rsplit(" ", 1)[-1].split(",")
    return (
        f"{shade}<polyline points='{mean}' fill='none' stroke='{BLUE}' stroke-width='2.5' stroke-linejoin='round'/>"
        f"<circle cx='{x}' cy='{y}' r='4' fill='{BLUE}' stroke='currentColor'/>"
    )


def _heat_map(data: Practice) -> str:
    """The Q-table: numbers on colours, ● at the learner's best move, ★ at moves that win against perfect play."""
    learner = data.learner
    game, table = learner.game, learner.table
    solution = solve(game)
    changed = {(update.sticks, update.took) for update in data.updates}
    moves = [move.count for move in table.moves]
    head = "".join(f"<th scope='col'>take {count}</th>" for count in moves)
    lines = []
    for row, state in enumerate(table.states):
        if table.over[row]:
            continue
        right = [move.count for move in solution.best_moves(state)]
        best = moves[int(learner.values[row].argmax())]
        cells = "".join(
            _cell(value, count == best, count in right, (state[0], count) in changed)
            for count, value in zip(moves, learner.values[row])
        )
        verdict = "no move wins" if not right else ("✓ right" if best in right else "✗ wrong")
        if not learner.visits[row]:
            verdict += ", never met"
        lines.append(
            f"<tr class='n{state[0]}' tabindex='0'><th scope='row'>{state[0]}</th>{cells}"
            f"<td style='text-align: left; white-space: nowrap'>{verdict}</td></tr>"
        )
    return (
        "<div class='scroll'><table><caption>The Q-table</caption>"
        f"<thead><tr><th scope='col'>sticks</th>{head}<th scope='col' style='text-align: left'>its best move</th></tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
        "<p>● its best move (the smallest of equals).<br>★ wins against perfect play.<br>"
        "Orange: below 0; blue: above 0.<br>Underlined: changed by the last game.<br>– cannot be made.</p></div>"
    )


def _cell(value: float, best: bool, right: bool, changed: bool) -> str:
    """One value on its colour: from orange (-1) over white (0) to blue (+1)."""
    if not np.isfinite(value):
        return "<td>–</td>"
    end = (86, 180, 233) if value > 0 else (230, 159, 0)
    part = min(abs(float(value)), 1.0)
    colour = ", ".join(f"{255 + part * (channel - 255):.0f}" for channel in end)
    number_of = f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")
    number_of = f"<u>{number_of}</u>" if changed else number_of
    edge = f"; box-shadow: inset 0 0 0 2px {INK}; font-weight: bold" if best else ""
    return (
        f"<td style='background: rgb({colour}); color: {INK}; white-space: nowrap{edge}'>"
        f"{'★' * right}{'●' * best} {number_of}</td>"
    )


def _updates(data: Practice) -> str:
    """What the last game changed, one line an update, in the order in which it happened."""
    if not data.updates:
        return "<p>Press “One game” to see what the next game changes in the table.</p>"
    lines = []
    for update in data.updates:
        if update.found is None:
            found = "end, won" if update.reward > 0 else "end, lost"
            target = f"{update.reward:+.0f}".replace("-", "−")
        else:
            found, target = f"{update.found}", f"{update.target:.2f}".replace("-", "−")
        before, after = (
            f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−") for value in (update.before, update.after)
        )
        lines.append(
            f"<tr class='n{update.sticks}' tabindex='0'><td>{update.sticks}</td><td>{update.took}</td><td style='white-space: nowrap'>{found}</td>"
            f"<td>{target}</td><td>{before}</td><td>{after}</td></tr>"
        )
    head = "".join(
        f"<th scope='col'>{words}</th>" for words in ("sticks", "took", "found next", "target", "before", "after")
    )
    return (
        "<div class='scroll'><table><caption>What the last game changed in the Q-table</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
        "<p>“Found next” is what lay there after the opponent's reply. The target is the reward at the end; before the end "
        "it is the discount times the best value of the state found. The value moves towards it by the learning rate.</p>"
    )
