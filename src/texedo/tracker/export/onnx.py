"""Our tracker as ONNX files, for people who run it elsewhere.

`export_policy` writes the network alone, for whoever makes our observation. A graph of
`export_motion` has one clip inside and the interface of BeyondMimic and mjlab:
`obs` and `time_step` in; `actions` and the reference out; target = default + scale *
action. What our actor needs beyond that interface's usual 154 numbers is a history of
a few steps, which the metadata ask for in the words of both exporters. All else is
worked out inside the graph:

- `motion_anchor_ori_b` is the reference's orientation M seen from the robot, and the
  clip is inside, so gravity and all future orientations follow: M times the same thing
  seen from the reference;
- our action corrects the reference's next pose, theirs the default one. The graph adds
  the difference to what it puts out, and takes it off the last action it is shown.

Loads onnx and torch; imported only for an export.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import MotionError
from texedo.motion import FPS, Motion
from texedo.motion.rotations import quat_rotate_inverse
from texedo.robot import g1
from texedo.robot.kinematics import body_velocities
from texedo.tracker.export.graph import GraphBuilder, add_actor
from texedo.tracker.policies.onnx_metadata import LEAD_KEY, MOTION_KIND, POLICY_KIND
from texedo.tracker.policies.ours import TrackerPolicy
from texedo.tracker.policies.protocol import NUM_JOINTS
from texedo.tracker.policies.reference import MIN_FRAMES, Reference
from texedo.tracker.policies.slot_observation import (
    command_table,
    origin_table,
    turn_command,
)
from texedo.tracker.policies.spec import COMMAND_SIZE, PROPRIOCEPTION_SIZE, TrackerSpec
from texedo.tracker.policies.terms import FRAME_TERMS, OWN_TERMS, RATE_TERMS, columns

MOTION_TERMS: dict[str, int] = {
    "motion_anchor_ori_b": 6,
    **{term.name: term.size for term in OWN_TERMS if term.measured},
}
"""What a motion's graph observes, one step of each; the history is the spec's."""


def export_policy(policy: TrackerPolicy, path: Path | str) -> Path:
    """The network: `obs` (n, actor_obs_size) -> `actions` (n, 29), any n."""
    builder, spec = GraphBuilder(), policy.actor.spec
    observation = builder.input("obs", ("n", spec.actor_obs_size))
    action = add_actor(builder, policy.actor, observation)
    builder.output("actions", action, ("n", NUM_JOINTS))
    extra = {
        "kind": POLICY_KIND,
        "action_rule": spec.action_rule,
        "observation_layout": json.dumps(observation_layout(spec)),
        "history_length": str(spec.history_length),
        "held_joints": _csv(spec.held_joints),
        "future_offsets": _csv(spec.future_offsets),
        "velocity_offsets": _csv(spec.velocity_offsets),
        "joint_vel_scale": f"{spec.joint_vel_scale:.9g}",
        "spec": json.dumps(spec.to_dict()),
    }
    return builder.save(path, {**_robot_metadata(policy), **extra})


def observation_layout(spec: TrackerSpec) -> list[dict[str, Any]]:
    """Every part of our observation in order: name, step or frame offset, size."""
    groups = (
        (OWN_TERMS, _steps(spec)),
        (FRAME_TERMS, spec.future_offsets),
        (RATE_TERMS, spec.velocity_offsets),
    )
    return [
        {"name": term.name, "frame": int(frame), "size": term.size}
        for terms, frames in groups
        for frame in frames
        for term in terms
    ]


def export_motion(policy: TrackerPolicy, motion: Motion, path: Path | str) -> Path:
    """One motion and the policy: `obs` (1, .), `time_step` (1, 1) -> `actions`, ..."""
    if len(motion) < MIN_FRAMES:
        raise MotionError(
            f"A motion to export needs at least {MIN_FRAMES} frames, got {len(motion)}."
        )
    builder, spec = GraphBuilder(), policy.actor.spec
    size = spec.history_length * sum(MOTION_TERMS.values())
    observation = builder.input("obs", (1, size))
    step = builder.input("time_step", (1, 1))
    time = builder.reshape(builder.node("Cast", step, to=_INT64), 1)
    now = _clamped(builder, time, len(motion))
    past = _clamped(
        builder,
        builder.node("Add", time, builder.constant(_steps(spec))),
        len(motion),
    )
    offset = (motion.joint_pos - g1.KNEES_BENT) / g1.ACTION_SCALE  # (T, 29)
    terms = _split_terms(builder, observation, spec)
    view = _reference_view(builder, terms["motion_anchor_ori_b"])
    seen = [
        _own_state(
            builder, motion, offset, view=view, past=past, terms=terms, spec=spec
        ),
        _command(builder, motion, view=view, now=now, spec=spec),
    ]
    action = add_actor(builder, policy.actor, builder.node("Concat", *seen, axis=1))
    following = np.concatenate((offset[1:], offset[-1:]))
    action = builder.node("Add", action, builder.gather(following, now))
    builder.output("actions", action, (1, NUM_JOINTS))
    _reference_outputs(builder, motion, now)
    return builder.save(path, motion_metadata(policy, motion))


def motion_metadata(policy: TrackerPolicy, motion: Motion) -> dict[str, str]:
    """In the words of both exporters, but with all digits."""
    count, history = len(MOTION_TERMS), policy.actor.spec.history_length
    return {
        **_robot_metadata(policy),
        "kind": MOTION_KIND,
        "command_names": "motion",
        "observation_names": _csv(MOTION_TERMS),
        "observation_history_lengths": _csv([history] * count),
        "observation_terms_history_length": _csv([history] * count),
        "observation_terms_flatten_history_dim": _csv([1] * count),
        "observation_terms_scale": _csv([1] * count),
        "observation_terms_clip": _csv(["-inf;inf"] * count),
        "body_names": _csv(g1.TRACKED_BODIES),
        "num_frames": str(len(motion)),
        # At time step t the robot stands at frame t, and sees the reference there.
        LEAD_KEY: "0",
    }


def _robot_metadata(policy: TrackerPolicy) -> dict[str, str]:
    gains = policy.actuation
    return {
        "run_path": policy.name,
        "robot": g1.ROBOT_NAME,
        "tracker_hash": policy.digest,
        "fps": f"{FPS:g}",
        "joint_names": _csv(g1.JOINT_NAMES),
        "joint_stiffness": _csv(gains.stiffness),
        "joint_damping": _csv(gains.damping),
        "joint_effort": _csv(gains.effort),
        "joint_armature": _csv(gains.armature),
        "default_joint_pos": _csv(g1.KNEES_BENT),
        "action_scale": _csv(g1.ACTION_SCALE),
        "anchor_body_name": g1.ANCHOR_BODY,
    }


_INT64 = 7
"""`TensorProto.INT64`."""


def _csv(values: Any) -> str:
    return ",".join(v if isinstance(v, str) else f"{float(v):.9g}" for v in values)


def _steps(spec: TrackerSpec) -> list[int]:
    """Control steps of the history relative to now, oldest first."""
    return list(range(1 - spec.history_length, 1))


def _clamped(builder: GraphBuilder, frames: str, length: int) -> str:
    low, high = builder.constant(0), builder.constant(length - 1)
    return builder.node("Min", builder.node("Max", frames, low), high)


def _split_terms(
    builder: GraphBuilder, observation: str, spec: TrackerSpec
) -> dict[str, str]:
    """Terms (H, size) of an observation that has each term's history in a row."""
    sizes = [spec.history_length * size for size in MOTION_TERMS.values()]
    parts = builder.node(
        "Split", observation, builder.constant(sizes), outputs=len(sizes), axis=1
    )
    return {
        name: builder.reshape(f"{parts}_{i}", spec.history_length, size)
        for i, (name, size) in enumerate(MOTION_TERMS.items())
    }


