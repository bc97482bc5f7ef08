"""Files that are written whole or not at all, and files of what has been learnt."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


@contextlib.contextmanager
def whole_file(path: str | os.PathLike) -> Iterator[Path]:
    """Yield a temporary path for the new content of a file, which replaces the file at the end of the block.

    Parameters
    ----------
    path : path of the file
        If it exists and is not a regular file, such as ``/dev/stdout``, it is written to directly. A link stays.

    Yields
    ------
    pathlib.Path
        A hidden name in the same folder, with the same ending; another one each time.

    Raises
    ------
    OSError
        If the file cannot be written; the error names `path`. The older file is then unharmed, and nothing
        half written is left.

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
    half = real.with_name(f".{secrets.token_hex(4)}-{real.name}")
    try:
        yield half
        if real.exists():
            shutil.copymode(real, half)
        half.replace(real)
    except OSError as error:
        if error.filename in (None, str(half)):  # the error of a full disk names no file
            error.filename = str(path)
        raise
    finally:
        half.unlink(missing_ok=True)


def save_learnt(path: str | os.PathLike, about: str, games: int, arrays: Mapping[str, Any]) -> Path:
    """Write arrays, a number of games and a description to an ``.npz`` file."""
    import numpy as np

    with whole_file(path) as half, open(half, "wb") as file:
        np.savez_compressed(file, about=np.array(about), games=np.array(games), **arrays)
    return Path(path)


def load_learnt(path: str | os.PathLike, about: str, like: Mapping[str, Any]) -> tuple[dict, int]:
    """Read the arrays and the number of games that `save_learnt` has written.

    Parameters
    ----------
    path : path of the file
    about : str
        The description that the file must have.
    like : dict of str to array
        Arrays with the names, shapes and types that are expected.

    Raises
    ------
    ValueError
        If the file is damaged, comes from elsewhere, or has another description.
    """
    import numpy as np

    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
            found = str(stored["about"])
            games = int(stored["games"])
            arrays = {name: stored[name].astype(expected.dtype) for name, expected in like.items()}
    except OSError:
        raise
    except Exception as error:  # whatever a damaged file leads to
        raise ValueError(f"{path} was not saved by coinlib, or is damaged") from error
    if found != about:
        raise ValueError(f"{path}: expected {about}; the file holds {found}")
    for name, expected in like.items():
        if arrays[name].shape != expected.shape:
            raise ValueError(f"{path}: {name} has shape {arrays[name].shape}, expected {expected.shape}")
    return arrays, games
