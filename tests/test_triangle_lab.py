"""The triangle lab without a browser: what it shows, allows, judges and says, and what it leaves in a notebook."""

import re
import time

import numpy as np
import pytest

from coincourse.labs import TriangleLab
from coincourse.labs.triangle import TABLES, explain, judge_move, judge_number, read_answer, read_row
from coinlib import solve_greedy

ROW, EIGHT = (1, 2, 4, 3), (1, 2, 2, 1, 2, 1, 1, 2)
LONG = (12, 3, 999, 14, 5, 6, 27, 8, 9, 1, 0, 7, 13, 4)


def said(lab):
    """All words on the page, without the table."""
    text = re.sub(r"<style>.*?</style>|<details>.*</details>|<svg.*</svg>", "", lab.picture.value, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def cells(lab):
    """What stands in each cell of the picture."""
    drawn = re.findall(r"<g class='place cell[^>]*data-cell='(\d+)-(\d+)'.*?</g>", lab.picture.value, flags=re.DOTALL)
    parts = re.findall(r"<g class='place cell.*?</g>", lab.picture.value, flags=re.DOTALL)
    return {(int(i), int(j)): re.search(r"<text[^>]*>([^<]*)</text>", part)[1] for (i, j), part in zip(drawn, parts)}


def buttons(lab):
    def all_of(widget):
        yield widget
        for child in getattr(widget, "children", ()):
            yield from all_of(child)

    return {part.description: part for part in all_of(lab) if type(part).__name__ == "Button"}


def same(lab):
    """The program behind a lab makes the lab's own data."""
    names = {}
    exec(TriangleLab.code(**lab.settings), names)  # noqa: S102
    made, data = names["data"], lab.data
    for name in ("alice", "margin", "moves"):
        np.testing.assert_array_equal(made[name], getattr(data.greedy, name))
    if data.moves:
        assert made["left"] == data.game.coins_left(data.states[-1])
        assert (made["points"], made["costs"]) == (data.points, data.costs)


# --- the row


@pytest.mark.parametrize("words", ["1 2 4 3", " 1, 2,4 ,3 ", "(1, 2, 4, 3)", "1;2;4;3", [1, 2, 4, 3], np.array(ROW)])
def test_a_row_is_read(words):
    assert read_row(words) == ROW


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("", "there is no coin"),
        ((), "there is no coin"),
        ("1", "this row has 1 coin: write 2 to 14"),
        ("1 " * 15, "this row has 15 coins: write 2 to 14"),
        ("12212112", "“12212112” is not a coin: .* with spaces between them"),
        ("1 2 x", "“x” is not a coin"),
        ("1 2.5", "“2.5” is not a coin"),
        ("1 -2", "“-2” is not a coin: write whole numbers from 0 to 999"),
        ("1 1000", "“1000” is not a coin"),
        ("1 ²", "“²” is not a coin"),
        ((1, 2.0), "“2.0” is not a coin"),
        ((1, True), "“True” is not a coin"),
        ((1, float("nan")), "“nan” is not a coin"),
    ],
)
def test_a_bad_row_is_refused_in_words(words, complaint):
    with pytest.raises(ValueError, match=complaint):
        read_row(words)
    with pytest.raises(ValueError, match=complaint):
        TriangleLab(coins=words)


def test_on_the_screen_a_bad_row_is_said_and_the_old_one_stays():
    lab = TriangleLab(moves="R")
    lab.inputs["coins"].value = "1 2 x"
    assert said(lab).startswith("“x” is not a coin: write whole numbers")
    assert "The old row stays." in said(lab)
    assert (lab.data.greedy.coins, lab.data.moves, lab.settings["coins"]) == (ROW, "R", ROW)
    lab.inputs["seed"].value = 5  # starts again with the row that is shown
    assert (lab.data.greedy.coins, lab.data.moves) == (ROW, "")
    lab.inputs["coins"].value = "3 5 1 2"
    assert lab.data.greedy.coins == (3, 5, 1, 2)
    assert cells(lab)[0, 3] == "7"


