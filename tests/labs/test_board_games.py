"""The board with games that a student has written: their moves as buttons, their states as their own pictures."""

import pytest
from lab_words import position
from own_games import OWN_GAMES, NoughtsAndCrosses

from coincourse.labs import Board
from coinlib.games import GreedyCoins, Move, sticks
from coinlib.match import Match


def hidden_endings(board):
    """Whether the menu of endings is hidden."""
    return [part["hidden"] for part in board.view["below"] if part.get("name") == "ending"] == [True]


@pytest.mark.parametrize("game", [*OWN_GAMES.values(), GreedyCoins((3, 5, 1, 2)), sticks(5)], ids=type)
def test_any_game_is_played_by_its_buttons(game):
    board = Board(game, opponent="random", seed=1, hints=True)
    while board.winner is None:
        now = position(board)
        assert now["turn"] == "waiting" or now["best"] or "no move wins" in board.message
        board.clicked(now["legal"][-1] if now["turn"] == "yours" else f"reply {len(board.moves)}")
    match = Match(game)
    for move in board.moves:
        match.make(move)
    assert (board.state, board.winner) == (match.state, match.winner)
    assert board.score == (match.winner == 1, match.winner == 2)
    board.undo()
    assert (board.winner, board.score, board.data.stage) == (None, (0, 0), "yours")


class TicTacToe(NoughtsAndCrosses):
    """Three in a row win."""

    def picture(self, state):
        return "\n".join(state[row : row + 3] for row in (0, 3, 6))


class Squares(NoughtsAndCrosses):
    def picture(self, state):
        return f"<b data-to='4'>{state}</b>"


def test_a_tie_and_a_move_that_is_not_allowed():
    board = Board(TicTacToe(), opponent="person")
    for square in (0, 1, 2, 4, 3, 5, 7, 6):
        board.take(square)
    for attempt in (board.take, lambda square: board.clicked(str(square))):
        attempt(4)
        refused = "That cannot be played: 4 is not a legal move in XOXXOOOX. (legal: 8)."
        assert board.message == f"{refused} Player 1, it is your turn."
    board.take(8)
    assert board.message == "Player 1 plays 8. A tie."
    assert (board.winner, board.score) == (0, (0, 0))


def test_a_game_shows_itself_in_text_in_html_or_as_its_state():
    board = Board(TicTacToe(), opponent="perfect", seed=1)
    board.take(4)
    drawn = board.game.picture(board.state)
    assert (position(board)["state"], position(board)["rules"]) == (f"<pre>{drawn}</pre>", "Three in a row win.")
    assert f"<pre>{drawn}</pre>" in board.still() and hidden_endings(board)
    assert position(Board(Squares()))["state"] == f"<b data-to='4'>{Squares.start}</b>"
    assert position(Board(NoughtsAndCrosses()))["state"] == "<pre>&#39;.........&#39;</pre>"


class OneThreeOrFour:
    """Rows from which one, three or four coins are taken; a player who cannot move has lost."""

    rows = start = (3, 5)
    moves = tuple(Move(row, count) for row in (0, 1) for count in (1, 3, 4))

    def legal_moves(self, state):
        return [move for move in self.moves if move.count <= state[move.row]]

    def play(self, state, move):
        return tuple(held - move.count * (row == move.row) for row, held in enumerate(state))

    def is_over(self, state):
        return not any(state)

    def reward(self, state, move):
        return 0

    def result(self, state):
        return -1


def test_a_game_of_ones_own_with_rows_is_played_with_coins():
    board = Board(OneThreeOrFour(), opponent="perfect", seed=1, hints=True)
    assert position(board)["rules"] == "Take 1, 3 or 4 coins from one row."
    assert board.message.startswith("New game. You start. Your turn. Hint: ")
    board.clicked("1,2")
    assert "You asked for 2 coins. From row 1 you can take 1, 3 or 4." in board.message
    board.clicked("1,3")
    assert (position(board)["picked"], board.state) == ("1,3", (3, 5))
    board.take()
    assert board.moves[0] == Move(1, 3) and "The computer takes " in board.message
    assert "row 1: " in board.still() and hidden_endings(board)
