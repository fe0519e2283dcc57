"""All ways of walking, each with the manner that its name promises."""

from __future__ import annotations

from functools import cache

from texedo.data.synth.author import arms
from texedo.data.synth.author.arms import Float64
from texedo.data.synth.author.gait import Gait


@cache
def gaits() -> dict[str, Gait]:
    """Every gait by its name."""
    return {**_paces(), **_quiet(), **_loaded()}


def _both(arm: Float64) -> tuple[Float64, Float64]:
    return arm, arm


# fmt: off
def _paces() -> dict[str, Gait]:
    """With arms that swing."""
    return {
        "plain": Gait(),
        "slow": Gait(step=0.2, side=0.15, swing=0.75, double=0.28, arm_swing=0.7),
        "brisk": Gait(step=0.32, side=0.24, swing=0.4, double=0.08, lean=0.07, drop=0.03),
        "aggressive": Gait(
            step=0.33, side=0.24, swing=0.4, double=0.1, lean=0.12, stoop=0.16,
            drop=0.055, arm_swing=1.7, roll=0.04, clearance=0.07,
        ),
        "cheerful": Gait(
            step=0.26, side=0.2, swing=0.4, double=0.1, drop=0.035, bob=0.03,
            roll=0.06, hips=0.1, clearance=0.09, arm_swing=1.8, pump=True,
        ),
        "soldier": Gait(
            step=0.27, side=0.2, swing=0.5, double=0.1, drop=0.02, lean=0.0,
            clearance=0.19, arm_swing=2.4,
        ),
        "stride": Gait(step=0.42, swing=0.46, double=0.08, lean=0.07, drop=0.05),
        "hobble": Gait(
            step=0.2, side=0.14, swing=0.5, double=0.12, drop=0.04, lean=0.06,
            stoop=0.1, roll=0.16, arm_swing=0.7,
        ),
        "limp": Gait(
            step=0.22, side=0.14, swing=0.5, double=0.16, drop=0.03, lean=0.05,
            stoop=0.08, roll=0.13, arm_swing=0.8,
        ),
    }
# fmt: on


# fmt: off
def _quiet() -> dict[str, Gait]:
    """Low and watchful, or low and in a hurry."""
    return {
        "cautious": Gait(
            step=0.16, side=0.13, swing=0.8, double=0.4, drop=0.04, lean=0.05,
            stoop=0.12, clearance=0.07, arm_swing=0.2,
            held=_both(arms.reach(0.24, 0.24, 0.02, like=(0.0, 0.4, 0.1, 0.3))),
        ),
        "sneaky": Gait(
            step=0.26, side=0.18, swing=0.75, double=0.3, drop=0.1, lean=0.12,
            stoop=0.25, clearance=0.13, arm_swing=0.0,
            held=_both(arms.reach(0.2, 0.17, 0.12, like=(-0.1, 0.35, -0.1, -0.6))),
        ),
        "crouched": Gait(
            step=0.2, side=0.15, swing=0.5, double=0.2, drop=0.165, lean=0.3,
            stoop=0.2, clearance=0.06, arm_swing=0.4, held=_both(arms.BENT),
        ),
        "scurry": Gait(
            step=0.16, side=0.15, swing=0.25, double=0.05, drop=0.06, lean=0.08,
            stoop=0.15, clearance=0.05, arm_swing=0.6, held=_both(arms.BENT),
        ),
        "panic": Gait(
            step=0.17, side=0.16, swing=0.25, double=0.05, drop=0.07, lean=0.06,
            stoop=0.1, clearance=0.05, roll=0.05, arm_swing=0.0, uneven=0.12,
            held=_both(arms.reach(0.15, 0.22, 0.4, like=(-0.5, 0.8, 0.3, -0.8))),
        ),
    }
# fmt: on


# fmt: off
def _loaded() -> dict[str, Gait]:
    """With something in the hands, or with little life in them."""
    return {
        "carrying": Gait(
            step=0.24, side=0.16, swing=0.5, double=0.18, drop=0.03, lean=0.02,
            arm_swing=0.0, held=_both(arms.carrying(0.03)),
        ),
        "balancing": Gait(
            step=0.16, side=0.12, swing=0.72, double=0.34, drop=0.04, lean=0.02,
            clearance=0.05, arm_swing=0.0, held=_both(arms.carrying(0.08)),
        ),
        "heavy": Gait(
            step=0.17, side=0.13, swing=0.55, double=0.3, drop=0.07, lean=-0.02,
            stoop=-0.14, roll=0.05, width=0.28, arm_swing=0.0, clearance=0.045,
            held=_both(arms.carrying(-0.06)),
        ),
        "shamble": Gait(
            step=0.15, side=0.12, swing=0.62, double=0.35, drop=0.04, lean=0.08,
            stoop=0.36, clearance=0.035, roll=0.12, arm_swing=0.25, scuff=0.15,
            uneven=0.25, held=_both(arms.LIMP),
        ),
        "zombie": Gait(
            step=0.17, side=0.13, swing=0.62, double=0.35, drop=0.02, lean=0.03,
            stoop=0.08, clearance=0.035, roll=0.14, arm_swing=0.0, scuff=0.12,
            uneven=0.2, held=_both(arms.SLEEPWALK),
        ),
        "stumble": Gait(
            step=0.2, side=0.15, swing=0.44, double=0.16, drop=0.05, lean=0.08,
            stoop=0.2, clearance=0.045, roll=0.16, hips=0.1, arm_swing=1.0, scuff=0.1,
            uneven=0.45, held=None,
        ),
    }
# fmt: on
