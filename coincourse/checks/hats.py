"""Hats: the chance of a ball, what a game does to the balls, a whole game, and the draw."""

from collections.abc import Callable

from coinlib.arguments import counted

from .draws import by_chance
from .engine import exercise
from .judging import ROUNDED

# --- the chance of a ball -------------------------------------------------------------------------


@exercise(
    cases=[([1], 1, 1), ([1, 2, 3], 1, 2), ([1, 2, 3], 2, 1), ([1, 2, 3], 2, 3), ([1, 1, 1, 2, 3], 2, 1)]
    + [([1, 2, 3], 3, 3), ([1, 2, 3], 7, 2), ([1, 2, 3, 3], 4, 1), ([1, 2, 3, 4, 5, 5, 5], 4, 4)]
    + [([3, 1, 3, 2, 1, 3], 2, 1), ([1, 2, 3, 4, 5, 5, 5], 60, 5), ([1, 2] + 38 * [3], 20, 3)],
    given="balls={}, sticks={}, number={}",
    praise="for full hats, and for low hats in which some balls are never played",
    near=ROUNDED,
)
def chance(balls, sticks, number):
    """How likely a hat is to play a number with this many sticks left, from 0 to 1."""
    legal = [ball for ball in balls if ball <= sticks]
    return legal.count(number) / len(legal)


STRAIGHT_BACK = "Balls that cannot be played go straight back: do not count them."
chance.slip(STRAIGHT_BACK, sticks=100)
chance.mistake(STRAIGHT_BACK)(lambda balls, sticks, number: balls.count(number) / len(balls) if number <= sticks else 0)


AS_MANY_AS_STICKS = (
    "A ball with the same number as the sticks that are left can be played (`<=`): only larger balls (`>`) go back."
)


@chance.mistake("Divide by the number of balls that can be played, not by the number of sticks.")
def share_of_the_sticks(balls, sticks, number):
    return balls.count(number) / sticks


@chance.mistake("Every ball is equally likely, and not every number: count the balls.")
def all_numbers(balls, sticks, number):
    return chance.reference(list(set(balls)), sticks, number)


A_COUNT = "That is a count. A chance is a share: divide by the number of balls that can be played."
chance.mistake(A_COUNT)(lambda balls, sticks, number: balls.count(number) if number <= sticks else 0)
chance.mistake(A_COUNT)(lambda balls, sticks, number: balls.count(number))


@chance.mistake("`//` rounds down to a whole number: a share needs `/`.")
def whole_division(balls, sticks, number):
    legal = [ball for ball in balls if ball <= sticks]
    return legal.count(number) // len(legal)


@chance.mistake("Every ball is equally likely, and not every number. And balls that cannot be played do not count.")
def one_of_all_numbers(balls, sticks, number):
    return 1 / len(set(balls))


@chance.mistake(AS_MANY_AS_STICKS)
def smaller_balls_only(balls, sticks, number):
    return chance.reference(balls, sticks - 1, number)


@chance.mistake(AS_MANY_AS_STICKS)
def smaller_balls_only_or_0(balls, sticks, number):
    return chance.reference(balls, sticks - 1, number) if min(balls) < sticks else 0


@chance.mistake("A ball that cannot be played has the chance 0: count among the legal balls.")
def illegal_balls_above(balls, sticks, number):
    legal = [ball for ball in balls if ball <= sticks]
    return balls.count(number) / len(legal)


@chance.mistake(
    "A loop over a list skips an item when the one before it is removed. "
    "Build a new list with the balls that can be played, and take nothing out of the old one."
)
def removed_in_the_loop(balls, sticks, number):
    legal = list(balls)
    for ball in legal:
        if ball > sticks:
            legal.remove(ball)
    return legal.count(number) / len(legal)


# --- one hat after a game -------------------------------------------------------------------------


@exercise(
    cases=[
        (balls, drawn, won)
        for balls, drawn in [([2, 3], 1), ([1, 3], 2), ([], 1), ([1, 2, 3], 2), ([3, 3, 1], 3)]
        + [([1, 2, 2, 4, 5, 5, 5], 2), ([1, 2, 2, 4, 5, 5, 5], 3), ([1, 2] + 40 * [3], 3)]
        for won in (True, False)
    ],
    given="balls={}, drawn={}, won={}",
    praise="for wins, losses and last balls",
    any_order=True,
    new=True,
)
def settle(balls, drawn, won):
    """What a hat holds after the game, in a new list."""
    if won:
        return balls + [drawn, drawn]
    if drawn in balls:
        return balls.copy()
    return balls + [drawn]


