"""What a person sees of the course, written down as files, so that two editions can be laid side by side.

    python tests/referee.py FOLDER                          writes all of it
    python tests/referee.py OLD NEW --sheet sheet.html      names the texts that differ, and shows the pictures in pairs

The texts stand in tests/referee/, where test_referee.py compares them. Pictures are drawn anew from either edition: of
an older one in a second checkout, with PYTHONPATH set to it. What is typed stands in tests/referee/sessions.txt.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import hashlib
import html
import io
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import foreign
import matplotlib as mpl
import numpy as np

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from coincourse.labs import Board, HatsLab, PileLab, ProofLab, QLab, TrainingLab, TriangleLab
from coincourse.outside.sandbox import join, serve

# --- where things are: the one place to change when rooms move ------------------------------------------------
from coincourse.terminal import COMMANDS, main
from coinlib import (
    SCENARIOS,
    CoinGame,
    GreedyCoins,
    Hats,
    PerfectAgent,
    QLearner,
    RandomAgent,
    evaluate,
    plots,
    round_robin,
    solve,
    solve_greedy,
    sticks,
    three_piles,
    train,
)
from coinlib.theory import nim_sum
from coinlib.trees import game_tree


def page_of(lab) -> str:
    """The HTML that a page without a kernel shows."""
    return lab._repr_mimebundle_()[0]["text/html"]


def code_of(lab) -> str:
    return lab.code(**lab.settings)


def controls_of(lab) -> str:
    return "\n".join(f"{each.label}: {each.explanation}" for each in lab.CONTROLS.values())


# --- sessions in a terminal -----------------------------------------------------------------------------------

SESSIONS = Path(__file__).parent / "referee" / "sessions.txt"
ENTRIES = {
    "counts.py": "def agent(game, state):\n    return game.legal_moves(state)[-1]\n",
    "greedy_hand.py": "def agent(game, state):\n    return (0, 99)\n",
    "breaks.py": "def agent(game, state):\n    return 1 // 0\n",
    "empty.py": "",
}


class Typed(io.StringIO):
    """Somebody's answers, which stand on the screen as they are typed."""

    def readline(self, *size):
        print((line := super().readline(*size)), end="")
        return line


def session(words: str, answers: str = "") -> str:
    """A terminal from the command to its end."""
    keys, before = Typed(answers.replace("/", "\n") + "\n" * bool(answers)), sys.stdin
    with contextlib.redirect_stdout(io.StringIO()) as screen, contextlib.redirect_stderr(screen):
        sys.stdin = keys
        try:
            status = main(words.split())
        finally:
            sys.stdin = before
    said = re.sub(r"\r?Compiling[^\n\r]*", "", screen.getvalue()).replace("\r", "")
    said = re.sub(r"Each entry ran .*", "Each entry ran SO.", said)  # where bubblewrap works, and where not
    return f"$ coinlib {words.strip()}\n{said.rstrip()}\n[ends with {status}]\n\n"


def transcripts() -> dict[str, str]:
    found, home = {}, Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("entries").mkdir()
            for name, program in ENTRIES.items():
                Path("entries", name).write_text(program)
            for part in SESSIONS.read_text(encoding="utf-8").split("\n[")[1:]:
                program, *asked = part.strip().split("\n")
                found[program[:-1]] = "".join(session(*words.split(" <- ")) for words in asked)
            found["help"] = session("") + "".join(session(f"{command} --help") for command in COMMANDS)
            found["pipe"] = through_a_pipe("sticks --menu friend", "10\n3\n3\n3\n1\n")
            found["sandbox"] = sandbox_in_the_terminal()
            found["files"] = "\n".join(
                sorted(str(path) for path in Path().rglob("*") if "__pycache__" not in str(path))
            )
        finally:
            os.chdir(home)
    return found


def through_a_pipe(words: str, answers: str) -> str:
    """The same in a process of its own, where no answer is seen."""
    command = [sys.executable, "-m", "coincourse", *words.split()]
    done = subprocess.run(command, input=answers, capture_output=True, text=True, check=False)
    return f"$ coinlib {words}\n{done.stdout}{done.stderr}\n[ends with {done.returncode}]\n"


