"""GPU roll-outs: how fast they are, and whether they agree with the CPU.

    python benchmarks/gpu_rollout.py prepare CORPUS FOLDER
    texedo label FOLDER/corpus --tracker TRACKER --out FOLDER/cpu.jsonl
    python benchmarks/gpu_rollout.py run --clips FOLDER/clips.npz --tracker TRACKER \\
        --cpu-labels FOLDER/cpu.jsonl --out gpu.json

`prepare` picks 1,000 captured clips: both tests, then others spread over the families.
It writes them as a packed file, and as a corpus of the same (rounded) frames for the
CPU. `run` needs numpy, torch, safetensors, mujoco and mujoco-warp. Speed is that of
five-second roll-outs, observation, policy, physics and verdict included; the clips are
cut to 251 frames, and each world performs two. Agreement is of success and Q* on the
labelled clips; Q* by the tracker's own normalisers, or, where it has none, by those of
the CPU labels. Exit code 1: a target was missed.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import tyro

from texedo.data.corpus.clip_file import clips_from, write_clips
from texedo.data.corpus.label_table import (
    NO_PERTURBATION,
    Label,
    clip_hash,
    read_labels,
)
from texedo.data.corpus.packed_clips import PackedClips
from texedo.motion import Motion
from texedo.quality import (
    Normalizers,
    fit_normalizers,
    oracle_quality,
    tracking_quality,
)

COUNT = 1000
FIVE_SECONDS = 251
REQUIRED_RATE = 1500.0
"""Five-second roll-outs per second."""
REQUIRED_AGREEMENT = 0.01
"""Largest difference of the success rate and of the mean Q*."""


def prepare(
    corpus: tyro.conf.Positional[Path],
    folder: tyro.conf.Positional[Path],
    count: int = COUNT,
) -> None:
    """Write `clips.npz` and `corpus/` with the same frames."""
    from texedo.data.corpus.store import Corpus, write_corpus

    clips = clips_from(corpus)
    wanted = {"test": 0, "test-subject": 0}
    order = sorted(
        range(len(clips)),
        key=lambda c: (wanted.get(clips.splits[c], 1), clips.families[c], c),
    )
    tests = sum(split in wanted for split in clips.splits)
    rest = np.linspace(tests, len(order) - 1, max(count - tests, 0)).round().astype(int)
    chosen = [order[i] for i in [*range(min(tests, count)), *rest]]
    folder.mkdir(parents=True, exist_ok=True)
    write_clips(folder / "clips.npz", clips.pick(chosen))
    packed = clips_from(folder / "clips.npz")
    source = Corpus.load(corpus)
    rows = [source.clips[source.index(name)] for name in packed.ids]
    write_corpus(folder / "corpus", rows, [m.to_qpos() for m in motions_of(packed)])
    print(f"{folder}: {len(packed)} clips, {len(packed.qpos)} frames")


def motions_of(clips: PackedClips) -> list[Motion]:
    return [clips.motion(i) for i in range(len(clips))]


def speed(
    clips: PackedClips,
    tracker: Path,
    device: str,
    *,
    worlds: int,
    rows: int,
    dense: bool,
) -> dict[str, Any]:
    """Five-second roll-outs with that many worlds."""
    from texedo.tracker.oracle.batch import roll_out
    from texedo.tracker.policies.actor import load_tracker
    from texedo.tracker.sim.controlled import ClosedLoop
    from texedo.tracker.sim.reference_library import ReferenceLibrary
    from texedo.tracker.sim.warp import WarpSim

    started = time.monotonic()
    sim = WarpSim(worlds, device=device, max_rows=rows, dense=dense)
    actor, _ = load_tracker(tracker, device=device)
    frames = min(FIVE_SECONDS, int(clips.lengths.max()))
    cut = [m.to_qpos()[:frames] for m in motions_of(clips) if len(m) >= frames]
    lengths = np.full(len(cut), frames)
    built = time.monotonic() - started
    started = time.monotonic()
    library = ReferenceLibrary.build(
        np.concatenate(cut), np.cumsum(lengths) - lengths, lengths, device=device
    )
    _wait(device)
    library_s = time.monotonic() - started
    loop = ClosedLoop(sim, library, actor.spec)
    which = torch.arange(2 * worlds) % len(cut)
    roll_out(loop, actor, which[:worlds], max_steps=30)  # Compiles and warms up.
    physics_ms = _physics(sim, device)
    started = time.monotonic()
    outcomes = roll_out(loop, actor, which)
    seconds = time.monotonic() - started
    steps = int((outcomes.executed - 1).sum())
    return {
        "worlds": worlds,
        "rows": rows,
        "dense": dense,
        "roll_outs": len(which),
        "build_s": round(built, 2),
        "library_s": round(library_s, 3),
        "library_clips": len(cut),
        "seconds": round(seconds, 3),
        "roll_outs_per_s": round(len(which) / seconds, 1),
        "control_steps_per_s": round(steps / seconds),
        "physics_ms_per_step": round(physics_ms, 3),
        "physics_bound_roll_outs_per_s": round(
            1000 * worlds / physics_ms / (frames - 1), 1
        ),
        "success": float(outcomes.success.float().mean()),
        "overflow": int(sim.overflow.max()),
    }


def _physics(sim: Any, device: str, steps: int = 25) -> float:
    """Milliseconds of one control step of physics alone, in the middle of roll-outs."""
    _wait(device)
    started = time.monotonic()
    for _ in range(steps):
        sim.step()
    _wait(device)
    return 1000 * (time.monotonic() - started) / steps


def _wait(device: str) -> None:
    if device.startswith("cuda"):
        torch.cuda.synchronize()


def agreement(
    clips: PackedClips, tracker: Path, labels: list[Label], device: str, *, worlds: int
) -> dict[str, Any]:
    """The same clips on the GPU, against their labels."""
    from texedo.tracker.oracle.stream import warp_stream
    from texedo.tracker.policies.ours import TrackerPolicy

    policy = TrackerPolicy.load(tracker)
    ours = {
        row.clip: row
        for row in labels
        if row.tracker_hash == policy.digest and row.perturbation == NO_PERTURBATION
    }
    motions = [m for m in motions_of(clips) if clip_hash(m) in ours]
    if not motions:
        raise SystemExit("The labels are of other clips, or of another tracker.")
    cpu = [ours[clip_hash(m)] for m in motions]
    started = time.monotonic()
    done = sorted(warp_stream(motions, policy, device=device, worlds=worlds))
    seconds = time.monotonic() - started
    pairs = [
        (label, result.measures)
        for label, result in zip(cpu, done, strict=True)
        if result.measures is not None
    ]
    table = {
        "cpu": [(x.success, x.e_acc, x.e_vel, x.progress, x.mpjpe) for x, _ in pairs],
        "gpu": [
            (q.success, q.e_acc, q.e_vel, q.progress, q.mpjpe_l) for _, (q, *_) in pairs
        ],
    }
    columns = {k: np.array(v, dtype=np.float64).T for k, v in table.items()}
    normalizers = policy.normalizers or fit_normalizers(*columns["cpu"][1:3])
    report = _compare(columns["cpu"], columns["gpu"], normalizers)
    return {
        "clips": len(pairs),
        "not_rolled_out": len(motions) - len(pairs),
        "seconds": round(seconds, 2),
        "normalizers": {"e_acc": normalizers.e_acc, "e_vel": normalizers.e_vel},
        "normalizers_of": "tracker" if policy.normalizers else "cpu labels",
        **report,
        "differ": [
            {
                "clip": x.name,
                "cpu_frame": x.frame,
                "gpu_frame": int(m.quality.failure_frame),
                "frames": x.num_frames,
                "cpu_reason": x.reason,
            }
            for x, m in pairs
            if x.success != bool(m.quality.success)
        ],
    }


def _compare(
    cpu: np.ndarray[Any, Any], gpu: np.ndarray[Any, Any], normalizers: Normalizers
) -> dict[str, Any]:
    """Rows: success, e_acc, e_vel, progress, mpjpe; columns: clips."""

    def q_star(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        success, e_acc, e_vel, progress, _ = rows
        q_d = tracking_quality(e_acc, e_vel, normalizers=normalizers)
        return oracle_quality(success, q_d, progress)

    both = (cpu[0] == 1) & (gpu[0] == 1)
    star = q_star(cpu), q_star(gpu)
    rates = float(cpu[0].mean()), float(gpu[0].mean())
    return {
        "flags_equal": float((cpu[0] == gpu[0]).mean()),
        "success_cpu": rates[0],
        "success_gpu": rates[1],
        "success_difference": abs(rates[0] - rates[1]),
        "q_star_cpu": float(star[0].mean()),
        "q_star_gpu": float(star[1].mean()),
        "q_star_difference": abs(float(star[0].mean() - star[1].mean())),
        "q_star_mean_abs": float(np.abs(star[0] - star[1]).mean()),
        "both_succeed": {
            name: {
                "cpu": float(np.nanmean(cpu[row][both])),
                "gpu": float(np.nanmean(gpu[row][both])),
                "median_abs": float(np.nanmedian(np.abs(cpu[row] - gpu[row])[both])),
            }
            for name, row in (("e_acc", 1), ("e_vel", 2), ("e_mpjpe", 4))
        },
    }


@dataclass(frozen=True)
class RunCfg:
    """Speed, and agreement with the CPU."""

    clips: Path
    """Packed by `prepare`."""
    tracker: Path
    """Folder of a trained tracker."""
    cpu_labels: Path | None = None
    """Of `texedo label`, for the agreement."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = Path("gpu_rollout.json")
    """The report."""
    worlds: tuple[int, ...] = (4096, 8192, 16384)
    """Robots at once; a row of the report each."""
    rows: tuple[int, ...] = (240,)
    """Constraint rows; a row of the report each."""
    dense: bool = False
    """Dense constraint rows."""
    device: str = ""
    """cuda:0 if there is one."""
    limit: int = 0
    """Only the first clips."""


