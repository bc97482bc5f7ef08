"""`coinlib links`: where the lessons can be opened on the web."""

from __future__ import annotations

import argparse

from .talk import say


def options(parser: argparse.ArgumentParser) -> None:
    words = "for authors: put them into docs/online.md, and the address into CITATION.cff"
    parser.add_argument("--write", action="store_true", help=words)


def run(wanted: argparse.Namespace) -> None:
    from coincourse import course, links

    folder = course.home()
    if wanted.write:
        changed = links.write(folder)
        say(f"Changed: {', '.join(changed)}." if changed else "Nothing has changed.")
    elif links.repository(folder) is None:
        say(links.NOT_PUBLISHED)
    else:
        print(links.table(folder))  # as it stands: a folded link is no link