def test_a_shuffle_is_named_by_the_seed():
    lab, other = TriangleLab(coins=(3, 5, 1, 2)), TriangleLab(coins=(1, 2, 3, 5))
    rows = []
    for _ in range(6):
        buttons(lab)["Shuffle"].click()
        other.shuffle()
        assert lab.data.greedy.coins == other.data.greedy.coins
        assert sorted(lab.data.greedy.coins) == [1, 2, 3, 5]
        assert lab.inputs["coins"].value == " ".join(map(str, lab.data.greedy.coins))
        rows.append(lab.data.greedy.coins)
    assert lab.settings["seed"] == 7
    assert len(set(rows)) > 2


# --- the picture, beside the handout's description


def test_the_triangle_of_the_handout_cell_by_cell():
    lab = TriangleLab()
    expected = {
        (0, 3): "5", (0, 2): "2", (1, 3): "4", (0, 1): "2", (1, 2): "4", (2, 3): "4",
        (0, 0): "0", (1, 1): "0", (2, 2): "0", (3, 3): "0",
    }  # fmt: skip
    assert cells(lab) == expected
    titles = re.findall(r"<title>(Coins? .*? moves\..*?)</title>", lab.picture.value)
    assert "Coins 1 2 4 3, Alice moves. Left: 1 + 4 = 5. Right: 3 + 2 = 5. Both moves are equally good." in titles
    bob = "Coins 1 2 4, Bob moves. Left: Alice gets 4. Right: Alice gets 2. Bob leaves Alice the smaller, 2: the right coin is best."
    assert bob in titles
    assert (
        "Coins 1 2, Alice moves. Left: 1 + 0 = 1. Right: 2 + 0 = 2. Alice chooses the larger, 2: the right coin is best."
        in titles
    )


@pytest.mark.parametrize("coins", [ROW, EIGHT, (3, 9), (2, 5, 1), LONG])
@pytest.mark.parametrize("show", TABLES)
def test_numbers_arrows_and_words_are_those_of_the_tables(coins, show):
    lab = TriangleLab(coins=coins, show=show)
    greedy, size = solve_greedy(coins), len(coins)
    page = lab.picture.value
    assert cells(lab) == {
        (i, j): f"{getattr(greedy, show)[i, j]}".replace("-", "−") for j in range(size) for i in range(j + 1)
    }
    drawn = {name: 0 for name in ("alice", "bob")}
    rows = []
    for gap in range(size):
        for i in range(size - gap):
            best = greedy.moves[i, i + gap] if gap else ""
            drawn["alice" if (size - gap) % 2 else "bob"] += len(best)
            words = " or ".join({"L": "left", "R": "right"}[end] for end in best) or "the last coin"
            rows.append((" ".join(map(str, coins[i : i + gap + 1])), words))
    for name, number in drawn.items():
        assert page.count(f"<g stroke='var(--{name})'") == number
    table = re.findall(r"<tr><th scope='row'>(.*?)</th>.*?<td>([a-z ]*)</td></tr>", page)
    assert table == rows[::-1]


def test_arrows_point_to_what_is_left():
    page = TriangleLab(coins=(3, 9)).picture.value
    start, tip = re.search(r"<g stroke='var\(--alice\)'.*?<path d='M([\d.]+) \d+L([\d.]+) ", page).groups()
    assert float(tip) < float(start)  # Alice takes the 9 on the right, and the 3 on the left is left


def test_cells_light_their_coins_and_coins_the_cells_that_they_end():
    page = TriangleLab(coins=EIGHT).picture.value
    for part in re.findall(r"<g class='place cell[^>]*>", page):
        i, j = map(int, re.search(r"data-cell='(\d+)-(\d+)'", part).groups())
        assert {int(k) for k in re.findall(r"\bin(\d+)", part)} == set(range(i, j + 1))
        assert {int(k) for k in re.findall(r"\bend(\d+)", part)} == {i, j}
    for k in range(8):
        assert f".coin-triangle:has(.in{k}:is(:hover, :focus-within)) .coin{k}" in page
        assert f".coin-triangle:has(.coin{k}:is(:hover, :focus-within)) .end{k}" in page


