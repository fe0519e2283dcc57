"""The TEXEDO release: its files are read safely, and its networks say what they should."""

import json
import math
import os
import pickle
import zipfile
from collections import Counter, OrderedDict
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.support.evil import Evil
from tests.support.official_files import (
    FULL_T5,
    NUM_CODES,
    PIECES,
    SMALL_T5,
    small_t5,
    small_tokenizer,
    write_generator,
    write_release,
    write_tokenizer,
    write_words,
)
from texedo.checkpoints.registry import RELEASED, official_home, released_file
from texedo.checkpoints.torch_files import _read_inert, read_torch_file
from texedo.core.errors import CheckpointError, GenerationError, MotionError
from texedo.motion import Motion
from texedo.robot.g1 import JOINT_NAMES
from texedo.text.generators.find import find_generator
from texedo.text.generators.official import official_generator
from texedo.text.generators.official.lm import (
    MAX_CODES,
    MIN_CODES,
    OfficialLanguageModel,
    quoted_candidates,
    t5_from_tensors,
)
from texedo.text.generators.official.reader import load_t5_front, load_words
from texedo.text.generators.official.tokenizer import (
    OfficialTokenizer,
    load_official_tokenizer,
    official_features,
    qpos_from_official,
)
from texedo.text.lm.t5 import t5_from_config
from texedo.text.tokenizer.fsq import LEVELS
from texedo.text.tokenizer.net import OFFICIAL, TokenizerNet

PROMPT = "a person waves"


# Files


class Kind(Enum):
    ONE = 1


def test_a_file_that_wants_to_run_a_command_gives_its_tensors_and_runs_nothing(
    tmp_path: Path,
) -> None:
    marker, path = tmp_path / "marker", tmp_path / "evil.ckpt"
    weights = {"w": torch.arange(6.0).view(2, 3)}
    torch.save({"evil": Evil(marker), "state_dict": weights}, path)
    file = read_torch_file(path)
    assert torch.equal(file.tensors("state_dict")["w"], weights["w"])
    assert file.ignored == (f"{os.system.__module__}.system",)
    assert not marker.exists()
    # The same file in the usual way, to show that the test would notice.
    torch.load(path, weights_only=False)
    assert marker.exists()


def test_a_file_with_a_lightning_run_s_settings_gives_its_tensors(
    tmp_path: Path,
) -> None:
    model, net = small_t5(), small_tokenizer()
    path = write_generator(tmp_path / "epoch=489.ckpt", model, net)
    file = read_torch_file(path)
    assert "omegaconf_of_a_test.DictConfig" in file.ignored
    assert "typing.Any" in file.ignored
    found = file.tensors("state_dict", prefix="lm.language_model.")
    assert torch.equal(found["shared.weight"], model.shared.weight)
    # Two names of one storage are read once.
    alias = found["encoder.embed_tokens.weight"]
    assert alias.data_ptr() == found["shared.weight"].data_ptr()
    assert file.content["epoch"] == 489


def test_settings_beside_the_weights_may_be_of_any_kind(tmp_path: Path) -> None:
    settings = {
        "path": Path("here"),
        "set": {1, 2},
        "pairs": {("a", 1): 0.5, 2.5: None, Kind.ONE: 3},
        "ordered": OrderedDict(a=Counter("aab")),
        "list": [Kind, slice(3), torch.device("cpu"), torch.float16],
    }
    path = tmp_path / "a.ckpt"
    torch.save({"settings": settings, "state_dict": {"w": torch.arange(3.0)}}, path)
    file = _read_inert(path)
    assert file.tensors("state_dict")["w"].tolist() == [0.0, 1.0, 2.0]
    assert file.content["settings"]["pairs"]["a", 1] == 0.5
    assert "collections.Counter" in file.ignored


