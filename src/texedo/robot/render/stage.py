"""The MJCF that OpenGL draws: the robot on a tiled floor under a sky, with one lamp."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable

from texedo.robot.mjcf import build_mjcf
from texedo.robot.render import scene
from texedo.robot.render.meshes import find_mesh_model, read_mesh_model

LIGHT = "lamp"


def build_stage(width: int, height: int, *, meshes: bool = True) -> str:
    """MJCF text of the whole scene, with room for pictures of the given size.

    `meshes` takes the robot's own meshes where a package that has them is installed.
    """
    path = find_mesh_model() if meshes else None
    root = None if path is None else read_mesh_model(path)
    if root is None:
        root = ET.fromstring(build_mjcf(floor=False))
    world = root.find("worldbody")
    if world is None:
        raise ValueError("The robot's MJCF has no worldbody.")
    for body in list(world.iter("body")):
        for lamp in body.findall("light"):
            body.remove(lamp)
    _add_looks(root, width, height)
    _add_assets(root)
    ET.SubElement(
        world, "geom", type="plane", size="0 0 1", material="stage_floor", group="0"
    )
    ET.SubElement(
        world,
        "light",
        name=LIGHT,
        directional="true",
        castshadow="true",
        diffuse="0.52 0.52 0.52",
        specular="0.25 0.25 0.25",
        ambient="0 0 0",
    )
    return ET.tostring(root, encoding="unicode")


def _numbers(values: Iterable[float]) -> str:
    return " ".join(f"{value:.6g}" for value in values)


def _add_looks(root: ET.Element, width: int, height: int) -> None:
    visual = ET.SubElement(root, "visual")
    ET.SubElement(visual, "global", offwidth=str(width), offheight=str(height))
    # Coarser facets than MuJoCo's: on a hundred small shapes nobody sees them, and
    # OpenGL on a CPU spends its time on them.
    quality = {"offsamples": "4", "shadowsize": "2048"}
    ET.SubElement(visual, "quality", quality, numslices="20", numstacks="10")
    ET.SubElement(
        visual,
        "headlight",
        ambient="0.46 0.46 0.46",
        diffuse="0.16 0.16 0.16",
        specular="0 0 0",
    )
    # In units of `extent`, which is fixed: clipping and fog must not depend on the
    # robot's pose or on whether it has meshes.
    ET.SubElement(
        visual,
        "map",
        znear="0.02",
        zfar="60",
        fogstart="3",
        fogend="20",
        shadowclip="2.5",
    )
    ET.SubElement(visual, "rgba", fog=_numbers((*scene.SKY_HORIZON, 1.0)))
    ET.SubElement(root, "statistic", extent="1", center="0 0 0.7")


def _add_assets(root: ET.Element) -> None:
    asset = ET.SubElement(root, "asset")
    ET.SubElement(
        asset,
        "texture",
        type="skybox",
        builtin="gradient",
        rgb1=_numbers(scene.SKY_TOP),
        rgb2=_numbers(scene.SKY_HORIZON),
        width="256",
        height="1536",
    )
    ET.SubElement(
        asset,
        "texture",
        name="stage_tiles",
        type="2d",
        builtin="checker",
        rgb1=_numbers(scene.FLOOR_LIGHT),
        rgb2=_numbers(scene.FLOOR_DARK),
        width="256",
        height="256",
    )
    ET.SubElement(
        asset,
        "material",
        name="stage_floor",
        texture="stage_tiles",
        texrepeat=_numbers((1 / scene.TILE,) * 2),
        texuniform="true",
        specular="0",
        shininess="0",
    )
