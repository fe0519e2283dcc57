"""Tracking policies of BeyondMimic and mjlab, as ONNX files, behind `Policy`.

Such a file holds one policy and usually the one clip it was trained on. The policy is
fed the motion that is rolled out, whatever the clip; `baked_clip` feeds it the file's
own, for a roll-out of that same motion.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import PolicyError
from texedo.motion.rotations import (
    quat_conjugate,
    quat_multiply,
    quat_rotate_inverse,
    quat_to_matrix,
)
from texedo.quality import Normalizers
from texedo.robot.g1 import BODY_INDEX, JOINT_NAMES
from texedo.robot.kinematics import forward_kinematics
from texedo.tracker.policies.onnx_metadata import PolicyMetadata, Term, read_metadata
from texedo.tracker.policies.onnx_runtime import (
    Graph,
    need_names,
    need_width,
    open_graph,
)
from texedo.tracker.policies.protocol import NUM_JOINTS, Actuation, Ints, RobotState
from texedo.tracker.policies.reference import Reference

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]

_CLIP_OUTPUTS = ("joint_pos", "joint_vel", "body_pos_w", "body_quat_w")
_SAME_CLIP = 0.05
"""Joints of the file's clip may differ so much from the motion's [rad]."""
_DOWN = np.array((0.0, 0.0, -1.0))


class OnnxPolicy:
    """A BeyondMimic or mjlab policy as a `Policy`."""

    joint_names = JOINT_NAMES
    normalizers: Normalizers | None = None

    def __init__(
        self,
        path: Path | str,
        *,
        name: str | None = None,
        baked_clip: bool = False,
        lead: int | None = None,
    ) -> None:
        """`lead`: frames by which the reference is ahead; None asks the file."""
        self.graph = open_graph(path)
        need_names(
            self.graph, ["obs"], ["actions", *(_CLIP_OUTPUTS if baked_clip else ())]
        )
        self.metadata = read_metadata(path, self.graph.metadata)
        self.name = name or Path(path).stem
        self.baked_clip = baked_clip
        self.lead = self.metadata.lead if lead is None else lead
        self.observation_size = self.metadata.observation_size
        because = "the terms of observation_names make"
        need_width(self.graph, "obs", self.observation_size, because=because)
        need_width(self.graph, "actions", NUM_JOINTS, because="the robot takes")
        if baked_clip and self.metadata.anchor_body not in self.metadata.body_names:
            raise PolicyError(
                f"{path}: its clip has no body {self.metadata.anchor_body!r}, the "
                "anchor; roll it out without the clip in the file."
            )

    @property
    def actuation(self) -> Actuation:
        return self.metadata.actuation

    @property
    def digest(self) -> str:
        content = f"onnx 2 {self.graph.digest} {self.baked_clip} {self.lead}".encode()
        return hashlib.sha256(content + self.actuation.to_bytes()).hexdigest()

    def start(self, num_slots: int) -> OnnxBatch:
        return OnnxBatch(self, num_slots)


class Clip(NamedTuple):
    """What a policy is told about its motion, joints in the policy's order."""

    joint_pos: Float64
    """(T, 29)."""
    joint_vel: Float64
    """(T, 29)."""
    anchor_pos_w: Float64
    """(T, 3)."""
    anchor_quat_w: Float64
    """(T, 4)."""


class View(NamedTuple):
    """Everything that observation terms are made of, (n, .)."""

    now: Clip
    """The reference, one frame for each row."""
    anchor_pos_w: Float64
    anchor_quat_w: Float64
    root_quat_w: Float64
    root_lin_vel_w: Float64
    root_ang_vel_b: Float64
    joint_pos: Float64
    """Relative to the default pose, in the policy's order."""
    joint_vel: Float64
    action: Float64


def observation_term(name: str, view: View, *, velocity_point: Float64) -> Float64:
    """One step of the term of that name, (n, size)."""
    rows = len(view.joint_pos)
    if name == "command":
        return np.concatenate((view.now.joint_pos, view.now.joint_vel), axis=1)
    if name == "motion_anchor_pos_b":
        offset = view.now.anchor_pos_w - view.anchor_pos_w
        return np.asarray(quat_rotate_inverse(view.anchor_quat_w, offset))
    if name == "motion_anchor_ori_b":
        turn = quat_multiply(quat_conjugate(view.anchor_quat_w), view.now.anchor_quat_w)
        return np.asarray(quat_to_matrix(turn)[..., :2].reshape(rows, 6))
    if name == "base_lin_vel":
        linear = quat_rotate_inverse(view.root_quat_w, view.root_lin_vel_w)
        return np.asarray(linear + np.cross(view.root_ang_vel_b, velocity_point))
    if name == "projected_gravity":
        down = np.broadcast_to(_DOWN, (rows, 3))
        return np.asarray(quat_rotate_inverse(view.root_quat_w, down))
    if name == "base_ang_vel":
        return view.root_ang_vel_b
    return {
        "joint_pos": view.joint_pos,
        "joint_vel": view.joint_vel,
        "actions": view.action,
    }[name]