def after_a_loss(sentence: str, change: Callable) -> None:
    """Add a mistake about a loss: the balls are then `change(balls, drawn)`, and after a win they are right."""
    settle.mistake(sentence)(lambda balls, drawn, won: balls + [drawn, drawn] if won else change(balls, drawn))


def _taken_out(balls, drawn):
    """The list that was given, without the drawn ball if there is one."""
    if drawn in balls:
        balls.remove(drawn)
    return balls


after_a_loss("The last ball of a number always goes back, even after a loss.", lambda balls, drawn: balls.copy())
after_a_loss(
    "The last ball of *its number* goes back: ask whether `drawn` is in `balls`, not whether the hat is empty.",
    lambda balls, drawn: balls.copy() if balls else [drawn],
)
after_a_loss(
    "After a loss the drawn ball is thrown away, unless it was the last of its number.",
    lambda balls, drawn: balls + [drawn],
)

OTHERS_ONLY = "The drawn ball is next to the hat, not in the hat: `balls` holds only the others."
after_a_loss(OTHERS_ONLY, lambda balls, drawn: balls.copy() if balls.count(drawn) > 1 else balls + [drawn])
after_a_loss(OTHERS_ONLY, lambda balls, drawn: _without(balls, drawn) if balls.count(drawn) > 1 else balls + [drawn])

after_a_loss(
    "The drawn ball is next to the hat. If it is the last of its number, `balls` holds *none* like it.",
    lambda balls, drawn: balls + [drawn] if balls.count(drawn) == 1 else balls.copy(),
)
after_a_loss(
    "The hat may hold several balls like the drawn one: ask whether `drawn` is in `balls`.",
    lambda balls, drawn: balls.copy() if balls.count(drawn) == 1 else balls + [drawn],
)
NO_MINUS = "Lists have no `-`. And after a loss nothing has to be taken out: the drawn ball is next to the hat."
after_a_loss(NO_MINUS, lambda balls, drawn: balls - [drawn])
after_a_loss(NO_MINUS, lambda balls, drawn: balls - [drawn] if drawn in balls else balls + [drawn])

TAKE_NOTHING_OUT = "The drawn ball is next to the hat, not in the hat: take nothing out after a loss."
after_a_loss(TAKE_NOTHING_OUT, lambda balls, drawn: still_inside(balls, drawn, False))
after_a_loss(TAKE_NOTHING_OUT, lambda balls, drawn: _without(balls, drawn) if drawn in balls else balls + [drawn])
after_a_loss(
    TAKE_NOTHING_OUT,
    lambda balls, drawn: _without(balls, drawn) if balls.count(drawn) > 1 else settle.reference(balls, drawn, False),
)
after_a_loss(TAKE_NOTHING_OUT, lambda balls, drawn: _taken_out(balls.copy(), drawn))
after_a_loss(TAKE_NOTHING_OUT, _taken_out)


@settle.mistake("A loss is not settled like a win: look at `won`.")
def always_a_win(balls, drawn, won):
    return balls + [drawn, drawn]


@settle.mistake("After a win the drawn ball goes back with one more: two balls, not three.")
def three_balls_after_a_win(balls, drawn, won):
    return balls + [drawn, drawn, drawn] if won else settle.reference(balls, drawn, won)


@settle.mistake("After a win the drawn ball goes back with one more: two balls go into the hat.")
def one_ball_after_a_win(balls, drawn, won):
    return balls + [drawn] if won else settle.reference(balls, drawn, won)


@settle.mistake("The drawn ball is next to the hat, not in the hat: put two in after a win, take none out.")
def still_inside(balls, drawn, won):
    if won:
        return balls + [drawn]
    if balls.count(drawn) > 1:
        return _without(balls, drawn)
    return balls.copy()


def _without(balls: list[int], drawn: int) -> list[int]:
    place = balls.index(drawn)
    return balls[:place] + balls[place + 1 :]


# --- a whole game ---------------------------------------------------------------------------------


FOUR_HATS = {20: [1, 2, 4, 5], 3: [1, 2], 16: [1, 1, 1, 2, 3, 5], 11: [1, 2, 3, 4, 5]}


