"""The limits of `robot.check`, and the reason for each."""

from __future__ import annotations

from typing import NamedTuple

from texedo.robot import g1


class Limit(NamedTuple):
    """When a check warns and when it fails, and why there."""

    warn: float
    fail: float
    unit: str
    why: str


_UNLOADED_WRIST = float((g1.EFFORT_LIMIT / g1.ARMATURE).min())

LIMITS: dict[str, Limit] = {
    "joint range": Limit(
        0.001,
        0.05,
        "rad",
        "How far an angle lies outside its joint's range. 0.001 is the rounding of text "
        "files; 0.05 moves the hand of a stretched arm by 2.6 cm.",
    ),
    "joint speed": Limit(
        0.8,
        1.0,
        "x motor",
        "Fastest joint between two frames, as a share of its motor's top speed. Torque "
        "runs out before that speed is reached.",
    ),
    "self-penetration": Limit(
        0.01,
        0.035,
        "m",
        "Deepest overlap of two of the robot's contact shapes. Under 1 cm is touch; at "
        "3.5 cm, a forearm's radius, one limb is inside another.",
    ),
    "ground penetration": Limit(
        0.01,
        -g1.SOLE_HEIGHT,
        "m",
        "Deepest point under the floor. At 3.5 cm a flat foot has its ankle joint in "
        "the floor.",
    ),
    "float time": Limit(
        0.35,
        0.6,
        "s",
        "Longest time with nothing within 1 cm of the floor. A body in free flight for "
        "0.35 s rises 0.15 m, for 0.6 s 0.44 m: over half the height of its hips.",
    ),
    "float height": Limit(
        0.15,
        0.45,
        "m",
        "Highest that the lowest point of the robot gets: the same jumps as heights.",
    ),
    "foot skate": Limit(
        0.3,
        1.0,
        "m/s",
        "Mean horizontal speed of a sole's centre while the sole is within 1 cm of the "
        "floor. Captured walking can reach 0.5, because a foot swings that low; "
        "1 m/s is walking speed on feet that never lift.",
    ),
    "root speed": Limit(
        3.5,
        6.0,
        "m/s",
        "Fastest move of the pelvis between two frames. 3.5 is a run; 6 comes from a "
        "wrong scale or frame rate, or from a gap.",
    ),
    "root jump": Limit(
        60.0,
        150.0,
        "m/s^2",
        "Largest acceleration of the pelvis: a frame that lies 2.4 cm (6 cm to fail) off "
        "the line of its neighbours.",
    ),
    "root turn jump": Limit(
        250.0,
        750.0,
        "rad/s^2",
        "The same for the pelvis' orientation: 0.1 rad (0.3 rad) off in one frame.",
    ),
    "joint jump": Limit(
        400.0,
        _UNLOADED_WRIST,
        "rad/s^2",
        "Largest joint acceleration: 0.16 rad off the line of its neighbours warns; it "
        "fails at what the smallest motor gives to its own rotor with no load at all.",
    ),
    "start pose": Limit(
        0.2,
        0.5,
        "m",
        "Mean distance of the 14 tracked bodies in the first frame from standing with "
        "bent knees, wherever the robot stands and faces. Over 0.5 it starts lying down "
        "or upside down.",
    ),
}
