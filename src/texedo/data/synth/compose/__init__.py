"""Clips made from clips: mirrored, faster or slower, overlaid, joined."""
