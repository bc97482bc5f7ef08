"""What a contained process can see and change, and what it is refused, in bubblewrap and plain."""

from __future__ import annotations

import errno
import os
import platform
import socket
import sys
from pathlib import Path

import pytest
from answerer import LIBC, SECONDS, answer, started

from coincourse.outside import contained, system_calls
from coincourse.outside.contained import NoAnswer, Reason

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of Unix")
BOTH = pytest.mark.parametrize(
    "plain", [True, pytest.param(False, marks=pytest.mark.contained)], ids=["plain", "bubblewrap"], indirect=True
)


@pytest.fixture
def plain(request, monkeypatch):
    """Without bubblewrap, or with it."""
    monkeypatch.setattr(contained, "why_plain", lambda: "it is not wanted" if request.param else "")


@BOTH
def test_it_has_its_own_folder_and_its_own_memory(plain):
    source = "Path('kept.txt').write_text('mine'); answer = [os.getcwd(), os.environ['HOME'], os.listdir()]"
    with started() as process:
        folder, home, files = answer(process, source)
        assert folder == home
        assert files == ["kept.txt"]
        assert answer(process, "bytearray(10**9)", 0.5) == ["MemoryError", ""]
    assert not os.path.exists(folder)


@BOTH
@pytest.mark.parametrize(
    ("source", "reason", "words"),
    [
        ("os.kill(os.getpid(), 9)", Reason.KILLED, "its process was killed (signal 9)"),
        ("ctypes.string_at(0)", Reason.CRASHED, "its process ended (signal 11)"),
        ("os._exit(3)", Reason.LEFT, "its process ended (status 3)"),
    ],
)
def test_there_is_a_named_reason_why_a_process_has_ended(plain, monkeypatch, source, reason, words):
    monkeypatch.setattr(contained, "ENDING", SECONDS)
    with started() as process, pytest.raises(NoAnswer) as raised:
        answer(process, source)
    assert (raised.value.reason, str(raised.value)) == (reason, words)


@pytest.mark.contained
def test_nothing_of_anybody_else_is_in_view_and_nothing_can_be_changed(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET", "1234")
    folder, other = tmp_path / "entries", tmp_path.parent / "other.txt"
    folder.mkdir()
    other.write_text("not yours")
    (folder / "mine.txt").write_text("mine")
    (folder / "theirs.txt").write_text("theirs")
    with started(folder=folder, hidden=[folder / "theirs.txt"]) as process:
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
def test_there_is_no_network():
    with socket.create_server(("127.0.0.1", 0)) as server, started() as process:
        address = server.getsockname()
        source = f"import socket; socket.create_connection({address!r}, {SECONDS})"
        assert answer(process, source)[0] == "ConnectionRefusedError"


@pytest.mark.contained
def test_no_setting_of_the_system_can_be_written_even_by_root():
    writable = "[path for path in Path('/proc/sys').rglob('*') if path.is_file() and os.access(path, os.W_OK)]"
    with started() as process:
        assert answer(process, f"answer = len({writable})") == 0
        for place in ("/proc/sys/vm/swappiness", "/proc/self/oom_score_adj"):
            assert answer(process, f"open({place!r}, 'w')")[1].startswith("[Errno 30] Read-only file system")
        assert answer(process, LIBC + "answer = libc.mount(b'none', b'/proc', None, 32, None)") == -1
        rights = answer(process, "answer = Path('/proc/self/status').read_text()")
    assert "CapEff:\t0000000000000000\n" in rights and "CapPrm:\t0000000000000000\n" in rights


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
    assert contained.how_contained() == f"in a plain process with limits: {reason}"


# What processes of the same user share besides files and networks
REFUSED = {
    "a key of the user is read": ("libc.syscall(KEYCTL, 0, -3, 1)", errno.EPERM),
    "a key is left behind": ("libc.syscall(ADD_KEY, b'user', b'mine', b'x', 1, -3)", errno.EPERM),
    "the first process is traced": ("libc.ptrace(16, 1, 0, 0)", errno.EPERM),
    "a socket to the host of a virtual machine": ("libc.socket(40, 1, 0)", errno.EAFNOSUPPORT),
    "a file of the course is locked": ("libc.flock(os.open(PLACE, 0), 1)", errno.ENOLCK),
    "its owner waits for a lease": ("libc.fcntl(os.open(PLACE, 0), 1024, 0)", errno.ENOLCK),
}


@pytest.mark.contained
@pytest.mark.skipif(not system_calls.program(), reason="the numbers of this machine's calls are not known")
def test_what_processes_of_a_user_share_is_refused():
    numbers = {"x86_64": (250, 248), "aarch64": (219, 217)}[platform.machine()]
    place = repr(contained.__file__)
    with started() as process:
        for what, (call, error) in REFUSED.items():
            for name, value in zip(("KEYCTL", "ADD_KEY", "PLACE"), (*map(str, numbers), place)):
                call = call.replace(name, value)
            assert answer(process, f"{LIBC}answer = [{call}, ctypes.get_errno()]") == [-1, error], what
        assert answer(process, "open('/proc/keys').read()")[0] == "PermissionError"
        assert answer(process, "import socket; answer = len(socket.socketpair())") == 2
