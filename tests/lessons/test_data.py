"""The data: a command makes the file again, its card is complete, and the numbers agree with the rules."""

import csv
import importlib.util
import re
import subprocess
import sys
from itertools import islice

import pandas as pd
import pytest
from paths import ROOT

from coincourse.course import data
from coinlib import SCENARIOS, Move, solve

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
    card, *_ = columns_of_the_cards()
    assert card == list(games.columns)


def columns_of_the_cards() -> list[list[str]]:
    """The columns that each table of the card explains."""
    card = data("README.md").read_text(encoding="utf-8")
    tables = re.findall(r"(?:^\|.*\n)+", card, flags=re.MULTILINE)
    return [re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE) for table in tables]


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


# --- judgements -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def make_judgements():
    """The program that makes the three tables."""
    spec = importlib.util.spec_from_file_location("make_judgements", ROOT / "data" / "make_judgements.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stored(name: str) -> list[list[str]]:
    with data(name).open(newline="", encoding="utf-8") as lines:
        return list(csv.reader(lines))


def as_text(row) -> list[str]:
    return ["" if value is None else str(value) for value in row]


@pytest.mark.parametrize(("name", "lines"), [("half", 4), ("self_play", 3), ("search", 4)])
def test_the_first_lines_of_each_table_of_judgements_come_again(make_judgements, name, lines):
    """The whole takes a quarter of an hour; the first seeds say whether the program still makes these files."""
    name = f"judgements_{name}.csv"
    again = [as_text(row) for row in islice(make_judgements.TABLES[name](), lines)]
    assert again == stored(name)[:lines]


def test_three_piles_come_again_from_their_last_seed(make_judgements):
    game = make_judgements.piles(3, 7)
    for way in ("binary", "signs"):
        judgement, unseen = make_judgements.taught(game, make_judgements.WAYS[way], 10)
        (line,) = [line for line in stored("judgements_half.csv") if line[0] == "7 7 7" and line[2:4] == [way, "10"]]
        assert line[4:6] == as_text(make_judgements.right_moves(judgement, unseen))


def test_the_cards_explain_every_column_of_the_judgements_and_there_are_ten_seeds_of_each():
    names = ("judgements_half.csv", "judgements_self_play.csv", "judgements_search.csv")
    for name, columns in zip(names, columns_of_the_cards()[1:], strict=True):
        table = pd.read_csv(data(name))
        assert list(table.columns) == columns
        kind = [column for column in ("rows", "way", "judge", "games", "simulations") if column in columns]
        assert set(table.groupby(kind).seed.apply(tuple)) == {tuple(range(1, 11))}
