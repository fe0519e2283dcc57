"""The G1 as an MJCF of our own, written from `robot.tables`: nothing is downloaded.

Contact follows the oracle: every primitive may touch every other (self-contact on, with
the robot's own excludes) and the floor. Feet have priority, so their friction rules.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import TYPE_CHECKING

from texedo.robot import g1
from texedo.robot.tables import (
    BODY_ROWS,
    COLLISION_ROWS,
    CONTACT_EXCLUDES,
    JOINT_ROWS,
    SITE_ROWS,
    ShapeRow,
)
from texedo.robot.visuals import MATERIALS, VISUAL_ROWS

if TYPE_CHECKING:
    import mujoco

PHYSICS_TIMESTEP = 0.005
"""200 Hz physics [s]; four steps make one 50 Hz control step."""
SOLE_FRICTION = 0.8
COLLISION_GROUP, VISUAL_GROUP = 3, 2

_AXES = {"x": "1 0 0", "y": "0 1 0", "z": "0 0 1"}


def build_mjcf(
    *, floor: bool = True, visuals: bool = True, sole_friction: float = SOLE_FRICTION
) -> str:
    """MJCF text of the robot, its motors and, if wanted, a floor."""
    root = ET.Element("mujoco", model=g1.ROBOT_NAME)
    # Our inertias are given per body; nothing may be inferred from shapes.
    ET.SubElement(root, "compiler", angle="radian", autolimits="true")
    _add_options(root)
    if visuals:
        _add_materials(root)
    world = ET.SubElement(root, "worldbody")
    if floor:
        ET.SubElement(
            world, "geom", name="floor", type="plane", size="0 0 0.05", condim="1"
        )
    _add_bodies(world, sole_friction=sole_friction, visuals=visuals)
    _add_excludes(root)
    _add_actuators(root)
    _add_sensors(root)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode")


def load_model(
    *, floor: bool = True, visuals: bool = True, sole_friction: float = SOLE_FRICTION
) -> mujoco.MjModel:
    """The compiled model of `build_mjcf`."""
    import mujoco

    text = build_mjcf(floor=floor, visuals=visuals, sole_friction=sole_friction)
    return mujoco.MjModel.from_xml_string(text)


def is_foot(shape_name: str) -> bool:
    """Whether a collision shape is one of the fourteen sole capsules."""
    return "_foot" in shape_name


def sole_geoms(model: mujoco.MjModel) -> list[int]:
    """Numbers of the sole capsules in a compiled model."""
    return [i for i in range(model.ngeom) if is_foot(model.geom(i).name)]


def _numbers(values: Iterable[float]) -> str:
    return " ".join(f"{value:.10g}" for value in values)


def _add_options(root: ET.Element) -> None:
    ET.SubElement(
        root,
        "option",
        timestep=f"{PHYSICS_TIMESTEP}",
        integrator="implicitfast",
        solver="Newton",
        cone="pyramidal",
        iterations="10",
        ls_iterations="20",
    )


def _add_materials(root: ET.Element) -> None:
    asset = ET.SubElement(root, "asset")
    for name, rgba in MATERIALS.items():
        ET.SubElement(asset, "material", name=name, rgba=_numbers(rgba))


def _add_bodies(world: ET.Element, *, sole_friction: float, visuals: bool) -> None:
    joints = {row.body: row for row in JOINT_ROWS}
    elements: dict[str, ET.Element] = {"": world}
    for row in BODY_ROWS:
        body = ET.SubElement(
            elements[row.parent],
            "body",
            name=row.name,
            pos=_numbers(row.pos),
            quat=_numbers(row.quat),
        )
        elements[row.name] = body
        if row.name in joints:
            joint = joints[row.name]
            ET.SubElement(
                body,
                "joint",
                name=joint.name,
                axis=_AXES[joint.axis],
                range=_numbers((joint.lower, joint.upper)),
                armature=_numbers((g1.MOTORS[joint.motor].armature,)),
            )
        else:
            ET.SubElement(body, "freejoint", name="floating_base_joint")
        ET.SubElement(
            body,
            "inertial",
            mass=_numbers((row.mass,)),
            pos=_numbers(row.com),
            quat=_numbers(row.inertia_quat),
            diaginertia=_numbers(row.inertia),
        )
        for shape in COLLISION_ROWS:
            if shape.body == row.name:
                _add_collision(body, shape, sole_friction)
        if visuals:
            _add_visuals(body, row.name)
        for name, owner, pos in SITE_ROWS:
            if owner == row.name:
                ET.SubElement(body, "site", name=name, pos=_numbers(pos), group="5")


def _add_collision(body: ET.Element, shape: ShapeRow, sole_friction: float) -> None:
    geom = ET.SubElement(body, "geom", name=shape.name, group=str(COLLISION_GROUP))
    if shape.start == shape.end:
        geom.set("type", "sphere")
        geom.set("pos", _numbers(shape.start))
    else:
        geom.set("type", "capsule")
        geom.set("fromto", _numbers((*shape.start, *shape.end)))
    geom.set("size", _numbers((shape.radius,)))
    geom.set("rgba", "0.4 0.7 0.4 0.5")
    if is_foot(shape.name):
        geom.set("condim", "3")
        geom.set("priority", "1")
        geom.set("friction", _numbers((sole_friction, 0.005, 0.0001)))
    else:
        geom.set("condim", "1")


def _add_visuals(body: ET.Element, name: str) -> None:
    for visual in VISUAL_ROWS:
        if visual.body == name:
            ET.SubElement(
                body,
                "geom",
                type=visual.kind,
                size=_numbers(visual.size),
                pos=_numbers(visual.pos),
                quat=_numbers(visual.quat),
                material=visual.material,
                contype="0",
                conaffinity="0",
                mass="0",
                group=str(VISUAL_GROUP),
            )


def _add_excludes(root: ET.Element) -> None:
    contact = ET.SubElement(root, "contact")
    for first, second in CONTACT_EXCLUDES:
        ET.SubElement(contact, "exclude", body1=first, body2=second)


def _add_actuators(root: ET.Element) -> None:
    """A PD servo per joint: torque = kp (target - q) - kd qd, clipped to the effort."""
    actuator = ET.SubElement(root, "actuator")
    for i, name in enumerate(g1.JOINT_NAMES):
        kp, kd = g1.STIFFNESS[i], g1.DAMPING[i]
        ET.SubElement(
            actuator,
            "general",
            name=name,
            joint=name,
            biastype="affine",
            gainprm=_numbers((kp,)),
            biasprm=_numbers((0.0, -kp, -kd)),
            forcerange=_numbers((-g1.EFFORT_LIMIT[i], g1.EFFORT_LIMIT[i])),
        )


def _add_sensors(root: ET.Element) -> None:
    sensor = ET.SubElement(root, "sensor")
    for kind, name in (
        ("gyro", "imu_ang_vel"),
        ("velocimeter", "imu_lin_vel"),
        ("accelerometer", "imu_lin_acc"),
    ):
        ET.SubElement(sensor, kind, name=name, site="imu_in_pelvis")
