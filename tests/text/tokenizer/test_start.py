"""A trained tokenizer whose decoder learns on, and the heading a decoded motion has."""

from pathlib import Path

import numpy as np
import pytest

from tests.support.motions import random_motion
from tests.support.small_clips import pack_small_clips, tiny_training
from texedo.learning.features import features_from_qpos
from texedo.learning.state import load_run
from texedo.motion.rotations import quat_yaw
from texedo.text.learn.tokenizer.cfg import TokenizerTrainCfg
from texedo.text.learn.tokenizer.data import tokenizer_clips_from

torch = pytest.importorskip("torch")

from texedo.checkpoints.artifact import read_artifact  # noqa: E402
from texedo.core.errors import CheckpointError  # noqa: E402
from texedo.text.learn.tokenizer.run import build  # noqa: E402
from texedo.text.learn.tokenizer.step import rate_at  # noqa: E402
from texedo.text.learn.tokenizer.train import train  # noqa: E402
from texedo.text.tokenizer.net import NetSpec, TokenizerNet  # noqa: E402
from texedo.text.tokenizer.tokenizer import _pose, load_tokenizer  # noqa: E402


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack_small_clips(tmp_path_factory.mktemp("clips"))


@pytest.fixture(scope="module")
def trained(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tokenizer; the state of its run is not needed."""
    out = tmp_path_factory.mktemp("trained")
    train(tiny_training(packed, out))
    return out / "tokenizer"


def learn_on(packed: Path, trained: Path, out: Path, **options: object) -> None:
    cfg = tiny_training(
        packed, out, start=str(trained), decoder_share=1.0, seed=5, **options
    )
    train(cfg)


def test_a_decoder_that_learns_on_keeps_the_codes_bit_for_bit(
    packed: Path, trained: Path, tmp_path: Path
) -> None:
    # Other sizes than the tokenizer's do not matter: the weights bring theirs.
    learn_on(packed, trained, tmp_path, width=8, learning_rate=0.1)
    _, before = read_artifact(trained, kind="tokenizer")
    config, after = read_artifact(tmp_path / "tokenizer", kind="tokenizer")
    assert config["spec"]["width"] == 16
    changed = {
        name for name in before if before[name].tobytes() != after[name].tobytes()
    }
    assert {name.split(".")[0] for name in changed} <= {"decoder", "quantizer"}
    assert "decoder.model.0.weight" in changed
    assert not any("project_in" in name for name in changed)
    data = tokenizer_clips_from(packed)
    clips = [data.frames(i) for i in range(len(data.ids))]
    old = load_tokenizer(trained).encode_qpos(clips)
    new = load_tokenizer(tmp_path / "tokenizer").encode_qpos(clips)
    assert all(np.array_equal(a, b) for a, b in zip(old, new, strict=True))


def test_the_new_tokenizer_tells_where_it_began(
    packed: Path, trained: Path, tmp_path: Path
) -> None:
    learn_on(packed, trained, tmp_path, steps=3)
    metadata = load_tokenizer(tmp_path / "tokenizer").metadata
    assert metadata["steps"] == 3
    assert metadata["start"]["steps"] == 4 and "report" not in metadata["start"]


def test_a_decoder_that_was_interrupted_goes_on(
    packed: Path, trained: Path, tmp_path: Path
) -> None:
    learn_on(packed, trained, tmp_path / "whole", steps=6)
    learn_on(packed, trained, tmp_path / "part", steps=3)
    learn_on(packed, trained, tmp_path / "part", steps=6)
    tensors, values = load_run(tmp_path / "part")
    assert values["step"] == 6 and values["codes_stay"]
    whole, _ = load_run(tmp_path / "whole")
    name = "mean_net.encoder.model.0.weight"
    assert np.array_equal(tensors[name], whole[name])


def test_a_run_from_trained_weights_starts_with_them(
    packed: Path, trained: Path, tmp_path: Path
) -> None:
    run = build(tiny_training(packed, tmp_path, start=str(trained)))
    expected = load_tokenizer(trained).net.state_dict()
    for net in (run.net, run.mean_net):
        for name, tensor in net.state_dict().items():
            assert torch.equal(tensor, expected[name]), name
    assert all(p.requires_grad for p in run.net.parameters())


def test_a_folder_that_is_no_tokenizer_is_no_start(
    packed: Path, tmp_path: Path
) -> None:
    with pytest.raises(CheckpointError):
        build(tiny_training(packed, tmp_path, start=str(tmp_path / "nothing")))


def test_the_rate_from_trained_weights_rises_shortly_and_falls_to_nothing() -> None:
    cfg = TokenizerTrainCfg(
        data="", start="x", learning_rate=1.0, warm_up=500, decoder_share=1.0
    )
    assert rate_at(cfg, 0, 0.0) == 0.0
    # Half of the warm-up, 1.5 % of the run; the top of a decoder alone is 0.15.
    assert rate_at(cfg, 10, 0.015) == pytest.approx(0.075, rel=1e-2)
    assert rate_at(cfg, 20, 0.5) == pytest.approx(0.075)
    assert rate_at(cfg, 40, 1.0) == pytest.approx(0.0, abs=1e-12)


def test_codes_that_stay_are_found_with_all_digits() -> None:
    torch.manual_seed(0)
    net = TokenizerNet(NetSpec(width=16, encoder_depth=1, decoder_depth=1))
    features = torch.randn(2, 64, 37)
    net.spread_codes(features)
    with torch.no_grad():
        _, free = net(features, precision=torch.bfloat16, codes_stay=True)
    assert torch.equal(net.quantizer.codes_of_free(free), net.encode(features))


def turned(features: np.ndarray, degrees: float) -> np.ndarray:
    yaw = np.arctan2(features[:, 5], features[:, 4]) + np.radians(degrees)
    out = features.copy()
    out[:, 4], out[:, 5] = np.cos(yaw), np.sin(yaw)
    return out


def yaw_of(qpos: np.ndarray) -> np.ndarray:
    return np.degrees(np.unwrap(quat_yaw(qpos[:, 3:7].astype(np.float64))))


def test_a_wrong_first_heading_fades_out_within_a_second() -> None:
    features = features_from_qpos(random_motion(3, 120).to_qpos())
    true = yaw_of(_pose(features))
    wrong = turned(features, 3.0)
    wrong[1:] = features[1:]  # Only the first frame is off, by 3 degrees.
    error = yaw_of(_pose(wrong)) - true
    error -= 360.0 * np.round(error[-1] / 360.0)
    # The motion still faces +x at first; after half a second half of the 3 degrees are
    # left, after a second nothing is.
    assert error[0] == pytest.approx(0.0, abs=1e-3)
    assert error[25] == pytest.approx(-1.5, abs=1e-2)
    assert np.abs(error[50:]).max() < 1e-3


def test_codes_from_amid_a_motion_keep_their_turns() -> None:
    features = features_from_qpos(random_motion(3, 120).to_qpos())
    # All of it is turned by 90 degrees: the same motion, seen from another side.
    expected, found = _pose(features), _pose(turned(features, 90.0))
    assert np.abs(expected[:, :3] - found[:, :3]).max() < 1e-4
