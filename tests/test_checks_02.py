"""What the checks of lesson 02 say to stubs, solutions, other right answers and typical wrong ones."""

import random
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from exercises import Exercises, said

from coincourse import checks
from coincourse.checks import core
from coincourse.course import data
from coinlib import SCENARIOS, solve
from coinlib.arena import wilson

LESSON = Exercises("02_random_agents")
EXERCISES = ("random_move", "win_rate", "games_needed", "advantage")
RIGHT = {
    "random_move": "✓ Right: every move is legal, all are equally likely, and all chance comes from the generator.",
    "win_rate": "✓ Right, for both players, also where one of them never wins. (6 cases tried)",
    "games_needed": "✓ Right, from 90 % to 50.5 %. (5 cases tried)",
    "advantage": "✓ Right, after even and odd numbers of slips. (4 cases tried)",
}


@pytest.mark.parametrize("name", EXERCISES)
def test_the_lesson_has_a_stub_and_then_a_solution(name, capsys):
    stub, solution = LESSON.cells(name)
    assert "solution" not in stub.metadata.get("tags", [])
    assert "solution" in solution.metadata["tags"]
    for cell, mark in ((stub, "✗"), (solution, "✓")):
        exec(cell.source, {"check": checks, "wilson": wilson})  # noqa: S102 - our own lesson
        out = capsys.readouterr().out
        assert out.startswith(mark)
        assert out == cell.outputs[0].text  # what is stored is what is said
    assert out.strip() == RIGHT[name]


# --- exercise 1


def by_choice(game, state, generator):
    return generator.choice(game.legal_moves(state))  # an array of two numbers


def by_trying(game, state, generator):
    while True:
        row, count = int(generator.integers(len(state))), int(generator.integers(1, game.max_pick + 1))
        if count <= state[row]:
            return row, count


def careless(game, state, generator):
    return game.moves[generator.integers(len(game.moves))]


def row_first(game, state, generator):
    moves = game.legal_moves(state)
    row = generator.choice(sorted({move.row for move in moves}))
    return [move for move in moves if move.row == row][generator.integers(sum(move.row == row for move in moves))]


def always_first(game, state, generator):
    return game.legal_moves(state)[0]


def never_last(game, state, generator):
    moves = game.legal_moves(state)
    return moves[generator.integers(len(moves) - 1)]


def own_generator(game, state, generator):
    moves = game.legal_moves(state)
    return moves[np.random.default_rng().integers(len(moves))]


def same_seed_always(game, state, generator):
    moves = game.legal_moves(state)
    return moves[np.random.default_rng(1).integers(len(moves))]


def global_chance(game, state, generator):
    return random.choice(game.legal_moves(state))


def at_the_start(game, state, generator):
    moves = game.legal_moves(game.start)
    return moves[generator.integers(len(moves))]


def all_moves(game, state, generator):
    return game.legal_moves(state)


@pytest.mark.parametrize("function", [by_choice, by_trying])
def test_other_random_agents_are_right(function, capsys):
    assert said(capsys, "random_move", function) == RIGHT["random_move"]


OTHER_CHANCE = (
    "✗ Two generators with the same seed gave different moves. "
    "Draw from the generator that is passed in, and from nothing else."
)


@pytest.mark.parametrize(
    "function, words",
    [
        (lambda game, state, generator: None, "✗ For rows (0, 1, 0, 0) and at most 2 your function returned None; "),
        (careless, "✗ For rows (0, 1, 0, 0) and at most 2 your function chose Move(row=3, count=1), which is illegal:"),
        (at_the_start, "✗ For rows (0, 1, 0, 0) and at most 2 your function chose Move("),
        (row_first, "for rows (1, 3, 0, 2) your function chose Move(row=0, count=1)"),
        (
            always_first,
            "your function chose Move(row=0, count=1) 2,000 times; expected about 400, as there are 5 legal",
        ),
        (same_seed_always, "0 times; expected about 400, as there are 5 legal moves and each is equally likely."),
        (never_last, "✗ For rows (0, 1, 0, 0) and at most 2 your function raised ValueError: "),
        (own_generator, OTHER_CHANCE),
        (global_chance, OTHER_CHANCE),
        (all_moves, "your function chose [Move(row=1, count=1)], which is illegal: expected a Move(row, count), got"),
        (lambda game, state: game.legal_moves(state)[0], "✗ For rows (0, 1, 0, 0) and at most 2 your function raised "),
        (by_choice(SCENARIOS["NIM"], (1, 0, 0, 0), np.random.default_rng(1)), "✗ Give the check a function"),
    ],
)
def test_wrong_random_agents(function, words, capsys):
    answer = said(capsys, "random_move", function)
    assert answer.startswith("✗")
    assert words in answer


# --- exercise 2


def counted_in_a_loop(winner, player):
    wins = 0
    for one in winner:
        if one == player:
            wins += 1
    return wins / len(winner)


def by_position(winner, player):
    return sum(winner[number] == player for number in range(len(winner))) / len(winner)


@pytest.mark.parametrize(
    "function",
    [
        counted_in_a_loop,
        lambda winner, player: sum(winner == player) / winner.size,
        lambda winner, player: winner.value_counts(normalize=True).get(player, 0),
    ],
)
def test_other_win_rates_are_right(function, capsys):
    assert said(capsys, "win_rate", function) == RIGHT["win_rate"]


FIRST_WINNERS = "✗ For the winners 1, 2, 1, 1 and player 1 your function returned "


