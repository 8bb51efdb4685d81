"""What one collective take costs, by formulas and by a simulation, for any number of ranks."""
