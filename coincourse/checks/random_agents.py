"""Random agents: a random move, win rates, how many games are needed, who has the advantage."""

from __future__ import annotations

from coinlib.arena import wilson
from coinlib.arguments import counted
from coinlib.games import SCENARIOS, CoinGame, IllegalMove, State

from .draws import by_chance
from .engine import exercise, shown

# --- a random move --------------------------------------------------------------------------------------------------


def _about_move(answer, game: CoinGame, state: State) -> str:
    """What is wrong with a move; "" for a legal one."""
    try:
        game.read_move(state, answer)
    except IllegalMove as error:
        return f"That is no legal move: {error}."
    return ""


@exercise(
    cases=[
        (SCENARIOS["SINGLE_21_3"], (1,)),
        (SCENARIOS["SINGLE_21_3"], (2,)),
        (SCENARIOS["NIM"], (0, 1, 0, 0)),
        (SCENARIOS["NIM"], (1, 3, 0, 2)),
        (SCENARIOS["DOUBLE_21_3"], (1, 9)),
        (SCENARIOS["SINGLE_21_3"], (21,)),
        (SCENARIOS["NIM_7"], (1, 3, 5, 7)),
        (CoinGame((4, 9, 1), 5, misere=False), (4, 2, 0)),
    ],
    given=lambda game, state: f"rows {state} and at most {game.max_pick} a turn",
    praise="with legal moves only, all of them equally likely, and all chance from the generator",
    made="chose",
    **by_chance(
        _about_move,
        lambda answer, game, state: tuple(game.read_move(state, answer)),
        lambda game, state: [tuple(move) for move in game.legal_moves(state)],
    ),
)
def random_move(game, state, generator):
    """One of the legal moves, each equally likely, drawn from the generator."""
    moves = game.legal_moves(state)
    return moves[generator.integers(len(moves))]


@random_move.mistake("`game.moves` are all moves that can ever be made. Ask game.legal_moves(state) in every state.")
def moves_of_the_game(game, state, generator):
    return game.moves[generator.integers(len(game.moves))]


@random_move.mistake("Those are the moves of the start. Ask for the legal moves of `state`.")
def moves_of_the_start(game, state, generator):
    moves = game.legal_moves(game.start)
    return moves[generator.integers(len(moves))]


@random_move.mistake("That is the first legal move each time: draw a number with the generator.")
def first_move_each_time(game, state, generator):
    return game.legal_moves(state)[0]


@random_move.mistake(
    "Rows are equally likely here. Then each move of a short row comes more often than one of a long row."
)
def row_first(game, state, generator):
    rows = [row for row, count in enumerate(state) if count]
    row = rows[generator.integers(len(rows))]
    return row, generator.integers(1, min(state[row], game.max_pick) + 1)


@random_move.mistake("The last move never comes: generator.integers(n) gives 0 to n - 1, so n is the number of moves.")
def last_move_never(game, state, generator):
    moves = game.legal_moves(state)
    return moves[generator.integers(len(moves) - 1)]


@random_move.mistake("Return one of the moves, and not the list of all.")
def all_moves(game, state, generator):
    return game.legal_moves(state)


# --- a win rate -----------------------------------------------------------------------------------------------------


def _of_lines(column, first: int) -> str:
    """Which lines of a larger table these are, in words; "" where they are all."""
    return f" (lines {first} to {first + len(column) - 1} of a table)" if first else ""


def _on_a_column(function, winners, player, first):
    """What a function makes of a column that begins with the line `first` of its table."""
    import pandas as pd

    return function(pd.Series(winners, index=range(first, first + len(winners)), name="winner"), player)


@exercise(
    cases=[
        ([1], 1, 0),
        ([2, 1], 1, 0),
        ([1, 2, 1, 1], 1, 0),
        ([1, 2, 1, 1], 2, 0),
        ([2, 2, 2], 1, 0),
        ([2, 2, 2], 2, 0),
        ([1, 2, 2, 2], 1, 50),
        ([1, 1, 2, 1, 2, 1, 1], 2, 0),
        ([2, 1, 1, 1, 1] * 80, 1, 0),
        ([2, 1, 1, 1, 1] * 80, 2, 0),
    ],
    given=lambda winners, player, first: f"the winners {shown(winners)}{_of_lines(winners, first)} and player {player}",
    praise="for both players, also where one of them never wins",
    run=_on_a_column,
    near=0.006,
)
def win_rate(winner, player):
    """The share of games, from 0 to 1, that a player won."""
    return sum(number == player for number in winner) / len(winner)


@win_rate.mistake("That is how many games were won. A share is this number divided by the number of games.")
def games_counted(winner, player):
    return sum(number == player for number in winner)


@win_rate.mistake("A share lies between 0 and 1; this is in per cent.")
def per_cent(winner, player):
    return 100 * win_rate.reference(winner, player)


@win_rate.mistake("That is the share of player 1, whoever is asked for: look at `player`.")
def always_player_1(winner, player):
    return win_rate.reference(winner, 1)


@win_rate.mistake("That is the share of the other player.")
def other_player(winner, player):
    return win_rate.reference(winner, 3 - player)


@win_rate.mistake("That is the mean of 1s and 2s. Compare with `player` first.")
def mean_of_the_column(winner, player):
    return sum(winner) / len(winner)


@win_rate.mistake("That says of each game whether it was won. The mean of this column is the share.")
def column_of_truths(winner, player):
    return [number == player for number in winner]


