"""Options of a training run. Plain data: no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texedo.learning.options import TrainOptions


@dataclass(frozen=True, kw_only=True)
class CrossTrainCfg(TrainOptions):
    """Train the semantic verifier on clips and what is true and false of them."""

    data: str
    """Corpus folders or packed corpora, joined by commas."""
    drawn: str = ""
    """Folders of drawn candidates, joined by commas; see `texedo data draw`."""
    text_encoder: str
    """The generator's text encoder: `generator/text_encoder`."""
    start: str = ""
    """Trained verifier of the same sizes to go on from (fine-tuning); from nothing if
    not given."""
    out: str = "semantics-run"
    minutes: float = 8.0
    batch: int = 128
    """Clips per step, each with its sentence and false ones."""
    learning_rate: float = 5e-4
    """Peak learning rate."""
    warm_up: float = 0.04
    """Share of the run that is warm-up."""
    weight_decay: float = 0.05
    """Weight decay of matrices."""
    drawn_share: float = 0.3
    """Share of drawn candidates in a batch."""
    captured_share: float = 0.5
    """Share of captured clips."""
    authored_share: float = 0.0
    """Share of authored clips. The rest of a batch is clips of any kind but drawn."""
    rival_share: float = 0.5
    """Share of the drawn candidates that come in pairs: two of one prompt, one of which
    does what it says and one does not."""
    stating: float = 2.5
    """How many times as often sentences with an order, a count, an angle or a refusal in
    them are taken."""
    reworded: float = 0.4
    """Share of sentences that are said in other words."""
    text_noise: float = 0.04
    """Share of word pieces that are masked."""
    frame_noise: float = 0.03
    """Noise on the frames, in standard deviations."""
    clip_noise: float = 0.05
    """Noise on the clips: the same on all frames of one, in standard deviations."""
    tempo: float = 0.06
    """Clips are played at most that much faster or slower."""
    hidden: float = 0.05
    """Share of clips whose joints are hidden, and of those whose bodies are."""
    width: int = 256
    """Of all layers."""
    motion_layers: int = 3
    """Layers that read the motion."""
    pair_layers: int = 3
    """Layers in which words look at the motion."""
    dropout: float = 0.1
    """In all layers."""
    mean_decay: float = 0.998
    """Decay of the exponential moving average of the weights, which is what ships."""
    eval_every: int = 500
    """Steps between evaluations."""
    log_every: int = 100
    """Steps between lines of the log."""
    save_every: int = 2000
    """Steps between checkpoints."""
    workers: int = 0
    """Processes that reword sentences; 0 for all cores."""

    FREE: ClassVar = TrainOptions.FREE | {"workers"}
    PLACES: ClassVar = frozenset({"data", "drawn", "text_encoder", "init"})
