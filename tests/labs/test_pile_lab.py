"""The lab of three piles without a browser: what its controls and clicks do, what it says, how a game goes."""

import re
from html import unescape
from itertools import product

import numpy as np
import pytest

from coincourse.labs import PileLab
from coincourse.labs.perfect_play.pile_lab import SIZES
from coincourse.labs.perfect_play.piles import took
from coinlib import Move, solve, three_piles
from coinlib.theory import nim_sum


def said(lab):
    """What the page says, without its marks."""
    page = re.sub(r"<style>.*?</style>", "", lab.page, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "", page)).replace("\u00a0", " ")


def status(lab):
    return re.sub(r"<[^>]*>", "", re.search(r"<p role='status'>(.*?)</p>", lab.page)[1])


def cells(lab, names=""):
    """The positions in the grid, and on the strip, whose cell has these names."""
    found = re.findall(r"<g class='([^']*)' transform='[^']*' data-to='([\d,]+)'", lab.page)
    return [tuple(map(int, to.split(","))) for had, to in found if set(names.split()) <= set(had.split())]


# --- what it shows


@pytest.mark.parametrize("most", SIZES)
@pytest.mark.parametrize("sums", [False, True])
def test_every_cell_is_marked_as_the_solution_says(most, sums):
    lab = PileLab((3, 5, 7), most=most, sums=sums)
    solution = solve(three_piles(most, most, most))
    for third in (0, 1, 6, 7):
        lab.third = third
        assert lab.data.state == (3, 5, third)
        numbers = range(most + 1)
        shown = [(first, second, third) for second in numbers for first in numbers]
        shown += [(3, 5, three) for three in numbers]
        assert cells(lab) == shown
        lost = [state for state in shown if not solution.wins[state]]
        assert cells(lab, "lost") == lost
        marked = re.findall("<g class='lost[^<]*: lost[^<]*(?:<rect[^<]*|<text[^<]*</text>)*<circle", lab.page)
        assert len(marked) == (0 if sums else len(lost))  # with nim-sums the 0 is the mark
        assert all(
            str(state[:2]) in said(lab).partition("Lost in this slice")[2] for state in lost if state[2] == third
        )
        assert cells(lab, "here") == [(3, 5, third)] * 2  # in the grid and on the strip
        drawn = re.findall(r"font-size='[\d.]+'>(\d+)</text>", lab.page)
        assert drawn == ([str(nim_sum(*state)) for state in shown] if sums else [])


def test_winning_moves_are_drawn_and_listed():
    lab = PileLab(most=7)
    for state in product(range(0, 8, 2), range(0, 8, 3), range(8)):
        lab.go(state)
        best = lab.data.best
        assert lab.page.count("class='arrow'") == len(best)
        assert all(f"take {took(move)} (" in status(lab) for move in best)
        verdict = "won" if best else "lost" if any(state) else "no coin is left"
        assert status(lab).startswith(f"{state}: {verdict}")
        shown = re.findall(r"<tr><td><span data-to='([\d,]+)'[^>]*>take (\d+) from pile (\d)", lab.page)
        moves = [(tuple(map(int, to.split(","))), int(count), row) for to, count, row in shown]
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


# --- looking around


def test_a_smaller_grid_takes_the_piles_along():
    lab = PileLab((20, 3, 31), most=31)
    lab.most = 7
    assert lab.data.state == (7, 3, 7)
    assert lab.now()["third"]["most"] == 7


def test_steps_of_best_play():
    lab = PileLab((1, 2, 4))
    for _ in range(4):
        before, best, leads = lab.state, lab.data.best, lab.data.leads
        lab.best_move()
        move = lab.data.moves[-1]
        assert move in best or not best
        assert leads[lab.state] == move
        if best:
            assert status(lab).startswith(f"{before}: best play took {took(move)}.")
        else:
            assert f"{before} was lost, so no move was better than another" in status(lab)
    lab.start_again()
    assert (lab.state, lab.data.history) == ((1, 2, 4), ())


# --- a game


