"""Lesson 03, rules: a rule found by watching, one that beats random play, a counter, and copying on two rows."""

from __future__ import annotations

from collections.abc import Callable

from coinlib.agents import RandomAgent, RuleAgent
from coinlib.arena import AgentError, Evaluation, Match, play_match
from coinlib.arguments import counted
from coinlib.games import SCENARIOS, CoinGame, IllegalMove, Move, State
from coinlib.solvers import Solution, solve

from .core import Wrong, call, report, shown

MISERE = SCENARIOS["SINGLE_21_3"]
NORMAL = CoinGame(MISERE.rows, MISERE.max_pick, misere=False)
GAMES, SEED, WANTED = 500, 3, 0.70  # how many games a rule plays against random play, and what it should win


def _unknown(game: CoinGame, state: State) -> Move:
    """The rule that lesson 03 asks to be found by watching: play against it before you read on.

    It leaves an odd number of coins, with the smallest take that does so; one last coin it takes.
    """
    return Move(0, 1 if state[0] == 1 or state[0] % 2 == 0 else 2)


stranger = RuleAgent(_unknown, name="the stranger")


def found_rule(function: Callable) -> None:
    """Try a rule ``(game, state) -> move`` against what `stranger` does with 1 to 21 coins, and say how it did.

    Parameters
    ----------
    function : function (CoinGame, state) -> move
        The student's answer.

    Examples
    --------
    >>> found_rule(lambda game, state: 1)
    ✗ With 3 coins the stranger takes 2; your rule takes 1. They agree for 11 of the 21 counts.
    """

    def judge() -> str:
        rule = _rule(function)
        counts = range(1, MISERE.rows[0] + 1)
        pairs = [(count, stranger(MISERE, (count,)).count, rule(MISERE, (count,)).count) for count in counts]
        for count, theirs, yours in pairs:
            if theirs != yours:
                agree = sum(one == other for _, one, other in pairs)
                raise Wrong(
                    f"With {counted(count, 'coin')} the stranger takes {theirs}; your rule takes {yours}. "
                    f"They agree for {agree} of the {len(pairs)} counts."
                )
        return f"Right: your rule does what the stranger does. ({len(pairs)} cases tried)"

    report(function, judge)


def beats_random(function: Callable) -> None:
    """Let a rule play SINGLE_21_3 in normal play, moving first in every other game, and say how often it won.

    Parameters
    ----------
    function : function (CoinGame, state) -> move
        The student's answer; 70 % of 500 games with a fixed seed are wanted.

    Examples
    --------
    >>> beats_random(lambda game, state: 1)
    ✗ In normal play your rule won 41.0 % of 500 games (95 % interval 36.8 % to 45.4 %); 70 % are wanted. A lost
    game: ...
    """

    def judge() -> str:
        rule, random = _rule(function), RandomAgent(seed=SEED)
        lost, wins = [], 0
        for number in range(GAMES):
            you = 1 + number % 2
            match = _match(NORMAL, rule, random, you)
            wins += match.winner == you
            if match.winner != you:
                lost.append((len(match.moves), number, match, you))
        tally = Evaluation(GAMES, wins, 0, GAMES - wins)
        words = (
            f"your rule won {_percent(tally.win_rate)} of {GAMES:,} games "
            f"(95 % interval {_percent(tally.low)} to {_percent(tally.high)})"
        )
        example = _ending(*min(lost)[2:], "random play") if lost else ""
        if tally.win_rate < WANTED:
            raise Wrong(
                f"In normal play {words}; {100 * WANTED:.0f} % are wanted. "
                f"A lost game: {example} {_about_last_coins(rule)}"
            )
        return f"Right: {words}. " + (f"A lost game: {example}" if lost else "It lost none of them.")

    report(function, judge)


def _about_last_coins(rule) -> str:
    """The missed win with the fewest coins, where a rule does not take all of 1, 2 or 3."""
    for count in (2, 3):
        take = rule(NORMAL, (count,)).count
        if take < count:
            return (
                f"With {count} coins left your rule takes {take}. To take {count} would win at once: "
                "this is normal play, who takes the last coin wins."
            )
    return "Your rule takes the last coins where it can. What can it leave so that the other side cannot?"


