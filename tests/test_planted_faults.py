"""Breaking a rule on purpose makes unit tests and lessons fail: three faults of `plant_faults.py`, which has more."""

from __future__ import annotations

import pytest
from plant_faults import FAULTS, ROOT, copy_with, who_notices, with_fault

MISERE = "misère play becomes normal play"
NOTICED_IN = {
    MISERE: FAULTS[MISERE].lesson,
    "the largest legal take is not offered": "test_games.py",
    "the last ball is thrown away": "test_loops.py",
}


def test_each_fault_still_has_its_place():
    for fault in FAULTS.values():
        text = (ROOT / "coinlib" / fault.file).read_text(encoding="utf-8")
        compile(with_fault(fault, text), fault.file, "exec")
        assert (ROOT / "tests" / fault.tests).is_file()


@pytest.mark.parametrize("name", NOTICED_IN)
def test_a_broken_rule_is_noticed_by_unit_tests_or_by_a_lesson(name, tmp_path):
    assert who_notices(copy_with(FAULTS[name], tmp_path), NOTICED_IN[name])


def test_nothing_is_noticed_in_an_unchanged_copy(tmp_path):
    """So the others have noticed the fault, and not that it was a copy."""
    assert who_notices(copy_with(None, tmp_path), *NOTICED_IN.values()) == ""
