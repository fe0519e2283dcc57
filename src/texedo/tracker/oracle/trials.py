"""Labels of motions to try: each once by the nominal robot, then by perturbed ones.

Parts are loaded several at a time, so that thousands of robots have something to do,
and become labels part by part. Loading needs numpy alone and may run in a thread beside
the roll-outs. What is random depends on the seed, the content of a motion and the number
of the draw; a nominal roll-out is the same whoever else is rolled out with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.corpus.label_table import pose_hash
from texedo.data.corpus.trials import LIMBS, TrialLabels, read_trials
from texedo.motion import Motion
from texedo.motion.packed import pack_poses
from texedo.quality import TERMINATIONS
from texedo.tracker.oracle.cpu import Finished
from texedo.tracker.oracle.rollout import rollout_stream
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.policies.reference import packed_start_errors
from texedo.tracker.sim.perturb import Perturbation, robot_keys

if TYPE_CHECKING:  # Loads torch and MuJoCo-Warp.
    from texedo.tracker.oracle.batch import Watch
    from texedo.tracker.oracle.device import DeviceOracle

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Load(NamedTuple):
    """Motions of some parts, those that can be tried packed one after the other."""

    paths: tuple[Path, ...]
    sizes: tuple[int, ...]
    """Motions of each part."""
    frames: Ints
    """Of all motions of the parts, (M,)."""
    valid: Bools
    """Which of them can be tried, (M,)."""
    qpos: NDArray[np.float32]
    """Poses of those, (F, 36)."""
    clips: tuple[str, ...]
    """Hash of the content of each of those, n."""
    keys: Ints
    """Of their perturbed robots' random numbers, (n, D, 3, 2)."""

    @property
    def lengths(self) -> Ints:
        """Frames of those that can be tried, (n,)."""
        return self.frames[self.valid]

    def motions(self) -> Iterator[Motion]:
        ends = np.cumsum(self.lengths)
        for end, length in zip(ends.tolist(), self.lengths.tolist(), strict=True):
            yield Motion.from_qpos(self.qpos[end - length : end])


class Verdicts(NamedTuple):
    """How n motions went, on the nominal robot first and then on D perturbed ones."""

    valid: Bools
    """(n,); False where the policy refused."""
    executed: Ints
    """(n, 1 + D)."""
    success: Bools
    """(n, 1 + D)."""
    reasons: Bools
    """(n, 3), of the nominal robot, as all that follows."""
    limbs: Bools
    """(n, 4)."""
    errors: NDArray[np.float32]
    """E_mpjpe-l, E_vel and E_acc, (n, 3)."""


def loads(
    paths: Iterable[Path], *, motions: int, draws: int, seed: int
) -> Iterator[Load]:
    """Whole parts, together until there are so many motions, or none are left."""
    waiting: list[Path] = []
    poses: list[list[NDArray[np.float32]]] = []
    for path in paths:
        waiting.append(path)
        poses.append(read_trials(path).poses)
        if sum(map(len, poses)) >= motions:
            yield _load(waiting, poses, draws=draws, seed=seed)
            waiting, poses = [], []
    if waiting:
        yield _load(waiting, poses, draws=draws, seed=seed)


def _load(
    paths: Sequence[Path],
    poses: Sequence[Sequence[NDArray[np.float32]]],
    *,
    draws: int,
    seed: int,
) -> Load:
    every = [one for part in poses for one in part]
    packed = pack_poses(every)
    starts = np.cumsum(packed.lengths) - packed.lengths
    errors: list[str | None] = []
    if len(starts):
        errors = packed_start_errors(packed.qpos[starts], packed.lengths.tolist())
    begins = np.array([error is None for error in errors], dtype=np.bool_)
    valid = packed.kept.copy()
    valid[valid] = begins
    qpos, lengths = packed.qpos, packed.lengths
    if not begins.all():
        qpos, lengths = qpos[np.repeat(begins, lengths)], lengths[begins]
    parts = np.split(qpos, np.cumsum(lengths)[:-1]) if len(lengths) else []
    clips = [pose_hash(part) for part in parts]
    return Load(
        paths=tuple(paths),
        sizes=tuple(len(part) for part in poses),
        frames=np.array([len(one) for one in every], dtype=np.int64),
        valid=valid,
        qpos=qpos,
        clips=tuple(clips),
        keys=robot_keys(clips, draws=draws, seed=seed),
    )


