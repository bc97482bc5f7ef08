"""What is said about errors: about code that Python cannot read, and about values that do not go together."""

from __future__ import annotations

import linecache

import pytest

from coincourse.checks.error_hints import NEXT_TO_A_NUMBER, hint_about_syntax, hint_of_error


def hint_about(code: str) -> str:
    with pytest.raises(SyntaxError) as found:
        compile(code, "<no such file>", "exec")
    return hint_about_syntax(found.value)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("def f(): retrun 1 + 2", "return"),
        ("def f(): Return 1 + 2", "return"),
        ("fro i in range(3): pass", "for"),
        ("for i ni range(3): pass", "in"),
        ("form math import sqrt", "from"),
        ("form math improt sqrt", "from"),
        ("whlie 1 < 2: pass", "while"),
        ("If 1 < 2: pass", "if"),
        ("if 1 < 2 adn 2 < 3: pass", "and"),
        ("dfe f(n): pass", "def"),
        ("x = 1 fi 2 else 3", "if"),
        ("if 1 < 2: pass\n    esle: pass", ""),  # wrongly indented
        ("x = first second", ""),
        ("form = 1 2", ""),  # a name that is like a word of Python
        ("tree = fore (1", ""),
        ("when 1 < 2: pass", ""),
        ("x = left minus right", ""),
        ("def f(n)\n    return n", ""),
    ],
)
def test_a_misspelt_word_is_named_if_python_can_read_the_line_with_the_right_one(line, meant):
    hint = hint_about(line)
    assert hint.endswith(f"is `{meant}` meant?") if meant else not hint


def test_a_misspelt_else_is_named_though_its_line_alone_cannot_be_read():
    code = "def f(n):\n    if n:\n        return 1\n    esle:\n        return 2\n"
    with pytest.raises(SyntaxError) as found:
        compile(code, "<cell of a test>", "exec")
    assert hint_about_syntax(found.value) == ""
    linecache.cache["<cell of a test>"] = (len(code), None, code.splitlines(keepends=True), "<cell of a test>")
    assert hint_about_syntax(found.value) == "`esle`: is `else` meant?"


@pytest.mark.parametrize(
    ("wrong", "right"), [("1 => 2", ">="), ("1 =! 2", "!="), ("1 && 2", "and"), ("1 || 2", "or"), ("1 <> 2", "!=")]
)
def test_a_sign_of_other_languages_is_translated(wrong, right):
    assert hint_about(f"x = {wrong}") == f"`{wrong.split()[1]}` is written `{right}`."


@pytest.mark.parametrize(
    ("line", "sign"),
    [("7 – 2", "-"), ("7 − 2", "-"), ("7 × 2", "*"), ("7 ≤ 2", "<="), ("7 ≠ 2", "!="), ("“a”", '"'), ("'a’", "'")],
)
def test_a_character_that_is_not_on_the_keyboard_is_named_with_the_one_to_type(line, sign):
    assert hint_about(f"x = {line}").endswith(f"Type `{sign}` instead.")


def test_a_special_blank_is_named():
    assert "special blank" in hint_about("x = 7\u00a0- 2")
    assert hint_about("x = 7 \u20ac 2") == ""


OTHERS = {"tuple": (1, 2), "list": [1], "dict": {1: 2}, "range": range(3), "function": hint_about, "str": "1"}


@pytest.mark.parametrize("sign", ["<", ">", "-", "+"])
@pytest.mark.parametrize("kind", OTHERS)
def test_a_number_next_to_something_else_is_explained(sign, kind):
    for code in (f"other {sign} 0.5", f"0.5 {sign} other"):
        with pytest.raises(TypeError) as found:
            eval(code, {"other": OTHERS[kind]})
        assert hint_of_error(f"your function raised TypeError: {found.value}.", {}) == NEXT_TO_A_NUMBER[kind]


def test_of_two_values_that_are_no_numbers_nothing_is_said():
    assert hint_of_error("TypeError: unsupported operand type(s) for -: 'list' and 'tuple'.", {}) == ""
