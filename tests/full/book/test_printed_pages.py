"""The sheets that a teacher prints, in a browser: what is chosen is printed, on as many pages of A4 as it has sheets."""

from __future__ import annotations

import re

from paths import ROOT

PAGE = ROOT / "docs" / "guide" / "to-print.html"


def pages_of(page) -> list[tuple[str, str]]:
    """The width and height, in points, of each page of the PDF that a browser prints."""
    pdf = page.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/Type\s*/Page\b.*?/MediaBox\s*\[0 0 (\S+) (\S+)\]", pdf, re.DOTALL)
    return [(round(float(width)), round(float(height))) for width, height in boxes]


def test_each_section_is_printed_alone_and_each_sheet_fills_one_page_of_a4(chromium):
    page = chromium.new_page()
    page.goto(PAGE.as_uri())
    sheets = page.evaluate("[...document.querySelectorAll('section')].map(s => [s.id, s.children.length])")
    assert pages_of(page) == [(595, 842)] * sum(number for _, number in sheets)
    for name, number in sheets:
        page.locator(f"nav a[href='#{name}']").click()
        assert len(pages_of(page)) == number <= 2, name
        assert page.locator("section:visible").count() == 1
    page.locator("nav a", has_text="all").click()
    assert page.locator("section:visible").count() == len(sheets) > 5
    page.close()
