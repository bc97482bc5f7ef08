"""What the source of a student's function shows before it is called: that it is a stub, or a slip such as an early return."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from types import CodeType
from typing import NamedTuple

RETURN_IN_LOOP = "The loop in line {} ends too early, at the `return` in line {}. Does it belong after the loop?"
NO_EFFECT = "Line {}, `{}`, works something out, and the result is lost. Is `return` missing before it, or `name = `?"
ONLY_COMPARES = "Line {}, `{}`, only compares, and the result is lost: `return` returns it, and `=` sets a value."
DIVIDES = "Line {}, `{}`, divides. Is the remainder meant? That is `%`: `n % 2 == 0` is true of even numbers."
ANSWER_IS_LOST = "Line {}, `{}`, calls your function again, and does nothing with what it returns."
PLUS_AFTER = "Line {}, `{}`, sets a new value, because `=` comes first: `+=` adds to the old one."
ALWAYS = "Line {}: `{}` is always true, because `{}` alone counts as true. Compare each time: `{} or {}`."
NEVER = "Line {}: `{}` is never true, because nothing is both. Is `or` meant?"
SETS_TO_NONE = "Line {}, `{}`, sets `{}` to None: `{}` changes the list itself, and returns nothing. Leave out `{} =`."
NEVER_RUNS = "Line {}, `return ...`, ends the function, so nothing below it runs. Delete that line."
CHANGE_A_LIST = ("append", "extend", "insert", "remove", "reverse", "sort")
LONGEST = 40  # the most characters of a line to quote in a hint


class Source(NamedTuple):
    """What the source of a function shows."""

    is_dots: bool = False  # whether it holds `...` or `return ...`, and nothing else
    returns: bool = False  # whether a value comes after some `return`
    slip: str = ""  # what to say about a line that no one writes on purpose


def source_of(function: Callable) -> Source:
    """What the source of a function shows; nothing if there is no source, as for a lambda.

    During marking, the process of the notebook has found it out already.
    """
    known = getattr(function, "source", None)
    if isinstance(known, Source):
        return known
    try:
        lines, first = inspect.getsourcelines(function)
        (definition,) = ast.parse(textwrap.dedent("".join(lines))).body
        return read_source(definition, first)
    except Exception:  # noqa: BLE001 - no source, or that of an expression
        return Source()


def slip_of(answer: object) -> str:
    """The slip in the source of an answer; of several functions, in the last."""
    function = answer[-1] if type(answer) is tuple and answer else answer
    return source_of(function).slip if callable(function) else ""


def holds_dots(function: Callable) -> bool:
    """Whether `...` is in the code of a function, not only in one that it calls; True if its code is not here.

    Examples
    --------
    >>> holds_dots(lambda coins: coins or ...), holds_dots(lambda coins: coins)
    (True, False)
    """
    if not inspect.isfunction(function) or hasattr(function, "source"):
        return True
    return _is_in_code(function.__code__)


def _is_in_code(code: CodeType) -> bool:
    """Whether `...` is in a piece of code."""
    parts = [const for const in code.co_consts if isinstance(const, CodeType)]
    return ... in code.co_consts or any(map(_is_in_code, parts))


def read_source(definition: ast.FunctionDef, first: int = 1) -> Source:
    """What a function's definition shows; it begins in line `first` of its cell.

    Examples
    --------
    >>> cell = "def total(coins):\\n    for coin in coins:\\n        return coin\\n"
    >>> read_source(ast.parse(cell).body[0]).slip
    'The loop in line 2 ends too early, at the `return` in line 3. Does it belong after the loop?'
    """
    statements = list(_statements(definition.body))
    returned = [each.value for each in statements if isinstance(each, ast.Return)]
    *above, _ = definition.body
    slips = [NEVER_RUNS.format(each.lineno + first - 1) for each in above if _is_return_of_dots(each)]
    slips += [_slip_in_test(each, first - 1) or _slip(each, definition.name, first - 1) for each in statements]
    return Source(
        is_dots=len(definition.body) == 1 and _is_dots(getattr(definition.body[0], "value", None)),
        returns=any(value is not None for value in returned),
        slip=next(filter(None, slips), ""),
    )


def _is_dots(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _is_return_of_dots(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Return) and _is_dots(statement.value)


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a function, but not those of the functions inside it."""
    for statement in body:
        yield statement
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            for part in ("body", "orelse", "handlers", "finalbody"):
                yield from _statements(getattr(statement, part, []))


