"""The games as environments for other learners: PettingZoo (both players) and Gymnasium (one seat).

Both need the extra `rl`. An action is the number of a move in ``game.moves``. With rows of coins the players
observe what the AI Sandbox protocol tells them: the coins left in each row, then the most one move may take.
In any other game they observe the numbers of its state or, if these are not whole numbers, the index of the
state in ``tabulate(game).states``. An action that is in the action space but currently illegal loses the game.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import numpy as np

from coinlib import named
from coinlib.agents import agent_name
from coinlib.arguments import check_agent, one_of, whole_number
from coinlib.games import CoinGame, Game, as_game
from coinlib.match import Match, sit_down
from coinlib.tables import tabulate
from coinlib.words import picture

try:
    import gymnasium
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError(
        f"coincourse.outside.envs needs PettingZoo and Gymnasium, which the course does not install ({error}). "
        "Add them with: pip install pettingzoo gymnasium"
    ) from error

PLAYERS = ("player_0", "player_1")  # in the order of their first moves
ID = "coinlib/Coins-v0"


class _MatchEnv:
    """The part that both environments share: a match, its observations and its rendering."""

    metadata: ClassVar[dict] = {
        "name": "coins_v0",
        "render_modes": ["human", "ansi", "rgb_array"],
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def _set_up(self, scenario: str | Game, misere: bool | None, render_mode: str | None) -> None:
        game = as_game(scenario)
        self.game = game if misere is None else replace(game, misere=misere)
        self._is_coin_game = isinstance(self.game, CoinGame)
        if self._is_coin_game:
            # A state of rows is observed directly, so no table of all states is needed, however large the rows.
            seen = [self._numbers(game.start)]
        else:
            self.metadata = self.metadata | {"render_modes": ["human", "ansi"]}
            self._table = tabulate(game)
            seen = [self._numbers(state) for state in self._table.states]
        self.render_mode = one_of(render_mode, "render_mode", (*self.metadata["render_modes"], None))
        self._seen = spaces.Box(np.minimum(0, np.min(seen, axis=0)), np.max(seen, axis=0), dtype=np.int64)
        self._match = Match(self.game)
        self._begun = False

    def _check_begun(self, method: str) -> None:
        """Raise Gymnasium's error for a method that is called before `reset`."""
        if not self._begun:
            raise gymnasium.error.ResetNeeded(f"{method}: call reset() first")

    def _numbers(self, state) -> np.ndarray:
        """int64 array: what a player observes in a state."""
        if self._is_coin_game:
            return np.array([*state, self.game.most])
        if isinstance(state, tuple) and all(isinstance(number, int) for number in state):
            return np.array(state)
        return np.array([self._table.row(state)])

    def _make(self, action) -> None:
        """Make the move for an action; raises ValueError if it is outside the action space."""
        number = whole_number(action, "action", most=len(self.game.moves) - 1)
        self._match.make(self.game.moves[number])
        self._show()

    def state(self) -> np.ndarray:
        """Return the whole state of the game, which both players see."""
        return self._numbers(self._match.state)

    def _mask(self, player: int) -> np.ndarray:
        """int8 array, shape (moves,): 1 for each legal move; all 0 if it is not the player's turn."""
        match = self._match
        legal = []
        if not match.over and player == match.turn:
            legal = self.game.legal_moves(match.state)
        return np.array([move in legal for move in self.game.moves], dtype=np.int8)

    def _info(self, player: int) -> dict:
        """Return the mask, and at the end who won and why: the players' names, or None for a tie."""
        match = self._match
        info: dict = {"action_mask": self._mask(player)}
        if match.over:
            names = (None, *self._names)
            info["winner"] = names[match.winner]
            info["forfeit"] = names[match.forfeit.player] if match.forfeit else None
            info["reason"] = match.reason_with(*self._names)
        return info

    def _reward(self, player: int) -> float:
        """+1 for a win, -1 for a loss, 0 for a tie or until the game is over."""
        return float(self._match.outcome(player))

    def render(self) -> str | np.ndarray | None:
        """Render the position: print it, or return text or an array of colours, depending on the render mode."""
        self._check_begun("render")
        if self.render_mode == "rgb_array":
            return _picture(self._match)
        words = _words(self._match, self._names)
        if self.render_mode == "ansi":
            return words
        print(words, flush=True)
        return None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _words(match: Match, names: tuple[str, str]) -> str:
    """Return the position as text, and below it the player to move or how the game ended."""
    game = match.game
    last = match.reason_with(*names) if match.over else f"{names[match.turn - 1]} to move"
    head = [f"{game.ending}: at most {game.most} from one row"] if isinstance(game, CoinGame) else []
    return "\n".join([*head, picture(game, match.state), last, ""])


