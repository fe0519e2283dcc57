"""SONIC, an encoder and a decoder as ONNX files, behind `Policy`.

The encoder turns the motion ahead into a token, the decoder turns the token and the
robot's last steps into an action. Joints are in Isaac Lab order throughout. The robot
starts on its motion, so the heading correction of the deployment is nothing here.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import PolicyError
from texedo.motion.rotations import (
    quat_conjugate,
    quat_from_yaw,
    quat_multiply,
    quat_rotate_inverse,
    quat_to_matrix,
    quat_yaw,
)
from texedo.quality import Normalizers
from texedo.robot import g1
from texedo.tracker.policies.onnx_runtime import Graph, need_width, open_graph
from texedo.tracker.policies.protocol import NUM_JOINTS, Actuation, Ints, RobotState
from texedo.tracker.policies.reference import Reference
from texedo.tracker.policies.sonic_config import Item, read_layout

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]

ENCODER, DECODER = "model_encoder.onnx", "model_decoder.onnx"
CONFIG = "observation_config.yaml"
TOKEN_SIZE = 64
_LEGS = np.arange(12)
_WRISTS = g1.ISAACLAB_FROM_MUJOCO[23:]


def sonic_actuation() -> tuple[Actuation, Float64]:
    """Its motors and action scales (29,): ours, but the knee's motor in hip pitch."""
    source = np.arange(NUM_JOINTS)
    for side in ("left", "right"):
        hip, knee = f"{side}_hip_pitch_joint", f"{side}_knee_joint"
        source[g1.JOINT_INDEX[hip]] = g1.JOINT_INDEX[knee]
    motors = Actuation(
        stiffness=g1.STIFFNESS[source],
        damping=g1.DAMPING[source],
        effort=g1.EFFORT_LIMIT[source],
        armature=g1.ARMATURE[source],
    )
    return motors, g1.ACTION_SCALE[source]


class SonicPolicy:
    """A folder with SONIC's encoder, decoder and observation config as a `Policy`."""

    joint_names = g1.JOINT_NAMES
    normalizers: Normalizers | None = None

    def __init__(self, folder: Path | str, *, name: str | None = None) -> None:
        folder = Path(folder)
        for file in (ENCODER, DECODER, CONFIG):
            if not (folder / file).is_file():
                raise PolicyError(
                    f"{folder}: no {file}; a SONIC policy is {ENCODER}, {DECODER} and "
                    f"{CONFIG} of the same release."
                )
        self.name = name or folder.resolve().name
        self.layout = read_layout(folder / CONFIG)
        self.encoder = open_graph(folder / ENCODER)
        self.decoder = open_graph(folder / DECODER)
        for graph, size, answer in (
            (self.encoder, self.layout.encoder_size, TOKEN_SIZE),
            (self.decoder, self.layout.decoder_size, NUM_JOINTS),
        ):
            _check_graph(graph, size, answer)
        self.actuation, self.action_scale = sonic_actuation()
        self.observation_size = self.layout.encoder_size + self.layout.decoder_size
        self._config = (folder / CONFIG).read_bytes()

    @property
    def digest(self) -> str:
        content = f"sonic 2 {self.encoder.digest} {self.decoder.digest}".encode()
        content += self.actuation.to_bytes() + self._config
        return hashlib.sha256(content).hexdigest()

    def start(self, num_slots: int) -> SonicBatch:
        return SonicBatch(self, num_slots)


def _check_graph(graph: Graph, size: int, answer: int) -> None:
    if len(graph.inputs) != 1 or len(graph.outputs) != 1:
        raise PolicyError(
            f"{graph.path}: SONIC's networks have one input and one output, this has "
            f"{len(graph.inputs)} and {len(graph.outputs)}."
        )
    need_width(graph, next(iter(graph.inputs)), size, because=f"{CONFIG} makes")
    need_width(graph, next(iter(graph.outputs)), answer, because="SONIC gives")


def _run(graph: Graph, row: Float32) -> Float32:
    (name, shape), output = next(iter(graph.inputs.items())), next(iter(graph.outputs))
    fed = row if len(shape) == 1 else row[None]
    return np.asarray(graph.run([output], **{name: fed})[0]).reshape(-1)


