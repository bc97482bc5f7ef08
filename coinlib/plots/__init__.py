"""Pictures of games, results and learners: each function takes data and returns a Matplotlib `Axes`."""

import types

from coinlib.plots.arrows import who_beats_whom
from coinlib.plots.columns import columns
from coinlib.plots.memory import hats, hats_balls, hats_heat, hats_shares, policy_table
from coinlib.plots.peaks import fusing, opening
from coinlib.plots.planes import positions
from coinlib.plots.position import board, slips
from coinlib.plots.results import learning_curve, report_card, round_robin_heatmap, shares, spread, win_rate, win_rates
from coinlib.plots.search import visits
from coinlib.plots.trees import tree
from coinlib.plots.triangles import red_and_blue, triangle
from coinlib.plots.witnesses import witnesses

# All names that are imported above, without the modules that they come from.
__all__ = [name for name, made in vars().items() if name[0] != "_" and not isinstance(made, types.ModuleType)]
