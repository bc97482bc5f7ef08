"""What runs on a page of the web book: it runs a reader's code, and checks it against the recorded exercise.

It needs only the standard library, the judge, and the rules of the games. `docs/_ext/python_worker.js` calls
`check`, `run` and `plays` with strings, and gets JSON. Nothing here has a clock: the page stops code that takes
too long, and then shows the last verdict that was passed to `note`.
"""

from __future__ import annotations

import functools
import importlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from coincourse import checks
from coincourse.checks.engine import Check, in_time
from coincourse.checks.judging import ENDLESS, SECONDS, Case, Comparison, Mistake, Outcome, Task, hear_nothing, judge
from coincourse.checks.plain_data import decode, lengthened
from coincourse.checks.running_cell import similar_name
from coincourse.checks.screens import Screen, nobody_types, printing_on
from coincourse.checks.stand_in import Checks
from coincourse.checks.verdict import Verdict, picture
from coinlib.games import CoinGame, Move, State, read_move

from . import absent
from .cell import DOTS, error_with_lines, module_of, run_cell, value_in_words, verdict_of_error
from .recorded_exercise import RecordedExercise

MOST_PRINTED = 10_000  # characters
NOT_YET = "(Your answer is known here once the check says that it is right.)"

absent.stand_in()


# --- what the page calls --------------------------------------------------------------------------------


def check(
    source: str, recorded: str, note: Callable[[str], object] = hear_nothing, seconds: float | None = None
) -> str:
    """Run what a reader has written for an exercise, and judge it.

    Parameters
    ----------
    source : str
        The code. If it does not call the check, what it defines under the name of the stub is judged.
    recorded : str
        A `RecordedExercise` as JSON; the page may have added the reader's code to its `before`.
    note : function (str)
        Called from time to time with what this would return if the page stopped the code now.
    seconds : float, optional
        The time limit. A page leaves this out, because it has its own clock.

    Returns
    -------
    str
        JSON: "right", "text" (what a notebook prints, with the words of a page), and "html" (what a notebook
        shows). If the code raises an error after the check, the error follows the verdict.
    """
    exercise = RecordedExercise.from_json(recorded)
    recorded_check = RecordedCheck(exercise)
    verdicts: list[Verdict] = []

    def hear(verdict: Verdict) -> None:
        note(_as_json([verdict]))

    def take(name: str, answer: object) -> None:
        if name == exercise.exercise:
            verdicts.append(in_time(recorded_check, answer, seconds, hear))

    hear(_late(exercise.exercise))
    ran = run_cell(source, exercise.before, Checks(take, *recorded_check.names()), Screen())
    if ran.error:
        verdicts.append(verdict_of_error(exercise.exercise, ran.error))
    elif not verdicts and exercise.answer in ran.names:
        verdicts.append(in_time(recorded_check, ran.names[exercise.answer], seconds, hear))
    elif not verdicts:
        line = f"Your code does not define `{exercise.answer}`, which is the name that is checked."
        meant = similar_name(exercise.answer, ran.names)
        is_same = meant.lower() == exercise.answer.lower()
        words = "capital letters count too." if is_same else f"is that meant to be `{exercise.answer}`?"
        hint = f"It defines `{meant}`: {words}" if meant else ""
        verdicts.append(Verdict(exercise.exercise, False, (line,), hint=hint))
    return _as_json(verdicts)


def run(source: str, before: str, recorded: str = "", hear: Callable[[str], object] | None = None) -> str:
    """Run what a reader wants to try.

    Parameters
    ----------
    source : str
    before : str
        The code of earlier cells; what it prints is not shown.
    recorded : str
        The `RecordedExercise`, as JSON, in whose editor the source was written. If the source calls its
        check, the verdict is printed; calls to other checks do nothing.
    hear : function (str), optional
        Called with each piece of text that is printed, because the page may stop the code.

    Returns
    -------
    str
        JSON: "printed", the beginning of what was printed; "value", that of the last line as a notebook shows
        it, or null; "error", an error in Python's words with the lines that it passed through, or null; "right",
        whether the check that was called found the answer right.

    Examples
    --------
    >>> json.loads(run("print('Hello')\\n1 + 2", ""))
    {'printed': 'Hello\\n', 'value': '3', 'error': None, 'right': False}
    >>> print(json.loads(run("def half(n):\\n    return 1 / n\\n\\nhalf(0)", ""))["error"])
    Line 4: half(0)
    Line 2, in half: return 1 / n
    ZeroDivisionError: division by zero
    >>> print(json.loads(run("left(7) - 1", "def left(n): return ..."))["error"].splitlines()[-1])
    (The code uses the answer to an exercise above that is still `...`: write that one first.)
    """
    screen = Screen(MOST_PRINTED, hear)
    verdicts: list[Verdict] = []
    take: Callable[[str, object], object] = _ignore
    names: tuple[list[str], dict] = ([*checks.FILE_OF], {})
    if recorded:
        exercise = RecordedExercise.from_json(recorded)
        recorded_check = RecordedCheck(exercise)
        names = recorded_check.names()

        def take(name: str, answer: object) -> None:
            if name == recorded_check.name:
                verdicts.append(in_time(recorded_check, answer))
                print(verdicts[-1])

    ran = run_cell(source, before, Checks(take, *names), screen)
    value = None if ran.value is None else value_in_words(ran.value)
    error = error_with_lines(ran.error) if ran.error else None
    if error and "'ellipsis'" in error and DOTS not in error:
        error = f"{error}\n{DOTS}"
    if recorded and isinstance(ran.error, NameError) and ran.error.name == exercise.answer:
        error = f"{error}\n{NOT_YET}"
    right = any(verdict.right for verdict in verdicts)
    return json.dumps({"printed": screen.kept, "value": value, "error": error, "right": right})


