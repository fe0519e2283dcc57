"""People as judges: a blind sheet of pairs, and its answers read back."""
