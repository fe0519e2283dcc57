"""Which body performs it: the Unitree G1's names, limits, model and kinematics."""

from texedo.robot.g1 import BODY_NAMES as BODY_NAMES
from texedo.robot.g1 import JOINT_NAMES as JOINT_NAMES
from texedo.robot.g1 import ROBOT_NAME as ROBOT_NAME
from texedo.robot.kinematics import BodyPoses as BodyPoses
from texedo.robot.kinematics import BodyVelocities as BodyVelocities
from texedo.robot.kinematics import body_velocities as body_velocities
from texedo.robot.kinematics import forward_kinematics as forward_kinematics
from texedo.robot.kinematics import motion_kinematics as motion_kinematics
from texedo.robot.mirror import mirror as mirror
