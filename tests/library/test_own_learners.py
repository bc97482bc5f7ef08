"""Your own agents and learners are played as they are written, against any opponent.

Many games of built-in agents are played by one fast loop, which knows how their classes choose and learn. A
class that is derived from one of them and does either in another way plays move by move. So does a learner
that is written from the documentation alone. Here each of them gives the same numbers as a loop of
single matches, which ask both agents for every move.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from one_by_one import ORDERS, lend, matches, results, same
from own_games import Ladder

from coinlib import agents, learners, loops, search
from coinlib.agents import HumanAgent, MixedAgent, PerfectAgent, RandomAgent, RuleAgent, ScriptedAgent
from coinlib.arena import evaluate, round_robin
from coinlib.games import CoinGame, GreedyCoins, sticks
from coinlib.learners import Hats, Learner, QLearner
from coinlib.match import AgentError, play_match
from coinlib.search import SearchAgent
from coinlib.training import train

GAME = sticks(6)
GAMES = 30

MAKE_AGENT = {
    RandomAgent: lambda kind: kind(seed=3),
    RuleAgent: lambda kind: kind(agents.take_most),
    MixedAgent: lambda kind: kind(often_the_first_legal, seed=3),
    PerfectAgent: lambda kind: kind(seed=3),
    ScriptedAgent: lambda kind: kind(*[1] * 6),
    HumanAgent: lambda kind: kind(ask=lambda prompt: "1"),
    SearchAgent: lambda kind: kind(simulations=5, seed=3),
}
MAKE_LEARNER = {
    Hats: lambda kind: kind(GAME, seed=3),
    QLearner: lambda kind: kind(GAME, 0.5, exploration=0.3, seed=3),
}
MAKE = MAKE_AGENT | MAKE_LEARNER
EACH_LEARNER = pytest.mark.parametrize("kind", MAKE_LEARNER, ids=lambda kind: kind.__name__)
EACH_KIND = pytest.mark.parametrize("kind", MAKE, ids=lambda kind: kind.__name__)


def often_the_first_legal(game, state):
    """List the legal moves, largest first, then the smallest two more times."""
    legal = game.legal_moves(state)
    return legal[::-1] + 2 * legal[:1]


def first_legal(game, state):
    """Make the smallest move: on sticks, take one."""
    return game.legal_moves(state)[0]


OPPONENTS = {
    "a function": lambda: first_legal,
    "a rule": lambda: RuleAgent(agents.take_most),
    "a random agent": lambda: RandomAgent(seed=5),
    "a careless agent": lambda: RandomAgent(seed=5, legal_only=False),
    "a perfect agent": lambda: PerfectAgent(seed=5),
    "hats": lambda: Hats(GAME, seed=5),
    "a Q-learner": lambda: QLearner(GAME, 0.4, exploration=0.2, seed=5),
    "a script": lambda: ScriptedAgent(*[1] * 6),
    "a person": lambda: HumanAgent(ask=lambda prompt: "1"),
}
FEW_OPPONENTS = ("a function", "a rule", "a random agent", "hats")


def counts(evaluation):
    """Return what an evaluation has counted, and the first illegal move."""
    kinds = ("games", "wins", "ties", "losses", "forfeits", "opponent_forfeits", "illegal_move")
    return {kind: getattr(evaluation, kind) for kind in kinds}


def test_every_agent_and_learner_of_the_library_is_tried():
    found = set()
    for room in (agents, learners, search):
        for name, thing in vars(room).items():
            own_class = isinstance(thing, type) and thing.__module__ == room.__name__
            if own_class and any("__call__" in vars(base) for base in thing.__mro__):
                found.add(name)
    missing = found - {kind.__name__ for kind in MAKE} - {"Learner", "Seat"}
    assert not missing, f"put {missing} into MAKE_AGENT or MAKE_LEARNER"


# --- an override is called, and affects nothing else --------------------------------------------------


def spying(kind, hook):
    """Derive a class from `kind` that counts the calls of `hook`, and otherwise behaves like its parent."""

    def spy(self, *arguments):
        self.calls += 1
        inherited = getattr(super(derived, self), hook, None)
        if inherited is not None:
            return inherited(*arguments)

    derived = type(f"Spying{kind.__name__}", (kind,), {hook: spy, "calls": 0})
    return derived


@EACH_KIND
def test_an_evaluation_calls_an_override(kind):
    for number, opponent in enumerate(OPPONENTS):
        hook = ("__call__", "new_match")[number % 2]
        spy, twin, parent = (MAKE[kind](own) for own in (spying(kind, hook), spying(kind, hook), kind))
        found = evaluate(GAME, spy, OPPONENTS[opponent](), games=GAMES, seed=7, first="alternate")
        single = twin, OPPONENTS[opponent]()
        lend(single, 7)
        one_by_one = results(matches(GAME, single, GAMES, "alternate", learn=False))
        assert (found.wins, found.losses) == (one_by_one.count(1), one_by_one.count(-1)), opponent
        assert spy.calls == twin.calls > 0, (hook, opponent)
        as_parent = evaluate(GAME, parent, OPPONENTS[opponent](), games=GAMES, seed=7, first="alternate")
        assert counts(found) == counts(as_parent), (hook, opponent)


def beside(learner, opponent):
    return learner, (learner if opponent == "itself" else OPPONENTS[opponent]())


@pytest.mark.parametrize("hook", ["choose", "learn", "sit", "new_match"])
def test_a_training_calls_an_override(hook):
    """The two learners take turns."""
    for number, opponent in enumerate([*OPPONENTS, "itself"]):
        kind = [*MAKE_LEARNER][(number + len(hook)) % 2]
        made = [MAKE[kind](own) for own in (spying(kind, hook), spying(kind, hook), kind)]
        fast, single, parents = (beside(learner, opponent) for learner in made)
        run = train(*fast, games=GAMES, seed=7, first="alternate")
        lend(single, 7)
        case = kind, opponent
        assert run.result.tolist() == results(matches(GAME, single, GAMES, "alternate", learn=True)), case
        assert fast[0].calls == single[0].calls > 0, case
        as_parents = train(*parents, games=GAMES, seed=7, first="alternate")
        assert run.result.tolist() == as_parents.result.tolist(), case
        assert run.illegal_move == as_parents.illegal_move, case
        assert all(map(same, fast, single)) and all(map(same, fast, parents)), case


# --- an override decides, against any opponent --------------------------------------------------------


def stubborn(kind):
    """Derive a class from `kind` that makes the first legal move, with the hook that you would override."""
    if issubclass(kind, Learner):
        return type("Stubborn", (kind,), {"choose": lambda self, values, row, exploration: first_column(self, row)})
    return type("Stubborn", (kind,), {"__call__": lambda self, game, state: first_legal(game, state)})


def first_column(learner, row):
    return int(learner.table.legal[row].argmax())


@EACH_KIND
def test_a_class_that_chooses_otherwise_plays_as_it_chooses(kind):
    """In either seat, against a learner that learns, and in a round robin."""
    mine = MAKE[kind](stubborn(kind))
    for opponent in FEW_OPPONENTS:
        for order in (1, -1):
            one = evaluate(GAME, *(mine, OPPONENTS[opponent]())[::order], games=GAMES, seed=2)
            other = evaluate(GAME, *(first_legal, OPPONENTS[opponent]())[::order], games=GAMES, seed=2)
            assert counts(one) == counts(other), opponent
    for learner in MAKE_LEARNER:
        one, other = MAKE[learner](learner), MAKE[learner](learner)
        run = train(one, MAKE[kind](stubborn(kind)), games=GAMES, seed=4)
        assert run.result.tolist() == train(other, first_legal, games=GAMES, seed=4).result.tolist()
        assert same(one, other)
    fields = [{"mine": agent, "random": RandomAgent(), "hats": Hats(GAME)} for agent in (mine, first_legal)]
    tables = [round_robin(GAME, field, games=GAMES, seed=3) for field in fields]
    assert tables[0].equals(tables[1])


class AlwaysOne(RandomAgent):
    """Takes one stick. From two sticks in misère play that always wins."""

    def __call__(self, game, state):
        return 1


class TakesOne:
    """Gives its way of playing to any class listed after it."""

    __call__ = AlwaysOne.__call__


class Mixed(TakesOne, RandomAgent):
    """A random agent that takes one."""


def test_a_way_to_play_may_come_from_another_parent():
    assert evaluate(sticks(2), Mixed(), RandomAgent(seed=1), games=100, first="agent").wins == 100


@EACH_LEARNER
def test_a_learner_may_be_called_otherwise_or_choose_otherwise_as_one_object(kind):
    called = MAKE[kind](type("Called", (kind,), {"__call__": lambda self, game, state: 1}))
    single = MAKE[kind](kind)
    single.choose = lambda values, row, exploration: 0
    plain = evaluate(GAME, first_legal, PerfectAgent(), games=GAMES, seed=2)
    for agent in (called, single):
        assert counts(evaluate(GAME, agent, PerfectAgent(), games=GAMES, seed=2)) == counts(plain)
    run = train(single, PerfectAgent(), games=GAMES, seed=1)
    assert (run.result == 1).sum() == evaluate(GAME, first_legal, PerfectAgent(), GAMES, seed=1, first="agent").wins


def test_a_derived_class_may_declare_again_how_it_plays_or_learns():
    """Then it plays in the fast loop, and is not called for a single move."""

    class Declared(AlwaysOne):
        __call__ = None

        def move_weights(self, game, table):
            return np.eye(len(table.moves))[[0] * len(table.states)]

    class Looped(QLearner):
        loop = loops.Q_LEARNING
        learn = None

    found = evaluate(GAME, Declared(), RandomAgent(), games=GAMES, seed=1)
    assert counts(found) == counts(evaluate(GAME, AlwaysOne(), RandomAgent(), games=GAMES, seed=1))
    one, other = Looped(GAME), QLearner(GAME)
    for learner in (one, other):
        train(learner, RandomAgent(), games=GAMES, seed=1)
    assert same(one, other)


# --- learners that are written from the documentation -------------------------------------------------


class MonteCarlo(Learner):
    """The mean outcome of each move over all games that contain it."""

    exploration = 0.2

    def __init__(self, game, seed=None):
        super().__init__(game, seed)
        self.made = np.zeros(self.values.shape)

    def choose(self, values, row, exploration):
        if self.generator.random() < exploration:
            return int(self.generator.choice(np.flatnonzero(self.table.legal[row])))
        return int(values[row].argmax())

    def learn(self, seat, move, reward, after):
        if after is None:
            for row, column in seat.chosen:
                self.made[row, column] += 1
                seat.values[row, column] += (seat.outcome - seat.values[row, column]) / self.made[row, column]


SMALL_GAMES = [CoinGame((1, 2, 3), 2), sticks(7, misere=False), GreedyCoins((3, 5, 1, 2)), Ladder(6)]


def test_a_learner_of_your_own_learns_from_every_opponent_and_in_every_game():
    cases = [(GAME, make) for make in OPPONENTS.values()]
    for game in SMALL_GAMES:
        cases += [(game, RandomAgent), (game, lambda game=game: Hats(game)), (game, None)]  # None: itself
    for number, (game, make) in enumerate(cases):
        first = ORDERS[number % len(ORDERS)]
        fast, single = MonteCarlo(game), MonteCarlo(game)
        against = [fast, single] if make is None else [make(), make()]
        run = train(fast, against[0], games=GAMES, seed=number, first=first)
        lend((single, against[1]), number)
        played = matches(game, (single, against[1]), GAMES, first, learn=True)
        assert run.result.tolist() == results(played), (game, against)
        assert same(fast, single) and same(*against), (game, against)
        assert fast.games == GAMES and run.error == "", (game, against)


def test_its_seat_tells_what_it_chose_and_how_the_game_ended():
    """So each value is the mean outcome of its move."""
    learner = MonteCarlo(GAME)
    opponent = RandomAgent(seed=5)
    outcomes = defaultdict(list)
    for _ in range(GAMES):
        match = play_match(GAME, learner, opponent, learn=True)
        for decision in list(zip(match.states, match.moves))[::2]:
            outcomes[decision].append(match.outcome(1))
    for (state, move), found in outcomes.items():
        value = learner.values[learner.table.row(state), learner.table.column[move]]
        assert value == pytest.approx(np.mean(found))


def test_a_learner_of_your_own_can_be_measured_and_stored(tmp_path):
    measured = type("Measured", (MonteCarlo,), {"move_weights": QLearner.move_weights})(GAME, seed=1)
    twin = MonteCarlo(GAME, seed=1)
    for learner in (measured, twin):
        train(learner, RandomAgent(), games=GAMES, seed=1)
    one, other = (evaluate(GAME, learner, RandomAgent(), games=GAMES, seed=1) for learner in (measured, twin))
    assert counts(one) == counts(other)
    assert 0 <= measured.distance_to_perfect().right <= measured.distance_to_perfect().winning
    with pytest.raises(TypeError, match="MonteCarlo does not say how likely it makes each move"):
        twin.distance_to_perfect()
    again = MonteCarlo(GAME)
    again.load(twin.save(tmp_path / "own.npz"))
    assert same(again, twin)


def test_a_learner_that_does_not_say_how_it_learns_is_told_so():
    half = type("Half", (Learner,), {"choose": lambda self, values, row, exploration: 0})
    with pytest.raises(AgentError, match="Half does not say how it learns"):
        train(half(GAME), RandomAgent(), games=1)
    assert play_match(GAME, half(GAME), RandomAgent(), seed=1).forfeit is None
