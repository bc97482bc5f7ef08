"""Agents as answers: they take a seat, and win against everything that the other side can do, or against a field."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coinlib.agents import RandomAgent
from coinlib.arena import Evaluation
from coinlib.arguments import counted
from coinlib.games import CoinGame, IllegalMove, Move, State
from coinlib.match import AgentError, Match, play_match
from coinlib.solvers import solve
from coinlib.tables import tabulate

from .engine import Wrong, error_in_words, report, shown

Agent = Callable[[CoinGame, State], Move]


def legal_agent(function: Callable) -> Agent:
    """A student's function as an agent that answers with a legal move, or raises `Wrong`."""

    def agent(game: CoinGame, state: State) -> Move:
        given = f"For {counted(state[0], 'coin') if len(state) == 1 else f'rows {state}'} your function"
        try:
            answer = function(game, state)
        except (Exception, SystemExit) as error:
            raise Wrong(f"{given} raised {error_in_words(error)} {_slip_of_a_rule(error)}".strip()) from error
        try:
            return game.read_move(state, answer)
        except IllegalMove as error:
            raise Wrong(f"{given} returned {shown(answer)}, which is illegal: {error}.") from error

    return agent


def _slip_of_a_rule(error: BaseException) -> str:
    """What the words of a TypeError show about a rule; "" if nothing."""
    words = str(error) if isinstance(error, TypeError) else ""
    if "but 2 were given" in words or ("missing" in words and "." not in words):  # a name with a dot is not the rule's
        return "A rule is asked with two things: the game, then the state."
    return "The state is a tuple: the count of its first row is state[0]." if "tuple" in words else ""


def check_every_state(agent: Agent, game: CoinGame) -> None:
    """`Wrong` unless an agent moves legally in every state of a game, the smallest first."""
    states = [state for state in tabulate(game).states if not game.is_over(state)]
    for state in sorted(states, key=lambda state: (sum(state), state)):
        agent(game, state)


# --- against everything that the other side can do ----------------------------------------------------------------


def report_contest(function: Callable, games: Sequence[CoinGame], seat: str, where: str) -> None:
    """Try an agent in one seat of some games against everything the other side can do, and say how it did.

    Parameters
    ----------
    function : function (game, state) -> move
        The student's answer.
    games : sequence of CoinGame
        Each is won from that seat.
    seat : {"first", "second"}
    where : str
        The games in words, to stand after "wins every game".

    Examples
    --------
    >>> from coinlib.agents import closed_form, take_one
    >>> from coinlib import sticks
    >>> report_contest(closed_form, [sticks(8, 3, misere=False)], "second", "on 8 sticks")
    ✓ Right: moving second, your agent wins every game on 8 sticks. (6 states tried)
    >>> report_contest(take_one, [sticks(4, 3, misere=False)], "second", "on 4 sticks")
    ✗ On rows (4,), at most 3 a turn, normal play, your agent can come to (2,). It then takes 1 from row 0 and leaves \
(1,). The other side can win now: it takes 1 from row 0.
    """
    for game in games:  # before the clock runs: the first may have to be compiled
        solve(game)

    def judge(say) -> str:
        asked = sum(check_never_loses(legal_agent(function), game, seat) for game in games)
        return f"Right: moving {seat}, your agent wins every game {where}. ({counted(asked, 'state')} tried)"

    report(judge, function)


def check_never_loses(agent: Agent, game: CoinGame, seat: str) -> int:
    """In how many states an agent was asked; `Wrong` if some play of the other side beats it."""
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
    wins = solve(game).wins
    given_away = [state for state, move in choices.items() if wins[state] and wins[game.play(state, move)]]
    if given_away:
        state = min(given_away, key=lambda state: (sum(state), state))
        raise Wrong(_give_away_in_words(game, state, choices[state]))
    return len(choices)


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
            raise Wrong(f"Moving {place}, your agent loses to {name}.{other} {end_in_words(match, seat, name)}")


def play_from(agent: Agent, game: CoinGame, opponent, seat: int) -> Match:
    """One match with the student's agent as player 1 or 2."""
    try:
        return play_match(game, *((agent, opponent) if seat == 1 else (opponent, agent)))
    except AgentError as error:
        raise error.__cause__ or error from None


def against_random(agent: Agent, game: CoinGame, games: int, seed: int) -> tuple[Evaluation, Match | None]:
    """How an agent does against random play, first in every other game; and its shortest lost game."""
    random = RandomAgent(seed=seed)
    matches = [play_from(agent, game, random, 1 + number % 2) for number in range(games)]
    lost = [match for number, match in enumerate(matches) if match.winner != 1 + number % 2]
    shortest = min(lost, key=lambda match: len(match.moves), default=None)
    return Evaluation(games, games - len(lost), 0, len(lost)), shortest


def rate_in_words(found: Evaluation) -> str:
    """A win rate with its interval: "41.0 % of 500 games (95 % interval 36.8 % to 45.4 %)"."""
    rate, low, high = (f"{100 * share:.1f} %" for share in (found.win_rate, found.low, found.high))
    return f"{rate} of {found.games:,} games (95 % interval {low} to {high})"


def end_in_words(match: Match, seat: int, opponent: str) -> str:
    """The last turns of a lost game."""
    turns = []
    for number, move in list(enumerate(match.moves))[-4:]:
        who, s = ("you", "") if number % 2 + 1 == seat else (opponent, "s")
        left = match.states[number + 1]
        rest = str(left) if len(left) > 1 else str(left[0])
        row = f" from row {move.row}" if len(left) > 1 else ""
        turns.append(f"{who} take{s} {move.count}{row} and leave{s} {rest}")
    last = "you took" if (len(match.moves) - 1) % 2 + 1 == seat else f"{opponent} took"
    ending = match.game.ending
    return f"The end of the game: {', '.join(turns)}. {ending[0].upper()}{ending[1:]}: {last} the last coin."
