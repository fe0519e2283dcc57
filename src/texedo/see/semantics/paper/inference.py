"""The paper's verifier at work: sentences and motions in, R_text = exp(-distance) out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any

import torch

from texedo.core.threads import one_torch_thread
from texedo.motion import Motion
from texedo.see.semantics.paper.features import motion_features
from texedo.see.semantics.paper.model import PaperNet, motion_vectors, text_vectors
from texedo.see.semantics.paper.words import Words
from texedo.see.semantics.protocol import Float64, Pairs
from texedo.see.semantics.vectors import Float32, nearness, net_digest

_RECIPE = 1
"""Raise it when features or words are read differently: old scores are others then."""


class PaperVerifier:
    """A trained network with its words: a `SemanticVerifier`."""

    def __init__(
        self,
        net: PaperNet,
        words: Words,
        *,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        self.net = net.eval().requires_grad_(False)
        self.words = words
        self.metadata = dict(metadata or {})
        """About the training."""

    @property
    def _alone(self) -> bool:
        # A CPU gains little from batches, and bits that depend on nothing else are
        # worth it: a candidate has one score, however many others there are.
        return self.net.device.type == "cpu"

    @property
    def name(self) -> str:
        return "paper"

    @cached_property
    def digest(self) -> str:
        """Hash of the weights, the words and the way both are used."""
        about = [_RECIPE, asdict(self.net.cfg), self.words.to_config()]
        return net_digest(self.net, about)

    def texts(self, texts: Sequence[str]) -> Float32:
        """Vectors (N, size); raises `GenerationError` for a sentence without words."""
        tokens = [self.words.read(text) for text in texts]
        with one_torch_thread(), torch.inference_mode():
            return text_vectors(self.net, tokens, alone=self._alone)

    def motions(self, motions: Sequence[Motion]) -> Float32:
        """Vectors (N, size)."""
        rows = [motion_features(motion.to_qpos()) for motion in motions]
        with one_torch_thread(), torch.inference_mode():
            return motion_vectors(self.net, rows, alone=self._alone)

    def compare(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        """R_text of each pair, (P,); only what is in a pair is read."""
        return nearness(self.texts, self.motions, texts, motions, pairs)
