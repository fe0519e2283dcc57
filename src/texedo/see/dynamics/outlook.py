"""A forecast in words: will the robot finish, and if not when, where and by what.

The riskiest second of a motion is the one in which the robot most likely fails given that
it gets there; it is known where the verifier gives a hazard per frame. The time of a
fall is the middle of what is expected: half of all falls come before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from texedo.motion import FPS
from texedo.quality import TERMINATIONS, reason_text
from texedo.see.dynamics.protocol import LIMBS, Filter, Float32, Float64, Forecast

SECOND = round(FPS)
"""Frames of a second."""
LIKELY = 0.5
"""From this probability of success on a motion is expected to finish."""
SAFE = 0.9
"""Below it, what is most likely to go wrong is told of a motion that should finish."""
UNREADABLE = "cannot be foreseen: too short, or not finite"
_PARTS = {"anchor_pos": "pelvis", "anchor_ori": "pelvis"}
_HEIGHT_OF_A_LIMB = TERMINATIONS.index("ee_body_pos")


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What is expected of one motion; None is what the verifier does not know."""

    r_dyn: float | None
    success: float | None
    """Probability that the robot finishes."""
    robust: float | None
    """Share of perturbed robots that finish."""
    quality: float | None
    """How closely it follows, q_d."""
    progress: float | None
    """Share of the motion that it performs if it fails."""
    fall_s: float | None
    """When it falls, if it does [s]."""
    riskiest_s: float | None
    """When the riskiest second is [s]."""
    risk: float | None
    """Probability that it fails in that second, given that it gets there."""
    part: str | None
    """What ends the performance, if it fails: "right foot", "pelvis"."""
    termination: str | None
    """By which rule, one of `quality.TERMINATIONS`."""

    @property
    def readable(self) -> bool:
        """Whether the verifier has an opinion at all."""
        return self.success is not None and self.r_dyn is not None

    def screened(self, by: Filter) -> float | None:
        """What a threshold is of."""
        return self.success if by == "success" else self.r_dyn

    @property
    def finishes(self) -> bool:
        """Whether it is more likely to finish than not."""
        return self.success is not None and self.success >= LIKELY

    @property
    def cause(self) -> str:
        """What goes wrong if something does, as in "right foot height"; or nothing."""
        if self.termination is None:
            return ""
        if self.termination not in _PARTS and self.part is not None:
            return f"{self.part} height"
        return reason_text([self.termination])

    def in_words(self) -> str:
        """One phrase for people."""
        if not self.readable:
            return UNREADABLE
        if not self.finishes:
            return _joined("expected to fall", _at(self.fall_s), self.cause)
        said = f"expected to finish ({self.success:.2f})"
        if self.success is None or self.success >= SAFE or self.riskiest_s is None:
            return said
        return _joined(f"{said}, riskiest", _at(self.riskiest_s), self.cause)

    def to_dict(self) -> dict[str, Any]:
        """Columns of a table."""
        return {
            "expected_success": self.success,
            "expected_robust": self.robust,
            "expected_quality": self.quality,
            "expected_progress": self.progress,
            "expected_fall_s": self.fall_s,
            "riskiest_s": self.riskiest_s,
            "risk": self.risk,
            "expected_part": self.part,
            "expected_termination": self.termination,
        }


def outlooks(forecast: Forecast) -> Iterator[Outlook]:
    """That of each motion, in their order."""
    for i in range(len(forecast)):
        hazard = None if forecast.hazard is None else forecast.hazard[i]
        known = hazard is not None and len(hazard) > 0 and np.isfinite(hazard).all()
        risk = riskiest_second(hazard) if known and hazard is not None else None
        termination, part = _ending(forecast.reasons[i], forecast.limbs[i])
        yield Outlook(
            r_dyn=_known(forecast.r_dyn[i]),
            success=_known(forecast.success[i]),
            robust=_known(forecast.robust[i]),
            quality=_known(forecast.quality[i]),
            progress=_known(forecast.progress[i]),
            fall_s=fall_time(hazard) if known and hazard is not None else None,
            riskiest_s=None if risk is None else risk[0],
            risk=None if risk is None else risk[1],
            part=part,
            termination=termination,
        )


def survival_curve(hazard: Float32) -> Float64:
    """Probability that the robot is past each frame, (T,)."""
    return np.asarray(np.cumprod(1.0 - hazard, dtype=np.float64), dtype=np.float64)


def fall_time(hazard: Float32) -> float | None:
    """Time by which half of the falls have happened [s]; None if there are none."""
    fallen = 1.0 - survival_curve(hazard)
    if fallen[-1] <= 0:
        return None
    return int(np.searchsorted(fallen, fallen[-1] / 2)) / FPS


def riskiest_second(hazard: Float32) -> tuple[float, float]:
    """When it is [s], and the probability to fail in it for a robot that gets there.

    Of a whole second with a peak at its end the peak is the news: the time is the mean
    over its frames, weighted by their hazard.
    """
    rate = np.asarray(hazard, dtype=np.float64)
    # Sums of logarithms: a window's survival is a difference, also after a sure fall.
    safe = np.clip(rate, 0.0, 1 - 1e-12)
    total = np.concatenate(([0.0], np.cumsum(np.log1p(-safe))))
    width = min(SECOND, len(rate))
    falls = 1.0 - np.exp(total[width:] - total[:-width])
    start = int(falls.argmax())
    frames = np.arange(start, start + width)
    weight = rate[start : start + width] + 1e-12
    return float((frames * weight).sum() / weight.sum()) / FPS, float(falls[start])


def risk_near(hazard: Float32) -> Float64:
    """Probability to fail within half a second of each frame, before or after, (T,)."""
    rate = np.clip(np.asarray(hazard, dtype=np.float64), 0.0, 1 - 1e-12)
    total = np.concatenate(([0.0], np.cumsum(np.log1p(-rate))))
    frame = np.arange(len(rate))
    first = np.maximum(frame - SECOND // 2, 0)
    last = np.minimum(frame + SECOND - SECOND // 2, len(rate))
    return np.asarray(-np.expm1(total[last] - total[first]))


def risk_by_second(hazard: Float32) -> list[float]:
    """Probability to fail in each second for a robot that gets there."""
    starts = range(0, len(hazard), SECOND)
    return [
        round(1 - float(survival_curve(hazard[at : at + SECOND])[-1]), 6)
        for at in starts
    ]


def _ending(reasons: Float64, limbs: Float64) -> tuple[str | None, str | None]:
    """The most likely termination and the part of the body that it is about."""
    if not np.isfinite(reasons).all():
        return None, None
    index = int(reasons.argmax())
    name = TERMINATIONS[index]
    if index != _HEIGHT_OF_A_LIMB:
        return name, _PARTS[name]
    return name, LIMBS[int(limbs.argmax())] if np.isfinite(limbs).all() else None


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _at(seconds: float | None) -> str:
    return "" if seconds is None else f"at {seconds:.1f} s"


def _joined(said: str, when: str, why: str) -> str:
    said = f"{said} {when}" if when else said
    return f"{said}: {why}" if why else said
