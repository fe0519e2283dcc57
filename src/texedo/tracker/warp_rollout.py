"""The oracle on a GPU: many clips rolled out at once, judged as `texedo.quality` does.

Clips are taken in blocks of the simulation's worlds, longest first, so that the worlds
of a block end at about the same time. Errors are summed on the device: nothing is copied
back before a block is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import torch
from torch import Tensor

from texedo.motion.motion import NUM_JOINTS
from texedo.tracker.closed_loop import ClosedLoop
from texedo.tracker.domain import Domain, nominal_domain
from texedo.tracker.observation import SimState
from texedo.tracker.perturb import Draw
from texedo.tracker.quat import length
from texedo.tracker.rewards import failures, reference_at

_MM = 1000.0
_CHECK_EVERY = 25
"""Steps between two looks at whether anybody is still performing (a look waits)."""

PolicyFunction = Callable[[Tensor], Tensor]
"""Actor observations (N, obs) to actions (N, 29)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcomes:
    """One row per rolled-out clip, on the CPU."""

    success: Tensor
    """(M,) bool."""
    progress: Tensor
    """Share of frames survived, (M,)."""
    executed: Tensor
    """Frames survived (tau), (M,) int64."""
    reasons: Tensor
    """Conditions that fired, in the order of `quality.TERMINATIONS`, (M, 3) bool."""
    e_mpjpe: Tensor
    """[mm]"""
    e_vel: Tensor
    """[mm/frame]; NaN where fewer than 2 frames were executed."""
    e_acc: Tensor
    """[mm/frame^2]; NaN where fewer than 3 frames were executed."""
    drift: Tensor
    """Largest planar distance of the pelvis to the reference [m]."""


@dataclass(kw_only=True)
class _Tally:
    """Running sums of one block of worlds."""

    alive: Tensor
    executed: Tensor
    reasons: Tensor
    mpjpe: Tensor
    vel: Tensor
    acc: Tensor
    drift: Tensor


@torch.no_grad()
def roll_out(
    loop: ClosedLoop,
    policy: PolicyFunction,
    clips: Tensor,
    *,
    draws: Sequence[Draw] | None = None,
    max_steps: int | None = None,
) -> Outcomes:
    """Roll out `clips` (M,) of the loop's library; `draws` perturb them one by one.

    `max_steps` ends every roll-out early, as if the clip were shorter.
    """
    library, worlds = loop.library, loop.sim.num_worlds
    clips = clips.to(library.starts.device)
    order = torch.argsort(library.lengths[clips], descending=True, stable=True)
    parts = []
    for block in torch.split(order, worlds):
        padded = torch.cat((block, block[:1].expand(worlds - len(block))))
        chosen = None if draws is None else [draws[int(i)] for i in padded.tolist()]
        result = _roll_block(loop, policy, clips[padded], chosen, max_steps)
        parts.append({k: v[: len(block)].cpu() for k, v in _judge(*result).items()})
    back = torch.argsort(order).cpu()
    joined = {
        field.name: torch.cat([part[field.name] for part in parts])[back]
        for field in fields(Outcomes)
    }
    return Outcomes(**joined)


def _roll_block(
    loop: ClosedLoop,
    policy: PolicyFunction,
    clips: Tensor,
    draws: list[Draw] | None,
    max_steps: int | None,
) -> tuple[_Tally, Tensor]:
    library, device = loop.library, loop.sim.device
    lengths = library.lengths[clips]
    if max_steps is not None:
        lengths = lengths.clamp(max=max_steps + 1)
    disturbance = _Disturbance(draws, device) if draws is not None else None
    if disturbance is not None:
        loop.set_domain(disturbance.domain)
    state, gap = _place_at_start(loop, clips)
    tally = _first_frame(gap)
    before, earlier = gap, gap
    for step in range(1, int(lengths.max())):
        noise = None if disturbance is None else disturbance.noise(step - 1)
        observed = loop.observe(state, noise)
        if disturbance is not None:
            disturbance.push(loop.sim.qvel, step - 1)
        loop.step(policy(torch.nan_to_num(observed)))
        broken = loop.sim.broken()
        state = loop.sim.state()
        reference = reference_at(library, loop.frames)
        flags = failures(state, reference)
        flags[:, 0] |= broken
        gap = state.body_pos - reference.body_pos
        going = tally.alive & (step < lengths)
        _count(tally, going, flags, step=step, gaps=(gap, before, earlier))
        before, earlier = gap, before
        if step % _CHECK_EVERY == 0 and not bool(going.any()):
            break
    if disturbance is not None:
        loop.set_domain(nominal_domain(len(clips), device=device))
    return tally, lengths


