"""What the theme leaves out for readers with a screen reader: the level of the headings beside the page."""

from __future__ import annotations

BARE, WHOLE = 'class="caption" role="heading"', 'class="caption" role="heading" aria-level="2"'


def name_levels(app, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Sphinx calls the captions of the contents headings and does not say of which level."""
    if "furo_navigation_tree" in context:
        context["furo_navigation_tree"] = context["furo_navigation_tree"].replace(BARE, WHOLE)


def setup(app) -> dict:
    """Called by Sphinx."""
    app.connect("html-page-context", name_levels, priority=900)  # after the theme has made its contents
    return {"parallel_read_safe": True, "parallel_write_safe": True}
