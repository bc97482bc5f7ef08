"""Random agents: a random move, win rates, how many games are needed, who has the advantage."""

from collections.abc import Callable

from coinlib.arena import wilson
from coinlib.games import SCENARIOS, CoinGame, State

from .draws import by_chance
from .engine import exercise
from .judging import ROUNDED, shown

# --- a random move --------------------------------------------------------------------------------


def _legal_pairs(game: CoinGame, state: State) -> list[tuple[int, int]]:
    return [tuple(move) for move in game.legal_moves(state)]


@exercise(
    cases=[(SCENARIOS["SINGLE_21_3"], (1,)), (SCENARIOS["SINGLE_21_3"], (2,))]
    + [(SCENARIOS["NIM"], (1, 3, 0, 2)), (SCENARIOS["DOUBLE_21_3"], (1, 9))]
    + [(SCENARIOS["SINGLE_21_3"], (21,)), (SCENARIOS["NIM_7"], (1, 3, 5, 7))]
    + [(CoinGame((4, 9, 1), 5, misere=False), (4, 2, 0))],
    given=lambda game, state: f"rows {state} and at most {game.max_pick} a turn",
    praise="with legal moves only, all of them equally likely, and all chance from the generator",
    **by_chance(_legal_pairs),
)
def random_move(game, state, generator):
    """One of the legal moves, each equally likely, drawn from the generator."""
    moves = game.legal_moves(state)
    number = generator.integers(len(moves))
    return moves[number]


@random_move.mistake("Rows are equally likely here, so a move in a short row comes too often.")
def row_first(game, state, generator):
    rows = [row for row, count in enumerate(state) if count]
    row = rows[generator.integers(len(rows))]
    return row, generator.integers(1, min(state[row], game.max_pick) + 1)


@random_move.mistake("That is a draw from all moves that can be named: ask for the legal moves of this state.")
def any_named_move(game, state, generator):
    return game.moves[generator.integers(len(game.moves))]


LEFT_OUT_TWICE = "`generator.integers(n)` never gives n, so the end is left out twice: the last move never comes."
OTHER_PLACES = "Draw a place in the list of legal moves: `generator.integers(len(moves))` gives 0 to len(moves) - 1."


def wrong_place(sentence: str, place: Callable) -> None:
    """Add a mistake: the move at `place(generator, n)` in the list of the n legal moves."""

    @random_move.mistake(sentence)
    def move(game, state, generator):
        moves = game.legal_moves(state)
        return moves[place(generator, len(moves))]


wrong_place(LEFT_OUT_TWICE, lambda generator, n: generator.integers(n - 1))
wrong_place(LEFT_OUT_TWICE, lambda generator, n: generator.integers(max(1, n - 1)))
wrong_place(OTHER_PLACES, lambda generator, n: generator.integers(1, n))
wrong_place(OTHER_PLACES, lambda generator, n: generator.integers(n + 1))
wrong_place(
    "That is always the first legal move. Draw a number, and take the move at that place.",
    lambda generator, n: 0,
)


@random_move.mistake("`generator.integers` is given a number: pass `len(moves)`, and return the move at that place.")
def list_for_a_number(game, state, generator):
    return generator.integers(game.legal_moves(state))


@random_move.mistake(
    "`generator.integers(1, n)` never gives n. And draw from the list of legal moves, not first a row."
)
def row_first_without_the_largest(game, state, generator):
    rows = [row for row, count in enumerate(state) if count]
    row = rows[generator.integers(len(rows))]
    return row, generator.integers(1, min(state[row], game.max_pick))


@random_move.mistake(OTHER_PLACES)
def places_of_all_named_moves(game, state, generator):
    return game.legal_moves(state)[generator.integers(len(game.moves))]


@random_move.mistake("That is the place of a move in the list. Return the move at that place.")
def place_of_the_move(game, state, generator):
    return generator.integers(len(game.legal_moves(state)))


# --- a win rate -----------------------------------------------------------------------------------


def _lines_of_a_table(columns: list[str], lines: list, first: int):
    """Some lines of a table; the first of them has this number."""
    import pandas as pd

    return pd.DataFrame(lines, columns=columns, index=range(first, first + len(lines)))


def _lines_in_words(lines: list, first: int) -> str:
    """The lines for a message, and their numbers if these do not begin with 0."""
    return f"{shown(lines)} (lines {first}, {first + 1}, ... of a table)" if first else shown(lines)


def _try_column(function, winners: list, player: int, first: int):
    return function(_lines_of_a_table(["winner"], winners, first)["winner"], player)


@exercise(
    cases=[([1], 1, 0), ([2, 1], 1, 0), ([1, 2, 1, 1], 1, 0), ([1, 2, 1, 1], 2, 0), ([2, 2, 2], 1, 0)]
    + [([2, 2, 2], 2, 0), ([2, 1], 1, 10), ([1, 1, 2, 1, 2, 1, 1], 2, 10)]
    + [([2, 1, 1, 1, 1] * 80, 1, 10), ([2, 1, 1, 1, 1] * 80, 2, 10)],
    given=lambda winners, player, first: f"the winners {_lines_in_words(winners, first)} and player {player}",
    praise="for both players, even if one of them never wins",
    run=_try_column,
    near=ROUNDED,
)
def win_rate(winner, player):
    """The share of games, from 0 to 1, that a player won."""
    won = winner == player
    return won.mean()


