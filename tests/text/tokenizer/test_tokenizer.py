"""The tokenizer: its grid of codes, its networks, and what it promises about batches."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.motions import random_motion
from texedo.core.errors import CheckpointError
from texedo.motion import Motion
from texedo.robot.g1 import JOINT_LOWER, JOINT_UPPER

torch = pytest.importorskip("torch")

from texedo.text.learn.tokenizer.report import (  # noqa: E402
    clip_errors,
    evaluate,
    perplexity,
)
from texedo.text.tokenizer.fsq import FSQ  # noqa: E402
from texedo.text.tokenizer.net import (  # noqa: E402
    OFFICIAL,
    MaskedConv,
    NetSpec,
    TokenizerNet,
    Upsample,
)
from texedo.text.tokenizer.tokenizer import (  # noqa: E402
    MotionTokenizer,
    load_tokenizer,
    save_tokenizer,
)

TINY = NetSpec(width=16, encoder_depth=1, decoder_depth=2)


def tiny_tokenizer(seed: int = 0) -> MotionTokenizer:
    torch.manual_seed(seed)
    net = TokenizerNet(TINY)
    # Larger weights than a fresh layer has, so that many codes occur.
    with torch.no_grad():
        net.quantizer.project_in.weight.mul_(30.0)
    return MotionTokenizer(net)


def test_there_are_7776_codes_and_the_first_number_counts_fastest() -> None:
    fsq = FSQ(8)
    assert fsq.num_codes == 7776
    # All numbers at their lowest level but one, which is at its highest.
    free = torch.full((10, 10), -9.0).fill_diagonal_(9.0)
    top = [2, 6, 18, 54, 162, 243, 486, 972, 1944, 3888]
    assert fsq.codes_of_free(free).tolist() == top
    assert int(fsq.codes_of_free(torch.full((10,), 9.0))) == sum(top) == 7775


def test_numbers_round_to_the_levels_of_the_released_quantiser() -> None:
    fsq = FSQ(10)
    # tanh 0.549 = 0.5: three levels change there; two levels change at zero.
    for z, three, two in (
        (-99.0, 0, 0),
        (-0.56, 0, 0),
        (-0.54, 1, 0),
        (0.01, 1, 1),
        (0.54, 1, 1),
        (0.56, 2, 1),
        (99.0, 2, 1),
    ):
        level = fsq.bound(torch.full((10,), z)).floor().tolist()
        assert level == [three] * 5 + [two] * 5
    assert fsq._values(torch.zeros(10)).tolist() == [-1] * 10
    assert fsq._values(torch.ones(10)).tolist() == [0] * 5 + [1] * 5


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_code_means_the_grid_point_it_was_rounded_to(seed: int) -> None:
    torch.manual_seed(seed)
    fsq = FSQ(6)
    x = 8 * torch.randn(50, 6)
    quantized, free = fsq(x)
    codes = fsq.codes(x)
    assert torch.equal(codes, fsq.codes_of_free(free))
    assert torch.allclose(fsq.vectors(codes), quantized, atol=1e-6)
    assert int(codes.min()) >= 0 and int(codes.max()) < 7776


def test_the_gradient_passes_the_rounding() -> None:
    fsq = FSQ(6)
    x = torch.randn(4, 6, requires_grad=True)
    fsq(x)[0].sum().backward()
    assert x.grad is not None and float(x.grad.abs().min()) > 0


def test_untrained_codes_are_spread_over_the_grid() -> None:
    torch.manual_seed(0)
    x = 0.1 * torch.randn(4000, 12) + 5.0
    fsq = FSQ(12).requires_grad_(False)
    before = perplexity([fsq.codes(x).numpy()], 7776)
    loss_before = float(fsq.usage_loss(fsq.project_in(x)))
    fsq.spread(x)
    after = perplexity([fsq.codes(x).numpy()], 7776)
    # 4,000 draws can show about 3,000 different codes at best.
    assert before < 200 and after > 1000
    assert float(fsq.usage_loss(fsq.project_in(x))) < loss_before / 3


def test_a_grid_needs_two_levels_or_more() -> None:
    with pytest.raises(ValueError, match="2 or more"):
        FSQ(8, (3, 1))


def test_the_released_network_is_one_of_ours() -> None:
    net = TokenizerNet(OFFICIAL)
    assert sum(p.numel() for p in net.parameters()) == 18_774_574
    state = net.state_dict()
    assert len(state) == 120
    assert state["encoder.model.0.weight"].shape == (512, 36, 3)
    assert state["encoder.model.3.0.weight"].shape == (512, 512, 4)
    assert state["encoder.model.2.1.model.2.conv2.weight"].shape == (512, 512, 1)
    assert state["quantizer.project_in.weight"].shape == (10, 512)
    assert state["decoder.model.2.0.model.0.norm1.weight"].shape == (512,)
    assert state["decoder.model.3.2.weight"].shape == (512, 512, 3)
    assert state["decoder.model.6.weight"].shape == (36, 512, 3)
    stage = net.encoder.get_submodule("model.2.1.model")
    dilations = [stage.get_submodule(f"{i}.conv1").dilation[0] for i in range(3)]  # type: ignore[index, union-attr]
    assert dilations == [4, 2, 1]


def test_the_shipped_network_fits_into_12_megabytes() -> None:
    net = TokenizerNet(NetSpec())
    assert 2 * sum(p.numel() for p in net.parameters()) < 11.7e6


def test_linear_upsampling_lies_between_its_neighbours() -> None:
    row = torch.tensor([0.0, 4.0, 8.0, 8.0])[None, :, None]
    assert Upsample("linear")(row, None).flatten().tolist() == [0, 1, 3, 5, 7, 8, 8, 6]
    twice = Upsample("nearest")(row, None).flatten().tolist()
    assert twice == [0, 0, 4, 4, 8, 8, 8, 8]


@pytest.mark.parametrize("size, step, apart", [(3, 1, 1), (3, 1, 9), (4, 2, 1)])
def test_a_convolution_is_what_torch_takes_it_for(
    size: int, step: int, apart: int
) -> None:
    torch.manual_seed(0)
    beyond = apart * (size - 1) // 2
    conv = MaskedConv(5, 7, size, stride=step, padding=beyond, dilation=apart).double()
    x = torch.randn(2, 8, 5, dtype=torch.float64, requires_grad=True)
    parts = (x, conv.weight, conv.bias)
    out = conv(x)
    twin = torch.nn.Conv1d.forward(conv, x.transpose(1, 2)).transpose(1, 2)
    assert torch.allclose(out, twin)
    toward = torch.randn_like(out)
    found = torch.autograd.grad((out * toward).sum(), parts)
    wanted = torch.autograd.grad((twin * toward).sum(), parts)
    assert all(map(torch.allclose, found, wanted))


def test_a_gradient_that_ends_at_the_codes_leaves_the_encoder_alone() -> None:
    torch.manual_seed(0)
    net = TokenizerNet(TINY)
    features = torch.randn(2, 16, 37)
    decoded, _ = net(features, codes_stay=True)
    decoded.sum().backward()
    assert all(p.grad is None for p in net.encoder.parameters())
    assert net.decoder.get_submodule("model.0").weight.grad is not None
    assert torch.equal(decoded, net(features)[0])


def test_half_the_digits_decode_to_about_the_same() -> None:
    torch.manual_seed(0)
    net = TokenizerNet(TINY)
    features = torch.randn(2, 16, 37)
    rough, free = net(features, precision=torch.bfloat16)
    assert rough.dtype == free.dtype == torch.float32
    exact = net(features)[1]
    assert float((free - exact).detach().abs().max()) < 0.05


@pytest.mark.parametrize("frames", [2, 3, 4, 5, 63, 64])
def test_no_frame_of_a_clip_is_lost(frames: int) -> None:
    tokenizer = tiny_tokenizer()
    codes = tokenizer.encode([random_motion(1, frames)])[0]
    assert codes.shape == (-(-frames // 4),)
    assert codes.dtype == np.int64
    qpos = tokenizer.decode([codes])[0]
    assert qpos.shape == (4 * len(codes), 36)
    assert qpos.dtype == np.float32


def test_a_clip_starts_at_the_origin_faces_x_and_keeps_the_joint_limits() -> None:
    tokenizer = tiny_tokenizer()
    tokenizer.net.feature_std.mul_(20.0)
    qpos = tokenizer.decode([np.arange(40) * 190])[0]
    assert qpos[0, :2].tolist() == [0, 0]
    motion = Motion.from_qpos(qpos)
    w, x, y, z = motion.root_quat_w[0]
    assert np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) == pytest.approx(
        0, abs=1e-5
    )
    assert (qpos[:, 7:] >= JOINT_LOWER.astype(np.float32)).all()
    assert (qpos[:, 7:] <= JOINT_UPPER.astype(np.float32)).all()


def test_codes_do_not_depend_on_place_and_heading() -> None:
    motion = random_motion(4, 80)
    half_turn = np.array([0.0, 0.0, 0.0, 1.0])
    from texedo.motion.rotations import quat_multiply

    turned = Motion(
        root_pos_w=motion.root_pos_w * [-1, -1, 1] + [5, 7, 0],
        root_quat_w=quat_multiply(np.tile(half_turn, (80, 1)), motion.root_quat_w),
        joint_pos=motion.joint_pos,
    )
    tokenizer = tiny_tokenizer()
    here, there = tokenizer.encode([motion, turned])
    assert (here != there).mean() <= 0.05


def test_on_the_cpu_a_row_is_the_same_bit_by_bit_in_any_company() -> None:
    tokenizer = tiny_tokenizer()
    rng = np.random.default_rng(0)
    rows = [rng.integers(0, 7776, n) for n in (5, 40, 17, 5)]
    alone = [tokenizer.decode([row])[0] for row in rows]
    for order in ([0, 1, 2, 3], [3, 2], [1, 0, 3]):
        together = tokenizer.decode([rows[i] for i in order])
        for i, found in zip(order, together, strict=True):
            assert np.array_equal(found, alone[i])
    motions = [random_motion(s, n) for s, n in ((1, 30), (2, 90), (3, 61))]
    singles = [tokenizer.encode([m])[0] for m in motions]
    for found, single in zip(
        tokenizer.encode(motions[::-1]), singles[::-1], strict=True
    ):
        assert np.array_equal(found, single)


@pytest.mark.parametrize("upsampling", ["linear", "nearest"])
def test_a_padded_batch_gives_each_row_what_it_gets_alone(upsampling: str) -> None:
    torch.manual_seed(1)
    spec = NetSpec(width=16, encoder_depth=2, decoder_depth=2, upsampling=upsampling)
    net = TokenizerNet(spec).double().eval()
    features = torch.randn(3, 48, 37, dtype=torch.float64)
    lengths = torch.tensor([48, 20, 4])
    mask = (torch.arange(48)[:, None] < lengths[:, None, None]).double()
    latent = net._latent(features, mask)
    decoded = net._features(latent, mask[:, ::4])
    for row, length in enumerate(lengths.tolist()):
        single = net._latent(features[row : row + 1, :length], None)
        assert torch.allclose(latent[row, : length // 4], single[0], atol=1e-12)
        back = net._features(single, None)
        assert torch.allclose(decoded[row, :length], back[0], atol=1e-6)


def test_rows_of_several_lengths_share_a_batch_and_keep_their_own() -> None:
    tokenizer = tiny_tokenizer()
    rng = np.random.default_rng(1)
    rows = [rng.integers(0, 7776, n) for n in (5, 9, 2)]
    with torch.inference_mode():
        together = tokenizer._batch(rows, tokenizer.net.decode)
        for row, found in zip(rows, together, strict=True):
            assert found.shape == (4 * len(row), 37)
            alone = tokenizer._batch([row], tokenizer.net.decode)[0]
            assert np.allclose(found, alone, atol=1e-5)
        back = tokenizer._batch(together, tokenizer.net.encode)
    assert [len(codes) for codes in back] == [5, 9, 2]


def test_a_window_of_a_long_clip_agrees_with_the_whole_away_from_its_borders() -> None:
    torch.manual_seed(2)
    net = TokenizerNet(NetSpec(width=16, encoder_depth=2, decoder_depth=2)).eval()
    features = torch.randn(1, 400, 37)
    codes = torch.randint(0, 7776, (1, 100))
    # The reach of this net in frames: encoder 1 + 7 + 14 + 4, rounded up to 32; the
    # decoder sees 1 + 3 codes, then 3 and 1 half codes and a few frames: 8 codes.
    with torch.no_grad():
        whole, part = (
            net._latent(features, None),
            net._latent(features[:, 80:320], None),
        )
        assert torch.allclose(whole[:, 28:72], part[:, 8:52], atol=1e-5)
        decoded, cut = net.decode(codes), net.decode(codes[:, 20:80])
        assert torch.allclose(decoded[:, 112:288], cut[:, 32:208], atol=1e-5)
        assert not torch.allclose(decoded[:, 80:84], cut[:, :4], atol=1e-5)


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        (np.array([0, 7776]), "0..7775, got 0..7776"),
        (np.array([-1]), "got -1"),
        (np.zeros((2, 2), dtype=np.int64), "a row"),
        (np.zeros(0, dtype=np.int64), "one or more"),
        (np.array([0.5]), "whole numbers"),
    ],
)
def test_what_is_no_code_is_refused(codes: np.ndarray, message: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(ValueError, match=message):
        tiny_tokenizer().decode([codes])


def test_a_stored_tokenizer_comes_back_with_rounded_weights(tmp_path: Path) -> None:
    tokenizer = tiny_tokenizer()
    tokenizer.net.feature_mean.fill_(0.123456789)
    save_tokenizer(tmp_path, tokenizer, metadata={"iterations": 7})
    again = load_tokenizer(tmp_path)
    assert again.metadata == {"iterations": 7}
    assert again.num_codes == 7776 and again.downsampling == 4
    assert again.net.spec == TINY
    assert torch.equal(again.net.feature_mean, tokenizer.net.feature_mean)
    for name, tensor in tokenizer.net.state_dict().items():
        assert torch.allclose(
            again.net.state_dict()[name], tensor, rtol=1e-3, atol=1e-6
        )
    save_tokenizer(tmp_path / "twice", again)
    row = np.arange(30)
    twice = load_tokenizer(tmp_path / "twice").decode([row])[0]
    assert np.array_equal(twice, again.decode([row])[0])


def test_another_format_or_joints_of_another_robot_are_refused(tmp_path: Path) -> None:
    save_tokenizer(tmp_path, tiny_tokenizer())
    path = tmp_path / "config.json"
    config = json.loads(path.read_text())
    for change, message in (
        ({"format_version": 2}, "format 2 is not 1"),
        ({"format_version": [2] * 999}, r"format \[2, 2.{1,40} is not 1"),
        ({"joint_names": ["knee"]}, "other joints"),
        ({"spec": {**config["spec"], "width": 8}}, "do not fit"),
        ({"kind": "tracker"}, "expected 'tokenizer'"),
    ):
        path.write_text(json.dumps({**config, **change}))
        with pytest.raises(CheckpointError, match=message):
            load_tokenizer(tmp_path)


def test_a_perfect_copy_has_no_error_and_a_turned_one_only_a_heading() -> None:
    motion = random_motion(0, 450)
    from texedo.learning.features import features_from_qpos, qpos_from_features

    qpos = qpos_from_features(features_from_qpos(motion.to_qpos()))
    errors = clip_errors(motion.to_qpos(), qpos)
    assert errors["mpjpe_mm"] == pytest.approx(0, abs=1e-2)
    assert errors["accel_ratio"] == pytest.approx(1)
    assert errors["heading_deg"] == pytest.approx(0, abs=1e-2)
    assert errors["root_cm"] == pytest.approx(0, abs=1e-2)
    from texedo.motion.rotations import quat_from_yaw, quat_multiply

    turned = qpos.copy()
    turned[:, 0] += 0.3
    ten = np.tile(quat_from_yaw(np.radians(10.0)), (450, 1))
    turned[:, 3:7] = quat_multiply(ten, qpos[:, 3:7].astype(np.float64))
    errors = clip_errors(motion.to_qpos(), turned)
    assert errors["mpjpe_mm"] == pytest.approx(0, abs=1e-2)
    assert errors["heading_deg"] == pytest.approx(10, abs=1e-2)
    assert errors["root_cm"] == pytest.approx(30, abs=1e-2)


def test_a_short_clip_says_nothing_about_drift() -> None:
    qpos = random_motion(0, 399).to_qpos()
    assert "root_cm" not in clip_errors(qpos, qpos)


def test_perplexity_counts_the_codes_in_use() -> None:
    assert perplexity([np.array([3, 3, 3])], 10) == pytest.approx(1)
    assert perplexity([np.arange(8), np.arange(8)], 10) == pytest.approx(8)


def test_an_evaluation_covers_the_clips_it_is_given() -> None:
    from texedo.data.corpus.packed_clips import PackedClips

    lengths = np.array([40, 410])
    data = PackedClips(
        qpos=np.concatenate(
            [random_motion(i, n).to_qpos() for i, n in enumerate(lengths)]
        ),
        lengths=lengths,
        ids=("a", "b"),
        splits=("val", "val"),
        kinds=("captured", "captured"),
        families=("walk", "walk"),
    )
    table = evaluate(tiny_tokenizer(), data, [0, 1])
    assert table["clips"] == 2 and table["late_clips"] == 1
    assert 10 < table["mpjpe_mm"] < 1000
