"""The programs of the handouts: their sessions word for word, and whatever else people type."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coincourse.terminal import COMMANDS, main
from coincourse.terminal.greedy import triangle
from coincourse.terminal.talk import compiling_is_said
from coinlib import SCENARIOS, Hats, QLearner, RandomAgent, evaluate, play_match, solve, solve_greedy, sticks, train

terminal = pytest.importorskip("terminal", reason="pseudo-terminals are a thing of Unix", exc_type=ImportError)

# --- the handout's sessions ---------------------------------------------------------------------------

FRIENDS = """\
Welcome to the game of sticks!
How many sticks are there on the table initially (10-100)? 10

There are 10 sticks on the board.
Player 1: How many sticks do you take (1-3)? 3

There are 7 sticks on the board.
Player 2: How many sticks do you take (1-3)? 3

There are 4 sticks on the board.
Player 1: How many sticks do you take (1-3)? 3

There is 1 stick on the board.
Player 2: How many sticks do you take (1-3)? 1
Player 2, you lose.
"""

REFUSED = """\
Welcome to the game of sticks!
How many sticks are there on the table initially (10-100)? 500
Please enter a number between 10 and 100
How many sticks are there on the table initially (10-100)? 3
Please enter a number between 10 and 100
How many sticks are there on the table initially (10-100)? 50

There are 50 sticks on the board.
Player 1: How many sticks do you take (1-3)? 3

There are 47 sticks on the board.
Player 2: How many sticks do you take (1-3)? 55
Please enter a number between 1 and 3
Player 2: How many sticks do you take (1-3)? 3

There are 44 sticks on the board.
Player 1: How many sticks do you take (1-3)? 3
"""
REFUSED_END = """
There is 1 stick on the board.
Player 1: How many sticks do you take (1-3)? 1
Player 1, you lose.
"""

COMPUTER = """\
Welcome to the game of sticks!
How many sticks are there on the table initially (10-100)? 10
Options:
Play against a friend (1)
Play against the computer (2)
Which option do you take (1-2)? 2

There are 10 sticks on the board.
Player 1: How many sticks do you take (1-3)? 3

There are 7 sticks on the board.
AI selects 2

There are 5 sticks on the board.
Player 1: How many sticks do you take (1-3)? 3

There are 2 sticks on the board.
AI selects 2
AI loses.
Play again (1 = yes, 0 = no)? 1

There are 10 sticks on the board.
Player 1: How many sticks do you take (1-3)? 1

There are 9 sticks on the board.
AI selects 1

There are 8 sticks on the board.
Player 1: How many sticks do you take (1-3)? 3

There are 5 sticks on the board.
AI selects 3

There are 2 sticks on the board.
Player 1: How many sticks do you take (1-3)? 2
You lose.
Play again (1 = yes, 0 = no)? 1

There are 10 sticks on the board.
Player 1: How many sticks do you take (1-3)? 3

There are 7 sticks on the board.
AI selects 2

There are 5 sticks on the board.
Player 1: How many sticks do you take (1-3)? 3

There are 2 sticks on the board.
AI selects 2
AI loses.
Play again (1 = yes, 0 = no)? 0
"""

TRAINED = """\
Welcome to the game of sticks!
How many sticks are there on the table initially (10-100)? 10
Options:
Play against a friend (1)
Play against the computer (2)
Play against the trained computer (3)
Which option do you take (1-3)? 3

There are 10 sticks on the board.
Player 1: How many sticks do you take (1-3)? 3

There are 7 sticks on the board.
AI selects 2

There are 5 sticks on the board.
Player 1: How many sticks do you take (1-3)? 1

There are 4 sticks on the board.
AI selects 3

There is 1 stick on the board.
Player 1: How many sticks do you take (1-3)? 1
You lose.
Play again (1 = yes, 0 = no)? 1

There are 10 sticks on the board.
Player 1: How many sticks do you take (1-3)? 2

There are 8 sticks on the board.
AI selects 3

There are 5 sticks on the board.
Player 1: How many sticks do you take (1-3)? 2

There are 3 sticks on the board.
AI selects 2

