"""The diffusion generator: a prompt in, features of N candidate motions out.

A motion begins as noise, all frames at once. In every step the denoiser guesses the
motion behind the noise, and the noise is lessened as if the guess were right (DDIM):

    x = without + guidance (with - without)        guesses with and without the prompt
    z' = cos(t' pi/2) x + sin(t' pi/2) (z - cos(t pi/2) x) / sin(t pi/2)

Nothing but the first noise and the length is random, and both belong to the candidate.
On a CPU every candidate is computed by itself, so that its bits depend on seed, prompt,
settings and its number alone; on a GPU many go at once, and only nearly the same bits
come out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from texedo.core.threads import one_torch_thread, torch_workers
from texedo.language.encoder import TextEncoder, padded_length, text_states
from texedo.language.reading import Reader
from texedo.language.word_pieces import Pieces, WordPiece
from texedo.learning.features import NUM_FEATURES
from texedo.motion import FPS
from texedo.text.diffusion.denoiser import Denoiser
from texedo.text.streams import candidate_stream

Float32 = NDArray[np.float32]

EVERY = 2
"""The model sees one of so many frames of a motion."""
STEPS = 25
"""Steps from noise to motion."""
GUIDANCE = 2.5
_PLACES = 16
"""A candidate's shape is a multiple of so many places."""
_MAX_ROWS = 256
"""Candidates on a GPU at once."""
_RARE = 0.05
"""Share of the lengths that is not drawn, at either end of the distribution."""
MIN_TOKENS = 8


class Asked(NamedTuple):
    """How candidates are drawn."""

    seed: int
    temperature: float
    """The first noise is so many times as large."""
    guidance: float
    tokens: int | None
    """Places of the motion; None leaves it to the model."""


class Candidate(NamedTuple):
    """One that is to be drawn."""

    prompt: int
    tokens: int
    noise: Float32
    """(frames, 37)."""


class Text(NamedTuple):
    """States (S, text_size) of a prompt, and where its word pieces are (S,)."""

    states: Tensor
    mask: Tensor


