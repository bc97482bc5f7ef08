"""What nobody should hand to a function: every public one is tried, and has to work or to say what is wrong.

For each public function there is a recipe of good arguments. One or two of them are replaced by something
bad. Then the call works, or it raises an error that its docstring names, in words that name a parameter or a
value. It comes back in time and without eating the memory, changes no argument, and leaves no learner half
changed.

The ordinary run tries the same few calls every time. ``COINLIB_FUZZ=1000`` tries so many of each function,
and others every time.
"""

from __future__ import annotations

import builtins
import collections
import contextlib
import decimal
import dis
import fractions
import importlib
import inspect
import io
import itertools
import os
import pkgutil
import re
import signal
import socket
import sys
import warnings
import zlib
from dataclasses import is_dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pandas as pd
import psutil
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import coincourse
import coinlib
from coincourse import checks, classroom, course, labs
from coincourse.classroom import marks
from coincourse.outside import envs, sandbox
from coincourse.outside.sandbox import wire
from coincourse.outside.sandbox.CoinGame_pb2 import CoinGameAction, CoinGameState
from coincourse.outside.tournament import results
from coinlib import (
    GreedyCoins,
    Hats,
    Move,
    PerfectAgent,
    QLearner,
    RandomAgent,
    ScriptedAgent,
    agents,
    arena,
    games,
    kernels,
    learners,
    solvers,
    sticks,
    theory,
    three_piles,
)

resource = pytest.importorskip("resource", reason="limits on time and memory need Unix")

ORDINARY, LONG_RUN = 24, int(os.environ.get("COINLIB_FUZZ", "0"))  # bad calls of each function
ROOT = Path(__file__).resolve().parent.parent
OURS = {Path(package.__file__).parent for package in (coinlib, coincourse)}
ELSEWHERE = {  # the rooms that are not in coinlib, and where they are
    **dict.fromkeys(("labs", "checks", "classroom", "course", "terminal"), "coincourse"),
    **dict.fromkeys(("tournament", "sandbox", "envs"), "coincourse.outside"),
}
SECONDS = 5.0  # of work, for one call
GIGABYTES = 3  # of address space on top of what is in use, for the whole file

# --- what is public -----------------------------------------------------------------------------------------

CHECKERS = {  # look at arguments for all rooms, and are tried through them
    f"games.{name}"
    for name in (
        "whole_number",
        "real_number",
        "above_zero",
        "truth",
        "one_of",
        "in_order",
        "members",
        "path_of",
        "check_coin_game",
        "check_agent",
        "processes_of",
        "scenario_of",
    )
} | {"games.counted", "games.shown"}
MADE_FOR_YOU = {"learners.Learner", "sandbox.Client", "sandbox.Server"}  # by Hats and QLearner, by join, by serve
OPENS_A_SERVER = {"course.open_lab"}  # and waits for its end; its arguments are those of lab_command
HOOKS = re.compile(r"labs\.\w+\.(begin|advance|compute|draw|code)")  # called by a lab, with what it has checked


def public() -> set[str]:
    """Every function, class and method that takes arguments and is described in the book, by room and name."""
    rooms = {page.stem for page in (ROOT / "docs" / "api").glob("*.md")} - {"index"}
    assert rooms, "the pages of the library are not where they were"
    found = {name for room in rooms for name, thing in members_of(room) if takes_arguments(thing)}
    return {name for name in found - CHECKERS - MADE_FOR_YOU - OPENS_A_SERVER if not HOOKS.fullmatch(name)}


def in_full(name: str) -> str:
    """The name by which Python knows a room, or something in it."""
    return f"{ELSEWHERE.get(name.split('.')[0], 'coinlib')}.{name}"


def members_of(room: str):
    """The functions, classes and methods of a room, each with its name."""
    module = importlib.import_module(in_full(room))
    listed = getattr(module, "__all__", None)
    for name in listed or [name for name in vars(module) if not name.startswith("_")]:
        thing = getattr(module, name)
        if not (inspect.isclass(thing) or inspect.isroutine(thing)) or not (
            listed or getattr(thing, "__module__", None) == module.__name__
        ):
            continue
        if not inspect.isclass(thing):
            yield f"{room}.{name}", thing
        elif not issubclass(thing, BaseException) and not getattr(thing, "_is_protocol", False):
            if not is_record(thing):
                yield f"{room}.{name}", thing
            for method, function in vars(thing).items():
                plain = getattr(function, "__func__", function)
                if inspect.isfunction(plain) and (method == "__call__" or not method.startswith("_")):
                    yield f"{room}.{plain.__qualname__}", plain


def is_record(kind: type) -> bool:
    """Whether a class only puts values side by side; the library makes them, and there is nothing to check."""
    return issubclass(kind, tuple) or (is_dataclass(kind) and not hasattr(kind, "__post_init__"))


def takes_arguments(thing) -> bool:
    return bool(set(inspect.signature(thing).parameters) - {"self", "cls"})


# --- bad things ---------------------------------------------------------------------------------------------


class Unprintable:
    """Cannot be shown, compared or counted."""

    __hash__ = None

    def __repr__(self):
        raise RuntimeError("no words")

    __eq__ = __len__ = __bool__ = __repr__


class HalfGame:
    """Has the names of a game, and nothing behind them."""

    start = moves = None
    legal_moves = play = is_over = reward = result = lambda self, *_: None


def fails(*_, **__):
    raise ZeroDivisionError("a student's mistake")


def knot() -> list:
    """A list that holds itself."""
    knot: list = [1]
    knot.append(knot)
    return knot


