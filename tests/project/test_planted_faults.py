"""Each fault of `plant_faults.py` still has a function to spoil, and those who are to notice it are there."""

from __future__ import annotations

import importlib

import pytest
from plant_faults import FAULTS, ROOT


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_finds_its_function_and_its_tests(name):
    fault = FAULTS[name]
    names = dict(vars(importlib.import_module(f"coinlib.{fault.room}")))
    _, *path = fault.function.split(".")
    place = names[path[0]]
    for part in path[1:]:
        place = getattr(place, part)
    assert callable(place), f"plant_faults.py: {fault.function} is no function; which one has the rule now?"
    assert fault.noticed_in and all((ROOT / "tests" / file).is_file() for file in fault.noticed_in)
