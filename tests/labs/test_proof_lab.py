"""The proof lab without a browser: the pattern, the Grundy row and the step of the proof follow the sliders."""

import re

import pytest

from coincourse.labs import ProofLab
from coincourse.labs.perfect_play.proof_lab import MOST_STICKS, MOST_TAKE
from coinlib import solve, sticks

ENDINGS = pytest.mark.parametrize("ending", ["normal", "misere"])


def words(html):
    html = re.sub(r"<style>.*?</style>", " ", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def said(lab):
    return words(lab.page)


def table(lab, caption):
    """The cells of the table with these words in its caption, row by row, as words."""
    html = re.search(rf"<caption>[^<]*{caption}[^<]*</caption>(.*?)</table>", lab.page, re.DOTALL).group(1)
    cells = [re.findall(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", row) for row in re.findall(r"<tr>(.*?)</tr>", html)]
    return [[words(cell).strip() for cell in row] for row in cells]


def test_the_lost_counts_stand_in_one_column_which_moves_with_the_ending():
    lab = ProofLab(sticks=11)
    assert table(lab, "counts in lines") == [
        ["remainder", "0", "1", "2", "3"],
        ["0 +", "0 L", "1 −1", "2 −2", "3 −3"],
        ["4 +", "4 L", "5 −1", "6 −2", "7 −3"],
        ["8 +", "8 L", "9 −1", "10 −2", "11 −3"],
    ]
    lab.ending = "misere"
    assert table(lab, "counts in lines")[1:] == [
        ["0 +", "0 won", "1 L", "2 −1", "3 −2"],
        ["4 +", "4 −3", "5 L", "6 −1", "7 −2"],
        ["8 +", "8 −3", "9 L", "10 −1", "11 −2"],
    ]
    lab.max_take = 2
    assert table(lab, "counts in lines")[2] == ["3 +", "3 −2", "4 L", "5 −1"]


def test_the_grundy_row_follows():
    lab = ProofLab(sticks=6, max_take=2)
    assert table(lab, "Grundy value")[1:] == [
        ["Grundy value", "0", "1", "2", "0", "1", "2", "0"],
        ["won or lost", "L", "W", "W", "L", "W", "W", "L"],
    ]
    lab.ending = "misere"
    assert table(lab, "Grundy value")[1:] == [
        ["value of the others", "–", "0", "1", "2", "0", "1", "2"],
        ["won or lost", "W", "L", "W", "W", "L", "W", "W"],
    ]


def test_the_step_of_the_proof_follows():
    lab = ProofLab(sticks=14)
    assert "Normal play: 14 sticks are won for whoever has to move: take 2." in said(lab)
    assert "14 = 3 · 4 + 2: the remainder is 2." in said(lab)
    assert "Take 2. That leaves 12 , which is lost for the other side" in said(lab)
    lab.ending = "misere"
    assert "One stick is poison, so both play for the other 13. 13 = 3 · 4 + 1" in said(lab)
    assert "Take 1. That leaves 13 , which is lost" in said(lab)
    lab.sticks = 13
    assert "A take of 1, 2 or 3 leaves 12 , 11 or 10 : with one stick less, no multiples of 4." in said(lab)
    lab.sticks = 1
    assert "Who has to move must take it. 1 is lost." in said(lab)
    lab.sticks = 0
    assert "No stick is left, so the other side took the last one, and has lost. 0 is won" in said(lab)
    lab.ending = "normal"
    assert "0 is lost for whoever has to move. Here the proof begins." in said(lab)
    lab.sticks = 2
    assert "That leaves nothing: you have taken the last stick" in said(lab)


@ENDINGS
def test_every_step_of_the_proof_says_what_the_solver_says(ending):
    """The counts and takes in the words, for all settings: each take that is named does what is said of it."""
    lab = ProofLab(ending=ending)
    for most in range(1, MOST_TAKE + 1):
        wins = solve(sticks(MOST_STICKS, most, ending == "misere")).wins
        for count in range(2, MOST_STICKS + 1):
            lab.change(sticks=count, max_take=most)
            text = words(lab.page)
            assert f"So {count} is {'won' if wins[count] else 'lost'}." in text
            if wins[count]:
                assert not wins[count - int(re.search(r"Take (\d+)\.", text).group(1))]
            else:
                named = re.search(r"leaves ([\d ,or]+):", text).group(1)
                left = [int(number) for number in re.findall(r"\d+", named)]
                assert left == [count - take for take in range(1, min(most, count) + 1)]
                assert all(wins[number] for number in left)


def test_the_parts_are_linked_and_can_be_reached_by_key():
    lab = ProofLab(sticks=9)
    for count in range(10):
        assert lab.page.count(f"'cell n{count}") >= 3  # in the grid, and in the Grundy row
        assert f"class='cell n{count}{' chosen' * (count == 9)}' tabindex='0' aria-label='{count}: " in lab.page
        assert f".coin-lab:has(.n{count}:is(:hover, :focus)) .n{count}" in lab.page


@ENDINGS
def test_it_names_its_ending_and_never_the_other(ending):
    text = words(ProofLab(sticks=20, ending=ending).page)
    right, wrong = ("Normal", "Misère") if ending == "normal" else ("Misère", "Normal")
    assert f"{right} play" in text
    assert wrong.lower() not in text.lower()
