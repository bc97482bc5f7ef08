"""The board without a browser: its clicks, score, hints and menus; what it says is in test_lab_stories.py."""

import json
from dataclasses import replace

import pytest
from lab_words import position
from own_games import OWN_GAMES

from coincourse.labs import Board
from coincourse.labs.book.page_data import lab_from, page_data
from coinlib import Hats, RuleAgent, minimax
from coinlib.arena import evaluate
from coinlib.games import SCENARIOS, Move, sticks, three_piles

TAKING = OWN_GAMES["taking one or two"]


def takes(*counts):
    """An opponent that takes these numbers of coins in turn."""
    left = iter(counts)
    return lambda game, state: (0, next(left))


def first_legal(game, state):
    return game.legal_moves(state)[0]


def test_the_delay_stays_whatever_begins_again():
    board = Board(sticks(5), "perfect", delay=0.1)
    board.take(1)
    board.new_game()
    board.opponent = "random"
    assert (board.settings["delay"], board.moves) == (0.1, [])
    assert '"delay": 100' in board.page
    assert Board(**board.settings).page == board.page


def test_an_opponent_that_does_not_know_the_game_is_refused():
    refused = "opponent: 'take one' plays rows of coins only; the game is Taking"
    with pytest.raises(ValueError, match=refused):
        Board(TAKING, opponent="take one")
    refused = r"this learner plays CoinGame\(rows=\(10,.*; asked to play CoinGame\(rows=\(9,"
    with pytest.raises(ValueError, match=refused):
        Board(sticks(9), opponent=Hats(sticks(10)))


def test_an_illegal_answer_is_none_of_the_moves_made_and_its_reason_is_that_of_the_library():
    def forgets(game, state):
        game.legal_moves(state)  # and no `return`

    board = Board(sticks(9), opponent=forgets)
    board.take(1)
    assert evaluate(sticks(8), forgets, forgets, games=1).illegal_move.why in board.message
    assert (board.winner, board.score, board.moves) == (1, (1, 0), [Move(0, 1)])
    board.new_game()
    board.take(2)
    assert Board(**board.settings).score == (1, 0)


def test_the_other_side_has_one_name_and_the_title_says_which_agent_it_is():
    guest = RuleAgent(lambda game, state: game.legal_moves(state)[0], name="a guest")
    board = Board(sticks(3), opponent=guest, controls=["you_start"])
    assert board.view["title"] == "A game against the computer (a guest)"
    starts = next(control for control in board.view["below"] if control.get("name") == "you_start")
    assert [words for words, _ in starts["options"]] == list(position(board)["sides"]) == ["You", "The computer"]
    board.take(1)
    assert "The computer takes 1 coin." in board.message
    assert Board(sticks(3), "random").view["title"] == "A game against the computer"
    with_menu = Board(sticks(3), guest, controls=["opponent"])  # which names the guest
    assert with_menu.view["title"] == "A game against the computer"
    [page] = (table["seats"]["random"] for table in page_data(board)["games"]["a row of 3"].values())
    assert "A game against the computer (a guest)" in page["frame"]


def test_a_board_says_sticks_where_its_lesson_does():
    board = Board(sticks(4), first_legal, thing="stick", hints=True)
    words = json.dumps([board.frame, board.still(), board.data.position(hints=True)])
    board.take(1)
    words += json.dumps([board.frame, board.message, page_data(board) | {"style": ""}])
    board.take(3)  # too many
    words += board.message
    board.take(1)
    words += board.message
    assert "coin" not in words.replace("coin-lab", "").replace('"coins": [', "") and "Choose your sticks" in words
    again = lab_from(json.loads(json.dumps(Board(sticks(4), "perfect", thing="stick").described())))
    assert again.data.thing == "stick"
    again.ending = "normal"
    assert "the last stick wins" in again.still()
    assert "thing" not in Board(sticks(4), "perfect").described()["settings"]  # as in most notebooks


def test_who_can_choose_who_starts_can_play_again():
    for controls in (["you_start"], ["new game"]):
        board = Board(sticks(1), first_legal, controls=controls)
        board.take(1)
        board.press("New game")
        assert (board.moves, board.score) == ([], (0, 1))


def test_code_in_a_message_is_marked_up_without_a_kernel_too():
    board = Board(sticks(9), opponent=lambda game, state: None)
    board.take(1)
    assert "no `return` was reached" in board.message
    assert "<code>return</code>" in board.still() and "`" not in board.still()


