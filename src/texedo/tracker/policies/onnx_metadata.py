"""What the exporters of BeyondMimic and mjlab write into their ONNX files, and we too.

Lists are joined with commas, lists inside them with semicolons. Nothing has a fixed
order: joints are in that of the simulator (Isaac Lab or MuJoCo), and are read by name.
Both exporters round numbers to three decimals, which turns a scale of 0.0745 into
0.075; where a number is that of a motor of ours but for the rounding, the motor's own
is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import PolicyError
from texedo.core.visible import visible
from texedo.robot import g1
from texedo.robot.tables import BODY_ROWS, JOINT_ROWS
from texedo.tracker.policies.protocol import NUM_JOINTS, Actuation

Float64 = NDArray[np.float64]

TERM_SIZES: dict[str, int] = {
    "command": 2 * NUM_JOINTS,
    "motion_anchor_pos_b": 3,
    "motion_anchor_ori_b": 6,
    "base_lin_vel": 3,
    "base_ang_vel": 3,
    "projected_gravity": 3,
    "joint_pos": NUM_JOINTS,
    "joint_vel": NUM_JOINTS,
    "actions": NUM_JOINTS,
}
"""Observation terms by name, numbers in one step of each."""

POLICY_KIND = "texedo-policy"
"""Our network alone, as `onnx_export` marks it."""
MOTION_KIND = "texedo-motion"
"""Our network and a motion."""
LEAD_KEY = "reference_lead"
"""Frames by which the reference in an observation is ahead of the robot."""
TRAINING_LEAD = 1
"""mjlab puts the robot into frame t and then shows it frame t + 1; BeyondMimic is taken
to do the same."""

_IMU = np.array((0.04525, 0.0, -0.08339))
"""The pelvis IMU, whose velocity mjlab observes [m, pelvis frame]."""
_MAX_STEPS = 1000
"""Control steps: 20 s."""
_SLACK = 1e-6
"""Slack for numbers that went through text."""


class Term(NamedTuple):
    """One kind of number in an observation."""

    name: str
    size: int
    """Numbers in one step."""
    history: int
    """Steps, oldest first, the current one last."""
    scale: Float64
    """(size,) or (1,): factor after clipping."""
    clip: tuple[float, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class PolicyMetadata:
    """How to feed a policy and what its actions mean."""

    joint_names: tuple[str, ...]
    """In the policy's own order, as the two arrays below."""
    default_joint_pos: Float64
    action_scale: Float64
    actuation: Actuation
    """In our order."""
    terms: tuple[Term, ...]
    anchor_body: str
    body_names: tuple[str, ...]
    """Bodies of the clip in the file."""
    lead: int
    velocity_point: Float64
    """The point of the pelvis whose velocity is `base_lin_vel` (3,) [m]."""

    @property
    def observation_size(self) -> int:
        return sum(term.size * term.history for term in self.terms)

    @property
    def order(self) -> NDArray[np.int64]:
        """`theirs = ours[..., order]`."""
        return np.array([g1.JOINT_INDEX[name] for name in self.joint_names])


def read_metadata(path: Path | str, metadata: Mapping[str, str]) -> PolicyMetadata:
    """Understand the metadata of the policy at `path`; raises `PolicyError`."""
    if metadata.get("kind") == POLICY_KIND:
        raise PolicyError(
            f"{path}: our network alone, without the observation that goes with it; "
            "name the tracker's folder, or export it with --motion."
        )
    reader = _Reader(Path(path), metadata)
    names = reader.joint_names()
    stiffness = reader.numbers("joint_stiffness")
    damping = reader.numbers("joint_damping")
    scale = reader.numbers("action_scale")
    ours = np.argsort([g1.JOINT_INDEX[name] for name in names])
    actuation, exact = restore_gains(stiffness[ours], damping[ours], scale[ours])
    theirs = np.array([g1.JOINT_INDEX[name] for name in names])
    isaac = names == g1.ISAACLAB_JOINT_NAMES
    return PolicyMetadata(
        joint_names=names,
        default_joint_pos=reader.numbers("default_joint_pos"),
        action_scale=exact[theirs],
        actuation=actuation,
        terms=reader.terms(),
        anchor_body=reader.anchor(),
        body_names=reader.words("body_names"),
        lead=reader.lead(),
        # Isaac Lab's root velocity is that of the centre of mass.
        velocity_point=np.array(BODY_ROWS[0].com) if isaac else _IMU,
    )


def restore_gains(
    stiffness: Float64, damping: Float64, scale: Float64
) -> tuple[Actuation, Float64]:
    """Motors and action scales (29,) in our order without the rounding.

    A joint whose gains are those of a motor of the table, its own or another, gets
    that motor's torque limit and inertia; any other keeps its gains as they are, with
    the limit and the inertia of our table.
    """
    own = np.array([list(g1.MOTORS).index(row.motor) for row in JOINT_ROWS])
    first = [int(np.flatnonzero(own == m)[0]) for m in range(len(g1.MOTORS))]
    kp, kd = stiffness.copy(), damping.copy()
    scales = scale.copy()
    effort, armature = g1.EFFORT_LIMIT.copy(), g1.ARMATURE.copy()
    for j in range(NUM_JOINTS):
        for row in (j, *first):
            if _rounded(kp[j], g1.STIFFNESS[row]) and _rounded(kd[j], g1.DAMPING[row]):
                kp[j], kd[j] = g1.STIFFNESS[row], g1.DAMPING[row]
                effort[j], armature[j] = g1.EFFORT_LIMIT[row], g1.ARMATURE[row]
                if _rounded(scales[j], g1.ACTION_SCALE[row]):
                    scales[j] = g1.ACTION_SCALE[row]
                break
    motors = Actuation(stiffness=kp, damping=kd, effort=effort, armature=armature)
    return motors, scales


