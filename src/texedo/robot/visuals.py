"""What the robot looks like: primitive shapes in two materials, body by body.

Light shells over graphite joints, a dark head with an oval face, dark hands and soles.
The shapes follow the outline of the real robot to about a centimetre and touch nothing:
contact has its own shapes in `tables.COLLISION_ROWS`. Any renderer can read the rows;
no simulator is needed. Lengths in metres, in the frame of the body named.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

from texedo.robot.tables import Quat, Vec3

Kind = Literal["box", "capsule", "cylinder", "ellipsoid", "sphere"]
Material = Literal["shell", "dark"]
Rgba = tuple[float, float, float, float]

MATERIALS: dict[str, Rgba] = {
    "shell": (0.82, 0.83, 0.85, 1.0),
    "dark": (0.13, 0.135, 0.15, 1.0),
}
_UPRIGHT: Quat = (1.0, 0.0, 0.0, 0.0)


class VisualRow(NamedTuple):
    """One shape on one body."""

    body: str
    kind: Kind
    size: tuple[float, ...]
    """Half sizes as in MuJoCo; capsule and cylinder: (radius, half length along z)."""
    pos: Vec3
    quat: Quat
    """Orientation in the body, wxyz."""
    material: Material


class Placement(NamedTuple):
    """Where a capsule or a cylinder lies in its body."""

    pos: Vec3
    quat: Quat
    size: tuple[float, float]


def between(start: Vec3, end: Vec3, radius: float) -> Placement:
    """The capsule or cylinder whose axis runs from `start` to `end`."""
    dx, dy, dz = (e - s for s, e in zip(start, end, strict=True))
    length = math.hypot(dx, dy, dz)
    if length == 0.0:
        raise ValueError(f"The axis needs two different ends, got {start} twice.")
    # The shortest turn from z to the axis: (1 + cos, z x axis), normalised. Straight
    # down has no shortest turn, and half a turn about x is as good as any.
    w, x, y = length + dz, -dy, dx
    norm = math.hypot(w, x, y)
    quat = (w / norm, x / norm, y / norm, 0.0) if norm > 1e-9 else (0.0, 1.0, 0.0, 0.0)
    sx, sy, sz = start
    centre = (sx + dx / 2, sy + dy / 2, sz + dz / 2)
    return Placement(centre, quat, (radius, length / 2))


def mirrored(row: VisualRow) -> VisualRow:
    """The same shape on the other side of the robot: y is turned round."""
    (x, y, z), (qw, qx, qy, qz) = row.pos, row.quat
    return row._replace(
        body=row.body.replace("left_", "right_"),
        pos=(x, -y, z),
        quat=(qw, -qx, qy, -qz),
    )


def _limb(
    body: str, start: Vec3, end: Vec3, radius: float, material: Material = "shell"
) -> VisualRow:
    pos, quat, size = between(start, end, radius)
    return VisualRow(body, "capsule", size, pos, quat, material)


def _disc(
    body: str, start: Vec3, end: Vec3, radius: float, material: Material = "dark"
) -> VisualRow:
    pos, quat, size = between(start, end, radius)
    return VisualRow(body, "cylinder", size, pos, quat, material)


def _blob(
    body: str, pos: Vec3, half: Vec3, material: Material, pitch: float = 0.0
) -> VisualRow:
    quat = (math.cos(pitch / 2), 0.0, math.sin(pitch / 2), 0.0)
    return VisualRow(body, "ellipsoid", half, pos, quat, material)


def _box(body: str, pos: Vec3, half: Vec3, material: Material) -> VisualRow:
    return VisualRow(body, "box", half, pos, _UPRIGHT, material)


def _trunk() -> Iterator[VisualRow]:
    yield _disc("pelvis", (0, 0, -0.05), (0, 0, 0.003), 0.040)
    yield _limb("pelvis", (0.002, -0.033, -0.066), (0.002, 0.033, -0.066), 0.037)
    yield _blob("pelvis", (0.004, 0, -0.088), (0.054, 0.054, 0.064), "shell")
    yield _disc("waist_yaw_link", (0, 0, 0.0), (0, 0, 0.040), 0.041)
    yield _box("waist_roll_link", (0, 0, 0), (0.017, 0.024, 0.011), "dark")
    body = "torso_link"
    # A fan of slanting ribs: narrow at the waist, broad at the chest, no edges.
    for rib in range(-3, 4):
        low, high = (0.006, rib * 0.008, 0.042), (0.010, rib * 0.01735, 0.215)
        yield _limb(body, low, high, 0.054)
    for side in (-1, 1):
        shoulder = (0.0, side * 0.060, 0.262)
        yield _limb(body, (0.010, side * 0.052, 0.215), shoulder, 0.047)
    yield _limb(body, (0.010, -0.052, 0.215), (0.010, 0.052, 0.215), 0.054)
    yield _limb(body, (0.0, -0.060, 0.262), (0.0, 0.060, 0.262), 0.046)
    yield _box(body, (0.063, 0, 0.222), (0.002, 0.048, 0.010), "dark")
    yield _blob(body, (0, 0, 0.300), (0.050, 0.062, 0.022), "dark")
    yield from _head()


def _head() -> Iterator[VisualRow]:
    body = "torso_link"
    yield _limb(body, (0.0, 0, 0.30), (0.004, 0, 0.37), 0.033, "dark")
    yield _blob(body, (-0.002, 0, 0.430), (0.058, 0.054, 0.057), "dark")
    yield _blob(body, (0.026, 0, 0.400), (0.040, 0.047, 0.072), "dark")
    # A pale rim round a dark oval: the face the robot is known by.
    yield _blob(body, (0.055, 0, 0.402), (0.012, 0.042, 0.063), "shell", pitch=-0.10)
    yield _blob(body, (0.058, 0, 0.402), (0.017, 0.0375, 0.0575), "dark", pitch=-0.10)


def _left_leg() -> Iterator[VisualRow]:
    yield _disc("left_hip_pitch_link", (0, -0.01, 0), (0, 0.048, 0), 0.038)
    yield _limb(
        "left_hip_pitch_link", (0, 0.05, 0.0), (0, 0.052, -0.035), 0.042, "dark"
    )
    yield _limb("left_hip_roll_link", (0.010, 0, -0.005), (0.025, 0, -0.118), 0.047)
    body = "left_hip_yaw_link"
    yield _limb(body, (0.0, 0, 0.0), (-0.008, 0, -0.07), 0.0465)
    yield _limb(body, (-0.008, 0, -0.07), (-0.036, 0.001, -0.125), 0.0445)
    yield _limb(body, (-0.036, 0.001, -0.125), (-0.066, 0.002, -0.168), 0.0405)
    yield _disc(
        body, (-0.0783, -0.032, -0.1773), (-0.0783, 0.036, -0.1773), 0.039, "shell"
    )
    yield _disc(body, (-0.0783, -0.041, -0.1773), (-0.0783, 0.045, -0.1773), 0.028)
    body = "left_knee_link"
    yield _limb(body, (0.004, 0, -0.005), (0.012, 0, -0.06), 0.035)
    yield _blob(body, (0.016, 0, -0.108), (0.037, 0.035, 0.125), "shell", pitch=0.05)
    yield _limb(body, (0.010, 0, -0.15), (0.001, 0, -0.262), 0.0235)
    yield _limb(body, (0.0, 0, -0.25), (0.0, 0, -0.295), 0.016, "dark")
    yield _limb(body, (-0.026, 0, -0.10), (-0.024, 0, -0.285), 0.008, "dark")
    yield VisualRow(
        "left_ankle_pitch_link", "sphere", (0.018,), (0, 0, 0), _UPRIGHT, "dark"
    )
    body = "left_ankle_roll_link"
    yield _limb(body, (-0.008, 0, -0.004), (-0.004, 0, 0.006), 0.021, "dark")
    yield _blob(body, (0.022, 0, -0.020), (0.082, 0.031, 0.031), "dark", pitch=0.14)
    yield _disc(body, (-0.034, 0, -0.035), (-0.034, 0, -0.016), 0.030)
    yield _disc(body, (0.105, 0, -0.035), (0.105, 0, -0.018), 0.034)
    yield _box(body, (0.036, 0, -0.0265), (0.07, 0.031, 0.0085), "dark")


def _left_arm() -> Iterator[VisualRow]:
    body = "left_shoulder_pitch_link"
    yield _disc(body, (0, -0.004, 0), (0, 0.012, 0), 0.034)
    yield _limb(body, (0, 0.022, 0), (0, 0.038, -0.010), 0.036)
    body = "left_shoulder_roll_link"
    yield _limb(body, (0, 0.002, 0), (0, 0.006, -0.068), 0.036)
    yield _disc(body, (0, 0.006, -0.104), (0, 0.006, -0.099), 0.034)
    body = "left_shoulder_yaw_link"
    yield _disc(body, (0, 0, -0.03), (0, 0, 0.003), 0.0335, "shell")
    yield _limb(body, (0, 0, -0.03), (0.012, 0, -0.072), 0.033)
    yield _disc(body, (0.0158, -0.036, -0.0805), (0.0158, 0.034, -0.0805), 0.024)
    body = "left_elbow_link"
    yield _limb(body, (0.0, 0, 0), (0.064, 0.002, -0.010), 0.0315)
    yield _disc(body, (0.064, 0.002, -0.01), (0.096, 0.002, -0.01), 0.031, "shell")
    yield _disc(body, (0.096, 0.002, -0.01), (0.101, 0.002, -0.01), 0.0285)
    yield _disc("left_wrist_roll_link", (0.001, 0, 0), (0.02, 0, 0), 0.030, "shell")
    yield _limb("left_wrist_roll_link", (0.016, 0, 0), (0.030, 0, 0), 0.0285)
    body = "left_wrist_pitch_link"
    yield _disc(body, (0, -0.0295, 0), (0, 0.0295, 0), 0.018)
    yield _limb(body, (0.0, 0, 0), (0.044, 0, 0), 0.027)
    yield _limb("left_wrist_yaw_link", (0.0, 0, 0), (0.026, 0, 0), 0.0255)
    yield from _left_hand()


def _left_hand() -> Iterator[VisualRow]:
    body = "left_wrist_yaw_link"
    yield _disc(body, (0.038, 0, 0), (0.056, 0, 0), 0.024)
    yield _blob(body, (0.086, -0.004, 0.0), (0.042, 0.019, 0.037), "dark")
    for z, reach in ((0.027, 0.160), (0.009, 0.172), (-0.009, 0.170), (-0.027, 0.158)):
        knuckle, tip = (0.128, -0.008, z), (reach, -0.032, z)
        yield _limb(body, (0.1, 0.002, z), knuckle, 0.0098, "dark")
        yield _limb(body, knuckle, tip, 0.0092, "dark")
    yield _limb(body, (0.065, -0.008, 0.026), (0.092, -0.02, 0.048), 0.0105, "dark")
    yield _limb(body, (0.092, -0.02, 0.048), (0.115, -0.03, 0.052), 0.0095, "dark")


def _rows() -> Iterator[VisualRow]:
    yield from _trunk()
    for left_side in (_left_leg, _left_arm):
        yield from left_side()
        yield from map(mirrored, left_side())


VISUAL_ROWS: tuple[VisualRow, ...] = tuple(_rows())
