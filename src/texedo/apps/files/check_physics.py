"""The physical part of `texedo check`: what `texedo rollout` says, as one more check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from texedo.apps.tracker.rollout import to_records
from texedo.motion import FPS, Motion
from texedo.quality import reason_text
from texedo.robot.check import Verdict
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.protocol import Policy


@dataclass(frozen=True, kw_only=True)
class Physics:
    """How the controller did with one motion."""

    record: dict[str, Any]
    """As in `texedo rollout --json`."""

    @property
    def error(self) -> str | None:
        """Why it could not be rolled out."""
        error: str | None = self.record["error"]
        return error

    @property
    def verdict(self) -> Verdict:
        return "pass" if self.record["success"] == 1.0 else "fail"

    @property
    def cells(self) -> tuple[str, ...]:
        """Cells of the table of checks, from "worst" to "frames over"."""
        if self.error is not None:
            return ("-", "", "", "", "% done", "", "", "not rolled out", "")
        row = self._row
        done = f"{100 * row['progress']:.0f}"
        if self.verdict == "pass":
            star = row["q_star"]
            where = "" if star is None else f"Q* {star:.3f}"
            return (done, "", "", "100", "% done", "", "", where, "")
        frame = row["failure_frame"]
        place = reason_text(row["reasons"])
        return (done, "", "", "100", "% done", str(frame), _time(frame), place, "")

    @property
    def phrase(self) -> str:
        """What is wrong, in a few words."""
        if self.error is not None:
            return "physics not rolled out"
        frame = self._row["failure_frame"]
        return f"physics fails ({_time(frame)}, {reason_text(self._row['reasons'])})"

    @property
    def why(self) -> str:
        """What is measured, and what came of it."""
        tracker = self.record["tracker"]
        if self.error is not None:
            return self.error
        text = f"The motion was performed by the tracker {tracker!r} in simulation"
        if self.verdict == "pass":
            return f"{text}, and performed to the end."
        return (
            f"{text}. It ended where the pelvis was 25 cm too high or low or tilted "
            "too far, or a hand or foot 25 cm too high or low."
        )

    @property
    def _row(self) -> dict[str, Any]:
        row: dict[str, Any] = self.record["rollouts"][0]
        return row


def try_in_physics(
    names: Sequence[str], motions: Sequence[Motion], policy: Policy
) -> list[Physics]:
    """Roll out every motion once, on the nominal robot."""
    result = rollout(motions, policy, keep_states=False)
    records = to_records(list(names), list(motions), result)
    return [Physics(record=record) for record in records]


def _time(frame: int) -> str:
    return f"{frame / FPS:.2f} s"