def tangle() -> dict:
    """A dictionary that holds itself."""
    tangle: dict = {}
    tangle["me"] = tangle
    return tangle


class Maker:
    """Gives back its value, and can be shown whatever it is: Hypothesis prints it."""

    def __init__(self, value):
        self.value = value

    def __call__(self):
        return self.value

    def __repr__(self):
        return games.shown(self.value)


def makers(*values) -> list[Maker]:
    return [Maker(value) for value in values]


NUMPY = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.array]
OTHERS = [np.float32, np.float64, fractions.Fraction, decimal.Decimal, complex]
BAD = {  # each is made anew for each call
    "one value: a number of any type and size, NaN, infinity, a text, nothing": [
        *makers(None, True, False, 0, 1, 2, 3, -1, -7, 2**40, 2**63, -(2**63), 2**64, 10**30, -(10**30), 10**5000),
        *makers(0.0, 0.5, 2.0, -0.5, 1e300, 1 + 0j, float("nan"), float("inf"), -float("inf"), ..., NotImplemented),
        *makers("", "2", "abc", "L", "\x00", "ü" * 300, b"x", b"\xff", int, object, np.ma.masked, pd.NA, pd.NaT),
        *makers(*(kind(2) for kind in NUMPY + OTHERS), np.uint64(2**64 - 1), np.int8(-3), np.bool_(True)),
        *makers(np.float64("nan"), np.array(2.5), np.array(None), np.str_("abc"), np.datetime64("2020-01-01")),
        *makers(fractions.Fraction(1, 3), decimal.Decimal("NaN"), decimal.Decimal("1E+30"), pd.Timestamp("2020-01-01")),
        *makers(pd.Series([2, 3]).iloc[0], pd.Series([2, 3], dtype="Int64").iloc[0], object(), Unprintable()),
    ],
    "many values: empty, nested, endless, holding themselves, of NumPy and pandas": [
        *(list, tuple, dict, set, bytearray, knot, tangle, lambda: [knot(), 1]),
        *makers((float("nan"), 1), (1, 2), (1, 2, 3, 4, 5), (-1, 2), (2**63, 10**30), (True, False), ("1", "2")),
        *makers(range(3), range(10**12), memoryview(b"abc")),
        *(lambda kind=kind: [kind(1), kind(2)] for kind in NUMPY),
        lambda: np.array([]),
        lambda: np.array([1, 2]),
        lambda: np.array([1.5, np.nan]),
        lambda: np.array([[1, 2], [3, 4]]),
        lambda: np.array([[0.0, np.inf], [-1.0, np.nan]]),
        lambda: np.zeros((0, 3)),
        lambda: np.array(["a", "b"]),
        lambda: np.array([1, None, "x"], dtype=object),
        lambda: np.ma.array([1, 2], mask=[False, True]),
        lambda: [None],
        lambda: [1, [2, 3]],
        lambda: [[1], [2, 3]],
        lambda: [1, 2.0],
        lambda: [Unprintable()],
        lambda: {1: 2},
        lambda: {"a": 1, "b": None},
        lambda: {1, 2},
        lambda: (n for n in (1, 2)),
        lambda: iter([]),
        lambda: itertools.count(1),
        lambda: bytearray(b"abc"),
        lambda: pd.Series([1, 2]),
        lambda: pd.Series([1, None]),
        lambda: pd.DataFrame({"a": [1, None], "b": ["x", "y"]}),
        lambda: pd.DataFrame(),
        lambda: collections.deque([1, 2]),
    ],
    "other things: games, learners, tables, functions, modules in the wrong place": [
        *makers(lambda: 1, lambda *_, **__: None, lambda *_, **__: [1, knot()], fails, np, coinlib.CoinGame),
        *makers(HalfGame(), sticks(3), three_piles(1, 2, 3), sticks(10**30), coinlib.CoinGame((0, 0), None)),
        *makers(coinlib.CoinGame((2,) * 100, None), GreedyCoins((1, 2)), Move(0, 1), Move(None, "x"), Path("nowhere")),
        lambda: Hats(sticks(3)),
        lambda: QLearner(three_piles(1, 1, 1)),
        lambda: RandomAgent(),
        lambda: ScriptedAgent(9),
        lambda: kernels.tabulate(sticks(3)),
        lambda: solvers.solve(sticks(3)),
        lambda: solvers.solve_greedy([1, 2, 3]),
        lambda: CoinGameState(),
    ],
}
WORST = [
    *makers(None, "abc", 10**5000, float("nan"), Unprintable()),
    itertools.count,
]  # handed to every parameter in every run
harmless = st.characters(exclude_characters="/\\.~", exclude_categories=["Cs"])  # a text is no folder of this machine
numbers = st.integers() | st.floats() | st.text(harmless, max_size=5)
bad = st.one_of(
    *map(st.sampled_from, BAD.values()),
    (numbers | st.lists(numbers, max_size=4)).map(Maker),
)

QUICKLY = settings(deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))

# --- good arguments -----------------------------------------------------------------------------------------

NIM = coinlib.SCENARIOS["NIM"]
GREEDY = GreedyCoins((1, 2, 4, 3))
FIXED: dict = {}  # made once, by the fixture `place`
STARTED: list = []  # to be closed after the call


def of(**arguments) -> dict:
    return arguments


def playing() -> dict:
    return {"game": sticks(6), "state": (6,)}


def solving() -> dict:
    return {"game": sticks(6), "state": (4,)}


def asked(**more) -> dict:
    return {"self": NIM, "state": (1, 3, 5, 7), **more}


