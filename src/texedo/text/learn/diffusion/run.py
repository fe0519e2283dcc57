"""The parts of a training run of the diffusion generator, and its state on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from texedo.core.errors import TexedoError
from texedo.language.front import load_text_front
from texedo.learning.run import Saved
from texedo.learning.running_mean import weights_in_place
from texedo.learning.state import Arrays
from texedo.learning.weights import pack_learnt, restore_learnt
from texedo.text.diffusion.denoiser import Denoiser, DenoiserCfg
from texedo.text.diffusion.model import EVERY, MotionDiffusion
from texedo.text.learn.captions import WordNoise, padded, word_noise
from texedo.text.learn.diffusion.cfg import DiffusionTrainCfg
from texedo.text.learn.diffusion.data import Clips, DeviceClips, read_corpus
from texedo.text.learn.lm.batches import plan_epoch

_BETAS = (0.9, 0.99)
Int64 = NDArray[np.int64]


class Run:
    """Model, data, optimiser, running mean."""

    def __init__(
        self, model: MotionDiffusion, data: DeviceClips, noise: WordNoise
    ) -> None:
        self.model, self.data, self.noise = model, data, noise
        self.denoiser = model.denoiser
        self.named = dict(model.denoiser.named_parameters())
        self.parameters = list(self.named.values())
        self.mean = [p.detach().clone() for p in self.parameters]
        self.train_clips: Int64
        self.val_clips: Int64
        self.digest = ""
        """Names what is learnt from."""
        self.optimizer: torch.optim.Optimizer
        self.epoch_steps = 0
        """Steps of an epoch, from the first one on."""
        self._plan: tuple[int, list[Int64]] = (-1, [])

    def clips_at(self, cfg: DiffusionTrainCfg, step: int) -> Int64:
        """The clips of a step: every clip once an epoch, those of one length together.

        All epochs have as many steps as the first one, however many batches they are
        cut into, so that a step's epoch is known without those before it.
        """
        self.epoch_steps = self.epoch_steps or len(self._planned(cfg, 0))
        epoch, at = divmod(step, self.epoch_steps)
        if self._plan[0] != epoch:
            self._plan = epoch, self._planned(cfg, epoch)
        batches = self._plan[1]
        return batches[at % len(batches)]

    def _planned(self, cfg: DiffusionTrainCfg, epoch: int) -> list[Int64]:
        every = np.arange(len(self.data.lengths))
        return plan_epoch(
            self.data.tokens_of(every, self.denoiser.cfg),
            self.train_clips,
            batch_tokens=cfg.batch_tokens,
            rng=np.random.default_rng((cfg.seed, epoch)),
        )

    @contextmanager
    def mean_weights(self) -> Iterator[None]:
        """Put the running mean in place meanwhile, ready to evaluate."""
        with weights_in_place(self.parameters, self.mean):
            self.denoiser.eval()
            yield


def build(cfg: DiffusionTrainCfg) -> Run:
    """Data to the device, networks, optimiser."""
    device = torch.device(
        cfg.device or ("cuda" if torch.cuda.is_available() else "cpu")
    )
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(cfg.seed)
    encoder, words = load_text_front(cfg.encoder)
    encoder.requires_grad_(False)
    clips = read_corpus(cfg.data)
    denoiser = Denoiser(_sizes(cfg, clips, encoder.cfg.hidden_size))
    model = MotionDiffusion(encoder, words, denoiser).to(device)
    model.guidance, model.steps = cfg.guidance, cfg.sampling_steps
    data = DeviceClips(clips, words, device, pace=cfg.pace)
    model.feature_mean.copy_(torch.from_numpy(data.mean))
    model.feature_std.copy_(torch.from_numpy(data.std))
    noise = word_noise(words, pieces=cfg.text_noise, drop=cfg.text_drop)
    run = Run(model, data, noise)
    run.digest = _digest(clips, Path(cfg.encoder))
    run.train_clips, val = clips.of_split("train"), clips.of_split("val")
    run.val_clips = val[:: max(1, len(val) // (cfg.eval_clips or len(val)))]
    run.optimizer = _optimizer(cfg, run, fused=device.type == "cuda")
    return run


def _sizes(cfg: DiffusionTrainCfg, clips: Clips, text_size: int) -> DenoiserCfg:
    sizes = DenoiserCfg(
        width=cfg.width,
        layers=cfg.layers,
        heads=cfg.heads,
        feed_forward=cfg.feed_forward,
        text_size=text_size,
        dropout=cfg.dropout,
    )
    longest = int(clips.lengths.max()) * (1.0 + cfg.pace) / (EVERY * sizes.stride)
    return DenoiserCfg(**{**asdict(sizes), "max_tokens": padded(int(longest) + 1)})


def _digest(clips: Clips, encoder: Path) -> str:
    """Clips and text encoder by their content."""
    digest = hashlib.sha256(clips.digest.encode())
    for path in sorted(encoder.glob("*.safetensors")):
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def _optimizer(
    cfg: DiffusionTrainCfg, run: Run, *, fused: bool
) -> torch.optim.Optimizer:
    groups: dict[float, list[nn.Parameter]] = {}
    for parameter in run.parameters:
        decay = cfg.weight_decay if parameter.ndim > 1 else 0.0
        groups.setdefault(decay, []).append(parameter)
    return torch.optim.AdamW(
        [{"params": own, "weight_decay": decay} for decay, own in groups.items()],
        lr=cfg.learning_rate,
        betas=_BETAS,
        fused=fused,
    )


def describe(run: Run, cfg: DiffusionTrainCfg) -> dict[str, Any]:
    """What the log says first."""
    return {
        "device": str(run.model.device),
        "torch": torch.__version__,
        "parameters": sum(p.numel() for p in run.parameters),
        "clips": len(run.train_clips),
        "max_tokens": run.denoiser.cfg.max_tokens,
        "options": asdict(cfg),
    }


def pack_run(run: Run) -> Arrays:
    """Weights, their mean and the optimiser."""
    return pack_learnt(run.named, run.mean, run.optimizer)


def restore_run(run: Run, saved: Saved) -> None:
    """Undo `pack_run` in place; raises `CheckpointError`."""
    restore_learnt(
        run.named, run.mean, run.optimizer, saved.tensors, folder=saved.folder
    )


def check_sizes(cfg: DiffusionTrainCfg) -> None:
    """Raise `TexedoError` for sizes that make no network, before the corpus is read."""
    try:
        DenoiserCfg(width=cfg.width, heads=cfg.heads)
    except (ValueError, ZeroDivisionError) as error:
        raise TexedoError(f"--width and --heads: {error}") from None
