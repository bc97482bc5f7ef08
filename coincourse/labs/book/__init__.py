"""Labs in the web book, where no Python runs: what a page needs to answer in its place. See docs/living.md."""
