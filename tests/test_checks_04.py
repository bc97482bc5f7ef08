"""The exercises of lesson 04: what each check says to the stub, the solution, other right answers and common mistakes."""

import copy
from collections import Counter

import numpy as np
import pytest
from exercises import Exercises, said

from coincourse import checks
from coincourse.checks import core
from coinlib import Hats, ScriptedAgent, play_match, sticks

LESSON = Exercises("04_hats")
NAMES = ["chance", "settle", "settle_game", "draw"]


def solutions():
    """The functions of the lesson's own solution cells."""
    names = {"check": checks}
    for cell in LESSON.code:
        if "solution" in cell.metadata.get("tags", []):
            exec(cell.source, names)  # noqa: S102
    return names


# --- stubs and solutions of the lesson itself

STUBS = {
    "chance": "✗ For the balls [1, 2, 3], 7 sticks left and number 2 your function returned None; expected 0.333. "
    "Does it hand its answer back with `return`?",
    "settle": "✗ For balls [2, 3] in the hat, a 1 beside it and a game that was won your function returned None; "
    "expected [1, 1, 2, 3]. Does it hand its answer back with `return`?",
    "settle_game": "✗ For hats {4: [1, 2], 7: [1, 3]}, beside {4: 3, 7: 2} and a game that was won your function "
    "returned None; expected {4: [1, 2, 3, 3], 7: [1, 2, 2, 3]}. Does it hand its answer back with `return`?",
    "draw": "✗ For the balls [1, 2, 3] with 1 stick left your function returned None; expected a pair: the drawn ball, "
    "and the list of the other balls. Does it hand its answer back with `return`?",
}
RIGHT = {
    "chance": "✓ Right, for full hats, and for low hats in which some balls are never played. (9 cases tried)",
    "settle": "✓ Right, for wins, losses and last balls. (24 cases tried)",
    "settle_game": "✓ Right, for every hat that was used, and the others are as they were. (5 cases tried)",
    "draw": "✓ Right: every ball that can be played is equally likely, and all others stay in the hat.",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_and_the_solution_of_the_lesson(name, capsys):
    stub, solution = LESSON.cells(name)
    assert "solution" in solution.metadata.tags and "solution" not in stub.metadata.get("tags", [])
    names = solutions()
    capsys.readouterr()
    for cell, wanted in ((stub, STUBS[name]), (solution, RIGHT[name])):
        exec(cell.source, names)  # noqa: S102
        assert capsys.readouterr().out.strip() == wanted
        assert cell.outputs[0].text.strip().endswith(wanted)


# --- other right answers


def chance_by_share(balls, sticks, number):
    if number > sticks:
        return 0
    return Counter(balls)[number] / sum(many for ball, many in Counter(balls).items() if ball <= sticks)


def settle_sorted(balls, drawn, won):
    back = 2 if won else (0 if drawn in balls else 1)
    return sorted([*balls, *[drawn] * back])


def settle_tuple(balls, drawn, won):
    return (*balls, drawn, drawn) if won else (*balls, *([] if drawn in balls else [drawn]))


def game_by_comprehension(hats, beside, won):
    return {hat: settle_sorted(hats[hat], beside[hat], won) if hat in beside else hats[hat] for hat in hats}


def game_by_deep_copy(hats, beside, won):
    after = copy.deepcopy(hats)
    for hat, drawn in beside.items():
        after[hat].extend([drawn] * (2 if won else int(drawn not in after[hat])))
    return after


def draw_legal_first(balls, sticks, generator):
    ball = int(generator.choice([ball for ball in balls if ball <= sticks]))
    rest = list(balls)
    rest.remove(ball)
    return [ball, rest]


def draw_again(balls, sticks, generator):
    ball = generator.choice(balls)
    if ball > sticks:
        return draw_again(balls, sticks, generator)
    rest = balls.copy()
    rest.remove(ball)
    return ball, rest


@pytest.mark.parametrize(
    "name, function",
    [
        ("chance", chance_by_share),
        ("settle", settle_sorted),
        ("settle", settle_tuple),
        ("settle_game", game_by_comprehension),
        ("settle_game", game_by_deep_copy),
        ("draw", draw_legal_first),
        ("draw", draw_again),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_other_right_answers(name, function, capsys):
    assert said(capsys, name, function) == RIGHT[name]


# --- what people get wrong


def one_too_few(balls, drawn, won):
    return balls + [drawn] if won or drawn not in balls else balls.copy()


def one_too_many(balls, drawn, won):
    return balls + 3 * [drawn] if won else settle_sorted(balls, drawn, won)


def always_thrown_away(balls, drawn, won):
    return balls + 2 * [drawn] if won else balls.copy()


def never_thrown_away(balls, drawn, won):
    return balls + (2 if won else 1) * [drawn]


def win_whatever_happens(balls, drawn, won):
    return balls + 2 * [drawn]


def thrown_away_twice(balls, drawn, won):
    after = settle_sorted(balls, drawn, won)
    if not won and drawn in balls:
        after.remove(drawn)
    return after


def settle_appends(balls, drawn, won):
    balls.append(drawn)
    balls.append(drawn)


def settle_mutates(balls, drawn, won):
    if won:
        balls.extend([drawn, drawn])
    elif drawn not in balls:
        balls.append(drawn)
    return balls


def only_used_hats(hats, beside, won):
    return {hat: settle_sorted(hats[hat], drawn, won) for hat, drawn in beside.items()}


def game_mutates(hats, beside, won):
    for hat, drawn in beside.items():
        hats[hat] = settle_sorted(hats[hat], drawn, won)
    return hats


def shallow(hats, beside, won):
    after = dict(hats)
    for hat, drawn in beside.items():
        after[hat] += [drawn] * (2 if won else int(drawn not in after[hat]))
    return after


def game_always_thrown_away(hats, beside, won):
    return hats | {hat: always_thrown_away(hats[hat], drawn, won) for hat, drawn in beside.items()}


def every_hat(hats, beside, won):
    return {hat: settle_sorted(balls, beside.get(hat, 1), won) for hat, balls in hats.items()}


def illegal_kept_out(balls, sticks, generator):
    rest = balls.copy()
    while True:
        ball = rest.pop(generator.integers(len(rest)))
        if ball <= sticks:
            return ball, rest


def any_ball(balls, sticks, generator):
    place = generator.integers(len(balls))
    return balls[place], balls[:place] + balls[place + 1 :]


def by_number(balls, sticks, generator):
    ball = int(generator.choice([number for number in sorted(set(balls)) if number <= sticks]))
    rest = balls.copy()
    rest.remove(ball)
    return ball, rest


def still_in_the_hat(balls, sticks, generator):
    return draw_legal_first(balls, sticks, generator)[0], balls


def all_of_it(balls, sticks, generator):
    ball = draw_legal_first(balls, sticks, generator)[0]
    return ball, [other for other in balls if other != ball]


def draw_mutates(balls, sticks, generator):
    ball = draw_legal_first(balls, sticks, generator)[0]
    balls.remove(ball)
    return ball, balls


def own_generator(balls, sticks, generator):
    return draw_legal_first(balls, sticks, np.random.default_rng())


WRONG = [
    (
        "chance",
        lambda balls, sticks, number: balls.count(number) / len(balls),
        (
            "✗ For the balls [1, 2, 3], 2 sticks left and number 1 your function returned 0.3333333333333333; expected 0.5. "
            "Balls that cannot be played go straight back: count only those that are not larger than the sticks."
        ),
    ),
    (
        "chance",
        lambda balls, sticks, number: balls.count(number),
        (
            "✗ For the balls [1, 2, 3], 7 sticks left and number 2 your function returned 1; expected 0.333. That is how "
            "many such balls there are. A share is this number divided by how many can be played."
        ),
    ),
    (
        "chance",
        lambda balls, sticks, number: (
            [ball for ball in balls if ball < sticks].count(number) / max(1, sum(ball < sticks for ball in balls))
        ),
        "A 2 can be played with 2 sticks left: only larger balls go straight back.",
    ),
    (
        "chance",
        lambda balls, sticks, number: round(balls.count(number) / len(balls), 1),
        "your function returned 0.3; expected 0.333. Nearly. Do not round: return the share as it is.",
    ),
    (
        "settle_game",
        lambda hats, beside, won: {
            hat: balls + [beside[hat]] * 2 if hat == min(beside, default=0) else balls for hat, balls in hats.items()
        },
        "Hat 7 was not settled. Does `return` stand inside the loop?",
    ),
    (
        "chance",
        lambda balls, sticks, number: 1 / len(set(balls)),
        (
            "✗ For the balls [1, 2, 3, 3], 4 sticks left and number 3 your function returned 0.3333333333333333; expected "
            "0.5. Each ball is equally likely, not each number: count the balls."
        ),
    ),
    (
        "chance",
        lambda balls, sticks, number: balls.count(number) / sum(ball <= sticks for ball in balls),
        (
            "✗ For the balls [1, 2, 3], 2 sticks left and number 3 your function returned 0.5; expected 0.0. A 3 cannot be "
            "played with 2 sticks left, so its chance is 0."
        ),
    ),
    (
        "chance",
        lambda balls, sticks, number: 100 * chance_by_share(balls, sticks, number),
        (
            "✗ For the balls [1, 2, 3], 7 sticks left and number 2 your function returned 33.33333333333333; expected "
            "0.333. A chance is a share: it lies between 0 and 1."
        ),
    ),
    (
        "settle",
        one_too_few,
        (
            "✗ For balls [2, 3] in the hat, a 1 beside it and a game that was won your function returned [2, 3, 1]; expected "
            "[1, 1, 2, 3]. That is one ball too few: the drawn ball goes back together with a new one of the same number."
        ),
    ),
    (
        "settle",
        one_too_many,
        (
            "✗ For balls [2, 3] in the hat, a 1 beside it and a game that was won your function returned [2, 3, 1, 1, 1]; "
            "expected [1, 1, 2, 3]. That is one ball too many: two balls go in, the drawn one and one new one."
        ),
    ),
    (
        "settle",
        always_thrown_away,
        (
            "✗ For balls [2, 3] in the hat, a 1 beside it and a game that was lost your function returned [2, 3]; expected "
            "[1, 2, 3]. It was the last 1. The last ball of a number always goes back."
        ),
    ),
    (
        "settle",
        never_thrown_away,
        (
            "✗ For balls [1, 2, 3] in the hat, a 2 beside it and a game that was lost your function returned [1, 2, 3, 2]; "
            "expected [1, 2, 3]. That is one ball too many: there is another 2 in the hat, so the drawn one is thrown away."
        ),
    ),
    (
        "settle",
        win_whatever_happens,
        (
            "✗ For balls [2, 3] in the hat, a 1 beside it and a game that was lost your function returned [2, 3, 1, 1]; "
            "expected [1, 2, 3]. That is what happens after a win."
        ),
    ),
    (
        "settle",
        thrown_away_twice,
        (
            "✗ For balls [1, 2, 3] in the hat, a 2 beside it and a game that was lost your function returned [1, 3]; "
            "expected [1, 2, 3]. Balls are missing: only the ball beside the hat may be thrown away."
        ),
    ),
    (
        "settle",
        settle_appends,
        (
            "✗ For balls [2, 3] in the hat, a 1 beside it and a game that was won your function returned None; expected "
            "[1, 1, 2, 3]. But it changed what it was given, from [2, 3] to [2, 3, 1, 1]. `append` and `remove` work on "
            "the list itself and give None."
        ),
    ),
    (
        "settle",
        settle_mutates,
        (
            "✗ For balls [2, 3] in the hat, a 1 beside it and a game that was won your answer is right, but your function "
            "also changed what it was given, from [2, 3] to [2, 3, 1, 1]. Make a new list: `balls + [drawn]` does, "
            "`balls.append(drawn)` does not."
        ),
    ),
    (
        "settle",
        lambda balls, drawn, won: 7,
        (
            "✗ For balls [2, 3] in the hat, a 1 beside it and a game that was won your function returned 7; expected "
            "[1, 1, 2, 3]."
        ),
    ),
    (
        "settle_game",
        only_used_hats,
        (
            "✗ For hats {1: [2, 3], 4: [1, 2], 7: [1, 3]}, beside {4: 3} and a game that was won your function returned "
            "{4: [1, 2, 3, 3]}; expected {1: [2, 3], 4: [1, 2, 3, 3], 7: [1, 3]}. Hat 1 is missing: the hats that were not "
            "used must still be there."
        ),
    ),
    (
        "settle_game",
        game_mutates,
        (
            "✗ For hats {4: [1, 2], 7: [1, 3]}, beside {4: 3, 7: 2} and a game that was won your answer is right, but your "
            "function also changed what it was given, from {4: [1, 2], 7: [1, 3]} to {4: [1, 2, 3, 3], 7: [1, 2, 2, 3]}. "
            "Begin with a copy, `dict(hats)`, and give each used hat a new list."
        ),
    ),
    ("settle_game", shallow, "✗ For hats {4: [1, 2], 7: [1, 3]}, beside {4: 3, 7: 2} and a game that was won your "),
    (
        "settle_game",
        game_always_thrown_away,
        (
            "✗ For hats {4: [1, 3, 3], 7: [1, 2, 3]}, beside {4: 2, 7: 2} and a game that was lost your function returned "
            "{4: [1, 3, 3], 7: [1, 2, 3]}; expected {4: [1, 2, 3, 3], 7: [1, 2, 3]}. Look at hat 4: It was the last 2. The "
            "last ball of a number always goes back."
        ),
    ),
    (
        "settle_game",
        every_hat,
        (
            "✗ For hats {1: [2, 3], 4: [1, 2], 7: [1, 3]}, beside {4: 3} and a game that was won your function returned "
            "{1: [1, 1, 2, 3], 4: [1, 2, 3, 3], 7: [1, 1, 1, 3]}; expected {1: [2, 3], 4: [1, 2, 3, 3], 7: [1, 3]}. No ball "
            "lies beside hat 1, so it stays as it was."
        ),
    ),
    (
        "draw",
        illegal_kept_out,
        "could not be played: it goes straight back, but here it is missing.",
    ),
    ("draw", any_ball, "cannot be played here. It goes straight back, and another ball is drawn."),
    (
        "draw",
        by_number,
        "expected about 400. Each of the 5 balls must be equally likely.",
    ),
    (
        "draw",
        still_in_the_hat,
        (
            "✗ For the balls [1, 2, 3] with 1 stick left your function returned (1, [1, 2, 3]); the hat should be left with "
            "[2, 3]. The drawn 1 lies beside the hat now; it is no longer in it."
        ),
    ),
    ("draw", all_of_it, "Only one 3 was drawn; the others stay in the hat."),
    (
        "draw",
        draw_mutates,
        (
            "✗ For the balls [1, 2, 3] with 1 stick left your function returned (1, [2, 3]), which is right, but your "
            "function also changed the list that it was given, from [1, 2, 3] to [2, 3]. Make a new list, for example with "
            "`balls.copy()`."
        ),
    ),
    ("draw", own_generator, "✗ Two generators with the same seed gave different draws."),
    (
        "draw",
        lambda balls, sticks, generator: 1,
        (
            "✗ For the balls [1, 2, 3] with 1 stick left your function returned 1; expected a pair: the drawn ball, and the "
            "list of the other balls. Return both: `return ball, rest`."
        ),
    ),
    (
        "draw",
        lambda balls, sticks, generator: (0, balls),
        (
            "✗ For the balls [1, 2, 3] with 1 stick left your function returned (0, [1, 2, 3]); there is no ball 0 in this "
            "hat."
        ),
    ),
]


@pytest.mark.parametrize("name, function, words", WRONG, ids=lambda value: getattr(value, "__name__", None))
def test_typical_mistakes(name, function, words, capsys):
    answer = said(capsys, name, function)
    assert answer.startswith("✗")
    assert answer.startswith(words) or answer.endswith(words)


@pytest.mark.parametrize("name", NAMES)
def test_a_check_neither_raises_nor_hangs(name, capsys, monkeypatch):
    def for_ever(*arguments):
        while True:
            pass

    assert "raised ZeroDivisionError" in said(capsys, name, lambda *arguments: 1 // 0)
    assert "takes 1 positional argument but 3 were given" in said(capsys, name, lambda balls: balls)
    assert said(capsys, name, 3).startswith("✗ Give the check a function, without brackets")
    assert said(capsys, name, lambda *arguments: object()).startswith("✗ For")
    monkeypatch.setattr(core, "SECONDS", 0.2)
    assert "gave no answer within 0.2 seconds" in said(capsys, name, for_ever)


# --- what the lesson builds on


def test_the_lessons_own_parts_do_what_the_hats_do(capsys):
    """The handout's game by the students' functions and by `Hats`, and then 200 games with both."""
    parts = solutions()
    capsys.readouterr()
    hats = Hats(sticks(10), seed=1)
    play_match(sticks(10), ScriptedAgent(3, 1, 1), hats, learn=True)
    after = parts["settle_game"]({4: [1, 2], 7: [1, 3]}, {4: 3, 7: 2}, True)
    assert {hat: sorted(balls) for hat, balls in after.items()} == {hat: hats.contents(hat) for hat in (4, 7)}

    by_hand = {count: hats.contents(count) for count in range(1, 11)}
    for seed in range(200):
        match = play_match(sticks(10), ScriptedAgent(*3 * [1 + seed % 3], *7 * [1]), hats, seed=seed, learn=True)
        used = list(zip(match.states, match.moves))[1::2]
        beside = {state[0]: move.count for state, move in used}
        waiting = {hat: balls.copy() for hat, balls in by_hand.items()}
        for hat, drawn in beside.items():
            waiting[hat].remove(drawn)
        settled = parts["settle_game"](waiting, beside, match.winner == 2)
        by_hand = {hat: sorted(balls) for hat, balls in settled.items()}
        assert by_hand == {count: hats.contents(count) for count in range(1, 11)}
