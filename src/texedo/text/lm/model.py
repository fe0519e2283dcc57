"""The motion language model: a prompt in, token sequences of N candidate motions out.

    p(z_1 .. z_L, end | prompt) = product over t of p(z_t | z_<t, enc(prompt))

`enc` is a sentence encoder (MiniLM), p a T5 decoder over the tokenizer's codes. All
candidates of a prompt are sampled together; each has random numbers of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from texedo.language.encoder import TextEncoder, padded_length, states_of, text_states
from texedo.language.reading import Reader
from texedo.language.word_pieces import Pieces, WordPiece
from texedo.text.generators.prompts import DEFAULT_SAMPLING, Sampling, Settings
from texedo.text.lm.candidates import Request, Shape, sample
from texedo.text.lm.decode_step import Memory, StepNet, text_memory
from texedo.text.lm.decoder import MotionDecoder
from texedo.text.lm.decoding import Session
from texedo.text.lm.likelihood import log_likelihood, scored_tokens
from texedo.text.lm.sampler import SamplingCfg

Tokens = NDArray[np.int64]


class MotionLanguageModel(nn.Module):
    """Text encoder, its vocabulary and the decoder."""

    draws_parts = True
    """Candidates may be drawn without those before them."""

    def __init__(
        self, text_encoder: TextEncoder, words: WordPiece, decoder: MotionDecoder
    ) -> None:
        super().__init__()
        self.text_encoder = text_encoder
        self.decoder = decoder
        self.words = words
        self.reader = Reader(words.vocabulary) if words.normal else None
        """Puts prompts right; None: they are read as they are."""
        self.digest = ""
        """Of the stored weights, if it was loaded."""
        self.guidance = 1.0
        """What it is sampled with unless told otherwise, see `SamplingCfg`."""
        self.metadata: dict[str, Any] = {}
        self._net: StepNet | None = None
        self.sessions: dict[Shape, Session] = {}
        self.eval()

    @property
    def num_codes(self) -> int:
        return self.decoder.num_codes

    @property
    def device(self) -> torch.device:
        return self.decoder.remaining.weight.device

    def read(self, prompt: str) -> Pieces:
        """The prompt as the model reads it; `.notes()` says what became of it."""
        if self.reader is None:
            return self.words.read(prompt)
        reading = self.reader.read(prompt)
        return self.words.read(reading.text)._replace(remarks=reading.remarks)

    def sample_tokens(
        self,
        prompts: Sequence[str],
        n: int,
        *,
        seed: int,
        num_tokens: int | None = None,
        max_tokens: int | None = None,
        first: int = 0,
        threads: int | None = None,
        **settings: Unpack[Settings],
    ) -> list[list[Tokens]]:
        """Codes of `n` candidates for each prompt, numbered from `first` on.

        With `num_tokens` every candidate has that length; else each ends by itself,
        between the model's `min_tokens` and `max_tokens`, or is cut off after the
        `max_tokens` given. On a CPU the answer does not
        depend on `n`, on the other prompts or on `threads` (all cores unless given).
        Prompts that are read alike have the same candidates.
        """
        limits = self.decoder.cfg
        if n < 0:
            raise ValueError(f"n must be 0 or more, got {n}.")
        if num_tokens is not None and not (
            limits.min_tokens <= num_tokens <= limits.max_tokens
        ):
            raise ValueError(
                f"num_tokens must be {limits.min_tokens} to {limits.max_tokens}, "
                f"got {num_tokens}."
            )
        own = Sampling(guidance=self.guidance).over(DEFAULT_SAMPLING)
        cfg = SamplingCfg(**Sampling(**settings).over(own).to_dict())
        most = min(max_tokens or limits.max_tokens, limits.max_tokens)
        steps = num_tokens or most
        reader = self.reader
        request = Request(
            prompts=tuple(
                p if reader is None else reader.read(p).text for p in prompts
            ),
            n=n,
            seed=seed,
            sampling=cfg,
            step_inputs=self.decoder.step_inputs(steps, known=num_tokens is not None),
            min_tokens=num_tokens or limits.min_tokens,
            first=first,
        )
        return sample(self, request, threads=threads)

    def log_likelihood(
        self, prompt: str, rows: Sequence[Tokens]
    ) -> NDArray[np.float64]:
        """log p of rows of codes and of their end, (N,) [nat]; "" is no prompt."""
        return log_likelihood(self, prompt, rows)

    def scored_tokens(self, codes: int) -> int:
        """Tokens that `log_likelihood` is a sum over, of a row of so many codes."""
        return scored_tokens(self, codes)

    @property
    def net(self) -> StepNet:
        """The decoder merged for sampling; made when first needed."""
        if self._net is None:
            self._net = StepNet(
                self.decoder.weights(), max_steps=self.decoder.cfg.max_tokens
            )
        return self._net

    def text_length(self, prompt: str) -> int:
        """Padded number of word pieces of a prompt that was put right."""
        used = len(self.words.read(prompt).ids)
        return padded_length(used, self.text_encoder.cfg.max_tokens)

    @torch.inference_mode()
    def memory(self, prompts: Sequence[str]) -> Memory:
        """What candidates see of prompts that were put right, each by itself."""
        length = max(map(self.text_length, prompts))
        states, mask = (
            self._states_one_by_one(prompts, length)
            if self.device.type == "cpu"
            else self._states_together(prompts, length)
        )
        text: Tensor = self.decoder.text_projection(states)
        return text_memory(self.decoder.decoder, text, mask)

    def _states_one_by_one(
        self, prompts: Sequence[str], length: int
    ) -> tuple[Tensor, Tensor]:
        """Bits that do not depend on the company, (prompts, length, hidden)."""
        states, masks = [], []
        for prompt in prompts:
            own = self.text_length(prompt)
            x, mask = text_states(self.text_encoder, self.words.read(prompt).ids, own)
            states.append(nn.functional.pad(x, (0, 0, 0, length - own)))
            masks.append(nn.functional.pad(mask, (0, length - own)))
        return torch.cat(states), torch.cat(masks)

    def _states_together(
        self, prompts: Sequence[str], length: int
    ) -> tuple[Tensor, Tensor]:
        """One batch: a GPU spends its time on starting kernels."""
        rows = [read.ids for read in self.words.read_all(list(prompts))]
        return states_of(self.text_encoder, rows, length)

    def train(self, mode: bool = True) -> MotionLanguageModel:
        self._forget_merged()
        return super().train(mode)

    def _apply(self, fn: Any, recurse: bool = True) -> MotionLanguageModel:
        self._forget_merged()
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        return self

    def _forget_merged(self) -> None:
        """Weights may change or move: what was made of them is stale."""
        self._net = None
        self.sessions = {}
