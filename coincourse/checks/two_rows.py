"""A student's rule for the losing positions of a game, compared with the solver; hints for rules of two rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from coinlib.arguments import counted
from coinlib.games import CoinGame, State
from coinlib.theory import is_lost

from .contests import states_of
from .hints import NONE_HERE, RETURNED_NONE
from .judging import Wrong, raised_for, wrong_for
from .values import shown

FEWEST_STATES = 10  # a smaller game shows no pattern
GAME_AND_RULE = "Hand in both: my_answer = my_game, lost."
LONGER = 7  # coins: a list of the states that were seen says nothing about longer rows
MOST_STATES = 5_000


def read_pair(answer: object) -> tuple[CoinGame, Callable, list[State]]:
    """The game, the rule and the states of the game that a student has handed in; `Wrong` if that is not a pair."""
    if callable(answer):
        raise Wrong("The check was given your rule alone.", GAME_AND_RULE)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise Wrong(f"The check was given {shown(answer)}.", GAME_AND_RULE)
    if not callable(answer[1]):
        raise Wrong(f"The second of the two is {shown(answer[1])}; expected your rule.", GAME_AND_RULE)
    game, rule = answer
    if not isinstance(game, CoinGame):
        raise Wrong(f"The first of the two is {shown(game)}; expected a CoinGame.", GAME_AND_RULE)
    states = states_of(game)
    if len(states) < FEWEST_STATES:
        raise Wrong(f"Your game has {counted(len(states), 'state')}; choose one with at least {FEWEST_STATES}.")
    return game, rule, states


def longer_by(game: CoinGame) -> int:
    """How many coins longer the rows of a larger game are: `LONGER`, or fewer if it would have too many states."""
    for more in range(LONGER, 1, -1):
        if math.prod(count + more + 1 for count in game.rows) <= MOST_STATES:
            return more
    return 1


def judge_rule(rule: Callable, game: CoinGame, states: Sequence[State], where: str) -> int:
    """Compare a student's rule with the solver in each of these states; return how many of them are lost."""
    answers = [_said_of(rule, state) for state in states]
    wrong = [(state, said) for state, said in zip(states, answers) if bool(said) != is_lost(game, state)]
    if wrong:
        state, said = wrong[0]
        verdict = "loses" if is_lost(game, state) else "can win"
        hint = _about_kind(said, answers)
        if not hint and len(wrong) == len(states):
            hint = "It says the opposite everywhere: return True if the player to move loses."
        if not hint and len(game.rows) == 2 and game.max_pick:
            hint = _about_rule(states, answers, game.max_pick + 1)
        raise Wrong(
            f"Your rule is right in {len(states) - len(wrong)} of {len(states)} states{where}.",
            f"The smallest in which it is wrong: in {state} it returned {shown(said)};",
            f"the solver says that the player to move {verdict}.",
            hint=hint,
        )
    return sum(is_lost(game, state) for state in states)


def _about_kind(said: object, answers: Sequence) -> str:
    """What to say about an answer that is neither True nor False; empty if it is one of them."""
    if said is None:
        returned_something = any(each is not None for each in answers)
        return NONE_HERE if returned_something else RETURNED_NONE
    if isinstance(said, list | tuple):
        return "A list or pair that holds anything counts as True: return the comparison alone, without a comma."
    if isinstance(said, str):
        return "Text counts as True, whatever it says: return True or False, without quotes."
    if isinstance(said, int | float | np.number) and not isinstance(said, bool):
        return "That is a number: compare it with another one, for example with `==`. That gives True or False."
    return ""


def _about_rule(states: Sequence[State], answers: Sequence, divisor: int) -> str:
    """What to say about a rule for two rows that students often write; empty if this is none of them."""
    typical = {
        f"Without brackets Python works out state[1] % {divisor} first. Put brackets around the difference.": [
            state[0] - state[1] % divisor == 0 for state in states
        ],
        "Equal rows are losing, but they are not the only ones: look at the line of the table where row 0 is empty.": [
            state[0] == state[1] for state in states
        ],
        "That is the remainder of the sum. Compare the remainders of the two rows with each other.": [
            sum(state) % divisor == 0 for state in states
        ],
        f"Both remainders are 0 in (0, {divisor}). Where else in the table are the two remainders equal?": [
            state[0] % divisor == state[1] % divisor == 0 for state in states
        ],
    }
    said = [bool(each) for each in answers]
    return next((sentence for sentence, rule in typical.items() if rule == said), "")


ERRORS_OF_RULES = {
    "TypeError": "`lost` is given one thing, a pair: write `def lost(state):`. The two rows are state[0] and state[1].",
    "NameError": "`lost` is given one pair, `state`: the two rows are state[0] and state[1].",
    "tuple index out of range.": "The rows are counted from 0: with two rows they are state[0] and state[1].",
}


def _said_of(rule: Callable, state: State) -> object:
    """What a student's rule says about one state."""
    try:
        said = rule(state)
    except (Exception, SystemExit) as error:
        raise raised_for(f"{state}", error, ERRORS_OF_RULES) from error
    try:
        bool(said)
    except Exception as error:
        raise wrong_for(f"{state}", f"your rule returned {shown(said)}; expected True or False.") from error
    return said
