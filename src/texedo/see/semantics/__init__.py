"""Does a motion mean what the sentence says? The semantic verifiers."""
