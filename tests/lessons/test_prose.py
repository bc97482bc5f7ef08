"""Numbers that lessons show and speak of, computed in another way.

The stored outputs are compared with a new run by nbval; here they are compared with what must come out.
"""

import re
from itertools import product

import nbformat
from paths import NOTEBOOKS

from coinlib import greedy_margin, greedy_move


def output(lesson: str, words: str) -> str:
    """What the code cells of a lesson that hold these words have stored, as text."""
    (notebook,) = NOTEBOOKS.rglob(f"*{lesson}.ipynb")
    stored = []
    for cell in nbformat.read(notebook, 4).cells:
        if cell.cell_type == "code" and words in cell.source:
            stored += [thing.get("text") or thing["data"]["text/plain"] for thing in cell.outputs]
    return "\n".join(stored)


def test_a_full_window_comes_long_before_a_right_table():
    lines = output("q_learning", "shares(measure(").splitlines()
    found = {line.split()[0]: list(map(int, re.findall(r"(\d+)%", line))) for line in lines if line[0].isdigit()}
    assert set(found) == {"50", "100", "300", "1,000", "3,000"}
    long_run = {"50": (75, 12), "100": (93, 67), "1,000": (84, 31)}  # thousands of other seeds, in %
    for games, shares in long_run.items():
        _, low, high, _, right_low, right_high = found[games]
        assert low <= shares[0] <= high and right_low <= shares[1] <= right_high
    assert min(found["300"][::3] + found["3,000"][::3]) >= 98


def halves_tie(coins):
    half = len(coins) // 2
    return greedy_margin(coins[:half]) == greedy_margin(coins[half:]) == 0 != greedy_margin(coins)


def colours_mislead(coins):
    return sum(coins[0::2]) == sum(coins[1::2]) and greedy_move(coins) != "LR"


def ends_mislead(coins):
    left = coins[0] - max(coins[1], coins[-1])
    right = coins[-1] - max(coins[0], coins[-2])
    return left != right and ("L" if left > right else "R") not in greedy_move(coins)


def test_greedy_coins_the_searches_find_what_another_program_finds():
    for refuted, count, most, row, cell in (
        (halves_tie, 8, 2, (1, 1, 1, 1, 2, 1, 1, 2), "search(refuter, (8,), 2)"),
        (colours_mislead, 4, 4, (2, 1, 2, 3), "search(refutes_colours"),
        (ends_mislead, 4, 4, (1, 1, 4, 3), "search(refutes_ends"),
    ):
        found = [coins for coins in product(range(1, most + 1), repeat=count) if refuted(coins)]
        words = f"{len(found)} of 256 rows refute it\n   smallest total: {row}"
        assert words in output("greedy_coins", cell) and sum(row) == min(map(sum, found)) and row in found
    assert halves_tie((1, 2, 2, 1, 2, 1, 1, 2))
    assert colours_mislead((2, 1, 2, 3, 3, 3)) and greedy_move((2, 1, 2, 3, 3, 3)) == "R"
    assert ends_mislead((2, 1, 2, 5, 5, 3)) and greedy_move((2, 1, 2, 5, 5, 3)) == "R"


def least_margin(coins, stay, mine=None) -> int:
    """The margin of a player of colours against the best reply; a colour is an odd or even place in the first row.

    `coins` are pairs of place and value. Either the first colour is kept (`stay`), or the richer one is taken anew.
    """
    if len(coins) < 2:
        return 0
    if mine is None or not stay:
        first_is_richer = sum(value for _, value in coins[0::2]) >= sum(value for _, value in coins[1::2])
        mine = coins[0 if first_is_richer else 1][0] % 2
    if coins[0][0] % 2 == mine:
        (place, coin), rest = coins[0], coins[1:]
    else:
        (place, coin), rest = coins[-1], coins[:-1]
    assert place % 2 == mine
    after_left = least_margin(rest[1:], stay, mine) - rest[0][1]
    after_right = least_margin(rest[:-1], stay, mine) - rest[-1][1]
    return coin + min(after_left, after_right)


def test_staying_and_choosing_anew_fall_short_as_often_as_said():
    rows = [coins for count in (2, 4, 6) for coins in product(range(1, 5), repeat=count)]
    said = output("greedy_coins", "falls short of the best in")
    for stay, words in (
        (True, "staying falls short of the best in 462"),
        (False, "anew falls short of the best in 277"),
    ):
        margins = [least_margin(tuple(enumerate(coins)), stay) for coins in rows]
        short = sum(margin < greedy_margin(coins) for margin, coins in zip(margins, rows))
        assert words.endswith(f" {short}") and f"{words} rows" in said
        assert min(margins) == 0
    assert least_margin(tuple(enumerate((2, 1, 2, 3))), False) == 0 < greedy_margin((2, 1, 2, 3))


def test_greedy_coins_large_the_steps_of_the_proof():
    assert output("greedy_coins_large", "} peaks, {failed}") == "21,844 rows, 47,790 peaks, 0 failures\n"
    for row in product(range(1, 5), repeat=6):
        if row[0] == max(row):  # fact 1
            assert greedy_margin(row) == row[0] - greedy_margin(row[1:])
    assert f"{2**65 - 1:,}" in output("greedy_coins_large", '"nodes", "seconds", "years"')


def test_averages_of_random_games_mislead_as_often_as_said():
    said = output("search", "wrong in {len(wrong)}")
    for misere, ending in ((1, "misère play"), (0, "normal play")):
        average = [2 * misere - 1]
        wrong = []
        for left in range(1, 31):
            after = range(left - 1, max(-1, left - 4), -1)  # one stick less, two, three
            if left % 4 != misere and min(after, key=average.__getitem__) % 4 != misere:
                wrong.append(left)
            average.append(-sum(average[each] for each in after) / len(after))
        assert f"{ending}: wrong in {len(wrong)} of" in said and f"won states: {' '.join(map(str, wrong))}\n" in said


def test_a_bound_on_the_pre_period_breaks_where_said():
    for amounts in ((8, 13, 22), (13, 18, 32), (18, 23, 42), (23, 28, 52)):
        wins: list[bool] = []
        for count in range(1_500):
            wins.append(any(not wins[count - take] for take in amounts if take <= count))
        start = max(count for count in range(1_495) if wins[count] != wins[count + 5]) + 1
        assert f"wrong for {amounts}, " in output("projects/amounts", "at_most(times)")
        assert f"{amounts!s:14} period 5, pre-period {start:5}," in output("projects/amounts", "45 · {")


def test_the_last_lost_heap_and_the_rule_that_is_proved():
    def by_definition(up_to, apart):
        values: list[int] = []
        for heap in range(up_to + 1):
            after = {values[part] ^ values[heap - part] for part in range(1, heap) if heap - 2 * part >= apart}
            values.append(next(number for number in range(heap + 1) if number not in after))
        return values

    lost = [heap for heap, value in enumerate(by_definition(300, 1)) if value == 0]
    assert f"lost up to 200: {[heap for heap in lost if heap <= 200]}" in output("splitting", "lost up to 200")
    assert min(heap for heap in lost if heap > 53) == 270 == 54 + 216
    assert by_definition(200, 2) == [0] * 4 + [1] + [0, 2, 1, 3] * 49
    assert "d = 2: (5, 4)\nd = 1: None" in output("splitting", "d = 1:")
