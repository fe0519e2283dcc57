"""The oracle on a GPU: many clips rolled out at once, judged as `texedo.quality` does.

Clips wait in a queue, longest first. Every few steps the robots that have ended take
the next ones, so that short clips do not wait for long ones. Between those moments
nothing is copied back, and a control step is two graphs: what torch does (judge,
observe, act) and what Warp does (physics).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import torch
from torch import Tensor

from texedo.learning.cuda_graph import Carried, Replayed
from texedo.tracker.oracle.disturb import Disturbance
from texedo.tracker.oracle.drawn import DrawnRobots
from texedo.tracker.oracle.recording import Recording
from texedo.tracker.oracle.tally import Tally
from texedo.tracker.sim.controlled import ClosedLoop
from texedo.tracker.sim.domain import nominal_domain
from texedo.tracker.sim.failures import reference_at

_CHECK_EVERY = 10
"""Steps between two looks at who has ended (a look waits for the device)."""

PolicyFunction = Callable[[Tensor], Tensor]
"""Actor observations (N, obs) to actions (N, 29)."""
Watch = Callable[[int, int], None]
"""Hears of control steps taken and of roll-outs begun, at every look."""


def unwatched(steps: int, begun: int) -> None:
    """Tells nobody."""


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
    limbs: Tensor
    """End effectors that were too high or too low at the failure, (M, 4) bool."""
    e_mpjpe: Tensor
    """[mm]"""
    e_vel: Tensor
    """[mm/frame]; NaN where fewer than 2 frames were executed."""
    e_acc: Tensor
    """[mm/frame^2]; NaN where fewer than 3 frames were executed."""
    drift: Tensor
    """Largest planar distance of the pelvis to the reference [m]."""
    saturation: Tensor
    """Share of motors and steps at the effort limit."""
    foot_slip: Tensor
    """Mean horizontal speed of the soles in contact [m/s]; NaN without contact."""


@torch.no_grad()
def roll_out(
    loop: ClosedLoop,
    policy: PolicyFunction,
    clips: Tensor,
    *,
    robots: DrawnRobots | None = None,
    max_steps: int | None = None,
    record: Recording | None = None,
    watch: Watch = unwatched,
) -> Outcomes:
    """Roll out `clips` (M,) of the loop's library, each by its own one of `robots`.

    `max_steps` ends every roll-out early, as if the clip were shorter. `record` keeps
    what the robots do.
    """
    clips = clips.to(loop.library.starts.device)
    show = _Show(loop, policy, clips, robots=robots, max_steps=max_steps, record=record)
    steps = 0
    try:
        while show.fill():
            watch(steps, show.begun)
            for _ in range(_CHECK_EVERY):
                show.step()
            steps += _CHECK_EVERY
        watch(steps, show.begun)
    finally:
        show.close()
    return show.outcomes()


class _Show:
    """Robots and the queue of what they are to perform."""

    def __init__(
        self,
        loop: ClosedLoop,
        policy: PolicyFunction,
        clips: Tensor,
        *,
        robots: DrawnRobots | None,
        max_steps: int | None,
        record: Recording | None,
    ) -> None:
        self._loop, self._policy, self._clips = loop, policy, clips
        device, worlds = loop.sim.device, loop.sim.num_worlds
        self._lengths = loop.library.lengths[clips]
        if max_steps is not None:
            self._lengths = self._lengths.clamp(max=max_steps + 1)
        self._queue = torch.argsort(self._lengths, descending=True, stable=True)
        self._record = record
        if record is not None:
            record.begin(self._lengths)
        self._task = torch.full((worlds,), -1, dtype=torch.int64, device=device)
        """What each robot performs, a position in `clips`; -1 for nothing."""
        self._results: dict[str, Tensor] = {}
        self._tally = Tally(worlds, device)
        # Robots may be somewhere in a clip that this library does not have.
        loop.frames = torch.zeros_like(loop.frames)
        names = ("frames", "last_action", "_last_target", "_waiting")
        self._carried = Carried(loop, (*names, "_history", "_fresh"))
        self._disturbance: Disturbance | None = None
        if robots is not None:
            self._disturbance = Disturbance(robots, loop, self._tally.frame)
        self._frame = Replayed(self._judge_and_act, device, self._carried)

    def step(self) -> None:
        """Judge where the robots are, and act for one control step."""
        if self._disturbance is not None:
            self._disturbance.prepare()
        if self._record is not None:  # Before the frame is judged, and counted.
            tally = self._tally
            going, qpos = tally.going(), self._loop.sim.qpos
            self._record.note(self._task, tally.frame, going, qpos)
        self._frame()
        self._loop.sim.step()

    def _judge_and_act(self) -> None:
        loop, sim = self._loop, self._loop.sim
        state = sim.state()
        reference = reference_at(loop.library, loop.frames)
        frame = self._tally.frame.clone()
        self._tally.count(state, reference, broken=sim.broken(), torque=sim.torque)
        noise = None
        if self._disturbance is not None:
            noise = self._disturbance.noise(frame)
        observed = loop.observe(state, noise)
        if self._disturbance is not None:
            self._disturbance.push(sim.qvel, frame)
        loop.act(self._policy(torch.nan_to_num(observed)))
        self._carried.settle()

    @property
    def begun(self) -> int:
        """Roll-outs that no longer wait."""
        return len(self._clips) - len(self._queue)

    def fill(self) -> bool:
        """Keep the results of robots that have ended, and give them the next clips.

        False when all is done.
        """
        ended = ~self._tally.going()
        self._keep(ended & (self._task >= 0))
        free = ended.nonzero()[:, 0]  # Waits for the device.
        take, self._queue = self._queue[: len(free)], self._queue[len(free) :]
        self._task[free] = -1
        if len(take):
            self._task[free[: len(take)]] = take
            self._start(free[: len(take)], take)
        someone_goes_on = len(free) < len(ended)
        return someone_goes_on or len(take) > 0

    def _keep(self, done: Tensor) -> None:
        rows, tasks = done.nonzero()[:, 0], self._task[done]
        for name, values in self._tally.results().items():
            if name not in self._results:
                shape = (len(self._clips), *values.shape[1:])
                self._results[name] = values.new_zeros(shape)
            self._results[name][tasks] = values[rows]

    def _start(self, worlds: Tensor, tasks: Tensor) -> None:
        """Robots `worlds` (n,) on the first frames of the clips of `tasks` (n,)."""
        loop = self._loop
        if self._disturbance is not None:
            self._disturbance.give(worlds, tasks)
        where = torch.zeros_like(self._task, dtype=torch.bool)
        where[worlds] = True
        first, lengths = torch.zeros_like(loop.frames), torch.zeros_like(loop.frames)
        first[worlds] = loop.library.starts[self._clips[tasks]]
        lengths[worlds] = self._lengths[tasks]
        loop.place(where, first, *loop.start_states(first))
        self._carried.settle()
        self._tally.begin(where, lengths)

    def close(self) -> None:
        if self._disturbance is not None:
            worlds, device = len(self._task), self._loop.sim.device
            self._loop.set_domain(nominal_domain(worlds, device=device))

    def outcomes(self) -> Outcomes:
        return Outcomes(
            **{f.name: self._results[f.name].cpu() for f in fields(Outcomes)}
        )
