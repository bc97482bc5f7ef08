"""Agents as answers: they must win from a seat, against every possible play or against a field of opponents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from coinlib.agents import RandomAgent
from coinlib.arena import Evaluation
from coinlib.arguments import counted
from coinlib.games import CoinGame, IllegalMove, Move, State, one_row, read_move
from coinlib.match import AgentError, Match, play_match
from coinlib.theory import is_lost, winning_moves
from coinlib.words import take_words

from .hints import NONE_HERE
from .judging import Wrong, praised, raised_for, wrong_for
from .values import plain, shown
from .verdict import Verdict

Agent = Callable[[CoinGame, State], Move]
A_PAIR = "A move is a pair: a row, counted from 0, and a number of coins, such as (3, 1)."
GAME_AND_STATE = "A rule is given the game, then the state: a tuple, whose first count is state[0]."
EMPTY_LIST = "Is a list empty here, as the list of moves that win if no move wins?"
ERRORS_OF_AGENTS = {
    "list index out of range.": EMPTY_LIST,
    "empty": EMPTY_LIST,
    "tuple index out of range.": GAME_AND_STATE,
    "TypeError": GAME_AND_STATE,
}


def legal_agent(function: Callable) -> Agent:
    """A student's function as an agent that answers with a legal move, or raises `Wrong`."""

    def agent(game: CoinGame, state: State) -> Move:
        place = counted(state[0], "coin") if len(state) == 1 else f"rows {state}"
        try:
            answer = function(game, state)
        except (Exception, SystemExit) as error:
            raise raised_for(place, error, ERRORS_OF_AGENTS) from error
        if answer is None:
            raise wrong_for(place, "your function returned None.", NONE_HERE)
        return _as_move(game, state, answer, place)

    return agent


def _as_move(game: CoinGame, state: State, answer, place: str) -> Move:
    """An answer as a legal move; `Wrong` if it is not one."""
    words = ""
    hint = ""
    try:
        if isinstance(plain(answer), int) and not one_row(game):
            hint = A_PAIR
        else:
            return read_move(game, state, answer)
    except IllegalMove as error:
        words = f", which is illegal: {error}"
        hint = _about_move(game, state, answer)
    except (TypeError, ValueError, AttributeError):  # of a student's own class
        words = ", which is not a move"
        hint = _about_move(game, state, answer)
    raise wrong_for(place, f"your function returned {shown(answer)}{words}.", hint)


def _about_move(game: CoinGame, state: State, answer) -> str:
    """What to say about several moves, a state, too many coins for one turn, or an empty row; otherwise empty."""
    legal = game.legal_moves(state)
    if type(answer) is list and answer and all(isinstance(move, tuple) and move in legal for move in answer):
        return "That is a list of moves: return one of them."
    is_pair = len(state) == 2  # as a move is
    if isinstance(answer, tuple) and not is_pair and answer in [game.play(state, move) for move in legal]:
        return "That is the state after a move: return the move itself, a row and a number of coins."
    if isinstance(answer, int) and game.max_pick is not None and answer > game.max_pick:
        return f"Here a turn takes at most {game.max_pick}: that is game.max_pick."
    if isinstance(answer, tuple) and answer and answer[0] in range(len(state)) and state[answer[0]] == 0:
        return f"Row {answer[0]} is empty: look at the counts in `state` before you choose a row. (Rows are counted from 0.)"
    return ""


def check_every_state(agent: Agent, game: CoinGame) -> None:
    """Raise `Wrong` unless an agent moves legally in every state of a game, the smallest first."""
    for state in states_of(game):
        agent(game, state)


def states_of(game: CoinGame) -> list[State]:
    """All states of a game in which a player has to move, the smallest first."""
    found = set()
    waiting = [game.start]
    while waiting:
        state = waiting.pop()
        if state not in found and not game.is_over(state):
            found.add(state)
            waiting += [game.play(state, move) for move in game.legal_moves(state)]
    return sorted(found, key=smallest_first)


def smallest_first(state: State) -> tuple[int, State]:
    """The key by which states are sorted: the number of coins first."""
    return sum(state), state


# --- against everything that the other side can do ------------------------------------------------------


def win_every_game(function: Callable, games: Sequence[CoinGame], seat: str, where: str) -> Verdict:
    """Try an agent in one seat of some games against everything the other side can do.

    Parameters
    ----------
    function : function (game, state) -> move
        The student's answer.
    games : sequence of CoinGame
        Each can be won from that seat.
    seat : {"first", "second"}
    where : str
        The games, for a message: what follows "wins every game".

    Returns
    -------
    Verdict
        `Wrong` is raised, with a state and a move that give a win away, if the other side has a way to win.

    Examples
    --------
    >>> from coinlib.agents import closed_form, take_one
    >>> from coinlib import sticks
    >>> praise = win_every_game(closed_form, [sticks(8, 3, misere=False)], "second", "on 8 sticks")
    >>> praise.headline, praise.lines
    ('Right', (': moving second, your agent wins every game on 8 sticks.', '(6 states tried)'))
    >>> win_every_game(take_one, [sticks(4, 3, misere=False)], "second", "on 4 sticks")
    Traceback (most recent call last):
        ...
    coincourse.checks.judging.Wrong: With 4 coins, at most 3 a turn, normal play, your agent can come to 2.
    It then takes 1 and leaves 1. The other side can win now: it takes 1.
    """
    agent = legal_agent(function)
    tried = 0
    for game in games:
        choices = choices_against_all_play(agent, game, seat)
        for state in sorted(choices, key=smallest_first):
            gives_away = not is_lost(game, game.play(state, choices[state]))
            if gives_away and not is_lost(game, state):
                raise Wrong(*_give_away_in_words(game, state, choices[state]))
        tried += len(choices)
    won = f": moving {seat}, your agent wins every game {where}."
    return praised(won, f"({counted(tried, 'state')} tried)")


