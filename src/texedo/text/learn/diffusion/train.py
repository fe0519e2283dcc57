"""Train the diffusion generator: some minutes on one GPU, and it can be resumed.

    texedo train diffusion CORPUS -o run --minutes 10

In: a corpus and a text encoder, which stays as it is. Out: `diffusion/` (the generator:
running mean of the weights), `state-*.safetensors` (everything needed to go on),
`log.jsonl`, `report.json`.

    loss = |x_hat - x|^2 + w |change of x_hat - change of x|^2 + length

over the frames of a motion, with noise of any level, evenly. Clips, captions and noise of
a step are drawn by (seed, step), so that a resumed run sees what it would have seen.
Needs numpy, torch, safetensors and tokenizers, and nothing of the command line.
"""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from texedo.core.errors import TexedoError
from texedo.learning.clock import Clock, due
from texedo.learning.run import RunFolder
from texedo.learning.running_mean import update_mean
from texedo.text.diffusion.artifact import save_diffusion
from texedo.text.generators.diffusion import FOLDER
from texedo.text.learn.captions import disturb_words
from texedo.text.learn.diffusion.cfg import DiffusionTrainCfg
from texedo.text.learn.diffusion.data import Batch
from texedo.text.learn.diffusion.run import (
    Run,
    build,
    check_sizes,
    describe,
    pack_run,
    restore_run,
)
from texedo.text.learn.lm.train import rate_factor

_CLIP = 1.0
"""Largest norm of a gradient."""
_REPORT_SECONDS = 20.0
"""Kept before the wall for the final report."""
_EVAL_ROWS = 64
PARTS = ("frames", "changes", "length")


def train(cfg: DiffusionTrainCfg) -> dict[str, Any]:
    """Run, save, judge; returns the final report."""
    check_sizes(cfg)
    run = build(cfg)  # Before anything is written: a wrong corpus leaves no folder.
    folder = RunFolder(cfg, data=run.digest)
    saved = folder.earlier()
    step, seconds = 0, 0.0
    if saved is not None:
        restore_run(run, saved)
        step, seconds = saved.step, saved.seconds
    folder.log.write("setup", step=step, spent=seconds, **describe(run, cfg))
    losses: list[Tensor] = []
    since = time.monotonic()
    with Clock(cfg, seconds=seconds, report_seconds=_REPORT_SECONDS) as clock:
        while not clock.over(step):
            rate = cfg.learning_rate * rate_factor(clock.fraction(step), cfg.warm_up)
            losses.append(learn(cfg, run, step, rate))
            step += 1
            if due(step, cfg.log_every):
                about = _means(losses) | {"rate": rate, "seconds": clock.seconds}
                about["steps_per_s"] = len(losses) / (time.monotonic() - since)
                folder.log.write("train", step=step, **about)
                losses, since = [], time.monotonic()
            if due(step, cfg.eval_every):
                with clock.evaluating(report_is=2.0):
                    folder.log.write("eval", step=step, **evaluate(run))
                since = time.monotonic()
            if due(step, cfg.save_every):
                folder.save(pack_run(run), step=step, seconds=clock.seconds)
                _export(folder.path, run, cfg, step)
        if cfg.save_every or clock.interrupted:
            folder.save(pack_run(run), step=step, seconds=clock.seconds)
        _export(folder.path, run, cfg, step)
    report = {"step": step, "seconds": clock.seconds, **evaluate(run)}
    folder.log.write("final", **report)
    (folder.path / "report.json").write_text(json.dumps(report, indent=1) + "\n")
    return report


def learn(cfg: DiffusionTrainCfg, run: Run, step: int, rate: float) -> Tensor:
    """One update of the weights and of their running mean; the parts of the loss (3,)."""
    key = cfg.seed * 1_000_003 + step
    torch.manual_seed(key)
    rng = np.random.default_rng((key, 1))
    batch = run.data.batch(run.clips_at(cfg, step), run.denoiser.cfg, rng)
    pieces, mask = disturb_words(batch.pieces, batch.piece_mask, run.noise)
    batch = batch._replace(pieces=pieces, piece_mask=mask)
    count = len(batch.tokens)
    # Evenly spread over the batch: less of the loss is chance.
    spread = torch.rand(1, device=mask.device) + torch.arange(count, device=mask.device)
    moments = (spread / count)[torch.randperm(count, device=mask.device)]
    run.denoiser.train()
    parts = losses_of(run, batch, moments, torch.randn_like(batch.motion))
    weights = (1.0, cfg.difference_weight, cfg.length_weight)
    loss = sum(weight * part for weight, part in zip(weights, parts, strict=True))
    assert isinstance(loss, Tensor)
    for group in run.optimizer.param_groups:
        group["lr"] = rate
    run.optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(run.parameters, _CLIP)
    run.optimizer.step()
    update_mean(run.mean, run.parameters, step=step, decay=cfg.mean_decay)
    return parts.detach()


