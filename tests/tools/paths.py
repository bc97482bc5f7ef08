"""Where the tests find the course, and what they have stored."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
STORED = ROOT / "tests" / "stored"
