"""Search: a random game, which move to try next, and how a result goes back up the tree."""

import math

from coinlib.games import sticks, three_piles

from .engine import exercise
from .judging import CHANGES, Wrong

# --- a random game --------------------------------------------------------------------------------

# The place of the chosen move in the list of legal moves
PLACES = {"first": 0, "last": 1, "middle": 0.5}
POSITIONS = [(sticks(9, 3, misere), (count,)) for count in (0, 1, 2, 3, 7, 9) for misere in (True, False)]
POSITIONS += [(three_piles(3, 3, 7), state) for state in ((2, 0, 0), (1, 2, 1), (3, 3, 7))]


def _with_choose(function, game, state, place):
    """The result of a game; raises `Wrong` if the first of several moves is made without asking `choose`."""
    asked = []

    def choose(moves):
        asked.append(moves)
        return moves[round(PLACES[place] * (len(moves) - 1))]

    result = function(game, state, choose)
    if len(game.legal_moves(state)) > 1 and not asked:
        raise Wrong("your function never asked `choose`: let it pick each move.")
    return result


def _game_in_words(game, state, place: str) -> str:
    return f"the state {state} in {game.ending}, always with the {place} legal move,"


@exercise(
    cases=[(*position, place) for position in POSITIONS for place in PLACES],
    given=_game_in_words,
    praise="in both endings, for games of every length",
    few=True,
    slow="Is there a loop that never ends? Each move must change the state.",
    run=_with_choose,
)
def play_out(game, state, choose):
    """How a game ends for the player to move in `state`, if `choose` picks each move from the legal ones."""
    mover = 1
    while not game.is_over(state):
        state = game.play(state, choose(game.legal_moves(state)))
        mover = -mover
    return mover * game.result(state)


@play_out.mistake("The sign is wrong: without a move the answer is game.result(state) itself.")
def sign_turned_round(game, state, choose):
    return -play_out.reference(game, state, choose)


@play_out.mistake("That is who would move at the end. Ask game.result(state) as well: it says who has won.")
def result_forgotten(game, state, choose):
    mover = 1
    while not game.is_over(state):
        state = game.play(state, choose(game.legal_moves(state)))
        mover = -mover
    return mover


@play_out.mistake("The result is that of the player who would move next at the end. Who moved at first?")
def result_of_the_end(game, state, choose):
    while not game.is_over(state):
        state = game.play(state, choose(game.legal_moves(state)))
    return game.result(state)


# --- which move to try next -----------------------------------------------------------------------

TRIED = [
    {1: (40, 6), 2: (4, 1)},
    {1: (2, 0), 2: (6, 0), 3: (12, 6)},
    {1: (3, -1), 2: (6, 0), 3: (12, 6)},
    {1: (900, 180), 2: (100, -40), 3: (9, -6)},
    {1: (9, -9), 2: (8, -6)},
    {4: (8, -6), 2: (9, -9), 7: (30, 3), 6: (3, 1)},
    {1: (3, 1), 2: (2, 0)},
    {1: (1, -1), 2: (3, 1), 3: (2, 0)},
]


@exercise(
    cases=[({1: (0, 0)}, 1), ({1: (1, 1), 2: (0, 0)}, 1), ({1: (1, 1), 2: (0, 0), 3: (0, 0)}, 0)]
    + [({3: (5, 5), 2: (4, -1), 5: (0, 0), 1: (0, 0)}, 1), ({1: (0, 0), 2: (0, 0)}, 2)]
    + [(tried, exploration) for tried in TRIED for exploration in (0, 0.5, 0.6, 1, 2)],
    given="tried={}, exploration={}",
    praise="for moves that are new, good or seldom tried",
    few=True,
)
def look_next(tried, exploration):
    """The move with the largest average + exploration × √(ln(all games) / its games); a new one first."""
    for move, (games, _) in tried.items():
        if games == 0:
            return move
    all_games = sum(games for games, _ in tried.values())
    best = None
    largest = -math.inf
    for move, (games, total) in tried.items():
        bound = total / games + exploration * math.sqrt(math.log(all_games) / games)
        if bound > largest:
            best = move
            largest = bound
    return best


