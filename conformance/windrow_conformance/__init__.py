"""Measures runtimes by the corpus of gathers and scatters. It needs NumPy alone, and the runtimes that are measured."""
