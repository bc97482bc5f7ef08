"""Agents and learners of one's own are played as they are written, whoever sits opposite.

Many games of built-in agents are played by one fast loop, which knows how their classes choose and learn. A
class that is derived from one of them and does either in another way is asked move by move. So is a learner
that somebody writes from the documentation alone. Here each of them gives the same numbers as a loop of
single matches, which ask everybody for every move.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from functools import cached_property

import interrupted
import numpy as np
import pytest
from own_games import OWN_GAMES, Ladder

from coinlib import agents, learners, loops, search
from coinlib.agents import HumanAgent, PerfectAgent, RandomAgent, RuleAgent, ScriptedAgent
from coinlib.arena import evaluate, round_robin
from coinlib.games import CoinGame, GameError, GreedyCoins, sticks
from coinlib.learners import Hats, Learner, QLearner
from coinlib.match import AgentError, play_match
from coinlib.search import SearchAgent
from coinlib.series import AgentWarning
from coinlib.tables import tabulate
from coinlib.training import train

GAME = sticks(6)
GAMES = 30
ORDERS = ("agent", "opponent", "alternate")


def first_legal(game, state):
    """The smallest move: on sticks it takes one."""
    return game.legal_moves(state)[0]


# --- what everything is compared with: a loop of single matches ---------------------------------------


def lend(pair, seed):
    """Generators as `train` and `evaluate` lend them: one for each object."""
    generators = np.random.default_rng(seed).spawn(2)
    for agent, generator in reversed(
        list(zip(pair, generators, strict=True))
    ):  # one object in both seats has the first
        if hasattr(agent, "generator"):
            agent.generator = generator


def matches(game, pair, games, seed, first, learn):
    """(match, seat of the first of the pair) of each game, played one after another."""
    lend(pair, seed)
    for number in range(games):
        begins = first == "agent" or (first == "alternate" and number % 2 == 0)
        if begins:
            yield play_match(game, *pair, learn=learn), 1
        else:
            yield play_match(game, *reversed(pair), learn=learn), 2


def results(played):
    """+1, 0 or -1 of each game for the first of the pair."""
    return [match.outcome(seat) for match, seat in played]


def counts(evaluation):
    """What an evaluation has counted, and the first illegal move."""
    kinds = ("games", "wins", "ties", "losses", "forfeits", "opponent_forfeits", "illegal_move")
    return {kind: getattr(evaluation, kind) for kind in kinds}


# --- the agents and learners of the library, and whom they meet ---------------------------------------

MAKE_AGENT = {
    RandomAgent: lambda kind: kind(seed=3),
    RuleAgent: lambda kind: kind(agents.take_most),
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
EACH_OPPONENT = pytest.mark.parametrize("opponent", OPPONENTS)
EACH_AGENT = pytest.mark.parametrize("kind", MAKE_AGENT, ids=lambda kind: kind.__name__)
EACH_LEARNER = pytest.mark.parametrize("kind", MAKE_LEARNER, ids=lambda kind: kind.__name__)
EACH_KIND = pytest.mark.parametrize("kind", MAKE, ids=lambda kind: kind.__name__)


def test_every_agent_and_learner_of_the_library_is_tried():
    found = set()
    for room in (agents, learners, search):
        for name, thing in vars(room).items():
            own_class = isinstance(thing, type) and thing.__module__ == room.__name__
            if own_class and any("__call__" in vars(base) for base in thing.__mro__):
                found.add(name)
    missing = found - {kind.__name__ for kind in MAKE} - {"Learner", "Seat"}
    assert not missing, f"put {missing} into MAKE_AGENT or MAKE_LEARNER"


# --- the classes that were once played as their parents -----------------------------------------------


class AlwaysOne(RandomAgent):
    """Takes one stick. From two sticks in misère play that always wins."""

    def __call__(self, game, state):
        return 1


class Frozen(QLearner):
    """Never learns."""

    def learn(self, seat, move, reward, after):
        pass


def test_a_derived_agent_makes_its_own_moves():
    assert evaluate(sticks(2), AlwaysOne(), RandomAgent(seed=1), games=1_000, first="agent").wins == 1_000


@pytest.mark.parametrize("opponent", [RandomAgent(seed=1), first_legal], ids=["a random agent", "a function"])
def test_a_learner_whose_learn_does_nothing_learns_nothing(opponent):
    frozen = Frozen(sticks(10), seed=1)
    before = frozen.values.copy()
    train(frozen, opponent, games=100, seed=1)
    assert np.array_equal(frozen.values, before)
    assert frozen.games == 100


# --- an override is heard, and changes nothing that it does not change --------------------------------


def spying(kind, hook):
    """A class derived from `kind` that counts how often `hook` is called, and otherwise is as its parent."""

    def spy(self, *arguments):
        self.calls += 1
        inherited = getattr(super(derived, self), hook, None)
        if inherited is not None:
            return inherited(*arguments)

    derived = type(f"Spying{kind.__name__}", (kind,), {hook: spy, "calls": 0})
    return derived


@EACH_OPPONENT
@pytest.mark.parametrize("hook", ["__call__", "new_match"])
@EACH_KIND
def test_an_evaluation_asks_whoever_overrides(kind, hook, opponent):
    spy, twin = (MAKE[kind](spying(kind, hook)) for _ in range(2))
    found = evaluate(GAME, spy, OPPONENTS[opponent](), games=GAMES, seed=7, first="alternate")
    one_by_one = results(matches(GAME, (twin, OPPONENTS[opponent]()), GAMES, 7, "alternate", learn=False))
    assert (found.wins, found.losses) == (one_by_one.count(1), one_by_one.count(-1))
    assert spy.calls == twin.calls > 0
    parent = evaluate(GAME, MAKE[kind](kind), OPPONENTS[opponent](), games=GAMES, seed=7, first="alternate")
    assert counts(found) == counts(parent)


@EACH_OPPONENT
@pytest.mark.parametrize("hook", ["choose", "learn", "sit", "new_match"])
@EACH_LEARNER
def test_a_training_asks_whoever_overrides(kind, hook, opponent):
    pairs = [(MAKE[kind](spying(kind, hook)), OPPONENTS[opponent]()) for _ in range(2)]
    run = train(*pairs[0], games=GAMES, seed=7, first="alternate")
    assert run.result.tolist() == results(matches(GAME, pairs[1], GAMES, 7, "alternate", learn=True))
    assert pairs[0][0].calls == pairs[1][0].calls > 0
    parents = MAKE[kind](kind), OPPONENTS[opponent]()
    as_parents = train(*parents, games=GAMES, seed=7, first="alternate")
    assert run.result.tolist() == as_parents.result.tolist()
    assert run.illegal_move == as_parents.illegal_move
    for other in (pairs[1], parents):
        assert all(map(interrupted.same, pairs[0], other))


@pytest.mark.parametrize("hook", ["choose", "learn", "sit"])
@EACH_LEARNER
def test_self_play_asks_whoever_overrides(kind, hook):
    spy, twin, parent = (MAKE[kind](derived) for derived in (*[spying(kind, hook)] * 2, kind))
    run = train(spy, spy, games=GAMES, seed=7)
    assert run.result.tolist() == results(matches(GAME, (twin, twin), GAMES, 7, "agent", learn=True))
    assert run.result.tolist() == train(parent, parent, games=GAMES, seed=7).result.tolist()
    assert spy.calls == twin.calls > 0
    assert interrupted.same(spy, twin) and interrupted.same(spy, parent)


# --- an override decides, whoever sits opposite -------------------------------------------------------


def stubborn(kind):
    """A class derived from `kind` that makes the first legal move, by the hook that one would override."""
    if issubclass(kind, Learner):

        class Stubborn(kind):
            def choose(self, values, row, exploration):
                return int(self.table.legal[row].argmax())
    else:

        class Stubborn(kind):
            def __call__(self, game, state):
                return first_legal(game, state)

    return Stubborn


@EACH_OPPONENT
@EACH_KIND
def test_a_class_that_chooses_otherwise_plays_as_it_chooses(kind, opponent):
    mine = MAKE[kind](stubborn(kind))
    for pair in ((mine, OPPONENTS[opponent]()), (OPPONENTS[opponent](), mine)):
        plain = [first_legal if agent is mine else OPPONENTS[opponent]() for agent in pair]
        one, other = (evaluate(GAME, *players, games=GAMES, seed=2) for players in (pair, plain))
        assert counts(one) == counts(other)
    match = play_match(GAME, mine, OPPONENTS[opponent](), seed=2)
    assert {move.count for move in match.moves[0::2]} == {1}


@EACH_LEARNER
def test_a_learner_that_is_called_otherwise_plays_so(kind):
    derived = type("Called", (kind,), {"__call__": lambda self, game, state: 1})
    found = evaluate(GAME, MAKE[kind](derived), PerfectAgent(), games=GAMES, seed=2)
    assert counts(found) == counts(evaluate(GAME, first_legal, PerfectAgent(), games=GAMES, seed=2))


@EACH_KIND
@pytest.mark.parametrize("learner", MAKE_LEARNER, ids=lambda kind: kind.__name__)
def test_a_learner_meets_a_class_that_chooses_otherwise(learner, kind):
    one, other = (MAKE[learner](learner) for _ in range(2))
    run = train(one, MAKE[kind](stubborn(kind)), games=GAMES, seed=4)
    assert run.result.tolist() == train(other, first_legal, games=GAMES, seed=4).result.tolist()
    assert interrupted.same(one, other)


@EACH_KIND
def test_a_round_robin_asks_whoever_overrides(kind):
    def table(mine):
        field = {"mine": mine, "random": RandomAgent(), "hats": Hats(GAME)}
        return round_robin(GAME, field, games=GAMES, seed=3)

    assert table(MAKE[kind](stubborn(kind))).equals(table(first_legal))


@EACH_OPPONENT
@EACH_LEARNER
def test_a_class_that_learns_nothing_keeps_its_table(kind, opponent):
    derived = type("Frozen", (kind,), {"learn": lambda self, seat, move, reward, after: None})
    frozen = MAKE[kind](derived)
    before = frozen.values.copy()
    train(frozen, OPPONENTS[opponent](), games=GAMES, seed=1)
    train(frozen, frozen, games=GAMES, seed=1)
    assert np.array_equal(frozen.values, before)
    assert frozen.games == 2 * GAMES and frozen.visits.sum() > 0


def test_whoever_declares_how_it_plays_is_played_in_the_loop():
    class Declared(AlwaysOne):
        """As AlwaysOne, and says beforehand what it does in every state."""

        def __call__(self, game, state):
            raise AssertionError("asked for a single move")

        def move_weights(self, game, table):
            return np.eye(len(table.moves))[[0] * len(table.states)]

    found = evaluate(GAME, Declared(), RandomAgent(), games=GAMES, seed=1)
    assert counts(found) == counts(evaluate(GAME, AlwaysOne(), RandomAgent(), games=GAMES, seed=1))


class TakesOne:
    """Brings its way to play to any class beside which it is named first."""

    def __call__(self, game, state):
        return 1


class Mixed(TakesOne, RandomAgent):
    """A random agent that takes one."""


def test_a_way_to_play_may_come_from_a_second_parent():
    assert evaluate(sticks(2), Mixed(), RandomAgent(seed=1), games=100, first="agent").wins == 100


def test_one_object_may_choose_in_its_own_way():
    learner = QLearner(GAME)
    learner.choose = lambda values, row, exploration: 0
    run = train(learner, PerfectAgent(), games=GAMES, seed=1)
    plain = matches(GAME, (first_legal, PerfectAgent()), GAMES, 1, "agent", learn=False)
    assert run.result.tolist() == results(plain)
    found = evaluate(GAME, learner, PerfectAgent(), games=GAMES, seed=1)
    assert counts(found) == counts(evaluate(GAME, first_legal, PerfectAgent(), games=GAMES, seed=1))


def test_a_learner_may_declare_a_loop_again():
    class Declared(QLearner):
        """Says that it learns as its parent does, so nobody calls it for a single move."""

        loop = loops.Q_LEARNING
        learn = None

    one, other = Declared(GAME), QLearner(GAME)
    for learner in (one, other):
        train(learner, RandomAgent(), games=GAMES, seed=1)
    assert interrupted.same(one, other)


# --- learners that somebody writes from the documentation ---------------------------------------------


class MonteCarlo(Learner):
    """The mean outcome of each move over all games in which it was made."""

    name = "MonteCarlo"
    exploration = 0.2

    def __init__(self, game, seed=None):
        super().__init__(game, seed)
        self.made = np.zeros(self.values.shape)

    def untaught(self):
        return np.where(self.table.legal, 0.0, -np.inf)

    def choose(self, values, row, exploration):
        if self.generator.random() < exploration:
            return int(self.generator.choice(np.flatnonzero(self.table.legal[row])))
        return int(values[row].argmax())

    def learn(self, seat, move, reward, after):
        if after is None:
            for row, column in seat.chosen:
                self.made[row, column] += 1
                seat.values[row, column] += (seat.outcome - seat.values[row, column]) / self.made[row, column]


class Sarsa(Learner):
    """As Q-learning, but what is backed up is the value of the move that it really makes next."""

    name = "Sarsa"
    exploration = 0.2

    untaught = MonteCarlo.untaught
    choose = MonteCarlo.choose

    def sit(self, partner=None):
        seat = super().sit(partner)
        seat.last = None  # the move before, and its reward: what comes next is not known yet
        return seat

    def learn(self, seat, move, reward, after):
        if seat.last is not None:
            before, earned = seat.last
            self.back_up(seat.values, before, earned + seat.values[move])
        seat.last = (move, reward)
        if after is None:
            self.back_up(seat.values, move, reward)

    def back_up(self, values, move, target):
        values[move] += 0.25 * (target - values[move])


OWN_LEARNERS = {"Monte Carlo": MonteCarlo, "SARSA": Sarsa}
EACH_OWN = pytest.mark.parametrize("own", OWN_LEARNERS.values(), ids=OWN_LEARNERS)
SMALL_GAMES = {
    "several rows": CoinGame((1, 2, 3), 2),
    "normal play": sticks(7, misere=False),
    "points": GreedyCoins((3, 5, 1, 2)),
    "ties": Ladder(6),
}


@pytest.mark.parametrize("opponent", [*OPPONENTS, "itself"])
@EACH_OWN
def test_a_learner_of_ones_own_learns_from_everybody(own, opponent):
    for seed, first in enumerate(ORDERS):
        pairs = []
        for learner in (own(GAME), own(GAME)):
            pairs.append((learner, learner if opponent == "itself" else OPPONENTS[opponent]()))
        run = train(*pairs[0], games=GAMES, seed=seed, first=first)
        assert run.result.tolist() == results(matches(GAME, pairs[1], GAMES, seed, first, learn=True))
        assert all(map(interrupted.same, *pairs))
        assert pairs[0][0].games == GAMES and run.error == ""


@pytest.mark.parametrize("game", SMALL_GAMES.values(), ids=SMALL_GAMES)
@EACH_OWN
def test_a_learner_of_ones_own_learns_any_game(own, game):
    for opponent in (RandomAgent, PerfectAgent, lambda: Hats(game), lambda: own(game)):
        pairs = [(own(game), opponent()) for _ in range(2)]
        run = train(*pairs[0], games=GAMES, seed=1, first="alternate")
        assert run.result.tolist() == results(matches(game, pairs[1], GAMES, 1, "alternate", learn=True))
        assert all(map(interrupted.same, *pairs))


@pytest.mark.parametrize("kind", [Hats, QLearner, MonteCarlo, Sarsa], ids=lambda kind: kind.__name__)
def test_a_rule_teaches_the_same_as_its_function(kind):
    """The promise of `RuleAgent` makes many games fast, and changes no number."""
    one, other = kind(GAME), kind(GAME)
    by_table = train(one, RuleAgent(agents.leave_multiple), games=100, seed=1, first="alternate")
    by_move = train(other, agents.leave_multiple, games=100, seed=1, first="alternate")
    assert by_table.result.tolist() == by_move.result.tolist()
    assert interrupted.same(one, other)


def decisions(played):
    """Of each game the (state, move) pairs of the first of the pair, and its outcome."""
    for match, seat in played:
        places = range(seat - 1, len(match.moves), 2)
        yield [(match.states[place], match.moves[place]) for place in places], match.outcome(seat)


@pytest.mark.parametrize("opponent", ["a function", "a rule", "a random agent", "a person"])
def test_monte_carlo_keeps_the_means_of_its_outcomes(opponent):
    learner, twin = MonteCarlo(GAME), MonteCarlo(GAME)
    train(learner, OPPONENTS[opponent](), games=GAMES, seed=6)
    outcomes = defaultdict(list)
    played = matches(GAME, (twin, OPPONENTS[opponent]()), GAMES, 6, "agent", learn=True)
    for chosen, outcome in decisions(played):
        for decision in chosen:
            outcomes[decision].append(outcome)
    assert len(outcomes) > 2
    for (state, move), heard in outcomes.items():
        value = learner.values[learner.table.row(state), learner.table.column[move]]
        assert value == pytest.approx(np.mean(heard))


@pytest.mark.parametrize("opponent", ["a function", "a rule", "a random agent", "a person"])
def test_sarsa_backs_up_the_move_that_it_makes_next(opponent):
    learner, twin = Sarsa(GAME), Sarsa(GAME)
    train(learner, OPPONENTS[opponent](), games=GAMES, seed=6)
    values = defaultdict(float)
    played = matches(GAME, (twin, OPPONENTS[opponent]()), GAMES, 6, "agent", learn=True)
    for chosen, outcome in decisions(played):
        targets = [values[decision] for decision in chosen[1:]] + [outcome]
        for decision, target in zip(chosen, targets, strict=True):
            values[decision] += 0.25 * (target - values[decision])
    assert len(values) > 2
    for (state, move), value in values.items():
        assert learner.values[learner.table.row(state), learner.table.column[move]] == pytest.approx(value)


class Measured(MonteCarlo):
    """Says how likely it makes each move."""

    move_weights = QLearner.move_weights


def test_a_learner_of_ones_own_can_be_measured_and_stored(tmp_path):
    measured, twin = Measured(GAME, seed=1), MonteCarlo(GAME, seed=1)
    for learner in (measured, twin):
        train(learner, RandomAgent(), games=GAMES, seed=1)
    one, other = (evaluate(GAME, learner, RandomAgent(), games=GAMES, seed=1) for learner in (measured, twin))
    assert counts(one) == counts(other)
    assert 0 <= measured.distance_to_perfect().right <= measured.distance_to_perfect().winning
    with pytest.raises(TypeError, match="MonteCarlo does not say how likely it makes each move"):
        twin.distance_to_perfect()
    again = MonteCarlo(GAME)
    again.load(twin.save(tmp_path / "own.npz"))
    assert interrupted.same(again, twin)


def test_a_learner_that_does_not_say_how_it_learns_is_told_so():
    class Half(Learner):
        def choose(self, values, row, exploration):
            return 0

    with pytest.raises(AgentError, match="Half does not say how it learns"):
        train(Half(GAME), RandomAgent(), games=1)


def test_a_learner_of_ones_own_comes_to_play_well():
    learner = MonteCarlo(sticks(10))
    train(learner, PerfectAgent(), games=2_000, seed=1)
    assert evaluate(sticks(10), learner, PerfectAgent(), games=100, seed=1, first="agent").win_rate == 1


# --- games whose classes say nothing of equality ------------------------------------------------------


class Cached:
    """Takes one or two of some sticks, and works out its list of moves when it is first asked for."""

    def __init__(self, start):
        self.start = start

    @cached_property
    def moves(self):
        return (1, 2)

    def legal_moves(self, state):
        return [take for take in self.moves if take <= state]

    def play(self, state, take):
        return state - take

    def is_over(self, state):
        return state == 0

    def reward(self, state, take):
        return 0

    def result(self, state):
        return 1


class Slotted(Cached):
    """The same with `__slots__`, and so without a dictionary of its own to compare."""

    __slots__ = ("start",)
    moves = (1, 2)


class Bare:
    """The same game again, with slots all the way up: its objects have no `__dict__` at all."""

    __slots__ = ("start",)
    moves = (1, 2)

    __init__ = Cached.__init__
    legal_moves = Cached.legal_moves
    play = Cached.play
    is_over = Cached.is_over
    reward = Cached.reward
    result = Cached.result


@pytest.mark.parametrize("game", [Cached, Slotted, Bare])
@pytest.mark.parametrize("kind", [Hats, QLearner, MonteCarlo], ids=lambda kind: kind.__name__)
def test_a_game_without_equality_is_learnt_and_known_again(kind, game):
    learner, other = kind(game(7), seed=1), kind(game(7), seed=1)
    train(learner, RandomAgent(), games=GAMES, seed=1)
    train(other, first_legal, games=GAMES, seed=1)
    train(learner, kind(game(7)), games=GAMES, seed=1)
    assert learner.games == 2 * GAMES
    assert learner(game(7), 7) in (1, 2)  # a second object of the same game
    assert evaluate(game(7), learner, RandomAgent(), games=GAMES, seed=1).games == GAMES
    assert play_match(game(7), learner, learner, learn=True).winner in (1, 2)
    with pytest.raises(ValueError, match="this learner plays"):
        learner(game(8), 7)


# --- and all of this without Numba --------------------------------------------------------------------


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="this is the run without Numba")
def test_all_of_this_file_holds_where_nothing_is_compiled():
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-qx",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-o",
        "addopts=",
        __file__,
    ]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


# --- games and agents that are a little odd -------------------------------------------------------------


def test_a_rule_that_answers_a_float_forfeits_in_both_ways():
    game = OWN_GAMES["taking one or two"]
    for answer in (1.0, True):
        quick = evaluate(game, RuleAgent(lambda game, state, answer=answer: answer), RandomAgent(), 50, seed=1)
        plain = evaluate(game, lambda game, state, answer=answer: answer, RandomAgent(), 50, seed=1)
        assert (quick.wins, quick.forfeits) == (plain.wins, plain.forfeits) == (0, 50)


def derived(**members):
    """A student's game with other members."""
    return type("Derived", (type(OWN_GAMES["taking one or two"]),), members)()


