"""`python -m coinlib` is the same as the command `coinlib`."""

import sys

from coinlib.console import main

sys.exit(main())
