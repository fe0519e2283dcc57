"""The spec describes the artefact it is stored with."""

import pytest

from texedo.core.errors import CheckpointError
from texedo.tracker.policies.spec import TrackerSpec


def test_sizes_add_up_by_hand() -> None:
    spec = TrackerSpec(future_offsets=(1, 4), velocity_offsets=(1,), history_length=2)
    # 2 x (3 + 3 + 29 + 29 + 29) + 2 x (29 + 6 + 3 + 1 + 1) + 29
    assert spec.actor_obs_size == 186 + 80 + 29
    # 93 + 109 + (3 + 3 + 1 + 1 + 14 x (3 + 3 + 3 + 6))
    assert spec.critic_obs_size == 93 + 109 + 218


def test_a_spec_survives_json() -> None:
    spec = TrackerSpec(hidden_sizes=(64, 32))
    assert TrackerSpec.from_dict(spec.to_dict()) == spec


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format_version": 99}, "version 99"),
        ({"actor_obs_size": 5}, "5 observations"),
        ({"velocity_offsets": (7,)}, "must be among"),
    ],
)
def test_a_foreign_or_damaged_spec_is_refused(
    change: dict[str, object], message: str
) -> None:
    with pytest.raises(CheckpointError, match=message):
        TrackerSpec.from_dict(TrackerSpec().to_dict() | change)
