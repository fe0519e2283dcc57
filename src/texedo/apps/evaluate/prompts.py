"""`texedo evaluate prompts`: the paper's thirty prompts, one contact sheet each."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.evaluate import options
from texedo.apps.generate import command as generate_command
from texedo.core.files import write_whole
from texedo.evaluation.prompts import REAL_ROBOT
from texedo.evaluation.tables import Record
from texedo.formats import load_motion
from texedo.formats.runs import MOTION_FILE, RUN_FILE
from texedo.pipeline.find import ORACLE
from texedo.pipeline.run.folder import SHEET_FILE
from texedo.robot.render import render_motion
from texedo.robot.render.performance import quick_backend
from texedo.text.generators.ours import OURS as OUR_GENERATOR
from texedo.tracker.policies.find import OURS as OUR_TRACKER


@dataclass(frozen=True)
class Cfg:
    """The thirty prompts of the paper's real robot: the best of the candidates of each,
    with a contact sheet.

    The sheet shows the chosen motion; with --film, which takes a minute per
    prompt without a graphics card, the robot that performs it, with a video beside it.

    Example: texedo evaluate prompts -n 16 -o report
    """

    out: options.OutFolder
    """Folder for prompts.json and prompts.md, and a run folder per prompt."""
    generator: options.NameOrPath = OUR_GENERATOR
    """The generator, as in `texedo generate`."""
    tracker: options.NameOrPath = OUR_TRACKER
    """The controller, as in `texedo rollout`."""
    semantics: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH|none")] = None
    """The semantic verifier that chooses, as in `texedo generate`."""
    num: options.NumCandidates = 16
    """Candidates per prompt."""
    limit: int | None = None
    """Only the first N prompts."""
    film: bool = False
    """Render the performance instead of the motion."""
    workers: int | None = None
    """Threads that perform candidates; all cores if not given."""
    json: bool = False
    """Print the report as JSON."""


def run(cfg: Cfg) -> int:
    cfg.out.mkdir(parents=True, exist_ok=True)
    chosen = REAL_ROBOT[: cfg.limit]
    file = cfg.out / "prompts.txt"
    write_whole(file, ("\n".join(chosen) + "\n").encode())
    # What it prints on the way is no part of the report.
    with redirect_stdout(sys.stderr):
        generate_command.run(
            generate_command.Cfg(
                anyway=True,
                prompts_file=file,
                num=cfg.num,
                out=cfg.out,
                generator=cfg.generator,
                scorer=ORACLE,
                tracker=cfg.tracker,
                semantics=cfg.semantics,
                video=cfg.film,
                workers=cfg.workers,
            )
        )
    rows: dict[str, Record] = {}
    for path in sorted(cfg.out.glob(f"*/{RUN_FILE}")):
        record = json.loads(path.read_bytes())
        if not cfg.film:
            _draw(path.parent)
        rows[record["prompt"]] = _row(record, path.parent)
    found = {prompt: rows[prompt] for prompt in chosen if prompt in rows}
    report = {"generator": cfg.generator, "rows": found}
    options.tell(cfg.out, "prompts", report, found, json=cfg.json)
    return 0


def _draw(folder: Path) -> None:
    motion = load_motion(folder / MOTION_FILE)
    render_motion(motion, folder / SHEET_FILE, backend=quick_backend())


def _row(record: Record, folder: Path) -> Record:
    figures = record["table_row"]
    return {
        "candidates": record["candidates"],
        "survivors": record["survivors"],
        "chosen": record["chosen"],
        "verdict": record["verdict"],
        "r_text": figures["r_text"],
        "q_star": figures["q_star"],
        "e_mpjpe_mm": figures["mpjpe_l_mm"],
        "e_vel_mm": figures["e_vel_mm_per_frame"],
        "e_acc_mm": figures["e_acc_mm_per_frame2"],
        "sheet": f"[sheet]({folder.name}/{SHEET_FILE})",
    }
