"""Live boards and labs for the notebooks; each also draws itself as a still picture."""

from .board import Board, render

__all__ = ["Board", "render"]
