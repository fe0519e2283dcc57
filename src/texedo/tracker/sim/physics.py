"""Robots in MuJoCo: the model of the oracle, its perturbed copies, and a stage.

Loaded only where something is simulated.
"""

from __future__ import annotations

import copy
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import mujoco
import mujoco.rollout
import numpy as np
from numpy.typing import NDArray

from texedo.robot.g1 import BODY_INDEX
from texedo.robot.mjcf import load_model, sole_geoms
from texedo.tracker.policies.protocol import Actuation
from texedo.tracker.sim.perturb import SUBSTEPS, Draw

Float64 = NDArray[np.float64]

_TORSO = BODY_INDEX["torso_link"] + 1  # MuJoCo counts the world as body 0.
_ROOT_DOFS = 6
# MuJoCo's full physics state: time, qpos, qvel.
_QPOS, _QVEL = slice(1, 37), slice(37, 72)


def oracle_model(actuation: Actuation) -> mujoco.MjModel:
    """The model of the oracle with these motors."""
    model = load_model(visuals=False)
    # Without this a state that blew up would be replaced by a standing robot.
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    # Nobody asks the sensors here, and an accelerometer costs 4 % of a step.
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_SENSOR
    set_motors(model, actuation)
    return model


def set_motors(model: mujoco.MjModel, actuation: Actuation) -> None:
    """Gains, limits and inertia of all motors, and what follows from them."""
    set_gains(model, actuation.stiffness, actuation.damping, actuation.effort)
    model.dof_armature[_ROOT_DOFS:] = actuation.armature
    mujoco.mj_setConst(model, mujoco.MjData(model))


def drawn_motors(actuation: Actuation, draw: Draw) -> Actuation:
    """The motors of a draw: weak ones lose torque too, strong ones gain none."""
    strength = draw.motor_strength
    return Actuation(
        stiffness=actuation.stiffness * strength,
        damping=actuation.damping * strength,
        effort=actuation.effort * np.minimum(strength, 1.0),
        armature=actuation.armature,
    )


def perturbed_model(
    model: mujoco.MjModel, actuation: Actuation, draw: Draw
) -> mujoco.MjModel:
    """A copy of the oracle's model with the body and the motors of `draw`."""
    changed = copy.copy(model)
    set_body(
        changed,
        model,
        sole_friction=draw.sole_friction,
        torso_mass=draw.torso_mass,
        torso_com=draw.torso_com,
    )
    motors = drawn_motors(actuation, draw)
    set_gains(changed, motors.stiffness, motors.damping, motors.effort)
    # The solver's scales follow from masses; stale ones would soften contacts.
    mujoco.mj_setConst(changed, mujoco.MjData(changed))
    return changed


def set_body(
    model: mujoco.MjModel,
    nominal: mujoco.MjModel,
    *,
    sole_friction: float,
    torso_mass: float,
    torso_com: Float64,
) -> None:
    """Soles, and a torso scaled in mass, with its mass elsewhere than `nominal`.

    `mj_setConst` has to follow.
    """
    model.geom_friction[sole_geoms(model), 0] = sole_friction
    model.body_mass[_TORSO] = nominal.body_mass[_TORSO] * torso_mass
    model.body_inertia[_TORSO] = nominal.body_inertia[_TORSO] * torso_mass
    model.body_ipos[_TORSO] = nominal.body_ipos[_TORSO] + torso_com


def set_gains(
    model: mujoco.MjModel, stiffness: Float64, damping: Float64, effort: Float64
) -> None:
    """The PD loop and the torque limit of every motor."""
    model.actuator_gainprm[:, 0] = stiffness
    model.actuator_biasprm[:, 1] = -stiffness
    model.actuator_biasprm[:, 2] = -damping
    model.actuator_forcerange[:, 0] = -effort
    model.actuator_forcerange[:, 1] = effort


