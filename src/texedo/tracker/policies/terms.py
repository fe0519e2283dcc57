"""What a tracker of ours sees, term by term: the one table of its observations.

The observation in training (torch, many robots), that of a few robots (numpy), the ONNX
export, the mirror image and all sizes follow from the rows below; to change a term is to
change its row. An observation is

- `OWN_TERMS` for each control step of the history, oldest first;
- `FRAME_TERMS` for each reference frame ahead (`TrackerSpec.future_offsets`);
- `RATE_TERMS` for those at which rates are shown (`TrackerSpec.velocity_offsets`).

Sources take plain arithmetic and slices, which arrays of numpy and of torch both have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from texedo.motion.motion import NUM_JOINTS
from texedo.robot.g1 import TRACKED_BODIES

Array = Any
"""Of numpy or of torch; the last axis holds the numbers of a robot or frame."""
Signs = tuple[float, ...]


class OwnState(NamedTuple):
    """What a robot measures of itself at one control step."""

    root_quat: Array
    """Of the pelvis in the world, (..., 4) wxyz."""
    ang_vel: Array
    """Turn rate in the pelvis frame, (..., 3) [rad/s]."""
    joint_pos: Array
    """From their origin: the standing pose, or a held joint's reference, (..., 29)."""
    joint_vel: Array
    """From their origin: rest, or a held joint's reference, (..., 29) [rad/s]."""
    action: Array
    """The action that led here, (..., 29)."""


class ReferenceFrame(NamedTuple):
    """One frame of the reference as an observer sees it."""

    root_quat: Array
    """Of the pelvis relative to the observer, (..., 4) wxyz."""
    heading_vel: Array
    """Pelvis velocity in the frame's own heading, then its yaw rate, (..., 4)."""
    height: Array
    """Of the pelvis, (..., 1) [m]."""
    joint_pos: Array
    """From their origin: the standing pose, or a held joint's own angle, (..., 29)."""
    joint_vel: Array
    """From their origin: rest, or a held joint's own rate, (..., 29) [rad/s]."""


@dataclass(frozen=True, kw_only=True)
class Term:
    """A row of the table."""

    name: str
    """As ONNX exports spell it."""
    size: int
    source: Callable[[Any], Sequence[Array]]
    """From an `OwnState` or a `ReferenceFrame`: blocks to lay side by side."""
    mirror: Signs | None = None
    """Signs of the numbers in the mirror image; None for one number per joint, which
    swap sides as joints do."""
    scale: str = ""
    """The field of the spec that it is multiplied by."""
    at_rest: bool = False
    """Zero past the end of the clip, where the reference stands still."""
    turned: bool = False
    """Vectors that an observer sees from his own frame: they turn with him."""
    measured: bool = False
    """BeyondMimic and mjlab observe it under the same name."""


def _gravity(own: OwnState) -> Sequence[Array]:
    w, x, y, z = _components(own.root_quat)
    return (
        -2.0 * (x * z - w * y),
        -2.0 * (y * z + w * x),
        -(1.0 - 2.0 * (x * x + y * y)),
    )


def _two_columns(frame: ReferenceFrame) -> Sequence[Array]:
    """First and second column of the rotation matrix: x axis, then y axis."""
    w, x, y, z = _components(frame.root_quat)
    return (
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y + w * z),
        2.0 * (x * z - w * y),
        2.0 * (x * y - w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z + w * x),
    )


def _components(quat: Array) -> Sequence[Array]:
    return tuple(quat[..., i : i + 1] for i in range(4))


# The mirror image swaps left and right: y changes its sign, and turns about x and z do.
_VECTOR: Signs = (1.0, -1.0, 1.0)
_TURN: Signs = (-1.0, 1.0, -1.0)

OWN_TERMS: tuple[Term, ...] = (
    Term(name="projected_gravity", size=3, source=_gravity, mirror=_VECTOR),
    Term(
        name="base_ang_vel",
        size=3,
        source=lambda own: (own.ang_vel,),
        mirror=_TURN,
        measured=True,
    ),
    Term(
        name="joint_pos",
        size=NUM_JOINTS,
        source=lambda own: (own.joint_pos,),
        measured=True,
    ),
    Term(
        name="joint_vel",
        size=NUM_JOINTS,
        source=lambda own: (own.joint_vel,),
        scale="joint_vel_scale",
        measured=True,
    ),
    Term(
        name="actions",
        size=NUM_JOINTS,
        source=lambda own: (own.action,),
        measured=True,
    ),
)
"""A control step of the robot."""

FRAME_TERMS: tuple[Term, ...] = (
    Term(
        name="reference_joint_pos",
        size=NUM_JOINTS,
        source=lambda frame: (frame.joint_pos,),
    ),
    Term(
        name="reference_root_orientation",
        size=6,
        source=_two_columns,
        # M R M with M = diag(1, -1, 1).
        mirror=(1.0, -1.0, 1.0, -1.0, 1.0, -1.0),
        turned=True,
    ),
    Term(
        name="reference_root_lin_vel",
        size=3,
        source=lambda frame: (frame.heading_vel[..., :3],),
        mirror=_VECTOR,
        at_rest=True,
    ),
    Term(
        name="reference_yaw_rate",
        size=1,
        source=lambda frame: (frame.heading_vel[..., 3:],),
        mirror=(-1.0,),
        at_rest=True,
    ),
    Term(
        name="reference_root_height",
        size=1,
        source=lambda frame: (frame.height,),
        mirror=(1.0,),
    ),
)
"""A frame of the reference ahead."""

RATE_TERMS: tuple[Term, ...] = (
    Term(
        name="reference_joint_vel",
        size=NUM_JOINTS,
        source=lambda frame: (frame.joint_vel,),
        scale="joint_vel_scale",
        at_rest=True,
    ),
)
"""What is seen of some of these frames only."""

PRIVILEGED_SIZES: dict[str, int] = {
    "base_lin_vel": 3,
    "way_to_reference": 3,
    "height": 1,
    "time_left": 1,
    "body_pos_error": 3 * len(TRACKED_BODIES),
    "body_lin_vel_error": 3 * len(TRACKED_BODIES),
    "body_ang_vel_error": 3 * len(TRACKED_BODIES),
    "body_orientation_error": 6 * len(TRACKED_BODIES),
}
"""What only a critic sees in a simulation, see `observation.privileged`."""


def size_of(terms: Sequence[Term]) -> int:
    """Numbers of some terms together."""
    return sum(term.size for term in terms)


def columns(terms: Sequence[Term]) -> Iterator[tuple[Term, slice]]:
    """Each term and where its numbers stand."""
    start = 0
    for term in terms:
        yield term, slice(start, start + term.size)
        start += term.size


def blocks(
    terms: Sequence[Term], view: OwnState | ReferenceFrame, spec: object
) -> Iterator[tuple[Term, Array]]:
    """The scaled numbers of the terms in order, a term in one block or several."""
    for term in terms:
        for block in term.source(view):
            yield term, block * getattr(spec, term.scale) if term.scale else block