@pytest.mark.parametrize(
    "function, words",
    [
        (lambda winner, player: None, FIRST_WINNERS + "None; expected 0.75."),
        (lambda winner, player: (winner == player).sum(), FIRST_WINNERS + "3; expected 0.75. A share lies between"),
        (lambda winner, player: 100 * (winner == player).mean(), FIRST_WINNERS + "75.0; expected 0.75. A share"),
        (lambda winner, player: winner == player, FIRST_WINNERS),
        (lambda winner, player: winner.mean(), FIRST_WINNERS + "1.25; expected 0.75. A share"),
        (lambda winner, player: (winner == 1).mean(), "and player 2 your function returned 0.75; expected 0.25. Which"),
        (
            lambda winner, player: winner.value_counts(normalize=True)[player],
            "✗ For the winners 2, 2, 2 and player 1 your function raised KeyError: 1.",
        ),
        (by_position, "of games 7, 13, 19 and 25, and player 1 your function raised KeyError: 0."),
    ],
)
def test_wrong_win_rates(function, words, capsys):
    assert words in said(capsys, "win_rate", function)


# --- exercise 3


def with_for(rate):
    for doubled in range(30):
        games = 100 * 2**doubled
        if wilson(round(rate * games), games)[0] > 0.5:
            return games


def one_by_hundred(rate):
    games = 100
    while wilson(round(rate * games), games)[0] <= 0.5:
        games += 100
    return games


def one_too_far(rate):
    games = 100
    while wilson(round(rate * games), games)[0] <= 0.5:
        games *= 2
    return 2 * games


def times_doubled(rate):
    games, times = 100, 0
    while wilson(round(rate * games), games)[0] <= 0.5:
        games, times = 2 * games, times + 1
    return times


def never_doubled(rate):
    games = 100
    while wilson(round(rate * games), games)[0] <= 0.5:
        pass
    return games


def test_another_way_to_double_is_right(capsys):
    assert said(capsys, "games_needed", with_for) == RIGHT["games_needed"]
    assert said(capsys, "games_needed", lambda rate: np.int64(with_for(rate))) == RIGHT["games_needed"]


NINETY = "✗ For a win rate of 90 % your function returned "


@pytest.mark.parametrize(
    "function, words",
    [
        (lambda rate: None, NINETY + "None; expected 100."),
        (one_too_far, NINETY + "200; expected 100. With 100 games the interval goes from 82.6 % to 94.5 %: all of it"),
        (times_doubled, NINETY + "0; expected 100."),
        (
            lambda rate: 100,
            "returned 100; expected 400. With 200 games the interval goes from 48.1 % to 61.7 %: 50 % is still in it.",
        ),
        (one_by_hundred, "✗ For a win rate of 52 % your function returned 2500; expected 3200."),
    ],
)
def test_wrong_numbers_of_games(function, words, capsys):
    assert words in said(capsys, "games_needed", function)


def test_a_loop_that_never_ends_is_given_up(monkeypatch, capsys):
    monkeypatch.setattr(core, "SECONDS", 0.3)
    assert "✗ Your function gave no answer within 0.3 seconds." in said(capsys, "games_needed", never_doubled)


# --- exercise 4


def with_pandas(games):
    held = games.winner.where(games.slips % 2 == 0, 3 - games.winner)
    return held.groupby(games.scenario).first()


def with_a_loop(games):
    found = {}
    for _, game in games.iterrows():
        found[game["scenario"]] = int(game["winner"] if game["slips"] % 2 == 0 else 3 - game["winner"])
    return found


def without_slips_only(games):
    part = games[games.slips == 0]
    return dict(zip(part.scenario, part.winner))


def most_wins(games):
    return {name: Counter(part.winner).most_common(1)[0][0] for name, part in games.groupby("scenario")}


def turned_round(games):
    held = games.winner.where(games.slips % 2 == 1, 3 - games.winner)
    return dict(zip(games.scenario, held))


def all_changed(games):
    return dict(zip(games.scenario, games.winner.where(games.slips == 0, 3 - games.winner)))


def even_only(games):
    part = games[games.slips % 2 == 0]
    return dict(zip(part.scenario, part.winner))


@pytest.mark.parametrize("function", [with_pandas, with_a_loop])
def test_other_ways_to_find_the_advantage(function, capsys):
    assert said(capsys, "advantage", function) == RIGHT["advantage"]
    solved = {name: solve(game).winner() for name, game in SCENARIOS.items()}
    assert dict(function(pd.read_csv(data("random_games.csv"), nrows=600))) == solved


NO_SLIPS = "✗ For one game of SINGLE_21_3 without slips, won by player 2, your function returned "


@pytest.mark.parametrize(
    "function, words",
    [
        (lambda games: None, NO_SLIPS + "None; expected {'SINGLE_21_3': 2}."),
        (lambda games: 2, NO_SLIPS + "2; expected {'SINGLE_21_3': 2}. Nobody slipped"),
        (turned_round, NO_SLIPS + "{'SINGLE_21_3': 1}; expected {'SINGLE_21_3': 2}. Nobody slipped"),
        (without_slips_only, "returned {}; expected {'NIM': 1, 'NIM_7': 2}. Each slip hands the win"),
        (all_changed, "returned {'NIM': 2, 'NIM_7': 1}; expected {'NIM': 1, 'NIM_7': 2}. Each slip hands the win"),
        (even_only, "with 3 slips, won by player 2, your function returned {}; expected {'DOUBLE_21_3': 1}. After an"),
        (most_wins, "with 3 slips, won by player 2, your function returned {'DOUBLE_21_3': 2}; expected"),
        (lambda games: games.nothing, "your function raised AttributeError: "),
    ],
)
def test_wrong_advantages(function, words, capsys):
    assert words in said(capsys, "advantage", function)
