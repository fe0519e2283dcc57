"""Commands that hand a motion to the robot."""
