"""Live boards and labs for the notebooks; each also draws itself as a still picture."""

import types

from .board import Board, render
from .films import FusingFilm, HatsFilm, IntervalsFilm, NewsFilm, SearchFilm
from .hats_lab import HatsLab
from .lab import Lab
from .pile_lab import PileLab
from .prediction import Prediction, Score
from .proof_lab import ProofLab
from .q_lab import QLab
from .training_lab import TrainingLab
from .triangle_lab import TriangleLab

__all__ = [name for name, made in vars().items() if not (name.startswith("_") or isinstance(made, types.ModuleType))]
