"""Training of the motion language model."""