# --- looking and playing


def test_best_play_step_by_step():
    lab = TriangleLab(coins=(3, 5, 1, 2))
    for moves in ("R", "RL", "RLL", "RLLL", "RLLL"):
        lab.one_step()
        assert lab.data.moves == moves
        same(lab)
    assert said(lab).startswith("Bob takes the 1, the last coin. Alice wins by 3. Alice 7, Bob 4.")
    assert lab._step.disabled
    buttons(lab)["Start again"].click()
    assert (lab.data.moves, lab._step.disabled) == ("", False)
    lab.pause = 0
    lab.run()
    assert lab.data.moves == "RLLL"


def test_a_mistake_is_said_with_its_cost_and_can_be_punished():
    lab = TriangleLab(coins=(3, 5, 1, 2), task="play", seed=3)
    assert said(lab).startswith("Your turn. You can announce: “I get at least 7, whatever you do.”")
    lab.take("L")
    words = said(lab)
    assert words.startswith(
        "You take the 3 on the left. A mistake: it costs 4 points of the margin. The computer takes the 5"
    )
    assert "You 3, the computer 5: the computer leads by 2. You can announce: “I get at least 2 more, 5 in all" in words
    same(lab)
    lab.take("R")
    assert "You take the 2 on the right. It costs nothing. The computer takes the 1, the last coin." in said(lab)
    assert "The computer wins by 1. You 5, the computer 6." in said(lab)
    assert (
        "Points of the margin lost by mistakes: you 4; the computer 0. When both play perfectly, who moves first gets 7."
        in said(lab)
    )
    same(lab)
    lab.take("L")
    assert said(lab).startswith("There is no coin to take now.")


def test_bob_waits_for_alice_and_promises_the_rest():
    lab = TriangleLab(task="play", side="bob", seed=1)
    assert len(lab.data.moves) == 1
    first = lab.data.taken[0]
    assert f"The computer takes the {first}" in said(lab)
    assert (
        f"The computer {first}, you 0: the computer leads by {first}. You can announce: “I get at least 5, whatever"
        in said(lab)
    )
    while lab.data.run:
        lab.take("L")
    assert len(lab.data.moves) == 4
    same(lab)


@pytest.mark.parametrize("side", ["alice", "bob"])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_announced_is_kept_by_best_play_against_anything(side, seed):
    lab = TriangleLab(coins=EIGHT, task="play", opponent="random", side=side, seed=seed)
    me = ["alice", "bob"].index(side)
    announced = 0
    while lab.data.run:
        more = int(re.search(r"at least (?:\d+ more, )?(\d+)", said(lab))[1])
        assert more >= announced
        announced = more
        lab.take(str(lab.data.greedy.moves[lab.data.run])[-1])
    assert lab.data.points[me] >= announced
    assert sum(lab.data.costs[me::2]) == 0
    won = 2 * lab.data.greedy.value - sum(EIGHT) + (1 if me else -1) * -sum(lab.data.costs)
    assert lab.data.points[0] - lab.data.points[1] == won


def test_a_perfect_computer_makes_no_mistake_and_a_random_one_does():
    costs = {}
    for opponent in ("perfect", "random"):
        costs[opponent] = 0
        for seed in range(8):
            lab = TriangleLab(coins=(3, 5, 1, 2, 9, 4), task="play", opponent=opponent, seed=seed)
            while lab.data.run:
                lab.take("R")
            costs[opponent] += sum(lab.data.costs[1::2])
    assert costs["perfect"] == 0 < costs["random"]


def test_the_tease_is_offered_only_where_both_ends_are_best():
    lab = TriangleLab(task="play")
    choose = buttons(lab)["Let the computer choose"]
    assert "let the computer choose your move" in said(lab)
    assert not choose.disabled
    choose.click()
    assert re.match(r"The computer chose the (left|right) end for you: it could not hurt you\.", said(lab))
    assert lab.data.costs[0] == 0
    lab = TriangleLab(coins=(3, 5, 1, 2), task="play")
    assert buttons(lab)["Let the computer choose"].disabled
    lab.let_choose()
    assert said(lab).startswith("Only where both ends are equally good for you.")
    assert lab.data.moves == ""


