"""The weights that ship: whole, small enough, and able to do what the README says."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.standing import standing
from texedo.checkpoints.bundled import BUNDLED, GENERATOR, TOKENIZER, TRACKER
from texedo.evaluation.words import deeds_of
from texedo.motion import Motion
from texedo.pipeline.refusal import find_refuser
from texedo.pipeline.refusal.refuser import KIND as REFUSAL
from texedo.see.dynamics.find import find_dynamics
from texedo.see.semantics.find import find_semantics
from texedo.see.semantics.protocol import all_pairs
from texedo.text.generators.find import find_generator
from texedo.tracker.policies.find import find_policy

MEGABYTE = 1_000_000
SEMANTICS, PAPER = "semantics", "semantics-paper"
DYNAMICS, DYNAMICS_PAPER = "dynamics", "dynamics-paper"
PARTS = (
    GENERATOR,
    SEMANTICS,
    PAPER,
    TOKENIZER,
    TRACKER,
    DYNAMICS,
    DYNAMICS_PAPER,
    REFUSAL,
)
CONFIGS = sorted(BUNDLED.rglob("config.json"))


def test_tracker_tokenizer_generator_and_verifiers_ship() -> None:
    folders = {path.parent.relative_to(BUNDLED).as_posix() for path in CONFIGS}
    assert folders == {*PARTS, f"{GENERATOR}/text_encoder"}
    assert all((BUNDLED / part / "README.md").exists() for part in PARTS)


@pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.parent.name)
def test_weights_are_those_their_config_names(config: Path) -> None:
    sealed = json.loads(config.read_bytes())["sha256"]
    weights = config.with_name("weights.safetensors").read_bytes()
    assert hashlib.sha256(weights).hexdigest() == sealed


def test_all_weights_together_are_below_100_megabytes() -> None:
    sizes = [path.stat().st_size for path in BUNDLED.rglob("*") if path.is_file()]
    assert max(sizes) < 50 * MEGABYTE and sum(sizes) < 100 * MEGABYTE


def test_who_is_asked_to_wave_the_right_hand_raises_it_and_not_the_left() -> None:
    motions = find_generator("texedo").sample(
        "a person waves with the right hand", 8, seed=0, duration=4.0
    )
    assert [len(motion) for motion in motions] == [201] * 8
    left, right = zip(*(deeds_of(motion).hands for motion in motions), strict=True)
    # The shoulder is 0.29 m above the pelvis, a hand that hangs below it.
    assert sum(height > 0.25 for height in right) >= 7
    assert sum(height > 0.25 for height in left) <= 1


def test_the_verifier_tells_a_wave_of_the_right_hand_from_other_things() -> None:
    wave = find_generator("texedo").sample(
        "a person waves with the right hand", 2, seed=0, duration=4.0
    )
    texts = [
        "a person waves with the right hand",
        "a person waves with the left hand",
        "a person jumps twice",
    ]
    pairs = all_pairs(3, 2)
    right, left, jump = find_semantics().compare(texts, wave, pairs).reshape(3, 2)
    assert (right > 0.5).all() and (right > left).all() and (jump < 0.1).all()
    # The paper's knows the action, too.
    paper = find_semantics("paper").compare(texts, wave, pairs).reshape(3, 2)
    assert (paper[0] > paper[2]).all()


@pytest.mark.parametrize("variant", ["texedo", "paper"])
def test_the_dynamic_verifiers_speak_for_the_tracker_that_ships(variant: str) -> None:
    assert find_dynamics(variant).tracker == find_policy("texedo").digest


def test_the_dynamic_verifier_trusts_standing_and_not_a_leap_to_the_ceiling() -> None:
    still = standing(150, swing=0.0)
    qpos = still.to_qpos()
    qpos[75:, 2] += 1.5
    forecast = find_dynamics().foresee([still, Motion.from_qpos(qpos)])
    assert forecast.success[0] > 0.97 and forecast.success[1] < 0.1
    assert forecast.hazard is not None
    # The robot is asked to be up there after 1.5 s, and is not a moment later.
    assert abs(int(np.argmax(forecast.hazard[1])) - 75) <= 15


def test_the_rule_that_refuses_is_of_the_encoder_and_verifier_that_ship() -> None:
    refuser = find_refuser(semantics=find_semantics().digest)
    assert refuser is not None and refuser.counts_r_text, (
        "other weights need another rule: texedo train refusal"
    )


@pytest.mark.parametrize("prompt", ["do a backflip", "asdf", "the stock market fell"])
def test_what_nothing_is_known_of_is_refused_and_three_things_are_offered(
    prompt: str,
) -> None:
    refuser = find_refuser(semantics=find_semantics().digest)
    assert refuser is not None
    # Candidates that fit as well as not; R_text of a walk is no better.
    refusal = refuser.judge(prompt, [0.5] * 32)
    assert refusal is not None and len(set(refusal.known)) == 3


@pytest.mark.parametrize(
    "prompt",
    [
        "a person walks forward and waves",
        "raise your left hand",
        "jump twice, then turn around",
        "a persno wlaks in a cirlce",
    ],
)
def test_what_is_known_is_not_refused(prompt: str) -> None:
    refuser = find_refuser(semantics=find_semantics().digest)
    assert refuser is not None
    assert refuser.judge(prompt, [0.5] * 32) is None
    assert refuser.judge_early(prompt) is None
