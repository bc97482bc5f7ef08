"""Lesson 02: a random agent, win rates, how many games are needed, who has the advantage."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import numpy as np

from coinlib.arena import wilson
from coinlib.games import SCENARIOS, CoinGame, IllegalMove, Move, State, read_move

from .core import Case, Wrong, call, check_cases, report, shown

DRAWS = 2_000  # so many that a fair draw is told from one that is not


def random_move(function: Callable) -> None:
    """Check a random agent ``(game, state, generator) -> move``: legal moves only, each equally likely.

    Parameters
    ----------
    function : function
        The student's answer.

    Examples
    --------
    >>> random_move(lambda game, state, generator: game.moves[generator.integers(len(game.moves))])
    ✗ For rows (0, 1, 0, 0) and at most 2 your function chose Move(row=3, count=1), which is illegal: row 3...
    >>> def choose(game, state, generator):
    ...     moves = game.legal_moves(state)
    ...     return moves[generator.integers(len(moves))]
    >>> random_move(choose)
    ✓ Right: every move is legal, all are equally likely, and all chance comes from the generator.
    """

    def judge() -> str:
        games = [("NIM", (0, 1, 0, 0)), ("NIM", (0, 0, 2, 0)), ("NIM", (0, 1, 0, 2)), ("NIM_7", (1, 3, 5, 7))]
        for name, state in [*games, ("SINGLE_21_3", (2,)), ("SINGLE_21_3", (21,))]:
            for seed in range(20):
                _choices(function, SCENARIOS[name], state, seed, 1)
        _check_shares(function, SCENARIOS["NIM"], (1, 3, 0, 2))
        _check_generator(function, SCENARIOS["NIM"], (1, 3, 5, 7))
        return "Right: every move is legal, all are equally likely, and all chance comes from the generator."

    report(function, judge)


def _choices(function: Callable, game: CoinGame, state: State, seed: int, count: int) -> list[Move]:
    """What a student's agent chooses, `count` times with one generator; `Wrong` where that is no legal move."""
    given = f"rows {state} and at most {game.max_pick}"
    generator = np.random.default_rng(seed)

    def choose() -> list:
        return [function(game, state, generator) for _ in range(count)]

    moves = []
    for answer in call(choose, (), given):
        if answer is None:
            raise Wrong(f"For {given} your function returned None; expected one of the legal moves.")
        try:
            moves.append(read_move(game, state, answer))
        except IllegalMove as error:
            raise Wrong(f"For {given} your function chose {shown(answer)}, which is illegal: {error}.") from error
    return moves


def _check_shares(function: Callable, game: CoinGame, state: State) -> None:
    """`Wrong` unless each legal move comes up about equally often."""
    times = Counter(_choices(function, game, state, 1, DRAWS))
    legal = game.legal_moves(state)
    fair = DRAWS / len(legal)
    tolerance = 6 * math.sqrt(fair * (1 - 1 / len(legal)))  # six standard deviations
    for move in legal:
        if abs(times[move] - fair) > tolerance:
            raise Wrong(
                f"In {DRAWS:,} draws for rows {state} your function chose {move} {times[move]:,} times; "
                f"expected about {fair:,.0f}, as there are {len(legal)} legal moves and each is equally likely."
            )


def _check_generator(function: Callable, game: CoinGame, state: State) -> None:
    """`Wrong` unless the same seed gives the same moves."""
    once, again = (_choices(function, game, state, 7, 50) for _ in range(2))
    if once != again:
        raise Wrong(
            "Two generators with the same seed gave different moves. "
            "Draw from the generator that is passed in, and from nothing else."
        )


def win_rate(function: Callable) -> None:
    """Check ``(winner, player) -> share of the games that the player won``, from 0 to 1.

    Parameters
    ----------
    function : function
        The student's answer.

    Examples
    --------
    >>> win_rate(lambda winner, player: (winner == player).mean())
    ✓ Right, for both players, also where one of them never wins. (6 cases tried)
    >>> win_rate(lambda winner, player: (winner == player).sum())
    ✗ For the winners 1, 2, 1, 1 and player 1 your function returned 3; expected 0.75. A share lies between 0 and 1.
    """
    import pandas as pd

    share = "A share lies between 0 and 1."
    tried = [
        ([1, 2, 1, 1], 1, share),
        ([1, 2, 1, 1], 2, "Which player is asked for?"),
        ([2, 1], 1, ""),
        ([2, 2, 2], 1, "This player never won."),
        ([2, 2, 2], 2, "This player won every game."),
    ]
    cases = [
        Case(
            (pd.Series(winners, name="winner"), player),
            winners.count(player) / len(winners),
            f"the winners {', '.join(map(str, winners))} and player {player}",
            hint,
        )
        for winners, player, hint in tried
    ]
    part = pd.Series([1, 2, 2, 2], index=[7, 13, 19, 25], name="winner")
    cases.append(Case((part, 1), 0.25, "the winners 1, 2, 2, 2 of games 7, 13, 19 and 25, and player 1"))
    praise = "for both players, also where one of them never wins"
    check_cases(_plain(function), cases, praise, read=lambda answer: round(float(answer), 9))


