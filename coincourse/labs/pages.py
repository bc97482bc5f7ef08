"""The pages of the labs: templates, filled in with what a lab has found out."""

from __future__ import annotations

from pathlib import Path

import jinja2
from markupsafe import Markup

from . import shared

HERE = Path(__file__).parent
# what `shared` gives
IN_ALL_PAGES = ("BALLS", "BLUE", "LIGHT", "ORANGE", "SKY", "WON", "lights_up", "make_game", "rules")
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(HERE / "templates"),
    auto_reload=False,  # they are files of the package
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)


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
    return Markup("".join((HERE / "templates" / name).read_text(encoding="utf-8") for name in ("page.css", *names)))


def listed(items, last: str) -> str:
    """Items in words: "1, 2 or 3"."""
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


TEMPLATES.filters |= {"listed": listed, "percent": shared.percent, "so_many": shared.so_many}
TEMPLATES.globals |= {name: getattr(shared, name) for name in IN_ALL_PAGES}
