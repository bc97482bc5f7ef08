"""Breaking a rule on purpose makes unit tests and lessons fail: one fault of `plant_faults.py`, which has more."""

from __future__ import annotations

import pytest
from plant_faults import FAULTS, ROOT, who_notices, with_fault

MISERE = FAULTS["misère play becomes normal play"]


def test_each_fault_still_has_its_place():
    for fault in FAULTS.values():
        text = (ROOT / "coinlib" / fault.file).read_text(encoding="utf-8")
        compile(with_fault(fault, text), fault.file, "exec")
        assert all((ROOT / "tests" / file).is_file() for file in fault.noticed_in)


@pytest.mark.parametrize("file", MISERE.noticed_in, ids=["unit tests", "a lesson"])
def test_a_broken_rule_is_noticed_by_unit_tests_or_by_a_lesson(file):
    assert who_notices(MISERE, file)
    assert not who_notices(None, file)  # so they have noticed the fault, and not that it was a copy
