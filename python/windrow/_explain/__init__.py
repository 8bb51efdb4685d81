"""What one call does, element by element: what windrow.explain() is made of."""
