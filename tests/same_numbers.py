"""The numbers of the library in a few lines: what the same seeds must give everywhere.

As a program it prints each piece of work with what came out, tables of numbers as the first digits of their
SHA-256. What they must be stands in tests/referee/numbers.txt. On its command line ``plain`` means without Numba,
``backwards`` the last piece first.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
import warnings
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import ClassVar

if "plain" in sys.argv[1:]:
    sys.modules["numba"] = None

import numpy as np

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
    agents,
    evaluate,
    greedy_margin,
    greedy_move,
    linear,
    minimax,
    play_match,
    round_robin,
    solve,
    solve_greedy,
    sticks,
    sweep,
    three_piles,
    train,
)

COINS = (3, 5, 1, 2, 8)


def digest(*arrays) -> str:
    """The same letters for the same numbers, to the last bit."""
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[:16]


def solved() -> str:
    return digest(solve(three_piles(6, 5, 7)).wins, solve(SCENARIOS["DOUBLE_21_2"]).wins)


def greedy_coins() -> str:
    coins = np.random.default_rng(6).integers(1, 100, 200)
    return f"{solve_greedy(coins).value} {greedy_margin(coins)} {minimax(GreedyCoins((1, 2, 2, 1, 2, 1, 1, 2)))}"


# --- a game of somebody's own -------------------------------------------------------------------------------


@dataclass(frozen=True)
class NoRepeat:
    """Take 1, 2 or 3 sticks, but not what was taken last; an odd take is a point; who cannot move loses one."""

    count: int = 7
    moves: ClassVar = (1, 2, 3)

    @property
    def start(self):
        return self.count, 0

    def legal_moves(self, state):
        return [move for move in self.moves if move <= state[0] and move != state[1]]

    def play(self, state, move):
        if move not in self.legal_moves(state):
            raise IllegalMove(f"{move} is not allowed in {state}")
        return state[0] - move, move

    def is_over(self, state):
        return not self.legal_moves(state)

    def reward(self, state, move):
        return move % 2

    def result(self, state):
        return -1


class Unhashable(NoRepeat):
    """The same, but nothing can be remembered under its name."""

    __hash__ = None


# --- who plays what -----------------------------------------------------------------------------------------

GAMES = {
    "sticks": sticks(10),
    "sticks, normal": sticks(10, misere=False),
    "NIM": SCENARIOS["NIM"],
    "DOUBLE_21_2": SCENARIOS["DOUBLE_21_2"],
    "rows of 0 and 4, no bound": CoinGame((0, 4, 2), None, misere=True),
    "three piles": three_piles(2, 3, 4),
    "greedy coins": GreedyCoins(COINS),
    "own": NoRepeat(),
    "unhashable": Unhashable(),
}
FIRSTS = ("agent", "opponent", "alternate")
LEARNERS = {
    "hats": lambda game: Hats(game, seed=11),
    "Q": lambda game: QLearner(game, 0.5, 0.9, linear(0.5, 0.0, 40), seed=12),
    "careless Q": lambda game: QLearner(game, lambda learnt: 1 / (1 + learnt / 9), 1.0, 0.2, False, seed=13),
}
OTHERS = {
    "random": lambda game: RandomAgent(14),
    "careless": lambda game: RandomAgent(15, legal_only=False),
    "perfect": lambda game: PerfectAgent(16),
    "script": lambda game: ScriptedAgent(*[game.legal_moves(game.start)[-1]] * 20),
    "function": lambda game: lambda game, state: game.legal_moves(state)[-1],
    "rule": lambda game: RuleAgent(lambda game, state: game.legal_moves(state)[0], "the first"),
    "illegal rule": lambda game: RuleAgent(lambda game, state: list(game.moves)[-1]),
}
RULES = (agents.take_one, agents.take_most, agents.leave_multiple, agents.closed_form, agents.mirror)


def everybody(game) -> dict:
    """All kinds of agents that can play a game: functions that make one, by name; learners have practised."""
    rules = RULES[: 5 if len(game.rows) == 2 else 4] if isinstance(game, CoinGame) else ()
    learners = {name: lambda game, name=name: practised(game, name) for name in LEARNERS}
    return {**learners, **OTHERS, **{rule.__name__: lambda game, rule=rule: RuleAgent(rule) for rule in rules}}


def practised(game, name: str):
    learner = LEARNERS[name](game)
    train(learner, learner, games=25, seed=20)
    return learner


def held(agent) -> str:
    """All that a learner has in its memory, and what its generator says next."""
    if not hasattr(agent, "values"):
        return ""
    return digest(agent.values, agent.visits) + f" {agent.games} {agent.generator.random()}"


def trained(game, name: str, other: str) -> str:
    found = []
    for seed, first in enumerate(FIRSTS):
        learner = LEARNERS[name](game)
        opponent = learner if other == "itself" else everybody(game)[other](game)
        run = train(learner, opponent, games=40, seed=seed, first=first, checkpoints=(0, 1, 17, 40))
        found += [run.result, run.moved_first, *run.checkpoints.values(), [hash_of(held(learner) + held(opponent))]]
    return digest(*found)


def hash_of(words: str) -> int:
    return int(hashlib.sha256(words.encode()).hexdigest()[:8], 16)


def evaluated(game, name: str) -> str:
    """Wins, ties, losses, forfeits and the opponent's, against each; who moves first changes from one to the next."""
    found = []
    for number, make in enumerate(everybody(game).values()):
        first, agent = FIRSTS[(number + len(name)) % 3], everybody(game)[name](game)
        one = evaluate(game, agent, make(game), games=24, seed=number, first=first)
        found.append(f"{one.wins}-{one.ties}-{one.losses}-{one.forfeits}-{one.opponent_forfeits}")
    return " ".join(found)