There is 1 stick on the board.
Player 1: How many sticks do you take (1-3)? 1
You lose.
Play again (1 = yes, 0 = no)? 0
"""
BALLS = """
from coinlib import Hats
balls = iter({balls})
Hats.choose = lambda self, values, row, exploration: next(balls) - 1
"""


def typed(screen: str) -> list[str]:
    """The answers in a session, as they stand behind the questions."""
    return re.findall(r"\? (.*)", screen)


def test_with_a_friend_word_for_word():
    assert terminal.session(["sticks", "--menu", "friend"], typed(FRIENDS)) == (FRIENDS, 0)


def test_answers_out_of_range_word_for_word():
    rest = ["3"] * 12 + ["2", "1", "1", "1"]  # 41 sticks are left: player 2 moves
    screen, status = terminal.session(["sticks", "--menu", "friend"], [*typed(REFUSED), *rest])
    assert screen.startswith(REFUSED)
    assert screen.endswith(REFUSED_END)
    assert status == 0


def test_with_the_computer_word_for_word():
    scripted = BALLS.format(balls=[2, 2, 1, 3, 2, 2])
    assert terminal.session(["sticks", "--menu", "computer"], typed(COMPUTER), scripted) == (COMPUTER, 0)


def test_with_the_trained_computer_word_for_word():
    """Nothing is scripted: after 100,000 games it finds each of the handout's moves by itself."""
    assert terminal.session(["sticks", "--seed", "1"], typed(TRAINED)) == (TRAINED, 0)


# --- in this process ----------------------------------------------------------------------------------


@pytest.fixture
def play(monkeypatch, capsys):
    """Run a command with answers, then the end of the input: what it printed, its status, the questions left over."""

    def run(words: str, *answers: str) -> tuple[str, int]:
        pending = iter(answers)

        def answer(question: str) -> str:
            print(question, end="")
            try:
                reply = next(pending)
            except StopIteration:
                raise EOFError from None
            print(reply)
            return reply

        monkeypatch.setattr("builtins.input", answer)
        status = main(words.split())
        said = capsys.readouterr()
        return said.out + said.err, status

    return run


def test_taking_more_than_is_left_takes_everything_and_loses(play):
    screen, _ = play("sticks --menu friend", "10", "3", "3", "2", "3")
    assert screen.endswith(
        "There are 2 sticks on the board.\nPlayer 2: How many sticks do you take (1-3)? 3\nPlayer 2, you lose.\n"
    )


def test_the_computer_learns_from_game_to_game_and_shows_its_hats(play):
    """The handout's example game: hats 4 and 7 gain a ball each."""
    for seed in range(200):  # until the balls 2 and 3 are drawn, as in the handout
        screen, _ = play(f"sticks --menu computer --show-hats --seed {seed}", "10", "2", "3", "1", "1", "0")
        if "AI selects 2\n\nThere are 5" in screen and "AI selects 3\n\nThere is 1" in screen:
            break
    hats = screen[screen.index("hat  content") : screen.index("Play again (")]
    assert hats.splitlines() == [
        "hat  content  beside",
        "1    1,2,3",
        "2    1,2,3",
        "3    1,2,3",
        "4    1,2,3,3",
        "5    1,2,3",
        "6    1,2,3",
        "7    1,2,2,3",
        "8    1,2,3",
        "9    1,2,3",
        "10   1,2,3",
    ]


def test_the_trained_computer_is_the_first_of_two_that_took_turns_to_begin(play, tmp_path):
    file = tmp_path / "hats.npz"
    play(f"sticks --seed 5 --games 2000 --save {file}", "10", "3", "3", "3", "3")
    saved = Hats(sticks(10))
    saved.load(file)
    mine, theirs = np.random.SeedSequence(5).spawn(2)
    hats = Hats(sticks(10), seed=mine)
    train(hats, Hats(sticks(10), seed=theirs), games=2000, first="alternate")
    assert saved.games == 2001  # and the one against the person
    changed = (saved.balls != hats.balls).sum()
    assert 0 < changed <= 3


def test_hats_go_on_where_they_were_saved(play, tmp_path):
    file = tmp_path / "hats.npz"
    assert play(f"sticks --seed 1 --save {file}", "10", "2", "3", "3", "1", "0")[1] == 0
    first = Hats(sticks(10))
    first.load(file)
    assert first.games == 1
    play(f"sticks --load {file} --save {file}", "10", "2", "3", "3", "1", "0")
    first.load(file)
    assert first.games == 2
    screen, status = play(f"sticks --load {file}", "20", "2")
    assert status == 2
    assert "expected this game" in screen
    assert play(f"sticks --load {tmp_path / 'none.npz'}", "10", "2")[1] == 2


