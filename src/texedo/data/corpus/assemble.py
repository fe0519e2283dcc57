"""From retargeted recordings to clips: cut, screen, group, split, and count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.data.capture.dataset import Dataset, RecordingInfo
from texedo.data.corpus.cutting import Window, joint_activity, propose_windows
from texedo.data.corpus.duplicates import (
    COPY_TOLERANCE,
    DuplicateCfg,
    DuplicatePair,
    find_duplicates,
    group_trials,
)
from texedo.data.corpus.screening import (
    TOO_SHORT,
    ScreenCfg,
    quality_record,
    screen,
    unfit_frames,
)
from texedo.data.corpus.splits import SplitCfg, assign_splits, split_faults
from texedo.data.corpus.store import Clip
from texedo.data.retarget.trials import Trial, load_trial
from texedo.motion import FPS, Motion, canonicalize

FAILED = "could not be read or retargeted"


class Rejected(NamedTuple):
    """A recording or a part of one that is not in the corpus, or only in part."""

    trial: str
    start: float
    """[s]"""
    end: float
    reasons: tuple[str, ...]
    kept: bool
    """A part of it was kept."""
    detail: str = ""
    """The error, where the recording could not be used at all."""


@dataclass(kw_only=True)
class Assembly:
    """Everything that a build decides, before it is written."""

    clips: list[Clip] = field(default_factory=list)
    frames: list[NDArray[np.float32]] = field(default_factory=list)
    """Frames of each clip, (T, 36)."""
    phrases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Verb phrases of captured clips by id: what they do, for sentences about several."""
    written_phrases: dict[str, int] = field(default_factory=dict)
    """How many of these, the first ones, are in words that somebody wrote."""
    rejected: list[Rejected] = field(default_factory=list)
    num_trials: int = 0
    num_windows: int = 0
    """Proposed, before screening."""
    broken: int = 0
    """Recordings that failed by a fault of the program."""
    written: int = 0
    """Captions that somebody wrote about its recordings, where they are used."""
    written_used: int = 0
    """Those of them that a clip has got."""
    contradicted: Counter[str] = field(default_factory=Counter)
    """Written captions that were left out, by the claim that is not true."""

    def reasons(self) -> Counter[str]:
        """How many rejections name each reason."""
        return Counter(r for row in self.rejected if not row.kept for r in row.reasons)

    def summary(self) -> dict[str, Any]:
        """Counts and the quality over all frames of the captured clips."""
        captured = [clip for clip in self.clips if clip.kind == "captured"]
        lengths = np.array([clip.num_frames for clip in captured])
        kept = {clip.trial for clip in captured}
        unique = {clip.trial for clip in captured if clip.copy_of is None}
        originals = [clip for clip in captured if clip.copy_of is None]
        counts: dict[str, Any] = {
            "trials": self.num_trials,
            "trials_accepted": len(kept),
            "trials_accepted_unique": len(unique),
            "windows_proposed": self.num_windows,
            "windows_accepted": len(captured),
            "windows_accepted_unique": len(originals),
            "windows_shrunk": sum(row.kept for row in self.rejected),
            "hours": round(float(lengths.sum()) / FPS / 3600, 4),
            "hours_unique": round(sum(c.duration for c in originals) / 3600, 4),
            "rejected": dict(self.reasons().most_common()),
            "quality": quality_summary(captured),
        }
        if self.written:
            counts["captions_written"] = self.written
            counts["captions_written_used"] = self.written_used
            counts["captions_contradicted"] = dict(self.contradicted.most_common())
        return counts


def quality_summary(clips: Sequence[Clip]) -> dict[str, float]:
    """Quality over all frames of all clips that have a record."""
    rows = [(clip.quality, clip.num_frames) for clip in clips if clip.quality]
    if not rows:
        return {}
    frames = np.array([n for _, n in rows], dtype=np.float64)

    def column(name: str) -> NDArray[np.float64]:
        return np.array([record[name] for record, _ in rows])

    def mean(name: str, weight: NDArray[np.float64] = frames) -> float:
        return round(float((column(name) * weight).sum() / max(weight.sum(), 1)), 8)

    return {
        "foot_error_mean_m": mean("foot_error_mean_m"),
        "ground_penetration_over_1cm": mean("ground_penetration_over_1cm"),
        "self_penetration_over_1cm": mean("self_penetration_over_1cm"),
        "skate_mean_m_s": mean("skate_mean_m_s", frames * column("contact_feet_mean")),
        "limit_violation_max_rad": float(column("limit_violation_max_rad").max()),
        "joint_speed_ratio_max": float(column("joint_speed_ratio_max").max()),
    }


