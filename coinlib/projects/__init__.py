"""What only the three projects use: networks, outcomes that repeat, and heaps that are split."""