def test_hats_that_cannot_be_saved(play, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    file = tmp_path / "hats.npz"
    monkeypatch.setattr("numpy.savez_compressed", full)
    screen, status = play(f"sticks --seed 1 --save {file}", "10", "2", "3", "3", "1", "0")
    assert status == 2
    assert screen.endswith(f"coinlib sticks: No space left on device: '{file}'\n")
    assert list(tmp_path.iterdir()) == []


def test_three_piles_says_who_wins_and_when_somebody_errs(play):
    screen, status = play("nim 3 3 7", "q 5", "n 1", "q 2", "n 2")
    assert status == 0
    assert "(3, 3, 7): the first player can force a win: take 7 from q, leaving (3, 3, 0)." in screen
    assert "That was a mistake. You could have won: take 7 from q, leaving (3, 3, 0)." in screen
    assert "You move first.\n" in screen
    assert "I move first.\n" in play("nim 1 0 0 --second", "0")[0]
    assert "Pile n holds 1 coin. Please enter n 1\n" in play("nim 1 0 0", "n 2", "n 1", "0")[0]
    assert "You have won 2 of 2 games.\n" in play("nim 1 0 0", "n 1", "1", "n 1", "0")[0]
    assert play("nim 0 0 0")[0].endswith("(0, 0, 0): no coin is on the table, so whoever is to move has lost.\n")
    assert "(1, 2, 3): the first player cannot force a win." in play("nim 1 2 3")[0]


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("piles", [(3, 3, 7), (2, 2, 1), (1, 2, 3), (100, 99, 98), (0, 0, 5), (0, 4, 4)])
def test_three_piles_played_perfectly_by_the_person_ends_as_forecast(play, piles, first, monkeypatch):
    """The person answers with a winning move wherever there is one: then the forecast comes true for them."""
    solution = solve(solve_game(piles))
    words = f"nim {' '.join(map(str, piles))} --seed 3" + ("" if first else " --second")
    state: list = [None]

    def answer(question: str) -> str:
        if question.startswith("Play again"):
            return "0"
        held = tuple(map(int, re.findall(r"[ndq] = (\d+)", question)))
        moves = solution.best_moves(held) or solution.game.legal_moves(held)
        state[0] = held
        return f"{'ndq'[moves[0].row]} {moves[0].count}"

    monkeypatch.setattr("builtins.input", answer)
    printed: list[str] = []
    monkeypatch.setattr("coincourse.terminal.nim.say", lambda line="": printed.append(line))
    assert main(words.split()) == 0
    person_wins = (solution.winner() == 1) == first
    assert any("you win" in line for line in printed) == person_wins
    assert not any("mistake" in line for line in printed)


def solve_game(piles):
    from coinlib import three_piles

    return three_piles(*piles)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_perfect_machine_wins_all_that_it_should(play, name):
    """1,000 games of each scenario: against random play, and against itself."""
    seat = solve(SCENARIOS[name]).winner()
    players = ("perfect", "random") if seat == 1 else ("random", "perfect")
    for other in ("random", "perfect"):
        pair = [player if player == "perfect" and place == seat - 1 else other for place, player in enumerate(players)]
        screen, status = play(f"coins {name} --first {pair[0]} --second {pair[1]} --games 1000 --seed 1")
        assert status == 0
        won = [int(words.replace(",", "")) for words in re.findall(r": ([\d,]+) won", screen)]
        assert won[seat - 1] == 1000


def test_the_count_is_that_of_evaluate(play):
    screen, _ = play("coins NIM --first random --second careless --games 500 --seed 4 --alternate")
    one, two = np.random.SeedSequence(4).spawn(2)
    found = evaluate(SCENARIOS["NIM"], RandomAgent(one), RandomAgent(two, legal_only=False), games=500)
    assert f"random: {found.wins} won" in screen
    assert f"careless: {found.losses} won" in screen
    assert f"{found.opponent_forfeits} forfeited by an illegal move" in screen


def test_learners_of_a_terminal_game_have_practised(play):
    for name in ("hats", "qlearner"):
        screen, _ = play(f"coins SINGLE_21_2 --first {name} --second random --games 1000 --practice 20000 --seed 1")
        assert int(re.search(rf"{name}: ([\d,]+) won", screen)[1].replace(",", "")) > 950


def test_rows_of_ones_own_in_normal_play(play):
    screen, _ = play("coins --rows 4 --max-pick 3 --normal --first person --second perfect --seed 1", "9", "", "1", "0")
    assert "Normal play: who takes the last coin wins." in screen
    assert "Row 0 holds 4 coins; asked to take 9 (legal: 1 to 3)." in screen
    assert "Player 2 (perfect) takes 3 from row 0." in screen
    assert "Player 2 wins: player 2 took the last coin and wins (normal play)." in screen


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("coins", "expected a scenario"),
        ("coins FOO", "got 'FOO'"),
        ("coins NIM --rows 1,2", "expected a scenario"),
        ("coins --rows 1,x", "got '1,x'"),
        ("coins --rows 1,-2", "expected"),
        ("coins NIM --games 10", "for two machines"),
        ("coins NIM --first mirror --second random", "mirror needs two rows"),
        ("coins --rows 999999,999999,999999", "would need"),
        ("greedy 1 2 --load x", "unrecognized"),
        ("qlearn --graph nothing.xyz", "expected a name that ends in .png"),
        ("qlearn --graph nowhere/at/all.png", "there is no folder"),
        ("nim 1 2 101", "expected a whole number from 0 to 100, got '101'"),
        ("nim 1 2 1e9", "got '1e9'"),
        ("greedy -- -1", "expected a whole number from 0 to 999,999,999, got '-1'"),
        ("sticks --games 1e9", "expected a whole number from 0 to 10,000,000"),
        (f"sticks --seed {'9' * 1000}", "expected a whole number from 0 to 999,999,999"),
        ("coins --rows 1000001 --first random --second random --games 1", "at most 20 rows of at most 1,000,000"),
        ("coins --rows 1,2 --first random --second perfect --max-pick 0", "expected a whole number from 1"),
        ("sticks --save no/such/folder/hats.npz", "there is no folder 'no/such/folder'"),
        ("sticks --save .", "expected the name of a file, got '.'"),
        ("sticks --save /dev/null", "expected the name of a file, got '/dev/null'"),
        ("sticks --load no-such.npz", "there is no file 'no-such.npz'"),
        ("sticks --load tests", "there is no file 'tests'"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(play, words, complaint):
    screen, status = play(words)
    assert status == 2
    assert complaint in screen
    assert screen.count("\n") == 1


def test_greedy_prints_the_handouts_table_and_counts_mistakes(play):
    screen, _ = play("greedy 3 5 1 2 --seed 1", "L", "what", "left", "0")
    assert "With best play Alice gets 7 of 11: Alice wins by 3." in screen
    assert "One line of best play: Alice R (2), Bob L (3), Alice L (5), Bob L (1)." in screen
    assert "That was a mistake: it costs 4 of your margin." in screen
    assert "Please enter L or R" in screen
    assert "Bob wins: Alice 4, Bob 7." in screen
    lines = triangle(solve_greedy([1, 2, 4, 3]))
    assert [line.split()[1:] for line in lines[:2]] == [["5", "LR"], ["2", "R", "4", "LR"]]
    screen, _ = play("greedy 2 1 --margin --bob --seed 1", "L", "0")
    assert "S: by how much" in screen
    assert "Alice wins: Alice 2, Bob 1." in screen


def test_a_triangle_too_wide_is_said_to_be_so(play):
    screen, status = play(f"greedy --no-play {' '.join(str(1 + n % 9) for n in range(200))}")
    assert status == 0
    assert "too wide to be printed" in screen
    assert "With best play Alice gets" in screen


def test_qlearn_told_move_by_move_is_qlearn_in_bulk(play):
    told, _ = play("qlearn --games 60 --seed 3 --verbose --print-q")
    bulk, _ = play("qlearn --games 60 --seed 3 --print-q")
    assert told[told.index("\nThe learner won") :] == bulk[bulk.index("\nThe learner won") :]
    mine, theirs = np.random.SeedSequence(3).spawn(2)
    learner = QLearner(sticks(10), legal_only=False, seed=mine)
    run = train(learner, RandomAgent(theirs, legal_only=False), games=60)
    assert f"The learner won {run.won.sum()} of 60 games." in bulk
    assert f"{10:>6}" + "".join(f"{value:>10.3g}" for value in learner.values[0]) in bulk


def test_qlearn_with_a_person_who_leaves(play):
    screen, status = play("qlearn --opponent human --seed 1", "3", "x", "4", "3", "1", "-1")
    assert status == 0
    assert "Please enter 1, 2 or 3, or -1 to leave" in screen
    assert re.search(r"The learner won \d of \d games?\.", screen)


def test_qlearn_says_how_a_game_ended(play):
    """Nobody has told the learner what is legal: it finds out with three sticks, against a person who takes one."""
    screen, _ = play("qlearn --opponent human --sticks 3", *["1"] * 6)
    ends = re.findall(r"(The learner takes .*|Sticks to remove\?.*)\nYou (win|lose)\.", screen)
    assert ends == [
        ("The learner takes 1, 0 left.", "win"),
        ("The learner takes more than is left.", "win"),  # two sticks, then three: neither is better
        ("The learner takes more than is left.", "win"),
        ("The learner takes 1, 0 left.", "win"),  # now it knows that three sticks less one are lost
        ("Sticks to remove? 1", "lose"),
        ("Sticks to remove? 1", "lose"),
    ]
    assert "No game was finished." in play("qlearn --opponent human", "-1")[0]
    told, _ = play("qlearn --sticks 1 --games 3 --seed 1 --verbose")
    assert told.count("learner takes 1, 0 left\nThe learner loses.\n") >= 1


def test_qlearn_has_a_window_of_ones_choice(play):
    assert "Of the last 20 it won 16." in play("qlearn --games 50 --seed 1 --window 20")[0]


def test_qlearn_draws_its_win_rate(play, tmp_path):
    from matplotlib import pyplot

    file, open_before = tmp_path / "wins.png", pyplot.get_fignums()
    assert play(f"qlearn --games 50 --seed 1 --graph {file}")[1] == 0
    assert file.read_bytes().startswith(b"\x89PNG")
    assert pyplot.get_fignums() == open_before  # a notebook that runs the program keeps its own figures
    assert "There is no graph" in play(f"qlearn --games 3 --graph {tmp_path / 'none.png'}")[0]
    assert not (tmp_path / "none.png").exists()


# --- whatever is typed ----------------------------------------------------------------------------------

HOSTILE = st.one_of(
    st.text(max_size=30),
    st.integers(-(10**12), 10**12).map(str),
    st.sampled_from(
        ["", " ", "-1", "1e9", "9" * 1000, "١", "²", "1_0", "0x1", "1.0", "n 1", "q 99999", "L", "1 1", "\0", "\x1b[A"]
    ),
    st.integers(0, 3).map(str),
)
PROGRAMS = [
    "sticks --seed 1 --games 100",
    "sticks --menu friend",
    "nim 3 3 7 --seed 1",
    "nim 5 0 2 --second --seed 1",
    "coins NIM --seed 1",
    "coins SINGLE_21_2 --first hats --second person --practice 50 --seed 1",
    "greedy 1 2 4 3 --seed 1",
    "qlearn --opponent human --seed 1",
]


@pytest.mark.parametrize("program", PROGRAMS)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answers=st.lists(HOSTILE, max_size=40))
def test_whatever_is_typed_ends_well(play, program, answers):
    screen, status = play(program, *answers)
    assert status == 0
    assert "Traceback" not in screen


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    command=st.sampled_from(["sticks", "nim", "coins", "greedy", "qlearn"]),
    words=st.lists(
        st.one_of(
            HOSTILE,
            st.sampled_from(["--seed", "--games", "--rows", "--first", "hats", "NIM", "--normal", "--margin", "--"]),
        ),
        max_size=6,
    ),
)
def test_whatever_stands_on_the_command_line_ends_well(monkeypatch, capsys, tmp_path, command, words):
    def nobody(question):
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
    monkeypatch.chdir(tmp_path)
    words = ["3" if word in ("--load", "--save", "--graph") else word for word in words]
    assert main([command, *words]) in (0, 2)
    assert "Traceback" not in capsys.readouterr().err


