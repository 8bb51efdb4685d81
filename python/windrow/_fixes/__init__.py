"""Changes to models, verified by runs: what windrow.fix() is made of."""
