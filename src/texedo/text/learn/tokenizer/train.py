"""Train the tokenizer: a few minutes on one GPU, and it can go on where it stopped.

    python -m texedo.text.learn.tokenizer.train --data clips.npz --out run --minutes 5

In: packed clips (`text.learn.tokenizer.data`). Out: `tokenizer/` (as it ships),
`state-*.safetensors` (everything needed to go on), `log.jsonl`, `report.json`. Windows
are drawn by (seed, iteration), so that a resumed run sees what it would have seen. Needs
numpy, torch and safetensors, and nothing of the command line.
"""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import torch

from texedo.core.errors import TexedoError
from texedo.learning.run import PROCESS_START, RunLog, run_command
from texedo.text.learn.tokenizer.cfg import TokenizerTrainCfg
from texedo.text.learn.tokenizer.report import evaluate, full_report
from texedo.text.learn.tokenizer.run import (
    Progress,
    Run,
    build,
    describe,
    load_state,
    save_state,
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
    out = Path(cfg.out)
    log = RunLog(out)
    run = build(cfg)
    earlier = load_state(Path(cfg.resume), run) if cfg.resume else Progress()
    iteration, spent = earlier.iteration, earlier.seconds
    log.write("setup", iteration=iteration, spent=spent, **describe(run, cfg))
    stepper = Stepper(run, cfg)
    meter = Meter(stepper)
    started = time.monotonic()
    seconds, budget = spent, time_budget(cfg, spent)

    def state() -> Progress:
        return Progress(iteration, seconds, stepper.codes_stay)

    try:
        while seconds < budget and not 0 < cfg.iterations <= iteration:
            done = iteration / cfg.iterations if cfg.iterations else seconds / budget
            if not stepper.codes_stay and done >= 1.0 - cfg.decoder_share:
                again = earlier.codes_stay and iteration == earlier.iteration
                stepper.keep_codes(begin=not again)
            stepper(iteration, rate_at(cfg, iteration, done))
            meter.tick()
            iteration += 1
            if iteration % cfg.log_every == 0:
                log.write("train", iteration=iteration, **meter.read())
            if iteration % cfg.save_every == 0:
                save_state(out, run, state())
            if iteration % cfg.eval_every == 0:
                log.write("eval", iteration=iteration, **quick_evaluation(run, cfg))
            seconds = spent + time.monotonic() - started
    except KeyboardInterrupt:
        save_state(out, run, state())
        raise
    save_state(out, run, state())
    report = finish(out, run, state())
    log.write("final", iteration=iteration, **report)
    return report


def time_budget(cfg: TokenizerTrainCfg, spent: float) -> float:
    """Seconds of training over all resumed runs, so that the report meets the wall."""
    budget = 60.0 * cfg.minutes if cfg.minutes else math.inf
    if cfg.wall:
        left = PROCESS_START + cfg.wall - _REPORT_SECONDS - time.monotonic()
        budget = min(budget, spent + left)
    if not math.isfinite(budget) and not cfg.iterations:
        raise TexedoError("A run needs an end: give --minutes, --wall or --iterations.")
    return budget


def quick_evaluation(run: Run, cfg: TokenizerTrainCfg) -> dict[str, float]:
    """Errors on captured val clips with the mean weights."""
    clips = run.data.select(split="val", kind="captured")
    longest_first = sorted(clips, key=lambda i: -run.data.lengths[i])
    # Evenly over the lengths: long ones, which tell about drift, are among them.
    stride = max(1, len(clips) // max(cfg.eval_clips, 1))
    tokenizer = MotionTokenizer(run.mean_net)
    return evaluate(tokenizer, run.data, longest_first[::stride])


def finish(out: Path, run: Run, progress: Progress) -> dict[str, Any]:
    """Store the tokenizer and judge it as stored."""
    metadata: dict[str, Any] = {
        "iterations": progress.iteration,
        "seconds": round(progress.seconds, 1),
    }
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


def main() -> int:
    """The command without a command line library; 2 for bad input."""
    return run_command(TokenizerTrainCfg, train, sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(main())
