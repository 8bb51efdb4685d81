"""Where runtimes differ on a model: what windrow.check() is made of."""
