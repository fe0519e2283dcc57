"""`texedo generate` and `texedo demo`."""
