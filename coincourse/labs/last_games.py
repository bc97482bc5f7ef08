"""What a student writes into the cell of a game: a plan against hats, a bet on hats, questions to masks, guests to send.

Nothing is revealed before it is written, and a value of the wrong kind is answered with one line.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from coincourse import checks
from coincourse.checks.contests import end_of
from coincourse.checks.judging import is_dots
from coincourse.checks.values import plain, shown
from coincourse.checks.verdict import Verdict
from coinlib.arena import evaluate
from coinlib.arguments import counted, whole_number
from coinlib.games import SCENARIOS, CoinGame
from coinlib.learners import Hats
from coinlib.match import play_match

from .base.amounts import listed

NIM = SCENARIOS["NIM"]
GAMES, ENOUGH = 1_000, 900  # what a plan plays, and what it has to win
AGAIN = "(Try {} with number {}: only the first one counts. Choose another number, and the masks are new.)"
TRIED: dict[tuple[str, int], list] = {}  # the questions and the guests of each number, in this kernel


def fill_hats(game: CoinGame, contents: Mapping[int, Sequence[int]]) -> Hats:
    """Return a player who draws from hats with these balls.

    Parameters
    ----------
    game : CoinGame
        One row.
    contents : dict of int to list of int
        For each number of sticks the balls in its hat.

    Examples
    --------
    >>> from coinlib import sticks
    >>> fill_hats(sticks(3), {1: [1, 2, 3], 2: [1, 1, 2, 3], 3: [1, 2, 2, 3]}).contents(2)
    [1, 1, 2, 3]
    """
    hats = Hats(game)
    for left in range(1, game.rows[0] + 1):
        for move in game.legal_moves((left,)):
            hats.put(left, move, contents[left].count(move.count))
    return hats


def play_plan(plan: Mapping[int, int], machine: Hats) -> Verdict:
    """Return whether a plan wins 900 of 1,000 games in which it moves first; if not, with the end of a lost game.

    Parameters
    ----------
    plan : dict of int to int
        For each number of sticks how many to take.
    machine : Hats
        The opponent, on one row.

    Examples
    --------
    >>> from coinlib import sticks
    >>> print(play_plan({2: 1, 1: 1}, Hats(sticks(2))))
    ✓ You win: 1,000 of 1,000 games, and 900 were needed.
    >>> print(play_plan({2: 1}, Hats(sticks(2))))
    ✗ `plan` has no take for 1 stick: write one for each number from 1 to 2.
    """
    game = machine.game
    plan = plain(plan)
    complaint = _about_plan(plan, game)
    if complaint:
        return Verdict("plan", False, (complaint,))

    def planned(game: CoinGame, state: tuple[int, ...]) -> int:
        return plan[state[0]]

    wins = evaluate(game, planned, machine, games=GAMES, seed=1, first="agent").wins
    if wins >= ENOUGH:
        return Verdict("plan", True, (f": {wins:,} of {GAMES:,} games, and {ENOUGH} were needed.",), headline="You win")
    matches = (play_match(game, planned, machine, seed=seed) for seed in itertools.count())
    lost = next(match for match in matches if match.winner != 1)
    won = f"Your plan won {wins:,} of {GAMES:,} games, and {ENOUGH} are needed."
    turns = end_of(lost, seat=1, opponent="it").turns
    return Verdict("plan", False, (won, "The end of a lost game:"), turns=turns)


def _about_plan(plan, game: CoinGame) -> str:
    """What is wrong with a plan; empty if nothing is."""
    if not isinstance(plan, dict):
        return f"A plan is a dictionary, such as {{2: 1, 1: 1}}; got {shown(plan)}."
    for left in range(game.rows[0], 0, -1):
        if left not in plan:
            return (
                f"`plan` has no take for {counted(left, 'stick')}: write one for each number from 1 to {game.rows[0]}."
            )
        takes = [move.count for move in game.legal_moves((left,))]
        if type(plan[left]) is not int or plan[left] not in takes:
            return f"With {counted(left, 'stick')} left you can take {listed(takes, 'or')}; `plan` says {shown(plan[left])}."
    return ""


def is_bet(hats) -> bool:
    """Return whether `hats` are two different hats from 2 to 30; if not, print what is missing.

    Examples
    --------
    >>> is_bet([4, 8])
    True
    >>> is_bet(...)
    ○ No bet yet.
    False
    >>> is_bet(7)
    ✗ A bet is two different hats from 2 to 30, such as [4, 8]; got 7.
    False
    """
    return _read(hats, _about_bet) is not None


class Masks:
    """Three of the guests in `checks.guests` behind masks, drawn at random; the same one may come more than once.

    Parameters
    ----------
    number : int
        The seed: another number draws other guests.

    Examples
    --------
    >>> masks = Masks(1)
    >>> masks.ask([(1, 3, 5, 7), (0, 0, 0, 5)])
    mask 1 takes [1, 2]
    mask 2 takes [1, 2]
    mask 3 takes [1, 2]
    >>> masks.ask([(1, 3, 5)])
    ✗ (1, 3, 5) is not a position of NIM: write four rows of at most 1, 3, 5 and 7 coins, not all of them empty.
    >>> masks.meet(["odd", "odd", "perfect"])
    ✗ There is no guest 'perfect': the guests are take_one, odd and leave_one.
    """

    def __init__(self, number: int) -> None:
        self._number = whole_number(number, "number")
        chance = np.random.default_rng(self._number)
        self._names = chance.choice(list(checks.guests), size=3).tolist()

    def ask(self, positions) -> None:
        """Print how many coins each of them takes in one or two positions, or what is wrong with the question."""
        positions = _read(positions, _about_positions)
        if positions is None:
            return
        for number, name in enumerate(self._names, 1):
            print(f"mask {number} takes", _answers(name, positions))
        if len({str(_answers(name, positions)) for name in checks.guests}) > 1:  # otherwise they reveal nothing
            self._count("questions", positions)

    def meet(self, sent) -> None:
        """Print how many of two games each of three guests wins against its mask, or what is wrong with their names."""
        sent = _read(sent, _about_guests)
        if sent is None:
            return
        won = 0
        for guest, mask in zip(sent, self._names):
            wins = evaluate(NIM, checks.guests[guest], checks.guests[mask], games=2).wins
            print(f"{guest} against {mask}: {wins} of 2 games won")
            won += wins
        if won == 2 * len(self._names):
            print("Six of six: you know all three masks.")
        self._count("guests", sent)

    def _count(self, what: str, tried: Sequence) -> None:
        """Print a line unless this is the first try with this number; the same cell run again is no new try."""
        tries = TRIED.setdefault((what, self._number), [])
        if list(tried) not in tries:
            tries.append(list(tried))
        place = 1 + tries.index(list(tried))
        if place > 1:
            print(AGAIN.format(place, self._number))


def _answers(name: str, positions: Sequence) -> list[int]:
    """How many coins a guest takes in some positions."""
    return [checks.guests[name](NIM, state)[1] for state in positions]


def _read(value, about: Callable[[Any], str]) -> Sequence | None:
    """What a student has written, as plain data; None, with a line about it, if `about` says that something is wrong."""
    value = plain(value)
    complaint = about(value)
    if complaint:
        print(complaint)
        return None
    return value


def _about_bet(hats) -> str:
    """What is wrong with a bet on hats; empty if nothing is."""
    if is_dots(hats):
        return "○ No bet yet."
    are_two = isinstance(hats, list | tuple) and len(hats) == 2 and hats[0] != hats[1]
    if are_two and all(type(hat) is int and 2 <= hat <= 30 for hat in hats):
        return ""
    return f"✗ A bet is two different hats from 2 to 30, such as [4, 8]; got {shown(hats)}."


def _about_positions(positions) -> str:
    """What is wrong with what a student asks the masks; empty if nothing is."""
    if not isinstance(positions, list | tuple) or len(positions) not in (1, 2):
        return f"✗ Ask about two positions in a list, such as [(1, 3, 5, 7), (0, 0, 0, 2)]; got {shown(positions)}."
    for position in positions:
        if not _is_position(position):
            rows = "four rows of at most 1, 3, 5 and 7 coins, not all of them empty"
            return f"✗ {shown(position)} is not a position of NIM: write {rows}."
    return ""


def _is_position(position) -> bool:
    """Whether there are coins, and in no row more than at the start of NIM."""
    if not isinstance(position, list | tuple) or len(position) != len(NIM.start) or not any(position):
        return False
    return all(type(count) is int and 0 <= count <= most for count, most in zip(position, NIM.start))


def _about_guests(names) -> str:
    """What is wrong with the guests that a student sends; empty if nothing is."""
    if is_dots(names):
        return "○ No guests are sent yet."
    if not isinstance(names, list | tuple) or len(names) != len(checks.guests):
        return f"✗ Send three guests in a list, one against each mask; got {shown(names)}."
    for name in names:
        if name not in list(checks.guests):
            return f"✗ There is no guest {shown(name)}: the guests are {listed(checks.guests, 'and')}."
    return ""
