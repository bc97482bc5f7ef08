"""Sliders for any function that a student writes."""
