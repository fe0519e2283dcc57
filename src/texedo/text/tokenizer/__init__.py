"""Motions as tokens, and back."""
