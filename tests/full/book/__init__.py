"""A package, so that what its conftest.py opens is closed after its last test."""
