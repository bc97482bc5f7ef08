"""The programs of the handouts: their sessions word for word, and whatever else people type.

What each program prints stands in tests/stored/referee/transcripts and is compared there; here is what is true of any session.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paths import STORED

from coincourse.terminal import COMMANDS, main
from coinlib import SCENARIOS, Hats, QLearner, RandomAgent, evaluate, solve, sticks, three_piles, train

terminal = pytest.importorskip("terminal", reason="pseudo-terminals are a thing of Unix", exc_type=ImportError)
COINLIB = [sys.executable, "-m", "coincourse"]
HANDOUTS = STORED / "handouts"
BALLS = """
from coinlib import Hats
balls = iter({balls})
Hats.choose = lambda self, values, row, exploration: next(balls) - 1
"""


@pytest.mark.parametrize(
    ("session", "words", "before"),
    [
        ("friends", "--menu friend", ""),
        ("refused", "--menu friend", ""),
        ("computer", "--menu computer", BALLS.format(balls=[2, 2, 1, 3, 2, 2])),
        ("trained", "--seed 1", ""),  # after 100,000 games it finds each of the handout's moves by itself
    ],
)
def test_a_session_of_the_handout_word_for_word(session, words, before):
    screen = (HANDOUTS / f"{session}.txt").read_text(encoding="utf-8")
    answers = re.findall(r"\? (.*)", screen)
    assert terminal.session(["sticks", *words.split()], answers, before) == (screen, 0)


@pytest.fixture
def play(monkeypatch, capsys):
    """Run a command in this process with answers, then the end of the input: what it printed, and its status."""

    def run(words: str, *answers: str) -> tuple[str, int]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        status = main(words.split())
        screen = capsys.readouterr()
        return screen.out + screen.err, status

    return run


# --- sticks -------------------------------------------------------------------------------------------


def test_what_trains_the_computer_is_compiled_before_the_first_question(play, monkeypatch):
    monkeypatch.setattr("coincourse.terminal.sticks.train", lambda *_, games, **__: print(f"{games} trained"))
    screen, _ = play("sticks --games 50", "10", "3")
    first, welcome, *_, last = [line for line in screen.splitlines() if "trained" in line or "Welcome" in line]
    assert (first, welcome, last) == (
        "1 trained",
        "Welcome to the game of sticks!",
        "Which option do you take (1-3)? 50 trained",
    )
    assert play("sticks --menu friend", "10")[0].startswith("Welcome")


@pytest.mark.parametrize(("left", "words"), [(2, "Only 2 sticks left"), (1, "Only 1 stick left")])
def test_taking_more_than_is_left_takes_everything_and_loses_in_words(play, left, words):
    before = {2: ["3", "3", "2"], 1: ["3", "3", "3"]}[left]
    screen, _ = play("sticks --menu friend", "10", *before, "3")
    rest = screen[screen.index(words) :]
    assert rest == f"{words}: whoever takes more takes all, and loses.\nPlayer 2, you lose.\n"


def test_the_computer_learns_from_game_to_game_and_shows_its_hats(play, monkeypatch):
    """The handout's example game: hats 4 and 7 gain a ball each."""
    balls = iter([2, 3])
    monkeypatch.setattr(Hats, "choose", lambda *_: next(balls) - 1)
    screen, _ = play("sticks --menu computer --show-hats", "10", "2", "3", "1", "1", "0")
    hats = re.findall(r"^(\d+) +([\d,]+)$", screen, re.MULTILINE)
    gained = {"4": "1,2,3,3", "7": "1,2,2,3"}
    assert hats == [(str(hat), gained.get(str(hat), "1,2,3")) for hat in range(1, 11)]


def test_the_trained_computer_is_the_first_of_two_that_took_turns_to_begin(play, tmp_path):
    file, saved = tmp_path / "hats.npz", Hats(sticks(10))
    play(f"sticks --seed 5 --games 2000 --save {file}", "10", "3", "3", "3", "3")
    saved.load(file)
    hats, other = (Hats(sticks(10), seed) for seed in np.random.SeedSequence(5).spawn(2))
    train(hats, other, games=2000, first="alternate")
    assert saved.games == 2001  # and the one against the person
    assert 0 < (saved.balls != hats.balls).sum() <= 3


