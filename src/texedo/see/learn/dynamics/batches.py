"""Batches of motions of like lengths, drawn and cut on the device.

A motion of up to `frames` frames is whole. Of a longer one the beginning is shown, and
some begin somewhere amid: what lies outside is then not known of it, and a failure that
comes later has not happened.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from texedo.quality import Normalizers, tracking_quality
from texedo.robot.mirror import mirror_qpos
from texedo.see.learn.dynamics.cfg import DynamicsTrainCfg
from texedo.see.learn.dynamics.data import Int64, RollOuts

BUCKET = 50
"""Motions are padded to multiples of this many frames: a GPU likes few shapes."""
_LEAST = 25
"""Frames that a motion that begins amid has left before it fails or ends."""


class Batch(NamedTuple):
    """B motions on the device, D perturbed robots each."""

    qpos: Tensor
    """(B, T, 36)."""
    lengths: Tensor
    fresh: Tensor
    """Which begin with their first frame, (B,)."""
    executed: Tensor
    """(B, 1 + D): tau of the robot as it is, then of perturbed ones."""
    failed: Tensor
    """(B, 1 + D)."""
    known: Tensor
    """(B, 1 + D): False where it had failed before the first frame."""
    causes: Tensor
    """Terminations and limbs, (B, 7); zeros if it did not fail."""
    errors: Tensor
    """E_acc and E_vel over their normalisers, (B, 2); NaN if not known."""
    quality: Tensor
    """q_d, (B,); NaN if not known."""
    progress: Tensor
    weight: Tensor
    """How much a motion counts, (B,): failures are drawn more often than they come."""


class DeviceRollOuts:
    """Roll-outs with their labels on the device."""

    def __init__(self, rollouts: RollOuts, normalizers: Normalizers) -> None:
        labels, self.poses = rollouts.labels, rollouts.poses
        device = self.poses.device

        def send(values: object, kind: torch.dtype) -> Tensor:
            return torch.as_tensor(np.asarray(values), dtype=kind, device=device)

        own = labels.executed[:, None], ~labels.success[:, None]
        self.starts = send(rollouts.starts, torch.int64)
        self.lengths = send(rollouts.lengths, torch.int64)
        self.executed = send(
            np.concatenate((own[0], labels.perturbed_executed), 1), torch.int64
        )
        self.failed = send(
            np.concatenate((own[1], ~labels.perturbed_success), 1), torch.bool
        )
        causes = np.concatenate((labels.reasons, labels.limbs), 1)
        self.causes = send(causes, torch.float32)
        self.errors = send(
            np.stack(
                (labels.e_acc / normalizers.e_acc, labels.e_vel / normalizers.e_vel), 1
            ),
            torch.float32,
        )
        quality = tracking_quality(labels.e_acc, labels.e_vel, normalizers=normalizers)
        self.quality = send(quality, torch.float32)
        index = mirror_qpos(np.arange(36.0))
        # The mirror moves a number and may turn its sign; zero has none, and stays.
        self._mirror = send(np.abs(index), torch.int64)
        self._sign = send(mirror_qpos(np.ones(36)), torch.float32)
        self._other_limb = send([0, 1, 2, 4, 3, 6, 5], torch.int64)

    def batch(
        self, rows: Tensor, offsets: Tensor, size: int, mirrored: Tensor | None = None
    ) -> Batch:
        """Motions `rows` (B,) from their frame `offsets` (B,) on, `size` frames."""
        starts, left = self.starts[rows] + offsets, self.lengths[rows] - offsets
        lengths = left.clamp(max=size)
        at = torch.arange(size, device=rows.device)
        qpos = self.poses[starts[:, None] + at.minimum(left[:, None] - 1)]
        executed = self.executed[rows] - offsets[:, None]
        failed = self.failed[rows] & (executed < lengths[:, None])
        whole = (offsets == 0) & (left == lengths)
        causes = self.causes[rows] * failed[:, :1]
        if mirrored is not None:
            image = qpos[..., self._mirror] * self._sign
            qpos = torch.where(mirrored[:, None, None], image, qpos)
            swapped = causes[:, self._other_limb]
            causes = torch.where(mirrored[:, None], swapped, causes)
        known = executed > 0
        executed = executed.minimum(lengths[:, None]).clamp(min=1)
        nowhere = torch.tensor(torch.nan, device=rows.device)
        return Batch(
            qpos=qpos,
            lengths=lengths,
            fresh=offsets == 0,
            executed=executed,
            failed=failed & known,
            known=known,
            causes=causes,
            errors=torch.where(whole[:, None], self.errors[rows], nowhere),
            quality=torch.where(whole, self.quality[rows], nowhere),
            progress=executed[:, 0] / lengths,
            weight=torch.ones(len(rows), device=rows.device),
        )


class Drawer:
    """Draws batches of training motions; the same for the same seed and step."""

    def __init__(
        self, data: DeviceRollOuts, rollouts: RollOuts, cfg: DynamicsTrainCfg
    ) -> None:
        self._data, self._cfg = data, cfg
        paper = cfg.variant == "paper"
        self._failures = 0.0 if paper else cfg.failures
        self._amid = 0.0 if paper else cfg.amid
        self.rows = _some(rollouts.of_split("train"), cfg.most, cfg.seed)
        self._executed = rollouts.labels.executed.astype(np.int64)
        self._lengths = rollouts.lengths
        fine = rollouts.labels.success
        sizes = padded_size(self._lengths[self.rows], cfg.frames)
        self.sizes = np.unique(sizes)
        own = [self.rows[sizes == size] for size in self.sizes]
        self._bad = [rows[~fine[rows]] for rows in own]
        self._good = [rows[fine[rows]] for rows in own]
        self._odds = np.array([len(rows) for rows in own]) / len(self.rows)

    def batch(self, step: int) -> Batch:
        """Batch number `step`."""
        cfg = self._cfg
        rng = np.random.default_rng((cfg.seed, step))
        bucket = int(rng.choice(len(self.sizes), p=self._odds))
        bad, good = self._bad[bucket], self._good[bucket]
        rate = len(bad) / (len(bad) + len(good))
        share = self._failures if self._failures and 0 < rate < 1 else rate
        fails = rng.random(cfg.batch) < share
        rows = np.where(fails, _draw(bad, good, rng, cfg.batch), 0)
        rows = np.where(fails, rows, _draw(good, bad, rng, cfg.batch))
        weight = np.ones(cfg.batch)
        if 0 < rate < 1:
            weight = np.where(fails, rate / share, (1 - rate) / (1 - share))
        offsets = self._offsets(rows, rng)
        mirrored = rng.random(cfg.batch) < cfg.mirrored
        device = self._data.poses.device
        sent = [torch.from_numpy(x).to(device) for x in (rows, offsets, mirrored)]
        batch = self._data.batch(sent[0], sent[1], int(self.sizes[bucket]), sent[2])
        return batch._replace(weight=torch.from_numpy(weight).float().to(device))

    def _offsets(self, rows: Int64, rng: np.random.Generator) -> Int64:
        room = np.maximum(self._executed[rows] - _LEAST, 0)
        amid = rng.random(len(rows)) < self._amid
        offsets = np.where(amid, rng.random(len(rows)) * room, 0.0)
        return offsets.astype(np.int64)


def padded_size(lengths: Int64, most: int) -> Int64:
    """Frames of the batch that a motion comes in."""
    return np.minimum(-(-lengths // BUCKET) * BUCKET, most)


def _draw(rows: Int64, other: Int64, rng: np.random.Generator, count: int) -> Int64:
    pool = rows if len(rows) else other
    return pool[rng.integers(len(pool), size=count)]


def _some(rows: Int64, most: int, seed: int) -> Int64:
    if not most or most >= len(rows):
        return rows
    return np.sort(np.random.default_rng((seed, 7)).permutation(rows)[:most])
