"""The coin games for other people's learners: PettingZoo (both players) and Gymnasium (one seat).

Both need the extra `rl`. Here an action is the number of a move in ``game.moves``; what the players see
is what the AI Sandbox protocol tells them: the coins left in each row, then the most one move may take.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import numpy as np

from coinlib import named
from coinlib.arena import Match
from coinlib.arguments import check_agent, counted, one_of, shown, whole_number
from coinlib.games import CoinGame, State, coin_game

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

RENDER_MODES = ["human", "ansi", "rgb_array"]
PLAYERS = ("player_0", "player_1")  # in the order of their first moves
ID = "coinlib/Coins-v0"
LARGEST = 2**63 - 1  # the largest number of an observation
DRAWN_AT_MOST = 10_000  # coins in a picture or in words
COIN, DARK, GONE, TABLE = (230, 159, 0), (34, 34, 34), (150, 150, 150), (255, 255, 255)  # red, green, blue
TILE = 32  # pixels of one coin from side to side, with its margin


# --- one game, as both environments play it ----------------------------------------------------------------


class _Play(Match):
    """A match under way, as PettingZoo and Gymnasium want to be told of it."""

    @property
    def acting(self) -> int:
        """The player whom the environments call next: 1 or 2; after the end the one who would have moved."""
        return 3 - self.forfeit if self.forfeit else self.turn

    def observation(self) -> np.ndarray:
        """The coins of each row, then the most one move may take."""
        return np.array([*self.state, _most(self.game)], dtype=np.int64)

    def mask(self, player: int) -> np.ndarray:
        """int8 array, shape (moves,): 1 where the player may move so now; all 0 when it is not their turn."""
        mine = not self.over and player == self.turn
        legal = set(self.game.legal_moves(self.state)) if mine else set()
        return np.array([move in legal for move in self.game.moves], dtype=np.int8)

    def info(self, player: int) -> dict:
        """What Gymnasium and PettingZoo call info: the mask, and at the end who won and why."""
        ended = {"winner": self.winner, "forfeit": self.forfeit, "reason": self.reason} if self.over else {}
        return {"action_mask": self.mask(player), **ended}

    def reward(self, player: int) -> float:
        """+1 for a win, -1 for a loss, 0 while the game goes on."""
        return 0.0 if not self.over else 1.0 if self.winner == player else -1.0


def _most(game: CoinGame) -> int:
    return max(game.rows) if game.max_pick is None else game.max_pick


def _read_game(scenario: str | CoinGame, misere: bool | None) -> CoinGame:
    """The game that was asked for, in the ending that was asked for."""
    scenario = coin_game(scenario, "scenario")
    if not any(scenario.rows):
        raise ValueError(f"scenario: expected one coin or more, got rows of {scenario.rows}")
    if _most(scenario) > LARGEST or max(scenario.rows) > LARGEST:
        raise ValueError(f"scenario: expected numbers below 2^63, got {shown(scenario)}")
    return scenario if misere is None else replace(scenario, misere=misere)


def _named(game: CoinGame, action) -> object:
    """The move that an action names; an action outside the action space is a slip in somebody's code."""
    try:
        number = whole_number(action, "action", least=0, most=len(game.moves) - 1)
    except (TypeError, ValueError):
        expected = f"the number of a move, from 0 to {len(game.moves) - 1}"
        raise ValueError(f"action: expected {expected}; got {shown(action)}") from None
    return game.moves[number]


def _check_mode(render_mode: str | None, game: CoinGame) -> str | None:
    if render_mode is None:
        return None
    if not (isinstance(render_mode, str) and render_mode in RENDER_MODES):
        raise ValueError(f"render_mode: expected {', '.join(RENDER_MODES)} or None, got {shown(render_mode)}")
    if len(game.rows) * max(game.rows) > DRAWN_AT_MOST:
        raise ValueError(f"render_mode: expected None, since more than {DRAWN_AT_MOST:,} coins are not drawn")
    return str(render_mode)


def _observations(game: CoinGame) -> spaces.Box:
    return spaces.Box(0, np.array([*game.rows, _most(game)], dtype=np.int64), dtype=np.int64)


# --- pictures -------------------------------------------------------------------------------------------


def _render(play: _Play, names: tuple[str, str], mode: str | None):
    """The position as `mode` wants it: printed, as text, or as an array of colours."""
    if mode is None:
        gymnasium.logger.warn(f"nothing to render: make the environment with render_mode one of {RENDER_MODES}")
        return None
    if mode == "rgb_array":
        return _picture(play.game, play.state)
    words = _words(play, names)
    if mode == "ansi":
        return words
    print(words, flush=True)
    return None


