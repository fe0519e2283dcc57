"""The diffusion generator: noise out, frames between, candidates that stand alone."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.support.motions import random_motion
from tests.support.small_diffusion import SIZES, small_diffusion
from tests.support.small_lm import bert_folder
from texedo.checkpoints.artifact import write_artifact
from texedo.core.errors import CheckpointError, GenerationError
from texedo.language.front import load_text_front, save_text_front
from texedo.learning.features import features_from_qpos
from texedo.motion.edit import canonicalize
from texedo.text.diffusion.artifact import load_diffusion, save_diffusion
from texedo.text.diffusion.denoiser import DenoiserCfg
from texedo.text.diffusion.frames import motion_of
from texedo.text.diffusion.model import Asked, lessened, levels
from texedo.text.generators.diffusion import DiffusionGenerator
from texedo.text.generators.find import find_generator
from texedo.text.generators.prompts import Sampling
from texedo.text.generators.protocol import check_settings


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    model = small_diffusion()
    folder = bert_folder(tmp_path / "bert", model.text_encoder)
    return save_diffusion(tmp_path / "run" / "diffusion", model, encoder=folder)


def test_a_motion_is_all_motion_at_first_and_all_noise_at_last() -> None:
    assert levels(0.0) == (1.0, 0.0)
    assert levels(1 / 3) == pytest.approx((np.sqrt(3) / 2, 0.5))
    assert levels(1.0) == pytest.approx((0.0, 1.0))


def test_with_the_right_guess_noise_is_taken_out_exactly() -> None:
    x, noise = torch.tensor([2.0, -1.0]), torch.tensor([0.5, 3.0])
    motion_share, noise_share = levels(0.8)
    z = motion_share * x + noise_share * noise
    torch.testing.assert_close(lessened(z, x, 0.8, 0.0), x)
    less = lessened(z, x, 0.8, 1 / 3)
    torch.testing.assert_close(less, np.sqrt(3) / 2 * x + 0.5 * noise)


def test_every_second_frame_is_enough_for_a_motion() -> None:
    motion = canonicalize(random_motion(3, 101))
    back = motion_of(features_from_qpos(motion.to_qpos())[::2])
    assert len(back) == 101
    np.testing.assert_allclose(back.joint_pos, motion.joint_pos, atol=0.01)
    np.testing.assert_allclose(back.root_pos_w, motion.root_pos_w, atol=0.02)
    assert len(motion_of(features_from_qpos(motion.to_qpos())[::2], 64)) == 64


def test_places_behind_the_end_change_nothing() -> None:
    model = small_diffusion()
    torch.manual_seed(1)
    noisy, text = torch.randn(1, 24, 37), torch.randn(1, 5, 24)
    longer = torch.cat((noisy, torch.randn(1, 40, 37)), dim=1)
    about = (torch.tensor([0.4]), torch.tensor([12]), text, torch.ones(1, 5) > 0)
    with torch.inference_mode():
        short, long = model.denoiser(noisy, *about), model.denoiser(longer, *about)
    torch.testing.assert_close(long[:, :24], short, atol=1e-5, rtol=1e-5)


def test_a_candidate_is_the_same_alone_and_in_company() -> None:
    model = small_diffusion()
    asked = Asked(seed=5, temperature=1.0, guidance=2.0, tokens=None)
    many = model.sample(["walk", "person jump and wave"], range(4), asked)
    alone = model.sample(["person jump and wave"], range(2, 3), asked, threads=1)[0][0]
    np.testing.assert_array_equal(alone, many[1][2])
    assert not np.array_equal(many[0][0][:16], many[0][1][:16])
    other = model.sample(["walk"], range(1), asked._replace(seed=6))[0][0]
    assert not np.array_equal(other[:16], many[0][0][:16])


def test_guidance_one_is_the_guess_with_the_text_alone() -> None:
    model = small_diffusion()
    asked = Asked(seed=0, temperature=1.0, guidance=1.0, tokens=12)
    plain = model.sample(["walk"], range(1), asked)[0][0]
    nearly = model.sample(["walk"], range(1), asked._replace(guidance=1.0001))[0][0]
    np.testing.assert_allclose(plain, nearly, atol=1e-3)
    strong = model.sample(["walk"], range(1), asked._replace(guidance=8.0))[0][0]
    assert np.abs(strong - plain).max() > 1e-3


def test_motions_last_as_long_as_asked_for(saved: Path) -> None:
    generator = find_generator(str(saved), device="cpu")
    for seconds in (0.5, 1.02, 3.0):
        (motion,) = generator.sample("walk", 1, duration=seconds)
        assert motion.duration == pytest.approx(seconds)
    # 48 places of four frames are 192 frames, of which the last is not seen.
    with pytest.raises(GenerationError, match=r"duration 5 s: .* at most 3\.7 s"):
        generator.sample("walk", 1, duration=5.0)


def test_there_are_no_tokens_to_choose_from(saved: Path) -> None:
    generator = find_generator(str(saved), device="cpu")
    with pytest.raises(GenerationError, match="top_k 50: generator diffusion has no"):
        check_settings(generator, Sampling(top_k=50))
    with pytest.raises(GenerationError, match="top_p 0.9"):
        generator.sample("walk", 1, top_p=0.9)
    check_settings(generator, Sampling(temperature=0.8, guidance=2.0, duration=1.0))


def test_temperature_is_the_size_of_the_first_noise(saved: Path) -> None:
    generator = find_generator(str(saved), device="cpu")

    def spread(temperature: float) -> float:
        drawn = generator.sample("walk", 6, temperature=temperature, duration=1.0)
        return float(np.stack([m.joint_pos for m in drawn]).std(axis=0).mean())

    assert spread(0.1) < 0.5 * spread(1.0)


def test_a_run_and_its_generator_are_the_same_generator(saved: Path) -> None:
    inner, outer = find_generator(str(saved)), find_generator(str(saved.parent))
    assert isinstance(outer, DiffusionGenerator)
    assert inner.digest == outer.digest and inner.name == outer.name == "diffusion"
    assert outer.sample("walk", 2, seed=3) == inner.sample("walk", 2, seed=3)
    assert outer.sample_part(["walk"], range(1, 2), seed=3)[0] == [
        outer.sample("walk", 2, seed=3)[1]
    ]


def test_what_is_stored_has_three_digits_of_every_weight(saved: Path) -> None:
    model, back = small_diffusion(), load_diffusion(saved)
    assert (back.guidance, back.steps) == (model.guidance, 4)
    for name, tensor in model.denoiser.state_dict().items():
        stored = back.denoiser.state_dict()[name]
        torch.testing.assert_close(stored, tensor, rtol=1e-3, atol=1e-6)
    assert torch.equal(back.feature_mean, model.feature_mean)


def test_another_text_encoder_is_refused(saved: Path) -> None:
    front = saved / "text_encoder"
    encoder, words = load_text_front(front)
    with torch.no_grad():
        encoder.embeddings.LayerNorm.weight.mul_(2.0)
    save_text_front(front, encoder, words)
    with pytest.raises(CheckpointError, match="trained with another text encoder"):
        load_diffusion(saved)


def test_a_config_that_makes_no_network_is_one_line(saved: Path) -> None:
    config = json.loads((saved / "config.json").read_text())
    config["model"]["heads"] = 5
    (saved / "config.json").write_text(json.dumps(config))
    with pytest.raises(CheckpointError, match="width 32 must be an even number"):
        load_diffusion(saved)
    write_artifact(saved, kind="motion-diffusion", config={}, tensors={})
    with pytest.raises(CheckpointError, match="has no guidance; copy the folder again"):
        find_generator(str(saved))


@pytest.mark.parametrize("sizes", [{"heads": 5}, {"stride": 3}])
def test_sizes_that_do_not_go_together_are_refused(sizes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="heads|stride"):
        DenoiserCfg(**{"width": SIZES.width, **sizes})
