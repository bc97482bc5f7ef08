"""Random agents: a random move, win rates, how many games are needed, who has the advantage."""

from coinlib.arena import wilson
from coinlib.games import SCENARIOS, CoinGame

from .draws import by_chance
from .engine import exercise

# --- a random move --------------------------------------------------------------------------------------------------


@exercise(
    cases=[(SCENARIOS["SINGLE_21_3"], (1,)), (SCENARIOS["SINGLE_21_3"], (2,)), (SCENARIOS["NIM"], (1, 3, 0, 2))]
    + [(SCENARIOS["DOUBLE_21_3"], (1, 9)), (SCENARIOS["SINGLE_21_3"], (21,)), (SCENARIOS["NIM_7"], (1, 3, 5, 7))]
    + [(CoinGame((4, 9, 1), 5, misere=False), (4, 2, 0))],
    given=lambda game, state: f"rows {state} and at most {game.max_pick} a turn",
    praise="with legal moves only, all of them equally likely, and all chance from the generator",
    **by_chance(lambda game, state: [tuple(move) for move in game.legal_moves(state)]),
)
def random_move(game, state, generator, *, last=0):
    """One of the legal moves, each equally likely, drawn from the generator."""
    moves = game.legal_moves(state)
    return moves[generator.integers(len(moves) + last)]


random_move.slip("The last move never comes: generator.integers(n) gives 0 to n - 1.", last=-1)


@random_move.mistake("`game.moves` are not all legal now. Ask game.legal_moves(state) in every state.")
def any_move(game, state, generator):
    return game.moves[generator.integers(len(game.moves))]


@random_move.mistake("Rows are equally likely here, so a move of a short row comes too often.")
def row_first(game, state, generator):
    rows = [row for row, count in enumerate(state) if count]
    row = rows[generator.integers(len(rows))]
    return row, generator.integers(1, min(state[row], game.max_pick) + 1)


# --- a win rate -----------------------------------------------------------------------------------------------------


def _part_of_a_table(columns: list[str], lines: list):
    """Some lines of a larger table, whose numbers do not begin with 0."""
    import pandas as pd

    return pd.DataFrame(lines, columns=columns, index=range(10, 10 + len(lines)))


@exercise(
    cases=[([1], 1), ([2, 1], 1), ([1, 2, 1, 1], 1), ([1, 2, 1, 1], 2), ([2, 2, 2], 1), ([2, 2, 2], 2)]
    + [([1, 1, 2, 1, 2, 1, 1], 2), ([2, 1, 1, 1, 1] * 80, 1), ([2, 1, 1, 1, 1] * 80, 2)],
    given="the winners {} (a part of a table, from line 10 on) and player {}",
    praise="for both players, also where one of them never wins",
    run=lambda function, winners, player: function(_part_of_a_table(["winner"], winners)["winner"], player),
    share=True,
)
def win_rate(winner, player, *, out_of=len):
    """The share of games, from 0 to 1, that a player won."""
    return sum(winner == player) / out_of(winner)


win_rate.slip("That is how many games were won. Divide by the number of games.", out_of=lambda games: 1)


@win_rate.mistake("The first line has the number 10 here: take `winner.iloc[0]`, or compare all at once.")
def lines_from_0(winner, player):
    return sum(winner[line] == player for line in range(len(winner))) / len(winner)


win_rate.slip("That is the share of player 1, whoever is asked for: look at `player`.", player=1)


# --- how many games -------------------------------------------------------------------------------------------------


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


games_needed.slip("100 games are not always enough: double while the lower end is not above 0.5.", rate=1.0)


# --- the advantage --------------------------------------------------------------------------------------------------


@exercise(
    cases=[
        ([("SINGLE_21_3", 0, 2)],),
        ([("DOUBLE_21_3", 3, 2)],),
        ([("NIM", 2, 1), ("NIM_7", 4, 2)],),
        ([("NIM", 1, 2), ("NIM", 3, 2), ("NIM", 2, 1)],),
        ([("A", 1, 2), ("B", 6, 2), ("A", 17, 2), ("C", 9, 1), ("B", 0, 2), ("A", 20, 1), ("C", 5, 1)],),
    ],
    given="lines of (scenario, slips, winner) {}, numbered from 10 on,",
    praise="after even and odd numbers of slips",
    run=lambda function, games: function(_part_of_a_table(["scenario", "slips", "winner"], games)),
)
def advantage(games, *, handed_over=lambda slips: slips % 2 == 1, most_slips=99):
    """For each scenario the player who had the advantage at the start."""
    return {
        scenario: 3 - winner if handed_over(slips) else winner
        for scenario, slips, winner in zip(games.scenario, games.slips, games.winner)
        if slips <= most_slips
    }


advantage.slip("Who won is not enough: look at the slips.", handed_over=lambda slips: False)
advantage.slip("Games with slips tell it too.", most_slips=0)
advantage.slip("Each slip hands the win over: after two it is back.", handed_over=bool)
