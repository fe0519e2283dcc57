"""Spreads the candidates of all prompts over blocks, threads or a GPU.

On a CPU a block is up to 16 candidates of one prompt, always computed as 16 rows by one
thread: candidate i stands in row i % 16 of block i // 16 whatever is asked for beside
it, and sums of one shape run in one order. So its tokens depend on seed, prompt and i
alone. Where weights are packed, 4 and 8 rows give the bits that 16 rows give: a few
candidates take smaller blocks there, and less time. Prompts that belong together share
blocks, an equal part of the rows each. On a GPU all rows go at once and only nearly the
same bits come out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.core.threads import available_cores, torch_workers
from texedo.learning.packed_linear import packing_works
from texedo.text.lm.decode_step import Memory, StepNet
from texedo.text.lm.decoding import Plan, Session
from texedo.text.lm.sampler import SamplingCfg, uniforms

Tokens = NDArray[np.int64]

BLOCK = 16
"""Candidates that one CPU thread samples together."""
SMALL_BLOCKS = (4, 8)
"""Smaller blocks whose rows have the same bits; those of 1 and 2 rows have others."""
MAX_ROWS = 512
"""Candidates on a GPU at once."""


class Shape(NamedTuple):
    """What a session is made for."""

    prompts: int
    candidates: int
    text_length: int
    steps: int
    sampling: SamplingCfg


class Request(NamedTuple):
    """What is asked for."""

    prompts: tuple[str, ...]
    n: int
    seed: int
    sampling: SamplingCfg
    step_inputs: Tensor
    """Added to the token's vector at each step, (steps, D)."""
    min_tokens: int
    together: int = 1
    """This many prompts at a time share the blocks of a CPU; a power of two."""
    first: int = 0
    """Candidates are numbered from here on."""

    def plan(self, rows: Sequence[tuple[str, range]], size: int, at: int = 0) -> Plan:
        """The steering of these prompts' candidates from row `at` on of a block of
        `size` rows each; the other rows are padding."""
        steps = len(self.step_inputs)
        draws = np.zeros((len(rows), size, steps), dtype=np.float32)
        used = np.zeros((len(rows), size), dtype=np.bool_)
        for i, (prompt, own) in enumerate(rows):
            places = slice(at, at + len(own))
            draws[i, places] = uniforms(prompt, own, steps, seed=self.seed)
            used[i, places] = True
        flat = draws.reshape(-1, steps)
        return Plan(flat, self.step_inputs, self.min_tokens, used.ravel())


class Sampled(Protocol):
    """What a model must offer to be sampled from."""

    @property
    def device(self) -> torch.device: ...

    @property
    def net(self) -> StepNet: ...

    @property
    def sessions(self) -> dict[Shape, Session]:
        """Kept for the next call: recording a GPU's steps takes time."""
        ...

    def memory(self, prompts: Sequence[str]) -> Memory: ...


def sample(
    model: Sampled, request: Request, *, threads: int | None = None
) -> list[list[Tokens]]:
    """Tokens of every candidate of every prompt."""
    if not request.prompts or not request.n:
        return [[] for _ in request.prompts]
    if model.device.type == "cpu":
        return _on_cpu(model, request, threads)
    return _on_gpu(model, request)


def _on_cpu(
    model: Sampled, request: Request, threads: int | None
) -> list[list[Tokens]]:
    found: list[list[Tokens]] = [[] for _ in request.prompts]
    idle: dict[Shape, list[Session]] = defaultdict(list)
    net, size = model.net, _block_size(request, threads or available_cores())
    starts = range(0, len(request.prompts), request.together)
    groups = [request.prompts[i : i + request.together] for i in starts]

    def sample_block(
        memory: Memory, prompts: Sequence[str], candidates: range
    ) -> list[list[Tokens]]:
        length, steps = memory.bias.shape[-1], len(request.step_inputs)
        shape = Shape(len(prompts), size, length, steps, request.sampling)
        session = idle[shape].pop() if idle[shape] else _session(net, shape)
        at = candidates.start % size
        plan = request.plan([(prompt, candidates) for prompt in prompts], size, at)
        rows = session.run(memory, plan)
        idle[shape].append(session)
        starts = range(at, len(rows), size)
        return [rows[start : start + len(candidates)] for start in starts]

    with torch_workers(threads) as pool:
        memories = list(pool.map(lambda group: _memory(model, request, group), groups))
        blocks = [(i, own) for i in range(len(groups)) for own in _parts(request, size)]
        done = pool.map(
            lambda job: sample_block(memories[job[0]], groups[job[0]], job[1]), blocks
        )
        for (i, _), rows in zip(blocks, done, strict=True):
            for k, own in enumerate(rows):
                found[i * request.together + k] += own
    return found


def _block_size(request: Request, threads: int) -> int:
    """Rows of a prompt in a block: fewer where few are asked for and bits stay."""
    if request.together == 1 and packing_works():
        share = -(-request.n // threads)
        for size in SMALL_BLOCKS:
            if share <= size and not request.first % size:
                return size
    return BLOCK // request.together


def _parts(request: Request, size: int) -> list[range]:
    """The candidates by blocks, of which the first may begin in its middle."""
    end = request.first + request.n
    starts = range(request.first - request.first % size, end, size)
    return [range(max(at, request.first), min(at + size, end)) for at in starts]


def _on_gpu(model: Sampled, request: Request) -> list[list[Tokens]]:
    found: list[list[Tokens]] = [[] for _ in request.prompts]
    size = min(request.n, MAX_ROWS)
    together = max(1, MAX_ROWS // size)
    for first in range(0, len(request.prompts), together):
        group = request.prompts[first : first + together]
        memory = _memory(model, request, group)
        length, steps = memory.bias.shape[-1], len(request.step_inputs)
        shape = Shape(len(group), size, length, steps, request.sampling)
        if shape not in model.sessions:
            model.sessions.clear()  # Two caches of this size may be more than fits.
            model.sessions[shape] = _session(model.net, shape)
        end = request.first + request.n
        for start in range(request.first, end, size):
            own = range(start, min(start + size, end))
            plan = request.plan([(prompt, own) for prompt in group], size)
            rows = model.sessions[shape].run(memory, plan)
            for i in range(len(group)):
                found[first + i] += rows[i * size : i * size + len(own)]
    return found


def _memory(model: Sampled, request: Request, prompts: Sequence[str]) -> Memory:
    """What candidates see of their prompts and, with guidance, of no prompt at all."""
    nothing = [""] * len(prompts) if request.sampling.guided else []
    return model.memory([*prompts, *nothing])


def _session(net: StepNet, shape: Shape) -> Session:
    return Session(
        net,
        prompts=shape.prompts,
        candidates=shape.candidates,
        text_length=shape.text_length,
        steps=shape.steps,
        sampling=shape.sampling,
    )
