"""A very small diffusion generator, and a corpus that it can learn."""

from pathlib import Path

import numpy as np
import torch

from tests.support.motions import smooth_noise
from tests.support.small_lm import WORDS, small_encoder
from texedo.data.corpus.store import Clip, write_corpus
from texedo.language.word_pieces import WordPiece
from texedo.text.diffusion.denoiser import Denoiser, DenoiserCfg
from texedo.text.diffusion.model import MotionDiffusion

SIZES = DenoiserCfg(
    width=32, layers=2, heads=2, feed_forward=48, text_size=24, max_tokens=48
)
ARMS = slice(15, 29)
"""Joints of both arms."""


def small_diffusion(seed: int = 0) -> MotionDiffusion:
    """One that makes something of its noise: no weight is zero."""
    encoder = small_encoder(seed)
    torch.manual_seed(seed)
    denoiser = Denoiser(SIZES)
    with torch.no_grad():
        for parameter in denoiser.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))
    words = WordPiece(WORDS, encoder.cfg.max_tokens)
    model = MotionDiffusion(encoder, words, denoiser)
    model.steps = 4
    # Upright and above the floor, whatever comes out.
    model.feature_mean[[0, 3, 4]] = torch.tensor([0.75, 1.0, 1.0])
    model.feature_std.fill_(0.05)
    return model


def arm_corpus(folder: Path, *, clips: int = 40, splits: str = "ttttv") -> Path:
    """Standing; the caption says where the arms are: "walk" 0.6 rad, "jump" -0.6."""
    rng = np.random.default_rng(0)
    about, frames = [], []
    for i in range(clips):
        word, angle = (("walk", 0.6), ("jump", -0.6))[i % 2]
        length = int(rng.integers(60, 90))
        qpos = np.zeros((length, 36))
        qpos[:, 2], qpos[:, 3] = 0.75, 1.0
        qpos[:, 7:] = 0.1 * smooth_noise(rng, length, 29)
        qpos[:, 7:][:, ARMS] += angle
        frames.append(qpos.astype(np.float32))
        about.append(
            Clip(
                id=f"clip{i}",
                trial=f"clip{i}",
                subject="01",
                start=0.0,
                end=length / 50,
                first_frame=0,
                num_frames=length,
                family=word,
                split={"t": "train", "v": "val"}[splits[i % len(splits)]],
                group=f"clip{i}",
                captions=(f"person {word}", f"{word}s"),
            )
        )
    write_corpus(folder, about, frames)
    return folder