@win_rate.mistake("A part of a table keeps the numbers of its lines: there need not be a line 0.")
def numbers_of_the_lines(winner, player):
    return sum(winner[line] == player for line in range(len(winner))) / len(winner)


@win_rate.mistake("A player who never won is not counted there at all. The share is then 0.")
def never_won_forgotten(winner, player):
    return winner.value_counts(normalize=True)[player]


# --- how many games -------------------------------------------------------------------------------------------------


def _doubled(rate, games=100, end=0, whole=round) -> int:
    """The first of `games`, twice as many, ... for which an end of the interval lies above one half."""
    while wilson(whole(rate * games), games)[end] <= 0.5:
        games = 2 * games
    return games


@exercise(
    cases=[(rate,) for rate in (1.0, 0.9, 0.75, 0.65, 0.599, 0.55, 0.53, 0.52, 0.51, 0.505, 0.501)],
    given=lambda rate: f"a win rate of {100 * rate:g} %",
    praise="from 100 % to 50.1 %",
)
def games_needed(rate):
    """100 games, doubled until the lower end of the interval lies above one half."""
    games = 100
    while wilson(round(rate * games), games)[0] <= 0.5:
        games = 2 * games
    return games


@games_needed.mistake(
    "100 games are not enough for every rate: look at the lower end, and double while it is not above 0.5."
)
def upper_end(rate):
    return _doubled(rate, end=1)


@games_needed.mistake("Return the number of games as soon as the lower end is above 0.5. This is twice as many.")
def doubled_once_too_often(rate):
    return 2 * _doubled(rate)


@games_needed.mistake("Double the number of games each time; here 100 are added.")
def hundred_added(rate):
    games = 100
    while games < 10_000 and wilson(round(rate * games), games)[0] <= 0.5:
        games = games + 100
    return games


@games_needed.mistake("That is how often the number was doubled. Return the number of games.")
def times_doubled(rate):
    return (_doubled(rate) // 100).bit_length() - 1


@games_needed.mistake("Begin with 100 games; here it begins with 1.")
def begun_with_one(rate):
    return _doubled(rate, games=1)


@games_needed.mistake("round(rate * games) is asked for; int() cuts off what stands behind the point.")
def cut_off(rate):
    return _doubled(rate, whole=int)


# --- the advantage --------------------------------------------------------------------------------------------------


def _on_a_table(function, games, first):
    """What a function makes of a table that begins with the line `first` of a larger one."""
    import pandas as pd

    columns, lines = ["scenario", "slips", "winner"], range(first, first + len(games))
    return function(pd.DataFrame(games, columns=columns, index=lines))


def _games_in_words(games, first) -> str:
    words = " and ".join(
        f"a game of {scenario} with {counted(slips, 'slip')}, won by player {winner}"
        for scenario, slips, winner in games
    )
    return f"{words}{_of_lines(games, first)},"


@exercise(
    cases=[
        ([("SINGLE_21_3", 0, 2)], 0),
        ([("DOUBLE_21_3", 3, 2)], 0),
        ([("NIM", 2, 1), ("NIM_7", 4, 2)], 0),
        ([("NIM", 1, 2), ("NIM", 3, 2), ("NIM", 2, 1)], 0),
        ([("A", 1, 2), ("B", 6, 2), ("A", 17, 2), ("C", 9, 1), ("B", 0, 2), ("A", 20, 1), ("C", 5, 1)], 0),
        ([("NIM_7", 1, 1), ("NIM", 2, 1)], 10),
    ],
    given=_games_in_words,
    praise="after even and odd numbers of slips",
    run=_on_a_table,
)
def advantage(games):
    """For each scenario the player who had the advantage at the start."""
    found = {}
    for scenario, slips, winner in zip(games.scenario, games.slips, games.winner):
        found[scenario] = 3 - winner if slips % 2 == 1 else winner
    return found


def _told_by(player, counts=lambda slips: True):
    """An answer that tells the player from slips and winner, and counts some of the games only."""

    def answer(games):
        rows = zip(games.scenario, games.slips, games.winner)
        return {scenario: player(slips, winner) for scenario, slips, winner in rows if counts(slips)}

    return answer


def _handed_over(slips, winner):
    return 3 - winner if slips % 2 == 1 else winner


for sentence, wrong_answer in {
    "Who won is not enough: look at the slips.": _told_by(lambda slips, winner: winner),
    "Games with slips tell it too: each slip hands the win over.": _told_by(_handed_over, lambda slips: slips == 0),
    "Games with an odd number of slips tell it too: there the win has changed sides.": _told_by(
        _handed_over, lambda slips: slips % 2 == 0
    ),
    "The other way round: an even number of slips leaves the win where it was.": _told_by(
        lambda slips, winner: 3 - _handed_over(slips, winner)
    ),
    "Each slip hands the win over: after two slips it is back where it was.": _told_by(
        lambda slips, winner: 3 - winner if slips else winner
    ),
}.items():
    advantage.mistake(sentence)(wrong_answer)


@advantage.mistake("A part of a table keeps the numbers of its lines: there need not be a line 0.")
def numbers_of_the_games(games):
    lines = [games.loc[line] for line in range(len(games))]
    return {game.scenario: int(_handed_over(game.slips, game.winner)) for game in lines}


@advantage.mistake("That is the first scenario only. Does `return` stand inside the loop?")
def first_scenario_only(games):
    return dict([next(iter(advantage.reference(games).items()))])