def _words(play: _Play, names: tuple[str, str]) -> str:
    game = play.game
    most = "any number" if game.max_pick is None else f"1 to {game.max_pick}" if game.max_pick > 1 else "1"
    lines = [f"{game.ending}: take {most} from one row"]
    for row, (held, start) in enumerate(zip(play.state, game.rows)):
        lines.append(f"row {row}: {'o' * held}{'.' * (start - held)} {counted(held, 'coin')}")
    lines.append(f"{names[play.winner - 1]} wins: {play.reason}" if play.over else f"{names[play.turn - 1]} to move")
    return "\n".join(lines) + "\n"


def _picture(game: CoinGame, state: State) -> np.ndarray:
    """uint8 array, shape (height, width, 3): a disc for each coin, a ring where one was taken."""
    there, away, bare = _disc(COIN, DARK), _disc(TABLE, GONE), _disc(TABLE, TABLE)
    wide = max(game.rows)
    rows = zip(state, game.rows)
    tiles = [[there] * held + [away] * (start - held) + [bare] * (wide - start) for held, start in rows]
    return np.vstack([np.hstack(line) for line in tiles])


def _disc(inside: tuple, edge: tuple) -> np.ndarray:
    """One tile with a disc and its edge."""
    place = np.arange(TILE) - (TILE - 1) / 2
    away = np.hypot(place[:, None], place[None, :])[..., None]
    return np.where(away < TILE * 0.36, inside, np.where(away < TILE * 0.44, edge, TABLE)).astype(np.uint8)


# --- PettingZoo -----------------------------------------------------------------------------------------


