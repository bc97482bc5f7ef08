"""How machines learn to win: the small library under the course.

The modules, in the order of the course: `games` (the rules), `match` (one game, move by move), `agents` (who
chooses), `learners` (who improves), `arena` (who wins), `training`, `sweeps` (many settings), `solvers` (perfect
play), `search` (looking ahead without a table), `theory` (why it works), `plots` (pictures of all of these);
`projects` holds what only the three projects use.

Names are loaded on first use, as described in Scientific Python's SPEC 1, so the games can be imported without
NumPy, and ``import coinlib`` takes no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coinlib.agents import HumanAgent, MixedAgent, PerfectAgent, RandomAgent, RuleAgent, ScriptedAgent
    from coinlib.arena import evaluate, round_robin
    from coinlib.games import SCENARIOS, CoinGame, GreedyCoins, IllegalMove, Move, sticks, three_piles
    from coinlib.learners import Hats, QLearner, linear
    from coinlib.match import play_match
    from coinlib.solvers import greedy_margin, greedy_move, greedy_valley, minimax, solve, solve_greedy
    from coinlib.sweeps import sweep
    from coinlib.training import train

__version__ = "0.1.0"

# Which module each name comes from; keep this in step with the imports for type checkers above.
_NAMES = {
    "agents": ("HumanAgent", "MixedAgent", "PerfectAgent", "RandomAgent", "RuleAgent", "ScriptedAgent"),
    "arena": ("evaluate", "round_robin"),
    "games": ("SCENARIOS", "CoinGame", "GreedyCoins", "IllegalMove", "Move", "sticks", "three_piles"),
    "learners": ("Hats", "QLearner", "linear"),
    "match": ("play_match",),
    "solvers": ("greedy_margin", "greedy_move", "greedy_valley", "minimax", "solve", "solve_greedy"),
    "sweeps": ("sweep",),
    "training": ("train",),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}
_MODULES = (*_NAMES, "distance", "loops", "named", "plots", "projects", "search", "tables", "theory", "trees")

__all__ = sorted(_MODULE_OF)  # noqa: PLE0605


def __getattr__(name: str):
    """Load a name or a module on first use."""
    if name in _MODULE_OF:
        value = getattr(import_module(f"coinlib.{_MODULE_OF[name]}"), name)
    elif name in _MODULES:
        value = import_module(f"coinlib.{name}")
    else:
        raise AttributeError(f"module 'coinlib' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES, "__version__"])
