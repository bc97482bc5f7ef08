"""Every feature of `features.md` names a test that is there."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
NO_TEST = "—"  # said on purpose: nothing shows this feature yet


def rows() -> list[list[str]]:
    """The rows of all tables: a feature in words, and what shows it."""
    lines = (TESTS / "features.md").read_text(encoding="utf-8").splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("| ") and "shown by |" not in line]


@cache
def names_in(path: Path) -> set[str]:
    """The tests of a file, or the examples in its docstrings, as pytest calls them; the file is only read."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    if TESTS in path.parents:
        return {node.name for node in module.body if getattr(node, "name", "").startswith("test_")}
    return set(examples(module, ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")))


def examples(place: ast.Module | ast.ClassDef | ast.FunctionDef, name: str) -> Iterator[str]:
    """The dotted names of what has an example in its docstring, from here on inwards."""
    if ">>>" in (ast.get_docstring(place) or ""):
        yield name
    for node in place.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from examples(node, f"{name}.{node.name}")


def is_there(shown: str) -> bool:
    """Whether there is such a test, example in a docstring, page with examples, or lesson."""
    file, _, name = shown.partition("::")
    path = (TESTS if Path(file).name.startswith("test_") else ROOT) / file
    if path.suffix == ".py":
        return path.is_file() and name in names_in(path)
    return path.is_file() and (path.suffix == ".ipynb" or ">>>" in path.read_text(encoding="utf-8"))


def test_each_feature_is_shown_by_a_test_that_is_there():
    wrong = []
    for feature, *last in rows():
        tests = [test.strip("`") for test in " ".join(last).split()]
        if len(last) != 1 or not 1 <= len(tests) <= 2:
            wrong.append(f"{feature}: name one or two tests, or write {NO_TEST}")
        wrong += [f"{feature}: {test} is not there" for test in tests if test != NO_TEST and not is_there(test)]
    assert len(rows()) > 200
    assert not wrong, "\n" + "\n".join(wrong)
