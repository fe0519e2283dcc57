"""What a tracker of ours is: sizes and layout, everything its weights depend on.

What it sees is the table in `terms`; here is how often and of which frames.
The numbers below are stored with the weights, so that an artefact describes itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.checkpoints.sizes import read_settings
from texedo.core.errors import CheckpointError
from texedo.quality import ORACLE_VERSION
from texedo.robot.g1 import JOINT_NAMES
from texedo.tracker.policies.terms import (
    FRAME_TERMS,
    OWN_TERMS,
    PRIVILEGED_SIZES,
    RATE_TERMS,
    size_of,
)

FORMAT_VERSION = 2
READABLE_VERSIONS = (1, 2)
"""Version 1 knows no held joints: all else is the same."""
PROPRIOCEPTION_SIZE = size_of(OWN_TERMS)
"""Numbers of one control step."""
COMMAND_SIZE = size_of(FRAME_TERMS)
"""Numbers of one frame ahead, without rates."""


@dataclass(frozen=True, kw_only=True)
class TrackerSpec:
    """Layout of observations and network of one tracker."""

    format_version: int = FORMAT_VERSION
    oracle_version: int = ORACLE_VERSION
    """The oracle whose terminations and physics it was trained for."""
    future_offsets: tuple[int, ...] = (1, 2, 4, 8, 14, 22)
    """Reference frames the policy sees, counted from the current one."""
    velocity_offsets: tuple[int, ...] = (1, 4)
    """Those of `future_offsets` at which it also sees joint velocities."""
    held_joints: tuple[str, ...] = ()
    """Joints that hardly moved in training, whose reference is therefore not shown: the
    policy sees it in the standing pose and at rest, and measures angles and rates of
    these joints from the reference. Targets follow the reference all the same."""
    history_length: int = 5
    """Control steps of proprioception it sees, the current one included."""
    hidden_sizes: tuple[int, ...] = (1024, 768, 384)
    joint_vel_scale: float = 0.1
    """Joint velocities are multiplied by this in every observation."""
    action_limit: float = 8.0
    """Actions are clipped here before they are scaled."""
    observation_limit: float = 8.0
    """Normalised observations are clipped here."""
    action_rule: str = "next_reference_joint_pos + action_scale * action"
    """The only rule there is; written down for whoever reads the file."""

    def __post_init__(self) -> None:
        for name in ("future_offsets", "velocity_offsets", "hidden_sizes"):
            object.__setattr__(self, name, tuple(int(v) for v in getattr(self, name)))
        object.__setattr__(self, "held_joints", tuple(self.held_joints))
        unknown = sorted(set(self.held_joints) - set(JOINT_NAMES))
        if unknown:
            raise ValueError(f"held_joints has {unknown[0]!r}, no joint of the robot.")
        if not set(self.velocity_offsets) <= set(self.future_offsets):
            raise ValueError(
                f"velocity_offsets {self.velocity_offsets} must be among "
                f"future_offsets {self.future_offsets}."
            )
        if self.history_length < 1:
            raise ValueError(f"history_length must be >= 1, got {self.history_length}.")

    @property
    def held(self) -> NDArray[np.bool_]:
        """Which of `JOINT_NAMES` are held, (29,)."""
        return np.isin(JOINT_NAMES, self.held_joints)

    @property
    def command_size(self) -> int:
        """Numbers that describe the reference."""
        rates = size_of(RATE_TERMS) * len(self.velocity_offsets)
        return COMMAND_SIZE * len(self.future_offsets) + rates

    @property
    def actor_obs_size(self) -> int:
        return PROPRIOCEPTION_SIZE * self.history_length + self.command_size

    @property
    def critic_obs_size(self) -> int:
        """Clean actor observation without the history, and the privileged part."""
        return PROPRIOCEPTION_SIZE + self.command_size + sum(PRIVILEGED_SIZES.values())

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; sizes are added for readers in other languages."""
        return asdict(self) | {"actor_obs_size": self.actor_obs_size}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TrackerSpec:
        """The spec of a stored tracker; raises `CheckpointError` if it is not ours."""
        if not isinstance(values, Mapping):
            raise CheckpointError(
                "Tracker spec is damaged: it holds no names and values."
            )
        version = values.get("format_version")
        if version not in READABLE_VERSIONS:
            raise CheckpointError(
                f"Tracker format version {version!r:.40} is not {FORMAT_VERSION}; "
                "install the texedo version that wrote it."
            )
        known = {field.name for field in fields(cls)} - {"format_version"}
        stored = {k: v for k, v in values.items() if k in known}
        spec = read_settings(cls, stored, "Tracker spec is damaged")
        if values.get("actor_obs_size", spec.actor_obs_size) != spec.actor_obs_size:
            raise CheckpointError(
                f"Tracker spec says {values['actor_obs_size']} observations, its "
                f"layout gives {spec.actor_obs_size}; the file is damaged."
            )
        return spec