def _rounded(value: float, exact: float) -> bool:
    """Whether `value` is `exact`, rounded to three decimals or to float32."""
    near = abs(value - round(float(exact), 3)) < _SLACK
    return near or abs(value - exact) <= _SLACK * abs(exact)


class _Reader:
    """Metadata of one file, with errors that name it."""

    def __init__(self, path: Path, metadata: Mapping[str, str]) -> None:
        self.path, self.metadata = path, metadata

    def words(self, key: str) -> tuple[str, ...]:
        if key not in self.metadata:
            raise PolicyError(
                f"{self.path}: its metadata has no {key!r}, so nothing says how to "
                "feed it; export it with the tracker's own exporter."
            )
        return tuple(word.strip() for word in self.metadata[key].split(","))

    def joint_names(self) -> tuple[str, ...]:
        # Some exporters put the name of the entity before that of the joint.
        names = tuple(name.split("/")[-1] for name in self.words("joint_names"))
        unknown = [name for name in names if name not in g1.JOINT_INDEX]
        missing = [name for name in g1.JOINT_NAMES if name not in names]
        if unknown or missing or len(names) != NUM_JOINTS:
            problem = f"{len(names)} joints, some of them twice"
            if missing:
                problem = f"no {missing[0]!r}"
            if unknown:
                problem = f"{unknown[0][:80]!r}, which is no joint of {g1.ROBOT_NAME}"
            raise PolicyError(
                f"{self.path}: joint_names has {problem}; the policy must drive the "
                f"{NUM_JOINTS} joints of texedo.robot.JOINT_NAMES, in any order."
            )
        return names

    def numbers(self, key: str) -> Float64:
        """One number per joint, (29,), in the order of the file."""
        words = self.words(key)
        values = [self.number(key, word) for word in words]
        if not np.isfinite(values).all():
            raise PolicyError(
                f"{self.path}: {key} holds NaN or infinity; export the policy again."
            )
        if len(values) not in (1, NUM_JOINTS):
            raise PolicyError(
                f"{self.path}: {key} has {len(values)} numbers for {NUM_JOINTS} joints."
            )
        return np.array(values * (NUM_JOINTS // len(values)), dtype=np.float64)

    def number(self, key: str, word: str) -> float:
        try:
            return float(word)
        except ValueError:
            raise PolicyError(
                f"{self.path}: {key} holds {visible(word)[:40]!r}, which is not a number."
            ) from None

    def whole(self, key: str, word: str, *, most: int) -> int:
        """A whole number from -`most` to `most`."""
        value = self.number(key, word)
        if not abs(value) <= most:
            raise PolicyError(
                f"{self.path}: {key} is {value:g}, and should be {most} at most; export "
                "the policy again."
            )
        return int(value)

    def anchor(self) -> str:
        anchor = self.words("anchor_body_name")[0].split("/")[-1]
        if anchor not in g1.BODY_INDEX:
            raise PolicyError(
                f"{self.path}: anchor_body_name {anchor[:80]!r} is no body of "
                f"{g1.ROBOT_NAME}; see texedo.robot.BODY_NAMES."
            )
        return anchor

    def lead(self) -> int:
        if LEAD_KEY not in self.metadata:
            return TRAINING_LEAD
        return self.whole(LEAD_KEY, self.metadata[LEAD_KEY], most=_MAX_STEPS)

    def terms(self) -> tuple[Term, ...]:
        names = self.words("observation_names")
        for name in names:
            if name not in TERM_SIZES:
                raise PolicyError(
                    f"{self.path}: it observes {name[:80]!r}, which is not known here; "
                    f"known are {', '.join(TERM_SIZES)}."
                )
        lengths = "observation_terms_history_length"
        if lengths not in self.metadata:
            lengths = "observation_history_lengths"
        columns = zip(
            names,
            self._column(lengths, len(names), "1"),
            self._column("observation_terms_scale", len(names), "1"),
            self._column("observation_terms_clip", len(names), "-inf;inf"),
            self._column("observation_terms_flatten_history_dim", len(names), "1"),
            strict=True,
        )
        return tuple(self._term(*column) for column in columns)

    def _column(self, key: str, rows: int, default: str) -> tuple[str, ...]:
        if not self.metadata.get(key):
            return (default,) * rows
        words = self.words(key)
        if len(words) != rows:
            raise PolicyError(
                f"{self.path}: {key} has {len(words)} entries for {rows} observations."
            )
        return words

    def _term(self, name: str, history: str, scale: str, clip: str, flat: str) -> Term:
        # 0 steps of history is how an exporter says that there is none.
        steps = max(1, self.whole("history length", history, most=_MAX_STEPS))
        if steps > 1 and flat.lower() not in ("1", "1.0", "1.000", "true"):
            raise PolicyError(
                f"{self.path}: the history of {name!r} is not flattened, which is not "
                "supported; export with flatten_history_dim."
            )
        factors = [self.number("scale", word) for word in scale.split(";")]
        limits = [self.number("clip", word) for word in clip.split(";")]
        if len(factors) not in (1, TERM_SIZES[name]) or len(limits) != 2:
            raise PolicyError(
                f"{self.path}: scale {scale[:80]!r} and clip {clip[:80]!r} do not fit {name!r}."
            )
        low, high = limits
        return Term(name, TERM_SIZES[name], steps, np.array(factors), (low, high))
