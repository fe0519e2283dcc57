"""One prompt and its candidates: the same numbers however they are padded and recorded."""

import warnings
from typing import Any

import numpy as np
import pytest
import torch

from tests.see.semantics.test_cross_verifier import small_net, small_verifier
from tests.support.motions import random_motion
from tests.support.small_lm import small_encoder
from texedo.learning.cuda_graph import Replayed
from texedo.motion import Motion
from texedo.see.semantics.cross import quick
from texedo.see.semantics.cross.quick import PromptScorer, Shape
from texedo.see.semantics.find import find_semantics, has_semantics
from texedo.see.semantics.protocol import all_pairs, r_text

CPU = torch.device("cpu")
IDS = [2, 7, 9, 3]
CLIPS = [random_motion(seed, n).to_qpos() for seed, n in enumerate((40, 121, 2))]


@pytest.fixture
def scorer() -> PromptScorer:
    return PromptScorer(small_net(), small_encoder())


def test_graphs_are_made_for_a_few_shapes() -> None:
    assert Shape(32, 125, 12).padded(64) == Shape(32, 128, 16)
    assert Shape(1, 1, 2).padded(64) == Shape(1, 32, 16)
    assert Shape(33, 500, 63).padded(64) == Shape(64, 512, 64)
    assert Shape(5, 32, 33).padded(40) == Shape(8, 32, 40)
    assert Shape(32, 512, 64).is_usual
    assert not Shape(64, 512, 16).is_usual and not Shape(128, 32, 16).is_usual


@torch.inference_mode()
def test_a_padded_shape_gives_the_same_logits_call_after_call(
    scorer: PromptScorer,
) -> None:
    shape = Shape(4, 64, 16)
    for ids, clips in (
        (IDS, CLIPS),
        ([2, 3], CLIPS[::-1]),
        (IDS + IDS, CLIPS[2:]),  # What the rows held before must not be seen.
        (IDS, CLIPS),
    ):
        padded = scorer.recorded(shape, CPU, ids, clips)
        np.testing.assert_allclose(padded, scorer.logits(ids, clips), atol=1e-5)


@torch.inference_mode()
def test_the_shapes_used_last_are_kept(scorer: PromptScorer) -> None:
    shapes = [Shape(1, 32 * (1 + i), 16) for i in range(9)]
    for shape in [*shapes[:8], shapes[0], shapes[8]]:
        scorer.recorded(shape, CPU, IDS, CLIPS[:1])
    assert list(scorer._slots) == [*shapes[2:8], shapes[0], shapes[8]]


@torch.inference_mode()
def test_weights_that_lie_elsewhere_need_new_graphs(scorer: PromptScorer) -> None:
    shape = Shape(4, 64, 16)
    before = scorer.recorded(shape, CPU, IDS, CLIPS)
    slot = scorer._slots[shape]
    net: Any = scorer._net
    net.patches.weight.data = 2 * net.patches.weight.data
    after = scorer.recorded(shape, CPU, IDS, CLIPS)
    assert scorer._slots[shape] is not slot
    assert np.abs(after - before).max() > 1e-3


@torch.inference_mode()
def test_a_graph_that_cannot_be_made_is_tried_once(
    scorer: PromptScorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks_off(self: Replayed) -> None:
        raise RuntimeError("operation not permitted when stream is capturing")

    def as_on_a_gpu(function: Any, device: torch.device) -> Replayed:
        return Replayed(function, torch.device("cuda"))

    monkeypatch.setattr(Replayed, "_record", breaks_off)
    monkeypatch.setattr(quick, "Replayed", as_on_a_gpu)
    expected, shape = scorer.logits(IDS, CLIPS), Shape(4, 64, 16)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(Replayed.WARM_UP):
            scorer.recorded(shape, CPU, IDS, CLIPS)
    assert scorer.records
    with pytest.warns(RuntimeWarning, match="No CUDA graph"):
        found = scorer.recorded(shape, CPU, IDS, CLIPS)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert not scorer.records and not scorer._slots


def test_the_short_way_and_the_general_one_agree() -> None:
    verifier = small_verifier()
    motions = [Motion.from_qpos(clip) for clip in CLIPS]
    short = verifier.logits(["walk left"], motions, all_pairs(1, 3))
    both = verifier.logits(["walk left", "jump"], motions, all_pairs(2, 3))
    turned = verifier.logits(["walk left"], motions, all_pairs(1, 3)[::-1])
    np.testing.assert_allclose(short, both[:3], atol=1e-5)
    np.testing.assert_allclose(short, turned[::-1], atol=1e-5)


def test_a_prompt_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    verifier = small_verifier()
    read, seen = verifier._words.read, []

    def counted(prompt: str) -> Any:
        seen.append(prompt)
        return read(prompt)

    monkeypatch.setattr(verifier._words, "read", counted)
    motions = [Motion.from_qpos(clip) for clip in CLIPS]
    for prompt in ("walk", "jump", "walk"):
        r_text(verifier, prompt, motions)
        verifier.remarks(prompt)
    assert seen == ["walk", "jump"]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
@pytest.mark.skipif(not has_semantics(), reason="no weights")
def test_a_gpu_gives_the_scores_of_the_cpu_before_and_after_recording() -> None:
    verifier: Any = find_semantics()
    motions = [random_motion(seed, 100 + 5 * seed) for seed in range(20)]
    prompts = ("a person waves with the left hand", "jump twice", "turn around")
    expected = [r_text(verifier, prompt, motions) for prompt in prompts]
    verifier.to("cuda")
    for _ in range(Replayed.WARM_UP + 2):
        for prompt, wanted in zip(prompts, expected, strict=True):
            found = r_text(verifier, prompt, motions)
            np.testing.assert_allclose(found, wanted, atol=2e-3)
    assert verifier._quick.records
