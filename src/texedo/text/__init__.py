"""TEXT: prompt -> N candidate motions."""
