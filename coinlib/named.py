"""The agents that can be called by name: one list for boards, labs and programs."""

from collections.abc import Callable
from typing import NamedTuple

from coinlib import agents
from coinlib.agents import PerfectAgent, RandomAgent, RuleAgent
from coinlib.arguments import one_of
from coinlib.games import Game
from coinlib.learners import Hats, Learner, QLearner, linear
from coinlib.projects.networks import Judgement, one_of_all, signs
from coinlib.search import SearchAgent
from coinlib.training import train

PLAYOUTS = 300  # for each move of the search
JUDGED = 50  # simulations for each move, where a network is asked: little more than one look at each move


class Named(NamedTuple):
    """What an agent of this name does, in words; and a function (seed, game, practice) that makes one."""

    words: str
    make: Callable


def agent(name: str, game: Game | None = None, seed=None, practice: int = 0):
    """The agent of that name.

    Parameters
    ----------
    name : str
        One of `AGENTS`; "take-one" and "take one" are "take_one".
    game : Game, optional
        Learners play one game only, and need it.
    seed : int, SeedSequence, Generator or None
    practice : int
        How many games a learner has played with itself.

    Examples
    --------
    >>> from coinlib import sticks
    >>> agent("perfect", seed=1)(sticks(20), (20,))
    Move(row=0, count=3)
    >>> agent("hats", sticks(10), seed=1, practice=1_000)
    Hats(CoinGame(rows=(10,), max_pick=3, misere=True), games=1,000)
    """
    found = AGENTS[spelled(name)].make(seed, game, practice)
    if practice and isinstance(found, Learner):
        train(found, found, practice, first="alternate")
    return found


def spelled(name: str) -> str:
    """A name as it stands in `AGENTS`; ValueError, with all of them, if it is none.

    Examples
    --------
    >>> spelled("take-one"), spelled("leave multiple")
    ('take_one', 'leave_multiple')
    """
    return one_of(str(name).replace("-", "_").replace(" ", "_"), "agent", tuple(AGENTS))


# --- what makes each of them: functions (seed, game, practice) -> agent ---------------------------------


def _random(seed, game, practice: int) -> RandomAgent:
    return RandomAgent(seed)


def _careless(seed, game, practice: int) -> RandomAgent:
    return RandomAgent(seed, legal_only=False)


def _perfect(seed, game, practice: int) -> PerfectAgent:
    return PerfectAgent(seed)


def _search(seed, game, practice: int) -> SearchAgent:
    return SearchAgent(PLAYOUTS, seed=seed)


def _network(seed, game, practice: int) -> SearchAgent:
    show = signs if hasattr(game, "rows") else one_of_all
    judgement = Judgement(game, show, seed=seed)
    judgement.practise(practice // 50)  # One of its games takes as long as fifty and more of a learner with a table.
    return SearchAgent(JUDGED, seed=judgement.generator, judge=judgement)


def _hats(seed, game, practice: int) -> Hats:
    return Hats(game, seed)


def _q_learner(seed, game, practice: int) -> QLearner:
    exploration = linear(0.5, 0.0, max(1, practice))
    return QLearner(game, learning_rate=0.2, exploration=exploration, seed=seed)


def _rule(rule: Callable) -> Callable:
    """What makes an agent of a rule."""

    def make(seed, game, practice: int) -> RuleAgent:
        return RuleAgent(rule)

    return make


AGENTS = {
    "random": Named("plays at random", _random),
    "careless": Named("plays at random, and makes illegal moves too", _careless),
    "take_one": Named("always takes one", _rule(agents.take_one)),
    "take_most": Named("takes as many as allowed, from the fullest row", _rule(agents.take_most)),
    "leave_multiple": Named("counts on all coins as if they lay in one row", _rule(agents.leave_multiple)),
    "mirror": Named("makes two rows equal", _rule(agents.mirror)),
    "closed_form": Named("leaves a lost position, by the closed form", _rule(agents.closed_form)),
    "hats": Named("has practised with itself; learns on while a person plays", _hats),
    "qlearner": Named("the same, with a Q-table in place of hats", _q_learner),
    "search": Named(f"searches a tree by {PLAYOUTS} random games before each move", _search),
    "network": Named("searches a tree by a judgement that a network has learnt", _network),
    "perfect": Named("plays perfectly", _perfect),
}
