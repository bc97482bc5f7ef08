"""What lives of each kind of lab in the web book: which controls move, which buttons can be pressed, how far it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from coinlib.solvers import Greedy

from .film import Film
from .films import SearchFilm
from .hats_lab import GAMES, HatsLab
from .lab import Lab
from .pile_lab import PileLab
from .prediction import Prediction, Score
from .proof_lab import ProofLab
from .q_lab import QLab
from .shared import so_many
from .training_lab import TrainingLab
from .triangle import ENDS, Cell, judge, truth
from .triangle_lab import TriangleLab

RUNS = ("Run", "Play", "Stop")  # buttons that are answered by pressing others
NO_SLIP = "or ask for a hint."  # how the verdict on a wrong number ends that no slip explains
WRONG_ANSWERS = 2  # that are recorded, one after the other
ALWAYS = {"seed": range(1, 4)}  # what lives of a control in every lab
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


def buttons(lab: Lab, first: Lab) -> Iterator[str]:
    """All buttons, but for those of a run and those that ask for more than a press."""
    for row in lab.offered_rows().values():
        for button in row.buttons:
            if not (row.fields or button.words in RUNS):
                yield f"press {button.words}"


class Life(NamedTuple):
    """What lives of a kind of lab in the book.

    Attributes
    ----------
    words : str
        For people.
    acts : function (lab, first) -> iterable of str
        What can be done in the state in which `lab` is now: the names of events, see `living.do`; `first` is the lab
        as the lesson has it.
    anywhere : function (lab) -> iterable of str
        What leads to the same state from wherever it is done.
    values : dict
        Of a control that lives at some of its values only.
    looks : tuple of str
        Controls that change what is seen and nothing else: they move at every moment.
    runs : tuple of str
        What "Run" or "Play" presses until "Stop", the first that leads on; the button of one step, if nothing is said.
    tells : function (lab) -> dict
        For buttons of which another lab of the page hears, what it hears.
    """

    words: str
    acts: Callable[[Lab, Lab], Iterable[str]] = buttons
    anywhere: Callable[[Lab], Iterable[str]] = lambda lab: ()
    values: Mapping[str, Sequence] = {}
    looks: Sequence[str] = ()
    runs: Sequence[str] = ()
    tells: Callable[[Lab], dict[str, bool]] = lambda lab: {}

    def moves(self, first: Lab) -> Iterator[tuple[str, Any]]:
        """Every control that is shown, with each of its values but for the one that the lesson has."""
        for name in first.shown:
            now = first.now().get(name, {})
            reached = name in first.CONTROLS and not (now.get("hidden") or now.get("disabled"))
            if reached and name not in self.looks:
                yield from ((name, value) for value in self.choices(first, name)[1:])

    def seen(self, lab: Lab) -> list[str]:
        """The controls of a lab that change what is seen."""
        return [name for name in self.looks if name in lab.shown]

    def choices(self, lab: Lab, name: str) -> list:
        """The values at which a control lives, the one that it has now first."""
        element, some = lab.CONTROLS[name].element | lab.now().get(name, {}), ALWAYS | self.values
        if name in some:
            values = some[name]
        elif "options" in element:
            values = [value for _, value in element["options"]]
        elif element["kind"] == "tick":
            values = (False, True)
        else:
            values = range(element.get("least", 0), element.get("most", -1) + 1)  # of what is typed, none
        return [getattr(lab, name), *(value for value in values if value != getattr(lab, name))]


def life_of(lab: Lab) -> Life:
    """What lives of a lab."""
    return next(LIVES[kind] for kind in type(lab).__mro__ if kind in LIVES)


# --- how far each goes ---------------------------------------------------------------------------------------


def practise(lab: QLab, first: QLab) -> Iterator[str]:
    """Game by game from the lesson's settings, and further from a table of zeros."""
    as_in_lesson = lab.settings | {"games": first.games, "steps": first.data.steps} == first.settings
    if as_in_lesson and lab.data.steps < (3 if lab.games else 30):
        yield f"press {lab.step_name}"
    if lab.games or lab.data.steps:
        yield "press Start again"


def play_hats(lab: HatsLab, first: HatsLab) -> Iterator[str]:
    """One game against the hats to its end; or one game move by move, and practice of 1, 10, 100, 1,000 games."""
    history = lab.data.entries
    if "train" not in first.shown:
        over = any(entry[0] == "play" for entry in history)
        yield from () if over else buttons(lab, first)
        return
    trained = sum(entry[1] for entry in history)
    if not trained:
        yield f"press {lab.step_name}"
    if lab.data.sitting is None and (not trained or (lab.partner, lab.first) == (first.partner, first.first)):
        yield from (
            f"press {so_many(games, 'game')}" for games in GAMES if trained % games == 0 and trained < 10 * games
        )
    yield "press Start again"


