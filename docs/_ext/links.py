"""Turn mentions into links: a lesson to its page, a section to its heading, a bold word to the glossary.

A mention is how the course refers to lessons and sections: "lesson 05", "lessons 05 and 07", "07 · §3", and,
in a lesson or in the teacher's page about it, "section 3". In a plan each table row begins with the number
of its lesson.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes

GLOSSARY = "docs/guide/glossary"
MENTION = re.compile(
    r"(?P<lessons>\blessons? \d\d(?:(?: \([^()]*\))?(?:, and |, | and | to | or )\d\d\b)*)"
    r"|(?P<plan>\b\d\d · §\d+)"
    r"|(?P<mark>§\d+)"
    r"|(?P<sections>\bsections? \d+(?:(?:, and |, | and | to | or )\d+\b)*)",
    re.IGNORECASE,
)
# "lesson 05", and the bare numbers after it; text in brackets is not part of a mention
NUMBERED = re.compile(r"\([^()]*\)|(?:\b(?:lesson|section)s? |§)?\d+", re.IGNORECASE)
QUIET = (nodes.title, nodes.reference, nodes.literal, nodes.literal_block, nodes.math, nodes.raw)


def add_ids(app, doctree: nodes.document) -> None:
    """Give each term in the glossary an anchor."""
    if app.env.docname != GLOSSARY:
        return
    terms = {}
    for term in doctree.findall(nodes.term):
        place = nodes.make_id(f"term {term.astext()}")
        term["ids"].append(place)
        for name in term.astext().split(", "):
            terms[name.lower()] = place
    app.env.metadata[GLOSSARY]["terms"] = terms


def add_links(app, doctree: nodes.document, docname: str) -> None:
    """Turn the mentions on a page into links."""
    lessons = [name for name in app.env.found_docs if re.match(r"notebooks/\d\d_", name)]
    pages = {name.split("/")[1][:2]: name for name in lessons}
    here = re.match(r"(?:notebooks|docs/guide)/(\d\d)", docname)
    found = Mentions(app, docname, pages, here[1] if here else "")
    for text in list(doctree.findall(nodes.Text)):
        if not any(isinstance(parent, QUIET) for parent in _parents(text)):
            parts = list(found.linked(text.astext(), _lesson_of_row(text)))
            if len(parts) > 1:
                text.parent.replace(text, parts)
    if docname != GLOSSARY:
        found.link_terms(doctree)


def _parents(node: nodes.Node) -> Iterator[nodes.Node]:
    while node.parent is not None:
        node = node.parent
        yield node


def _lesson_of_row(node: nodes.Node) -> str:
    """The number of the lesson at the beginning of a table row; "" if there is none."""
    row = next((parent for parent in _parents(node) if isinstance(parent, nodes.row)), None)
    begins = row[0].astext() if row else ""
    return begins if re.fullmatch(r"\d\d", begins) else ""


class Mentions:
    """The mentions on one page.

    Parameters
    ----------
    app : Sphinx
    docname : str
        The page.
    pages : dict of str to str
        The page of each lesson, by its number in two digits.
    here : str
        The number of the lesson that the page is about; "" if there is none.
    """

    def __init__(self, app, docname: str, pages: dict[str, str], here: str) -> None:
        self.app = app
        self.docname = docname
        self.pages = pages
        self.here = here

    def linked(self, words: str, lesson: str) -> Iterator[nodes.Node]:
        """A text split into parts, with mentions as links; `lesson` is that of its table row, or ""."""
        end = 0
        for mention in MENTION.finditer(words):
            kind = mention.lastgroup
            names = [mention] if kind == "plan" else NUMBERED.finditer(words, mention.start(), mention.end())
            for name in names:
                address = self._address(kind, name[0], lesson or self.here)
                if address:
                    yield nodes.Text(words[end : name.start()])
                    yield nodes.reference("", name[0], internal=True, refuri=address)
                    end = name.end()
        yield nodes.Text(words[end:])

    def link_terms(self, doctree: nodes.document) -> None:
        """Link each bold term to its entry in the glossary."""
        terms = self.app.env.metadata[GLOSSARY].get("terms", {})
        for strong in list(doctree.findall(nodes.strong)):
            place = terms.get(strong.astext().lower().rstrip("."))
            inside = any(isinstance(parent, QUIET) for parent in _parents(strong))
            if place and not inside and len(strong.children) == 1:
                address = self._page(GLOSSARY) + f"#{place}"
                strong.children[0].parent = None
                strong[:] = [nodes.reference("", strong.astext(), internal=True, refuri=address)]

    def _address(self, kind: str, name: str, lesson: str) -> str:
        """The address of a mention; "" if there is no such page, or it is this page."""
        if name.startswith("("):
            return ""
        numbers = re.findall(r"\d+", name)
        if kind == "lessons":
            page = self.pages.get(numbers[0])
            return self._page(page) if page and page != self.docname else ""
        number = numbers[0] if kind == "plan" else lesson
        page = self.pages.get(number)
        anchor = self._anchor(page, numbers[-1]) if page else ""
        if not anchor:
            return ""
        return anchor if page == self.docname else self._page(page) + anchor

    def _page(self, page: str) -> str:
        return self.app.builder.get_relative_uri(self.docname, page)

    def _anchor(self, page: str, number: str) -> str:
        """The anchor of a numbered section of a page."""
        for entry in self.app.env.tocs[page].findall(nodes.reference):
            if entry.astext().startswith(f"{number} ·"):
                return entry["anchorname"]
        return ""


def setup(app) -> dict:
    """Called by Sphinx."""
    app.connect("doctree-read", add_ids)
    app.connect("doctree-resolved", add_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
