"""Predictions that count, their answers, and the score; the questions of each lesson lie beside this file."""