look_next.slip("That is the move with the best average. Its bonus has to be added.", exploration=0)
look_next.slip("The bonus is not multiplied by `exploration`.", exploration=1)


NOT_TRIED = "A move with 0 games has no average yet: return the first such move before you work out any sum."


@look_next.mistake(NOT_TRIED)
def divided_by_no_games(tried, exploration):
    return look_next.reference({move: (games, 0 / games) for move, (games, _) in tried.items()}, exploration)


@look_next.mistake(NOT_TRIED)
def logarithm_of_no_games(tried, exploration):
    all_games = sum(games for games, _ in tried.values())
    return look_next.reference(tried, exploration * math.log(all_games) / math.log(all_games))


@look_next.mistake("That compares totals. A move with many games has a large total: divide it by its games.")
def total_for_average(tried, exploration):
    as_totals = {move: (games, total * games) for move, (games, total) in tried.items()}
    return look_next.reference(as_totals, exploration)


@look_next.mistake("Sums can be negative, so do not begin with 0 as the largest: begin with -math.inf.")
def begun_with_zero(tried, exploration):
    best = look_next.reference(tried, exploration)
    games, total = tried[best]
    if games == 0:
        return best
    all_games = sum(games for games, _ in tried.values())
    bound = total / games + exploration * math.sqrt(math.log(all_games) / games)
    return best if bound > 0 else None


@look_next.mistake("Take the square root of ln N / n: `math.sqrt`.")
def no_square_root(tried, exploration):
    all_games = sum(games for games, _ in tried.values())
    bonuses = {move: math.log(all_games) / games for move, (games, _) in tried.items() if games}
    if len(bonuses) < len(tried):
        return look_next.reference(tried, exploration)
    return max(tried, key=lambda move: tried[move][1] / tried[move][0] + exploration * bonuses[move])


@look_next.mistake("ln is the natural logarithm: `math.log`, not `math.log10`.")
def decimal_logarithm(tried, exploration):
    return look_next.reference(tried, exploration / math.sqrt(math.log(10)))


# --- back up the tree -----------------------------------------------------------------------------

TREE = {(10,): [7, 1], (9,): [2, -2], (8,): [3, 0], (7,): [4, 1], (5,): [2, -1], (4,): [0, 0]}


def _path_in_words(tree, path, result) -> str:
    """A case, with only the entries on its path."""
    entries = {state: tree[state] for state in path}
    return f"the path {path}, where the tree holds {entries}, and result {result}"


@exercise(
    cases=[
        (TREE, [(size,) for size in path], result)
        for path in ([10], [10, 9], [10, 7, 4], [10, 8, 5, 4], [10, 9, 8, 7, 5])
        for result in (1, -1)
    ],
    given=_path_in_words,
    praise="for paths of every length, and with the sign of each player",
    **CHANGES,
)
def back_up(tree, path, result):
    """Write a result into each state of a path: one more visit, and the result for the player to move there."""
    for state in reversed(path):
        tree[state][0] += 1
        tree[state][1] += result
        result = -result


@back_up.mistake("From state to state the player changes, and so does the sign.")
def the_same_sign(tree, path, result):
    for state in path:
        tree[state][0] += 1
        tree[state][1] += result


@back_up.mistake("Each state of the path has one more visit, too: add 1 to tree[state][0].")
def visits_forgotten(tree, path, result):
    for state in reversed(path):
        tree[state][1] += result
        result = -result


@back_up.mistake("The tree is as it was: write into tree[state][0] and tree[state][1].")
def nothing_written(tree, path, result):
    return None


@back_up.mistake("Change the tree that you were given, and return nothing: `search` looks only at that tree.")
def another_tree(tree, path, result):
    copy = {state: list(entry) for state, entry in tree.items()}
    back_up.reference(copy, path, result)
    return copy


@back_up.mistake("The result is that of the last state: write it there first, then change the sign.")
def turned_too_early(tree, path, result):
    back_up.reference(tree, path, -result)


@back_up.mistake("The result belongs to the last state of the path: begin there, and go up.")
def from_the_table_down(tree, path, result):
    back_up.reference(tree, path[::-1], result)
