"""What a fresh machine installs is the same whichever way it is installed, and no file knows any registry."""

import os
import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from book import COMMAND as BOOK_COMMAND
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TEST_COMMAND = "pip install uv && uv run --group test pytest"  # the quick tier
FULL_COMMAND = "uv run --group test pytest -m full"
PYTHONS = ("3.11", "3.12", "3.13")
PINNED = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()


def named(lines) -> dict[str, str]:
    """The names that some requirements ask for, each with the releases it allows."""
    requirements = [Requirement(line) for line in lines]
    return {canonicalize_name(wanted.name): str(wanted.specifier) for wanted in requirements}


def said_by(*command: str) -> str:
    """What a program prints when it is run in the checkout."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def pins(lines, python: str) -> dict[str, str]:
    """The release of each package that pinned requirements give a Linux machine with this Python."""
    linux = {"sys_platform": "linux", "os_name": "posix"}
    machine = linux | {"python_version": python, "python_full_version": f"{python}.9"}
    pinned = {}
    for wanted in map(Requirement, lines):
        if wanted.marker is None or wanted.marker.evaluate(machine):
            pinned[canonicalize_name(wanted.name)] = str(wanted.specifier).removeprefix("==")
    return pinned


# what runs on GitHub

WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "course.yml").read_text(encoding="utf-8"))


def test_the_workflow_runs_the_commands_that_the_pages_name():
    commands = [step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step]
    alone, tests = TEST_COMMAND.split(" && ")
    book = f"pip install uv && uv run --group docs {' '.join(BOOK_COMMAND)} build/book"
    assert commands == [".ci/run", alone, tests, FULL_COMMAND, book]


# environment.yml

CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]


def test_conda_names_the_same_things_and_installs_the_checkout():
    assert CONDA[:2] == ["python=3.13", "pip"]  # In this form Binder takes that Python, not its own.
    packages = [line for line in CONDA[2:] if isinstance(line, str)]
    assert named(packages) == named(PROJECT["project"]["dependencies"])
    assert CONDA[-1] == {"pip": ["-e ."]}


# requirements.txt


@pytest.mark.parametrize("python", PYTHONS)
def test_the_pinned_list_gives_what_the_project_asks_for(python):
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+( ; [^/@]+)?", line) for line in PINNED)
    pinned = pins(PINNED, python)
    for wanted in map(Requirement, PROJECT["project"]["dependencies"]):
        assert pinned[canonicalize_name(wanted.name)] in wanted.specifier
    constraints = pins(PROJECT["tool"]["uv"]["constraint-dependencies"], python)  # what prints
    assert {"numpy", "pandas", "matplotlib", "ipywidgets"} <= set(constraints)
    assert constraints == {name: pinned[name] for name in constraints}


# pyproject.toml


def test_lessons_are_compared_strictly():
    options = PROJECT["tool"]["pytest"]["ini_options"]
    assert "--nbval" in options["addopts"] and "notebooks" in options["testpaths"]
    assert not re.search("nbval-lax|sanitize-with", " ".join(options["addopts"]))


def test_versions_agree():
    version = PROJECT["project"]["version"]
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == version
    assert f"\n## {version} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert said_by(sys.executable, "-m", "coincourse", "--version").split() == ["coinlib", version]


# The test machine


def test_the_test_machine_runs_the_command_of_the_readme_then_the_full_tier():
    assert f"```sh\n{TEST_COMMAND}\n```" in (ROOT / "README.md").read_text(encoding="utf-8")
    script = ROOT / ".ci" / "run"
    *_, quick, its_status, full, status, both = script.read_text(encoding="utf-8").splitlines()
    assert (quick, full) == (TEST_COMMAND, FULL_COMMAND)
    assert (its_status, status, both) == ("quick=$?", "full=$?", '[ "$quick" -eq 0 ] && [ "$full" -eq 0 ]')
    assert os.name != "posix" or os.access(script, os.X_OK)


SKIPS = """
import pytest

@pytest.mark.browser
def test_clicks():
    pytest.skip("no browser is here")

@pytest.mark.contained
def test_contains():
    pytest.skip("no bubblewrap is here")

@pytest.mark.browser
def test_runs():
    pass
"""


@pytest.mark.parametrize(("required", "outcome"), [("1", {"failed": 2}), ("", {"skipped": 2})])
def test_a_required_browser_or_bubblewrap_may_not_be_skipped(pytester, monkeypatch, required, outcome):
    monkeypatch.setenv("COINLIB_REQUIRE_BROWSER", required)
    monkeypatch.setenv("COINLIB_REQUIRE_CONTAINED", required)
    pytester.makeconftest((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    pytester.makeini("[pytest]\nmarkers =\n    browser\n    contained\n")
    pytester.makepyfile(SKIPS)
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "-n", "0").assert_outcomes(passed=1, **outcome)


# No addresses of registries


# a registry's list of packages, its store of files, or an option that names one
REGISTRY = re.compile(
    r"https?://[^\s\"'`<>]*(/simple\b|pythonhosted|registry\.|/artifactory/|/nexus/)"
    r"|^\s*(--)?((extra|default)-)?index(-url)?\s*[=:]?\s*[\"']?(https?|file):"
    r"|^\s*(--)?find-links\b|\[\[?tool\.uv\.index",
    re.MULTILINE,
)
NEVER_TRACKED = re.compile(
    r"(^|/)(uv\.lock|package-lock\.json|poetry\.lock|.*\.(nbi|nbc|pyc))$|(^|/)\.ipynb_checkpoints/"
)


@pytest.fixture(scope="module")
def tracked():
    """The files that git knows."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    return [name for name in said_by("git", "ls-files", "-z").split("\0") if name and (ROOT / name).is_file()]


def test_no_tracked_file_holds_the_address_of_a_registry(tracked):
    texts = {name: (ROOT / name).read_bytes().decode("utf-8", "replace") for name in tracked}
    assert {name: found[0] for name, text in texts.items() if (found := REGISTRY.search(text))} == {}


def test_what_tools_leave_behind_is_not_tracked(tracked):
    assert [name for name in tracked if NEVER_TRACKED.search(name)] == []
