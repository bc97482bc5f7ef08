"""The data: a command makes the file again, its card is complete, and the numbers agree with the rules."""

import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from coincourse.course import data
from coinlib import SCENARIOS, Move, solve

ROOT = Path(__file__).resolve().parent.parent
SMALL = 600_000  # bytes: the course is downloaded on slow lines too


@pytest.fixture(scope="module")
def games():
    return pd.read_csv(data("random_games.csv"))


def test_the_command_makes_the_file_again_byte_for_byte(tmp_path):
    again = tmp_path / "random_games.csv"
    program = ROOT / "data" / "make_random_games.py"
    subprocess.run([sys.executable, str(program), "--to", str(again)], check=True)
    assert again.read_bytes() == data("random_games.csv").read_bytes()


def test_ten_thousand_games_over_the_six_scenarios(games):
    assert list(games.game) == list(range(1, 10_001))
    assert games.scenario.value_counts(sort=False).to_dict() == dict(zip(SCENARIOS, [1667] * 4 + [1666] * 2))
    assert data("random_games.csv").stat().st_size < SMALL
    assert not games.isna().any().any()


def test_the_card_explains_every_column_and_no_other(games):
    card = data("README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", card, flags=re.MULTILINE) == list(games.columns)


def test_first_moves_are_legal_and_all_of_them_occur(games):
    for name, part in games.groupby("scenario"):
        game = SCENARIOS[name]
        made = {Move(row, count) for row, count in zip(part.first_row, part.first_count)}
        assert made == set(game.legal_moves(game.start))


def test_who_takes_the_last_coin_loses_and_lengths_are_possible(games):
    assert (games.winner == games.moves % 2 + 1).all()  # an odd number of moves: player 1 made the last one
    for name, part in games.groupby("scenario"):
        game = SCENARIOS[name]
        fewest = sum(-(-held // game.max_pick) for held in game.rows)
        assert part.moves.between(fewest, sum(game.rows)).all()


def test_each_slip_hands_the_win_to_the_other_side(games):
    for name, part in games.groupby("scenario"):
        advantage = solve(SCENARIOS[name]).winner()
        kept = part.slips % 2 == 0
        assert (part.winner[kept] == advantage).all()
        assert (part.winner[~kept] == 3 - advantage).all()
