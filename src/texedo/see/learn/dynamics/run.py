"""Trains a dynamic verifier, or goes on with a run that is there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from texedo.learning.clock import Clock, due
from texedo.learning.precision import rounded
from texedo.learning.run import RunFolder, clips_digest
from texedo.learning.running_mean import update_mean
from texedo.quality import Normalizers
from texedo.see.dynamics.artifact import (
    KIND,
    PAPER_KIND,
    About,
    DynamicsNet,
    load_hazard,
    load_paper,
    save_dynamics,
)
from texedo.see.dynamics.hazard.net import HazardNet
from texedo.see.dynamics.paper.net import PaperNet
from texedo.see.learn.dynamics.batches import DeviceRollOuts, Drawer
from texedo.see.learn.dynamics.build import (
    measure_features,
    network,
    normalizers_of,
    on_device,
    optimizer_of,
    positive_weight,
    some_of,
)
from texedo.see.learn.dynamics.cfg import DynamicsTrainCfg
from texedo.see.learn.dynamics.data import Int64, RollOuts, read_rollouts_to
from texedo.see.learn.dynamics.evaluate import figures, fit_lines, listen
from texedo.see.learn.dynamics.loss import Loss, hazard_loss, paper_loss
from texedo.see.learn.trained import InTraining, rate_share


@dataclass(eq=False, kw_only=True)
class Run(InTraining):
    """Everything that a step needs."""

    net: DynamicsNet
    rollouts: RollOuts
    data: DeviceRollOuts
    drawer: Drawer
    held: Int64
    normalizers: Normalizers
    positive: float
    digest: str

    @property
    def network(self) -> nn.Module:
        return self.net


def artifact_folder(cfg: DynamicsTrainCfg) -> Path:
    """Where a run leaves its verifier."""
    return Path(cfg.out) / (PAPER_KIND if cfg.variant == "paper" else KIND)


def train_dynamics(cfg: DynamicsTrainCfg) -> dict[str, Any]:
    """Train; the best weights so far are in OUT/dynamics. Returns their figures."""
    run = build(cfg)
    folder = RunFolder(cfg, data=run.digest)
    saved = folder.earlier()
    seconds = 0.0
    if saved is not None:
        run.restore(saved)
        seconds = saved.seconds
    found: dict[str, Any] = {}
    with Clock(cfg, seconds=seconds, report_seconds=20.0) as clock:
        folder.log.write(
            "start", motions=len(run.drawer.rows), held=len(run.held), step=run.step
        )
        if cfg.start and not run.step:  # What it begins with may be the best of all.
            _evaluate(run, cfg, folder)
        while not clock.over(run.step):
            loss = _learn(run, cfg, clock.fraction(run.step))
            run.step += 1
            if due(run.step, cfg.log_every):
                folder.log.write("train", step=run.step, **_numbers(loss))
            if due(run.step, cfg.eval_every):
                _evaluate(run, cfg, folder)
            if due(run.step, cfg.save_every):
                folder.save(run.pack(), step=run.step, seconds=clock.seconds)
        if not due(run.step, cfg.eval_every):
            _evaluate(run, cfg, folder)
        folder.save(run.pack(), step=run.step, seconds=clock.seconds)
        found = _seal(run, cfg)
    folder.log.write("final", step=run.step, seconds=clock.seconds, **found)
    return found


def build(cfg: DynamicsTrainCfg) -> Run:
    """Motions to the device, network, optimiser."""
    device = cfg.device or ("cuda:0" if torch.cuda.is_available() else "cpu")
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(cfg.seed)
    rollouts = read_rollouts_to(cfg.data, cfg.labels, device)
    normalizers = normalizers_of(cfg, rollouts)
    data = on_device(rollouts, normalizers)
    drawer = Drawer(data, rollouts, cfg)
    net = network(cfg).to(device)
    if not cfg.start:
        measure_features(net, drawer)
    net.train()
    ids = (trial.id for trial in rollouts.trials)
    return Run(
        net=net,
        rollouts=rollouts,
        data=data,
        drawer=drawer,
        held=rollouts.of_split("val"),
        normalizers=normalizers,
        optimizer=optimizer_of(net, cfg),
        positive=positive_weight(rollouts, drawer),
        mean=[p.detach().clone() for p in net.parameters()],
        digest=clips_digest(ids, rollouts.labels.executed),
    )


def _learn(run: Run, cfg: DynamicsTrainCfg, done: float) -> Loss:
    for group in run.optimizer.param_groups:
        group["lr"] = cfg.learning_rate * rate_share(done, cfg.warm_up)
    batch = run.drawer.batch(run.step)
    with torch.no_grad():
        features = run.net.features(batch.qpos, batch.lengths, batch.fresh)
    with rounded(batch.qpos.device):
        said = run.net(features, batch.lengths)
    if isinstance(said, Tensor):
        loss = hazard_loss(
            said, batch, timing=cfg.timing, errors=cfg.errors, order=cfg.order
        )
    else:
        loss = paper_loss(said, batch, positive=run.positive)
    run.optimizer.zero_grad(set_to_none=True)
    loss.total.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(run.net.parameters(), 1.0)
    run.optimizer.step()
    update_mean(run.mean, run.parameters, step=run.step, decay=cfg.mean_decay)
    return loss


def _numbers(loss: Loss) -> dict[str, float]:
    return {name: float(value.detach()) for name, value in loss._asdict().items()}


def _evaluate(run: Run, cfg: DynamicsTrainCfg, folder: RunFolder) -> None:
    """Figures of the running mean on some of the held-out motions; kept if the best."""
    rows = some_of(run.held, cfg.eval_motions, cfg.seed)
    with run.mean_weights():
        about, found = _judged(run, cfg, run.net, rows)
        score = sum(found[name] or 0.0 for name in ("AUROC", "AUPRC", "tau"))
        folder.log.write("eval", step=run.step, score=score, **found)
        if score > run.best:
            run.best = score
            save_dynamics(artifact_folder(cfg), run.net, about)


def _seal(run: Run, cfg: DynamicsTrainCfg) -> dict[str, Any]:
    """Calibrate the best weights, as they are stored, on all held-out motions."""
    folder = artifact_folder(cfg)
    load = load_paper if cfg.variant == "paper" else load_hazard
    verifier = load(folder).to(run.data.poses.device)
    net = verifier.model.net
    assert isinstance(net, HazardNet | PaperNet)
    about, found = _judged(run, cfg, net, run.held)
    about.metadata["step"] = verifier.metadata["step"]
    save_dynamics(folder, net, about)
    return found


def _judged(
    run: Run, cfg: DynamicsTrainCfg, net: DynamicsNet, rows: Int64
) -> tuple[About, dict[str, Any]]:
    """Calibration and figures on these motions."""
    said = listen(net, run.data, rows, cfg.frames)
    lines = fit_lines(said, run.rollouts, run.normalizers)
    found = figures(said, run.rollouts, run.normalizers, lines)
    found = {k: None if v != v else v for k, v in found.items()}
    about = About(
        tracker=run.rollouts.tracker,
        normalizers=run.normalizers,
        **lines._asdict(),
        filters_by="r_dyn" if cfg.variant == "paper" else "success",
        metadata={"step": run.step, "val": found, "options": cfg.public()},
    )
    return about, found
