"""Training the default semantic verifier."""
