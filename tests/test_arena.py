"""Who wins: matches, many games, training; and that the two ways of playing play the same games."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import time
import warnings
from pathlib import Path

import interrupted
import numpy as np
import pytest
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
from coinlib.arena import AgentError, AgentWarning, Match, wilson

NIM = SCENARIOS["NIM"]

# --- one match ----------------------------------------------------------------------------------------------


def test_a_match_is_on_record():
    match = play_match(sticks(10), ScriptedAgent(3, 1, 1), ScriptedAgent(2, 3))
    assert match.moves == [(0, 3), (0, 2), (0, 1), (0, 3), (0, 1)]
    assert match.states == [(10,), (7,), (5,), (4,), (1,), (0,)]
    assert (match.winner, match.forfeit, match.rewards) == (2, 0, [0] * 5)
    words = "player 1 took the last coin and loses (misère play)"
    assert repr(match) == f"Match(ScriptedAgent against ScriptedAgent: {words})"
    normal = play_match(sticks(10, misere=False), ScriptedAgent(3, 1, 1), ScriptedAgent(2, 3))
    assert (normal.winner, normal.reason) == (1, "player 1 took the last coin and wins (normal play)")


def test_frames_of_matches():
    sticks_taken = play_match(sticks(10), ScriptedAgent(3, 1, 1), ScriptedAgent(2, 3)).to_frame()
    assert sticks_taken.index.tolist() == [1, 2, 3, 4, 5]
    assert sticks_taken[["player", "takes", "left"]].to_numpy().T.tolist() == [
        [1, 2, 1, 2, 1],
        [3, 2, 1, 3, 1],
        [7, 5, 4, 1, 0],
    ]
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
    """Moves from outside, and an agent that is asked for its own."""
    match = Match(sticks(10), (None, ScriptedAgent(2, 3)), ("Ada", "script"))
    assert (match.state, match.turn, match.over, match.winner) == ((10,), 1, False, None)
    assert repr(match) == "Match(Ada against script: player 1 is to move)"
    match.make(3)
    assert (match.state, match.turn, match.moves) == ((7,), 2, [Move(0, 3)])
    match.step()
    assert (match.state, match.turn) == ((5,), 1)
    for answer in (1, (0, 3), 1):
        match.make(answer)
    assert (match.over, match.winner, match.forfeit, match.states[-1]) == (True, 2, 0, (0,))
    for again in (match.step, lambda: match.make(1)):
        with pytest.raises(ValueError, match="the game is over"):
            again()
    assert len(match.states) == len(match.moves) + 1 == 6


def test_an_illegal_move_ends_a_match_by_hand():
    match = Match(GreedyCoins((100, 1, 1, 1)))
    for answer in ("L", "R", "both"):
        match.make(answer)
    assert (match.winner, match.forfeit, match.rewards, match.states[-1]) == (2, 1, [100, 1], (1, 3))
    assert match.reason == "player 1 forfeits: 'both' is not a legal move in (1, 3) (legal: 'L', 'R')"


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


@pytest.mark.parametrize("answer", [None, 2.0, True, "2", (9, 1), (0, 0), -1, "x" * 10**5], ids=repr)
def test_an_illegal_move_loses_the_match_with_the_reason_on_record(answer):
    match = play_match(sticks(20), take_one, lambda game, state: answer)
    assert (match.winner, match.forfeit) == (1, 2)
    assert match.reason.startswith("player 2 forfeits: ")
    assert 30 < len(match.reason) < 250
    assert match.states == [(20,), (19,)]  # the illegal move was not made
    outcome = evaluate(sticks(20), lambda game, state: answer, RandomAgent(), games=20, seed=1)
    assert (outcome.wins, outcome.losses, outcome.forfeits, outcome.opponent_forfeits) == (0, 20, 20, 0)
    as_a_table = evaluate(sticks(20), RuleAgent(lambda game, state: answer), RandomAgent(), games=20, seed=1)
    assert (as_a_table.losses, as_a_table.forfeits) == (20, 20)


# --- agents that raise --------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [ZeroDivisionError, IllegalMove])  # only the rules say what is illegal
def test_an_agent_that_raises_is_named_with_the_state_it_had(error):
    def gives_up(game, state):
        raise error("I do not want to")

    words = rf"gives_up raised {error.__name__} in state \(7,\): I do not want to"
    with pytest.raises(AgentError, match=words) as caught:
        play_match(sticks(7), gives_up, take_one)
    assert isinstance(caught.value.__cause__, error)


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
    learner, twin = (QLearner(sticks(20), exploration=0.2, seed=1) for _ in range(2))
    words = r"stopped after 7 games: Tires raised RuntimeError in state \(\d+,\): enough"
    with pytest.warns(AgentWarning, match=words) as seen:
        outcome = evaluate(sticks(20), take_one, Tires(7), games=100, first="agent")
    with pytest.warns(AgentWarning, match=words) as seen_too:
        run = train(learner, Tires(7), games=100)
    assert seen[0].filename == seen_too[0].filename == __file__  # they point to the caller's lines
    assert (outcome.games, outcome.wins + outcome.losses) == (7, 7)
    words = r"Tires raised RuntimeError in state \(19,\): enough \(line \d+: raise RuntimeError\(.enough.\)\)"
    assert re.fullmatch(words, outcome.error) and "stopped" in repr(outcome)
    train(twin, Tires(7), games=7)
    assert (len(run.result), learner.games) == (7, 7)
    assert "enough" in run.stopped
    assert interrupted.same(learner, twin)


def test_an_agent_that_raises_in_the_first_game_raises(ctrl_c):
    """Ctrl-C in an evaluation as well; the generators that were lent are given back."""
    agent = RandomAgent(seed=1)
    own = agent.generator
    with pytest.raises(AgentError, match="Tires raised RuntimeError"):
        evaluate(sticks(20), agent, Tires(0), games=100, seed=5, first="agent")
    assert agent.generator is own
    with pytest.raises(KeyboardInterrupt):
        evaluate(sticks(20), agent, Tires(3, then=ctrl_c), games=100, seed=5)
    assert agent.generator is own


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


def test_a_run_counts_forfeits():
    run = train(QLearner(sticks(5)), forgets, games=20, seed=1, first="opponent")
    assert (run.forfeits, run.opponent_forfeits, run.reason) == (0, 20, NO_ANSWER)
    assert repr(run).endswith(f"20 of 20 games won; 20 forfeits of the opponent, for example {NO_ANSWER})")


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
    assert round_robin(game, {"a": RandomAgent(), "b": PerfectAgent()}, games=100, seed=1).index[0] == "b"


# --- the two ways of playing play the same games --------------------------------------------------------------


def lend(agents, seed):
    """Generators as `train` and `evaluate` lend them: one for each object."""
    first, second = np.random.SeedSequence(seed).spawn(2)
    for agent, child in ((agents[1], second), (agents[0], first)):  # one object in both seats gets the first
        if hasattr(agent, "generator"):
            agent.generator = np.random.default_rng(child)


def one_by_one(game, agents, games, first, learn):
    """A loop of matches: +1, 0, -1 for the first of the agents, and +1 or -1 where the other or it has forfeited."""
    results, forfeits = [], []
    for number in range(games):
        begins = first == "agent" or (first == "alternate" and number % 2 == 0)
        match = play_match(game, *(agents if begins else agents[::-1]), learn=learn)
        mine = 1 if begins else 2
        results.append({0: 0, mine: 1}.get(match.winner, -1))
        forfeits.append({0: 0, mine: -1}.get(match.forfeit, 1))
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
ORDERS = "agent", "opponent", "alternate"
GAMES = {"sticks": sticks(8), "nim": NIM, "normal": sticks(7, misere=False), "points": GreedyCoins((3, 5, 1, 2, 8, 2))}
EVERY_GAME = GAMES | OWN_GAMES


def pair(learner, opponent, game):
    agent = LEARNERS[learner](game)
    return agent, (agent if OPPONENTS[opponent] is None else OPPONENTS[opponent](game))


@pytest.mark.parametrize("game", EVERY_GAME.values(), ids=EVERY_GAME)
@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_training_equals_a_loop_of_matches(learner, opponent, game):
    """Game by game, ball by ball, bit by bit; in all three orders of moving first."""
    for seed, first in enumerate(ORDERS):
        fast, slow = pair(learner, opponent, game), pair(learner, opponent, game)
        run = train(*fast, games=60, seed=seed, first=first)
        lend(slow, seed)
        assert (run.result.tolist(), run.forfeit.tolist()) == one_by_one(game, slow, 60, first, learn=True)
        assert all(map(interrupted.same, fast, slow))
        assert fast[0].games == 60


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("first", ORDERS)
def test_an_evaluation_equals_a_loop_of_matches(game, first):
    def sides():
        own, twins = LEARNERS["q, schedules"](game), np.random.default_rng(3)
        train(own, RandomAgent(seed=1), games=30, seed=1)
        careless = RandomAgent(legal_only=False)
        rule = RuleAgent(lambda game, state: game.legal_moves(state)[-1])
        yield from ((own, careless), (careless, rule), (RandomAgent(), PerfectAgent()), (own, own))
        yield RandomAgent(seed=twins), RandomAgent(seed=twins)  # two agents with one source of chance

    for number, (quick, plain) in enumerate(zip(sides(), sides())):
        seed = 9 if number < 4 else None
        outcome = evaluate(game, *quick, games=60, seed=seed, first=first)
        if seed:
            lend(plain, seed)
        results, forfeits = one_by_one(game, plain, 60, first, learn=False)
        assert (outcome.wins, outcome.ties, outcome.losses) == tuple(results.count(sign) for sign in (1, 0, -1))
        assert (outcome.forfeits, outcome.opponent_forfeits) == (forfeits.count(-1), forfeits.count(1))


@pytest.mark.parametrize("seconds", [0.0, 1e-4, 10.0])
def test_a_checkpoint_is_the_table_after_so_many_games(seconds, monkeypatch):
    """However long a chunk of training is."""
    monkeypatch.setattr(arena, "CHUNK_SECONDS", seconds)
    pairs = [(QLearner(NIM, 0.5, exploration=linear(0.8, 0, 200)), Hats(NIM)) for _ in range(2)]
    run = train(*pairs[0], games=300, seed=4, first="opponent", checkpoints=[150, 0, 7, 300, 7])
    assert list(run.checkpoints) == [0, 7, 150, 300]
    lend(pairs[1], 4)
    for done, upto in zip((0, 0, 7, 150), (0, 7, 150, 300)):
        one_by_one(NIM, pairs[1], upto - done, "opponent", learn=True)
        assert np.array_equal(run.checkpoints[upto], pairs[1][0].values)
    assert all(map(interrupted.same, *pairs))
    assert len(train(*pairs[0], games=300, checkpoints=range(301)).checkpoints) == 301


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("opponent", ["random", "self"])
def test_two_calls_of_500_equal_one_of_1000(learner, opponent):
    """Each agent goes on with its own generator, and schedules with the games already learnt."""
    halves, whole = pair(learner, opponent, sticks(8)), pair(learner, opponent, sticks(8))
    for agents in (halves, whole):
        lend(agents, 6)
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
    takes = [move.count for move in play_match(sticks(40), RandomAgent(), RandomAgent(), seed=1).moves]
    assert takes[0::2][:8] != takes[1::2][:8]  # the two seats get different chances


def test_without_a_seed_each_agent_goes_on_with_its_own_generator():
    agent = RandomAgent(seed=1)
    games = [play_match(sticks(20), agent, take_one).moves for _ in range(2)]
    again = RandomAgent(seed=1)
    assert [play_match(sticks(20), again, take_one).moves for _ in range(2)] == games
    assert games[0] != games[1]


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
    assert train(Hats(sticks(10)), RandomAgent(), games=0).win_rate().tolist() == []