@exercise(
    cases=[
        ({1: [2, 3]}, {1: 1}, True),
        ({1: [2, 3]}, {1: 1}, False),
        ({4: [1, 2], 7: [1, 3]}, {4: 3, 7: 2}, True),
        ({1: [2, 3], 4: [1, 2], 7: [1, 3]}, {4: 3}, True),
        ({1: [2, 3], 4: [1, 3, 3], 7: [1, 2, 3]}, {1: 1, 4: 2, 7: 2}, False),
        ({2: [1, 2, 3], 3: [1, 2, 3]}, {}, False),
        (FOUR_HATS, {16: 4, 20: 3, 3: 2}, False),
    ],
    given="hats={}, beside={}, won={}",
    praise="for every hat that was used, and the others are unchanged",
    any_order=True,
    new=True,
)
def settle_game(hats, beside, won):
    """All hats after a game, in a new dictionary."""
    after = dict(hats)
    for hat, drawn in beside.items():
        after[hat] = settle.reference(hats[hat], drawn, won)
    return after


@settle_game.mistake("The hats that were not used are missing: begin with a copy of all hats.")
def used_hats_only(hats, beside, won):
    return {hat: settle.reference(hats[hat], drawn, won) for hat, drawn in beside.items()}


AS_BEFORE = "These are the hats as they were before the game. `settle` changes no list: put the one that it returns into the new dictionary."
settle_game.mistake(AS_BEFORE)(lambda hats, beside, won: dict(hats))


@settle_game.mistake("A loop over a dictionary gives the keys alone: write `beside.items()`.")
def pairs_without_items(hats, beside, won):
    after = dict(hats)
    for hat, drawn in beside:
        after[hat] = settle.reference(hats[hat], drawn, won)
    return after


# --- the draw -------------------------------------------------------------------------------------


def _can_be_drawn(balls: list[int], sticks: int) -> list[tuple]:
    places = [place for place, ball in enumerate(balls) if ball <= sticks]
    return [(balls[place], sorted(balls[:place] + balls[place + 1 :])) for place in places]


@exercise(
    cases=[([1], 1), ([1, 2, 3], 1), ([1, 2, 3], 2), ([1, 2, 3, 3], 4), ([1, 1, 2, 3, 3], 2)]
    + [([1, 2, 2, 2, 2, 2, 3], 7), ([5, 1, 2, 3, 4, 5, 4], 4), ([5, 1, 2, 3, 4, 5, 5], 40)],
    given=lambda balls, sticks: f"the balls {balls} with {counted(sticks, 'stick')} left",
    praise="with every ball that can be played equally likely, and all others still in the hat",
    **by_chance(_can_be_drawn),
)
def draw(balls, sticks, generator):
    """A ball that can be played, and a new list of the balls that are still in the hat."""
    while True:
        place = generator.integers(len(balls))
        if balls[place] <= sticks:
            return balls[place], balls[:place] + balls[place + 1 :]


STAYS_IN = "A ball that cannot be played goes straight back: it stays in the list."


@draw.mistake(STAYS_IN)
def from_the_legal_balls(balls, sticks, generator):
    legal = [ball for ball in balls if ball <= sticks]
    place = generator.integers(len(legal))
    return legal[place], legal[:place] + legal[place + 1 :]


@draw.mistake(STAYS_IN)
def thrown_away_until_one_is_legal(balls, sticks, generator):
    while True:
        place = generator.integers(len(balls))
        ball = balls[place]
        balls = balls[:place] + balls[place + 1 :]
        if ball <= sticks:
            return ball, balls


@draw.mistake("A ball that is larger than the number of sticks cannot be played: draw another one.")
def any_ball(balls, sticks, generator):
    place = generator.integers(len(balls))
    return balls[place], balls[:place] + balls[place + 1 :]


@draw.mistake("Return two things: the ball, and a list of the balls that are still in the hat.")
def ball_alone(balls, sticks, generator):
    return draw.reference(balls, sticks, generator)[0]


@draw.mistake("The ball that was drawn is no longer in the hat: leave it out of the list.")
def nothing_taken_out(balls, sticks, generator):
    return draw.reference(balls, sticks, generator)[0], list(balls)


@draw.mistake("That is the place of the ball in the list. Return the ball at that place.")
def place_of_the_ball(balls, sticks, generator):
    while True:
        place = generator.integers(len(balls))
        if balls[place] <= sticks:
            return place, balls[:place] + balls[place + 1 :]


@draw.mistake("Every ball is equally likely, and not every number: draw a place in the list of balls.")
def any_number(balls, sticks, generator):
    numbers = sorted({ball for ball in balls if ball <= sticks})
    ball = numbers[generator.integers(len(numbers))]
    return ball, _without(balls, ball)
