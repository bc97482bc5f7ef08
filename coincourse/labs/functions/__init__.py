"""Sliders over a function that a student writes."""
