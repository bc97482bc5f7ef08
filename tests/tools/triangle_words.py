"""What the triangle lab shows, for its tests without a browser: its words, its cells and their arrows."""

from __future__ import annotations

import re
from html import unescape


def said(lab) -> str:
    """All words on the page, without the picture and the table."""
    text = re.sub(r"<style>.*?</style>|<details>.*</details>|<svg.*</svg>", "", lab.page, flags=re.DOTALL)
    return unescape(" ".join(re.sub(r"<[^>]*>", " ", text).split()))


def cells(lab):
    """For each cell in the picture, its description and its content."""
    found = re.findall(
        r"<g class='place cell.*?data-to='(\d+),(\d+)'.*?(?:<input value='(.*?)'[^>]*?)? "
        r"aria-label='(.*?)'.*?(?:<text y='6'[^>]*>(.*?)</text>|</g>)",
        lab.page,
        flags=re.DOTALL,
    )
    return {(int(i), int(j)): (unescape(words), typed or number) for i, j, typed, words, number in found}


def numbers(lab):
    return {cell: number for cell, (_, number) in cells(lab).items()}


def arrows(lab):
    """For each arrow, who moves and whether it points to the right."""
    arrows = r"class='place cell (\w+)(.*?)</g>"
    found = re.findall(arrows, lab.page, flags=re.DOTALL)
    return [(who, way) for who, cell in found for way in re.findall(r"transform='scale\((-?1) 1\)'", cell)]
