"""One contained process over its whole life, in bubblewrap and plain: its calls, its limits and its end."""

from __future__ import annotations

import os
import subprocess
import sys

import psutil
import pytest
from answerer import CHANNEL, HERE, LIBC, SECONDS, answer, started

from coincourse.outside import answering, contained
from coincourse.outside.contained import Contained, NoAnswer, Reason

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of Unix")
BOTH = pytest.mark.parametrize(
    "plain", [True, pytest.param(False, marks=pytest.mark.contained)], ids=["plain", "bubblewrap"], indirect=True
)
PLAIN = pytest.mark.parametrize("plain", [True], indirect=True)


@pytest.fixture
def plain(request, monkeypatch):
    """Without bubblewrap, or with it."""
    monkeypatch.setattr(contained, "why_plain", lambda: "it is not wanted" if request.param else "")


# --- calls ----------------------------------------------------------------------------------------------


@BOTH
def test_what_never_ends_is_late(plain):
    with started() as process:
        process.put("run", "while True: pass")
        with pytest.raises(NoAnswer, match=r"no answer after 0\.5 s") as raised:
            process.get(0.5)
    assert raised.value.reason is Reason.LATE


@BOTH
def test_a_call_that_nobody_takes_is_late(plain):
    with started() as process:
        process.put("run", "time.sleep(999)")
        process.put("run", "#" * 10**6)  # more than fits into a pipe
        with pytest.raises(NoAnswer, match=r"no answer after 0\.5 s"):
            process.get(0.5)


@BOTH
@pytest.mark.parametrize("line", ["b'[1, 2]'", "b'9' * 300_000", "b'[' * 4000", "bytes(range(256))"])
def test_an_answer_to_no_call_is_interference(plain, line):
    with started() as process, pytest.raises(NoAnswer, match="it interfered with its connection") as raised:
        answer(process, f"{CHANNEL}.write({line} + b'\\n')")
    assert raised.value.reason is Reason.INTERFERED


@PLAIN
def test_a_process_that_lives_may_close_its_connection(plain, monkeypatch):
    """In bubblewrap the connection stays open, and there the answer is late."""
    monkeypatch.setattr(contained, "ENDING", 0.1)
    with started() as process, pytest.raises(NoAnswer, match="it closed its connection") as raised:
        answer(process, f"{CHANNEL}.close(); time.sleep(999)")
    assert raised.value.reason is Reason.CLOSED


@BOTH
def test_a_fork_of_it_answers_nothing(plain):
    ends = "pid = os.fork(); answer = pid and os.waitpid(pid, 0)[1]"  # the fork would have answered, but ends instead
    with started() as process:
        assert answer(process, ends) == 0
        assert answer(process, "answer = 2") == 2


# --- its start ------------------------------------------------------------------------------------------


@BOTH
def test_a_process_that_cannot_start_says_so(plain, monkeypatch):
    monkeypatch.setattr(contained, "ENDING", SECONDS)
    process = Contained("no_such_module")
    with pytest.raises(NoAnswer, match=r"its process could not be started: its process ended \(status 1\)") as raised:
        process.wait_until_ready(SECONDS)
    process.stop()
    assert raised.value.reason is Reason.COULD_NOT_START


@PLAIN
@pytest.mark.parametrize(
    ("refused", "error"),
    [
        ("Lines", RuntimeError("can't start new thread")),
        ("tempfile.TemporaryDirectory", OSError(28, "No space left on device")),
    ],
)
def test_what_the_system_does_not_allow_is_said(plain, monkeypatch, refused, error):
    def refuse(*_, **__):
        raise error

    before = psutil.Process().children()
    monkeypatch.setattr(f"coincourse.outside.contained.{refused}", refuse)
    with pytest.raises(NoAnswer, match=f"its process could not be started: {error.args[-1]}"):
        Contained("answerer")
    assert psutil.Process().children() == before


TRAIN = "from coinlib import *; train(Hats(sticks(5), seed=1), RandomAgent(seed=1), games=100); "
KEPT = "sorted(map(str, Path(os.environ['NUMBA_CACHE_DIR']).rglob('*.nb?')))"


def test_it_has_a_copy_of_the_compiled_loops():
    pytest.importorskip("numba")
    subprocess.run([sys.executable, "-c", TRAIN], check=True, capture_output=True)
    take = f"answering.take_compiled_loops(*{answering.compiled_loops()}); "
    with started() as process:
        before = answer(process, f"{take}answer = {KEPT}")
        assert before
        assert answer(process, f"{TRAIN}answer = {KEPT}") == before


# --- its end --------------------------------------------------------------------------------------------

STARTS_ONE = """
import sys, time
from answerer import started
from coincourse.outside import answering, contained
contained.why_plain = lambda: WHY
with started() as process:
    process.put("run", "while True: pass")
    print("busy", flush=True)
    time.sleep(999)
"""


@BOTH
def test_it_ends_with_the_process_that_started_it(plain):
    code = STARTS_ONE.replace("WHY", repr(contained.why_plain()))
    settings = os.environ | {"PYTHONPATH": os.pathsep.join([str(HERE), *filter(None, sys.path)])}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=settings) as process:
        assert process.stdout.readline() == b"busy\n"
        children = psutil.Process(process.pid).children(recursive=True)
        process.kill()
    assert children
    assert psutil.wait_procs(children, timeout=SECONDS)[1] == []


@BOTH
def test_whatever_it_starts_ends_with_it(plain):
    name = f"stray{os.getpid()}"
    fork = LIBC + f"libc.prctl(15, b'{name}', 0, 0, 0); pid = libc.fork(); pid or (libc.setsid(), time.sleep(999))"
    with started() as process:
        answer(process, fork)
        strays = [each for each in psutil.process_iter(["name"]) if each.info["name"] == name[:15]]
        assert len(strays) == 2  # with itself
    assert psutil.wait_procs(strays, timeout=SECONDS)[1] == []


# --- systemd --------------------------------------------------------------------------------------------

# The command writes down its arguments, and runs what comes after "--".
SYSTEMD = """#!/bin/sh
echo "$@" >> {calls}
for word in "$@"; do shift; [ "$word" = -- ] && break; done
case "$*" in sh*) echo {found};; *) exec "$@";; esac
"""


@pytest.fixture
def systemd(tmp_path, monkeypatch, request):
    """A systemd-run that only records what it is asked for, and that finds this limit."""
    (tmp_path / "systemd-run").write_text(SYSTEMD.format(calls=tmp_path / "calls", found=request.param))
    (tmp_path / "systemd-run").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1")
    contained.limits_all.cache_clear()
    yield tmp_path / "calls"
    contained.limits_all.cache_clear()


@BOTH
@pytest.mark.parametrize("systemd", [2**26], indirect=True)
def test_systemd_limits_the_memory_of_all_that_it_starts(systemd, plain):
    with started(gigabytes=1.5) as process:
        in_bus = answer(process, "answer = 'XDG_RUNTIME_DIR' in os.environ")
    asked = systemd.read_text().splitlines()[1]
    assert asked.startswith(f"--user --scope --quiet --collect -p MemoryMax={2**31} -p MemorySwapMax=0 -p TasksMax=")
    assert contained.memory_limits() == "Memory is limited for each of them together with its children."
    assert in_bus is bool(contained.why_plain())


@pytest.mark.parametrize("systemd", ["max"], indirect=True)
def test_a_limit_that_systemd_does_not_keep_is_none(systemd):
    assert contained.scope(1.0) == []
    assert [call.split()[0] for call in systemd.read_text().splitlines()] == ["--user", "--system"]
    assert "one that starts several can use more" in contained.memory_limits()
