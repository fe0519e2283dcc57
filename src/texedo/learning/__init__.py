"""What every trainer and every network shares: runs on disk, clock, features, kinematics."""
