"""Predictions that count, their answers, and the score; the questions of each lesson are next to this file."""