def sandbox_in_the_terminal() -> str:
    """`coinlib join` with a server of somebody else, then `coinlib serve` with an agent of somebody else."""
    servers = [foreign.Server((1, 3, 5, 7), 2, games=2), foreign.Server((6,), 3, games=3)]
    found = session(f"join --port {servers[0].port} --agent perfect --seed 1 --verbose")
    found += session(f"join --port {servers[1].port} --agent hats --practice 50 --seed 1")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]

    def come() -> None:
        while True:  # until the server listens
            with contextlib.suppress(ConnectionRefusedError):
                return foreign.Agent(port).play(foreign.one_coin)
            time.sleep(0.05)

    threading.Thread(target=come, daemon=True).start()
    found += session(f"serve NIM --port {port} --games 4 --opponent perfect --seed 1 --record games.csv")
    for number in (port, *(server.port for server in servers)):
        found = found.replace(str(number), "PORT")
    return re.sub(r"^\d\d:\d\d:\d\d .*\n", "", re.sub(r"127\.0\.0\.1:\d+", "HOST:PORT", found), flags=re.MULTILINE)


# --- bytes on the wire ----------------------------------------------------------------------------------------


class Tap:
    """A socket whose bytes are written down, each with who sent it."""

    def __init__(self, sock, who: str) -> None:
        self.sock, self.who, self.tape = sock, who, []

    def recv(self, *how):
        self.tape.append(("coinlib ", data := self.sock.recv(*how)))
        return data

    def sendall(self, data: bytes) -> None:
        self.tape.append((self.who, data))
        self.sock.sendall(data)

    def __getattr__(self, name: str):
        return getattr(self.sock, name)

    def told(self) -> str:
        """A line for each message, the changing part of a run's name as noughts."""
        lines = []
        for who, pieces in groupby(self.tape, key=lambda piece: piece[0]):
            data = re.sub(
                rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", b"0" * 36, b"".join(data for _, data in pieces)
            )
            while data:
                length, place = foreign.read_varint(data, 0)
                lines.append(f"{who} {data[: place + length].hex()}")
                data = data[place + length :]
        return "\n".join(lines)


def wire() -> str:
    taps: list[Tap] = []
    plain = foreign.Line.__init__

    def tapped(line, sock) -> None:
        plain(line, sock)
        line.sock = Tap(sock, "stranger")
        taps.append(line.sock)

    moves, waits = {7: 3, 4: 1, 3: 2, 1: 1}, {"port": 0, "timeout": 120, "wait": 120}
    servers = {  # our server, the strangers' ways to choose
        "NIM, ours is perfect": (serve("NIM", 3, PerfectAgent(1), **waits), [foreign.one_coin]),
        "two strangers": (serve(sticks(7), 2, **waits), [lambda asked: (0, moves[asked["coins"][0]])] * 2),
        "forfeits": (serve("DOUBLE_21_2", 3, RandomAgent(2), seat=1, **waits), [lambda asked: (5, 300)]),
    }
    strangers = {  # our agents, the strangers' servers
        "hats join": (Hats(sticks(9), seed=1), ((9,), 3, 4), True),
        "a Q-learner joins": (QLearner(SCENARIOS["NIM"], 0.5, exploration=0.3, seed=1), ((1, 3, 5, 7), 2, 4), True),
        "not packed": (RandomAgent(3, legal_only=False), ((21, 21), 2, 2), False),
    }
    found = []
    foreign.Line.__init__ = tapped
    try:
        for title, (server, choices) in servers.items():
            with server:
                agents = [foreign.Agent(port) for port in server.ports]
                threads = [agent.start(choose) for agent, choose in zip(agents, choices)]
                server.wait()
                for thread in threads:
                    thread.join()
            told = "\n\n".join(agent.sock.told() for agent in agents)
            found.append(f"# serve: {title}\n{told}\nwins {server.wins}, moves {list(server.results['moves'])}\n")
        for title, (agent, how, packed) in strangers.items():
            server = foreign.Server(*how, packed=packed)
            with join(agent, port=server.port, timeout=120) as client:
                client.wait()
            server.thread.join()
            found.append(f"# join: {title}\n{taps[-1].told()}\n{list(client.results['result'])} {learnt_by(agent)}\n")
    finally:
        foreign.Line.__init__ = plain
        foreign.close_all()
    return "\n".join(found)


