"""What a contained process may not ask of the kernel: a filter of system calls, which bubblewrap puts on it.

Walls of files and networks do not cover everything that processes of one user share. The kernel keeps keys for the
user, lets one process trace another, even the first of its cage, and lets a reader lock a file that others write. A
socket to the host of a virtual machine passes a closed network. These calls are refused, and others that would get
round that.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Machine(NamedTuple):
    """The numbers by which the kernel of one kind of machine knows its calls."""

    architecture: int
    refused: tuple[int, ...]
    flock: int
    fcntl: int
    socket: int


# add_key, request_key, keyctl; ptrace, process_vm_readv, process_vm_writev; pidfd_getfd; io_uring_setup, which could
# ask for the others
MACHINES = {
    "x86_64": Machine(0xC000003E, (248, 249, 250, 101, 310, 311, 438, 425), flock=73, fcntl=72, socket=41),
    "aarch64": Machine(0xC00000B7, (217, 218, 219, 117, 270, 271, 438, 425), flock=32, fcntl=25, socket=198),
}
OTHER_NUMBERS = 0x40000000  # from here on x86_64 has other numbers for the same calls
LOCKS = (6, 7, 37, 38, 1024)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE
FAMILIES = (1, 2, 10, 16)  # Unix, IPv4, IPv6 and the kernel's own: what the walls of the network are for

# The kernel's small machine for filters: instructions, and where it finds what was called
LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24
ALLOW, REFUSE = 0x7FFF0000, 0x00050000


def program() -> bytes:
    """Return the filter for this machine as the kernel reads it; b"" for a machine whose numbers are not known."""
    machine = MACHINES.get(platform.machine())
    if machine is None:
        return b""
    lines = [
        _line(LOAD, ARCHITECTURE),
        _line(IF_EQUAL, machine.architecture, then=1),
        _refuse(errno.ENOSYS),
        _line(LOAD, NUMBER),
        _line(IF_AT_LEAST, OTHER_NUMBERS, otherwise=1),
        _refuse(errno.ENOSYS),
        *_each(machine.refused, _refuse(errno.EPERM)),
        *_each([machine.flock], _refuse(errno.ENOLCK)),
        *_for_call(machine.fcntl, [_line(LOAD, SECOND), *_each(LOCKS, _refuse(errno.ENOLCK))]),
        *_for_call(
            machine.socket,
            [_line(LOAD, FIRST), *_each(FAMILIES, _line(RETURN, ALLOW)), _refuse(errno.EAFNOSUPPORT)],
        ),
        _line(RETURN, ALLOW),
    ]
    return b"".join(lines)


def _line(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    """An instruction; a comparison skips `then` lines if it holds, and `otherwise` if not."""
    return struct.pack("=HBBI", code, then, otherwise, value)


def _refuse(error: int) -> bytes:
    return _line(RETURN, REFUSE | error)


def _each(values: Iterable[int], answer: bytes) -> Iterator[bytes]:
    """Give an answer if what was loaded is one of these values."""
    for value in values:
        yield _line(IF_EQUAL, value, otherwise=1)
        yield answer


def _for_call(number: int, lines: list[bytes]) -> list[bytes]:
    """Go through some lines for one call, and then allow it."""
    block = [*lines, _line(RETURN, ALLOW)]
    return [_line(IF_EQUAL, number, otherwise=len(block)), *block]