def matches(game, name: str) -> str:
    told = []
    for learn in (False, True):
        for seed, make in enumerate(everybody(game).values()):
            one, two = everybody(game)[name](game), make(game)
            match = play_match(game, one, two, seed=seed if seed % 3 else None, learn=learn)
            told += [match.moves, match.states, [float(points) for points in match.rewards]]
            told += [match.winner, match.reason, match.forfeit, held(one), held(two)]
    return f"{hash_of(str(told)):08x}"


def ranked(game) -> str:
    table = round_robin(game, {name: make(game) for name, make in everybody(game).items()}, games=8, seed=7)
    return f"{' > '.join(table.index)} {digest(table.to_numpy())}"


def looked_through(game) -> str:
    """The exact answer, and how far learners are from it in each seat."""
    found = [minimax(game)]
    if isinstance(game, CoinGame):
        solution = solve(game)
        found += [digest(solution.wins), solution.winner(), solution.best_moves(game.start)]
    for make in LEARNERS.values():
        learner = make(game)
        train(learner, RandomAgent(), games=60, seed=8, first="alternate")
        for first in FIRSTS:
            far = learner.distance_to_perfect(first)
            found.append((far.winning, far.visited, far.right, far.right_visited, far.sure, far.sure_visited))
            found += [round(far.beats_perfect, 12), round(far.ties_perfect, 12)]
    return " ".join(map(str, found))


def alone(game, name: str) -> str:
    """Moves by the agent's own generator, asked by hand; and the same object in both seats, game after game."""
    agent = everybody(game)[name](game)
    asked = [] if name == "script" else [agent(game, game.start) for _ in range(6)]
    run = [evaluate(game, agent, agent, games=5), play_match(game, agent, agent, learn=True).moves]
    return f"{hash_of(str([*asked, *run, held(agent)])):08x}"


# --- one piece of work each ---------------------------------------------------------------------------------


def schedules() -> str:
    game, found = sticks(12), []
    for rate, explores in ((linear(1, 0.1, 50), 0.3), (0.4, lambda games: 0.5 / (1 + games)), (1.0, 1.0)):
        learner = QLearner(game, rate, 0.8, explores)
        train(learner, learner, games=70, seed=1)
        train(learner, RandomAgent(), games=30, seed=2, first="opponent")  # the schedule goes on
        found.append(held(learner).partition(" ")[0])
    return " ".join(found)


def own_generators_go_on() -> str:
    game, found = sticks(11), []
    for make in LEARNERS.values():
        learner, opponent = make(game), RandomAgent(5, legal_only=False)
        for games in (1, 7, 30):
            found += [train(learner, opponent, games=games).result, learner.values.copy()]
        found.append(train(learner, learner, games=20, first="alternate").result)
    return digest(*found)


def seeds_of_every_kind() -> str:
    root, found = np.random.SeedSequence(9), []
    for seed in (0, root, root, np.random.default_rng(3), np.random.default_rng([1, 2])):
        hats = Hats(sticks(9), seed=seed)
        found += [train(hats, hats, games=9, seed=seed).result, [hats.generator.random()]]
    return digest(*found)


def by_hand_in_a_seat() -> str:
    """A seat that is asked, and told what came of its moves, by hand."""
    found = []
    for game in (sticks(10), SCENARIOS["NIM"]):
        for make in LEARNERS.values():
            learner = make(game)
            for number in range(5):
                seat, state, moves = learner.sit(), game.start, []
                while not game.is_over(state):
                    move = seat(game, state)
                    if move not in game.legal_moves(state):
                        seat.observe(state, move, -1.0, None)
                        break
                    after = game.play(state, move)
                    if not game.is_over(after):  # the reply
                        after = game.play(after, game.legal_moves(after)[number % 2 - 1])
                    over = game.is_over(after)
                    seat.observe(state, move, -game.result(after) if over else 0.0, None if over else after)
                    state = after
                    moves.append(move)
                found += [moves, held(learner)]
    return f"{hash_of(str(found)):08x}"


def saved_and_loaded() -> str:
    found = []
    for make in LEARNERS.values():
        with tempfile.TemporaryDirectory() as folder:
            learner, fresh = make(sticks(10)), make(sticks(10))
            train(learner, RandomAgent(), games=30, seed=1)
            fresh.load(learner.save(f"{folder}/learner.npz"))
        found += [train(fresh, RandomAgent(6), games=20).result, fresh.values, fresh.visits, [fresh.games]]
    return digest(*found)