def greedy(**more) -> dict:
    return {"self": GREEDY, "state": (0, 3), **more}


def solved(**more) -> dict:
    return {"greedy": solvers.solve_greedy([1, 2, 4, 3]), "show": "alice", **more}


def trained(kind=Hats):
    learner = kind(sticks(6), seed=1)
    coinlib.train(learner, RandomAgent(), games=20, seed=1)
    return learner


def run() -> arena.Run:
    return coinlib.train(QLearner(sticks(6)), RandomAgent(), games=20, seed=1)


def rates() -> pd.DataFrame:
    return coinlib.round_robin(sticks(6), {"a": RandomAgent(), "b": agents.take_one}, games=10, seed=1)


def hats_pictured(**more) -> dict:
    hats = trained()
    return {"table": hats.table, "balls": hats.balls, "winning": solvers.solve(sticks(6)).best_moves, **more}


def values_pictured(**more) -> dict:
    learner = trained(QLearner)
    return {
        "table": learner.table,
        "values": learner.values,
        "winning": solvers.solve(sticks(6)).best_moves,
        **more,
    }


def sat(learner, **more) -> dict:
    """A seat from which a learner has made its first move."""
    seat = learner.sit()
    seat(sticks(6), (6,))
    return {"self": seat, **more}


def begun(environment):
    environment.reset(seed=1)
    return environment


def notebook() -> nbformat.NotebookNode:
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")])


def lesson() -> Path:
    assert not Path("pyproject.toml").exists(), "not over the course's own lesson"
    path = Path.cwd() / "notebooks" / "04_hats.ipynb"
    path.parent.mkdir(exist_ok=True)
    path.write_text(nbformat.writes(notebook()))
    return path


def marked() -> classroom.Marks:
    return classroom.Marks([dict.fromkeys(marks.COLUMNS, "") | {"student": "anna", "exercise": "first_take"}])


def talk() -> wire.Connection:
    """A connection on which a message has come in."""
    here, there = socket.socketpair()
    there.sendall(bytes.fromhex("04 08 02 10 01"))
    STARTED.extend([here, there])
    return wire.Connection(here)


def measure(seed, **setting) -> dict:
    return {"measured": seed}


