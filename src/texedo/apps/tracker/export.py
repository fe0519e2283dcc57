"""`texedo export tracker`: the controller as an ONNX file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.core.errors import PolicyError
from texedo.formats import load_clip, motion_from_clip
from texedo.tracker.policies.find import OURS, find_policy
from texedo.tracker.policies.onnx_runtime import need


@dataclass(frozen=True)
class Cfg:
    """Write a trained tracker as an ONNX file, checked against the original.

    Without a motion: the network, from our observation to the action. With a motion:
    the network and that motion behind the interface of BeyondMimic and mjlab (`obs`,
    `time_step` in; `actions`, `joint_pos`, ... out). How to feed either is in the
    file's metadata.

    Example: texedo export tracker -o policy.onnx

    Example: texedo export tracker --motion dance.npz -o dance.onnx
    """

    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE.onnx")]
    """The file to write."""
    tracker: Annotated[str, tyro.conf.arg(metavar="NAME|PATH")] = OURS
    """The controller: `texedo` (ours), or the folder of a trained one."""
    motion: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """A motion to put into the file."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the motion, where the file does not identify it."""
    fps: float | None = None
    """Its frame rate [Hz], instead of what the file or format says."""


def run(cfg: Cfg) -> int:
    """Export, check, and say how near the two are."""
    if cfg.out.suffix.lower() != ".onnx":
        raise PolicyError(f"{cfg.out}: the name of an ONNX file ends in .onnx.")
    for package in ("onnx", "onnxruntime"):
        need(package)
    policy = find_policy(cfg.tracker)
    # Here and not above: they load torch, onnx and onnxruntime.
    from texedo.tracker.export.check import check_motion_graph, check_policy_graph
    from texedo.tracker.export.onnx import export_motion, export_policy
    from texedo.tracker.policies.ours import TrackerPolicy

    if not isinstance(policy, TrackerPolicy):
        raise PolicyError(
            f"{cfg.tracker!r} is not a tracker of ours, and only those are exported; "
            "name the folder of a trained one."
        )
    if cfg.motion is None:
        export_policy(policy, cfg.out)
        off, unit = check_policy_graph(policy, cfg.out), "in the actions"
    else:
        clip = load_clip(cfg.motion, format=cfg.from_, fps=cfg.fps)
        motion = motion_from_clip(clip, cfg.motion)
        print(f"{cfg.motion}: read at {clip.reading}")
        export_motion(policy, motion, cfg.out)
        off, unit = check_motion_graph(policy, motion, cfg.out), "rad in the targets"
    print(f"wrote {cfg.out}; it differs from the tracker by at most {off:.1e} {unit}")
    return 0
