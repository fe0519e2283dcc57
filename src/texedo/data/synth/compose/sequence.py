"""Sequences: two or three motions one after the other, as one clip."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.synth.author.stage.balance import outside_support
from texedo.data.synth.compose.bridge import Bridge, bridge_many, least_step
from texedo.data.synth.compose.quality import MAX_FRAMES
from texedo.data.synth.compose.stance import Stance, stance_at
from texedo.data.synth.compose.units import Cut, Unit, by_split
from texedo.motion import FPS
from texedo.robot.collision import self_penetration
from texedo.robot.g1 import SPEED_LIMIT
from texedo.robot.kinematics import forward_kinematics

Float64 = NDArray[np.float64]

_BRIDGE_FRAMES = 95
"""What a bridge takes, almost always."""
_LONGEST_PART = {2: 300, 3: 165}
"""Frames of a part, by the number of parts."""
_CANDIDATES = 10
_MAX_OUTSIDE = 0.06
"""How far the pressure may leave the soles during a bridge [m]."""
_MAX_SEAM = 0.12
_MAX_SPEED_RATIO = 0.5
_MAX_OVERLAP = 0.008


class Pick(NamedTuple):
    """Units to be joined, in order."""

    units: tuple[Unit, ...]

    @property
    def id(self) -> str:
        return made_id("sequence", *(unit.clip.id for unit in self.units))


def made_id(kind: str, *parts: object) -> str:
    """Name of a composed clip: its kind and a hash of what it is made from."""
    digest = hashlib.sha256("|".join(map(str, (kind, *parts))).encode()).hexdigest()
    return f"{kind[:3]}-{digest[:12]}"


def pick_sequences(
    units: Sequence[Unit], *, number: int, parts: int, seed: int
) -> Iterator[Pick]:
    """About `number` sequences, from each split its share; units of one split only.

    Every unit starts at most as many sequences as it takes to reach the number; its
    followers are the best fitting of a few drawn by its own name.
    """
    fit = [u for u in units if _fits(u, parts)]
    for split, group in by_split(fit).items():
        share = round(number * len(group) / max(len(fit), 1))
        rounds = -(-share // max(len(group), 1))
        made, seen = 0, set()
        for turn in range(2 * rounds + 2):
            order = sorted(group, key=lambda u: _draw(seed, turn, parts, u.clip.id))
            for unit in order:
                if made == share:
                    break
                pick = _chain(unit, group, parts=parts, key=(seed, turn, split))
                if pick is not None and pick.id not in seen:
                    seen.add(pick.id)
                    made += 1
                    yield pick


def _fits(unit: Unit, parts: int) -> bool:
    return (
        unit.enter is not None
        and unit.leave is not None
        and bool(unit.phrases)
        and _span(unit) <= _LONGEST_PART[parts]
    )


def _draw(*key: object) -> bytes:
    return hashlib.sha256("/".join(map(str, key)).encode()).digest()


def _chain(
    unit: Unit, group: Sequence[Unit], *, parts: int, key: tuple[object, ...]
) -> Pick | None:
    """A unit and its followers; None if none of the drawn fits."""
    digest = _draw(*key, parts, unit.clip.id)
    rng = np.random.default_rng(int.from_bytes(digest[:8], "big"))
    chain = [unit]
    for _ in range(parts - 1):
        room = MAX_FRAMES - _length(chain) - _BRIDGE_FRAMES * (parts - len(chain))
        drawn = [group[i] for i in rng.integers(len(group), size=_CANDIDATES)]
        options = [
            u
            for u in drawn
            if u.clip.group != chain[-1].clip.group
            and not set(u.phrases) & set(chain[-1].phrases)
            and _span(u) <= room
        ]
        if not options:
            return None
        chain.append(min(options, key=lambda u: _effort(chain[-1], u)))
    return Pick(tuple(chain))


def _span(unit: Unit) -> int:
    assert unit.enter is not None and unit.leave is not None
    return unit.leave.frame - unit.enter.frame + 1


def _length(chain: Sequence[Unit]) -> int:
    return sum(_span(unit) for unit in chain)


def _effort(first: Unit, second: Unit) -> float:
    """What it takes to get from one to the other; smaller is better."""
    assert first.leave is not None and second.enter is not None
    a, b = first.leave.stance, second.enter.stance
    step = least_step(a, b)
    apart = float(np.sqrt(np.mean((a.qpos[7:] - b.qpos[7:]) ** 2)))
    calm = float(np.linalg.norm(a.mass.velocity) + np.linalg.norm(b.mass.velocity))
    height = abs(float(a.qpos[2] - b.qpos[2]))
    return 2 * step.distance + 0.5 * abs(step.turn) + apart + calm + 3 * height


@dataclass
class _Chain:
    """A sequence that grows."""

    units: tuple[Unit, ...]
    parts: list[Float64]
    """Frames of motions and bridges so far."""
    leaving: Stance | None
    """How the last motion is left; None if the sequence has failed."""


def join(pick: Pick) -> Float64 | None:
    """The motion of a pick, (T, 36); None if a bridge asks too much of the robot."""
    return join_many([pick])[0]


def join_many(picks: Sequence[Pick]) -> list[Float64 | None]:
    """The same for many: faster, but each comes out as it would alone."""
    chains = [_begun(pick.units) for pick in picks]
    for k in range(1, max((len(pick.units) for pick in picks), default=0)):
        going = [c for c in chains if c.leaving is not None and len(c.units) > k]
        pairs = [(c.leaving, _entrance(c.units[k]).stance) for c in going]
        links = bridge_many([(a, b) for a, b in pairs if a is not None])
        for chain, link in zip(going, links, strict=True):
            _extend(chain, chain.units[k], link, last=k == len(chain.units) - 1)
    out: list[Float64 | None] = []
    for chain in chains:
        done = len(chain.parts) == 2 * len(chain.units) - 1
        frames = np.concatenate(chain.parts)
        out.append(frames if done and len(frames) <= MAX_FRAMES else None)
    return out


def _entrance(unit: Unit) -> Cut:
    assert unit.enter is not None
    return unit.enter


def _exit(unit: Unit) -> Cut:
    assert unit.leave is not None
    return unit.leave


def _begun(units: tuple[Unit, ...]) -> _Chain:
    leave = _exit(units[0])
    first = units[0].frames[: leave.frame + 1].astype(np.float64)
    return _Chain(units, [first], leave.stance)


def _extend(chain: _Chain, unit: Unit, link: Bridge, *, last: bool) -> None:
    """Add a bridge and the next motion, or mark the sequence as failed."""
    chain.leaving = None
    start = _entrance(unit).frame
    stop = len(unit.frames) if last else _exit(unit).frame + 2
    part = link.placement.moved(unit.frames[start:stop])
    edge = np.concatenate((chain.parts[-1][-2:], link.frames, part[:2]))
    if link.seam > _MAX_SEAM or not _sound(edge):
        return
    if not last:
        chain.leaving = stance_at(part, len(part) - 2)
        part = part[:-1]
    chain.parts += [link.frames, part]


def _sound(frames: Float64) -> bool:
    """Whether the robot can be expected to do a bridge."""
    speed = np.abs(np.diff(frames[:, 7:], axis=0)) * FPS / SPEED_LIMIT
    if speed.max() > _MAX_SPEED_RATIO:
        return False
    poses = forward_kinematics(frames[:, :3], frames[:, 3:7], frames[:, 7:])
    if self_penetration(poses).depth.max() > _MAX_OVERLAP:
        return False
    outside = outside_support(poses)[3:-3]
    return bool(np.nanmax(outside) < _MAX_OUTSIDE) and not np.isnan(outside).any()
