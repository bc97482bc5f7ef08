"""The board without a browser: what it says, what it allows, what it counts, what it leaves in a notebook."""

import html
import json
import re
from dataclasses import dataclass, replace

import pytest
from own_games import OWN_GAMES, NoughtsAndCrosses

from coincourse.labs import Board, render
from coincourse.labs.boards.words import words_for
from coincourse.labs.book.living import again, living
from coinlib import Hats, RuleAgent, minimax
from coinlib.arena import evaluate
from coinlib.games import SCENARIOS, GreedyCoins, Move, sticks, three_piles
from coinlib.match import Match
from coinlib.search import SearchAgent

LOST = "Misère play: whoever takes the last coin loses. Computer wins."


TAKING = OWN_GAMES["taking one or two"]


def takes(*counts, row=0):
    """An opponent that takes these numbers of coins, one after the other."""
    left = iter(counts)
    return lambda game, state: (row, next(left))


def first_legal(game, state):
    return game.legal_moves(state)[0]


def shown(board):
    """The position of which the front end makes the board."""
    return json.loads(html.unescape(re.fullmatch(r"<div data-board='([^']*)'></div>", board.page)[1]))


def play(board, *script):
    """Do each step of a script: what is done, the coins that are left then, and what the board says."""
    for name, *words, left, message in script:
        getattr(board, name)(*words)
        assert (board.state, board.message) == (left, message)


# --- a game, move by move


def test_a_game_lost_in_misere_play_and_won_in_normal_play():
    board = Board(sticks(5, max_pick=3), opponent=takes(1, 1))
    play(
        board,
        ("new_game", (5,), "New game. You start. Your turn."),
        ("take", 0, 1, (3,), "Computer takes 1 coin. Your turn."),
        ("take", 0, 1, (1,), "Computer takes 1 coin. Your turn."),
        ("take", 0, 1, (0,), f"You take the last coin. {LOST}"),
        ("take", 0, 1, (0,), "This game is over. Start a new one. Computer wins."),
    )
    assert (board.winner, board.score) == (2, (0, 1))
    board = Board(sticks(3, misere=False), opponent=takes(1, 1))
    board.take(1)
    play(board, ("take", 1, (0,), "You take the last coin. Normal play: whoever takes the last coin wins. You win!"))
    assert (board.winner, board.score) == (1, (1, 0))


def test_the_answer_comes_in_a_second_step_and_rows_are_named_where_there_are_several():
    board = Board("NIM", opponent=takes(2, row=3))
    play(
        board,
        ("move", 2, 1, (1, 3, 4, 7), "You take 1 coin from row 2. Computer is thinking …"),
        ("reply", (1, 3, 4, 5), "Computer takes 2 coins from row 3. Your turn."),
        ("reply", (1, 3, 4, 5), "Computer takes 2 coins from row 3. Your turn."),  # it is not the computer's turn
    )
    assert shown(board)["made"] == [["You", "2,1"], ["Computer", "3,2"]]


def test_the_computer_may_start():
    board = Board(sticks(9), opponent=takes(2, 1), you_start=False)
    play(
        board,
        ("new_game", (9,), "New game. Computer starts. Computer is thinking …"),
        ("take", 0, 1, (9,), "Wait: it is not your turn yet. Computer is thinking …"),
        ("reply", (7,), "Computer takes 2 coins. Your turn."),
        ("undo", (7,), "There is no move of yours to take back. Your turn."),
    )
    board.you_start = True
    assert (board.state, board.data.stage) == ((9,), "yours")


def test_two_people_at_one_board():
    board = Board(sticks(3), opponent="person")
    play(
        board,
        ("new_game", (3,), "New game. Player 1 starts. Player 1, it is your turn."),
        ("take", 0, 1, (2,), "Player 1 takes 1 coin. Player 2, it is your turn."),
        ("take", 0, 1, (1,), "Player 2 takes 1 coin. Player 1, it is your turn."),
        ("undo", (2,), "Your last move is taken back. Player 2, it is your turn."),
        ("take", 0, 2, (0,), f"Player 2 takes the last coin. {LOST.replace('Computer', 'Player 1')}"),
    )
    position = shown(board)
    assert position["made"] == [["Player 1", "0,1"], ["Player 2", "0,2"]]
    assert (position["sides"], position["score"]) == (["Player 1", "Player 2"], [1, 0])


# --- moves and programs that fail


