"""Candidates as training data: drawn for many prompts, and told what they really do."""
