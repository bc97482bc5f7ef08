"""From the description of a lab in a notebook to the data for its page in the web book.

On the page a script, the host, answers instead of Python: from tables for a board, by drawing
balls for hats, and from a recording for any other lab.
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
from ..learning.hats_lab import HatsLab
from ..learning.q_lab import QLab
from ..perfect_play.pile_lab import PileLab
from ..perfect_play.proof_lab import ProofLab
from ..perfect_play.triangle_lab import TriangleLab
from ..predictions.prediction import Prediction
from ..predictions.score import Score
from .board_tables import game_tables
from .hats_data import hats_data
from .record_lab import record_lab

LABS = (HatsLab, PileLab, ProofLab, QLab, TriangleLab)
FILMS = (FusingFilm, HatsFilm, IntervalsFilm, NewsFilm)
PARTS_OF_A_LESSON = (Board, Prediction, Score)
KINDS = {kind.__name__: kind for kind in (*LABS, *FILMS, *PARTS_OF_A_LESSON)}  # the names in descriptions


def lab_from(described: Mapping[str, Any]) -> Lab:
    """Make a lab from its description.

    Examples
    --------
    >>> lab = QLab(games=10, controls=["games", "seed"])
    >>> lab_from(lab.described()).described() == lab.described()
    True
    """
    lab = KINDS[described["lab"]](**described["settings"])
    lab.shown = list(described["controls"])
    lab.update()
    return lab


def page_data(lab: Lab) -> dict[str, Any]:
    """The name of a lab's host, and the data from which the host answers."""
    if isinstance(lab, Board):
        return {"host": "board"} | game_tables(lab)
    if isinstance(lab, HatsLab):
        return {"host": "hats"} | hats_data(lab)
    described = lab.described()
    data = {"host": "recorded"} | record_lab(lab_from(described), lab_from(described))
    if isinstance(lab, Prediction):
        data["starred"] = lab.data.starred  # the score of the page counts these apart
    return data
