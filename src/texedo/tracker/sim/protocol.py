"""Robots that are stepped together: what training asks of a simulator, and which to take.

On a GPU that is MuJoCo-Warp, on a CPU MuJoCo itself: Warp runs there too, for tests, but
on one core.
"""

from __future__ import annotations

import importlib.util
from typing import Protocol

import mujoco
import torch
from torch import Tensor

from texedo.core.errors import TexedoError
from texedo.learning.rotations_torch import cross, quat_normalize
from texedo.tracker.sim.domain import Domain
from texedo.tracker.sim.observation import SimState

MAX_SPEED = 150.0
"""Generalised speed at which a simulation has blown up [rad/s, m/s]."""


class Simulation(Protocol):
    """N worlds with one robot each. Writing `qpos` and `qvel` sets the state."""

    num_worlds: int
    device: torch.device
    nominal: mujoco.MjModel
    qpos: Tensor
    """(N, 36)."""
    qvel: Tensor
    """(N, 35)."""
    torque: Tensor
    """Of the last physics step, (N, 29) [Nm]."""
    stage: Tensor
    """Targets of the next control step, (4, N, 29)."""
    constraint_rows: Tensor
    overflow: Tensor

    def step(self) -> None:
        """One control step with the targets in `stage`."""
        ...

    def place(self, where: Tensor, qpos: Tensor, qvel: Tensor) -> None:
        """Put the worlds `where` (N,) is true into a state; the others go on."""
        ...

    def state(self) -> SimState:
        """Where the robots are now; NaN of worlds that blew up is replaced by zero."""
        ...

    def broken(self) -> Tensor:
        """Worlds whose simulation blew up, (N,)."""
        ...

    def set_domain(self, domain: Domain) -> None:
        """Give every world its own friction, torso and motors."""
        ...


def sim_state(
    qpos: Tensor, qvel: Tensor, *, pos: Tensor, quat: Tensor, spin: Tensor, com: Tensor
) -> SimState:
    """The state of N robots from MuJoCo's own quantities; NaN becomes zero.

    `spin` (N, B, 6) are spatial velocities, which refer to the centre of mass `com`
    (N, 3) of the whole robot.
    """
    linear = spin[..., 3:] + cross(spin[..., :3], pos - com[:, None])
    qpos = finite(qpos)
    root = quat_normalize(qpos[:, 3:7])
    return SimState(
        qpos=torch.cat((qpos[:, :3], root, qpos[:, 7:]), dim=-1),
        qvel=finite(qvel),
        body_pos=finite(pos),
        body_quat=finite(quat),
        body_lin_vel=finite(linear),
        body_ang_vel=finite(spin[..., :3]),
    )


def blown_up(qpos: Tensor, qvel: Tensor) -> Tensor:
    """Worlds whose simulation blew up, (N,)."""
    sane = torch.isfinite(qpos).all(-1) & torch.isfinite(qvel).all(-1)
    return ~(sane & (qvel.abs().amax(-1) < MAX_SPEED))


def finite(x: Tensor) -> Tensor:
    """A copy with zeros for what is not a number."""
    return torch.nan_to_num(x, nan=0.0, posinf=0.0, neginf=0.0)


def prepare(device: str) -> None:
    """Call before any tensor is made that a simulation will see.

    Raises `TexedoError` if nothing can be simulated there.
    """
    if device != "cpu":
        if importlib.util.find_spec("mujoco_warp") is None:
            raise TexedoError(
                f"Training on {device} needs mujoco-warp; install it with: pip install "
                "'texedo[gpu]', or train with --device cpu, which is far slower."
            )
        if not torch.cuda.is_available():
            raise TexedoError(
                f"Training on {device}: torch sees no GPU here; --device cpu is far "
                "slower, but does for a little."
            )
        from texedo.tracker.sim.warp import use_device

        use_device(device)


def make_sim(num_worlds: int, *, device: str, contacts: str) -> Simulation:
    """Worlds whose bodies and motors may differ."""
    if device == "cpu":
        from texedo.tracker.sim.mujoco_cpu import MujocoSim

        return MujocoSim(num_worlds, contacts=contacts, randomized=True)
    from texedo.tracker.sim.warp import WarpSim

    return WarpSim(num_worlds, device=device, contacts=contacts, randomized=True)
