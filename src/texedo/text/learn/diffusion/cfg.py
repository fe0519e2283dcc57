"""Options of a training run of the diffusion generator. Plain data: no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texedo.learning.options import TrainOptions


@dataclass(frozen=True, kw_only=True)
class DiffusionTrainCfg(TrainOptions):
    """Train a motion diffusion model on the motions and captions of a corpus."""

    data: str
    """Corpus folder."""
    encoder: str
    """Text encoder, which stays as it is: `text_encoder` of a trained generator, or a
    BERT folder."""
    out: str = "diffusion-run"
    minutes: float = 10.0
    batch_tokens: int = 32768
    """Places of the transformer per step, padding included; one is 0.08 s."""
    learning_rate: float = 5e-4
    """Peak learning rate, after the warm-up; cosine decay."""
    warm_up: float = 0.03
    """Share of the run that is warm-up."""
    weight_decay: float = 0.02
    """Of all matrices."""
    dropout: float = 0.1
    text_noise: float = 0.08
    """Share of word pieces that are masked."""
    text_drop: float = 0.12
    """Share of captions dropped, so that unconditional motion is learned as well."""
    pace: float = 0.1
    """A clip is played up to this share faster or slower, unless it leaves the floor."""
    difference_weight: float = 0.2
    """Weight of the change from frame to frame, beside that of the frames."""
    length_weight: float = 0.02
    """Weight of how long a sentence takes."""
    guidance: float = 2.5
    """What the model is sampled with unless the caller says otherwise: how far past the
    motion without a text the one with it is carried; 1 is plain sampling."""
    sampling_steps: int = 25
    """Steps from noise to motion, when sampled."""
    mean_decay: float = 0.999
    """Decay of the exponential moving average of the weights, which is what is kept."""
    layers: int = 8
    width: int = 384
    heads: int = 6
    feed_forward: int = 1024
    """Width of the feed-forward layers."""
    log_every: int = 100
    """Steps between log lines."""
    eval_every: int = 1000
    """Steps between evaluations on val."""
    save_every: int = 2000
    """Steps between checkpoints; 0 writes none, so that nothing can be resumed."""
    eval_clips: int = 512
    """Validation clips of an evaluation, evenly from all; 0 takes all."""

    FREE: ClassVar = TrainOptions.FREE | {"eval_clips", "guidance", "sampling_steps"}
    PLACES: ClassVar = frozenset({"data", "encoder"})
