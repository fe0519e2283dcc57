"""Many motions checked at once, against `Motion` one by one."""

import numpy as np

from texedo.motion import Motion
from texedo.motion.packed import pack_poses


def _poses(frames: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    qpos = rng.normal(size=(frames, 36)).astype(np.float32)
    qpos[:, 3:7] = np.cumsum(0.1 * qpos[:, 3:7], axis=0) + (2.0, 0, 0, 0)
    qpos[::3, 3:7] *= -1  # The same turn, written the other way round.
    return qpos


def test_each_is_what_its_motion_holds() -> None:
    poses = [_poses(frames, seed) for seed, frames in enumerate((5, 40, 2, 17))]
    packed = pack_poses(poses)
    assert packed.lengths.tolist() == [5, 40, 2, 17] and packed.kept.all()
    parts = np.split(packed.qpos, np.cumsum(packed.lengths)[:-1])
    for part, qpos in zip(parts, poses, strict=True):
        np.testing.assert_array_equal(part, Motion.from_qpos(qpos).to_qpos())


def test_what_is_no_motion_is_left_out() -> None:
    poses = [_poses(9, seed) for seed in range(6)]
    poses[0][4, 20] = np.nan
    poses[2] = poses[2][:1]
    poses[3] = poses[3][:0]
    poses[4][8, 3:7] = 0.0
    packed = pack_poses(poses)
    assert packed.kept.tolist() == [False, True, False, False, False, True]
    assert packed.qpos.shape == (18, 36)
    nothing = pack_poses([])
    assert len(nothing.lengths) == len(nothing.kept) == len(nothing.qpos) == 0
