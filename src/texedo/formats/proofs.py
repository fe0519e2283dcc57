"""What else a file holds, held against how it is read.

Body positions follow from joint angles, so they tell whether the joints are in the
order, the quaternions in the convention and the robot the one that a format means.
Names say it outright. What agrees is kept as the clip's proof; a contradiction refuses
the file and says which other reading would fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import FileFormatError
from texedo.robot.g1 import (
    BODY_INDEX,
    ISAACLAB_FROM_MUJOCO,
    JOINT_INDEX,
    JOINT_NAMES,
    MUJOCO_FROM_ISAACLAB,
)
from texedo.robot.kinematics import forward_kinematics

Order = Literal["wxyz", "xyzw"]

MAX_MISFIT = 0.02
"""Largest distance of a body from our kinematics in a file of this robot [m]."""
_FRAMES = 32
"""Frames that are looked at, spread over the file."""
_LANDMARKS = (
    "pelvis",
    "torso_link",
    *(
        f"{side}_{part}_link"
        for side in ("left", "right")
        for part in ("hip_roll", "knee", "ankle_roll", "shoulder_roll", "elbow")
    ),
)
"""Links that every list of the G1's bodies has, with wrists or without."""
_OTHER_SIDE = np.array(
    [
        JOINT_INDEX[
            name.replace("left_", "right_")
            if name.startswith("left_")
            else name.replace("right_", "left_")
        ]
        for name in JOINT_NAMES
    ]
)


class Bodies(NamedTuple):
    """Frames as they were read, and where the file puts the bodies."""

    root_pos_w: NDArray[Any]
    root_quat_w: NDArray[Any]
    """wxyz, (T, 4)."""
    joint_pos: NDArray[Any]
    """MuJoCo order, (T, 29)."""
    indices: Sequence[int]
    """Which of our 30 bodies the file has, (B,)."""
    places: NDArray[Any]
    """Where it has them in the world, (T, B, 3)."""


def sample_frames(frames: int) -> NDArray[np.int64]:
    """A few frames of many, the first and the last among them."""
    return np.unique(np.linspace(0, frames - 1, min(frames, _FRAMES)).astype(np.int64))


def misfit(bodies: Bodies) -> float:
    """Largest distance between a file's bodies and our kinematics of its joints [m].

    Infinite where they cannot be compared.
    """
    gaps = _gaps(bodies)
    return np.inf if gaps is None else float(gaps.max())


def typical_misfit(bodies: Bodies) -> float:
    """The median of the same: for files whose joints are no exact hinges."""
    gaps = _gaps(bodies)
    return np.inf if gaps is None else float(np.median(gaps))


def _gaps(bodies: Bodies) -> NDArray[np.float64] | None:
    at = sample_frames(len(bodies.joint_pos))
    pos, quat, joints, places = (
        np.asarray(array[at], dtype=np.float64)
        for array in (
            bodies.root_pos_w,
            bodies.root_quat_w,
            bodies.joint_pos,
            bodies.places,
        )
    )
    finite = all(np.isfinite(a).all() for a in (pos, quat, joints, places))
    if not finite or not quat.any(axis=1).all() or not len(at):
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        poses = forward_kinematics(pos, quat, joints)
        gaps = np.linalg.norm(poses.pos_w[:, bodies.indices] - places, axis=-1)
    return np.asarray(gaps) if np.isfinite(gaps).all() else None


def prove_bodies(
    path: Path | str,
    bodies: Bodies,
    *,
    what: str,
    order: Order | None,
    limit: float = MAX_MISFIT,
) -> str:
    """The words of the proof that bodies follow from joints; raises a contradiction.

    `what` is where in the file the bodies stand, `order` how its root quaternions were
    taken, None if they play no part. Empty where nothing can be compared.
    """
    gap = misfit(bodies)
    if not np.isfinite(gap):
        # NaN or a zero quaternion, which `Motion` words better.
        return ""
    if gap <= limit:
        return f"{what} agrees to {gap * 1000:.1f} mm"
    advice = (
        "no order of joints or quaternions fits either, so it is of another robot or "
        "damaged; export it from the 29-joint G1 rev 1.0"
    )
    if words := fitting_reading(bodies, order=order, limit=limit):
        advice = f"they fit if {words}, so export it again as the format has it"
    raise FileFormatError(
        f"{path}: {what} contradicts its joints: the bodies are {gap * 100:.0f} cm from "
        f"where they belong; {advice}."
    )