def choices_against_all_play(agent: Agent, game: CoinGame, seat: str) -> dict[State, Move]:
    """The move of an agent in each state that it can reach in its seat, whatever the other side does."""
    if seat == "first":
        waiting = [game.start]
    else:
        waiting = [game.play(game.start, move) for move in game.legal_moves(game.start)]
    choices: dict[State, Move] = {}
    while waiting:
        state = waiting.pop()
        if state in choices or game.is_over(state):
            continue
        choices[state] = agent(game, state)
        left = game.play(state, choices[state])
        waiting += [game.play(left, move) for move in game.legal_moves(left)]
    return choices


def _give_away_in_words(game: CoinGame, state: State, move: Move) -> tuple[str, ...]:
    left = game.play(state, move)
    most = "any number of coins" if game.max_pick is None else f"at most {game.max_pick}"
    start = counted(game.start[0], "coin") if one_row(game) else f"rows {game.start}"
    found = f"With {start}, {most} a turn, {game.ending}, your agent can come to {_rest(game, state)}."
    taken = f"It then takes {take_words(game, move)} and leaves {_rest(game, left)}."
    if game.is_over(left):
        return found, taken, "That was the last coin, and it loses."
    reply = take_words(game, winning_moves(game, left)[0])
    return found, taken, f"The other side can win now: it takes {reply}."


def _rest(game: CoinGame, state: State) -> int | State:
    """What is left, for a message: with one row the number of coins."""
    return state[0] if one_row(game) else state


# --- against a field ------------------------------------------------------------------------------------


def check_both_seats(agent: Agent, game: CoinGame, opponent, name: str) -> None:
    """Raise `Wrong`, with the end of the lost game, unless an agent beats this opponent from both seats."""
    for seat, place in ((1, "first"), (2, "second")):
        match = play_from(agent, game, opponent, seat)
        if match.winner != seat:
            lines = [f"Moving {place}, your agent loses to {name}."]
            if seat == 2:
                lines.append("(Moving first, it wins.)")
            end = end_of(match, seat, name)
            raise Wrong(*lines, end.begins, turns=end.turns, after=end.after)


def play_from(agent: Agent, game: CoinGame, opponent, seat: int) -> Match:
    """One match with the student's agent as player 1 or 2."""
    agents = (agent, opponent) if seat == 1 else (opponent, agent)
    try:
        return play_match(game, *agents)
    except AgentError as error:
        raise error.__cause__ or error from None


def against_random(agent: Agent, game: CoinGame, games: int, seed: int) -> tuple[Evaluation, Match | None]:
    """How an agent does against random play, moving first in every other game; and its shortest loss."""
    random = RandomAgent(seed=seed)
    lost = []
    for number in range(games):
        seat = 1 + number % 2
        match = play_from(agent, game, random, seat)
        if match.winner != seat:
            lost.append(match)
    shortest = min(lost, key=lambda match: len(match.moves), default=None)
    return Evaluation(games, games - len(lost), 0, len(lost)), shortest


def rate_in_words(found: Evaluation) -> str:
    """A win rate with its interval: "41.0 % of 500 games (95 % interval 36.8 % to 45.4 %)"."""
    rate, low, high = (f"{100 * share:.1f} %" for share in (found.win_rate, found.low, found.high))
    return f"{rate} of {found.games:,} games (95 % interval {low} to {high})"


class End(NamedTuple):
    """The end of a lost game, for a `Verdict`."""

    begins: str  # the line before the turns
    turns: tuple[str, ...]  # the last ones, as text
    after: str  # who took the last coin


def end_of(match: Match, seat: int, opponent: str) -> End:
    """The end of a game that the student's agent has lost in this seat."""
    turns = []
    for turn in range(max(0, len(match.moves) - 4), len(match.moves)):
        move = match.moves[turn]
        taken = take_words(match.game, move)
        rest = _rest(match.game, match.states[turn + 1])
        if turn % 2 == seat - 1:
            turns.append(f"you take {taken} and leave {rest}")
        else:
            turns.append(f"{opponent} takes {taken} and leaves {rest}")
    students_turn_was_last = (len(match.moves) - 1) % 2 == seat - 1
    last = "you" if students_turn_was_last else opponent
    ending = match.game.ending.capitalize()
    return End("The end of the game:", tuple(turns), f"{ending}: {last} took the last coin.")
