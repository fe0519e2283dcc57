"""Train the tokenizer: a few minutes on one GPU, and it can go on where it stopped.

    python -m texedo.text.tokenizer_train --data clips.npz --out run --minutes 5

In: packed clips (`text.motion_data`). Out: `tokenizer/` (as it ships),
`state-*.safetensors` (everything needed to go on), `log.jsonl`, `report.json`. Windows
are drawn by (seed, iteration), so that a resumed run sees what it would have seen. Needs
numpy, torch and safetensors, and nothing of the command line.
"""

from __future__ import annotations

import json
import math
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from texedo.checkpoints.run import (
    PROCESS_START,
    RunLog,
    load_run,
    parse_options,
    save_run,
)
from texedo.errors import CheckpointError, TexedoError
from texedo.text.motion_data import MotionData, load_motion_data
from texedo.text.tokenizer import MotionTokenizer, load_tokenizer, save_tokenizer
from texedo.text.tokenizer_net import NetSpec, TokenizerNet
from texedo.text.tokenizer_report import evaluate, full_report, perplexity
from texedo.text.tokenizer_train_cfg import TokenizerTrainCfg
from texedo.text.tokenizer_train_loss import Reconstruction
from texedo.text.tokenizer_train_windows import Windows, scales

_REPORT_SECONDS = 45.0
"""Kept before the wall for the final report."""
_LAST_RATE = 0.01
"""Learning rate at the end, as a share of the top."""
_MAX_GRADIENT = 1.0


class Run(NamedTuple):
    """All the parts of a training run."""

    data: MotionData
    windows: Windows
    net: TokenizerNet
    mean_net: TokenizerNet
    """The running mean of the weights: this is what ships."""
    loss: Reconstruction
    optimizer: torch.optim.AdamW
    generator: torch.Generator


def train(cfg: TokenizerTrainCfg) -> dict[str, Any]:
    """Run, save, judge; returns the final report."""
    out = Path(cfg.out)
    log = RunLog(out)
    run = build(cfg)
    iteration, spent = load_state(Path(cfg.resume), run) if cfg.resume else (0, 0.0)
    log.write("setup", iteration=iteration, spent=spent, **describe(run, cfg))
    meter = Meter(run)
    started = time.monotonic()
    seconds, budget = spent, time_budget(cfg, spent)
    try:
        while seconds < budget and not 0 < cfg.iterations <= iteration:
            progress = seconds / budget
            if cfg.iterations:
                progress = iteration / cfg.iterations
            set_rate(run.optimizer, cfg, iteration, progress)
            meter.add(*step(run, cfg, iteration))
            iteration += 1
            if iteration % cfg.log_every == 0:
                log.write("train", iteration=iteration, **meter.read())
            if iteration % cfg.save_every == 0:
                save_state(out, run, iteration, seconds)
            if iteration % cfg.eval_every == 0:
                log.write("eval", iteration=iteration, **quick_evaluation(run, cfg))
            seconds = spent + time.monotonic() - started
    except KeyboardInterrupt:
        save_state(out, run, iteration, seconds)
        raise
    save_state(out, run, iteration, seconds)
    report = finish(out, run, iteration=iteration, seconds=seconds)
    log.write("final", iteration=iteration, **report)
    return report


