"""What a motion is: the type, rotations, and edits. Needs numpy alone."""

from texedo.motion.edit import canonicalize as canonicalize
from texedo.motion.edit import change_speed as change_speed
from texedo.motion.edit import concatenate as concatenate
from texedo.motion.edit import place as place
from texedo.motion.edit import relative_yaw as relative_yaw
from texedo.motion.edit import trim as trim
from texedo.motion.motion import FPS as FPS
from texedo.motion.motion import MAX_FRAMES as MAX_FRAMES
from texedo.motion.motion import NUM_JOINTS as NUM_JOINTS
from texedo.motion.motion import Motion as Motion
from texedo.motion.resample import resample as resample