def _picture(match: Match) -> np.ndarray:
    """uint8 array, shape (height, width, 3): the position as `plots.board` draws it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from coinlib import plots

    canvas = FigureCanvasAgg(Figure(layout="tight"))
    plots.board(match.game, match.state, canvas.figure.subplots())
    canvas.draw()
    return np.array(canvas.buffer_rgba())[..., :3].copy()


# --- PettingZoo -----------------------------------------------------------------------------------------


class raw_env(_MatchEnv, AECEnv):
    """A game for two learners as a PettingZoo AEC environment: the players act in turn.

    The players are "player_0", who moves first, and "player_1". `env` adds PettingZoo's check that the
    methods are called in a sensible order.

    Parameters
    ----------
    scenario : str or Game
        The name of a scenario, or any game, including your own.
    misere : bool or None
        For rows of coins. True: the player who takes the last coin loses. False: that player wins. None: as in
        `scenario`.
    render_mode : {"human", "ansi", "rgb_array"} or None
        "human" prints each position, "ansi" returns it as text (the game's `picture(state)`, if it has
        one), "rgb_array" as a picture, for rows of coins.

    Attributes
    ----------
    game : Game
        ``game.moves[action]`` is the move for an action.

    Examples
    --------
    >>> play = raw_env("NIM")
    >>> play.reset()
    >>> play.observe("player_0")
    array([1, 3, 5, 7, 2])
    >>> play.infos["player_0"]["action_mask"]
    array([1, 0, 1, 1, 1, 1, 1, 1], dtype=int8)
    >>> play.step(1)
    >>> play.rewards, play.infos["player_0"]["reason"]
    ({'player_0': -1.0, 'player_1': 1.0}, 'player_0 forfeits: row 0 holds 1 coin; asked to take 2 (legal: 1)')
    """

    _names = PLAYERS

    def __init__(
        self, scenario: str | Game = "NIM", misere: bool | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self._set_up(scenario, misere, render_mode)
        self.possible_agents = list(PLAYERS)
        self.agents: list[str] = []
        # One object for each player, since each has its own generator for samples.
        self._actions = {player: spaces.Discrete(len(self.game.moves)) for player in PLAYERS}

    def observation_space(self, agent: str) -> spaces.Box:
        """Return the bounds of a player's observation."""
        return self._seen

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the numbers of the moves in ``game.moves``."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Start a new game. The seed has no effect: the game involves no chance."""
        self.agents = list(PLAYERS)
        self._match = Match(self.game)
        self._begun = True
        self._cumulative_rewards = dict.fromkeys(PLAYERS, 0.0)
        self._skip_agent_selection = None
        self._tell()
        self._show()

    def step(self, action: int | None) -> None:
        """Make the move of the player whose turn it is; after the end of the game the action is None."""
        self._check_begun("step")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._make(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._tell()
        self._accumulate_rewards()

    def _tell(self) -> None:
        """Update PettingZoo's attributes from the match."""
        self.agent_selection = PLAYERS[self._match.turn - 1]
        self.rewards = {player: self._reward(number) for number, player in enumerate(PLAYERS, 1)}
        self.terminations = dict.fromkeys(PLAYERS, self._match.over)
        self.truncations = dict.fromkeys(PLAYERS, False)
        self.infos = {player: self._info(number) for number, player in enumerate(PLAYERS, 1)}

    def observe(self, agent: str) -> np.ndarray:
        """int64 array, shape (rows + 1,): both players see the same."""
        return self.state()

    def close(self) -> None:
        """Do nothing: PettingZoo checks that this method is there, but nothing needs closing."""


def env(*settings, **more_settings) -> wrappers.OrderEnforcingWrapper:
    """Turn a game into a PettingZoo environment (AEC); see `raw_env`.

    Examples
    --------
    >>> play = env("SINGLE_21_3", misere=False)
    >>> play.reset(seed=1)
    >>> for player in play.agent_iter():
    ...     observation, reward, terminated, truncated, info = play.last()
    ...     play.step(None if terminated else play.action_space(player).sample(info["action_mask"]))
    >>> play.agents
    []
    """
    return wrappers.OrderEnforcingWrapper(raw_env(*settings, **more_settings))


# --- Gymnasium ------------------------------------------------------------------------------------------


class SeatEnv(_MatchEnv, gymnasium.Env):
    """One seat of a game, as a Gymnasium environment: the opponent is part of the environment.

    Importing `coincourse.outside.envs` registers it as ``coinlib/Coins-v0``.

    Parameters
    ----------
    scenario : str or Game
        The name of a scenario, or any game, including your own.
    opponent : str or agent
        A name in `coinlib.named.AGENTS`, such as "random" or "perfect", or any function from ``(game, state)``
        to a move. If it has an attribute `generator`, the environment's replaces it, so that
        ``reset(seed=...)`` repeats its play too.
    first : {"agent", "opponent", "alternate"}
        Who moves first; "alternate" starts with the agent after each reset with a seed.
    misere : bool or None
    render_mode : {"human", "ansi", "rgb_array"} or None
        Both as in `raw_env`.

    Attributes
    ----------
    game : Game
        ``game.moves[action]`` is the move for an action.

    Notes
    -----
    The reward is +1, 0 or -1 at the end and 0 before; an illegal move by either side loses. The info contains
    the agent's `seat`, "first" or "second", and at the end who has won and why. Gymnasium cannot end a game
    in `reset`: if the opponent's very first move ends it, the mask is all 0, and the next step returns the
    result, whatever its action.

    Examples
    --------
    >>> how = {"scenario": "SINGLE_21_3", "opponent": "perfect", "first": "opponent"}
    >>> seat = gymnasium.make("coinlib/Coins-v0", **how)
    >>> observation, info = seat.reset(seed=1)
    >>> observation
    array([19,  3])
    >>> observation, reward, terminated, truncated, info = seat.step(2)
    >>> observation, reward, terminated
    (array([13,  3]), 0.0, False)
    """

    def __init__(
        self,
        scenario: str | Game = "NIM",
        opponent: str | Callable = "random",
        first: str = "alternate",
        misere: bool | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._set_up(scenario, misere, render_mode)
        self.first = one_of(first, "first", ("agent", "opponent", "alternate"))
        if isinstance(opponent, str):
            opponent = named.agent(opponent, self.game)
        check_agent(opponent, "opponent")
        # The copy draws from the environment's generator, and the original is left unchanged.
        self.opponent = copy.copy(opponent)
        self.observation_space = self._seen
        self.action_space = spaces.Discrete(len(self.game.moves))
        self._games = 0  # since the last reset with a seed

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Start a game; if the opponent moves first, it makes its move."""
        super().reset(seed=seed)
        if seed is not None:
            self._games = 0
        agent_first = self.first == "agent" or (self.first == "alternate" and self._games % 2 == 0)
        self._mine = 1 if agent_first else 2
        self._names = ("agent", "opponent") if agent_first else ("opponent", "agent")
        self._games += 1
        if hasattr(self.opponent, "generator"):
            self.opponent.generator = self.np_random
        opponent = sit_down(self.opponent, learn=False)
        self._match = Match(self.game, (opponent, opponent), (agent_name(opponent),) * 2)
        self._begun = True
        self._show()
        self._reply()
        return self.state(), self._info(self._mine)

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Make a move, and let the opponent answer."""
        self._check_begun("step")
        if not self._match.over:
            self._make(action)
            self._reply()
        return self.state(), self._reward(self._mine), self._match.over, False, self._info(self._mine)

    def _info(self, player: int) -> dict:
        return {"seat": "first" if self._mine == 1 else "second", **super()._info(player)}

    def action_masks(self) -> np.ndarray:
        """bool array, shape (moves,): which actions are legal now; SB3-Contrib's MaskablePPO calls it."""
        self._check_begun("action_masks")
        return self._mask(self._mine).astype(bool)

    def _reply(self) -> None:
        """Make the opponent's move, if it is its turn."""
        if not self._match.over and self._match.turn != self._mine:
            self._match.step()
            self._show()


gymnasium.register(ID, entry_point="coincourse.outside.envs:SeatEnv")
