"""The exercises of lesson 05: what each check says to the stub, the solution, another right answer and common mistakes."""

import numpy as np
import pytest
from exercises import Exercises, said

from coincourse.checks import core
from coinlib import solve, sticks

LESSON = Exercises("05_training_hats")
NAMES = ["favourite", "losing", "locked_hats", "share_locked"]


# --- stubs and solutions of the lesson itself

STUBS = {
    "favourite": "✗ For counts [1, 1, 5] in hat 4 your function returned None; expected 3. "
    "Does it hand its answer back with `return`?",
    "losing": "✗ For 1 stick your function returned None; expected True. Does it hand its answer back with `return`?",
    "locked_hats": "✗ For favourites {4: 3} and winning balls {4: [3]} your function returned None; expected []. "
    "Does it hand its answer back with `return`?",
    "share_locked": "✗ For seeds [0, 1], with the locked hats [] and [], your function returned None; expected 0.0. "
    "Does it hand its answer back with `return`?",
}
RIGHT = {
    "favourite": "✓ Right, for clear favourites, for equals, and for hats in which a ball is never played. "
    "(9 cases tried)",
    "losing": "✓ Right, from 1 to 40 sticks, also where no hat has shown it to you. (40 cases tried)",
    "locked_hats": "✓ Right, for right, wrong and missing favourites. (8 cases tried)",
    "share_locked": "✓ Right, for none, some and all. (7 cases tried)",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_and_the_solution_of_the_lesson(name, capsys):
    LESSON.check_cells(capsys, name, STUBS[name], RIGHT[name])


# --- other right answers


def by_sorting(counts, sticks):
    """The favourite from pairs in order."""
    order = sorted(((many, ball) for ball, many in enumerate(counts, 1) if ball <= sticks), reverse=True)
    return None if len(order) > 1 and order[0][0] == order[1][0] else order[0][1]


def losing_by_steps(sticks):
    """No remainder: four sticks less each round, whatever the opponent takes."""
    while sticks > 4:
        sticks -= 4
    return sticks == 1


OTHERS = [
    ("favourite", by_sorting),
    ("losing", losing_by_steps),
    ("losing", lambda count: np.int64(count) % 4 == 1),
    ("losing", lambda count: not solve(sticks(count)).best_moves((count,))),
    ("locked_hats", lambda favourites, best: {h for h in best if best[h] and favourites[h] not in [None, *best[h]]}),
    ("share_locked", lambda run, seeds: sum(1 for seed in seeds if len(run(seed)) > 0) / len(seeds)),
]


@pytest.mark.parametrize("name, function", OTHERS)
def test_other_right_answers(name, function, capsys):
    assert said(capsys, name, function) == RIGHT[name]


# --- what people get wrong


def first_of_equals(counts, sticks):
    return counts[:sticks].index(max(counts[:sticks])) + 1


def with_balls_never_played(counts, sticks):
    most = max(counts)
    return counts.index(most) + 1 if counts.count(most) == 1 else None


def returns_too_early(favourites, best):
    locked = []
    for hat, ball in favourites.items():
        if ball is not None and best[hat] and ball not in best[hat]:
            locked.append(hat)
        return locked


WRONG = [
    ("favourite", lambda counts, sticks: max(counts), ("✗ For counts [1, 1, 5] in hat 4 your function returned 5; "
     "expected 3. That is how many balls there are of the favourite. Return the number that stands on them.")),
    ("favourite", lambda counts, sticks: counts.index(max(counts)), ("✗ For counts [1, 1, 5] in hat 4 your function "
     "returned 2; expected 3. Lists are counted from 0, the balls from 1.")),
    ("favourite", first_of_equals, ("✗ For counts [1, 1, 1] in hat 5 your function returned 1; expected None. Two or "
     "more numbers have the most balls here, so no number is the favourite: return None. `index` finds only the first "
     "of them.")),
    ("favourite", lambda counts, sticks: first_of_equals(counts, sticks) if len(set(counts)) > 1 else 0, ("✗ For counts "
     "[1, 1, 1] in hat 5 your function returned 0; expected None. Two or more numbers have the most balls here, so no "
     "number is the favourite: return None.")),
    ("favourite", lambda counts, sticks: str(first_of_equals(counts, sticks)), ("✗ For counts [1, 1, 5] in hat 4 your "
     "function returned '3'; expected 3. That is a text, in quotes. Return the number itself.")),
    ("favourite", with_balls_never_played, ("✗ For counts [1, 1, 1] in hat 1 your function returned None; expected 1. "
     "Balls larger than 1 are never played in hat 1: do not count them.")),
    ("favourite", lambda counts, sticks: counts.index(min(counts)) + 1, ("✗ For counts [1, 1, 5] in hat 4 your function "
     "returned 1; expected 3. That number has the fewest balls.")),
    ("losing", lambda sticks: sticks % 4 == 0, ("✗ For 1 stick your function returned False; expected True. Your "
     "function finds the multiples of four. Those are the losing counts of normal play; these hats played misère play.")),
    ("losing", lambda sticks: sticks in (1, 5, 9, 13, 17), ("✗ For 21 sticks your function returned False; expected "
     "True. The pattern does not end at 20 sticks. Write it with a remainder (%), not as a list.")),
    ("losing", lambda sticks: sticks in (5, 9, 13, 17), ("✗ For 1 stick your function returned False; expected True. "
     "With one stick left the player to move must take it, and in misère play that loses.")),
    ("losing", lambda sticks: sticks % 4 != 1, ("✗ For 1 stick your function returned False; expected True. True and "
     "False are exchanged: True means that the player to move loses.")),
    ("losing", lambda sticks: sticks % 2 == 1, ("✗ For 3 sticks your function returned True; expected False. Not every "
     "odd number: look at hat 3 and hat 7. They have a clear favourite.")),
    ("losing", lambda sticks: sticks % 4, ("✗ For 1 stick your function returned 1; expected True. Return True or "
     "False. A comparison such as `sticks % 4 == 2` is already one of the two.")),
    ("losing", lambda sticks: sticks in (1, 5, 10), ("✗ For 9 sticks your function returned False; expected True. Look "
     "at hat 9: has it a clear favourite?")),
    ("locked_hats", lambda favourites, best: [hat for hat in best if favourites[hat] not in best[hat]], ("✗ For "
     "favourites {5: 2} and winning balls {5: []} your function returned [5]; expected []. In hat 5 no ball wins, so "
     "no ball is wrong.")),
    ("locked_hats", lambda favourites, best: [h for h in best if best[h] and favourites[h] not in best[h]], ("✗ For "
     "favourites {6: None} and winning balls {6: [1]} your function returned [6]; expected []. Hat 6 has no favourite "
     "(None), so it does not favour a wrong ball.")),
    ("locked_hats", lambda favourites, best: [favourites[h] for h in best if best[h] and favourites[h] not in best[h]],
     ("✗ For favourites {4: 1} and winning balls {4: [3]} your function returned [1]; expected [4]. Those are the "
     "balls. Return the numbers of the hats.")),
    ("locked_hats", lambda favourites, best: [hat for hat in best if favourites[hat] in best[hat]], ("✗ For favourites "
     "{4: 3} and winning balls {4: [3]} your function returned [4]; expected []. Hat 4 favours ball 3, and that ball "
     "wins: it is in the list `best[4]`.")),
    ("locked_hats", lambda favourites, best: [h for h in best if favourites[h] and favourites[h] != best[h][0]], ("✗ For "
     "favourites {5: 2} and winning balls {5: []} your function raised IndexError: list index out of range. Where no "
     "ball wins the list of winning balls is empty: it has no first ball.")),
    ("locked_hats", returns_too_early, ("✗ For favourites {2: 1, 3: 1, 4: 3} and winning balls {2: [1], 3: [2], 4: [3]} "
     "your function returned []; expected [3]. Hat 3 favours ball 1, but ball 2 wins. Does `return` stand inside the "
     "loop?")),
    ("share_locked", lambda run, seeds: sum(len(run(seed)) for seed in seeds) / len(seeds), ("✗ For seeds [0, 1], with "
     "the locked hats [18, 19] and [], your function returned 1.0; expected 0.5. You have counted hats. Count runs: a "
     "run with two locked hats is one locked run.")),
    ("share_locked", lambda run, seeds: sum(bool(run(seed)) for seed in seeds), ("✗ For seeds [4, 7], with the locked "
     "hats [] and [19], your function returned 1; expected 0.5. That is how many runs are locked. Divide by how "
     "many runs there were.")),
    ("share_locked", lambda run, seeds: 100 * sum(bool(run(seed)) for seed in seeds) / len(seeds), ("✗ For seeds [0], "
     "with the locked hats [18], your function returned 100.0; expected 1.0. That is in per cent. A share goes from 0 "
     "to 1.")),
    ("share_locked", lambda run, seeds: sum(bool(run(seed)) for seed in seeds) // len(seeds), ("✗ For seeds [4, 7], with "
     "the locked hats [] and [19], your function returned 0; expected 0.5. `//` cuts off all behind the point: a "
     "share needs `/`.")),
    ("share_locked", lambda run, seeds: sum(not run(seed) for seed in seeds) / len(seeds), ("✗ For seeds [0, 1], with "
     "the locked hats [] and [], your function returned 1.0; expected 0.0. That is the share of the runs that are not "
     "locked.")),
    ("share_locked", lambda run, seeds: sum(bool(run(seed)) for seed in range(len(seeds))) / len(seeds), ("✗ `run` was "
     "called with seed 0; it should be called once for each of the seeds [4, 7]. Go through `seeds` itself.")),
    ("share_locked", lambda run, seeds: len(run(seeds)) / len(seeds), ("✗ `run` was called with seed [0, 1]; it should "
     "be called once for each of the seeds [0, 1]. Go through `seeds` itself.")),
    ("share_locked", lambda run, seeds: sum(run(seed) is True for seed in seeds) / len(seeds), ("✗ For seeds [0], with "
     "the locked hats [18], your function returned 0.0; expected 1.0. A run is locked if its list has something in it: "
     "`if run(seed):` asks that.")),
]  # fmt: skip


@pytest.mark.parametrize("name, function, words", WRONG)
def test_typical_mistakes(name, function, words, capsys):
    assert said(capsys, name, function).startswith(words)


@pytest.mark.parametrize("name", NAMES)
def test_a_check_neither_raises_nor_hangs(name, capsys, monkeypatch):
    def for_ever(*_):
        while True:
            pass

    assert "raised ZeroDivisionError" in said(capsys, name, lambda *_: 1 // 0)
    assert "takes 0 positional arguments but" in said(capsys, name, lambda: 1)
    assert said(capsys, name, lambda *_: "hat").startswith("✗ For ")
    assert said(capsys, name, 3).startswith("✗ Give the check a function, without brackets")
    monkeypatch.setattr(core, "SECONDS", 0.2)
    assert "gave no answer within 0.2 seconds" in said(capsys, name, for_ever)
