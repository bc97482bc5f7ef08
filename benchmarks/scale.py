"""Measure what a course of many students needs: `python -m benchmarks.scale`.

Memory and processor time of a kernel that runs each lesson from the top, of a kernel that does nothing, of a
JupyterLab server; and how much faster `sweep` is on several workers. Written to `benchmarks/results/scale.csv`
and `scale.md`, and read from there by `docs/scale.md`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

import psutil

from benchmarks import report
from coincourse import course

RESULTS = Path(__file__).parent / "results"
LESSONS = Path(__file__).parent.parent / "notebooks"
HEADS = ("part", "case", "run", "measure", "unit", "median", "least", "most", "repeats", "load")
MB = 1e6
IDLE_SECONDS = 20
BESIDE = ("numba", "pandas", "matplotlib.pyplot", "coincourse.labs", "coinlib.plots", "coincourse.checks")
NO_NUMBA = "raise ImportError('measured as plain Python')\n"
TOKEN = "measured"

NOTE = (
    "Medians of the repeats, with the smallest and the largest. MB are millions of bytes. "
    "*Peak* is the largest resident memory of the kernel, *with children* that of the kernel and the processes that it "
    "started together; *own at the end* leaves out what several kernels on one machine share. Processor seconds "
    "count children too. *First* is a run with an empty cache of compiled code, *again* one with a full cache, "
    "*plain* one without Numba. *Load* is the machine's load average (of one minute) when a measurement began, its "
    "median: more than the number of cores says that other programs wanted the cores too. That makes wall time "
    "longer, and processor time a little."
)


@dataclass
class Notes:
    """What was measured, by part, case, run, measure and unit."""

    found: dict[tuple[str, str, str, str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    loads: dict[tuple[str, str, str], list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, part: str, case: object, run: str, load: float, **measures: tuple[float, str]) -> None:
        """Note one measurement; `measures` are pairs of a number and its unit."""
        self.loads[part, str(case), run].append(load)
        for name, (number, unit) in measures.items():
            self.found[part, str(case), run, name, unit].append(number)

    def rows(self) -> Iterator[dict[str, object]]:
        """One line for each measure."""
        for (part, case, run, measure, unit), numbers in self.found.items():
            values = (statistics.median(numbers), min(numbers), max(numbers))
            load = statistics.median(self.loads[part, case, run])
            cells = (*(f"{value:.4g}" for value in values), len(numbers), f"{load:.2g}")
            yield dict(zip(HEADS, (part, case, run, measure, unit, *cells), strict=True))


# --- memory and processor time of a process and its children


class Watch(threading.Thread):
    """Follows a process and all its children until `stop()`.

    Parameters
    ----------
    pid : int
    every : float
        Seconds between two looks.
    """

    def __init__(self, pid: int, every: float = 0.05) -> None:
        super().__init__(daemon=True)
        self.process, self.every = psutil.Process(pid), every
        self.peak = self.peak_with_children = 0
        self._seconds: dict[tuple[int, float], float] = {}
        self._stopped = threading.Event()
        self.look()
        self.start()

    def look(self) -> None:
        """Look once."""
        together = 0
        for place, process in enumerate([self.process, *self.process.children(recursive=True)]):
            with contextlib.suppress(psutil.Error), process.oneshot():  # a child may be gone
                memory = process.memory_info().rss
                self._seconds[process.pid, process.create_time()] = sum(process.cpu_times()[:2])
                together += memory
                if place == 0:
                    self.peak = max(self.peak, memory, highest(process.pid))
        self.peak_with_children = max(self.peak_with_children, self.peak, together)

    def run(self) -> None:
        with contextlib.suppress(psutil.NoSuchProcess):
            while not self._stopped.wait(self.every):
                self.look()

    def stop(self) -> None:
        """Look a last time, and end."""
        self._stopped.set()
        self.join()
        with contextlib.suppress(psutil.NoSuchProcess):
            self.look()

    @property
    def seconds(self) -> float:
        """Processor time of the process and its children since they began, as last seen."""
        return sum(self._seconds.values())


def highest(pid: int) -> int:
    """The largest resident memory that the system remembers of a process, in bytes; 0 where it does not tell."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    return 0


def own(pid: int) -> int:
    """Memory that a process shares with no other, in bytes."""
    return psutil.Process(pid).memory_full_info().uss


def load() -> float:
    """How many programs wanted a core in the last minute, on average."""
    return psutil.getloadavg()[0]


# --- lessons


