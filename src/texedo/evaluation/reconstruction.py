"""What the way through the codes costs: originals and reconstructions in the tracker.

Three versions of each clip are performed: as it is, decoded from its own codes, and
decoded and post-processed, which is what the pipeline would hand out. They are cut to
the length of their original.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from texedo.data.corpus.label_table import Label
from texedo.data.corpus.store import Corpus
from texedo.evaluation.performance import perform, tracking_figures
from texedo.motion import Motion
from texedo.text.postprocess import postprocess

if TYPE_CHECKING:
    from texedo.text.tokenizer.tokenizer import MotionTokenizer
    from texedo.tracker.policies.protocol import Policy

ORIGINAL, DECODED, POSTPROCESSED = VERSIONS = ("original", "decoded", "post-processed")

Report = Callable[[str, int, int], None]
"""Called with what is done, how many of it are, and of how many."""


def reconstruct(tokenizer: MotionTokenizer, motions: Sequence[Motion]) -> list[Motion]:
    """Each motion from its own codes, as long as it was."""
    decoded = tokenizer.decode(tokenizer.encode(motions))
    return [
        Motion.from_qpos(qpos[: len(motion)])
        for qpos, motion in zip(decoded, motions, strict=True)
    ]


def versions(
    tokenizer: MotionTokenizer, motions: Sequence[Motion]
) -> dict[str, list[Motion]]:
    """The three versions of each motion."""
    decoded = reconstruct(tokenizer, motions)
    return {
        ORIGINAL: list(motions),
        DECODED: decoded,
        POSTPROCESSED: list(postprocess(decoded, keep_length=True)[0]),
    }


def reconstruction_report(
    corpus: Corpus,
    tokenizer: MotionTokenizer,
    policy: Policy,
    table: Path,
    *,
    splits: Sequence[str],
    limit: int | None = None,
    workers: int | None = None,
    report: Report = lambda what, done, total: None,
) -> dict[str, Any]:
    """Figures of every version on captured clips of each split, copies left out."""
    found: dict[str, Any] = {}
    for split in splits:
        chosen = corpus.select(split=split, kind="captured", copies=False)[:limit]
        names = [corpus.clips[i].id for i in chosen]
        made = versions(tokenizer, [corpus.motion(i) for i in chosen])
        labels: dict[str, list[Label | None]] = {}
        for version, motions in made.items():
            labels[version] = perform(
                [(f"{n}#{version}", m) for n, m in zip(names, motions, strict=True)],
                policy,
                table,
                workers=workers,
                progress=_about(f"{split}, {version}", report),
            )
        part: dict[str, Any] = {
            version: tracking_figures(rows, policy.normalizers)
            for version, rows in labels.items()
        }
        for version in VERSIONS[1:]:
            part[version] |= compared(labels[ORIGINAL], labels[version])
            part[version] |= pose_errors(made, labels, version)
        found[split] = part
    return found


def pose_errors(
    made: Mapping[str, Sequence[Motion]],
    labels: Mapping[str, Sequence[Label | None]],
    version: str,
) -> dict[str, float | None]:
    """E_mpjpe-l between a version and its original [mm], without any tracker.

    Apart for the clips that only this version survives: there a large one means that the
    codes left out what was hard.
    """
    # Here and not above: it loads torch.
    from texedo.text.learn.tokenizer.report import clip_errors

    errors = [
        clip_errors(truth.to_qpos(), motion.to_qpos())["mpjpe_mm"]
        for truth, motion in zip(made[ORIGINAL], made[version], strict=True)
    ]
    before, after = _succeeded(labels[ORIGINAL]), _succeeded(labels[version])
    gained = [e for e, a, b in zip(errors, before, after, strict=True) if b and not a]
    return {
        "pose_mm": float(np.mean(errors)) if errors else None,
        "pose_gained_mm": float(np.mean(gained)) if gained else None,
    }


def compared(
    before: Sequence[Label | None], after: Sequence[Label | None]
) -> dict[str, Any]:
    """Success of the same clips before and after, pair by pair.

    The interval is that of a mean of paired differences (normal, 95 %), in points.
    """
    pairs = list(zip(_succeeded(before), _succeeded(after), strict=True))
    change = np.array([100.0 * (b - a) for a, b in pairs])
    spread = 1.96 * change.std() / max(len(change), 1) ** 0.5 if len(change) else 0.0
    mean = float(change.mean()) if len(change) else 0.0
    both = [
        (a, b)
        for a, b in zip(before, after, strict=True)
        if a and b and a.success and b.success
    ]
    return {
        "change_points": mean,
        "change_points_low": mean - float(spread),
        "change_points_high": mean + float(spread),
        "lost": sum(a and not b for a, b in pairs),
        "gained": sum(b and not a for a, b in pairs),
        "both_succeed": len(both),
        "e_mpjpe_mm_change": _mean_change(both),
    }


def _succeeded(labels: Sequence[Label | None]) -> Iterator[bool]:
    return (label is not None and label.success for label in labels)


def _mean_change(pairs: Sequence[tuple[Label, Label]]) -> float | None:
    known = [
        b.mpjpe - a.mpjpe
        for a, b in pairs
        if a.mpjpe is not None and b.mpjpe is not None
    ]
    return float(np.mean(known)) if known else None


def _about(what: str, report: Report) -> Callable[[int, int], None]:
    return lambda done, total: report(what, done, total)