def meddled_hats() -> str:
    hats = Hats(SCENARIOS["NIM"], seed=2)
    hats.put((1, 3, 5, 7), Move(3, 2), 40)
    hats.put((0, 0, 1, 1), (2, 1), 3)
    hats.values[1] *= 2
    train(hats, hats, games=50, seed=1)
    return f"{hats.contents((0, 0, 1, 1))} {digest(hats.balls, hats.values)} {hats.beside()}"


def a_run_as_a_table() -> str:
    run = train(Hats(sticks(10)), RandomAgent(legal_only=False), games=60, seed=1, first="alternate")
    rates = [run.win_rate(window) for window in (1, 5, 60, 61)]
    return f"{run} {digest(*rates, run.won)} {hash_of(run.to_frame().to_csv()):08x}"


def a_match_as_a_table() -> str:
    games = (sticks(10), SCENARIOS["NIM"], GreedyCoins(COINS), NoRepeat())
    tables = [play_match(game, RandomAgent(1), PerfectAgent(2)).to_frame().to_csv() for game in games]
    return f"{hash_of(str(tables)):08x}"


def forfeits_in_words() -> str:
    return str(evaluate(sticks(10), RandomAgent(1, legal_only=False), RandomAgent(2, False), games=100, seed=1))


def ties_in_words() -> str:
    return str(evaluate(GreedyCoins((1, 2, 4, 3)), PerfectAgent(), RandomAgent(), games=100, seed=1))


def raised_in_the_middle() -> str:
    """An agent that raises after some games: what was played is kept."""
    script = [ScriptedAgent(1, 1, 1), ScriptedAgent(*[1] * 9)]
    found = [evaluate(sticks(10), RandomAgent(), agent, games=50, seed=3) for agent in script]
    hats = Hats(sticks(10), seed=1)
    run = train(hats, script[0], games=50, seed=6)
    return f"{found} {run} {run.stopped} {hats.games} {held(hats)}"


def a_person() -> str:
    answers, said = cycle(["lots", "0 9", "5 1", "1, 1", "2 2", "3 1", "1 1", "1 2", "2 1", "0 1", "3 2"]), []
    person = HumanAgent(ask=lambda words: said.append(words) or next(answers), say=said.append)
    match = play_match(SCENARIOS["NIM"], person, RuleAgent(agents.take_most), seed=1)
    return f"{match.moves} {match.reason} {hash_of(str(said)):08x}"


def a_sweep() -> str:
    def measure(seed, size, rate):
        learner = QLearner(sticks(size), rate)  # a rate of 2 raises
        run = train(learner, RandomAgent(), games=30, seed=seed)
        return {"won": int(run.won.sum()), "right": learner.distance_to_perfect().right}

    table = sweep(measure, {"size": [5, 9], "rate": [0.5, 2]}, seeds=[3, 1], jobs=1)
    return table.assign(error=table["error"] != "").to_csv().replace("\n", " | ")


def greedy_rows() -> str:
    found = []
    for size in range(1, 40):
        coins = np.random.default_rng(size).integers(0, 9, size)
        greedy = solve_greedy(coins)
        found += [greedy.alice, greedy.margin, [greedy_margin(coins)], [hash_of(str([greedy.line(), *greedy.moves]))]]
        found.append([hash_of(greedy_move(coins))])
    return digest(*(np.asarray(numbers, dtype=np.int64) for numbers in found))


PIECES = {
    piece.__name__: piece
    for piece in (
        *(
            solved,
            greedy_coins,
            schedules,
            own_generators_go_on,
            seeds_of_every_kind,
            by_hand_in_a_seat,
            saved_and_loaded,
            meddled_hats,
        ),
        *(a_run_as_a_table, a_match_as_a_table, forfeits_in_words, ties_in_words, raised_in_the_middle, a_person),
        *(a_sweep, greedy_rows),
    )
}
for title, game in GAMES.items():
    kinds = everybody(game)
    PIECES[f"{title}; everybody"] = partial(ranked, game)
    PIECES[f"{title}; solved"] = partial(looked_through, game)
    for name in kinds:
        PIECES[f"{title}; {name} evaluated against all"] = partial(evaluated, game, name)
        PIECES[f"{title}; {name} in matches"] = partial(matches, game, name)
        PIECES[f"{title}; {name} alone"] = partial(alone, game, name)
    for name in LEARNERS:
        for other in ("itself", *kinds):
            PIECES[f"{title}; {name} learns from {other}"] = partial(trained, game, name, other)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of agents that raise
    for name in reversed(PIECES) if "backwards" in sys.argv[1:] else PIECES:
        print(f"{name}: {PIECES[name]()}")
    from coinlib import loops  # the one look inside: were the loops compiled?

    numba = loops.numba()
    print("plain" if numba is None or numba.config.DISABLE_JIT else "compiled", file=sys.stderr)
