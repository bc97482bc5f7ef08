"""What must hold wherever a test run begins, also in a single notebook."""

import os

# a bar that comes up because the machine is busy would differ from what the lessons have stored
os.environ["TQDM_DISABLE"] = "1"

collect_ignore_glob = ["docs/*.py", "docs/_ext"]  # pages of docs/ hold examples; the programs of the book do not
