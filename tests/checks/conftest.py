"""What all tests of the checks share."""

import pytest

from coincourse.checks import engine


@pytest.fixture(autouse=True)
def patient_checks(monkeypatch):
    """No answer times out because the machine is busy."""
    monkeypatch.setattr(engine, "SECONDS", 60.0)