def measure(args: tyro.conf.OmitArgPrefixes[RunCfg]) -> int:
    """Speed of roll-outs on a GPU, and agreement with the CPU."""
    device = args.device or ("cuda:0" if torch.cuda.is_available() else "cpu")
    report: dict[str, Any] = {"device": device, "torch": torch.__version__}
    if device.startswith("cuda"):
        report["gpu"] = torch.cuda.get_device_name(device)
    clips = clips_from(args.clips)
    if args.limit:
        clips = clips.pick(range(min(args.limit, len(clips))))
    reached = True
    if args.cpu_labels:
        labels = read_labels(args.cpu_labels)
        worlds = min(max(args.worlds), len(clips))
        found = agreement(clips, args.tracker, labels, device, worlds=worlds)
        report["agreement"] = found
        _save(args.out, report)
        worst = max(found["success_difference"], found["q_star_difference"])
        reached &= worst <= REQUIRED_AGREEMENT
    report["speed"] = []
    for worlds in args.worlds:
        for rows in args.rows:
            row = speed(
                clips, args.tracker, device, worlds=worlds, rows=rows, dense=args.dense
            )
            report["speed"].append(row)
            _save(args.out, report)
    reached &= max(r["roll_outs_per_s"] for r in report["speed"]) >= REQUIRED_RATE
    print(json.dumps(report, indent=1))
    return int(not reached)


def _save(path: Path, report: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    result = tyro.extras.subcommand_cli_from_dict(
        {"prepare": prepare, "run": measure},
        config=(tyro.conf.FlagCreatePairsOff,),
    )
    sys.exit(result or 0)