def test_undo_and_new_game():
    lab = TriangleLab(task="play")
    lab.undo()
    assert said(lab).startswith("There is no move of yours to take back.")
    lab.take("R")
    assert lab.data.moves == "RR"
    buttons(lab)["Undo"].click()
    assert lab.data.moves == ""
    lab = TriangleLab(task="play", side="bob", moves="RRL")
    assert len(lab.data.moves) == 3
    lab.undo()
    assert lab.data.moves == "R"
    lab.new_game()
    assert (lab.settings["seed"], len(lab.data.moves)) == (2, 1)


def test_without_the_table_no_number_is_shown():
    lab = TriangleLab(task="play", reveal=False)
    assert set(cells(lab).values()) == {""}
    assert "<g stroke='var(" not in lab.picture.value
    assert "<details>" not in lab.picture.value
    assert "announce" not in said(lab)  # it would tell what the table holds
    lab.take("R")
    assert "announce" not in said(lab) and "It costs nothing" in said(lab)
    lab.inputs["reveal"].value = True
    assert cells(lab)[0, 3] == "5" and "You can announce" in said(lab)


@pytest.mark.parametrize("settings", [{"task": "fill"}, {"task": "play", "reveal": False}, {"task": "look"}])
def test_what_stands_in_the_cells_is_said_once(settings):
    assert said(TriangleLab(**settings)).count("In each cell A:") == 1


# --- filling in


def test_a_table_filled_in_cell_by_cell():
    lab = TriangleLab(task="fill")
    assert set(cells(lab).values()) == {""}
    assert "0 of 10 cells are correct; wrong answers: 0." in said(lab)
    greedy = solve_greedy(ROW)
    for done, (i, j) in enumerate(lab.data.cells(), 1):
        assert f"data-go='{i}-{j}'" in lab.picture.value  # where the focus goes next
        lab.fill(i, j, f"{greedy.alice[i, j]}")
        assert f"{done} of 10 cells are correct; wrong answers: 0." in said(lab)
        assert lab.data.notice.startswith("✓ Correct.")
    assert "data-ask" not in lab.picture.value
    assert "★ Well done: all 10 cells are correct, without one wrong answer. Alice gets 5 of 10." in said(lab)
    assert lab.picture.value.count("<g stroke='var(") == 8
    same(lab)
    buttons(lab)["Empty table"].click()
    assert lab.settings["filled"] == ()


def test_a_wrong_answer_stays_until_it_is_mended():
    lab = TriangleLab(task="fill", show="margin")
    lab.fill(0, 0, "-1")
    assert "✗ Coin 1, Bob moves: −1 is wrong. One coin is left, and Bob takes it." in said(lab)
    assert cells(lab)[0, 0] == "−1"
    assert "0 of 10 cells are correct; wrong answers: 1." in said(lab)
    assert "data-go='0-0'" in lab.picture.value
    lab.fill(0, 0, "+1")
    assert "1 of 10 cells are correct; wrong answers: 1." in said(lab)
    lab.fill(0, 0, "one")
    assert "“one” is no answer: write a whole number." in said(lab)
    lab.fill(3, 2, "1")
    assert "expected a table and coins i...j of this row" in said(lab)
    assert lab.settings["filled"] == (("margin", 0, 0, -1), ("margin", 0, 0, 1))


@pytest.mark.parametrize(
    ("coins", "show", "cell", "answer", "words"),
    [
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
    ],
)
def test_a_wrong_number_gets_its_own_explanation(coins, show, cell, answer, words):
    greedy = solve_greedy(coins)
    verdict = judge_number(greedy, show, *cell, answer)
    assert verdict.startswith("✗ ")
    assert words in verdict


