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
    """Token file (.npz), see `texedo data tokens`."""
    minilm: str
    """Text encoder to start from: a BERT folder (config.json, model.safetensors,
    vocab.txt) or a packed one, see `texedo export text-encoder`;
    `text_encoder` of a trained generator is one too."""
    out: str = "generator-run"
    minutes: float = 8.0
    batch_tokens: int = 16384
    """Motion tokens in a step, padding included."""
    learning_rate: float = 8e-4
    """Of the decoder, at its highest."""
    text_rate: float = 0.05
    """Learning rate of the text encoder over that of the decoder; with 0 it stays as it
    is, bit for bit."""
    warm_up: float = 0.03
    """Share of the run in which the learning rate rises."""
    weight_decay: float = 0.05
    """Pull of the decoder's matrices to zero."""
    dropout: float = 0.2
    """In the decoder."""
    smoothing: float = 0.03
    """Share of a target that is spread over all tokens."""
    noise: float = 0.12
    """Mean share of input tokens that are hidden, replaced or changed by a level."""
    text_noise: float = 0.08
    """Share of word pieces that are hidden."""
    guidance: float = 3.0
    """What the model is sampled with unless the caller says otherwise: how far past the
    logits without a text those with one are carried; 1 is plain sampling."""
    text_drop: float = 0.1
    """Share of captions left out whole, so that motion alone is learnt as well."""
    known_length: float = 0.5
    """Share of clips that are told how many tokens are to come."""
    mean_decay: float = 0.999
    """Of the running mean of the weights, which is what ships."""
    layers: int = 6
    """Of the decoder."""
    width: int = 384
    """Of the decoder."""
    heads: int = 6
    """Of the decoder."""
    feed_forward: int = 1024
    """Width of the decoder's gated part."""
    tied: bool = False
    """One table for input vectors and logits."""
    eval_every: int = 250
    """Steps between two evaluations."""
    eval_clips: int = 0
    """Validation clips of such an evaluation, evenly from all; 0 takes all."""
    save_every: int = 2000
    """Steps between two saves; 0 never writes the state, so that nothing resumes."""
    patience: int = 0
    """Stop after so many evaluations without a better one; 0 never stops early."""

    FREE: ClassVar = TrainOptions.FREE | {"eval_clips", "patience", "guidance"}
    PLACES: ClassVar = frozenset({"data", "minilm"})
