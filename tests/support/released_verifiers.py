"""Files with the names and shapes of the released verifiers, and random numbers."""

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from texedo.robot.g1 import ISAACLAB_JOINT_NAMES, JOINT_NAMES

WORDS = [
    "unk",
    "sos",
    "eos",
    "a",
    "person",
    "walk",
    "walks",
    "hand",
    "left",
    "is",
    "torso",
]


def random_tensors(
    shapes: Mapping[str, tuple[int, ...]], seed: int = 0
) -> dict[str, Tensor]:
    """Weights of such sizes that signals neither die nor explode."""
    noise = torch.Generator().manual_seed(seed)
    return {
        name: torch.randn(shape, generator=noise) / max(shape[-1], 4) ** 0.5
        for name, shape in shapes.items()
    }


def one_number_tensors(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Tensor]:
    """Tensors of the right shapes that take no room on disk."""
    return {name: torch.zeros(1).expand(shape) for name, shape in shapes.items()}


def save(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(content, path)
    return path


def write_glove(folder: Path, words: list[str] | None = None) -> Path:
    """Rows are in another order than words."""
    words = words or WORDS
    folder.mkdir(parents=True, exist_ok=True)
    vectors = np.random.default_rng(5).normal(size=(len(words), 300))
    np.save(folder / "our_vab_data.npy", vectors)
    rows = {word: len(words) - 1 - i for i, word in enumerate(words)}
    (folder / "our_vab_words.pkl").write_bytes(pickle.dumps(words))
    (folder / "our_vab_idx.pkl").write_bytes(pickle.dumps(rows))
    return folder


def write_semantics(folder: Path, sections: Mapping[str, Mapping[str, Tensor]]) -> Path:
    """`folder` is where the archive was unpacked; the path of the weights."""
    t2m = folder / "custom36" / "t2m"
    meta = t2m / "Comp_v6_KLD01" / "meta"
    meta.mkdir(parents=True)
    np.save(meta / "mean.npy", np.linspace(-0.5, 0.5, 36))
    np.save(meta / "std.npy", np.linspace(0.5, 1.5, 36))
    optimizer = {"state": {0: {"exp_avg": torch.zeros(3)}}, "param_groups": []}
    content = {**sections, "opt_text_encoder": optimizer, "epoch": 3, "iter": 4}
    return save(t2m / "text_mot_match" / "model" / "finest.tar", content)


def write_dynamics(
    folder: Path, tensors: Mapping[str, Tensor], *, order: str = "mujoco"
) -> Path:
    """Scales as a corpus of bent knees in one of the orders would give them."""
    names = JOINT_NAMES if order == "mujoco" else ISAACLAB_JOINT_NAMES
    mean, std = np.zeros(94, np.float32), np.ones(94, np.float32)
    for i, name in enumerate(names):
        mean[7 + i] = 1.0 if "knee" in name else -0.1
        std[7 + i] = 0.5
    std[36:94] = 0.02
    folder.mkdir(parents=True, exist_ok=True)
    one = np.float32(1.0)
    np.savez(
        folder / "norm_stats.npz",
        mean=mean,
        std=std,
        pos_weight=one,
        accel_p95=one,
        vel_p95=one,
    )
    content = {
        "epoch": 7,
        "model": dict(tensors),
        "optimizer": {"state": {0: {"exp_avg": torch.zeros(3)}}, "param_groups": []},
        "val_metrics": {"loss": 0.5},
    }
    return save(folder / "checkpoint_last.pt", content)
