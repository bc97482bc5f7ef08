"""No test of pictures needs a screen."""

import matplotlib

matplotlib.use("Agg")
