"""Exploration and opponents: the chance of the greedy move, a falling plan, a teacher."""

import math
import random

from coinlib.agents import MixedAgent
from coinlib.arguments import counted
from coinlib.games import CoinGame, IllegalMove, Move, State, read_move, sticks
from coinlib.learners import QLearner, linear
from coinlib.solvers import solve
from coinlib.training import train

from .engine import by_hand, exercise
from .hints import RETURNED_NONE
from .judging import ROUNDED, Wrong, praised, raised_for, wrong_for
from .values import plain, shown
from .verdict import Verdict

# --- a plan that falls ----------------------------------------------------------------------------

END = 1_000  # from this game on a falling plan is 0
SHORT_OF_END = [(played, played + 1) for played in range(1_200)]
LATER = [*range(END + 50, 6_000, 50), *random.Random(7).sample(range(6_000, 100_000), 100)]


def _about_plan(answer, expected, earlier: int, later: int) -> str:
    """What is wrong with a plan at two moments, the earlier one asked about twice; "" if nothing is."""
    values = plain(answer)
    if None in values:
        return RETURNED_NONE
    if not all(isinstance(value, int | float) and -1e-9 <= value <= 1 + 1e-9 for value in values):
        return "Expected numbers from 0 to 1."
    before, after, again = values
    if abs(again - before) > 1e-9:
        return "Asked twice about the same number it must answer the same."
    if after > before + 1e-9:
        return "It must never rise."
    if earlier == 0 and before < 0.5:
        return "Before the first game it is at least 0.5."
    if later >= END and after > 1e-9:
        return f"At game {later:,} your plan is {after:g}; it must be 0 from game {END:,} on."
    return ""


def _ask_three_times(plan, earlier: int, later: int) -> list:
    return [plan(earlier), plan(later), plan(earlier)]


@exercise(
    cases=[(0, 1), (END // 2, END), (END, 100 * END)]
    + random.Random(7).sample(SHORT_OF_END, len(SHORT_OF_END))
    + [(END, later) for later in LATER]
    + [(END, 100 * END), (0, 1)],
    given=lambda earlier, later: f"{earlier:,}, {later:,} and again {earlier:,} games played",
    praise="it starts high, never rises and ends at 0",
    run=_ask_three_times,
    accept=_about_plan,
)
def falling(games_played):
    """A plan of exploration: at least 0.5 before the first game, never rising, and 0 from game 1,000 on."""
    return max(0.0, 1 - games_played / 1_000)


# --- a teacher ------------------------------------------------------------------------------------

TWENTY = sticks(20, max_pick=3, misere=True)
LEARNERS = 40
GAMES = 300
WANTED = LEARNERS // 2
TIMES_ASKED = 5  # A list drawn by chance gives itself away.
NO_LIST = "Return a list of moves, even if there is only one."
NO_MOVES = "In a losing position `right` is empty: list legal moves there."
ERRORS_IF_LOSING = {"list index out of range.": NO_MOVES, "Error": NO_MOVES}
BY_CHANCE = "Leave the drawing to the course: return the same list each time, with the right moves more often."
NEVER_ERRS = "Your teacher makes no mistakes, so its learners never see what comes after one."
ERRS_TOO_OFTEN = "It makes mistakes too often: list the right moves more often."
ERRS_TOO_SELDOM = "It makes mistakes too rarely: list the right moves less often."


def _seventeen_times_right(game: CoinGame, state: State) -> list:
    """The course's own teacher: one mistake in ten turns."""
    return 17 * solve(game).best_moves(state) + game.legal_moves(state)


@by_hand(ours=_seventeen_times_right)
def teacher(function) -> Verdict:
    """Train learners with a student's teacher, and count their right tables.

    Examples
    --------
    >>> teacher(lambda game, state: solve(game).best_moves(state) or game.legal_moves(state))
    ✗ After 300 games 0 of 40 tables are right; expected at least 20. \
Your teacher makes no mistakes, so its learners never see what comes after one.
    """
    lists = {(left,): _moves_listed(function, (left,)) for left in range(1, 21)}
    agent = MixedAgent(lambda game, state: lists[state])
    right = 0
    for seed in range(LEARNERS):
        learner = QLearner(TWENTY, learning_rate=0.3, exploration=linear(1, 0, GAMES))
        train(learner, agent, games=GAMES, seed=seed, first="alternate")
        right += learner.distance_to_perfect(first="alternate").perfect
    if right < WANTED:
        words = f"After {GAMES} games {right} of {LEARNERS} tables are right; expected at least {WANTED}."
        raise Wrong(words, _about_mistakes(lists))
    return praised(f": after {GAMES} games {right} of {LEARNERS} tables are right.")


def _moves_listed(function, state: State) -> list[Move]:
    """What a teacher lists in one position, as moves; raises `Wrong` if it is not a list of legal moves."""
    place = counted(state[0], "stick")
    try:
        answers = [function(TWENTY, state) for _ in range(TIMES_ASKED)]
    except (Exception, SystemExit) as error:
        is_losing = not solve(TWENTY).best_moves(state)
        raise raised_for(place, error, ERRORS_IF_LOSING if is_losing else {}) from error
    answer = answers[0]
    returned = f"your function returned {shown(answer)}."
    if isinstance(answer, Move) or not isinstance(answer, list | tuple):
        raise wrong_for(place, returned, RETURNED_NONE if answer is None else NO_LIST)
    if not answer:
        raise wrong_for(place, "your function returned an empty list.", NO_MOVES)
    try:
        moves = [read_move(TWENTY, state, each) for each in answer]
    except IllegalMove as error:
        raise wrong_for(place, f"your function lists an illegal move: {error}.") from error
    if any(other != answer for other in answers):
        raise wrong_for(place, "your function returned different lists.", BY_CHANCE)
    return moves


def _about_mistakes(lists: dict[State, list[Move]]) -> str:
    """Whether a teacher makes no mistakes, too many or too few."""
    shares = []
    for state, moves in lists.items():
        right = solve(TWENTY).best_moves(state)
        if right:
            shares.append(sum(move not in right for move in moves) / len(moves))
    if not any(shares):
        return NEVER_ERRS
    return ERRS_TOO_OFTEN if sum(shares) / len(shares) > 0.1 else ERRS_TOO_SELDOM


# --- the chance of the greedy move ----------------------------------------------------------------


@exercise(
    cases=[(0, 3), (1, 3), (1, 2), (0.5, 2), (0.3, 2), (0.5, 1), (0.3, 3), (0.25, 5), (0.05, 2), (0.9, 40)],
    given=lambda exploration, legal: f"exploration {exploration:g} and {counted(legal, 'legal move')}",
    praise="without exploration, with nothing but exploration, and between them",
    near=ROUNDED,
)
def chance_of_best(exploration, legal):
    """The chance that an exploring learner makes its greedy move."""
    not_exploring = 1 - exploration
    by_chance = exploration / legal
    return not_exploring + by_chance


chance_of_best.slip("Exploring picks any legal move, and the greedy one is among them.", legal=math.inf)