class raw_env(AECEnv):
    """A coin game for two learners, in PettingZoo's AEC form: the players act in turn.

    The players are "player_0", who moves first, and "player_1". `env` is this with PettingZoo's check
    that the methods are called in a sensible order.

    Parameters
    ----------
    scenario : str or CoinGame
        The name of a scenario, or any game of coins with one coin or more.
    misere : bool or None
        True: who takes the last coin loses. False: who takes it wins. None: as `scenario` has it.
    render_mode : {"human", "ansi", "rgb_array"} or None
        "human" prints each position, "ansi" returns it as text, "rgb_array" as a picture.

    Attributes
    ----------
    game : CoinGame
        ``game.moves[action]`` is the move that an action means.

    Raises
    ------
    TypeError, ValueError
        If a parameter is none of the above, or an action is not in the action space. (An action of the
        space that is not legal now raises nothing: it loses the game.)

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
    ({'player_0': -1.0, 'player_1': 1.0}, 'player 1 forfeits: row 0 holds 1 coin; asked to take 2 (legal: 1)')
    """

    metadata: ClassVar[dict] = {
        "name": "coins_v0",
        "render_modes": RENDER_MODES,
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self, scenario: str | CoinGame = "NIM", misere: bool | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.game = _read_game(scenario, misere)
        self.render_mode = _check_mode(render_mode, self.game)
        self.possible_agents = list(PLAYERS)
        self.agents: list[str] = []
        self.observation_spaces = {player: _observations(self.game) for player in PLAYERS}
        self.action_spaces = {player: spaces.Discrete(len(self.game.moves)) for player in PLAYERS}
        self._play = _Play(self.game)

    def observation_space(self, agent: str) -> spaces.Box:
        """The coins of each row, then the most one move may take: integers from 0 up."""
        return self.observation_spaces[one_of(agent, "agent", PLAYERS)]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of the moves in ``game.moves``."""
        return self.action_spaces[one_of(agent, "agent", PLAYERS)]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Put all coins back. There is no chance in the game, so the seed changes nothing."""
        self.agents = list(PLAYERS)
        self._play = _Play(self.game)
        self._cumulative_rewards = dict.fromkeys(PLAYERS, 0.0)
        self._skip_agent_selection = None
        self._tell()

    def step(self, action: int | None) -> None:
        """Make the move of the player whose turn it is; after the end, None for each player."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        move = _named(self.game, action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._play.make(move)
        self._tell()
        self._accumulate_rewards()

    def _tell(self) -> None:
        """Say in PettingZoo's words how the game stands."""
        play, players = self._play, dict(zip(PLAYERS, (1, 2)))
        self.agent_selection = PLAYERS[play.acting - 1]
        self.rewards = {player: play.reward(number) for player, number in players.items()}
        self.terminations = dict.fromkeys(PLAYERS, play.over)
        self.truncations = dict.fromkeys(PLAYERS, False)
        self.infos = {player: play.info(number) for player, number in players.items()}
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> np.ndarray:
        """int64 array, shape (rows + 1,): both players see the same."""
        one_of(agent, "agent", PLAYERS)
        return self._play.observation()

    def state(self) -> np.ndarray:
        """What there is to know of the game, which is what both players see."""
        return self._play.observation()

    def render(self) -> str | np.ndarray | None:
        """The position as the render mode has it."""
        return _render(self._play, PLAYERS, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""


def env(
    scenario: str | CoinGame = "NIM", misere: bool | None = None, render_mode: str | None = None
) -> wrappers.OrderEnforcingWrapper:
    """A coin game as a PettingZoo environment (AEC); see `raw_env`.

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
    return wrappers.OrderEnforcingWrapper(raw_env(scenario, misere, render_mode))


# --- Gymnasium ------------------------------------------------------------------------------------------


class SeatEnv(gymnasium.Env):
    """One seat of a coin game, as a Gymnasium environment: the opponent is part of the environment.

    It is registered as ``coinlib/Coins-v0`` as soon as `coincourse.outside.envs` is imported.

    Parameters
    ----------
    scenario : str or CoinGame
        The name of a scenario, or any game of coins with one coin or more.
    opponent : str or agent
        A name of `coinlib.named.AGENTS`, such as "random" or "perfect"; any function from ``(game, state)`` to a move will do. Where it has an attribute `generator`, it
        draws from the environment's own, so that ``reset(seed=...)`` repeats its play too.
    first : {"agent", "opponent", "alternate"}
        Who moves first; "alternate" begins with the agent after each reset with a seed.
    misere : bool or None
        True: who takes the last coin loses. False: who takes it wins. None: as `scenario` has it.
    render_mode : {"human", "ansi", "rgb_array"} or None
        As in `raw_env`.

    Attributes
    ----------
    game : CoinGame
        ``game.moves[action]`` is the move that an action means.

    Raises
    ------
    TypeError, ValueError
        If a parameter is none of the above, a seed is not a whole number from 0 up, or an action is not in the action
        space. (An action of the space that is not legal now raises nothing: it loses the game.)

    Notes
    -----
    The reward is +1 or -1 at the end and 0 before; an illegal move loses, of either side. Gymnasium has
    no way to end a game in `reset`. Should the opponent's very first move end it, the mask is all 0, and
    the next step, whatever its action, brings the result.

    Examples
    --------
    >>> seat = gymnasium.make("coinlib/Coins-v0", scenario="SINGLE_21_3", opponent="perfect", first="opponent")
    >>> observation, info = seat.reset(seed=1)
    >>> observation
    array([19,  3])
    >>> observation, reward, terminated, truncated, info = seat.step(2)
    >>> observation, reward, terminated
    (array([13,  3]), 0.0, False)
    """

    metadata: ClassVar[dict] = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(
        self,
        scenario: str | CoinGame = "NIM",
        opponent: str | Callable = "random",
        first: str = "alternate",
        misere: bool | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.first = one_of(first, "first", ("agent", "opponent", "alternate"))
        self.game = _read_game(scenario, misere)
        self.opponent = _read_opponent(opponent, self.game)
        self.render_mode = _check_mode(render_mode, self.game)
        self.observation_space = _observations(self.game)
        self.action_space = spaces.Discrete(len(self.game.moves))
        self._games = 0  # since the last reset with a seed
        self._play = _Play(self.game)
        self._mine = 1

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """Begin a game; where the opponent moves first, its move is made."""
        seed = None if seed is None else whole_number(seed, "seed", least=0)
        super().reset(seed=seed)
        self._games = 0 if seed is not None else self._games
        agent_first = self.first == "agent" or (self.first == "alternate" and self._games % 2 == 0)
        self._mine = 1 if agent_first else 2
        self._games += 1
        self._play = _Play(self.game)
        if hasattr(self.opponent, "new_match"):
            self.opponent.new_match()
        self._show()
        self._reply()
        return self._play.observation(), self._play.info(self._mine)

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Make a move, and let the opponent answer."""
        move = _named(self.game, action)
        if not self._play.over:
            self._play.make(move)
            self._show()
            self._reply()
        play = self._play
        return play.observation(), play.reward(self._mine), play.over, False, play.info(self._mine)

    def action_masks(self) -> np.ndarray:
        """bool array, shape (moves,): which actions are legal now (MaskablePPO of SB3-Contrib asks for it)."""
        return self._play.mask(self._mine).astype(bool)

    def render(self) -> str | np.ndarray | None:
        """The position as the render mode has it."""
        names = ("agent", "opponent") if self._mine == 1 else ("opponent", "agent")
        return _render(self._play, names, self.render_mode)

    def _reply(self) -> None:
        """The opponent's move, if it is its turn."""
        if self._play.over or self._play.turn == self._mine:
            return
        opponent, lent = self.opponent, hasattr(self.opponent, "generator")
        own = opponent.generator if lent else None
        try:
            if lent:
                opponent.generator = self.np_random
            answer = opponent(self.game, self._play.state)
        finally:
            if lent:
                opponent.generator = own
        self._play.make(answer)
        self._show()

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _read_opponent(opponent: str | Callable, game: CoinGame) -> Callable:
    if isinstance(opponent, str):
        return named.agent(opponent, game)
    check_agent(opponent, "opponent")
    return opponent


gymnasium.register(ID, entry_point="coincourse.outside.envs:SeatEnv")
