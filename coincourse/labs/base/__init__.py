"""The parts of every lab: controls, buttons, pages, runs, and the class `Lab`."""