def test_moves_that_numpy_made_are_legal_in_both_ways():
    game = derived(legal_moves=lambda self, state: [np.int64(take) for take in (1, 2) if take <= state])
    quick = evaluate(game, RandomAgent(), RuleAgent(lambda game, state: 1), 60, seed=1)
    plain = evaluate(game, RandomAgent(), lambda game, state: 1, 60, seed=1)
    assert (quick.wins, quick.forfeits) == (plain.wins, plain.forfeits)
    assert quick.forfeits == 0


@pytest.mark.parametrize("legal", [lambda self, state: (take for take in (1, 2)), lambda self, state: [None]])
def test_legal_moves_that_are_no_list_of_moves_are_refused(legal):
    game = derived(legal_moves=legal)
    for play in (lambda: evaluate(game, RandomAgent(), RandomAgent(), 5), lambda: tabulate(game)):
        with pytest.raises(GameError, match="legal_moves"):
            play()


def test_a_derived_game_of_coins_may_forbid_more():
    class NeverTwo(CoinGame):
        def legal_moves(self, state):
            return [move for move in super().legal_moves(state) if move.count != 2]

    game = NeverTwo((9,), 3)
    for agent in (RuleAgent(lambda game, state: 2), lambda game, state: 2):
        assert evaluate(game, agent, RandomAgent(), 20, seed=1).forfeits == 20


