"""Numbers that lessons show and mention, computed in another way.

nbval compares the stored outputs with a new run; here they are compared with the right results.
"""

import ast
import builtins
import re
from itertools import product

import nbformat
from paths import NOTEBOOKS

from coincourse.checks import end_to_take
from coinlib import greedy_margin, greedy_move


def output(lesson: str, words: str) -> str:
    """The stored output, as text, of a lesson's code cells that contain these words."""
    (notebook,) = NOTEBOOKS.rglob(f"*{lesson}.ipynb")
    stored = []
    for cell in nbformat.read(notebook, 4).cells:
        if cell.cell_type == "code" and words in cell.source:
            stored += [thing.get("text") or thing["data"]["text/plain"] for thing in cell.outputs]
    return "\n".join(stored)


def names_in(source: str) -> set[str]:
    """Every name that the code of a cell defines, imports, uses or passes."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        for kind in ("id", "name", "attr", "arg", "asname"):
            names.add(getattr(node, kind, None))
    return names


def calls_without_a_definition(notebook) -> list[str]:
    """Functions that a notebook's text calls in code, but that neither its cells nor the text define."""
    defined = set(dir(builtins))
    for cell in notebook.cells:
        if cell.cell_type == "code":
            defined |= names_in(cell.source)
    missing = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            said = set(re.findall(r"`from \w+ import (\w+)`|write a function\s`(\w+)", cell.source))
            for code in re.findall(r"`([^`\n]+)`", cell.source):
                called = set(re.findall(r"(?<![\w.])([a-z_]\w*)\(", code))
                missing += sorted(called - defined - {name for pair in said for name in pair})
    return missing


def test_what_a_text_asks_students_to_call_is_defined():
    """“Change it” once asked for `linear(exploration, 0, games)`, a name that the lesson had not imported."""
    missing = {}
    for notebook in sorted(NOTEBOOKS.rglob("*.ipynb")):
        if found := calls_without_a_definition(nbformat.read(notebook, 4)):
            missing[notebook.name] = found
    assert missing == {}


def test_a_call_without_a_definition_is_found():
    text = nbformat.v4.new_markdown_cell("Replace `0.3` by `linear(0.3, 0)`.")
    code = nbformat.v4.new_code_cell("rate = max(0.3, 0)")
    notebook = nbformat.v4.new_notebook(cells=[code, text])
    assert calls_without_a_definition(notebook) == ["linear"]
    text.source = "Write `from coinlib import linear` above, and replace `0.3` by `linear(0.3, 0)`."
    assert calls_without_a_definition(notebook) == []


def test_a_full_window_comes_long_before_a_right_table():
    said = output("q_learning", "full_and_right(games)")
    full, right = map(int, re.search(r"'full window': (\d+), 'right table': (\d+)", said).groups())
    assert abs(full - 757) < 45 and abs(right - 135) < 33  # of 1,000; 20,000 seeds of another program, three deviations


def halves_tie(coins):
    half = len(coins) // 2
    return greedy_margin(coins[:half]) == greedy_margin(coins[half:]) == 0 != greedy_margin(coins)


def colours_mislead(coins):
    return sum(coins[0::2]) == sum(coins[1::2]) and greedy_move(coins) != "LR"


def ends_mislead(coins):
    left = coins[0] - max(coins[1], coins[-1])
    right = coins[-1] - max(coins[0], coins[-2])
    return left != right and ("L" if left > right else "R") not in greedy_move(coins)


def three_rules_mislead(coins):
    left, right = coins[0], coins[-1]
    red, blue = sum(coins[0::2]), sum(coins[1::2])
    if left > right and left > coins[1]:
        chosen = "L"
    elif right > left and right > coins[-2]:
        chosen = "R"
    else:
        chosen = "L" * (red >= blue) + "R" * (blue >= red)
    return any(end not in greedy_move(coins) for end in chosen)


def test_greedy_coins_the_searches_find_what_another_program_finds():
    for refuted, count, most, row, cell in (
        (halves_tie, 8, 2, (1, 1, 1, 1, 2, 1, 1, 2), "search(refuter, (8,), 2)"),
        (three_rules_mislead, 6, 4, (2, 1, 2, 3, 3, 3), "by_three_rules(coins)"),
    ):
        rows = list(product(range(1, most + 1), repeat=count))
        found = [coins for coins in rows if refuted(coins)]
        words = f"{len(found)} of {len(rows):,} rows refute it\n   smallest total: {row}"
        assert words in output("greedy_coins", cell) and sum(row) == min(map(sum, found)) and row in found


def test_greedy_coins_the_rows_that_refute():
    assert halves_tie((1, 2, 2, 1, 2, 1, 1, 2))
    for refuted, row, shorter in (
        (colours_mislead, (2, 1, 2, 3, 3, 3), (2, 1, 2, 3)),
        (ends_mislead, (2, 1, 2, 5, 5, 3), (1, 1, 4, 3)),
    ):
        assert refuted(row) and greedy_move(row) == "R"
        assert refuted(shorter)


def least_margin(coins, stay, mine=None) -> int:
    """The margin of a player of colours against the best reply; a colour is the odd or the even places in the row.

    `coins` are pairs of place in the first row and value. Either the player keeps the first colour (`stay`), or
    chooses the richer one again each time.
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


def test_staying_and_choosing_anew_fall_short_of_best_play():
    rows = [coins for count in (2, 4, 6) for coins in product(range(1, 5), repeat=count)]
    for stay, short in ((True, 462), (False, 277)):
        margins = [least_margin(tuple(enumerate(coins)), stay) for coins in rows]
        assert sum(margin < greedy_margin(coins) for margin, coins in zip(margins, rows)) == short
        assert min(margins) == 0
    assert least_margin(tuple(enumerate((2, 1, 2, 3))), False) == 0 < greedy_margin((2, 1, 2, 3))


def test_greedy_coins_large_the_steps_of_the_proof():
    assert output("greedy_coins_large", "} peaks, {failed}") == "21,844 rows, 47,790 peaks, 0 failures\n"
    for row in product(range(1, 5), repeat=6):
        if row[0] == max(row):  # fact 1
            assert greedy_margin(row) == row[0] - greedy_margin(row[1:])
    for row in product(range(1, 5), repeat=5):  # the end that section 9 takes
        assert end_to_take.reference(list(row)) in greedy_move(row)
    assert f"{2**64 - 1:,} boxes" in output("greedy_coins_large", "boxes / A_DAY")
    assert "[24, 12, 18, 22, 20] are left" in output("greedy_coins_large", "10,000,000 coins, 5 rows")


def test_averages_of_random_games_mislead_as_often_as_said():
    said = output("search", "wrong in {len(wrong)}")
    average = [1]  # misère play: with no stick left the player to move has won
    wrong = []
    for left in range(1, 31):
        after = range(left - 1, max(-1, left - 4), -1)  # one stick less, two, three
        if left % 4 != 1 and min(after, key=average.__getitem__) % 4 != 1:
            wrong.append(left)
        average.append(-sum(average[each] for each in after) / len(after))
    assert said == f"misère play: wrong in {len(wrong)} of 22 winning positions: {' '.join(map(str, wrong))}\n"


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
