"""The spec describes the artefact it is stored with."""

import json

import pytest

from texedo.core.errors import CheckpointError
from texedo.robot.g1 import WRIST_JOINTS
from texedo.tracker.policies.spec import TrackerSpec


def test_sizes_add_up_by_hand() -> None:
    spec = TrackerSpec(future_offsets=(1, 4), velocity_offsets=(1,), history_length=2)
    # 2 x (3 + 3 + 29 + 29 + 29) + 2 x (29 + 6 + 3 + 1 + 1) + 29
    assert spec.actor_obs_size == 186 + 80 + 29
    # 93 + 109 + (3 + 3 + 1 + 1 + 14 x (3 + 3 + 3 + 6))
    assert spec.critic_obs_size == 93 + 109 + 218


def test_a_spec_survives_json() -> None:
    spec = TrackerSpec(hidden_sizes=(64, 32), held_joints=WRIST_JOINTS)
    stored = json.loads(json.dumps(spec.to_dict()))
    assert TrackerSpec.from_dict(stored) == spec
    assert spec.held.nonzero()[0].tolist() == [19, 20, 21, 26, 27, 28]


def test_a_tracker_from_before_there_were_held_joints_holds_none() -> None:
    old = TrackerSpec().to_dict() | {"format_version": 1}
    del old["held_joints"]
    assert TrackerSpec.from_dict(old) == TrackerSpec()
    assert not TrackerSpec().held.any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format_version": 99}, "version 99"),
        ({"actor_obs_size": 5}, "5 observations"),
        ({"velocity_offsets": (7,)}, "must be among"),
        ({"held_joints": ["tail"]}, "'tail', no joint of the robot"),
    ],
)
def test_a_foreign_or_damaged_spec_is_refused(
    change: dict[str, object], message: str
) -> None:
    with pytest.raises(CheckpointError, match=message):
        TrackerSpec.from_dict(TrackerSpec().to_dict() | change)