# --- terminals, pipes and keys ----------------------------------------------------------------------------


LEFT = {  # with so many answers given
    "sticks --seed 1": ["10", "2", "1"],
    "nim 3 3 7 --seed 1": ["q 7", "n 3"],
    "coins SINGLE_21_2 --seed 1": [],
    "greedy 1 2 4 3 --seed 1": ["L"],
    "qlearn --opponent human --seed 1": ["1"],
}
ONE_BY_ONE = f"""
from coincourse.terminal import main
for words in {[*LEFT, *LEFT]}:
    print("left with", main(words.split()), flush=True)
"""


def test_each_program_can_be_left_at_a_question():
    """All of them in one process, in its own terminal: first with Ctrl-C, then by ending the input."""
    running = terminal.Terminal([sys.executable, "-c", ONE_BY_ONE])

    def answer(answers: list[str]) -> None:
        for words in answers:
            running.read_until("? ")
            running.type(f"{words}\n")
        running.read_until("? ")

    for answers in LEFT.values():
        answer(answers)
        running.press("\x03", "left with 130\n")
    for answers in LEFT.values():
        answer(answers)
        running.press("\x04", "left with 0\n")
    assert running.finish() == 0
    assert "Traceback" not in running.seen


def test_the_status_after_a_key_and_after_the_window_is_closed():
    command = [sys.executable, "-m", "coincourse", "sticks"]
    one, two = terminal.Terminal(command), terminal.Terminal(command)
    one.read_until("? ")
    one.press("\x03", "^C\n")
    two.read_until("? ")
    assert one.finish() == 130
    assert two.close() == -1  # the signal that every program gets with its window
    assert "Traceback" not in one.seen + two.seen


