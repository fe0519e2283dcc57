"""A trained dynamic verifier in use: motions of any length in, a forecast out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from texedo.learning.cuda_graph import Replayed
from texedo.motion import Motion
from texedo.motion.motion import MIN_FRAMES
from texedo.quality import TERMINATIONS, oracle_quality
from texedo.see.dynamics.calibration import Line, decided
from texedo.see.dynamics.protocol import (
    LIMBS,
    PAPER_THRESHOLD,
    Filter,
    Float32,
    Forecast,
)

_BATCH_FRAMES = {"cpu": 1 << 12, "cuda": 1 << 17}
"""Frames that are read at once, padding included: what a CPU's caches like to hold."""
_GRID = 4
"""Batches are padded to multiples of this many frames."""
_SHAPES = 8
"""Shapes of batches that a GPU replays."""
_REPLAYED = 1 << 14
"""Frames of the largest of them: a record keeps its memory, and saves time on small
batches alone."""
_CAUSES = 4
_LIMBS = _CAUSES + len(TERMINATIONS)
_FRAMES = _LIMBS + len(LIMBS)
"""Where terminations, limbs and hazards begin in a row of a forecast."""

Poses = NDArray[Any]


class Model(Protocol):
    """A variant: rows of numbers per motion, which `_Rows` puts in place."""

    @property
    def net(self) -> nn.Module: ...

    @property
    def frames(self) -> int: ...

    def whole(self, qpos: Tensor, lengths: Tensor, fresh: Tensor) -> Tensor: ...

    def long(self, qpos: Tensor) -> Tensor: ...


@dataclass(frozen=True, kw_only=True)
class Seal:
    """What is told about a verifier."""

    name: str = "texedo"
    digest: str = ""
    tracker: str = ""
    threshold: float = PAPER_THRESHOLD
    filters_by: Filter = "r_dyn"
    """What the threshold is of."""
    decision: Line = Line()
    """What R_dyn takes for success."""
    metadata: dict[str, Any] = field(default_factory=dict)


class TrainedVerifier:
    """A network with its calibration, on a CPU or a GPU."""

    def __init__(self, model: Model, seal: Seal = Seal()) -> None:  # noqa: B008
        model.net.eval().requires_grad_(False)
        self.model, self.seal = model, seal
        self._replays: dict[tuple[int, int], _Replay] = {}

    @property
    def name(self) -> str:
        return self.seal.name

    @property
    def digest(self) -> str:
        return self.seal.digest

    @property
    def tracker(self) -> str:
        return self.seal.tracker

    @property
    def threshold(self) -> float:
        return self.seal.threshold

    @property
    def filters_by(self) -> Filter:
        return self.seal.filters_by

    @property
    def metadata(self) -> dict[str, Any]:
        return self.seal.metadata

    @property
    def device(self) -> torch.device:
        return next(self.model.net.parameters()).device

    def to(self, device: str | torch.device) -> TrainedVerifier:
        """Move it, in place."""
        self.model.net.to(device)
        self._replays.clear()
        return self

    def foresee(self, motions: Sequence[Motion]) -> Forecast:
        """A forecast of each motion; longer ones than it learnt from in windows."""
        return self.foresee_poses([motion.to_qpos() for motion in motions])

    @torch.inference_mode()
    def foresee_poses(self, poses: Sequence[Poses]) -> Forecast:
        """The same of qpos (T, 36), which need not be motions: NaN if they are none."""
        rows = _Rows([len(qpos) for qpos in poses])
        known = [i for i, qpos in enumerate(poses) if _readable(qpos)]
        lengths = {i: len(poses[i]) for i in known}
        short = [i for i in known if lengths[i] <= self.model.frames]
        limit = _BATCH_FRAMES.get(self.device.type, _BATCH_FRAMES["cpu"])
        for batch in _batches(short, lengths, limit):
            rows.put(batch, self._whole([poses[i] for i in batch]))
        for i in set(known) - set(short):
            qpos = torch.from_numpy(poses[i].astype(np.float32)).to(self.device)
            rows.put([i], self.model.long(qpos).cpu().numpy())
        return rows.forecast(self.seal.decision)

    def _whole(self, poses: Sequence[Poses]) -> NDArray[np.float64]:
        shape = len(poses), _padded_length(poses)
        replay = self._replay(shape)
        if replay is not None:
            return np.asarray(replay(poses).cpu().numpy())
        qpos = torch.empty(*shape, poses[0].shape[1])
        _pad_into(qpos.numpy(), poses)
        qpos = qpos.to(self.device)
        lengths = torch.tensor([len(own) for own in poses], device=self.device)
        fresh = torch.ones(len(qpos), dtype=torch.bool, device=self.device)
        return np.asarray(self.model.whole(qpos, lengths, fresh).cpu().numpy())

    def _replay(self, shape: tuple[int, int]) -> _Replay | None:
        """What replays batches of this shape, on a GPU and as long as there is room."""
        if self.device.type != "cuda" or shape[0] * shape[1] > _REPLAYED:
            return None
        if shape not in self._replays and len(self._replays) < _SHAPES:
            self._replays[shape] = _Replay(self.model, shape, self.device)
        return self._replays.get(shape)


