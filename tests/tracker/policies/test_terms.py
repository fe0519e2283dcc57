"""The table of observation terms, and that it is the only one."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

from texedo.tracker.policies.spec import TrackerSpec
from texedo.tracker.policies.terms import (
    FRAME_TERMS,
    OWN_TERMS,
    RATE_TERMS,
    OwnState,
    ReferenceFrame,
    Term,
    blocks,
    columns,
)

QUAT = np.array([[0.5, 0.5, 0.5, 0.5]])  # x to y, y to z, z to x.
JOINTS = np.arange(29.0)[None]
OWN = OwnState(QUAT, np.array([[1.0, 2.0, 3.0]]), JOINTS, 10.0 * JOINTS, -JOINTS)
FRAME = ReferenceFrame(
    QUAT, np.array([[4.0, 5.0, 6.0, 7.0]]), np.array([[0.8]]), JOINTS, 10.0 * JOINTS
)


@pytest.mark.parametrize("term", [*OWN_TERMS, *FRAME_TERMS, *RATE_TERMS])
def test_a_term_gives_as_many_numbers_as_it_says(term: Term) -> None:
    view = OWN if term in OWN_TERMS else FRAME
    assert sum(block.shape[-1] for block in term.source(view)) == term.size
    assert term.size == 29 if term.mirror is None else term.size == len(term.mirror)


def test_numbers_are_those_of_a_state_that_is_known() -> None:
    spec = TrackerSpec(joint_vel_scale=0.1)
    own = np.concatenate([b for _, b in blocks(OWN_TERMS, OWN, spec)], axis=1)[0]
    at = {term.name: where for term, where in columns(OWN_TERMS)}
    # The pelvis's y axis is the world's z axis.
    np.testing.assert_allclose(own[at["projected_gravity"]], [0, -1, 0])
    np.testing.assert_allclose(own[at["joint_vel"]], JOINTS[0])
    np.testing.assert_allclose(own[at["actions"]], -JOINTS[0])
    ahead = np.concatenate([b for _, b in blocks(FRAME_TERMS, FRAME, spec)], axis=1)[0]
    np.testing.assert_allclose(ahead[29:35], [0, 1, 0, 0, 0, 1])
    np.testing.assert_allclose(ahead[35:], [4, 5, 6, 7, 0.8])


def test_a_new_row_is_seen_everywhere() -> None:
    """One more number of the robot, one more vector of each of the six frames."""
    script = """
    import numpy as np, torch
    from texedo.tracker.policies import terms
    Term = terms.Term
    terms.OWN_TERMS += (
        Term(name="upright", size=1, source=lambda own: (own.root_quat[..., :1],),
             mirror=(1.0,)),
    )
    terms.FRAME_TERMS += (
        Term(name="up", size=3, turned=True, mirror=(1.0, -1.0, 1.0),
             source=lambda f: [2.0 * b for b in terms._two_columns(f)[3:]]),
    )
    from tests.support.reference_clips import wavy_qpos
    from texedo.motion import Motion
    from texedo.tracker.export.onnx import observation_layout
    from texedo.tracker.policies.protocol import RobotState
    from texedo.tracker.policies.slot_observation import SlotObserver
    from texedo.tracker.policies.spec import TrackerSpec
    from texedo.tracker.sim import observation
    from texedo.tracker.sim.reference_library import ReferenceLibrary
    spec = TrackerSpec()
    assert spec.actor_obs_size == 763 + 5 * 1 + 6 * 3
    assert sum(row["size"] for row in observation_layout(spec)) == 786
    assert len(observation.mirror_tables(spec)[0]) == 786
    qpos = wavy_qpos(30)
    motion, at = Motion.from_qpos(qpos), torch.tensor([7])
    observer = SlotObserver(spec, 1)
    observer.reset(0, motion)
    state = RobotState(qpos[9:10], np.ones((1, 35)))
    ours = observer.observe(np.array([0]), np.array([7]), state)
    library = ReferenceLibrary.build(motion.to_qpos(), np.array([0]), np.array([30]))
    pose, rates = (torch.from_numpy(a).float() for a in state)
    own = observation.proprioception(
        pose, rates, torch.zeros(1, 29), spec=spec,
        origin=observation.joint_origin(library, at, spec))
    ahead = observation.command(library, at, pose[:, 3:7], spec)
    seen = torch.cat((own.repeat(1, 5), ahead), 1).numpy()
    assert seen.shape == ours.shape == (1, 786)
    np.testing.assert_allclose(ours, seen, rtol=1e-3, atol=5e-4)
    assert ours[0, 93] == np.float32(qpos[9, 3])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