GOOD = {
    "games": {
        "read_move": lambda: of(game=NIM, state=(1, 3, 5, 7), answer=Move(1, 1)),
        "CoinGame": lambda: of(rows=(1, 3), max_pick=2, misere=True),
        "CoinGame.legal_moves": asked,
        "CoinGame.play": lambda: asked(move=Move(1, 1)),
        "CoinGame.is_over": asked,
        "CoinGame.reward": lambda: asked(move=Move(1, 1)),
        "CoinGame.result": lambda: of(self=NIM, state=(0, 0, 0, 0)),
        "CoinGame.read_move": lambda: asked(answer=(1, 1)),
        "CoinGame.named_move": lambda: of(self=NIM, answer=(1, 1)),
        "GreedyCoins": lambda: of(coins=(1, 2, 4, 3)),
        "GreedyCoins.coins_left": greedy,
        "GreedyCoins.legal_moves": greedy,
        "GreedyCoins.play": lambda: greedy(move="L"),
        "GreedyCoins.is_over": greedy,
        "GreedyCoins.reward": lambda: greedy(move="L"),
        "GreedyCoins.result": lambda: of(self=GREEDY, state=(3, 3)),
        "GreedyCoins.read_move": lambda: greedy(answer="L"),
        "sticks": lambda: of(count=20, max_pick=3, misere=True),
        "three_piles": lambda: of(nickels=3, dimes=3, quarters=7),
    },
    "kernels": {
        "tabulate": lambda: of(game=NIM),
        "Table.row": lambda: of(self=kernels.tabulate(sticks(6)), state=(4,)),
    },
    "theory": {
        "nim_sum": lambda: {"*": (1, 2, 3)},
        "mex": lambda: of(values=[0, 2]),
        "grundy": lambda: of(count=7, max_pick=3),
        "losing_counts": lambda: of(max_pick=3, misere=True, up_to=20),
        "is_lost": solving,
        "winning_moves": solving,
        "grundy_values": lambda: of(amounts={1, 3}, up_to=8),
        "outcomes": lambda: of(amounts={1, 3}, misere=True, up_to=8),
        "period": lambda: of(amounts={1, 3}, misere=True),
        "Period.wins_at": lambda: of(self=theory.period({1, 3}, True), count=9),
    },
    "solvers": {
        "minimax": solving,
        "state_values": lambda: of(table=kernels.tabulate(sticks(6))),
        "solve": lambda: of(game=NIM),
        "Solution.best_moves": lambda: of(self=solvers.solve(NIM), state=(1, 3, 5, 7)),
        "Solution.winner": lambda: of(self=solvers.solve(NIM), state=(1, 3, 5, 7)),
        "solve_greedy": lambda: of(coins=[1, 2, 4, 3]),
        "greedy_margin": lambda: of(coins=[1, 2, 4, 3]),
        "greedy_move": lambda: of(coins=[1, 2, 4, 3]),
        "Greedy.line": lambda: of(self=solvers.solve_greedy([1, 2, 4, 3]), i=0, j=2),
        "Greedy.cost": lambda: of(self=solvers.solve_greedy([1, 2, 4, 3]), move="L", i=0, j=2),
        "tree_size": solving,
        "game_tree": solving,
    },
    "agents": {
        "agent_name": lambda: of(agent=RandomAgent()),
        "RandomAgent": lambda: of(seed=1, legal_only=True),
        "RandomAgent.__call__": lambda: of(self=RandomAgent(), **playing()),
        "RandomAgent.policy": lambda: of(self=RandomAgent(), game=NIM, table=kernels.tabulate(NIM)),
        "PerfectAgent": lambda: of(seed=1),
        "PerfectAgent.__call__": lambda: of(self=PerfectAgent(), **playing()),
        "PerfectAgent.policy": lambda: of(self=PerfectAgent(), game=NIM, table=kernels.tabulate(NIM)),
        "RuleAgent": lambda: of(rule=agents.take_one, name="one"),
        "RuleAgent.__call__": lambda: of(self=agents.RuleAgent(agents.take_one), **playing()),
        "RuleAgent.policy": lambda: of(self=agents.RuleAgent(agents.take_one), game=NIM, table=kernels.tabulate(NIM)),
        "ScriptedAgent": lambda: {"*": (1, 2)},
        "ScriptedAgent.__call__": lambda: of(self=ScriptedAgent(1, 2), **playing()),
        "HumanAgent": lambda: of(name="me", ask=lambda prompt: "1", say=print),
        "HumanAgent.__call__": lambda: of(self=agents.HumanAgent(ask=lambda prompt: "1"), **playing()),
        **{rule.__name__: playing for rule in agents.RULES if rule is not agents.mirror},
        "mirror": lambda: of(game=coinlib.SCENARIOS["DOUBLE_21_3"], state=(21, 20)),
    },
    "learners": {
        "linear": lambda: of(start=0.5, end=0.0, games=100),
        "Hats": lambda: of(game=sticks(6), seed=1),
        "QLearner": lambda: of(
            game=sticks(6), learning_rate=1.0, discount=1.0, exploration=0.1, legal_only=True, seed=1
        ),
        "Learner.__call__": lambda: of(self=trained(), **playing()),
        "Learner.policy": lambda: of(self=trained(), game=sticks(6), table=kernels.tabulate(sticks(6))),
        "Learner.sit": lambda: of(self=trained(), partner=None),
        "Learner.rates": lambda: of(self=trained(), games=3),
        "QLearner.rates": lambda: of(self=trained(QLearner), games=3),
        "Learner.distance_to_perfect": lambda: of(self=trained(), first="agent"),
        "Learner.save": lambda: of(self=trained(), path="learner.npz"),
        "Learner.load": lambda: of(self=trained(), path=trained().save("learner.npz")),
        "Seat": lambda: of(learner=trained(), partner=None),
        "Seat.__call__": lambda: of(self=trained().sit(), **playing()),
        "Seat.observe": lambda: sat(trained(QLearner), state=(6,), move=Move(0, 1), reward=0.0, next_state=(4,)),
        "Seat.hear": lambda: sat(trained(), outcome=1),
        "Hats.put": lambda: of(self=trained(), hat=4, move=2, balls=5),
        "Hats.contents": lambda: of(self=trained(), hat=4),
    },
    "arena": {
        "play_match": lambda: of(game=sticks(6), first=trained(), second=RandomAgent(), seed=1, learn=True),
        "wilson": lambda: of(wins=6, games=10),
        "evaluate": lambda: of(
            game=sticks(6), agent=trained(), opponent=RandomAgent(), games=20, seed=1, first="alternate"
        ),
        "round_robin": lambda: of(game=sticks(6), agents={"a": RandomAgent(), "b": agents.take_one}, games=20, seed=1),
        "train": lambda: of(
            learner=trained(), opponent=RandomAgent(), games=20, seed=1, first="agent", checkpoints=(5, 10)
        ),
        "sweep": lambda: of(experiment=measure, grid={"size": [1]}, seeds=1, jobs=1),
        "Run.win_rate": lambda: of(self=run(), window=5),
    },
    "tournament": {
        "ratings": lambda: of(wins=[[0, 10], [1, 0]]),
        "run_tournament": lambda: of(
            entries=["random", "take_one"],
            scenarios="SINGLE_21_2",
            games=2,
            seed=1,
            seconds_per_move=1.0,
            seconds_to_start=30.0,
            gigabytes=2.0,
            restarts=1,
            out=None,
        ),
        "read_tournament": lambda: of(folder=Path("written")),
        "Tournament.standings_in": lambda: of(self=FIXED["tournament"], scenario="SINGLE_21_2"),
        "Tournament.rates": lambda: of(self=FIXED["tournament"], scenario="SINGLE_21_2"),
        "Tournament.match": lambda: of(self=FIXED["tournament"], number=1),
        "Tournament.write": lambda: of(self=FIXED["tournament"], folder=Path("written")),
    },
    "plots": {
        "readable_on": lambda: of(colour="white"),
        "board": lambda: of(game=NIM, state=(1, 3, 3, 7), ax=None),
        **{
            name: lambda: hats_pictured(states=[2, 3], ax=None)
            for name in ("hats", "hats_balls", "hats_shares", "hats_heat")
        },
        "hats_table": hats_pictured,
        "q_table": lambda: values_pictured(states=[2, 3], ax=None),
        "q_values_table": values_pictured,
        "policy": lambda: values_pictured(ax=None),
        "policy_table": values_pictured,
        "positions": lambda: of(solution=solvers.solve(three_piles(2, 2, 1)), fixed={2: 1}, values=sum, ax=None),
        "positions_table": lambda: of(solution=solvers.solve(three_piles(2, 2, 1)), fixed={2: 1}),
        "round_robin_heatmap": lambda: of(table=rates(), ax=None),
        "win_rates": lambda: of(table=pd.DataFrame({"win_rate": [0.6], "low": [0.5], "high": [0.7]}), ax=None),
        "win_rate": lambda: of(runs=[run(), run()], window=5, log=False, ax=None),
        "win_rate_table": lambda: of(runs=run(), window=5, points=8),
        "tree": lambda: of(tree=solvers.game_tree(sticks(3)), ax=None),
        "tree_table": lambda: of(tree=solvers.game_tree(sticks(3))),
        "red_and_blue": lambda: of(coins=[1, 2, 4, 3], ax=None),
        "triangle": lambda: solved(line=True, run=(0, 1), ax=None),
        "triangle_heat": lambda: solved(ax=None),
        "triangle_table": solved,
    },
    "checks": {
        name: lambda name=name: dict.fromkeys(inspect.signature(getattr(checks, name)).parameters)
        for name in checks.__all__
        if inspect.isfunction(getattr(checks, name))
    },
    "labs": {
        "Board": lambda: of(
            game="NIM", opponent="random", you_start=True, hints=False, controls=True, seed=1, delay=0.8
        ),
        "Board.pick": lambda: of(self=labs.Board("NIM"), row=1, count=1),
        "Board.take": lambda: of(self=labs.Board("NIM"), row=1, count=1),
        "Board.move": lambda: of(self=labs.Board("NIM"), row=1, count=1),
        "render": lambda: of(game=NIM, state=(1, 3, 5, 7), message="Your turn."),
        "Lab": lambda: of(controls=True),
        "RunningLab": lambda: of(controls=True, steps=0),
        "HatsLab": lambda: of(controls=True, history=(), sticks=6, max_take=3, ending="misere", seed=1),
        "HatsLab.render": lambda: of(self=labs.HatsLab, history=(), sticks=6, max_take=3, ending="misere", seed=1),
        "HatsLab.complete": lambda: of(self=labs.HatsLab, settings={"sticks": 6}),
        "HatsLab.take": lambda: of(self=labs.HatsLab(sticks=6), count=1),
        "HatsLab.train": lambda: of(self=labs.HatsLab(sticks=6), games=2),
        "HatsLab.put": lambda: of(self=labs.HatsLab(sticks=6), hat=4, ball=2, balls=5),
        "PileLab": lambda: of(controls=True, piles=(3, 3, 7), history=(), mode="look", most=7, seed=1),
        "PileLab.complete": lambda: of(self=labs.PileLab, settings={"first": 2}),
        "PileLab.go": lambda: of(self=labs.PileLab(), state=(3, 3, 0)),
        "ProofLab": lambda: of(controls=True, sticks=6, max_take=3, ending="misere"),
        "Lab.complete": lambda: of(self=labs.ProofLab, settings={"sticks": 6}),
        "Lab.render": lambda: of(self=labs.ProofLab, sticks=6, max_take=3, ending="misere"),
        "QLab": lambda: of(controls=True, steps=2, games=10, learning_rate=1.0, sticks=6, seed=1),
        "RunningLab.complete": lambda: of(self=labs.QLab, settings={"sticks": 6, "steps": 1}),
        "RunningLab.render": lambda: of(self=labs.QLab, steps=2, games=10, sticks=6, seed=1),
        "TrainingLab": lambda: of(controls=True, practised=10, sticks=10, seed=1),
        "TriangleLab": lambda: of(controls=True, moves="LR", filled=(), coins=(1, 2, 4, 3), task="play", seed=1),
        "TriangleLab.complete": lambda: of(self=labs.TriangleLab, settings={"coins": "1 2 4 3"}),
        "TriangleLab.render": lambda: of(self=labs.TriangleLab, coins="1 2 4 3", moves="L", seed=1),
        "TriangleLab.take": lambda: of(self=labs.TriangleLab(task="play"), end="L"),
        "TriangleLab.fill": lambda: of(self=labs.TriangleLab(task="fill"), i=0, j=1, typed="2"),
        "TriangleLab.hint": lambda: of(self=labs.TriangleLab(task="fill"), i=0, j=1),
    },
    "sandbox": {
        "join": lambda: of(
            agent=RandomAgent(), host="127.0.0.1", port=9, game=NIM, make=None, timeout=0.1, learn=True, watch=None
        ),
        "serve": lambda: of(
            game="NIM",
            games=2,
            opponent=RandomAgent(),
            seat=2,
            host="127.0.0.1",
            port=0,
            record=None,
            timeout=1.0,
            wait=1.0,
            learn=True,
            log=None,
        ),
        "words": lambda: of(message=CoinGameState()),
        "Client.wait": lambda: of(self=FIXED["client"], seconds=0.01),
        "Server.wait": lambda: of(self=FIXED["server"], seconds=0.01),
        "Server.log": lambda: of(self=FIXED["server"], line="words"),
        "Server.state_message": lambda: of(self=FIXED["server"], state=(1, 3, 5, 7)),
    },
    "sandbox.wire": {
        "encode": lambda: of(message=CoinGameAction(selectedRow=1)),
        "take": lambda: of(buffer=bytearray(b"\x02\x08\x01\x05"), longest=10),
        "decode": lambda: of(kind=CoinGameAction, body=b"\x08\x01"),
        "Connection": lambda: of(sock=talk().sock, longest=100),
        "Connection.send": lambda: {"self": talk(), "*": (CoinGameAction(),), "seconds": 1.0},
        "Connection.receive": lambda: of(self=talk(), kind=CoinGameAction, seconds=0.05),
    },
    "envs": {
        "env": lambda: of(scenario="NIM", misere=True, render_mode="ansi"),
        "raw_env": lambda: of(scenario="NIM", misere=True, render_mode="ansi"),
        "raw_env.reset": lambda: of(self=begun(envs.raw_env()), seed=1, options=None),
        "raw_env.step": lambda: of(self=begun(envs.raw_env()), action=0),
        "raw_env.observe": lambda: of(self=begun(envs.raw_env()), agent="player_0"),
        "raw_env.observation_space": lambda: of(self=envs.raw_env(), agent="player_0"),
        "raw_env.action_space": lambda: of(self=envs.raw_env(), agent="player_0"),
        "SeatEnv": lambda: of(scenario="NIM", opponent="random", first="alternate", misere=True, render_mode="ansi"),
        "SeatEnv.reset": lambda: of(self=envs.SeatEnv(), seed=1, options=None),
        "SeatEnv.step": lambda: of(self=begun(envs.SeatEnv()), action=0),
    },
    "classroom": {
        "student_copy": lambda: of(folder=Path("copies"), wanted=["00"], overwrite=True),
        "mark": lambda: of(folder=Path("nothing"), lessons=["00"], seconds=1.0, gigabytes=2.0, jobs=1),
        "Marks.outcome": lambda: of(self=marked(), student="anna", exercise="first_take"),
        "Marks.write": lambda: of(self=marked(), file=Path("marks.csv")),
    },
    "course": {
        "home": lambda: of(start=Path.cwd()),
        "data": lambda: of(name="README.md"),
        "originals": lambda: of(folder=lesson().parent.parent),
        "copies": lambda: of(folder=Path.cwd()),
        "notebooks": lambda: of(folder=Path.cwd()),
        "fingerprint": lambda: of(file=lesson()),
        "hand_out": lambda: of(folder=lesson().parent.parent),
        "find_lesson": lambda: of(lessons=lesson().parent, wanted="04"),
        "reset": lambda: of(folder=lesson().parent.parent, wanted="04"),
        "port_is_free": lambda: of(port=9),
        "choose_port": lambda: of(asked=None),
        "lab_command": lambda: of(root=Path.cwd(), lesson="04_hats.ipynb", port=8888, browser=True),
        "execute": lambda: of(path=Path("no.ipynb"), seconds=1),
        "as_text": lambda: of(notebook=notebook()),
        "tidy": lambda: of(notebook=notebook()),
        "alternative_text": lambda: of(cell=notebook().cells[0]),
        "meant": lambda: of(wanted=["04"]),
    },
    "terminal": {"main": lambda: of(words=["--help"])},
}