@contextlib.contextmanager
def kernel(cells: Iterable[str], folder: Path, **environment: str):
    """A kernel without a page; yields its number and a function that runs the cell of a given place."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    client = NotebookClient(
        notebook,
        timeout=3600,
        kernel_name=course.KERNEL["name"],
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--Application.log_level=ERROR"],
    )
    with client.setup_kernel(env=os.environ | {"TQDM_DISABLE": "1"} | environment):
        client.wait_for_reply(client.kc.kernel_info())
        yield client.km.provisioner.pid, lambda place: client.execute_cell(notebook.cells[place], place)


def code_of(lesson: Path) -> list[str]:
    """The code cells of a lesson, solutions included, in order."""
    import nbformat

    return [cell.source for cell in nbformat.read(lesson, 4).cells if cell.cell_type == "code"]


def run_lesson(notes: Notes, lesson: Path, run: str, **environment: str) -> None:
    """Run a lesson from the top in a new kernel, and note what it took."""
    cells, busy = code_of(lesson), load()
    with tempfile.TemporaryDirectory() as folder, kernel(cells, Path(folder), **environment) as (pid, execute):
        began, watch = time.perf_counter(), Watch(pid)
        for place in range(len(cells)):
            execute(place)
        wall = time.perf_counter() - began
        watch.stop()
        notes.add(
            "lesson",
            lesson.name[:2],
            run,
            busy,
            peak=(watch.peak / MB, "MB"),
            peak_with_children=(watch.peak_with_children / MB, "MB"),
            own_at_the_end=(own(pid) / MB, "MB"),
            processor=(watch.seconds, "s"),
            wall=(wall, "s"),
        )


def lessons(notes: Notes, rounds: int, wanted: Sequence[str] = ()) -> None:
    """Every lesson, first with an empty cache of compiled code and then with the full one."""
    for lesson in sorted(LESSONS.glob("*.ipynb")):
        if wanted and lesson.name[:2] not in wanted:
            continue
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as cache:
                for run in ("first", "again"):
                    run_lesson(notes, lesson, run, NUMBA_CACHE_DIR=cache)
        tell(notes, "lesson", lesson.name[:2])


def plain(notes: Notes, rounds: int, wanted: Sequence[str] = ()) -> None:
    """Every lesson without Numba, as where it cannot be installed; once, since it takes long."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "numba.py").write_text(NO_NUMBA, encoding="utf-8")
        path = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
        for lesson in sorted(LESSONS.glob("*.ipynb")):
            if wanted and lesson.name[:2] not in wanted:
                continue
            run_lesson(notes, lesson, "plain", PYTHONPATH=path)
            tell(notes, "lesson", lesson.name[:2])


# --- a kernel and a server that have little to do


def idle(notes: Notes, rounds: int) -> None:
    """A kernel that has started, the same after the imports of a lesson, and what it takes while nobody types."""
    imports = "\n".join(f"import {name}" for name in ("coinlib", *BESIDE))
    for _ in range(rounds):
        with kernel(["pass", imports], Path.cwd()) as (pid, execute):
            for place, case in enumerate(("just started", "after imports")):
                busy = load()
                execute(place)
                note_process(notes, "kernel", case, busy, pid)
            note_rest(notes, "kernel", "after imports", pid)
    tell(notes, "kernel")


def note_process(notes: Notes, part: str, case: str, busy: float, pid: int) -> None:
    """What a process holds now, and the processor time that it took so far."""
    process = psutil.Process(pid)
    notes.add(
        part,
        case,
        "",
        busy,
        resident=(process.memory_info().rss / MB, "MB"),
        own=(own(pid) / MB, "MB"),
        processor=(sum(process.cpu_times()[:2]), "s"),
    )


def note_rest(notes: Notes, part: str, case: str, pid: int) -> None:
    """The share of a core that a process takes while nobody asks anything of it."""
    process = psutil.Process(pid)
    before, busy = sum(process.cpu_times()[:2]), load()
    time.sleep(IDLE_SECONDS)
    share = (sum(process.cpu_times()[:2]) - before) / IDLE_SECONDS
    notes.add(part, f"{case}, at rest", "", busy, share_of_a_core=(100 * share, "%"))


def server(notes: Notes, rounds: int) -> None:
    """A JupyterLab server without its kernels: started, with a lesson open, and at rest."""
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            measure_server(notes, Path(folder))
    tell(notes, "server")