def test_no_verdict_gives_the_number_away():
    for coins in (ROW, EIGHT, (2, 5, 1)):
        greedy = solve_greedy(coins)
        for show in TABLES:
            for j in range(len(coins)):
                for i in range(j + 1):
                    for answer in range(-9, 20):
                        verdict, value = judge_number(greedy, show, i, j, answer), getattr(greedy, show)[i, j]
                        assert verdict.startswith("✓") == (answer == value)
                        if answer != value:  # no number but the coins and the answer
                            assert not re.search(r"\d", verdict.partition("is wrong.")[2])


def test_hints_name_the_two_candidates_once_the_cells_below_are_filled():
    lab = TriangleLab(task="fill")
    lab.hint()
    assert "Hint: Coin 1, Bob moves. Bob takes the last coin. How much of it does Alice get?" in said(lab)
    lab.hint(0, 1)
    assert "Hint: Coins 1 2, Alice moves. First fill in the cells of what is left: 2, and 1." in said(lab)
    lab.fill(0, 0, "0")
    lab.fill(1, 1, "0")
    lab._receive({"kind": "at", "cell": [0, 1]})
    buttons(lab)["Hint"].click()
    assert (
        "Hint: Coins 1 2, Alice moves. Left: 1 + 0 = 1. Right: 2 + 0 = 2. Alice chooses the larger. Which is it?"
        in said(lab)
    )


def test_arrows_are_asked_for_too():
    lab = TriangleLab(coins=(2, 5, 1), task="fill", arrows=True)
    for i, coin in enumerate((2, 5, 1)):
        lab.fill(i, i, str(coin))  # an odd row: the last coin is Alice's
    lab.fill(0, 1, "2")
    assert "✓ The number is correct. Coins 2 5: which end is best, L, R, or B for both?" in said(lab)
    assert "3 of 6 cells" in said(lab)
    lab.fill(0, 1, "l")
    assert "✗ Coins 2 5, Bob moves: the left end is not best. It costs 6 points of the margin." in said(lab)
    assert cells(lab)[0, 1] == "2L"
    lab.fill(0, 1, "2R")
    assert "✓ Correct. Coins 2 5, Bob moves: the right end is best." in said(lab)
    lab.fill(1, 2, "1 L")
    lab.fill(0, 2, "3R")
    assert "the right end is best, but not alone" in said(lab)
    lab.fill(0, 2, "B")
    assert "★ Well done: all 6 cells are correct, with 2 wrong answers on the way. Alice gets 3 of 8." in said(lab)
    assert lab.data.wrong("alice") == 2


def test_letters_are_no_answer_where_arrows_are_not_asked_for():
    with pytest.raises(ValueError, match="“L” is no answer: write a whole number$"):
        read_answer("L", arrows=False)
    for typed in ("", "  ", "2.5", "7X", "--1", "12345678"):
        with pytest.raises(ValueError, match="no answer"):
            read_answer(typed, arrows=True)
    assert judge_move(solve_greedy((3, 9)), 0, 1, "LR").endswith(
        "the two ends are not equally good. Compare what they give."
    )


def test_answers_for_both_tables_are_kept():
    lab = TriangleLab(task="fill")
    lab.fill(0, 0, "0")
    lab.inputs["show"].value = "margin"
    assert "0 of 10 cells" in said(lab)
    lab.fill(0, 0, "1")
    lab.inputs["task"].value = "look"
    lab.one_step()
    lab.inputs["task"].value = "fill"
    assert "1 of 10 cells" in said(lab)
    lab.inputs["show"].value = "alice"
    assert "1 of 10 cells" in said(lab)


# --- controls, messages, what a notebook keeps


def test_only_what_a_task_needs_is_shown():
    lab = TriangleLab()

    def shown():
        return [name for name, line in lab._lines.items() if line.layout.display == ""]

    assert shown() == ["task", "coins", "show", "seed"]
    lab.inputs["task"].value = "play"
    assert shown() == ["task", "coins", "show", "side", "opponent", "reveal", "seed"]
    lab.inputs["task"].value = "fill"
    assert shown() == ["task", "coins", "show", "arrows", "seed"]
    assert [group.layout.display for group in lab._groups.values()] == ["none", "none", ""]
    lab = TriangleLab(controls=["show"])
    assert shown() == ["show"]
    assert "Shuffle" not in buttons(lab)
    with pytest.raises(ValueError, match="controls: expected some of task, coins, .*; got sound"):
        TriangleLab(controls=["sound"])


