"""What is looked for in a motion: deeds of arms, legs and trunk, over the floor, and when."""
