"""axe-core, which finds barriers for people who cannot see or use a mouse, on a page in a browser."""

from __future__ import annotations

import pytest

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# No rule with one of these tags needs the files of the styles, which a page from a file could not read.
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

    Where axe cannot decide, the same holds, but for contrast: on a ground of several colours it never can,
    and `unreadable` below measures it.
    """
    missing = "axe-playwright-python is not installed"
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=missing)
    context = {
        "include": [[place] for place in places if page.locator(place).count()],
        "exclude": [[place] for place in without],
    }
    # JupyterLab's page has no height: axe takes its texts for invisible, and does not measure their contrast.
    page.add_style_tag(content="body { min-height: 100vh }")
    found = axe.Axe().run(page, context=context, options=rules).response
    doubts = [rule for rule in found["incomplete"] if rule["id"] != "color-contrast"]
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:160]}"
        for rule in found["violations"] + doubts
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]
