"""A progress bar for work that takes long."""

import os
import sys


def progress_bar(**options):
    """A bar of tqdm, which shows itself in a terminal and a notebook, but not in a file.

    TQDM_DISABLE=1 in the environment hides it. `options` are those of `tqdm.auto.tqdm`: `total`, `unit`,
    `delay` and so on.
    """
    from tqdm.auto import tqdm

    somebody_looks = sys.stderr.isatty() or "ipykernel" in sys.modules
    hidden = bool(os.environ.get("TQDM_DISABLE"))  # tqdm's bar for notebooks does not look at this itself
    return tqdm(leave=False, disable=hidden or not somebody_looks, **options)
