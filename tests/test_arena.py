"""Who wins: matches, many games, training; and that the two ways of playing play the same games."""

from __future__ import annotations

import math
import subprocess
import sys
import time
import warnings
from pathlib import Path

import hypothesis.strategies as st
import interrupted
import numpy as np
import pytest
from hypothesis import given
from own_games import OWN_GAMES, Taking

from coinlib import (
    SCENARIOS,
    CoinGame,
    GreedyCoins,
    Hats,
    HumanAgent,
    IllegalMove,
    Move,
    PerfectAgent,
    QLearner,
    RandomAgent,
    RuleAgent,
    ScriptedAgent,
    arena,
    evaluate,
    linear,
    loops,
    minimax,
    play_match,
    round_robin,
    sticks,
    sweep,
    train,
)
from coinlib.agents import take_most, take_one
from coinlib.arena import AgentError, AgentWarning, Match, _seeded, wilson

NIM = SCENARIOS["NIM"]

# --- one match ----------------------------------------------------------------------------------------------


def test_a_match_is_on_record():
    match = play_match(sticks(10), ScriptedAgent(3, 1, 1), ScriptedAgent(2, 3))
    assert match.moves == [(0, 3), (0, 2), (0, 1), (0, 3), (0, 1)]
    assert match.states == [(10,), (7,), (5,), (4,), (1,), (0,)]
    assert (match.winner, match.forfeit, match.rewards) == (2, 0, [0] * 5)
    frame = match.to_frame()
    assert frame["takes"].tolist() == [3, 2, 1, 3, 1]
    assert frame["left"].tolist() == [7, 5, 4, 1, 0]
    assert frame["player"].tolist() == [1, 2, 1, 2, 1]
    assert frame.index.tolist() == [1, 2, 3, 4, 5]
    words = "player 1 took the last coin and loses (misère play)"
    assert repr(match) == f"Match(ScriptedAgent against ScriptedAgent: {words})"
    normal = play_match(sticks(10, misere=False), ScriptedAgent(3, 1, 1), ScriptedAgent(2, 3))
    assert (normal.winner, normal.reason) == (1, "player 1 took the last coin and wins (normal play)")


def test_frames_of_other_games():
    rows = play_match(CoinGame((1, 2), 2), ScriptedAgent((1, 2)), ScriptedAgent((0, 1))).to_frame()
    assert rows[["row", "takes"]].to_numpy().tolist() == [[1, 2], [0, 1]]
    coins = play_match(GreedyCoins((1, 5)), ScriptedAgent("R"), ScriptedAgent("L")).to_frame()
    assert coins[["move", "points"]].to_numpy().tolist() == [["R", 5], ["L", 1]]


def test_an_agent_is_a_function_of_three_lines():
    def mine(game, state):
        moves = game.legal_moves(state)
        return moves[-1]

    assert play_match(sticks(5), mine, lambda game, state: 1).states == [(5,), (2,), (1,), (0,)]


def test_a_match_by_hand():
    """Moves from outside, an agent that is asked for its own, and an undo: the moves less two, made again."""
    match = Match(sticks(10), (None, ScriptedAgent(2, 3)), ("Ada", "script"))
    assert (match.state, match.turn, match.over, match.winner) == ((10,), 1, False, None)
    assert repr(match) == "Match(Ada against script: player 1 is to move)"
    match.make(3)
    assert (match.state, match.turn, match.moves) == ((7,), 2, [Move(0, 3)])
    match.step()
    assert (match.state, match.turn) == ((5,), 1)

    again = Match(match.game, match.seats, match.names)
    for move in match.moves[:-2]:
        again.make(move)
    assert (again.state, again.turn, again.over) == ((10,), 1, False)
    for answer in (1, 3, (0, 3), 2, 1):
        again.make(answer)
    assert (again.over, again.winner, again.forfeit, again.states[-1]) == (True, 2, 0, (0,))
    assert len(match.moves) == 2  # the other match is as it was


