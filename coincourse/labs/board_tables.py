"""A board for a page without Python: its games as tables, and every sentence that it may say, worked out beforehand.

The page plays by looking things up here (docs/_static/living_board.js); it knows no rule of any game. States and moves
are numbers: places in the lists `states` and `moves`. State 0 is the start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from coinlib.agents import PerfectAgent, RandomAgent, RuleAgent
from coinlib.games import CoinGame, Game, Move
from coinlib.search import SearchAgent
from coinlib.tables import Table, tabulate

from .board import PERSON, Board, opponent_name, with_ending
from .game_words import NOT_NOW, TAKEN_BACK, TIE, TO_TAKE, GameWords, spoken, words_for

TABLED = 5_000  # states of a game that can be played here, at most


def living(board: Board) -> dict[str, Any]:
    """All that a page needs to play on this board from where it stands, with all that its controls offer."""
    column = tabulate(board.game).column
    return {
        "host": "board",
        "style": board.style,  # which its still picture does not have
        "settings": board.get_state(list(board.CONTROLS)),
        "past": {"moves": [column[move] for move in board.moves], "earlier": board.data.earlier},
        "delay": round(1000 * board.data.delay),
        "words": {"not_now": NOT_NOW, "to_take": TO_TAKE, "taken_back": TAKEN_BACK, "tie": TIE},
        "games": {name: endings(board, game) for name, game in offered(board, "game").items()},
    }


def offered(board: Board, control: str) -> dict[str, Any]:
    """What a menu offers, by name; where it is not shown, what is set."""
    if control in board.shown:
        return board.offered[control]
    return {board.get_state(control)[control]: getattr(board, control)}


def endings(board: Board, game: Game) -> dict[str, Any]:
    """A game with each ending that can be chosen."""
    names = ("misere", "normal") if "ending" in board.shown else (board.ending,)
    return {name: tables(board, with_ending(game, name)) for name in names}


def tables(board: Board, game: Game) -> dict[str, Any]:
    """One game with its words, and all who can play it.

    `next` is the state to which each move leads from each state, 0 where it is illegal, since no move leads to the
    start; `result` names the states in which the game is over: +1, 0 or -1 for whoever would move next.
    """
    words, table = words_for(game), tabulate(game)
    opponents = opponents_of(board, game)
    kinds = {PERSON if name == PERSON else "random" for name in opponents}  # of all agents the same is said
    return {
        "rows": words.rows,
        "states": list(map(words.drawn, table.states)),
        "moves": [words.to(move) for move in table.moves],
        "next": table.next_state.clip(min=0).tolist(),
        "result": {row: int(table.result[row]) for row in np.flatnonzero(table.over).tolist()},
        "rules": words.rules,
        "nothing": words.nothing,
        "buttons": [f"Take {words.named(move)}" for move in table.moves],
        "refused": refusals(words),
        "hints": hints(words, table) if board.hints or "hints" in board.shown else None,
        "opponents": opponents,
        "seats": {kind: seats(board, game, opponents, kind) for kind in sorted(kinds)},
    }


def opponents_of(board: Board, game: Game) -> dict[str, list | None]:
    """Those opponents that can play the game so, with their hats; a person has none."""
    agents = {name: board.agents.get(name, agent) for name, agent in offered(board, "opponent").items()}
    chosen = opponent_name(board.opponent)  # a search takes long: only that of the lesson is asked
    asked = {name: agent for name, agent in agents.items() if name == chosen or not isinstance(agent, SearchAgent)}
    known = {name: hats(game, agent) for name, agent in asked.items()}
    return {name: balls for name, balls in known.items() if balls or name == PERSON}


def hats(game: Game, agent: Callable) -> list[list[int]] | None:
    """For each state the moves of which an agent draws one, as balls from a hat; None where it cannot say so beforehand.

    Of a search, which draws as well, it is one of the replies that it may give.
    """
    table = tabulate(game)
    if isinstance(agent, SearchAgent):
        return [[] if over else [table.column[agent(game, state)]] for state, over in zip(table.states, table.over)]
    weights = agent.move_weights(game, table) if isinstance(agent, RandomAgent | PerfectAgent | RuleAgent) else None
    if weights is None or weights[~table.legal].any():
        return None
    return [np.repeat(np.arange(len(row)), row.astype(int)).tolist() for row in weights]


def plain(game: Game, setting: Game | Callable) -> dict[str, Any]:
    """The game or the opponent of a board as plain data: a search by its settings, a rule by its move in each state.

    TypeError for a large game, and for a function that does not promise to depend on the state alone: asked beforehand
    it may do something else. A search draws, and each of its replies is one that it may give.
    """
    if isinstance(setting, CoinGame) and setting.state_count <= TABLED:
        return asdict(setting)
    if isinstance(setting, SearchAgent):
        return {"simulations": setting.simulations, "exploration": setting.exploration}
    balls = hats(game, setting) if isinstance(setting, RuleAgent) else None
    if not balls:
        raise TypeError(f"{setting!r} does not live on a page without Python")
    return {"name": opponent_name(setting), "moves": " ".join(str(drawn[0] if drawn else 0) for drawn in balls)}


def refusals(words: GameWords) -> dict[str, str]:
    """What is said of the coins that are too far from the right end of their row: the same at the start and later."""
    coins = [Move(row, count) for row, held in enumerate(words.rows or ()) for count in range(1, held + 1)]
    start, moves = words.game.start, words.game.moves
    return {words.to(move): words.refused(start, move, None) for move in coins if move not in moves}


def hints(words: GameWords, table: Table) -> list[tuple]:
    """For each state the hint, and the moves that it marks."""
    advice = map(words.advice, table.states)
    return [(hint, [table.column[move] for move in best]) for best, hint in advice]


def seats(board: Board, game: Game, opponents: dict[str, Any], opponent: str) -> dict[str, Any]:
    """What is said of both sides, and the controls as HTML at the start, where this opponent plays.

    `told[over][move]`: a move in the course of a game, or as the last one.
    """
    other = Board(game, opponent, controls=board.shown)
    other.offered = board.offered | {"opponent": opponents}
    other.redraw()
    words, moves = words_for(game), tabulate(game).moves
    told = {
        side: [[words.told(side, move, over) for move in moves] for over in (False, True)] for side in other.data.sides
    }
    return {"sides": [spoken(side) | {"told": told[side]} for side in told], "frame": other.frame}
