"""The default verifier: every word of a sentence looks for what it says in the motion."""
