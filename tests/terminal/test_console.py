"""The programs of the handouts: what is true of any session.

test_transcripts.py compares what each program prints with tests/stored/referee/transcripts.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from coincourse.terminal import nim
from coinlib import SCENARIOS, Hats, QLearner, RandomAgent, evaluate, solve, sticks, three_piles, train

# --- sticks -------------------------------------------------------------------------------------------


def test_what_trains_the_computer_is_compiled_before_the_first_question(play, monkeypatch):
    monkeypatch.setattr("coincourse.terminal.sticks.train", lambda *_, games, **__: print(f"{games} trained"))
    screen, _ = play("sticks --games 50", "10", "3")
    first, welcome, *_, last = [line for line in screen.splitlines() if "trained" in line or "Welcome" in line]
    assert (first, welcome) == ("1 trained", "Welcome to the game of sticks!")
    assert last == "Which option do you take (1-3)? 50 trained"
    assert play("sticks --menu friend", "10")[0].startswith("Welcome")


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
    for learner in (QLearner(sticks(10)), Hats(sticks(20))):
        screen, status = play(f"sticks --load {learner.save(tmp_path / 'other.npz')}", "10", "2")
        assert (status, "other.npz: expected Hats of" in screen) == (2, True)


# --- piles, rows and learners ---------------------------------------------------------------------------


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("piles", [(3, 3, 7), (1, 2, 3), (100, 99, 98), (0, 4, 4)])
def test_three_piles_played_perfectly_by_the_person_ends_as_forecast(play, piles, first, monkeypatch):
    """If the person makes a winning move whenever there is one, the forecast comes true."""
    solution = solve(three_piles(*piles))
    ask = nim.Nim.ask

    def answer(self, state, player):
        move = (solution.best_moves(state) or solution.game.legal_moves(state))[0]
        monkeypatch.setattr(nim, "ask", lambda question: f"{move.row} {move.count}")
        return ask(self, state, player)

    monkeypatch.setattr(nim.Nim, "ask", answer)
    screen, status = play(" ".join(["nim", *map(str, piles), "--seed 3", "--second" * (not first)]), "0")
    can = "can force" if solution.winner() == 1 else "cannot force"
    assert f"{piles}: the first player {can} a win" in screen
    assert (f"Player {solution.winner()} wins" in screen, "mistake" in screen, status) == (True, False, 0)


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


def test_in_qlearn_taking_more_than_is_left_takes_the_last_coin_and_is_no_forfeit(play, tmp_path):
    screen, _ = play("qlearn --opponent human --sticks 2 --games 1 --print-q", "3")
    assert "The learner wins: player 2 took 3 with only 1 coin left and loses (misère play)." in screen
    assert re.search(r"^ +2 +1 +0 +0$", screen, re.MULTILINE)  # and it has learnt from it
    file = tmp_path / "wins.svg"
    screen += play(f"qlearn --games 50 --seed 1 --verbose --graph {file}")[0]
    told = file.read_text(encoding="utf-8")
    screen += play(f"qlearn --games 50 --seed 1 --graph {file}")[0]
    assert "with only" in screen and not re.search("illegal|forfeit", screen)
    assert drawn(told) == drawn(file.read_text(encoding="utf-8"))


def drawn(svg: str) -> list[str]:
    """The lines of a picture, without names that are different each time."""
    return re.findall(r'<path d="[^"]+"|<!-- .* -->', svg)
