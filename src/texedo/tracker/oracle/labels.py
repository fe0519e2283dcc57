"""A roll-out as a row of the label table."""

from __future__ import annotations

from texedo.data.corpus.label_table import Label, LabelKey, number_or_none
from texedo.quality import reason_names
from texedo.tracker.oracle.measure import Measures


def label_rollout(
    measures: Measures,
    key: LabelKey,
    *,
    name: str,
    tracker: str,
    num_frames: int,
    device: str = "cpu",
) -> Label:
    """What was measured, under the name of what was rolled out."""
    quality = measures.quality
    return Label(
        **key._asdict(),
        name=name,
        tracker=tracker,
        num_frames=num_frames,
        success=bool(quality.success),
        progress=float(quality.progress),
        frame=int(quality.failure_frame),
        reason="+".join(reason_names(quality.reasons)),
        mpjpe=number_or_none(float(quality.mpjpe_l)),
        e_vel=number_or_none(float(quality.e_vel)),
        e_acc=number_or_none(float(quality.e_acc)),
        planar_drift=number_or_none(measures.planar_drift),
        saturation=number_or_none(measures.saturation),
        foot_slip=number_or_none(measures.foot_slip),
        device=device,
    )
