"""Train the motion language model: teacher forcing on tokens and captions.

    texedo train generator --data tokens.npz --minilm minilm -o run --minutes 8

In: a token file (`lm_data`) and a text encoder to start from. Out: `generator/` (the
model as it ships: running mean of the weights, at its best on the validation split),
`state-*.safetensors` (everything needed to go on), `log.jsonl`, `report.json`.

The corpus is small, so most of the effort goes into not overfitting: a random
caption and another view at each visit, noise on tokens and words, dropout, frozen word
vectors, a low rate for the text encoder. Step i draws its noise from (seed, i) and epoch
e its views from (seed, e), so that a resumed run goes on as if it had not stopped. Several
GPUs: start it with `torchrun -m texedo`. Needs numpy, torch, safetensors and tokenizers, and nothing
of the command line.
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

from texedo.learning.clock import Clock, due
from texedo.learning.precision import rounded
from texedo.learning.run import RunFolder
from texedo.text.learn.lm.batches import IGNORED, Batch, disturb, epoch_rows, plan_epoch
from texedo.text.learn.lm.cfg import LanguageModelTrainCfg
from texedo.text.learn.lm.report import score
from texedo.text.learn.lm.run import (
    Run,
    build,
    describe,
    pack_run,
    progress_values,
    restore_run,
)
from texedo.text.lm.artifact import load_language_model, save_language_model

MODEL_FOLDER = "generator"
_CLIP = 1.0
"""Largest norm of a gradient."""
_LAST_RATE = 0.02
"""Learning rate at the end over the highest."""
_REPORT_SECONDS = 20.0
"""Kept before the wall for the final report."""


def train(cfg: LanguageModelTrainCfg) -> dict[str, Any]:
    """Run, keep the best, report; returns the report."""
    run = build(cfg)  # Before anything is written: a wrong --data leaves no folder.
    folder = RunFolder(cfg, data=run.digest)
    saved = folder.earlier()
    if saved is not None:
        restore_run(run, saved)
    run.exported = saved is not None and saved.folder == folder.path
    if not run.exported:
        # What was best there was measured by other captions, perhaps.
        run.progress.best, run.progress.since_best = float("inf"), 0
    seconds = saved.seconds if saved else 0.0
    if run.leads:
        folder.log.write("setup", seconds=seconds, **describe(run, cfg))
    with Clock(cfg, seconds=seconds, report_seconds=_REPORT_SECONDS) as clock:
        _loop(cfg, run, folder, clock)
        if run.leads and (cfg.save_every or clock.interrupted):
            _save(run, folder, clock)
        if run.leads:
            _export_best(folder.path, run, cfg)
    if not run.leads:
        return {}
    report = {"seconds": clock.seconds, **_report(folder.path, run)}
    folder.log.write("final", **report)
    (folder.path / "report.json").write_text(json.dumps(report, indent=1) + "\n")
    return report


def _loop(
    cfg: LanguageModelTrainCfg, run: Run, folder: RunFolder, clock: Clock
) -> None:
    losses: list[Tensor] = []
    while not run.agree(_over(cfg, run, clock)):
        batch = _next_batch(cfg, run)
        done = clock.fraction(run.progress.step)
        losses.append(_step(cfg, run, batch, rate_factor(done, cfg.warm_up)))
        now = run.progress
        now.step += 1
        if due(now.step, cfg.eval_every) and run.leads:
            nll = _evaluate(run)
            if nll < now.best:
                now.best, now.since_best = nll, 0
                run.keep_best()
            else:
                now.since_best += 1
            rate = len(losses) / (time.monotonic() - run.last_log)
            run.last_log = time.monotonic()
            loss = float(torch.stack(losses).mean())
            about = {"nll": nll, "steps_per_s": rate, "seconds": clock.seconds}
            folder.log.write("train", loss=loss, **about, **vars(now))
            losses = []
        if cfg.save_every and now.step % cfg.save_every == 0 and run.leads:
            _save(run, folder, clock)
            _export_best(folder.path, run, cfg)


def _over(cfg: LanguageModelTrainCfg, run: Run, clock: Clock) -> bool:
    now = run.progress
    impatient = cfg.patience and now.since_best >= cfg.patience
    return bool(impatient) or clock.over(now.step)


def _save(run: Run, folder: RunFolder, clock: Clock) -> None:
    values = progress_values(run)
    folder.save(pack_run(run), step=run.progress.step, seconds=clock.seconds, **values)


def rate_factor(fraction: float, warm_up: float) -> float:
    """A rise to 1, then a cosine down to `_LAST_RATE`."""
    if fraction < warm_up:
        return max(fraction / warm_up, 0.01)
    falling = (min(fraction, 1.0) - warm_up) / max(1 - warm_up, 1e-9)
    return _LAST_RATE + (1 - _LAST_RATE) * 0.5 * (1 + math.cos(math.pi * falling))


def _next_batch(cfg: LanguageModelTrainCfg, run: Run) -> Batch:
    """The batch of this step and rank; the same one after a resume."""
    now = run.progress
    key = (cfg.seed * 1_000_003 + now.step) * run.world + run.rank
    torch.manual_seed(key)
    if not run.plan:
        run.plan = plan_epoch(
            run.data.lengths,
            epoch_rows(run.data, run.train_clips, (cfg.seed, now.epoch)),
            batch_tokens=cfg.batch_tokens,
            rng=np.random.default_rng((cfg.seed, now.epoch)),
        )
    rows = run.plan[(now.at + run.rank) % len(run.plan)]
    now.at += run.world
    if now.at >= len(run.plan):
        now.at, now.epoch, run.plan = 0, now.epoch + 1, []
    rng = np.random.default_rng(key)
    captions = run.data.draw(rows, rng.integers(1 << 30, size=len(rows)))
    known = rng.random(len(rows)) < cfg.known_length
    batch = run.data.batch(rows, captions, known)
    return disturb(batch, run.noise, run.model.decoder)


def _step(cfg: LanguageModelTrainCfg, run: Run, batch: Batch, factor: float) -> Tensor:
    """One update of the weights and of their running mean."""
    for group in run.optimizer.param_groups:
        group["lr"] = group["highest"] * factor
    if not run.model.training:
        run.model.train()
    with rounded(run.device):
        # The dropout of a text encoder that stays is one more guard against learning
        # captions by heart.
        with torch.set_grad_enabled(run.trains_text):
            text = run.model.text_encoder(batch.pieces, batch.piece_mask)
        logits = run.model.decoder(
            batch.inputs, batch.remaining, text, batch.piece_mask
        )
    loss = F.cross_entropy(
        logits.float().flatten(0, 1),
        batch.targets.flatten(),
        ignore_index=IGNORED,
        label_smoothing=cfg.smoothing,
    )
    run.optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    run.share_gradients()
    torch.nn.utils.clip_grad_norm_(run.parameters, _CLIP)
    run.optimizer.step()
    run.update_mean(cfg.mean_decay)
    return loss.detach()


def _evaluate(run: Run) -> float:
    """What the best is chosen by: nll on captured clips and on all, half each."""
    with run.mean_weights():
        scores = score(run.model, run.data, run.val_clips, captions=1)
    captured, everything = (scores.of(c) for c in (run.val_captured, run.val_clips))
    return 0.5 * (everything.nll + captured.nll)


def _export_best(out: Path, run: Run, cfg: LanguageModelTrainCfg) -> None:
    """Write the best weights so far; what an earlier run wrote stays if none is new."""
    if run.best is None and run.exported and (out / MODEL_FOLDER).exists():
        return
    metadata = {"step": run.progress.step, "best_nll": _finite(run.progress.best)}
    with run.best_weights():
        save_language_model(
            out / MODEL_FOLDER,
            run.model,
            metadata={**metadata, "options": cfg.public()},
        )
    run.best, run.exported = None, True


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _report(out: Path, run: Run) -> dict[str, Any]:
    """Scores of the model as it was written, all captions, by split."""
    model = load_language_model(out / MODEL_FOLDER, device=run.device)
    report: dict[str, Any] = dict(vars(run.progress))
    clips = sorted({clip for own in run.held_out.values() for clip in own})
    for label, known in (("", False), (" known length", True)):
        scores = score(model, run.data, clips, captions=0, known=known)
        for name, own in run.held_out.items():
            report[name + label] = scores.of(own).as_dict()
    return report
