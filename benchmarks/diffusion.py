"""How fast the diffusion generator draws: 32 candidates of 5 s, from prompt to motions.

    python benchmarks/diffusion.py [cpu|cuda] [FOLDER|-] [--threads N]

FOLDER is what `texedo train diffusion` wrote; without one, random weights of the default
sizes take as long.
"""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass
from typing import Literal

import torch
import tyro

from common import CANDIDATES, SECONDS
from texedo.language.front import load_text_front
from texedo.motion import FPS
from texedo.text.diffusion.artifact import SHIPPED_ENCODER, load_diffusion
from texedo.text.diffusion.denoiser import Denoiser, DenoiserCfg
from texedo.text.diffusion.frames import motion_of
from texedo.text.diffusion.model import Asked, MotionDiffusion

PROMPT = "a person walks forward and waves with the right hand"


@dataclass(frozen=True)
class Cfg:
    """Time 32 candidates of 5 s."""

    place: tyro.conf.Positional[Literal["cpu", "cuda"]] = "cpu"
    """Where."""
    folder: tyro.conf.Positional[str] = "-"
    """Folder of a diffusion generator, or - for random weights."""
    threads: int | None = None
    """Threads on a CPU; all cores unless given."""
    rounds: int = 3
    """Median of so many, after one to warm up on a GPU."""


def random_model() -> MotionDiffusion:
    """The default sizes, upright whatever comes out."""
    torch.manual_seed(0)
    encoder, words = load_text_front(SHIPPED_ENCODER)
    model = MotionDiffusion(encoder, words, Denoiser(DenoiserCfg()))
    model.feature_mean[[0, 3, 4]] = torch.tensor([0.75, 1.0, 1.0])
    model.feature_std.fill_(0.05)
    return model


def main(cfg: Cfg) -> None:
    loaded = random_model() if cfg.folder == "-" else load_diffusion(cfg.folder)
    model = loaded.to(cfg.place)
    parameters = sum(p.numel() for p in model.denoiser.parameters())
    print(f"{parameters / 1e6:.1f} M parameters, {model.steps} steps, on {cfg.place}")
    frames = round(SECONDS * FPS) + 1
    tokens = -(-frames // model.frames_of_token)
    warm = 1 if cfg.place == "cuda" else 0
    for guidance in (model.guidance, 1.0):
        asked = Asked(seed=0, temperature=1.0, guidance=guidance, tokens=tokens)
        seconds = []
        for _ in range(cfg.rounds + warm):
            start = time.perf_counter()
            rows = model.sample([PROMPT], range(CANDIDATES), asked, threads=cfg.threads)
            drawn = time.perf_counter() - start
            motions = [motion_of(features, frames) for features in rows[0]]
            seconds.append((drawn, time.perf_counter() - start))
        drawn, whole = map(statistics.median, zip(*seconds[warm:], strict=True))
        print(
            f"guidance {guidance:g}: {len(motions)} x {SECONDS:g} s in {drawn:.2f} s, "
            f"{whole:.2f} s with motions; load average {os.getloadavg()[0]:.1f}"
        )


if __name__ == "__main__":
    main(tyro.cli(Cfg, description=__doc__))
