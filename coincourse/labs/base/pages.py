"""The pages of the labs: templates, filled in with what a lab has found out."""

from __future__ import annotations

from pathlib import Path

import jinja2
from markupsafe import Markup

from coinlib.arguments import counted

from . import amounts, looks

FOLDER = Path(__file__).resolve().parent.parent  # of all labs
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(FOLDER / "templates"),
    auto_reload=False,  # they are files of the package
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
}
TEMPLATES.globals["looks"] = looks


def page(template: str, **words) -> str:
    """A template of the folder `templates` as HTML, with these words in it.

    Words are escaped, so that nothing which a student or an agent says can become part of the page.

    Examples
    --------
    >>> page("trouble.html", words="n < 0")
    "<p role='alert'><strong>This cannot be drawn.</strong> n &lt; 0</p>"
    """
    return TEMPLATES.get_template(template).render(words)


def styles(*names: str) -> Markup:
    """Style sheets of the folder `templates`, one after the other; "page.css" is for every page."""
    sheets = [(FOLDER / "templates" / name).read_text(encoding="utf-8") for name in ("page.css", *names)]
    return Markup("".join(sheets))


def front_end(*names: str) -> str:
    """Files of the folder `front_end`, one after the other."""
    return "".join((FOLDER / "front_end" / name).read_text(encoding="utf-8") for name in names)
