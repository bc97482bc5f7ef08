"""Training learners, and the record of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from coinlib import lazy
from coinlib.agents import agent_name
from coinlib.arena import in_words
from coinlib.arguments import check_agent, shown, whole_number
from coinlib.learners import Learner
from coinlib.match import Forfeit, lend_generators
from coinlib.series import Series


@dataclass(frozen=True, eq=False)
class Run:
    """The record of a training run.

    Attributes
    ----------
    learner, opponent : str
        Their names.
    result : int8 array, shape (games,)
        +1, 0 or -1 for the learner in each game.
    moved_first : bool array, shape (games,)
        Whether the learner moved first.
    forfeit : int8 array, shape (games,)
        -1 if an illegal move by the learner ended the game, +1 if one by the opponent did, otherwise 0.
    checkpoints : dict of int to float64 array, shape (S, M)
        The learner's table after that number of games of this run.
    illegal_move : Forfeit or None
        The first illegal move of either player.
    error : str
        The agent's error that stopped the run early; empty if there was none.
    """

    learner: str
    opponent: str
    result: np.ndarray
    moved_first: np.ndarray
    forfeit: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int8))
    checkpoints: dict[int, np.ndarray] = field(default_factory=dict)
    illegal_move: Forfeit | None = None
    error: str = ""

    @property
    def won(self) -> np.ndarray:
        """bool array, shape (games,): the games that the learner won."""
        return self.result > 0

    @property
    def forfeits(self) -> int:
        """How many games the learner lost through an illegal move."""
        return int(np.count_nonzero(self.forfeit < 0))

    @property
    def opponent_forfeits(self) -> int:
        """How many games the learner won through an illegal move by the opponent."""
        return int(np.count_nonzero(self.forfeit > 0))

    def win_rate(self, window: int = 5) -> np.ndarray:
        """float64 array, shape (games,): the share of wins in the last `window` games, including this one.

        NaN until the window is full.
        """
        window = whole_number(window, "window", least=1)
        rate = np.full(len(self.result), np.nan)
        sums = np.concatenate([[0], np.cumsum(self.won)])
        rate[window - 1 :] = (sums[window:] - sums[:-window]) / window
        return rate

    def to_frame(self) -> lazy.DataFrame:
        """A table with a row for each game, numbered from 1: result, won, moved_first."""
        columns = {"result": self.result, "won": self.won, "moved_first": self.moved_first}
        return lazy.DataFrame(columns, index=range(1, len(self.result) + 1)).rename_axis("game")

    def __repr__(self) -> str:
        won = f"{self.won.sum():,} of {len(self.result):,} games won"
        return f"Run({self.learner} against {self.opponent}: {in_words(won, self, self.error)})"


def train(
    learner: Learner,
    opponent,
    games: int = 100_000,
    seed=None,
    first: str = "agent",
    checkpoints: Iterable[int] = (),
) -> Run:
    """Let a learner play many games and learn from them; the opponent learns too if it can.

    Passing the same learner twice is self-play with one memory. The games are played in one compiled loop
    if both agents are fast (`agents.is_fast`) and have a move in every state; otherwise move by move, about a
    hundred times slower, with the same results. A plain function is slow, but `RuleAgent(function)` is fast. Ctrl-C
    (in a notebook: *Interrupt the kernel*) raises KeyboardInterrupt; the learner keeps what it learnt from the games
    already finished.

    Parameters
    ----------
    learner : Hats, QLearner or another Learner
        Changed in place; it plays its own game.
    opponent : agent
        If it raises, the training stops with a warning, and what was learnt is kept.
    games : int
    seed : int, SeedSequence, Generator or None
        See `play_match`; the result equals that of a loop of matches with `learn=True` and the same generators.
    first : {"agent", "opponent", "alternate"}
        Who moves first: "agent" is the learner; "alternate" starts with it.
    checkpoints : iterable of int
        The numbers of games in this run after which to keep a copy of the learner's table.

    Returns
    -------
    Run

    Examples
    --------
    >>> from coinlib import Hats, sticks
    >>> hats = Hats(sticks(10), seed=1)
    >>> train(hats, hats, games=100_000, seed=1)
    Run(Hats against Hats: 99,860 of 100,000 games won)
    """
    if not isinstance(learner, Learner):
        raise TypeError(f"learner: expected Hats, a QLearner or another Learner, got {shown(learner)}")
    check_agent(opponent, "opponent")
    games = whole_number(games, "games")
    marks = sorted({whole_number(mark, "a checkpoint", most=games) for mark in checkpoints})
    opponent_learns = hasattr(opponent, "sit")
    series = Series(learner.game, (learner, opponent), games, first, (True, opponent_learns))
    tables = {}
    with lend_generators(series.agents, seed):
        for done in series.play(marks):  # also yields between marks, for the progress bar
            if done in marks:
                tables[done] = learner.values.copy()
    return Run(
        learner=agent_name(learner),
        opponent=agent_name(opponent),
        result=series.outcome[: series.done],
        moved_first=series.starters[: series.done] == 0,
        forfeit=series.forfeit[: series.done],
        checkpoints=tables,
        illegal_move=series.illegal_move,
        error=series.error,
    )
