"""Options of a training run. Plain data: no torch, no simulator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texedo.learning.options import TrainOptions


@dataclass(frozen=True, kw_only=True)
class TrainCfg(TrainOptions):
    """Train the whole-body tracker on packed clip files.

    A whole training needs a CUDA GPU. A CPU, at a hundredth of the pace, can take a run a
    little further on a few kinds of action: --resume, --families, --worlds 1024.

    Example: texedo train tracker --clips clips.npz --out run --minutes 24
    """

    clips: str
    """Packed clip files (.npz), joined by commas, or a corpus folder."""
    out: str = "tracker-run"
    minutes: float = 24.0
    start: str = ""
    """Folder of a trained tracker to fine-tune: a new run with its network and a new
    critic."""
    critic_first: int = 0
    """Iterations in which the critic alone learns, before the network of `start` does."""
    worlds: int = 8192
    """Robots simulated at once."""
    horizon: int = 16
    """Control steps of all robots in a step of training."""
    contacts: str = "light"
    """Contact shapes while training: full, or light (4 of 7 capsules per sole)."""
    mirror: bool = True
    """Train on the mirror image of every clip as well."""
    ramp: int = 600
    """Steps over which disturbances grow to their full strength."""
    randomize_every: int = 25
    """Steps between two draws of bodies, motors and delays."""
    save_every: int = 200
    """Steps between two saves."""
    eval_every: int = 400
    """Steps between two evaluations."""
    eval_clips: int = 256
    """Held-out clips in an evaluation while training; the last one takes all."""
    eval_worlds: int = 1024
    """Robots simulated at once in an evaluation."""
    max_steps: int = 0
    """Cut evaluated roll-outs after so many control steps; 0 for never."""
    wrists: float = 0.0
    """Fraction of the training clips whose wrists are made to move."""
    train_split: str = "train"
    """Split to learn from."""
    families: str = ""
    """Learn from these kinds of action only, joined by commas; from all if empty."""
    eval_split: str = "val"
    """Split to evaluate on."""
    learning_rate: float = 3e-4
    """At the start; it adapts to the divergence of the policy."""
    epochs: int = 4
    """Times an update goes over what was collected."""
    target_kl: float = 0.015
    """Divergence per update that the learning rate aims at."""
    entropy: float = 0.002
    """Weight of the entropy bonus."""
    settle: float = 0.0
    """Share of the run, at its end, in which the policy settles: no bonus for exploring,
    and smaller steps."""
    initial_std: float = 0.45
    """Width of the exploration at the start, in actions."""
    hidden: str = "1024,768,384"
    """Widths of the hidden layers of actor and critic."""

    FREE: ClassVar = TrainOptions.FREE | {
        "eval_clips",
        "eval_worlds",
        "eval_split",
        "max_steps",
    }
    PLACES: ClassVar = frozenset({"clips", "start"})
