"""Exercises on a page of the web book: recorded when the book is built, judged in the reader's browser."""
