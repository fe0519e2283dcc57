"""What the page's scripts read: plain values, NaN-free, safe inside a page."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from texedo.pipeline.account import Account, CandidateAccount
from texedo.pipeline.page.figures import cause, facts, outcome, share
from texedo.pipeline.page.poses import pack_poses, pack_shares, stride_for
from texedo.pipeline.page.shape import robot_shape
from texedo.see.dynamics.outlook import risk_near, riskiest_second


def payload(account: Account) -> dict[str, Any]:
    """The robot, and what is shown of every candidate."""
    stride = stride_for(_lengths(account))
    return {
        "robot": robot_shape(),
        "chosen": account.chosen,
        "strips": [account.chosen, *account.runners_up[:2]],
        "candidates": [_candidate(c, account, stride) for c in account.candidates],
    }


def as_script_text(value: Any) -> str:
    """JSON that cannot end the element it stands in, whatever the texts say."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Inside JSON these occur in strings alone, where the escape means the same.
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _lengths(account: Account) -> list[int]:
    lengths = [len(candidate.motion) for candidate in account.candidates]
    for candidate in account.candidates:
        if candidate.performed is not None and candidate.performed.executed is not None:
            lengths.append(len(candidate.performed.executed))
    return lengths


def _candidate(
    candidate: CandidateAccount, account: Account, stride: int
) -> dict[str, Any]:
    done = candidate.performed
    executed = None if done is None else done.executed
    fell = None
    if done is not None and not done.success and math.isfinite(done.seconds):
        fell = done.seconds
    return {
        "outcome": outcome(candidate, account),
        "reason": candidate.reason,
        "facts": facts(candidate),
        "motion": pack_poses(candidate.motion.to_qpos(), stride),
        "executed": None
        if executed is None or not len(executed)
        else pack_poses(executed, stride),
        "risk": _risk(candidate),
        "fell": fell,
    }


def _risk(candidate: CandidateAccount) -> dict[str, Any] | None:
    """The chance to fall near each moment, and the riskiest second; None if unknown."""
    hazard = candidate.risk
    if hazard is None or not len(hazard) or not np.isfinite(hazard).all():
        return None
    near = risk_near(hazard)
    when, chance = riskiest_second(hazard)
    if math.isfinite(candidate.riskiest_second):
        when = candidate.riskiest_second
    why = cause(candidate)
    return {
        "near": pack_shares(near),
        "highest": float(near.max()),
        "riskiest": when,
        "said": f"{when:.1f} s: {share(chance)}{f', {why}' if why else ''}",
    }
