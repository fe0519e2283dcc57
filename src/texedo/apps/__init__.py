"""How people use it: the `texedo` command."""
