"""Who is asked before a motion goes to a robot, and what they say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from texedo.do.blend import Blended
from texedo.motion import FPS, Motion
from texedo.robot.check import check_motion
from texedo.robot.dof23 import LOCKED_INDICES
from texedo.see.dynamics.find import find_dynamics, has_dynamics
from texedo.see.dynamics.protocol import filter_of, passing_text
from texedo.see.dynamics.scorer import foresee

NONE = "none"
"""Instead of a dynamic verifier: do not ask one."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What one of them says."""

    who: Literal["check", "R_dyn", "physics"]
    verdict: Literal["pass", "fail", "not asked"]
    says: str
    """In a line, without a full stop."""
    facts: dict[str, Any] = field(default_factory=dict)
    """For the labels: numbers and hashes."""

    def to_dict(self) -> dict[str, Any]:
        return {"verdict": self.verdict, "says": self.says, **self.facts}


def check_answer(motion: Motion) -> Answer:
    """Limits, collisions, floor and jumps, as `texedo check` has them."""
    report = check_motion(motion)
    bad = [item.phrase for item in report.items if item.verdict == "fail"]
    if bad:
        return Answer(who="check", verdict="fail", says="; ".join(bad))
    warned = [item.phrase for item in report.items if item.verdict == "warn"]
    says = f"nothing fails; warns of {'; '.join(warned)}" if warned else "nothing fails"
    return Answer(who="check", verdict="pass", says=says)


def dynamics_answer(motion: Motion, which: str | None) -> Answer:
    """R_dyn against its threshold, where a dynamic verifier is there to ask."""
    if which == NONE:
        return Answer(
            who="R_dyn", verdict="not asked", says="left out (--dynamics none)"
        )
    if which is None and not has_dynamics():
        says = "no dynamic verifier is installed; --dynamics names one"
        return Answer(who="R_dyn", verdict="not asked", says=says)
    verifier = find_dynamics(which)
    outlook = foresee(verifier, [motion])[1][0]
    by = filter_of(verifier)
    own = outlook.screened(by)
    passes = own is not None and own > verifier.threshold
    score = "unknown" if outlook.r_dyn is None else f"{outlook.r_dyn:.3f}"
    rule = passing_text(by, verifier.threshold)
    return Answer(
        who="R_dyn",
        verdict="pass" if passes else "fail",
        says=f"{score}, {rule}; {outlook.in_words()}",
        facts={"r_dyn": outlook.r_dyn, "verifier_sha256": verifier.digest},
    )


def physics_answer(
    motion: Motion, tracker: str, *, locked: bool, blended: Blended | None
) -> Answer:
    """Performed by a controller in simulation, on the nominal robot."""
    # Here and not above: they load the simulator.
    from texedo.apps.files.check_physics import try_in_physics
    from texedo.tracker.policies.find import find_policy
    from texedo.tracker.policies.locked import LockedPolicy
    from texedo.tracker.policies.protocol import Policy

    policy: Policy = find_policy(tracker)
    if locked:
        policy = LockedPolicy(policy, LOCKED_INDICES)
    physics = try_in_physics([""], [motion], policy)[0]
    facts = {"tracker": policy.name, "tracker_sha256": policy.digest}
    if physics.verdict == "pass":
        star = physics.record["rollouts"][0]["q_star"]
        facts["q_star"] = star
        quality = "" if star is None else f" (Q* {star:.3f})"
        says = f"performed to the end by tracker {policy.name}{quality}"
        return Answer(who="physics", verdict="pass", says=says, facts=facts)
    if physics.error is not None:
        says = f"could not be performed: {physics.error.rstrip('.')}"
    else:
        frame = physics.record["rollouts"][0]["failure_frame"]
        says = physics.phrase.removeprefix("physics ") + _place(frame, blended)
        facts["failure_s"] = frame / FPS
    return Answer(who="physics", verdict="fail", says=says, facts=facts)


def _place(frame: int, blended: Blended | None) -> str:
    """Where a failure is if it is not in the motion itself."""
    if blended is None or blended.first <= frame <= blended.last:
        return ""
    way = "from standing" if frame < blended.first else "back to standing"
    return f", on the way {way}; --no-blend leaves that way out"
