"""The limits of `robot.check`, and the reason for each."""

from __future__ import annotations

from math import inf
from typing import NamedTuple


class Limit(NamedTuple):
    """When a check warns, when it is a fault to be repaired, when it fails, and why."""

    unit: str
    why: str
    warn: float = inf
    offset: float = inf
    fail: float = inf

    @property
    def lowest(self) -> float:
        """Over this the check no longer passes."""
        return min(self.warn, self.offset, self.fail)


LIMITS: dict[str, Limit] = {
    "joint range": Limit(
        "rad",
        "x",
        offset=0.001,
    ),
    "joint speed": Limit("x motor", "x", offset=1.0),
    "joint jump": Limit("rad/s^2", "x", warn=1200, offset=2000),
    "self-penetration": Limit("m", "x", offset=0.01),
    "ground penetration": Limit("m", "x", offset=0.015, fail=0.25),
    "hover": Limit("m", "x", offset=0.015, fail=0.25),
    "foot skate": Limit("m/s", "x", warn=0.3, offset=0.5),
    "jump height": Limit("m", "x", warn=0.15, fail=0.35),
    "balance": Limit("m", "x", warn=0.1, fail=0.35),
    "tilt": Limit("degrees", "x", warn=60, fail=inf),
    "root speed": Limit("m/s", "x", warn=2.5, fail=5.0),
    "turn speed": Limit("rad/s", "x", warn=6.0, fail=12.0),
    "root jump": Limit("m/s^2", "x", warn=80, offset=150),
    "root turn jump": Limit("rad/s^2", "x", warn=400, offset=750),
    "start pose": Limit("m", "x", warn=0.2, fail=0.5),
}
