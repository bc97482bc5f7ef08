"""Plant faults in the library, one at a time, and see who notices: ``python tests/tools/plant_faults.py [WORDS...]``.

A fault is a plain wrong function in the place of a right one. It is planted in a copy of both packages, which
runs as plain Python: to compile every copy would take longer. A file of unit tests is run with that copy, and a
lesson where one shows the rule. Both must pass with an unchanged copy and fail with this one. WORDS choose the
faults whose names hold one of them. The exit status is 1 if a fault went unnoticed. All faults take about ten
minutes on two cores.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from paths import ROOT


class Fault(NamedTuple):
    """A function of coinlib, what makes a wrong one of the right one, and the files that must notice.

    `function` is named from its room on, such as "games.CoinGame.result"; a method comes with its class. The
    files are named as pytest is given them in `tests`.
    """

    function: str
    spoil: Callable
    noticed_in: list[str]

    @property
    def room(self) -> str:
        return self.function.partition(".")[0]

    def plant(self, names: dict) -> None:
        """Put the wrong function in its place, among the names of its room."""
        *path, last = self.function.split(".")[1:]
        if path:
            place = names[path[0]]
            setattr(place, last, self.spoil(getattr(place, last)))
        else:
            names[last] = self.spoil(names[last])


FAULTS: dict[str, Fault] = {}


def fault(name: str, function: str, tests: str, lesson: str = "") -> Callable:
    """What follows makes a wrong function of a right one; `tests` and `lesson` name who must notice."""
    lessons = [str(path) for path in (ROOT / "notebooks").glob(f"??_{lesson}.ipynb")]

    def note(spoil: Callable) -> Callable:
        FAULTS[name] = Fault(function, spoil, [f"test_{tests}.py", *lessons])
        return spoil

    return note


# --- games --------------------------------------------------------------------------------------------


@fault("misère play becomes normal play", "games.CoinGame.result", "games", "the_coin_game")
def _(right):
    return lambda game, state: -right(game, state)


@fault("the largest legal take is not offered", "games.CoinGame.legal_moves", "games", "the_coin_game")
def _(right):
    def wrong(game, state):
        legal = right(game, state)
        return [move for move in legal if move.count == 1 or (move.row, move.count + 1) in legal]

    return wrong


@fault("the largest legal take is refused", "games.CoinGame.read_move", "games", "the_coin_game")
def _(right):
    def wrong(game, state, answer):
        from coinlib.games import IllegalMove

        move = right(game, state, answer)
        if (move.row, move.count + 1) not in game.legal_moves(state):
            raise IllegalMove("too many")
        return move

    return wrong


@fault("3 are offered when 1 is left", "games.CoinGame.legal_moves", "games", "the_coin_game")
def _(right):
    return lambda game, state: [move for move in game.moves if state[move.row] > 0]


@fault("legal moves are those of the start", "games.CoinGame.legal_moves", "games", "the_coin_game")
def _(right):
    return lambda game, state: right(game, game.start)


@fault("a coin pays for the wrong end", "games.GreedyCoins.reward", "games", "greedy_coins")
def _(right):
    return lambda game, state, move: right(game, state, "L" if move == "R" else "R")


# --- one match, and many ------------------------------------------------------------------------------


@fault("a tie is lost by the first", "match.Match.make", "games")
def _(right):
    def wrong(match, answer):
        right(match, answer)
        if match.winner == 0:
            match.winner = 2

    return wrong


@fault("the points of a match go to the wrong player", "match.points_of", "match")
def _(right):
    return lambda game, state, move: -right(game, state, move)


@fault("the reward is told before the reply", "match.Match.step", "series")
def _(right):
    def wrong(match):
        seat = match.seats[match.turn - 1]
        state = match.state
        right(match)
        if not match.over and hasattr(seat, "observe"):
            seat.observe(state, match.moves[-1], match.rewards[-1], match.state)

    return wrong


@fault("an illegal move does not lose a match", "match.Match.make", "match", "random_agents")
def _(right):
    def wrong(match, answer):
        right(match, answer)
        if match.forfeit:
            match.winner = 3 - match.winner

    return wrong


@fault("alternate begins with the opponent", "match.who_begins", "arena", "random_agents")
def _(right):
    return lambda first: right(first)[::-1]


@fault("the Wilson interval is half as wide", "arena.wilson", "arena", "random_agents")
def _(right):
    def wrong(wins, games):
        low, high = right(wins, games)
        return (3 * low + high) / 4, (low + 3 * high) / 4

    return wrong


@fault("the window of win_rate is a game too long", "training.Run.win_rate", "training", "q_learning")
def _(right):
    return lambda run, window=5: right(run, window + 1)


@fault("a checkpoint is off by one", "training.train", "training", "training_hats")
def _(right):
    def wrong(*arguments, checkpoints=(), **options):
        early = {max(0, mark - 1): mark for mark in checkpoints}
        run = right(*arguments, checkpoints=early, **options)
        tables = {early[mark]: table for mark, table in run.checkpoints.items()}
        run.checkpoints.clear()
        run.checkpoints.update(tables)
        return run

    return wrong


# --- the rules of choosing and learning, and the loops ------------------------------------------------


@fault("the update of the hats has the wrong sign", "loops.settle", "loops", "hats")
def _(right):
    return lambda balls, row, move, outcome: right(balls, row, move, -outcome)


@fault("the last ball is thrown away", "loops.settle", "loops", "hats")
def _(right):
    def wrong(balls, row, move, outcome):
        if outcome < 0:
            balls[row, move] -= 1
        else:
            right(balls, row, move, outcome)

    return wrong


@fault("the update of the Q-learner has the wrong sign", "loops.back_up", "loops", "q_learning")
def _(right):
    return lambda values, row, move, rate, target: right(values, row, move, -rate, target)


@fault("ties go to the largest move", "loops.greedy", "loops", "q_learning")
def _(right):
    def wrong(values, row):
        best = values[row, right(values, row)]
        return max(move for move in range(values.shape[1]) if values[row, move] == best)

    return wrong


@fault("exploration never happens", "loops.explore", "loops", "q_learning")
def _(right):
    return lambda values, row, best, exploration, chance: best


@fault("the loop leaves the discount out", "loops.play_games", "series", "q_learning")
def _(right):
    def wrong(rules, players, *rest):
        return right(rules, players._replace(discount=players.discount * 0 + 1), *rest)

    return wrong


@fault("the points of the loop go to the wrong player", "loops.play_games", "series")
def _(right):
    return lambda rules, *rest: right(rules._replace(reward=-rules.reward), *rest)


@fault("an illegal move wins in the loop", "loops.play_games", "series", "random_agents")
def _(right):
    def wrong(rules, players, generators, first, outcome, forfeit, *rest):
        right(rules, players, generators, first, outcome, forfeit, *rest)
        outcome[forfeit != 0] *= -1

    return wrong


@fault("a forfeit counts for the wrong side in the loop", "loops.play_games", "series", "random_agents")
def _(right):
    def wrong(rules, players, generators, first, outcome, forfeit, *rest):
        right(rules, players, generators, first, outcome, forfeit, *rest)
        forfeit *= -1

    return wrong


@fault("solve allows one coin more", "loops.mark_wins", "solvers", "why_multiples*")
def _(right):
    return lambda rows, most, wins, misere: right(rows, most + 1, wins, misere)


@fault("the greedy table names the wrong end", "loops.greedy_tables", "greedy", "greedy_coins")
def _(right):
    def wrong(coins, margin, alice, moves, left_end, right_end, both):
        right(coins, margin, alice, moves, right_end, left_end, both)

    return wrong


@fault("fusing has the wrong sign", "loops.margin_by_fusing", "greedy", "greedy_coins_large")
def _(right):
    return lambda coins, stack: -right(coins, stack)


# --- learners and agents ------------------------------------------------------------------------------


@fault("the average is backed up", "learners.QLearner.learn", "learners")
def _(right):
    def wrong(learner, seat, move, reward, after):
        if after is None:
            return right(learner, seat, move, reward, after)
        found = seat.values[after][learner.table.legal[after]].mean()
        return right(learner, seat, move, reward + learner.discount * found, None)

    return wrong


@fault("a schedule begins again in each run", "learners._scheduled", "learners", "q_learning")
def _(right):
    return lambda schedule, what, start, games: right(schedule, what, 0, games)


@fault("exploration rises", "learners.linear", "learners", "q_learning")
def _(right):
    return lambda start, end, games: right(end, start, games)


@fault("a file of another game is loaded", "learners.game_words", "learners")
def _(right):
    return lambda game: "any game"


@fault("the perfect agent makes the first best move only", "agents.PerfectAgent.__call__", "agents")
def _(right):
    def wrong(agent, game, state):
        from coinlib.solvers import minimax

        return minimax(game, state).moves[0]

    return wrong


# --- solvers and theory -------------------------------------------------------------------------------


@fault("minimax helps the opponent", "solvers.perfect_play", "solvers", "rules")
def _(right):
    def wrong(table):
        value, best = right(table)
        return value, table.legal & ~best

    return wrong


@fault("Grundy values are remainders of k", "theory.grundy", "theory", "several_rows")
def _(right):
    return lambda count, max_pick: right(count, None) if max_pick is None else count % max_pick


@fault("misère play is decided as normal play", "theory.is_lost", "theory", "several_rows")
def _(right):
    def wrong(game, state):
        from coinlib.games import CoinGame, coin_game

        game = coin_game(game)
        return right(CoinGame(game.rows, game.max_pick, misere=False), state)

    return wrong


@fault("losing counts are those of the other ending", "theory.losing_counts", "theory")
def _(right):
    return lambda max_pick, misere, up_to: right(max_pick, not misere, up_to)


@fault("half of the winning moves is forgotten", "theory.winning_moves", "theory", "several_rows")
def _(right):
    return lambda game, state: right(game, state)[::2]


# --- who notices --------------------------------------------------------------------------------------


def copy_with(name: str | None, folder: Path) -> None:
    """A copy of both packages with the fault of this name, or none."""
    for package in ("coinlib", "coincourse"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "numba.py").write_text("raise ImportError('this copy runs as plain Python')")
    shutil.copy(__file__, folder)
    if name is not None:
        with open(folder / "coinlib" / f"{FAULTS[name].room}.py", "a", encoding="utf-8") as room:
            room.write(f"\n\nfrom plant_faults import FAULTS\n\nFAULTS[{name!r}].plant(globals())\n")


# the first failure is enough; nothing of the usual options, which start other things as well
OPTIONS = ["-qxrfE", "-o", "addopts=", "-p", "no:xdist", "-p", "no:cacheprovider", "--tb=no", "--no-header"]
OPTIONS += ["--confcutdir", str(ROOT / "tests")]  # a conftest.py of the checkout would put its library first
OPTIONS += ["--nbval", "--nbval-current-env"]
OPTIONS += ["-k", "not numba and not compiled and not interrupts"]  # it is not compiled; and those take long


def who_notices(name: str | None, *files: str) -> str:
    """The first test or cell of some files that fails with such a copy of the library; "" if all pass."""
    with tempfile.TemporaryDirectory() as folder:
        copy_with(name, Path(folder))
        paths = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *OPTIONS, *files],
            cwd=ROOT / "tests",
            env={**os.environ, "PYTHONPATH": paths, "TQDM_DISABLE": "1"},  # It is slow enough to show a bar.
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
    failed = re.search(r"^(?:FAILED|ERROR) .*::(.+?)(?:\[.*| - .*)?$", done.stdout, re.MULTILINE)
    assert failed or done.returncode == 0, done.stdout + done.stderr
    return failed[1] if failed else ""


def main(words: list[str]) -> int:
    chosen = [name for name in FAULTS if not words or any(word in name for word in words)]
    jobs = [(name, file) for name in chosen for file in FAULTS[name].noticed_in]
    controls = [(None, file) for file in dict.fromkeys(file for _, file in jobs)]
    wrong = 0
    print("| fault | tests | who noticed |\n|---|---|---|")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda job: who_notices(*job), controls + jobs)
        for (name, file), test in zip(controls + jobs, found, strict=True):
            wrong += bool(test) == (name is None)
            print(f"| {name or 'no fault'} | {Path(file).stem} | {test or 'nobody'} |", flush=True)
    print(f"{len(chosen)} faults; {wrong} times nobody noticed, or somebody where there is none")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
