"""Pictures of games, results and learners: each function takes data and returns a Matplotlib `Axes`."""

from coinlib.plots.look import readable_on
from coinlib.plots.memory import (
    hats,
    hats_balls,
    hats_heat,
    hats_shares,
    hats_table,
    policy,
    policy_table,
    q_table,
    q_values_table,
)
from coinlib.plots.planes import positions, positions_table
from coinlib.plots.position import board
from coinlib.plots.results import round_robin_heatmap, win_rate, win_rate_table, win_rates
from coinlib.plots.trees import tree, tree_table
from coinlib.plots.triangles import red_and_blue, triangle, triangle_heat, triangle_table

__all__ = [
    "board",
    "hats",
    "hats_balls",
    "hats_heat",
    "hats_shares",
    "hats_table",
    "policy",
    "policy_table",
    "positions",
    "positions_table",
    "q_table",
    "q_values_table",
    "readable_on",
    "red_and_blue",
    "round_robin_heatmap",
    "tree",
    "tree_table",
    "triangle",
    "triangle_heat",
    "triangle_table",
    "win_rate",
    "win_rate_table",
    "win_rates",
]
