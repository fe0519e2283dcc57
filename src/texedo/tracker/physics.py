"""Robots in MuJoCo: the model of the oracle, its perturbed copies, and a stage.

Loaded only where something is simulated.
"""

from __future__ import annotations

import copy

import mujoco
import numpy as np
from numpy.typing import NDArray

from texedo.robot.g1 import BODY_INDEX
from texedo.robot.mjcf import is_foot, load_model
from texedo.tracker.perturb import SUBSTEPS, Draw
from texedo.tracker.policy import Actuation

Float64 = NDArray[np.float64]

_TORSO = BODY_INDEX["torso_link"] + 1  # MuJoCo counts the world as body 0.
_ROOT_DOFS = 6


def oracle_model(actuation: Actuation) -> mujoco.MjModel:
    """The model of the oracle with these motors."""
    model = load_model(visuals=False)
    # Without this a state that blew up would be replaced by a standing robot.
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    _set_gains(model, actuation.stiffness, actuation.damping, actuation.effort)
    model.dof_armature[_ROOT_DOFS:] = actuation.armature
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def perturbed_model(
    model: mujoco.MjModel, actuation: Actuation, draw: Draw
) -> mujoco.MjModel:
    """A copy of the oracle's model with the body and the motors of `draw`."""
    model = copy.copy(model)
    feet = [i for i in range(model.ngeom) if is_foot(model.geom(i).name)]
    model.geom_friction[feet, 0] = draw.sole_friction
    model.body_mass[_TORSO] *= draw.torso_mass
    model.body_inertia[_TORSO] *= draw.torso_mass
    model.body_ipos[_TORSO] += draw.torso_com
    strength = draw.motor_strength
    _set_gains(
        model,
        actuation.stiffness * strength,
        actuation.damping * strength,
        actuation.effort * np.minimum(strength, 1.0),
    )
    # The solver's scales follow from masses; stale ones would soften contacts.
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def _set_gains(
    model: mujoco.MjModel, stiffness: Float64, damping: Float64, effort: Float64
) -> None:
    model.actuator_gainprm[:, 0] = stiffness
    model.actuator_biasprm[:, 1] = -stiffness
    model.actuator_biasprm[:, 2] = -damping
    model.actuator_forcerange[:, 0] = -effort
    model.actuator_forcerange[:, 1] = effort


class Stage:
    """One simulation in which many robots take turns.

    A robot is what goes in and comes out: its state, and the solver's memory of the last
    acceleration (without which results would depend on whose turn it was before). One
    simulation for all keeps its memory in the processor's cache, which is worth more than
    the copies cost, and nothing is allocated from robot to robot.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        self._data = data = mujoco.MjData(model)
        # MuJoCo reports a kind of warning once, on the screen and into a file in the
        # working folder. A roll-out that blows up is a verdict, not a message.
        data.warning.number[:] = 1
        # Views: they follow the simulation, and taking them anew costs more than a copy.
        self.qpos: Float64 = data.qpos
        self.qvel: Float64 = data.qvel
        self.warmstart: Float64 = data.qacc_warmstart
        """The solver's memory, (35,)."""
        self.ctrl: Float64 = data.ctrl
        """Joint targets in force, (29,) [rad]."""
        self.body_pos_w: Float64 = data.xpos[1:]
        """Link origins, (30, 3); fresh after `step` and `pose`."""
        self.body_quat_w: Float64 = data.xquat[1:]
        self.torque: Float64 = data.actuator_force
        """Of the last physics step, (29,) [N m]."""

    def step(self, model: mujoco.MjModel, target: Float64, *, delay: int) -> None:
        """One control step of 20 ms; `target` (29,) takes effect `delay` steps late."""
        if delay:
            mujoco.mj_step(model, self._data, nstep=delay)
        self.ctrl[:] = target
        if delay < SUBSTEPS:
            mujoco.mj_step(model, self._data, nstep=SUBSTEPS - delay)
        # mj_step leaves the bodies where they were before its last integration.
        mujoco.mj_kinematics(model, self._data)

    def pose(self, model: mujoco.MjModel) -> None:
        """Bring the bodies to where `qpos` has them."""
        mujoco.mj_kinematics(model, self._data)

    def clear(self, model: mujoco.MjModel) -> None:
        """Forget everything; needed after a state that was not a number."""
        mujoco.mj_resetData(model, self._data)
        self._data.warning.number[:] = 1