def test_a_match_that_is_over_stays_as_it_is_and_teaches_nothing_more():
    hats = Hats(sticks(2), seed=1)
    match = Match(sticks(2), (hats.sit(), None))
    while not match.over:
        match.step() if match.turn == 1 else match.make(1)
    balls, games, reason = hats.values.copy(), hats.games, match.reason
    for again in (match.step, lambda: match.make(1)):
        with pytest.raises(ValueError, match="the game is over"):
            again()
    assert (hats.games, match.reason, len(match.states)) == (games, reason, len(match.moves) + 1)
    assert (hats.values == balls).all()


def test_an_illegal_move_ends_a_match_by_hand():
    match = Match(GreedyCoins((100, 1, 1, 1)))
    match.make("L")
    match.make("R")
    match.make("both")
    assert (match.winner, match.forfeit, match.rewards, match.states[-1]) == (2, 1, [100, 1], (1, 3))
    assert match.reason == "player 1 forfeits: expected 'L' or 'R', got 'both'"


def test_a_match_that_is_left_is_not_learnt_from():
    hats = Hats(sticks(10), seed=1)
    match = Match(sticks(10), (hats.sit(), None))
    match.step()
    match.make(1)
    match.step()
    assert len(hats.beside()) == 2
    match.leave()
    assert (hats.beside(), hats.games, hats.visits.sum()) == ([], 0, 0)


def test_a_game_that_never_ends_is_given_up(monkeypatch):
    monkeypatch.setattr(arena, "MOVES_AT_MOST", 50)
    circle = type("Circle", (Taking,), {"play": lambda self, state, take: 10})()
    with pytest.raises(ValueError, match="game: no end after 50 moves; is it too large, or can a state come twice?"):
        play_match(circle, lambda game, state: 1, lambda game, state: 2)


# --- illegal moves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [None, 2.0, True, "2", (9, 1), (0, 0), -1, (0, 1, 2), "x" * 10**5], ids=repr)
def test_an_illegal_move_loses_the_match_with_the_reason_on_record(answer):
    match = play_match(sticks(20), take_one, lambda game, state: answer)
    assert (match.winner, match.forfeit) == (1, 2)
    assert match.reason.startswith("player 2 forfeits: ")
    assert 30 < len(match.reason) < 250
    assert match.states == [(20,), (19,)]  # the illegal move was not made
    outcome = evaluate(sticks(20), lambda game, state: answer, RandomAgent(), games=20, seed=1)
    assert (outcome.wins, outcome.losses, outcome.forfeits, outcome.error) == (0, 20, 20, "")
    other = evaluate(sticks(20), RandomAgent(), lambda game, state: answer, games=20, seed=1)
    assert (other.wins, other.opponent_forfeits, other.forfeits) == (20, 20, 0)


# --- agents that raise --------------------------------------------------------------------------------------


def test_an_agent_that_raises_is_named_with_the_state_it_had():
    def divides(game, state):
        return 1 // (state[0] - 7)

    words = r"divides raised ZeroDivisionError in state \(7,\): integer division"
    with pytest.raises(AgentError, match=words) as caught:
        play_match(sticks(7), divides, take_one)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_agent_that_raises_illegal_move_has_raised():
    """Only the rules say what is illegal."""

    def shouts(game, state):
        raise IllegalMove("I do not want to")

    with pytest.raises(AgentError, match="shouts raised IllegalMove"):
        play_match(sticks(7), shouts, take_one)


class Tires:
    """Plays a number of games one stick at a time, and does something else in the next."""

    name = "Tires"

    def __init__(self, games, then=None):
        self.left, self.then = games, then

    def new_match(self):
        self.left -= 1

    def __call__(self, game, state):
        if self.left < 0:
            if self.then is None:
                raise RuntimeError("enough")
            self.then()
        return 1


