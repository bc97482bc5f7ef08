"""The triangle lab without a browser: filling in a table, with verdicts, explanations and hints."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from triangle_words import arrows, numbers, said

from coincourse.labs import TriangleLab
from coincourse.labs.perfect_play.triangle_cells import TABLES, verdict_on
from coinlib import solve_greedy
from coinlib.runs import runs_of

ROW = (1, 2, 4, 3)
ROWS = st.lists(st.integers(0, 30), min_size=2, max_size=7).map(tuple)


def test_a_table_filled_in_cell_by_cell():
    lab = TriangleLab(task="fill")
    assert set(numbers(lab).values()) == {""}
    greedy = solve_greedy(ROW)
    for done, (i, j) in enumerate(runs_of(greedy)):
        assert f"{done} of 10 cells are correct; wrong answers: 0." in said(lab)
        assert re.findall(r"data-to='(\d,\d)'[^>]*data-now", lab.page) == [f"{i},{j}"]  # where the focus goes next
        lab.typed(f"{i},{j}", f"{greedy.alice[i, j]}")
        assert lab.data.notice.startswith("✓ Correct.")
    assert "<input" not in lab.page
    assert "★ Well done: all 10 cells are correct, without one wrong answer. Alice gets 5 of 10." in said(lab)
    assert len(arrows(lab)) == 8
    lab.show = "margin"
    assert "0 of 10 cells" in said(lab)
    lab.task = "look"
    lab.one_step()
    lab.task, lab.show = "fill", "alice"
    assert "all 10 cells are correct" in said(lab)  # answers are kept, for both tables
    lab.press("Empty table")
    assert lab.settings["filled"] == ()


def test_a_wrong_number_gets_its_own_explanation():
    for coins, show, cell, answer, words in [
        (ROW, "alice", (3, 3), 3, "Bob takes this coin, so Alice does not get it."),
        ((2, 5, 1), "alice", (0, 0), 0, "One coin is left, and Alice takes it."),
        (ROW, "alice", (0, 1), 1, "for Alice the other end is better"),
        (ROW, "alice", (0, 2), 4, "he leaves her as little as he can"),
        (ROW, "alice", (0, 2), 6, "Bob keeps the coin that he takes"),
        (ROW, "alice", (0, 3), 4, "Add the coin that Alice takes now"),
        ((3, 5, 1, 2), "alice", (1, 3), 6, "That is what Bob gets of these coins"),
        (ROW, "alice", (0, 3), 0, "That number belongs in the other table, S."),
        (ROW, "alice", (0, 3), 9, "Look at the two cells below it"),
        (ROW, "margin", (0, 1), -1, "for Alice the other end is better"),
        (ROW, "margin", (0, 2), 5, "Subtract, do not add"),
        ((2, 5, 1), "margin", (0, 2), 2, "Look at the sign: it is the margin of Alice"),
        (ROW, "margin", (0, 2), 2, "That number belongs in the other table, A."),
        (ROW, "margin", (0, 3), 50, "Look at the two cells below it"),
    ]:
        verdict = verdict_on(solve_greedy(coins), show, *cell, answer)
        assert verdict.startswith("✗ ") and words in verdict


@settings(max_examples=30)
@given(ROWS, st.sampled_from(list(TABLES)), st.integers(-40, 99), st.data())
def test_no_verdict_gives_the_number_away(coins, show, answer, data):
    greedy, j = solve_greedy(coins), data.draw(st.integers(0, len(coins) - 1))
    i = data.draw(st.integers(0, j))
    verdict, value = verdict_on(greedy, show, i, j, answer), getattr(greedy, show)[i, j]
    assert verdict.startswith("✓") == (answer == value)
    if answer != value:  # no number but the coins and the answer
        assert not re.search(r"\d", verdict.partition("is wrong.")[2])
