"""For people who cite, share, publish or change the course: licences, steps, JupyterLite."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import textwrap
import tomllib

import nbformat
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from paths import ROOT

from coincourse import course

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
LESSONS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def words(name) -> str:
    """A file in the checkout, its lines joined."""
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


# --- licences and citation


def test_both_licences_are_whole():
    code = words("LICENSE")
    lessons = words("LICENSE-lessons")
    assert code.startswith("BSD 3-Clause License Copyright (c)")
    assert code.endswith("EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.")
    assert "https://creativecommons.org/licenses/by/4.0/legalcode" in lessons
    legal = words("docs/_static/licences/CC-BY-4.0.txt")
    assert legal.startswith("Creative Commons Attribution 4.0 International")
    assert legal.endswith("Creative Commons may be contacted at creativecommons.org.")
    for page in ("README.md", "CONTRIBUTING.md"):
        assert "`LICENSE`" in words(page) and "`LICENSE-lessons`" in words(page)


def test_the_citation_says_who_what_and_which():
    assert (CITATION["cff-version"], CITATION["type"]) == ("1.2.0", "software")
    (author,) = CITATION["authors"]
    assert author["name"].removeprefix("The ") in words("LICENSE")
    assert CITATION["license"] == PROJECT["project"]["license"] and "CC-BY-4.0" in CITATION["abstract"]
    assert CITATION.get("repository-code") == PROJECT["project"]["urls"].get("Repository")
    assert words("README.md").startswith(f"# {CITATION['title'].split(':')[0]}")
    assert CITATION["version"] == PROJECT["project"]["version"]
    in_the_book = f"{author['name']}. *{CITATION['title']}.* Version {CITATION['version']}."
    assert in_the_book in words("docs/credits.md")


def test_the_year_of_a_citation_is_that_of_the_licence():
    preferred = CITATION["preferred-citation"]
    for name in ("type", "title", "version", "authors"):
        assert preferred[name] == CITATION[name], name
    assert f"Copyright (c) {preferred['year']}, " in words("LICENSE")
    (entry,) = re.findall(r"```bibtex\n(.*?)```", (ROOT / "docs/credits.md").read_text(encoding="utf-8"), re.DOTALL)
    fields = dict(re.findall(r"^  (\w+) *= \{(.*)\},?$", entry, re.MULTILINE))
    (author,) = CITATION["authors"]
    assert fields.pop("note") == "Lessons under CC-BY-4.0"
    assert fields == {
        "author": f"{{{author['name']}}}",
        "title": CITATION["title"],
        "version": CITATION["version"],
        "year": str(preferred["year"]),
        "license": CITATION["license"],
    }


def test_nobody_is_given_an_invented_address():
    for name in ("README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "CITATION.cff", "pyproject.toml"):
        assert not re.search(r"\b[\w.]+@[\w-]+\.\w+", words(name)), name


# --- the steps of CONTRIBUTING

NAMED = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:md|toml|txt|yml|cff))`")
NOT_THERE = re.compile(r"NN|16|topic|^(build|tests/screenshots)/|^uv\.lock$")  # placeholders, and what a command makes


def test_every_file_that_contributing_names_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {name for name in NAMED.findall(text) if not NOT_THERE.search(name)}
    assert len(named) > 25
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_every_table_that_its_steps_name_is_in_the_code():
    """A name in capitals, such as `SCENARIOS`."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([A-Z][A-Z_]{3,})`", text))
    assert len(named) > 8
    code = ""
    for folder in ("coinlib", "coincourse", "benchmarks", "tests"):
        code += "".join(path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob("*.py"))
    gone = [name for name in named if not re.search(rf"^ *{name}\b.* = ", code, re.MULTILINE)]
    assert [name for name in gone if not (ROOT / name).exists()] == []


