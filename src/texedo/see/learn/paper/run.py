"""Train the paper's verifier: it can go on where it stopped, on a CPU or a GPU.

In: a corpus, or a packed one. Out: `semantics/` (as it ships: the best on val),
`lexicon.json` (for machines without a tagger), `state-*.safetensors`, `log.jsonl` and
`report.json`. Two stages, one after the other:

1. movement codes: an autoencoder of windows, L1 error, codes kept small and slow;
2. matching: codes frozen, both GRUs learn the all-pairs margin loss

    L = mean_i d_ii^2 + mean_(i != j) max(0, 2 - d_ij)^2
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from texedo.learning.clock import Clock, due
from texedo.learning.run import RunFolder
from texedo.see.learn.paper.cfg import PaperSemanticsCfg
from texedo.see.learn.paper.data import CaptionedClips
from texedo.see.learn.paper.parts import LEXICON_FILE, Parts, build, write_lexicon
from texedo.see.learn.paper.retrieval import retrieval
from texedo.see.learn.paper.step import learn
from texedo.see.semantics.paper.artefact import (
    load_paper_semantics,
    save_paper_semantics,
)
from texedo.see.semantics.paper.inference import PaperVerifier
from texedo.see.semantics.paper.model import PaperNet, motion_vectors, text_vectors
from texedo.see.semantics.paper.words import Tokens

ARTEFACT_FOLDER = "semantics"
_REPORT_SECONDS = 20.0
"""Kept before the wall for the final report."""


def train(cfg: PaperSemanticsCfg) -> dict[str, Any]:
    """Train, or go on with what is in `out`; the figures of what ships on val."""
    torch.set_float32_matmul_precision("high")
    parts = build(cfg)  # Before anything is written: a wrong --data leaves no folder.
    folder = RunFolder(cfg, data=parts.digest)
    saved = folder.earlier()
    step, seconds, best = 0, 0.0, -1.0
    if saved is not None:
        parts.restore(saved)
        step, seconds = saved.step, saved.seconds
        if saved.folder.resolve() == folder.path.resolve():
            best = float(saved.values.get("best", best))
        else:
            parts.matching_after = 0.0
    write_lexicon(folder.path / LEXICON_FILE, parts.words)
    folder.log.write("setup", step=step, spent=seconds, **describe(parts))
    meter: dict[str, list[float]] = defaultdict(list)
    judged = -1

    def save() -> None:
        values = {"best": best, **parts.stage()}
        folder.save(parts.pack(), step=step, seconds=clock.seconds, **values)

    def judge() -> None:
        nonlocal best, judged
        figures = evaluate(parts.net, parts.val, parts.val_tokens)
        folder.log.write("eval", step=step, seconds=clock.seconds, **figures)
        judged = step
        if (now := score(figures)) > best or not artefact.is_dir():
            best = now
            keep_best(artefact, parts, step=step, figures=figures)

    artefact = folder.path / ARTEFACT_FOLDER
    with Clock(cfg, seconds=seconds, report_seconds=_REPORT_SECONDS) as clock:
        while not clock.over(step):
            done = clock.fraction(step)
            if parts.matching_from is None and done >= cfg.movement_share:
                parts.begin_matching(step, done)
            for name, value in learn(parts, step, done).items():
                meter[name].append(value)
            step += 1
            if step % cfg.log_every == 0:
                means = {name: float(np.mean(row)) for name, row in meter.items()}
                folder.log.write("train", step=step, seconds=clock.seconds, **means)
                meter.clear()
            if due(step, cfg.eval_every) and parts.matching_from is not None:
                judge()
            if step % cfg.save_every == 0:
                save()
        if judged != step:
            judge()
        save()
    report = finish(folder.path, parts, step=step, seconds=clock.seconds)
    folder.log.write("final", **report)
    return report


def evaluate(
    net: PaperNet, clips: CaptionedClips, tokens: list[Tokens]
) -> dict[str, Any]:
    """Retrieval both ways among clips of all kinds, and among the captured ones."""
    net.eval()
    with torch.inference_mode():
        motions = motion_vectors(net, clips.rows())
        texts = text_vectors(net, tokens)
    captured = [i for i, kind in enumerate(clips.kinds) if kind == "captured"]
    mixed = np.random.default_rng(0).permutation(len(motions))
    captions = tuple(clips.captions[i] for i in captured)
    return {
        "all": retrieval(texts, motions, clips.captions, clips.keys),
        "captured": retrieval(texts, motions[captured], captions, clips.keys),
        "shuffled": retrieval(texts, motions[mixed], clips.captions, clips.keys),
    }


def score(figures: dict[str, Any]) -> float:
    """What the best is chosen by: R@1 both ways among clips of all kinds."""
    found = figures["all"]
    return float(found.get("text_r1", 0.0) + found.get("motion_r1", 0.0)) / 2


def keep_best(
    artefact: Path, parts: Parts, *, step: int, figures: dict[str, Any]
) -> None:
    """Write what would ship now."""
    metadata = {
        "step": step,
        "options": parts.cfg.public(),
        "clips": len(parts.train),
        "captions": len(parts.train.texts),
        "val": figures,
    }
    trainable = {n: p.requires_grad for n, p in parts.net.named_parameters()}
    save_paper_semantics(
        artefact, PaperVerifier(parts.net, parts.words, metadata=metadata)
    )
    # A verifier freezes its network; this one goes on learning.
    for name, parameter in parts.net.named_parameters():
        parameter.requires_grad_(trainable[name])


def finish(out: Path, parts: Parts, *, step: int, seconds: float) -> dict[str, Any]:
    """Judge what ships as it is stored, rounded, and say so in it."""
    artefact = out / ARTEFACT_FOLDER
    shipped = load_paper_semantics(artefact, device=parts.net.device)
    figures = evaluate(shipped.net, parts.val, parts.val_tokens)
    report = {
        "steps": step,
        "seconds": round(seconds, 1),
        "best_step": shipped.metadata.get("step"),
        "matching_from": parts.matching_from,
        "bytes": sum(file.stat().st_size for file in artefact.iterdir()),
        "val": figures,
    }
    shipped.metadata |= {"val": figures, "steps": step, "seconds": report["seconds"]}
    save_paper_semantics(artefact, shipped)
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n")
    return report


def describe(parts: Parts) -> dict[str, Any]:
    """What the log says first."""
    return {
        "device": str(parts.net.device),
        "torch": torch.__version__,
        "parameters": sum(p.numel() for p in parts.net.parameters()),
        "clips": len(parts.train),
        "val_clips": len(parts.val),
        "frames": len(parts.train.features),
        "captions": len(parts.train.texts),
        "vocabulary": len(parts.words),
        "options": asdict(parts.cfg),
    }
