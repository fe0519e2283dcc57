"""Roll-outs on a GPU behind the same face as those on the CPU: motions in, `Finished` out.

Motions are read in chunks. Those that cannot be rolled out are named one by one, by the
rules of the CPU; the others go to the device together. Imports MuJoCo-Warp: import this
module only where a roll-out starts.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
import torch

from texedo.core.errors import PolicyError
from texedo.motion import Motion
from texedo.quality import Normalizers, Quality, grade
from texedo.tracker.oracle.batch import Outcomes, roll_out
from texedo.tracker.oracle.cpu import Finished, Task
from texedo.tracker.oracle.measure import Measures
from texedo.tracker.oracle.rollout import make_tasks
from texedo.tracker.policies.actor import Actor
from texedo.tracker.policies.ours import TrackerPolicy
from texedo.tracker.policies.protocol import Actuation, Policy
from texedo.tracker.policies.reference import start_errors
from texedo.tracker.sim.controlled import ClosedLoop
from texedo.tracker.sim.perturb import Perturbation
from texedo.tracker.sim.reference_library import ReferenceLibrary
from texedo.tracker.sim.warp import WarpSim

WORLDS = 8192
"""Robots at once at most; twice as many are hardly faster."""
_ROUNDS = 2
"""Tasks of a chunk per world: ended robots take over from each other within a chunk."""


def warp_stream(
    motions: Iterable[Motion],
    policy: Policy,
    *,
    perturbation: Perturbation | None = None,
    seed: int = 0,
    device: str = "cuda:0",
    worlds: int = WORLDS,
) -> Generator[Finished, None, None]:
    """Roll-outs chunk by chunk; within a chunk in the order of the motions."""
    device = "cuda:0" if device == "cuda" else device  # Warp and torch want a number.
    actor = _actor(policy).to(device)
    stage: WarpSim | None = None
    tasks = make_tasks(motions, perturbation, seed=seed)
    # The noise of perturbed robots takes memory: 0.2 MB each for five seconds.
    most = worlds if perturbation is not None else _ROUNDS * worlds
    while chunk := list(islice(tasks, most)):
        good: list[Task] = []
        errors = start_errors([task.reference.motion for task in chunk])
        for task, error in zip(chunk, errors, strict=True):
            if error is None:
                good.append(task)
            else:
                yield Finished(task.motion, task.draw_index, None, None, error)
        if not good:
            continue
        if stage is None:  # A short list needs no more worlds than it has tasks.
            size = min(worlds, len(good)) if len(chunk) < most else worlds
            stage = WarpSim(size, device=device, randomized=perturbation is not None)
        outcomes = _perform(good, actor, stage)
        yield from _finished(good, outcomes, policy.normalizers)


def _actor(policy: Policy) -> Actor:
    """The network of a tracker of ours with its own motors."""
    if not isinstance(policy, TrackerPolicy):
        raise PolicyError(
            f"Policy {policy.name!r} runs on the CPU alone; the GPU takes trackers "
            "that were trained here."
        )
    ours = Actuation()
    for name in ("stiffness", "damping", "effort", "armature"):
        if not np.array_equal(getattr(policy.actuation, name), getattr(ours, name)):
            raise PolicyError(
                f"Policy {policy.name!r} has motors of its own; the GPU knows the "
                "robot's."
            )
    # A copy: the policy keeps its own on the CPU.
    actor = Actor(policy.actor.spec)
    actor.load_state_dict(policy.actor.state_dict())
    return actor.eval().requires_grad_(False)


def _perform(tasks: Sequence[Task], actor: Actor, stage: WarpSim) -> Outcomes:
    motions: dict[int, int] = {}
    """Place in the library of each motion, which its draws share."""
    frames = []
    for task in tasks:
        if task.motion not in motions:
            motions[task.motion] = len(motions)
            frames.append(task.reference.motion.to_qpos())
    lengths = np.array([len(part) for part in frames])
    library = ReferenceLibrary.build(
        np.concatenate(frames),
        np.cumsum(lengths) - lengths,
        lengths,
        device=stage.device,
    )
    drawn = [task.draw for task in tasks if task.draw is not None]
    return roll_out(
        ClosedLoop(stage, library, actor.spec),
        actor,
        torch.tensor([motions[task.motion] for task in tasks]),
        draws=drawn or None,
    )


def _finished(
    tasks: Sequence[Task], outcomes: Outcomes, normalizers: Normalizers | None
) -> Iterator[Finished]:
    for task, measures in zip(tasks, measures_of(outcomes, normalizers), strict=True):
        yield Finished(task.motion, task.draw_index, measures, None, None)


def measures_of(
    outcomes: Outcomes, normalizers: Normalizers | None
) -> Iterator[Measures]:
    """Outcomes one by one, in the shape that the CPU gives them."""
    columns = {
        name: value.numpy().astype(np.float64) if value.is_floating_point() else value
        for name, value in vars(outcomes).items()
    }
    for i in range(len(outcomes.success)):
        row = {name: np.asarray(values[i]) for name, values in columns.items()}
        quality = Quality(
            success=row["success"],
            progress=row["progress"],
            failure_frame=row["executed"],
            reasons=row["reasons"],
            mpjpe_l=row["e_mpjpe"],
            e_vel=row["e_vel"],
            e_acc=row["e_acc"],
            q_d=np.array(np.nan),
            q_star=np.array(np.nan),
        )
        yield Measures(
            quality if normalizers is None else grade(quality, normalizers),
            planar_drift=float(row["drift"]),
            saturation=float(row["saturation"]),
            peak_torque=float("nan"),
            foot_slip=float(row["foot_slip"]),
        )
