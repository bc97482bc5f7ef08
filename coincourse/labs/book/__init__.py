"""Labs in the web book, where no Python runs: everything that a page needs to answer for them. See docs/living.md."""
