"""Labs that run: in short chunks, until the end, Stop, Ctrl-C, another setting or a failure."""

import asyncio
import signal
import threading
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from lab_words import buttons

from coincourse.labs import Lab
from coincourse.labs.base import running
from coincourse.labs.base.controls import seed
from coinlib import Hats, sticks, train

SECONDS_A_STEP = 0.03


class Clock:
    """A clock that advances with the work done, and a little whenever it is read."""

    now = 0.0

    def perf_counter(self):
        self.now += 0.001
        return self.now


class Practised(Hats):
    """Hats that practise with themselves."""

    notice = ""
    clock = SimpleNamespace(now=0.0)
    steps = property(lambda self: self.games)
    left = property(lambda self: 400 - self.games)

    def step(self, steps):
        train(self, self, games=steps, first="alternate")
        self.clock.now += steps * SECONDS_A_STEP


class Practice(Lab):
    seed = seed()
    PAST: ClassVar = {"steps": 0}
    pause = 0.003

    @staticmethod
    def compute(seed, steps):
        state = Practised(sticks(6), seed=seed)
        if steps:
            state.step(steps)
        return state

    @staticmethod
    def draw(data, steps, seed):
        return f"{steps} steps: {data.contents(6)} {data.notice}"


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """No test depends on how fast the machine is."""
    clock = Clock()
    monkeypatch.setattr(running, "time", clock)
    monkeypatch.setattr(Practised, "clock", clock)


def run(lab, meanwhile):
    """Press "Run", do something while it runs, and wait for the end; return the games at each picture."""
    games = []
    lab.observe(lambda change: games.append(lab.data.games), "page")

    async def press():
        lab.press("Run")
        await meanwhile(games)
        await asyncio.wrap_future(lab._task)

    asyncio.run(press())
    return games


async def some_games(games):
    """Wait for more than 20 games: a run only reacts when it pauses."""
    while not games or games[-1] <= 20:
        await asyncio.sleep(0)


def test_one_step_at_a_time_and_start_again():
    lab = Practice()
    assert "0 steps: [1, 2, 3]" in lab.page
    for _ in range(30):
        lab.press("One step")
    assert repr(lab) == "Practice(seed=1, steps=30)"
    assert eval(repr(lab)).page == lab.page  # handed on in the middle of its work
    lab.press("Start again")
    assert "0 steps: [1, 2, 3]" in lab.page


def test_without_a_notebook_run_goes_to_the_end():
    lab = Practice()
    lab.run()
    assert (lab.data.games, lab.running) == (400, False)
    assert "400 steps" in lab.page
    lab.one_step()
    assert lab.data.games == 400


def test_a_run_hears_the_stop_button_between_short_chunks():
    lab = Practice()

    async def stop(games):
        await some_games(games)
        before = lab.data.games
        lab.one_step()  # not while it runs
        assert lab.data.games == before
        assert not buttons(lab)["One step"] and "Run" not in buttons(lab)
        lab.hear({"press": "Stop", "fields": {}})

    games = run(lab, stop)
    chunks = np.diff([0, *games])
    assert 0 < chunks[chunks > 0].max() * SECONDS_A_STEP < 0.2
    assert games[:3] == [1, 3, 6] and 20 < lab.data.games < 40
    assert "Run" in buttons(lab)


def test_stop_before_the_work_could_begin():
    lab = Practice()

    async def stop(games):
        lab.press("Stop")

    run(lab, stop)
    assert lab.data.games == 0 and "Run" in buttons(lab)
    assert (lab.advance(5), lab.data.games) == (0, 0)  # nor if a chunk has had to wait in between


def test_a_changed_setting_in_another_thread_ends_the_run_and_begins_again():
    lab = Practice()

    async def change(games):
        await some_games(games)
        await asyncio.to_thread(setattr, lab, "seed", 2)

    run(lab, change)
    assert (lab.data.games, lab.settings["seed"]) == (0, 2)  # and never meets half a chunk


def test_ctrl_c_ends_a_run_and_keeps_what_was_done(monkeypatch):
    def step(self, steps):
        train(self, self, games=steps)
        if self.games > 20:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Practised, "step", step)
    before, lab = signal.getsignal(signal.SIGINT), Practice()
    lab.run()
    assert 20 < lab.data.games < 400
    assert signal.getsignal(signal.SIGINT) is before


def test_a_step_that_fails_is_said_and_ends_the_run(monkeypatch):
    lab = Practice()
    monkeypatch.setattr(Practised, "step", lambda self, steps: 1 // 0)
    lab.run()
    assert "ZeroDivisionError: integer division" in lab.page and not lab.running
    lab.start_again()
    assert "0 steps" in lab.page
    monkeypatch.setattr(Practised, "step", lambda self, steps: int("no hat"))
    lab.press("One step")
    assert lab.page == "0 steps: [1, 2, 3] invalid literal for int() with base 10: 'no hat'"


def test_a_run_says_that_it_waits_for_a_cell_to_end(monkeypatch):
    busy = asyncio.new_event_loop()
    monkeypatch.setattr(running, "main_loop", lambda: busy)
    monkeypatch.setattr(running, "LATE_SECONDS", 0.01)
    lab = Practice()
    subshell = threading.Thread(target=lab.press, args=("Run",))  # as JupyterLab handles buttons
    subshell.start()
    subshell.join()
    assert "waits for what you type" in lab.frame and lab.data.games == 0
    lab.press("Stop")
    busy.run_until_complete(asyncio.wrap_future(lab._task, loop=busy))
    assert "waits for what you type" not in lab.frame and not lab.running and lab.data.games == 0
    lab.press("Run")
    busy.run_until_complete(asyncio.wrap_future(lab._task, loop=busy))
    assert lab.data.games == 400
    busy.close()
