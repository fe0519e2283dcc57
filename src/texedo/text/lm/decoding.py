"""Sampling of whole token sequences: many candidates at once, step by step.

A `Session` owns the buffers of P prompts with N candidates each. On a GPU its step is
recorded once per window of the cache and replayed; whether all candidates have ended is
asked only now and then, for asking means waiting.

With guidance every row runs twice, with its prompt and without one, and the two states are
combined. The head is linear, so that combined states give combined logits: it runs once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.text.lm.decode_step import Memory, StepNet
from texedo.text.lm.sampler import SamplingCfg, draw

WINDOW_CPU, WINDOW_CUDA = 16, 64
"""A step looks at the cache up to the next multiple of this, not at all of it."""
_ASK_EVERY_CUDA = 16
"""Steps between two looks at whether all have ended; a CPU looks at every step."""


class Plan(NamedTuple):
    """What steers a batch of sequences, step by step."""

    uniforms: NDArray[np.float32]
    """A number in [0, 1) per row and step, (R, steps)."""
    step_inputs: Tensor
    """Added to the token's vector at each step, (steps, D)."""
    min_tokens: int
    """The end is not sampled before this many tokens."""
    used: NDArray[np.bool_]
    """Rows somebody waits for; the others are padding, (R,)."""

    @property
    def steps(self) -> int:
        """Sequences stop here if they have not ended."""
        return int(self.uniforms.shape[1])


class Session:
    """Buffers and steps for a fixed number of prompts, candidates and text tokens."""

    def __init__(
        self,
        net: StepNet,
        *,
        prompts: int,
        candidates: int,
        text_length: int,
        steps: int,
        sampling: SamplingCfg,
        graphs: bool | None = None,
    ) -> None:
        self.net, self.sampling = net, sampling
        if steps > net.max_steps:
            raise ValueError(f"At most {net.max_steps} tokens, got {steps}.")
        rows, device = prompts * candidates, net.inputs.device
        copies = 2 if sampling.guided else 1
        cuda = device.type == "cuda"
        self._window = WINDOW_CUDA if cuda else WINDOW_CPU
        self._ask_every = _ASK_EVERY_CUDA if cuda else 1
        steps = self._window_of(steps - 1)
        self._windows = range(self._window, steps + 1, self._window)
        self._cache = net.new_cache(copies * rows, steps)
        shape = (copies * prompts, net.num_heads, text_length, net.d_kv)
        blank = [net.inputs.new_zeros(shape) for _ in net.layers]
        self._memory = Memory(
            blank,
            [torch.zeros_like(x) for x in blank],
            net.inputs.new_zeros(copies * prompts, 1, 1, text_length),
        )
        self._at = torch.zeros(1, dtype=torch.long, device=device)
        self._token = torch.zeros(rows, dtype=torch.long, device=device)
        self._tokens = torch.zeros(rows, steps, dtype=torch.long, device=device)
        self._ended = torch.zeros(rows, dtype=torch.bool, device=device)
        self._uniforms = torch.zeros(rows, steps, device=device)
        self._extra = net.inputs.new_zeros(steps, net.size)
        self._end_bias = net.inputs.new_zeros(steps)
        self._graphs: dict[int, Callable[[], None]] = {}
        if cuda if graphs is None else graphs:
            self._record()

    @torch.inference_mode()
    def run(self, memory: Memory, plan: Plan) -> list[NDArray[np.int64]]:
        """Tokens of every row, without the end; shorter than `steps` if it came.

        With guidance the second half of the memory is that of no text.
        """
        self._load(memory, plan)
        for t in range(plan.steps):
            if t and t % self._ask_every == 0 and bool(self._ended.all()):
                break
            window = self._window_of(t)
            self._graphs.get(window, lambda w=window: self._step(w))()
        rows = self._tokens[:, : plan.steps].cpu().numpy()
        return [_before_end(row, self.net.head_size - 1) for row in rows]

    def _load(self, memory: Memory, plan: Plan) -> None:
        for mine, new in zip(self._memory.keys, memory.keys, strict=True):
            mine.copy_(new)
        for mine, new in zip(self._memory.values, memory.values, strict=True):
            mine.copy_(new)
        self._memory.bias.copy_(memory.bias)
        steps = plan.steps
        self._uniforms[:, :steps].copy_(torch.from_numpy(plan.uniforms))
        self._extra[:steps].copy_(plan.step_inputs)
        self._end_bias.zero_()
        self._end_bias[: plan.min_tokens].fill_(float("-inf"))
        # A place that is never drawn must read as the end if the loop stops early.
        self._tokens.fill_(self.net.head_size - 1)
        self._begin()
        self._ended.copy_(torch.from_numpy(~plan.used))

    def _begin(self) -> None:
        self._at.zero_()
        self._token.fill_(self.net.start)
        self._ended.zero_()

    def _step(self, window: int) -> None:
        """Draw the next token of every row. No shape depends on data."""
        net, at = self.net, self._at
        x = net.inputs.index_select(0, self._token) + self._extra.index_select(0, at)
        if self.sampling.guided:
            both = net.states(x.repeat(2, 1), at, window, self._cache, self._memory)
            told, free = both.chunk(2)
            logits = net.head(torch.lerp(free, told, self.sampling.guidance))
        else:
            logits = net(x, at, window, self._cache, self._memory)
        logits[:, -1] += self._end_bias.index_select(0, at)
        uniform = self._uniforms.index_select(1, at)[:, 0]
        token = draw(logits, uniform, self.sampling)
        self._tokens.index_copy_(1, at, token[:, None])
        self._ended |= token == net.head_size - 1
        self._token.copy_(token)
        at += 1

    def _window_of(self, t: int) -> int:
        return (t // self._window + 1) * self._window

    @torch.inference_mode()
    def _record(self) -> None:
        """Record the step once for every window."""
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for window in self._windows:
                for _ in range(2):  # Kernels choose and allocate what they need.
                    self._begin()
                    self._step(window)
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        # Recorded steps never run at the same time and may share their scratch memory.
        pool = torch.cuda.graph_pool_handle()
        for window in self._windows:
            self._begin()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=pool):
                self._step(window)
            self._graphs[window] = graph.replay


def _before_end(row: NDArray[np.int64], end: int) -> NDArray[np.int64]:
    found = np.flatnonzero(row == end)
    return row[: found[0]].copy() if len(found) else row.copy()
