"""What the search shows besides titles: the texts of the pages, and where the terms in the glossary are.

A page that was opened as a file cannot read other pages. So the texts of all pages are in one script, which only
the results page loads.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from pathlib import Path

ARTICLE = re.compile(r'<article[^>]*role="main"[^>]*>(.*?)</article>', re.DOTALL)
NOT_READ = re.compile(
    r'<(script|style|svg|math)\b.*?</\1>|<a class="headerlink".*?</a>'
    r'|<p class="places">.*?</p>|<details class="map">.*?</details>',
    re.DOTALL,
)
TAG = re.compile(r"<[^>]+>")
TERM = re.compile(r'<dt id="(term-[^"]+)">(.*?)</dt>', re.DOTALL)
GLOSSARY = "docs/guide/glossary"


def without_accents(words: str) -> str:
    """Lower-case text without accents.

    >>> without_accents("Misère play")
    'misere play'
    """
    parts = unicodedata.normalize("NFD", words.lower())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def text_of(page: str) -> str:
    """The text of the main part of a page, on one line.

    >>> text_of('<article role="main" id="x"><p>Two <b>rows</b>.</p><script>1</script></article>')
    'Two rows.'
    """
    article = ARTICLE.search(page)
    if article is None:
        return ""
    open_text = NOT_READ.sub(" ", article[1])
    return " ".join(html.unescape(TAG.sub("", open_text.replace("</", " </"))).replace(" .", ".").split())


def write_texts(app, exception: Exception | None) -> None:
    """Write the script with all texts and the glossary's terms."""
    if exception is not None or app.builder.format != "html":
        return
    texts = {}
    terms = {}
    for docname in sorted(app.env.found_docs):
        page = (Path(app.outdir) / f"{docname}.html").read_text(encoding="utf-8")
        texts[docname] = text_of(page)
        if docname == GLOSSARY:
            for place, name in TERM.findall(page):
                for one in TAG.sub("", NOT_READ.sub("", name)).split(","):
                    terms[without_accents(html.unescape(one)).strip()] = place
    found = {"texts": texts, "terms": terms, "glossary": GLOSSARY}
    script = f"window.SEARCH_TEXTS = {json.dumps(found, ensure_ascii=False, separators=(',', ':'))};"
    (Path(app.outdir) / "_static" / "search_texts.js").write_text(script, encoding="utf-8")


def setup(app) -> dict:
    """Called by Sphinx."""
    app.connect("build-finished", write_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