win_rate.slip("That is the share of player 1, for both players: use `player`.", player=1)


@win_rate.mistake("That is the number of wins. The share is this number divided by the number of games.")
def number_of_wins(winner, player):
    return (winner == player).sum()


@win_rate.mistake(
    "That is the mean of the numbers 1 and 2. Which games did `player` win? Compare first: winner == player."
)
def mean_of_the_numbers(winner, player):
    return winner.mean()


# --- how many games -------------------------------------------------------------------------------


@exercise(
    cases=[(rate,) for rate in (1.0, 0.9, 0.75, 0.65, 0.599, 0.55, 0.53, 0.52, 0.51, 0.505, 0.501)],
    given=lambda rate: f"a win rate of {100 * rate:g} %",
    praise="from 100 % to 50.1 %",
)
def games_needed(rate):
    """100 games, doubled until the lower end of the interval is above one half."""
    return _grown(lambda games: wilson(round(rate * games), games)[0] <= 0.5)


def _grown(are_too_few: Callable, more: Callable = lambda games: 2 * games) -> int:
    """100 games, and more while they are too few."""
    games = 100
    while are_too_few(games):
        games = more(games)
    return games


games_needed.slip("100 games are not always enough: double while the lower end is not above 0.5.", rate=1.0)


@games_needed.mistake("Your function doubles once at most: use `while` instead of `if`.")
def doubled_once(rate):
    games = 100
    if wilson(round(rate * games), games)[0] <= 0.5:
        games = 2 * games
    return games


@games_needed.mistake("Double the number of games each time. Your function adds 100.")
def one_hundred_more(rate):
    return _grown(lambda games: wilson(round(rate * games), games)[0] <= 0.5, more=lambda games: games + 100)


@games_needed.mistake("The condition is turned round: double while the lower end is *not* above 0.5.")
def turned_round(rate):
    return _grown(lambda games: wilson(round(rate * games), games)[0] > 0.5)


@games_needed.mistake(
    "The games were doubled until the number was too large. Is the *lower* end compared with 0.5? "
    "(And `wilson` is given the number of wins, `round(rate * games)`, and not the rate.)"
)
def rate_for_wins(rate):
    return _grown(lambda games: wilson(rate, games)[0] <= 0.5)


@games_needed.mistake("More games bring more wins: work out `round(rate * games)` again in each round of the loop.")
def wins_of_100_games(rate):
    return _grown(lambda games: wilson(round(rate * 100), games)[0] <= 0.5)


@games_needed.mistake("`wilson` returns both ends: the lower one is `wilson(...)[0]`.")
def both_ends_compared(rate):
    return _grown(lambda games: wilson(round(rate * games), games) <= 0.5)


@games_needed.mistake("The games are doubled once too often: the number before was enough.")
def doubled_once_too_often(rate):
    return 2 * games_needed.reference(rate)


# --- the advantage --------------------------------------------------------------------------------


def _try_table(function, games: list, first: int):
    return function(_lines_of_a_table(["scenario", "slips", "winner"], games, first))


@exercise(
    cases=[
        ([("SINGLE_21_3", 0, 2)], 0),
        ([("DOUBLE_21_3", 3, 2)], 0),
        ([("NIM", 2, 1), ("NIM_7", 4, 2)], 0),
        ([("NIM", 1, 2), ("NIM", 3, 2), ("NIM", 2, 1)], 0),
        ([("NIM", 1, 2), ("NIM_7", 4, 2)], 10),
        ([("A", 1, 2), ("B", 6, 2), ("A", 17, 2), ("C", 9, 1), ("B", 0, 2), ("A", 20, 1), ("C", 5, 1)], 10),
    ],
    given=lambda games, first: f"the games (scenario, slips, winner) {_lines_in_words(games, first)}",
    praise="after even and odd numbers of slips",
    run=_try_table,
)
def advantage(games):
    """For each scenario the player who had the advantage at the start."""
    found = {}
    for scenario, slips, winner in zip(games.scenario, games.slips, games.winner):
        changed = slips % 2 == 1
        found[scenario] = 3 - winner if changed else winner
    return found


@advantage.mistake("The lines of this table are not counted from 0: use `zip`, or `games.slips.iloc[i]` for line i.")
def lines_from_0(games):
    lines = range(len(games))
    return {games.scenario[i]: 3 - games.winner[i] if games.slips[i] % 2 == 1 else games.winner[i] for i in lines}


@advantage.mistake("That is who won. After an odd number of slips the other player had the advantage at the start.")
def whoever_won(games):
    return dict(zip(games.scenario, games.winner))
