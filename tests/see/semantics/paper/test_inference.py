"""The paper's verifier: what its scores depend on, and its place on disk."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.motions import random_motion
from texedo.core.errors import CheckpointError, GenerationError
from texedo.motion import Motion
from texedo.see.semantics.protocol import SemanticVerifier, all_pairs, r_text

torch = pytest.importorskip("torch")

from tests.support.paper_semantics import (  # noqa: E402
    WORDS,
    elsewhere,
    small_verifier,
)
from texedo.see.semantics.paper.artefact import (  # noqa: E402
    load_paper_semantics,
    save_paper_semantics,
)
from texedo.see.semantics.paper.features import motion_features  # noqa: E402
from texedo.see.semantics.paper.inference import PaperVerifier  # noqa: E402
from texedo.see.semantics.paper.model import (  # noqa: E402
    PaperNet,
    PaperNetCfg,
    motion_vectors,
    pad_texts,
)

PROMPTS = ["a person walks", "a person waves left and right and left again", "glorp"]


def test_it_is_a_semantic_verifier_whose_score_is_exp_of_the_distance() -> None:
    verifier = small_verifier()
    typed: SemanticVerifier = verifier
    motions = [random_motion(i, 30 + 9 * i) for i in range(3)]
    scores = typed.compare(PROMPTS, motions, all_pairs(3, 3))
    texts, moves = verifier.texts(PROMPTS), verifier.motions(motions)
    apart = texts[:, None].astype(np.float64) - moves[None]
    expected = np.exp(-np.linalg.norm(apart, axis=-1)).ravel()
    np.testing.assert_allclose(scores, expected)
    assert scores.dtype == np.float64 and ((scores > 0) & (scores <= 1)).all()
    assert len(np.unique(scores.round(7))) == 9


@settings(max_examples=20, deadline=None)
@given(
    frames=st.lists(st.integers(2, 150), min_size=1, max_size=5),
    place=st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
    yaw=st.floats(-3.1, 3.1),
    text=st.sampled_from(PROMPTS),
)
def test_a_score_depends_on_nothing_but_its_pair(
    frames: list[int], place: tuple[float, float], yaw: float, text: str
) -> None:
    verifier = small_verifier()
    motions = [random_motion(i, n) for i, n in enumerate(frames)]
    together = verifier.compare(
        [*PROMPTS, text], motions, all_pairs(4, len(motions))
    ).reshape(4, -1)[3]
    alone = [float(r_text(verifier, text, [m])[0]) for m in motions]
    assert together.tolist() == alone
    batch = motion_vectors(
        verifier.net, [motion_features(m.to_qpos()) for m in motions]
    )
    np.testing.assert_allclose(batch, verifier.motions(motions), atol=1e-6)
    moved = [elsewhere(m, place, yaw) for m in motions]
    np.testing.assert_allclose(r_text(verifier, text, moved), alone, atol=1e-5)


def test_padding_of_any_length_and_content_changes_nothing() -> None:
    verifier = small_verifier()
    frames = torch.randn(1, 40, 36)
    alone = verifier.net.motions(frames, torch.tensor([40]))
    padded = torch.cat((frames, 5 * torch.randn(1, 60, 36)), dim=1)
    torch.testing.assert_close(
        verifier.net.motions(padded, torch.tensor([40])), alone, atol=1e-6, rtol=0.0
    )
    words, tags, lengths = pad_texts([WORDS.read(PROMPTS[0])])
    more = torch.nn.functional.pad(words, (0, 9), value=3)
    torch.testing.assert_close(
        verifier.net.texts(more, torch.nn.functional.pad(tags, (0, 9)), lengths),
        verifier.net.texts(words, tags, lengths),
        atol=1e-6,
        rtol=0.0,
    )


def test_order_and_part_of_speech_of_the_words_matter() -> None:
    verifier = small_verifier()
    a, b, c = verifier.texts(["person walks", "walks person", "person glorps"])
    assert np.abs(a - b).max() > 1e-3 and np.abs(a - c).max() > 1e-3


def test_each_text_and_motion_is_read_once_and_only_if_it_is_in_a_pair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    verifier = small_verifier()
    read: list[int] = []
    for name in ("texts", "motions"):
        own = getattr(verifier, name)
        monkeypatch.setattr(
            verifier, name, lambda rows, own=own: (read.append(len(rows)), own(rows))[1]
        )
    motions = [random_motion(i, 20) for i in range(3)]
    pairs = np.array([[0, 2], [0, 0], [0, 2]])
    scores = verifier.compare(["a person walks", ""], motions, pairs)
    assert read == [1, 2] and scores[0] == scores[2] != scores[1]


def test_two_frames_and_ten_minutes_are_scored() -> None:
    verifier = small_verifier()
    pose = random_motion(0, 3000).to_qpos()
    long = Motion.from_qpos(np.concatenate([pose] * 10))
    scores = r_text(verifier, "a person walks", [random_motion(1, 2), long])
    assert np.isfinite(scores).all() and (scores > 0).all()


def test_wild_but_finite_numbers_are_scored() -> None:
    qpos = random_motion(0, 40).to_qpos().copy()
    qpos[20:, :3] = 1e30
    qpos[10, 7:] = -3e37
    scores = r_text(small_verifier(), "walk", [Motion.from_qpos(qpos)])
    assert np.isfinite(scores).all()


def test_nan_and_empty_prompts_are_refused_with_a_reason() -> None:
    verifier = small_verifier()
    broken = cast(Any, SimpleNamespace(to_qpos=lambda: np.full((5, 36), np.nan)))
    with pytest.raises(GenerationError, match="NaN or infinity, first in frame 0"):
        r_text(verifier, "a person walks", [broken])
    with pytest.raises(GenerationError, match="has no word in it"):
        r_text(verifier, " ", [random_motion(0, 10)])


def test_no_pairs_no_scores_and_wrong_pairs_are_an_error() -> None:
    verifier = small_verifier()
    motion = random_motion(0, 10)
    assert verifier.compare(["walk"], [motion], np.zeros((0, 2), np.int64)).shape == (
        0,
    )
    assert r_text(verifier, "walk", []).shape == (0,)
    with pytest.raises(ValueError, match="motion 1; there are 1 and 1"):
        verifier.compare(["walk"], [motion], np.array([[0, 1]]))
    with pytest.raises(ValueError, match=r"must be \(P, 2\)"):
        verifier.compare(["walk"], [motion], np.array([0, 0]))


def test_it_comes_back_from_disk_with_nearly_the_same_scores(tmp_path: Path) -> None:
    verifier = small_verifier()
    verifier.metadata["step"] = 7
    # Large enough for int8.
    big = PaperNet(PaperNetCfg(words=len(WORDS), latent=64, motion_width=64))
    verifier = PaperVerifier(big, WORDS, metadata={"step": 7})
    save_paper_semantics(tmp_path / "a", verifier)
    back = load_paper_semantics(tmp_path / "a")
    assert back.metadata == {"step": 7} and back.name == verifier.name
    motions = [random_motion(i, 60) for i in range(3)]
    one = verifier.compare(PROMPTS, motions, all_pairs(3, 3))
    two = back.compare(PROMPTS, motions, all_pairs(3, 3))
    np.testing.assert_allclose(two, one, atol=0.01)
    # Rounding what is rounded changes nothing.
    save_paper_semantics(tmp_path / "b", back)
    again = load_paper_semantics(tmp_path / "b")
    np.testing.assert_allclose(
        again.compare(PROMPTS, motions, all_pairs(3, 3)), two, atol=1e-7
    )


def test_the_digest_tells_weights_and_words_apart() -> None:
    one, two, three = (small_verifier() for _ in range(3))
    assert one.digest == two.digest and len(one.digest) == 64
    two = PaperVerifier(two.net, type(WORDS)(WORDS.vocabulary, {}))
    with torch.no_grad():
        three.net.tags.weight[0, 0] += 1.0
    assert len({one.digest, two.digest, three.digest}) == 3


def test_a_folder_of_another_version_is_refused(tmp_path: Path) -> None:
    save_paper_semantics(tmp_path, small_verifier())
    config = json.loads((tmp_path / "config.json").read_text())
    for change, reason in (
        ({"model": {**config["model"], "beams": 3}}, "another version"),
        ({"model": {**config["model"], "size": 8}}, "weights do not fit"),
        ({"model": {**config["model"], "words": 5}}, "word vectors"),
    ):
        (tmp_path / "config.json").write_text(json.dumps({**config, **change}))
        with pytest.raises(CheckpointError, match=reason):
            load_paper_semantics(tmp_path)
