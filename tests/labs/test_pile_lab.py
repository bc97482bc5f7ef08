"""The three-piles lab without a browser: its picture and its table say what the solution says."""

import re
from itertools import product

import pytest
from lab_words import said, words

from coincourse.labs import PileLab, hard_piles
from coincourse.labs.perfect_play.pile_lab import SIZES
from coinlib import solve, three_piles
from coinlib.theory import nim_sum


def status(lab):
    return words(re.search(r"<p role='status'>(.*?)</p>", lab.page)[1])


def position(to):
    return tuple(map(int, to.split(",")))


def cells(lab, names=""):
    """The positions in the grid, and on the strip, whose cell has these names."""
    found = re.findall(r"<g class='([^']*)' transform='[^']*' data-to='([\d,]+)'", lab.page)
    return [position(to) for had, to in found if set(names.split()) <= set(had.split())]


# --- what it shows


@pytest.mark.parametrize("most", SIZES)
@pytest.mark.parametrize("sums", [False, True])
def test_every_cell_is_marked_as_the_solution_says(most, sums):
    lab = PileLab((3, 5, 7), most=most, sums=sums)
    solution = solve(three_piles(most, most, most))
    for third in (0, 1, 6):
        lab.third = third
        assert lab.data.state == (3, 5, third)
        numbers = range(most + 1)
        shown = [(first, second, third) for second in numbers for first in numbers]
        shown += [(3, 5, three) for three in numbers]
        assert cells(lab) == shown
        lost = [state for state in shown if not solution.wins[state]]
        assert cells(lab, "lost") == lost
        marked = re.findall("<g class='lost[^<]*: losing[^<]*(?:<rect[^<]*|<text[^<]*</text>)*<circle", lab.page)
        assert len(marked) == len(lost)  # a dot; with nim-sums a ring
        listed = said(lab).partition("Losing positions in this slice")[2]
        assert all(str(state[:2]) in listed for state in lost if state[2] == third)
        assert cells(lab, "here") == [(3, 5, third)] * 2  # in the grid and on the strip
        drawn = re.findall(r"font-size='[\d.]+'>(\d+)</text>", lab.page)
        assert drawn == ([str(nim_sum(*state)) for state in shown] if sums else [])


def test_winning_moves_are_drawn_and_listed():
    lab = PileLab(most=7)
    for state in product(range(0, 8, 2), range(0, 8, 3), range(8)):
        lab.go(state)
        best = lab.data.best
        assert lab.page.count("class='arrow'") == len(best)
        assert all(f"take {move.count} from pile {move.row} (" in status(lab) for move in best)
        verdict = "a winning position" if best else "a losing position" if any(state) else "no coin is left"
        assert status(lab).startswith(f"{state}: {verdict}")
        shown = re.findall(r"<tr><td><span data-to='([\d,]+)'[^>]*>take (\d+) from pile (\d)", lab.page)
        moves = [(position(to), int(count), row) for to, count, row in shown]
        wanted = best or lab.data.game.legal_moves(state)
        assert moves == [(lab.data.game.play(state, move), move.count, str(move.row)) for move in wanted]


def test_a_lost_position_shows_an_answer_to_each_move():
    lab = PileLab((1, 2, 3))
    rows = re.findall(r"<tr>(.*?)</tr>", lab.page)[1:]
    answers = [re.findall(r"\((\d),\s(\d),\s(\d)\)", row) for row in rows]
    assert len(answers) == 6
    for left, after in answers:
        left, after = tuple(map(int, left)), tuple(map(int, after))
        assert not solve(three_piles(1, 2, 3)).wins[after]
        assert after in [lab.data.game.play(left, move) for move in lab.data.game.legal_moves(left)]


@pytest.mark.parametrize("most", SIZES)
def test_the_nim_sums_can_be_read(most):
    sizes = re.findall(r"<text [^>]*font-size='([\d.]+)'", PileLab((3, 5, 7), most=most, sums=True).page)
    assert min(map(float, sizes)) > 11  # pixels, where the lab has its full width


def test_a_smaller_grid_takes_the_piles_along():
    lab = PileLab((20, 3, 31), most=31)
    lab.most = 7
    assert lab.data.state == (7, 3, 7)
    assert lab.now()["third"]["most"] == 7


# --- best play


def test_best_play_leaves_a_losing_position_and_ends_with_no_coin():
    lab = PileLab((4, 7, 5), most=7)
    while not lab.data.over:
        before = lab.state
        best = lab.data.best
        lab.press("Best move")
        took = "best play took" if best else "was a losing position, so no move was better"
        assert took in status(lab) and str(before) in status(lab)
        assert (lab.data.best == []) or not best
    with pytest.raises(ValueError, match="there is no button 'Best move'"):
        lab.press("Best move")
    lab.press("Start again")
    assert lab.state == (4, 7, 5)


def test_new_games_are_named_by_the_seed():
    lab, other = PileLab(seed=4), PileLab((1, 1, 1), seed=4)
    drawn = set()
    for seed in range(5, 10):
        lab.press("New game")
        other.new_game()
        assert lab.state == other.state and lab.seed == other.seed == seed
        assert all(1 <= held <= 15 for held in lab.state)
        drawn.add(lab.state)
    assert len(drawn) == 5


# --- the piles of the last game


@pytest.mark.parametrize("number", [-1, 2.5, "a"])
def test_a_number_that_cannot_choose_piles_is_named(number):
    with pytest.raises((TypeError, ValueError), match="^number: expected"):
        hard_piles(number)


def test_hard_piles_are_a_losing_position_for_half_of_all_numbers():
    drawn = [hard_piles(number) for number in range(1_000)]
    assert all(len(set(piles)) == 3 and 3 <= min(piles) and max(piles) <= 15 for piles in drawn)
    wins = solve(three_piles(15, 15, 15)).wins
    losing = sum(not wins[piles] for piles in drawn)
    assert abs(losing - 500) < 64  # four standard deviations
