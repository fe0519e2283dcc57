"""The robot as the page draws it: our tables of links and shapes, as plain lists."""

from __future__ import annotations

from functools import cache
from typing import Any

from texedo.robot.g1 import BODY_INDEX
from texedo.robot.tables import BODY_ROWS, JOINT_ROWS
from texedo.robot.visuals import MATERIALS, VISUAL_ROWS, VisualRow


@cache
def robot_shape() -> dict[str, Any]:
    """Links (parent, joint, axis, offset, resting turn) and shapes on bodies."""
    joints = {row.body: i for i, row in enumerate(JOINT_ROWS)}
    links = [
        [
            BODY_INDEX[row.parent],
            joints[row.name],
            "xyz".index(JOINT_ROWS[joints[row.name]].axis),
            *row.pos,
            *row.quat,
        ]
        for row in BODY_ROWS[1:]
    ]
    return {
        "links": links,
        "shapes": [_shape(row) for row in VISUAL_ROWS],
        "colours": {name: rgba[:3] for name, rgba in MATERIALS.items()},
    }


def _shape(row: VisualRow) -> list[Any]:
    """Body, mesh, three half sizes, half length between round ends, place, turn, colour."""
    if row.kind == "capsule":
        radius, half = row.size
        mesh, size = "ball", (radius, radius, radius, half)
    elif row.kind == "cylinder":
        radius, half = row.size
        mesh, size = "drum", (radius, radius, half, 0.0)
    elif row.kind == "box":
        mesh, size = "box", (row.size[0], row.size[1], row.size[2], 0.0)
    else:
        x, y, z = row.size if len(row.size) == 3 else row.size * 3
        mesh, size = "ball", (x, y, z, 0.0)
    figures = (*size, *row.pos, *row.quat)
    return [
        BODY_INDEX[row.body],
        mesh,
        *(round(figure, 5) for figure in figures),
        row.material,
    ]
