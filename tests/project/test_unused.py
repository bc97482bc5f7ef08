"""Every public name is used by a notebook, a lab, a program, a page of docs or another part of the code."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter

from paths import ROOT

CODE = ("coinlib", "coincourse")
OTHERS = ("benchmarks", "data", "docs", "jupyterlite")
TEXTS = ("*.md", "*.html", "*.js", "*.toml", "*.css")
BY_NAME = {
    "on_start",
    "on_end",
    "persistent_id",
    "persistent_load",
    "create_module",
    "exec_module",
}  # called by a library


def defined(tree: ast.Module) -> list[str]:
    """The public functions, classes and methods of a module, without those that a decorator registers."""
    names = []
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        registered = any(isinstance(decorator, ast.Call) for decorator in node.decorator_list)
        if not (registered or node.name.startswith("_")):
            names.append(node.name)
    return names


def used(tree: ast.Module) -> Counter:
    """The names that a module uses, in code and in short texts such as "perfect_play"; imports are ignored."""
    found: Counter = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found[node.id] += 1
        elif isinstance(node, ast.Attribute):
            found[node.attr] += 1
        elif isinstance(node, ast.keyword) and node.arg:
            found[node.arg] += 1
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            found[node.value] += 1
    return found


def without_all(tree: ast.Module) -> ast.Module:
    """A module without its `__all__`, which only lists names."""
    tree.body = [
        node for node in tree.body if not (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
    ]
    return tree


def words(text: str) -> Counter:
    return Counter(re.findall(r"[A-Za-z_]\w*", text))


def code_in(markdown: str) -> Counter:
    """The names in the code in a text: between backticks, or in a block."""
    return words(" ".join(re.findall(r"```.*?```|`[^`\n]+`", markdown, re.DOTALL)))


def uses_outside_tests() -> Counter:
    found: Counter = Counter()
    for folder in (*CODE, *OTHERS):
        for file in (ROOT / folder).rglob("*.py"):
            found += used(without_all(ast.parse(file.read_text(encoding="utf-8"))))
    for folder in (*CODE, "docs"):
        for pattern in TEXTS:
            for file in (ROOT / folder).rglob(pattern):
                if "api" not in file.parts:  # which lists everything
                    text = file.read_text(encoding="utf-8")
                    found += code_in(text) if file.suffix == ".md" else words(text)
    for file in (ROOT / "notebooks").rglob("*.ipynb"):
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            found += words(source) if cell["cell_type"] == "code" else code_in(source)
    return found + code_in((ROOT / "README.md").read_text(encoding="utf-8"))


def test_every_public_name_is_used():
    found = uses_outside_tests()
    unused = []
    for folder in CODE:
        for file in sorted((ROOT / folder).rglob("*.py")):
            if file.name.endswith("_pb2.py"):
                continue
            names = defined(ast.parse(file.read_text(encoding="utf-8")))
            unused += [
                f"{file.relative_to(ROOT)}: {name}" for name in names if found[name] == 0 and name not in BY_NAME
            ]
    assert unused == []
