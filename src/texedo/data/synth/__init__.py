"""Motions that nobody captured: authored, composed, varied, drills, and spoiled ones."""