def plays(source: str, recorded: str, games: str) -> str:
    """What a reader's agent does in every state of some games, so that it can play on a board on the page.

    Parameters
    ----------
    source, recorded : str
        As in `check`; the answer is a function from a game and a state to a move.
    games : str
        JSON: for each game its rows, the most coins that may be taken in one turn (or null), and whether it is misère.

    Returns
    -------
    str
        JSON: for each game "moves", a list with a pair for each state: the state, and the move that is made there,
        its row and its count; null if the agent raises an error or its move is illegal. And "fits": whether the
        agent plays this ending at least as well as the other one.
    """
    from coincourse.checks.contests import states_of  # imports most of coinlib

    exercise = RecordedExercise.from_json(recorded)
    screen = Screen()
    ran = run_cell(source, exercise.before, Checks(_ignore, [*checks.FILE_OF], {}), screen)
    agent = ran.names.get(exercise.answer)
    found = []
    for rows, most, misere in json.loads(games):
        game = CoinGame(tuple(rows), most, misere)
        with nobody_types(), printing_on(screen):
            moves = {state: _move_of(agent, game, state) for state in states_of(game)}
        other = replace(game, misere=not misere)
        fits = _best_moves(game, moves) >= _best_moves(other, moves)
        found.append({"moves": list(moves.items()), "fits": fits})
    return json.dumps(found)


def _best_moves(game: CoinGame, moves: dict[State, Move | None]) -> int:
    """How many of these moves leave the opponent in a lost state."""
    from coinlib.theory import is_lost  # imports NumPy, or its stand-in

    return sum(move is not None and is_lost(game, game.play(state, move)) for state, move in moves.items())


def _move_of(agent: Callable, game: CoinGame, state: State) -> Move | None:
    """An agent's move in a state; None if it makes no legal move."""
    try:
        return read_move(game, state, agent(game, state))
    except (Exception, SystemExit):  # noqa: BLE001 - a reader's code may raise anything
        return None


def _ignore(exercise: str, answer: object) -> None:
    """Ignore an answer to an exercise that is not judged here."""


def _as_json(verdicts: list[Verdict]) -> str:
    answer = {
        "right": any(verdict.right for verdict in verdicts),
        "text": "\n".join(map(str, verdicts)),
        "html": "\n".join(map(picture, verdicts)),
    }
    return json.dumps(answer)


def _late(exercise: str) -> Verdict:
    """The verdict that applies if the code takes too long."""
    lines = (f"Your code gave no answer within {SECONDS:g} seconds.", ENDLESS)
    return Verdict(exercise, False, lines, late=True)


# --- an exercise that was recorded ----------------------------------------------------------------------


class RecordedCheck(Check):
    """The check of an exercise, made from its recording.

    Parameters
    ----------
    exercise : RecordedExercise
    """

    where = "in the box above, then press Check again."

    def __init__(self, exercise: RecordedExercise) -> None:
        task = json.loads(exercise.task)
        self.name = exercise.exercise
        self.takes_function = task["takes_function"]
        self.ours = None
        self._modules = {module: module_of(module, source) for module, source in task["modules"].items()}
        self._by_hand = self._callable(task["by_hand"])
        self._task = None if self._by_hand else self._read_task(task)

    def try_answer(self, answer: object, seconds: float, note: Callable[[Verdict], object]) -> Verdict:
        if self._by_hand:
            return replace(self._by_hand(answer), exercise=self.name)
        return judge(self._task, answer, seconds, note)

    def names(self) -> tuple[list[str], dict[str, Any]]:
        """What a lesson finds in the checks: the names of exercises, and other things by name, such as `stranger`."""
        others: dict[str, Any] = {}
        for module in self._modules.values():
            found = vars(module)
            others |= {name: found[name] for name in checks.FILE_OF if name in found and name != self.name}
        return [name for name in checks.FILE_OF if name not in others], others

    def _read_task(self, task: dict) -> Task:
        """The task that `record_exercises.task_as_data` wrote."""
        functions = {name: self._callable(task["rules"][name]) for name in ("run", "accept", "answer_in_words")}
        cases = [Case(*map(_decoded, case)) for case in task["cases"]]
        mistakes = [
            Mistake(sentence, [Outcome(_decoded(answer), words) for answer, words in outcomes], is_better)
            for sentence, outcomes, is_better in task["mistakes"]
        ]
        return Task(self.name, Comparison(**task["rules"] | functions), cases, mistakes)

    def _callable(self, data: dict | None) -> Callable | None:
        """The function that `record_exercises.callable_as_data` named."""
        if data is None:
            return None
        if "partial" in data:
            function, *arguments = map(self._callable, data["partial"])
            return functools.partial(function, *arguments)
        name, function = data["function"]
        module = self._modules[name] if name in self._modules else importlib.import_module(name)
        return getattr(module, function)


def _decoded(data: object) -> object:
    return decode(lengthened(data))
