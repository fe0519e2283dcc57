"""Our tracker at work on a CPU: the actor and its observations behind `Policy`.

Loads torch; imported only when such a tracker is asked for.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.errors import CheckpointError
from texedo.motion import FPS
from texedo.quality import Normalizers
from texedo.robot.g1 import JOINT_NAMES
from texedo.tracker.actor import Actor, action_scale, joint_targets, load_tracker
from texedo.tracker.blocks import BlockEvaluator, stable_sizes
from texedo.tracker.observation import (
    actor_observation,
    command,
    proprioception,
    push_history,
)
from texedo.tracker.policy import Actuation, Ints, RobotState
from texedo.tracker.quat import (
    heading,
    quat_conjugate,
    quat_multiply,
    quat_normalize,
    quat_rotate_inverse,
    quat_to_rotvec,
)
from texedo.tracker.reference import ReferenceLibrary
from texedo.tracker.spec import PROPRIOCEPTION_SIZE
from texedo.tracker.start import Reference


class TrackerPolicy:
    """A trained actor as a `Policy`."""

    joint_names = JOINT_NAMES

    def __init__(
        self,
        actor: Actor,
        *,
        name: str,
        normalizers: Normalizers | None = None,
        actuation: Actuation | None = None,
    ) -> None:
        self.actor = actor.cpu().float().eval()
        self.name = name
        self.normalizers = normalizers
        self.actuation = Actuation() if actuation is None else actuation
        self.observation_size = actor.spec.actor_obs_size
        self.digest = actor_digest(self.actor)
        self._sizes: tuple[int, ...] | None = None
        self._lock = threading.Lock()

    @classmethod
    def load(cls, folder: Path | str, *, name: str | None = None) -> TrackerPolicy:
        """From a folder that `save_tracker` wrote; raises `CheckpointError`."""
        actor, metadata = load_tracker(folder)
        return cls(
            actor,
            name=name or Path(folder).resolve().name,
            normalizers=_normalizers(folder, metadata),
        )

    def start(self, num_slots: int) -> TrackerBatch:
        with self._lock:  # Tried out once for all workers.
            if self._sizes is None:
                self._sizes = stable_sizes(self.actor, self.observation_size)
        return TrackerBatch(self.actor, num_slots, sizes=self._sizes)


def actor_digest(actor: Actor) -> str:
    """Hash of the layout and of every weight."""
    digest = hashlib.sha256(json.dumps(actor.spec.to_dict(), sort_keys=True).encode())
    for name, tensor in sorted(actor.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().numpy().tobytes())
    return digest.hexdigest()


def _normalizers(folder: Path | str, metadata: Mapping[str, Any]) -> Normalizers | None:
    stored = metadata.get("e95")
    if stored is None:
        return None
    try:
        return Normalizers(e_acc=float(stored["e_acc"]), e_vel=float(stored["e_vel"]))
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"{folder}: metadata.e95 must hold positive e_acc and e_vel: {error}"
        ) from error


class TrackerBatch:
    """What the actor remembers of each slot: history, last action, reference."""

    def __init__(self, actor: Actor, num_slots: int, *, sizes: tuple[int, ...]) -> None:
        self._spec = spec = actor.spec
        self._evaluate = BlockEvaluator(actor, spec.actor_obs_size, sizes)
        self._scale = action_scale()
        self._history = torch.zeros(num_slots, spec.history_length, PROPRIOCEPTION_SIZE)
        self._action = torch.zeros(num_slots, 29)
        self._fresh = torch.ones(num_slots, dtype=torch.bool)
        self._clips = [_EMPTY] * num_slots
        self._library: ReferenceLibrary | None = None
        self._next_joints = torch.zeros(num_slots, 29)

    def reset(self, slot: int, reference: Reference) -> None:
        self._clips[slot] = clip_table(torch.from_numpy(reference.motion.to_qpos()))
        self._library = None
        self._fresh[slot] = True
        self._action[slot] = 0.0

    @torch.inference_mode()
    def observe(self, slots: Ints, frames: Ints, state: RobotState) -> NDArray[Any]:
        if self._library is None:
            self._library = _pack(self._clips)
        library, where = self._library, torch.from_numpy(slots)
        qpos = torch.from_numpy(state.qpos).float()
        qvel = torch.from_numpy(state.qvel).float()
        latest = proprioception(
            qpos,
            qvel,
            self._action[where],
            joint_vel_scale=self._spec.joint_vel_scale,
        )
        history = push_history(self._history[where], latest, fresh=self._fresh[where])
        self._history[where] = history
        self._fresh[where] = False
        now = library.starts[where] + torch.from_numpy(frames)
        following = torch.minimum(now + 1, library.ends[where])
        self._next_joints[where] = library.qpos[following, 7:]
        ahead = command(library, now, qpos[:, 3:7], self._spec)
        return actor_observation(history, ahead).numpy()

    @torch.inference_mode()
    def act(self, slots: Ints, observation: NDArray[Any]) -> NDArray[Any]:
        where = torch.from_numpy(slots)
        action = torch.from_numpy(self._evaluate(observation))
        self._action[where] = action
        return joint_targets(
            self._next_joints[where],
            action,
            scale=self._scale,
            limit=self._spec.action_limit,
        ).numpy()


Table = tuple[Tensor, Tensor, Tensor]
"""qpos (T, 36), qvel (T, 35) and heading velocity (T, 4) of a clip."""
_EMPTY: Table = (torch.zeros(2, 36), torch.zeros(2, 35), torch.zeros(2, 4))


def clip_table(qpos: Tensor) -> Table:
    """What the actor sees of a clip: `ReferenceLibrary.build` less the kinematics."""
    quat = quat_normalize(qpos[:, 3:7])
    pose = torch.cat((qpos[:, :3], quat, qpos[:, 7:]), dim=-1)
    index = torch.arange(len(pose))
    before, after = (index - 1).clamp(min=0), (index + 1).clamp(max=len(pose) - 1)
    rate = (FPS / (after - before).float())[:, None]
    linear = (pose[after, :3] - pose[before, :3]) * rate
    turn = quat_to_rotvec(quat_multiply(quat[after], quat_conjugate(quat[before])))
    turn = turn * rate
    joints = (pose[after, 7:] - pose[before, 7:]) * rate
    return (
        pose,
        torch.cat((linear, quat_rotate_inverse(quat, turn), joints), dim=-1),
        torch.cat((quat_rotate_inverse(heading(quat), linear), turn[:, 2:]), dim=-1),
    )


def _pack(clips: list[Table]) -> ReferenceLibrary:
    """The clips of all slots one after the other, slot k being clip k."""
    lengths = torch.tensor([len(table[0]) for table in clips])
    qpos, qvel, heading_vel = (torch.cat(part) for part in zip(*clips, strict=True))
    nothing = torch.empty(0)
    ends = torch.cumsum(lengths, 0) - 1
    return ReferenceLibrary(
        qpos=qpos,
        qvel=qvel,
        heading_vel=heading_vel,
        # The critic's part, which is not asked for here.
        body_pos=nothing,
        body_quat=nothing,
        body_lin_vel=nothing,
        body_ang_vel=nothing,
        sole_depth=nothing,
        starts=ends - lengths + 1,
        ends=ends,
        clip_of=torch.repeat_interleave(torch.arange(len(clips)), lengths),
    )