def build(cfg: TokenizerTrainCfg) -> Run:
    """Clips to the device, networks, optimiser."""
    device = cfg.device or ("cuda:0" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(cfg.seed)
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.benchmark = True
    data = load_motion_data(cfg.data)
    windows = Windows(
        data,
        data.where(split="train"),
        lengths=[int(n) for n in cfg.windows.split(",")],
        random_yaw=cfg.random_yaw,
        device=device,
    )
    spec = NetSpec(
        width=cfg.width,
        encoder_depth=cfg.encoder_depth,
        decoder_depth=cfg.decoder_depth,
    )
    net = TokenizerNet(spec)
    mean, std = scales(windows.features)
    net.feature_mean.copy_(torch.as_tensor(mean))
    net.feature_std.copy_(torch.as_tensor(std))
    net.to(device)
    generator = torch.Generator(device=device).manual_seed(cfg.seed)
    first = windows.lengths[0]
    net.spread_codes(windows.draw(first, 8192 // first, generator))
    mean_net = TokenizerNet(spec).to(device).eval().requires_grad_(False)
    mean_net.load_state_dict(net.state_dict())
    return Run(
        data=data,
        windows=windows,
        net=net,
        mean_net=mean_net,
        loss=Reconstruction(cfg, net.feature_mean, net.feature_std),
        optimizer=torch.optim.AdamW(
            net.parameters(),
            lr=cfg.learning_rate,
            betas=(0.9, 0.99),
            weight_decay=0.0,
            fused=net.feature_mean.is_cuda,
        ),
        generator=generator,
    )


def describe(run: Run, cfg: TokenizerTrainCfg) -> dict[str, Any]:
    """What the log says first."""
    return {
        "device": str(run.net.feature_mean.device),
        "torch": torch.__version__,
        "parameters": sum(p.numel() for p in run.net.parameters()),
        "train_frames": len(run.windows.features),
        "windows": run.windows.lengths,
        "options": asdict(cfg),
    }


def time_budget(cfg: TokenizerTrainCfg, spent: float) -> float:
    """Seconds of training over all resumed runs, so that the report meets the wall."""
    budget = 60.0 * cfg.minutes if cfg.minutes else math.inf
    if cfg.wall:
        left = PROCESS_START + cfg.wall - _REPORT_SECONDS - time.monotonic()
        budget = min(budget, spent + left)
    if not math.isfinite(budget) and not cfg.iterations:
        raise TexedoError("A run needs an end: give --minutes, --wall or --iterations.")
    return budget


def set_rate(
    optimizer: torch.optim.AdamW,
    cfg: TokenizerTrainCfg,
    iteration: int,
    progress: float,
) -> None:
    """Linear up over the warm-up, then down along a cosine of the progress."""
    up = min(1.0, (iteration + 1) / max(cfg.warm_up, 1))
    down = 0.5 * (1.0 + math.cos(math.pi * min(progress, 1.0)))
    share = _LAST_RATE + (1.0 - _LAST_RATE) * down
    for group in optimizer.param_groups:
        group["lr"] = cfg.learning_rate * up * share


def step(run: Run, cfg: TokenizerTrainCfg, iteration: int) -> tuple[Tensor, Tensor]:
    """One update; the parts of the loss and the codes."""
    run.generator.manual_seed(cfg.seed * 1_000_003 + iteration)
    length = run.windows.lengths[iteration % len(run.windows.lengths)]
    count = max(1, cfg.batch_frames // length)
    truth = run.windows.draw(length, count, run.generator)
    with torch.autocast(truth.device.type, torch.bfloat16, enabled=truth.is_cuda):
        decoded, free = run.net(truth)
    loss, parts = run.loss(decoded, truth)
    loss = loss + cfg.usage_weight * run.net.quantizer.usage_loss(free)
    run.optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(run.net.parameters(), _MAX_GRADIENT)
    run.optimizer.step()
    # Young weights change fast: their mean must forget the start.
    keep = min(cfg.ema, (1 + iteration) / (10 + iteration))
    with torch.no_grad():
        torch._foreach_lerp_(
            list(run.mean_net.parameters()), list(run.net.parameters()), 1.0 - keep
        )
    return parts, run.net.quantizer.codes_of_free(free.detach())


class Meter:
    """Means of the loss and use of the codes since it was last read."""

    def __init__(self, run: Run) -> None:
        self._names = list(run.loss.weights)
        self._quantizer = run.net.quantizer
        self._optimizer = run.optimizer
        self._parts: list[Tensor] = []
        self._codes: list[Tensor] = []
        self._since = time.monotonic()

    def add(self, parts: Tensor, codes: Tensor) -> None:
        self._parts.append(parts)
        self._codes = [*self._codes[-19:], codes.flatten()]

    def read(self) -> dict[str, Any]:
        """Raises `TexedoError` when the loss is not finite."""
        means = torch.stack(self._parts).mean(0).tolist()
        if not math.isfinite(sum(means)):
            raise TexedoError(
                "The loss is not finite any more: resume the run from its last save "
                "with a lower --learning-rate."
            )
        codes = torch.cat(self._codes).cpu().numpy()
        values = {
            "per_second": len(self._parts) / (time.monotonic() - self._since),
            "rate": self._optimizer.param_groups[0]["lr"],
            "batch_perplexity": perplexity([codes], self._quantizer.num_codes),
            **dict(zip(self._names, means, strict=True)),
        }
        self._parts, self._codes, self._since = [], [], time.monotonic()
        return values


def quick_evaluation(run: Run, cfg: TokenizerTrainCfg) -> dict[str, float]:
    """Errors on captured val clips with the mean weights."""
    clips = run.data.where(split="val", kinds=("captured",))
    longest_first = sorted(clips, key=lambda i: -run.data.lengths[i])
    # Evenly over the lengths: long ones, which tell about drift, are among them.
    stride = max(1, len(clips) // max(cfg.eval_clips, 1))
    tokenizer = MotionTokenizer(run.mean_net)
    # Every batch has another shape: trying out kernels for each would take longest.
    with torch.backends.cudnn.flags(benchmark=False):
        return evaluate(tokenizer, run.data, longest_first[::stride])


def finish(out: Path, run: Run, *, iteration: int, seconds: float) -> dict[str, Any]:
    """Store the tokenizer and judge it as stored."""
    metadata: dict[str, Any] = {"iterations": iteration, "seconds": round(seconds, 1)}
    tokenizer = MotionTokenizer(run.mean_net, metadata=metadata)
    save_tokenizer(out / "tokenizer", tokenizer)
    device = run.net.feature_mean.device
    shipped = load_tokenizer(out / "tokenizer", device=device)
    with torch.backends.cudnn.flags(benchmark=False):
        report = full_report(shipped, run.data)
    save_tokenizer(out / "tokenizer", shipped, metadata={"report": report})
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n")
    return report


def save_state(folder: Path, run: Run, iteration: int, seconds: float) -> None:
    """Both networks and the optimiser."""
    tensors = {
        f"net.{name}": _array(tensor) for name, tensor in run.net.state_dict().items()
    }
    for name, tensor in run.mean_net.state_dict().items():
        tensors[f"mean_net.{name}"] = _array(tensor)
    for index, parameter in enumerate(run.net.parameters()):
        for key, tensor in run.optimizer.state.get(parameter, {}).items():
            tensors[f"optimizer.{index}.{key}"] = _array(tensor)
    save_run(folder, tensors, {"iteration": iteration, "seconds": seconds})


def load_state(folder: Path, run: Run) -> tuple[int, float]:
    """Restore a run in place; its iteration and the seconds it has trained."""
    arrays, values = load_run(folder)
    tensors = {name: torch.as_tensor(array) for name, array in arrays.items()}
    try:
        for prefix, net in (("net.", run.net), ("mean_net.", run.mean_net)):
            net.load_state_dict(
                {
                    name.removeprefix(prefix): tensor
                    for name, tensor in tensors.items()
                    if name.startswith(prefix)
                }
            )
    except RuntimeError as error:
        reason = str(error).splitlines()[-1].strip()
        raise CheckpointError(
            f"{folder}: another network was saved: {reason}; give the same sizes."
        ) from None
    for index, parameter in enumerate(run.net.parameters()):
        if f"optimizer.{index}.exp_avg" in tensors:
            run.optimizer.state[parameter] = {
                key: tensors[f"optimizer.{index}.{key}"].to(parameter.device)
                for key in ("step", "exp_avg", "exp_avg_sq")
            }
    return int(values["iteration"]), float(values["seconds"])


def _array(tensor: Tensor) -> NDArray[Any]:
    return np.asarray(tensor.detach().cpu().numpy())


def main() -> int:
    """The command without a command line library; 2 for bad input."""
    try:
        train(parse_options(TokenizerTrainCfg, sys.argv[1:]))
    except (TexedoError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the state is saved", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
