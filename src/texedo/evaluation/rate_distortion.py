"""Rate and distortion: what a motion loses on the way through codes of several sizes.

Each size gets the same network, clips, windows and seed, and as many steps, or as much
training time. The output is a folder per number of codes, `rate_distortion.md` and
`rate_distortion.json`. A size that is finished is not trained again; an interrupted
one resumes.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from tyro.conf import arg

from texedo.core.errors import TexedoError
from texedo.core.files import write_whole
from texedo.motion import FPS
from texedo.text.learn.tokenizer.cfg import TokenizerTrainCfg

SPLITS = ("test", "test-subject")
RESULT, NAME = "result.json", "rate_distortion"
_NEVER = 1 << 40
"""A number of steps that no run reaches."""

Record = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class RateDistortionCfg:
    """Train a tokenizer of each size and compare what a motion loses in its codes.

    Every size gets the same network, clips, windows and seed, and as many steps, or as
    much training time. A size that is finished is not trained again; an interrupted
    one resumes.

    Example: texedo evaluate rate-distortion --data clips.npz -o rate --steps 6000
    """

    data: str
    """Packed clips (.npz) or a corpus folder."""
    out: Annotated[str, arg(aliases=["-o"], metavar="DIR")]
    """Folder for the table and for each size."""
    sizes: str = "3,3,3,3,2,2,2,2;3,3,3,3,3,2,2,2,2,2;3,3,3,3,3,2,2,2,2,2,2,2"
    """Levels of each size, with semicolons between the sizes."""
    steps: int = 0
    """Steps per size."""
    minutes: float = 0.0
    """Training time per size [min], without loading and the report."""
    batch_frames: int = 32768
    """Frames per step."""
    windows: str = "64,128,192,256"
    """Window lengths [frames], one of them per step in turn."""
    width: int = 256
    """Channels of the networks."""
    encoder_depth: int = 3
    """Residual blocks per stage of the encoder."""
    decoder_depth: int = 5
    """Residual blocks per stage of the decoder."""
    warm_up: int = 500
    """Warm-up steps."""
    save_every: int = 5000
    """Steps between checkpoints."""
    log_every: int = 500
    """Steps between log lines."""
    device: str = ""
    """cuda:0 if there is one, else cpu."""
    seed: int = 0
    """Random seed."""


def measure(cfg: RateDistortionCfg) -> list[Record]:
    """Train what is missing; the table grows with every size."""
    if (cfg.steps > 0) == (cfg.minutes > 0):
        raise TexedoError("Give --steps or --minutes, and not both.")
    rows: list[Record] = []
    for levels in cfg.sizes.split(";"):
        rows.append(measure_size(cfg, levels.strip()))
        write_tables(Path(cfg.out), cfg, rows)
    return rows


def measure_size(cfg: RateDistortionCfg, levels: str) -> Record:
    """One row of the table, trained or found."""
    codes = num_codes(levels)
    folder = Path(cfg.out) / str(codes)
    asked = _asked(cfg, levels)
    path = folder / RESULT
    if path.is_file():
        found: Record = json.loads(path.read_text())
        if found["options"] != asked:
            raise TexedoError(
                f"{path}: measured with other options; give another --out or delete "
                f"{folder}."
            )
        return dict(found["row"])
    # Here and not above: it loads torch.
    from texedo.text.learn.tokenizer.train import train

    report = train(_training(cfg, levels, folder))
    row = row_of(report, _steps_of(folder))
    text = json.dumps({"options": asked, "row": row, "report": report}, indent=1)
    write_whole(path, (text + "\n").encode())
    return row


def num_codes(levels: str) -> int:
    """Product of levels such as "3,3,2"; raises `TexedoError`."""
    try:
        numbers = [int(n) for n in levels.split(",")]
    except ValueError:
        numbers = []
    if not numbers or min(numbers) < 2:
        raise TexedoError(
            "--sizes takes whole numbers from 2 on, with commas between them and "
            f"semicolons between sizes; got {levels!r}."
        )
    return math.prod(numbers)


def bits_per_second(codes: float) -> float:
    """Rate of a code per four frames, all of `codes` alike."""
    from texedo.text.tokenizer.net import NetSpec

    return math.log2(codes) * FPS / NetSpec().downsampling


def row_of(report: Record, steps: int) -> Record:
    """What the table says about a size."""
    row: Record = {
        "codes": report["num_codes"],
        "bits_per_second": bits_per_second(report["num_codes"]),
        "perplexity": report["train_perplexity"],
        "steps": steps,
    }
    for split in SPLITS:
        errors = report.get(split, {})
        for name in ("mpjpe_mm", "heading_deg", "root_cm"):
            row[f"{split}.{name}"] = errors.get(name)
    return row


def markdown(rows: list[Record]) -> str:
    """Each pair of figures: people seen in training / people never seen."""
    lines = [
        "| codes | bits/s | pose [mm] | heading after 8 s [deg] | place after 8 s [cm] "
        "| perplexity | steps |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        cells = [
            f"{row['codes']:,}",
            f"{row['bits_per_second']:.0f}",
            *(_pair(row, name) for name in ("mpjpe_mm", "heading_deg", "root_cm")),
            f"{row['perplexity']:,.0f}",
            f"{row['steps']:,}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def write_tables(out: Path, cfg: RateDistortionCfg, rows: list[Record]) -> None:
    record = {"options": asdict(cfg), "rows": rows}
    write_whole(out / f"{NAME}.json", (json.dumps(record, indent=1) + "\n").encode())
    write_whole(out / f"{NAME}.md", markdown(rows).encode())


def _pair(row: Record, name: str) -> str:
    values = (row[f"{split}.{name}"] for split in SPLITS)
    return " / ".join("-" if value is None else f"{value:.1f}" for value in values)


def _asked(cfg: RateDistortionCfg, levels: str) -> Record:
    """The options that a result depends on."""
    elsewhere = ("out", "sizes", "save_every", "log_every", "device")
    options = {k: v for k, v in asdict(cfg).items() if k not in elsewhere}
    return {**options, "data": Path(cfg.data).name, "levels": levels}


def _training(cfg: RateDistortionCfg, levels: str, folder: Path) -> TokenizerTrainCfg:
    return TokenizerTrainCfg(
        data=cfg.data,
        out=str(folder),
        minutes=cfg.minutes,
        steps=cfg.steps,
        levels=levels,
        batch_frames=cfg.batch_frames,
        windows=cfg.windows,
        width=cfg.width,
        encoder_depth=cfg.encoder_depth,
        decoder_depth=cfg.decoder_depth,
        warm_up=cfg.warm_up,
        save_every=cfg.save_every,
        log_every=cfg.log_every,
        eval_every=_NEVER,
        device=cfg.device,
        seed=cfg.seed,
    )


def _steps_of(folder: Path) -> int:
    config = json.loads((folder / "tokenizer" / "config.json").read_text())
    return int(config["metadata"]["steps"])