def test_games_that_were_played_before_an_agent_raised_are_kept():
    words = r"stopped after 7 games: Tires raised RuntimeError in state \(19,\): enough"
    with pytest.warns(AgentWarning, match=words) as seen:
        outcome = evaluate(sticks(20), take_one, Tires(7), games=100, first="agent")
    assert (outcome.games, outcome.wins + outcome.losses) == (7, 7)
    assert "Tires raised RuntimeError" in outcome.error
    assert "stopped" in repr(outcome)
    assert seen[0].filename == __file__  # it points to the caller's line


def test_an_agent_that_raises_in_the_first_game_raises():
    agent = RandomAgent(seed=1)
    own = agent.generator
    with pytest.raises(AgentError, match="Tires raised RuntimeError"):
        evaluate(sticks(20), agent, Tires(0), games=100, seed=5, first="agent")
    assert agent.generator is own  # given back


def test_what_was_learnt_before_an_opponent_raised_is_kept():
    learner, twin = (QLearner(sticks(20), exploration=0.2, seed=1) for _ in range(2))
    with pytest.warns(AgentWarning, match="stopped after 7 games") as seen:
        run = train(learner, Tires(7), games=100)
    train(twin, Tires(7), games=7)
    assert (len(run.result), learner.games) == (7, 7)
    assert "enough" in run.stopped
    assert interrupted.same(learner, twin)
    assert seen[0].filename == __file__


# --- Ctrl-C ---------------------------------------------------------------------------------------------------


def test_one_ctrl_c_ends_a_training_that_keeps_its_games_and_a_second_a_loop_of_them(ctrl_c):
    hats, twin = Hats(sticks(20), seed=1), Hats(sticks(20), seed=1)
    words = "stopped after 5 games: interrupted; a second Ctrl-C or Stop within 3 seconds stops everything"
    with pytest.warns(AgentWarning, match=words):
        run = train(hats, Tires(5, then=ctrl_c), games=100)
    train(twin, Tires(5), games=5)
    assert (run.stopped, len(run.result), hats.games) == ("interrupted", 5, 5)
    assert interrupted.same(hats, twin)
    with pytest.raises(KeyboardInterrupt):
        train(hats, Tires(5, then=ctrl_c), games=100)
    assert (hats.games, hats.beside()) == (10, [])  # the games of the other training are kept as well


def test_a_second_ctrl_c_much_later_ends_only_the_training_it_meets(ctrl_c, monkeypatch):
    monkeypatch.setattr(arena, "TWICE_SECONDS", 0.0)
    for _ in range(2):
        with pytest.warns(AgentWarning, match="interrupted"):
            train(Hats(sticks(20)), Tires(1, then=ctrl_c), games=9)


