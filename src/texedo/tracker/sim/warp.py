"""Thousands of robots stepped together by MuJoCo-Warp, seen as torch tensors.

Everything that happens between two control steps is one CUDA graph: the four physics
steps with their targets, then the kinematics of the new state. A graph replays fixed
memory, so the arrays of the model and of the state are written in place, never replaced.
Imports MuJoCo-Warp at the top: import this module only where a roll-out starts.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

import mujoco
import mujoco_warp as mjw
import torch
import warp as wp
from torch import Tensor

from texedo.robot.g1 import BODY_INDEX, TRACKED_BODY_INDICES
from texedo.robot.mjcf import sole_geoms
from texedo.tracker.policies.protocol import Actuation
from texedo.tracker.sim.contacts import contact_model
from texedo.tracker.sim.domain import Domain
from texedo.tracker.sim.observation import SimState
from texedo.tracker.sim.perturb import SUBSTEPS
from texedo.tracker.sim.physics import set_motors
from texedo.tracker.sim.protocol import blown_up, sim_state

_MAX_CONTACTS, _MAX_ROWS = 64, 240
"""Room per world. Both soles flat make 28 contacts of 4 rows; the same for all contact
sets, so that they share compiled kernels."""
_RANDOMIZED = (
    "geom_friction",
    "body_mass",
    "body_inertia",
    "body_ipos",
    "body_subtreemass",
    "actuator_gainprm",
    "actuator_biasprm",
    "actuator_forcerange",
)
"""Model fields that differ between worlds; all others are shared."""


def use_device(device: str) -> None:
    """Let torch and Warp work on one device and one stream.

    On one stream their kernels are ordered without waiting for each other.
    """
    wp.config.log_level = wp.LOG_WARNING  # Not a line per kernel.
    wp.init()
    wp.set_device(device)
    if device.startswith("cuda"):
        torch.cuda.set_device(device)
        torch.cuda.set_stream(wp.stream_to_torch(wp.get_device(device)))


class WarpSim:
    """N worlds with one robot each. Tensors are views: writing them sets the state."""

    def __init__(
        self,
        num_worlds: int,
        *,
        device: str,
        contacts: str = "full",
        randomized: bool = False,
        actuation: Actuation | None = None,
        max_rows: int = _MAX_ROWS,
        dense: bool = False,
    ) -> None:
        use_device(device)
        self.num_worlds, self.device = num_worlds, torch.device(device)
        self.nominal = contact_model(contacts)
        if actuation is not None:
            set_motors(self.nominal, actuation)
        if dense:  # The same numbers by other kernels.
            self.nominal.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        rows = {name: num_worlds for name in _RANDOMIZED} if randomized else None
        self._model = mjw.put_model(self.nominal, batch_sizes=rows)
        # A full buffer is counted in `overflow`; printing it from a kernel is slow.
        self._model.opt.warn_overflow = False
        self._data = mjw.make_data(
            self.nominal, nworld=num_worlds, nconmax=_MAX_CONTACTS, njmax=max_rows
        )
        self._view_state()
        self._view_fields(_RANDOMIZED if randomized else ())
        stage = (SUBSTEPS, num_worlds, self.nominal.nu)
        self._stage = wp.zeros(stage, dtype=float)
        self.stage = _view(self._stage)
        self._step_graph: Any = None
        self._kinematics_graph: Any = None
        self._run_step()  # compiles the kernels
        if self.device.type == "cuda":
            self._capture()

    def _view_state(self) -> None:
        data = self._data
        self.qpos, self.qvel = _view(data.qpos), _view(data.qvel)
        self.torque = _view(data.actuator_force)
        self.constraint_rows, self.overflow = _view(data.nefc), _view(data.overflow)
        self._ctrl, self._warmstart = _view(data.ctrl), _view(data.qacc_warmstart)
        self._xpos, self._xquat = _view(data.xpos), _view(data.xquat)
        self._cvel, self._com = _view(data.cvel), _view(data.subtree_com)
        # Body 0 is the world, so everything is shifted by one.
        self._tracked = torch.as_tensor(TRACKED_BODY_INDICES + 1, device=self.device)
        self._soles = torch.as_tensor(sole_geoms(self.nominal), device=self.device)

    def _view_fields(self, names: Sequence[str]) -> None:
        model, device = self.nominal, self.device
        self._fields = {name: _view(getattr(self._model, name)) for name in names}
        # Uploaded once: an upload would wait for all queued work.
        self._usual = {name: _like(getattr(model, name), device) for name in names}

    def _capture(self) -> None:
        wp.synchronize()
        # Memory that is freed while a graph is recorded would break the recording.
        gc.collect()
        gc.disable()
        with wp.ScopedCapture() as step:
            self._run_step()
        with wp.ScopedCapture() as kinematics:
            self._run_kinematics()
        gc.enable()
        self._step_graph, self._kinematics_graph = step.graph, kinematics.graph

    def _run_step(self) -> None:
        for substep in range(SUBSTEPS):
            wp.copy(self._data.ctrl, self._stage[substep])
            mjw.step(self._model, self._data)
        self._run_kinematics()

    def _run_kinematics(self) -> None:
        mjw.kinematics(self._model, self._data)
        mjw.com_pos(self._model, self._data)
        mjw.com_vel(self._model, self._data)

    def step(self) -> None:
        """One control step with the targets in `stage` (4, N, 29)."""
        if self._step_graph is None:
            self._run_step()
        else:
            wp.capture_launch(self._step_graph)

    def place(self, where: Tensor, qpos: Tensor, qvel: Tensor) -> None:
        """Put the worlds `where` (N,) is true into a state; the others go on."""
        mask = where[:, None]
        self.qpos.copy_(torch.where(mask, qpos, self.qpos))
        self.qvel.copy_(torch.where(mask, qvel, self.qvel))
        # `where` and not a product: a world that blew up holds NaN.
        still = torch.zeros_like(self._warmstart)
        self._warmstart.copy_(torch.where(mask, still, self._warmstart))
        if self._kinematics_graph is None:
            self._run_kinematics()
        else:
            wp.capture_launch(self._kinematics_graph)

    def state(self) -> SimState:
        """Where the robots are now; NaN of worlds that blew up is replaced by zero."""
        return sim_state(
            self.qpos,
            self.qvel,
            pos=self._xpos[:, self._tracked],
            quat=self._xquat[:, self._tracked],
            spin=self._cvel[:, self._tracked],
            com=self._com[:, 1],
        )

    def broken(self) -> Tensor:
        """Worlds whose simulation blew up, (N,)."""
        return blown_up(self.qpos, self.qvel)

    def set_domain(self, domain: Domain) -> None:
        """Give every world its own friction, torso and motors."""
        usual, fields = self._usual, self._fields
        if not fields:
            raise ValueError("This simulation was made with randomized=False.")
        fields["geom_friction"][:, self._soles, 0] = domain.friction[:, None]
        body = torso = BODY_INDEX["torso_link"] + 1
        mass = usual["body_mass"][torso]
        extra = mass * (domain.torso_mass - 1.0)
        fields["body_mass"][:, torso] = mass + extra
        inertia = usual["body_inertia"][torso]
        fields["body_inertia"][:, torso] = inertia * domain.torso_mass[:, None]
        fields["body_ipos"][:, torso] = usual["body_ipos"][torso] + domain.torso_com
        carried = usual["body_subtreemass"]
        while True:
            fields["body_subtreemass"][:, body] = carried[body] + extra
            if body == 0:
                break
            body = int(self.nominal.body_parentid[body])
        strength = domain.motor_strength[:, :, None]
        # A strong motor has stiffer gains but no more torque than its limit.
        for name, factor in (
            ("actuator_gainprm", strength),
            ("actuator_biasprm", strength),
            ("actuator_forcerange", strength.clamp(max=1.0)),
        ):
            fields[name].copy_(usual[name] * factor)


def _view(array: Any) -> Tensor:
    view: Tensor = wp.to_torch(array)
    return view


def _like(array: Any, device: torch.device) -> Tensor:
    return torch.as_tensor(array, dtype=torch.float32, device=device)
