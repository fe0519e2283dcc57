"""Numbers and names as the page tells them; what nobody knows is a dash."""

from __future__ import annotations

import math

from texedo.pipeline.account import Account, CandidateAccount
from texedo.quality import TERMINATIONS, reason_text

UNKNOWN = "\N{EN DASH}"
"""Stands for a figure that nobody knows."""

_OUTCOMES = {
    "chosen": "chosen",
    "chosen_as_fallback": "chosen, though none passes",
    "infeasible": "below the threshold",
    "fails_check": "fails the check",
    "fails_in_physics": "fails in physics",
    "outranked": "outranked",
    "tied": "as good, but later",
    "passed_over": "passed over",
    "no_score": "has no score",
}


def number(value: float, digits: int = 3, unit: str = "") -> str:
    """As in "0.981" or "4.30 s"."""
    if not math.isfinite(value):
        return UNKNOWN
    return f"{value:.{digits}f}{f' {unit}' if unit else ''}"


def share(value: float) -> str:
    """As in "94 %"; neither end of the scale is said of what only comes near it."""
    if not math.isfinite(value):
        return UNKNOWN
    percent = 100 * value
    if 0 < percent < 0.1:
        return "< 0.1 %"
    if 99.9 < percent < 100:
        return "> 99.9 %"
    digits = 1 if 0 < percent < 1 or 99 < percent < 100 else 0
    return f"{percent:.{digits}f} %"


def outcome(candidate: CandidateAccount, account: Account) -> str:
    """What became of it, in two or three words."""
    said = _OUTCOMES.get(candidate.outcome, candidate.outcome.replace("_", " "))
    if candidate.index in account.runners_up:
        place = account.runners_up.index(candidate.index) + 2
        return f"number {place}, {said}"
    return said


def cause(candidate: CandidateAccount) -> str:
    """What goes wrong if something does: "right foot height"; or nothing."""
    reason, limb = candidate.expected_reason, candidate.expected_limb
    if reason is None:
        return ""
    if reason == "ee_body_pos" and limb:
        return f"{limb} height"
    return reason_text([reason]) if reason in TERMINATIONS else reason


def performance(candidate: CandidateAccount) -> str:
    """How the controller did, in words."""
    done = candidate.performed
    if done is None:
        return ""
    if done.verdict:
        return done.verdict
    if done.success:
        return "performed to the end"
    if not math.isfinite(done.seconds):
        return "fails"
    return f"fails at {done.seconds:.2f} s"


def passes(candidate: CandidateAccount, account: Account) -> bool | None:
    """Whether it is above the threshold; None if nobody knows."""
    own = account.screened(candidate)
    if not math.isfinite(own) or not math.isfinite(account.threshold):
        return None
    return own > account.threshold


def facts(candidate: CandidateAccount) -> list[tuple[str, str]]:
    """What is known of it, as pairs of a name and a figure; the unknown is left out."""
    done = candidate.performed
    pairs = [
        ("from", candidate.origin),
        ("R_text", number(candidate.r_text)),
        ("R_dyn", number(candidate.r_dyn)),
        ("expected to finish", share(candidate.success)),
        ("and when perturbed", share(candidate.robust)),
        ("expected quality", number(candidate.quality)),
        ("riskiest at", number(candidate.riskiest_second, 1, "s")),
        ("most likely cause of a fall", cause(candidate)),
        ("check", candidate.check_verdict),
        ("length", number(candidate.motion.duration, 2, "s")),
    ]
    if done is not None:
        robots = f" of {done.robots}" if done.robots else ""
        perturbed = share(done.robust)
        pairs += [
            ("in physics", performance(candidate)),
            ("perturbed robots finished", perturbed + robots),
            ("E_mpjpe", number(done.e_mpjpe, 1, "mm")),
            ("E_vel", number(done.e_vel, 2, "mm/frame")),
            ("E_acc", number(done.e_acc, 2, "mm/frame²")),
            ("Q*", number(done.q_star)),
        ]
    return [(name, said) for name, said in pairs if said and UNKNOWN not in said]
