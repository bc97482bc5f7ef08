"""Who chooses: an agent is a function from a game and a state to a move.

All the agents here can be called that way; those that use chance have a generator. A class that declares in
advance how it chooses in every state of a table (`move_weights`) plays at full speed.
"""

from collections.abc import Callable

import numpy as np

from coinlib import games, theory
from coinlib.arguments import check_agent, counted, shown
from coinlib.games import CoinGame, Game, IllegalMove, Move, State
from coinlib.solvers import minimax, perfect_play, solve
from coinlib.tables import Table
from coinlib.words import read_words

Agent = Callable[[Game, State], object]  # what it returns is read by `games.read_move`


def agent_name(agent) -> str:
    """An agent's name in tables and messages: its `name`, or the name of its function or class.

    Examples
    --------
    >>> agent_name(take_one), agent_name(RandomAgent())
    ('take_one', 'RandomAgent')
    """
    names = (getattr(agent, "name", None), getattr(agent, "__name__", None), type(agent).__name__)
    return next(name for name in names if isinstance(name, str) and name)


# A subclass that overrides one of these no longer plays as its parent class declares.
CHOOSING = ("__call__", "choose", "new_match")
LEARNING = ("learn", "sit", "rates")
RATES = ("exploration", "learning_rate", "discount")


def is_fast(agent, learns: bool = False) -> bool:
    """Whether an agent can play many games in one compiled loop instead of move by move.

    A class is fast if `move_weights` declares how it chooses in every state of a table or, while it learns, if
    `loop` declares its learning rule. A subclass is fast too, unless it overrides how it chooses or learns without
    declaring it again.

    Examples
    --------
    >>> is_fast(RandomAgent()), is_fast(take_one)
    (True, False)
    >>> class AlwaysOne(RandomAgent):
    ...     def __call__(self, game, state):
    ...         return 1
    >>> is_fast(AlwaysOne())
    False
    """
    declaration = "loop" if learns else "move_weights"
    overrides = (*CHOOSING, *LEARNING) if learns else CHOOSING
    for attributes in (getattr(agent, "__dict__", {}), *map(vars, type(agent).__mro__)):
        if declaration in attributes:
            return attributes[declaration] is not None
        # A property may compute a different rate for each game, but the loop asks only once for many games.
        computed_rate = learns and any(isinstance(attributes.get(rate), property) for rate in RATES)
        if computed_rate or any(name in attributes for name in overrides):
            return False
    return False


def weights_in(agent, game: Game, table: Table) -> np.ndarray | None:
    """An agent's `move_weights`, checked; None if it has no move in some state.

    Raises
    ------
    ValueError
        If a weight is negative, infinite or NaN, or if no weight is positive in a state where the game is not over.
    """
    weights = agent.move_weights(game, table)
    if weights is None:
        return None
    playing = weights[~table.over]
    valid = (np.isfinite(playing) & (playing >= 0)).all(axis=1) & (playing.sum(axis=1) > 0)
    if valid.all():
        return weights
    wrong = int(np.argmin(valid))
    state = np.flatnonzero(~table.over)[wrong]
    raise ValueError(
        f"{agent_name(agent)}: expected weights of 0 or more with a positive sum in each state, "
        f"got {playing[wrong].tolist()} in state {table.states[state]}"
    )


# --- agents ------------------------------------------------------------------------------------------


class RandomAgent:
    """Makes a random move; all moves are equally likely.

    Parameters
    ----------
    seed : int, SeedSequence, Generator or None
    legal_only : bool
        False: a careless agent, which draws from every move that can be named, and forfeits
        if the move is illegal.

    Examples
    --------
    >>> from coinlib import sticks
    >>> agent = RandomAgent(seed=1)
    >>> [agent(sticks(20), (20,)) for _ in range(3)]
    [Move(row=0, count=2), Move(row=0, count=3), Move(row=0, count=1)]
    """

    def __init__(self, seed=None, legal_only: bool = True) -> None:
        self.generator = np.random.default_rng(seed)
        self.legal_only = legal_only
        self.name = "RandomAgent" if legal_only else "careless RandomAgent"

    def __call__(self, game: Game, state: State):
        legal = games.moves_to_choose(game, state)
        return draw_evenly(legal if self.legal_only else game.moves, self.generator)

    def move_weights(self, game: Game, table: Table) -> np.ndarray:
        """float64 array, shape (S, M): 1 for every move it may make."""
        return table.legal * 1.0 if self.legal_only else np.ones(table.legal.shape)

    def __repr__(self) -> str:
        return f"RandomAgent(legal_only={self.legal_only})"


