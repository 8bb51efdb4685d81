"""Times take() on Arrow columns beside pyarrow, Polars and pandas."""