def test_hats_go_on_where_they_were_saved_and_a_game_left_in_the_middle_teaches_nothing(play, tmp_path):
    file, kept = tmp_path / "hats.npz", Hats(sticks(10))
    for games, begin in ((1, ""), (2, f"--load {file}")):
        assert play(f"sticks --seed 1 {begin} --save {file}", "10", "2", "3", "3", "1", "1", "3")[1] == 0
        kept.load(file)
        assert kept.games == games and not kept.beside()


def test_a_file_without_hats_for_this_game_is_said_in_plain_words(play, tmp_path):
    for learner in (QLearner(sticks(10)), Hats(sticks(20))):
        screen, status = play(f"sticks --load {learner.save(tmp_path / 'other.npz')}", "10", "2")
        assert (status, "other.npz: expected Hats of" in screen) == (2, True)


# --- piles, rows and learners ---------------------------------------------------------------------------


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("piles", [(3, 3, 7), (1, 2, 3), (100, 99, 98), (0, 0, 5), (0, 4, 4)])
def test_three_piles_played_perfectly_by_the_person_ends_as_forecast(play, piles, first, monkeypatch):
    """The person answers with a winning move wherever there is one: then the forecast comes true for them."""
    solution = solve(three_piles(*piles))

    def answer(self, state, player):
        move = (solution.best_moves(state) or solution.game.legal_moves(state))[0]
        return f"{move.row} {move.count}"

    monkeypatch.setattr("coincourse.terminal.nim.Nim.answer", answer)
    screen, status = play(" ".join(["nim", *map(str, piles), "--seed 3", "--second" * (not first)]), "0")
    can = "can force" if solution.winner() == 1 else "cannot force"
    assert f"{piles}: the first player {can} a win" in screen
    assert (f"Player {solution.winner()} wins" in screen, "mistake" in screen, status) == (True, False, 0)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_perfect_machine_wins_all_that_it_should(play, name):
    """1,000 games of each scenario: against random play, and against itself."""
    winner = solve(SCENARIOS[name]).winner()
    for other in ("random", "perfect"):
        first, second = ("perfect", other) if winner == 1 else (other, "perfect")
        screen, _ = play(f"coins {name} --first {first} --second {second} --games 1000 --seed 1")
        assert re.findall(r": ([\d,]+) won", screen)[winner - 1] == "1,000"


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


def test_qlearn_told_move_by_move_is_qlearn_in_bulk(play):
    told, bulk = (play(f"qlearn --games 60 --seed 3 {more}")[0] for more in ("--print-q", ""))
    assert told[told.index("\nThe learner won") :] == bulk[bulk.index("\nThe learner won") :]
    mine, theirs = np.random.SeedSequence(3).spawn(2)
    learner = QLearner(sticks(10), legal_only=False, seed=mine)
    run = train(learner, RandomAgent(theirs, legal_only=False), games=60)
    assert f"The learner won {run.won.sum()} of 60 games." in bulk
    tables = re.findall(r"^ +10 +(.+)$", told, re.MULTILINE)  # one after every update
    assert tables[-1].split() == [f"{value:.3g}" for value in learner.values[0]]
    assert len(tables) > 60


def test_qlearn_draws_its_win_rate(play, tmp_path):
    from matplotlib import pyplot

    file, open_before = tmp_path / "wins.png", pyplot.get_fignums()
    assert play(f"qlearn --games 50 --seed 1 --graph {file}")[1] == 0
    assert file.read_bytes().startswith(b"\x89PNG")
    assert pyplot.get_fignums() == open_before  # a notebook that runs the program keeps its own figures


def test_a_learner_that_was_left_in_its_first_game_has_learnt_nothing(play, tmp_path):
    screen, status = play(f"qlearn --opponent human --graph {tmp_path / 'wins.png'}", "-1")
    assert (screen.endswith("\nNo game was finished, so the learner has learnt nothing.\n"), status) == (True, 0)
    screen, status = play("qlearn --opponent human --sticks 2 --window 3 --graph wins.png", "1", "-1")
    assert "No win rate is drawn: 1 game cannot fill a window of 3." in screen and status == 0


