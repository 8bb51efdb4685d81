"""Measures runtimes by the corpus of gathers and scatters. It needs only NumPy and the measured runtimes."""
