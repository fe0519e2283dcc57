"""What a run begins with: data on the device, a network, an optimiser."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor, nn

from texedo.checkpoints.artifact import CONFIG_NAME
from texedo.checkpoints.bundled import BUNDLED, TRACKER
from texedo.core.errors import CheckpointError, TexedoError
from texedo.motion import NUM_JOINTS
from texedo.quality import Normalizers, fit_normalizers
from texedo.see.dynamics.artifact import DynamicsNet, load_hazard, load_paper
from texedo.see.dynamics.balance import FULL_SIZE
from texedo.see.dynamics.features import PAPER_SIZE, ROOT_SIZE, inside
from texedo.see.dynamics.hazard.net import HazardCfg, HazardNet
from texedo.see.dynamics.paper.net import PaperCfg, PaperNet
from texedo.see.learn.dynamics.batches import DeviceRollOuts, Drawer
from texedo.see.learn.dynamics.cfg import DynamicsTrainCfg
from texedo.see.learn.dynamics.data import Int64, RollOuts

_MEASURED = 16
"""Batches from which features get their scale."""
_LEAST_SHARE = 0.1
"""Of its group's mean scale that a feature's scale has at least: what hardly moves must
not be blown up."""
_ROWS = 2000
"""Frames of each that are looked at."""
_BEYOND = 10**9
"""Number of the first of these batches: none that anybody learns from."""
_MIDDLE = 2.563
"""Standard deviations between the tenth and the ninetieth percentile."""
_LEAST_SPREAD = 0.2
"""Of its standard deviation: most features of contact are zero most of the time."""
_BETAS = (0.9, 0.98)


def network(cfg: DynamicsTrainCfg) -> DynamicsNet:
    """A new one, or that of the folder to start from."""
    if cfg.start:
        return _started(cfg)
    if cfg.variant == "paper":
        return PaperNet(
            PaperCfg(
                width=cfg.width,
                group_width=cfg.width // 2,
                layers=cfg.layers,
                dropout=cfg.dropout,
                frames=cfg.frames,
            )
        )
    return HazardNet(
        HazardCfg(
            width=cfg.width,
            frame_width=cfg.width // 2,
            layers=cfg.layers,
            patch=cfg.patch,
            look_ahead=cfg.look_ahead,
            dropout=cfg.dropout,
            frames=cfg.frames,
        )
    )


def _started(cfg: DynamicsTrainCfg) -> DynamicsNet:
    load = load_paper if cfg.variant == "paper" else load_hazard
    net = load(cfg.start).model.net
    assert isinstance(net, PaperNet | HazardNet)
    if net.cfg.frames != cfg.frames:
        raise CheckpointError(
            f"{cfg.start}: looks at {net.cfg.frames} frames; give --frames "
            f"{net.cfg.frames}."
        )
    if isinstance(net, HazardNet):
        net.cfg = replace(net.cfg, dropout=cfg.dropout)
    return net.requires_grad_(True)


def normalizers_of(cfg: DynamicsTrainCfg, rollouts: RollOuts) -> Normalizers:
    """Those given, those of the tracker that ships, or the data's own."""
    if bool(cfg.e_acc) != bool(cfg.e_vel):
        raise TexedoError("--e-acc and --e-vel: give both normalisers or neither.")
    if cfg.e_acc:
        return Normalizers(e_acc=cfg.e_acc, e_vel=cfg.e_vel)
    path = BUNDLED / TRACKER / CONFIG_NAME
    if path.is_file():
        stored = json.loads(path.read_bytes()).get("metadata", {}).get("e95")
        if stored is not None:
            return Normalizers(
                e_acc=float(stored["e_acc"]), e_vel=float(stored["e_vel"])
            )
    train, labels = rollouts.of_split("train"), rollouts.labels
    return fit_normalizers(labels.e_acc[train], labels.e_vel[train])


@torch.no_grad()
def measure_features(net: DynamicsNet, drawer: Drawer) -> None:
    """Mean and scale of every feature over some batches, into the network.

    Ours takes the median and the spread of the middle 80 % instead: what is usual, of
    which the jerks of a few spoiled motions say nothing.
    """
    parts = []
    for number in range(_MEASURED):
        batch = drawer.batch(_BEYOND + number)
        rows = net.features(batch.qpos, batch.lengths, batch.fresh)
        rows = rows[inside(rows, batch.lengths)]
        parts.append(rows[:: max(len(rows) // _ROWS, 1)].double().cpu())
    found = torch.cat(parts)
    mean, std = found.mean(0), found.std(0)
    if isinstance(net, HazardNet):
        ordered = found.sort(0).values
        low, mean, high = (ordered[int(q * (len(found) - 1))] for q in (0.1, 0.5, 0.9))
        std = torch.maximum((high - low) / _MIDDLE, _LEAST_SPREAD * std)
    net.feature_mean.copy_(mean)
    net.feature_std.copy_(_at_least(std))


def _at_least(std: Tensor) -> Tensor:
    sizes = [ROOT_SIZE, *[NUM_JOINTS] * 3]
    if len(std) == FULL_SIZE:
        sizes += [4, 39, 39, 12, 9, 3, 24, 10, 1]
    elif len(std) != PAPER_SIZE:
        raise AssertionError("features of no variant")
    groups = [
        part.clamp(min=max(_LEAST_SHARE * float(part.mean()), 1e-4))
        for part in torch.split(std, sizes)
    ]
    return torch.cat(groups)


def optimizer_of(net: nn.Module, cfg: DynamicsTrainCfg) -> torch.optim.Optimizer:
    """AdamW; weights decay, biases and norms do not."""
    matrices = [p for p in net.parameters() if p.ndim > 1]
    others = [p for p in net.parameters() if p.ndim < 2]
    groups = [
        {"params": matrices, "weight_decay": cfg.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    fused = next(net.parameters()).is_cuda
    return torch.optim.AdamW(groups, lr=cfg.learning_rate, betas=_BETAS, fused=fused)


def positive_weight(rollouts: RollOuts, drawer: Drawer) -> float:
    """Of a success, so that both outcomes count the same."""
    fine = rollouts.labels.success[drawer.rows]
    return float(max((~fine).sum(), 1) / max(fine.sum(), 1))


def on_device(rollouts: RollOuts, normalizers: Normalizers) -> DeviceRollOuts:
    """Labels beside the poses; raises if there is nothing to tell apart."""
    for split in ("train", "val"):
        fine = rollouts.labels.success[rollouts.of_split(split)]
        if fine.all() or not fine.any():
            raise TexedoError(
                f"The motions of the split {split!r} all {'succeed' if fine.all() else 'fail'}: "
                "there is nothing to learn; label other motions."
            )
    return DeviceRollOuts(rollouts, normalizers)


def some_of(rows: Int64, most: int, seed: int) -> Int64:
    """At most so many, in order."""
    drawn = np.random.default_rng((seed, 11)).permutation(rows)[: most or None]
    return np.sort(drawn)
