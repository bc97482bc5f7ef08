"""One contained process, in bubblewrap and plain: its own folder, its limits, and calls over a connection."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from coincourse.outside import contained
from coincourse.outside.contained import Contained, NoAnswer, Reason

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of Unix")
SECONDS = 60.0
BOTH = pytest.mark.parametrize(
    "plain", [True, pytest.param(False, marks=pytest.mark.contained)], ids=["plain", "bubblewrap"], indirect=True
)
LIBC = "libc = ctypes.CDLL(None, use_errno=True); "
ANSWERER = """
import ctypes, gc, io, os, signal, sys, time
from pathlib import Path
from coincourse.outside import contained

class Answerer:
    def run(self, source, gigabytes=None):
        if gigabytes:
            contained.limit(gigabytes)
        try:
            exec(source, names := dict(globals()))
            return ["done", names.get("answer")]
        except BaseException as error:
            return ["raised", type(error).__name__, str(error)]

if __name__ == "__main__":
    contained.answer_calls(Answerer())
"""


@pytest.fixture
def plain(request, monkeypatch):
    """Without bubblewrap, or with it."""
    monkeypatch.setattr(contained, "why_plain", lambda: "it is not wanted" if request.param else "")


@pytest.fixture
def started(tmp_path, monkeypatch):
    """Starts a process that runs what it is told."""
    (tmp_path / "answerer.py").write_text(ANSWERER)
    monkeypatch.syspath_prepend(tmp_path)
    processes = []

    def start(**how) -> Contained:
        processes.append(Contained("answerer", readable=[tmp_path], **how))
        processes[-1].wait_until_ready(SECONDS)
        return processes[-1]

    yield start
    for process in processes:
        process.stop()


def answer(process: Contained, source: str, *gigabytes) -> object:
    process.put("run", source, *gigabytes)
    outcome, *found = process.get(SECONDS)
    return found[0] if outcome == "done" else found


@BOTH
def test_it_has_a_folder_of_its_own_which_goes_with_it(started, plain):
    process = started()
    source = "Path('kept.txt').write_text('mine'); answer = [os.getcwd(), os.environ['HOME'], os.listdir()]"
    folder, home, files = answer(process, source)
    assert folder == home
    assert files == ["kept.txt"]
    process.stop()
    assert not os.path.exists(folder)


@BOTH
def test_it_has_only_so_much_memory(started, plain):
    assert answer(started(), "bytearray(10**9)", 0.5) == ["MemoryError", ""]


CHANNEL = (
    "next(each for each in gc.get_objects() if isinstance(each, io.FileIO) and each.fileno() > 2 and each.writable())"
)


@BOTH
@pytest.mark.parametrize(
    ("source", "reason", "words"),
    [
        ("while True: pass", Reason.LATE, "no answer after 2 s"),
        ("os.kill(os.getpid(), 9)", Reason.KILLED, "its process was killed (signal 9)"),
        ("ctypes.string_at(0)", Reason.CRASHED, "its process ended (signal 11)"),
        ("os._exit(3)", Reason.LEFT, "its process ended (status 3)"),
        (f"{CHANNEL}.write(b'[1, 2]\\n')", Reason.INTERFERED, "it interfered with its connection"),
    ],
)
def test_there_is_a_named_reason_where_no_answer_comes(started, plain, source, reason, words):
    process = started()
    process.put("run", source)
    with pytest.raises(NoAnswer) as raised:
        process.get(2.0 if reason is Reason.LATE else SECONDS)
    assert (raised.value.reason, str(raised.value)) == (reason, words)


@BOTH
def test_a_call_that_nobody_takes_is_late(started, plain):
    process = started()
    process.put("run", "time.sleep(99)")
    process.put("run", "#" * 10**6)  # more than fits into a pipe
    with pytest.raises(NoAnswer, match=r"no answer after 0\.5 s"):
        process.get(0.5)


@pytest.mark.parametrize("plain", [True], indirect=True)
@pytest.mark.parametrize(
    ("refused", "error"),
    [
        ("threading.Thread.start", RuntimeError("can't start new thread")),
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


@pytest.mark.parametrize("plain", [True], indirect=True)
def test_a_process_that_lives_may_close_its_connection(started, plain):
    """In bubblewrap the connection stays open, and there the answer is late."""
    with pytest.raises(NoAnswer, match="it closed its connection") as raised:
        answer(started(), f"{CHANNEL}.close(); time.sleep(99)")
    assert raised.value.reason is Reason.CLOSED


@BOTH
def test_a_process_that_cannot_start_says_so(plain):
    process = Contained("no_such_module")
    with pytest.raises(NoAnswer, match=r"its process could not be started: its process ended \(status 1\)") as raised:
        process.wait_until_ready(SECONDS)
    process.stop()
    assert raised.value.reason is Reason.COULD_NOT_START


@BOTH
@pytest.mark.parametrize("line", ["b'[1, 2]'", "b'9' * 300_000", "b'[' * 4000", "bytes(range(256))"])
def test_an_answer_to_no_call_is_interference(started, plain, line):
    with pytest.raises(NoAnswer) as raised:
        answer(started(), f"{CHANNEL}.write({line} + b'\\n')")
    assert raised.value.reason is Reason.INTERFERED


@BOTH
def test_a_fork_of_it_answers_nothing(started, plain):
    process = started()
    assert answer(process, "answer = os.fork() and 1") == 1
    assert answer(process, "time.sleep(0.3); answer = 2") == 2


@BOTH
def test_it_ends_with_who_started_it(plain, tmp_path):
    (tmp_path / "answerer.py").write_text(ANSWERER)
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[1]); from coincourse.outside import contained\n"
        f"contained.why_plain = lambda: {contained.why_plain()!r}\n"
        "process = contained.Contained('answerer', readable=sys.argv[1:]); process.get(60)\n"
        "process.put('run', 'while True: pass'); print('busy', flush=True); time.sleep(99)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"busy\n"
        children = psutil.Process(process.pid).children(recursive=True)
        process.kill()
    assert children
    assert psutil.wait_procs(children, timeout=20)[1] == []


def test_it_has_a_copy_of_the_compiled_loops(started):
    pytest.importorskip("numba")
    train = "from coinlib import *; train(Hats(sticks(5), seed=1), RandomAgent(seed=1), games=100); "
    subprocess.run([sys.executable, "-c", train], check=True, capture_output=True)
    kept = "sorted(map(str, Path(os.environ['NUMBA_CACHE_DIR']).rglob('*.nb?')))"
    code = f"contained.take_compiled_loops(*{contained.compiled_loops()}); before = {kept}; {train}answer = {kept} == before, len(before)"
    same, files = answer(started(), code)
    assert same and files > 0


# --- behind walls ---------------------------------------------------------------------------------------


@pytest.mark.contained
def test_nothing_of_anybody_else_is_in_view_and_nothing_can_be_changed(started, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET", "1234")
    folder, other = tmp_path / "entries", tmp_path.parent / "other.txt"
    folder.mkdir()
    other.write_text("not yours")
    (folder / "mine.txt").write_text("mine")
    (folder / "theirs.txt").write_text("theirs")
    process = started(folder=folder, hidden=[folder / "theirs.txt"])
    assert answer(process, "answer = Path('mine.txt').read_text()") == "mine"
    assert answer(process, "Path('theirs.txt').read_text()")[0] == "PermissionError"
    assert answer(process, f"open({str(other)!r})")[0] == "FileNotFoundError"
    assert answer(process, f"answer = os.path.exists({str(Path.home() / '.ssh')!r})") is False
    for place in (str(folder), "/", sys.prefix, os.path.dirname(contained.__file__), "/usr"):
        assert answer(process, f"open({place!r} + '/new', 'w')") == [
            "OSError",
            f"[Errno 30] Read-only file system: '{place}/new'",
        ]
    assert answer(process, "answer = 'SECRET' in str(os.environ)") is False
    assert answer(process, "answer = len([name for name in os.listdir('/proc') if name.isdecimal()])") <= 3
    source = LIBC + "answer = [libc.mount(b'none', b'/usr', b'tmpfs', 0, None), libc.unshare(0x10000000)]"
    assert answer(process, source) == [-1, -1]


@pytest.mark.contained
def test_no_setting_of_the_system_can_be_written_even_by_root(started):
    process = started()
    writable = "[path for path in Path('/proc/sys').rglob('*') if path.is_file() and os.access(path, os.W_OK)]"
    assert answer(process, f"answer = len({writable})") == 0
    for place in ("/proc/sys/vm/swappiness", "/proc/self/oom_score_adj"):
        assert answer(process, f"open({place!r}, 'w')")[1].startswith("[Errno 30] Read-only file system")
    assert answer(process, LIBC + "answer = libc.mount(b'none', b'/proc', None, 32, None)") == -1


# The commands write what they were called with, and run what stands behind "--".
SYSTEMD = """#!/bin/sh
echo "$@" >> {calls}
for word in "$@"; do shift; [ "$word" = -- ] && break; done
case "$*" in sh*) echo {found};; *) exec "$@";; esac
"""


@pytest.fixture
def systemd(tmp_path, monkeypatch, request):
    """A systemd-run that only notes what it is asked for, and that finds this limit."""
    (tmp_path / "systemd-run").write_text(SYSTEMD.format(calls=tmp_path / "calls", found=request.param))
    (tmp_path / "systemd-run").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1")
    contained.limits_all.cache_clear()
    yield tmp_path / "calls"
    contained.limits_all.cache_clear()


@BOTH
@pytest.mark.parametrize("systemd", [2**26], indirect=True)
def test_systemd_limits_the_memory_of_all_that_it_starts(systemd, started, plain):
    process = started(gigabytes=1.5)
    asked = systemd.read_text().splitlines()[1]
    assert asked.startswith(f"--user --scope --quiet --collect -p MemoryMax={2**31} -p MemorySwapMax=0 -p TasksMax=")
    assert contained.memory_in_words() == "Memory is limited for each of them, with all that it starts."
    if not contained.why_plain():
        assert answer(process, "answer = 'XDG_RUNTIME_DIR' in os.environ") is False


@pytest.mark.parametrize("systemd", ["max"], indirect=True)
def test_a_limit_that_systemd_does_not_keep_is_none(systemd):
    assert contained.scope(1.0) == []
    assert [call.split()[0] for call in systemd.read_text().splitlines()] == ["--user", "--system"]
    assert "one that starts several can hold more" in contained.memory_in_words()


@BOTH
def test_whatever_it_starts_ends_with_it(started, plain):
    process = started()
    name = f"stray{os.getpid()}"
    fork = LIBC + f"libc.prctl(15, b'{name}', 0, 0, 0); pid = libc.fork(); pid or (libc.setsid(), time.sleep(999))"
    answer(process, fork)
    strays = [each for each in psutil.process_iter(["name"]) if each.info["name"] == name[:15]]
    assert len(strays) == 2  # with itself
    process.stop()
    assert psutil.wait_procs(strays, timeout=20)[1] == []


# --- where it does not work -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (None, "bubblewrap is not installed"),
        ("#!/bin/sh\necho 'bwrap: not allowed' >&2; exit 1\n", "bubblewrap does not work here (bwrap: not allowed)"),
    ],
    ids=["not there", "refused"],
)
def test_without_bubblewrap_the_reason_is_kept(program, reason, tmp_path, monkeypatch, request):
    request.addfinalizer(contained.why_plain.cache_clear)
    contained.why_plain.cache_clear()
    if program:
        (tmp_path / "bwrap").write_text(program)
        (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert contained.why_plain() == reason
    assert contained.in_words() == f"in a plain process with limits: {reason}"
