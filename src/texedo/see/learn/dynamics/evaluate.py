"""What a network says of the validation split, its calibration and its figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.motion import FPS
from texedo.quality import Normalizers, oracle_quality, tracking_quality
from texedo.see.dynamics.artifact import DynamicsNet
from texedo.see.dynamics.calibration import Line, decided, fit_line
from texedo.see.dynamics.hazard.forecast import alive_and_share, risk, summarize
from texedo.see.dynamics.hazard.net import HazardNet, Outlook
from texedo.see.learn.dynamics.batches import DeviceRollOuts, padded_size
from texedo.see.learn.dynamics.data import Int64, RollOuts
from texedo.see.learn.dynamics.decision import Suite, fit_decision
from texedo.see.learn.dynamics.figures import (
    auroc,
    average_precision,
    calibration_error,
    kendall_within,
    spearman,
)

_BATCH_FRAMES = 1 << 16

Float64 = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Said:
    """What a network said of M motions, before calibration; (M,) each."""

    rows: Int64
    success: Float64
    """Logit of success (the paper's), or logarithm of the total hazard (ours)."""
    robust: Float64
    quality: Float64
    progress: Float64
    fall: Float64
    """Frame of the failure, if there is one."""
    survives: bool
    """Whether it is a total hazard."""

    def probability(self, line: Line, *, robust: bool = False) -> Float64:
        """Of success."""
        score = line.slope * (self.robust if robust else self.success) + line.offset
        if self.survives:
            return np.exp(-np.exp(np.minimum(score, 30.0)))
        return 1 / (1 + np.exp(-score))


@torch.inference_mode()
def listen(net: DynamicsNet, data: DeviceRollOuts, rows: Int64, most: int) -> Said:
    """What a network says of these motions."""
    lengths = data.lengths.cpu().numpy()[rows]
    sizes = padded_size(lengths, most)
    order = np.argsort(sizes, kind="stable")
    table = np.zeros((len(rows), 5))
    at = 0
    while at < len(order):
        size = int(sizes[order[at]])
        same = int(np.searchsorted(sizes[order], size, side="right"))
        own = order[at : min(same, at + max(_BATCH_FRAMES // size, 1))]
        table[own] = _numbers(net, data, rows[own], size).cpu().numpy()
        at += len(own)
    success, robust, quality, progress, fall = table.T
    return Said(
        rows, success, robust, quality, progress, fall, isinstance(net, HazardNet)
    )


def _numbers(net: DynamicsNet, data: DeviceRollOuts, rows: Int64, size: int) -> Tensor:
    where = torch.from_numpy(rows).to(data.poses.device)
    batch = data.batch(where, torch.zeros_like(where), size)
    said = net(net.features(batch.qpos, batch.lengths, batch.fresh), batch.lengths)
    if not isinstance(said, Tensor):
        success, quality, progress = (head.double() for head in said)
        progress = progress.sigmoid()
        columns = (success, success, quality.sigmoid(), progress)
        return torch.stack((*columns, progress * batch.lengths), dim=1)
    look = Outlook.of(said)
    steps = [risk(z, batch.lengths) for z in (look.hazard, look.perturbed)]
    totals = [step.sum(1).clamp(min=1e-30).log() for step in steps]
    whole = summarize(said, batch.lengths, Line(), Line())
    _, share = alive_and_share(steps[0])
    fall = (share.cumsum(1) < 0.5).sum(1).double()
    return torch.stack((*totals, whole[:, 2], whole[:, 3], fall), dim=1)


class Lines(NamedTuple):
    """What is fitted on held-out motions."""

    success: Line
    robust: Line
    decision: Line


def fit_lines(said: Said, rollouts: RollOuts, normalizers: Normalizers) -> Lines:
    """All of them."""
    success, robust = calibrate(said, rollouts)
    return Lines(success, robust, decision_of(said, rollouts, normalizers, success))


def calibrate(said: Said, rollouts: RollOuts) -> tuple[Line, Line]:
    """Lines of success and of robust success; every test set counts the same."""
    labels, rows = rollouts.labels, said.rows
    suites = np.array([rollouts.trials[i].suite for i in rows])
    _, which, counts = np.unique(suites, return_inverse=True, return_counts=True)
    weight = len(rows) / (len(counts) * counts[which])
    failed = (~labels.success[rows]).astype(np.float64)
    if not said.survives:
        return fit_line(said.success, 1 - failed, link="logit", weight=weight), Line()
    own = fit_line(said.success, failed, link="log-hazard", weight=weight)
    if not labels.perturbed_success.shape[1]:
        return own, own
    shaken = 1 - labels.perturbed_success[rows].mean(axis=1)
    return own, fit_line(said.robust, shaken, link="log-hazard", weight=weight)


def decision_of(
    said: Said, rollouts: RollOuts, normalizers: Normalizers, line: Line
) -> Line:
    """What R_dyn takes for success, by the test sets among these motions that perturbed
    robots tried; the paper's variant takes the probability."""
    labels = rollouts.labels
    if not said.survives or not labels.perturbed_success.shape[1]:
        return Line()
    names = np.array([rollouts.trials[i].suite for i in said.rows])
    p, q_star = said.probability(line), _q_star(said.rows, rollouts, normalizers)
    suites = []
    for name in sorted(set(names.tolist()) - {""}):
        own = np.flatnonzero(names == name)
        rows = said.rows[own]
        suites.append(
            Suite(
                groups=[rollouts.trials[i].group for i in rows],
                success=p[own],
                quality=said.quality[own],
                progress=said.progress[own],
                shaken=labels.perturbed_success[rows].mean(axis=1),
                q_star=q_star[own],
            )
        )
    return fit_decision(suites)


def _q_star(rows: Int64, rollouts: RollOuts, normalizers: Normalizers) -> Float64:
    labels = rollouts.labels
    q_d = tracking_quality(
        labels.e_acc[rows], labels.e_vel[rows], normalizers=normalizers
    )
    return oracle_quality(
        labels.success[rows], q_d, labels.executed[rows] / labels.frames[rows]
    )


def figures(
    said: Said, rollouts: RollOuts, normalizers: Normalizers, lines: Lines
) -> dict[str, Any]:
    """By name; failures are the positives of AUPRC."""
    labels, rows = rollouts.labels, said.rows
    fine = labels.success[rows]
    p = said.probability(lines.success)
    e_acc, e_vel = (
        np.asarray(e[rows], np.float64) for e in (labels.e_acc, labels.e_vel)
    )
    progress = labels.executed[rows] / labels.frames[rows]
    r_dyn = oracle_quality(decided(p, lines.decision), said.quality, said.progress)
    groups = [f"{rollouts.trials[i].suite}/{rollouts.trials[i].group}" for i in rows]
    tau, counted = kendall_within(groups, r_dyn, _q_star(rows, rollouts, normalizers))
    late = np.abs(said.fall - labels.executed[rows])[~fine] / FPS
    found: dict[str, Any] = {
        "motions": len(rows),
        "success": float(fine.mean()),
        "AUROC": auroc(p, fine),
        "AUPRC": average_precision(-p, ~fine),
        "Brier": float(np.mean((p - fine) ** 2)),
        "ECE": calibration_error(p, fine.astype(np.float64)),
        "rho E_acc": spearman(said.quality, e_acc),
        "rho E_vel": spearman(said.quality, e_vel),
        "rho progress": spearman(said.progress[~fine], progress[~fine]),
        "tau": tau,
        "groups": counted,
        "time error": float(np.median(late)) if len(late) else float("nan"),
    }
    if said.survives and labels.perturbed_success.shape[1]:
        share = labels.perturbed_success[rows].mean(axis=1)
        shaken = said.probability(lines.robust, robust=True)
        found["robust ECE"] = calibration_error(shaken, share)
        found["robust rho"] = spearman(shaken, share)
    return found | _by_suite(p, fine, [rollouts.trials[i].suite for i in rows])


def _by_suite(p: Float64, fine: NDArray[np.bool_], of: list[str]) -> dict[str, float]:
    suites, found = np.array(of), {}
    for suite in sorted(set(of) - {""}):
        own = suites == suite
        found[f"AUROC {suite}"] = auroc(p[own], fine[own])
        found[f"ECE {suite}"] = calibration_error(p[own], fine[own].astype(float))
    return found
