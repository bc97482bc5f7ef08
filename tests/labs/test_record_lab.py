"""Labs that live in the book: each recorded answer is what the lab itself gives for that event."""

from __future__ import annotations

import functools
import json
import random

import numpy as np
import pytest
from paths import ROOT

from coincourse import labs
from coincourse.labs import HatsLab, Lab, NewsFilm, PileLab, Prediction, ProofLab, QLab, Score, TriangleLab
from coincourse.labs.boards.plain_data import as_plain_data, opponent_from_data
from coincourse.labs.book.board_tables import one_game
from coincourse.labs.book.page_data import KINDS, lab_from, page_data
from coincourse.labs.book.record_lab import send_event
from coincourse.labs.films.film import Film
from coincourse.labs.predictions.answers import ANSWERS
from coincourse.labs.predictions.prediction import questions
from coinlib import Hats, Move, PerfectAgent, QLearner, RuleAgent, sticks, three_piles, train
from coinlib.agents import take_one
from coinlib.tables import tabulate

ROW = [3, 5, 1, 2]
LABS = {
    "q": lambda: QLab(games=20, controls=["games", "learning_rate", "opponent"]),
    "film": NewsFilm,
    "piles": lambda: PileLab((1, 2, 3), most=7, controls=["third"]),
    "look": lambda: TriangleLab(coins=ROW, controls=["show", "arrows"]),
    "play": lambda: TriangleLab(task="play", opponent="random", coins=ROW, controls=["reveal", "side"]),
    "fill": lambda: TriangleLab(task="fill", arrows=True, coins=ROW, controls=[]),
    "proof": ProofLab,
    "prediction": lambda: Prediction("hats", "last ball"),
    "score": lambda: Score("hats"),
}


@pytest.fixture(autouse=True)
def nothing_chosen():
    ANSWERS.forget()


@functools.cache
def recorded(name: str):
    """The recording of a lab, as the page gets it."""
    return json.loads(json.dumps(page_data(LABS[name]())))


def shown(lab) -> tuple:
    """What the lab passes to the front end."""
    return lab.page, lab.frame, {name: getattr(lab, name) for name in lab.CONTROLS}


def handed(recording, state) -> tuple:
    """The same from a recording."""
    texts = (
        "\n".join(recording["lines"][line] for line in recording["texts"][state[name]]) for name in ("page", "frame")
    )
    return *texts, state["values"]


def seen(recording) -> list[dict]:
    """All states of a recording, in order."""
    return [state for moment in recording["moments"] for state in moment["states"]]


@pytest.mark.parametrize("name", LABS)
def test_a_recording_answers_as_the_lab_does(name):
    """Each event leads to the same moment, and at each the controls that change its look show the same."""
    recording, chance = recorded(name), random.Random(1)
    moments = recording["moments"]
    for _ in range(5):
        ANSWERS.forget()
        real, moment, way = lab_from(LABS[name]().described()), moments[0], 0
        real.pause = 0
        for _ in range(12):
            assert handed(recording, moment["states"][way]) == shown(real)
            leads = recording["anywhere"] | moment["go"]
            if chance.random() < 0.3 or not leads:
                way = chance.randrange(len(moment["states"]))
                for control in (
                    name for name in real.shown if name in real.CONTROLS and real.CONTROLS[name].metadata.get("look")
                ):
                    real.set_quietly(**{control: moment["states"][way]["values"][control]})
                    real.update(**real.moved(control))  # what was said stays
            else:
                event = chance.choice(sorted(leads))
                send_event(real, event)
                moment = moments[leads[event]]


@pytest.mark.parametrize("name", LABS)
def test_a_control_that_is_moved_alone_leads_where_the_lab_goes(name):
    lab = LABS[name]()
    recording = recorded(name)
    first = seen(recording)[0]["values"]
    moved = {}
    for state in seen(recording):
        others = [control for control in first if state["values"][control] != first[control]]
        if len(others) == 1:  # the first of several states with the same values is the one to which a control leads
            moved.setdefault((others[0], state["values"][others[0]]), state)
    for control, value in random.Random(1).sample(sorted(moved, key=str), min(8, len(moved))):
        real = lab_from(lab.described())
        setattr(real, control, value)
        assert handed(recording, moved[control, value]) == shown(real), (control, value)
    elsewhere = {control for control, about in lab.now().items() if about.get("hidden") or about.get("disabled")}
    assert {control for control, _ in moved} >= set(lab.shown) & set(lab.CONTROLS) - elsewhere


OPEN_GAME = HatsLab(controls=["play"], history=[("open", "you", "other", (3, 2))])
DESCRIBED = LABS | {"hats": lambda: OPEN_GAME}  # which draw in the page, and are not recorded


@pytest.mark.parametrize("name", DESCRIBED)
def test_a_lab_is_made_again_from_what_a_notebook_has_stored(name):
    lab = DESCRIBED[name]()
    described = json.loads(json.dumps(lab.described()))
    assert shown(lab_from(described)) == shown(lab)
    assert lab_from(described).described() == described


def test_the_score_counts_what_the_predictions_of_the_page_say():
    score, (first, second, *_) = Score("hats"), questions("hats")
    recording = recorded("score")
    for name, right in ((first, True), (second, False)):
        asked = Prediction("hats", name)
        asked.choose(asked.data.right if right else 1 - asked.data.right)
        assert page_data(Prediction("hats", name))["right_answers"][asked.data.answers[asked.data.chosen][0]] == right
    assert (
        handed(recording, recording["moments"][recording["anywhere"]["to 1 of 2, 0 of 0"]]["states"][0])[0]
        == score.page
    )


def test_the_book_says_what_lives():
    page = (ROOT / "docs" / "living.md").read_text(encoding="utf-8")
    kinds = {kind for kind in vars(labs).values() if isinstance(kind, type) and issubclass(kind, Lab)} - {Lab}
    assert set(kinds) == set(KINDS.values())
    assert all(f"| {'Film' if issubclass(kind, Film) else kind.__name__} | " in page for kind in kinds)


# --- opponents of boards


def trained(kind):
    """A learner that has practised against itself."""
    learner = kind(sticks(7), seed=1)
    train(learner, learner, games=5_000, seed=1, first="alternate")
    return learner


def test_an_opponent_is_the_same_again_from_plain_data():
    game = sticks(7)
    table = tabulate(game)
    for opponent in (trained(Hats), trained(QLearner), RuleAgent(take_one), PerfectAgent()):
        twin = opponent_from_data(json.loads(json.dumps(as_plain_data(game, opponent))))
        weights, expected = twin.move_weights(game, table), opponent.move_weights(game, table)
        for row in np.flatnonzero(~table.over):
            shares = weights[row] / weights[row].sum()
            assert shares == pytest.approx(expected[row] / expected[row].sum(), abs=0.001)
        assert twin(game, (1,)) == Move(0, 1)


def test_a_function_that_promises_nothing_does_not_live_nor_a_large_game():
    for game, opponent in [(sticks(7), take_one), (three_piles(100, 100, 100), RuleAgent(take_one))]:
        with pytest.raises(TypeError, match="does not live on a page without Python"):
            as_plain_data(game, opponent)


def test_a_game_in_the_book_is_won_as_in_the_rules():
    game = sticks(3)
    told = one_game(labs.Board(game, "random"), game)
    assert told["result"] == {3: 1}  # misère play: the other player took the last of 3 sticks
