"""Labs about perfect play: three piles, the proof for one row, and the triangle of greedy coins."""
