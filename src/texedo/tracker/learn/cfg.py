"""Options of a training run. Plain data: no torch, no simulator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texedo.learning.options import TrainOptions


@dataclass(frozen=True, kw_only=True)
class TrackerTrainCfg(TrainOptions):
    """Train the whole-body tracker on packed clip files.

    Training from scratch needs a CUDA GPU. A CPU, a hundred times slower, is enough to
    fine-tune on a few kinds of action: --resume, --families, --worlds 1024.

    Example: texedo train tracker --clips clips.npz --out run --minutes 24
    """

    clips: str
    """Packed clip files (.npz), separated by commas, or a corpus folder."""
    out: str = "tracker-run"
    minutes: float = 24.0
    start: str = ""
    """Folder of a trained tracker to fine-tune: a new run with its network and a new
    critic."""
    critic_first: int = 0
    """Iterations in which the critic alone learns, before the network of `start` does."""
    worlds: int = 8192
    """Parallel robots."""
    horizon: int = 16
    """Control steps per robot and training step."""
    contacts: str = "light"
    """Contact shapes while training: full, or light (4 of 7 capsules per sole)."""
    mirror: bool = True
    """Train on mirrored clips as well."""
    ramp: int = 600
    """Steps over which disturbances ramp up."""
    randomize_every: int = 25
    """Steps between resampling bodies, motors and delays."""
    save_every: int = 200
    """Steps between checkpoints."""
    eval_every: int = 400
    """Steps between evaluations."""
    eval_clips: int = 256
    """Held-out clips in an evaluation while training; the last one takes all."""
    eval_worlds: int = 1024
    """Parallel robots in an evaluation."""
    max_steps: int = 0
    """Truncate evaluated roll-outs after this many control steps; 0 for never."""
    wrists: float = 0.0
    """Fraction of the training clips whose wrists are made to move."""
    train_split: str = "train"
    """Split to train on."""
    families: str = ""
    """Train on these kinds of action only, separated by commas; all if empty."""
    eval_split: str = "val"
    """Split to evaluate on."""
    learning_rate: float = 3e-4
    """Initial learning rate; it adapts to the policy's KL divergence."""
    epochs: int = 4
    """Epochs per update."""
    target_kl: float = 0.015
    """Target KL divergence per update, to which the learning rate adapts."""
    entropy: float = 0.002
    """Weight of the entropy bonus."""
    settle: float = 0.0
    """Share of the run, at its end, without entropy bonus and with
    smaller steps."""
    initial_std: float = 0.45
    """Initial standard deviation of the actions."""
    hidden: str = "1024,768,384"
    """Widths of the hidden layers of actor and critic."""

    FREE: ClassVar = TrainOptions.FREE | {
        "eval_clips",
        "eval_worlds",
        "eval_split",
        "max_steps",
    }
    PLACES: ClassVar = frozenset({"clips", "start"})
