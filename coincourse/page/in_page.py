"""What runs in a page of the web book: what a reader has written is run, and judged by a recording.

It needs the standard library, the judge, and the rules of the games; see `recording`. Texts go in, and JSON
comes out. Nothing here has a clock: the page ends an answer that takes too long, and shows what was noted
before.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import json
from collections.abc import Callable
from typing import Any

from coincourse import checks
from coincourse.checks.judging import (
    ENDLESS,
    NO_FUNCTION,
    SECONDS,
    Case,
    Comparison,
    Mistake,
    Outcome,
    Task,
    hear_nothing,
    is_dots,
    judge,
    not_written,
    shown,
    verdict_of,
    watched,
)
from coincourse.checks.plain_data import decode, lengthened
from coincourse.checks.screens import Screen, nobody_types, printing_on
from coincourse.checks.stand_in import Checks
from coincourse.checks.verdict import Verdict, picture
from coinlib.games import CoinGame, Move, State, read_move

from . import absent
from .cell import error_with_lines, module_of, run_cell, value_in_words, verdict_of_error

MOST_PRINTED = 10_000  # characters

absent.stand_in()


# --- what the page calls --------------------------------------------------------------------------------


def check(source: str, recording: str, note: Callable[[str], object] = hear_nothing) -> str:
    """Run what a reader has written for an exercise, and judge it.

    Parameters
    ----------
    source : str
        The cell. Where it does not call the check, what it defines under the name of the stub is judged.
    recording : str
        What `recording.record` has made, as JSON; its field "before" may have been changed meanwhile.
    note : function (str)
        Hears, in between, what this would return if the page gave the answer up now.

    Returns
    -------
    str
        JSON: "right", "text" (what a notebook prints), "html" (what a notebook shows), and "printed", the
        beginning of what the cell prints outside the function that is judged. Where the cell has raised an
        error after the check, that stands behind the verdict.
    """
    recorded = json.loads(recording)
    name = recorded["exercise"]
    exercise = Recorded(name, json.loads(recorded["task"]))
    screen = Screen(MOST_PRINTED)
    verdicts: list[Verdict] = []

    def tell(verdict: Verdict) -> None:
        note(_as_json([verdict], screen))

    def take(wanted: str, answer: object) -> None:
        if wanted == name:
            verdicts.append(exercise.judge(answer, tell))

    tell(_late(name, "Your cell"))
    ran = run_cell(source, recorded["before"], Checks(take, *exercise.names()), screen)
    if ran.error:
        verdicts.append(verdict_of_error(name, ran.error))
    elif not verdicts:
        verdicts.append(_by_name(exercise, ran.names, recorded["answer"], tell))
    return _as_json(verdicts, screen)


def run(source: str, before: str, recording: str = "") -> str:
    """Run what a reader wants to try.

    Parameters
    ----------
    source : str
    before : str
        The code of earlier cells; what it prints is not shown.
    recording : str
        The exercise in whose editor this stands. Where the source calls its check, the verdict is printed;
        any other check says nothing.

    Returns
    -------
    str
        JSON: "printed", its beginning; "value", that of the last line as a notebook shows it, or null;
        "error", an error as Python words it with the lines that it came through, or null.

    Examples
    --------
    >>> json.loads(run("print('Hello')\\n1 + 2", ""))
    {'printed': 'Hello\\n', 'value': '3', 'error': None}
    >>> print(json.loads(run("def half(n):\\n    return 1 / n\\n\\nhalf(0)", ""))["error"])
    Line 4: half(0)
    Line 2, in half: return 1 / n
    ZeroDivisionError: division by zero
    """
    screen = Screen(MOST_PRINTED)
    take: Callable[[str, object], object] = _say_nothing
    names: tuple[list[str], dict] = ([*checks.FILE_OF], {})
    if recording:
        recorded = json.loads(recording)
        exercise = Recorded(recorded["exercise"], json.loads(recorded["task"]))
        names = exercise.names()

        def take(wanted: str, answer: object) -> None:
            if wanted == exercise.name:
                print(exercise.judge(answer))

    ran = run_cell(source, before, Checks(take, *names), screen)
    value = None if ran.value is None else value_in_words(ran.value)
    error = error_with_lines(ran.error) if ran.error else None
    return json.dumps({"printed": screen.kept, "value": value, "error": error})


def plays(source: str, recording: str, games: str) -> str:
    """What a reader's agent does in every state of some games, so that a board of the page can play it.

    Parameters
    ----------
    source, recording : str
        As in `check`; the answer is a function from a game and a state to a move.
    games : str
        JSON: for each game its rows, the most coins that a turn may take (or null), and whether it is misère.

    Returns
    -------
    str
        JSON: for each game a list with a pair for each state: the state, and the move that is made there, its
        row and its count; null where the agent raises, or answers with no legal move.
    """
    from coincourse.checks.contests import states_of  # brings most of coinlib

    recorded = json.loads(recording)
    screen = Screen()
    ran = run_cell(source, recorded["before"], Checks(_say_nothing, [*checks.FILE_OF], {}), screen)
    agent = ran.names.get(recorded["answer"])
    tables = []
    for rows, most, misere in json.loads(games):
        game = CoinGame(tuple(rows), most, misere)
        with nobody_types(), printing_on(screen):
            tables.append([[state, _move_of(agent, game, state)] for state in states_of(game)])
    return json.dumps(tables)


def _move_of(agent: Callable, game: CoinGame, state: State) -> Move | None:
    """The move of an agent in a state; None if it has none to make."""
    try:
        return read_move(game, state, agent(game, state))
    except (Exception, SystemExit):  # noqa: BLE001 - whatever a reader has written
        return None


def _say_nothing(exercise: str, answer: object) -> None:
    """Take an answer where nobody has the exercise."""


# --- an exercise that was recorded ----------------------------------------------------------------------


class Recorded:
    """An exercise, made again of its recording.

    Parameters
    ----------
    name : str
    data : dict
        What `recording.task_as_data` has made.
    """

    def __init__(self, name: str, data: dict) -> None:
        self.name = name
        self.takes_function = data["takes_function"]
        self.beside: dict[str, Any] = {}  # what the lesson finds in the checks beside its exercises: `stranger`
        self._modules = {module: module_of(module, source) for module, source in data["modules"].items()}
        for found in map(vars, self._modules.values()):
            here = set(checks.FILE_OF) & set(found) - {name}
            self.beside |= {each: found[each] for each in here}
        self.by_hand = self._callable(data["by_hand"])
        self.task = None
        if self.by_hand is None:
            rules = data["rules"]
            for way in ("run", "accept", "answer_in_words"):
                rules[way] = self._callable(rules[way])
            cases = [Case(*map(_decoded, case)) for case in data["cases"]]
            mistakes = [
                Mistake(mistake, sentence, [Outcome(_decoded(answer), words) for answer, words in outcomes], better)
                for mistake, sentence, outcomes, better in data["mistakes"]
            ]
            self.task = Task(name, Comparison(**rules), cases, mistakes)

    def names(self) -> tuple[list[str], dict[str, Any]]:
        """What a lesson finds in the checks: the names of exercises, and what lies beside them."""
        return [name for name in checks.FILE_OF if name not in self.beside], self.beside

    def judge(self, answer: object, note: Callable[[Verdict], object] = hear_nothing) -> Verdict:
        """The verdict about an answer, as in a notebook."""
        if is_dots(answer):
            return not_written(self.name)
        if self.takes_function and not callable(answer):
            return Verdict(self.name, False, (NO_FUNCTION.format(shown(answer)),))
        note(_late(self.name, "Your function"))
        screen = Screen()
        with nobody_types(), printing_on(screen):
            verdict = verdict_of(self.name, functools.partial(self._try_answer, watched(answer), note))
        return dataclasses.replace(verdict, printed=screen.kept)

    def _callable(self, data: dict | None) -> Callable | None:
        """The function that `recording.callable_as_data` has named."""
        if data is None:
            return None
        if "partial" in data:
            function, *arguments = map(self._callable, data["partial"])
            return functools.partial(function, *arguments)
        name, function = data["function"]
        module = self._modules[name] if name in self._modules else importlib.import_module(name)
        return getattr(module, function)

    def _try_answer(self, answer: object, note: Callable[[Verdict], object]) -> Verdict:
        if self.by_hand:
            return Verdict(self.name, True, **self.by_hand(answer)._asdict())
        return judge(self.task, answer, note=note)


def _decoded(data: object) -> object:
    return decode(lengthened(data))


def _by_name(exercise: Recorded, names: dict[str, Any], answer: str, note: Callable[[Verdict], object]) -> Verdict:
    """The verdict about a cell that does not call the check."""
    if answer not in names:
        line = f"There is nothing of the name `{answer}` in your cell: that name is looked for."
        return Verdict(exercise.name, False, (line,))
    return exercise.judge(names[answer], note)


# --- in words -------------------------------------------------------------------------------------------


def _as_json(verdicts: list[Verdict], screen: Screen) -> str:
    answer = {
        "right": any(verdict.right for verdict in verdicts),
        "text": "\n".join(map(str, verdicts)),
        "html": "\n".join(map(picture, verdicts)),
        "printed": screen.kept,
    }
    return json.dumps(answer)


def _late(exercise: str, what: str) -> Verdict:
    """What holds if the time is up now."""
    lines = (f"{what} gave no answer within {SECONDS:g} seconds.", ENDLESS)
    return Verdict(exercise, False, lines, late=True)
