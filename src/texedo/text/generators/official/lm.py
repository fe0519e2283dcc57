"""The language model of the TEXEDO release: Flan-T5-base with motions as words.

The vocabulary is that of Flan-T5 (32,100 pieces), then 7,776 codes, start, end and mask.
A motion is written as: start, codes, end. The decoder begins with the padding mark, as
every T5; the start is then given and not drawn, and after it only codes and the end can
be drawn. What has not ended by the limit is kept as it is.

In training every other caption stood in quotation marks. So of candidates 2k and 2k + 1
one reads the prompt in quotation marks and the other without; a coin says which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from texedo.checkpoints.small_weights import no_weights
from texedo.core.errors import CheckpointError
from texedo.text.generators.official import TEMPERATURE, TOP_K, TOP_P
from texedo.text.generators.official.reader import PAD, T5TextFront, T5Words, TextPieces
from texedo.text.lm.candidates import Request, Shape, sample
from texedo.text.lm.decode_step import DecoderWeights, Memory, StepNet, text_memory
from texedo.text.lm.decoding import Session
from texedo.text.lm.sampler import SamplingCfg, uniforms
from texedo.text.lm.t5 import T5Model, T5Stack, t5_from_config
from texedo.text.tokenizer.fsq import LEVELS

Tokens = NDArray[np.int64]

NUM_CODES = int(np.prod(LEVELS))
MIN_CODES, MAX_CODES = 4, 254
"""Codes of a motion. The release stops at 256 words, padding mark and start included."""
_BEFORE = 1
"""Steps before the first code: the start is one."""


class OfficialStep(StepNet):
    """A step of the decoder; the first one can only give the start."""

    def __init__(self, weights: DecoderWeights, *, max_steps: int) -> None:
        super().__init__(weights, max_steps=max_steps)
        allowed = self.inputs.new_zeros(2, self.head_size)
        allowed[0] = float("-inf")
        allowed[0, NUM_CODES] = 0.0
        allowed[1, NUM_CODES] = float("-inf")
        self._allowed = allowed

    def __call__(
        self,
        x: Tensor,
        at: Tensor,
        window: int,
        cache: list[tuple[Tensor, Tensor]],
        memory: Memory,
    ) -> Tensor:
        """Logits (R, codes + start + end); -inf for what must not follow."""
        logits = super().__call__(x, at, window, cache, memory)
        return logits + self._allowed.index_select(0, at.clamp(max=1))


class OfficialLanguageModel(nn.Module):
    """Samples codes as the release does, all candidates of a prompt together."""

    def __init__(self, model: T5Model, words: T5Words, *, quotes: bool = True) -> None:
        super().__init__()
        first, rows = words.size, len(model.shared.weight)
        if first + NUM_CODES + 3 > rows:
            raise CheckpointError(
                f"tokenizer.json has {first} pieces; with {NUM_CODES + 3} for motions "
                f"that is more than the {rows} the generator knows. It must be that of "
                "google/flan-t5-base (32,100 pieces)."
            )
        table, head = model.shared.weight.detach(), model.lm_head.weight.detach()
        self.front = T5TextFront(words, table, model.encoder)
        self.decoder: T5Stack = model.decoder
        drawn = slice(first, first + NUM_CODES + 2)  # Codes, start, end.
        self.inputs = nn.Parameter(torch.cat((table[drawn], table[PAD : PAD + 1])))
        self.head = nn.Parameter(head[drawn] * model.head_scale)
        self.quotes = quotes
        self._net: StepNet | None = None
        self.sessions: dict[Shape, Session] = {}
        self.eval().requires_grad_(False)

    @property
    def num_codes(self) -> int:
        return NUM_CODES

    @property
    def device(self) -> torch.device:
        return self.inputs.device

    @property
    def net(self) -> StepNet:
        """The decoder merged for sampling; made when first needed."""
        if self._net is None:
            start = len(self.inputs) - 1
            weights = DecoderWeights(self.decoder, self.inputs, self.head, start)
            self._net = OfficialStep(weights, max_steps=_BEFORE + MAX_CODES)
        return self._net

    def read(self, prompt: str) -> TextPieces:
        """The prompt as the model reads it; `.notes()` says what was lost."""
        return self.front.words.read(prompt)

    @torch.inference_mode()
    def memory(self, prompts: Sequence[str]) -> Memory:
        """What candidates see of each prompt."""
        return text_memory(self.decoder, *self.front.states(prompts))

    def sample_tokens(
        self,
        prompts: Sequence[str],
        n: int,
        *,
        seed: int,
        temperature: float = TEMPERATURE,
        top_k: int = TOP_K,
        top_p: float = TOP_P,
        num_tokens: int | None = None,
        threads: int | None = None,
    ) -> list[list[Tokens]]:
        """Codes of `n` candidates for each prompt.

        With `num_tokens` the end cannot be drawn before and the motion is cut there;
        the model does not know of it. On a CPU candidate i depends on prompt, seed,
        settings and i alone.
        """
        if n < 0:
            raise ValueError(f"n must be 0 or more, got {n}.")
        if num_tokens is not None and not MIN_CODES <= num_tokens <= MAX_CODES:
            raise ValueError(
                f"num_tokens must be {MIN_CODES} to {MAX_CODES}, got {num_tokens}."
            )
        cfg = SamplingCfg(temperature=temperature, top_k=top_k, top_p=top_p)
        steps = _BEFORE + (num_tokens or MAX_CODES)
        request = Request(
            prompts=_bare_and_marked(prompts) if self.quotes else tuple(prompts),
            n=-(-n // 2) if self.quotes else n,
            seed=seed,
            sampling=cfg,
            step_inputs=self.inputs.new_zeros(steps, self.inputs.shape[1]),
            min_tokens=_BEFORE + (num_tokens or MIN_CODES),
            together=2 if self.quotes else 1,
        )
        drawn = sample(self, request, threads=threads)
        rows = [[row[_BEFORE:] for row in own] for own in drawn]
        if not self.quotes:
            return rows
        trios = zip(prompts, rows[::2], rows[1::2], strict=True)
        return [_mixed(quoted_candidates(p, n, seed=seed), *two) for p, *two in trios]

    def _apply(self, fn: Any, recurse: bool = True) -> OfficialLanguageModel:
        # Weights may move: what was made of them is stale.
        self._net, self.sessions = None, {}
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        return self


def quoted_candidates(prompt: str, n: int, *, seed: int) -> list[int]:
    """For each candidate 1 if it reads the prompt in quotation marks, else 0."""
    coins = uniforms(f"quotation marks\n{prompt}", range(-(-n // 2)), 1, seed=seed)
    first = (coins[:, 0] < 0.5).astype(int)
    return [int(first[i // 2]) ^ (i % 2) for i in range(n)]


def _bare_and_marked(prompts: Sequence[str]) -> tuple[str, ...]:
    """Each prompt without and with quotation marks."""
    return tuple(text for prompt in prompts for text in (prompt, f'"{prompt}"'))


def _mixed(
    quoted: Sequence[int], bare: Sequence[Tokens], marked: Sequence[Tokens]
) -> list[Tokens]:
    """Candidates in their order, from the rows of both readings."""
    return [(marked if q else bare)[i // 2] for i, q in enumerate(quoted)]


def t5_from_tensors(tensors: Mapping[str, Tensor]) -> T5Model:
    """The T5 whose weights these are; raises `KeyError` or `RuntimeError`."""
    table = tensors["shared.weight"]
    bias = tensors[
        "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
    ]
    query = tensors["encoder.block.0.layer.0.SelfAttention.q.weight"]
    config = {
        "vocab_size": len(table),
        "d_model": table.shape[1],
        "d_kv": len(query) // bias.shape[1],
        "d_ff": len(tensors["encoder.block.0.layer.1.DenseReluDense.wi_0.weight"]),
        "num_layers": _count_blocks(tensors, "encoder"),
        "num_decoder_layers": _count_blocks(tensors, "decoder"),
        "num_heads": bias.shape[1],
        "relative_attention_num_buckets": len(bias),
        "feed_forward_proj": "gated-gelu",
        "tie_word_embeddings": False,
    }
    with no_weights():
        model = t5_from_config(config)
    # The same table again, under the names of those who read it.
    aliases = ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight")
    own = {k: v.float() for k, v in tensors.items() if k not in aliases}
    model.load_state_dict(own, assign=True)
    return model.eval()


def _count_blocks(tensors: Mapping[str, Tensor], stack: str) -> int:
    numbers = {k.split(".")[2] for k in tensors if k.startswith(f"{stack}.block.")}
    return len(numbers)
