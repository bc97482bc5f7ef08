"""Labs that live in the web book: each is made again from its description, and says what its page needs.

A host answers in place of Python: a board plays by tables, every other lab is a recording.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.lab import Lab
from ..boards.board import Board
from ..films.fusing import FusingFilm
from ..films.hats import HatsFilm
from ..films.intervals import IntervalsFilm
from ..films.news import NewsFilm
from ..films.search import SearchFilm
from ..learning.hats_lab import HatsLab
from ..learning.q_lab import QLab
from ..perfect_play.pile_lab import PileLab
from ..perfect_play.proof_lab import ProofLab
from ..perfect_play.triangle_lab import TriangleLab
from ..predictions.prediction import Prediction
from ..predictions.score import Score
from . import board_tables, recording

LABS = (HatsLab, PileLab, ProofLab, QLab, TriangleLab)
FILMS = (FusingFilm, HatsFilm, IntervalsFilm, NewsFilm, SearchFilm)
PARTS_OF_A_LESSON = (Board, Prediction, Score)
KINDS = {kind.__name__: kind for kind in (*LABS, *FILMS, *PARTS_OF_A_LESSON)}  # what a description can name


def again(described: Mapping[str, Any]) -> Lab:
    """The lab that has described itself.

    Examples
    --------
    >>> lab = QLab(games=10, controls=["games", "seed"])
    >>> again(lab.described()).described() == lab.described()
    True
    """
    lab = KINDS[described["lab"]](**described["settings"])
    lab.shown = list(described["controls"])
    lab.update()
    return lab


def living(lab: Lab) -> dict[str, Any]:
    """What a page without a kernel needs to let a lab live: the name of its host, and its data."""
    if isinstance(lab, Board):
        return {"host": "board"} | board_tables.game_tables(lab)
    described = lab.described()
    return {"host": "recorded"} | recording.record(again(described), again(described))
