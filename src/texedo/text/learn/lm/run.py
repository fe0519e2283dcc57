"""The parts of a language-model training run, and its state on disk."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from texedo.core.errors import CheckpointError, TexedoError
from texedo.language.front import load_text_front
from texedo.learning.run import Saved, clips_digest
from texedo.learning.running_mean import update_mean, weights_in_place
from texedo.learning.state import Arrays
from texedo.learning.weights import load_weights, pack_learnt, restore_learnt
from texedo.text.learn.captions import word_noise
from texedo.text.learn.lm.batches import DeviceData, Noise
from texedo.text.learn.lm.cfg import LanguageModelTrainCfg
from texedo.text.learn.lm.data import TokenData, read_token_files
from texedo.text.lm.artifact import load_language_model
from texedo.text.lm.decoder import MotionDecoder, MotionDecoderCfg
from texedo.text.lm.model import MotionLanguageModel
from texedo.text.lm.t5 import T5Cfg

_BETAS = (0.9, 0.99)
_RECORDED = ("captured", "mirrored")
_TEXT = "text_encoder."


@dataclass
class Progress:
    """Where a run stands."""

    step: int = 0
    epoch: int = 0
    at: int = 0
    """Batches of this epoch that are done."""
    best: float = float("inf")
    """Lowest nll on the validation split."""
    since_best: int = 0
    """Evaluations since then."""


class Run:
    """Model, data, optimiser, running mean."""

    def __init__(
        self, model: MotionLanguageModel, data: DeviceData, noise: Noise
    ) -> None:
        self.model, self.data, self.noise = model, data, noise
        self.device = model.device
        self.progress = Progress()
        self.plan: list[NDArray[np.int64]] = []
        self.train_clips: list[int] = []
        self.val_clips: list[int] = []
        self.val_captured: list[int] = []
        self.held_out: dict[str, list[int]] = {}
        self.digest = ""
        """Names the clips that are learnt from."""
        # Most words of English never occur in the captions: their vectors must not be
        # left behind while those of the others move.
        model.text_encoder.embeddings.word_embeddings.requires_grad_(False)
        self.named = {n: p for n, p in model.named_parameters() if p.requires_grad}
        self.parameters = list(self.named.values())
        self.trains_text = any(name.startswith(_TEXT) for name in self.named)
        self.mean = [p.detach().clone() for p in self.parameters]
        self.best: list[Tensor] | None = None
        """The best running mean that is not written yet."""
        self.exported = False
        self.optimizer: torch.optim.Optimizer
        self.rank, self.world = 0, 1
        self.last_log = time.monotonic()

    @property
    def leads(self) -> bool:
        return self.rank == 0

    def update_mean(self, decay: float) -> None:
        update_mean(self.mean, self.parameters, step=self.progress.step, decay=decay)

    def keep_best(self) -> None:
        self.best = [x.clone() for x in self.mean]

    @contextmanager
    def mean_weights(self) -> Iterator[None]:
        """Put the running mean in place meanwhile, ready to evaluate."""
        with self._swapped(self.mean):
            yield

    @contextmanager
    def best_weights(self) -> Iterator[None]:
        """The best mean so far, or the present one."""
        with self._swapped(self.best or self.mean):
            yield

    @contextmanager
    def _swapped(self, values: list[Tensor]) -> Iterator[None]:
        with weights_in_place(self.parameters, values):
            self.model.eval()
            yield

    def share_gradients(self) -> None:
        """The mean gradient of all ranks."""
        if self.world == 1:
            return
        grads = [p.grad for p in self.parameters if p.grad is not None]
        flat = torch.cat([g.flatten() for g in grads]) / self.world
        torch.distributed.all_reduce(flat)
        parts = torch.split(flat, [g.numel() for g in grads])
        for grad, new in zip(grads, parts, strict=True):
            grad.copy_(new.view_as(grad))

    def agree(self, over: bool) -> bool:
        """Whether to stop, as the leading rank sees it."""
        if self.world == 1:
            return over
        flag = torch.tensor([int(over)], device=self.device)
        torch.distributed.broadcast(flag, 0)
        return bool(flag.item())


def build(cfg: LanguageModelTrainCfg) -> Run:
    """Data to the device, networks, optimiser."""
    rank, world, device = _join(cfg.device)
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(cfg.seed)
    data = read_token_files(cfg.data)
    encoder, words = load_text_front(cfg.minilm)
    decoder = MotionDecoder(decoder_cfg(cfg, data, encoder.cfg.hidden_size))
    if decoder.num_codes != data.num_codes:
        raise TexedoError(
            f"{cfg.data}: has {data.num_codes} codes, the model {decoder.num_codes}."
        )
    if cfg.start:
        _start_from(Path(cfg.start), decoder)
    if not cfg.text_rate:
        encoder.requires_grad_(False)
    model = MotionLanguageModel(encoder, words, decoder).to(device)
    model.guidance = cfg.guidance
    hidden = word_noise(words, pieces=cfg.text_noise, drop=cfg.text_drop)
    noise = Noise(tokens=cfg.noise, words=hidden)
    run = Run(model, DeviceData(data, words, decoder, device), noise)
    run.rank, run.world = rank, world
    run.digest = clips_digest(data.ids, data.lengths)
    run.optimizer = _optimizer(cfg, run)
    _choose_clips(cfg, run, data)
    return run


def _start_from(folder: Path, decoder: MotionDecoder) -> None:
    """The weights of a trained generator, which must have the sizes of this one."""
    trained = load_language_model(folder).decoder
    load_weights(decoder, trained.state_dict(), folder=folder)


def decoder_cfg(
    cfg: LanguageModelTrainCfg, data: TokenData, text_size: int
) -> MotionDecoderCfg:
    """Sizes of the decoder; a data set of other codes than the tokenizer's is a test's."""
    stack = T5Cfg(
        d_model=cfg.width,
        d_kv=cfg.width // cfg.heads,
        d_ff=cfg.feed_forward,
        num_layers=cfg.layers,
        num_heads=cfg.heads,
        dropout=cfg.dropout,
    )
    standard = MotionDecoderCfg(stack=stack, text_size=text_size, tied=cfg.tied)
    if data.num_codes == int(np.prod(list(standard.levels))):
        return standard
    return MotionDecoderCfg(
        stack=stack, text_size=text_size, tied=cfg.tied, levels=(data.num_codes,)
    )


def _choose_clips(cfg: LanguageModelTrainCfg, run: Run, data: TokenData) -> None:
    run.train_clips, run.val_clips = data.captioned("train"), data.captioned("val")
    if not run.train_clips or not run.val_clips:
        raise TexedoError(
            f"{cfg.data}: needs captioned clips of the splits 'train' and 'val'; "
            f"it has {sorted(set(data.splits))}."
        )
    if cfg.recorded < 1:
        raise TexedoError(f"--recorded is 1 or more, got {cfg.recorded}.")
    again = [i for i in run.train_clips if data.kinds[i] in _RECORDED]
    run.train_clips = run.train_clips + again * (cfg.recorded - 1)
    stride = max(1, len(run.val_clips) // (cfg.eval_clips or len(run.val_clips)))
    run.val_clips = run.val_clips[::stride]
    captured = [i for i in run.val_clips if data.kinds[i] == "captured"]
    run.val_captured = captured or run.val_clips
    for split in ("val", "test", "test-subject"):
        clips = data.captioned(split)
        groups = {
            split: clips,
            f"{split} captured": [i for i in clips if data.kinds[i] == "captured"],
        }
        run.held_out |= {name: own for name, own in groups.items() if own}


def _optimizer(cfg: LanguageModelTrainCfg, run: Run) -> torch.optim.Optimizer:
    rate, text_rate = cfg.learning_rate, cfg.learning_rate * cfg.text_rate
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, parameter in run.named.items():
        own = text_rate if name.startswith(_TEXT) else rate
        decay = cfg.weight_decay if _is_matrix(name, parameter) else 0.0
        groups.setdefault((own, decay), []).append(parameter)
    return torch.optim.AdamW(
        [
            {"params": group, "lr": own, "highest": own, "weight_decay": decay}
            for (own, decay), group in groups.items()
        ],
        betas=_BETAS,
        fused=run.device.type == "cuda",
    )


def _is_matrix(name: str, parameter: nn.Parameter) -> bool:
    """Matrices of the decoder's layers; tables of vectors are left alone."""
    return name.startswith("decoder.decoder.block.") and parameter.ndim == 2


