"""`python -m coincourse` is the same as the command `coinlib`."""

import sys

from coincourse.terminal import main

sys.exit(main())