def measure_server(notes: Notes, folder: Path) -> None:
    """Start JupyterLab as `coinlib lab` does, open a lesson in it, and note what the server takes."""
    lesson = min(LESSONS.glob("*.ipynb"))
    (folder / lesson.name).write_bytes(lesson.read_bytes())
    port = course.choose_port()
    words = [*course.lab_command(folder, lesson.name, port, browser=False), f"--IdentityProvider.token={TOKEN}"]
    settings = {"JUPYTER_RUNTIME_DIR": str(folder / "runtime"), "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces")}
    with subprocess.Popen(
        words, env=course.lab_environment() | settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            wait_until_up(port, process)
            note_process(notes, "server", "just started", load(), process.pid)
            open_lesson(port, lesson.name)
            note_process(notes, "server", "a lesson open", load(), process.pid)
            note_rest(notes, "server", "a lesson open", process.pid)
        finally:
            process.terminate()


def ask(port: int, what: str, body: dict | None = None) -> bytes:
    """The server's answer to one question."""
    straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"token {TOKEN}"}
    with straight.open(urllib.request.Request(f"http://127.0.0.1:{port}/{what}", data, headers), timeout=60) as answer:
        return answer.read()


def wait_until_up(port: int, process: subprocess.Popen, seconds: float = 120) -> None:
    """Wait until the server answers."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError):
            ask(port, "api/status")
            return
        time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not answer on port {port} within {seconds:g} s")


def open_lesson(port: int, name: str) -> None:
    """What a page asks for when a lesson is opened: the page, its settings, the notebook, a kernel."""
    for what in (f"lab/tree/{name}", "lab/api/settings", "lab/api/translations", "api/kernelspecs", "api/contents"):
        ask(port, what)
    ask(port, f"api/contents/{name}")
    kernel = {"name": course.KERNEL["name"]}
    ask(port, "api/sessions", {"path": name, "name": name, "type": "notebook", "kernel": kernel})


# --- what lies on the disk


def disk(notes: Notes, rounds: int) -> None:
    """The size of the course's folder and of every package that it needs, installed; once, since it does not vary."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=LESSONS.parent, capture_output=True, check=True).stdout
    files = [LESSONS.parent / name for name in tracked.decode().split("\0") if name]
    sizes = {"the course's folder": sum(file.stat().st_size for file in files if file.exists())}
    sizes["what it needs, installed"] = sum(map(installed_size, needed("coinlib") - {"coinlib"}))
    for case, size in sizes.items():
        notes.add("disk", case, "", load(), size=(size / MB, "MB"))
    tell(notes, "disk")