class SonicBatch:
    """SONIC at work on some slots."""

    def __init__(self, policy: SonicPolicy, num_slots: int) -> None:
        self._policy = policy
        self._references: list[Reference | None] = [None] * num_slots
        self._action = np.zeros((num_slots, NUM_JOINTS), dtype=np.float32)
        self._fresh = np.ones(num_slots, dtype=np.bool_)
        self._history = {
            item.kind: np.zeros(
                (num_slots, (item.frames - 1) * item.step + 1, item.size // item.frames)
            )
            for item in policy.layout.decoder
        }

    def reset(self, slot: int, reference: Reference) -> None:
        self._references[slot] = reference
        self._action[slot] = 0.0
        self._fresh[slot] = True

    def observe(self, slots: Ints, frames: Ints, state: RobotState) -> NDArray[Any]:
        """Encoder's part, then decoder's with zeros for the token."""
        layout = self._policy.layout
        seen = np.zeros((len(slots), self._policy.observation_size), dtype=np.float32)
        for row, slot in enumerate(slots.tolist()):
            reference = self._references[slot]
            if reference is not None:
                seen[row, : layout.encoder_size] = encoder_observation(
                    layout.encoder, reference, int(frames[row]), state.qpos[row, 3:7]
                )
        self._remember(slots, state)
        at = layout.encoder_size
        for item in layout.decoder:
            past = self._history[item.kind][slots][:, :: item.step]
            seen[:, at : at + item.size] = past.reshape(len(slots), item.size)
            at += item.size
        return seen

    def act(self, slots: Ints, observation: NDArray[Any]) -> NDArray[Any]:
        policy = self._policy
        size = policy.layout.encoder_size
        rows = np.ascontiguousarray(observation, dtype=np.float32)
        for row, slot in enumerate(slots.tolist()):
            token = _run(policy.encoder, rows[row, :size])
            fed = rows[row, size:].copy()
            at = 0
            for item in policy.layout.decoder:
                if item.kind == "token_state":
                    fed[at : at + item.size] = token
                at += item.size
            self._action[slot] = _run(policy.decoder, fed)
        action = self._action[slots][:, g1.MUJOCO_FROM_ISAACLAB]
        return np.asarray(g1.KNEES_BENT + policy.action_scale * action)

    def _remember(self, slots: Ints, state: RobotState) -> None:
        """Add this step to the history; a robot without a past gets it everywhere."""
        order = g1.ISAACLAB_FROM_MUJOCO
        down = np.broadcast_to((0.0, 0.0, -1.0), (len(slots), 3))
        latest: dict[str, NDArray[Any]] = {
            "his_base_angular_velocity": state.qvel[:, 3:6],
            "his_body_joint_positions": (state.qpos[:, 7:] - g1.KNEES_BENT)[:, order],
            "his_body_joint_velocities": state.qvel[:, 6:][:, order],
            "his_last_actions": self._action[slots],
            "his_gravity_dir": quat_rotate_inverse(state.qpos[:, 3:7], down),
        }
        fresh = self._fresh[slots]
        for kind, history in self._history.items():
            if kind in latest:
                history[slots, :-1] = history[slots, 1:]
                history[slots, -1] = latest[kind]
                history[slots[fresh]] = latest[kind][fresh][:, None]
        self._fresh[slots] = False


def encoder_observation(
    items: tuple[Item, ...], reference: Reference, frame: int, root_quat: Float64
) -> Float64:
    """What the encoder sees of the motion at `frame`; past the end the last repeats."""
    parts = []
    for item in items:
        ahead = frame + item.step * np.arange(item.frames)
        index = np.minimum(ahead, len(reference) - 1)
        value = np.zeros(item.size)
        if item.filled and item.kind != "encoder_mode_4":  # The mode's number is 0.
            value = _motion_part(item.kind, reference, index, root_quat).reshape(-1)
        parts.append(value)
    return np.concatenate(parts)


def _motion_part(
    kind: str, reference: Reference, index: Ints, root_quat: Float64
) -> NDArray[Any]:
    if kind.startswith("motion_anchor_orientation"):
        heading = kind.endswith("_heading")
        base = quat_from_yaw(quat_yaw(root_quat)) if heading else root_quat
        turn = quat_multiply(quat_conjugate(base), reference.root_quat_w[index])
        return np.asarray(quat_to_matrix(turn)[..., :2])
    if kind == "motion_root_z_position":
        return np.asarray(reference.qpos[index, 2])
    moving = kind.startswith("motion_joint_velocities")
    joints = reference.joint_vel if moving else reference.qpos[:, 7:]
    columns = g1.ISAACLAB_FROM_MUJOCO
    if kind.endswith("_lowerbody"):
        columns = _LEGS
    elif kind.endswith("_wrists"):
        columns = _WRISTS
    return np.asarray(joints[np.ix_(index, columns)])
