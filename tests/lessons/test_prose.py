"""Where the prose of a lesson speaks of numbers in a stored output, they stand there as it says."""

import csv
import re
from itertools import product

import nbformat
from paths import NOTEBOOKS

from coincourse import checks
from coincourse.course import data
from coinlib import greedy_margin, greedy_move


def output(lesson: str, words: str) -> str:
    """What the code cells of a lesson that hold these words have stored, as text."""
    (notebook,) = NOTEBOOKS.rglob(f"*{lesson}.ipynb")
    cells = [cell for cell in nbformat.read(notebook, 4).cells if cell.cell_type == "code" and words in cell.source]
    stored = [thing.get("text") or thing["data"]["text/plain"] for cell in cells for thing in cell.outputs]
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


def test_staying_and_choosing_anew_fall_short_as_often_as_said():
    def least(coins, stay, mine=None):  # a colour is the place in the first row, odd or even
        if len(coins) < 2:
            return 0
        first = sum(value for _, value in coins[0::2]) >= sum(value for _, value in coins[1::2])
        mine = mine if stay and mine is not None else coins[0 if first else 1][0] % 2
        (place, coin), rest = (coins[0], coins[1:]) if coins[0][0] % 2 == mine else (coins[-1], coins[:-1])
        assert place % 2 == mine
        return coin + min(least(rest[1:], stay, mine) - rest[0][1], least(rest[:-1], stay, mine) - rest[-1][1])

    rows = [coins for count in (2, 4, 6) for coins in product(range(1, 5), repeat=count)]
    margins = [[least(tuple(enumerate(coins)), stay) for coins in rows] for stay in (True, False)]
    short = [sum(got < greedy_margin(coins) for got, coins in zip(margin, rows)) for margin in margins]
    assert short == [462, 277] and min(map(min, margins)) == 0
    said = output("greedy_coins", "falls short of the best in")
    assert "staying falls short of the best in 462 rows\nanew falls short of the best in 277 rows" in said
    assert least(tuple(enumerate((2, 1, 2, 3))), False) == 0 < greedy_margin((2, 1, 2, 3))


def test_greedy_coins_large_the_steps_of_the_proof():
    assert output("greedy_coins_large", "} peaks, {failed}") == "21,844 rows, 47,790 peaks, 0 failures\n"
    for row in product(range(1, 5), repeat=6):
        if row[0] == max(row):  # fact 1
            assert greedy_margin(row) == row[0] - greedy_margin(row[1:])
    assert f"{2**65 - 1:,}" in output("greedy_coins_large", '"nodes", "seconds", "years"')


def test_game_trees_the_learners_are_judged_as_the_lesson_says():
    values = [line.split()[-4:] for line in output("game_trees", "learners[seed].values").splitlines()[1:]]
    assert values[-1] == ["1.0"] * 4
    assert sum("1.0" in believed for believed in zip(*values[:-1])) == 3  # in another move as well
    judged = output("game_trees", "wrong in:")
    won = re.findall(r"wins (\d+) of 1,000", judged)  # the fourth wins 1,000
    assert judged.count("(1, 2, 1) (2, 1, 1)") == 4 and len(won) == 3 and all(650 < int(count) < 750 for count in won)
    assert "right in 13 of 13" not in judged and "right in 11 of 13" in judged


def test_tournament_without_odd_the_circle_is_gone():
    text = output("your_agent_in_a_tournament", "for out in (")
    assert text.startswith("without nobody: leave_one before ")
    assert "without odd: take_one before leave_one\n" in text
    standings = output("your_agent_in_a_tournament", "points.sort_values")
    assert "('leave_one', 'odd', 'take_one')\n" in standings
    assert all(guest in standings for guest in checks.guests)


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


def rows_under(words: str) -> dict[str, list[str]]:
    """The lines of an output of the lesson on exploration, each found by its first word."""
    lines = [line.split() for line in output("exploration_and_opponents", words).splitlines()]
    return {line[0]: line[1:] for line in lines if line}