def assemble(
    trials: Sequence[str],
    folder: Path,
    *,
    dataset: Dataset,
    cfg: tuple[ScreenCfg, DuplicateCfg, SplitCfg],
) -> Assembly:
    """Clips of all result files in `folder`, in the order of `trials`."""
    out = Assembly(num_trials=len(trials))
    joints: dict[str, NDArray[np.float32]] = {}
    skeletons: dict[str, str] = {}
    for name in trials:
        trial = load_trial(folder, name)
        if trial.error is not None:
            out.rejected.append(Rejected(name, 0.0, 0.0, (FAILED,), False, trial.error))
            out.broken += not trial.key
            continue
        joints[name], skeletons[name] = trial.qpos[:, 7:], trial.skeleton
        _cut(trial, dataset.info(name), cfg=cfg[0], out=out)
    out.clips = _place(out.clips, joints, skeletons, dataset=dataset, cfg=cfg[1:])
    if faults := split_faults(out.clips):
        raise AssertionError(f"the splits leak: {faults[0]}")
    return out


def _place(
    clips: Sequence[Clip],
    joints: Mapping[str, NDArray[np.float32]],
    skeletons: Mapping[str, str],
    *,
    dataset: Dataset,
    cfg: tuple[DuplicateCfg, SplitCfg],
) -> list[Clip]:
    """The clips with group, split and what they copy; the rest by recording.

    All recordings take part, also those without a clip: which group a recording is in
    must not depend on what the screening let through.
    """
    pairs = find_duplicates(joints, cfg[0])
    same = [(p.first, p.second) for p in pairs]
    about = {trial: dataset.info(trial) for trial in joints}
    groups = group_trials(list(joints), same)
    units = group_trials(list(joints), [*same, *_kept_together(about)])
    subjects = {trial: info.subject for trial, info in about.items()}
    splits = assign_splits(units, subjects, skeletons=skeletons, cfg=cfg[1])
    copies = _copies(pairs)
    return [
        replace(
            clip,
            group=groups[clip.trial],
            split=splits[clip.trial],
            copy_of=copies.get(clip.trial),
        )
        for clip in clips
    ]


def _kept_together(about: Mapping[str, RecordingInfo]) -> list[tuple[str, str]]:
    """Links between recordings that the database does not want divided."""
    first: dict[str, str] = {}
    links = []
    for trial, info in about.items():
        if info.split_unit:
            links.append((first.setdefault(info.split_unit, trial), trial))
    return links


def _cut(trial: Trial, info: RecordingInfo, *, cfg: ScreenCfg, out: Assembly) -> None:
    """Add the clips of one recording, and what is rejected of it, to `out`."""
    assert trial.quality is not None  # it would have an error instead
    qpos, length = trial.qpos, len(trial.qpos)
    windows = propose_windows(
        length,
        atomic=info.label.atomic,
        segments=info.segments,
        exact=info.exact_segments,
        activity=joint_activity(qpos[:, 7:]),
    )
    if not windows:
        out.rejected.append(
            Rejected(trial.trial, 0.0, length / FPS, (TOO_SHORT,), False)
        )
    out.num_windows += len(windows)
    unfit = unfit_frames(qpos, trial.quality, cfg)
    for number, window in enumerate(windows):
        verdict = screen(window, unfit, trial.quality, cfg=cfg)
        if verdict.reasons:
            start, end = window.start / FPS, window.stop / FPS
            kept = verdict.window is not None
            out.rejected.append(
                Rejected(trial.trial, start, end, verdict.reasons, kept)
            )
        if verdict.window is not None:
            clip = _make_clip(trial, number, verdict.window, info=info)
            record = quality_record(qpos, trial.quality, verdict.window, cfg=cfg)
            out.clips.append(replace(clip, quality=record))
            block = qpos[verdict.window.start : verdict.window.stop]
            out.frames.append(canonicalize(Motion.from_qpos(block)).to_qpos())


def _make_clip(
    trial: Trial, number: int, window: Window, *, info: RecordingInfo
) -> Clip:
    """A clip without its place among the others."""
    label = info.label
    return Clip(
        id=f"{trial.trial}-{number:02d}",
        trial=trial.trial,
        subject=info.subject,
        start=window.start / FPS,
        end=window.stop / FPS,
        first_frame=0,
        num_frames=window.num_frames,
        family=label.family,
        split="",
        group="",
        style=label.style,
        description=label.description,
        atomic=label.atomic,
        label_scope=window.scope,
    )


def _copies(pairs: Sequence[DuplicatePair]) -> dict[str, str]:
    """The recording that each copy copies."""
    found: dict[str, str] = {}
    for pair in pairs:
        if pair.difference <= COPY_TOLERANCE:
            found.setdefault(pair.second, pair.first)
    return found
