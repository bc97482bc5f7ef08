"""Files that are written completely or not at all, and files that hold what was learnt."""

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
        Written to directly if it exists and is not a regular file, such as ``/dev/stdout``. Links are kept.

    Yields
    ------
    pathlib.Path
        A hidden name in the same folder, with the same suffix; a different one each time.

    Raises
    ------
    OSError
        If the file cannot be written; the error names `path`. An older file is then left unchanged, and no
        partial file remains.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     marks = Path(folder, "marks.csv")
    ...     with whole_file(marks) as temporary:
    ...         _ = temporary.write_text("Ada,3")
    ...     marks.read_text()
    'Ada,3'
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        yield path
        return
    real = path.resolve()
    temporary = real.with_name(f".{secrets.token_hex(4)}-{real.name}")
    try:
        yield temporary
        if real.exists():
            shutil.copymode(real, temporary)
        temporary.replace(real)
    except OSError as error:
        if error.filename in (None, str(temporary)):  # None if the disk is full
            error.filename = str(path)
        raise
    finally:
        temporary.unlink(missing_ok=True)


def save_learnt(path: str | os.PathLike, about: str, games: int, arrays: Mapping[str, Any]) -> Path:
    """Write arrays, a number of games and a description to an ``.npz`` file."""
    import numpy as np

    with whole_file(path) as temporary, open(temporary, "wb") as file:
        np.savez_compressed(file, about=np.array(about), games=np.array(games), **arrays)
    return Path(path)


def load_learnt(path: str | os.PathLike, about: str, like: Mapping[str, Any]) -> tuple[dict, int]:
    """Read the arrays and the number of games that `save_learnt` wrote.

    Parameters
    ----------
    path : path of the file
    about : str
        The description that the file must have.
    like : dict of str to array
        Arrays with the expected names, shapes and types.

    Raises
    ------
    ValueError
        If the file is damaged, comes from elsewhere, or has a different description.
    """
    import numpy as np

    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
            description = str(stored["about"])
            games = int(stored["games"])
            arrays = {name: stored[name].astype(expected.dtype) for name, expected in like.items()}
    except OSError:
        raise
    except Exception as error:  # reading a damaged file can raise anything
        raise ValueError(f"{path} was not saved by coinlib, or is damaged") from error
    if description != about:
        raise ValueError(f"{path}: expected {about}; the file holds {description}")
    for name, expected in like.items():
        if arrays[name].shape != expected.shape:
            raise ValueError(f"{path}: {name} has shape {arrays[name].shape}, expected {expected.shape}")
    return arrays, games
