"""Recordings of people: BVH files, skeletons, and the databases they come from."""
