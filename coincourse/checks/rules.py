"""Rules: one found by watching, one that beats random play, a counter, and copying on two rows."""

from coinlib.agents import RuleAgent
from coinlib.arguments import counted
from coinlib.games import SCENARIOS, CoinGame, Move, State, sticks

from . import contests
from .engine import Wrong, by_hand

MISERE = SCENARIOS["SINGLE_21_3"]
NORMAL = sticks(21, max_pick=3, misere=False)
# How many games a rule plays against random play, and what it should win
GAMES, SEED, WANTED = 500, 3, 0.70


def _leave_odd(game: CoinGame, state: State) -> Move:
    """The rule that the lesson asks to be found by watching: play against it before you read on.

    It leaves an odd number of coins, with the smallest take that does so; one last coin it takes.
    """
    return Move(0, 1 if state[0] == 1 or state[0] % 2 == 0 else 2)


stranger = RuleAgent(_leave_odd, name="the stranger")


@by_hand()
def found_rule(function) -> str:
    """Try a rule ``(game, state) -> move`` against what `stranger` does with 1 to 21 coins, and say how it did.

    Examples
    --------
    >>> found_rule(lambda game, state: 1)
    ✗ With 3 coins the stranger takes 2; your rule takes 1. They agree for 11 of the 21 counts.
    """
    rule, counts = contests.legal_agent(function), range(1, MISERE.rows[0] + 1)
    right = {count: stranger(MISERE, (count,)).count for count in counts}
    # A rule does not go by the turn
    takes = {count: rule(MISERE, (count,)).count for count in (1, *counts)}
    wrong = [count for count in counts if takes[count] != right[count]]
    if wrong:
        raise Wrong(
            f"With {counted(wrong[0], 'coin')} the stranger takes {right[wrong[0]]}; your rule takes "
            f"{takes[wrong[0]]}. They agree for {len(takes) - len(wrong)} of the {len(takes)} counts."
        )
    return f"Right: your rule does what the stranger does. ({len(takes)} cases tried)"


@by_hand()
def beats_random(function) -> str:
    """Let a rule play SINGLE_21_3 in normal play, first in every other of 500 games, and say whether it won 70 %.

    Examples
    --------
    >>> beats_random(lambda game, state: 1)
    ✗ In normal play your rule won 41.0 % of 500 games (95 % interval 36.8 % to 45.4 %); 70 % are wanted. With 2 coins \
left your rule takes 1. To take 2 would win at once: this is normal play, who takes the last coin wins.
    """
    rule = contests.legal_agent(function)
    contests.check_every_state(rule, NORMAL)
    found, lost = contests.against_random(rule, NORMAL, GAMES, SEED)
    example = f"A lost game. {contests.end_in_words(lost, 1 + len(lost.moves) % 2, 'random play')}" if lost else ""
    if found.win_rate >= WANTED:
        return f"Right: your rule won {contests.rate_in_words(found)}. {example or 'It lost none of them.'}"
    hint = f"Your rule takes the last coins where it can. {example}"
    for count in (3, 2):
        if rule(NORMAL, (count,)).count < count:
            hint = (
                f"With {count} coins left your rule takes {rule(NORMAL, (count,)).count}. To take {count} would win "
                "at once: this is normal play, who takes the last coin wins."
            )
    raise Wrong(
        f"In normal play your rule won {contests.rate_in_words(found)}; {100 * WANTED:.0f} % are wanted. {hint}"
    )


@by_hand()
def counter(function) -> str:
    """Let a rule play SINGLE_21_3 in misère play against `stranger` from both seats, and say how it did.

    Examples
    --------
    >>> counter(lambda game, state: 1)
    ✗ Moving first, your agent loses to the stranger. The end of the game: the stranger takes 1 and leaves 3, \
you take 1 and leave 2, the stranger takes 1 and leaves 1, you take 1 and leave 0. Misère play: you took the last coin.
    """
    contests.check_both_seats(contests.legal_agent(function), MISERE, stranger, "the stranger")
    return "Right: your rule beats the stranger in misère play, moving first and moving second."


EQUAL_ROWS = [CoinGame((held, held), most, misere=False) for held in range(1, 8) for most in (3, None)]
EQUAL_ROWS.append(CoinGame((21, 21), 3, misere=False))
DOUBLE = [SCENARIOS["DOUBLE_21_3"]]


@by_hand(prepare=lambda: contests.prepare(EQUAL_ROWS))
def mirror(function) -> str:
    """Try a rule on two equal rows in normal play, moving second, against everything the first player can do."""
    return contests.win_every_game(function, EQUAL_ROWS, "second", "on equal rows in normal play")


@by_hand(prepare=lambda: contests.prepare(DOUBLE))
def misere_mirror(function) -> str:
    """Try a rule on DOUBLE_21_3 in misère play, moving first, against everything the second player can do."""
    return contests.win_every_game(function, DOUBLE, "first", "of DOUBLE_21_3 in misère play")
