"""The default verifier on disk.

    FOLDER/config.json, weights.safetensors               the network
    FOLDER/text_encoder/config.json, weights.safetensors  the text encoder, its words

Inside the package the text encoder is the generator's, and not stored twice: the config
has the hash of the one it was trained with. Matrices are int8 with one scale per row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from texedo.checkpoints.artifact import read_artifact, read_config, write_artifact
from texedo.checkpoints.bundled import GENERATOR, bundled_folder, has_weights
from texedo.checkpoints.sizes import WRONG_CONFIG, read_settings
from texedo.checkpoints.small_weights import fill, no_weights, pack_tensors
from texedo.core.errors import CheckpointError
from texedo.language.front import KIND as TEXT_KIND
from texedo.language.front import shared_text_front
from texedo.see.semantics.cross.net import CrossCfg, CrossNet
from texedo.see.semantics.cross.verifier import Calibration, CrossVerifier

KIND = "semantics"
TEXT_FOLDER = "text_encoder"
_MIN_SIZE = 1 << 14
_STATISTICS = ("frame_mean", "frame_std")


def save_cross_verifier(
    folder: Path | str,
    net: CrossNet,
    *,
    text_encoder: str,
    calibration: Calibration = Calibration(),  # noqa: B008 (immutable)
    metadata: Mapping[str, Any] | None = None,
) -> Path:
    """Write the network; `text_encoder` is the hash of the one in front of it."""
    config = {
        "model": asdict(net.cfg),
        "text_encoder": text_encoder,
        "calibration": calibration._asdict(),
        "metadata": dict(metadata or {}),
    }
    tensors = pack_tensors(net, _is_large)
    for name in _STATISTICS:  # Small numbers that others are divided by.
        tensors[name] = getattr(net, name).detach().float().cpu().numpy()
    return write_artifact(folder, kind=KIND, config=config, tensors=tensors)


def load_cross_verifier(
    folder: Path | str, *, device: str | torch.device = "cpu"
) -> CrossVerifier:
    """Ready to compare; raises `CheckpointError`."""
    folder = Path(folder)
    net, config = load_cross_net(folder)
    try:
        wanted = str(config["text_encoder"])
        calibration = Calibration(**config["calibration"])
    except WRONG_CONFIG as error:
        raise CheckpointError(
            f"{folder}: written by another version of texedo: {error}."
        ) from error
    encoder, words = shared_text_front(_text_folder(folder, wanted))
    verifier = CrossVerifier(
        net,
        encoder,
        words,
        calibration=calibration,
        name=folder.resolve().name,
        digest=str(config["sha256"]),
    )
    verifier.metadata = dict(config.get("metadata", {}))
    return verifier.to(device)


def load_cross_net(folder: Path | str) -> tuple[CrossNet, dict[str, Any]]:
    """The network by itself, and what is written beside it; raises `CheckpointError`."""
    folder = Path(folder)
    config, tensors = read_artifact(folder, kind=KIND)
    try:
        with no_weights():
            net = CrossNet(read_settings(CrossCfg, config.get("model"), folder))
    except WRONG_CONFIG as error:
        raise CheckpointError(
            f"{folder}: written by another version of texedo: {error}."
        ) from error
    fill(net, tensors, folder)
    return net, config


def _text_folder(folder: Path, wanted: str) -> Path:
    """The text encoder beside it, or the generator's that came with the package."""
    own = folder / TEXT_FOLDER
    if not has_weights(own):
        own = bundled_folder(GENERATOR, otherwise=f"{own} is missing.") / TEXT_FOLDER
    found = str(read_config(own, kind=TEXT_KIND)["sha256"])
    if found != wanted:
        raise CheckpointError(
            f"{own}: is not the text encoder that {folder} was trained with (sha256 "
            f"{found[:12]}, not {wanted[:12]}); put that one into {folder / TEXT_FOLDER}."
        )
    return own


def _is_large(name: str, tensor: Tensor) -> bool:
    return tensor.ndim == 2 and tensor.numel() >= _MIN_SIZE
