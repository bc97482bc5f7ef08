"""What people see in the course: sessions in a terminal, a few pictures and their tables, the words of labs.

    python tests/tools/referee.py             updates the texts in tests/stored/referee/; git shows the differences

The input of the sessions is in tests/stored/referee/sessions.txt.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tempfile
import warnings
from pathlib import Path

import matplotlib as mpl
from lab_stories import NAMES, story
from paths import STORED

mpl.use("Agg")
from matplotlib import pyplot as plt

from coincourse.terminal import COMMANDS, main
from coinlib import plots
from coinlib.agents import PerfectAgent, RandomAgent
from coinlib.arena import evaluate, round_robin
from coinlib.games import SCENARIOS, CoinGame, GreedyCoins, sticks, three_piles
from coinlib.learners import Hats, QLearner
from coinlib.solvers import solve, solve_greedy
from coinlib.theory import nim_sum
from coinlib.training import train
from coinlib.trees import game_tree

# --- sessions in a terminal ------------------------------------------------------------------------------

REFEREE = STORED / "referee"
ENTRIES = {
    "counts.py": "def agent(game, state):\n    return game.legal_moves(state)[-1]\n",
    "greedy_hand.py": "def agent(game, state):\n    return (0, 99)\n",
    "breaks.py": "def agent(game, state):\n    return 1 // 0\n",
    "empty.py": "",
}


PLAIN = {"NO_COLOR": "1", "COLUMNS": "100", "LINES": "40", "TQDM_DISABLE": "1"}  # of the environment


class Typed(io.StringIO):
    """A person's answers, which appear on the screen as they are typed."""

    def readline(self, *size):
        print((line := super().readline(*size)), end="")
        return line


def screen_of(words: str, answers: str = "") -> tuple[str, int]:
    """What is on the screen after a session, with a line for each answer, and the exit status."""
    before = sys.stdin
    with contextlib.redirect_stdout(io.StringIO()) as screen, contextlib.redirect_stderr(screen):
        sys.stdin = Typed(answers)
        try:
            status = main(words.split())
        finally:
            sys.stdin = before
    return re.sub(r"\r?Compiling[^\n\r]*", "", screen.getvalue()).replace("\r", ""), status


def session(words: str, answers: str = "") -> str:
    """A terminal from the command to its end; answers are separated by a stroke."""
    said, status = screen_of(words, answers.replace("/", "\n") + "\n" * bool(answers))
    said = re.sub(r"Each entry ran .*", "Each entry ran SO.", said)  # with bubblewrap, and without
    return f"$ coinlib {words.strip()}\n{said.rstrip()}\n[ends with {status}]\n\n"


def asked() -> dict[str, list[str]]:
    """What is typed to each program: lines of sessions.txt."""
    found = {}
    for part in (REFEREE / "sessions.txt").read_text(encoding="utf-8").split("\n[")[1:]:
        program, *lines = part.strip().split("\n")
        found[program.removesuffix("]")] = lines
    return found


def transcript(program: str) -> str:
    """All sessions with one program, in the working folder; "help" stands for all pages of help."""
    if program == "help":
        return session("") + "".join(session(f"{command} --help") for command in COMMANDS)
    return "".join(session(*words.split(" <- ")) for words in asked()[program])


def transcripts() -> dict[str, str]:
    """The sessions with all programs, and the files that they leave."""
    home = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("entries").mkdir()
            for name, program in ENTRIES.items():
                Path("entries", name).write_text(program)
            found = {program: transcript(program) for program in [*asked(), "help"]}
            files = sorted(str(path) for path in Path().rglob("*") if "__pycache__" not in str(path))
            found["files"] = "\n".join(files)
        finally:
            os.chdir(home)
    return found


# --- pictures -------------------------------------------------------------------------------------------


def a_run(games: int, seed: int, **how):
    return train(Hats(sticks(10)), RandomAgent(), games=games, seed=seed, **how)


def learnt(kind, game, games: int):
    learner = kind(game)
    train(learner, learner, games=games, seed=1, first="alternate")
    return learner


def handout():
    hats = Hats(sticks(10))
    for hat, move in ((4, 3), (7, 2)):
        hats.put(hat, move, 2)
    return hats


def hats_as(draw, hats, marked: bool = True, **how):
    winning = solve(hats.game).best_moves if marked else None
    return draw(hats.table, hats.balls, winning, **how)


def q_as(draw, learner, **how):
    return draw(learner.table, learner.values, solve(learner.game).best_moves, **how)


def rates():
    agents = {"random": RandomAgent(), "careless": RandomAgent(legal_only=False), "perfect": PerfectAgent()}
    return round_robin(sticks(10), agents, games=50, seed=1)


def intervals():
    import pandas as pd

    found = {games: evaluate(sticks(10), PerfectAgent(), RandomAgent(), games, seed=1) for games in (10, 100, 1_000)}
    rows = [(one.win_rate, one.low, one.high) for one in found.values()]
    return pd.DataFrame(rows, columns=["win_rate", "low", "high"], index=pd.Index(list(found), name="games"))


