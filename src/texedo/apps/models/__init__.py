"""Commands about the weights on this machine."""
