"""Five films: peaks that fuse, hats that fill, intervals that rain on a rate, news that walks back, a tree that grows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from coinlib import GreedyCoins, Hats, QLearner, RandomAgent, evaluate, named, play_match, sticks, train
from coinlib.arena import Evaluation
from coinlib.games import State
from coinlib.search import SearchAgent, upper_bound
from coinlib.tables import tabulate

from .controls import menu, number, seed, slider, text
from .film import Film, Reel
from .hats_play import Hat, hats_of
from .pages import styles
from .shared import game_code, make_game, turns_of, with_imports
from .triangle import LARGEST, read_row

TEN_STICKS = make_game(10, 3, "misere")
TEN_STICKS_CODE = game_code(10, 3, "misere")


# --- peaks that fuse on the stack (lesson 11) ----------------------------------------------------------------

ANY_ROW = {"fewest": 1, "most": 40, "smallest": -LARGEST}


class Moment(NamedTuple):
    """A moment of the pass: the stack, the coin that has come (None between two coins), what is still to come.

    `peak` says whether the last coin of the stack is a peak now, `fused` whether the coin was made of three.
    """

    stack: tuple[int, ...]
    coin: int | None
    rest: tuple[int, ...]
    peak: bool = False
    fused: bool = False


class FusingFilm(Film):
    """The pass that makes a valley of any row of coins, in pictures.

    Coins come one by one. While the last coin b of the stack is a peak, between the coin a before it and
    the coin c that has come, the three become one coin a − b + c.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "coins".
    at : int
        The picture that is shown, from 0.
    coins : str
        The row, 1 to 40 whole numbers with spaces between them.

    Examples
    --------
    >>> film = FusingFilm(coins="3 5 1 4 2")
    >>> film.at = len(film.data.frames) - 1
    >>> film.data.shown.stack
    (-3,)
    """

    title = "Peaks fuse on the stack"
    goal = "Play, or go through it with the slider or with Next. Then write a row of your own."
    template = "fusing.html"
    at = number("Picture", "How far the pass has come.", 0, 10_000, 0)
    coins = text("Coins", "The row, with spaces between the numbers.", "6 3 9 1 8 4 5")

    @staticmethod
    def frames(coins: str) -> list[Moment]:
        """Every moment of the pass."""
        row = read_row(coins, **ANY_ROW)
        found, stack = [Moment((), None, row)], []
        for place, coin in enumerate(row, 1):
            rest, fused = row[place:], False
            while len(stack) > 1 and stack[-2] <= stack[-1] >= coin:
                found.append(Moment(tuple(stack), coin, rest, peak=True, fused=fused))
                peak = stack.pop()
                coin, fused = stack.pop() - peak + coin, True
            found.append(Moment(tuple(stack), coin, rest, fused=fused))
            stack.append(coin)
        return [*found, Moment(tuple(stack), None, ())]

    @staticmethod
    def code(at: int, coins: str) -> str:
        """A program that makes the same stack."""
        return f"""\
stack, data = [], []
for coin in {list(read_row(coins, **ANY_ROW))}:
    while len(stack) > 1 and stack[-2] <= stack[-1] >= coin:    # the last one is a peak
        peak = stack.pop()
        coin = stack.pop() - peak + coin
    stack.append(coin)
    data.append(tuple(stack))

data    # the stack after each coin
"""


# --- hats that fill (lesson 05) ------------------------------------------------------------------------------

ONE_BY_ONE = 20  # games; then larger steps
PRACTICE = (*range(ONE_BY_ONE + 1), *range(30, 100, 10), *range(100, 1_000, 100), *range(1_000, 10_001, 1_000))


class FilledHats(NamedTuple):
    """The hats after so many games.

    Attributes
    ----------
    games : int
    hats : list of Hat
    turns : list of (int, int)
        The sticks and the take of each turn of the last game, where one game was played since the frame before.
    gained : dict of int to list of int
        For each hat that has changed since then, by its sticks: how many balls of 1, 2, 3 more it holds.
    """

    games: int
    hats: list[Hat]
    turns: list[tuple[int, int]]
    gained: dict[int, list[int]]


class HatsFilm(Film):
    """Hats that play themselves: 10 sticks, 1 to 3 a turn, misère play; both sides draw from the same hats.

    A picture for each of the first 20 games, then larger steps, up to 10,000 games.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "seed".
    at : int
        The picture that is shown, from 0.
    seed : int
        0 to 9,999.

    Examples
    --------
    >>> film = HatsFilm(at=46)
    >>> film.data.shown.games, [hat.favourite for hat in film.data.shown.hats]
    (10000, [1, 1, 2, 3, None, 1, 2, 3, None, 1])
    """

    title = "Hats fill, game by game"
    goal = "Play, or go game by game with Next. After 20 games the steps become larger."
    template, style = "hats_film.html", styles("hats.css")
    at = number("Picture", "How far the practice has come.", 0, len(PRACTICE) - 1, 0)
    seed = seed()
    pause = 0.5

    @staticmethod
    def frames(seed: int) -> list[FilledHats]:
        """The hats before the first game, and after some numbers of games."""
        hats = Hats(TEN_STICKS, seed=seed)
        found = [FilledHats(0, hats_of(hats), [], {})]
        for games in PRACTICE[1:]:
            train(hats, hats, games=games - hats.games - 1)
            last = play_match(TEN_STICKS, hats, hats, learn=True)
            now, before = hats_of(hats), found[-1].hats
            changed = [(hat, was) for hat, was in zip(now, before) if hat.balls != was.balls]
            gained = {hat.sticks: np.subtract(hat.balls, was.balls).tolist() for hat, was in changed}
            found.append(FilledHats(games, now, turns_of(last) if games <= ONE_BY_ONE else [], gained))
        return found

    @staticmethod
    def code(at: int, seed: int) -> str:
        """The lines of coinlib that fill the same hats."""
        return with_imports(f"""\
{TEN_STICKS_CODE}
hats = Hats(game, seed={seed})
train(hats, hats, games={PRACTICE[at]:_})    # it plays itself: both sides draw from the same hats

