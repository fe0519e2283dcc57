"""How well a tracker follows people it has never seen."""
