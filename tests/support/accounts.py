"""Accounts of runs that nobody ran: candidates with figures that can be foretold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.support.motions import random_motion
from texedo.pipeline.account import Account, CandidateAccount, Performance

R_TEXT = (0.5, 0.9, 0.7, 0.8, 0.2)
R_DYN = (0.95, 0.90, 0.85, 0.40, 0.99)
"""Of five candidates: number 3 does not pass a threshold of 0.8, number 1 is chosen."""


def hazard(frames: int, peak: int) -> np.ndarray:
    """Nearly safe, but for half a second around a frame."""
    risk = np.full(frames, 1e-4, dtype=np.float32)
    risk[max(peak - 12, 0) : peak + 13] = 0.01
    return risk


def candidate(index: int, *, frames: int = 120, **changes: Any) -> CandidateAccount:
    """One of them; its riskiest second is about frame 40 + 10 index."""
    values: dict[str, Any] = {
        "index": index,
        "r_text": R_TEXT[index % 5],
        "r_dyn": R_DYN[index % 5],
        "success": 0.97,
        "robust": 0.91,
        "quality": 0.6,
        "riskiest_second": (40 + 10 * (index % 5)) / 50,
        "expected_reason": "ee_body_pos",
        "expected_limb": "right foot",
        "risk": hazard(frames, 40 + 10 * (index % 5)),
        "check_verdict": "pass",
        "outcome": "outranked",
        "reason": f"Reason of candidate {index}.",
        "motion": random_motion(index, frames),
    }
    return CandidateAccount(**(values | changes))


def unknown(index: int) -> CandidateAccount:
    """A candidate of which nobody knows anything but the motion."""
    return CandidateAccount(
        index=index,
        r_text=math.nan,
        r_dyn=math.nan,
        check_verdict="pass",
        outcome="passed_over",
        reason="The rule looks at no score.",
        motion=random_motion(index, 60),
    )


def five() -> tuple[CandidateAccount, ...]:
    """Number 1 is chosen and performed, number 3 is infeasible, 2 and 0 come next."""
    motion = random_motion(1, 120)
    done = Performance(
        success=True,
        robust=0.75,
        robots=4,
        e_mpjpe=31.5,
        e_vel=2.5,
        e_acc=1.25,
        q_star=0.8,
        seconds=2.4,
        executed=motion.to_qpos() + 0.01,
    )
    return (
        candidate(0),
        candidate(1, outcome="chosen", performed=done, motion=motion),
        candidate(2),
        candidate(3, outcome="infeasible"),
        candidate(4),
    )


def account(**changes: Any) -> Account:
    """A run with the five, or with what is given."""
    values: dict[str, Any] = {
        "prompt": "a person waves",
        "read_as": "a person waves",
        "remarks": (),
        "rule": "texedo",
        "threshold": 0.8,
        "guarantee": None,
        "chosen": 1,
        "runners_up": (2, 0),
        "why": "Highest R_text among 4 that pass",
        "rejected": {"lower R_text": 3, "R_dyn not above 0.8": 1},
        "candidates": five(),
        "seconds": {"sample": 1.234},
        "settings": {"seed": 7, "sampling": {"top_k": 200, "duration": None}},
        "weights": {"dynamics": "ab" * 32},
        "version": "1.2.3",
    }
    return Account(**(values | changes))