def games_needed(function: Callable) -> None:
    """Check ``(rate) -> games``: 100, doubled until the interval of `rate` lies above one half.

    Parameters
    ----------
    function : function
        The student's answer.

    Examples
    --------
    >>> def doubled(rate):
    ...     games = 100
    ...     while wilson(round(rate * games), games)[0] <= 0.5:
    ...         games = 2 * games
    ...     return games
    >>> games_needed(doubled)
    ✓ Right, from 90 % to 50.5 %. (5 cases tried)
    >>> games_needed(lambda rate: 100)
    ✗ For a win rate of 55 % your function returned 100; expected 400. With 200 games the interval goes from
    48.1 % to 61.7 %: 50 % is still in it. With 400 games the interval goes from 50.1 % to 59.8 %: all of it lies
    above 50 %.
    """
    expected = {0.9: 100, 0.55: 400, 0.52: 3_200, 0.51: 12_800, 0.505: 51_200}
    cases = []
    for rate, games in expected.items():
        hint = _interval_words(rate, games)
        if games > 100:
            hint = f"{_interval_words(rate, games // 2)} {hint}"
        cases.append(Case((rate,), games, f"a win rate of {100 * rate:g} %", hint))
    check_cases(_plain(function), cases, "from 90 % to 50.5 %")


def _interval_words(rate: float, games: int) -> str:
    """What so many games tell about a win rate, in words."""
    low, high = wilson(round(rate * games), games)
    verdict = "all of it lies above 50 %" if low > 0.5 else "50 % is still in it"
    return f"With {games:,} games the interval goes from {100 * low:.1f} % to {100 * high:.1f} %: {verdict}."


def advantage(function: Callable) -> None:
    """Check ``(games) -> {scenario: player}``: who wins with perfect play, told from slips and winners.

    Parameters
    ----------
    function : function
        The student's answer; its argument is a DataFrame with columns scenario, slips, winner.

    Examples
    --------
    >>> def even(games):
    ...     games = games[games.slips % 2 == 0]
    ...     return {name: part.winner.iloc[0] for name, part in games.groupby("scenario")}
    >>> advantage(even)
    ✗ For one game of DOUBLE_21_3 with 3 slips, won by player 2, your function returned {}; expected
    {'DOUBLE_21_3': 1}. After an odd number of slips the win has changed sides.
    >>> advantage(lambda games: {name: 1 for name in games.scenario})
    ✗ For one game of SINGLE_21_3 without slips, won by player 2, your function returned {'SINGLE_21_3': 1};
    expected {'SINGLE_21_3': 2}. Nobody slipped, so whoever had the advantage kept it.
    """
    import pandas as pd

    tried = [
        (
            [("SINGLE_21_3", 0, 2)],
            {"SINGLE_21_3": 2},
            "one game of SINGLE_21_3 without slips, won by player 2,",
            "Nobody slipped, so whoever had the advantage kept it.",
        ),
        (
            [("NIM", 2, 1), ("NIM_7", 4, 2)],
            {"NIM": 1, "NIM_7": 2},
            "a game of NIM with 2 slips, won by player 1, and one of NIM_7 with 4 slips, won by player 2,",
            "Each slip hands the win to the other side: after two slips it is back where it was.",
        ),
        (
            [("DOUBLE_21_3", 3, 2)],
            {"DOUBLE_21_3": 1},
            "one game of DOUBLE_21_3 with 3 slips, won by player 2,",
            "After an odd number of slips the win has changed sides.",
        ),
        (
            [("NIM", 1, 2), ("NIM", 3, 2), ("NIM", 2, 1)],
            {"NIM": 1},
            "three games of NIM with 1, 3 and 2 slips, won by players 2, 2 and 1,",
            "Who won more often does not matter here; who won, and after how many slips, does.",
        ),
    ]
    cases = [
        Case((pd.DataFrame(rows, columns=["scenario", "slips", "winner"]),), expected, given, hint)
        for rows, expected, given, hint in tried
    ]
    check_cases(_plain(function), cases, "after even and odd numbers of slips", read=_players)


def _players(answer) -> dict:
    """A dict from a dict or a Series; its values as plain numbers."""
    return {name: int(player) for name, player in dict(answer).items() if int(player) == player}


def _plain(function: Callable) -> Callable:
    """The same function, with NumPy's numbers turned into Python's, so that messages show 3 and not np.int64(3)."""
    if not callable(function):
        return function

    def wrapped(*arguments):
        answer = function(*arguments)
        if isinstance(answer, dict):
            return {name: _number(value) for name, value in answer.items()}
        return _number(answer)

    return wrapped


def _number(value):
    return value.item() if isinstance(value, np.generic) else value
