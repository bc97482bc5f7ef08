"""A board for a page without Python: its games as tables, and every sentence that it may need.

The page looks everything up in these tables (docs/_static/live_board.js) and knows no rule of any game. States
and moves are numbers: indices into the lists `states` and `moves`. State 0 is the start.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coinlib.games import CoinGame, Game, Move
from coinlib.tables import Table, tabulate

from ..base.tasks import say_needs_jupyter
from ..boards.board import Board
from ..boards.offers import PERSON, with_ending
from ..boards.plain_data import balls_of, opponent_name
from ..boards.words import NOT_NOW, TAKEN_BACK, TIE, GameWords, side_sentences, to_take, words_for


def game_tables(board: Board) -> dict[str, Any]:
    """Everything a page needs to play on this board from its present state, with everything that its controls offer."""
    column = tabulate(board.game).column
    return {
        "style": board.style,  # Its still picture has no style.
        "settings": board.get_state(list(board.CONTROLS)),
        "past": {"moves": [column[move] for move in board.moves], "earlier": board.data.earlier},
        "delay": round(1000 * board.delay),
        "words": {"not_now": NOT_NOW, "to_take": to_take(board.data.thing), "taken_back": TAKEN_BACK, "tie": TIE},
        "games": {name: with_endings(board, game) for name, game in offered(board, "game").items()},
    }


def offered(board: Board, control: str) -> dict[str, Any]:
    """What a menu offers, by name; if it is not shown, only its present value."""
    if control in board.shown:
        return board.offered[control]
    return {board.get_state(control)[control]: getattr(board, control)}


def with_endings(board: Board, game: Game) -> dict[str, Any]:
    """The tables of a game, for each ending that can be chosen."""
    endings = ("misere", "normal") if "ending" in board.shown else (board.ending,)
    return {ending: one_game(board, with_ending(game, ending)) for ending in endings}


def one_game(board: Board, game: Game) -> dict[str, Any]:
    """One game with its texts and its opponents.

    `coins` is a game of coins in plain data, for an agent that is written on the page: its rows, the most coins
    that may be taken in one turn, and whether it is misère. `next` is the state each move leads to from each state,
    and 0 where it is illegal, since no move leads to the start. `result` names the states in which the game is
    over: +1, 0 or -1 for the player who would move next.
    """
    words = words_for(game, board.data.thing)
    table = tabulate(game)
    opponents = opponents_of(board, game)
    # The board says the same about all agents, so one of them is enough.
    kinds = {PERSON if name == PERSON else "random" for name in opponents}
    return {
        "coins": [game.rows, game.max_pick, game.misere] if type(game) is CoinGame else None,
        "rows": words.rows,
        "row": words.row,
        "thing": words.thing,
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
        "seats": {kind: sides(board, game, opponents, kind) for kind in sorted(kinds)},
    }


def opponents_of(board: Board, game: Game) -> dict[str, list | None]:
    """The opponents that can play from a table, each with the moves that it draws from; None for a person."""
    chosen = opponent_name(board.opponent)
    found = {}
    for name, opponent in offered(board, "opponent").items():
        agent = board.agents.get(name, opponent)
        if name == "search" != chosen:  # A search takes too long, so only a lesson that asks for it gets it.
            continue
        balls = balls_of(game, agent)
        if balls or name == PERSON:
            found[name] = balls
    return found


def refusals(words: GameWords) -> dict[str, str]:
    """What to say about coins too far from the right end of their row, at the start and later."""
    found = {}
    for row, held in enumerate(words.rows or ()):
        for count in range(1, held + 1):
            move = Move(row, count)
            if move not in words.game.moves:
                found[words.to(move)] = words.refused(words.game.start, move, None)
    return found


def hints(words: GameWords, table: Table) -> list[tuple]:
    """The hint for each state, and the moves that it marks."""
    found = []
    for state in table.states:
        best, hint = words.advice(state)
        found.append((hint, [table.column[move] for move in best]))
    return found


def sides(board: Board, game: Game, opponents: dict[str, Any], opponent: str) -> dict[str, Any]:
    """What to say about both sides, and the controls as HTML at the start, when this opponent plays.

    `told[over][move]` is the sentence for a move during a game, or for the last move.
    """
    words = words_for(game, board.data.thing)
    other = Board(game, opponent, controls=board.shown, tasks=board.tasks, thing=board.data.thing)
    if opponent != PERSON and "opponent" not in board.shown:
        other.set_quietly(opponent=board.opponent)  # The title names it.
    other.offered = board.offered | {"opponent": opponents}
    other.update()
    return {
        "sides": [one_side(words, side) for side in other.data.sides],
        "frame": say_needs_jupyter(other.frame, board.tasks),
    }


def one_side(words: GameWords, side: str) -> dict[str, Any]:
    """What to say about one side: its name, and the sentence for each of its moves."""
    told = [[words.sentence(side, move, over) for move in tabulate(words.game).moves] for over in (False, True)]
    return side_sentences(side) | {"told": told}
