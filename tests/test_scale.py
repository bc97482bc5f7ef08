"""What a kernel, a server and a sweep take: the ways to measure it see what is there."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks import scale

HOLDS = "import time; held = bytearray(80_000_000); print('ready', flush=True); time.sleep(60)"
STARTS_ONE = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {HOLDS!r}])"


@pytest.fixture
def started():
    """Starts a program that says when it is ready, and ends it after the test."""
    running = []

    def start(program: str) -> subprocess.Popen:
        process = subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        running.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    yield start
    for process in running:
        for child in scale.psutil.Process(process.pid).children(recursive=True):
            child.kill()
        process.kill()
        process.communicate()


def test_the_memory_of_a_program_is_seen_and_that_of_its_child_is_told_apart(started):
    alone, parent = (scale.Watch(started(program).pid) for program in (HOLDS, STARTS_ONE))
    for watch in (alone, parent):
        watch.stop()
    assert 80e6 < alone.peak == alone.peak_with_children < 160e6
    assert parent.peak < 80e6 < 80e6 + parent.peak < parent.peak_with_children
    assert scale.own(alone.process.pid) > 80e6


def test_what_was_held_and_given_back_is_in_the_peak(started):
    """Between two looks as well, where the system remembers it."""
    process = started("held = bytearray(80_000_000); del held; print('ready', flush=True); input()")
    if not scale.highest(process.pid):
        pytest.skip("this system does not tell the peak")
    watch = scale.Watch(process.pid)
    now = watch.process.memory_info().rss
    watch.stop()
    assert now < 80e6 < watch.peak


def test_processor_time_counts_work_and_not_waiting(started):
    process = started("print('ready', flush=True); input(); sum(range(10_000_000)); print('done', flush=True); input()")
    watch = scale.Watch(process.pid)
    before = watch.seconds
    time.sleep(0.3)
    watch.look()
    waited = watch.seconds - before
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.stdout.readline() == "done\n"
    watch.stop()
    assert waited < 0.05 < watch.seconds - before


def test_a_lesson_is_run_from_the_top_in_a_kernel_of_its_own(tmp_path):
    lesson = tmp_path / "42_small.ipynb"
    cells = ["held = bytearray(120_000_000)", "del held", "assert 'held' not in dir()"]
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells]), lesson)
    notes = scale.Notes()
    scale.run_lesson(notes, lesson, "first")
    found = {row["measure"]: float(row["median"]) for row in notes.rows()}
    assert {(row["part"], row["case"], row["run"]) for row in notes.rows()} == {("lesson", "42", "first")}
    assert found["peak"] > 120 > found["own_at_the_end"] > 10
    assert found["processor"] > 0 < found["wall"]


def test_what_the_course_needs_is_found_with_its_size():
    packages = scale.needed("coinlib")
    assert {"numpy", "jupyterlab", "llvmlite", "jupyter-server"} <= packages
    assert not {"pytest", "sphinx", "gymnasium"} & packages
    assert scale.installed_size("numpy") > 10e6


def test_a_row_holds_the_median_and_the_spread():
    notes = scale.Notes()
    for seconds, load in ((3.0, 0.5), (1.0, 0.7), (8.0, 4.0)):
        notes.add("lesson", "04", "first", load, wall=(seconds, "s"))
    (row,) = notes.rows()
    assert [row[name] for name in scale.HEADS] == [
        *("lesson", "04", "first", "wall", "s"),
        *("3", "1", "8", 3, "0.7"),
    ]


def test_parts_that_were_not_measured_again_are_kept(tmp_path):
    old, new = scale.Notes(), scale.Notes()
    for case, wall in (("00", 1.0), ("04", 2.0)):
        old.add("lesson", case, "first", 0.1, wall=(wall, "s"))
    scale.save(old, tmp_path)
    new.add("lesson", "04", "first", 0.1, wall=(5.0, "s"))
    scale.save(new, tmp_path)
    table = pd.read_csv(tmp_path / "scale.csv", dtype=str, keep_default_na=False)
    assert table[["case", "median"]].to_numpy().tolist() == [["00", "1"], ["04", "5"]]
    text = (tmp_path / "scale.md").read_text(encoding="utf-8")
    assert "| 04 | first | wall | s | 5 | 5 | 5 | 1 | 0.1 |" in text and "## Lesson" in text


def test_a_sweep_is_timed_and_a_failure_is_not_taken_for_a_fast_run(monkeypatch):
    assert scale.timed_sweep(games=10, seeds=2, jobs=1).wall > 0

    def fails(seed, games):
        raise ValueError("no")

    monkeypatch.setattr(scale, "learn", fails)
    with pytest.warns(UserWarning, match="ValueError: no"), pytest.raises(RuntimeError, match="ValueError: no"):
        scale.timed_sweep(games=10, seeds=2, jobs=1)


def test_a_sweep_on_workers_is_compared_with_one_process(monkeypatch):
    monkeypatch.setattr(scale, "SIZES", {"small runs": (20_000, 40)})
    monkeypatch.setattr(scale, "PLACES", {"processes": scale.processes})
    notes = scale.Notes()
    scale.sweeps(notes, rounds=1, workers=(1,))
    found = {(row["case"], row["run"], row["measure"]): float(row["median"]) for row in notes.rows()}
    alone = found["small runs, in this process", "", "wall"]
    for run in ("first", "again"):
        speed_up = found["small runs, processes, 1", run, "speed_up"]
        assert speed_up == pytest.approx(alone / found["small runs, processes, 1", run, "wall"], rel=0.01)
        assert found["small runs, processes, 1", run, "efficiency"] == pytest.approx(100 * speed_up, rel=0.01)


def test_the_stored_table_names_every_lesson_and_way():
    table = pd.read_csv(scale.RESULTS / "scale.csv", dtype=str, keep_default_na=False)
    assert list(table.columns) == list(scale.HEADS)
    lessons = table[table["part"] == "lesson"]
    for run in ("first", "again"):
        assert set(lessons.loc[lessons["run"] == run, "case"]) == {
            path.name[:2] for path in scale.LESSONS.glob("*.ipynb")
        }
    cases = " ".join(table.loc[table["part"] == "sweep", "case"])
    assert all(f"{place}, {count}" in cases for place in scale.PLACES for count in (1, 2, 4))
