"""`texedo calibrate`: the threshold that keeps a promise about failures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from texedo.apps.evaluate.dynamics import (
    Device,
    Labels,
    Trials,
    check_rate,
    find_on,
    open_bench,
)
from texedo.apps.evaluate.options import NameOrPath
from texedo.checkpoints.artifact import CONFIG_NAME, read_artifact, write_artifact
from texedo.checkpoints.bundled import bundled_folder
from texedo.core.errors import TexedoError
from texedo.evaluation.dynamics.rollouts import not_among
from texedo.evaluation.dynamics.splits import suite_candidates
from texedo.evaluation.tables import json_text
from texedo.evaluation.understanding.page import markdown
from texedo.see.dynamics.find import DEFAULT_DYNAMICS, KINDS
from texedo.see.dynamics.guarantee import (
    Candidates,
    guarantee,
    join_suites,
    suite_risk,
)
from texedo.see.dynamics.protocol import (
    FILTER_NAMES,
    PAPER_THRESHOLD,
    DynamicsVerifier,
    filter_of,
)
from texedo.tracker.policies.find import OURS

_RARE = 0.2
"""More prompts than this without anybody who passes are worth a remark."""


@dataclass(frozen=True)
class Cfg:
    """Choose the threshold above which a motion may be handed out, of the chance to finish
    (ours) or of R_dyn (the paper's variant), so that at most a given share of what is
    handed out fails, with a stated confidence; it is stored with the verifier, and the
    promise with it.

    The promise is of a motion picked at random from the candidates of a prompt that pass,
    for prompts like those of the suites; where nobody passes nothing is promised. Take
    prompts that the verifier was neither trained nor fitted on.

    Example: texedo calibrate trials --max-failure 0.01 --dynamics run/dynamics
    """

    trials: Trials
    """Folder of labelled motions."""
    max_failure: float = 0.01
    """The failure rate that is promised at most."""
    confidence: float = 0.95
    """How sure the promise is: of 100 draws of the prompts so many keep it."""
    dynamics: NameOrPath = DEFAULT_DYNAMICS
    """The dynamic verifier, as in `texedo score`."""
    suites: Annotated[str, tyro.conf.arg(metavar="NAME,NAME")] = (
        "plain-promise,lively-promise"
    )
    """Prompts to go by."""
    each: bool = False
    """Promise it of each suite by itself, not of all their prompts together."""
    perturbed: bool = False
    """Count the share of perturbed robots that fail, not the nominal one."""
    more: Annotated[tuple[Path, ...], tyro.conf.arg(metavar="DIR")] = ()
    """Further folders of labelled motions, such as those of `texedo data trials --only
    promise`; a prompt that one before has too is left out."""
    labels: Labels = None
    """Folder of labels; those of --tracker in TRIALS unless given."""
    tracker: NameOrPath = OURS
    """The controller that performed the motions."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FOLDER")] = None
    """Where the verifier with the new threshold goes; the folder of --dynamics itself
    unless given. One that ships is left as it is: name a folder."""
    forecasts: Annotated[Path, tyro.conf.arg(metavar="DIR")] = Path("dynamics-report")
    """Output folder of `texedo evaluate dynamics`: what is kept there is not asked
    again."""
    device: Device = "cpu"
    """Where the verifier runs."""
    json: bool = False
    """Print the promise as JSON."""


def run(cfg: Cfg) -> int:
    check_rate(cfg.max_failure, cfg.confidence)
    source = verifier_folder(cfg.dynamics)
    out = cfg.out or _own_folder(cfg.dynamics, source)
    verifier = find_on(cfg.dynamics, cfg.device)
    suites = _candidates(cfg, verifier)
    found = guarantee(
        suites,
        max_failure=cfg.max_failure,
        confidence=cfg.confidence,
        each=cfg.each,
        filters_by=filter_of(verifier),
    )
    found["perturbed"] = cfg.perturbed
    store_guarantee(source, out, found)
    print(json_text(found) if cfg.json else _page(found, suites, out))
    return 0


