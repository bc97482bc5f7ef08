"""What makes a course of the library: labs, checks, programs for the terminal, the classroom, agents from outside."""