def test_clicks_and_keys_do_what_the_methods_do():
    lab = TriangleLab()
    lab._receive({"kind": "take", "end": "R"})
    assert lab.data.moves == "R"
    lab.inputs["task"].value = "fill"
    lab._receive({"kind": "take", "end": "R"})
    assert "There is no coin to take now." in said(lab)
    lab._receive({"kind": "fill", "cell": [0, 0], "answer": "0"})
    assert lab.data.correct("alice", 0, 0)
    lab._receive({"kind": "hint", "cell": [1, 1]})
    assert "Hint: Coin 2, Bob moves." in said(lab)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"moves": "LX"}, ValueError, "moves: expected at most 4 letters L and R, got 'LX'"),
        ({"moves": "LLLLL"}, ValueError, "moves: expected at most 4 letters"),
        ({"filled": [("alice", 0, 9, 1)]}, ValueError, "filled: .* does not fit here"),
        ({"filled": [("alice", 0, 1, "L")]}, ValueError, "expected 'L', 'R', 'LR' or a whole number, got 'L'"),
        ({"filled": [("bob", 0, 1, 2)]}, ValueError, "got 'bob'"),
        ({"filled": [(1, 2)]}, ValueError, "does not fit here"),
        ({"task": "sleep"}, ValueError, "task: expected one of 'look', 'play', 'fill', got 'sleep'"),
        ({"rows": 3}, TypeError, "settings: expected some of task, .*; got rows"),
    ],
)
def test_settings_that_make_no_sense(settings, error, words):
    with pytest.raises(error, match=words):
        TriangleLab(**settings)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"coins": EIGHT, "moves": "RL", "show": "margin"},
        {"task": "play", "side": "bob", "opponent": "random", "moves": "RR", "seed": 7},
        {"task": "fill", "arrows": True, "filled": (("alice", 0, 0, 1), ("alice", 1, 1, 0), ("moves", 0, 1, "LR"))},
    ],
)
def test_settings_can_be_handed_on(settings):
    lab = TriangleLab(**settings)
    assert eval(repr(lab)).picture.value == lab.picture.value
    assert TriangleLab.render(**lab.settings) in lab.picture.value
    same(lab)
    html = lab._repr_mimebundle_()[0]["text/html"]
    assert html == TriangleLab(**settings)._repr_mimebundle_()[0]["text/html"]
    assert TriangleLab.render(**lab.settings) in html
    assert ("the computer:" in html) == (lab.settings["task"] == "play")
    assert not re.search(r"0x[0-9a-f]{6}|\bid=|<script|<input", html)


def test_repr_is_the_same_in_every_run():
    assert repr(TriangleLab()) == (
        "TriangleLab(task='look', coins=(1, 2, 4, 3), show='alice', side='alice', opponent='perfect', reveal=True, "
        "arrows=False, seed=1, moves='', filled=())"
    )


def test_explanations_agree_with_the_tables():
    for coins in (ROW, EIGHT, (2, 5, 1), (0, 0), (7, 7, 7)):
        greedy = solve_greedy(coins)
        for j in range(len(coins)):
            for i in range(j):
                words = explain(greedy, "margin", i, j)
                found = [int(number.replace("−", "-")) for number in re.findall(r"= (−?\d+)\.", words)]
                assert max(found) == greedy.margin[i, j]
                assert ("equally good" in words) == (found[0] == found[1]) == (greedy.moves[i, j] == "LR")


def test_a_new_picture_of_14_coins_comes_quickly():
    lab, seconds = TriangleLab(coins=LONG), []
    for number in range(10):
        began = time.perf_counter()
        lab.inputs["show"].value = ("margin", "alice")[number % 2]
        lab.one_step()
        seconds.append(time.perf_counter() - began)
    assert np.median(seconds) < 0.5  # two pictures; exact speed is measured elsewhere, this machine may be busy
