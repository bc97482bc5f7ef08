"""A board without Python: the tables that a page plays from, and what a notebook keeps."""

import json

import pytest
from own_games import OWN_GAMES, NoughtsAndCrosses

from coincourse.labs import Board, render
from coincourse.labs.boards.words import words_for
from coincourse.labs.book.page_data import lab_from, page_data
from coinlib import RuleAgent, minimax
from coinlib.games import SCENARIOS, Move, sticks, three_piles
from coinlib.search import SearchAgent

TAKING = OWN_GAMES["taking one or two"]
LATE = NoughtsAndCrosses()
LATE.start = "XO......."  # so it ends soon, sometimes in a tie
TABLED = [SCENARIOS["DOUBLE_21_3"], SCENARIOS["NIM"], sticks(5, misere=False), three_piles(3, 5, 7), LATE, TAKING]


def first_legal(game, state):
    return game.legal_moves(state)[0]


def as_told(data):
    """Data as a page gets it."""
    return json.loads(json.dumps(data))


def tables_of(board):
    """The tables of a board that has one game and one ending."""
    [endings] = page_data(board)["games"].values()
    [tables] = endings.values()
    return as_told(tables)


@pytest.mark.parametrize("game", TABLED, ids=type)
def test_the_tables_of_a_live_board_agree_with_its_game_in_every_state(game):
    tables, words = tables_of(Board(game, "perfect", controls=["hints"])), words_for(game)
    numbers, waiting = {game.start: 0}, [game.start]
    for state in waiting:
        number, legal = numbers[state], game.legal_moves(state)
        assert tables["states"][number] == as_told(words.drawn(state))
        leads = {to: after for to, after in zip(tables["moves"], tables["next"][number]) if after}
        assert list(leads) == list(map(words.to, legal))
        assert tables["result"].get(str(number)) == (game.result(state) if game.is_over(state) else None)
        balls = tables["opponents"]["perfect"][number]
        assert [tables["moves"][ball] for ball in balls] == list(map(words.to, minimax(game, state).moves))
        hint, marked = tables["hints"][number]
        assert (marked, hint) == (balls if "marked" in hint else [], words.advice(state)[1])
        for row, held in enumerate(state if words.rows else ()):
            for count in range(1, held + 1):
                move = Move(row, count)
                refused = None if move in legal else words.refused(state, move, None)
                assert tables["refused"].get(words.to(move)) == refused
        for move in legal:
            after = game.play(state, move)
            if after not in numbers:
                waiting.append(after)
            assert numbers.setdefault(after, leads[words.to(move)]) == leads[words.to(move)]
    assert len(numbers) == len(tables["states"])


def test_a_board_describes_itself_with_what_its_opponent_does_in_each_state():
    board = Board("NIM", RuleAgent(first_legal, name="a guest"), you_start=False, controls=["undo"])
    board.reply()
    board.take(2, 2)
    twin = lab_from(as_told(board.described()))
    assert (twin.described(), twin.message, repr(twin)) == (board.described(), board.message, repr(board))
    twin.take(3, 1)
    board.take(3, 1)
    assert twin.moves == board.moves
    assert Board("NIM", first_legal).described() is None  # it may answer differently next time
    assert Board(TAKING).described() is None
    assert Board(OWN_GAMES["ladder"]).described() is None  # it has points
    assert Board(three_piles(100, 100, 100), "perfect").described() is None


def test_a_search_has_one_reply_in_each_state():
    twin = lab_from(as_told(Board(sticks(9), SearchAgent(20, seed=1), controls=[]).described()))
    tables = tables_of(twin)
    for state, after in enumerate(tables["next"]):
        replies = tables["opponents"]["a search, 20 simulations"][state]
        assert len(replies) == (str(state) not in tables["result"])
        assert all(after[reply] for reply in replies)


# --- what a notebook keeps


def test_repr_and_still_picture_are_the_same_in_every_run():
    assert repr(Board("NIM", opponent=first_legal)) == "Board(NIM, opponent='first_legal', state=(1, 3, 5, 7))"
    board = Board(sticks(4, misere=False), opponent=lambda game, state: 1)
    assert repr(board) == "Board(CoinGame(rows=(4,), max_pick=3, misere=False), opponent='your function', state=(4,))"
    bundles = [Board("NIM", opponent="random")._repr_mimebundle_()[0] for _ in range(2)]
    assert "application/vnd.jupyter.widget-view+json" in bundles[0]
    assert bundles[0]["text/html"] == bundles[1]["text/html"]
    assert "Your turn. (A still picture: run this cell to play.)" in bundles[0]["text/html"]


def test_render_shows_position_rules_and_words():
    page = render(SCENARIOS["NIM"], (1, 3, 4, 5), "The computer takes 2 coins from row 3.")
    assert (page.count("●"), page.count("○")) == (13, 3)
    assert "<strong>The computer takes 2 coins from row 3.</strong>" in page
    with pytest.raises(ValueError, match="expected a state of this game"):
        render(sticks(3), (4,))
    for game, rules in (
        (sticks(9, max_pick=1), "Take 1 coin. Misère play: the player who takes the last coin loses."),
        (
            three_piles(1, 2, 3),
            "Take any number of coins from one pile. Normal play: the player who takes the last coin wins.",
        ),
    ):
        assert rules in render(game, game.start)
    empty = Board(three_piles(0, 0, 0))
    assert (
        empty.message
        == "There are no coins to take. Normal play: the player who takes the last coin wins. The computer wins."
    )
