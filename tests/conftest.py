"""What the tests share: Ctrl-C, a small course, the web book, and what happens without a browser."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import settings

settings.register_profile("coinlib", derandomize=True, deadline=None, database=None, max_examples=60)
settings.load_profile("coinlib")

# If one of these is set, no test with that mark may be skipped.
REQUIRED = {"browser": "COINLIB_REQUIRE_BROWSER", "contained": "COINLIB_REQUIRE_CONTAINED"}


def pytest_runtest_setup(item):
    """Skip tests of what only bubblewrap contains if it does not work."""
    if item.get_closest_marker("contained"):
        from coincourse.outside import contained

        if why := contained.why_plain():
            pytest.skip(why)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """If a browser or bubblewrap is required, a skipped test is a failure; a failing test leaves a picture."""
    report = yield
    for marker, variable in REQUIRED.items():
        skipped = report.skipped and not hasattr(report, "wasxfail")
        if item.get_closest_marker(marker) and skipped and os.environ.get(variable):
            report.outcome = "failed"
            report.longrepr = f"{variable} is set, yet this test was skipped: {report.longrepr}"
    given = getattr(item, "funcargs", {})
    if report.failed and (shown := given.get("lab") or given.get("labs")):
        from lab import picture

        for number, lesson in enumerate(shown.lessons, 1):
            picture(lesson.page, f"{item.name}-failed-{number}")
    return report


@pytest.fixture
def ctrl_c():
    """Presses Ctrl-C, which reaches this process and the programs started from it.

    A shell script starts background programs that ignore Ctrl-C, and whatever these start ignores it too: so it is
    switched on again.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: signal.raise_signal(signal.SIGINT)
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """The folder of a small course that is new to Jupyter: see small_course.py."""
    from small_course import write_course

    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    return write_course(tmp_path)
