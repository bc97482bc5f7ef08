"""Short trainings that are interrupted at random moments, thousands of times, in a process that this may end.

Run as a program, it prints how many interrupts were sent, at which speed (``plain`` on its command line means
without Numba), and what was wrong with the learners afterwards.
"""

from __future__ import annotations

import random
import signal
import sys
import time
import warnings

from one_by_one import same

from coinlib import Hats, QLearner, RandomAgent, compiling, sticks, train, training

CUT = 1_000  # interrupts to send, at each of two speeds
GAME = sticks(10)


def take_one(game, state):
    return 1


PAIRS = {  # the learner and its opponent: every kind that it may meet, as tables and move by move
    "hats, themselves": lambda game: [Hats(game, seed=1)] * 2,
    "Q-learner, random": lambda game: [QLearner(game, 0.5, exploration=0.3, seed=1), RandomAgent(seed=2)],
    "two learners": lambda game: [QLearner(game, 0.5, seed=1), Hats(game, seed=2)],
    "hats, function": lambda game: [Hats(game, seed=1), take_one],
    "Q-learner, function": lambda game: [QLearner(game, 0.5, exploration=0.3, seed=1), take_one],
}


class Alarm:
    """Presses Ctrl-C some seconds from now, a number of times, as long as a training runs."""

    def __init__(self) -> None:
        self.left = self.pressed = 0
        signal.signal(signal.SIGALRM, self._ring)

    def set(self, seconds: float, times: int) -> None:
        self.left = times
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-5), 0.0002)

    def stop(self) -> None:
        self.left = 0  # an alarm from a moment ago may only arrive later
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, _, frame) -> None:
        while frame is not None and frame.f_code is not training.train.__code__:
            frame = frame.f_back
        if frame is not None and self.left:  # elsewhere it would end this program
            self.left -= 1
            self.pressed += 1
            signal.raise_signal(signal.SIGINT)


class Trial:
    """One pair of agents, and how many games they play in a training; `lasts` is how many seconds that took last."""

    def __init__(self, make, games: int) -> None:
        self.make = make
        self.games = games
        train(*make(GAME), games=5)  # imports, compiles
        began = time.perf_counter()
        train(*make(GAME), games=games)
        self.lasts = time.perf_counter() - began

    def interrupt(self, alarm: Alarm, chance: random.Random) -> tuple[bool, list[str]]:
        """Train with Ctrl-C at some moment; return whether that cut it short, and what was wrong then."""
        pair = self.make(GAME)
        twin = self.make(GAME)
        seed = chance.randrange(1_000)
        run = None
        try:
            alarm.set(chance.uniform(0, self.lasts), chance.choice((1, 1, 8)))
            run = train(*pair, games=self.games, seed=seed)
        except KeyboardInterrupt:
            pass
        alarm.stop()
        played = pair[0].games
        began = time.perf_counter()
        train(*twin, games=played, seed=seed)
        if played == self.games:
            self.lasts = time.perf_counter() - began  # so the next moment suits the machine's current speed
        found = [] if all(map(same, pair, twin)) else ["other numbers than after as many games without Ctrl-C"]
        if run is not None and len(run.result) not in (played, played - 1):
            found.append("a run of another length")
        return played < self.games, found


def main() -> None:
    if "plain" in sys.argv:
        sys.modules["numba"] = None
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the program that started this one may ignore it
    warnings.simplefilter("ignore")
    alarm = Alarm()
    chance = random.Random(7)
    compiled = compiling.numba_or_none() is not None
    trials = []
    for make in PAIRS.values():
        slow = take_one in make(GAME) or not compiled
        trials.append(Trial(make, 30 if slow else 3_000))
    trainings = cut = 0
    found = []
    while alarm.pressed < CUT or cut < CUT / 10:  # on a busy machine some end before they are interrupted
        was_cut, wrong = trials[trainings % len(trials)].interrupt(alarm, chance)
        trainings += 1
        cut += was_cut
        found += wrong
    print(CUT, "compiled" if compiled else "plain", *sorted(set(found)))
    print(trainings, cut, alarm.pressed, file=sys.stderr)


if __name__ == "__main__":
    main()
