"""The released semantic verifier: its files, its words, and what padding does to it."""

import pickle
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import conv1d, layer_norm, leaky_relu, linear

from tests.support.evil import Evil
from tests.support.motions import random_motion
from tests.support.released_verifiers import (
    WORDS,
    one_number_tensors,
    random_tensors,
    save,
    write_glove,
    write_semantics,
)
from tests.support.standing import standing
from texedo.checkpoints.registry import official_home
from texedo.core.errors import CheckpointError, GenerationError
from texedo.motion import Motion
from texedo.see.semantics.find import find_semantics
from texedo.see.semantics.official import verifier as module
from texedo.see.semantics.official.files import semantic_files
from texedo.see.semantics.official.verifier import (
    SHAPES,
    OfficialSemantics,
    official_features,
)
from texedo.see.semantics.paper.words import TAGS
from texedo.see.semantics.protocol import r_text

Sections = dict[str, dict[str, Tensor]]


@pytest.fixture(scope="module")
def sections() -> Sections:
    return {
        name: random_tensors(shapes, seed)
        for seed, (name, shapes) in enumerate(SHAPES.items())
    }


@pytest.fixture(scope="module")
def released(sections: Sections, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    write_semantics(folder / "verifiers" / "semantic", sections)
    write_glove(folder / "glove")
    return folder


@pytest.fixture(scope="module")
def trained(released: Path) -> OfficialSemantics:
    found = find_semantics(str(released))
    assert isinstance(found, OfficialSemantics)
    return found


@pytest.fixture(scope="module")
def pipeline(released: Path) -> OfficialSemantics:
    found = find_semantics(f"{released}@pipeline")
    assert isinstance(found, OfficialSemantics)
    return found


def empty_sections() -> Sections:
    return {name: one_number_tensors(shapes) for name, shapes in SHAPES.items()}


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A release that says nothing and takes no room, and nothing at home."""
    monkeypatch.setenv("TEXEDO_HOME", str(tmp_path / "home"))
    write_glove(tmp_path / "mine" / "glove")
    return write_semantics(tmp_path / "mine", empty_sections())


# Vectors, by other means


def read_rows(own: dict[str, Tensor], rows: Tensor) -> Tensor:
    """A bidirectional GRU from its learnt start, and what comes after it."""
    width = own["hidden"].shape[-1]
    gru = nn.GRU(width, width, batch_first=True, bidirectional=True)
    gru.load_state_dict(
        {k.removeprefix("gru."): v for k, v in own.items() if k.startswith("gru.")}
    )
    x = linear(rows, own["input_emb.weight"], own["input_emb.bias"])
    with torch.no_grad():
        _, last = gru(x[None], own["hidden"])
    x = torch.cat((last[0, 0], last[1, 0]))
    x = linear(x, own["output_net.0.weight"], own["output_net.0.bias"])
    x = layer_norm(x, (width,), own["output_net.1.weight"], own["output_net.1.bias"])
    x = leaky_relu(x, 0.2)
    return linear(x, own["output_net.3.weight"], own["output_net.3.bias"])


def motion_vector(sections: Sections, motion: Motion, zeros: int) -> Tensor:
    rows = torch.from_numpy(official_features(motion.to_qpos())).double()
    mean, std = np.linspace(-0.5, 0.5, 36), np.linspace(0.5, 1.5, 36)
    rows = (rows - torch.from_numpy(mean)) / torch.from_numpy(std)
    x = torch.cat((rows, torch.zeros(zeros, 36))).float().T[None]
    own = sections["movement_encoder"]
    for name in ("main.0", "main.3"):
        weight, bias = own[f"{name}.weight"], own[f"{name}.bias"]
        x = leaky_relu(conv1d(x, weight, bias, stride=2, padding=1), 0.2)
    codes = linear(x[0].T, own["out_net.weight"], own["out_net.bias"])
    return read_rows(sections["motion_encoder"], codes)


def test_padding_is_read_where_training_had_it_and_not_in_the_pipeline(
    sections: Sections,
    trained: OfficialSemantics,
    pipeline: OfficialSemantics,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    motion = random_motion(0, 43)  # 40 frames are whole codes.
    rows = trained._rows(motion.to_qpos())
    assert rows.shape == (2048, 36)
    assert (rows[40:] == 0).all() and (rows[39] != 0).all()
    assert pipeline._rows(motion.to_qpos()).shape == (40, 36)
    assert trained._rows(random_motion(0, 2100).to_qpos()).shape == (2048, 36)
    monkeypatch.setattr(module, "TRAINED_FRAMES", 72)  # It would take a while.
    padded, plain = trained.motions([motion])[0], pipeline.motions([motion])[0]
    same = dict(abs=2e-5)
    assert padded == pytest.approx(motion_vector(sections, motion, 32).numpy(), **same)
    assert plain == pytest.approx(motion_vector(sections, motion, 0).numpy(), **same)
    assert np.linalg.norm(padded - plain) > 0.01


def test_a_sentence_is_word_vectors_and_parts_of_speech(
    sections: Sections, released: Path, trained: OfficialSemantics
) -> None:
    said = "A person walks"
    table = np.load(released / "glove" / "our_vab_data.npy")
    lemmas = ["sos", "a", "person", "walk", "eos"]
    tags = ["OTHER", "DET", "NOUN", "Act_VIP", "OTHER"]
    rows = [len(WORDS) - 1 - WORDS.index(word) for word in lemmas]
    own = sections["text_encoder"]
    one_hot = torch.eye(15)[[TAGS.index(tag) for tag in tags]]
    vectors = torch.from_numpy(table[rows]).float()
    vectors = vectors + linear(one_hot, own["pos_emb.weight"], own["pos_emb.bias"])
    expected = read_rows(own, vectors).numpy()
    assert trained.texts([said])[0] == pytest.approx(expected, abs=2e-5)


def test_r_text_is_the_exponential_of_minus_the_distance(
    pipeline: OfficialSemantics,
) -> None:
    motions = [standing(8), random_motion(1, 12)]
    text, moved = pipeline.texts(["a person"]), pipeline.motions(motions)
    expected = np.exp(-np.linalg.norm(moved - text, axis=1))
    assert r_text(pipeline, "a person", motions) == pytest.approx(expected)


def test_the_readings_are_told_apart(
    trained: OfficialSemantics, pipeline: OfficialSemantics
) -> None:
    assert (trained.name, pipeline.name) == ("official", "official@pipeline")
    assert trained.digest != pipeline.digest


def test_a_frame_is_the_step_the_quaternion_and_isaac_lab_s_joints() -> None:
    qpos = np.zeros((5, 36), dtype=np.float32)
    qpos[:, 0] = [7.0, 8.0, 10.0, 10.0, 99.0]
    qpos[:, 3] = 1.0
    qpos[:, 7:] = np.arange(29)
    seen = official_features(qpos)
    assert seen.shape == (4, 36)
    assert seen[:, 0].tolist() == [1, 1, 2, 0]
    assert seen[0, 3:7].tolist() == [1, 0, 0, 0]
    assert seen[0, 7:13].tolist() == [0, 6, 12, 1, 7, 13]
    assert official_features(qpos[:1]).shape == (4, 36)
    with pytest.raises(GenerationError, match="first in frame 2"):
        official_features(np.where(np.arange(5)[:, None] == 2, np.nan, qpos))


# Words


def read(verifier: OfficialSemantics, text: str) -> list[tuple[str, str]]:
    named = {number: word for word, number in verifier.words.numbers.items()}
    tokens = verifier.words.read(text)
    pairs = zip(tokens.words, tokens.tags, strict=True)
    return [(named[int(word)], TAGS[tag]) for word, tag in pairs][1:-1]


def test_training_read_lemmas_and_the_pipeline_reads_words(
    trained: OfficialSemantics, pipeline: OfficialSemantics
) -> None:
    said = "A person walks, hands left; torso is blue."
    assert read(trained, said) == [
        ("a", "DET"),
        ("person", "NOUN"),
        ("walk", "Act_VIP"),
        ("hand", "Body_VIP"),
        ("left", "Loc_VIP"),
        ("torso", "NOUN"),  # A class in our own verifier alone.
        ("is", "AUX"),
        ("unk", "OTHER"),
    ]
    assert read(pipeline, said) == [
        ("a", "OTHER"),
        ("person", "OTHER"),
        ("walks", "OTHER"),
        ("unk", "OTHER"),
        ("left", "Loc_VIP"),
        ("torso", "OTHER"),
        ("is", "OTHER"),
        ("unk", "OTHER"),
    ]
    assert trained.remarks(said) == ("official: does not know 'blue'.",)
    assert trained.remarks("a person") == ()


def test_fifty_words_are_read_and_none_is_refused(
    trained: OfficialSemantics, pipeline: OfficialSemantics
) -> None:
    assert len(read(trained, "walk " * 60)) == 50
    for reading in (trained, pipeline):
        with pytest.raises(GenerationError, match="has no word in it"):
            reading.words.read("!?")


# Files


def test_the_networks_are_those_of_the_release() -> None:
    counts = {name: len(shapes) for name, shapes in SHAPES.items()}
    assert counts == {"movement_encoder": 6, "motion_encoder": 17, "text_encoder": 19}
    assert SHAPES["movement_encoder"]["main.0.weight"] == (512, 36, 4)
    assert SHAPES["motion_encoder"]["hidden"] == (2, 1, 1024)
    assert SHAPES["motion_encoder"]["gru.weight_ih_l0_reverse"] == (3072, 1024)
    assert SHAPES["motion_encoder"]["output_net.0.weight"] == (1024, 2048)
    assert SHAPES["motion_encoder"]["output_net.3.weight"] == (512, 1024)
    assert SHAPES["text_encoder"]["pos_emb.weight"] == (300, 15)
    assert SHAPES["text_encoder"]["gru.weight_hh_l0"] == (1536, 512)


def test_it_is_found_by_name_folder_and_file(small: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    names = [str(mine), str(small), f"official:{mine}", f"{small.parents[2]}"]
    assert [find_semantics(name).name for name in names] == ["official"] * 4
    found = find_semantics(f"{mine}@pipeline")
    assert found.name == "official@pipeline"
    assert found.digest != find_semantics(str(mine)).digest
    with pytest.raises(
        CheckpointError, match="is of the variant 'official', not 'paper'"
    ):
        find_semantics(str(mine), variant="paper")
    with pytest.raises(
        CheckpointError, match="no reading 'best'; there are trained, pi"
    ):
        find_semantics("official@best")
    with pytest.raises(CheckpointError, match="nowhere: there is no such file"):
        find_semantics("official:nowhere")
    (tmp_path / "home").mkdir()
    mine.rename(tmp_path / "home" / "official")
    assert semantic_files().weights == semantic_files(official_home()).weights


def test_what_is_missing_is_named_with_the_way_to_get_it(
    small: Path, tmp_path: Path
) -> None:
    with pytest.raises(CheckpointError) as error:
        find_semantics("official")
    home = tmp_path / "home" / "official"
    archive = home / "verifiers" / "semantic" / "t2m_custom36_combinedv2.tar.gz"
    assert str(error.value).startswith(
        f"{home}: has no text_mot_match/model/finest.tar. It is verifiers/semantic/"
    )
    assert f"--local-dir {home}, and unpack it with: tar -xzf {archive}" in str(
        error.value
    )
    archive.parent.mkdir(parents=True)
    archive.touch()
    with pytest.raises(
        CheckpointError, match="is there and not unpacked; do it with: t"
    ):
        find_semantics("official")
    with pytest.raises(
        CheckpointError, match="is an archive; unpack it with: tar -xzf"
    ):
        find_semantics(str(archive))
    glove = tmp_path / "mine" / "glove"
    (glove / "our_vab_idx.pkl").unlink()
    with pytest.raises(CheckpointError, match="our_vab_idx.pkl: is missing"):
        find_semantics(str(small))
    (glove / "our_vab_data.npy").unlink()
    with pytest.raises(
        CheckpointError, match="has no glove/our_vab_data.npy. It is glo"
    ):
        find_semantics(str(small))
    next(small.parents[2].rglob("std.npy")).unlink()
    with pytest.raises(CheckpointError, match="mean.npy and std.npy are missing"):
        find_semantics(str(small))


def test_a_wrong_tensor_is_named(small: Path) -> None:
    sections = empty_sections()
    sections["text_encoder"]["input_emb.weight"] = torch.zeros(512, 299)
    save(small, sections)
    with pytest.raises(CheckpointError) as error:
        find_semantics(str(small))
    assert str(error.value) == (
        f"{small}: text_encoder.input_emb.weight has the shape (512, 299), expected "
        "(512, 300); it is not text_mot_match/model/finest.tar of the release."
    )
    # The file of the same name beside it, of the movement codes.
    save(small, {"movement_enc": {}, "movement_dec": {}, "epoch": 1})
    with pytest.raises(
        CheckpointError, match="has no 'movement_encoder', only movement_"
    ):
        find_semantics(str(small))


def test_wrong_scales_and_word_vectors_are_named(small: Path, tmp_path: Path) -> None:
    glove, meta = tmp_path / "mine" / "glove", next(small.parents[2].rglob("meta"))
    np.save(meta / "std.npy", np.zeros(36))
    with pytest.raises(CheckpointError, match="std.npy: must hold 36 positive numbers"):
        find_semantics(str(small))
    write_glove(glove, ["unk", "sos", "walk"])
    with pytest.raises(
        CheckpointError, match="has no 'eos', which every sentence needs"
    ):
        find_semantics(str(small))
    (glove / "our_vab_idx.pkl").write_bytes(pickle.dumps({"unk": 7}))
    with pytest.raises(
        CheckpointError, match="the word 'unk' has the row 7, and our_vab"
    ):
        find_semantics(str(small))
    np.save(glove / "our_vab_data.npy", np.zeros((3, 50)))
    with pytest.raises(CheckpointError, match="shape .3, 50., expected .V, 300."):
        find_semantics(str(small))


def test_nothing_in_the_files_is_run(small: Path, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    save(small, {**empty_sections(), "opt": Evil(marker)})
    assert find_semantics(str(small)).name == "official"
    words = tmp_path / "mine" / "glove" / "our_vab_words.pkl"
    words.write_bytes(pickle.dumps([*WORDS, Evil(marker)]))
    with pytest.raises(CheckpointError, match="is refused, and nothing in it was run"):
        find_semantics(str(small))
    assert not marker.exists()
