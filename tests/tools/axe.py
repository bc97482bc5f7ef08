"""axe-core, which finds barriers on a web page for people who cannot see or cannot use a mouse."""

from __future__ import annotations

import pytest

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# No rule with one of these tags needs the style sheets, which a page opened as a file could not read.
ALL = {
    "runOnly": {"type": "tag", "values": TAGS},
    "resultTypes": ["violations", "incomplete"],
    "preload": False,
}
# all that another theme changes
CONTRAST = {"runOnly": ["color-contrast"], "resultTypes": ["violations"], "preload": False}
GRAVE = ("serious", "critical")


def barriers(page, places=("body",), rules=ALL, without=()):
    """What axe calls serious or critical in some places of a page, and not in others, as text.

    It includes what axe cannot decide, except contrast: on a background of several colours it never can,
    and `unreadable` below measures that.
    """
    missing = "axe-playwright-python is not installed"
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=missing)
    context = {
        "include": [[place] for place in places if page.locator(place).count()],
        "exclude": [[place] for place in without],
    }
    # JupyterLab's page has no height: axe thinks its text is invisible, and does not measure its contrast.
    page.add_style_tag(content="body { min-height: 100vh }")
    found = axe.Axe().run(page, context=context, options=rules).response
    doubts = [rule for rule in found["incomplete"] if rule["id"] != "color-contrast"]
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:160]}"
        for rule in found["violations"] + doubts
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]
