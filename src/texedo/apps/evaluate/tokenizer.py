"""`texedo evaluate tokenizer`: what a motion loses on the way through its codes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from texedo.apps.train.before import need_packages
from texedo.evaluation.tables import json_text


@dataclass(frozen=True)
class Cfg:
    """Errors of decoded clips by split, and how many codes are in use. No controller
    takes part; `texedo evaluate reconstruction` has one.

    Example: texedo evaluate tokenizer run/tokenizer --data clips.npz
    """

    tokenizer: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="DIR")]]
    """Folder of the tokenizer."""
    data: Annotated[str, tyro.conf.arg(metavar="FILE|DIR")]
    """Packed clips (.npz) or a corpus folder."""
    rounds: int = 0
    """How often codes are decoded and corrected while encoding."""
    device: Annotated[str, tyro.conf.arg(metavar="cpu|cuda")] = "cpu"
    """Where to encode."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    need_packages("torch", "safetensors")
    # Here and not above: they load torch.
    from texedo.text.learn.tokenizer.data import tokenizer_clips_from
    from texedo.text.learn.tokenizer.report import full_report
    from texedo.text.tokenizer.tokenizer import load_tokenizer

    tokenizer = load_tokenizer(cfg.tokenizer, device=cfg.device)
    report = full_report(tokenizer, tokenizer_clips_from(cfg.data), rounds=cfg.rounds)
    print(json_text(report) if cfg.json else report_text(report))
    return 0


def report_text(report: dict[str, Any]) -> str:
    """One line per split, then the use of the codes."""
    lines = ["split          clips  pose [mm]  heading [deg]  place [cm]"]
    for split in ("val", "test", "test-subject"):
        if row := report.get(split):
            late = (f"{row[k]:.1f}" if k in row else "-" for k in _LATE)
            heading, place = late
            lines.append(
                f"{split:13s} {row['clips']:6.0f} {row['mpjpe_mm']:10.1f} "
                f"{heading:>14s} {place:>11s}"
            )
    if "train_perplexity" in report:
        lines.append(
            f"codes in use on train: {report['train_codes_used']} of "
            f"{report['num_codes']}, perplexity {report['train_perplexity']:.0f}"
        )
    return "\n".join(lines)


_LATE = ("heading_deg", "root_cm")