TWO_RULES = ["coins", "--rows", "3", "--first", "take-one", "--second", "take-one"]


def test_colour_only_on_a_terminal_and_never_with_no_color():
    code = [sys.executable, "-m", "coincourse", *TWO_RULES]
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        running = terminal.Terminal(code, **environment)
        assert running.finish() == 0
        assert ("\x1b[" in running.seen) == coloured
    piped = subprocess.run(code, capture_output=True, text=True, check=True)
    assert "Player 2 wins" in piped.stdout
    assert "\x1b[" not in piped.stdout


@pytest.mark.parametrize("width", [80, 40])
def test_no_word_is_broken_at_the_edge_of_a_terminal(play, monkeypatch, width):
    monkeypatch.setattr("coincourse.terminal.talk.is_terminal", lambda stream: stream is sys.stdout)
    monkeypatch.setenv("COLUMNS", str(width))
    for words in ("nim 90 90 90", "coins NIM", "greedy 1 2 4 3", "qlearn --games 5 --seed 1", "sticks"):
        screen, _ = play(words)
        said = [line for line in screen.splitlines() if "? " not in line]
        assert said
        assert max(map(len, said)) <= width
    assert "take 90 from n, leaving (0, 90, 90)" in " ".join(play("nim 90 90 90")[0].split())


