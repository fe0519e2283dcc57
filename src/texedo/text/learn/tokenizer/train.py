"""Train the tokenizer: a few minutes on one GPU, and it can go on where it stopped.

    texedo train tokenizer --data clips.npz -o run --minutes 5

In: packed clips (`text.learn.tokenizer.data`). Out: `tokenizer/` (as it ships),
`state-*.safetensors` (everything needed to go on), `log.jsonl`, `report.json`. Windows
are drawn by (seed, step), so that a resumed run sees what it would have seen. Needs
numpy, torch and safetensors, and nothing of the command line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from texedo.learning.clock import Clock, due
from texedo.learning.run import RunFolder
from texedo.text.learn.tokenizer.cfg import TokenizerTrainCfg
from texedo.text.learn.tokenizer.report import evaluate, full_report
from texedo.text.learn.tokenizer.run import (
    Run,
    build,
    describe,
    pack_run,
    restore_run,
)
from texedo.text.learn.tokenizer.step import Meter, Stepper, rate_at
from texedo.text.tokenizer.tokenizer import (
    MotionTokenizer,
    load_tokenizer,
    save_tokenizer,
)

_REPORT_SECONDS = 15.0
"""Kept before the wall for the final report."""


def train(cfg: TokenizerTrainCfg) -> dict[str, Any]:
    """Run, save, judge; returns the final report."""
    run = build(cfg)  # Before anything is written: a wrong --data leaves no folder.
    folder = RunFolder(cfg, data=run.digest)
    saved = folder.earlier()
    step, seconds, began_alone = 0, 0.0, False
    if saved is not None:
        restore_run(run, saved)
        step, seconds = saved.step, saved.seconds
        began_alone = bool(saved.values.get("codes_stay"))
    first = step
    folder.log.write("setup", step=step, spent=seconds, **describe(run, cfg))
    stepper = Stepper(run, cfg)
    meter = Meter(stepper)

    def save() -> None:
        folder.save(
            pack_run(run),
            step=step,
            seconds=clock.seconds,
            codes_stay=stepper.codes_stay,
        )

    with Clock(cfg, seconds=seconds, report_seconds=_REPORT_SECONDS) as clock:
        while not clock.over(step):
            done = clock.fraction(step)
            if not stepper.codes_stay and done >= 1.0 - cfg.decoder_share:
                stepper.keep_codes(begin=not (began_alone and step == first))
            stepper(step, rate_at(cfg, step, done))
            meter.tick()
            step += 1
            if step % cfg.log_every == 0:
                folder.log.write("train", step=step, **meter.read())
            if step % cfg.save_every == 0:
                save()
            if due(step, cfg.eval_every):
                folder.log.write("eval", step=step, **quick_evaluation(run, cfg))
        save()
    report = finish(folder.path, run, step=step, seconds=clock.seconds)
    folder.log.write("final", step=step, **report)
    return report


def quick_evaluation(run: Run, cfg: TokenizerTrainCfg) -> dict[str, float]:
    """Errors on captured val clips with the mean weights."""
    clips = run.data.select(split="val", kind="captured")
    longest_first = sorted(clips, key=lambda i: -run.data.lengths[i])
    # Evenly over the lengths: long ones, which tell about drift, are among them.
    stride = max(1, len(clips) // max(cfg.eval_clips, 1))
    tokenizer = MotionTokenizer(run.mean_net)
    return evaluate(tokenizer, run.data, longest_first[::stride])


def finish(out: Path, run: Run, *, step: int, seconds: float) -> dict[str, Any]:
    """Store the tokenizer and judge it as stored."""
    metadata: dict[str, Any] = {"steps": step, "seconds": round(seconds, 1)}
    if run.origin:
        metadata["start"] = {k: v for k, v in run.origin.items() if k != "report"}
    tokenizer = MotionTokenizer(run.mean_net, metadata=metadata)
    save_tokenizer(out / "tokenizer", tokenizer)
    # Codes are to be those of a CPU.
    torch.set_float32_matmul_precision("highest")
    device = run.net.feature_mean.device
    shipped = load_tokenizer(out / "tokenizer", device=device)
    report = full_report(shipped, run.data)
    save_tokenizer(out / "tokenizer", shipped, metadata={"report": report})
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n")
    return report
