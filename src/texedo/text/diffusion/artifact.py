"""A diffusion generator on disk.

    FOLDER/config.json, weights.safetensors   the denoiser and the scales, float16
    FOLDER/text_encoder/                      the text encoder, unless it is the one that
                                              ships with the package

The config has the sha256 of the text encoder, so that a denoiser never reads the states
of another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from texedo.checkpoints.artifact import read_artifact, write_artifact
from texedo.checkpoints.bundled import BUNDLED, GENERATOR, has_weights, weight_hashes
from texedo.checkpoints.sizes import WRONG_CONFIG, check_shapes, read_settings
from texedo.checkpoints.small_weights import fill, no_weights, pack_tensors
from texedo.core.errors import CheckpointError
from texedo.language.front import load_text_front, save_text_front
from texedo.text.diffusion import KIND
from texedo.text.diffusion.denoiser import Denoiser, DenoiserCfg
from texedo.text.diffusion.model import MotionDiffusion

TEXT_FOLDER = "text_encoder"
SHIPPED_ENCODER = BUNDLED / GENERATOR / TEXT_FOLDER
_SCALES = ("feature_mean", "feature_std")
_MAX_STEPS = 1000


def save_diffusion(
    folder: Path | str,
    model: MotionDiffusion,
    *,
    encoder: Path | str,
    metadata: Mapping[str, Any] | None = None,
) -> Path:
    """Write it; `encoder` is the folder that the text encoder was loaded from."""
    folder = Path(folder)
    shipped = has_weights(SHIPPED_ENCODER) and Path(encoder).resolve() == (
        SHIPPED_ENCODER.resolve()
    )
    if not shipped:
        save_text_front(folder / TEXT_FOLDER, model.text_encoder, model.words)
    config = {
        "model": asdict(model.denoiser.cfg),
        "guidance": model.guidance,
        "steps": model.steps,
        "text_encoder": _sha256(SHIPPED_ENCODER if shipped else folder / TEXT_FOLDER),
        "metadata": dict(metadata or {}),
    }
    tensors = pack_tensors(model.denoiser, lambda *_: False)
    for name in _SCALES:
        tensors[name] = getattr(model, name).cpu().numpy().astype(np.float32)
    return write_artifact(folder, kind=KIND, config=config, tensors=tensors)


def load_diffusion(
    folder: Path | str, *, device: str | torch.device = "cpu"
) -> MotionDiffusion:
    """The model of a folder, ready to sample; raises `CheckpointError`."""
    folder = Path(folder)
    config, tensors = read_artifact(folder, kind=KIND)
    cfg = read_settings(DenoiserCfg, config.get("model"), folder)
    try:
        scales = {name: torch.from_numpy(tensors.pop(name)) for name in _SCALES}
        guidance, steps = float(config["guidance"]), int(config["steps"])
        if not 1 <= steps <= _MAX_STEPS:
            raise ValueError(f"steps should be 1 to {_MAX_STEPS}, and is {steps}")
    except WRONG_CONFIG as error:
        raise CheckpointError(
            f"{folder}: written by another version of texedo: {error}."
        ) from error
    check_shapes(lambda: Denoiser(cfg), tensors, folder)
    with no_weights():
        denoiser = Denoiser(cfg)
    fill(denoiser, tensors, folder)
    encoder, words = load_text_front(_encoder_folder(folder, config))
    model = MotionDiffusion(encoder, words, denoiser)
    model.guidance, model.steps = guidance, steps
    for name, values in scales.items():
        getattr(model, name).copy_(values.float())
    model.metadata = dict(config.get("metadata", {}))
    return model.eval().to(device)


def _encoder_folder(folder: Path, config: Mapping[str, Any]) -> Path:
    """Where the text encoder is that the denoiser was trained with."""
    own = folder / TEXT_FOLDER
    place = own if has_weights(own) else SHIPPED_ENCODER
    if not has_weights(place) or _sha256(place) != config.get("text_encoder"):
        raise CheckpointError(
            f"{folder}: was trained with another text encoder than {place} holds; put "
            f"that one into {own}."
        )
    return place


def _sha256(encoder: Path) -> str:
    return weight_hashes(encoder)["."]