def counter(function: Callable) -> None:
    """Let a rule play SINGLE_21_3 in misère play against `stranger`, from both seats, and say how it did.

    Parameters
    ----------
    function : function (CoinGame, state) -> move
        The student's answer; it should win both games.

    Examples
    --------
    >>> counter(lambda game, state: 1)
    ✗ Moving first, your rule loses to the stranger. With 8 coins left the stranger takes 1 and leaves 7, you take 1 \
and leave 6, the stranger takes 1 and leaves 5, you take 1 and leave 4, the stranger takes 1 and leaves 3, \
you take 1 and leave 2, the stranger takes 1 and leaves 1, you take 1 and leave 0. Misère play: you took the last \
coin and lose.
    """

    def judge() -> str:
        rule = _rule(function)
        for you, seat in ((1, "first"), (2, "second")):
            match = _match(MISERE, rule, stranger, you)
            if match.winner != you:
                other = " (Moving first, it wins.)" if you == 2 else ""
                story = _ending(match, you, "the stranger")
                raise Wrong(f"Moving {seat}, your rule loses to the stranger.{other} {story}")
        return "Right: your rule beats the stranger in misère play, moving first and moving second."

    report(function, judge)


def mirror(function: Callable) -> None:
    """Try a rule on two equal rows in normal play, moving second, against everything the first player can do.

    Parameters
    ----------
    function : function (CoinGame, state) -> move
        The student's answer.

    Examples
    --------
    >>> mirror(lambda game, state: (0 if state[0] else 1, 1))
    ✗ From rows (2, 2), at most 3 a turn, normal play, the first player can bring your rule to (0, 2). It then \
takes 1 from row 1 and leaves (0, 1). The other side takes 1 from row 1, the last coin, and wins.
    """
    games = [CoinGame((held, held), most, misere=False) for held in range(1, 8) for most in (3, None)]
    games.append(CoinGame((21, 21), 3, misere=False))
    _try_everything(function, games, "second", "on equal rows in normal play")


def misere_mirror(function: Callable) -> None:
    """Try a rule on DOUBLE_21_3 in misère play, moving first, against everything the second player can do.

    Parameters
    ----------
    function : function (CoinGame, state) -> move
        The student's answer.

    Examples
    --------
    >>> from coinlib.agents import closed_form
    >>> misere_mirror(closed_form)
    ✓ Right: moving first, your rule wins every game of DOUBLE_21_3 in misère play. (277 states tried)
    """
    _try_everything(function, [SCENARIOS["DOUBLE_21_3"]], "first", "of DOUBLE_21_3 in misère play")


def _try_everything(function: Callable, games: list[CoinGame], seat: str, where: str) -> None:
    """Try a rule in one seat ("first" or "second") of some games against everything the other side can do."""
    solutions = [solve(game) for game in games]  # before the clock runs: the first may have to be compiled

    def judge() -> str:
        asked = sum(_never_loses(function, solution, seat == "first") for solution in solutions)
        return f"Right: moving {seat}, your rule wins every game {where}. ({counted(asked, 'state')} tried)"

    report(function, judge)


def _never_loses(function: Callable, solution: Solution, first: bool) -> int:
    """How many states a rule was asked in; `Wrong` if some play of the other side beats it."""
    rule, game, wins = _rule(function), solution.game, solution.wins
    waiting = [game.start] if first else [game.play(game.start, move) for move in game.legal_moves(game.start)]
    answers: dict[State, Move] = {}
    while waiting:
        state = waiting.pop()
        if state in answers or game.is_over(state):
            continue
        answers[state] = rule(game, state)
        left = game.play(state, answers[state])
        waiting += [game.play(left, move) for move in game.legal_moves(left)]
    given_away = [state for state, move in answers.items() if wins[state] and wins[game.play(state, move)]]
    if given_away:
        state = min(given_away, key=lambda state: (sum(state), state))
        raise Wrong(_given_away(solution, state, answers[state], first))
    return len(answers)