def _reference_view(builder: GraphBuilder, orientation: str) -> str:
    """The matrices (H, 3, 3) whose first two columns are given row by row (H, 6)."""
    first = builder.pick(orientation, (0, 2, 4), axis=1)
    second = builder.pick(orientation, (1, 3, 5), axis=1)
    ahead, behind = (1, 2, 0), (2, 0, 1)
    plus, minus = (
        builder.node(
            "Mul", builder.pick(first, a, axis=1), builder.pick(second, b, axis=1)
        )
        for a, b in ((ahead, behind), (behind, ahead))
    )
    third = builder.node("Sub", plus, minus)
    columns = (builder.reshape(c, -1, 3, 1) for c in (first, second, third))
    return builder.node("Concat", *columns, axis=2)


def _own_state(
    builder: GraphBuilder,
    motion: Motion,
    offset: NDArray[Any],
    *,
    view: str,
    past: str,
    terms: dict[str, str],
    spec: TrackerSpec,
) -> str:
    """The history as our actor knows it, (1, H * 93)."""
    down = np.broadcast_to((0.0, 0.0, -1.0), (len(motion), 3))
    table = quat_rotate_inverse(motion.root_quat_w, down)[..., None]
    gravity = builder.node("MatMul", view, builder.gather(table, past))
    residual = builder.node("Sub", terms["actions"], builder.gather(offset, past))
    # Nothing was done before the first frame: the zeros there are ours and theirs.
    begun = (np.arange(len(motion)) > 0).astype(np.float32)[:, None]
    # Theirs are measured from the default pose; only held joints differ.
    origin = origin_table(motion, spec) - np.stack((g1.KNEES_BENT, np.zeros(29)))
    pos, rate = (
        builder.node("Sub", terms[name], builder.gather(origin[:, i], past))
        for i, name in enumerate(("joint_pos", "joint_vel"))
    )
    values = {
        **terms,
        "projected_gravity": builder.reshape(gravity, -1, 3),
        "joint_pos": pos,
        "joint_vel": rate,
        "actions": builder.node("Mul", residual, builder.gather(begun, past)),
    }
    parts = [
        builder.node(
            "Mul", values[term.name], builder.constant(getattr(spec, term.scale))
        )
        if term.scale
        else values[term.name]
        for term in OWN_TERMS
    ]
    state = builder.node("Concat", *parts, axis=1)
    return builder.reshape(state, 1, spec.history_length * PROPRIOCEPTION_SIZE)


