"""Each fault of `faults.toml` can still be planted, and the tests that should notice it exist."""

from __future__ import annotations

from paths import ROOT
from plant_faults import ROOMS, read_faults, why_stale


def test_every_fault_can_still_be_planted():
    faults = read_faults()
    assert [f"{fault.name}: {why_stale(fault)}" for fault in faults if why_stale(fault)] == []
    assert {fault.room for fault in faults} == set(ROOMS)


def test_the_tests_of_each_room_exist():
    places = [place for places in ROOMS.values() for place in places.split()]
    assert [place for place in places if not (ROOT / "tests" / place).exists()] == []
