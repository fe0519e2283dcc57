"""`texedo train tokenizer`: learn the motion codes, or judge a tokenizer."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass
from typing import Any, ClassVar

from texedo.core.errors import TexedoError
from texedo.text.learn.tokenizer.cfg import TokenizerTrainCfg


@dataclass(frozen=True, kw_only=True)
class Cfg(TokenizerTrainCfg):
    """Train the motion tokenizer on packed clips, or judge a trained one.

    Example: texedo train tokenizer --data clips.npz --out run --minutes 5
    Example: texedo train tokenizer --data clips.npz --evaluate run/tokenizer
    """

    evaluate: str = ""
    """Folder of a trained tokenizer: report how good it is and train nothing."""
    rounds: int = 0
    """With `evaluate`: how often codes are decoded and corrected while encoding."""
    json: bool = False
    """Print the report as JSON."""

    FREE: ClassVar = TokenizerTrainCfg.FREE | {"evaluate", "rounds", "json"}


def run(cfg: Cfg) -> int:
    """Train or judge; the log of a training goes to the screen and to a file."""
    for package in ("torch", "safetensors"):
        if importlib.util.find_spec(package) is None:
            raise TexedoError(
                f"The tokenizer needs {package}: pip install 'texedo[learn]'."
            )
    report = _judge(cfg) if cfg.evaluate else _train(cfg)
    print(json.dumps(report, indent=1) if cfg.json else report_text(report))
    return 0


def _train(cfg: Cfg) -> dict[str, Any]:
    from texedo.text.learn.tokenizer.train import train

    return train(cfg)


def _judge(cfg: Cfg) -> dict[str, Any]:
    from texedo.text.learn.tokenizer.data import tokenizer_clips_from
    from texedo.text.learn.tokenizer.report import full_report
    from texedo.text.tokenizer.tokenizer import load_tokenizer

    tokenizer = load_tokenizer(cfg.evaluate, device=cfg.device or "cpu")
    return full_report(tokenizer, tokenizer_clips_from(cfg.data), rounds=cfg.rounds)


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
