"""A bench of calls that nobody chose: drawn at random from a seed, beside the peers and the limits."""