def _slip(statement: ast.stmt, name: str, before: int) -> str:
    """What to say about a statement of the function `name`, with `before` lines before it; empty if nothing."""
    line = statement.lineno + before
    if isinstance(statement, ast.For | ast.While):
        last = _return_of(statement.body) or _return_after_growing(statement)
        return RETURN_IN_LOOP.format(line, last.lineno + before) if last and not _is_return_of_dots(last) else ""
    words = ast.unparse(statement).partition("\n")[0]
    if len(words) > LONGEST:
        return ""
    match statement:
        case ast.Expr(ast.Compare()):
            return ONLY_COMPARES.format(line, words)
        case ast.Expr(ast.BinOp()):
            return NO_EFFECT.format(line, words)
        case ast.Expr(ast.Call(ast.Name(called))) if called == name:
            return ANSWER_IS_LOST.format(line, words)
        case ast.If(ast.Compare(ast.BinOp(op=ast.Div()), [ast.Eq() | ast.NotEq()], [ast.Constant(0)]) as test):
            return DIVIDES.format(line, ast.unparse(test))
        case ast.Assign([ast.Name(kept)], ast.Call(ast.Attribute(ast.Name(changed), method))) if (
            kept == changed and method in CHANGE_A_LIST
        ):
            return SETS_TO_NONE.format(line, words, kept, method, kept)
        case ast.Assign(value=ast.UnaryOp(ast.UAdd())):
            return PLUS_AFTER.format(line, words.replace("= +", "=+ "))
    return ""


def _slip_in_test(statement: ast.stmt, before: int) -> str:
    """What to say about a condition in the first line of a statement that is always or never true; empty if nothing."""
    tests = [statement.test] if isinstance(statement, ast.If | ast.While) else []
    if isinstance(statement, ast.Return | ast.Assign):
        tests = [each.test for each in ast.walk(statement) if isinstance(each, ast.IfExp)]
    for test in tests:
        line, words = test.lineno + before, ast.unparse(test)
        match test:
            case ast.BoolOp(ast.Or(), [ast.Compare(asked, [ast.Eq()], [ast.Constant(first)]), *others]):
                truths = [each.value for each in others if isinstance(each, ast.Constant) and each.value]
                if truths:
                    left = ast.unparse(asked)
                    return ALWAYS.format(
                        line, words, repr(truths[0]), f"{left} == {first!r}", f"{left} == {truths[0]!r}"
                    )
            case ast.BoolOp(ast.And(), [*comparisons]) if _exclude_each_other(comparisons):
                return NEVER.format(line, words)
    return ""


def _exclude_each_other(comparisons: list[ast.expr]) -> bool:
    """Whether all of some expressions compare the same name with a different number or text each."""
    values = []
    for each in comparisons:
        match each:
            case ast.Compare(ast.Name(name), [ast.Eq()], [ast.Constant(value)]):
                values.append((name, value))
            case _:
                return False
    return len({name for name, _ in values}) == 1 and len({value for _, value in values}) == len(values)


def _return_after_growing(loop: ast.For | ast.While) -> ast.Return | None:
    """The `return`, even under an `if`, with a name whose list or number the line before it makes larger; or None."""
    for line, following in pairwise(_statements(loop.body)):
        match line, following:
            case (
                ast.Expr(ast.Call(ast.Attribute(ast.Name(grown), "append"))) | ast.AugAssign(ast.Name(grown)),
                ast.Return(ast.Name() | ast.BinOp() as value),
            ) if grown in map(ast.unparse, ast.walk(value)) and isinstance(loop, ast.For):
                return following
    return None


def _return_of(body: Sequence[ast.stmt]) -> ast.Return | None:
    """The last `return` of statements that always end with one; None if they may go on."""
    for statement in body:
        if isinstance(statement, ast.Continue | ast.Break | ast.Try | ast.With):
            return None
        if isinstance(statement, ast.Return):
            return statement
        if isinstance(statement, ast.If):
            if any(isinstance(each, ast.Continue | ast.Break) for each in ast.walk(statement)):
                return None
            first, last = _return_of(statement.body), _return_of(statement.orelse)
            if first and last:
                return last
    return None