def test_a_plain_file_is_read_by_torch_itself(tmp_path: Path) -> None:
    path = write_tokenizer(tmp_path / "a.pt", small_tokenizer())
    file = read_torch_file(path)
    assert file.ignored == ()
    assert file.content["config"]["model"]["stats"] == "not/here.npz"
    with pytest.raises(CheckpointError, match="has no 'state_dict', only epoch, model"):
        file.tensors("state_dict")


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    shape=st.lists(st.integers(0, 4), max_size=3),
    kind=st.sampled_from([torch.float32, torch.float16, torch.bfloat16, torch.int64]),
    turned=st.booleans(),
    start=st.integers(0, 2),
)
def test_every_tensor_comes_out_as_it_went_in(
    tmp_path: Path, shape: list[int], kind: torch.dtype, turned: bool, start: int
) -> None:
    flat = torch.arange(math.prod(shape) + start)[start:].to(kind)
    tensor = flat.view(shape)
    tensor = tensor.mT if turned and len(shape) >= 2 else tensor
    path = tmp_path / "a.pt"
    torch.save({"w": tensor, "p": torch.nn.Parameter(tensor.float())}, path)
    found = _read_inert(path).tensors()
    assert found["w"].dtype == kind and torch.equal(found["w"], tensor)
    assert torch.equal(found["p"], tensor.float())


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(at=st.integers(0, 10_000), value=st.integers(0, 255))
def test_a_file_with_a_wrong_byte_is_read_or_refused_and_never_crashes(
    tmp_path: Path, at: int, value: int
) -> None:
    path = tmp_path / "a.pt"
    torch.save({"w": torch.arange(4.0)}, path)
    data = bytearray(path.read_bytes())
    data[at % len(data)] = value
    path.write_bytes(data)
    try:
        file = _read_inert(path)
        if isinstance(file.content, dict):
            file.tensors()
    except CheckpointError as error:
        assert str(path) in str(error)


