"""The released dynamic verifier: its files, what it sees, and what it says."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, layer_norm, linear

from tests.support.evil import Evil
from tests.support.motions import random_motion
from tests.support.released_verifiers import (
    one_number_tensors,
    random_tensors,
    write_dynamics,
)
from texedo.core.errors import CheckpointError
from texedo.motion import Motion
from texedo.see.dynamics.find import find_dynamics
from texedo.see.dynamics.official.verifier import (
    SHAPES,
    released_features,
    told_order,
)

PLACE_IN_ISAAC = [
    *(0, 3, 6, 9, 13, 17, 1, 4, 7, 10, 14, 18, 2, 5, 8),
    *(11, 15, 19, 21, 23, 25, 27, 12, 16, 20, 22, 24, 26, 28),
]
"""Of each joint in MuJoCo's order, as published: left hip pitch, roll, yaw, knee, ..."""


@pytest.fixture(scope="module")
def tensors() -> dict[str, Tensor]:
    return random_tensors(SHAPES)


@pytest.fixture(scope="module")
def released(
    tensors: dict[str, Tensor], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    folder = tmp_path_factory.mktemp("release")
    write_dynamics(folder / "verifiers" / "dynamic", tensors)
    return folder


# What it sees


def test_the_joints_are_where_each_order_has_them() -> None:
    qpos = torch.zeros(1, 3, 36)
    qpos[..., 3:7] = torch.tensor([0.1, 0.2, 0.3, 0.4])  # w x y z
    qpos[..., 7:] = torch.arange(29.0)
    mujoco, isaac = (released_features(qpos, order) for order in ("mujoco", "isaac"))
    assert mujoco[0, 0, 7:36].tolist() == list(range(29))
    assert [int(isaac[0, 0, 7 + i]) for i in PLACE_IN_ISAAC] == list(range(29))
    # Velocities and accelerations follow the joints.
    qpos[0, 2, 7 + 3] = 13.0  # The left knee, third in MuJoCo's order, moves by 10.
    isaac = released_features(qpos, "isaac")
    assert isaac[0, 2, [36 + 9, 65 + 9]].tolist() == [10.0, 10.0]
    assert released_features(qpos, "mujoco")[0, 2, [36 + 3, 65 + 3]].tolist() == [
        10,
        10,
    ]
    torch.testing.assert_close(mujoco[0, 0, 3:7], torch.tensor([0.2, 0.3, 0.4, 0.1]))
    torch.testing.assert_close(isaac[0, 0, 3:7], torch.tensor([0.1, 0.2, 0.3, 0.4]))


def test_differences_are_per_frame_and_zero_where_there_is_no_frame_before() -> None:
    qpos = torch.zeros(1, 4, 36)
    qpos[0, :, 0] = torch.tensor([5.0, 6.0, 8.0, 8.0])
    qpos[0, :, 2] = 0.7
    qpos[0, :, 7] = torch.tensor([1.0, 2.0, 4.0, 4.0])
    seen = released_features(qpos, "mujoco")[0]
    assert seen.shape == (4, 94)
    assert seen[:, 0].tolist() == [0, 1, 2, 0]
    assert seen[:, 2].tolist() == pytest.approx([0.7] * 4)
    assert seen[:, 36].tolist() == [0, 1, 2, 0]
    assert seen[:, 65].tolist() == [0, 0, 1, -2]
    assert released_features(qpos[:, :2], "mujoco").shape == (1, 2, 94)


# What it says


def reference(tensors: dict[str, Tensor], scales: Path, motion: Motion) -> list[float]:
    """Success, quality and progress by torch's own layers, padded by zeros and masked."""
    stats = np.load(scales)
    frames, padded = len(motion), 128
    qpos = torch.from_numpy(motion.to_qpos()[None])
    x = released_features(qpos, "mujoco")[0].numpy()
    x = np.clip((x - stats["mean"]) / stats["std"], -10, 10)
    rows = torch.zeros(1, padded, 94)
    rows[0, :frames] = torch.from_numpy(x)
    padding = torch.arange(padded)[None] >= frames

    def apply(x: Tensor, name: str) -> Tensor:
        return linear(x, tensors[f"{name}.weight"], tensors[f"{name}.bias"])

    def fused(x: Tensor, name: str) -> Tensor:
        x = gelu(apply(x, f"{name}.0"))
        own = (tensors[f"{name}.2.{kind}"] for kind in ("weight", "bias"))
        return layer_norm(x, (256,), *own)

    names = ("root_proj", "joint_pos_proj", "joint_vel_proj", "joint_acc_proj")
    groups = zip(names, rows.split([7, 29, 29, 29], dim=-1), strict=True)
    x = torch.cat([apply(part, f"input_proj.{name}") for name, part in groups], -1)
    layer = nn.TransformerEncoderLayer(
        256, 4, 1024, 0.0, "gelu", batch_first=True, norm_first=True
    )
    encoder = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False).eval()
    prefix = "encoder.encoder."
    own = {k.removeprefix(prefix): v for k, v in tensors.items() if prefix in k}
    encoder.load_state_dict(own)
    later = torch.ones(padded, padded, dtype=torch.bool).triu(1)
    with torch.no_grad():
        x = encoder(fused(x, "input_proj.fusion"), later, padding, is_causal=True)
    x = x[:, :frames]
    weight = apply(x, "pooling.attn_score").softmax(1)
    pooled = torch.cat((x.mean(1), (weight * x).sum(1)), -1)
    pooled = fused(pooled, "pooling.proj")
    heads = ("success_head", "dynamics_head", "progress_head")
    said = [apply(gelu(apply(pooled, f"{h}.0")), f"{h}.2").sigmoid() for h in heads]
    return [float(value) for value in said]