def _command(
    builder: GraphBuilder, motion: Motion, *, view: str, now: str, spec: TrackerSpec
) -> str:
    """The reference ahead as our actor knows it, (1, command_size)."""
    table = command_table(motion, spec)
    turn_command(table, motion.root_quat_w, spec)
    offsets = len(spec.future_offsets)
    ahead = table[:, : COMMAND_SIZE * offsets].reshape(-1, offsets, COMMAND_SIZE)
    latest = builder.pick(view, (spec.history_length - 1,), axis=0)  # (1, 3, 3)
    to_robot = builder.node("Transpose", latest, perm=(0, 2, 1))
    parts = []
    for term, at in columns(FRAME_TERMS):
        if term.turned:
            vectors = ahead[..., at].reshape(len(motion), -1, 3)
            turned = builder.node("MatMul", builder.gather(vectors, now), to_robot)
            parts.append(builder.reshape(turned, 1, offsets, term.size))
        else:
            parts.append(builder.gather(ahead[..., at], now))
    frames = builder.node("Concat", *parts, axis=2)
    rates = builder.gather(table[:, COMMAND_SIZE * offsets :], now)
    flat = builder.reshape(frames, 1, COMMAND_SIZE * offsets)
    return builder.node("Concat", flat, rates, axis=1)


def _reference_outputs(builder: GraphBuilder, motion: Motion, now: str) -> None:
    """The clip at `time_step`, as both exporters give it; link frames, MuJoCo order."""
    reference = Reference(motion)
    velocities = body_velocities(reference.poses)
    tracked = g1.TRACKED_BODY_INDICES
    tables = {
        "joint_pos": reference.qpos[:, 7:],
        "joint_vel": reference.joint_vel,
        "body_pos_w": reference.poses.pos_w[:, tracked],
        "body_quat_w": reference.poses.quat_w[:, tracked],
        "body_lin_vel_w": velocities.lin_vel_w[:, tracked],
        "body_ang_vel_w": velocities.ang_vel_w[:, tracked],
    }
    for name, table in tables.items():
        builder.output(name, builder.gather(table, now), (1, *table.shape[1:]))