class RuleAgent:
    """A rule that you promise depends on nothing but the game and the state.

    It is therefore asked only once for each state, and can play in the compiled loop.

    Parameters
    ----------
    rule : function (game, state) -> move
    name : str, optional
        The function's own name if left out.

    Examples
    --------
    >>> from coinlib import sticks
    >>> RuleAgent(take_one)(sticks(20), (20,))
    Move(row=0, count=1)
    """

    def __init__(self, rule: Agent, name: str | None = None) -> None:
        check_agent(rule, "rule")
        self.rule = rule
        self.name = name or agent_name(rule)

    def __call__(self, game: Game, state: State):
        return self.rule(game, state)

    def move_weights(self, game: Game, table: Table) -> np.ndarray | None:
        """float64 array, shape (S, M): 1 for its move in each state; None if it has none in some state.

        A rule may raise an exception in a state that never occurs; the games are then played move by move.
        """
        return _weights_of(lambda game, state: [self.rule(game, state)], game, table)

    def __repr__(self) -> str:
        return f"RuleAgent({self.name})"


class MixedAgent:
    """Draws one of the moves that a function lists, all equally likely.

    A move that is listed twice is drawn twice as often. Game theory calls this a mixed strategy.

    Parameters
    ----------
    moves : function (game, state) -> list of moves
        Like a rule, it depends only on the game and the state.
    seed : int, SeedSequence, Generator or None
    name : str, optional
        The function's own name if left out.

    Examples
    --------
    >>> from coinlib import sticks
    >>> agent = MixedAgent(lambda game, state: [1, 1, 1, 2], seed=1)
    >>> [agent(sticks(20), (20,)).count for _ in range(8)]
    [1, 2, 1, 2, 1, 1, 2, 1]
    """

    def __init__(self, moves: Callable[[Game, State], list], seed=None, name: str | None = None) -> None:
        check_agent(moves, "moves")
        self.moves = moves
        self.generator = np.random.default_rng(seed)
        self.name = name or agent_name(moves)

    def __call__(self, game: Game, state: State):
        listed = [games.named_move(game, answer) for answer in self.moves(game, state)]
        order = {move: column for column, move in enumerate(game.moves)}  # as in `move_weights`
        listed.sort(key=lambda move: order.get(move, len(order)))
        return draw_evenly(listed, self.generator)

    def move_weights(self, game: Game, table: Table) -> np.ndarray | None:
        """float64 array, shape (S, M): how often each move is listed; None if a state has no such list."""
        return _weights_of(self.moves, game, table)

    def __repr__(self) -> str:
        return f"MixedAgent({self.name})"


class PerfectAgent:
    """Makes one of the best moves, all equally likely; if every move loses, any legal move.

    Parameters
    ----------
    seed : int, SeedSequence, Generator or None

    Examples
    --------
    >>> from coinlib import SCENARIOS, sticks
    >>> PerfectAgent()(sticks(20), (20,))
    Move(row=0, count=3)
    >>> PerfectAgent(seed=1)(SCENARIOS["DOUBLE_21_3"], (21, 21))
    Move(row=1, count=1)
    """

    name = "PerfectAgent"

    def __init__(self, seed=None) -> None:
        self.generator = np.random.default_rng(seed)

    def __call__(self, game: Game, state: State):
        legal = games.moves_to_choose(game, state)
        best = solve(game).best_moves(state) if type(game) is CoinGame else minimax(game, state).moves
        return draw_evenly(best or legal, self.generator)

    def move_weights(self, game: Game, table: Table) -> np.ndarray:
        """float64 array, shape (S, M): 1 for every best move."""
        return perfect_play(table)[1] * 1.0

    def __repr__(self) -> str:
        return "PerfectAgent()"


class ScriptedAgent:
    """Makes the given moves in order, starting again in every match.

    Parameters
    ----------
    *moves : moves, or bare counts on one row

    Examples
    --------
    >>> from coinlib import sticks
    >>> agent = ScriptedAgent(3, 1)
    >>> agent(sticks(10), (10,)), agent(sticks(10), (5,))
    (3, 1)
    """

    name = "ScriptedAgent"

    def __init__(self, *moves) -> None:
        self.moves = moves
        self.made = 0

    def __call__(self, game: Game, state: State):
        if self.made == len(self.moves):
            raise IndexError(f"the script has {counted(len(self.moves), 'move')}, and one more was asked for")
        self.made += 1
        return self.moves[self.made - 1]

    def new_match(self) -> None:
        """Start the script again; a match calls this before the first move."""
        self.made = 0

    def __repr__(self) -> str:
        return f"ScriptedAgent({', '.join(map(shown, self.moves))})"