@pytest.mark.filterwarnings("ignore::coinlib.arena.AgentWarning")
def test_a_sweep_counts_no_run_that_was_cut_short(ctrl_c):
    def learn(seed):
        return {"games": len(train(Hats(sticks(20)), Tires(5, then=ctrl_c), games=9).result)}

    with pytest.raises(KeyboardInterrupt):
        sweep(learn, {}, seeds=3, jobs=1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no alarm clock")
@pytest.mark.parametrize("speed", ["compiled", "plain"])
def test_thousands_of_interrupts_leave_every_learner_whole(speed):
    """At random moments of short trainings, in a process that they might end: see interrupted.py."""
    if speed == "compiled":
        pytest.importorskip("numba")
    program = Path(interrupted.__file__)
    command = [sys.executable, str(program), speed]
    done = subprocess.run(command, cwd=program.parent.parent, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"{interrupted.CUT} {speed}"


# --- many games -----------------------------------------------------------------------------------------------


def test_wilson_intervals_of_textbooks():
    """0 of 10: 0 to 0.278; 60 of 100: 0.502 to 0.691; 1 of 29: 0.006 to 0.172 (Newcombe 1998)."""
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=5e-5)
    assert wilson(60, 100) == pytest.approx((0.5020, 0.6906), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


@given(st.integers(1, 10**6), st.floats(0, 1))
def test_the_ends_of_a_wilson_interval_lie_two_standard_errors_from_the_rate(games, share):
    """By its definition, where |rate - p| is 1.959964 standard errors of p."""
    rate = round(share * games) / games
    low, high = wilson(round(share * games), games)
    for end in (low, high):
        error = 1.959964 * math.sqrt(end * (1 - end) / games)
        assert abs(rate - end) == pytest.approx(error, abs=1e-7)
    assert 0 <= low <= rate + 1e-12 and rate - 1e-12 <= high <= 1


def test_an_evaluation_by_hand():
    """Sticks of 5, take one each: whoever moves first takes the last."""
    outcome = evaluate(sticks(5), take_one, take_one, games=11)
    assert (outcome.games, outcome.wins, outcome.ties, outcome.losses) == (11, 5, 0, 6)  # the agent begins six times
    assert evaluate(sticks(5), take_one, take_one, games=10, first="agent").wins == 0
    assert evaluate(sticks(5), take_one, take_one, games=10, first="opponent").wins == 10
    assert outcome.win_rate == 5 / 11
    assert (outcome.low, outcome.high) == wilson(5, 11)
    tied = evaluate(GreedyCoins((1, 2, 4, 3)), PerfectAgent(), PerfectAgent(), games=50, seed=1)
    assert (tied.wins, tied.ties, tied.losses) == (0, 50, 0) and ", 50 ties" in repr(tied)


def forgets(game, state):
    """A student who wrote everything but `return`."""
    game.legal_moves(state)[0]


NO_ANSWER = "forgets in state (5,): expected a move, got None: a function gives None where it ends without `return`"


def test_forfeits_are_told_with_a_reason():
    nothing = evaluate(sticks(5), forgets, RandomAgent(), games=4, seed=1)
    assert nothing.reason == NO_ANSWER
    assert repr(nothing).endswith(f"0.0% to 49.0%; 4 forfeits, for example {NO_ANSWER})")
    other = evaluate(sticks(5), RandomAgent(), forgets, games=1, seed=1, first="opponent")
    assert repr(other).endswith(f"; 1 forfeit of the opponent, for example {NO_ANSWER})")
    with pytest.warns(AgentWarning, match="a against b: every game ended by an illegal move, for example forgets in"):
        round_robin(sticks(5), {"a": forgets, "b": RandomAgent()}, games=4, seed=1)


def test_a_run_counts_forfeits_as_a_loop_of_matches_does():
    run = train(QLearner(sticks(5)), forgets, games=20, seed=1, first="opponent")
    assert (run.forfeits, run.opponent_forfeits, run.reason) == (0, 20, NO_ANSWER)
    assert repr(run).endswith(f"20 of 20 games won; 20 forfeits of the opponent, for example {NO_ANSWER})")
    game, learner = sticks(9), QLearner(sticks(9), legal_only=False)
    run = train(learner, RandomAgent(legal_only=False), games=200, seed=3, first="alternate")
    assert run.forfeits > 0 and run.opponent_forfeits > 0
    assert (run.result[run.forfeit < 0] == -1).all() and (run.result[run.forfeit > 0] == 1).all()
    agents, forfeit = (QLearner(game, legal_only=False), RandomAgent(legal_only=False)), []
    with _seeded(agents, 3):
        for number in range(200):
            pair = agents if number % 2 == 0 else agents[::-1]
            loser = play_match(game, *pair, learn=True).forfeit
            forfeit.append(0 if not loser else -1 if pair[loser - 1] is agents[0] else 1)
    assert run.forfeit.tolist() == forfeit


def test_who_has_the_advantage_under_random_play():
    """Exact probabilities by recursion, and the arena's estimate within five standard errors."""
    chance = {0: 1.0}  # that whoever moves wins, misère play
    for held in range(1, 22):
        chance[held] = np.mean([1 - chance[held - take] for take in range(1, min(3, held) + 1)])
    outcome = evaluate(sticks(21), RandomAgent(), RandomAgent(), games=20_000, seed=1, first="agent")
    assert abs(outcome.win_rate - chance[21]) < 5 * math.sqrt(0.25 / 20_000)


@pytest.mark.parametrize(
    ("call", "change", "error", "words"),
    [
        (evaluate, {"games": 0}, ValueError, "games: expected 1 or more, got 0"),
        (evaluate, {"games": 1.5}, TypeError, "games: expected a whole number, got 1.5"),
        (evaluate, {"games": "10"}, TypeError, "games: expected a whole number, got '10'"),
        (evaluate, {"first": "me"}, ValueError, "first: expected 'agent', 'opponent' or 'alternate', got 'me'"),
        (evaluate, {"opponent": "perfect"}, TypeError, "opponent: expected an agent, a function .* got 'perfect'"),
        (train, {"learner": RandomAgent()}, TypeError, "learner: expected Hats or a QLearner, got RandomAgent"),
        (train, {"games": -1}, ValueError, "games: expected 0 or more, got -1"),
        (train, {"checkpoints": [11]}, ValueError, "a checkpoint: expected at most 10, got 11"),
        (train, {"opponent": None}, TypeError, "opponent: expected an agent, a function .* got None"),
        (round_robin, {"agents": {"me": take_one}}, TypeError, "agents: expected two names or more, .*; got {'me'"),
        (round_robin, {"agents": [take_one, take_most]}, TypeError, r"agents: expected two names or more, .*; got \["),
        (round_robin, {"agents": {"me": take_one, "you": 3}}, TypeError, "agents: 'you': expected an agent, .* got 3"),
    ],
)
def test_what_is_asked_wrongly(call, change, error, words):
    good = {
        evaluate: {"game": sticks(5), "agent": RandomAgent(), "opponent": take_one, "games": 10},
        train: {"learner": Hats(sticks(5)), "opponent": take_one, "games": 10},
        round_robin: {"game": sticks(5)},
    }
    with pytest.raises(error, match=words):
        call(**(good[call] | change))


def test_a_class_in_place_of_an_agent_is_named_with_its_mend():
    with pytest.raises(TypeError, match=r"agent: expected an agent, .*; write RandomAgent\(\.\.\.\) to make one"):
        evaluate(sticks(5), RandomAgent, RandomAgent(), games=1)


def test_many_games_of_built_in_agents_are_quick():
    """100,000 games; the limit is generous, for slow machines that do other things as well."""
    evaluate(sticks(20), RandomAgent(), PerfectAgent(), games=10, seed=1)
    began = time.perf_counter()
    evaluate(sticks(20), RandomAgent(), PerfectAgent(), games=100_000, seed=1)
    if loops.numba() is not None:
        assert time.perf_counter() - began < 3


def test_a_bar_appears_only_when_the_wait_is_long(capfd, monkeypatch):
    evaluate(sticks(20), take_one, take_most, games=50)
    assert capfd.readouterr() == ("", "")
    clock = iter(range(10**6))
    monkeypatch.setattr(arena.time, "perf_counter", lambda: next(clock))  # every look at the clock is a second later
    warnings.simplefilter("ignore")  # in a terminal tqdm may miss widgets
    evaluate(sticks(20), take_one, take_most, games=50)
    assert capfd.readouterr().err == ""  # conftest disables bars
    monkeypatch.delenv("TQDM_DISABLE")
    evaluate(sticks(20), take_one, take_most, games=50)
    assert "game/s" in capfd.readouterr().err


def test_a_round_robin_adds_up():
    agents = {"random": RandomAgent(), "perfect": PerfectAgent(), "most": RuleAgent(take_most), "one": take_one}
    table = round_robin(sticks(20), agents, games=200, seed=1)
    assert table.index[0] == "perfect"
    assert table.columns.tolist() == [*table.index, "mean"]
    assert table["mean"].is_monotonic_decreasing
    for one in table.index:
        assert math.isnan(table.loc[one, one])
        for other in table.index.drop(one):
            assert table.loc[one, other] + table.loc[other, one] == pytest.approx(1)
    assert table.equals(round_robin(sticks(20), agents, games=200, seed=1))


# --- a student's own small games --------------------------------------------------------------------------


def value_by_recursion(game, state):
    if game.is_over(state):
        return game.result(state)
    return max(
        game.reward(state, move) - value_by_recursion(game, game.play(state, move)) for move in game.legal_moves(state)
    )


def test_the_values_of_a_students_games():
    assert minimax(OWN_GAMES["noughts and crosses"]).value == 0
    assert minimax(OWN_GAMES["noughts and crosses"], "XX.OO....") == (1, [2])
    assert minimax(OWN_GAMES["taking one or two"]) == (1, [1])  # leave a multiple of three
    assert minimax(OWN_GAMES["pieces"]).value == value_by_recursion(OWN_GAMES["pieces"], 0)


@pytest.mark.parametrize("game", OWN_GAMES.values(), ids=OWN_GAMES)
def test_a_students_game_runs_with_everything(game):
    value = minimax(game).value
    match = play_match(game, PerfectAgent(seed=1), PerfectAgent(seed=2))
    assert match.winner == {1: 1, 0: 0, -1: 2}[int(np.sign(value))]
    assert "0x" not in match.reason
    assert len(match.to_frame()) == len(match.moves)
    perfect = evaluate(game, PerfectAgent(), RandomAgent(), games=300, seed=1, first="agent")
    assert perfect.losses == 0 or value < 0
    careless = evaluate(game, RandomAgent(legal_only=False), RandomAgent(), games=300, seed=1)
    assert careless.forfeits > 0
    for learner in (Hats(game, seed=1), QLearner(game, 0.3, exploration=linear(0.5, 0, 8_000), seed=1)):
        run = train(learner, RandomAgent(), games=10_000, seed=1)
        assert np.mean(run.result[-1_000:]) > np.mean(run.result[:1_000])
        assert play_match(game, learner, RandomAgent(), seed=1).forfeit == 0
    person = HumanAgent(ask=lambda prompt: str(game.legal_moves(game.start)[0]))
    assert person(game, game.start) == game.legal_moves(game.start)[0]
    table = round_robin(game, {"a": RandomAgent(), "b": PerfectAgent()}, games=100, seed=1)
    assert table.index[0] == "b"


# --- the two ways of playing play the same games --------------------------------------------------------------


def children(agents, seed):
    """Generators as `train` and `evaluate` lend them: one for each object."""
    first, second = np.random.SeedSequence(seed).spawn(2)
    for agent, child in ((agents[1], second), (agents[0], first)):  # one object in both seats gets the first
        if hasattr(agent, "generator"):
            agent.generator = np.random.default_rng(child)


def one_by_one(game, agent, opponent, games, seed, first, learn):
    """A loop of matches: +1, 0, -1 for the agent, and who forfeited."""
    children((agent, opponent), seed)
    results, forfeits = [], []
    for number in range(games):
        begins = first == "agent" or (first == "alternate" and number % 2 == 0)
        match = play_match(game, *((agent, opponent) if begins else (opponent, agent)), learn=learn)
        mine = 1 if begins else 2
        results.append(0 if match.winner == 0 else 1 if match.winner == mine else -1)
        forfeits.append(0 if match.forfeit == 0 else 1 if match.forfeit == mine else -1)
    return results, forfeits


LEARNERS = {
    "hats": Hats,
    "q": QLearner,
    "q, schedules": lambda game: QLearner(game, linear(1, 0.1, 70), 0.9, exploration=linear(0.9, 0.0, 80)),
    "q, all moves": lambda game: QLearner(game, 0.5, 0.7, exploration=0.3, legal_only=False),
}
OPPONENTS = {
    "random": lambda game: RandomAgent(),
    "careless": lambda game: RandomAgent(legal_only=False),
    "perfect": lambda game: PerfectAgent(),
    "hats": Hats,
    "q": lambda game: QLearner(game, 0.4, 0.8, exploration=0.2),
    "self": None,
}
ORDERS = pytest.mark.parametrize("first", ["agent", "opponent", "alternate"])
GAMES = {"sticks": sticks(8), "nim": NIM, "normal": sticks(7, misere=False), "points": GreedyCoins((3, 5, 1, 2, 8, 2))}
EVERY_GAME = GAMES | OWN_GAMES


def pair(learner, opponent, game):
    one = LEARNERS[learner](game)
    return one, (one if OPPONENTS[opponent] is None else OPPONENTS[opponent](game))


@pytest.mark.parametrize("game", EVERY_GAME.values(), ids=EVERY_GAME)
@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_training_equals_a_loop_of_matches(learner, opponent, game):
    """Game by game, ball by ball, bit by bit; in all three orders of moving first."""
    for seed, first in enumerate(("agent", "opponent", "alternate")):
        fast, slow = pair(learner, opponent, game), pair(learner, opponent, game)
        run = train(*fast, games=60, seed=seed, first=first)
        results, _ = one_by_one(game, *slow, 60, seed, first, learn=True)
        assert run.result.tolist() == results
        assert all(map(interrupted.same, fast, slow))
        assert fast[0].games == 60


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@ORDERS
def test_an_evaluation_equals_a_loop_of_matches(game, first):
    def sides():
        own = LEARNERS["q, schedules"](game)
        train(own, RandomAgent(seed=1), games=30, seed=1)
        careless = RandomAgent(legal_only=False)
        rule = RuleAgent(lambda game, state: game.legal_moves(state)[-1])
        return [(own, careless), (careless, rule), (RandomAgent(), PerfectAgent()), (own, own), (careless, careless)]

    for quick, plain in zip(sides(), sides()):
        outcome = evaluate(game, *quick, games=60, seed=9, first=first)
        results, forfeits = one_by_one(game, *plain, 60, 9, first, learn=False)
        assert (outcome.wins, outcome.ties, outcome.losses) == tuple(results.count(sign) for sign in (1, 0, -1))
        assert (outcome.forfeits, outcome.opponent_forfeits) == (forfeits.count(1), forfeits.count(-1))


def test_two_agents_with_one_source_of_chance():
    """They share a generator, and draw from it in turn in both ways of playing."""

    def sides():
        generator = np.random.default_rng(3)
        return RandomAgent(seed=generator), RandomAgent(seed=generator)

    fast, slow = sides(), sides()
    outcome = evaluate(NIM, *fast, games=100, first="agent")
    results = [play_match(NIM, *slow).winner for _ in range(100)]
    assert outcome.wins == results.count(1)
    assert fast[0].generator.random() == slow[0].generator.random()


@pytest.mark.parametrize("seconds", [0.0, 1e-4, 10.0])
def test_the_length_of_a_chunk_changes_nothing(seconds, monkeypatch):
    def trained():
        learner = QLearner(NIM, 0.5, exploration=linear(0.8, 0, 200))
        run = train(learner, Hats(NIM, seed=2), games=300, seed=4, first="alternate", checkpoints=(0, 7, 150, 300))
        return run, learner

    usual, usual_learner = trained()
    monkeypatch.setattr(arena, "CHUNK_SECONDS", seconds)
    run, learner = trained()
    assert np.array_equal(run.result, usual.result)
    assert interrupted.same(learner, usual_learner)
    assert list(run.checkpoints) == [0, 7, 150, 300]
    assert all(np.array_equal(run.checkpoints[mark], usual.checkpoints[mark]) for mark in run.checkpoints)


def test_a_checkpoint_is_the_table_after_so_many_games():
    run = train(Hats(sticks(8)), RandomAgent(), games=50, seed=4, checkpoints=[20, 0, 20])
    other = Hats(sticks(8))
    assert np.array_equal(run.checkpoints[0], other.values)
    train(other, RandomAgent(), games=20, seed=4)
    assert np.array_equal(run.checkpoints[20], other.values)
    assert sorted(run.checkpoints) == [0, 20]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("opponent", ["random", "self"])
def test_two_calls_of_500_equal_one_of_1000(learner, opponent):
    """Each agent goes on with its own generator, and schedules with the games already learnt."""
    halves, whole = pair(learner, opponent, sticks(8)), pair(learner, opponent, sticks(8))
    for agents in (halves, whole):
        children(agents, 6)
    runs = [train(*halves, games=500) for _ in range(2)]
    run = train(*whole, games=1_000)
    assert np.concatenate([part.result for part in runs]).tolist() == run.result.tolist()
    assert interrupted.same(halves[0], whole[0])


# --- seeds ------------------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_numbers_again_and_leaves_the_own_generators_alone():
    agent, opponent = RandomAgent(seed=1), RandomAgent(seed=2)
    expected = RandomAgent(seed=1).generator.random()
    assert len({evaluate(sticks(20), agent, opponent, games=100, seed=5) for _ in range(3)}) == 1
    assert len({tuple(play_match(sticks(20), agent, opponent, seed=5).moves) for _ in range(3)}) == 1
    assert agent.generator.random() == expected


def test_without_a_seed_each_agent_goes_on_with_its_own_generator():
    agent = RandomAgent(seed=1)
    games = [play_match(sticks(20), agent, take_one).moves for _ in range(2)]
    again = RandomAgent(seed=1)
    assert [play_match(sticks(20), again, take_one).moves for _ in range(2)] == games
    assert games[0] != games[1]


def test_the_two_seats_get_different_chances_and_one_object_gets_one():
    seen = [move.count for move in play_match(sticks(40), RandomAgent(), RandomAgent(), seed=1).moves]
    assert seen[0::2][:8] != seen[1::2][:8]
    alone = RandomAgent()
    moves = play_match(sticks(40), alone, alone, seed=1).moves
    plain = RandomAgent(seed=np.random.SeedSequence(1).spawn(2)[0])
    assert moves == play_match(sticks(40), plain, plain).moves


# --- a run ------------------------------------------------------------------------------------------------


def test_a_run_says_how_it_went():
    run = train(Hats(sticks(10)), RandomAgent(), games=30, seed=1, first="alternate")
    assert run.result.dtype == np.int8
    assert run.won.tolist() == (run.result > 0).tolist()
    assert run.moved_first.tolist() == [True, False] * 15
    rate = run.win_rate(window=5)
    assert np.isnan(rate[:4]).all()
    assert rate[4:] == pytest.approx([run.won[game - 4 : game + 1].mean() for game in range(4, 30)])
    frame = run.to_frame()
    assert frame.index.tolist() == list(range(1, 31))
    assert frame.columns.tolist() == ["result", "won", "moved_first"]
    assert np.isnan(run.win_rate(window=31)).all()
    with pytest.raises(ValueError, match="window: expected 1 or more"):
        run.win_rate(window=0)
    assert train(Hats(sticks(10)), RandomAgent(), games=0).win_rate().tolist() == []


def test_learning_happens_only_where_it_was_asked_for():
    hats = Hats(sticks(10), seed=1)
    play_match(sticks(10), hats, RandomAgent(seed=1))
    evaluate(sticks(10), hats, hats, games=20)
    round_robin(sticks(10), {"hats": hats, "random": RandomAgent()}, games=20)
    assert (hats.games, hats.visits.sum()) == (0, 0)
    opponent = Hats(sticks(10), seed=2)
    train(hats, opponent, games=20, seed=1)
    assert (hats.games, opponent.games) == (20, 20)  # both learn if both can