def test_an_illegal_choice_is_said_in_words_until_the_next_one():
    board = Board("NIM", opponent=first_legal)
    for row, count, words in (
        (0, 2, "You asked for 2 coins. From row 0 you can take 1."),
        (3, 3, "You asked for 3 coins. From row 3 you can take 1 or 2."),
        (9, 1, "That cannot be taken: there is no row 9; this game has rows 0 to 3."),
        (0, None, "That cannot be taken: expected a Move(row, count), in whole numbers; got (0, None)."),
    ):
        for attempt in ("pick", "take"):
            play(board, (attempt, row, count, (1, 3, 5, 7), f"{words} Your turn."))
    board.take(1)
    assert board.message.startswith("That cannot be taken: expected a Move(row, count), in whole numbers; got 1.")
    play(board, ("pick", 3, 2, (1, 3, 5, 7), "New game. You start. Your turn."))


def test_an_opponent_that_raises_is_named_with_its_state():
    def broken(game, state):
        return 1 // 0

    why = "broken raised ZeroDivisionError in state (8,): integer division or modulo by zero"
    failed = f"The computer's program failed: {why}."
    stopped = "The game has stopped. Take your move back, or start a new game."
    board = Board(sticks(9), opponent=broken)
    play(board, ("take", 0, 1, (8,), f"{failed} {stopped}"))
    assert (board.winner, board.score, shown(board)["turn"]) == (None, (0, 0), "")
    play(
        board,
        ("take", 0, 1, (8,), f"Wait: it is not your turn yet. {stopped}"),
        ("undo", (9,), "Your last move is taken back. Your turn."),
    )


def test_an_illegal_answer_loses_the_game_and_is_counted_with_the_first_reason():
    def forgets(game, state):
        game.legal_moves(state)  # and no `return`

    board = Board(sticks(9), opponent=forgets)
    first = evaluate(sticks(8), forgets, forgets, games=1).illegal_move.why
    lost = f"Computer tries a move that is not allowed: {first}. An illegal move loses the game."
    board.take(1)
    assert first.startswith("expected a move, got None: a function gives None") and board.message == f"{lost} You win!"
    assert (board.winner, board.score, board.state) == (1, (1, 0), (8,))
    board.undo()
    assert (board.winner, board.score, board.state) == (None, (0, 0), (9,))
    board.take(1)
    board.new_game()
    record = f"forfeit of the opponent, for example Computer in state (8,): {first}."
    assert board.message == f"New game. You start. 1 {record} Your turn."
    board.take(2)
    assert board.message == f"{lost} You win!"
    assert Board(**board.settings).score == (1, 0)  # an illegal move is none of the moves made
    board.new_game()
    assert board.message == f"New game. You start. 2 {record.replace('forfeit', 'forfeits', 1)} Your turn."
    board.opponent = "random"
    assert board.message == "New game. You start. Your turn."


@pytest.mark.parametrize(
    ("game", "opponent", "words"),
    [
        (TAKING, "take one", "opponent: 'take one' plays rows of coins only; the game is Taking"),
        (sticks(9), Hats(sticks(10)), r"this learner plays CoinGame\(rows=\(10,.*; asked to play CoinGame\(rows=\(9,"),
    ],
    ids=["a rule for coins", "a learner of another game"],
)
def test_an_opponent_that_does_not_know_the_game_is_refused(game, opponent, words):
    with pytest.raises(ValueError, match=words):
        Board(game, opponent=opponent)


# --- undo, new game, score


def test_undo_takes_back_your_move_the_reply_to_it_and_the_point():
    board = Board(sticks(6), opponent=takes(1, 2, 3, 2))
    for move in (1, 1):
        board.take(move)
    board.undo()
    assert (board.state, board.moves) == ((4,), [Move(0, 1), Move(0, 1)])
    board.take(1)
    assert (board.state, board.score) == ((0,), (1, 0))
    board.undo()
    board.move(1)
    board.undo()  # while the computer thinks
    assert (board.state, board.score, board.data.stage) == ((4,), (0, 0), "yours")
    board.undo()
    board.undo()
    assert board.message == "There is no move of yours to take back. Your turn."


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
    assert board.score == (0, 0)
    board.new_game()  # a game that is given up does not count
    assert board.score == (0, 0)


# --- hints


@pytest.mark.parametrize("misere", [True, False])
@pytest.mark.parametrize("name", list(SCENARIOS))
def test_hints_mark_the_winning_moves_of_every_scenario(name, misere):
    game = replace(SCENARIOS[name], misere=misere)
    best = minimax(game)
    board = Board(game, opponent=first_legal)
    assert (shown(board)["best"], "Hint" in board.message) == ([], False)
    board.hints = True
    assert shown(board)["best"] == [f"{move.row},{move.count}" for move in best.moves if best.value > 0]
    words = ", or ".join(f"{move.count} from row {move.row}" for move in best.moves)
    hint = f"take {words if len(game.rows) > 1 else best.moves[0].count} (marked ★) to win"
    assert f"Hint: {hint if best.value > 0 else 'no move wins here'} against perfect play." in board.message
    board.move(*game.moves[0])
    assert (shown(board)["best"], "Hint" in board.message) == ([], False)  # not while the computer thinks


