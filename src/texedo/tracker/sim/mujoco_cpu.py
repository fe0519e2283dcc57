"""Hundreds of robots stepped together by MuJoCo on all cores, seen as torch tensors.

What `WarpSim` is on a GPU, for training a policy a little further where there is none.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable

import mujoco
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.core.threads import available_cores
from texedo.robot.g1 import TRACKED_BODY_INDICES
from texedo.tracker.sim.contacts import contact_model
from texedo.tracker.sim.domain import Domain
from texedo.tracker.sim.observation import SimState
from texedo.tracker.sim.perturb import SUBSTEPS
from texedo.tracker.sim.physics import (
    Stage,
    quiet_instabilities,
    set_body,
    set_gains,
)
from texedo.tracker.sim.protocol import blown_up, sim_state

Float64 = NDArray[np.float64]

_TRACKED = TRACKED_BODY_INDICES + 1  # Body 0 is the world.


class MujocoSim:
    """N worlds with one robot each, a `Simulation`."""

    def __init__(
        self,
        num_worlds: int,
        *,
        contacts: str = "full",
        randomized: bool = False,
        workers: int | None = None,
    ) -> None:
        self.num_worlds, self.device = num_worlds, torch.device("cpu")
        self.nominal = nominal = contact_model(contacts)
        # Without this a state that blew up would be replaced by a standing robot.
        nominal.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
        self._models = [nominal] * num_worlds
        if randomized:
            self._models = [copy.copy(nominal) for _ in range(num_worlds)]
        self._randomized = randomized
        self.qpos = torch.as_tensor(nominal.qpos0).float().repeat(num_worlds, 1)
        self.qvel = torch.zeros(num_worlds, nominal.nv)
        self.torque = torch.zeros(num_worlds, nominal.nu)
        self.stage = torch.zeros(SUBSTEPS, num_worlds, nominal.nu)
        # MuJoCo makes room for as many as there are.
        self.constraint_rows = torch.zeros(1, dtype=torch.int32)
        self.overflow = torch.zeros(1, dtype=torch.int32)
        self._make_room(workers or available_cores())
        self._motors = self._scaled_motors(np.ones((num_worlds, nominal.nu)))
        self._pose(range(num_worlds))

    def _make_room(self, workers: int) -> None:
        model, worlds = self.nominal, self.num_worlds
        self._physics = Stage(model, worlds, threads=workers)
        self._data = mujoco.MjData(model)
        bodies = len(_TRACKED)
        self._pos = np.zeros((worlds, bodies, 3), dtype=np.float32)
        self._quat = np.zeros((worlds, bodies, 4), dtype=np.float32)
        self._spin = np.zeros((worlds, bodies, 6), dtype=np.float32)
        self._com = np.zeros((worlds, 3), dtype=np.float32)

    def step(self) -> None:
        """One control step with the targets in `stage` (4, N, 29)."""
        targets = self.stage.double().transpose(0, 1).contiguous().numpy()
        with quiet_instabilities():
            moved = self._physics.step(
                self._models,
                qpos=self.qpos.numpy(),
                qvel=self.qvel.numpy(),
                targets=targets,
            )
        self.qpos.copy_(torch.as_tensor(moved.qpos))
        self.qvel.copy_(torch.as_tensor(moved.qvel))
        torque = moved.torque(targets[:, -1], self._motors)
        self.torque.copy_(torch.as_tensor(torque))
        self._pose(range(self.num_worlds))

    def place(self, where: Tensor, qpos: Tensor, qvel: Tensor) -> None:
        """Put the worlds `where` (N,) is true into a state; the others go on."""
        self.qpos[where], self.qvel[where] = qpos[where], qvel[where]
        self._pose(torch.nonzero(where)[:, 0].tolist())

    def _pose(self, worlds: Iterable[int]) -> None:
        """Positions and speeds of the bodies of some worlds."""
        data = self._data
        # Views, taken once: taking one costs more than the copy.
        qpos, qvel, pos, quat = data.qpos, data.qvel, data.xpos, data.xquat
        spin, com = data.cvel, data.subtree_com
        all_qpos, all_qvel = self.qpos.numpy(), self.qvel.numpy()
        for world in worlds:
            model = self._models[world]
            qpos[:], qvel[:] = all_qpos[world], all_qvel[world]
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_comVel(model, data)
            self._pos[world], self._quat[world] = pos[_TRACKED], quat[_TRACKED]
            self._spin[world], self._com[world] = spin[_TRACKED], com[1]

    def state(self) -> SimState:
        """Where the robots are now; NaN of worlds that blew up is replaced by zero."""
        bodies = (self._pos, self._quat, self._spin, self._com)
        pos, quat, spin, com = (torch.as_tensor(array) for array in bodies)
        return sim_state(self.qpos, self.qvel, pos=pos, quat=quat, spin=spin, com=com)

    def broken(self) -> Tensor:
        """Worlds whose simulation blew up, (N,)."""
        return blown_up(self.qpos, self.qvel)

    def set_domain(self, domain: Domain) -> None:
        """Give every world its own friction, torso and motors."""
        if not self._randomized:
            raise ValueError("This simulation was made with randomized=False.")
        self._motors = self._scaled_motors(domain.motor_strength.double().numpy())
        friction, mass = domain.friction.tolist(), domain.torso_mass.tolist()
        com = domain.torso_com.double().numpy()
        for world, model in enumerate(self._models):
            set_body(
                model,
                self.nominal,
                sole_friction=friction[world],
                torso_mass=mass[world],
                torso_com=com[world],
            )
            set_gains(model, *self._motors[:, world])
            # Masses of subtrees and the solver's scales follow from the masses.
            mujoco.mj_setConst(model, self._data)

    def _scaled_motors(self, strength: Float64) -> Float64:
        """Stiffness, damping and effort (3, N, 29): strong motors have no more torque."""
        model = self.nominal
        stiffness = model.actuator_gainprm[:, 0] * strength
        damping = -model.actuator_biasprm[:, 2] * strength
        effort = model.actuator_forcerange[:, 1] * np.minimum(strength, 1.0)
        return np.stack((stiffness, damping, effort))
