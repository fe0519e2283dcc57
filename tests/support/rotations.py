"""Motions and rotations for the tests of this folder."""

import numpy as np
from hypothesis import strategies as st

from texedo.motion import FPS, NUM_JOINTS, Motion
from texedo.motion.rotations import quat_from_euler, quat_normalize

_components = st.floats(-1.0, 1.0)
quaternions = (
    st.tuples(*[_components] * 4)
    .map(np.array)
    .filter(lambda q: np.linalg.norm(q) > 0.1)
    .map(quat_normalize)
)
vectors = st.tuples(*[st.floats(-10.0, 10.0)] * 3).map(np.array)
angles = st.floats(-np.pi, np.pi)


def raw_walk(frames: int, *, fps: float = FPS, seed: int = 0) -> dict[str, np.ndarray]:
    """Smooth arrays: a turning, rolling walk, its joints on sines. float64."""
    rng = np.random.default_rng(seed)
    t = np.arange(frames) / fps
    yaw = 0.7 + 0.5 * t + rng.uniform(-1, 1)
    euler = np.stack((yaw, 0.2 * np.sin(2 * t), 0.1 * np.cos(3 * t)), axis=-1)
    pos = np.stack((1 + 0.6 * t, 2 - 0.2 * t**2, 0.76 + 0.02 * np.sin(5 * t)), axis=-1)
    phase = rng.uniform(0, 6, NUM_JOINTS)
    return {
        "root_pos_w": pos,
        "root_quat_w": quat_from_euler("ZYX", euler),
        "joint_pos": 0.4 * np.sin(2 * t[:, None] + phase),
    }


def walk(frames: int, *, seed: int = 0) -> Motion:
    return Motion(**raw_walk(frames, seed=seed))


def assert_same_rotations(a, b, *, atol=1e-9):
    """Equal up to sign: q and -q are one rotation."""
    dots = np.abs(np.sum(np.asarray(a) * np.asarray(b), axis=-1))
    np.testing.assert_allclose(dots, 1.0, atol=atol)
