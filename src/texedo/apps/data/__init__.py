"""`texedo data ...`: the corpus."""
