"""What all labs are made of: controls, buttons, pages, runs, and the class `Lab` itself."""
