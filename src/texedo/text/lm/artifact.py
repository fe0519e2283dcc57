"""A motion language model on disk: two artefacts, one inside the other.

    FOLDER/config.json, weights.safetensors               the decoder
    FOLDER/text_encoder/config.json, weights.safetensors  the text encoder, its words

Large matrices of the decoder and all word vectors are stored as int8 with one scale per
row, everything else as float16. Reading gives float32 back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from texedo.checkpoints.artifact import read_artifact, write_artifact
from texedo.checkpoints.sizes import WRONG_CONFIG, read_settings
from texedo.checkpoints.small_weights import fill, no_weights, pack_tensors
from texedo.core.errors import CheckpointError
from texedo.language.front import load_text_front, save_text_front, shared_text_front
from texedo.text.lm.decoder import MotionDecoder, MotionDecoderCfg
from texedo.text.lm.model import MotionLanguageModel as MotionLanguageModel

KIND = "motion-language-model"
TEXT_FOLDER = "text_encoder"
_MIN_SIZE = 1 << 14
"""Numbers from which on a matrix is stored as int8."""


def save_language_model(
    folder: Path | str,
    model: MotionLanguageModel,
    *,
    metadata: Mapping[str, Any] | None = None,
) -> Path:
    """Write both artefacts; the outer one comes last."""
    folder = Path(folder)
    save_text_front(folder / TEXT_FOLDER, model.text_encoder, model.words)
    config = {
        "model": asdict(model.decoder.cfg),
        "guidance": model.guidance,
        "metadata": dict(metadata or {}),
    }
    tensors = pack_tensors(model.decoder, _is_large)
    return write_artifact(folder, kind=KIND, config=config, tensors=tensors)


def load_language_model(
    folder: Path | str, *, device: str | torch.device = "cpu", share: bool = False
) -> MotionLanguageModel:
    """The model of a folder, ready to sample; raises `CheckpointError`.

    One that stays on the CPU and is not trained may `share` its text encoder.
    """
    folder = Path(folder)
    config, tensors = read_artifact(folder, kind=KIND)
    front = shared_text_front if share else load_text_front
    encoder, words = front(folder / TEXT_FOLDER)
    cfg = read_settings(MotionDecoderCfg, config.get("model"), folder)
    try:
        guidance = float(config.get("guidance", 1.0))
        with no_weights():
            decoder = MotionDecoder(cfg)
    except WRONG_CONFIG as error:
        raise CheckpointError(
            f"{folder}: written by another version of texedo: {error}."
        ) from error
    fill(decoder, tensors, folder)
    model = MotionLanguageModel(encoder, words, decoder)
    model.digest = str(config["sha256"])
    model.guidance = guidance
    model.metadata = dict(config.get("metadata", {}))
    return model.to(device)


def _is_large(_: str, tensor: Tensor) -> bool:
    return tensor.ndim == 2 and tensor.numel() >= _MIN_SIZE
