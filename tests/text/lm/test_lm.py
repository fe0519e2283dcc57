"""The language model: T5 to the digit, and candidates that keep their tokens."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor

from tests.support.small_lm import LEVELS, small_model
from texedo.core.errors import CheckpointError, GenerationError
from texedo.text.lm.artifact import load_language_model, save_language_model
from texedo.text.lm.candidates import BLOCK, Request, sample
from texedo.text.lm.code_table import CodeTable
from texedo.text.lm.decode_step import DecoderWeights, StepNet, text_memory
from texedo.text.lm.decoder import remaining_buckets
from texedo.text.lm.linear import FixedLinear
from texedo.text.lm.model import MotionLanguageModel
from texedo.text.lm.sampler import SamplingCfg
from texedo.text.lm.t5 import T5Model, load_t5, t5_from_config

PROMPT = "person walks left and jumps"
T5_SIZES = {
    "vocab_size": 70,
    "d_model": 32,
    "d_kv": 12,
    "d_ff": 40,
    "num_layers": 2,
    "num_decoder_layers": 3,
    "num_heads": 3,
    "feed_forward_proj": "gated-gelu",
    "tie_word_embeddings": False,
}


@pytest.mark.parametrize("tied", [False, True])
def test_t5_gives_the_logits_of_the_reference(tied: bool, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.T5Config(**{**T5_SIZES, "tie_word_embeddings": tied})
    reference = transformers.T5ForConditionalGeneration(config).eval()
    for name, parameter in reference.named_parameters():
        spread = 2.0 if "relative" in name else 0.3
        torch.nn.init.normal_(parameter, std=spread)
    tensors = {k: v.clone() for k, v in reference.state_dict().items()}
    if not tied:
        reference.lm_head.weight = torch.nn.Parameter(0.3 * torch.randn(70, 32))
        tensors["lm_head.weight"] = reference.lm_head.weight.detach().clone()
    save_file(tensors, tmp_path / "model.safetensors")
    sizes = {**T5_SIZES, "tie_word_embeddings": tied}
    (tmp_path / "config.json").write_text(json.dumps(sizes))
    ours = load_t5(tmp_path)
    ids = torch.randint(70, (4, 23))
    mask = torch.arange(23) < torch.tensor([23, 11, 1, 5])[:, None]
    targets = torch.randint(70, (4, 150))
    with torch.inference_mode():
        expected = reference(
            input_ids=ids, attention_mask=mask.long(), decoder_input_ids=targets
        ).logits
        found = ours(ids, mask, targets)
    assert (found - expected).abs().max() < 1e-4 * max(1, float(expected.abs().max()))


def test_a_t5_of_the_first_version_is_refused() -> None:
    with pytest.raises(CheckpointError, match="gated-gelu"):
        t5_from_config({**T5_SIZES, "feed_forward_proj": "relu"})


def test_a_folder_that_is_no_t5_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="not a T5 folder"):
        load_t5(tmp_path)


def random_t5() -> T5Model:
    torch.manual_seed(1)
    model = t5_from_config(T5_SIZES).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return model


def test_steps_give_the_logits_of_the_whole_sequence() -> None:
    model = random_t5()
    states = torch.randn(2, 9, 32)
    mask = torch.arange(9) < torch.tensor([9, 4])[:, None]
    tokens = torch.randint(70, (6, 21))
    weights = DecoderWeights(
        model.decoder, model.shared.weight, model.lm_head.weight, 0
    )
    net = StepNet(weights, max_steps=32)
    cache = net.new_cache(6, 32)
    memory = text_memory(model.decoder, states, mask)
    with torch.inference_mode():
        rows = states.repeat_interleave(3, 0), mask.repeat_interleave(3, 0)
        expected = model.decoder(model.shared(tokens), None, *rows)
        expected = model.lm_head(expected)
        for t in range(21):
            x = net.inputs[tokens[:, t]]
            logits = net(x, torch.tensor([t]), 16 if t < 16 else 32, cache, memory)
            assert (logits - expected[:, t]).abs().max() < 1e-3, t


def test_candidates_share_the_keys_of_their_prompt() -> None:
    model = small_model()
    memory = model.memory([PROMPT])
    assert [len(keys) for keys in memory.keys] == [1, 1]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("num_tokens", "guidance"), [(None, 1.0), (20, 1.0), (20, 2.0)]
)
def test_a_candidate_does_not_depend_on_its_company(
    threads: int, num_tokens: int | None, guidance: float
) -> None:
    model = small_model(max_tokens=48)
    model.guidance = guidance
    others = ["jump", "wave and walk " * 5, "left " * 40]
    many = model.sample_tokens([PROMPT], 32, seed=3, num_tokens=num_tokens, threads=1)
    alone = model.sample_tokens(
        [PROMPT], 3, seed=3, num_tokens=num_tokens, threads=threads
    )
    among = model.sample_tokens(
        [others[0], PROMPT, *others[1:]],
        BLOCK + 1,
        seed=3,
        num_tokens=num_tokens,
        threads=threads,
    )
    for i in range(3):
        assert np.array_equal(alone[0][i], many[0][i])
    for i in range(BLOCK + 1):
        assert np.array_equal(among[1][i], many[0][i])
    assert len({tuple(row) for row in many[0]}) > 20


@pytest.mark.parametrize("guidance", [0.0, 0.5, 1.0, 2.5])
def test_guidance_carries_the_logits_on_from_those_without_a_text(
    guidance: float,
) -> None:
    model = small_model()
    model.guidance = guidance
    (found,) = model.sample_tokens([PROMPT], 1, seed=0, top_k=1, num_tokens=12)[0]
    tokens = [model.decoder.start]
    heard = remaining_buckets(torch.arange(12, 0, -1))[None]
    for step in range(12):
        told, free = (
            _next_logits(model, text, tokens, heard[:, : step + 1])
            for text in (PROMPT, "")
        )
        combined = free + guidance * (told - free)
        tokens.append(int(combined[: model.num_codes].argmax()))
    assert found.tolist() == tokens[1:]


@torch.inference_mode()
def _next_logits(
    model: MotionLanguageModel, text: str, tokens: list[int], heard: torch.Tensor
) -> torch.Tensor:
    ids = torch.tensor([model.read(text).ids])
    mask = torch.ones_like(ids, dtype=torch.bool)
    states = model.text_encoder(ids, mask)
    logits: torch.Tensor = model.decoder(torch.tensor([tokens]), heard, states, mask)
    return logits[0, -1]


@pytest.mark.parametrize("guidance", [-1.0, 11.0, float("nan")])
def test_guidance_out_of_range_is_refused(guidance: float) -> None:
    model = small_model()
    model.guidance = guidance
    with pytest.raises(GenerationError, match="guidance must be 0 to 10"):
        model.sample_tokens([PROMPT], 1, seed=0)


def test_a_model_keeps_the_guidance_it_was_stored_with(tmp_path: Path) -> None:
    model = small_model()
    model.guidance = 2.5
    save_language_model(tmp_path, model)
    assert load_language_model(tmp_path).guidance == 2.5


def test_another_seed_gives_other_candidates() -> None:
    model = small_model()
    first = model.sample_tokens([PROMPT], 4, seed=0, num_tokens=12)[0]
    second = model.sample_tokens([PROMPT], 4, seed=1, num_tokens=12)[0]
    assert not any(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_a_given_length_is_kept_to_the_token() -> None:
    model = small_model()
    for num_tokens in (4, 17, 33):
        rows = model.sample_tokens([PROMPT, "jump"], 5, seed=0, num_tokens=num_tokens)
        assert [len(row) for found in rows for row in found] == [num_tokens] * 10
        assert all(row.dtype == np.int64 and row.max() < 36 for row in rows[0])


def test_motions_are_never_shorter_or_longer_than_the_limits() -> None:
    for end_logit, length in ((-1e4, 40), (1e4, 4)):
        model = small_model(min_tokens=4, max_tokens=40)
        head = model.net.head

        def pushed(
            x: Tensor, head: FixedLinear = head, end: float = end_logit
        ) -> Tensor:
            logits = head(x)
            logits[:, -1] = end
            return logits

        model.net.head = pushed  # type: ignore[assignment]
        rows = model.sample_tokens([PROMPT], 6, seed=0)[0]
        assert [len(row) for row in rows] == [length] * 6


def test_lengths_outside_the_limits_are_refused() -> None:
    model = small_model()
    for num_tokens in (0, 3, 257):
        with pytest.raises(ValueError, match="4 to 256"):
            model.sample_tokens([PROMPT], 1, seed=0, num_tokens=num_tokens)
    with pytest.raises(ValueError, match="n must"):
        model.sample_tokens([PROMPT], -1, seed=0)


def test_nothing_asked_for_is_nothing_given() -> None:
    model = small_model()
    assert model.sample_tokens([], 4, seed=0) == []
    assert model.sample_tokens([PROMPT, "jump"], 0, seed=0) == [[], []]


def test_greedy_sampling_is_the_likeliest_token_of_the_whole_model() -> None:
    model = small_model()
    tokens = model.sample_tokens([PROMPT], 1, seed=0, top_k=1, num_tokens=10)[0][0]
    pieces = model.read(PROMPT).ids
    decoder = model.decoder
    with torch.inference_mode():
        mask = torch.ones(1, len(pieces), dtype=torch.bool)
        text = model.text_encoder(torch.tensor([pieces]), mask)
        inputs = torch.tensor([[decoder.start, *tokens[:-1]]])
        remaining = remaining_buckets(10 - torch.arange(10))[None]
        logits = decoder(inputs, remaining, text, mask)[0, :, :-1]
    assert logits.argmax(-1).tolist() == tokens.tolist()


def test_what_is_to_come_is_told_exactly_up_to_sixteen_tokens() -> None:
    count = torch.tensor([0, 1, 16, 17, 19, 20, 32, 64, 256, 500])
    found = remaining_buckets(count).tolist()
    assert found == [1, 2, 17, 18, 18, 19, 21, 25, 33, 33]


def test_a_code_is_the_sum_of_its_levels_and_a_free_part() -> None:
    table = CodeTable(LEVELS, 5, std=1.0)
    with torch.no_grad():
        rows = table.table()
    assert rows.shape == (39, 5)
    # 23 = 2 + 3 * 1 + 9 * 0 + 18 * 1.
    by_level = table.by_level[[2, 3 + 1, 6 + 0, 8 + 1]].sum(0)
    assert torch.allclose(rows[23], table.free[23] + by_level, atol=1e-6)
    assert torch.equal(rows[36:], table.free[36:])


def test_a_stored_model_samples_what_a_loaded_one_does(tmp_path: Path) -> None:
    model = small_model()
    save_language_model(tmp_path / "a", model, metadata={"step": 5})
    first = load_language_model(tmp_path / "a")
    save_language_model(tmp_path / "b", first)
    second = load_language_model(tmp_path / "b")
    rows = [
        m.sample_tokens([PROMPT], 4, seed=0, num_tokens=30)[0] for m in (first, second)
    ]
    assert all(np.array_equal(a, b) for a, b in zip(*rows, strict=True))
    assert first.metadata == {"step": 5}
    assert len(first.digest) == 64


def test_a_damaged_or_foreign_folder_is_refused(tmp_path: Path) -> None:
    save_language_model(tmp_path, small_model())
    weights = tmp_path / "weights.safetensors"
    good = weights.read_bytes()
    weights.write_bytes(good[:-1] + b"x")
    with pytest.raises(CheckpointError, match="sha256"):
        load_language_model(tmp_path)
    weights.write_bytes(good)
    config = json.loads((tmp_path / "config.json").read_text())
    config["model"]["stack"]["d_model"] = 48
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(CheckpointError, match="do not fit"):
        load_language_model(tmp_path)
    with pytest.raises(CheckpointError, match="no such file"):
        load_language_model(tmp_path / "nowhere")


def test_training_after_sampling_is_seen_by_the_next_sampling() -> None:
    model = small_model()
    before = model.sample_tokens([PROMPT], 2, seed=0, num_tokens=12)[0]
    model.train()
    with torch.no_grad():
        for parameter in model.decoder.parameters():
            parameter.add_(0.5 * torch.randn_like(parameter))
    model.eval()
    after = model.sample_tokens([PROMPT], 2, seed=0, num_tokens=12)[0]
    assert not np.array_equal(before[0], after[0])


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_gpu_replays_the_steps_of_the_cpu() -> None:
    model = small_model()
    prompts = [PROMPT, "jump", "wave " * 30]
    expected = model.sample_tokens(prompts, 5, seed=0, num_tokens=70)
    found = model.to("cuda").sample_tokens(prompts, 5, seed=0, num_tokens=70)
    same = [
        np.mean(a == b)
        for rows in zip(expected, found, strict=True)
        for a, b in zip(*rows, strict=True)
    ]
    # A number at the border of two tokens may fall to either side.
    assert np.median(same) == 1.0


def test_prompts_that_share_blocks_need_not_fill_the_last_one() -> None:
    model = small_model()
    prompts = ("jump", "walk", "wave", "left", "right")
    request = Request(
        prompts=prompts,
        n=1,
        seed=0,
        sampling=SamplingCfg(top_k=200, top_p=0.98),
        step_inputs=model.decoder.step_inputs(8, known=True),
        min_tokens=8,
        together=4,
    )
    rows = sample(model, request, threads=1)
    alone = model.sample_tokens(prompts, 1, seed=0, num_tokens=8)
    assert [len(row[0]) for row in rows] == [8] * 5
    # Blocks of another shape may sum in another order; nearly all tokens stay.
    same = [np.mean(a[0] == b[0]) for a, b in zip(rows, alone, strict=True)]
    assert np.mean(same) > 0.9


# Likelihood


def test_the_likelihood_is_that_of_every_next_token() -> None:
    model = small_model()
    rows = [np.array([3, 1, 2]), np.array([5])]
    found = model.log_likelihood("walk", rows)
    alone = [model.log_likelihood("walk", [row])[0] for row in rows]
    assert found == pytest.approx(alone, abs=1e-4)
    assert model.scored_tokens(0) == 1 and model.scored_tokens(3) == 4
    assert (model.log_likelihood("", rows) != found).all()


def test_all_that_may_follow_the_start_has_probability_one() -> None:
    model = small_model(max_tokens=1)
    rows = [np.array([code]) for code in range(model.num_codes)]
    rows.append(np.array([], dtype=np.int64))  # The end at once.
    assert np.exp(model.log_likelihood("walk", rows)).sum() == pytest.approx(1)


def test_of_a_row_that_is_too_long_no_end_is_asked() -> None:
    model = small_model(max_tokens=4)
    long = np.array([1, 2, 3, 4, 5, 6])
    assert model.scored_tokens(6) == 4
    found = model.log_likelihood("walk", [long, long[:4]])
    assert found[0] == pytest.approx(found[1], abs=1e-4)


def test_a_limit_cuts_candidates_off_and_changes_no_code_before_it() -> None:
    model = small_model(max_tokens=12)
    whole = model.sample_tokens([PROMPT], 8, seed=3)[0]
    cut = model.sample_tokens([PROMPT], 8, seed=3, max_tokens=5)[0]
    assert max(map(len, whole)) > 5
    for short, long in zip(cut, whole, strict=True):
        np.testing.assert_array_equal(short, long[:5])


@pytest.mark.parametrize("guidance", [1.0, 2.0])
def test_a_part_of_the_candidates_is_drawn_without_those_before_it(
    guidance: float,
) -> None:
    model = small_model(max_tokens=24)
    model.guidance = guidance
    many = model.sample_tokens([PROMPT, "jump"], 2 * BLOCK, seed=3)
    for first, n in ((0, 4), (4, 4), (8, 8), (12, 8), (5, 3), (16, 16), (31, 1)):
        part = model.sample_tokens([PROMPT, "jump"], n, seed=3, first=first)
        for whole, own in zip(many, part, strict=True):
            assert len(own) == n
            for expected, found in zip(whole[first:], own, strict=False):
                np.testing.assert_array_equal(found, expected)