RECIPES = {f"{room}.{name}": recipe for room, recipes in GOOD.items() for name, recipe in recipes.items()}
CHANGES = {  # what a call may change when it works; one that raises changes nothing
    *("learners.Learner.load", "learners.Learner.__call__", "learners.Learner.sit", "learners.Hats.put", "arena.train"),
    *("learners.Seat", "learners.Seat.__call__", "learners.Seat.observe", "learners.Seat.hear", "arena.play_match"),
    *("sandbox.wire.take", "course.tidy", "agents.ScriptedAgent.__call__", "agents.RandomAgent.__call__"),
    *("agents.PerfectAgent.__call__", "arena.evaluate", "arena.round_robin", "sandbox.serve", "sandbox.join"),
}
NOTHING_THERE = {"sandbox.join", "course.execute", "classroom.mark"}  # no server, no notebook: these would take seconds
SLOW = {
    "plots": 12,
    "checks": 4,
    "checks.u_table": 12,
    "labs": 12,
    "tournament.run_tournament": 2,
    "terminal": 2,
}  # tried less often


def share(name: str) -> int:
    """A function that takes long is tried with one bad call of so many."""
    return SLOW.get(name, SLOW.get(name.split(".")[0], 1))


def tries(name: str, most: int = LONG_RUN or ORDINARY) -> int:
    """How many bad calls of a function Hypothesis makes."""
    return max(2, most // share(name))


# --- how a call is judged -----------------------------------------------------------------------------------


class TooSlow(BaseException):
    """A call that is not over in time."""


def complaint(function, arguments: dict, may_change: bool = False) -> str:
    """What is wrong with how a call goes, in words; nothing if all is well."""
    before = snapshot(arguments)
    raised = error_of(function, arguments)
    if isinstance(raised, TooSlow):
        return f"took longer than {SECONDS:g} s"
    if (raised or not may_change) and snapshot(arguments) != before:
        return f"changed what it was given{' and raised ' + type(raised).__name__ if raised else ''}"
    if raised is None or "a student's mistake" in str(raised):
        return ""
    said = f"{type(raised).__name__}: {str(raised)[:300]}"
    if not isinstance(raised, documented(function)):
        return f"not in the docstring: {said}"
    if not in_our_words(raised):
        return f"not raised by the library itself: {said}"
    if isinstance(raised, MemoryError) and "would need" in str(raised):
        return ""  # it names the table and its size
    if not any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", str(raised)) for word in clues(arguments)):
        return f"names neither a parameter nor a value: {said}"
    return ""


def error_of(function, arguments: dict) -> BaseException | None:
    """What a call raises. What it has opened is closed."""
    named = dict(arguments)
    owner = [named.pop("self")] if "self" in named else []
    call = getattr(owner[0], function.__name__) if owner else function
    result = None
    try:
        with warnings.catch_warnings(), in_time():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", arena.AgentWarning)
            warnings.simplefilter("ignore", ResourceWarning)
            result = call(*named.pop("*", ()), **named)
            repr(result)
    except BaseException as error:  # noqa: BLE001 - what it may be is judged elsewhere
        return error
    finally:
        if isinstance(result, (sandbox.Server, sandbox.Client)):
            result.close()
        while STARTED:
            STARTED.pop().close()
    return None


@contextlib.contextmanager
def in_time():
    """TooSlow after so many seconds of work, and after more of them without work."""

    def ring(*_):
        raise TooSlow

    clocks = {signal.SIGPROF: (signal.ITIMER_PROF, SECONDS), signal.SIGALRM: (signal.ITIMER_REAL, 12 * SECONDS)}
    before = {number: signal.signal(number, ring) for number in clocks}
    for clock, seconds in clocks.values():
        signal.setitimer(clock, seconds)
    try:
        yield
    finally:
        for number, (clock, _) in clocks.items():
            signal.setitimer(clock, 0)
            signal.signal(number, before[number])


def snapshot(thing, deep: int = 6):
    """Something that differs when an argument, a learner or its generator has been changed."""
    if isinstance(thing, np.ndarray):
        return thing.shape, thing.dtype.str, repr(thing.tolist())
    if isinstance(thing, (pd.DataFrame, pd.Series)):
        return repr(thing.to_dict())
    if isinstance(thing, np.random.Generator):
        return repr(thing.bit_generator.state)
    if isinstance(thing, bytearray):
        return bytes(thing)
    if deep and isinstance(thing, (learners.Learner, learners.Seat, ScriptedAgent, RandomAgent, PerfectAgent)):
        kept = {name: value for name, value in vars(thing).items() if name not in ("table", "game", "_seats")}
        return snapshot(kept, deep - 1)
    if deep and isinstance(thing, dict):
        return [(snapshot(key, deep - 1), snapshot(value, deep - 1)) for key, value in thing.items()]
    if deep and isinstance(thing, (list, tuple, set, collections.deque)):
        return [snapshot(each, deep - 1) for each in thing]
    return thing  # two lists of the same objects are equal, whatever these say of themselves


def documented(function) -> tuple:
    """The errors named by the docstrings of a function, of its class, and of what it refers to."""
    module = sys.modules[inspect.unwrap(function).__module__]
    owners = inspect.getmro(function) if inspect.isclass(function) else [owner_of(function, module)]
    texts = [inspect.getdoc(kind) or "" for kind in (function, *owners)]
    for other in re.findall(r"`([\w.]+)`", texts[0]):
        found = module
        for part in other.removeprefix("coinlib.").split("."):
            found = getattr(found, part, None)
        texts.append(inspect.getdoc(found) or "" if callable(found) else "")
    known = {**vars(builtins), **vars(games), **vars(arena), **vars(course), **vars(wire)}
    return tuple(
        known[name] for name in re.findall(r"\b\w+Error\b|\bIllegalMove\b|\bLeft\b", " ".join(texts)) if name in known
    )


def owner_of(function, module):
    """The class of a method; the function itself if it has none."""
    return getattr(module, function.__qualname__.split(".")[0], function)


def in_our_words(error: BaseException) -> bool:
    """Whether a `raise` in the library made an error, or the system says why a file or a connection failed."""
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    by_raise = dis.opname[code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"
    return isinstance(error, OSError) or by_raise and not OURS.isdisjoint(Path(code.co_filename).parents)


def clues(arguments: dict, deep: int = 2):
    """Words of which an error should hold one: the names and the values of the arguments, and parts of those."""
    for name, value in arguments.items():
        yield from {name, name.removesuffix("s"), games.shown(value).strip("'")} - {"", "*", "self"}
        yield getattr(value, "__name__", f"a {type(value).__name__}")
        with contextlib.suppress(Exception):
            yield str(value) or "''"
        with contextlib.suppress(Exception):
            yield f"{value:,}"
        if deep and isinstance(value, (list, tuple, set, dict, range, np.ndarray, pd.DataFrame)):
            for each in itertools.islice(value if getattr(value, "ndim", 1) else [], 5):
                yield from clues({"": each}, deep - 1)


# --- the tests ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def place(tmp_path_factory):
    """A folder of its own, a limit on memory, no network, nobody at the keyboard; and what is made once."""
    most = psutil.Process().memory_info().vms + GIGABYTES * 2**30
    limit = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("tried"))
        patch.setattr(socket, "getaddrinfo", name_server)
        patch.setattr(sys, "stdin", io.StringIO())
        patch.setattr(arena, "MOVES_AT_MOST", 10_000)
        patch.setattr(arena, "GAMES_AT_MOST", 100_000)
        patch.setattr(games, "LISTED_AT_MOST", 100_000)
        prepare()
        resource.setrlimit(resource.RLIMIT_AS, (most, limit[1]))
        yield
        resource.setrlimit(resource.RLIMIT_AS, limit)


def name_server(host, *rest, look_up=socket.getaddrinfo, **more):
    """Knows numbers only: no name is looked up in a network."""
    if isinstance(host, str) and re.fullmatch(r"[\d.:]+", host):
        return look_up(host, *rest, **more)
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def prepare() -> None:
    """What is made once; compiling is not what the clock is for."""
    course.compile_ahead()
    for kind in (Hats, QLearner):
        learner = trained(kind)
        coinlib.train(learner, learner, games=1)
    rows = [("SINGLE_21_2", "a", "b", "b", 2, "a", "illegal", "player 1 forfeits", "0-1 0-2")] * 2
    played = pd.DataFrame(rows, columns=results.COLUMNS, index=pd.RangeIndex(1, 3, name="game"))
    FIXED["tournament"] = results.Tournament(played, ("a", "b"), {"SINGLE_21_2": coinlib.SCENARIOS["SINGLE_21_2"]})
    FIXED["tournament"].write("written")
    FIXED["server"] = sandbox.serve("NIM", port=0)
    FIXED["client"] = sandbox.join(RandomAgent(), port=FIXED["server"].ports[0])
    FIXED["server"].close()  # so that waiting without limit has an end
    FIXED["client"].close()


@pytest.fixture
def tidied():
    yield
    labs.Lab.close_all()
    plt.close("all")


def test_every_public_function_has_a_recipe_of_good_arguments():
    assert public() - set(RECIPES) == set()


@pytest.mark.parametrize("name", RECIPES)
def test_bad_arguments(name, tidied):
    good, function = RECIPES[name], pkgutil.resolve_name(in_full(name))
    parameters = [parameter for parameter in good() if parameter != "self"]
    may_change = name in CHANGES or name.startswith("checks.")  # a check calls what it is given
    assert complaint(function, good(), may_change) == ""
    assert name in NOTHING_THERE or error_of(function, good()) is None

    def attempt(replaced):
        replaced = {parameter: make() for parameter, make in replaced.items()}
        if "*" in replaced:
            replaced["*"] = (replaced["*"],)
        found = complaint(function, good() | replaced, may_change)
        call = f"{name}({', '.join(f'{parameter}={games.shown(value)}' for parameter, value in replaced.items())})"
        assert not found, f"{call} {found}"

    for parameter, make in list(itertools.product(parameters, WORST))[:: share(name)]:
        attempt({parameter: make})
    some = st.dictionaries(st.sampled_from(parameters), bad, min_size=1, max_size=2)
    anything = settings(QUICKLY, max_examples=tries(name))(given(some)(attempt))
    (anything if LONG_RUN else seed(zlib.crc32(name.encode()))(anything))()


def loses_heart(game, state):
    """Makes one move, and fails at the next."""
    return Move(0, 1) if sum(state) > 6 else fails()


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (arena.train, {"learner": QLearner(sticks(6), exploration=lambda game: 0.5 if game < 5 else "none")}),
        (arena.train, {"learner": Hats(sticks(8)), "checkpoints": [5, 99]}),
        (arena.train, {"learner": Hats(sticks(8)), "first": "nobody"}),
        (arena.play_match, {"game": sticks(8), "first": Hats(sticks(8)), "second": loses_heart, "learn": True}),
        (arena.play_match, {"game": sticks(8), "first": loses_heart, "second": QLearner(sticks(8)), "learn": True}),
        (arena.evaluate, {"game": sticks(8), "agent": Hats(sticks(8)), "opponent": loses_heart, "games": 10}),
    ],
)
@pytest.mark.parametrize("luck", [None, 1])
def test_a_call_that_fails_on_the_way_leaves_no_learner_half_changed(function, arguments, luck):
    if function is arena.train:
        arguments = {"opponent": RandomAgent(seed=2), "games": 20} | arguments
    before = snapshot(arguments)
    assert error_of(function, arguments | {"seed": luck}) is not None
    assert snapshot(arguments) == before


