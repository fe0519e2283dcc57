"""`texedo score`: will the robot manage motions, and how well do they fit a sentence."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from numpy.typing import NDArray

from texedo.apps.console import make_console
from texedo.apps.files.score_report import write_score_report
from texedo.apps.files.score_rows import Feasibility, Meaning, Scored, score_table
from texedo.apps.files.sources import Sources, read_sources
from texedo.core.errors import GenerationError
from texedo.do import Above, Selection, select_best
from texedo.see.dynamics.find import KINDS, find_dynamics, has_dynamics
from texedo.see.dynamics.outlook import UNREADABLE
from texedo.see.dynamics.protocol import DynamicsVerifier
from texedo.see.dynamics.scorer import foresee, guarantee_of, guarantee_text
from texedo.see.semantics.find import DEFAULT_VARIANT, VARIANTS, find_semantics
from texedo.see.semantics.scorer import SemanticScorer
from texedo.text.generators.prompts import check_prompts

NONE = "none"


@dataclass(frozen=True)
class Cfg:
    """Will the robot manage a motion? R_dyn, from 0 to 1, says so in milliseconds and
    without a simulator: the chance that the controller finishes, also on perturbed
    robots, how closely it follows, the riskiest second, and what is expected to go wrong.
    With a sentence in front R_text says how well each motion fits it as well, and the
    best one is marked: the highest R_text of those that are above the threshold.

    The first argument is the sentence, unless a file or folder of that name exists or
    --prompt gives the sentence; all others are motions.
    Exit code 0: every motion passes, or with a sentence at least one. 1: some motion is
    not above the threshold, or with a sentence all of them. 2: a file could not be read;
    the others are scored all the same.

    Example: texedo score "a person waves" wave.npz out/generate --report risk.html
    """

    items: tyro.conf.Positional[
        Annotated[tuple[str, ...], tyro.conf.arg(metavar="[PROMPT] MOTION...")]
    ]
    """A sentence, if you like, then motion files, SONIC clips, run folders, or folders of
    them."""
    prompt: Annotated[str | None, tyro.conf.arg(metavar="TEXT")] = None
    """The sentence; then all arguments are motions."""
    dynamics: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH|none")] = None
    """The verifier that gives R_dyn: `texedo` (ours), `paper`, or the folder of a trained
    one; `none` goes without, for a sentence. If not given: ours, where it is
    installed."""
    semantics: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH")] = None
    """The semantic verifier: `texedo` (ours), `paper`, or the folder of a trained one."""
    variant: Annotated[str | None, tyro.conf.arg(metavar="|".join(VARIANTS))] = None
    """Which of the verifiers that ship, or of those in the folder of --semantics or
    --dynamics."""
    threshold: float | None = None
    """Above which a motion passes, of the chance to finish (ours) or of R_dyn (the paper's
    variant); if not given, what the verifier's weights say."""
    report: Annotated[Path | None, tyro.conf.arg(metavar="FILE.html")] = None
    """Write a page with the risk of each motion over time; it needs no other file."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the motions, where a file does not identify it."""
    fps: float | None = None
    """Their frame rate [Hz], instead of what the file or format says."""
    json: bool = False
    """A JSON object with the prompt, the verifiers and a list of motions on standard
    output."""


def run(cfg: Cfg) -> int:
    prompt, paths = split_items(cfg.items, cfg.prompt)
    if cfg.threshold is not None and not 0 <= cfg.threshold <= 1:
        raise GenerationError(
            f"--threshold must be 0 to 1, as scores are, got {cfg.threshold:g}."
        )
    dynamics = _dynamics(cfg, prompt)
    if dynamics is None and (cfg.report is not None or cfg.threshold is not None):
        raise GenerationError(
            "--report and --threshold are about R_dyn, and there is no dynamic verifier; "
            "leave them out, or name one with --dynamics."
        )
    reader = None
    if prompt is not None:
        reader = SemanticScorer(find_semantics(cfg.semantics, variant=cfg.variant))
    found = read_sources(paths, format=cfg.from_, fps=cfg.fps)
    if not found.motions:
        return 2
    meaning = None if reader is None or prompt is None else _read(reader, prompt, found)
    feasibility = None
    if dynamics is not None:
        feasibility = _foresee(dynamics, found, cfg.threshold)
    scored = _choose(found, meaning, feasibility)
    if cfg.report is not None:
        write_score_report(scored, cfg.report)
    _print(cfg, scored)
    return scored.exit_code