def learnt_by(agent) -> str:
    return listed(agent.values) if hasattr(agent, "values") else ""


# --- pictures -------------------------------------------------------------------------------------------------


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
    return draw(hats.table, hats.balls, *[solve(hats.game).best_moves] * marked, **how)


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
    "q_table": lambda: q_as(plots.q_table, learnt(QLearner, sticks(10), 100)),
    "q_table-careless": lambda: q_as(
        plots.q_table, learnt(lambda g: QLearner(g, 0.3, legal_only=False), sticks(8), 99)
    ),
    "q_table-nim": lambda: q_as(plots.q_table, learnt(QLearner, SCENARIOS["NIM"], 400)),
    "policy": lambda: q_as(plots.policy, learnt(Hats, sticks(20), 40)),
    "policy-rows": lambda: q_as(plots.policy, learnt(Hats, CoinGame((3, 4), 2, misere=False), 300)),
    "positions": lambda: plots.positions(solve(three_piles(7, 7, 7)), fixed={2: 3}),
    "positions-values": lambda: plots.positions(
        solve(three_piles(6, 5, 3)), {2: 0}, values=lambda state: nim_sum(*state)
    ),
    "positions-misere": lambda: plots.positions(solve(SCENARIOS["DOUBLE_21_3"])),
    "triangle": lambda: plots.triangle(TWO_GREEDY[0]),
    "triangle-margin-line": lambda: plots.triangle(TWO_GREEDY[1], show="margin", line=True),
    "triangle-run": lambda: plots.triangle(TWO_GREEDY[0], run=(1, 2)),
    "triangle_heat": lambda: plots.triangle_heat(TWO_GREEDY[1]),
    "triangle_heat-margin": lambda: plots.triangle_heat(
        solve_greedy(np.random.default_rng(1).integers(1, 30, 60)), show="margin"
    ),
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
TABLES = {
    "hats_table": lambda: hats_as(plots.hats_table, learnt(Hats, sticks(10), 200)),
    "q_values_table": lambda: q_as(plots.q_values_table, learnt(QLearner, SCENARIOS["NIM"], 200)).head(40),
    "policy_table": lambda: q_as(plots.policy_table, learnt(QLearner, sticks(10), 50)),
    "positions_table": lambda: plots.positions_table(solve(three_piles(3, 4, 5)), {1: 2}),
    "tree_table": lambda: plots.tree_table(game_tree(three_piles(2, 1, 1)).folded()),
    "triangle_table": lambda: plots.triangle_table(TWO_GREEDY[0], show="margin"),
    "win_rate_table": lambda: plots.win_rate_table(
        {"a": a_run(300, 1), "b": [a_run(300, 2), a_run(300, 3)]}, window=20
    ),
}


