"""What can be said about a motion without a controller: `check_motion`.

    report = check_motion(motion)
    report.verdict                      # "pass", "offset", "warn" or "fail"
    report["hover"].value               # [m]

Each check is one number and its limits; `check_limits` has them and the reason for each.
`fail` is what no controller could do, or what endangers the robot; `warn` is what a
controller may forgive or not; `offset` is a fault that `robot.repair` takes away and that a
controller hardly minds. How often physics confirms each is in docs/check.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from texedo.motion import FPS, Motion
from texedo.robot.check_limits import LIMITS
from texedo.robot.check_measures import MEASURES, FileFrames, Series, Worst

Verdict = Literal["pass", "offset", "warn", "fail"]
VERDICTS: tuple[Verdict, ...] = ("pass", "offset", "warn", "fail")
"""From the best to the worst."""

CONTACT_HEIGHT = 0.01
"""A shape this near to the floor touches it [m]."""


@dataclass(frozen=True, kw_only=True)
class CheckItem:
    """One check of one motion."""

    name: str
    value: float
    """The worst value, in `unit`."""
    offset: float
    """Over this it is to be repaired; infinite if it never is. So for the others."""
    warn: float
    fail: float
    unit: str
    verdict: Verdict
    frame: int
    """Where the worst value is; the first frame of a stretch."""
    where: str
    """Joint, body or pair of shapes of the worst value; empty if it is the robot."""
    frames_over: int
    """Frames whose own value is over the lowest of the limits."""

    @property
    def time(self) -> float:
        """When the worst value is [s]."""
        return self.frame / FPS

    @property
    def phrase(self) -> str:
        """Value, time and place in a few words."""
        place = f", {self.where}" if self.where else ""
        value = short_number(self.value)
        return f"{self.name} {value} {self.unit} ({self.time:.2f} s{place})"

    @property
    def why(self) -> str:
        """What is measured, and the reason for the limits."""
        return LIMITS[self.name].why


@dataclass(frozen=True, kw_only=True)
class CheckReport:
    """All checks of one motion, in the order of `LIMITS`."""

    num_frames: int
    items: tuple[CheckItem, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of all items."""
        return max((item.verdict for item in self.items), key=VERDICTS.index)

    def __getitem__(self, name: str) -> CheckItem:
        return next(item for item in self.items if item.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings, ready for JSON; a limit that is not there is None."""
        items = [
            {
                "name": item.name,
                "value": item.value,
                "unit": item.unit,
                "offset": _or_none(item.offset),
                "warn": _or_none(item.warn),
                "fail": _or_none(item.fail),
                "verdict": item.verdict,
                "frame": item.frame,
                "time_s": item.time,
                "where": item.where,
                "frames_over": item.frames_over,
            }
            for item in self.items
        ]
        return {
            "num_frames": self.num_frames,
            "duration_s": (self.num_frames - 1) / FPS,
            "verdict": self.verdict,
            "checks": items,
        }


def check_motion(motion: Motion, frames: FileFrames | None = None) -> CheckReport:
    """Measure a motion against everything in `LIMITS`.

    `frames` are those of the file that the motion was read from, if it has another rate:
    steps and jumps are measured between them.
    """
    series = Series(motion, frames)
    items = tuple(_judge(name, MEASURES[name](series)) for name in LIMITS)
    return CheckReport(num_frames=len(motion), items=items)


def short_number(value: float) -> str:
    """Three digits, and no powers of ten for what is as good as zero."""
    if not isfinite(value):
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{round(value, 4):.3g}"


def _judge(name: str, worst: Worst) -> CheckItem:
    limit = LIMITS[name]
    value = float(worst.value)
    over = [level for level in VERDICTS[1:] if value > getattr(limit, level)]
    return CheckItem(
        name=name,
        value=value,
        offset=limit.offset,
        warn=limit.warn,
        fail=limit.fail,
        unit=limit.unit,
        verdict=over[-1] if over else "pass",
        frame=int(worst.frame),
        where=worst.where,
        frames_over=int((worst.each > limit.lowest).sum()),
    )


def _or_none(limit: float) -> float | None:
    return limit if isfinite(limit) else None