def raw_file(path: Path, program: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("archive/data.pkl", program)
        file.writestr("archive/data/0", b"\0" * 8)
    return path


@pytest.mark.parametrize(
    "program",
    [
        # A new state for one of our own functions.
        b"ctorch._utils\n_rebuild_tensor_v2\n(N}X\x01\0\0\0aK\x01stb.",
        # A new attribute for the stand-in of unknown classes.
        b"cos\nsystem\n(N}X\x08\0\0\0__call__K\x01stb.",
        # A tensor of numbers behind the end of its storage.
        b"ctorch._utils\n_rebuild_tensor_v2\n((S'storage'\nctorch\nFloatStorage\n"
        b"S'0'\nS'cpu'\nI2\ntQI0\n(I3\nt(I1\ntI00\n}tR.",
        # Half a program.
        b"\x80\x02}q\0(X\x01\0",
    ],
)
def test_a_pickle_that_does_odd_things_is_refused(
    tmp_path: Path, program: bytes
) -> None:
    path = raw_file(tmp_path / "odd.pt", program)
    with pytest.raises(CheckpointError, match="odd.pt: is damaged or cut off"):
        _read_inert(path)


def test_files_that_are_no_weights_say_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.pt"
    with pytest.raises(CheckpointError, match="a.pt: no such file"):
        read_torch_file(path)
    path.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    with pytest.raises(CheckpointError, match="Git LFS pointer"):
        read_torch_file(path)
    path.write_bytes(pickle.dumps(Evil(tmp_path / "marker")))
    with pytest.raises(CheckpointError, match="nothing in it was run"):
        read_torch_file(path)
    assert not (tmp_path / "marker").exists()
    torch.save({"w": torch.zeros(1000)}, path)
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(CheckpointError, match="damaged or cut off"):
        read_torch_file(path)


def test_a_missing_file_names_its_page_and_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEXEDO_HOME", str(tmp_path))
    assert official_home() == tmp_path / "official"
    with pytest.raises(CheckpointError) as error:
        find_generator("official")
    message = str(error.value)
    assert str(tmp_path / "official" / "generator" / "epoch=489.ckpt") in message
    assert "https://huggingface.co/JianuoCao/TEXEDO-Checkpoint" in message
    assert (
        "hf download JianuoCao/TEXEDO-Checkpoint 'generator/epoch=489.ckpt'" in message
    )
    assert message.endswith(f"--local-dir {tmp_path / 'official'}")
    words = tmp_path / "official" / "flan-t5-base"
    words.mkdir(parents=True)
    (words / "spiece.model").touch()
    with pytest.raises(CheckpointError, match="spiece.model beside it is not read"):
        released_file("words")


def test_a_file_is_found_at_its_place_right_in_the_folder_or_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEXEDO_HOME", str(tmp_path / "home"))
    home, mine = official_home() / RELEASED["words"].place, tmp_path / "mine"
    for place in (home, mine / "tokenizer.json", mine / "flan-t5-base/tokenizer.json"):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
        assert released_file("words", mine) == place


# Tokenizer


def poses(frames: int, seed: int = 0) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    qpos = rng.normal(size=(frames, 36))
    qpos[:, 3:7] /= np.linalg.norm(qpos[:, 3:7], axis=1, keepdims=True)
    return qpos.astype(np.float32)


def test_features_are_the_first_place_then_steps_and_isaac_lab_s_joints() -> None:
    qpos = np.zeros((3, 36), dtype=np.float32)
    qpos[:, :3] = [[1, 2, 0.75], [1.5, 2, 0.75], [1.5, 1, 0.5]]
    qpos[:, 3] = -1.0
    qpos[:, 7:] = np.arange(29)
    found = official_features(qpos)
    assert found[:, :3].tolist() == [[1, 2, 0.75], [0.5, 0, 0], [0, -1, -0.25]]
    assert found[:, 3].tolist() == [-1, -1, -1]
    # Left hip pitch, right hip pitch, waist yaw, left hip roll.
    assert found[0, 7:11].tolist() == [0, 6, 12, 1]
    assert JOINT_NAMES[6] == "right_hip_pitch_joint"


def test_poses_are_summed_steps_with_unit_quaternions_that_have_positive_w() -> None:
    features = np.zeros((3, 36))
    features[:, :3] = [[1, 2, 0.75], [0.5, 0, 0], [0, -1, -0.25]]
    features[:, 3:7] = [[-2, 0, 0, 0], [0, 0, 3, 4], [0, 0, 0, 0]]
    features[:, 7:] = np.arange(29)
    found = qpos_from_official(features)
    assert found[:, :3].tolist() == [[1, 2, 0.75], [1.5, 2, 0.75], [1.5, 1, 0.5]]
    expected = np.array([[1, 0, 0, 0], [0, 0, 0.6, 0.8], [1, 0, 0, 0]])
    assert np.allclose(found[:, 3:7], expected)
    assert found[0, 7:13].tolist() == [0, 3, 6, 9, 13, 17]  # The left leg.


Weights = dict[str, NDArray[np.float64]]


def conv_loop(
    x: NDArray[Any], w: Weights, name: str, *, stride: int = 1, dilation: int = 1
) -> NDArray[np.float64]:
    """(C, T) by plain loops; padding 1 for kernels 3 and 4, dilation for dilated ones."""
    kernel, bias = w[f"{name}.weight"], w[f"{name}.bias"]
    size = kernel.shape[2]
    pad = 0 if size == 1 else dilation
    padded = np.pad(x, ((0, 0), (pad, pad)))
    frames = (padded.shape[1] - dilation * (size - 1) - 1) // stride + 1
    out = np.zeros((len(kernel), frames))
    for t in range(frames):
        for k in range(size):
            out[:, t] += kernel[:, :, k] @ padded[:, t * stride + k * dilation]
        out[:, t] += bias
    return out


def norm_loop(x: NDArray[Any], w: Weights, name: str) -> NDArray[np.float64]:
    out = np.zeros_like(x)
    for t in range(x.shape[1]):
        scaled = (x[:, t] - x[:, t].mean()) / np.sqrt(x[:, t].var() + 1e-5)
        out[:, t] = scaled * w[f"{name}.weight"] + w[f"{name}.bias"]
    return out


def blocks_loop(x: NDArray[Any], w: Weights, name: str) -> NDArray[np.float64]:
    for i, dilation in enumerate((4, 2, 1)):
        block = f"{name}.model.{i}"
        h = np.maximum(norm_loop(x, w, f"{block}.norm1"), 0)
        h = conv_loop(h, w, f"{block}.conv1", dilation=dilation)
        h = np.maximum(norm_loop(h, w, f"{block}.norm2"), 0)
        x = x + conv_loop(h, w, f"{block}.conv2")
    return x


def encode_loop(qpos: NDArray[Any], w: Weights) -> list[int]:
    x = (official_features(qpos) - w["feature_mean"]) / w["feature_std"]
    h = np.maximum(conv_loop(x.T, w, "encoder.model.0"), 0)
    for stage in (2, 3):
        h = conv_loop(h, w, f"encoder.model.{stage}.0", stride=2)
        h = blocks_loop(h, w, f"encoder.model.{stage}.1")
    h = conv_loop(h, w, "encoder.model.4")
    codes = []
    for vector in h.T:
        z = w["quantizer.project_in.weight"] @ vector + w["quantizer.project_in.bias"]
        code, basis = 0, 1
        for number, levels in zip(z, LEVELS, strict=True):
            code += basis * math.floor((levels - 1) * (math.tanh(number) + 1) / 2 + 0.5)
            basis *= levels
        codes.append(code)
    return codes


def decode_loop(codes: list[int], w: Weights) -> NDArray[np.float32]:
    columns = []
    for code in codes:
        values = []
        for levels in LEVELS:
            values.append(2 * (code % levels) / (levels - 1) - 1)
            code //= levels
        out = w["quantizer.project_out.weight"] @ np.array(values)
        columns.append(out + w["quantizer.project_out.bias"])
    h = np.maximum(conv_loop(np.stack(columns, 1), w, "decoder.model.0"), 0)
    for stage in (2, 3):
        h = blocks_loop(h, w, f"decoder.model.{stage}.0")
        h = conv_loop(np.repeat(h, 2, axis=1), w, f"decoder.model.{stage}.2")
    h = np.maximum(conv_loop(h, w, "decoder.model.4"), 0)
    h = conv_loop(h, w, "decoder.model.6")
    return qpos_from_official(h.T * w["feature_std"] + w["feature_mean"])


@pytest.mark.parametrize("prefix", ["", "module."])
def test_the_tokenizer_file_encodes_and_decodes_as_plain_loops_do(
    tmp_path: Path, prefix: str
) -> None:
    net = small_tokenizer()
    path = write_tokenizer(tmp_path / "a.pt", net, prefix=prefix)
    tokenizer = load_official_tokenizer(path)
    w = {k: v.double().numpy() for k, v in net.state_dict().items()}
    clips = [poses(frames, frames) for frames in (4, 7, 18, 41)]
    codes = tokenizer.encode_qpos(clips)
    assert [row.tolist() for row in codes] == [encode_loop(clip, w) for clip in clips]
    assert [len(row) for row in codes] == [1, 1, 4, 10]
    decoded = tokenizer.decode(codes)
    assert [len(qpos) for qpos in decoded] == [4, 4, 16, 40]
    expected = decode_loop(codes[3].tolist(), w)
    assert np.abs(decoded[3] - expected).max() < 1e-4 * np.abs(expected).max()


def test_the_generator_file_holds_the_same_tokenizer(tmp_path: Path) -> None:
    net = small_tokenizer(3)
    path = write_generator(tmp_path / "a.ckpt", small_t5(), net)
    found = load_official_tokenizer(path).net.state_dict()
    assert found.keys() == net.state_dict().keys()
    assert all(torch.equal(found[k], v) for k, v in net.state_dict().items())


def test_a_motion_of_three_frames_has_no_code(tmp_path: Path) -> None:
    tokenizer = OfficialTokenizer(small_tokenizer())
    assert (tokenizer.num_codes, tokenizer.downsampling) == (7776, 4)
    with pytest.raises(MotionError, match="a code of 4 frames, and the motion has 3"):
        tokenizer.encode([Motion.from_qpos(poses(3))])
    with pytest.raises(ValueError, match="Codes lie in 0..7775, got 0..7776"):
        tokenizer.decode([np.array([0, 7776])])


def test_another_network_is_no_tokenizer_of_the_release(tmp_path: Path) -> None:
    path = tmp_path / "a.pt"
    torch.save({"model_state_dict": {"w": torch.zeros(3)}}, path)
    with pytest.raises(CheckpointError, match="is no TEXEDO tokenizer"):
        load_official_tokenizer(path)


def test_the_released_tokenizer_has_120_tensors_and_18_774_574_parameters() -> None:
    with torch.device("meta"):
        net = TokenizerNet(OFFICIAL)
    shapes = {name: tuple(t.shape) for name, t in net.state_dict().items()}
    assert len(shapes) == 120
    assert sum(p.numel() for p in net.parameters()) == 18_774_574
    assert shapes["encoder.model.0.weight"] == (512, 36, 3)
    assert shapes["encoder.model.3.0.weight"] == (512, 512, 4)
    assert shapes["encoder.model.2.1.model.2.conv1.weight"] == (512, 512, 3)
    assert shapes["encoder.model.2.1.model.0.conv2.weight"] == (512, 512, 1)
    assert shapes["decoder.model.3.0.model.1.norm2.bias"] == (512,)
    assert shapes["decoder.model.3.2.weight"] == (512, 512, 3)
    assert shapes["decoder.model.6.weight"] == (36, 512, 3)
    assert shapes["quantizer.project_in.weight"] == (10, 512)
    assert shapes["feature_std"] == (36,)


# Generator


def test_the_released_t5_takes_its_full_size_from_the_shapes_of_its_weights() -> None:
    with torch.device("meta"):
        tensors = t5_from_config(dict(FULL_T5)).state_dict()
        found = t5_from_tensors(tensors)
        model = OfficialLanguageModel(found, SimpleNamespace(size=32_100))  # type: ignore[arg-type]
    assert sum(t.numel() for t in tensors.values()) == 259_483_392
    assert (found.cfg.num_layers, found.cfg.num_heads, found.cfg.d_ff) == (12, 12, 2048)
    assert len(found.decoder.block) == 12 and not found.tied
    # Codes, start, end, and the padding mark that every sequence begins with.
    assert model.inputs.shape == (7776 + 3, 768)
    assert model.head.shape == (7776 + 2, 768)
    assert model.front.table.shape == (32_100, 768)


def official_model(tmp_path: Path, *, quotes: bool = True) -> OfficialLanguageModel:
    words = load_words(write_words(tmp_path / "tokenizer.json"))
    return OfficialLanguageModel(small_t5(), words, quotes=quotes)


def one_minded_model(tmp_path: Path, *, end: float) -> OfficialLanguageModel:
    """Its state is always 16 ones: logits are 0 for all codes, and 16 `end` for it."""
    model = official_model(tmp_path)
    with torch.no_grad():
        for name, weight in model.decoder.named_parameters():
            if name.endswith((".o.weight", ".wo.weight")):
                weight.zero_()
        model.inputs.fill_(1.0)
        model.head.zero_()
        model.head[-1] = end
    return model


def test_the_likeliest_codes_are_those_of_transformers(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    config = transformers.T5Config(**SMALL_T5)
    reference = transformers.T5ForConditionalGeneration(config).eval()
    model = small_t5()
    # Whatever this version of transformers ties: the release does not.
    reference.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.detach().clone())
    table = model.shared.weight
    state = {**model.state_dict(), "encoder.embed_tokens.weight": table}
    reference.load_state_dict({**state, "decoder.embed_tokens.weight": table})
    words = load_words(write_words(tmp_path / "tokenizer.json"))
    ours = OfficialLanguageModel(model, words, quotes=False)
    (found,) = ours.sample_tokens([PROMPT], 1, seed=0, top_k=1, num_tokens=40)[0]
    first = len(PIECES)
    decoder = [0, first + NUM_CODES]  # The padding mark, then the start.
    ids = torch.tensor([words.read(PROMPT).ids])
    for _ in range(40):
        with torch.inference_mode():
            logits = reference(
                input_ids=ids, decoder_input_ids=torch.tensor([decoder])
            ).logits[0, -1]
        decoder.append(first + int(logits[first : first + NUM_CODES].argmax()))
    assert found.tolist() == [token - first for token in decoder[2:]]
    assert len(set(found.tolist())) > 5


def test_a_motion_that_never_ends_is_kept_with_254_codes(tmp_path: Path) -> None:
    model = one_minded_model(tmp_path, end=-10.0)
    rows = model.sample_tokens([PROMPT], 3, seed=0, top_k=0, top_p=1.0)[0]
    assert [len(row) for row in rows] == [254, 254, 254] == [MAX_CODES] * 3
    # All codes are equally likely; the start is not drawn again.
    drawn = np.concatenate(rows)
    assert 0 <= drawn.min() < 100 and 7676 < drawn.max() < NUM_CODES
    assert len({tuple(row) for row in rows}) == 3


def test_a_motion_that_would_end_at_once_has_four_codes(tmp_path: Path) -> None:
    model = one_minded_model(tmp_path, end=10.0)
    rows = model.sample_tokens([PROMPT], 3, seed=0)[0]
    assert [len(row) for row in rows] == [4, 4, 4] == [MIN_CODES] * 3
    longer = model.sample_tokens([PROMPT], 3, seed=0, num_tokens=9)[0]
    assert [len(row) for row in longer] == [9, 9, 9]


def test_a_candidate_depends_on_neither_number_nor_neighbours(tmp_path: Path) -> None:
    model = official_model(tmp_path)
    args: dict[str, Any] = {"seed": 5, "num_tokens": 6}
    eight = model.sample_tokens([PROMPT], 8, **args)[0]
    three = model.sample_tokens(["a person walks", PROMPT], 3, **args)[1]
    assert [row.tolist() for row in three] == [row.tolist() for row in eight[:3]]
    assert all(len(row) == 6 for row in eight)
    other = model.sample_tokens([PROMPT], 8, seed=6, num_tokens=6)[0]
    assert [row.tolist() for row in other] != [row.tolist() for row in eight]
    assert model.sample_tokens([], 3, **args) == []


def test_one_of_two_neighbours_reads_the_prompt_in_quotation_marks(
    tmp_path: Path,
) -> None:
    order = quoted_candidates(PROMPT, 400, seed=0)
    assert all(order[i] + order[i + 1] == 1 for i in range(0, 400, 2))
    assert 60 < sum(order[::2]) < 140  # A coin says which of them.
    assert quoted_candidates(PROMPT, 7, seed=0) == order[:7]
    model = official_model(tmp_path)
    plain = official_model(tmp_path, quotes=False)
    args: dict[str, Any] = {"seed": 1, "num_tokens": 5}
    both = model.sample_tokens([PROMPT], 6, **args)[0]
    bare = plain.sample_tokens([PROMPT], 3, **args)[0]
    marked = plain.sample_tokens([f'"{PROMPT}"'], 3, **args)[0]
    for i, quoted in enumerate(quoted_candidates(PROMPT, 6, seed=1)):
        expected = (marked if quoted else bare)[i // 2]
        assert both[i].tolist() == expected.tolist()


def test_prompts_are_read_with_the_words_of_the_file(tmp_path: Path) -> None:
    words = load_words(write_words(tmp_path / "tokenizer.json"))
    assert words.size == len(PIECES)
    assert words.read(PROMPT).ids == [5, 6, 7, 1]
    # The file says to cut at 7, which is not for prompts.
    long = words.read(" ".join("a" * 600))
    assert (len(long.ids), long.ids[-1], long.left_out) == (512, 1, 89)
    assert long.notes() == (
        "prompt too long: the first 511 of 600 word pieces were read",
    )
    assert words.read("a ☃").notes() == ("1 of 3 word pieces are not understood",)


def test_words_that_are_not_those_of_the_model_are_refused(tmp_path: Path) -> None:
    path = write_words(tmp_path / "tokenizer.json", [*PIECES, "▁one", "▁more"])
    with pytest.raises(CheckpointError, match="must be that of google/flan-t5-base"):
        OfficialLanguageModel(small_t5(), load_words(path))
    other = write_words(tmp_path / "other.json", ["</s>", "<pad>", "<unk>", "a"])
    with pytest.raises(CheckpointError, match="not the vocabulary of a T5"):
        load_words(other)
    (tmp_path / "spiece.model").touch()
    path.unlink()
    with pytest.raises(CheckpointError, match="spiece.model beside it is not read"):
        load_words(path)


def test_a_flan_t5_folder_reads_text_as_transformers_does(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    transformers = pytest.importorskip("transformers")
    model = small_t5()
    save_file(dict(model.state_dict()), tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text(json.dumps(SMALL_T5))
    write_words(tmp_path / "tokenizer.json")
    front = load_t5_front(tmp_path)
    states, mask = front.states([PROMPT, " ".join(["a person"] * 12)])
    assert states.shape == (2, 32, 16) and mask.sum(1).tolist() == [4, 25]
    reference = transformers.T5EncoderModel(transformers.T5Config(**SMALL_T5)).eval()
    state = {k: v for k, v in model.state_dict().items() if k.startswith("encoder.")}
    table = model.shared.weight
    state |= {"shared.weight": table, "encoder.embed_tokens.weight": table}
    reference.load_state_dict(state)
    with torch.inference_mode():
        expected = reference(torch.tensor([[5, 6, 7, 1]])).last_hidden_state[0]
    assert (states[0, :4] - expected).abs().max() < 1e-5


# The whole


def test_official_is_a_generator_once_its_files_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEXEDO_HOME", str(tmp_path))
    model, net = write_release(official_home())
    generator = find_generator("official")
    motions = generator.sample(PROMPT, 3, seed=4, duration=0.5)
    assert [len(motion) for motion in motions] == [26, 26, 26]
    words = load_words(official_home() / "flan-t5-base" / "tokenizer.json")
    rows = OfficialLanguageModel(model, words).sample_tokens(
        [PROMPT], 3, seed=4, num_tokens=7
    )[0]
    expected = OfficialTokenizer(net).decode(rows)[1][:26]
    assert motions[1] == Motion.from_qpos(expected)
    again = find_generator(f"official:{official_home()}")
    assert again.digest == generator.digest
    assert again.sample_many([PROMPT], 1, seed=4, duration=0.5)[0][0] == motions[0]
    assert official_generator(quotes=False).digest != generator.digest
    assert any("temperature 0.9" in note for note in generator.remarks(PROMPT))  # type: ignore[attr-defined]
    with pytest.raises(GenerationError, match="is empty"):
        generator.sample(" ", 1)


def test_a_folder_that_is_not_there_and_a_file_of_another_kind_are_refused(
    tmp_path: Path,
) -> None:
    with pytest.raises(CheckpointError, match="is no folder with the files"):
        find_generator(f"official:{tmp_path / 'nowhere'}")
    write_words(tmp_path / "tokenizer.json")
    torch.save({"state_dict": {"w": torch.zeros(2)}}, tmp_path / "epoch=489.ckpt")
    with pytest.raises(CheckpointError, match="is no TEXEDO generator"):
        find_generator(f"official:{tmp_path}").sample(PROMPT, 1)
