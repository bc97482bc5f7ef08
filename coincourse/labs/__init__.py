"""Live boards and labs for the notebooks; each also draws itself as a still picture."""

import types

from .base.lab import Lab
from .boards.board import Board, render
from .films.fusing import FusingFilm
from .films.hats import HatsFilm
from .films.intervals import IntervalsFilm
from .films.news import NewsFilm
from .functions.sliders import sliders
from .last_games import Masks, fill_hats, is_bet, play_plan
from .learning.hats_lab import HatsLab
from .learning.q_lab import QLab
from .perfect_play.coin_rows import hard_row
from .perfect_play.open_tree import OpenTree
from .perfect_play.pile_lab import PileLab
from .perfect_play.piles import hard_piles
from .perfect_play.proof_lab import ProofLab
from .perfect_play.triangle_lab import TriangleLab
from .predictions.prediction import Prediction
from .predictions.score import CourseMap, Score

__all__ = [name for name, thing in vars().items() if name[0] != "_" and not isinstance(thing, types.ModuleType)]
