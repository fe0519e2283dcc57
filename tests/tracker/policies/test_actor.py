"""The network and its file."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from texedo.core.errors import CheckpointError
from texedo.tracker.policies.actor import (
    Actor,
    Normalizer,
    action_scale,
    joint_targets,
    load_tracker,
    save_tracker,
)
from texedo.tracker.policies.spec import TrackerSpec

SPEC = TrackerSpec(hidden_sizes=(32, 16))


def test_running_statistics_are_those_of_all_rows_together() -> None:
    rows = torch.randn(300, 4, generator=torch.Generator().manual_seed(0)) * 3 + 1
    normalizer = Normalizer(4, limit=8.0)
    for part in torch.split(rows, [10, 90, 200]):
        normalizer.update(part)
    np.testing.assert_allclose(normalizer.mean.numpy(), rows.mean(0).numpy(), atol=1e-5)
    np.testing.assert_allclose(
        normalizer.var.numpy(), rows.var(0, unbiased=False).numpy(), rtol=1e-4
    )
    scaled = normalizer(torch.full((1, 4), 1e6))
    assert scaled.tolist() == [[8.0] * 4]


def test_a_zero_action_asks_for_the_reference_and_a_unit_one_for_a_scale_more() -> None:
    reference = torch.linspace(-1, 1, 29)[None]
    scale = action_scale()
    for action, expected in ((0.0, reference), (1.0, reference + scale)):
        target = joint_targets(
            reference, torch.full((1, 29), action), scale=scale, limit=8.0
        )
        torch.testing.assert_close(target, expected)
    far = joint_targets(reference, torch.full((1, 29), 99.0), scale=scale, limit=8.0)
    torch.testing.assert_close(far, reference + 8.0 * scale)


def test_a_saved_tracker_acts_as_before(tmp_path: Path) -> None:
    torch.manual_seed(0)
    actor = Actor(SPEC)
    actor.normalizer.update(torch.randn(100, SPEC.actor_obs_size))
    save_tracker(tmp_path / "t", actor, metadata={"iteration": 3})
    loaded, metadata = load_tracker(tmp_path / "t")
    observed = torch.randn(5, SPEC.actor_obs_size)
    assert metadata == {"iteration": 3}
    with torch.no_grad():
        torch.testing.assert_close(
            loaded(observed), actor(observed), atol=2e-3, rtol=1e-2
        )


def test_the_shipped_size_stays_below_five_megabytes(tmp_path: Path) -> None:
    save_tracker(tmp_path, Actor(TrackerSpec()))
    assert sum(f.stat().st_size for f in tmp_path.iterdir()) < 5_000_000


def test_weights_of_another_layout_are_refused(tmp_path: Path) -> None:
    save_tracker(tmp_path, Actor(SPEC))
    config = json.loads((tmp_path / "config.json").read_text())
    config["spec"]["hidden_sizes"] = [32, 17]
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(CheckpointError, match="do not fit"):
        load_tracker(tmp_path)


def test_a_tracker_of_another_robot_is_refused(tmp_path: Path) -> None:
    save_tracker(tmp_path, Actor(SPEC))
    config = json.loads((tmp_path / "config.json").read_text())
    config["joint_names"][0] = "tail"
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(CheckpointError, match="other joints"):
        load_tracker(tmp_path)