TWO_GREEDY = solve_greedy([1, 2, 4, 3]), solve_greedy([1, 2, 2, 1, 2, 1, 1, 2])
PICTURES = {
    "board": lambda: plots.board(SCENARIOS["NIM"]),
    "board-later": lambda: plots.board(SCENARIOS["NIM"], (1, 0, 3, 7)),
    "board-normal-long": lambda: plots.board(CoinGame((60,), 3, misere=False), (41,)),
    "hats": lambda: hats_as(plots.hats, handout()),
    "hats-full": lambda: hats_as(plots.hats, learnt(Hats, sticks(20), 3_000)),
    "hats-nim": lambda: hats_as(plots.hats, learnt(Hats, SCENARIOS["NIM"], 300), False),
    "hats_balls": lambda: hats_as(plots.hats_balls, handout(), False, states=[4, 7, 10]),
    "hats_shares": lambda: hats_as(plots.hats_shares, learnt(Hats, sticks(12, misere=False), 500)),
    "hats_heat": lambda: hats_as(plots.hats_heat, learnt(Hats, sticks(20), 1_000)),
    "hats_heat-rows": lambda: hats_as(plots.hats_heat, learnt(Hats, three_piles(1, 2, 2), 500)),
    "witnesses": lambda: plots.witnesses(
        learnt(Hats, sticks(20), 500), learnt(QLearner, sticks(20), 500), solve(sticks(20))
    ),
    "positions": lambda: plots.positions(solve(three_piles(7, 7, 7)), fixed={2: 3}),
    "positions-values": lambda: plots.positions(
        solve(three_piles(6, 5, 3)), {2: 0}, values=lambda state: nim_sum(*state)
    ),
    "positions-misere": lambda: plots.positions(solve(SCENARIOS["DOUBLE_21_3"])),
    "columns": lambda: plots.columns((6, 7, 8), 3, moves=[(0, 3), (1, 1), (2, 3)]),
    "triangle": lambda: plots.triangle(TWO_GREEDY[0]),
    "triangle-margin-line": lambda: plots.triangle(TWO_GREEDY[1], show="margin", line=True),
    "triangle-run": lambda: plots.triangle(TWO_GREEDY[0], run=(1, 2)),
    "fusing": lambda: plots.fusing([3, 5, 1, 4, 2, 7, 7, 1, 9], 2),
    "opening": lambda: plots.opening([3, 9, 4, 1]),
    "red_and_blue": lambda: plots.red_and_blue([1, 2, 2, 1, 2, 1, 1, 2]),
    "tree": lambda: plots.tree(game_tree(sticks(4))),
    "tree-merged": lambda: plots.tree(game_tree(GreedyCoins((1, 2, 4, 3))).merged()),
    "tree-folded": lambda: plots.tree(game_tree(three_piles(2, 2, 1))),
    "round_robin": lambda: plots.round_robin_heatmap(rates()),
    "win_rates": lambda: plots.win_rates(intervals()),
    "win_rate": lambda: plots.win_rate(a_run(60, 1)),
    "win_rate-bands": lambda: plots.win_rate(
        {"first": [a_run(400, seed) for seed in range(6)], "second": [a_run(400, 9, first="opponent")]}, window=50
    ),
    "win_rate-log": lambda: plots.win_rate([a_run(3_000, seed) for seed in range(3)], window=100, log=True),
}
IMAGES = ("positions", "tree", "tree-merged", "triangle")  # those that are stored; tests look at all of them
TABLES = {
    "policy_table": lambda: q_as(plots.policy_table, learnt(QLearner, sticks(10), 50)),
}


def pictures() -> dict[str, str | bytes]:
    """A few pictures, and the tables that go with pictures."""
    found = {"tables": "\n".join(f"# {name}\n{make().to_csv()}" for name, make in TABLES.items())}
    for name in IMAGES:
        with plt.rc_context(mpl.rcParamsDefault | {"backend": "agg"}):
            figure = PICTURES[name]().figure
            figure.draw_without_rendering()  # The layout settles in two rounds.
            image = io.BytesIO()
            figure.savefig(image, dpi=50)
            plt.close(figure)
        found[f"{name}.png"] = image.getvalue()
    return found


# --- the program ----------------------------------------------------------------------------------------


def labs() -> dict[str, str]:
    """What labs say, step by step."""
    return {name: story(name) for name in NAMES}


def record(folder: Path) -> None:
    """All of it, as files."""
    os.environ |= PLAIN
    warnings.simplefilter("ignore")
    for part in (transcripts, pictures, labs):
        (folder / part.__name__).mkdir(exist_ok=True)
        for name, content in part().items():
            file = folder / part.__name__ / (name if "." in name else f"{name}.txt")
            file.write_bytes(content if isinstance(content, bytes) else f"{content.rstrip()}\n".encode())


if __name__ == "__main__":
    record(Path(sys.argv[1] if sys.argv[1:] else REFEREE).resolve())
