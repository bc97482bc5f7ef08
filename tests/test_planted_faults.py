"""Breaking a rule on purpose makes unit tests and lessons fail: one fault of `plant_faults.py`, which has more."""

from __future__ import annotations

from plant_faults import FAULTS, ROOT, who_notices, with_fault

MISERE = FAULTS["misère play becomes normal play"]


def test_each_fault_still_has_its_place():
    for fault in FAULTS.values():
        text = (ROOT / "coinlib" / fault.file).read_text(encoding="utf-8")
        compile(with_fault(fault, text), fault.file, "exec")
        assert all((ROOT / "tests" / file).is_file() for file in fault.noticed_in)


def test_a_broken_rule_is_noticed_by_unit_tests_and_by_a_lesson():
    assert all(who_notices(MISERE, file) for file in MISERE.noticed_in)
    assert not who_notices(None, *MISERE.noticed_in)  # so they have noticed the fault, and not that it was a copy