def verifier_folder(which: str) -> Path:
    """Where a verifier of that name, or in that folder, is stored."""
    if which in KINDS:
        return bundled_folder(
            KINDS[which], otherwise="name the folder of a trained one."
        )
    folder = Path(which).expanduser()
    inner = folder / KINDS[DEFAULT_DYNAMICS]
    return folder if (folder / CONFIG_NAME).is_file() else inner


def store_guarantee(source: Path, out: Path, found: dict[str, Any]) -> None:
    """The verifier of `source` in `out`, with the threshold and the promise."""
    # Here and not above: it loads torch.
    from texedo.see.dynamics.artifact import store_threshold

    if out.resolve() != source.resolve():
        kind = str(json.loads((source / CONFIG_NAME).read_bytes())["kind"])
        config, tensors = read_artifact(source, kind=kind)
        write_artifact(out, kind=kind, config=config, tensors=tensors)
    store_threshold(out, found["threshold"], found)


def _own_folder(which: str, source: Path) -> Path:
    if which in KINDS:
        raise TexedoError(
            f"{which!r} ships with the package and is left as it is; name a folder for "
            "the one with the new threshold: --out FOLDER."
        )
    return source


def _candidates(cfg: Cfg, verifier: DynamicsVerifier) -> dict[str, Candidates]:
    names = [name.strip() for name in cfg.suites.split(",") if name.strip()]
    known: dict[str, set[str]] = {name: set() for name in names}
    found: dict[str, list[Candidates]] = {name: [] for name in names}
    for folder in (cfg.trials, *cfg.more):
        first = folder == cfg.trials
        # Parts of several folders have the same names.
        keep = cfg.forecasts if first else cfg.forecasts / folder.name
        labels = cfg.labels if first else None
        with open_bench(folder, labels, cfg.tracker, keep) as bench:
            for name, shares in bench.find(names).items():
                new = not_among(shares, known[name])
                known[name] |= {own.group for share in new for own in share.trials}
                if new:
                    said = bench.foresee(verifier, name, new)
                    found[name].append(suite_candidates(said, perturbed=cfg.perturbed))
    if missing := [name for name, own in found.items() if not own]:
        folders = ", ".join(map(str, (cfg.trials, *cfg.more)))
        raise TexedoError(
            f"{folders}: no labelled motions of {', '.join(missing)}; leave them out of "
            "--suites, or label them."
        )
    return {name: join_suites(own) for name, own in found.items()}


def _page(found: dict[str, Any], suites: dict[str, Candidates], out: Path) -> str:
    level = found["level"]
    by = FILTER_NAMES[found["filters_by"]]
    # The paper's is of R_dyn; of another figure it is only as high.
    bound_of = "the paper's" if found["filters_by"] == "r_dyn" else f"{by} >"
    usual = f"{bound_of} {PAPER_THRESHOLD:g}"
    rows = {
        f"{name}, {by} > {found['threshold']:g}": row
        for name, row in found["suites"].items()
    }
    for name, own in suites.items():
        rows[f"{name}, {usual}"] = suite_risk(own, PAPER_THRESHOLD, confidence=level)
    whose = "each suite" if found["each"] else "all suites together"
    robots = "perturbed robots" if found["perturbed"] else "the nominal robot"
    lines = [
        f"Threshold of the {by} {found['threshold']:g}: of the motions that are handed out "
        f"at most {100 * found['max_failure']:g} % fail on {robots}, confidence "
        f"{100 * level:g} %, {found['n']} prompts ({whose}), one of those above the "
        "threshold picked at random.",
        "",
        markdown(rows, digits=4),
        str(out),
    ]
    if found["empty"] > _RARE:
        lines.insert(
            1,
            f"For {found['empty']:.0%} of the prompts nobody passes: draw more "
            "candidates, or promise less.",
        )
    return "\n".join(lines)
