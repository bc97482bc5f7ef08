"""A filter of system calls, which bubblewrap applies to a contained process.

Closing off files and networks does not cover everything that one user's processes share. The kernel keeps keys for
the user, lets one process trace another, even the first one in its container, and lets a reader lock a file that
others write. A socket to the host of a virtual machine gets through a closed network. The filter refuses these calls
and those that could make them indirectly.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Machine(NamedTuple):
    """The numbers of system calls on one kind of machine."""

    architecture: int
    refused: tuple[int, ...]
    flock: int
    fcntl: int
    socket: int


# add_key, request_key, keyctl; ptrace, process_vm_readv, process_vm_writev; pidfd_getfd; io_uring_setup, which could
# make the others
MACHINES = {
    "x86_64": Machine(0xC000003E, (248, 249, 250, 101, 310, 311, 438, 425), flock=73, fcntl=72, socket=41),
    "aarch64": Machine(0xC00000B7, (217, 218, 219, 117, 270, 271, 438, 425), flock=32, fcntl=25, socket=198),
}
OTHER_NUMBERS = 0x40000000  # from here on, x86_64 numbers the same calls a second time
LOCKS = (6, 7, 37, 38, 1024)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE
FAMILIES = (1, 2, 10, 16)  # Unix, IPv4, IPv6 and the kernel's own: bubblewrap closes these itself

# The kernel's language for filters: instructions, and offsets in a call's description
LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24
ALLOW, REFUSE = 0x7FFF0000, 0x00050000


def program() -> bytes:
    """Return the filter for this machine as the kernel reads it; b"" for an unknown machine."""
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
    """Encode an instruction; a comparison skips `then` lines if it holds, and `otherwise` lines if not."""
    return struct.pack("=HBBI", code, then, otherwise, value)


def _refuse(error: int) -> bytes:
    return _line(RETURN, REFUSE | error)


def _each(values: Iterable[int], answer: bytes) -> Iterator[bytes]:
    """Give this answer if the loaded value is one of these."""
    for value in values:
        yield _line(IF_EQUAL, value, otherwise=1)
        yield answer


def _for_call(number: int, lines: list[bytes]) -> list[bytes]:
    """Run these lines for one call, and then allow it."""
    block = [*lines, _line(RETURN, ALLOW)]
    return [_line(IF_EQUAL, number, otherwise=len(block)), *block]
