"""Weights as files: what ships, what others released, how they are read."""
