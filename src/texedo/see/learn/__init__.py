"""Training of the verifiers; nothing that runs one imports this."""