# --- settings


@pytest.mark.parametrize("name", ["random", "take one", "take_one", "search", "perfect"])
def test_built_in_opponents_play_and_a_seed_repeats_them(name):
    def game():
        board = Board("DOUBLE_21_3", opponent=name, seed=1)
        while board.winner is None:
            board.take(*first_legal(board.game, board.state))
        return board.moves, board.opponent

    assert game() == game()
    assert game()[1] == name.replace("_", " ")


def test_menus_offer_what_was_handed_over_from_python():
    board = Board(three_piles(3, 3, 7), opponent=first_legal)
    board.set_state({"game": "NIM"})
    assert board.game == replace(SCENARIOS["NIM"], misere=False)  # the ending is a menu of its own
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
    assert shown(board)["picked"] == "0,3"
    board.press("Take 3 coins")
    position = shown(board)
    assert (position["picked"], position["turn"], position["delay"]) == (None, "waiting", 200)
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
        below = Board(controls=controls).view["below"]
        return [part["name"] for part in below[1:]] + [each["words"] for each in below[0]["buttons"][1:]]

    assert names(True) == ["game", "ending", "opponent", "you_start", "hints", "Undo", "New game"]
    assert names(False) == []
    assert names(["undo", "hints"]) == ["hints", "Undo"]


def test_rules_in_words():
    board = Board(sticks(9, max_pick=1))
    assert shown(board)["rules"] == "Take 1 coin. Misère play: whoever takes the last coin loses."
    empty = Board(three_piles(0, 0, 0))
    assert empty.message == "There is no coin to take. Normal play: whoever takes the last coin wins. Computer wins."
    page = render(three_piles(1, 2, 3), (1, 1, 1))
    assert "Take any number of coins from one pile. Normal play: whoever takes the last coin wins." in page


# --- any other game


@dataclass(frozen=True)
class TicTacToe(NoughtsAndCrosses):
    """Three in a row win."""

    def picture(self, state):
        return "\n".join(state[row : row + 3] for row in (0, 3, 6))


@pytest.mark.parametrize("game", [*OWN_GAMES.values(), TicTacToe(), GreedyCoins((3, 5, 1, 2)), sticks(5)], ids=type)
def test_any_game_is_played_by_its_buttons(game):
    board = Board(game, opponent="random", seed=1, hints=True)
    while board.winner is None:
        position = shown(board)
        assert position["turn"] == "waiting" or position["best"] or "no move wins" in board.message
        board.clicked(position["legal"][-1] if position["turn"] == "yours" else f"reply {len(board.moves)}")
    match = Match(game)
    for move in board.moves:
        match.make(move)
    assert (board.state, board.winner) == (match.state, match.winner)
    assert board.score == (match.winner == 1, match.winner == 2)
    board.undo()
    assert (board.winner, board.score, board.data.stage) == (None, (0, 0), "yours")


def test_a_tie_and_a_move_that_is_not_allowed():
    board = Board(TicTacToe(), opponent="person")
    for square in (0, 1, 2, 4, 3, 5, 7, 6):
        board.take(square)
    for attempt in (lambda: board.take(4), lambda: board.clicked("4")):
        attempt()
        assert board.message == (
            "That cannot be played: 4 is not a legal move in XOXXOOOX. (legal: 8). Player 1, it is your turn."
        )
    board.take(8)
    assert board.message == "Player 1 plays 8. A tie."
    assert (board.winner, board.score) == (0, (0, 0))


def test_a_game_shows_itself_in_text_in_html_or_as_its_state():
    board = Board(TicTacToe(), opponent="perfect", seed=1)
    board.take(4)
    drawn = board.game.picture(board.state)
    assert (shown(board)["state"], shown(board)["rules"]) == (f"<pre>{drawn}</pre>", "Three in a row win.")
    assert f"<pre>{drawn}</pre>" in board.still()

    class Squares(TicTacToe):
        def picture(self, state):
            return f"<b data-to='4'>{state}</b>"

    assert shown(Board(Squares()))["state"] == f"<b data-to='4'>{TicTacToe.start}</b>"
    assert shown(Board(OWN_GAMES["noughts and crosses"]))["state"] == "<pre>&#39;.........&#39;</pre>"
    assert [part.get("hidden") for part in board.view["below"] if part.get("name") == "ending"] == [True]


