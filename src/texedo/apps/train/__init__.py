"""`texedo train ...`."""
