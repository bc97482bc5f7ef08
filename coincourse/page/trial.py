"""Call the judge with nothing but the modules of a page: ``python -m coincourse.page.trial``.

It reads JSON, a list of calls such as ``["run", {"source": "1 + 1", "before": ""}]``, and prints a list with
the result of each call and the packages that were missing. `record_exercises` uses it to find out which
exercises can be done on a page.
"""

from __future__ import annotations

import json
import sys

from . import absent, in_page


def main() -> None:
    """Make all calls."""
    results = []
    for name, arguments in json.load(sys.stdin):
        absent.missed.clear()
        result = json.loads(getattr(in_page, name)(**arguments))
        results.append([result, list(absent.missed)])
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