def test_a_mistake_is_said_and_answered():
    lab = PileLab(mode="play")
    assert "Winning moves" in said(lab) and not lab.now()["third"]["disabled"]
    assert sorted(set(cells(lab, "can"))) == sorted(lab.data.leads)
    lab.go((3, 2, 7))
    assert "Winning moves" not in said(lab) and "class='arrow'" not in lab.page  # they are not given away
    assert (lab.third, lab.now()["third"]["disabled"]) == (1, True)  # in the middle of a game the sliders follow
    assert re.findall(r"class='gone' aria-hidden='true'>(.?)<", lab.page) == ["Y"] + ["C"] * 6
    assert status(lab) == (
        "You take 1 from pile 1. That was a mistake. (3, 3, 7) was won for you: take 7 from pile 2 "
        "(what is left is two equal piles, and you copy: what is taken from one pile, you take from the other). "
        "Now the computer can force a win. The computer takes 6 from pile 2. Your turn at (3, 2, 1)."
    )
    assert lab.data.history == (Move(1, 1), Move(2, 6))
    lab.go((0, 2, 1))
    assert "You take 3 from pile 0. (From (3, 2, 1) no move could win against perfect play.)" in status(lab)
    while not lab.data.over:
        lab.go(lab.data.game.play(lab.state, lab.data.game.legal_moves(lab.state)[0]))
    assert status(lab).endswith("The computer wins.")
    lab.go((0, 0, 0))
    assert "This game is over." in said(lab)


@pytest.mark.parametrize("careful", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_a_won_game_is_won_by_winning_moves_and_lost_by_the_first_mistake(seed, careful):
    dice, lab, mistaken = np.random.default_rng(seed), PileLab((4, 7, 5), mode="play", seed=seed), False
    assert status(lab).startswith("(4, 7, 5): won. You move first. You can force a win: take 2 from ")
    while not lab.data.over:
        best = lab.data.best
        move = best[0] if careful else dice.choice(lab.data.game.legal_moves(lab.state))
        mistaken = mistaken or tuple(move) not in best
        lab.go(lab.data.game.play(lab.state, tuple(move)))
        assert (mistaken or "Right: " in status(lab)) and ("That was a mistake" in status(lab)) <= mistaken
        assert mistaken == (not lab.data.best) or lab.data.over
    winner = "The computer wins." if mistaken else "You win."
    assert status(lab).endswith(f"That was the last coin. Normal play: whoever takes the last coin wins. {winner}")


def test_the_computer_moves_first():
    lab = PileLab((3, 3, 7), mode="play", starts="computer")
    assert "The computer can force a win: take 7 from pile 2" in status(lab)
    assert "and the computer copies: what is taken from one pile, it takes from the other" in status(lab)
    assert status(lab).endswith("Press “Best move” to see its move.")
    assert "The computer moves first. Against perfect play the computer loses" in status(
        PileLab((1, 2, 3), mode="play", starts="computer")
    )
    lab.go((3, 3, 0))
    assert lab.state == (3, 3, 7)
    assert "It is the computer's turn." in said(lab)
    lab.press("Best move")
    assert status(lab) == "The computer takes 7 from pile 2. Your turn at (3, 3, 0)."


@pytest.mark.parametrize("to", [(2, 2, 7), (3, 3, 7), (4, 3, 7), (0, 0, 0)])
def test_what_one_move_does_not_reach_is_refused_in_words(to):
    lab = PileLab(mode="play")
    lab.go(to)
    assert lab.state == (3, 3, 7)
    assert f"No move leads from (3, 3, 7) to {to}: take coins from one pile." in said(lab)
    lab.go((3, 3, 0))
    assert "No move leads" not in said(lab)


def test_new_games_are_named_by_the_seed():
    lab, other = PileLab(mode="play", seed=4), PileLab((1, 1, 1), seed=4)
    drawn = set()
    for seed in range(5, 10):
        lab.press("New game")
        other.new_game()
        assert lab.state == other.state and lab.seed == other.seed == seed
        assert all(1 <= held <= 15 for held in lab.state)
        drawn.add(lab.state)
    assert len(drawn) == 5
