"""Controllers made worse on purpose."""

import numpy as np
import pytest

from tests.support.standing import standing, stiff
from texedo.core.errors import TexedoError
from texedo.tracker.oracle.rollout import rollout
from texedo.tracker.policies.protocol import RobotState
from texedo.tracker.policies.reference import Reference
from texedo.tracker.policies.weaken import weaken


def test_targets_arrive_later_and_the_first_is_the_pose_of_the_start() -> None:
    policy = stiff()
    reference, slots = Reference(standing(9, swing=0.5)), np.array([0])
    prompt = policy.start(1)
    late = weaken(policy, delay_ms=40).start(1)
    prompt.reset(0, reference)
    late.reset(0, reference)
    sent, arrived = [], []
    state = RobotState(reference.qpos[:1], np.zeros((1, 35)))
    for frame in range(5):
        for batch, targets in ((prompt, sent), (late, arrived)):
            observed = batch.observe(slots, np.array([frame]), state)
            targets.append(batch.act(slots, observed)[0])
    np.testing.assert_array_equal(arrived[0], reference.qpos[0, 7:])
    np.testing.assert_array_equal(arrived[1], reference.qpos[0, 7:])
    np.testing.assert_array_equal(arrived[2:], sent[:3])


def test_weak_motors_have_the_gains_asked_for_and_follow_less_well() -> None:
    policy, motion = stiff(), standing(40, swing=0.3)
    weak = weaken(policy, gains=0.5)
    np.testing.assert_allclose(
        weak.actuation.stiffness, 0.5 * policy.actuation.stiffness
    )
    np.testing.assert_allclose(weak.actuation.damping, 0.5 * policy.actuation.damping)
    good, bad = (rollout([motion], p, workers=1).quality for p in (policy, weak))
    assert float(bad.mpjpe_l[0]) > float(good.mpjpe_l[0])


def test_each_weakness_has_labels_of_its_own() -> None:
    policy = stiff()
    assert weaken(policy) is policy
    weak = [weaken(policy, gains=0.5), weaken(policy, delay_ms=20)]
    weak.append(weaken(policy, gains=0.5, delay_ms=20))
    assert len({policy.digest, *(p.digest for p in weak)}) == 4
    assert weak[2].name == "open-loop x0.5 +20 ms"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gains": 0.0}, "--gains must be positive"),
        ({"delay_ms": 30}, "multiple of 20"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(TexedoError, match=message):
        weaken(stiff(), **options)  # type: ignore[arg-type]
