"""What only the three projects use: networks, and values on one row that repeat or are split."""
