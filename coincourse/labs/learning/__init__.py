"""Labs about programs that learn: hats full of balls, and a Q-learner."""