def test_what_a_program_says_is_no_part_of_the_page():
    def fails(game, state):
        raise ValueError("<script>alert(1)</script>")

    board = Board(sticks(9), opponent=fails)
    board.take(1)
    assert "<script>alert(1)</script>" in board.message
    assert "<script>" not in board.page + board.still()
    assert "&" not in Board._css  # where nothing is escaped


# --- score


def test_the_score_runs_until_the_game_or_the_opponent_changes():
    board = Board(sticks(1), opponent=first_legal)
    for games in (1, 2):
        board.take(1)
        assert board.score == (0, games)
        board.new_game()
    board.you_start = False
    board.reply()
    assert board.score == (1, 2)
    board.hints = True
    assert board.score == (1, 2)
    board.opponent = "person"
    assert (board.score, board.moves) == ((0, 0), [])
    board.new_game()  # an abandoned game does not count
    assert board.score == (0, 0)


# --- hints and settings


def test_hints_mark_the_winning_moves_of_every_scenario():
    for game in SCENARIOS.values():
        for misere in (True, False):
            game = replace(game, misere=misere)
            best = minimax(game)
            board = Board(game, opponent=first_legal)
            assert (position(board)["best"], "Hint" in board.message) == ([], False)
            board.hints = True
            winning = best.moves if best.value > 0 else []
            assert position(board)["best"] == [f"{move.row},{move.count}" for move in winning]
            words = ", or ".join(f"{move.count} from row {move.row}" for move in winning)
            if winning and len(game.rows) == 1:
                words = winning[0].count
            hint = f"take {words} (marked ★) to win" if winning else "no move wins here"
            assert f"Hint: {hint} against perfect play." in board.message
            board.move(*game.moves[0])
            assert (position(board)["best"], "Hint" in board.message) == ([], False)  # not while the computer thinks


@pytest.mark.parametrize("name", ["random", "take one", "take_one", "search", "perfect"])
def test_built_in_opponents_play_and_a_seed_repeats_them(name):
    def game():
        board = Board("NIM", opponent=name, seed=1)
        while board.winner is None:
            board.take(*first_legal(board.game, board.state))
        assert board.opponent == name.replace("_", " ")
        return board.moves

    assert game() == game()


def test_menus_offer_what_was_handed_over_from_python():
    board = Board(three_piles(3, 3, 7), opponent=first_legal)
    board.set_state({"game": "NIM"})
    assert board.game == replace(SCENARIOS["NIM"], misere=False)  # the ending has its own menu
    board.set_state({"ending": "misere", "you_start": False, "opponent": "person", "hints": True})
    assert (board.game, board.you_start, board.opponent, board.hints) == (SCENARIOS["NIM"], False, "person", True)
    board.set_state({"game": "piles of 3, 3, 7", "opponent": "first_legal"})
    assert (board.game, board.data.stage) == (replace(three_piles(3, 3, 7), misere=True), "waiting")
    board.reply()
    assert board.moves == [Move(0, 1)]
    assert board.get_state("game") == {"game": "piles of 3, 3, 7"}
    board.game = "NIM_7"
    assert board.ending == "misere"


def test_clicks_do_what_the_methods_do():
    board = Board(sticks(9), opponent=takes(2, 1), delay=0.2)
    board.take()
    assert board.message == "Mark coins first, then take them. Your turn."
    board.clicked("0,3")
    assert position(board)["picked"] == "0,3"
    board.press("Take 3 coins")
    now = position(board)
    assert (now["picked"], now["turn"], now["delay"]) == (None, "waiting", 200)
    board.clicked("reply 1")
    board.clicked("reply 1")  # a second view of the same board asks too
    assert board.state == (4,)
    board.clicked("0,1")
    board.clicked("0,1")  # the second click takes
    assert board.state == (3,)
    board.press("Undo")
    assert board.state == (4,)
    board.press("New game")
    assert board.message == "New game. You start. Your turn."


def test_controls_can_be_hidden():
    def names(controls):
        row, *below = Board(controls=controls).view["below"]
        return [part["name"] for part in below] + [button["words"] for button in row["buttons"][1:]]

    assert names(True) == ["game", "ending", "opponent", "you_start", "hints", "Undo", "New game"]
    assert names(False) == []
    assert names(["undo", "hints"]) == ["hints", "Undo"]


@pytest.mark.parametrize(("controls", "says"), [([], True), (["undo"], True), (["new game"], False)])
def test_a_board_with_one_game_says_at_its_end_how_to_get_another(controls, says):
    board = Board(sticks(1), "perfect", controls=controls)
    assert "run this cell again" not in board.frame
    board.take(1)
    assert ("To play another game, run this cell again." in board.frame) == says
