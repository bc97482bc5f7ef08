"""The board without a browser: what it says, what it allows, what it counts, what it leaves in a notebook."""

from dataclasses import replace
from functools import cache

import pytest

from coincourse.labs import Board, render
from coincourse.labs.board import CONTROLS
from coinlib.games import SCENARIOS, CoinGame, Move, sticks, three_piles


def takes(*counts, row=0):
    """An opponent that takes these numbers of coins, one after the other."""
    left = iter(counts)
    return lambda game, state: (row, next(left))


def first_legal(game, state):
    return game.legal_moves(state)[0]


def play_out(board):
    """Take the first legal move until the game is over."""
    for _ in range(sum(board.game.start)):
        if board.winner is None:
            board.take(*board.game.legal_moves(board.state)[0])
    assert board.winner is not None, board.message


def starred(board):
    """The moves that the board marks."""
    return [Move(row, count) for row, drawn in enumerate(board.view["rows"]) for count in drawn["best"]]


# --- a game, move by move


def test_a_game_lost_in_misere_play():
    board = Board(sticks(5, max_pick=3), opponent=takes(1, 1))
    assert board.message == "New game. You start. Your turn."
    board.take(0, 1)
    assert (board.state, board.message) == ((3,), "Computer takes 1 coin. Your turn.")
    board.take(0, 1)
    assert (board.state, board.message) == ((1,), "Computer takes 1 coin. Your turn.")
    board.take(0, 1)
    assert board.message == "You take the last coin. Misère play: who takes the last coin loses. Computer wins."
    assert (board.winner, board.score, board.state) == (2, (0, 1), (0,))


def test_the_same_moves_win_in_normal_play():
    board = Board(sticks(5, max_pick=3, misere=False), opponent=takes(1, 1))
    for _ in range(3):
        board.take(0, 1)
    assert board.message == "You take the last coin. Normal play: who takes the last coin wins. You win!"
    assert (board.winner, board.score) == (1, (1, 0))


def test_a_game_won_in_misere_play():
    board = Board(CoinGame((2, 1), max_pick=2), opponent=takes(1, row=1))
    board.take(0, 2)
    assert board.message == "Computer takes the last coin. Misère play: who takes the last coin loses. You win!"
    assert (board.winner, board.score) == (1, (1, 0))


def test_rows_are_named_where_there_are_several():
    board = Board("NIM", opponent=takes(2, row=3))
    board.move(2, 1)
    assert board.message == "You take 1 coin from row 2. Computer is thinking …"
    board.reply()
    assert board.message == "Computer takes 2 coins from row 3. Your turn."


def test_the_answer_comes_in_a_second_step():
    board = Board(sticks(9), opponent=takes(2))
    board.move(0, 3)
    assert (board.state, board.waiting) == ((6,), True)
    board.reply()
    assert (board.state, board.waiting) == ((4,), False)
    board.reply()  # it is not the computer's turn
    assert board.state == (4,)


def test_the_computer_may_start():
    board = Board(sticks(9), opponent=takes(2, 1), you_start=False)
    assert board.message == "New game. Computer starts. Computer is thinking …"
    board.take(0, 1)
    assert board.state == (9,)
    assert board.message == "Wait: it is not your turn yet. Computer is thinking …"
    board.reply()
    assert (board.state, board.message) == ((7,), "Computer takes 2 coins. Your turn.")
    board.you_start = True
    assert (board.state, board.waiting) == ((9,), False)


def test_two_people_at_one_board():
    board = Board(sticks(3), opponent="person")
    assert board.message == "New game. Player 1 starts. Player 1, it is your turn."
    board.take(0, 1)
    assert board.message == "Player 1 takes 1 coin. Player 2, it is your turn."
    board.take(0, 1)
    board.undo()
    assert board.state == (2,)
    board.take(0, 2)
    assert board.message == "Player 2 takes the last coin. Misère play: who takes the last coin loses. Player 1 wins."
    assert board.view["score"] == [["Player 1 (1)", 1], ["Player 2 (2)", 0]]


def test_nothing_to_take_at_the_start():
    board = Board(three_piles(0, 0, 0))
    assert board.message == "There is no coin to take. Normal play: who takes the last coin wins. Computer wins."
    assert not board.waiting


# --- moves that are not allowed


