"""Options of a training run of the paper's verifier. Plain data: no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texedo.learning.options import TrainOptions


@dataclass(frozen=True, kw_only=True)
class PaperSemanticsCfg(TrainOptions):
    """Train the paper's semantic verifier on clips with captions."""

    data: str
    """Corpus folder, or a packed corpus (.npz)."""
    lexicon: str = ""
    """A `lexicon.json` of an earlier run: then no tagger is needed."""
    out: str = "semantics-paper-run"
    minutes: float = 20.0
    batch: int = 128
    """Clips per step, each with one of its captions."""
    margin: float = 2.0
    """Distance from which on a motion and another's caption are far enough apart."""
    learning_rate: float = 5e-4
    """Peak learning rate, after the warm-up; cosine decay."""
    weight_decay: float = 0.01
    """Weight decay of the GRUs."""
    warm_up: int = 100
    """Warm-up steps of each of both stages."""
    word_dropout: float = 0.05
    """Share of the words that are read as unknown."""
    min_count: int = 5
    """A lemma in fewer captions has no vector of its own."""
    motion_width: int = 384
    """Width of the motion's GRU."""
    text_width: int = 384
    """Width of the sentence's GRU."""
    latent: int = 512
    """Width of a movement code."""
    size: int = 512
    """Width of the common space."""
    dropout: float = 0.1
    """Before both GRUs and before the last layer."""
    movement_share: float = 0.15
    """Share of the run, at its start, for the movement codes."""
    movement_window: int = 64
    """Frames that are reconstructed together."""
    movement_batch: int = 256
    """Windows per step."""
    movement_learning_rate: float = 5e-4
    """Peak learning rate of the movement codes."""
    sparsity: float = 0.001
    """Weight of the size of the codes."""
    smoothness: float = 0.001
    """Weight of the change from code to code."""
    log_every: int = 50
    """Steps between log lines."""
    eval_every: int = 250
    """Steps between evaluations on val; the best one is what ships."""
    save_every: int = 500
    """Steps between checkpoints."""

    PLACES: ClassVar = frozenset({"data", "lexicon"})