def split_items(
    items: tuple[str, ...], prompt: str | None
) -> tuple[str | None, tuple[Path, ...]]:
    """The sentence, if there is one, and the motions; raises `GenerationError`."""
    motions = items
    if prompt is None and items and not _exists(items[0]):
        prompt, motions = items[0], items[1:]
    if not motions:
        said = (
            "no motion is named"
            if prompt is None
            else (f"{prompt!r} is read as the sentence, and no motion file follows")
        )
        raise GenerationError(f"nothing to score: {said}.")
    if prompt is not None:
        prompt = check_prompts([prompt])[0]
    return prompt, tuple(map(Path, motions))


def _exists(item: str) -> bool:
    try:
        return Path(item).exists()
    except OSError:  # A sentence may be longer than any file's name.
        return False


def _dynamics(cfg: Cfg, prompt: str | None) -> DynamicsVerifier | None:
    """What --dynamics names; ours where nothing is said and it is installed."""
    variant = cfg.variant
    if variant == DEFAULT_VARIANT or cfg.semantics is not None:
        variant = None  # Ours; or it chooses among semantic verifiers.
    if cfg.dynamics != NONE and (cfg.dynamics is not None or _ships(variant)):
        return find_dynamics(cfg.dynamics, variant=variant)
    if prompt is not None:
        return None
    missing = "is told to go without one"
    if cfg.dynamics != NONE:
        missing = "has none in this installation: name a trained one with --dynamics"
    raise GenerationError(
        "no sentence: say first what the motions should show, as in texedo score "
        '"a person waves" wave.npz, or with --prompt. To score motions alone it takes a '
        f"dynamic verifier, and texedo {missing}; `texedo rollout` performs them."
    )


def _ships(variant: str | None) -> bool:
    if variant is None:
        return has_dynamics()
    # One that nobody knows is found out by whoever is asked for it.
    return variant not in KINDS or has_dynamics(variant)


def _read(reader: SemanticScorer, prompt: str, found: Sources) -> Meaning:
    scores = reader.score(prompt, found.motions)
    return Meaning(
        prompt=prompt,
        verifier=reader.verifier,
        r_text=scores.semantics,
        remarks=scores.remarks,
    )


def _foresee(
    verifier: DynamicsVerifier, found: Sources, threshold: float | None
) -> Feasibility:
    forecast, outlooks = foresee(verifier, found.motions)
    for name, outlook in zip(found.names, outlooks, strict=True):
        if not outlook.readable:
            print(f"error: {name}: {UNREADABLE}.", file=sys.stderr)
    return Feasibility(
        verifier=verifier,
        threshold=verifier.threshold if threshold is None else threshold,
        outlooks=outlooks,
        hazard=forecast.hazard,
    )


def _choose(
    found: Sources, meaning: Meaning | None, feasibility: Feasibility | None
) -> Scored:
    """With both scores by the rule `texedo`, with R_text alone the highest."""
    remarks = () if meaning is None else meaning.remarks
    best = None if meaning is None else best_of(meaning.r_text)
    selection = None
    if meaning is not None and feasibility is not None:
        selection = _selection(meaning, feasibility)
        best = None if selection is None else selection.index
        if selection is not None and selection.fallback:
            remarks += (
                "No motion passes: the marked one has the highest R_dyn, and "
                f"is {feasibility.outlooks[selection.index].in_words()}.",
            )
    if feasibility is not None and best is not None:
        promise = guarantee_of(feasibility.verifier)
        passes = feasibility.passes[best]
        if promise and passes and feasibility.threshold >= promise["threshold"]:
            remarks += (guarantee_text(promise),)
    return Scored(
        found=found,
        meaning=meaning,
        feasibility=feasibility,
        best=best,
        selection=selection,
        remarks=remarks,
    )


def _selection(meaning: Meaning, feasibility: Feasibility) -> Selection | None:
    nan = float("nan")
    r_dyn = [nan if one.r_dyn is None else one.r_dyn for one in feasibility.outlooks]
    try:
        return select_best(
            r_dyn,
            meaning.r_text,
            threshold=Above.of(feasibility.threshold, feasibility.chance),
        )
    except ValueError:  # Nobody has both scores.
        return None


def best_of(scores: NDArray[np.float64]) -> int | None:
    """The first with the highest score; None if nobody has one."""
    return None if np.isnan(scores).all() else int(np.nanargmax(scores))


def _print(cfg: Cfg, scored: Scored) -> None:
    if cfg.json:
        print(json.dumps(scored.to_dict(), indent=2, ensure_ascii=False))
        return
    console = make_console(width=160)
    console.print(score_table(scored))
    if scored.selection is not None:
        name = scored.found.names[scored.selection.index]
        said = f"chosen: {name}. {scored.selection.reason}"
        console.print(said, markup=False, soft_wrap=True)
    for remark in scored.remarks:
        console.print(f"note: {remark}", markup=False, soft_wrap=True)
    if cfg.report is not None:
        console.print(f"{cfg.report}: risk over time", markup=False, soft_wrap=True)
