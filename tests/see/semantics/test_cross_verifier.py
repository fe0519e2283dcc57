"""The default verifier: what its scores may and may not depend on."""

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.support.motions import random_motion
from tests.support.small_lm import WORDS, small_encoder
from texedo.checkpoints.artifact import read_config
from texedo.core.errors import CheckpointError, TexedoError
from texedo.language.front import KIND as TEXT_KIND
from texedo.language.front import save_text_front
from texedo.language.word_pieces import WordPiece
from texedo.motion import Motion
from texedo.motion.edit import place
from texedo.see.semantics.cross.artifact import (
    load_cross_verifier,
    save_cross_verifier,
)
from texedo.see.semantics.cross.net import CrossCfg, CrossNet
from texedo.see.semantics.cross.verifier import Calibration, CrossVerifier
from texedo.see.semantics.protocol import SemanticVerifier, all_pairs, r_text


def small_net(seed: int = 0) -> CrossNet:
    torch.manual_seed(seed)
    cfg = CrossCfg(
        width=32, heads=2, feed_forward=48, motion_layers=1, pair_layers=1, text_size=24
    )
    net = CrossNet(cfg).eval()
    # Untrained, all pairs are nearly alike; so they are told apart.
    torch.nn.init.normal_(net.head[-1].weight, std=3.0)
    return net


def small_verifier(calibration: Calibration = Calibration()) -> CrossVerifier:  # noqa: B008
    words = WordPiece(WORDS, 64)
    return CrossVerifier(small_net(), small_encoder(), words, calibration=calibration)


MOTIONS = [random_motion(seed, frames) for seed, frames in enumerate((40, 250, 90, 7))]


def test_all_pairs_go_sentence_by_sentence() -> None:
    assert all_pairs(2, 2).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_a_score_does_not_depend_on_the_company() -> None:
    verifier: SemanticVerifier = small_verifier()
    together = verifier.compare(["walk left", "jump"], MOTIONS, all_pairs(2, 4))
    alone = [
        r_text(verifier, text, [m])[0]
        for text in ("walk left", "jump")
        for m in MOTIONS
    ]
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert together.std() > 1e-3


def test_a_score_does_not_depend_on_place_and_heading() -> None:
    moved = [place(m, xy=np.array([7.0, -3.0]), yaw=2.5) for m in MOTIONS]
    np.testing.assert_allclose(
        *(r_text(small_verifier(), "walk", m) for m in (MOTIONS, moved)), atol=1e-4
    )


def test_scores_are_probabilities_by_the_calibrated_line() -> None:
    logits = small_verifier().logits(["wave"], MOTIONS, all_pairs(1, 4))
    scores = r_text(small_verifier(Calibration(2.0, -1.0)), "wave", MOTIONS)
    np.testing.assert_allclose(scores, 1 / (1 + np.exp(1 - 2 * logits)), rtol=1e-9)


def test_the_empty_prompt_unknown_words_and_two_frames_have_a_score() -> None:
    verifier = small_verifier()
    short = Motion.from_qpos(random_motion(3).to_qpos()[:2])
    scores = verifier.compare(["", "§§ 漢字", "walk " * 90], [short], all_pairs(3, 1))
    assert ((scores > 0) & (scores < 1)).all()


def test_a_long_motion_has_the_mean_logit_of_its_windows() -> None:
    verifier = small_verifier()
    long = random_motion(5, frames=1500)  # 30 s: windows at 0 s and at 10 s
    frames = long.to_qpos()
    whole = verifier.logits(["jump"], [long], all_pairs(1, 1))[0]
    assert np.isfinite(whole)
    first = verifier.logits(
        ["jump"], [Motion.from_qpos(frames[:1000])], all_pairs(1, 1)
    )[0]
    assert whole != pytest.approx(first, abs=1e-6)


def test_ten_minutes_have_a_score() -> None:
    assert (
        0 < r_text(small_verifier(), "walk", [random_motion(6, frames=30_000)])[0] < 1
    )


def test_a_number_that_is_none_is_named_with_its_frame() -> None:
    qpos = random_motion(0).to_qpos().copy()
    qpos[17, 9] = np.nan
    bad = Motion.__new__(Motion)
    object.__setattr__(bad, "to_qpos", lambda: qpos)
    with pytest.raises(TexedoError, match="Motion 0 .* frame 17"):
        r_text(small_verifier(), "walk", [bad])


def test_no_pairs_have_no_scores() -> None:
    assert len(small_verifier().compare(["walk"], [], all_pairs(1, 0))) == 0


def test_a_stored_verifier_gives_the_same_scores(tmp_path: Path) -> None:
    folder, words = tmp_path / "semantics", WordPiece(WORDS, 64)
    save_text_front(folder / "text_encoder", small_encoder(), words)
    sealed = str(read_config(folder / "text_encoder", kind=TEXT_KIND)["sha256"])
    save_cross_verifier(
        folder, small_net(), text_encoder=sealed, calibration=Calibration(0.5, 0.25)
    )
    loaded = load_cross_verifier(folder)
    assert loaded.calibration == Calibration(0.5, 0.25) and loaded.name == "semantics"
    np.testing.assert_allclose(
        r_text(loaded, "walk", MOTIONS),
        r_text(small_verifier(Calibration(0.5, 0.25)), "walk", MOTIONS),
        atol=0.03,  # Stored in eight and sixteen bits.
    )


def test_another_text_encoder_is_refused(tmp_path: Path) -> None:
    folder, words = tmp_path / "semantics", WordPiece(WORDS, 64)
    save_text_front(folder / "text_encoder", small_encoder(1), words)
    save_cross_verifier(folder, small_net(), text_encoder="0123456789abcdef")
    with pytest.raises(CheckpointError, match="not the text encoder .* 0123456789ab"):
        load_cross_verifier(folder)


def test_moving_a_verifier_moves_nobody_elses_text_encoder() -> None:
    encoder, words = small_encoder(), WordPiece(WORDS, 64)
    first = CrossVerifier(small_net(), encoder, words)
    second = CrossVerifier(small_net(), encoder, words)
    before = r_text(second, "walk left", MOTIONS)
    assert first.to("meta").device.type == "meta"
    assert encoder.embeddings.LayerNorm.weight.device.type == "cpu"
    np.testing.assert_array_equal(r_text(second, "walk left", MOTIONS), before)
