"""The limits of `robot.check`, and the reason for each.

They are calibrated: docs/check.md says how often a controller in physics confirms each.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple


class Limit(NamedTuple):
    """When a check is a fault to be repaired, when it warns, when it fails, and why."""

    unit: str
    why: str
    offset: float = inf
    warn: float = inf
    fail: float = inf

    @property
    def lowest(self) -> float:
        """Over this the check no longer passes."""
        return min(self.offset, self.warn, self.fail)


LIMITS: dict[str, Limit] = {
    "joint range": Limit(
        "rad",
        "How far an angle lies outside its joint's range. 0.001 is the rounding of text "
        "files. Every controller clamps; by 0.15 the pose is another.",
        offset=0.001,
        warn=0.15,
    ),
    "joint speed": Limit(
        "x motor",
        "Fastest joint between two frames of the file, as a share of its motor's top "
        "speed. The motor comes late, and mostly catches up.",
        warn=1.0,
    ),
    "joint jump": Limit(
        "rad/s^2",
        "Largest joint acceleration between three frames of the file. At 1200 the "
        "smallest motor needs all its torque for its own rotor: a glitch, not a motion.",
        offset=1200.0,
        warn=2000.0,
    ),
    "self-penetration": Limit(
        "m",
        "Deepest overlap of two of the robot's contact shapes. Under 1 cm is touch. "
        "Limbs meet before they get there, and a controller gives way; by 10 cm it is "
        "pushed off its feet.",
        offset=0.01,
        warn=0.1,
    ),
    "ground penetration": Limit(
        "m",
        "Deepest point under the floor. A foot that is 1.5 cm deep stands on the floor "
        "instead; over 6 cm legs have no room left, over 15 cm they never manage.",
        offset=0.015,
        warn=0.06,
        fail=0.15,
    ),
    "hover": Limit(
        "m",
        "How high the lowest point of the robot stays for over a second. The robot falls "
        "by so much at once: 2 cm are nothing, 20 cm are a fall.",
        offset=0.015,
        warn=0.1,
        fail=0.2,
    ),
    "foot skate": Limit(
        "m/s",
        "Mean horizontal speed of the soles while they stand: their centre within 1 cm of "
        "the floor for 0.1 s or more. In captured motions it is under 0.1; at 0.5 feet "
        "no longer carry.",
        offset=0.2,
        warn=0.5,
    ),
    "root jump": Limit(
        "m/s^2",
        "Largest acceleration of the pelvis between three frames of the file; 80 is a "
        "landing at eight times gravity, or a frame that lies off its neighbours.",
        warn=80.0,
    ),
    "root turn jump": Limit(
        "rad/s^2",
        "The same for the pelvis' orientation: at 400 a frame at 50 Hz lies 0.16 rad off "
        "the line of its neighbours.",
        warn=400.0,
    ),
    "vertical speed": Limit(
        "m/s",
        "Fastest rise or fall of the centre of mass. 0.9 is a jump of 4 cm, or a quick "
        "squat; 2 a jump of 20 cm, which takes more than the motors have.",
        warn=0.9,
        fail=2.0,
    ),
    "ground speed": Limit(
        "m/s",
        "Fastest move of the centre of mass along the floor. 2 is a run; over 3.6 the "
        "legs outrun their motors, or the scale or frame rate is wrong.",
        warn=2.0,
        fail=3.6,
    ),
    "turn speed": Limit(
        "rad/s",
        "Fastest turn of the pelvis over 0.1 s. At 5 a full turn takes 1.3 s, and feet "
        "that must not slip do not come round.",
        warn=5.0,
    ),
    "sideways push": Limit(
        "x load",
        "How hard the floor would have to push along itself, as a share of the load on "
        "it, over 0.2 s. Soles slip from about 0.5 on; by 4 the robot is thrown.",
        warn=0.5,
        fail=4.0,
    ),
    "balance": Limit(
        "m",
        "How far the point where the floor would have to push (the zero-moment point) "
        "lies outside of what is near the floor, over 0.5 s, no frame counted for more "
        "than 0.75 m: a controller forgives a moment. Over 0.42 there is nothing to stand "
        "on for a quarter of a second and more.",
        warn=0.15,
        fail=0.42,
    ),
    "tilt": Limit(
        "degrees",
        "How far the pelvis leans from upright. Over 50 it is a deep bow; over 80 the "
        "robot lies, rolls or turns over.",
        warn=50.0,
        fail=80.0,
    ),
    "start pose": Limit(
        "m",
        "Mean distance of the 14 tracked bodies in the first frame from standing with "
        "bent knees, wherever the robot stands and faces. Over 0.5 it starts lying down "
        "or upside down.",
        warn=0.25,
        fail=0.5,
    ),
}
