"""Everything the tracker trains on, in files that are small enough to travel.

    texedo data pack CORPUS --target tracker -o OUT

writes `captured.npz` (recordings of the splits train and val), `extra.npz` (authored and
overlaid clips of the split train), `drills.npz`, and, given the motion capture that the
corpus was built from, `variants.npz`. All go into `--clips`, joined by commas. The
held-out tests stay where they are. What was made before an interruption lies in
OUT/parts and is taken from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from texedo.data.corpus.clip_file import write_clips
from texedo.data.corpus.corpus_file import clips_of_corpus
from texedo.data.corpus.packed_clips import PackedClips, pack_frames
from texedo.data.corpus.parts import Report as PartsReport
from texedo.data.corpus.parts import make_parts, silent
from texedo.data.synth.drills import BATCH, DRILLS_VERSION, make_drills
from texedo.data.synth.variants import make_variants

DRILLS = 2400
Report = Callable[[str, int, int], None]
"""Hears what is being made, how many batches are done, and how many there are."""


def pack(
    corpus: Path,
    out: Path,
    *,
    source: Path | None = None,
    drills: int = DRILLS,
    seed: int = 0,
    workers: int | None = None,
    report: Report = lambda what, done, total: None,
) -> None:
    """Write all files; without `source` no variants, with no `drills` none of these."""
    out.mkdir(parents=True, exist_ok=True)
    captured = clips_of_corpus(corpus)
    write_clips(
        out / "captured.npz", _bare(captured, captured.select(split=("train", "val")))
    )
    made = clips_of_corpus(corpus, kinds=("authored", "overlay"))
    write_clips(out / "extra.npz", _bare(made, made.select(split="train")))
    if drills:
        clips = drill_clips(
            drills,
            out / "parts",
            seed=seed,
            workers=workers,
            report=lambda done, total: report("drills", done, total),
        )
        write_clips(out / "drills.npz", clips)
    if source is not None:
        variants = make_variants(
            corpus,
            source,
            out / "parts",
            seed=seed,
            workers=workers,
            report=lambda done, total: report("variants", done, total),
        )
        write_clips(out / "variants.npz", variants)


def _bare(clips: PackedClips, chosen: Sequence[int]) -> PackedClips:
    """Chosen clips without their records: a tracker needs no captions."""
    return replace(clips.pick(chosen), records=(), info={})


def drill_clips(
    count: int,
    parts: Path,
    *,
    seed: int = 0,
    workers: int | None = None,
    report: PartsReport = silent,
) -> PackedClips:
    """Drills as training clips; a batch that lies in the folder `parts` is not made anew."""
    shares = [(i, min(i + BATCH, count)) for i in range(0, count, BATCH)]
    calls = {
        parts / f"drills-{DRILLS_VERSION}-{seed}-{first}-{end}.npz": (first, end, seed)
        for first, end in shares
    }
    return make_parts(_drill_batch, calls, workers=workers, report=report)


def _drill_batch(first: int, end: int, seed: int) -> PackedClips:
    drills = list(make_drills(first, end, seed=seed))
    return pack_frames(
        [drill.motion.to_qpos() for drill in drills],
        ids=[f"drill-{drill.number:04d}" for drill in drills],
        families=[drill.family for drill in drills],
        splits=["train"] * len(drills),
        kinds=["drill"] * len(drills),
    )
