"""R_dyn: will the robot manage a motion, known without a simulator."""
