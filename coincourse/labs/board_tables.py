"""A board for a page without Python: its games as tables, and every sentence that it may say, worked out beforehand.

The page plays by looking things up here (docs/_static/living_board.js); it knows no rule of any game. States and moves
are numbers: places in the lists `states` and `moves`. State 0 is the start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from coinlib.agents import PerfectAgent, RandomAgent, RuleAgent
from coinlib.games import CoinGame, Game
from coinlib.search import SearchAgent
from coinlib.tables import Table, tabulate

from .board import PERSON, Board, Play, opponent_name, with_ending
from .game_words import NOT_NOW, TAKEN_BACK, TIE, TO_TAKE, GameWords, begins, turn_of, victory_of, words_for
from .pages import page

TAKING = "{taking}"  # stands in a frame for the words of the button that takes


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
    both = "ending" in board.shown and isinstance(game, CoinGame)
    names = ("misere", "normal") if both else (board.ending,)
    return {name: tables(board, with_ending(game, name)) for name in names}


def tables(board: Board, game: Game) -> dict[str, Any]:
    """One game with its words, and all who can play it.

    `next` is the state to which each move leads from each state, 0 where it is illegal, since no move leads to the
    start; `result` names the states in which the game is over: +1, 0 or -1 for whoever would move next.
    """
    words, table = words_for(game), tabulate(game)
    if table.reward.any():
        raise ValueError("Games with points are played in JupyterLab only.")
    opponents = opponents_of(board, game)
    kinds = {PERSON if name == PERSON else "random" for name in opponents}  # of all agents the same is said
    return {
        "rows": words.rows,
        "states": [words.drawn(state) for state in table.states],
        "moves": [words.to(move) for move in table.moves],
        "next": table.next_state.clip(min=0).tolist(),
        "result": {row: int(table.result[row]) for row in np.flatnonzero(table.over).tolist()},
        "rules": words.rules,
        "nothing": words.nothing,
        "marks": words.marks,
        "buttons": [words.button(move) for move in table.moves] if words.marks else [],
        "refused": refusals(game),
        "hints": hints(words, table) if board.hints or "hints" in board.shown else None,
        "opponents": opponents,
        "seats": {kind: seats(board, game, opponents, kind) for kind in sorted(kinds)},
    }


def opponents_of(board: Board, game: Game) -> dict[str, list | None]:
    """Those opponents that can play the game so, with their hats; a person has none."""
    agents = offered(board, "opponent")
    all_hats = {name: hats(game, board.agents.get(name, agent)) for name, agent in agents.items()}
    known = {name: balls for name, balls in all_hats.items() if balls or name == PERSON}
    name = opponent_name(board.opponent)
    if isinstance(board.opponent, SearchAgent):
        known[name] = replies(board, game)
    if game == board.game and name not in known:
        raise ValueError(f"opponent: {name} cannot say beforehand how it plays; a RuleAgent can")
    return known


def hats(game: Game, agent: Callable) -> list[list[int]] | None:
    """For each state the moves of which an agent draws one, as balls from a hat; None where it cannot say so beforehand."""
    table = tabulate(game)
    weights = agent.move_weights(game, table) if isinstance(agent, RandomAgent | PerfectAgent | RuleAgent) else None
    if weights is None or weights[~table.legal].any():
        return None
    return [np.repeat(np.arange(len(row)), row.astype(int)).tolist() for row in weights]


def replies(board: Board, game: Game) -> list[list[int]]:
    """One reply of the board's opponent for each state to which its replies can lead; no ball in any other state."""
    table = tabulate(game)
    balls: list[list[int]] = [[] for _ in table.states]
    seen, ahead = set(), [(0, True), (0, False)] if "you_start" in board.shown else [(0, board.you_start)]
    if game == board.game:  # which may have begun already
        ahead += [
            (table.row(state), (turn % 2 == 0) == board.you_start) for turn, state in enumerate(board.data.states)
        ]
    while ahead:
        row, yours = ahead.pop()
        if (row, yours) in seen or table.over[row]:
            continue
        seen.add((row, yours))
        if not yours and not balls[row]:
            balls[row] = [table.column[board.opponent(game, table.states[row])]]
        columns = np.flatnonzero(table.legal[row]) if yours else balls[row]
        ahead += [(int(table.next_state[row, column]), not yours) for column in columns]
    return balls


def plain_opponent(game: Game, opponent: str | Callable) -> str | dict[str, Any] | None:
    """An opponent as plain data: its name; a search by its settings; or a rule, and in one line its move in each state.

    None for a function that does not promise to depend on the state alone: asked beforehand it may do something else.
    A search draws, and each of its replies is one that it may give.
    """
    if isinstance(opponent, str):
        return opponent
    if isinstance(opponent, SearchAgent):
        return {"simulations": opponent.simulations, "exploration": opponent.exploration}
    balls = hats(game, opponent) if isinstance(opponent, RuleAgent) else None
    return balls and {
        "name": opponent_name(opponent),
        "moves": " ".join(str(drawn[0] if drawn else 0) for drawn in balls),
    }


def refusals(game: Game) -> dict[str, str]:
    """What is said of the coins that are too far from the right end of their row: the same at the start and later."""
    play, refused = Play(game, PERSON, you_start=True), {}
    for row, held in enumerate(play.words.rows or ()):
        for count in range(1, held + 1):
            try:
                play.read(row, count)
            except ValueError as error:
                refused[f"{row},{count}"] = str(error)
    return refused


def hints(words: GameWords, table: Table) -> dict[str, list]:
    """The hints that there are, each with the moves that it marks, and for each state the number of its own."""
    numbers: dict[tuple, int] = {}
    of = []
    for state in table.states:
        best, hint = words.advice(state)
        of.append(numbers.setdefault((hint, *(table.column[move] for move in best)), len(numbers)))
    return {"all": [(hint, best) for hint, *best in numbers], "of": of}


def seats(board: Board, game: Game, opponents: dict[str, Any], opponent: str) -> dict[str, list]:
    """What is said of both sides, and the controls as HTML, where this opponent plays.

    `frames[over][undoes][takes]`: whether the game is over, a move can be taken back, something is marked.
    """
    other = Board(game, opponent, controls=board.shown)
    other.offered = board.offered | {"opponent": opponents}
    other.redraw()

    def frame(over: bool, undoes: bool, takes: bool) -> str:
        below = [other.buttons(TAKING, takes, undoes, over).describe(), *other.view["below"][1:]]
        return page("lab.html", program=other.program, **other.view | {"below": below})

    no_yes = (False, True)
    frames = [[[frame(over, undoes, takes) for takes in no_yes] for undoes in no_yes] for over in no_yes]
    return {"sides": [spoken(game, side) for side in other.data.sides], "frames": frames}


def spoken(game: Game, side: str) -> dict[str, Any]:
    """All that is said of one side; of its moves in the course of a game, and of each where it is the last one."""
    words, moves = words_for(game), tabulate(game).moves
    told = [[words.told(side, move, over) for move in moves] for over in (False, True)]
    return {"name": side, "begins": begins(side), "turn": turn_of(side), "wins": victory_of(side), "told": told}
