"""The pages of the labs: HTML templates, filled in with a lab's data."""

from __future__ import annotations

from pathlib import Path

import jinja2
from markupsafe import Markup

from coincourse.checks.verdict import with_code
from coinlib.arguments import counted

from . import amounts, looks

FOLDER = Path(__file__).resolve().parent.parent  # the folder of the labs
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(FOLDER / "templates"),
    auto_reload=False,  # the files of a package do not change
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)
TEMPLATES.filters |= {
    "listed": amounts.listed,
    "minus": amounts.minus,
    "percent": amounts.percent,
    "counted": counted,
    "with_code": lambda words: Markup(with_code(words)),
}
TEMPLATES.globals["looks"] = looks


def page(template: str, **values) -> str:
    """A template from the folder `templates`, filled in with these values; it can call any that are functions.

    Text is escaped, so nothing that a student or an agent writes can become HTML.

    Examples
    --------
    >>> page("trouble.html", words="n < 0")
    "<p role='alert'><strong>This cannot be drawn.</strong> n &lt; 0</p>"
    """
    return TEMPLATES.get_template(template).render(values)


def styles(*names: str) -> Markup:
    """Style sheets from the folder `templates`, joined; "page.css" is always the first."""
    sheets = [(FOLDER / "templates" / name).read_text(encoding="utf-8") for name in ("page.css", *names)]
    return Markup("".join(sheets))


def front_end(*names: str) -> str:
    """Files from the folder `front_end`, joined."""
    return "".join((FOLDER / "front_end" / name).read_text(encoding="utf-8") for name in names)
