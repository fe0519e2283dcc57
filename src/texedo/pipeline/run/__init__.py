"""The folder of a run on disk: what is in it, whose it is, and its pictures."""
