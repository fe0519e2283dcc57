"""Motions that nobody captured: authored, composed, varied, and drills."""