def losses_of(run: Run, batch: Batch, moments: Tensor, noise: Tensor) -> Tensor:
    """Frames, changes between them, and the length: means over all frames, (3,)."""
    cfg, motion = run.denoiser.cfg, batch.motion
    angle = 0.5 * math.pi * moments[:, None, None]
    noisy = angle.cos() * motion + angle.sin() * noise
    # bfloat16 on a CPU is slow at best.
    on_gpu = motion.is_cuda
    with torch.autocast("cuda", torch.bfloat16, enabled=on_gpu):
        with torch.no_grad():
            text = run.model.text_encoder(batch.pieces, batch.piece_mask)
        found = run.denoiser(noisy, moments, batch.tokens, text, batch.piece_mask)
        logits = run.denoiser.length_logits(text, batch.piece_mask)
    error = found.float() - motion
    at = torch.arange(motion.shape[1], device=motion.device)
    inside = (at < batch.tokens[:, None] * cfg.stride).float()[..., None]
    changes = error.diff(dim=1) / run.data.step_std
    bins = (batch.tokens * cfg.length_bins - 1) // cfg.max_tokens
    return torch.stack(
        (
            _mean(error.square(), inside),
            _mean(changes.square(), inside[:, 1:]),
            F.cross_entropy(logits.float(), bins),
        )
    )


def _mean(values: Tensor, inside: Tensor) -> Tensor:
    return (values * inside).sum() / (inside.sum() * values.shape[-1])


def _means(losses: list[Tensor]) -> dict[str, float]:
    """Raises `TexedoError` when the loss is not finite."""
    means = torch.stack(losses).mean(0).tolist()
    if not math.isfinite(sum(means)):
        raise TexedoError(
            "The loss is not finite any more: begin another run with its last save, "
            "--resume OUT --out ANOTHER, and a lower --learning-rate."
        )
    return dict(zip(PARTS, means, strict=True))


@torch.no_grad()
def evaluate(run: Run) -> dict[str, float]:
    """The parts of the loss on val with the mean weights, and the frames' without a
    text, which shows what the captions are worth."""
    told, untold = [], []
    order = run.val_clips[np.argsort(run.data.lengths[run.val_clips], kind="stable")]
    generator = torch.Generator(device=run.model.device).manual_seed(0)
    empty = run.model.words.read("").ids
    with run.mean_weights():
        for first in range(0, len(order), _EVAL_ROWS):
            clips = order[first : first + _EVAL_ROWS]
            batch = run.data.batch(clips, run.denoiser.cfg, None)
            at = torch.arange(len(clips), device=run.model.device)
            moments = (at * 37 % _EVAL_ROWS + 0.5) / _EVAL_ROWS
            noise = torch.empty_like(batch.motion).normal_(generator=generator)
            told.append(losses_of(run, batch, moments, noise) * len(clips))
            pieces = torch.zeros_like(batch.pieces)
            pieces[:, : len(empty)] = torch.tensor(empty, device=pieces.device)
            mask = torch.zeros_like(batch.piece_mask)
            mask[:, : len(empty)] = True
            silent = batch._replace(pieces=pieces, piece_mask=mask)
            untold.append(losses_of(run, silent, moments, noise)[0] * len(clips))
    parts = (torch.stack(told).sum(0) / len(order)).tolist()
    without = float(torch.stack(untold).sum() / len(order))
    return {**dict(zip(PARTS, parts, strict=True)), "frames_without_text": without}


def _export(out: Path, run: Run, cfg: DiffusionTrainCfg, step: int) -> None:
    """Write the generator with the mean weights."""
    with run.mean_weights():
        save_diffusion(
            out / FOLDER,
            run.model,
            encoder=cfg.encoder,
            metadata={"step": step, "options": cfg.public()},
        )