data = hats.balls    # a row for each hat, from 10 down; a column for each ball
hats.show()
""")


# --- intervals that rain on the true rate (lesson 02) --------------------------------------------------------

SAMPLES = 100
FOUR_COINS = sticks(4, max_pick=3, misere=True)
TRUE_RATE = 2 / 3  # at 4 coins a random player takes 1 (then wins half of the games), 2 (half as well) or 3 (all)


class IntervalsFilm(Film):
    """The 95 % intervals of one sample of games after the other, over the true win rate.

    The games are those of two random players (4 coins, 1 to 3 a turn, misère play); counted are the wins of
    the one who moves first. The true rate is 2 of 3.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "games", "seed".
    at : int
        Samples that are shown, 0 to 100.
    games : {25, 100, 400}
        Games in each sample.
    seed : int
        0 to 9,999.

    Examples
    --------
    >>> film = IntervalsFilm(at=100)
    >>> "5 of 100 intervals miss the true rate" in film.page
    True
    """

    title = "Intervals rain on the true rate"
    goal = "Play, or go sample by sample with Next. How many intervals miss the dashed line?"
    template = "intervals.html"
    at = number("Samples", "How many samples have been played.", 0, SAMPLES, 10)
    games = menu("Games in each sample", "How many games make one interval.", [25, 100, 400], 100)
    seed = seed()
    pause = 0.25

    @staticmethod
    def frames(games: int, seed: int) -> list[list[Evaluation]]:
        """No sample, then one more in each frame."""
        seeds, players = range(SAMPLES * seed, SAMPLES * (seed + 1)), (RandomAgent(), RandomAgent())
        samples = [evaluate(FOUR_COINS, *players, games, seed=sample_seed, first="agent") for sample_seed in seeds]
        return [samples[:count] for count in range(SAMPLES + 1)]

    @classmethod
    def draw(cls, data: Reel, **settings) -> str:
        """A bar for each interval, those that miss thick and crossed; the count and the misses in words."""
        samples = enumerate(data.shown, 1)
        missed = {place: sample for place, sample in samples if not sample.low <= TRUE_RATE <= sample.high}
        return super().draw(data, missed=missed, rate=TRUE_RATE, **settings)

    @staticmethod
    def code(at: int, games: int, seed: int) -> str:
        """The lines of coinlib that make the same intervals."""
        return with_imports(f"""\
game = sticks(4, max_pick=3, misere=True)    # who takes the last coin loses
data = []
for number in range({at}):
    seed = {SAMPLES * seed} + number
    sample = evaluate(game, RandomAgent(), RandomAgent(), games={games}, seed=seed, first="agent")
    data.append((sample.wins, sample.low, sample.high))

data
""")


# --- news that walks back through a Q-table (lesson 06) ------------------------------------------------------

GAMES = 60


class LearntTable(NamedTuple):
    """The Q-table after a game, the learner's turns in it (the sticks that it found, and its take), who won."""

    values: np.ndarray
    turns: list[tuple[int, int]]
    won: bool


class NewsFilm(Film):
    """The Q-table of a learner after each of its first games (10 sticks, 1 to 3 a turn, misère play).

    The learner moves first, with learning rate 1, discount 1 and no exploration.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "opponent", "seed".
    at : int
        Games played, 0 to 60.
    opponent : {"take_one", "random"}
        Who sits on the other side.
    seed : int
        0 to 9,999; the luck of the random opponent.

    Examples
    --------
    >>> film = NewsFilm(opponent="take_one", at=5)
    >>> film.data.before.values[0, 0], film.data.shown.values[0, 0]    # 10 sticks, take 1
    (np.float64(0.0), np.float64(1.0))
    """

    title = "The news of a win walks back"
    goal = "Play, or go game by game with Next. What a game has changed is framed."
    template = "news.html"
    at = number("Games", "How many games the learner has played.", 0, GAMES, 0)
    opponent = menu("Opponent", "Who sits on the other side.", [("always takes 1", "take_one"), ("random", "random")])
    seed = seed()

    @staticmethod
    def frames(opponent: str, seed: int) -> list[LearntTable]:
        """The table before the first game, and after each game."""
        learner, other = QLearner(TEN_STICKS), named.agent(opponent, seed=seed)
        found = [LearntTable(learner.values, [], False)]
        for _ in range(GAMES):
            match = play_match(TEN_STICKS, learner, other, learn=True)
            found.append(LearntTable(learner.values, turns_of(match)[::2], match.winner == 1))
        return found

    @staticmethod
    def code(at: int, opponent: str, seed: int) -> str:
        """The lines of coinlib that make the same table."""
        other = "take_one" if opponent == "take_one" else f"RandomAgent(seed={seed})"
        return with_imports(f"""\
{TEN_STICKS_CODE}
learner, opponent = QLearner(game), {other}
for number in range({at}):
    play_match(game, learner, opponent, learn=True)

data = learner.values    # a row for each number of sticks, from 10 down; a column for each take
data
""")