def test_it_says_what_torch_s_own_layers_say(
    released: Path, tensors: dict[str, Tensor]
) -> None:
    motions = [random_motion(0, 60), random_motion(1, 90)]
    found = find_dynamics(str(released)).foresee(motions)
    scales = released / "verifiers" / "dynamic" / "norm_stats.npz"
    for i, motion in enumerate(motions):
        s, d, g = reference(tensors, scales, motion)
        said = (found.success[i], found.quality[i], found.progress[i])
        assert said == pytest.approx((s, d, g), abs=2e-5)
        expected = s * (1 + 0.4 * d) / 1.4 + (1 - s) * 0.6 * g * d
        assert found.r_dyn[i] == pytest.approx(expected, abs=2e-5)
    assert found.hazard is None
    assert np.isnan(found.robust).all()
    assert np.isnan(found.reasons).all() and np.isnan(found.limbs).all()


def test_only_the_first_1024_frames_count(released: Path) -> None:
    motion = random_motion(2, 1100)
    start = Motion.from_qpos(motion.to_qpos()[:1024])
    found = find_dynamics(str(released)).foresee([motion, start])
    assert found.r_dyn[0] == pytest.approx(found.r_dyn[1], abs=1e-6)


def test_the_orders_give_other_scores_and_other_digests(released: Path) -> None:
    motion = [random_motion(0, 40)]
    mujoco, isaac = (find_dynamics(f"{released}@{o}") for o in ("mujoco", "isaac"))
    assert (mujoco.name, isaac.name) == ("official@mujoco", "official@isaac")
    assert mujoco.digest != isaac.digest
    assert mujoco.tracker == "SONIC" and mujoco.threshold == 0.8
    difference = mujoco.foresee(motion).success - isaac.foresee(motion).success
    assert abs(difference[0]) > 1e-4


# Files


def test_the_network_is_that_of_the_release() -> None:
    assert len(SHAPES) == 78
    assert sum(int(np.prod(shape)) for shape in SHAPES.values()) == 3_485_060
    assert SHAPES["encoder.encoder.layers.3.self_attn.in_proj_weight"] == (768, 256)
    assert SHAPES["input_proj.fusion.0.weight"] == (256, 512)
    assert SHAPES["progress_head.2.weight"] == (1, 64)


@pytest.mark.parametrize("order", ["mujoco", "isaac"])
def test_the_scales_tell_the_order_unless_the_name_does(
    tmp_path: Path, order: str
) -> None:
    path = write_dynamics(tmp_path, one_number_tensors(SHAPES), order=order)
    assert find_dynamics(str(path)).name == f"official@{order}"
    assert find_dynamics(f"official:{tmp_path}@isaac").name == "official@isaac"
    with pytest.raises(
        CheckpointError, match="no reading 'xyz'; there are mujoco, isa"
    ):
        find_dynamics(f"official:{tmp_path}@xyz")
    with pytest.raises(CheckpointError, match="holds 'official', not 'dynamics-paper'"):
        find_dynamics(str(path), variant="paper")


def test_scales_that_do_not_tell_the_order_ask_for_it() -> None:
    with pytest.raises(CheckpointError, match="add @mujoco or @isaac to the name"):
        told_order(np.zeros(94), Path("norm_stats.npz"))
    mean = np.zeros(94)
    mean[[7 + 9, 7 + 10]] = 1.03, 1.06  # The release's mean pose, in Isaac Lab's order.
    assert told_order(mean, Path("norm_stats.npz")) == "isaac"


def test_a_wrong_tensor_is_named(tmp_path: Path) -> None:
    tensors = one_number_tensors(SHAPES)
    tensors["pooling.attn_score.weight"] = torch.zeros(2, 256)
    path = write_dynamics(tmp_path, tensors)
    with pytest.raises(CheckpointError) as error:
        find_dynamics(str(path))
    assert str(error.value) == (
        f"{path}: model.pooling.attn_score.weight has the shape (2, 256), expected "
        "(1, 256); it is not verifiers/dynamic/checkpoint_last.pt of the release."
    )


def test_missing_and_wrong_scales_say_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEXEDO_HOME", str(tmp_path / "home"))
    with pytest.raises(
        CheckpointError, match="hf download JianuoCao/TEXEDO-Checkpoint"
    ):
        find_dynamics("official")
    path = write_dynamics(tmp_path / "mine", one_number_tensors(SHAPES))
    scales = path.with_name("norm_stats.npz")
    np.savez(scales, mean=np.zeros(93), std=np.ones(94))
    with pytest.raises(
        CheckpointError, match="mean must be 94 finite numbers, got the"
    ):
        find_dynamics(str(path.parent))
    np.savez(scales, mean=np.zeros(94), std=np.zeros(94))
    with pytest.raises(CheckpointError, match="std must be positive"):
        find_dynamics(str(path.parent))
    np.savez(scales, mean=np.array([{}], dtype=object), std=np.ones(94))
    with pytest.raises(CheckpointError, match="norm_stats.npz: cannot be read"):
        find_dynamics(str(path.parent))
    scales.unlink()
    with pytest.raises(CheckpointError, match="norm_stats.npz: is missing"):
        find_dynamics(str(path))
    (tmp_path / "empty").mkdir()
    with pytest.raises(CheckpointError, match="holds no dynamic verifier"):
        find_dynamics(str(tmp_path / "empty"))


def test_nothing_in_the_file_is_run(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    path = write_dynamics(tmp_path, one_number_tensors(SHAPES))
    content = torch.load(path, weights_only=True)
    torch.save({**content, "val_metrics": Evil(marker)}, path)
    assert find_dynamics(str(path)).name == "official@mujoco"
    assert not marker.exists()