class HumanAgent:
    """Asks a person until the answer is a legal move.

    Parameters
    ----------
    name : str
    ask : function (prompt) -> str
        `input` if left out; a test or a window can pass its own function.
    say : function (text) -> None
        Shows what was wrong with an answer; `print` if left out.

    Examples
    --------
    >>> from coinlib import sticks
    >>> answers = iter(["lots", "5", "2"])
    >>> person = HumanAgent(ask=lambda prompt: next(answers))
    >>> person(sticks(20), (20,))
    Expected a number of coins, got 'lots'.
    Row 0 holds 20 coins; asked to take 5 (legal: 1 to 3).
    Move(row=0, count=2)
    """

    def __init__(self, name: str = "you", ask: Callable[[str], str] | None = None, say=None) -> None:
        self.name = name
        self.ask = ask
        self.say = say

    def __call__(self, game: Game, state: State):
        games.moves_to_choose(game, state)  # If the game is over, no answer is legal.
        # Looked up at each move, because notebooks replace `input` and `print`.
        ask = self.ask or input
        say = self.say or print
        while True:
            answer = ask(f"{self.name}, your move in {state}: ")
            try:
                return games.read_move(game, state, read_words(game, answer))
            except IllegalMove as error:
                reason = games.reason_in(error)
                say(f"{reason[0].upper()}{reason[1:]}.")

    def __repr__(self) -> str:
        return f"HumanAgent({self.name!r})"


def _weights_of(moves: Callable[[Game, State], list], game: Game, table: Table) -> np.ndarray | None:
    """float64 array, shape (S, M): how often a function lists each move; None if a state has no such list."""
    weights = np.zeros(table.next_state.shape)
    for row in np.flatnonzero(~table.over):
        try:
            for answer in moves(game, table.states[row]):
                weights[row, table.column[games.named_move(game, answer)]] += 1
        except Exception:  # noqa: BLE001 - any error in a student's function
            return None
    return weights


def draw_evenly(moves, generator: np.random.Generator):
    """One of `moves`, all equally likely."""
    return moves[int(generator.random() * len(moves))]


# --- rules: plain functions, ready for RuleAgent --------------------------------------------------------


def take_one(game: CoinGame, state: State) -> Move:
    """Take one coin from the first row that has any.

    It does not plan, so it loses to anyone who counts, but it never makes an illegal move.
    """
    return Move(next(row for row, held in enumerate(state) if held), 1)


def take_most(game: CoinGame, state: State) -> Move:
    """Take as many coins as one move may, from the fullest row.

    In normal play with one row this wins the last few coins; in misère play it ends up with the
    last coin, because it never stops to leave one.
    """
    row = state.index(max(state))
    return Move(row, min(state[row], game.most))


def leave_multiple(game: CoinGame, state: State) -> Move:
    """Leave a multiple of k + 1 coins (normal play), or one more than a multiple (misère play).

    Whatever the opponent then takes, from 1 to k, the next move can bring the total of the two moves to k + 1
    and so leave such a number again. With one row this is perfect play. With several rows the number of coins
    does not determine who wins, and the rule can be beaten. If it cannot leave such a number, it takes one coin.
    """
    poisoned = 1 if game.misere else 0  # the last coin, which loses in misère play
    spare = sum(state) - poisoned
    if game.max_pick is not None:  # Without a bound any total can be left.
        spare = spare % (game.max_pick + 1)
    for row, held in enumerate(state):
        if 0 < spare <= held:
            return Move(row, spare)
    return take_one(game, state)


def mirror(game: CoinGame, state: State) -> Move:
    """With two rows: make them equal, and from then on copy whatever the opponent does.

    In normal play this wins: there is always a reply, and the last one takes the last coin. In
    misère play the same habit takes the last coin and loses. If the rows are already equal, or
    differ by more than one move may take, it takes one coin.
    """
    if len(state) != 2:
        raise ValueError(f"mirror: expected two rows, got {len(state)}: {state}")
    fuller = 0 if state[0] > state[1] else 1
    surplus = abs(state[0] - state[1])
    if 1 <= surplus <= game.most:
        return Move(fuller, surplus)
    return take_one(game, state)


def closed_form(game: CoinGame, state: State) -> Move:
    """Leave a lost position by the closed form of `theory`; take one coin if that is impossible.

    Perfect play without looking ahead: for any rows, any bound and either ending.
    """
    winning = theory.winning_moves(game, state)
    return winning[0] if winning else take_one(game, state)
