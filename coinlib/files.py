"""Files that are written whole or not at all: whatever goes wrong, the older file is still there."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def whole_file(path: str | os.PathLike) -> Iterator[Path]:
    """Where to write what is to become a file; it takes the file's place once all of it is there.

    Parameters
    ----------
    path : path of the file
        What is no file, such as ``/dev/stdout``, is written to directly. A link stays a link.

    Yields
    ------
    pathlib.Path
        A hidden name in the same folder, with the same ending.

    Raises
    ------
    OSError
        If the file cannot be written; the error names `path`. An older file of that name is then
        unharmed, and nothing half written is left.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     marks = Path(folder, "marks.csv")
    ...     with whole_file(marks) as half:
    ...         _ = half.write_text("Ada,3")
    ...     marks.read_text()
    'Ada,3'
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        yield path
        return
    real = Path(os.path.realpath(path))
    half = real.with_name(f".half-{real.name}")
    try:
        if real.exists():
            real.open("ab").close()  # a folder that may be written would let us replace what may not
        yield half
        if real.exists():
            shutil.copymode(real, half)
        os.replace(half, real)
    except OSError as error:
        if error.filename in (None, str(half)):  # a full disk names no file by itself
            error.filename = str(path)
        raise
    finally:
        half.unlink(missing_ok=True)