def play_coins(lab: TriangleLab, first: TriangleLab) -> Iterator[str]:
    """Every game against the computer's answers; or the cells one after the other, with right and with typical answers."""
    if lab.task == "fill":
        yield from fill_in(lab)
    elif lab.data.run:
        yield from (f"to {end}" for end in ENDS)
    yield from (event for event in buttons(lab, first) if event not in ("press New game", "press Shuffle"))


def fill_in(lab: TriangleLab) -> Iterator[str]:
    """What is typed into the next cell: what is right, and at first what is often typed instead."""
    data, table = lab.data, lab.show
    cell = next(iter(data.asked(table, lab.arrows)), None)
    if cell is None:
        return
    right, best = truth(data.greedy, table, *cell), truth(data.greedy, "moves", *cell).replace("LR", "B")
    numbers, letters = {right}, best
    if data.wrong(table) < WRONG_ANSWERS:
        numbers, letters = numbers | typical(data.greedy, table, cell), "LRB"
    if not lab.arrows or cell[0] == cell[1]:
        letters = ""
    typed = [*map(str, sorted(numbers)), *(f"{right}{letter}" for letter in letters)]
    if data.correct(table, *cell):  # the number is there, and its arrow is asked for
        typed = letters
    yield from (f"type {cell[0]},{cell[1]} {words}" for words in typed)


def typical(greedy: Greedy, table: str, cell: Cell) -> set[int]:
    """The wrong numbers that a slip explains."""
    i, j = cell
    if i == j:
        return {0, greedy.coins[i]}
    most = sum(greedy.coins)
    return {number for number in range(-most, most + 1) if not judge(greedy, table, i, j, number).endswith(NO_SLIP)}


def counts(lab: Score) -> Iterator[str]:
    """How many were chosen, and how many of them rightly."""
    many = range(len(lab.data.asked) + 1)
    yield from (f"to {right} of {chosen}" for chosen in many for right in many if right <= chosen)


def rightly(lab: Prediction) -> dict[str, bool]:
    """Whether an answer is right."""
    return {words: place == lab.data.right for place, (words, _) in enumerate(lab.data.answers)}


def best_moves(lab: PileLab, first: PileLab) -> Iterator[str]:
    """Best play to the end from the lesson's position, and one move from any other."""
    if not lab.data.moves or lab.data.states[0] == first.state:
        yield "press Best move"
    yield "press Start again"


def all_piles(lab: PileLab) -> Iterator[str]:
    """A click on any position."""
    sizes = range(lab.most + 1)
    yield from (f"to {a},{b},{c}" for a in sizes for b in sizes for c in sizes)


FILM = Life(
    "every picture, played, step by step or with the slider",
    acts=lambda lab, first: (),
    looks=["at"],
    runs=["Next"],
)
LIVES: dict[type[Lab], Life] = {
    TrainingLab: Life("every control"),
    QLab: Life(
        "every control, the rates at quarters; “One game” three times, and after “Start again” thirty times; “Run” plays them",
        practise,
        values=dict.fromkeys(("learning_rate", "discount", "exploration"), SHARES)
        | {"sticks": (5, 10, 15, 20, 25, 30), "decay": (0, 100, 1_000, 10_000)},
    ),
    HatsLab: Life(
        "every game that you can play against the hats of the lesson, which learn from it and then begin again; "
        "or one game move by move, and practice of 1, 10, 100 and 1,000 games",
        play_hats,
        looks=("look", "reveal"),
        runs=[so_many(games, "game") for games in GAMES],
    ),
    Film: FILM,
    SearchFilm: FILM._replace(
        words="every picture, as in all films; exploration at 0, 0.5 and 1, and seeds 1 and 2",
        values={"exploration": (0.0, 0.5, 1.0), "seed": (1, 2)},
    ),
    TriangleLab: Life(
        "every game that you can play; or the cells from the base upwards, with right and with typical wrong answers",
        play_coins,
        looks=("reveal",),
    ),
    PileLab: Life(
        "every position; “Best move” to the end of the lesson's game, and one step from any other position",
        best_moves,
        anywhere=all_piles,
        looks=("sums",),
    ),
    ProofLab: Life("every control"),
    Prediction: Life("every answer; the first counts", tells=rightly),
    Score: Life("it counts the predictions of its page", anywhere=counts),
}
