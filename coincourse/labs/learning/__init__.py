"""Labs about programs that learn: how much practice helps, hats full of balls, and a Q-learner."""