# --- a search tree that grows (lesson 12) --------------------------------------------------------------------

SIMULATIONS = 100
ROWS = ["3 5 1 2", "1 2 4 3", "2 1 2 5 5 3"]


class GrownTree(NamedTuple):
    """The tree after a simulation.

    Attributes
    ----------
    nodes : dict of state to (int, float)
        The visits and the value of each node.
    moves : dict of (state, move) to (int, float)
        How often each move was made, and its upper bound for the next choice.
    backed_up : dict of (state, move) to int
        What the simulation was worth to whoever made each move in the tree, the last one first.
    leaf : state or None
        Where the random playout began.
    value : int
        What the playout was worth to whoever moved first in it.
    """

    nodes: dict[State, tuple[int, float]]
    moves: dict[tuple[State, str], tuple[int, float]]
    backed_up: dict[tuple[State, str], int]
    leaf: Any
    value: int


class SearchFilm(Film):
    """A tree search on a small row of greedy coins; one simulation after the other.

    Parameters
    ----------
    controls : bool or iterable of str
        The controls to show: "at", "coins", "exploration", "seed".
    at : int
        Simulations, 0 to 100.
    coins : {"3 5 1 2", "1 2 4 3", "2 1 2 5 5 3"}
        The row.
    exploration : {0, 0.25, 0.5, 1, 2}
        As in `coinlib.search.SearchAgent`.
    seed : int
        0 to 9,999.

    Examples
    --------
    >>> film = SearchFilm(at=60)
    >>> film.data.shown.moves[(0, 4), "R"][0]    # 60 simulations: how many began on the right
    54
    """

    title = "A tree grows where it pays"
    goal = "Play, or go simulation by simulation with Next. Watch which part of the tree is looked at most."
    template = "search.html"
    at = number("Simulations", "How many simulations have been made.", 0, SIMULATIONS, 0)
    coins = menu("Coins", "The row; whoever has more at the end wins.", ROWS, ROWS[0])
    exploration = slider("Exploration", "How much a move gains that was tried seldom.", [0, 0.25, 0.5, 1, 2], 0.5)
    exploration.tag(recorded=(0.0, 0.5, 1.0))
    seed = seed().tag(recorded=(1, 2))

    @staticmethod
    def frames(coins: str, exploration: float, seed: int) -> list[GrownTree]:
        """No tree, then the tree after each simulation."""
        game, agent = GreedyCoins(read_row(coins)), SearchAgent(SIMULATIONS, exploration, seed)
        found, results = [GrownTree({}, {}, {}, None, 0)], []
        for path, leaf, value in agent.search(game, game.start):
            result, backed_up = value, {}
            for node, move in reversed(path):
                result = node.moves[move].points - result
                backed_up[node.state, move] = result
            results.append(result)
            bonus = exploration * (max(results) - min(results))
            nodes = {state: (node.visits, node.value) for state, node in agent.tree.items()}
            moves = {
                (state, move): (branch.visits, upper_bound(node, move, bonus))
                for state, node in agent.tree.items()
                for move, branch in node.moves.items()
            }
            found.append(GrownTree(nodes, moves, backed_up, leaf.state, value))
        return found

    @classmethod
    def draw(cls, data: Reel, coins: str, **settings) -> str:
        """The tree with its numbers, the simulation in words, and the same as a table."""
        game = GreedyCoins(read_row(coins))
        states = sorted(tabulate(game).states, key=lambda state: (state[0] - state[1], state))
        return super().draw(data, game=game, size=len(game.coins), states=states, **settings)

    @staticmethod
    def code(at: int, coins: str, exploration: float, seed: int) -> str:
        """The lines of coinlib that grow the same tree."""
        return with_imports(f"""\
game = GreedyCoins({read_row(coins)})
agent = SearchAgent(exploration={exploration}, seed={seed})
for number, (path, leaf, value) in zip(range({at}), agent.search(game, game.start)):
    pass    # the path of the simulation in the tree, the node at its end, and what the playout there was worth

data = {{state: (node.visits, node.value) for state, node in agent.tree.items()}}
data
""")
