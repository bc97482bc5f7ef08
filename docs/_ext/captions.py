"""Give the captions in the list of pages a heading level: the theme marks them as headings without one."""

from __future__ import annotations

TREE = "furo_navigation_tree"


def give_level(app, page: str, template: str, context: dict, doctree) -> None:
    """Complete the list of pages that the theme made for one page."""
    if tree := context.get(TREE):
        context[TREE] = tree.replace('role="heading">', 'role="heading" aria-level="2">')


def setup(app) -> dict:
    """Called by Sphinx."""
    app.connect("html-page-context", give_level, priority=900)  # after the theme
    return {"parallel_read_safe": True, "parallel_write_safe": True}