def fitting_reading(
    bodies: Bodies, *, order: Order | None, limit: float = MAX_MISFIT
) -> str:
    """In which other order of joints or quaternions the bodies fit; empty if in none."""
    for words, other in _other_readings(bodies, order):
        if misfit(other) <= limit:
            return words
    return ""


def _other_readings(
    bodies: Bodies, order: Order | None
) -> Iterator[tuple[str, Bodies]]:
    joints: dict[str, Any] = {
        "": slice(None),
        "its joints are in Isaac Lab order": MUJOCO_FROM_ISAACLAB,
        "its joints are in MuJoCo order": ISAACLAB_FROM_MUJOCO,
        "its left and right joints are swapped": _OTHER_SIDE,
    }
    quats: dict[str, Any] = {"": slice(None)}
    if order == "wxyz":
        quats["its quaternions are xyzw"] = [3, 0, 1, 2]
    elif order == "xyzw":
        quats["its quaternions are wxyz"] = [1, 2, 3, 0]
    for quat_words, quat_gather in quats.items():
        for joint_words, joint_gather in joints.items():
            words = " and ".join(w for w in (quat_words, joint_words) if w)
            if words:
                yield (
                    words,
                    bodies._replace(
                        root_quat_w=bodies.root_quat_w[:, quat_gather],
                        joint_pos=bodies.joint_pos[:, joint_gather],
                    ),
                )


def as_names(value: Any) -> list[str] | None:
    """A list of names from a file, without a model's prefix; None if it is none."""
    if isinstance(value, np.ndarray):
        value = value.reshape(-1).tolist()
    if not isinstance(value, list | tuple) or not value:
        return None
    names = [n.decode("utf-8", "replace") if type(n) is bytes else n for n in value]
    if not all(type(name) is str for name in names):
        return None
    return [name.rsplit("/", 1)[-1] for name in names]


def known_bodies(path: Path | str, names: Iterable[str], *, what: str) -> list[int]:
    """Our index of every name, -1 where it is none of ours; another robot is refused."""
    names = list(names)
    missing = [name for name in _LANDMARKS if name not in names]
    if missing:
        raise FileFormatError(
            f"{path}: {what} is not the G1's: it lacks {', '.join(missing[:3])}"
            f"{', ...' if len(missing) > 3 else ''} (it has {', '.join(names[:3])[:80]}, "
            "...), so it is of another robot; export it for the 29-joint G1."
        )
    return [BODY_INDEX.get(name, -1) for name in names]


def joint_order(path: Path | str, names: Sequence[str], *, what: str) -> list[int]:
    """Where each of our 29 joints stands among the names; another robot is refused."""
    plain = [_plain(name) for name in names]
    ours = [_plain(name) for name in JOINT_NAMES]
    if sorted(plain) != sorted(ours):
        odd = [n for n, p in zip(names, plain, strict=True) if p not in ours]
        odd += [name for name in ours if name not in plain]
        raise FileFormatError(
            f"{path}: {what} are not the G1's 29 ({', '.join(odd[:3])[:120]} differ), so "
            "it is of another robot; export it for the 29-joint G1."
        )
    return [plain.index(name) for name in ours]


def prove_joint_names(
    path: Path | str, names: Sequence[str] | None, wanted: Sequence[str], *, what: str
) -> str:
    """The words of the proof that the names stand in the order that the format has."""
    if names is None:
        return ""
    plain, expected = [_plain(n) for n in names], [_plain(n) for n in wanted]
    if plain == expected:
        return f"{what} agree"
    if sorted(plain) == sorted(expected):
        at = next(i for i, n in enumerate(expected) if plain[i] != n)
        raise FileFormatError(
            f"{path}: {what} contradict the format: joint {at} is {names[at]}, and the "
            f"format has {wanted[at]} there; put the joints in its order, or name the "
            "format it really is."
        )
    odd = [n for n, p in zip(names, plain, strict=True) if p not in expected]
    odd = odd or [f"{len(names)} names instead of {len(wanted)}"]
    raise FileFormatError(
        f"{path}: {what} are not the G1's ({', '.join(odd[:3])[:120]}), so it is of "
        "another robot; export it for the 29-joint G1."
    )


def _plain(name: str) -> str:
    return name.removesuffix("_dof").removesuffix("_joint")
