"""Lesson 12, the proof: break a claim by program, make it four together, 2026 sticks, several rows in both endings."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement

from coinlib.arguments import counted
from coinlib.games import CoinGame, IllegalMove, State, sticks
from coinlib.solvers import solve

from .core import Case, Wrong, call, check_cases, refusal, report, same, shown

Claim = Callable[[int], bool]
MANY = 100_003  # one count after the other is still in time, and a list of them fits into a small computer


def break_claim(function) -> None:
    """Try ``break_claim(claim, lost)``, the smallest count for which a claim is wrong, and say how it did.

    Parameters
    ----------
    function : function (claim, list of bool) -> int or None
        The student's answer. ``claim(count)`` says True for "lost"; ``lost[count]`` is the truth.

    Examples
    --------
    >>> break_claim(lambda claim, lost: None)
    ✗ For the claim "every count is lost" and lost = [True, False, False, False, True] your function returned None; \
expected 1. The claim says True for 1, and lost[1] is False.
    """
    four = (~solve(sticks(12, max_pick=3, misere=False)).wins).tolist()
    three = (~solve(sticks(30, max_pick=2, misere=False)).wins).tolist()
    far = (~solve(sticks(400, max_pick=3, misere=False)).wins).tolist()
    claims: list[tuple[str, Claim, list[bool]]] = [
        ("every count is lost", lambda count: True, four[:5]),
        ("no count is lost", lambda count: False, four[:5]),
        ("in normal play the multiples of four are lost", lambda count: count % 4 == 0, four),
        ("in normal play the even counts are lost", lambda count: count % 2 == 0, four),
        ("in normal play with 1 or 2 a turn the multiples of three are lost", lambda count: count % 3 == 0, three),
        ("in normal play the multiples of four below 400 are lost", lambda count: count % 4 == 0 and count < 400, far),
    ]

    def judge() -> str:
        for name, claim, lost in claims:
            wrong = [count for count, truth in enumerate(lost) if claim(count) != truth]
            expected = wrong[0] if wrong else None
            held = f"lost = {lost}" if len(lost) <= 13 else f"a list of {len(lost)} truths"
            given = f'the claim "{name}" and {held}'
            answer = call(function, (claim, list(lost)), given)
            if answer != expected or isinstance(answer, bool):
                raise Wrong(
                    f"For {given} your function returned {shown(answer)}; expected {expected}."
                    f"{_about_claim(answer, expected, claim, lost, wrong)}"
                )
        return f"Right, for claims that hold and claims that break, early and late. ({len(claims)} claims tried)"

    report(function, judge)


def _about_claim(answer, expected: int | None, claim: Claim, lost: list[bool], wrong: list[int]) -> str:
    """What a wrong answer shows."""
    if expected is None:
        return " Nothing breaks this claim: return None, and only after the last count."
    if isinstance(answer, bool):
        return " Return the count itself, not True or False."
    if answer in wrong:
        return f" The claim is wrong there too, but {expected} is smaller."
    if isinstance(answer, list) and answer == wrong:
        return " Return the smallest one, not a list."
    if answer == len(lost) or (answer is None and expected == len(lost) - 1):
        return " Look at the last place of the list as well."
    return f" The claim says {claim(expected)} for {expected}, and lost[{expected}] is {lost[expected]}."


def make_four(function) -> None:
    """Try an agent that answers on one row in normal play, against everything that the first player can do.

    It moves second on multiples of k + 1 sticks, with 1 to k a turn, for k from 1 to 6: starts
    that are lost for the first player in normal play.

    Parameters
    ----------
    function : function (CoinGame, state) -> int or move
        The student's answer.

    Examples
    --------
    >>> make_four(lambda game, state: 1)
    ✗ Normal play, 4 sticks, at most 3 a turn: the first player takes 1 and leaves 3, your agent takes 1 and leaves \
2. The first player takes 2, the last sticks, and wins.
    """
    games = [sticks(times * (most + 1), most, misere=False) for most in (3, 1, 2, 4, 5, 6) for times in (1, 2, 5)]
    solutions = {game: solve(game) for game in games}  # before the clock runs: the first may have to be compiled

    def judge() -> str:
        asked = sum(_answers_always(function, game, solutions[game]) for game in games)
        return (
            "Right: moving second, your agent wins every game of normal play on multiples of k + 1 sticks. "
            f"(k from 1 to 6, {counted(asked, 'position')} tried)"
        )

    report(function, judge)


def _answers_always(function, game: CoinGame, solution) -> int:
    """In how many positions the agent was asked; `Wrong` where it gives the win away."""
    (start,) = game.start
    came_from = {start - move.count: start for move in game.legal_moves(game.start)}
    asked: set[int] = set()
    while came_from:
        left = max(came_from)
        before = came_from.pop(left)
        if left in asked or left == 0:
            continue
        asked.add(left)
        take = _take(function, game, (left,))
        after = left - take
        if solution.wins[after]:
            raise Wrong(_given_away(game, before, left, take, solution))
        for move in game.legal_moves((after,)):
            came_from.setdefault(after - move.count, after)
    return len(asked)


def _take(function, game: CoinGame, state: State) -> int:
    """What an agent takes; `Wrong` if that is no legal move."""
    given = f"{counted(state[0], 'stick')} and at most {game.max_pick}"
    answer = call(function, (game, state), given)
    if answer is None:
        raise Wrong(
            f"For {given} your agent returned None; expected a take. Does every way through it end with `return`?"
        )
    try:
        return game.read_move(state, answer).count
    except IllegalMove as error:
        hint = _about_illegal(answer, game)
        raise Wrong(f"For {given} your agent returned {shown(answer)}, which is illegal: {error}.{hint}") from error


def _about_illegal(answer, game: CoinGame) -> str:
    if isinstance(answer, tuple):
        return " The state is a tuple: state[0] is the number of sticks."
    if isinstance(answer, int) and answer > game.max_pick:
        return " At most game.max_pick may be taken, and that is not always 3."
    return ""


def _given_away(game: CoinGame, before: int, left: int, take: int, solution) -> str:
    after, reply = left - take, solution.best_moves((left - take,))[0].count
    came = "" if before == game.start[0] else f"from {before} "
    began = (
        f"Normal play, {counted(game.start[0], 'stick')}, at most {game.max_pick} a turn: {came}the first player "
        f"takes {before - left} and leaves {left}, your agent takes {take} and leaves {after}."
    )
    if after == reply:
        return f"{began} The first player takes {reply}, the last stick{'s' * (reply > 1)}, and wins."
    return f"{began} The first player takes {reply} and leaves {after - reply}, a multiple of {game.max_pick + 1}."


def first_take(function) -> None:
    """Try ``first_take(count, max_pick, misere)``, the take that wins or None, and say how it did.

    Parameters
    ----------
    function : function (int, int, bool) -> int or None
        The student's answer.

    Examples
    --------
    >>> first_take(lambda count, max_pick, misere: count % (max_pick + 1) or None)
    ✗ For 1 stick, at most 3 a turn, misère play your function returned 1; expected None. That is the answer of normal \
