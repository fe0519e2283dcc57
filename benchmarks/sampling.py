"""How to sample: R-precision, FID and liveliness by temperature, guidance and top-p.

    python benchmarks/sampling.py CORPUS EMBEDDING --generators texedo RUN ... -o OUT

Like `texedo evaluate generator`, but on `val`, without the tracker and with all captions
in one batch, so that a GPU sweeps twenty settings in about a minute. Several samples of
each caption: a table of single ones differs by 0.02 in FID from seed to seed. Motions are
post-processed, as the pipeline does it, on all cores while the next ones are drawn.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
import tyro
from numpy.typing import NDArray

from texedo.core.pool import map_unordered
from texedo.data.corpus.corpus_file import open_corpus
from texedo.evaluation.alignment import Aligner, choose_prompts
from texedo.evaluation.embedding.model import TextMotionEmbedding, load_embedding
from texedo.evaluation.tables import markdown, write_tables
from texedo.motion import Motion
from texedo.robot.kinematics import body_velocities, motion_kinematics
from texedo.text.generators.find import find_generator
from texedo.text.generators.prompts import Settings
from texedo.text.postprocess import postprocess

CHUNK = 64
"""Motions that a worker takes at a time."""


class Setting(NamedTuple):
    """A row of the table."""

    generator: str
    temperature: float
    guidance: float
    top_p: float
    top_k: int

    @property
    def sampling(self) -> Settings:
        """As a generator takes it."""
        return Settings(
            temperature=self.temperature,
            guidance=self.guidance,
            top_p=self.top_p,
            top_k=self.top_k,
        )

    @property
    def name(self) -> str:
        label = f"temperature {self.temperature:g}, guidance {self.guidance:g}"
        return f"{self.generator}: {label}, top-k {self.top_k}, top-p {self.top_p:g}"


class Looked(NamedTuple):
    """Some samples of one setting."""

    setting: Setting
    turn: int
    first: int
    """Number of the first caption."""
    vectors: NDArray[np.float32]
    speeds: NDArray[np.float64]
    """Mean over frames and bodies [m/s], (N,)."""
    seconds: NDArray[np.float64]


@lru_cache(1)
def _embedding(folder: str) -> TextMotionEmbedding:
    torch.set_num_threads(1)
    return load_embedding(folder)


def speed_of(motion: Motion) -> float:
    """Mean over frames and bodies [m/s]."""
    velocities = body_velocities(motion_kinematics(motion)).lin_vel_w
    return float(np.linalg.norm(velocities, axis=-1).mean())


def look(
    setting: Setting, turn: int, first: int, folder: str, rows: list[NDArray[Any]]
) -> Looked:
    """Post-process samples and say where they are in the embedding."""
    motions = postprocess([Motion.from_qpos(row) for row in rows])[0]
    return Looked(
        setting,
        turn,
        first,
        _embedding(folder).motions(motions),
        np.array([speed_of(motion) for motion in motions]),
        np.array([motion.duration for motion in motions]),
    )


def calls(
    settings: list[Setting], prompts: list[str], samples: int, folder: str
) -> Iterator[tuple[Any, ...]]:
    """Samples of all settings in chunks, drawn as they are asked for."""
    generators = {setting.generator: None for setting in settings}
    loaded = {name: find_generator(name) for name in generators}
    for setting in settings:
        start = time.perf_counter()
        drawn = loaded[setting.generator].sample_many(
            prompts, samples, seed=0, **setting.sampling
        )
        taken = time.perf_counter() - start
        print(f"{setting.name}: sampled in {taken:.1f} s", flush=True)
        for turn in range(samples):
            rows = [row[turn].to_qpos() for row in drawn]
            for first in range(0, len(rows), CHUNK):
                yield setting, turn, first, folder, rows[first : first + CHUNK]


def figures(aligner: Aligner, parts: list[Looked], samples: int) -> dict[str, float]:
    """Means over the samples; FID of all of them together beside it."""
    rows = []
    for turn in range(samples):
        own = sorted((p for p in parts if p.turn == turn), key=lambda p: p.first)
        rows.append(np.concatenate([p.vectors for p in own]))
    each = [aligner.figures_of(vectors) for vectors in rows]
    found = {key: float(np.mean([row[key] for row in each])) for key in each[0]}
    found["fid_all"] = aligner.fid(np.concatenate(rows))
    found["speed_m_s"] = float(np.mean(np.concatenate([p.speeds for p in parts])))
    found["duration_s"] = float(np.mean(np.concatenate([p.seconds for p in parts])))
    return found


@dataclass(frozen=True)
class Cfg:
    """R-precision, FID and liveliness by sampling settings, on the captions of a split."""

    corpus: tyro.conf.Positional[Path]
    """Corpus folder, or a packed corpus."""
    embedding: tyro.conf.Positional[Path]
    """The evaluation embedding."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])]
    """Folder for the table."""
    generators: tuple[str, ...] = ("texedo",)
    """Names or folders."""
    temperatures: tuple[float, ...] = (0.8, 0.9, 1.0, 1.1)
    guidances: tuple[float, ...] = (1.5, 2.0, 2.5, 3.0, 4.0)
    top_p: tuple[float, ...] = (0.98,)
    top_k: tuple[int, ...] = (200,)
    """0 for all tokens."""
    samples: int = 3
    """Of each caption."""
    split: str = "val"
    limit: int | None = None
    """At most so many captions."""
    workers: int | None = None
    """Processes; all cores if not given."""


def main(cfg: Cfg) -> None:
    corpus = open_corpus(cfg.corpus)
    chosen = choose_prompts(corpus, cfg.split, limit=cfg.limit)
    truth = [corpus.motion(i) for i in chosen.clips]
    aligner = Aligner(load_embedding(cfg.embedding), chosen.prompts, truth)
    grid = itertools.product(
        cfg.generators, cfg.temperatures, cfg.guidances, cfg.top_p, cfg.top_k
    )
    settings = [Setting(*values) for values in grid]
    found: dict[Setting, list[Looked]] = {setting: [] for setting in settings}
    made = calls(settings, chosen.prompts, cfg.samples, str(cfg.embedding))
    for part in map_unordered(look, made, workers=cfg.workers):
        found[part.setting].append(part)
    speeds = [speed_of(motion) for motion in truth]
    rows: dict[str, dict[str, Any]] = {
        "captured motion": aligner.truth() | {"speed_m_s": float(np.mean(speeds))}
    }
    for setting, parts in found.items():
        rows[setting.name] = figures(aligner, parts, cfg.samples)
    report = {"split": cfg.split, "prompts": len(chosen.prompts), "rows": rows}
    write_tables(cfg.out, "sampling", report, rows)
    print(markdown(rows))


if __name__ == "__main__":
    main(tyro.cli(Cfg))