class Stage:
    """One simulation in which many robots take turns.

    A robot is its state, and nothing of it stays behind: the solver starts anew with
    every control step, so that it does not matter whose turn it was before. All turns
    of a step are one call into MuJoCo, outside of Python's lock.
    """

    def __init__(
        self, model: mujoco.MjModel, num_robots: int, *, threads: int = 0
    ) -> None:
        """With no threads of its own it works in the one that calls it."""
        self._datas = [mujoco.MjData(model) for _ in range(max(threads, 1))]
        self._data = data = self._datas[0]
        # Views: they follow the simulation; taking them anew costs more than a copy.
        self._qpos: Float64 = data.qpos
        self.body_pos_w: Float64 = data.xpos[1:]
        """Link origins of the robot that was posed last, (30, 3)."""
        self.body_quat_w: Float64 = data.xquat[1:]
        self._pool = mujoco.rollout.Rollout(nthread=threads)
        size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        self._before = np.zeros((num_robots, size))
        self._after = np.zeros((num_robots, SUBSTEPS, size))
        self._sensors = np.zeros((num_robots, SUBSTEPS, model.nsensordata))

    def step(
        self,
        models: list[mujoco.MjModel],
        *,
        qpos: Float64,
        qvel: Float64,
        targets: Float64,
    ) -> StageStep:
        """One control step of n robots; `targets` (n, 4, 29) of each physics step."""
        n = len(models)
        before, after = self._before[:n], self._after[:n]
        before[:, _QPOS], before[:, _QVEL] = qpos, qvel
        self._pool.rollout(
            models,
            self._datas,
            before,
            np.ascontiguousarray(targets),
            nstep=SUBSTEPS,
            state=after,
            sensordata=self._sensors[:n],
            skip_checks=True,
        )
        end, last = after[:, -1], after[:, -2]
        return StageStep(
            end[:, _QPOS], end[:, _QVEL], last[:, _QPOS][:, 7:], last[:, _QVEL][:, 6:]
        )

    def pose(self, model: mujoco.MjModel, qpos: Float64) -> None:
        """Bring `body_pos_w` and `body_quat_w` to a robot at `qpos` (36,)."""
        self._qpos[:] = qpos
        mujoco.mj_kinematics(model, self._data)


class StageStep(NamedTuple):
    """What a control step led to."""

    qpos: Float64
    """(n, 36)."""
    qvel: Float64
    """(n, 35)."""
    last_joint_pos: Float64
    """At the beginning of the last physics step, (n, 29)."""
    last_joint_vel: Float64
    """At the beginning of the last physics step, (n, 29)."""

    def torque(self, targets: Float64, motors: Float64) -> Float64:
        """What the motors gave in the last physics step, (n, 29) [Nm]: their PD law, clipped.

        `targets` (n, 29) are that step's; `motors` (3, n, 29) are stiffness, damping and
        effort limit.
        """
        stiffness, damping, effort = motors
        off = targets - self.last_joint_pos
        wanted = stiffness * off - damping * self.last_joint_vel
        return np.asarray(np.clip(wanted, -effort, effort))


@contextmanager
def quiet_instabilities() -> Iterator[None]:
    """Keep MuJoCo from reporting states that blow up, on screen and in a log file.

    A roll-out that blows up is a verdict, not a message. Other warnings pass. The
    handler belongs to the process; the last one to leave restores what was there.
    """
    global _depth, _handler
    with _LOCK:
        if _depth == 0:
            _handler = mujoco.get_mju_user_warning()
            mujoco.set_mju_user_warning(_report)
        _depth += 1
    try:
        yield
    finally:
        with _LOCK:
            _depth -= 1
            if _depth == 0:
                mujoco.set_mju_user_warning(_handler)


_LOCK = threading.Lock()
_depth = 0
_handler: Callable[[str], None] | None = None


def _report(text: str) -> None:
    if "unstable" in text:
        return
    if _handler is not None:
        _handler(text)
    else:
        warnings.warn(f"MuJoCo: {text}", RuntimeWarning, stacklevel=2)
