"""SONIC's `observation_config.yaml`: what its two networks are fed, in which order.

The file is a small part of YAML: lists of names with an `enabled` flag, and for each
mode of the encoder the names it requires. That much is read here, without a YAML
package. A name such as `motion_joint_positions_10frame_step5` says its own shape.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from texedo.core.errors import PolicyError
from texedo.core.regular import read_regular

ENCODER_SIZES: dict[str, int] = {
    "encoder_mode_4": 4,
    "motion_joint_positions": 29,
    "motion_joint_velocities": 29,
    "motion_root_z_position": 1,
    "motion_anchor_orientation": 6,
    "motion_anchor_orientation_heading": 6,
    "motion_joint_positions_lowerbody": 12,
    "motion_joint_velocities_lowerbody": 12,
    "motion_joint_positions_wrists": 6,
    "vr_3point_local_target": 9,
    "vr_3point_local_orn_target": 12,
    "smpl_joints": 72,
    "smpl_anchor_orientation": 6,
    "smpl_anchor_orientation_heading": 6,
}
"""Numbers in one frame."""
DECODER_SIZES: dict[str, int] = {
    "token_state": 64,
    "his_base_angular_velocity": 3,
    "his_body_joint_positions": 29,
    "his_body_joint_velocities": 29,
    "his_last_actions": 29,
    "his_gravity_dir": 3,
}
_ZERO_FILLED = ("vr_", "smpl_")
"""Beginnings of what follows a person and not a robot's motion."""
MODE = "g1"
_MAX_BYTES = 1 << 20


class Item(NamedTuple):
    """One entry of an observation."""

    kind: str
    """The name without its frames."""
    frames: int
    step: int
    """Control steps between frames."""
    size: int
    """Numbers in all frames together."""
    filled: bool
    """False where the mode does not need it and zeros are given."""


class SonicLayout(NamedTuple):
    """Both observations in order."""

    encoder: tuple[Item, ...]
    decoder: tuple[Item, ...]

    @property
    def encoder_size(self) -> int:
        return sum(item.size for item in self.encoder)

    @property
    def decoder_size(self) -> int:
        return sum(item.size for item in self.decoder)


def read_layout(path: Path | str) -> SonicLayout:
    """Layout for the mode that follows a robot's joints; raises `PolicyError`."""
    path = Path(path)
    try:
        data = read_regular(path, limit=_MAX_BYTES)
    except OSError as error:
        raise PolicyError(
            f"{path}: {error.strerror}; take SONIC's own file."
        ) from error
    lists, required = _parse(data.decode(errors="replace"))
    for key in ("observations", "encoder_observations"):
        if not lists.get(key):
            raise PolicyError(
                f"{path}: no enabled names under {key!r}; take the file that belongs "
                "to the encoder and the decoder."
            )
    needed = required.get(MODE)
    encoder = [
        _item(path, name, ENCODER_SIZES, needed is None or name in needed)
        for name in lists["encoder_observations"]
    ]
    decoder = [_item(path, n, DECODER_SIZES, True) for n in lists["observations"]]
    for name in needed or ():
        if _parts(name)[0].startswith(_ZERO_FILLED):
            raise PolicyError(
                f"{path}: mode {MODE!r} requires {name[:80]!r}, which no robot motion has."
            )
    return SonicLayout(tuple(encoder), tuple(decoder))


def _parts(name: str) -> tuple[str, int, int]:
    match = re.fullmatch(r"(.+)_(\d{1,4})frame_step(\d{1,4})", name)
    return (match[1], int(match[2]), int(match[3])) if match else (name, 1, 1)


def _item(path: Path, name: str, sizes: dict[str, int], filled: bool) -> Item:
    kind, frames, step = _parts(name)
    if kind not in sizes:
        raise PolicyError(
            f"{path}: observation {name[:80]!r} is not known here; known are "
            f"{', '.join(sizes)}, each with _<n>frame_step<m>."
        )
    filled = filled and not kind.startswith(_ZERO_FILLED)
    return Item(kind, frames, step, frames * sizes[kind], filled)


def _parse(text: str) -> tuple[dict[str, list[str]], dict[str, set[str]]]:
    """Enabled names by section, and names that each mode requires."""
    entries: dict[str, list[tuple[str, bool]]] = {}
    required: dict[str, set[str]] = {}
    section = mode = ""
    for line in (line.split("#")[0].rstrip() for line in text.splitlines()):
        if heading := re.fullmatch(r"\s*(\w+):", line):
            section = heading[1]
        elif inline := re.search(r"required_observations:\s*\[(.*)\]", line):
            required[mode] = set(re.findall(r"\w+", inline[1]))
        elif name := re.search(r"\bname:\s*[\"']?(\w+)", line):
            if section in ("encoder_modes", "required_observations"):
                section, mode = "encoder_modes", name[1]
            else:
                entries.setdefault(section, []).append((name[1], False))
        elif section == "required_observations":
            required.setdefault(mode, set()).update(re.findall(r"\w+", line))
        if (flag := re.search(r"enabled:\s*(\w+)", line)) and entries.get(section):
            last = entries[section][-1][0]
            entries[section][-1] = (last, flag[1].lower() == "true")
    enabled = {k: [n for n, on in rows if on] for k, rows in entries.items()}
    return enabled, required
