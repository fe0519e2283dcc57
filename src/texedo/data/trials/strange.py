"""Recordings as another studio would have them: other limbs, names, axes, units, rates.

There is one open database at hand. To see whether a verifier copes with people and
skeletons that it never saw, recordings of people who are held out are given skeletons of
other proportions, in the manner of other programs. The performance stays the same.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from texedo.data.capture.bvh import Bvh
from texedo.data.capture.source import CMU_UNIT

Settings = dict[str, float]

LONGEST = 15.0
"""Seconds of a recording that are used."""
_PARTS = {
    "trunk": ("LowerBack", "Spine", "Spine1", "Neck", "Neck1", "Head"),
    "hips": ("LeftUpLeg", "RightUpLeg"),
    "thigh": ("LeftLeg", "RightLeg"),
    "shin": ("LeftFoot", "RightFoot"),
    "foot": ("LeftToeBase", "RightToeBase"),
    "shoulders": ("LeftArm", "RightArm"),
    "upper_arm": ("LeftForeArm", "RightForeArm"),
    "forearm": ("LeftHand", "RightHand"),
}
"""Joints whose offsets are the length of each part of the body."""
_SPREAD = 0.22
"""Parts are longer or shorter by this factor's exponential at most."""
_WORDS = ("UpLeg", "Leg", "Foot", "ToeBase", "Shoulder", "Arm", "ForeArm", "Hand")
_MANNERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("mixamorig:{Side}", _WORDS),
    ("{s}_", tuple("thigh calf foot ball clavicle upperarm lowerarm hand".split())),
    ("{S}_", tuple("Hip Knee Ankle Foot Collar Shoulder Elbow Wrist".split())),
    ("{s}", tuple("femur tibia foot toes clavicle humerus radius wrist".split())),
    ("{s}", tuple("Thigh Shin Foot Toe Collar Shldr ForeArm Hand".split())),
)
"""How other programs call limbs: what comes before, and a word for each of `_WORDS`."""
_UNITS = (CMU_UNIT, 1.0, 0.1, 0.01, 0.001)
"""Metres of a unit, to choose from."""
_NEXT_AXIS = {"X": "Y", "Y": "Z", "Z": "X"}
"""Turning all axes round makes the second, which is up, the third."""


def strange(bvh: Bvh, rng: np.random.Generator) -> tuple[Bvh, Settings]:
    """The performance on another skeleton, and what is other about it."""
    bvh = replace(bvh, motion=bvh.motion[: round(LONGEST * bvh.fps)])
    bvh, settings = _other_limbs(bvh, rng)
    manner = int(rng.integers(len(_MANNERS)))
    bvh = _renamed(bvh, *_MANNERS[manner])
    unit = float(rng.choice(_UNITS))
    bvh = _scaled(bvh, CMU_UNIT / unit)
    z_up = bool(rng.random() < 0.5)
    bvh = _z_up(bvh) if z_up else bvh
    every = int(rng.choice((1, 1, 2)))
    bvh = replace(bvh, motion=bvh.motion[::every], frame_time=bvh.frame_time * every)
    said = {"manner": float(manner), "unit_m": unit, "z_up": float(z_up)}
    return bvh, settings | said | {"fps": bvh.fps}


def _other_limbs(bvh: Bvh, rng: np.random.Generator) -> tuple[Bvh, Settings]:
    offsets, settings = bvh.offsets.copy(), {}
    for part, joints in _PARTS.items():
        factor = float(np.exp(rng.uniform(-_SPREAD, _SPREAD)))
        settings[part] = factor
        rows = [i for i, name in enumerate(bvh.names) if name in joints]
        offsets[rows] *= factor
    legs = np.sqrt(settings["thigh"] * settings["shin"])
    # Longer legs make longer steps and carry the hips higher.
    return replace(bvh, offsets=offsets, motion=_places_times(bvh, legs)), settings


def _scaled(bvh: Bvh, factor: float) -> Bvh:
    motion = _places_times(bvh, factor)
    return replace(bvh, offsets=bvh.offsets * factor, motion=motion)


def _places_times(bvh: Bvh, factor: float) -> np.ndarray:
    columns = [name for own in bvh.channels for name in own]
    places = [i for i, name in enumerate(columns) if name.endswith("position")]
    motion = bvh.motion.copy()
    motion[:, places] *= factor
    return np.asarray(motion)


def _renamed(bvh: Bvh, before: str, words: tuple[str, ...]) -> Bvh:
    names = {}
    for side in ("Left", "Right"):
        mark = before.format(Side=side, S=side[0], s=side[0].lower())
        for ours, theirs in zip(_WORDS, words, strict=True):
            names[side + ours] = mark + theirs
    return replace(bvh, names=tuple(names.get(name, name) for name in bvh.names))


def _z_up(bvh: Bvh) -> Bvh:
    """All axes turned round by one: a turn about y is one about z, and so on."""
    return replace(
        bvh,
        offsets=np.roll(bvh.offsets, 1, axis=1),
        channels=tuple(
            tuple(_NEXT_AXIS[name[0]] + name[1:] for name in own)
            for own in bvh.channels
        ),
    )
