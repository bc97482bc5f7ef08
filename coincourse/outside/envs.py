"""The games for other people's learners: PettingZoo (both players) and Gymnasium (one seat).

Both need the extra `rl`. Here an action is the number of a move in ``game.moves``. In rows of coins the
players see what the AI Sandbox protocol tells them: the coins left in each row, then the most one move may
take. In any other game they see the numbers of its state, or, where it is not made of whole numbers, its
place in the list ``tabulate(game).states``. An action of the action space that is not legal now loses.
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
        f"coincourse.outside.envs needs PettingZoo and Gymnasium, which the course itself does not ({error}). "
        "Add them with: pip install pettingzoo gymnasium"
    ) from error

PLAYERS = ("player_0", "player_1")  # in the order of their first moves
ID = "coinlib/Coins-v0"


class _MatchEnv:
    """The part that both environments share: a match, and how learners and people see it."""

    metadata: ClassVar[dict] = {
        "name": "coins_v0",
        "render_modes": ["human", "ansi", "rgb_array"],
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def _set_up(self, scenario: str | Game, misere: bool | None, render_mode: str | None) -> None:
        game = as_game(scenario)
        self.game = game if misere is None else replace(game, misere=misere)
        self._has_rows = isinstance(self.game, CoinGame)
        if self._has_rows:
            # A state of rows is seen as it is: no table of all states is needed, however large the rows are.
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
        """int64 array: what a player sees of a state."""
        if self._has_rows:
            return np.array([*state, self.game.most])
        if isinstance(state, tuple) and all(isinstance(number, int) for number in state):
            return np.array(state)
        return np.array([self._table.row(state)])

    def _make(self, action) -> None:
        """Make the move that an action means; ValueError if the number is outside the action space."""
        number = whole_number(action, "action", most=len(self.game.moves) - 1)
        self._match.make(self.game.moves[number])
        self._show()

    def state(self) -> np.ndarray:
        """All there is to know about the game; both players see it."""
        return self._numbers(self._match.state)

    def _mask(self, player: int) -> np.ndarray:
        """int8 array, shape (moves,): 1 where the player may move so now; all 0 when it is not their turn."""
        match = self._match
        legal = []
        if not match.over and player == match.turn:
            legal = self.game.legal_moves(match.state)
        return np.array([move in legal for move in self.game.moves], dtype=np.int8)

    def _info(self, player: int) -> dict:
        """The mask, and at the end who won and why: the players' names, or None for no player."""
        match = self._match
        info: dict = {"action_mask": self._mask(player)}
        if match.over:
            names = (None, *self._names)
            info["winner"] = names[match.winner]
            info["forfeit"] = names[match.forfeit.player] if match.forfeit else None
            info["reason"] = match.reason_with(*self._names)
        return info

    def _reward(self, player: int) -> float:
        """+1 for a win, -1 for a loss, 0 for a tie and while the game goes on."""
        return float(self._match.outcome(player))

    def render(self) -> str | np.ndarray | None:
        """The position as the render mode has it: printed, as text, or as an array of colours."""
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
    """The position as text, and below it who is to move, or how the game has ended."""
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
    """A game for two learners, in PettingZoo's AEC form: the players act in turn.

    The players are "player_0", who moves first, and "player_1". `env` is this with PettingZoo's check
    that the methods are called in a sensible order.

    Parameters
    ----------
    scenario : str or Game
        The name of a scenario, or any game, also one of your own.
    misere : bool or None
        For rows of coins. True: the player who takes the last coin loses. False: that player wins. None: as in
        `scenario`.
    render_mode : {"human", "ansi", "rgb_array"} or None
        "human" prints each position, "ansi" returns it as text (in a game of your own what its
        `picture(state)` gives, if it has one), "rgb_array" as a picture, for rows of coins.

    Attributes
    ----------
    game : Game
        ``game.moves[action]`` is the move that an action means.

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
        # An object for each player, since each draws its samples from a generator of its own.
        self._actions = {player: spaces.Discrete(len(self.game.moves)) for player in PLAYERS}

    def observation_space(self, agent: str) -> spaces.Box:
        """The bounds of the numbers that a player sees."""
        return self._seen

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of the moves in ``game.moves``."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begin anew. There is no chance in the game, so the seed changes nothing."""
        self.agents = list(PLAYERS)
        self._match = Match(self.game)
        self._begun = True
        self._cumulative_rewards = dict.fromkeys(PLAYERS, 0.0)
        self._skip_agent_selection = None
        self._tell()
        self._show()

    def step(self, action: int | None) -> None:
        """Make the move of the player whose turn it is; after the end, None for each player."""
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
        """Do nothing: PettingZoo asks for this method, and nothing is open."""


def env(*settings, **more_settings) -> wrappers.OrderEnforcingWrapper:
    """A game as a PettingZoo environment (AEC); see `raw_env`.

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

    It is registered as ``coinlib/Coins-v0`` as soon as `coincourse.outside.envs` is imported.

    Parameters
    ----------
    scenario : str or Game
        The name of a scenario, or any game, also one of your own.
    opponent : str or agent
        A name of `coinlib.named.AGENTS`, such as "random" or "perfect", or any function from ``(game, state)``
        to a move. If it has an attribute `generator`, it draws from the environment's, so that
        ``reset(seed=...)`` repeats its play too.
    first : {"agent", "opponent", "alternate"}
        Who moves first; "alternate" begins with the agent after each reset with a seed.
    misere : bool or None
    render_mode : {"human", "ansi", "rgb_array"} or None
        Both as in `raw_env`.

    Attributes
    ----------
    game : Game
        ``game.moves[action]`` is the move that an action means.

    Notes
    -----
    The reward is +1, 0 or -1 at the end and 0 before; an illegal move loses, of either side. The info says
    which `seat` the agent has, "first" or "second", and at the end who has won and why. Gymnasium has
    no way to end a game in `reset`. Should the opponent's very first move end it, the mask is all 0, and
    the next step, whatever its action, brings the result.

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
        # The copy draws from the environment's generator, and the opponent's own stays as it was.
        self.opponent = copy.copy(opponent)
        self.observation_space = self._seen
        self.action_space = spaces.Discrete(len(self.game.moves))
        self._games = 0  # since the last reset with a seed

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Begin a game; if the opponent moves first, it makes its move."""
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
        """bool array, shape (moves,): which actions are legal now; SB3-Contrib's MaskablePPO asks for it."""
        self._check_begun("action_masks")
        return self._mask(self._mine).astype(bool)

    def _reply(self) -> None:
        """The opponent's move, if it is its turn."""
        if not self._match.over and self._match.turn != self._mine:
            self._match.step()
            self._show()


gymnasium.register(ID, entry_point="coincourse.outside.envs:SeatEnv")
