"""The default dynamic verifier: at which frame will it go wrong, and why."""