def needed(name: str, known: frozenset[str] = frozenset()) -> set[str]:
    """A package and all packages that it needs here, extras left out."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    found = {name}
    for wanted in map(Requirement, metadata.requires(name) or ()):
        other = canonicalize_name(wanted.name)
        if other not in known | found and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
            found |= needed(other, known | found)
    return found


def installed_size(name: str) -> int:
    """Bytes of the files of a package, as they lie in the environment."""
    paths = (Path(file.locate()) for file in metadata.files(name) or ())
    return sum(path.stat().st_size for path in paths if path.exists())


# --- sweeps


def learn(seed: int, games: int) -> dict[str, float]:
    """An experiment as in lesson 07: a Q-learner practises, and its distance to perfect play is measured."""
    from coinlib import QLearner, RandomAgent, sticks, train

    learner = QLearner(sticks(20))
    train(learner, RandomAgent(), games=games, seed=seed, first="agent")
    return {"right": learner.distance_to_perfect("agent").right}


@dataclass(frozen=True)
class Sweep:
    """What one sweep took: wall time, processor time of all its processes (both in seconds), peak memory in bytes."""

    wall: float
    processor: float
    peak: int


def timed_sweep(games: int, seeds: int, jobs: int | None) -> Sweep:
    """Run one sweep; its workers are those that are there, or begin with it."""
    from coinlib import sweep

    watch, began = Watch(os.getpid(), every=0.2), time.perf_counter()
    before = watch.seconds
    table = sweep(learn, {"games": [games]}, seeds=seeds, jobs=jobs)
    wall = time.perf_counter() - began
    watch.stop()
    if table["error"].any():
        raise RuntimeError(table["error"].iloc[0])
    return Sweep(wall, watch.seconds - before, watch.peak_with_children)


@contextlib.contextmanager
def processes(count: int):
    """Worker processes on this machine, as `sweep` has them without a cluster; new ones each time."""
    from joblib.externals.loky import get_reusable_executor

    yield count
    get_reusable_executor().shutdown(wait=True)


@contextlib.contextmanager
def dask(count: int):
    """A Dask cluster on this machine."""
    import joblib
    from dask.distributed import Client, LocalCluster

    local = LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None)
    with local as cluster, Client(cluster), joblib.parallel_config("dask"):
        yield None


PLACES: dict[str, Callable] = {"processes": processes, "Dask": dask}
SIZES = {"short runs": (2_000, 400), "long runs": (300_000, 80)}  # games of a run, runs of a sweep


def sweeps(notes: Notes, rounds: int, workers: Sequence[int] = (1, 2, 4)) -> None:
    """The same sweep in this process, on worker processes and on a Dask cluster; the ways take turns."""
    timed_sweep(games=10, seeds=1, jobs=1)  # whatever is compiled is compiled now
    for kind, (games, seeds) in SIZES.items():
        for _ in range(rounds):
            busy, alone = load(), timed_sweep(games, seeds, jobs=1)
            notes.add(
                "sweep",
                f"{kind}, in this process",
                "",
                busy,
                wall=(alone.wall, "s"),
                processor=(alone.processor, "s"),
                one_run=(alone.processor / seeds * 1000, "ms"),
            )
            for place, opened in PLACES.items():
                for count in workers:
                    measure_sweep(notes, f"{kind}, {place}, {count}", opened(count), alone, count, games, seeds)
        tell(notes, "sweep")


def measure_sweep(notes: Notes, case: str, opened, alone: Sweep, count: int, games: int, seeds: int) -> None:
    """One sweep on fresh workers, and again on the same ones, beside the time of one process in the same round."""
    busy = load()
    with opened as jobs:
        for run in ("first", "again"):
            found = timed_sweep(games, seeds, jobs)
            speed_up = alone.wall / found.wall
            notes.add(
                "sweep",
                case,
                run,
                busy,
                wall=(found.wall, "s"),
                processor=(found.processor, "s"),
                speed_up=(speed_up, "times"),
                efficiency=(100 * speed_up / count, "%"),
                useful_processor=(100 * alone.processor / found.processor, "%"),
                peak_with_children=(found.peak / MB, "MB"),
            )


# --- the tables


def tell(notes: Notes, part: str, case: str | None = None) -> None:
    """Print what is known so far of one part."""
    for row in notes.rows():
        if row["part"] == part and case in (None, row["case"]):
            words = (row[name] for name in ("part", "case", "run", "measure", "median", "unit"))
            print(*words, f"({row['least']} to {row['most']}, load {row['load']})", flush=True)


def save(notes: Notes, folder: Path) -> None:
    """Write `scale.csv`, keeping the lines of parts that were not measured now, and `scale.md`."""
    import pandas as pd

    table = pd.DataFrame(list(notes.rows()), columns=HEADS)
    file = folder / "scale.csv"
    if file.exists():
        before, measured = pd.read_csv(file, dtype=str, keep_default_na=False), notes.loads
        kept = [tuple(row) not in measured for row in before[["part", "case", "run"]].to_numpy()]
        table = pd.concat([before[kept], table])
    table = table.sort_values(["part", "case", "run", "measure"], key=lambda column: column.astype(str))
    table.to_csv(file, index=False)
    (folder / "scale.md").write_text(markdown(pd.read_csv(file, dtype=str, keep_default_na=False)), encoding="utf-8")


def markdown(table) -> str:
    """The table for people, with the machine that it was measured on."""
    memory = psutil.virtual_memory().total / 2**30
    lines = [
        "# What a kernel, a server and a sweep take",
        "",
        f"{report.machine()}, {math.ceil(memory)} GiB.",
        "",
        NOTE,
    ]
    for part, rows in table.groupby("part", sort=False):
        heads = [name for name in HEADS if name != "part"]
        cells = [[name.replace("_", " ") for name in map(str, row)] for row in rows[heads].to_numpy()]
        aligned = [":---"] * 4 + ["---:"] * (len(heads) - 4)
        lines += ["", f"## {part.capitalize()}", "", *(f"| {' | '.join(each)} |" for each in (heads, aligned, *cells))]
    return "\n".join([*lines, ""])


PARTS: dict[str, Callable[[Notes, int], None]] = {
    "idle": idle,
    "server": server,
    "lessons": lessons,
    "plain": plain,
    "disk": disk,
    "sweeps": sweeps,
}


def main(words: Sequence[str] | None = None) -> None:
    """Measure all parts, or those that are named, and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", action="append", choices=list(PARTS), help="this part only; may be given again")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured (default 3)")
    wanted = parser.parse_args(words)
    if wanted.rounds < 1:
        parser.error(f"--rounds: expected 1 or more, got {wanted.rounds}")
    os.environ["TQDM_DISABLE"] = "1"  # no bars among the lines
    print(report.machine())
    for name in wanted.only or PARTS:
        notes = Notes()
        try:
            PARTS[name](notes, wanted.rounds)
        finally:  # what was measured before an error or Ctrl-C is kept
            save(notes, RESULTS)
    print(f"\nwritten to {RESULTS}: scale.csv, scale.md")


if __name__ == "__main__":
    sys.exit(main())