def test_exploration_plans_and_rates():
    lines = output("exploration_and_opponents", '(columns={"mean": "right of 14"})').splitlines()[2:]
    mean, _, _, perfect, last = zip(*[map(float, line.split()[-5:]) for line in lines])
    none, always, falls, rises = 0, 1, 2, 4
    low = 5  # the first line of the low rate
    assert mean[rises] == min(mean) and mean[none] > 13 and max(mean[always], mean[falls], mean[rises]) < 10
    assert mean[low] < 9 < mean[low + always] < mean[low + falls] <= mean[low + rises]
    assert min(perfect[low + falls], perfect[low + rises]) > 0.9
    assert max(last[rises], last[low + rises]) < 0.55 and last[low + falls] > 0.95
    rivals = output("exploration_and_opponents", "of_rivals = sweep(").splitlines()[2:]
    right = [int(line.split()[-4]) for line in rivals]  # random: falls, rises, always 1; itself: the same
    assert max(right[:3]) - min(right[:3]) < 20 and right[2] == max(right[:3])
    assert right[3] > 245 > right[4] > 190 > right[5]
    nim = output("exploration_and_opponents", "nim = sweep(").splitlines()[2:]
    none, falls, slow, both = (int(line.split()[-4]) for line in nim)
    assert both > none > falls > slow


def test_exploration_teachers():
    perfect = {
        name: next((word for word in line if "%" in word), "") for name, line in rows_under("ends.loc[teacher").items()
    }
    assert perfect["itself"] == perfect["a"] == "100%"  # "a twin"
    assert perfect["perfect"] == perfect["always"] == "0%" and 0 < int(perfect["random"].rstrip("%")) < 100
    described = rows_under("known.tail(5)")
    assert described["19"][-4:] == ["the", "win", "away", "0"] and described["18"][-1] == "0"
    seen = output("exploration_and_opponents", "row 0 is the fuller one")
    numbers = [list(map(int, re.findall(r"\d+", line)[:2])) for line in seen.splitlines()]
    (none, none_fuller), (falls, falls_fuller) = numbers
    assert none == none_fuller > 10 * falls and falls > falls_fuller > 0


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


def judgements(name: str) -> list[dict[str, str]]:
    with data(f"judgements_{name}.csv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def mean(lines: list[dict[str, str]], of: str = "won") -> float:
    """The mean share of right moves over ten seeds, in per cent."""
    assert [line["seed"] for line in lines] == [str(seed) for seed in range(1, 11)]
    return sum(100 * int(line["right"]) / int(line[of]) for line in lines) / 10


def test_networks_the_surprises_are_in_the_data():
    half = judgements("half")
    by = {
        (rows, way): mean([line for line in half if (line["rows"], line["way"]) == (rows, way)])
        for rows in ("63", "7 7", "7 7 7", "7 7 7 7", "15 15 15")
        for way in ("counts", "thermometer", "binary", "signs")
    }
    assert by["63", "binary"] == by["63", "signs"] == by["15 15 15", "signs"] == 100
    assert by["63", "counts"] < 50 and by["15 15 15", "binary"] < 15
    assert by["7 7 7", "thermometer"] < 60 and 85 < by["7 7 7", "binary"] < 95 < by["7 7 7", "signs"]
    assert by["7 7", "signs"] < by["7 7 7", "signs"] < by["7 7 7 7", "signs"]  # taught half, and so ever more
    fair = output("projects/networks", "def share_right").splitlines()
    three, four = (
        [int(share) for share in re.findall(r"(\d+)%", line)] for line in fair if "255 states taught" in line
    )
    assert min(three) > 95 and max(four) < 35  # taught equally many


def test_networks_self_play_and_the_search_that_spoils_a_perfect_judge():
    alone = [line for line in judgements("self_play") if line["way"] == "signs"]
    last = [int(line["right"]) / 448 for line in alone if line["games"] == "5000"]
    assert sum(share > 0.8 for share in last) == 8 and round(100 * min(last)) == 58
    for games, right in re.findall(r"after +([\d,]+) games with itself: (\d+) of", output("networks", "playing =")):
        stored = [line["right"] for line in alone if line["seed"] == "1" and line["games"] == games.replace(",", "")]
        assert stored in ([right], [])  # nothing is stored of 0 games
    search = judgements("search")
    exact = [
        mean([line for line in search if (line["judge"], line["simulations"]) == ("exact", str(number))], "states")
        for number in (30, 1_000, 10_000)
    ]
    assert exact[0] == exact[2] == 100 and exact[1] < 50
