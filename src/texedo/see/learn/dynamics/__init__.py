"""Trains dynamic verifiers on motions that a tracker performed."""