play. Here who takes the last stick loses.
    """
    small = [(count, most, misere) for count in range(1, 10) for most in (3, 2) for misere in (False, True)]
    large = [(2026, 3, False), (2026, 3, True), (2026, 12, True), (MANY, 3, False), (MANY, 4, True)]
    games = [*small, *large]

    def judge() -> str:
        for count, most, misere in games:
            given = _game_in_words(count, most, misere)
            answer = call(function, (count, most, misere), given)
            expected = _winning_take(count, most, misere)
            if not same(answer, expected):
                hint = _about_take(answer, count, most, misere)
                raise Wrong(refusal(given, answer, expected, hint))
        return f"Right, in normal play and in misère play, from 1 stick to 100,003. ({len(games)} cases tried)"

    report(function, judge)


def _winning_take(count: int, most: int, misere: bool) -> int | None:
    """By the solver; where the count is too large for it, by a smaller count with the same remainder."""
    small = count if count < 100 else 2 * (most + 1) + count % (most + 1)
    return next((move.count for move in solve(sticks(small, most, misere)).best_moves((small,))), None)


def _game_in_words(count: int, most: int, misere: bool) -> str:
    return f"{counted(count, 'stick')}, at most {most} a turn, {'misère' if misere else 'normal'} play"


def _about_take(answer, count: int, most: int, misere: bool) -> str:
    """What a wrong take shows."""
    take = _winning_take(count, most, misere)
    if answer is None:
        return f"Leave {count - take:,}: there the other side is lost."
    if isinstance(answer, bool) or not isinstance(answer, int):
        return "Return one whole number, or None."
    if answer == 0:
        return "One cannot take 0. Where no take wins, return None."
    if answer < 0 or answer > min(most, count):
        return f"A take is from 1 to {min(most, count)} here." if min(most, count) > 1 else "Only 1 can be taken here."
    if answer == _winning_take(count, most, not misere):
        if misere:
            return "That is the answer of normal play. Here who takes the last stick loses."
        return "That is the answer of misère play. Here who takes the last stick wins."
    reply = _winning_take(count - answer, most, misere)
    if reply is None:  # the other side need not find a take: the game is over
        return "That takes the last stick, and in misère play who takes it loses."
    return f"That leaves {count - answer:,}, and the other side takes {reply} and wins."


def lost_rows(function) -> None:
    """Try ``lost_rows(values, misere)``, whether rows with these Grundy values are lost, and say how it did.

    Parameters
    ----------
    function : function (list of int, bool) -> bool
        The student's answer.

    Examples
    --------
    >>> from coinlib.theory import nim_sum
    >>> lost_rows(lambda values, misere: nim_sum(*values) == 0)
    ✗ For values [0] in misère play your function returned True; expected False. All values are 0 or 1: here the \
exception holds, and XOR 1 is lost.
    """
    cases = [
        Case((list(values), misere), _is_lost(values, misere), _values_in_words(values, misere), _about(values, misere))
        for rows, most in ((1, 5), (2, 5), (3, 5), (4, 3))
        for values in combinations_with_replacement(range(most + 1), rows)
        for misere in (False, True)
    ]
    check_cases(function, cases, "for one to four rows, in both endings")


def _is_lost(values: tuple[int, ...], misere: bool) -> bool:
    """By the solver: without a bound a row of v coins has the value v."""
    return not solve(CoinGame((5, 5, 5, 5), None, misere)).wins[(*values, *(0,) * (4 - len(values)))]


def _values_in_words(values: tuple[int, ...], misere: bool) -> str:
    return f"values {list(values)} in {'misère' if misere else 'normal'} play"


def _about(values: tuple[int, ...], misere: bool) -> str:
    if not misere:
        return "Normal play: lost where the XOR of all values is 0."
    if max(values) <= 1:
        return "All values are 0 or 1: here the exception holds, and XOR 1 is lost."
    return "Some value is above 1: the exception does not hold here."
