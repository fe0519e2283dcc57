"""From a plan of feet and weight to a motion of the robot."""
