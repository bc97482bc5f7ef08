"""What all tests of the checks share."""

import pytest

from coincourse.checks import engine


@pytest.fixture(autouse=True)
def patient_checks():
    """No answer is given up because the machine is busy."""
    engine.listen(seconds=60.0)
    yield
    engine.listen()
