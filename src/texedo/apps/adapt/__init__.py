"""`texedo adapt`: another tracker, the same verifier, a few thousand labels."""
