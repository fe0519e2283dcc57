"""SEE: candidates -> scores."""