def test_nobody_reads_what_is_printed():
    code = [
        sys.executable,
        "-m",
        "coincourse",
        "coins",
        "NIM",
        "--first",
        "random",
        "--second",
        "random",
        "--seed",
        "1",
    ]
    with subprocess.Popen(code, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        complaint = process.stderr.read()
        assert process.wait() == 141
    assert complaint == b""


def test_no_input_and_letters_that_the_terminal_has_not():
    code = [sys.executable, "-m", "coincourse", "coins", "NIM", "--second", "take-one"]
    none = subprocess.run(
        code, stdin=subprocess.DEVNULL, capture_output=True, check=True, env={"PYTHONIOENCODING": "ascii"}
    )
    assert b"Mis?re play" in none.stdout
    odd = subprocess.run(
        [sys.executable, "-m", "coincourse", "sticks"], input=b"\xff\xfe\n\x00\n10\n", capture_output=True, check=True
    )
    assert odd.stdout.count(b"Please enter a number between 10 and 100") == 2
    assert odd.stderr == b""


@pytest.mark.parametrize(
    ("error", "status", "complaint"),
    [
        (BrokenPipeError(), 141, ""),
        (OSError(28, "No space left on device", "screen"), 2, "coinlib nim: No space left on device: 'screen'\n"),
        (ZeroDivisionError("why"), 2, "coinlib nim: _ask_person raised ZeroDivisionError in state (1, 0, 0): why\n"),
    ],
    ids=lambda given: type(given).__name__,
)
def test_what_goes_wrong_at_a_question_ends_in_one_line(monkeypatch, capsys, error, status, complaint):
    """A person is an agent, and the arena wraps whatever an agent raises."""

    def fails(question):
        raise error

    monkeypatch.setattr("builtins.input", fails)
    monkeypatch.setattr("coincourse.terminal._be_silent", lambda: None)  # it would close pytest's own screen
    assert main(["nim", "1", "0", "0"]) == status
    said = capsys.readouterr().err
    assert re.sub(r"\S+ raised", "_ask_person raised", said) == complaint


@pytest.mark.parametrize(
    ("words", "answers"),
    [("sticks", ["10", "3"]), ("coins NIM --first hats --second random", []), ("qlearn", [])],
    ids=["sticks", "coins", "qlearn"],
)
def test_ctrl_c_while_a_learner_practises_ends_the_program(play, monkeypatch, words, answers):
    """In a notebook the training stops and what was learnt is kept; here the person wants to leave."""

    def interrupted(self, done):
        if done:
            raise KeyboardInterrupt

    monkeypatch.setattr("coinlib.arena._Bar.show", interrupted)
    screen, status = play(words, *answers)
    assert status == 130
    assert "board" not in screen and "won" not in screen


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
def test_a_stream_that_was_closed_from_the_start(play, monkeypatch, closed):
    real, answers = {name: getattr(sys, name) for name in ("stdin", "stdout", "stderr")}, iter(["q 5", "n 1"])

    def answer(question: str) -> str:
        for name in ("stdin", "stdout"):
            if getattr(sys, name) is None:
                raise RuntimeError(f"input(): lost sys.{name}")
        reply = next(answers, None)
        if reply is None:
            raise EOFError
        return reply

    monkeypatch.setattr(sys, closed, None)
    monkeypatch.setattr("builtins.input", answer)
    assert main(["nim", "3", "3", "7", "--seed", "1"]) == 0
    monkeypatch.setattr(sys, closed, real[closed])


@pytest.mark.parametrize("terminal", [True, False])
def test_the_first_compilation_is_announced_on_a_terminal_only(capsys, monkeypatch, terminal):
    numba = pytest.importorskip("numba")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    double, triple = numba.njit(lambda number: 2 * number), numba.njit(lambda number: 3 * number)
    with compiling_is_said():
        assert double(2) + triple(2) == 10
    assert capsys.readouterr().err.count("Compiling the fast loops; this happens once") == terminal
    with compiling_is_said():
        double(3)
    assert capsys.readouterr().err == ""


# --- help ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_help_reads_like_a_manual_page(name, capsys):
    assert main([name, "--help"]) == 0
    page = capsys.readouterr().out
    assert f"usage: coinlib {name}" in page
    assert f"example: coinlib {COMMANDS[name].example}" in page
    assert COMMANDS[name].example.split()[0] == name


@pytest.mark.parametrize("name", ["sticks", "nim", "coins", "greedy", "qlearn"])
def test_the_example_of_each_program_runs(play, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    screen, status = play(COMMANDS[name].example)
    assert status == 0
    assert screen


def test_a_seed_repeats_a_session(play):
    answers = ("20", "3", "3", "3", "3", "1", "1", "2", "3", "1", "2", "0")
    for words in ("sticks --seed 7 --games 50", "coins NIM --first random --second hats --practice 50 --seed 2"):
        assert play(words, *answers) == play(words, *answers)


def test_a_match_lost_in_the_middle_teaches_nothing(play, tmp_path):
    """Whoever leaves in the middle of a game leaves the hats as they were after the last one."""
    file = tmp_path / "hats.npz"
    play(f"sticks --seed 1 --save {file}", "10", "2", "3", "3", "1", "1", "3")
    saved = Hats(sticks(10))
    saved.load(file)
    assert saved.games == 1
    assert not saved.beside()
    assert play_match(sticks(10), saved, RandomAgent(1), seed=1)
