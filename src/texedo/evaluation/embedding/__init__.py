"""A space of sentences and motions, for measuring only."""