@pytest.mark.parametrize(
    ("row", "count", "words"),
    [
        (0, 2, "You asked for 2 coins. From row 0 you can take 1."),
        (3, 3, "You asked for 3 coins. From row 3 you can take 1 or 2."),
        (2, 0, "You asked for 0 coins. From row 2 you can take 1 or 2."),
        (9, 1, "That cannot be taken: there is no row 9; this game has rows 0 to 3."),
        (0, None, "That cannot be taken: expected a Move(row, count), got (0, None)."),
    ],
)
def test_an_illegal_choice_is_said_in_words(row, count, words):
    board = Board("NIM", opponent=first_legal)
    for attempt in (board.pick, board.take):
        attempt(row, count)
        assert board.message == f"{words} Your turn."
        assert (board.state, board.view["picked"], board.moves) == ((1, 3, 5, 7), None, [])


def test_words_go_when_the_next_choice_is_legal():
    board = Board("NIM", opponent=first_legal)
    board.pick(3, 7)
    assert board.view["notice"]
    board.pick(3, 2)
    assert (board.view["notice"], board.view["picked"]) == ("", [3, 2])


def test_an_empty_row_and_a_finished_game():
    board = Board(CoinGame((1, 1), max_pick=1), opponent="person")
    board.take(0, 1)
    board.take(0, 1)
    assert "row 0 holds 0 coins" in board.message
    board.take(1, 1)
    board.take(1, 1)
    assert "This game is over. Start a new one." in board.message
    assert board.score == (1, 0)  # counted once


def test_taking_what_is_marked():
    board = Board(sticks(9), opponent=takes(1))
    board.take()
    assert board.message == "Mark the coins first: click one of them. Your turn."
    board.pick(0, 3)
    assert board.view["take"] == "Take 3 coins"
    board.take()
    assert (board.state, board.view["picked"]) == ((5,), None)


# --- opponents that fail


def test_an_opponent_that_raises_is_named_with_its_state():
    def broken(game, state):
        return 1 // 0

    board = Board(sticks(9), opponent=broken)
    board.take(0, 1)
    assert board.message == (
        "The computer's program (broken) failed at (8,): ZeroDivisionError: integer division or modulo by zero. "
        "The game has stopped. Take your move back, or start a new game."
    )
    assert (board.winner, board.score, board.waiting) == (None, (0, 0), False)
    board.take(0, 1)
    assert board.state == (8,)
    board.undo()
    assert (board.state, board.message) == ((9,), "Taken back. Your turn.")


@pytest.mark.parametrize("answer", [4, 0, None, 1.5, (1, 1), "1"])
def test_an_illegal_answer_loses_the_game(answer):
    board = Board(sticks(9), opponent=lambda game, state: answer)
    board.take(0, 1)
    assert board.message.startswith("Computer tries a move that is not allowed: ")
    assert board.message.endswith(". An illegal move loses the game. You win!")
    assert (board.winner, board.score, board.state) == (1, (1, 0), (8,))
    board.undo()
    assert (board.winner, board.score, board.state) == (None, (0, 0), (9,))


def test_all_that_an_agent_may_answer_is_read():
    import numpy as np

    for answer in (2, (0, 2), Move(0, 2), np.int64(2)):
        board = Board(sticks(9), opponent=lambda game, state, answer=answer: answer)
        board.take(0, 1)
        assert board.state == (6,)


# --- undo, new game, score


def test_undo_takes_back_your_move_and_the_reply():
    board = Board(sticks(9), opponent=takes(1, 2, 3))
    board.undo()
    assert board.message == "There is no move of yours to take back. Your turn."
    board.take(0, 1)
    board.take(0, 1)
    board.undo()
    assert (board.state, board.moves) == ((7,), [Move(0, 1), Move(0, 1)])
    board.undo()
    assert board.state == (9,)


def test_undo_keeps_the_first_move_of_a_computer_that_started():
    board = Board(sticks(9), opponent=takes(2, 1), you_start=False)
    board.reply()
    board.undo()
    assert board.state == (7,)
    assert "no move of yours" in board.message
    board.take(0, 1)
    board.undo()
    assert board.state == (7,)


def test_undo_while_the_computer_thinks():
    board = Board(sticks(9), opponent=takes(1))
    board.move(0, 3)
    board.undo()
    assert (board.state, board.waiting) == ((9,), False)


def test_undo_takes_back_the_point():
    board = Board(sticks(1), opponent=first_legal)
    board.take(0, 1)
    assert board.score == (0, 1)
    board.undo()
    assert (board.score, board.state, board.winner) == ((0, 0), (1,), None)