def test_rates_that_are_computed_are_asked_before_every_game():
    class Cautious(QLearner):
        learning_rate = property(lambda self: 1 / (1 + abs(float(self.values[0, 0]))), lambda self, rate: None)

    class Asked(QLearner):
        def rates(self, games):
            exploration, rate, discount = super().rates(games)
            return exploration, rate / (1 + abs(float(self.values[0, 0]))), discount

    for kind in (Cautious, Asked):
        learner, twin = kind(sticks(8), exploration=0.3), kind(sticks(8), exploration=0.3)
        train(learner, RandomAgent(), games=40, seed=1)
        list(matches(sticks(8), (twin, RandomAgent()), 40, 1, "agent", learn=True))
        assert np.array_equal(learner.values, twin.values)


def test_a_derived_q_learner_may_have_other_rates():
    class Curious(QLearner):
        exploration = 0.3
        learning_rate = 0.1
        discount = 0.5

    curious = Curious(GAME, seed=1)
    assert (curious.exploration, curious.learning_rate, curious.discount) == (0.3, 0.1, 0.5)
    assert Curious(GAME, learning_rate=0.7).learning_rate == 0.7
    same = QLearner(GAME, exploration=0.3, learning_rate=0.1, discount=0.5, seed=1)
    for learner in (curious, same):
        train(learner, RandomAgent(), games=200, seed=1)
    assert np.array_equal(curious.values, same.values)


def test_an_error_while_it_learns_stops_a_training_in_words():
    class Fails(QLearner):
        def learn(self, seat, move, reward, after):
            super().learn(seat, move, reward, after)
            if self.games == 3:
                raise ZeroDivisionError("three games are enough")

    learner = Fails(GAME, seed=1)
    with pytest.warns(AgentWarning, match=r"stopped after 3 games: Fails raised ZeroDivisionError as it learnt from"):
        run = train(learner, RandomAgent(), games=10, seed=1)
    assert (len(run.result), learner.games) == (3, 3)
    assert "line" in run.error and 'raise ZeroDivisionError("three games are enough")' in run.error


def test_a_warning_shows_the_line_of_ones_own_code():
    def rule(game, state):
        return 1 // (state[0] - 1)

    with pytest.warns(AgentWarning, match=r"return 1 // \(state\[0\] - 1\)"):
        evaluate(sticks(3, misere=False), RuleAgent(rule), RandomAgent(), games=50, seed=1)
