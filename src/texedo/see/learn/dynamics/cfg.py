"""Options of a training run. Plain data: no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from texedo.learning.options import TrainOptions


@dataclass(frozen=True, kw_only=True)
class DynamicsTrainCfg(TrainOptions):
    """Train a dynamic verifier on motions and how a tracker performed them."""

    data: str
    """Folders of labelled motions, joined by commas; see `texedo data trials`."""
    labels: str = ""
    """Folders of labels, one per data folder, joined by commas; those of the only
    tracker in each unless given."""
    variant: Literal["texedo", "paper"] = "texedo"
    """Which verifier."""
    start: str = ""
    """Folder of a trained verifier whose weights to begin with."""
    out: str = "dynamics-run"
    minutes: float = 8.0
    most: int = 0
    """Learn from this many motions at most, drawn by the seed; 0 for all."""
    e_acc: float = 0.0
    """Normaliser of E_acc [mm/frame^2] that q_d is measured by; 0 for that of the
    tracker that ships."""
    e_vel: float = 0.0
    """Normaliser of E_vel [mm/frame]; 0 for that of the tracker that ships."""
    batch: int = 256
    """Motions per step."""
    failures: float = 0.4
    """Share of failures in a batch; the loss is weighted back. 0 draws as they come,
    as the paper's variant always does."""
    mirrored: float = 0.3
    """Share of motions that are seen in the mirror."""
    amid: float = 0.15
    """Share of motions that begin somewhere amid, as windows of long motions do."""
    learning_rate: float = 5e-4
    """Peak learning rate."""
    warm_up: float = 0.04
    """Share of the run that is warm-up."""
    weight_decay: float = 0.05
    """Weight decay of matrices."""
    timing: float = 0.3
    """Weight of when a failure happens, beside whether it does."""
    errors: float = 0.7
    """Weight of the tracking errors and q_d, beside whether it fails."""
    order: float = 0.3
    """Weight of the order of motions by their tracking errors."""
    look_ahead: float = 0.5
    """What the first layer sees of what comes [s]; below 0 every layer sees all."""
    width: int = 256
    """Of all layers."""
    layers: int = 4
    """Of the Transformer."""
    patch: int = 4
    """Frames that are read together."""
    dropout: float = 0.1
    """In all layers."""
    frames: int = 500
    """Frames of a motion that are looked at; more of it is cut off."""
    mean_decay: float = 0.998
    """Decay of the exponential moving average of the weights, which is what ships."""
    eval_every: int = 1000
    """Steps between evaluations."""
    eval_motions: int = 6000
    """Held-out motions that an evaluation looks at; the calibration takes them all."""
    log_every: int = 100
    """Steps between lines of the log."""
    save_every: int = 4000
    """Steps between checkpoints."""

    FREE: ClassVar = TrainOptions.FREE | {"eval_motions"}
    PLACES: ClassVar = frozenset({"data", "labels", "start"})