def _given_away(solution: Solution, state: State, move: Move, first: bool) -> str:
    """How a rule gives a win away, in words."""
    game = solution.game
    left = game.play(state, move)
    who = "second" if first else "first"
    most = "any number of coins" if game.max_pick is None else f"at most {game.max_pick}"
    began = f"From rows {game.start}, {most} a turn, {game.ending}, "
    if state == game.start:
        came = f"your rule takes {_named(move)} and leaves {left}."
    else:
        came = f"the {who} player can bring your rule to {state}. It then takes {_named(move)} and leaves {left}."
    if game.is_over(left):
        return f"{began}{came} That was the last coin, and it loses."
    reply = solution.best_moves(left)[0]
    after = game.play(left, reply)
    answer = f"The other side takes {_named(reply)}"
    if game.is_over(after):
        return f"{began}{came} {answer}, the last coin, and wins."
    if sum(after) == 1:
        return f"{began}{came} {answer}, and your rule must take the last coin."
    return f"{began}{came} {answer} and leaves {after}, where whoever has to move loses against perfect play."


def _named(move: Move) -> str:
    return f"{move.count} from row {move.row}"


def _rule(function: Callable) -> Callable[[CoinGame, State], Move]:
    """A student's function as a rule that answers with a legal move, or raises `Wrong`."""

    def rule(game: CoinGame, state: State) -> Move:
        coins = counted(state[0], "coin") if len(state) == 1 else f"rows {state}"
        try:
            answer = call(function, (game, state), coins)
        except Wrong as wrong:
            raise Wrong(f"{wrong}{_about_error(state, wrong.__cause__)}") from wrong.__cause__
        if answer is None:
            raise Wrong(
                f"For {coins} your function returned None; expected a move. "
                "Does every way through it end with `return`? A loop that finds no move ends without one."
            )
        try:
            return game.read_move(state, answer)
        except IllegalMove as error:
            words = f"For {coins} your function returned {shown(answer)}, which is illegal: {error}."
            raise Wrong(f"{words}{_about_move(state, answer)}") from error

    return rule


def _about_error(state: State, error: BaseException | None) -> str:
    """What may have gone wrong where a rule raised a TypeError; nothing for other errors."""
    if not isinstance(error, TypeError):
        return ""
    if "positional argument" in str(error):
        return " A rule is asked with two things: the game, then the state."
    return " The state is a tuple: its count is `state[0]`." if len(state) == 1 else ""


def _about_move(state: State, answer) -> str:
    """What may have gone wrong with an illegal move."""
    if isinstance(answer, str):
        return " That is a text, in quotes. Return the number itself."
    if len(state) != 2:
        return ""
    if isinstance(answer, int):
        return " With two rows a move is a pair: the row, then how many coins."
    row, count = answer if isinstance(answer, tuple) and len(answer) == 2 else (None, None)
    if row in (0, 1) and state[row] < state[1 - row] and abs(count) == abs(state[0] - state[1]):
        return f" Row {row} is the shorter row here; rows are counted from 0."
    return ""


def _match(game: CoinGame, rule, opponent, you: int) -> Match:
    """One match with the student's rule as player `you`."""
    try:
        return play_match(game, *((rule, opponent) if you == 1 else (opponent, rule)))
    except AgentError as error:
        raise error.__cause__ or error from None


def _ending(match: Match, you: int, opponent: str) -> str:
    """The last moves of a match on one row, in words."""
    turns = [(number % 2 + 1, *pair) for number, pair in enumerate(zip(match.states, match.moves))]
    turns = [turn for turn in turns if turn[1][0] <= 8] or turns[-1:]
    told = []
    for player, (held,), (_, count) in turns:
        who, s = ("you", "") if player == you else (opponent, "s")
        told.append(f"{who} take{s} {count} and leave{s} {held - count}")
    won = match.winner == turns[-1][0]  # whoever took the last coin
    if turns[-1][0] == you:
        last, fate = "you", "win" if won else "lose"
    else:
        last, fate = opponent, "wins" if won else "loses"
    ending = match.game.ending
    return (
        f"With {turns[0][1][0]} coins left {', '.join(told)}. "
        f"{ending[0].upper()}{ending[1:]}: {last} took the last coin and {fate}."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
