"""`texedo evaluate cases`: four cases of the paper's figure, found in your own results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from texedo.core.errors import TexedoError
from texedo.evaluation.device import CPU, Files
from texedo.evaluation.suites.base import ROLL_OUTS
from texedo.evaluation.suites.cases import draw_cases, find_cases
from texedo.evaluation.suites.folder import KEPT, read_reports
from texedo.robot.render.files import write_png
from texedo.robot.render.performance import quick_backend


@dataclass(frozen=True)
class Cfg:
    """Look in a folder of results for a prompt that shows each of four cases, and draw
    what the robot did: Texedo is right; dynamics only chooses something that does not do
    what was asked; semantics only falls; one sample fails at both.

    Prompts of test halves are not in the folder, and not shown. A case that no prompt
    shows is named as missing.

    Example: texedo evaluate cases results -o cases.png
    """

    results: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="RESULTS")]]
    """Folder of `texedo evaluate selection` or `ood`."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = Path(
        "cases.png"
    )
    """The picture (PNG)."""


def run(cfg: Cfg) -> int:
    records = [
        own for own in read_reports(cfg.results) if own["details"].get("choices")
    ]
    if not records:
        raise TexedoError(
            f"{cfg.results}: holds no choices that may be shown; run texedo evaluate "
            "selection (--part dev) or ood into it."
        )
    # Performances of one device: a motion may go otherwise on another.
    device = _device(records[0])
    found = find_cases([own for own in records if _device(own) == device])
    executed = Files.of(cfg.results / KEPT, device).executed
    picture = draw_cases(found, executed.read, backend=quick_backend())
    cfg.out.parent.mkdir(parents=True, exist_ok=True)
    write_png(cfg.out, picture)
    for title, case in found.items():
        said = "in none of these results" if case is None else f"{case.prompt!r}"
        print(f"{title}: {said}")
    print(cfg.out)
    return 0


def _device(record: dict[str, Any]) -> str:
    return str(record["settings"].get(ROLL_OUTS, CPU))