def test_piles_are_called_by_their_names(play):
    screen, status = play("nim 1 2 3", "q 4", "n 2", "d 0", "z 1", "5 1", "1 2", "nickel 1")
    assert "The pile of quarters holds 3 coins; asked to take 4 (legal: 1 to 3)." in screen
    assert "The pile of nickels holds 1 coin; asked to take 2 (legal: 1)." in screen
    assert "The pile of dimes holds 2 coins; asked to take 0 (legal: 1 to 2)." in screen
    assert screen.count("Expected a pile (n, d or q) and a number of coins, got") == 2
    assert "row" not in screen.lower() and status == 0


def test_without_a_coin_the_first_player_has_lost(play):
    screen, _ = play("nim 0 0 0")
    assert "(0, 0, 0): the first player has no coin to take, and so has lost.\nPlayer 2 wins" in screen


# --- whatever is typed ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("qlearn --exploration 1.5", "unrecognized arguments: --exploration 1.5 (`coinlib qlearn --help` lists"),
        ("nim 1 2 1e9", "argument quarters: expected a whole number, got '1e9'"),
        ("greedy 1 x", "argument coins: expected a whole number, got 'x'"),
        (f"greedy 1 {2**70}", "expected values that add up to less than 2**62"),
        (f"tournament {HANDOUTS}", f"entries: the folder '{HANDOUTS}' holds no Python files"),
        (f"sticks --seed {'9' * 5000}", "argument --seed: expected a whole number, got '999"),
        ("coins NIM --rows 1,2", "expected either a scenario or --rows"),
        ("coins --rows 1,-2", "argument --rows: expected 0 or more, got -2"),
        ("coins NIM --first random --second random --games 0", "argument --games: expected 1 or more, got 0"),
        ("sticks --games -5", "argument --games: expected 0 or more, got -5"),
        ("qlearn --most 0", "argument --most: expected 1 or more, got 0"),
        ("qlearn --games 0", "argument --games: expected 1 or more, got 0"),
        ("qlearn --graph nowhere/wins.png", "argument --graph: there is no folder nowhere"),
        ("qlearn --graph wins.txt", "wins.txt: no picture can have the ending .txt"),
        ("sticks --save nowhere/hats.npz", "argument --save: there is no folder nowhere"),
        ("sticks --load nowhere.npz", "argument --load: there is no file nowhere.npz that can be read"),
        ("serve NIM --games 0", "argument --games: expected 1 or more, got 0"),
        ("serve NIM --timeout 0", "argument --timeout: expected 1 or more, got 0"),
        ("serve NIM --wait -1", "argument --wait: expected 1 or more, got -1"),
        ("serve NIM --seat 3", "argument --seat: expected 1 to 2, got 3"),
        ("join --timeout -1", "argument --timeout: expected 1 or more, got -1"),
        ("nim 1 2 -3", "expected 0 or more, got -3"),
        ("coins --rows 999999,999999,999999 --first hats", "would need"),
        ("sticks --menu nobody", "argument --menu: invalid choice: 'nobody'"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(play, words, complaint):
    screen, status = play(words)
    assert (complaint in screen, screen.count("\n"), status) == (True, 1, 2)


def test_the_two_ends_of_a_row_are_called_left_and_right(play):
    screen, status = play("greedy 1 2 4 3", "x", "", "left")
    assert screen.count("Please enter L or R, got") == 2 and "legal" not in screen and status == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_of_help_fits_on_a_terminal(play, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    screen, status = play(f"{command} --help")
    assert max(map(len, screen.splitlines())) <= 80 and status == 0


HOSTILE = st.one_of(
    st.text(max_size=30),
    st.integers(-(10**12), 10**12).map(str),
    st.sampled_from(["", " ", "9" * 5000, "١", "²", "1_0", "0x1", "n 1", "q 99999", "L", "1 1", "\0", "\x1b[A"]),
    st.integers(0, 3).map(str),
)
PROGRAMS = [
    "sticks --seed 1 --games 100",
    "nim 5 0 2 --second --seed 1",
    "coins SINGLE_21_2 --first hats --second person --practice 50 --seed 1",
    "greedy 1 2 4 3 --seed 1",
    "qlearn --opponent human --seed 1",
]
WORDS = ["--seed", "--games", "--rows", "--first", "hats", "NIM", "--normal", "--margin", "--"]
ANY_TIME = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("program", PROGRAMS)
@settings(ANY_TIME, max_examples=20)
@given(answers=st.lists(HOSTILE, max_size=40))
def test_whatever_is_typed_ends_well(play, program, answers):
    screen, status = play(program, *answers)
    assert (status, "Traceback" in screen) == (0, False)


@settings(ANY_TIME, max_examples=80)
@given(
    command=st.sampled_from(["sticks", "nim", "coins", "greedy", "qlearn"]),
    words=st.lists(HOSTILE | st.sampled_from(WORDS), max_size=6),
)
def test_whatever_stands_on_the_command_line_ends_well(monkeypatch, capsys, tmp_path, command, words):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.chdir(tmp_path)
    assert main([command, *words]) in (0, 2)
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("name", ["sticks", "nim", "coins", "greedy", "qlearn"])
def test_the_example_of_each_program_runs(play, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    example = COMMANDS[name].example
    assert example.split()[0] == name
    assert play(example)[1] == 0


# --- terminals, pipes and keys --------------------------------------------------------------------------

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
    for key, ending in (("\x03", "left with 130\n"), ("\x04", "left with 0\n")):
        for answers in LEFT.values():
            for words in answers:
                running.read_until("? ")
                running.type(f"{words}\n")
            running.read_until("? ")
            running.press(key, ending)
    assert running.finish() == 0
    assert "Traceback" not in running.seen


def test_colour_only_on_a_terminal_and_never_with_no_color():
    code = [*COINLIB, "coins", "--rows", "3", "--first", "take-one", "--second", "take-one"]
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        running = terminal.Terminal(code, **environment)
        assert running.finish() == 0
        assert ("\x1b[" in running.seen) == coloured
    assert "\x1b[" not in subprocess.run(code, capture_output=True, text=True, check=True).stdout


def test_no_word_and_no_state_is_broken_at_the_edge_of_a_terminal():
    """Neither in what is said nor in a question."""
    running = terminal.Terminal([*COINLIB, "nim", "90", "90", "91"], COLUMNS="40")
    running.read_until("? ")
    assert 30 < max(map(len, running.seen.splitlines())) <= 40
    assert all(line.count("(") == line.count(")") for line in running.seen.splitlines())
    assert "leaving (90, 90, 0)." in " ".join(running.seen.split())
    for words in ("Normal play: whoever takes the last coin wins.", "Which pile, and how many coins, such as n 1?"):
        assert words in " ".join(running.seen.split())
    running.press("\x04", "\n")
    assert running.finish() == 0


def test_nobody_reads_what_is_printed():
    code = [*COINLIB, "coins", "NIM", "--first", "random", "--second", "random", "--seed", "1"]
    with subprocess.Popen(code, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 1)


def test_no_input_and_letters_that_the_terminal_has_not():
    code, ascii_only = [*COINLIB, "coins", "NIM", "--second", "take-one"], {"PYTHONIOENCODING": "ascii"}
    none = subprocess.run(code, stdin=subprocess.DEVNULL, capture_output=True, check=True, env=ascii_only)
    assert b"Mis?re play" in none.stdout
    odd = subprocess.run([*COINLIB, "sticks"], input=b"\xff\xfe\n\x00\n10\n", capture_output=True, check=True)
    assert odd.stdout.count(b"Please enter a number between 10 and 100") == 2
    assert odd.stderr == b""


@pytest.mark.parametrize("words", ["sticks", "coins NIM --first hats --second random", "qlearn"])
def test_ctrl_c_while_a_learner_practises_ends_the_program(play, monkeypatch, words):
    """In a notebook the training stops and what was learnt is kept; here the person wants to leave."""

    def interrupted(self, marks):
        yield 0
        raise KeyboardInterrupt

    monkeypatch.setattr("coinlib.series.Series.play", interrupted)
    screen, status = play(words, "10", "3")
    assert status == 130
    assert "board" not in screen and "won" not in screen
