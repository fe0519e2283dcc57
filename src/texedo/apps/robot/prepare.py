"""What `texedo export` and `texedo stream` share: from a file to a motion for the robot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

import texedo
from texedo.apps.robot.verdicts import (
    Answer,
    check_answer,
    dynamics_answer,
    physics_answer,
)
from texedo.core.files import file_sha256
from texedo.data.corpus.label_table import clip_hash
from texedo.do.blend import Blended, blend_with_standing
from texedo.formats import Reading, load_clip, motion_from_clip
from texedo.formats.runs import run_motion, run_record
from texedo.motion import Motion
from texedo.robot.dof23 import LOCKED_JOINTS, lock_joints
from texedo.robot.g1 import JOINT_NAMES, ROBOT_NAME


@dataclass(frozen=True)
class MotionOptions:
    """Which motion goes to the robot, and what is asked before it does."""

    motion: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="RUN|MOTION")]]
    """A run folder of `texedo generate`, or a motion file."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the file, where it does not identify it."""
    fps: float | None = None
    """Its frame rate [Hz], instead of what the file or format says."""
    hold: Annotated[float, tyro.conf.arg(metavar="SECONDS")] = 0.0
    """Stand still for so long before and after, on top of 0.1 s."""
    no_blend: bool = False
    """Leave the motion as it is: no way from and to standing, no hold."""
    dof: Literal[29, 23] = 29
    """Joints of the robot: 23 locks waist roll and pitch and wrist pitch and yaw at zero,
    and the motion is performed with them locked."""
    dynamics: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH|none")] = None
    """The verifier that gives R_dyn, as in `texedo score`; ours, where it is installed."""
    tracker: Annotated[str, tyro.conf.arg(metavar="NAME|PATH")] = "texedo"
    """The controller that performs the motion first, as in `texedo rollout`."""
    no_perform: bool = False
    """Do not perform the motion in physics first; that takes a few seconds."""
    force: bool = False
    """Go on although somebody says no."""


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A motion as the robot will get it, and what was said of it."""

    motion: Motion
    reading: Reading
    """At which rate its file was read."""
    blended: Blended | None
    answers: tuple[Answer, ...]
    labels: dict[str, Any]
    """Names, hashes and verdicts, to travel with the motion."""

    @property
    def objections(self) -> list[Answer]:
        return [answer for answer in self.answers if answer.verdict == "fail"]


def prepare(options: MotionOptions) -> Prepared:
    """Read, lock, blend, and ask everybody."""
    path = run_motion(options.motion) or options.motion
    clip = load_clip(path, format=options.from_, fps=options.fps)
    source = motion_from_clip(clip, path)
    motion = lock_joints(source) if options.dof == 23 else source
    blended = None
    if not options.no_blend:
        blended = blend_with_standing(motion, hold=options.hold)
        motion = blended.motion
    answers = (
        check_answer(motion),
        dynamics_answer(motion, options.dynamics),
        _physics(options, motion, blended),
    )
    labels = {
        "made_by": f"texedo {texedo.__version__}",
        **_origin(options.motion, path, source),
        "robot": ROBOT_NAME,
        "joints": options.dof,
        "locked_joints": list(LOCKED_JOINTS) if options.dof == 23 else [],
        "motion_sha256": clip_hash(motion),
        **{f"source_{key}": value for key, value in clip.rate.to_dict().items()},
        "duration_s": motion.duration,
        "blend": None if blended is None else blended.to_dict(),
        "verdicts": {answer.who: answer.to_dict() for answer in answers},
    }
    return Prepared(
        motion=motion,
        reading=clip.reading,
        blended=blended,
        answers=answers,
        labels=labels,
    )


def _physics(options: MotionOptions, motion: Motion, blended: Blended | None) -> Answer:
    if options.no_perform:
        return Answer(
            who="physics", verdict="not asked", says="left out (--no-perform)"
        )
    locked = options.dof == 23
    return physics_answer(motion, options.tracker, locked=locked, blended=blended)


def _origin(named: Path, path: Path, source: Motion) -> dict[str, Any]:
    """Where the motion comes from: file, hash, and of a run the sentence."""
    record = run_record(named) if named.is_dir() else None
    prompt = {} if record is None else {"prompt": record["request"].get("prompt")}
    files = {"source_file_sha256": file_sha256(path)} if path.is_file() else {}
    return {
        "source": named.name,
        "source_motion_sha256": clip_hash(source),
        **files,
        **prompt,
    }


def report_lines(options: MotionOptions, prepared: Prepared) -> Iterator[str]:
    """What is going to the robot, and who says what about it."""
    motion, blended = prepared.motion, prepared.blended
    read = f"{options.motion}: read at {prepared.reading}"
    yield f"{read}; {motion.duration:.2f} s" + _around(blended)
    if options.dof == 23:
        names = ", ".join(name.removesuffix("_joint") for name in LOCKED_JOINTS)
        free = len(JOINT_NAMES) - len(LOCKED_JOINTS)
        yield f"{free} joints; locked at zero: {names}"
    for answer in prepared.answers:
        yield f"{answer.who:8}{answer.verdict}: {answer.says}"
    asked = [answer.who for answer in prepared.answers if answer.verdict != "not asked"]
    if len(asked) < len(prepared.answers):
        yield f"asked: {' and '.join(asked)} only"


def _around(blended: Blended | None) -> str:
    if blended is None:
        return ", as it is"
    facts = blended.to_dict()
    begins, ends = facts["motion_begins_s"], facts["motion_ends_s"]
    return f" with standing around it; the motion itself is from {begins:.2f} to {ends:.2f} s"


def refusal(prepared: Prepared, what: str) -> str:
    """Why nothing is done, with the lines that failed, and the way out."""
    said = "; ".join(f"{a.who}: {a.says}" for a in prepared.objections)
    return f"refused, {what}. {said}. --force does it all the same."
