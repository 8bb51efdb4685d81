"""What windrow.torch is made of."""
