"""Agents as answers: they take a seat, and win against everything that the other side can do, or against a field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from coinlib.agents import RandomAgent
from coinlib.arena import Evaluation
from coinlib.arguments import counted
from coinlib.games import CoinGame, IllegalMove, Move, State
from coinlib.match import AgentError, Match, play_match
from coinlib.solvers import solve
from coinlib.tables import tabulate

from .judging import Wrong, failure, shown

Agent = Callable[[CoinGame, State], Move]
HINT_OF_A_TYPE_ERROR = "A rule is given the game, then the state: a tuple, whose first count is state[0]."


def legal_agent(function: Callable) -> Agent:
    """A student's function as an agent that answers with a legal move, or raises `Wrong`."""

    def agent(game: CoinGame, state: State) -> Move:
        place = counted(state[0], "coin") if len(state) == 1 else f"rows {state}"
        try:
            answer = function(game, state)
        except (Exception, SystemExit) as error:
            failed = failure(error)
            hint = HINT_OF_A_TYPE_ERROR if failed.error == "TypeError" else ""
            words = f"For {place} {failed.words} {hint}".strip()
            raise Wrong(words, case=place, hint=hint, error=failed.error, line=failed.line) from error
        try:
            return game.read_move(state, answer)
        except IllegalMove as error:
            words = f"For {place} your function returned {shown(answer)}, which is illegal: {error}."
            raise Wrong(words, case=place) from error

    return agent


def check_every_state(agent: Agent, game: CoinGame) -> None:
    """`Wrong` unless an agent moves legally in every state of a game, the smallest first."""
    states = [state for state in tabulate(game).states if not game.is_over(state)]
    for state in sorted(states, key=smallest_first):
        agent(game, state)


def smallest_first(state: State) -> tuple[int, State]:
    """What states are sorted by: the number of their coins."""
    return sum(state), state


# --- against everything that the other side can do ----------------------------------------------------------------


def prepare(games: Iterable[CoinGame]) -> None:
    """Solve games before the clock of a check runs, since a solver may have to be compiled."""
    for game in games:
        solve(game)


def win_every_game(function: Callable, games: Sequence[CoinGame], seat: str, where: str) -> str:
    """Try an agent in one seat of some games against everything the other side can do.

    Parameters
    ----------
    function : function (game, state) -> move
        The student's answer.
    games : sequence of CoinGame
        Each is won from that seat.
    seat : {"first", "second"}
    where : str
        The games in words, to stand after "wins every game".

    Returns
    -------
    str
        Praise. `Wrong` is raised, with a state and a move that give a win away, if some play of the other
        side wins.

    Examples
    --------
    >>> from coinlib.agents import closed_form, take_one
    >>> from coinlib import sticks
    >>> win_every_game(closed_form, [sticks(8, 3, misere=False)], "second", "on 8 sticks")
    'Right: moving second, your agent wins every game on 8 sticks. (6 states tried)'
    >>> win_every_game(take_one, [sticks(4, 3, misere=False)], "second", "on 4 sticks")
    Traceback (most recent call last):
        ...
    coincourse.checks.judging.Wrong: On rows (4,), at most 3 a turn, normal play, your agent can come to
    (2,). It then \
takes 1 from row 0 and leaves (1,). The other side can win now: it takes 1 from row 0.
    """
    tried = 0
    for game in games:
        wins = solve(game).wins
        choices = choices_against_all_play(legal_agent(function), game, seat)
        for state in sorted(choices, key=smallest_first):
            if wins[state] and wins[game.play(state, choices[state])]:
                raise Wrong(_give_away_in_words(game, state, choices[state]))
        tried += len(choices)
    return f"Right: moving {seat}, your agent wins every game {where}. ({counted(tried, 'state')} tried)"


def choices_against_all_play(agent: Agent, game: CoinGame, seat: str) -> dict[State, Move]:
    """What an agent does in each state that it can come to in its seat, whatever the other side does."""
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


def _give_away_in_words(game: CoinGame, state: State, move: Move) -> str:
    left = game.play(state, move)
    most = "any number of coins" if game.max_pick is None else f"at most {game.max_pick}"
    found = f"On rows {game.start}, {most} a turn, {game.ending}, your agent can come to {state}."
    taken = f"{found} It then takes {_amount(move)} and leaves {left}."
    if game.is_over(left):
        return f"{taken} That was the last coin, and it loses."
    return f"{taken} The other side can win now: it takes {_amount(solve(game).best_moves(left)[0])}."


def _amount(move: Move) -> str:
    return f"{move.count} from row {move.row}"


# --- against a field ----------------------------------------------------------------------------------------------


def check_both_seats(agent: Agent, game: CoinGame, opponent, name: str) -> None:
    """`Wrong`, with the end of the lost game, unless an agent beats this opponent from both seats."""
    for seat, place in ((1, "first"), (2, "second")):
        match = play_from(agent, game, opponent, seat)
        if match.winner != seat:
            other = " (Moving first, it wins.)" if seat == 2 else ""
            words = f"Moving {place}, your agent loses to {name}.{other} {end_in_words(match, seat, name)}"
            raise Wrong(words, turns="\n".join(last_turns(match, seat, name)))


def play_from(agent: Agent, game: CoinGame, opponent, seat: int) -> Match:
    """One match with the student's agent as player 1 or 2."""
    agents = (agent, opponent) if seat == 1 else (opponent, agent)
    try:
        return play_match(game, *agents)
    except AgentError as error:
        raise error.__cause__ or error from None


def against_random(agent: Agent, game: CoinGame, games: int, seed: int) -> tuple[Evaluation, Match | None]:
    """How an agent does against random play, first in every other game; and its shortest lost game."""
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


def last_turns(match: Match, seat: int, opponent: str) -> tuple[str, ...]:
    """The last turns of a lost game, each in words."""
    turns = []
    for turn in range(max(0, len(match.moves) - 4), len(match.moves)):
        move = match.moves[turn]
        left = match.states[turn + 1]
        one_row = len(left) == 1
        taken = move.count if one_row else _amount(move)
        rest = left[0] if one_row else left
        if turn % 2 == seat - 1:
            turns.append(f"you take {taken} and leave {rest}")
        else:
            turns.append(f"{opponent} takes {taken} and leaves {rest}")
    return tuple(turns)


def end_in_words(match: Match, seat: int, opponent: str) -> str:
    """The end of a lost game in one sentence, and who took the last coin."""
    turns = ", ".join(last_turns(match, seat, opponent))
    students_turn_was_last = (len(match.moves) - 1) % 2 == seat - 1
    last = "you" if students_turn_was_last else opponent
    ending = match.game.ending.capitalize()
    return f"The end of the game: {turns}. {ending}: {last} took the last coin."
