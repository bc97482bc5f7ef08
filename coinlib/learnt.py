"""What has been learnt, in a file: arrays of numbers, and in words whose they are; nothing is pickled."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from coinlib.files import whole_file


class Learnt(NamedTuple):
    """What a file holds."""

    arrays: Mapping[str, np.ndarray]
    games: int  # from which it was learnt
    generator: np.random.Generator  # as it was left


def write_learnt(path: str | os.PathLike, kind: str, words: str, learnt: Learnt) -> Path:
    """Write what something has learnt; `kind` says what that is ("learner"), `words` which one.

    Raises OSError if the file cannot be written; an older file of that name is then unharmed.
    """
    about = {kind: words, "games": learnt.games, "generator": learnt.generator.bit_generator.state}
    with whole_file(path) as half, open(half, "wb") as file:
        np.savez_compressed(file, about=np.array(json.dumps(about)), **learnt.arrays)
    return Path(path)


def read_learnt(path: str | os.PathLike, kind: str, words: str, names: Iterable[str]) -> Learnt:
    """The arrays of these names, and the rest of what `write_learnt` has written.

    Raises ValueError if the file is damaged, comes from elsewhere, or is about something of other words.
    """
    generator = np.random.default_rng()
    with open(path, "rb") as file:
        try:
            with np.load(file, allow_pickle=False) as stored:
                about = json.loads(str(stored["about"]))
                arrays = {name: stored[name] * 1 for name in names}
            generator.bit_generator.state = about["generator"]
            games = int(about["games"])
            found = about[kind]
        except Exception as error:  # whatever a damaged file leads to
            raise ValueError(f"{path} is not a {kind} that coinlib saved, or is damaged") from error
    if found != words:
        raise ValueError(f"{path}: expected {words}; the file holds {found}")
    return Learnt(arrays, games, generator)