class OnnxBatch:
    """A policy at work on some slots."""

    def __init__(self, policy: OnnxPolicy, num_slots: int) -> None:
        self._policy = policy
        self._order = policy.metadata.order
        self._anchor = BODY_INDEX[policy.metadata.anchor_body]
        self._clips: list[Clip | None] = [None] * num_slots
        self._time = np.zeros(num_slots, dtype=np.int64)
        self._action = np.zeros((num_slots, NUM_JOINTS))
        self._fresh = np.ones(num_slots, dtype=np.bool_)
        self._history = [
            np.zeros((num_slots, term.history, term.size), dtype=np.float32)
            for term in policy.metadata.terms
        ]

    def reset(self, slot: int, reference: Reference) -> None:
        policy = self._policy
        if policy.baked_clip:
            clip = _file_clip(policy.graph, policy.metadata, len(reference))
            _check_same(policy, clip, reference.qpos[:, 7:][:, self._order])
        else:
            clip = Clip(
                reference.qpos[:, 7:][:, self._order],
                reference.joint_vel[:, self._order],
                reference.poses.pos_w[:, self._anchor],
                reference.poses.quat_w[:, self._anchor],
            )
        self._clips[slot] = clip
        self._action[slot] = 0.0
        self._fresh[slot] = True

    def observe(self, slots: Ints, frames: Ints, state: RobotState) -> NDArray[Any]:
        self._time[slots] = frames + self._policy.lead
        view = self._view(slots, state)
        meta, fresh = self._policy.metadata, self._fresh[slots]
        parts = []
        for term, history in zip(meta.terms, self._history, strict=True):
            value = observation_term(
                term.name, view, velocity_point=meta.velocity_point
            )
            latest = _finished(term, value)
            history[slots, :-1] = history[slots, 1:]
            history[slots, -1] = latest
            history[slots[fresh]] = latest[fresh][:, None]
            parts.append(history[slots].reshape(len(slots), -1))
        self._fresh[slots] = False
        return np.concatenate(parts, axis=1)

    def act(self, slots: Ints, observation: NDArray[Any]) -> NDArray[Any]:
        graph, meta = self._policy.graph, self._policy.metadata
        rows = np.ascontiguousarray(observation, dtype=np.float32)
        action = np.empty((len(slots), NUM_JOINTS))
        for row, slot in enumerate(slots.tolist()):
            action[row] = _run(graph, rows[row], self._time[slot], ("actions",))[0]
        self._action[slots] = action
        targets = np.empty_like(action)
        targets[:, self._order] = meta.default_joint_pos + meta.action_scale * action
        return targets

    def _view(self, slots: Ints, state: RobotState) -> View:
        clips = [self._clips[slot] for slot in slots.tolist()]
        times = self._time[slots].tolist()
        now = [
            [part[min(time, len(part) - 1)] for part in clip]
            for clip, time in zip(clips, times, strict=True)
            if clip is not None
        ]
        quat, joints = state.qpos[:, 3:7], state.qpos[:, 7:]
        poses = forward_kinematics(state.qpos[:, :3], quat, joints)
        return View(
            now=Clip(*(np.array(part) for part in zip(*now, strict=True))),
            anchor_pos_w=poses.pos_w[:, self._anchor],
            anchor_quat_w=poses.quat_w[:, self._anchor],
            root_quat_w=quat,
            root_lin_vel_w=state.qvel[:, :3],
            root_ang_vel_b=state.qvel[:, 3:6],
            joint_pos=joints[:, self._order] - self._policy.metadata.default_joint_pos,
            joint_vel=state.qvel[:, 6:][:, self._order],
            action=self._action[slots],
        )


def _finished(term: Term, value: Float64) -> Float32:
    return (np.clip(value, *term.clip) * term.scale).astype(np.float32)


def _run(
    graph: Graph, row: Float32, time: int, wanted: tuple[str, ...]
) -> list[NDArray[Any]]:
    feeds: dict[str, NDArray[Any]] = {"obs": row[None]}
    if "time_step" in graph.inputs:
        feeds["time_step"] = np.array([[time]], dtype=np.float32)
    return [answer[0] for answer in graph.run(wanted, **feeds)]


def _file_clip(graph: Graph, metadata: PolicyMetadata, frames: int) -> Clip:
    """The clip inside the file, read frame by frame."""
    nothing = np.zeros(metadata.observation_size, dtype=np.float32)
    anchor = metadata.body_names.index(metadata.anchor_body)
    rows = [_run(graph, nothing, t, _CLIP_OUTPUTS) for t in range(frames)]
    joint_pos, joint_vel, pos, quat = (
        np.array(part, dtype=np.float64) for part in zip(*rows, strict=True)
    )
    return Clip(joint_pos, joint_vel, pos[:, anchor], quat[:, anchor])


def _check_same(policy: OnnxPolicy, clip: Clip, joint_pos: Float64) -> None:
    off = float(np.abs(clip.joint_pos - joint_pos).max())
    if off > _SAME_CLIP:
        raise PolicyError(
            f"{policy.graph.path}: its clip is another motion, joints differ by "
            f"{off:.2f} rad; roll out its own motion, or feed it ours."
        )