# --- can these tests fail? ----------------------------------------------------------------------------------


def refuses(value):
    """Raises ValueError."""
    raise ValueError(f"value: expected something better, got {value!r}")


def mumbles(value):
    """Raises ValueError."""
    raise ValueError("this will not do")


def hides(value):
    raise ValueError(f"value: expected something better, got {value!r}")


def leaks(value):
    """Raises TypeError."""
    return value + 1


def spoils(value):
    value.append(3)


def half_learns(value):
    """Raises ValueError."""
    value.put(4, 2, 5)
    refuses(value)


def hangs(value):
    while True:
        pass


@pytest.mark.parametrize(
    ("function", "value", "said"),
    [
        (refuses, 2, ""),
        (mumbles, 2, "names neither a parameter nor a value"),
        (hides, 2, "not in the docstring"),
        (leaks, "2", "not raised by the library itself"),
        (spoils, [1, 2], "changed what it was given"),
        (half_learns, Hats(sticks(6)), "changed what it was given and raised ValueError"),
        (hangs, 2, "took longer than 0.1 s"),
    ],
)
def test_what_is_wrong_with_a_call_is_seen(function, value, said, monkeypatch):
    monkeypatch.setitem(globals(), "OURS", {Path(__file__).parent})
    monkeypatch.setitem(globals(), "SECONDS", 0.1)
    assert complaint(function, {"value": value})[: len(said) or None] == said


def test_a_call_that_eats_memory_is_seen():
    assert isinstance(error_of(bytearray, {"*": (2 * GIGABYTES * 2**30,)}), MemoryError)


def test_a_function_without_a_recipe_is_seen(monkeypatch):
    monkeypatch.setattr(games, "brand_new", lambda coins: coins, raising=False)
    games.brand_new.__module__ = games.__name__
    assert public() - set(RECIPES) == {"games.brand_new"}


def test_the_page_says_what_is_tried():
    """In round numbers, so that a new recipe does not change the page."""
    page = (ROOT / "docs" / "hostile.md").read_text(encoding="utf-8")
    counts = {kind: len(values) for kind, values in BAD.items()}
    counts["functions, classes and methods"] = len(RECIPES)
    counts["calls in the ordinary run"] = sum(tries(name, ORDINARY) + len(WORST) // share(name) for name in RECIPES)
    stated = dict(re.findall(r"^\| (.+?) \| ([\d,]+) \|$", page, re.MULTILINE))
    assert set(counts) == set(stated)
    for kind, number in stated.items():
        assert int(number.replace(",", "")) <= counts[kind] < 1.5 * int(number.replace(",", "")), kind
