"""Plant faults in the library, one at a time, and see who notices: ``python tests/plant_faults.py [WORDS...]``.

Each fault is planted in a copy of both packages, which runs as plain Python: to compile every copy would
take longer. A file of unit tests is run with it, and a lesson where one shows the rule; both must pass with
an unchanged copy and fail with this one. WORDS choose the faults whose names hold one of them. The exit
status is 1 if a fault went unnoticed. It takes about ten minutes on two cores.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

# What is wrong: the file in coinlib > its unit tests > the lesson, "-" where none shows it;
#     the line as it should be, or a part of it that stands nowhere else in the file
#     the same with the fault
TABLE = """
misère play becomes normal play: games > games > the_coin_game
    return 1 if self.misere else -1
    return -1 if self.misere else 1
the largest legal take is not offered: games > games > the_coin_game
    for count in range(1, min(held, self.most) + 1)
    for count in range(1, min(held, self.most))
the largest legal take is refused: games > games > the_coin_game
    if not 1 <= move.count <= most:
    if not 1 <= move.count < most:
3 are offered when 1 is left: games > games > the_coin_game
    min(state[move.row], self.most)
    self.most
legal moves are those of the start: games > games > the_coin_game
    for row, held in enumerate(state) for count
    for row, held in enumerate(self.rows) for count
a coin pays for the wrong end: games > games > greedy_coins
    self.coins[state[0] if read_move(self, state, move) == "L" else state[1] - 1]
    self.coins[state[0] if read_move(self, state, move) == "R" else state[1] - 1]

a tie is lost by the first: arena > arena > -
    self.winner = 0 if final == 0 else 1 +
    self.winner = 1 +
the points of a match go to the wrong player: arena > arena > -
    return lead if self.turn == 1 else -lead
    return -lead if self.turn == 1 else lead
the reward is told before the reply: arena > arena > -
    self.make(answer)
    self.make(answer); self.over or not hasattr(seat, "observe") or seat.observe(*self._last[side], 0, self.state)
an illegal move does not lose a match: arena > arena > random_agents
    self._end(-1 - self._lead)
    self._end(1 - self._lead)
alternate begins with the opponent: learners > arena > random_agents
    "alternate": [0, 1]
    "alternate": [1, 0]
