"""The data: a program can remake each file, its card is complete, and the numbers agree with the rules.

Whole files are remade in tests/full/test_data_again.py.
"""

import re
from itertools import islice

import pandas as pd
import pytest
from tables import as_text, program, stored

from coincourse.course import data
from coinlib import SCENARIOS, Move, solve

SMALL = 600_000  # bytes: people download the course over slow connections too


@pytest.fixture(scope="module")
def games():
    return pd.read_csv(data("random_games.csv"))


def test_the_program_makes_the_first_games_again():
    again = [as_text(row) for row in program("make_random_games").rows(300)]
    assert again == stored("random_games.csv")[1:301]


@pytest.mark.parametrize(("name", "lines"), [("half", 3), ("self_play", 3)])
def test_the_first_lines_of_a_table_of_judgements_come_again(name, lines):
    name = f"judgements_{name}.csv"
    again = [as_text(row) for row in islice(program("make_judgements").TABLES[name](), lines)]
    assert again == stored(name)[:lines]


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


def test_the_cards_explain_every_column_of_the_judgements_and_there_are_ten_seeds_of_each():
    names = ("judgements_half.csv", "judgements_self_play.csv", "judgements_search.csv")
    for name, columns in zip(names, columns_of_the_cards()[1:], strict=True):
        table = pd.read_csv(data(name))
        assert list(table.columns) == columns
        settings = ("rows", "way", "judge", "exploration", "games", "simulations")
        kind = [column for column in settings if column in columns]
        assert set(table.groupby(kind).seed.apply(tuple)) == {tuple(range(1, 11))}
