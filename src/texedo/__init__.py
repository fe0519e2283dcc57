"""Texedo: from a sentence to a motion that a Unitree G1 can really perform.

    import texedo
    pipe = texedo.load()
    result = pipe("a person waves")               # the best of 32 candidates
    print(result.explain())
    texedo.save_motion(result.motion, "wave.npz")

    motion = texedo.load_motion("walk.csv", format="lafan1")
    poses = texedo.motion_kinematics(motion)      # pos_w (T, 30, 3), quat_w (T, 30, 4)
    done = texedo.rollout([motion], texedo.find_policy("texedo"))
    texedo.render_motion(motion, "walk.mp4")

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
    from texedo.pipeline import Pipeline as Pipeline
    from texedo.pipeline import generate as generate
    from texedo.pipeline import load as load
    from texedo.robot.check import check_motion as check_motion
    from texedo.robot.kinematics import forward_kinematics as forward_kinematics
    from texedo.robot.kinematics import motion_kinematics as motion_kinematics
    from texedo.robot.mirror import mirror as mirror
    from texedo.robot.render import render_motion as render_motion
    from texedo.text.generators.find import find_generator as find_generator
    from texedo.text.generators.prompts import Sampling as Sampling
    from texedo.tracker.oracle.rollout import rollout as rollout
    from texedo.tracker.policies.find import find_policy as find_policy

__version__ = "0.1.0"

_PUBLIC = {
    "Motion": "texedo.motion",
    "Pipeline": "texedo.pipeline",
    "Selection": "texedo.do",
    "TexedoError": "texedo.core.errors",
    "Sampling": "texedo.text.generators.prompts",
    "check_motion": "texedo.robot.check",
    "find_generator": "texedo.text.generators.find",
    "find_policy": "texedo.tracker.policies.find",
    "forward_kinematics": "texedo.robot.kinematics",
    "generate": "texedo.pipeline",
    "load": "texedo.pipeline",
    "load_motion": "texedo.formats",
    "mirror": "texedo.robot.mirror",
    "motion_kinematics": "texedo.robot.kinematics",
    "render_motion": "texedo.robot.render",
    "rollout": "texedo.tracker.oracle.rollout",
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
    # Not submodules that happen to be loaded, nor what this file needs for itself.
    return sorted({*_PUBLIC, *(n for n in globals() if n.startswith("__"))})
