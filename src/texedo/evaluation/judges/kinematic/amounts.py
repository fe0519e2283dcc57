"""How often, how far, how high, how fast: numbers of a prompt against those measured."""

from __future__ import annotations

from collections.abc import Sequence

from texedo.evaluation.judges.kinematic.scene import Deed, Scene
from texedo.evaluation.judges.protocol import Label
from texedo.evaluation.understanding.judges.travel import in_place

_LEVELS = ("waist", "chest", "shoulder", "head", "overhead")
_SPOT, _NEAR = 0.5, 0.8
"""Who stays within the first is on one spot; within the second nearly so [m]."""


def count_label(
    deeds: Sequence[Deed], wanted: int | None, *, loose: bool
) -> tuple[Label, str]:
    """A number, or several where none is given; `loose`: one more or less is as good."""
    counts = [deed.count for deed in deeds if deed.count is not None]
    if not counts:
        return (Label.UNKNOWN, "not counted") if deeds else (Label.MISMATCH, "not seen")
    options = {*counts, sum(counts), len(deeds)}
    if len(deeds) > 1 and all(count == 1 for count in counts):
        # Two hands raised at once are raised once.
        options |= {sum(d.side == side for d in deeds) for side in ("left", "right")}
    reason = f"counted {sum(counts)}"
    if wanted is None:
        return (Label.MATCH if max(options) >= 2 else Label.PARTIAL), reason
    off = min(abs(count - wanted) for count in options)
    if off <= int(loose):
        return Label.MATCH, reason
    return (
        Label.PARTIAL if off <= max(wanted // 3, 2 * loose) else Label.MISMATCH
    ), reason


def angle_label(
    scene: Scene, deeds: Sequence[Deed], wanted: float
) -> tuple[Label, str]:
    """An angle of a turn, of one of them or of all."""
    angles = [deed.angle for deed in deeds if deed.angle]
    angles += [abs(scene.facts.turned)]
    best = min(angles, key=lambda angle: abs(angle - wanted))
    off, tolerance = abs(best - wanted), max(20.0, 0.25 * wanted)
    reason = f"{best:.0f} degrees"
    if off <= tolerance:
        return Label.MATCH, reason
    return (Label.PARTIAL if off <= 1.5 * tolerance else Label.MISMATCH), reason


def level_label(deeds: Sequence[Deed], wanted: str) -> tuple[Label, str]:
    """How high a hand got."""
    levels = [_LEVELS.index(deed.level) for deed in deeds if deed.level in _LEVELS]
    if not levels:
        return (
            (Label.UNKNOWN, "not measured") if deeds else (Label.MISMATCH, "not seen")
        )
    off = min(abs(level - _LEVELS.index(wanted)) for level in levels)
    reason = f"up to {_LEVELS[max(levels)]}"
    return (Label.MATCH, Label.PARTIAL, Label.MISMATCH)[min(off, 2)], reason


def place_label(scene: Scene) -> tuple[Label, str]:
    """On one spot."""
    if in_place(scene.body, within=_SPOT):
        return Label.MATCH, f"stays within {_SPOT} m"
    near = in_place(scene.body, within=_NEAR)
    return (Label.PARTIAL if near else Label.MISMATCH), f"leaves {_SPOT} m"


def distance_label(scene: Scene, wanted: float) -> tuple[Label, str]:
    """Metres along the path."""
    went = scene.facts.distance
    share = abs(went - wanted) / wanted
    label = Label.MATCH if share <= 0.3 else Label.PARTIAL
    return (label if share <= 0.6 else Label.MISMATCH), f"{went:.1f} m"


def pace_label(deeds: Sequence[Deed], wanted: str) -> tuple[Label, str]:
    """Fast or slow, against what is usual for the action."""
    paces = [deed.pace for deed in deeds if deed.pace is not None]
    if not paces:
        return Label.UNKNOWN, "not measured"
    pace = max(paces)
    reason = f"{pace:.2f} of the usual speed"
    if wanted == "fast":
        clear, near = pace >= 1.1, pace >= 0.6
    else:
        clear, near = pace <= 0.9, pace <= 1.4
    if clear:
        return Label.MATCH, reason
    return (Label.PARTIAL if near else Label.MISMATCH), reason