def test_the_score_runs_until_the_game_or_the_opponent_changes():
    board = Board(sticks(1), opponent=first_legal)
    for games in (1, 2):
        board.take(0, 1)
        assert board.score == (0, games)
        board.new_game()
    assert (board.score, board.state) == ((0, 2), (1,))
    board.you_start = False
    board.reply()
    assert board.score == (1, 2)
    board.opponent = "person"
    assert board.score == (0, 0)


def test_a_game_that_is_given_up_does_not_count():
    board = Board(sticks(9), opponent=first_legal)
    board.take(0, 1)
    board.new_game()
    assert (board.score, board.state, board.moves) == ((0, 0), (9,), [])


# --- hints


@pytest.mark.parametrize("name", list(SCENARIOS))
@pytest.mark.parametrize("misere", [True, False])
def test_hints_mark_the_winning_moves_of_every_scenario(name, misere):
    game = replace(SCENARIOS[name], misere=misere)
    board = Board(game, opponent=first_legal, hints=True)
    expected = brute_force_best(game, game.start)
    assert starred(board) == expected
    if not expected:
        assert board.view["hint"] == "Hint: no move wins here against perfect play."


def test_hints_in_words():
    assert Board("NIM", hints=True).view["hint"] == (
        "Hint: take 1 from row 1, or 1 from row 2 (marked ★) to win against perfect play."
    )
    assert Board(sticks(6), hints=True).view["hint"] == "Hint: take 1 (marked ★) to win against perfect play."


def test_hints_come_and_go():
    board = Board(sticks(6), opponent=takes(3))
    assert (starred(board), board.view["hint"]) == ([], "")
    board.hints = True
    assert starred(board) == [Move(0, 1)]
    board.move(0, 2)
    assert (starred(board), board.view["hint"]) == ([], "")  # not while the computer thinks
    board.reply()
    assert "no move wins" in board.message  # one is left in misère play
    board.hints = False
    assert "Hint" not in board.message


def brute_force_best(game, state):
    """The moves after which the other player cannot win, by trying all."""

    @cache
    def mover_wins(left):
        if not any(left):
            return game.misere
        return any(not mover_wins(after(left, *move)) for move in choices(left))

    def choices(left):
        return [(row, count) for row, held in enumerate(left) for count in range(1, min(held, game.max_pick) + 1)]

    def after(left, row, count):
        return tuple(held - count if index == row else held for index, held in enumerate(left))

    return [Move(*move) for move in choices(state) if not mover_wins(after(state, *move))]


# --- settings


def test_built_in_opponents_play():
    for name in ("random", "take one", "take_one", "perfect"):
        board = Board(sticks(9), opponent=name, seed=1)
        board.take(0, 1)
        assert len(board.moves) == 2, board.message
    assert Board(opponent="take_one").opponent == "take one"


def test_a_seed_makes_the_random_opponent_repeat_itself():
    def games(seed):
        board = Board("DOUBLE_21_3", opponent="random", seed=seed)
        play_out(board)
        return board.moves

    assert games(1) == games(1)
    assert games(1) != games(2)


def test_perfect_play_wins_a_won_game():
    board = Board("SINGLE_21_3", opponent="perfect", seed=1)  # whoever moves second wins
    play_out(board)
    assert board.winner == 2


def test_settings_from_the_screen():
    board = Board("NIM", opponent=first_legal)
    for name, value in (("scenario", "SINGLE_21_2"), ("ending", "normal"), ("start", "other"), ("hints", True)):
        board._receive({"kind": "set", "name": name, "value": value})
    assert board.game == CoinGame((21,), max_pick=2, misere=False)
    assert (board.you_start, board.hints, board.waiting) == (False, True, True)
    board._receive({"kind": "set", "name": "opponent", "value": "person"})
    assert board.opponent == "person"
    board._receive({"kind": "set", "name": "opponent", "value": "first_legal"})
    board._receive({"kind": "reply", "ply": 0})
    assert board.moves == [Move(0, 1)]


def test_your_own_game_stays_in_the_menu():
    board = Board(three_piles(3, 3, 7), opponent=first_legal)
    assert board.view["menus"]["scenario"][0] == "own"
    board._receive({"kind": "set", "name": "scenario", "value": "NIM"})
    assert board.game == replace(SCENARIOS["NIM"], misere=False)  # the ending is a menu of its own
    board._receive({"kind": "set", "name": "scenario", "value": "own"})
    assert board.game == three_piles(3, 3, 7)


