"""How good it all is."""
