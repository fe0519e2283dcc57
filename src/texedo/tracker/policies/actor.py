"""The policy network: normalised observation in, action out.

Its normaliser is part of it, as two frozen vectors, so that a stored tracker needs
nothing else. Stored in float16: half the size, and the actions move by less than the
encoder noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from texedo.checkpoints.artifact import read_artifact, write_artifact
from texedo.checkpoints.sizes import check_shapes
from texedo.core.errors import CheckpointError
from texedo.core.visible import visible
from texedo.motion.motion import NUM_JOINTS
from texedo.robot.g1 import ACTION_SCALE, JOINT_NAMES, ROBOT_NAME
from texedo.tracker.policies.spec import TrackerSpec

ARTIFACT_KIND = "texedo-tracker"
EPSILON = 1e-4
"""Keeps numbers that never vary (yaw rate of a standing robot) from blowing up."""


class Normalizer(nn.Module):
    """Running mean and variance of each observed number."""

    mean: Tensor
    var: Tensor
    count: Tensor

    def __init__(self, size: int, *, limit: float) -> None:
        super().__init__()
        self.limit = limit
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("var", torch.ones(size))
        self.register_buffer("count", torch.zeros((), dtype=torch.float64))

    @torch.no_grad()
    def update(self, x: Tensor, *, max_count: float = 2e8) -> None:
        """Mix the rows of `x` (n, size) in; old samples fade beyond `max_count`."""
        batch_mean, batch_var = x.mean(dim=0), x.var(dim=0, unbiased=False)
        total = self.count + len(x)
        share = (len(x) / total).float()
        delta = batch_mean - self.mean
        self.var.mul_(1 - share).add_(batch_var * share)
        self.var.add_(delta * delta * share * (1 - share))
        self.mean.add_(delta * share)
        self.count.copy_(total.clamp(max=max_count))

    def forward(self, x: Tensor) -> Tensor:
        scaled = (x - self.mean) * torch.rsqrt(self.var + EPSILON)
        return scaled.clamp(-self.limit, self.limit)


def mlp(sizes: tuple[int, ...], *, last_gain: float) -> nn.Sequential:
    """Linear layers with ELU between them; the last one starts small."""
    layers: list[nn.Module] = []
    for wide, narrow in zip(sizes[:-2], sizes[1:-1], strict=True):
        layers += [nn.Linear(wide, narrow), nn.ELU()]
    last = nn.Linear(sizes[-2], sizes[-1])
    nn.init.orthogonal_(last.weight, last_gain)
    nn.init.zeros_(last.bias)
    return nn.Sequential(*layers, last)


class Actor(nn.Module):
    """Deterministic part of the policy: (n, actor_obs_size) -> action (n, 29)."""

    def __init__(self, spec: TrackerSpec) -> None:
        super().__init__()
        self.spec = spec
        self.normalizer = Normalizer(spec.actor_obs_size, limit=spec.observation_limit)
        sizes = (spec.actor_obs_size, *spec.hidden_sizes, NUM_JOINTS)
        self.network = mlp(sizes, last_gain=0.01)

    def forward(self, observation: Tensor) -> Tensor:
        action: Tensor = self.network(self.normalizer(observation))
        return action.clamp(-self.spec.action_limit, self.spec.action_limit)


def action_scale(device: str | torch.device = "cpu") -> Tensor:
    """Radians that a unit action moves each joint's target, (29,)."""
    return torch.as_tensor(ACTION_SCALE.copy(), dtype=torch.float32, device=device)


def joint_targets(
    next_joint_pos: Tensor, action: Tensor, *, scale: Tensor, limit: float
) -> Tensor:
    """PD targets (n, 29): the reference's next joints, corrected by the action."""
    return next_joint_pos + scale * action.clamp(-limit, limit)


def save_tracker(
    folder: Path | str, actor: Actor, *, metadata: Mapping[str, Any] | None = None
) -> Path:
    """Write `config.json` and `weights.safetensors`; returns the folder.

    `metadata` holds plain values about the training run and the e95 normalisers.
    """
    tensors = {
        name: _storable(name, tensor) for name, tensor in actor.state_dict().items()
    }
    config = {
        "robot": ROBOT_NAME,
        "joint_names": list(JOINT_NAMES),
        "spec": actor.spec.to_dict(),
        "metadata": dict(metadata or {}),
    }
    return write_artifact(folder, kind=ARTIFACT_KIND, config=config, tensors=tensors)


def load_tracker(
    folder: Path | str, *, device: str | torch.device = "cpu"
) -> tuple[Actor, dict[str, Any]]:
    """The policy in evaluation mode, and the metadata it was saved with."""
    config, tensors = read_artifact(folder, kind=ARTIFACT_KIND)
    if config.get("joint_names") != list(JOINT_NAMES):
        raise CheckpointError(f"{folder}: the tracker was made for other joints.")
    spec = TrackerSpec.from_dict(config.get("spec", {}))
    check_shapes(lambda: Actor(spec), tensors, folder)
    actor = Actor(spec)
    state = {name: torch.as_tensor(array) for name, array in tensors.items()}
    try:
        actor.load_state_dict(state)
    except (RuntimeError, TypeError) as error:
        first = visible(str(error).splitlines()[-1].strip())[:200]
        raise CheckpointError(
            f"{folder}: weights do not fit the spec: {first}"
        ) from None
    actor.to(device).eval().requires_grad_(False)
    return actor, dict(config.get("metadata", {}))


def _storable(name: str, tensor: Tensor) -> np.ndarray[Any, Any]:
    # Means and variances span too many decades for float16.
    array = tensor.detach().cpu().numpy()
    return array.astype(np.float16) if name.startswith("network.") else array
