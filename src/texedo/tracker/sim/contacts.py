"""Contact shapes of the robot: as the oracle has them, or fewer."""

from __future__ import annotations

import mujoco

from texedo.robot.mjcf import load_model, sole_geoms

_LIGHT_SOLE = ("foot1", "foot2", "foot6", "foot7")
"""The outer capsules of a sole: nearly the same support, half the contacts."""
CONTACT_SETS = ("full", "light")


def contact_model(contacts: str) -> mujoco.MjModel:
    """The robot on its floor as the oracle has it ("full"), or cheaper ("light").

    The light one has four capsules per sole instead of seven, which is 40 % fewer constraint
    rows, and a solver that stops earlier: good enough to learn on, not to judge by.
    """
    if contacts not in CONTACT_SETS:
        raise ValueError(f"contacts must be one of {CONTACT_SETS}, got {contacts!r}.")
    model = load_model(visuals=False)
    # Sensors cost a pass over the tree per step, and states are read directly.
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_SENSOR
    if contacts == "light":
        model.opt.iterations, model.opt.tolerance = 6, 1e-4
        for geom in sole_geoms(model):
            if not any(part in model.geom(geom).name for part in _LIGHT_SOLE):
                model.geom_contype[geom] = model.geom_conaffinity[geom] = 0
    return model