class _Replay:
    """Batches of one shape on a GPU, which replays what it recorded.

    Poses are laid down where the GPU fetches them from: memory that is made ready for
    that costs more than all the rest of a small batch.
    """

    def __init__(
        self, model: Model, shape: tuple[int, int], device: torch.device
    ) -> None:
        self._model = model
        pinned = device.type == "cuda"
        self._staged = torch.empty(*shape, 36, pin_memory=pinned)
        self._counts = torch.empty(shape[0], dtype=torch.int64, pin_memory=pinned)
        self._qpos = torch.zeros(*shape, 36, device=device)
        self._lengths = torch.full(shape[:1], shape[1], device=device)
        self._fresh = torch.ones(shape[0], dtype=torch.bool, device=device)
        self._out = self._qpos
        self._run = Replayed(self._call, device)

    def _call(self) -> None:
        self._out = self._model.whole(self._qpos, self._lengths, self._fresh)

    def __call__(self, poses: Sequence[Poses]) -> Tensor:
        """Forecasts, to be fetched before the next call: it lays down other poses."""
        _pad_into(self._staged.numpy(), poses)
        self._counts.numpy()[:] = [len(own) for own in poses]
        self._qpos.copy_(self._staged, non_blocking=True)
        self._lengths.copy_(self._counts, non_blocking=True)
        self._run()
        return self._out


class _Rows:
    """Forecasts as they come in."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self._lengths = lengths
        self._table = np.full((len(lengths), _FRAMES), np.nan)
        self._hazard = [np.full(n, np.nan, dtype=np.float32) for n in lengths]
        self._hazards = True

    def put(self, which: Sequence[int], rows: NDArray[np.float64]) -> None:
        """Rows (B, 11 + T) of these motions, or (B, 11) where there are no hazards."""
        self._table[which] = rows[:, :_FRAMES]
        self._hazards &= rows.shape[1] > _FRAMES
        for i, row in zip(which, rows, strict=True):
            self._hazard[i][:] = _hazard(row, self._lengths[i])

    def forecast(self, decision: Line) -> Forecast:
        success, robust, quality, progress = self._table[:, :_CAUSES].T.copy()
        return Forecast(
            success=success,
            robust=robust,
            quality=quality,
            progress=progress,
            r_dyn=oracle_quality(decided(success, decision), quality, progress),
            hazard=self._hazard if self._hazards else None,
            reasons=self._table[:, _CAUSES:_LIMBS].copy(),
            limbs=self._table[:, _LIMBS:].copy(),
        )


def _hazard(row: NDArray[np.float64], frames: int) -> Float32 | float:
    own = row[_FRAMES : _FRAMES + frames]
    return own.astype(np.float32) if len(own) else np.nan


def _readable(qpos: Poses) -> bool:
    return len(qpos) >= MIN_FRAMES and bool(np.isfinite(qpos).all())


def _padded_length(poses: Sequence[Poses]) -> int:
    """Frames of the batch that holds these motions."""
    longest = max(map(len, poses))
    return longest + -longest % _GRID


def _pad_into(batch: NDArray[np.float32], poses: Sequence[Poses]) -> None:
    """Fill (B, T, 36), each motion's last frame repeated."""
    for row, qpos in zip(batch, poses, strict=True):
        row[: len(qpos)] = qpos
        row[len(qpos) :] = qpos[-1]


def _batches(
    which: Sequence[int], lengths: dict[int, int], limit: int
) -> Iterator[list[int]]:
    """Motions of like lengths, as many as fit."""
    batch: list[int] = []
    for i in sorted(which, key=lambda i: lengths[i]):
        if batch and lengths[i] * (len(batch) + 1) > limit:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch
