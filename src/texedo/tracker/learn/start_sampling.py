"""Where training starts: more often where the robot still falls.

Every clip is cut into bins of one second. A start is drawn by time (every second alike),
by clip (short clips count as much as long ones), or by hazard (failures per step in the
bin), and now and then at the very first frame, where the oracle starts. A cap keeps a
few impossible seconds from taking over.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from texedo.tracker.sim.reference_library import ReferenceLibrary

_BIN = 50
"""Frames per bin: one second."""
_MIN_LEFT = 10
"""A start leaves at least this many frames to track, if the clip has them."""


@dataclass(frozen=True, kw_only=True)
class SamplingMix:
    """How starts are drawn; the shares of time and clip are what is left."""

    hazard: float = 0.5
    """Share of starts drawn by failure rate."""
    clip: float = 0.25
    """Share drawn with every clip alike."""
    first_frame: float = 0.15
    """Share of starts that are moved to the first frame of their clip."""
    cap: float = 50.0
    """Largest hazard probability of a bin, in multiples of the uniform one."""
    max_hazard: float = 0.03
    """Failures per step above which a bin is as bad as it gets."""
    sharpness: float = 1.5
    """Power of the hazard: nearly all seconds are easy, and their small hazards would
    otherwise add up to more than those of the hard ones."""
    memory: float = 0.98
    """Share of the statistics that survives an iteration."""


class StartSampler:
    """Draws start frames and keeps count of visits and failures per bin."""

    def __init__(
        self, library: ReferenceLibrary, mix: SamplingMix | None = None
    ) -> None:
        self.library, self.mix = library, mix or SamplingMix()
        device = library.starts.device
        bins = (library.lengths + _BIN - 1) // _BIN  # (N,)
        first_bin = torch.cumsum(bins, 0) - bins
        clips = torch.arange(library.num_clips, device=device)
        self._clip_of_bin = torch.repeat_interleave(clips, bins)
        total = len(self._clip_of_bin)
        local = torch.arange(total, device=device) - first_bin[self._clip_of_bin]
        self._start_of_bin = library.starts[self._clip_of_bin] + _BIN * local
        frames = torch.arange(library.num_frames, device=device)
        within = frames - library.starts[library.clip_of]
        self.bin_of = first_bin[library.clip_of] + within // _BIN
        self.failures = torch.zeros(total, device=device)
        self.visits = torch.zeros(total, device=device)
        by_clip = 1.0 / bins[self._clip_of_bin].float()
        self._by_clip = by_clip / by_clip.sum()
        self.refresh(memory=1.0)

    @property
    def num_bins(self) -> int:
        return len(self.failures)

    def record(self, frames: Tensor, failed: Tensor) -> None:
        """One step of every world: where it is, and whether it failed there."""
        index = self.bin_of[frames]
        ones = torch.ones_like(failed, dtype=torch.float32)
        self.visits.index_add_(0, index, ones)
        self.failures.index_add_(0, index, failed.float())

    def refresh(self, *, memory: float | None = None) -> None:
        """Turn the statistics into probabilities and let old ones fade."""
        mix = self.mix
        self.failures *= mix.memory if memory is None else memory
        self.visits *= mix.memory if memory is None else memory
        # The prior makes an unvisited bin mildly interesting and a rare failure no proof.
        hazard = (self.failures + 0.02) / (self.visits + 2.0)
        weight = hazard.clamp(max=mix.max_hazard).pow(mix.sharpness)
        weight = (weight / weight.sum()).clamp(max=mix.cap / self.num_bins)
        by_time = torch.full_like(weight, 1.0 / self.num_bins)
        rest = 1.0 - mix.hazard - mix.clip
        probability = (
            mix.hazard * weight / weight.sum()
            + mix.clip * self._by_clip
            + rest * by_time
        )
        self._cumulative = torch.cumsum(probability.double(), 0).float()

    def sample(self, count: int) -> Tensor:
        """Start frames (count,) as global indices."""
        device = self.failures.device
        draws = torch.rand(4, count, device=device)
        point = draws[0] * self._cumulative[-1]
        index = torch.searchsorted(self._cumulative, point).clamp(max=self.num_bins - 1)
        clip = self._clip_of_bin[index]
        # Up to a second ahead of the bin, so that its trouble is also met on the move.
        shift = (_BIN * (draws[1] - draws[2])).long()
        first, last = self.library.starts[clip], self.library.ends[clip] - _MIN_LEFT
        start = torch.maximum(
            torch.minimum(self._start_of_bin[index] + shift, last), first
        )
        return torch.where(draws[3] < self.mix.first_frame, first, start)

    def state_dict(self) -> dict[str, Tensor]:
        return {"failures": self.failures, "visits": self.visits}

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        """Take statistics over; those of another set of clips are not used."""
        if len(state["failures"]) == self.num_bins:
            self.failures.copy_(state["failures"])
            self.visits.copy_(state["visits"])
            self.refresh(memory=1.0)
