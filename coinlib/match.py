"""One game, one move at a time: turn order, forfeits, points, and the delayed reward.

Everything that plays a game step by step uses a `Match`: `play_match`, a board, an environment, a program
with a person at the keyboard. Whatever sits in a seat is a function from a game and a state to a move: a rule, a
person, a learner's seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from coinlib import lazy
from coinlib.agents import agent_name
from coinlib.arguments import check_agent, one_of
from coinlib.games import (
    CoinGame,
    GameError,
    IllegalMove,
    as_game,
    moves_of,
    points_of,
    read_move,
    reason_in,
    result_of,
)
from coinlib.words import last_coin_words, record

MOVES_AT_MOST = 1_000_000  # in one match: a longer game is assumed to be endless
PLAYERS = ("player 1", "player 2")


class AgentError(RuntimeError):
    """An agent raised an exception; the message names the agent and the state, and the cause is attached."""


class Forfeit(NamedTuple):
    """An illegal move, which lost the game: who made it, in which state, and what was wrong.

    Attributes
    ----------
    player : int
        1 or 2.
    name : str
        The name of the player.
    state : state of the game
    answer : object
        What the player answered.
    why : str
        What was wrong with the answer, and what would be legal.
    """

    player: int
    name: str
    state: Any
    answer: Any
    why: str

    @property
    def words(self) -> str:
        """The forfeit as text: "mine in state (2,): row 0 holds 2 coins; asked to take 3"."""
        return f"{self.name} in state {self.state}: {self.why}"


@dataclass(repr=False)
class Match:
    """One game, during play and afterwards.

    Parameters
    ----------
    game : Game
    seats : tuple of two agents or None
        Who chooses for player 1 and player 2; None for a player whose moves are passed to `make`.
    names : tuple of str
        The names of the players.

    Attributes
    ----------
    moves : list
        The legal moves made, in order.
    states : list
        The start and the state after each move: one more than `moves`.
    rewards : list
        The points that each move earned.
    winner : int or None
        1, 2, or 0 for a tie; None until the game is over.
    forfeit : Forfeit or None
        The illegal move that ended the game.

    Examples
    --------
    >>> from coinlib import sticks
    >>> match = Match(sticks(4))
    >>> match.make(2)
    >>> match.state, match.turn
    ((2,), 2)
    >>> match.make(3)
    >>> match.winner, match.reason
    (1, 'player 2 forfeits: row 0 holds 2 coins; asked to take 3 (legal: 1 to 2)')
    """

    game: object
    seats: tuple = field(default=(None, None), compare=False)
    names: tuple[str, str] = PLAYERS
    moves: list = field(default_factory=list, init=False)
    states: list = field(default_factory=list, init=False)
    rewards: list = field(default_factory=list, init=False)
    winner: int | None = field(default=None, init=False)
    forfeit: Forfeit | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.game = as_game(self.game)
        self.states.append(self.game.start)
        # A side learns from its move only after the reply. Until then these wait, one for each side:
        self._last: list = [None, None]  # the state and the move
        self._gained = [0, 0]  # the points of the move, minus those of the reply
        if self.game.is_over(self.state):
            result = result_of(self.game, self.state)
            self._end(final=result, last_word=result)  # There are no points yet.

    @property
    def state(self):
        """The current state."""
        return self.states[-1]

    @property
    def turn(self) -> int:
        """The player to move, 1 or 2."""
        return 1 + len(self.moves) % 2

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.winner is not None

    @property
    def points(self) -> tuple[int, int]:
        """The points of player 1 and of player 2 so far."""
        return sum(self.rewards[0::2]), sum(self.rewards[1::2])

    def outcome(self, player: int) -> int:
        """How the game ended for player 1 or 2: +1, 0 or -1; 0 until it is over."""
        if not self.winner:  # a tie, or not over
            return 0
        return 1 if self.winner == player else -1

    # --- moving

    def step(self) -> None:
        """Let the agent whose turn it is learn from its last move, ask it for a move, and make that move."""
        self._check_not_over()
        side = self.turn - 1
        if self.seats[side] is None:
            raise ValueError(f"match: player {self.turn} has no agent to ask; make its move with `make`")
        self._let_observe(side, self._gained[side], self.state)
        self.make(ask(self.seats[side], self.names[side], self.game, self.state))

    def make(self, answer) -> None:
        """Make a move for the player whose turn it is; an illegal move forfeits the game.

        The compiled loop, `loops.play_games`, has its own copy of this rule.
        """
        self._check_not_over()
        side = self.turn - 1
        state = self.state
        try:
            move = read_move(self.game, state, answer)
        except IllegalMove as error:
            self._last[side] = (state, answer)
            self._gained[side] = 0
            self.forfeit = Forfeit(self.turn, self.names[side], state, answer, reason_in(error))
            # An illegal move loses by one point, whatever the score was.
            self._end(final=-1, last_word=-1 - self._lead)
            return
        if len(self.moves) == MOVES_AT_MOST:
            raise GameError(f"game: no end after {MOVES_AT_MOST:,} moves; is it too large, or can a state occur twice?")
        points = points_of(self.game, state, move)
        self._last[side] = (state, move)
        self._gained[side] = points
        self._gained[1 - side] -= points
        self.moves.append(move)
        self.rewards.append(points)
        self.states.append(self.game.play(state, move))
        if self.game.is_over(self.state):
            result = result_of(self.game, self.state)
            self._end(final=self._lead + result, last_word=result)

    def leave(self) -> None:
        """Close all seats; learners learn nothing from an unfinished game."""
        for seat in self.seats:
            if hasattr(seat, "close"):
                seat.close()

    def _check_not_over(self) -> None:
        if self.over:
            raise ValueError(f"match: the game is over, {self.reason}")

    @property
    def _lead(self) -> int:
        """How many points ahead the player to move is."""
        lead = self.points[0] - self.points[1]
        return lead if self.turn == 1 else -lead

    def _end(self, final: int, last_word: int) -> None:
        """End the game. Both numbers are from the point of view of the player whose turn it is.

        After a forfeit that is the player who forfeited, otherwise the one who would move next. The sign of
        `final` says who won. `last_word` is what a learner receives on top of its points.
        """
        at_turn = self.turn
        self.winner = 0
        if final != 0:
            self.winner = at_turn if final > 0 else 3 - at_turn
        for side, seat in enumerate(self.seats):
            if hasattr(seat, "hear"):
                seat.hear(self.outcome(side + 1))
            own_last_word = last_word if side + 1 == at_turn else -last_word
            self._let_observe(side, self._gained[side] + own_last_word, None)

    def _let_observe(self, side: int, reward: float, next_state) -> None:
        """Tell a learner the effect of its last move; `AgentError` with its name and the state if it raises."""
        seat = self.seats[side]
        if self._last[side] is None or not hasattr(seat, "observe"):
            return
        state, move = self._last[side]
        try:
            seat.observe(state, move, reward, next_state)
        except GameError:
            raise
        except Exception as error:
            learning = f"{self.names[side]} raised {type(error).__name__} as it learnt from state {state}"
            raise AgentError(f"{learning}: {error}") from error

    # --- as text and as a table

    @property
    def reason(self) -> str:
        """Why the game ended, as text; "" until it is over."""
        return self.reason_with(*PLAYERS)

    def reason_with(self, first: str, second: str) -> str:
        """Why the game ended, as text, with these names for player 1 and player 2; "" until it is over."""
        if not self.over:
            return ""
        names = ("", first, second)
        moved_last = 3 - self.turn
        if self.forfeit:
            return f"{names[self.forfeit.player]} forfeits: {self.forfeit.why}"
        if isinstance(self.game, CoinGame):
            last = names[moved_last] if self.moves else ""
            return last_coin_words(self.game, last, names[self.winner])
        who = f"{names[self.winner]} wins" if self.winner else "a tie"
        if any(self.rewards):
            return f"{who}: {self.points[0]} to {self.points[1]} points"
        return f"{who} by the rules of the game"

    def to_frame(self) -> lazy.DataFrame:
        """A table with a row for each move: player, name, the move, and what it left."""
        sides = [number % 2 for number in range(len(self.moves))]
        columns = {"player": [1 + side for side in sides], "name": [self.names[side] for side in sides]}
        columns |= record(self.game, self.moves, self.rewards, self.states[1:])
        return lazy.DataFrame(columns, index=range(1, len(self.moves) + 1)).rename_axis("turn")

    def __repr__(self) -> str:
        now = self.reason if self.over else f"player {self.turn} is to move"
        return f"Match({self.names[0]} against {self.names[1]}: {now})"


def play_match(game, first, second, seed=None, learn: bool = False) -> Match:
    """Play one game between two agents.

    Parameters
    ----------
    game : Game
    first, second : agents
        Functions from (game, state) to a move; an illegal move loses the game.
    seed : int, SeedSequence, Generator or None
        None: each agent uses its own generator. Otherwise each gets a new one for this match
        (only one if the same object sits in both seats).
    learn : bool
        Whether learners learn from the game.

    Returns
    -------
    Match

    Raises
    ------
    AgentError
        If an agent raises; a learner is then left unchanged.

    Examples
    --------
    >>> from coinlib import ScriptedAgent, sticks
    >>> match = play_match(sticks(5), first=ScriptedAgent(3, 1), second=ScriptedAgent(1))
    >>> match.winner, match.reason
    (2, 'player 1 took the last coin and loses (misère play)')

    >>> play_match(sticks(2), first=lambda game, state: 3, second=ScriptedAgent(1)).reason
    'player 1 forfeits: row 0 holds 2 coins; asked to take 3 (legal: 1 to 2)'
    """
    check_agent(first, "first")
    check_agent(second, "second")
    with lend_generators((first, second), seed):
        return play(game, (first, second), (learn, learn))


def play(game, agents: Sequence, learn: Sequence[bool]) -> Match:
    """Play one game from start to finish; `learn` says for each agent whether it learns from the game."""
    first = sit_down(agents[0], learn[0])
    partner = first if agents[0] is agents[1] else None
    second = sit_down(agents[1], learn[1], partner)
    match = Match(game, (first, second), (agent_name(agents[0]), agent_name(agents[1])))
    try:
        while not match.over:
            match.step()
    finally:
        match.leave()
    return match


def sit_down(agent, learn: bool, partner=None):
    """Tell an agent that a match begins; return the seat of a learner that learns, otherwise the agent.

    `partner` is the same learner's seat on the other side, in self-play.
    """
    if hasattr(agent, "new_match"):
        agent.new_match()
    if learn and hasattr(agent, "sit"):
        return agent.sit(partner)
    return agent


def ask(agent, name: str, game, state):
    """Return an agent's answer; raise `AgentError` with its name and the state if the agent raises."""
    try:
        return agent(game, state)
    except GameError:
        raise
    except Exception as error:
        moves_of(game, state)  # If the game is at fault, this reports its error instead.
        raise AgentError(f"{name} raised {type(error).__name__} in state {state}: {error}") from error


def who_begins(first: str) -> list[int]:
    """Who moves first, game by game: 0 for the agent, 1 for its opponent.

    Examples
    --------
    >>> who_begins("agent"), who_begins("alternate")
    ([0], [0, 1])
    """
    orders = {"agent": [0], "opponent": [1], "alternate": [0, 1]}
    return orders[one_of(first, "first", tuple(orders))]


@contextmanager
def lend_generators(agents: Sequence, seed) -> Iterator[None]:
    """Lend each agent a generator made from `seed` for the duration of the block; None lends nothing."""
    own = [(agent, agent.generator) for agent in agents if hasattr(agent, "generator")]
    lent = [] if seed is None else np.random.default_rng(seed).spawn(len(agents))
    try:
        # From last to first, so that an object in both seats keeps the first generator.
        for agent, generator in reversed([*zip(agents, lent)]):
            if hasattr(agent, "generator"):
                agent.generator = generator
        yield
    finally:
        for agent, generator in own:
            agent.generator = generator
