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
from coinlib.plots.position import board
from coinlib.plots.results import round_robin_heatmap, win_rate, win_rate_table, win_rates

__all__ = [
    "board",
    "hats",
    "hats_balls",
    "hats_heat",
    "hats_shares",
    "hats_table",
    "policy",
    "policy_table",
    "q_table",
    "q_values_table",
    "readable_on",
    "round_robin_heatmap",
    "win_rate",
    "win_rate_table",
    "win_rates",
]