def _join(device: str) -> tuple[int, int, str]:
    """Rank, number of ranks and device; torchrun says so in the environment."""
    world = int(os.environ.get("WORLD_SIZE", "1"))
    cuda = torch.cuda.is_available()
    if world == 1:
        return 0, 1, device or ("cuda" if cuda else "cpu")
    torch.distributed.init_process_group("nccl" if cuda else "gloo")
    local = int(os.environ.get("LOCAL_RANK", "0"))
    if cuda:
        torch.cuda.set_device(local)
    place = device or (f"cuda:{local}" if cuda else "cpu")
    return torch.distributed.get_rank(), world, place


def describe(run: Run, cfg: LanguageModelTrainCfg) -> dict[str, Any]:
    """What a run is made of, for the log."""
    decoder = sum(p.numel() for p in run.model.decoder.parameters())
    return {
        "config": asdict(cfg),
        "clips": len(run.train_clips),
        "views": int(run.data.num_views[run.train_clips].sum()),
        "tokens": int(run.data.lengths[run.train_clips].sum()),
        "decoder": decoder,
        "trained": sum(p.numel() for p in run.parameters),
        "ranks": run.world,
        **vars(run.progress),
    }


def pack_run(run: Run) -> Arrays:
    """Weights, their mean and the optimiser."""
    return pack_learnt(run.named, run.mean, run.optimizer)


def progress_values(run: Run) -> dict[str, Any]:
    """Where the run stands, for a file: JSON has no infinity."""
    values = dict(vars(run.progress)) | {"best": str(run.progress.best)}
    del values["step"]
    return values


def restore_run(run: Run, saved: Saved) -> None:
    """Undo `pack_run` and `progress_values` in place; raises `CheckpointError`."""
    # One that was trained there may be frozen now: it is then the one of --minilm.
    if run.trains_text and not any(
        n.startswith(f"model.{_TEXT}") for n in saved.tensors
    ):
        raise CheckpointError(
            f"{saved.folder}: the text encoder was frozen there; give --text-rate 0."
        )
    restore_learnt(
        run.named, run.mean, run.optimizer, saved.tensors, folder=saved.folder
    )
    values = {**saved.values, "best": float(saved.values["best"])}
    run.progress = Progress(step=saved.step, **values)
