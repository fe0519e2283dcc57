"""The robot's own meshes, where the package `mjlab` happens to be installed.

Nothing of it is imported: only its model file is read. Whatever is missing or different
there, the answer is None and the primitive shapes are drawn.
"""

from __future__ import annotations

import importlib.util
import xml.etree.ElementTree as ET
from pathlib import Path

from texedo.robot.g1 import JOINT_NAMES
from texedo.robot.visuals import MATERIALS

_MODEL = Path("asset_zoo/robots/unitree_g1/xmls/g1.xml")
_COLOURS = {"silver": "shell", "black": "dark"}


def find_mesh_model() -> Path | None:
    """The MJCF file with meshes, or None."""
    try:
        spec = importlib.util.find_spec("mjlab")
    except (ImportError, ValueError):
        return None
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder) / _MODEL
        if path.is_file():
            return path
    return None


def read_mesh_model(path: Path) -> ET.Element | None:
    """Its MJCF as a tree that compiles from anywhere; None if it is another robot."""
    try:
        root = ET.parse(path).getroot()
    except (OSError, ET.ParseError):
        return None
    joints = [j.get("name") for j in root.iter("joint") if "name" in j.attrib]
    if tuple(joints) != JOINT_NAMES:
        return None
    compiler = root.find("compiler")
    if compiler is None:
        compiler = ET.SubElement(root, "compiler")
    folder = path.parent / compiler.get("meshdir", "")
    compiler.set("meshdir", str(folder.resolve()))
    for material in root.iter("material"):
        ours = _COLOURS.get(material.get("name", ""))
        if ours is not None:
            material.set("rgba", " ".join(map(str, MATERIALS[ours])))
    return root
