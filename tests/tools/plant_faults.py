"""Plant faults, one at a time, and see which test notices: ``python tests/tools/plant_faults.py [WORDS ...]``.

`faults.toml` lists the faults as plain data: a file, a text in it, and the wrong text to put there. Each is planted
in a fresh copy of the course, where the tests of its room run up to the first failure: those named like the faulty
file first, then the others of the quick tier, its doctests, and the full tier. A timeout or a crash counts as
noticed. WORDS choose the faults whose room or name contains one of them.

The suite must pass before you start: nothing here runs it without a fault. The exit status is 1 if a fault goes
unnoticed, or is stale because its text does not occur exactly once.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import psutil

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 600  # seconds for one fault
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", "build", "dist", "screenshots", "my-notebooks")
OPTIONS = ["-x", "-q", "--tb=no", "-n", "0", "-p", "no:cacheprovider", "-m", "full or not full"]
UNNOTICED = {0: "NOT NOTICED", 4: "NO SUCH TESTS", 5: "NO TESTS"}  # by pytest's exit status
FAILURE = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)

ROOMS = {  # where to find the tests that must notice a fault in a room: first in the quick tier, then in the full one
    "library": "library full/test_reproducibility.py full/test_two_speeds.py",
    "plots": "plots full/test_all_letters.py",
    "labs": "labs",
    "checks": "checks full/test_whole_bank.py",
    "book": "labs/test_record_lab.py checks full/test_in_page.py",
    "classroom": "classroom full/classroom",
    "outside": "outside full/test_contained.py full/test_tournament.py full/test_envs_api.py",
    "terminal": "terminal full/test_terminals.py",
    "course": "lessons project full/test_faults.py",
}


class Fault(NamedTuple):
    """A fault as `faults.toml` describes it; `old` must occur exactly once in `file`."""

    name: str
    file: str
    old: str
    new: str
    room: str


def read_faults() -> list[Fault]:
    """All faults, in the order of the file."""
    listed = tomllib.loads(Path(__file__).with_name("faults.toml").read_text(encoding="utf-8"))
    return [Fault(**fault) for fault in listed["fault"]]


def why_stale(fault: Fault) -> str:
    """Why a fault cannot be planted; "" if it can."""
    path = ROOT / fault.file
    count = path.read_text(encoding="utf-8").count(fault.old) if path.exists() else 0
    return "" if count == 1 else f"STALE: {fault.old.strip()!r} occurs {count} times in {fault.file}"


def tests_of(fault: Fault) -> list[str]:
    """The tests that may notice a fault, in the order in which they run."""
    quick, full = [], []
    for place in ROOMS[fault.room].split():
        path = ROOT / "tests" / place
        files = sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
        tier = full if place.startswith("full/") else quick
        tier += [file.relative_to(ROOT).as_posix() for file in files if file.name != "test_planted_faults.py"]
    quick.sort(key=lambda file: Path(fault.file).stem not in file)
    doctests = [fault.file] if fault.file.endswith(".py") else []
    return [*quick, *doctests, *full]


def notice(fault: Fault) -> tuple[bool, str, float]:
    """Whether a fault is noticed, by which test (or why not), and how many seconds this took."""
    began = time.monotonic()
    if stale := why_stale(fault):
        return False, stale, 0.0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        copy = Path(folder, "course")
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        text = (copy / fault.file).read_text(encoding="utf-8")
        (copy / fault.file).write_text(text.replace(fault.old, fault.new), encoding="utf-8")
        status, output = run_pytest(copy, tests_of(fault))
    failed = FAILURE.search(output)
    by = failed[1] if failed else UNNOTICED.get(status, f"crash with status {status}")
    return status not in UNNOTICED, by, time.monotonic() - began


def run_pytest(copy: Path, tests: list[str]) -> tuple[int, str]:
    """Pytest's status and output in a copy, which comes before the installed course on every path."""
    command = [sys.executable, "-m", "pytest", *OPTIONS, *tests]
    settings = {"cwd": copy, "env": os.environ | {"PYTHONPATH": str(copy)}}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **settings) as run:
        try:
            output, _ = run.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            for process in [*psutil.Process(run.pid).children(recursive=True), run]:
                process.kill()
            return 1, f"FAILED timeout after {TIMEOUT} s"
    return run.returncode, output.decode(errors="replace")


def main() -> int:
    """Plant the faults that are asked for, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("words", nargs="*", default=[""], help="only faults whose room or name contains one of these")
    parser.add_argument("--jobs", type=int, default=2, help="how many faults are tried at once")
    typed = parser.parse_args()
    faults = [fault for fault in read_faults() if any(word in f"{fault.room}: {fault.name}" for word in typed.words)]
    survivors = 0
    print("| room | fault | noticed by | seconds |\n|---|---|---|---:|")
    with ThreadPoolExecutor(typed.jobs) as pool:
        for fault, (noticed, by, seconds) in zip(faults, pool.map(notice, faults), strict=True):
            survivors += not noticed
            print(f"| {fault.room} | {fault.name} | {by} | {seconds:.0f} |", flush=True)
    print(f"{len(faults)} faults, {survivors} not noticed or stale")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
