"""What is written in `coinlib` and `coincourse`: their modules, imports and functions, read from the source."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from paths import ROOT

PACKAGES = ("coinlib", "coincourse")


def module_name(path: Path) -> str:
    """The dotted name of a file: "coinlib.games"; "coincourse.labs" for the `__init__.py` of that folder."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {module_name(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}
WRITTEN = [module for module in FILES if not module.endswith("_pb2")]  # The others are made by protobuf.


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(FILES[module].read_text(encoding="utf-8"))


@cache
def nodes_of(module: str) -> list[ast.AST]:
    """Everything in the tree of a module."""
    return [*ast.walk(tree_of(module))]


def run_statements(node: ast.AST, inside_functions: bool = True) -> Iterator[ast.AST]:
    """Everything in a tree that is run, without the code for type checkers."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and not inside_functions:
            continue
        yield child
        yield from run_statements(child, inside_functions)


@cache
def imports_of(module: str, inside_functions: bool = True) -> set[str]:
    """The dotted names that a module imports; `from a import b` gives "a.b"."""
    return imported_names(tree_of(module), folder_of(module), inside_functions)


def folder_of(module: str) -> str:
    """The dotted name of the folder that contains a module; an `__init__.py` is in the folder of its name."""
    return module if FILES[module].name == "__init__.py" else module.rpartition(".")[0]


def imported_names(tree: ast.Module, folder: str, inside_functions: bool = True) -> set[str]:
    """The dotted names that a file of a folder imports."""
    names = set()
    for node in run_statements(tree, inside_functions):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = node.module or ""
            if node.level:
                above = folder.split(".")[: len(folder.split(".")) + 1 - node.level]
                start = ".".join([*above, *start.split(".")]).rstrip(".")
            names |= {f"{start}.{alias.name}" for alias in node.names}
    return names


def module_of(name: str) -> str | None:
    """Our module that an imported name comes from, or None."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        if ".".join(parts[:end]) in FILES:
            return ".".join(parts[:end])
    return None


@cache
def ours(module: str) -> set[str]:
    """Our modules that a module imports from, even inside functions."""
    return {module_of(name) for name in imports_of(module)} - {None, module}


def room(module: str) -> str:
    """The room of a module: "games" for coinlib.games, "labs" for coincourse.labs.board."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def rooms_of(package: str, module: str) -> set[str]:
    """The rooms of a package that a module imports from, without its own."""
    return {room(other) for other in ours(module) if other.split(".")[0] == package} - {room(module)}


def modules_of(package: str) -> list[str]:
    return [module for module in FILES if module.split(".")[0] == package]


def circle(modules: list[str]) -> list[str]:
    """An import cycle among some modules; an empty list if there is none."""
    try:
        TopologicalSorter({module: ours(module) & set(modules) for module in modules}).prepare()
    except CycleError as error:
        return error.args[1]
    return []


# --- lines, functions and names ---------------------------------------------------------------------------

SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE}
SILENT |= {tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def code_lines(module: str) -> frozenset[int]:
    """The numbers of the lines of code of a module."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(FILES[module].read_text(encoding="utf-8")).readline):
        if token.type not in SILENT:
            lines |= set(range(token.start[0], token.end[0] + 1))
    for node in nodes_of(module):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return frozenset(lines)


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def functions_of(module: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in nodes_of(module) if isinstance(node, FUNCTIONS)]


def names_set_in_modules(tree: ast.Module, folder: str) -> list[str]:
    """Where a file sets, deletes or patches a name in another of our modules, such as `loops.RULES = ()`."""
    modules = set()  # what such modules are called in this file
    nodes = [*ast.walk(tree)]
    for node in nodes:
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name for alias in node.names if module_of(alias.name)}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                one = ast.Module([ast.ImportFrom(node.module, [alias], node.level)], [])
                if imported_names(one, folder) <= set(FILES):
                    modules.add(alias.asname or alias.name)
    found = []
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            changed = node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("setattr", "delattr"):
            changed = node.args[0]
        else:
            continue
        if ast.unparse(changed) in modules:
            found.append(f"line {node.lineno}: {ast.unparse(node)}")
    return found
