"""Breaking a rule on purpose makes unit tests fail, and lessons too: three faults of `plant_faults.py`, which has more."""

from __future__ import annotations

import pytest
from plant_faults import FAULTS, ROOT, copy_with, who_notices, with_fault

MISERE = "misère play becomes normal play"
PLANTED = (MISERE, "the largest legal take is not offered", "the last ball is thrown away")


def test_each_fault_still_has_its_place():
    for fault in FAULTS.values():
        text = (ROOT / "coinlib" / fault.file).read_text(encoding="utf-8")
        compile(with_fault(fault, text), fault.file, "exec")
        assert (ROOT / "tests" / fault.tests).is_file()


@pytest.mark.parametrize("name", PLANTED)
def test_a_broken_rule_is_noticed_by_unit_tests_and_by_the_lesson(name, tmp_path):
    fault = FAULTS[name]
    files = [fault.tests, *[fault.lesson] * (name == MISERE)]
    library = copy_with(fault, tmp_path / "broken")
    assert all(who_notices(library, file) for file in files)


def test_nothing_is_noticed_in_an_unchanged_copy(tmp_path):
    """So the others have noticed the fault, and not that it was a copy."""
    library = copy_with(None, tmp_path)
    files = {FAULTS[name].tests for name in PLANTED} | {FAULTS[MISERE].lesson}
    assert {file: who_notices(library, file) for file in files} == dict.fromkeys(files, "")
