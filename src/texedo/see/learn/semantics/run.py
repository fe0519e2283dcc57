"""Trains the default semantic verifier, or goes on with a run that is there."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from texedo.checkpoints.artifact import read_config
from texedo.core.errors import TexedoError
from texedo.language.encoder import TextEncoder
from texedo.language.front import KIND as TEXT_KIND
from texedo.language.front import load_text_front
from texedo.learning.clock import Clock, due
from texedo.learning.precision import rounded
from texedo.learning.run import RunFolder, clips_digest
from texedo.learning.running_mean import update_mean
from texedo.see.learn.semantics.augment import augment
from texedo.see.learn.semantics.batches import DeviceData, Drawer
from texedo.see.learn.semantics.cfg import CrossTrainCfg
from texedo.see.learn.semantics.data import frame_statistics, read_clips
from texedo.see.learn.semantics.evaluate import Evaluation, Held, calibrate, hold_out
from texedo.see.learn.semantics.loss import loss_of
from texedo.see.learn.semantics.texts import Texts
from texedo.see.learn.trained import InTraining, rate_share
from texedo.see.semantics.cross.artifact import (
    TEXT_FOLDER,
    load_cross_net,
    save_cross_verifier,
)
from texedo.see.semantics.cross.frames import MIN_STD
from texedo.see.semantics.cross.net import CrossCfg, CrossNet

FOLDER = "semantics"
_BETAS = (0.9, 0.98)


@dataclass(eq=False, kw_only=True)
class Run(InTraining):
    """Everything that a step needs."""

    net: CrossNet
    encoder: TextEncoder
    data: DeviceData
    drawer: Drawer
    held: Held
    captured: Held
    """All sentences of captured clips: what people wrote."""
    digest: str

    @property
    def network(self) -> nn.Module:
        return self.net


def train_cross(cfg: CrossTrainCfg) -> dict[str, Any]:
    """Train; the best weights so far are in OUT/semantics. Returns their figures."""
    run = build(cfg)
    folder = RunFolder(cfg, data=run.digest)
    saved = folder.earlier()
    seconds = 0.0
    if saved is not None:
        run.restore(saved)
        seconds = saved.seconds
    figures: dict[str, Any] = {}
    with Clock(cfg, seconds=seconds, report_seconds=15.0) as clock:
        while not clock.over(run.step):
            loss = _learn(run, cfg, clock.fraction(run.step))
            run.step += 1
            if due(run.step, cfg.log_every):
                folder.log.write("train", step=run.step, **_numbers(loss))
            if due(run.step, cfg.eval_every):
                figures = _evaluate(run, cfg, folder)
            if due(run.step, cfg.save_every):
                folder.save(run.pack(), step=run.step, seconds=clock.seconds)
        folder.save(run.pack(), step=run.step, seconds=clock.seconds)
        figures = _evaluate(run, cfg, folder) or figures
    folder.log.write("final", step=run.step, seconds=clock.seconds, best=run.best)
    return figures


def build(cfg: CrossTrainCfg) -> Run:
    """Clips and sentences to the device, network, optimiser."""
    device = cfg.device or ("cuda:0" if torch.cuda.is_available() else "cpu")
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(cfg.seed)
    texts = Texts()
    rows = read_clips(cfg.data, cfg.drawn, texts)
    texts.vary(list(texts.all), seed=cfg.seed, workers=cfg.workers or None)
    encoder, words = load_text_front(cfg.text_encoder)
    encoder = encoder.to(device).eval().requires_grad_(False)
    data = DeviceData(rows, texts, words, device, workers=cfg.workers or None)
    drawer = Drawer(data, cfg)
    if not len(drawer.clips):
        raise TexedoError(f"{cfg.data}: has no captioned clips of the split 'train'.")
    held = hold_out(data, texts, seed=cfg.seed)
    captured = hold_out(data, texts, seed=cfg.seed, captured=True)
    net = _network(cfg, encoder.cfg.hidden_size)
    mean, std = frame_statistics([rows.frames[i] for i in drawer.clips])
    net.frame_mean.copy_(torch.from_numpy(mean))
    net.frame_std.copy_(torch.from_numpy(np.maximum(std, MIN_STD)))
    if cfg.start:
        _start_from(net, cfg)
    net = net.to(device).train()
    return Run(
        net=net,
        encoder=encoder,
        data=data,
        drawer=drawer,
        held=held,
        captured=captured,
        optimizer=_optimizer(net, cfg, fused=device.startswith("cuda")),
        mean=[p.detach().clone() for p in net.parameters()],
        digest=clips_digest(rows.ids, rows.lengths),
    )


def _network(cfg: CrossTrainCfg, text_size: int) -> CrossNet:
    return CrossNet(
        CrossCfg(
            width=cfg.width,
            feed_forward=4 * cfg.width,
            motion_layers=cfg.motion_layers,
            pair_layers=cfg.pair_layers,
            text_size=text_size,
            dropout=cfg.dropout,
        )
    )


def _start_from(net: CrossNet, cfg: CrossTrainCfg) -> None:
    """Take the weights of a trained verifier, its scales of the frames included."""
    other, config = load_cross_net(cfg.start)
    own = str(read_config(cfg.text_encoder, kind=TEXT_KIND)["sha256"])
    if config.get("text_encoder") != own:
        raise TexedoError(
            f"{cfg.start}: was trained with another text encoder than "
            f"{cfg.text_encoder}; leave out --start, or give that one."
        )
    try:
        net.load_state_dict(other.state_dict())
    except RuntimeError as error:
        raise TexedoError(
            f"{cfg.start}: has other sizes than the run; leave out --start, or give "
            "--width, --motion-layers and --pair-layers as it has them."
        ) from error


def _optimizer(
    net: CrossNet, cfg: CrossTrainCfg, *, fused: bool
) -> torch.optim.Optimizer:
    matrices = [p for p in net.parameters() if p.ndim > 1]
    others = [p for p in net.parameters() if p.ndim < 2]
    groups = [
        {"params": matrices, "weight_decay": cfg.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=cfg.learning_rate, betas=_BETAS, fused=fused)


def _learn(run: Run, cfg: CrossTrainCfg, done: float) -> Any:
    for group in run.optimizer.param_groups:
        group["lr"] = cfg.learning_rate * rate_share(done, cfg.warm_up)
    batch = run.drawer.batch(run.step)
    frames, lengths = augment(
        batch.frames, batch.lengths, run.net.frame_mean, run.net.frame_std, cfg
    )
    batch = batch._replace(frames=frames, lengths=lengths)
    with rounded(batch.frames.device):
        with torch.no_grad():
            pieces = _hide(batch.pieces, batch.piece_mask, cfg, run.data.hidden_piece)
            states = run.encoder(pieces, batch.piece_mask)
        loss = loss_of(run.net, batch, states, run.data.image(batch.frames))
    run.optimizer.zero_grad(set_to_none=True)
    loss.total.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(run.net.parameters(), 1.0)
    run.optimizer.step()
    update_mean(run.mean, run.parameters, step=run.step, decay=cfg.mean_decay)
    return loss


def _hide(pieces: Tensor, mask: Tensor, cfg: CrossTrainCfg, hidden: int) -> Tensor:
    """Some pieces of the true sentences masked; false ones must stay false."""
    count = cfg.batch
    chance = torch.rand(pieces.shape, device=pieces.device) < cfg.text_noise
    chance[:, 0] = False
    chance[count:] = False
    return pieces.masked_fill(chance & mask, hidden)


def _numbers(loss: Any) -> dict[str, float]:
    return {name: float(value.detach()) for name, value in loss._asdict().items()}


def _score(figures: dict[str, float]) -> float:
    changed = [v for k, v in figures.items() if k.startswith("not ")]
    return float(np.mean(changed)) + figures["R@1"] / 2


def _evaluate(run: Run, cfg: CrossTrainCfg, folder: RunFolder) -> dict[str, Any]:
    """Figures of the running mean; written if it is the best."""
    with run.mean_weights():
        evaluation = Evaluation(run.net, run.encoder, run.data)
        figures, true, false = evaluation.figures(run.held)
        score = _score(figures)
        if len(run.captured.clips):
            own = evaluation.figures(run.captured)[0]
            figures |= {f"captured: {name}": value for name, value in own.items()}
            score = (score + _score(own)) / 2
        folder.log.write("eval", step=run.step, score=score, **figures)
        if score <= run.best:
            return {}
        run.best = score
        out = Path(cfg.out) / FOLDER
        sealed = read_config(cfg.text_encoder, kind=TEXT_KIND)["sha256"]
        save_cross_verifier(
            out,
            run.net,
            text_encoder=str(sealed),
            calibration=calibrate(true, false),
            metadata={"step": run.step, "val": figures, "options": cfg.public()},
        )
        if not (out / TEXT_FOLDER).exists():
            shutil.copytree(cfg.text_encoder, out / TEXT_FOLDER)
        return figures