def device_verdicts(load: Load, oracle: DeviceOracle, *, watch: Watch) -> Verdicts:
    """By a tracker of ours, thousands of robots at once."""
    count, draws = load.keys.shape[:2]
    if not count:
        return _blank(0, 1 + draws)
    keys = load.keys if draws else None
    outcomes = oracle.perform(load.qpos, load.lengths, keys=keys, watch=watch)
    columns = {
        name: value.numpy().reshape(count, -1, *value.shape[1:])
        for name, value in vars(outcomes).items()
    }
    errors = [columns[name][:, 0] for name in ("e_mpjpe", "e_vel", "e_acc")]
    return Verdicts(
        valid=np.ones(count, dtype=np.bool_),
        executed=columns["executed"],
        success=columns["success"],
        reasons=columns["reasons"][:, 0],
        limbs=columns["limbs"][:, 0],
        errors=np.stack(errors, axis=1).astype(np.float32),
    )


def cpu_verdicts(
    load: Load,
    policy: Policy,
    *,
    perturbation: Perturbation,
    seed: int,
    workers: int | None,
    watch: Callable[[int, int], None],
) -> Verdicts:
    """By any policy on all cores."""
    table = _blank(len(load.clips), 1 + perturbation.draws)
    steps = begun = 0
    for ranges in (None, perturbation) if perturbation.draws else (None,):
        stream = rollout_stream(
            load.motions(), policy, perturbation=ranges, seed=seed, workers=workers
        )
        for finished in stream:
            steps += _enter(table, finished, column=0 if ranges is None else 1)
            begun += 1
            watch(steps, begun)
    return table


def _enter(table: Verdicts, finished: Finished, *, column: int) -> int:
    """Frames that were executed."""
    row, column = finished.motion, column + finished.draw_index
    if finished.measures is None:
        table.valid[row] = False
        return 0
    quality = finished.measures.quality
    table.executed[row, column] = quality.failure_frame
    table.success[row, column] = quality.success
    if column == 0:
        table.reasons[row], table.limbs[row] = quality.reasons, finished.measures.limbs
        table.errors[row] = quality.mpjpe_l, quality.e_vel, quality.e_acc
    return int(quality.failure_frame)


def _blank(count: int, robots: int) -> Verdicts:
    return Verdicts(
        valid=np.ones(count, dtype=np.bool_),
        executed=np.zeros((count, robots), dtype=np.int64),
        success=np.zeros((count, robots), dtype=np.bool_),
        reasons=np.zeros((count, len(TERMINATIONS)), dtype=np.bool_),
        limbs=np.zeros((count, len(LIMBS)), dtype=np.bool_),
        errors=np.full((count, 3), np.nan, dtype=np.float32),
    )


def labels_of(load: Load, verdicts: Verdicts) -> Iterator[tuple[Path, TrialLabels]]:
    """Part by part; where nothing could be tried, numbers are zero or NaN."""
    full = _blank(len(load.frames), verdicts.success.shape[1])
    full.valid[:] = load.valid
    for name in Verdicts._fields:
        getattr(full, name)[load.valid] = getattr(verdicts, name)
    ends = np.cumsum(load.sizes)
    for path, end, size in zip(load.paths, ends, load.sizes, strict=True):
        part = slice(end - size, end)
        executed = full.executed[part].astype(np.int32)
        success, errors = full.success[part], full.errors[part]
        yield (
            path,
            TrialLabels(
                valid=full.valid[part],
                frames=load.frames[part].astype(np.int32),
                executed=executed[:, 0],
                success=success[:, 0],
                reasons=full.reasons[part],
                limbs=full.limbs[part],
                e_mpjpe=errors[:, 0],
                e_vel=errors[:, 1],
                e_acc=errors[:, 2],
                perturbed_executed=executed[:, 1:],
                perturbed_success=success[:, 1:],
            ),
        )
