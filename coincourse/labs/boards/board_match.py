"""A match on a board: the marked move, the moves so far, the score, and what the board says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coinlib.arguments import counted
from coinlib.games import Game, IllegalMove, Move, read_move

from ..base.match_on_screen import COMPUTER, YOU, MatchOnScreen, within_sentence
from .offers import PERSON
from .words import NOT_NOW, TIE, side_sentences, words_for


class BoardMatch(MatchOnScreen):
    """A match on a board.

    Attributes
    ----------
    sides : tuple of two str
        You and the computer, or two people; `names` has them in the order of play.
    earlier : tuple of int
        The games won by each side before this one.
    forfeits : tuple of str
        The computer's illegal moves in those games, as text.
    picked : Move or None
        The move that is marked.
    notice : str
        Why something cannot be done, or what was done other than a move.
    thing : str
        The word for what is in a row: coin or stick.
    trouble : str
        How the computer's program failed, if it did.
    """

    def __init__(self, game: Game, opponent, you_start: bool, moves: Iterable, **settings) -> None:
        self.sides = ("Player 1", "Player 2") if opponent == PERSON else (YOU, COMPUTER)
        super().__init__(game, names=self.sides if you_start else self.sides[::-1])
        self.thing = settings["thing"]
        self.words = words_for(game, self.thing)
        self.earlier = settings["earlier"]
        self.forfeits = settings["forfeits"]
        self.notice = ""
        self.trouble = ""
        for move in moves:
            self.make(move)
        self.picked = None
        if settings["picked"] is not None:
            self.picked = self.read(Move(*settings["picked"]))

    # --- whose turn it is, and who has won

    @property
    def stage(self) -> str:
        """ "over", "yours" if a person is to move, or "waiting" for the computer."""
        if self.over:
            return "over"
        return "waiting" if self.player_to_move == COMPUTER else "yours"

    @property
    def champion(self) -> str:
        """The winner; "" for a tie, or until the game is over."""
        return self.names[self.winner - 1] if self.winner else ""

    @property
    def score(self) -> tuple[int, int]:
        """The games won by each side."""
        won = list(self.earlier)
        if self.champion:
            won[self.sides.index(self.champion)] += 1
        return tuple(won)

    # --- moves

    def read(self, *answer):
        """The move for an answer (one value, or a row and a count); a readable ValueError if it is illegal."""
        if len(answer) == 1:
            (answer,) = answer
        if self.stage != "yours":
            raise ValueError(NOT_NOW[self.stage])
        try:
            return read_move(self.game, self.state, answer)
        except IllegalMove as error:
            raise ValueError(self.words.refused(self.state, answer, error)) from None

    # --- what the board says

    @property
    def said(self) -> str:
        """What happened last."""
        if self.forfeit:
            why = self.forfeit.why
            return f"{COMPUTER} tries a move that is not allowed: {why}. An illegal move loses the game."
        if self.trouble:
            return self.trouble
        if self.moves:
            side, move = self.made[-1]
            return f"{self.words.sentence(side, move, self.over)} {self.points_said}".strip()
        if self.over:
            return self.words.nothing
        begins = side_sentences(self.player_to_move)["begins"]
        if not self.forfeits:
            return begins
        forfeits = counted(len(self.forfeits), "forfeit")
        return f"{begins} {forfeits} by {within_sentence(COMPUTER)}, for example {self.forfeits[0]}."

    @property
    def points_said(self) -> str:
        """The points of each side, in a game with points."""
        if not any(self.rewards):
            return ""
        gained = dict(zip(self.names, self.points))
        first, second = self.sides
        return f"Points: {first} {gained[first]}, {within_sentence(second)} {gained[second]}."

    @property
    def headline(self) -> str:
        """Who has won, or whose turn it is."""
        if self.over:
            return side_sentences(self.champion)["wins"] if self.champion else TIE
        if self.trouble:
            return "The game has stopped. Take your move back, or start a new game."
        return side_sentences(self.player_to_move)["turn"]

    def hint(self) -> tuple[list, str]:
        """The moves to mark, and the hint as text."""
        if self.stage != "yours":
            return [], ""
        return self.words.advice(self.state)

    def position(self, hints: bool, delay: float = 0) -> dict[str, Any]:
        """Everything the front end draws (see board.js), as plain data; `delay` is in seconds."""
        best, hint = self.hint() if hints else ([], "")
        to = self.words.to
        return {
            "headline": self.headline,
            "said": self.said,
            "notice": self.notice,
            "sides": self.sides,
            "score": self.score,
            "champion": self.champion,
            "rules": self.words.rules,
            "hint": hint,
            "turn": "" if self.over or self.trouble else self.stage,
            "delay": round(1000 * delay),
            "made": [(who, to(move)) for who, move in self.made],
            "legal": [to(move) for move in self.game.legal_moves(self.state)],
            "best": [to(move) for move in best],
            "picked": None if self.picked is None else to(self.picked),
            "rows": self.words.rows,
            "row": self.words.row,
            "thing": self.words.thing,
            "state": self.words.drawn(self.state),
        }
