"""The programs can remake the stored tables."""

import subprocess
import sys
from itertools import islice

from paths import ROOT
from tables import as_text, program, stored

from coincourse.course import data


def test_the_command_makes_the_games_again_byte_for_byte(tmp_path):
    again = tmp_path / "random_games.csv"
    command = [sys.executable, str(ROOT / "data" / "make_random_games.py"), "--to", str(again)]
    subprocess.run(command, check=True)
    assert again.read_bytes() == data("random_games.csv").read_bytes()


def test_the_first_lines_of_a_table_of_searches_come_again():
    """The whole file takes half an hour; the first seeds show whether the program still makes it."""
    name = "judgements_search.csv"
    again = [as_text(row) for row in islice(program("make_judgements").TABLES[name](), 4)]
    assert again == stored(name)[:4]


def test_three_piles_come_again_from_their_last_seed():
    make = program("make_judgements")
    game = make.piles(3, 7)
    for way in ("binary", "signs"):
        judgement, unseen = make.taught(game, make.WAYS[way], 10)
        (line,) = [line for line in stored("judgements_half.csv") if line[0] == "7 7 7" and line[2:4] == [way, "10"]]
        assert line[4:6] == as_text(make.right_moves(judgement, unseen))