def hash_of(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def listed(numbers) -> str:
    """Numbers to six significant digits; of many their shape, their bounds and a digest of those digits."""
    values = np.ma.filled(np.ma.asarray(numbers, dtype=float), np.nan)
    words = [f"{number:.6g}" for number in (values + 0.0).ravel()]
    if len(words) <= 60:
        return f"{values.shape} {' '.join(words)}"
    bounds = f"{np.nanmin(values):.6g} to {np.nanmax(values):.6g}"
    return f"{values.shape} {bounds} {hash_of(' '.join(words))}"


def colours(found) -> str:
    """Which colours in a row, and how many of each."""
    words = [f"{colour}x{len(list(group))}" for colour, group in groupby(to_hex(one, keep_alpha=True) for one in found)]
    return " ".join(words) if len(words) <= 12 else f"{len(words)} {words[0]} to {words[-1]} {hash_of(' '.join(words))}"


def patch_of(patch) -> tuple[str, tuple]:
    """How a shape looks, and where the middle of it is; of an arrow, where its tip is."""
    path = patch.get_patch_transform().transform_path(patch.get_path())
    place = (path.get_extents().min + path.get_extents().max) / 2
    if "Arrow" in type(patch).__name__:
        corners = path.vertices[path.codes != path.CLOSEPOLY]
        place = max(corners, key=lambda corner: np.hypot(*(corner - corners[0])))
    ink = f"{to_hex(patch.get_facecolor(), True)} {to_hex(patch.get_edgecolor(), True)} {patch.get_linewidth():g}"
    return f"{type(patch).__name__} {ink} {patch.get_linestyle()} {patch.get_hatch()}", tuple(np.round(place, 2))


def drawn(ax) -> str:
    """All that stands in a picture."""
    ax.figure.draw_without_rendering()
    lines = [f"title {[ax.get_title(loc) for loc in ('left', 'center', 'right')]}"]
    for axis, name in ((ax.xaxis, "x"), (ax.yaxis, "y")):
        low, high = axis.get_view_interval()
        ticks = [
            (label.get_text(), round(place, 6)) for label, place in zip(axis.get_ticklabels(), axis.get_ticklocs())
        ]
        lines.append(
            f"{name} {axis.get_label_text()!r} {axis.get_scale()} {low:.6g} to {high:.6g} {axis.get_visible()}"
        )
        lines.append(f"{name} ticks " + " ".join(f"{words!r}@{place:g}" for words, place in ticks))
    if legend := ax.get_legend():
        lines.append(f"legend {[text.get_text() for text in legend.get_texts()]}")
    for line in ax.lines:
        label = "" if str(line.get_label()).startswith("_") else line.get_label()
        look = f"{to_hex(line.get_color())} {line.get_linestyle()} {line.get_marker()} {line.get_linewidth():g}"
        lines.append(f"line {label!r} {look} {listed(line.get_xydata())}")
    for collection in ax.collections:
        lines.append(f"{type(collection).__name__} {colours(collection.get_facecolors())}")
        lines.append(f"  at {listed(collection.get_offsets())}")
        bounds = [path.get_extents().bounds for path in collection.get_paths()]
        lines.append(f"  paths {listed(bounds)}")
        if collection.get_array() is not None:
            lines.append(f"  array {listed(collection.get_array())}")
    for look, group in groupby(sorted(map(patch_of, ax.patches)), key=lambda patch: patch[0]):
        places = [place for _, place in group]
        lines.append(f"{len(places)} {look} at {listed(places)}")
    for image in ax.images:
        lines.append(f"image {image.get_cmap().name} {listed(image.get_array())} {listed(image.get_extent())}")
    for text in ax.texts:
        x, y = text.get_position()
        words = text.get_text() or f"-> {getattr(text, 'xy', '')}"
        lines.append(f"text {words!r} @ {x:.6g} {y:.6g} {to_hex(text.get_color())}")
        if box := text.get_bbox_patch():
            lines[-1] += (
                f" in {to_hex(box.get_facecolor(), True)} {to_hex(box.get_edgecolor())} {box.get_linewidth():g}"
            )
            lines[-1] += f" {box.get_linestyle()}"
        if arrow := getattr(text, "arrow_patch", None):
            lines[-1] += f" arrow {to_hex(arrow.get_edgecolor())} {arrow.get_linewidth():g}"
    return "\n".join(lines)


def pictures(folder: Path | None) -> dict[str, str]:
    """The data of each picture; the pictures themselves into a folder, if there is one."""
    found = {"tables": "\n".join(f"# {name}\n{make().to_csv()}" for name, make in TABLES.items())}
    for name, draw in PICTURES.items():
        with plt.rc_context(mpl.rcParamsDefault | {"backend": "agg"}):
            figure = draw().figure
            found[name] = "\n\n".join(map(drawn, figure.axes))
            if folder:
                figure.savefig(folder / f"{name}.png", dpi=80, bbox_inches="tight")
            plt.close(figure)
    return found


# --- labs -----------------------------------------------------------------------------------------------------


def change(**settings):
    """A step: these controls are moved."""

    def act(lab) -> None:
        for name, value in settings.items():
            setattr(lab, name, value)

    return act


def call(name: str, *words):
    """A step: this is done, as by a button."""
    return lambda lab: getattr(lab, name)(*words)


def put(**settings):
    """A step: these settings of a board are changed."""
    return lambda board: [setattr(board, name, value) for name, value in settings.items()]


HAND = [call("take", 3), call("take", 1), call("take", 1)]
LABS = {  # a lab, and what is done with it step by step
    "board": (
        lambda: Board("NIM", opponent="perfect", seed=1, hints=True),
        [call("pick", 3, 2), call("take"), call("take", 0, 4), call("undo"), put(you_start=False), call("reply")],
    ),
    "board-mine": (
        lambda: Board(CoinGame((5,), 3, misere=False), opponent=lambda game, state: 3),
        [call("take", 0, 1), call("take", 0, 1), call("new_game"), call("take", 0, 3), put(opponent="take one")],
    ),
    "board-two": (lambda: Board("DOUBLE_21_2", opponent="person"), [call("take", 0, 2), call("take", 1, 1)]),
    "hats": (
        HatsLab,
        [*HAND, call("one_step"), change(look=False, reveal=True), call("put", 4, 3, 50), call("train", 100)],
    ),
    "hats-other": (
        lambda: HatsLab(sticks=6, max_take=2, ending="normal", partner="twin", first="alternate", seed=3),
        [call("one_step")] * 4 + [call("train", 1_000), change(partner="random"), call("start_again")],
    ),
    "q": (
        QLab,
        [call("one_step"), call("one_step"), change(games=300), change(opponent="itself", exploration=0.3, decay=50)],
    ),
    "q-other": (
        lambda: QLab(
            games=20, learning_rate=0.5, discount=0.5, sticks=7, ending="normal", first="alternate", window=20
        ),
        [
            change(opponent="careless"),
            call("one_step"),
            change(max_take=7, opponent="perfect"),
            change(learning_rate=0.0),
        ],
    ),
    "triangle": (
        TriangleLab,
        [change(show="margin", arrows=True), change(coins="2 1 2 5 5 3"), change(coins="1 x"), change(coins="7")],
    ),
    "triangle-play": (
        lambda: TriangleLab(task="play", coins="1 2 2 1 2 1", seed=2),
        [call("take", "L"), call("take", "L"), call("undo"), call("let_choose"), change(side="bob", opponent="random")],
    ),
    "triangle-fill": (
        lambda: TriangleLab(task="fill"),
        [call("fill", 2, 2, "4"), call("fill", 0, 0, "0"), call("hint"), call("one_step"), change(show="margin")],
    ),
    "pile": (PileLab, [change(third=0), change(sums=True, most=7), call("best_move"), call("go", (1, 2, 3))]),
    "pile-play": (
        lambda: PileLab((2, 2, 1), mode="play"),
        [call("best_move"), call("go", (1, 1, 0)), call("go", (9, 9, 9)), change(starts="computer"), call("new_game")],
    ),
    "proof": (ProofLab, [change(sticks=13), change(ending="misere"), change(max_take=5, sticks=12), change(sticks=0)]),
    "training": (TrainingLab, [change(practised=100), change(partner="random", sticks=10), change(practised=1_000)]),
}


def words_of(page: str) -> str:
    """What can be read in an HTML text, a block a line; programs are left out."""
    page = re.sub(r"<(style|script|pre)\b.*?</\1>", "", page, flags=re.DOTALL)
    page = re.sub(r"\s+", " ", page)  # where a line of a template ends says nothing
    page = re.sub(r"</?(p|div|tr|li|table|caption|h\d|details|summary|svg|br)\b[^>]*>", "\n", page)
    lines = (
        " ".join(line.split()) for line in html.unescape(re.sub(r"<[^>]*>", " ", page)).replace("\xa0", " ").split("\n")
    )
    return "\n".join(filter(None, lines))


def lab_in_words(make, steps) -> str:
    lab, found = make(), []
    if not isinstance(lab, Board):
        found.append(f"{lab.title}\n{lab.goal}\n{controls_of(lab)}\n")
    for number, step in enumerate([None, *steps]):
        if step:
            step(lab)
        now = words_of(page_of(lab)).split("\n")
        code = [] if isinstance(lab, Board) else ["--- code", *code_of(lab).strip().split("\n")]
        found.append(f"=== step {number}: {lab!r}\n" + "\n".join([*now, *code]) + "\n")
    return "\n".join(found)


def labs() -> dict[str, str]:
    return {name: lab_in_words(*lab) for name, lab in LABS.items()}


# --- the program ----------------------------------------------------------------------------------------------


def write(folder: Path, with_pictures: bool = True) -> None:
    """All of it, as files."""
    os.environ |= {"NO_COLOR": "1", "COLUMNS": "100", "LINES": "40", "TQDM_DISABLE": "1"}
    warnings.simplefilter("ignore")
    for part in ("transcripts", "pictures", "labs"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    parts = {
        ".": lambda: {"wire": wire()},
        "transcripts": transcripts,
        "pictures": lambda: pictures(folder / "pictures" if with_pictures else None),
        "labs": labs,
    }
    texts = {}
    for part, make in parts.items():
        began = time.perf_counter()
        texts |= {f"{part}/{name}": text for name, text in make().items()}
        print(f"{part}: {time.perf_counter() - began:.1f} s")
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text.rstrip() + "\n", encoding="utf-8")


INPUTS = ("numbers.txt", "sessions.txt")  # stored beside the texts, and not written here


def differences(old: Path, new: Path) -> list[str]:
    """For each text that differs a short comparison, line by line."""
    names = sorted({file.relative_to(top).as_posix() for top in (old, new) for file in top.rglob("*.txt")} - {*INPUTS})
    found = []
    for name in names:
        one, two = ((top / name).read_text("utf-8").split("\n") if (top / name).exists() else [] for top in (old, new))
        if one != two:
            lines = list(difflib.unified_diff(one, two, f"old/{name}", f"new/{name}", lineterm="", n=2))
            found.append("\n".join([line[:300] for line in lines[:40]] + ["..."] * (len(lines) > 40)))
    return found


def sheet(old: Path, new: Path, page: Path) -> None:
    """One HTML page with the pictures of both side by side; those that are the same to the byte say so."""
    names = sorted({file.relative_to(top).as_posix() for top in (old, new) for file in top.rglob("*.png")})
    rows = []
    for name in names:
        both = [top / name for top in (old, new)]
        same = all(file.exists() for file in both) and both[0].read_bytes() == both[1].read_bytes()
        shown = "".join(f"<td><img src='{os.path.relpath(file, page.parent)}' alt='-'></td>" for file in both)
        rows.append(f"<tr><th>{html.escape(name)}<br>{'the same' if same else 'differs'}</th>{shown}</tr>")
    page.write_text(
        f"<!doctype html><meta charset='utf-8'><title>old, new</title><table>{''.join(rows)}</table>", "utf-8"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="one to write, or two to compare")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="the page of pictures, of two folders")
    parser.add_argument("--texts", action="store_true", help="write the texts alone, no pictures")
    wanted = parser.parse_args()
    if len(wanted.folders) == 1:
        write(*wanted.folders, with_pictures=not wanted.texts)
    else:
        print("\n\n".join(differences(*wanted.folders)) or "all texts are the same")
        if wanted.sheet:
            sheet(*wanted.folders, wanted.sheet)
