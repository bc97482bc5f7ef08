"""Who wins: many games, and round robins."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from coinlib import lazy
from coinlib.arguments import check_agent, counted, shown, whole_number
from coinlib.games import as_game
from coinlib.match import Forfeit, lend_generators
from coinlib.series import AgentWarning, Series


@dataclass(frozen=True)
class Evaluation:
    """An agent's results over many games.

    Attributes
    ----------
    games, wins, ties, losses : int
    forfeits : int
        Losses through an illegal move.
    opponent_forfeits : int
        Wins through an illegal move by the opponent.
    illegal_move : Forfeit or None
        The first illegal move of either agent.
    error : str
        The error that stopped the games early; empty if there was none.
    """

    games: int
    wins: int
    ties: int
    losses: int
    forfeits: int = 0
    opponent_forfeits: int = 0
    illegal_move: Forfeit | None = None
    error: str = ""

    @property
    def win_rate(self) -> float:
        """Wins as a share of all games."""
        return self.wins / self.games

    @property
    def low(self) -> float:
        """The lower end of the 95 % Wilson interval of the win rate."""
        return wilson(self.wins, self.games)[0]

    @property
    def high(self) -> float:
        """The upper end of the 95 % Wilson interval of the win rate."""
        return wilson(self.wins, self.games)[1]

    def __repr__(self) -> str:
        ties = f", {self.ties:,} ties" if self.ties else ""
        won = f"{self.wins:,} of {self.games:,} games won{ties}"
        if not self.error:  # the few games before an error are no measurement
            won += f": {self.win_rate:.1%}, 95 % interval {self.low:.1%} to {self.high:.1%}"
        return f"Evaluation({in_words(won, self, self.error)})"


def evaluate(game, agent, opponent, games: int = 10_000, seed=None, first: str = "alternate") -> Evaluation:
    """Measure how often an agent wins against an opponent, without learning.

    The games are played in one compiled loop if both agents are fast (`agents.is_fast`) and have a move in every
    state, and the game fits in a table; otherwise move by move, about a hundred times slower, with the same results.
    A plain function is slow, but `RuleAgent(function)` is fast.

    Parameters
    ----------
    game : Game
    agent, opponent : agents
    games : int
        At least 1.
    seed : int, SeedSequence, Generator or None
        See `play_match`.
    first : {"agent", "opponent", "alternate"}
        Who moves first; "alternate" starts with the agent.

    Returns
    -------
    Evaluation
        If an agent raises after the first game, the results of the games already played, with a warning.

    Raises
    ------
    AgentError
        If an agent raises in the first game.

    Examples
    --------
    >>> from coinlib import PerfectAgent, RandomAgent, sticks
    >>> evaluate(sticks(20), PerfectAgent(), RandomAgent(), games=1_000, seed=1, first="agent")
    Evaluation(1,000 of 1,000 games won: 100.0%, 95 % interval 99.6% to 100.0%)
    """
    check_agent(agent, "agent")
    check_agent(opponent, "opponent")
    games = whole_number(games, "games", least=1)
    series = Series(as_game(game), (agent, opponent), games, first)
    with lend_generators(series.agents, seed):
        for _ in series.play():
            pass
    outcome = series.outcome[: series.done]
    return Evaluation(
        games=series.done,
        wins=int(np.count_nonzero(outcome > 0)),
        ties=int(np.count_nonzero(outcome == 0)),
        losses=int(np.count_nonzero(outcome < 0)),
        forfeits=int(np.count_nonzero(series.forfeit < 0)),
        opponent_forfeits=int(np.count_nonzero(series.forfeit > 0)),
        illegal_move=series.illegal_move,
        error=series.error,
    )


def in_words(won: str, played, stopped: str) -> str:
    """A summary of games as text: what stopped them, how many were won, and how many forfeited.

    `played` is an `Evaluation` or a `training.Run`.

    Examples
    --------
    >>> forfeit = Forfeit(1, "mine", (2,), 3, "only 2 are left")
    >>> in_words("1 of 3 games won", Evaluation(3, 1, 0, 2, 2, 1, forfeit), "")
    '1 of 3 games won; 2 forfeits; 1 forfeit of the opponent, for example mine in state (2,): only 2 are left'
    """
    parts = [f"stopped early: {stopped}", won] if stopped else [won]
    if played.forfeits:
        parts.append(counted(played.forfeits, "forfeit"))
    if played.opponent_forfeits:
        parts.append(f"{counted(played.opponent_forfeits, 'forfeit')} of the opponent")
    if played.illegal_move:
        parts[-1] += f", for example {played.illegal_move.words}"
    return "; ".join(parts)


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The 95 % Wilson interval for a win rate: its lower and upper ends, from 0 to 1.

    Parameters
    ----------
    wins : int
        0 to `games`.
    games : int
        At least 1.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).

    Examples
    --------
    >>> low, high = wilson(60, 100)
    >>> round(low, 3), round(high, 3)
    (0.502, 0.691)
    """
    z = 1.959964  # 95 % of a normal distribution is within this many standard deviations
    rate = wins / games
    middle = rate + z * z / (2 * games)
    spread = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def round_robin(game, agents: Mapping[str, object], games: int = 1_000, seed=None) -> lazy.DataFrame:
    """Play every agent against every other; return the win rates of the row's agent against the column's.

    Parameters
    ----------
    game : Game
    agents : dict of str to agent
    games : int
        Games per pair; the two take turns going first.
    seed : int, SeedSequence, Generator or None

    Returns
    -------
    pandas.DataFrame, shape (agents, agents + 1)
        Win rates from 0 to 1, NaN on the diagonal; the last column is the mean of the row.
        Rows are sorted by this mean, the best first.

    Examples
    --------
    >>> from coinlib import PerfectAgent, RandomAgent, sticks
    >>> agents = {"random": RandomAgent(), "perfect": PerfectAgent()}
    >>> table = round_robin(sticks(20), agents, games=100, seed=1)
    >>> table.index[0], float(table.loc["perfect", "perfect"]), bool(table.loc["perfect", "mean"] > 0.9)
    ('perfect', nan, True)
    """
    if not isinstance(agents, Mapping) or len(agents) < 2:
        raise TypeError(f"agents: expected two names or more, as in {{'mine': agent, ...}}; got {shown(agents)}")
    if "mean" in agents:
        raise ValueError("agents: the last column is called mean; rename the agent of that name")
    rates = lazy.DataFrame(np.nan, index=list(agents), columns=list(agents))
    pairs = list(itertools.combinations(agents, 2))
    seeds = [None] * len(pairs) if seed is None else np.random.default_rng(seed).spawn(len(pairs))
    for (one, other), pair_seed in zip(pairs, seeds):
        outcome = evaluate(game, agents[one], agents[other], games, pair_seed)
        one_cannot_play = max(outcome.forfeits, outcome.opponent_forfeits) == outcome.games
        if one_cannot_play:
            words = f"every game ended with an illegal move, for example {outcome.illegal_move.words}"
            warnings.warn(f"{one} against {other}: {words}", AgentWarning, stacklevel=2)
        rates.loc[one, other] = outcome.win_rate
        rates.loc[other, one] = outcome.losses / outcome.games
    rates["mean"] = rates.mean(axis=1)
    order = rates.sort_values("mean", ascending=False, kind="stable").index
    return rates.loc[order, [*order, "mean"]]
