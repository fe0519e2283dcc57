"""Training of the paper's semantic verifier: movement codes first, then both GRUs."""