class MotionDiffusion(nn.Module):
    """Text encoder, its words, the denoiser, and the scales of the features."""

    feature_mean: Tensor
    feature_std: Tensor

    def __init__(
        self, text_encoder: TextEncoder, words: WordPiece, denoiser: Denoiser
    ) -> None:
        super().__init__()
        self.text_encoder, self.words, self.denoiser = text_encoder, words, denoiser
        self.reader = Reader(words.vocabulary) if words.normal else None
        """Puts prompts right; None: they are read as they are."""
        self.guidance = GUIDANCE
        """What it is sampled with unless told otherwise."""
        self.steps = STEPS
        self.metadata: dict[str, Any] = {}
        self.register_buffer("feature_mean", torch.zeros(NUM_FEATURES))
        self.register_buffer("feature_std", torch.ones(NUM_FEATURES))
        self.eval()

    @property
    def device(self) -> torch.device:
        return self.feature_mean.device

    @property
    def frames_of_token(self) -> int:
        """Frames at 50 Hz of a place of the transformer."""
        return self.denoiser.cfg.stride * EVERY

    @property
    def longest(self) -> float:
        """Of the motions that it can make [s]."""
        return self.denoiser.cfg.max_tokens * self.frames_of_token / FPS

    def read(self, prompt: str) -> Pieces:
        """The prompt as the model reads it; `.notes()` says what became of it."""
        if self.reader is None:
            return self.words.read(prompt)
        reading = self.reader.read(prompt)
        return self.words.read(reading.text)._replace(remarks=reading.remarks)

    def read_as(self, prompt: str) -> str:
        """The prompt, put right."""
        return prompt if self.reader is None else self.reader.read(prompt).text

    def sample(
        self,
        prompts: Sequence[str],
        part: range,
        asked: Asked,
        *,
        threads: int | None = None,
    ) -> list[list[Float32]]:
        """Features (T, 37) at 25 Hz of the candidates `part` of each prompt.

        Prompts that are read alike have the same candidates.
        """
        told = [self.read_as(prompt) for prompt in prompts]
        with one_torch_thread():
            texts = [self._text(prompt) for prompt in (*told, "")]
            jobs = [
                self._candidate(i, told[i], texts[i], number, asked)
                for i in range(len(told))
                for number in part
            ]
        if self.device.type == "cpu":
            with torch_workers(threads) as pool:
                done = list(
                    pool.map(lambda job: self._denoised([job], texts, asked)[0], jobs)
                )
        else:
            done = self._in_batches(jobs, texts, asked)
        found = iter(done)
        return [[next(found) for _ in part] for _ in prompts]

    def _in_batches(
        self, jobs: Sequence[Candidate], texts: Sequence[Text], asked: Asked
    ) -> list[Float32]:
        """Candidates of like length together."""
        order = sorted(range(len(jobs)), key=lambda i: jobs[i].tokens)
        done: dict[int, Float32] = {}
        for first in range(0, len(order), _MAX_ROWS):
            own = order[first : first + _MAX_ROWS]
            rows = self._denoised([jobs[i] for i in own], texts, asked)
            done |= dict(zip(own, rows, strict=True))
        return [done[i] for i in range(len(jobs))]

    @torch.inference_mode()
    def _text(self, prompt: str) -> Text:
        ids = self.words.read(prompt).ids
        length = padded_length(len(ids), self.text_encoder.cfg.max_tokens)
        states, mask = text_states(self.text_encoder, ids, length)
        return Text(states[0], mask[0])

    def _candidate(
        self, prompt: int, told: str, text: Text, number: int, asked: Asked
    ) -> Candidate:
        """Its length, then its noise, out of its own random numbers."""
        rng = np.random.Generator(candidate_stream(asked.seed, told, number))
        drawn = self._drawn_tokens(text, float(rng.random()))
        tokens = drawn if asked.tokens is None else asked.tokens
        shape = (tokens * self.denoiser.cfg.stride, NUM_FEATURES)
        noise = rng.standard_normal(shape, dtype=np.float32)
        return Candidate(prompt, tokens, noise * np.float32(asked.temperature))

    @torch.inference_mode()
    def _drawn_tokens(self, text: Text, number: float) -> int:
        """A length for a sentence by a number in [0, 1): none of the rarest."""
        logits = self.denoiser.length_logits(text.states[None], text.mask[None])[0]
        share = torch.softmax(logits.double().cpu(), dim=0).numpy()
        edges = np.concatenate(([0.0], np.cumsum(share)))
        at = (_RARE + (1 - 2 * _RARE) * number) * edges[-1]
        most = self.denoiser.cfg.max_tokens
        tokens = np.interp(at, edges, np.linspace(0.0, most, len(edges)))
        return int(np.clip(round(float(tokens)), min(MIN_TOKENS, most), most))

    @torch.inference_mode()
    def _denoised(
        self, jobs: Sequence[Candidate], texts: Sequence[Text], asked: Asked
    ) -> list[Float32]:
        """Features of these candidates, computed together; the last text is no text."""
        stride = self.denoiser.cfg.stride
        longest = max(job.tokens for job in jobs)
        longest = min(-(-longest // _PLACES) * _PLACES, self.denoiser.cfg.max_tokens)
        z = torch.zeros(len(jobs), longest * stride, NUM_FEATURES)
        for row, job in zip(z, jobs, strict=True):
            row[: len(job.noise)] = torch.from_numpy(job.noise)
        z = z.to(self.device)
        guided = asked.guidance != 1.0
        read = [texts[job.prompt] for job in jobs]
        states, mask = _together([*read, *[texts[-1]] * len(jobs)] if guided else read)
        tokens = torch.tensor([job.tokens for job in jobs], device=self.device)
        times = 1.0 - np.arange(self.steps + 1) / self.steps
        for now, then in zip(times[:-1], times[1:], strict=True):
            x = self._guess(z, float(now), tokens, Text(states, mask), asked.guidance)
            z = lessened(z, x, float(now), float(then))
        features = (z * self.feature_std + self.feature_mean).cpu().numpy()
        return [
            row[: job.tokens * stride] for row, job in zip(features, jobs, strict=True)
        ]

    def _guess(
        self, z: Tensor, time: float, tokens: Tensor, text: Text, guidance: float
    ) -> Tensor:
        """The motion behind the noise, carried past the guess without a text."""
        copies = len(text.states) // len(z)
        at = torch.full((len(z) * copies,), time, device=z.device)
        rows = z.repeat(copies, 1, 1), at, tokens.repeat(copies)
        guess: Tensor = self.denoiser(*rows, text.states, text.mask)
        if copies == 1:
            return guess
        told, untold = guess.chunk(2)
        return untold + guidance * (told - untold)


def levels(time: float) -> tuple[float, float]:
    """Shares of motion and noise at a time: 1 and 0 at the start, 0 and 1 at the end."""
    return math.cos(0.5 * math.pi * time), math.sin(0.5 * math.pi * time)


def lessened(z: Tensor, x: Tensor, now: float, then: float) -> Tensor:
    """`z` at an earlier time `then`, if `x` is the motion behind it."""
    motion, noise = levels(now)
    less_motion, less_noise = levels(then)
    return less_motion * x + less_noise * (z - motion * x) / noise


def _together(texts: Sequence[Text]) -> Iterator[Tensor]:
    """States (B, S, text_size) and masks (B, S), padded to the longest."""
    longest = max(len(text.mask) for text in texts)
    for part in range(2):
        pads = [(0, 0) * (1 - part) + (0, longest - len(t.mask)) for t in texts]
        yield torch.stack(
            [
                nn.functional.pad(t[part], pad)
                for t, pad in zip(texts, pads, strict=True)
            ]
        )