def test_the_lines_for_a_container_name_what_is_there():
    """Docker itself cannot be tried here."""
    page = (ROOT / "docs" / "marking-details.md").read_text(encoding="utf-8")
    python = re.search(r"FROM python:([\d.]+)-", page).group(1)
    assert f"{python}.0" in SpecifierSet(PROJECT["project"]["requires-python"])
    assert (ROOT / re.search(r"-r /course/(\S+)", page).group(1)).is_file()
    asked = re.findall(r"--\w+", re.search(r"coinlib-marking coinlib mark (.*)", page).group(1))
    command = [sys.executable, "-m", "coincourse", "mark", "--help"]
    known = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert asked and [option for option in asked if option not in known] == []


# --- JupyterLite, and Python in a browser

# Pyodide has them, or they are pure Python and have a wheel for every machine
IN_A_BROWSER = {
    "numpy",
    "pandas",
    "matplotlib",
    "ipywidgets",
    "rich",
    "jinja2",
    "tqdm",
    "anywidget",
    "joblib",
    "protobuf",
    "cloudpickle",
}
LITE = ROOT / "jupyterlite"


def make():
    """The program that builds the site."""
    spec = importlib.util.spec_from_file_location("make_lite", LITE / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_browser_is_asked_only_for_what_it_has():
    wanted = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
    browser = {"sys_platform": "emscripten", "platform_system": "Emscripten"}
    assert {one.name for one in wanted if one.marker is None or one.marker.evaluate(browser)} == IN_A_BROWSER
    assert all(one.marker is None or one.marker.evaluate({"sys_platform": "linux"}) for one in wanted)


def test_the_configuration_of_the_site_can_be_read():
    names = ("jupyter_lite_config.json", "jupyter-lite.json", "overrides.json")
    build, site, settings = (json.loads((LITE / name).read_text(encoding="utf-8")) for name in names)
    assert build["LiteBuildConfig"]["apps"] == ["lab"]
    assert site["jupyter-config-data"]["appName"] == CITATION["title"].split(":")[0]
    assert all(plugin.startswith("@jupyter") for plugin in settings)


def test_the_site_holds_every_lesson_behind_one_cell(tmp_path):
    make().contents(tmp_path)
    assert sorted(path.name for path in (tmp_path / "notebooks").iterdir()) == LESSONS
    for name in LESSONS:
        there = json.loads((tmp_path / "notebooks" / name).read_text(encoding="utf-8"))
        first, *rest = nbformat.from_dict(there).cells
        assert first.source.splitlines()[0] == "%pip install -q coinlib"
        assert rest == nbformat.v4.reads((ROOT / "notebooks" / name).read_text(encoding="utf-8")).cells
    nbformat.validate(there)
    assert course.home(tmp_path / "notebooks") == tmp_path  # so a lesson finds its data
    assert (tmp_path / "data" / "random_games.csv").is_file()


def test_the_page_speaks_of_the_releases_that_are_installed():
    page = words("docs/jupyterlite.md")
    group = {Requirement(line).name: Requirement(line) for line in PROJECT["dependency-groups"]["lite"]}
    for name in ("jupyterlite-core", "jupyterlite-pyodide-kernel"):
        release = re.search(rf"{name}`? (\d+\.\d+\.\d+)", page).group(1)
        assert release in group[name].specifier


def test_the_library_works_with_what_a_browser_has():
    program = """
        import sys
        for name in ("numba", "psutil", "jupyterlab", "nbconvert", "resource"):
            sys.modules[name] = None
        from coinlib import Hats, SCENARIOS, plots, solve, sticks, sweep, train
        from coincourse.labs import Board, HatsLab
        hats = Hats(sticks(10), seed=1)
        assert 0.5 < train(hats, hats, games=500, seed=1).won.mean() <= 1
        assert solve(SCENARIOS["NIM"]).winner() == 1
        assert list(sweep(lambda seed: {"twice": 2 * seed}, {}, seeds=3).twice) == [0, 2, 4]
        HatsLab(), Board(sticks(7)), plots.board(sticks(7))
    """
    environment = {"JOBLIB_MULTIPROCESSING": "0", "MPLBACKEND": "Agg", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
