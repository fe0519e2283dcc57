"""The paper's verifier as a folder: weights as int8, words in the config."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import torch
from torch import Tensor

from texedo.checkpoints.artifact import read_artifact, write_artifact
from texedo.checkpoints.sizes import WRONG_CONFIG, read_settings
from texedo.checkpoints.small_weights import fill, pack_tensors
from texedo.core.errors import CheckpointError
from texedo.see.semantics.paper.inference import PaperVerifier
from texedo.see.semantics.paper.model import PaperNet, PaperNetCfg
from texedo.see.semantics.paper.words import Words

KIND = "semantics-paper"
_SMALL = 4096
"""Numbers of a tensor up to which it stays float16."""


def save_paper_semantics(folder: Path | str, verifier: PaperVerifier) -> Path:
    """Write the artefact; its numbers are rounded, those of `verifier` are not."""
    config = {
        "model": asdict(verifier.net.cfg),
        "words": verifier.words.to_config(),
        "metadata": verifier.metadata,
    }
    tensors = pack_tensors(verifier.net, _rounded)
    return write_artifact(folder, kind=KIND, config=config, tensors=tensors)


def load_paper_semantics(
    folder: Path | str, *, device: torch.device | str = "cpu"
) -> PaperVerifier:
    """Read what `save_paper_semantics` wrote; raises `CheckpointError`."""
    folder = Path(folder)
    config, tensors = read_artifact(folder, kind=KIND)
    try:
        words = Words.from_config(config["words"])
        net = PaperNet(read_settings(PaperNetCfg, config.get("model"), folder))
    except WRONG_CONFIG as error:
        raise CheckpointError(
            f"{folder}: written by another version of texedo: {error}; train it again."
        ) from None
    if len(words) != net.cfg.words:
        raise CheckpointError(
            f"{folder}: {len(words)} words and {net.cfg.words} word vectors; copy the "
            "folder again."
        )
    fill(net, tensors, folder)
    return PaperVerifier(net.to(device), words, metadata=config.get("metadata", {}))


def _rounded(name: str, tensor: Tensor) -> bool:
    return tensor.ndim > 1 and tensor.numel() > _SMALL