the Wilson interval lacks its root: arena > arena > random_agents
    z * math.sqrt(rate
    z * (rate
the window of win_rate ends a game too early: arena > arena > q_learning
    rate[window - 1 :] = (sums[window:] - sums[:-window]) / window
    rate[window:] = (sums[window:-1] - sums[: -window - 1]) / window
a checkpoint is off by one: arena > arena > training_hats
    tables[done] = agents[0].values.copy()
    tables[done + 1] = agents[0].values.copy()

the update of the hats has the wrong sign: loops > loops > hats
    int(outcome > 0) - int(outcome < 0)
    int(outcome < 0) - int(outcome > 0)
the last ball is thrown away: loops > loops > hats
    max(1.0, balls[row, move] + more)
    max(0.0, balls[row, move] + more)
the update of the Q-learner has the wrong sign: loops > loops > q_learning
    values[row, move] += rate
    values[row, move] -= rate
ties go to the largest move: loops > loops > q_learning
    if values[row, move] > values[row, best]:
    if values[row, move] >= values[row, best]:
exploration never happens: loops > loops > q_learning
    if chance >= exploration:
    if chance >= 0.0:
the loop leaves the discount out: loops > arena > q_learning
    discount[seat] * largest[own + 2]
    largest[own + 2]
the points of the loop go to the wrong player: loops > arena > -
    -lead - points[turn]
    -lead + points[turn]
an illegal move wins in the loop: loops > arena > random_agents
    last_word = 1.0 - lead if illegal
    last_word = -1.0 - lead if illegal
a forfeit counts for the wrong side in the loop: loops > arena > random_agents
    forfeit[game] = outcome[game] if illegal
    forfeit[game] = -outcome[game] if illegal
solve allows one coin more: loops > solvers > why_multiples*
    in range(min(most, size
    in range(min(most + 1, size
the greedy table takes the smaller: loops > greedy > greedy_coins
    before = max(by_left, by_right)
    before = min(by_left, by_right)
fusing has the wrong sign: loops > greedy > greedy_coins_large
    coin += stack[top - 2] - stack[top - 1]
    coin += stack[top - 1] - stack[top - 2]

the average is backed up: learners > learners > -
    seat.values[after, loops.greedy(seat.values, after)]
    seat.values[after][seat.values[after] > -np.inf].mean()
a schedule begins again in each run: learners > learners > q_learning
    number_in(schedule(start + game), what
    number_in(schedule(game), what
exploration rises: learners > learners > q_learning
    start + (end - start) * min(
    end + (start - end) * min(
a file of another game is loaded: learners > learners > -
    if found != self._words():
    if False:

the perfect agent makes the first best move only: agents > agents > -
    best or legal, self.generator
    best[:1] or legal, self.generator
minimax helps the opponent: solvers > solvers > rules
    worth = table.reward - value
    worth = table.reward + value
Grundy values are remainders of k: theory > theory > several_rows
    else count % (max_pick + 1)
    else count % max_pick
the exception of misère play is forgotten: theory > theory > several_rows
    game.misere and all(value <= 1 for value in values)
    False
losing counts begin with the other ending: theory > theory > -
    smallest = 1 if misere else 0
    smallest = 0 if misere else 1
half of the winning moves is forgotten: theory > theory > several_rows
    for wanted in (others, others ^ 1):
    for wanted in (others,):
"""


class Fault(NamedTuple):
    """A place in coinlib, the wrong text for it, and the files that must notice, as pytest is given them in `tests`."""

    file: str
    right: str
    wrong: str
    noticed_in: list[str]


def read_table() -> dict[str, Fault]:
    """The faults by name."""
    faults, lines = {}, [line.strip() for line in TABLE.splitlines() if line]
    for title, right, wrong in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        name, _, places = title.partition(": ")
        file, tests, lesson = places.split(" > ")
        lessons = [] if lesson == "-" else map(str, (ROOT / "notebooks").glob(f"??_{lesson}.ipynb"))
        faults[name] = Fault(f"{file}.py", right, wrong, [f"test_{tests}.py", *lessons])
    return faults


FAULTS = read_table()


def with_fault(fault: Fault, text: str) -> str:
    """The text of a file with the fault in it."""
    assert text.count(fault.right) == 1, f"{fault.right!r} stands {text.count(fault.right)} times in {fault.file}"
    return text.replace(fault.right, fault.wrong)


def copy_with(fault: Fault | None, folder: Path) -> None:
    """A copy of both packages with one fault, or none."""
    for package in ("coinlib", "coincourse"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "numba.py").write_text("raise ImportError('this copy runs as plain Python: nothing to compile')")
    if fault:
        path = folder / "coinlib" / fault.file
        path.write_text(with_fault(fault, path.read_text(encoding="utf-8")), encoding="utf-8")


# the first failure is enough; nothing of the usual options, which start other things as well
OPTIONS = ["-qxrfE", "-o", "addopts=", "-p", "no:xdist", "-p", "no:cacheprovider", "--tb=no", "--no-header"]
OPTIONS += ["--confcutdir", str(ROOT / "tests")]  # a conftest.py of the checkout would put its library first
OPTIONS += ["--nbval", "--nbval-current-env"]
OPTIONS += ["-k", "not numba and not compiled and not interrupts"]  # it is not compiled; and those take long


def who_notices(fault: Fault | None, *files: str) -> str:
    """The first test or cell of some files that fails with such a copy of the library; "" if all pass."""
    with tempfile.TemporaryDirectory() as folder:
        copy_with(fault, Path(folder))
        paths = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *OPTIONS, *files],
            cwd=ROOT / "tests",
            env={**os.environ, "PYTHONPATH": paths, "TQDM_DISABLE": "1"},  # plain Python is slow, and a bar would show
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
    jobs = [*dict.fromkeys(("no fault", file) for _, file in jobs), *jobs]
    wrong = 0
    print("| fault | tests | who noticed |\n|---|---|---|")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda job: who_notices(FAULTS.get(job[0]), job[1]), jobs)
        for (name, file), test in zip(jobs, found):
            wrong += bool(test) == (name == "no fault")
            print(f"| {name} | {Path(file).stem} | {test or 'nobody'} |", flush=True)
    print(f"{len(chosen)} faults; {wrong} times nobody noticed, or somebody where there is none")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
