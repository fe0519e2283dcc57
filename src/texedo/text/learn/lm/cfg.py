"""Options of a training run. Plain data: no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texedo.learning.options import TrainOptions


@dataclass(frozen=True, kw_only=True)
class LanguageModelTrainCfg(TrainOptions):
    """Train the motion language model on a token file.

    Example: texedo train generator --data tokens.npz --minilm minilm --out run
    """

    data: str
    """Token files (.npz), joined by commas, see `texedo data tokens` and `texedo data
    draw --tokens`."""
    minilm: str
    """Text encoder to start from: a BERT folder (config.json, model.safetensors,
    vocab.txt) or a packed one, see `texedo export text-encoder`;
    `text_encoder` of a trained generator is one too."""
    start: str = ""
    """Trained generator to go on from (fine-tuning); from nothing if not given. Take
    `--minilm START/text_encoder` with it."""
    out: str = "generator-run"
    minutes: float = 8.0
    batch_tokens: int = 16384
    """Motion tokens per step, padding included."""
    learning_rate: float = 8e-4
    """Peak learning rate of the decoder."""
    text_rate: float = 0.05
    """Learning rate of the text encoder over that of the decoder; with 0 it stays as it
    is, bit for bit."""
    warm_up: float = 0.03
    """Share of the run that is warm-up."""
    weight_decay: float = 0.05
    """Weight decay of the decoder's matrices."""
    dropout: float = 0.2
    """In the decoder."""
    smoothing: float = 0.03
    """Label smoothing."""
    noise: float = 0.12
    """Mean share of input tokens that are masked, replaced or moved by a level."""
    text_noise: float = 0.08
    """Share of word pieces that are masked."""
    guidance: float = 3.0
    """What the model is sampled with unless the caller says otherwise: how far past the
    logits without a text those with one are carried; 1 is plain sampling."""
    text_drop: float = 0.1
    """Share of captions dropped, so that unconditional motion is learned as well."""
    recorded: int = 1
    """How often captured clips and their mirror images are read per epoch; all others
    are read once. More of them, and samples move as people do; fewer, and they do what
    was composed, such as counts and angles."""
    known_length: float = 0.5
    """Share of clips that are told how many tokens are to come."""
    mean_decay: float = 0.999
    """Decay of the exponential moving average of the weights, which is what ships."""
    layers: int = 6
    """Of the decoder."""
    width: int = 384
    """Of the decoder."""
    heads: int = 6
    """Of the decoder."""
    feed_forward: int = 1024
    """Width of the decoder's feed-forward layers."""
    tied: bool = False
    """Tie input embeddings and output head."""
    eval_every: int = 250
    """Steps between evaluations."""
    eval_clips: int = 0
    """Validation clips of such an evaluation, evenly from all; 0 takes all."""
    save_every: int = 2000
    """Steps between checkpoints; 0 writes none, so that nothing can be resumed."""
    patience: int = 0
    """Stop after this many evaluations without improvement; 0 never stops early."""

    FREE: ClassVar = TrainOptions.FREE | {"eval_clips", "patience", "guidance"}
    PLACES: ClassVar = frozenset({"data", "minilm", "start"})
