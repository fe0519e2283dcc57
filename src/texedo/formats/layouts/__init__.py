"""Every layout of a motion file, one module each."""
