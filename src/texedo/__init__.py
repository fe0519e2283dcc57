"""Texedo: from a sentence to a motion that a Unitree G1 can really perform.

    import texedo
    motion = texedo.load_motion("walk.csv", format="lafan1")
    poses = texedo.motion_kinematics(motion)      # pos_w (T, 30, 3), quat_w (T, 30, 4)
    texedo.save_motion(motion, "walk.npz")

Every name below is imported when it is first used, so that `import texedo` costs
nothing and never loads a simulator or a learning framework.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from texedo.core.errors import TexedoError as TexedoError
    from texedo.do import Selection as Selection
    from texedo.do import select_best as select_best
    from texedo.formats import load_motion as load_motion
    from texedo.formats import save_motion as save_motion
    from texedo.motion import Motion as Motion
    from texedo.pipeline import generate as generate
    from texedo.robot.check import check_motion as check_motion
    from texedo.robot.kinematics import forward_kinematics as forward_kinematics
    from texedo.robot.kinematics import motion_kinematics as motion_kinematics
    from texedo.robot.mirror import mirror as mirror

__version__ = "0.1.0"

_PUBLIC = {
    "Motion": "texedo.motion",
    "Selection": "texedo.do",
    "TexedoError": "texedo.core.errors",
    "check_motion": "texedo.robot.check",
    "forward_kinematics": "texedo.robot.kinematics",
    "generate": "texedo.pipeline",
    "load_motion": "texedo.formats",
    "mirror": "texedo.robot.mirror",
    "motion_kinematics": "texedo.robot.kinematics",
    "save_motion": "texedo.formats",
    "select_best": "texedo.do",
}


# Out of a type checker's sight, or it would take every name for a public one.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _PUBLIC:
            raise AttributeError(f"module 'texedo' has no attribute {name!r}")
        value = getattr(import_module(_PUBLIC[name]), name)
        globals()[name] = value  # The next access does not come through here.
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