class OneThreeOrFour:
    """Rows from which one, three or four coins are taken; whoever cannot move has lost."""

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
    assert shown(board)["rules"] == "Take 1, 3 or 4 coins from one row."
    assert board.message.startswith("New game. You start. Your turn. Hint: ")
    board.clicked("1,2")
    assert "You asked for 2 coins. From row 1 you can take 1, 3 or 4." in board.message
    board.clicked("1,3")
    assert (shown(board)["picked"], board.state) == ("1,3", (3, 5))
    board.take()
    assert board.moves[0] == Move(1, 3) and "Computer takes " in board.message
    assert "row 1: " in board.still()
    assert [part.get("hidden") for part in board.view["below"] if part.get("name") == "ending"] == [True]


# --- without Python


TABLED = [*SCENARIOS.values(), sticks(5, misere=False), three_piles(3, 5, 7), NoughtsAndCrosses(), TAKING]


@pytest.mark.parametrize("game", TABLED, ids=type)
def test_the_tables_of_a_living_board_agree_with_its_game_in_every_state(game):
    told = json.loads(json.dumps(living(Board(game, "perfect", controls=["hints"]))))
    [[tables]], words = [endings.values() for endings in told["games"].values()], words_for(game)
    numbers, waiting = {game.start: 0}, [game.start]
    for state in waiting:
        number, legal, best = numbers[state], game.legal_moves(state), minimax(game, state)
        assert tables["states"][number] == json.loads(json.dumps(words.drawn(state)))
        leads = {to: after for to, after in zip(tables["moves"], tables["next"][number]) if after}
        assert list(leads) == list(map(words.to, legal))
        assert tables["result"].get(str(number)) == (game.result(state) if game.is_over(state) else None)
        balls = tables["opponents"]["perfect"][number]
        assert [tables["moves"][ball] for ball in balls] == list(map(words.to, best.moves))
        hint, marked = tables["hints"][number]
        assert (marked, hint) == (balls if "marked" in hint else [], words.advice(state)[1])
        for move in [
            Move(row, 1 + place) for row, held in enumerate(state if words.rows else ()) for place in range(held)
        ]:
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
    twin = again(json.loads(json.dumps(board.described())))
    assert (twin.described(), twin.message, repr(twin)) == (board.described(), board.message, repr(board))
    twin.take(3, 1)
    board.take(3, 1)
    assert twin.moves == board.moves
    assert Board("NIM", first_legal).described() is None  # it may do something else when it is asked again
    assert Board(TAKING).described() is None
    assert Board(OWN_GAMES["ladder"]).described() is None  # it has points
    assert Board(three_piles(100, 100, 100), "perfect").described() is None


def test_several_opponents_have_a_menu_of_their_own():
    searches = [SearchAgent(simulations, seed=1) for simulations in (5, 20)]
    board = Board(sticks(9), [*searches, "perfect"], controls=["undo"])
    assert board.shown == ["undo", "opponent"] and board.opponent is searches[0]
    names = ["a search, 5 simulations", "a search, 20 simulations", "perfect"]
    board.take(1)
    board.set_state({"opponent": names[1]})
    assert (board.opponent, board.moves) == (searches[1], [])
    assert [name for _, name in board.now()["opponent"]["options"]] == names
    twin = again(json.loads(json.dumps(board.described())))
    assert list(twin.offered["opponent"]) == [names[1], names[0], names[2]]
    [[tables]] = [endings.values() for endings in living(twin)["games"].values()]
    assert set(tables["opponents"]) == set(names)
    for asked in ([], ["perfect", "perfect"]):
        with pytest.raises(ValueError, match="opponent: expected opponents with names of their own"):
            Board(sticks(9), asked)


def test_a_search_has_one_reply_in_each_state():
    board = Board(sticks(9), SearchAgent(20, seed=1), controls=["you_start"], moves=[(0, 1), (0, 1)])
    twin = again(json.loads(json.dumps(board.described())))
    [[tables]] = [endings.values() for endings in living(twin)["games"].values()]
    for state, after in enumerate(tables["next"]):
        replies = tables["opponents"]["a search, 20 simulations"][state]
        assert len(replies) == (state not in tables["result"])
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
    page = render(SCENARIOS["NIM"], (1, 3, 4, 5), "Computer takes 2 coins from row 3.")
    assert (page.count("●"), page.count("○")) == (13, 3)
    assert "<strong>Computer takes 2 coins from row 3.</strong>" in page
    with pytest.raises(ValueError, match="expected a state of this game"):
        render(sticks(3), (4,))


def test_what_an_agent_says_is_no_part_of_the_page():
    def rude(game, state):
        raise ValueError("<script>alert(1)</script>")

    board = Board(sticks(3), opponent=rude)
    board.take(0, 1)
    assert "ValueError in state (2,): <script>alert(1)</script>." in shown(board)["said"]
    assert "<script>" not in board.page + board.still()
    assert "&" not in Board._css  # where nothing is escaped
