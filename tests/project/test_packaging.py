"""A fresh machine gets the same packages whichever way it installs them, and no file names a registry."""

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
NBVAL_COMMAND = "pytest --nbval notebooks"  # if the course was installed by conda or pip
PIP_COMMAND = "pip install -r requirements.txt -e ."
PYTHONS = ("3.11", "3.12", "3.13")
README = (ROOT / "README.md").read_text(encoding="utf-8")
PINNED = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()


def named(lines) -> dict[str, str]:
    """The packages that some requirements name, each with the releases allowed."""
    requirements = [Requirement(line) for line in lines]
    return {canonicalize_name(wanted.name): str(wanted.specifier) for wanted in requirements}


def said_by(*command: str) -> str:
    """What a program prints when run in the checkout."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def pins(lines, python: str) -> dict[str, str]:
    """The release of each package that pinned requirements install on a Linux machine with this Python."""
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
    *of_tests, of_book, of_zips, attached = commands
    assert of_tests == [".ci/run", PIP_COMMAND, NBVAL_COMMAND, alone, tests, FULL_COMMAND]
    assert of_book == book
    made, folder = re.fullmatch(r"pip install uv && (uv run --group docs coinlib book) --into (\S+)", of_zips).groups()
    assert f"`{made}`" in (ROOT / "docs" / "guide" / "rooms.md").read_text(encoding="utf-8")
    assert attached == f'gh release upload "$TAG" {folder}/*.zip'
    assert WORKFLOW["jobs"]["notebooks"]["steps"][-1]["name"] == NBVAL_COMMAND
    assert f"```sh\n{NBVAL_COMMAND}\n```" in README and f"`{PIP_COMMAND}`" in README


# environment.yml

NBVAL = PROJECT["dependency-groups"]["nbval"]
WANTED = PROJECT["project"]["dependencies"] + NBVAL
CARD = {"jupyterlab", "matplotlib", "pandas", "ipywidgets", "numpy", "nbval"}  # what the course was asked to use
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]


def test_conda_names_the_same_things_and_installs_the_checkout():
    assert CONDA[:2] == ["python=3.13", "pip"]  # In this form Binder uses that Python, not its own.
    packages = [line for line in CONDA[2:] if isinstance(line, str)]
    assert named(packages) == named(WANTED)
    assert CONDA[-1] == {"pip": ["-e ."]}


def test_what_the_card_names_is_there_and_nbval_runs_from_the_same_list():
    assert CARD | {"pytest"} <= set(named(WANTED))
    assert set(named(NBVAL)) == {"nbval", "pytest"}
    assert {"include-group": "nbval"} in PROJECT["dependency-groups"]["test"]


# requirements.txt


@pytest.mark.parametrize("python", PYTHONS)
def test_the_pinned_list_gives_what_the_project_asks_for(python):
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+( ; [^/@]+)?", line) for line in PINNED)
    pinned = pins(PINNED, python)
    for wanted in map(Requirement, WANTED):
        assert pinned[canonicalize_name(wanted.name)] in wanted.specifier
    constraints = pins(PROJECT["tool"]["uv"]["constraint-dependencies"], python)  # what prints
    assert {"numpy", "pandas", "matplotlib", "ipywidgets"} <= set(constraints)
    assert constraints == {name: pinned[name] for name in constraints}


# pyproject.toml


def test_lessons_are_compared_strictly():
    options = PROJECT["tool"]["pytest"]["ini_options"]
    assert "--nbval" in options["addopts"] and "notebooks" in options["testpaths"]
    assert not re.search("nbval-lax|sanitize-with", " ".join(options["addopts"]))


def run_pytest(*options: str) -> str:
    """What a run of pytest prints about the tests that it selects."""
    return said_by(sys.executable, "-m", "pytest", "--collect-only", "-q", *options)


def files_of(collected: str) -> set[str]:
    """The files whose tests are selected."""
    return set(re.findall(r"^(\S+?)::", collected, re.MULTILINE))


def test_pytest_nbval_notebooks_runs_every_notebook_with_no_other_plugin():
    """With the other environments' plugins switched off: only pytest and nbval are there."""
    others = [plugin for name in ("xdist", "hypothesispytest", "playwright") for plugin in ("-p", f"no:{name}")]
    notebooks = {path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").rglob("*.ipynb")}
    kept = {name for name in notebooks if ".ipynb_checkpoints" not in name}
    assert len(kept) == 19
    assert files_of(run_pytest(*others, "--nbval", "notebooks")) == kept


def selected_and_processes(pytester, *options: str) -> tuple[set[str], int]:
    """The names of the tests that a run selects with our conftest.py, and the number of its processes."""
    pytester.makeconftest((ROOT / "conftest.py").read_text(encoding="utf-8"))
    pytester.makeini("[pytest]\ntestpaths = tests\nmarkers = full\n")
    for name in ("tests/test_quick.py", "tests/full/test_slow.py"):
        file = pytester.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("def test_it(): pass\n", encoding="utf-8")
    seen = []

    class Spy:
        def pytest_collection_finish(self, session):
            seen.append(session)

    pytester.inline_run("--collect-only", *options, plugins=[Spy()])
    (session,) = seen
    return {item.path.stem for item in session.items}, len(getattr(session.config.option, "tx", []))


def test_a_tier_is_chosen_where_nothing_is_named(pytester):
    for options, names in {
        (): {"test_quick"},
        ("-p", "no:xdist"): {"test_quick"},
        ("-m", "full"): {"test_slow"},
        ("tests",): {"test_quick", "test_slow"},
        ("tests/full/test_slow.py",): {"test_slow"},
        ("-m", "full", "tests"): {"test_slow"},
    }.items():
        assert selected_and_processes(pytester, *options)[0] == names, options


def test_several_processes_where_xdist_is_installed(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_XDIST_AUTO_NUM_WORKERS", "1")  # and one more, by conftest.py
    for options, processes in {
        (): 2,
        ("-n", "0"): 0,
        ("-n", "1"): 1,
        ("-n", "9"): 4,
        ("--pdb",): 0,
        ("-p", "no:xdist"): 0,
    }.items():
        assert selected_and_processes(pytester, *options)[1] == processes, options


def test_only_options_of_pytest_and_nbval_are_in_the_settings():
    options = PROJECT["tool"]["pytest"]["ini_options"]["addopts"]
    others = re.compile(r"-n\b|--(numprocesses|maxprocesses|dist|tx|loadscope|no-loadscope|hypothesis|browser|headed)")
    assert [option for option in options if others.match(option)] == []


def test_versions_agree():
    version = PROJECT["project"]["version"]
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == version
    assert f"\n## {version} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert said_by(sys.executable, "-m", "coincourse", "--version").split() == ["coinlib", version]


# The test machine


def test_the_test_machine_runs_the_command_of_the_readme_then_the_full_tier():
    assert f"```sh\n{TEST_COMMAND}\n```" in README
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