def _place_at_start(loop: ClosedLoop, clips: Tensor) -> tuple[SimState, Tensor]:
    """Robots on the first frames of `clips`, and how far their bodies are from it."""
    first = loop.library.starts[clips]
    everyone = torch.ones(len(clips), dtype=torch.bool, device=loop.sim.device)
    loop.place(everyone, first, *loop.start_states(first))
    state = loop.sim.state()
    return state, state.body_pos - reference_at(loop.library, first).body_pos


def _first_frame(gap: Tensor) -> _Tally:
    rows = len(gap)
    zeros = torch.zeros(rows, device=gap.device)
    return _Tally(
        alive=torch.ones(rows, dtype=torch.bool, device=gap.device),
        executed=torch.ones(rows, dtype=torch.int64, device=gap.device),
        reasons=torch.zeros(rows, 3, dtype=torch.bool, device=gap.device),
        mpjpe=_mean_length(gap - gap[:, :1]),
        vel=zeros,
        acc=zeros.clone(),
        drift=zeros.clone(),
    )


def _count(
    tally: _Tally,
    going: Tensor,
    flags: Tensor,
    *,
    step: int,
    gaps: tuple[Tensor, Tensor, Tensor],
) -> None:
    """Add frame `step` of the worlds that are `going` and did not fail in it."""
    fails = going & flags.any(-1)
    counted = going & ~fails
    gap, before, earlier = gaps

    def add(value: Tensor) -> Tensor:
        return torch.where(counted, value, 0.0)

    tally.reasons |= flags & fails[:, None]
    tally.alive = tally.alive & ~fails
    tally.executed = tally.executed + counted.long()
    tally.mpjpe = tally.mpjpe + add(_mean_length(gap - gap[:, :1]))
    tally.vel = tally.vel + add(_mean_length(gap - before))
    if step >= 2:
        tally.acc = tally.acc + add(_mean_length(gap - 2.0 * before + earlier))
    planar = length(gap[:, 0, :2])[:, 0]
    tally.drift = torch.maximum(tally.drift, add(planar))


def _judge(tally: _Tally, lengths: Tensor) -> dict[str, Tensor]:
    count = tally.executed.float()
    nan = torch.full_like(count, torch.nan)
    return {
        "success": tally.alive,
        "progress": torch.where(tally.alive, 1.0, count / lengths),
        "executed": tally.executed,
        "reasons": tally.reasons,
        "e_mpjpe": _MM * tally.mpjpe / count,
        "e_vel": torch.where(count > 1, _MM * tally.vel / (count - 1), nan),
        "e_acc": torch.where(count > 2, _MM * tally.acc / (count - 2), nan),
        "drift": tally.drift,
    }


def _mean_length(x: Tensor) -> Tensor:
    """Length of vectors (N, B, 3), averaged over the bodies, (N,)."""
    return length(x)[..., 0].mean(-1)


class _Disturbance:
    """The draws of one block as tensors: bodies, pushes and sensor noise."""

    def __init__(self, draws: list[Draw], device: torch.device) -> None:
        def put(values: object, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.as_tensor(values, dtype=dtype, device=device)

        self.domain = Domain(
            friction=put([d.sole_friction for d in draws]),
            torso_mass=put([d.torso_mass for d in draws]),
            torso_com=torch.stack([put(d.torso_com) for d in draws]),
            motor_strength=torch.stack([put(d.motor_strength) for d in draws]),
            encoder_bias=torch.zeros(len(draws), NUM_JOINTS, device=device),
            delay=put([d.delay for d in draws], torch.int64),
        )
        frames = max(len(d.noise) for d in draws)
        self._noise = torch.zeros(frames, len(draws), 70, device=device)
        self._push = torch.zeros(frames, len(draws), 2, device=device)
        for world, draw in enumerate(draws):
            self._noise[: len(draw.noise), world] = put(draw.noise)
            if len(draw.push_frames):
                at = put(draw.push_frames, torch.int64)
                self._push[at, world] = put(draw.push_vel_w)

    def noise(self, frame: int) -> Tensor:
        return self._noise[min(frame, len(self._noise) - 1)]

    def push(self, qvel: Tensor, frame: int) -> None:
        """Add the pushes of a frame to root velocities, in place."""
        if frame < len(self._push):
            qvel[:, :2] += self._push[frame]
