"""One training step of the tokenizer, recorded once per window length on a GPU.

A step is some thousand small kernels; called one by one they take ten times as long as
they run. So all of it (networks, loss, gradients, optimiser) is recorded as a CUDA graph
per window length. Windows are drawn into fixed memory before, the means of the loss and
the use of the codes pile up on the device, and the host waits for nothing but the step
before the last few.
"""

from __future__ import annotations

import math
import time
from collections import deque
from functools import partial
from typing import Any

import torch
from torch import Tensor

from texedo.core.errors import TexedoError
from texedo.learning.cuda_graph import Replayed
from texedo.text.learn.tokenizer.cfg import TokenizerTrainCfg
from texedo.text.learn.tokenizer.loss import BODY_STRIDE
from texedo.text.learn.tokenizer.report import perplexity_of_counts
from texedo.text.learn.tokenizer.run import Run

_MAX_GRADIENT = 1.0
_LAST_RATE = 0.01
"""Learning rate at the end, as a share of the top."""
_DECODER_RATE = 0.15
"""Where the rate starts again for the decoder alone, as a share of the top."""
_START_WARM_UP = 0.03
"""Warm-up of a run that begins with trained weights, as a share of it."""
_AHEAD = 8
"""Steps that may wait on the GPU: more would make the clock of the host a lie."""


def rate_at(cfg: TokenizerTrainCfg, step: int, progress: float) -> float:
    """Learning rate: linear up over the warm-up, then down along a cosine.

    When the decoder goes on alone it begins anew, lower, and falls along another. A run
    that begins with trained weights has a short warm-up and ends at a rate of 0.
    """
    up, last = (step + 1) / max(cfg.warm_up, 1), _LAST_RATE
    if cfg.start:
        up, last = progress / _START_WARM_UP, 0.0
    turning = 1.0 - cfg.decoder_share
    top, passed = 1.0, min(progress, 1.0) / max(turning, 1e-9)
    if progress >= turning:
        alone = (min(progress, 1.0) - turning) / max(cfg.decoder_share, 1e-9)
        top, passed = (_DECODER_RATE, alone) if cfg.decoder_share else (1.0, 1.0)
    down = 0.5 * (1.0 + math.cos(math.pi * passed))
    return cfg.learning_rate * min(1.0, up) * (last + (top - last) * down)


class Stepper:
    """Draws windows and learns from them."""

    def __init__(self, run: Run, cfg: TokenizerTrainCfg) -> None:
        self.run, self.cfg = run, cfg
        self.codes_stay = False
        device = run.net.feature_mean.device
        self._device = device
        self._precision = torch.bfloat16 if device.type == "cuda" else None
        self._truth: dict[int, Tensor] = {}
        self._steps: dict[int, Replayed] = {}
        self._phase = torch.zeros(1, dtype=torch.int64, device=device)
        self._pending: deque[torch.cuda.Event] = deque()
        self.parts = torch.zeros(len(run.loss.weights), device=device)
        """Sums of the parts of the loss since the meter was read."""
        self.counts = torch.zeros(run.net.quantizer.num_codes, device=device)
        """How often each code occurred since the meter was read."""

    def keep_codes(self, *, begin: bool) -> None:
        """From now on the codes stay; `begin`: those of the mean weights as they ship."""
        run = self.run
        encoder = [*run.mean_net.encoder.parameters()]
        encoder += run.mean_net.quantizer.project_in.parameters()
        if begin:
            with torch.no_grad():
                # What ships has half the digits: the decoder learns the codes of that.
                for parameter in encoder:
                    parameter.copy_(parameter.half())
            run.net.load_state_dict(run.mean_net.state_dict())
        run.net.encoder.requires_grad_(False)
        run.net.quantizer.project_in.requires_grad_(False)
        self.codes_stay = True
        # A record must not be thrown away while it is being played.
        while self._pending:
            self._pending.popleft().synchronize()
        self._steps.clear()

    def __call__(self, step: int, rate: float) -> None:
        """One update."""
        run, cfg = self.run, self.cfg
        length = run.windows.lengths[step % len(run.windows.lengths)]
        self._draw(length, step)
        for group in run.optimizer.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate
        if not cfg.graph:
            self._learn(length)
        else:
            if length not in self._steps:
                learn = partial(self._learn, length)
                self._steps[length] = Replayed(learn, self._device)
            self._steps[length]()
        # Young weights change fast: their mean must forget the start.
        keep = min(cfg.ema, (1 + step) / (10 + step))
        with torch.no_grad():
            torch._foreach_lerp_(
                list(run.mean_net.parameters()), list(run.net.parameters()), 1.0 - keep
            )
        self._wait_for_old_steps()

    def _draw(self, length: int, step: int) -> None:
        """New windows, where the recorded step looks for them."""
        run = self.run
        run.generator.manual_seed(self.cfg.seed * 1_000_003 + step)
        count = max(1, self.cfg.batch_frames // length)
        windows = run.windows.draw(length, count, run.generator)
        if length in self._truth:
            self._truth[length].copy_(windows)
        else:
            self._truth[length] = windows.clone()
        self._phase.random_(0, BODY_STRIDE, generator=run.generator)

    def _learn(self, length: int) -> None:
        """The part of a step that can be recorded."""
        run, truth = self.run, self._truth[length]
        run.optimizer.zero_grad(set_to_none=True)
        decoded, free = run.net(
            truth, precision=self._precision, codes_stay=self.codes_stay
        )
        loss, parts = run.loss(decoded, truth, self._phase)
        if not self.codes_stay:
            loss = loss + self.cfg.usage_weight * run.net.quantizer.usage_loss(free)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(run.net.parameters(), _MAX_GRADIENT)
        run.optimizer.step()
        self.parts += parts
        codes = run.net.quantizer.codes_of_free(free.detach()).flatten()
        self.counts.index_add_(0, codes, torch.ones_like(codes, dtype=torch.float32))

    def _wait_for_old_steps(self) -> None:
        if self._device.type != "cuda":
            return
        event = torch.cuda.Event()  # type: ignore[no-untyped-call]
        event.record()
        self._pending.append(event)
        if len(self._pending) > _AHEAD:
            self._pending.popleft().synchronize()


class Meter:
    """Means of the loss and use of the codes since it was last read."""

    def __init__(self, stepper: Stepper) -> None:
        self._stepper = stepper
        self._steps = 0
        self._since = time.monotonic()

    def tick(self) -> None:
        """One more step."""
        self._steps += 1

    def read(self) -> dict[str, Any]:
        """Raises `TexedoError` when the loss is not finite."""
        stepper = self._stepper
        means = (stepper.parts / max(self._steps, 1)).tolist()
        if not math.isfinite(sum(means)):
            raise TexedoError(
                "The loss is not finite any more: begin another run with its last save, "
                "--resume OUT --out ANOTHER, and a lower --learning-rate."
            )
        values = {
            "per_second": self._steps / (time.monotonic() - self._since),
            "rate": float(stepper.run.optimizer.param_groups[0]["lr"]),
            "codes_stay": stepper.codes_stay,
            "perplexity": perplexity_of_counts(stepper.counts.cpu().numpy()),
            **dict(zip(stepper.run.loss.weights, means, strict=True)),
        }
        stepper.parts.zero_()
        stepper.counts.zero_()
        self._steps, self._since = 0, time.monotonic()
        return values
