"""What it costs: seconds of every step, and how time and memory grow with the size."""
