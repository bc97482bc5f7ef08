"""Agents by name: programs offer all of them; boards, labs and tournaments choose from this list."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from coinlib import agents
from coinlib.agents import PerfectAgent, RandomAgent, RuleAgent
from coinlib.arguments import one_of
from coinlib.games import Game, has_rows
from coinlib.learners import Hats, Learner, QLearner, linear
from coinlib.projects.networks import Judgement, one_of_all, signs
from coinlib.search import SearchAgent
from coinlib.training import train

PLAYOUTS = 300  # random games before each move of the search
JUDGED = 50  # simulations before each move with a network: little more than one look at each move


class Named(NamedTuple):
    """An entry of `AGENTS`: what an agent does, and how to make it.

    Attributes
    ----------
    words : str
        What it does.
    make : function (seed) -> agent, or (seed, game, practice) -> agent if it plays only one game
    one_game : bool
        Whether it is made for one game and can play no other.
    """

    words: str
    make: Callable
    one_game: bool = False


def agent(name: str, game: Game | None = None, seed=None, practice: int = 0):
    """Make the agent with this name.

    Parameters
    ----------
    name : str
        A key of `AGENTS`; "take-one" and "take one" also mean "take_one".
    game : Game, optional
        Needed by learners, which play only one game.
    seed : int, SeedSequence, Generator or None
    practice : int
        How many games a learner first plays against itself.

    Examples
    --------
    >>> from coinlib import sticks
    >>> agent("perfect", seed=1)(sticks(20), (20,))
    Move(row=0, count=3)
    >>> agent("hats", sticks(10), seed=1, practice=1_000)
    Hats(CoinGame(rows=(10,), max_pick=3, misere=True), games=1,000)
    """
    entry = AGENTS[canonical_name(name)]
    made = entry.make(seed, game, practice) if entry.one_game else entry.make(seed)
    if practice and isinstance(made, Learner):
        train(made, made, practice, first="alternate")
    return made


def canonical_name(name: str) -> str:
    """The key in `AGENTS` for a name as people type it; a ValueError lists all names if it is unknown.

    Examples
    --------
    >>> canonical_name("take-one"), canonical_name("leave multiple")
    ('take_one', 'leave_multiple')
    """
    return one_of(str(name).replace("-", "_").replace(" ", "_"), "agent", tuple(AGENTS))


# --- agents for one game ---------------------------------------------------------------------------------


def _network(seed, game, practice: int) -> SearchAgent:
    show = signs if has_rows(game) else one_of_all
    judgement = Judgement(game, show, seed=seed)
    judgement.practise(practice // 50)  # One of its games takes as long as 50 or more played by a learner with a table.
    return SearchAgent(JUDGED, seed=judgement.generator, judge=judgement)


def _hats(seed, game, practice: int) -> Hats:
    return Hats(game, seed)


def _q_learner(seed, game, practice: int) -> QLearner:
    exploration = linear(0.5, 0.0, max(1, practice))
    return QLearner(game, learning_rate=0.2, exploration=exploration, seed=seed)


AGENTS = {
    "random": Named("plays at random", RandomAgent),
    "careless": Named("plays at random, and makes illegal moves too", partial(RandomAgent, legal_only=False)),
    "take_one": Named("always takes one", lambda seed: RuleAgent(agents.take_one)),
    "take_most": Named("takes as many as allowed, from the fullest row", lambda seed: RuleAgent(agents.take_most)),
    "leave_multiple": Named("plays as if all coins were in one row", lambda seed: RuleAgent(agents.leave_multiple)),
    "mirror": Named("makes two rows equal", lambda seed: RuleAgent(agents.mirror)),
    "closed_form": Named("leaves a lost position, by the closed form", lambda seed: RuleAgent(agents.closed_form)),
    "hats": Named("has practised with itself; keeps learning while a person plays", _hats, one_game=True),
    "qlearner": Named("the same, with a Q-table instead of hats", _q_learner, one_game=True),
    "search": Named(
        f"searches a tree by {PLAYOUTS} random games before each move", lambda seed: SearchAgent(PLAYOUTS, seed=seed)
    ),
    "network": Named("searches a tree, judging states by a trained network", _network, one_game=True),
    "perfect": Named("plays perfectly", PerfectAgent),
}
