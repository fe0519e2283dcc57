"""Whether an exported graph does what our tracker does.

Loads onnxruntime and torch; imported only for an export.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from texedo.core.errors import PolicyError
from texedo.motion import Motion
from texedo.motion.rotations import quat_from_rotvec, quat_multiply
from texedo.tracker.policies.beyondmimic import OnnxPolicy
from texedo.tracker.policies.onnx_runtime import open_graph
from texedo.tracker.policies.ours import TrackerPolicy
from texedo.tracker.policies.protocol import RobotState
from texedo.tracker.policies.reference import Reference

TOLERANCE = 1e-5
"""Largest difference of actions, relative to the largest of them or to 1."""
TARGET_TOLERANCE = 1e-4
"""Largest difference of joint targets [rad]: orientations take another way there."""
_FRAMES = 25


@torch.inference_mode()
def check_policy_graph(
    policy: TrackerPolicy, path: Path | str, rows: int = 64
) -> float:
    """Largest difference of actions; `PolicyError` beyond `TOLERANCE`."""
    normalizer = policy.actor.normalizer
    generator = torch.Generator().manual_seed(0)
    noise = torch.randn(rows, policy.observation_size, generator=generator)
    observation = normalizer.mean + noise * normalizer.var.sqrt()
    expected = policy.actor(observation).numpy()
    (actions,) = open_graph(path).run(["actions"], obs=observation.numpy())
    worst = float(np.abs(actions - expected).max())
    limit = TOLERANCE * max(1.0, float(np.abs(expected).max()))
    return _judged(path, worst, limit, what="actions")


def check_motion_graph(
    policy: TrackerPolicy, motion: Motion, path: Path | str
) -> float:
    """Largest difference of targets [rad] over the first half second, off track."""
    rng = np.random.default_rng(0)
    reference, slots = Reference(motion), np.array([0])
    batches = policy.start(1), OnnxPolicy(path).start(1)
    for batch in batches:
        batch.reset(0, reference)
    worst = 0.0
    for frame in range(min(_FRAMES, len(motion))):
        qpos = reference.qpos[frame] + 0.05 * rng.standard_normal(36)
        turn = quat_from_rotvec(0.2 * rng.standard_normal(3))
        qpos[3:7] = quat_multiply(reference.qpos[frame, 3:7], turn)
        state = RobotState(qpos[None], 0.5 * rng.standard_normal((1, 35)))
        frames = np.array([frame])
        ours, theirs = (b.act(slots, b.observe(slots, frames, state)) for b in batches)
        worst = max(worst, float(np.abs(ours - theirs).max()))
    return _judged(path, worst, TARGET_TOLERANCE, what="joint targets")


def _judged(path: Path | str, worst: float, limit: float, *, what: str) -> float:
    if not worst <= limit:
        raise PolicyError(
            f"{path}: its {what} differ from the tracker's by {worst:.1e}, more than "
            f"{limit:.1e}; do not use it, and report this."
        )
    return worst
