"""`texedo data build`: a corpus of G1 motion from motion capture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro
from rich.console import Console
from rich.table import Table

from texedo.apps.bars import Bar
from texedo.apps.console import make_console
from texedo.core.errors import FileFormatError
from texedo.core.files import texedo_home
from texedo.data.capture.dataset import CaptionSource
from texedo.data.capture.datasets import DATASETS, open_dataset
from texedo.data.corpus.build import BuildCfg, Progress, build_corpus
from texedo.data.corpus.store import Corpus
from texedo.motion import FPS

if TYPE_CHECKING:
    DatasetName = str
else:
    DatasetName = tyro.extras.literal_type_from_choices(tuple(DATASETS))


@dataclass(frozen=True)
class Cfg:
    """Build the corpus: retarget, cut into clips, reject what a robot cannot do, split.

    `cmu` is a folder with the CMU archives (bvh60_*.tar.xz) or with its BVH files, and
    labels.jsonl and segments.csv beside them where they exist. `folder` is any folder of
    BVH files with captions: captions.csv (file,caption,start,end,subject,action),
    captions.jsonl, or a .txt beside each .bvh. All cores work; an interrupted
    build resumes where it stopped, and a finished one is left as it is.

        texedo data build cmu --source cmu --out corpus
        texedo data build folder --source recordings --out corpus --captured-only
    """

    dataset: tyro.conf.Positional[DatasetName]
    """Which database it is: its labels, known faults and splits."""
    source: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """Folder of archives or BVH files; $TEXEDO_HOME/sources/DATASET if not given."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="DIR")] = None
    """Folder of the corpus; $TEXEDO_HOME/corpus/DATASET if not given. TEXEDO_HOME is
    ~/.cache/texedo unless set."""
    captions: CaptionSource | None = None
    """Captions of the captured clips: written (what somebody wrote about them, generated
    where nobody did), generated, or both. If not given: both for cmu, written for
    folder."""
    captured_only: bool = False
    """Leave out the authored, mirrored and composed clips."""
    workers: int | None = None
    """Worker processes; all cores if not given."""


def run(cfg: Cfg) -> int:
    source = cfg.source or texedo_home() / "sources" / cfg.dataset
    out = cfg.out or texedo_home() / "corpus" / cfg.dataset
    if cfg.workers is not None and cfg.workers < 1:
        raise FileFormatError(f"--workers must be at least 1, got {cfg.workers}.")
    if not source.exists():
        raise FileFormatError(
            f"{source} does not exist: pass --source, a folder with "
            f"{DATASETS[cfg.dataset].holds}."
        )
    console = make_console()
    with Bar(long=True) as bar:
        result = build_corpus(
            open_dataset(cfg.dataset, source),
            out,
            cfg=BuildCfg(derive=not cfg.captured_only, captions=cfg.captions),
            workers=cfg.workers,
            report=lambda state: _show(bar, state),
        )
    if result.was_up_to_date:
        console.print(f"{out} is up to date: {result.corpus!r}", markup=False)
    else:
        print_summary(console, result.corpus)
        console.print(f"{result.corpus!r} in {out}", markup=False)
    return 0


_STAGES = {
    "survey": "Reading the source",
    "retarget": "Retargeting",
    "assemble": "Cutting, grouping",
    "caption": "Captioning",
    "derive": "Authoring, mirroring, composing",
}


def _show(bar: Bar, state: Progress) -> None:
    """Recordings done, and how many times faster than real time."""
    bar.stage(_STAGES[state.stage])
    note = ""
    if state.seconds and bar.elapsed:
        note = f"{state.seconds / bar.elapsed:.0f} s of motion per second"
    if state.failed:
        note += f", {state.failed} failed"
    bar.show(state.done, state.total or None, note=note)


def print_summary(console: Console, corpus: Corpus) -> None:
    """What the corpus holds, what was rejected, and how well it was retargeted."""
    summary = corpus.info["summary"]
    counts = Table("counts", "", title_justify="left")
    for name in (
        "trials",
        "trials_accepted",
        "trials_accepted_unique",
        "windows_proposed",
        "windows_accepted",
        "windows_accepted_unique",
        "windows_shrunk",
        "hours",
        "hours_unique",
    ):
        counts.add_row(name.replace("_", " "), f"{summary[name]:g}")
    words = summary["words"]
    counts.add_row("captions", f"{words['captions']:g}")
    if "captions_written" in summary:
        used, written = summary["captions_written_used"], summary["captions_written"]
        counts.add_row("written captions used", f"{used:g} of {written:g}")
    counts.add_row("distinct sentence skeletons", f"{words['skeletons']:g}")
    counts.add_row("most frequent skeleton", f"{words['most_frequent_share']:.2%}")
    console.print(counts)
    kinds = Table("kind", "clips", "hours")
    for kind, number in corpus.info["kinds"].items():
        hours = corpus.lengths[corpus.select(kind=kind)].sum() / FPS / 3600
        kinds.add_row(kind, str(number), f"{hours:.2f}")
    console.print(kinds)
    console.print(_splits_table(corpus))
    reasons = Table("rejected because of", "windows or recordings")
    for reason, number in list(summary["rejected"].items())[:12]:
        reasons.add_row(reason, str(number))
    console.print(reasons)
    console.print(_quality_table(summary["quality"]))


def _splits_table(corpus: Corpus) -> Table:
    table = Table("split", "clips", "hours", "families", "subjects")
    for split in corpus.info["splits"]:
        rows = corpus.select(split=split)
        clips = [corpus.clips[i] for i in rows]
        hours = corpus.lengths[rows].sum() / FPS / 3600
        families = {clip.family for clip in clips}
        subjects = {clip.subject for clip in clips}
        table.add_row(
            split,
            str(len(rows)),
            f"{hours:.2f}",
            str(len(families)),
            str(len(subjects)),
        )
    return table


def _quality_table(quality: Mapping[str, Any]) -> Table:
    table = Table("quality over all frames", "")
    shown = {
        "foot error, mean": f"{100 * quality['foot_error_mean_m']:.3f} cm",
        "ground penetrated by more than 1 cm": (
            f"{quality['ground_penetration_over_1cm']:.3%} of frames"
        ),
        "limbs overlap by more than 1 cm": (
            f"{quality['self_penetration_over_1cm']:.3%} of frames"
        ),
        "foot skate in contact, mean": f"{100 * quality['skate_mean_m_s']:.2f} cm/s",
        "joint limits exceeded by at most": (
            f"{quality['limit_violation_max_rad']:.2g} rad"
        ),
        "joint speed, most of a motor's limit": (
            f"{quality['joint_speed_ratio_max']:.1%}"
        ),
    }
    for name, value in shown.items():
        table.add_row(name, value)
    return table
