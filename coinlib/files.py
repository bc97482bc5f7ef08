"""Files that are written whole or not at all: whatever goes wrong, the older file is still there."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def whole_file(path: str | os.PathLike) -> Iterator[Path]:
    """A place to write the new content of a file, which takes the file's place once all of it is there.

    Parameters
    ----------
    path : path of the file
        A path that exists and is no file, such as ``/dev/stdout``, is written to directly. A link stays.

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
    real = path.resolve()
    half = real.with_name(f".half-{real.name}")
    try:
        yield half
        if real.exists():
            shutil.copymode(real, half)
        half.replace(real)
    except OSError as error:
        error.filename = str(path)  # The error of a full disk does not name a file.
        raise
    finally:
        half.unlink(missing_ok=True)