def test_clicks_do_what_the_methods_do():
    board = Board(sticks(9), opponent=takes(2, 1))
    board._receive({"kind": "pick", "row": 0, "count": 3})
    board._receive({"kind": "take"})
    board._receive({"kind": "reply", "ply": 0})  # too late: that was another moment of the game
    assert board.state == (6,)
    board._receive({"kind": "reply", "ply": 1})
    board._receive({"kind": "reply", "ply": 1})  # a second view of the same board asks too
    assert board.state == (4,)
    board._receive({"kind": "undo"})
    assert board.state == (9,)
    board._receive({"kind": "new"})
    assert board.message == "New game. You start. Your turn."


def test_controls_can_be_hidden():
    assert Board().view["show"] == list(CONTROLS)
    assert Board(controls=False).view["show"] == []
    assert Board(controls=["undo", "hints"]).view["show"] == ["hints", "undo"]
    with pytest.raises(ValueError, match="controls: expected some of scenario, .*; got sound"):
        Board(controls=["sound"])


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"game": "CHESS"}, ValueError, "game: expected a CoinGame, or one of .*; got 'CHESS'"),
        ({"game": 21}, ValueError, "game: expected a CoinGame, or one of .*; got 21"),
        ({"game": sticks(201)}, ValueError, r"at most 20 rows of 200 coins, got \(201,\)"),
        ({"game": CoinGame((1,) * 21, max_pick=1)}, ValueError, "at most 20 rows"),
        ({"opponent": "god"}, ValueError, "opponent: expected 'random', .* or a function .*, got 'god'"),
        ({"opponent": 3}, ValueError, "got 3"),
    ],
)
def test_settings_that_make_no_sense(settings, error, words):
    with pytest.raises(error, match=words):
        Board(**settings)


def test_rules_in_words():
    assert Board("NIM").view["rules"] == ("Take 1 or 2 coins from one row. Misère play: who takes the last coin loses.")
    assert Board(sticks(9, max_pick=1)).view["rules"].startswith("Take 1 coin. ")
    assert Board("NIM_7").view["rules"].startswith("Take 1 to 7 coins from one row. ")
    assert Board(three_piles(1, 2, 3)).view["rules"] == (
        "Take any number of coins from one row. Normal play: who takes the last coin wins."
    )


def test_who_took_which_coin_is_drawn():
    board = Board(sticks(9), opponent=takes(2))
    board.take(0, 3)
    row = board.view["rows"][0]
    assert (row["start"], row["held"], row["taken"], row["fresh"]) == (9, 4, "CCYYY", 2)


# --- what a notebook keeps


def test_repr_is_the_same_in_every_run():
    assert repr(Board("NIM", opponent=first_legal)) == "Board(NIM, opponent='first_legal', state=(1, 3, 5, 7))"
    board = Board(sticks(4, misere=False), opponent=lambda game, state: 1)
    assert repr(board) == ("Board(CoinGame(rows=(4,), max_pick=3, misere=False), opponent='your function', state=(4,))")


def test_the_output_holds_a_still_picture_that_does_not_change():
    bundles = [Board("NIM", opponent="random")._repr_mimebundle_()[0] for _ in range(2)]
    assert "application/vnd.jupyter.widget-view+json" in bundles[0]
    assert bundles[0]["text/html"] == bundles[1]["text/html"]
    assert bundles[0]["text/plain"] == bundles[1]["text/plain"]
    assert bundles[0]["text/html"].count("●") == 16
    assert "Your turn. (A still picture: run this cell to play.)" in bundles[0]["text/html"]


def test_render_shows_position_rules_and_words():
    board = Board("NIM", opponent=takes(2, row=3))
    board.take(2, 1)
    page = board.render()
    assert page == render(board.game, (1, 3, 4, 5), "Computer takes 2 coins from row 3. Your turn.")
    assert (page.count("●"), page.count("○")) == (13, 3)
    assert "Misère play: who takes the last coin loses." in page
    assert "row 2: " in page
    assert "4 coins" in page


def test_render_escapes_what_an_agent_says():
    def rude(game, state):
        raise ValueError("<script>alert(1)</script>")

    board = Board(sticks(3), opponent=rude)
    board.take(0, 1)
    assert "<script>" not in board.render()
    assert "&lt;script&gt;" in board.render()


def test_render_refuses_a_state_of_another_game():
    with pytest.raises(ValueError, match="expected a state of this game"):
        render(sticks(3), (4,))


def test_the_script_asks_for_nothing_from_the_network():
    for text in (Board._esm, Board._css):
        assert not any(word in text for word in ("http:", "https:", "import ", "@import", "url(", "fetch("))


def test_the_answer_waits_on_the_screen_as_long_as_is_asked():
    assert Board("NIM", delay=0.2).view["delay"] == 200  # milliseconds
