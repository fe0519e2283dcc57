"""`texedo generate`: a sentence in, a motion that the robot can perform out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.generate.job import Job
from texedo.core.errors import GenerationError, TexedoError
from texedo.do import RULES, THRESHOLD
from texedo.formats import get_format, writable_formats
from texedo.pipeline.adaptive import Adaptive
from texedo.pipeline.again.editing import Editing
from texedo.pipeline.again.joining import Joining
from texedo.pipeline.again.rewording import Rewording
from texedo.pipeline.again.rounds import Again
from texedo.pipeline.again.writing import Writing
from texedo.pipeline.choice import Choice
from texedo.pipeline.confirm import TRIES
from texedo.pipeline.drawing import CANDIDATES, Ask
from texedo.pipeline.find import SCORERS
from texedo.pipeline.pipe import DEVICES, Pipeline, check_device
from texedo.text.generators.find import find_generator
from texedo.text.generators.ours import OURS as OUR_GENERATOR
from texedo.text.generators.prompts import (
    STDIN,
    Sampling,
    check_prompts,
    read_prompts,
)
from texedo.text.generators.protocol import Generator, check_settings


@dataclass(frozen=True)
class Cfg:
    """Sample candidate motions from a sentence, find out which the robot can perform, and
    keep the one of those that fits the sentence best.

    Whether it can is known in two ways: `--scorer verifier` looks at each motion and says
    how likely the robot falls, when and by what, in milliseconds; `--scorer oracle` lets
    the controller perform each in physics. The verifier is the default where it is
    installed. Either way the winner is performed before it is written, and the next best
    if it fails (`--confirm`).

    Writes a folder with the motion, a table of all candidates, a report, a video, and
    `run.json`: what was asked, what was chosen and why, with hashes of all weights. The
    same command gives the same motion; what is finished is not done again. With several
    prompts each has a folder of its own, and one that fails does not stop the others.
    A sentence that nothing known means, such as "do a backflip" or "asdf", is refused:
    nothing is written, and the nearest things that are known are named.
    Exit code 0: every motion was performed to the end, or is expected to be. 1: for some
    prompt no candidate was, or is; the best of them is written all the same. 3: some
    prompt was refused. 2: some prompt has no motion for another reason.

    Example: texedo generate "a person walks forward and waves"
    """

    prompts: tyro.conf.Positional[
        Annotated[tuple[str, ...], tyro.conf.arg(metavar="PROMPT...")]
    ] = ()
    """What the robot should do, in English, as in "a person waves"; `-` reads prompts
    from standard input, one per line."""
    num: Annotated[int, tyro.conf.arg(aliases=["-n"])] = CANDIDATES
    """Candidates per prompt; time grows with it."""
    adaptive: bool = False
    """Draw eight, then four at a time, --num at most, and stop when the next twelve are
    not expected to raise the best R_text of those that pass by 0.04."""
    write: Annotated[
        bool,
        tyro.conf.arg(
            help="Do not write motions from what the sentence says: twelve where none that "
            "passes has an R_text of 0.99, else two.",
            help_behavior_hint="(default: write)",
        ),
    ] = True
    """Write motions from what the sentence says."""
    join: Annotated[
        bool,
        tyro.conf.arg(
            help="Do not draw the steps of a sentence one by one and join them, where none "
            "that passes has an R_text of 0.92.",
            help_behavior_hint="(default: join)",
        ),
    ] = True
    """Draw the steps of a sentence one by one where no candidate fits."""
    edit: Annotated[
        bool,
        tyro.conf.arg(
            help="Do not edit candidates (leave parts out or repeat them, change the "
            "pace) where none that passes has an R_text of 0.92.",
            help_behavior_hint="(default: edit)",
        ),
    ] = True
    """Edit candidates where none fits."""
    reword: Annotated[
        bool,
        tyro.conf.arg(
            help="Do not ask again in other words, for --num more candidates (32 at most), "
            "where none that passes has an R_text of 0.88.",
            help_behavior_hint="(default: ask again)",
        ),
    ] = True
    """Ask again in other words where no candidate fits."""
    top: int = 1
    """Write this many motions, the best first: motion.npz, motion-2.npz, ..."""
    prompts_file: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """More prompts, one per line; lines that start with # are left out; `-` is standard
    input."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="DIR")] = None
    """Folder to write to; out/generate/PROMPT if not given."""
    seed: int = 0
    """Random seed: another one gives other candidates."""
    temperature: float | None = None
    """Below 1: more typical motions; above: more varied ones. Ours: 1."""
    top_k: int | None = None
    """Sample from the top k tokens; 0 for all. Ours: 200."""
    top_p: float | None = None
    """Sample from the most likely tokens up to this total probability. Ours: 0.98."""
    guidance: float | None = None
    """How strongly the sentence steers: 1 is plain sampling, more is closer to the words
    and less varied, up to 10; if not given it is what the generator was tuned for."""
    duration: Annotated[float | None, tyro.conf.arg(metavar="SECONDS")] = None
    """Length of the motion, 0.32 to 20 s; if not given the generator decides."""
    generator: Annotated[str, tyro.conf.arg(metavar="NAME|PATH")] = OUR_GENERATOR
    """Where candidates come from: `texedo` (ours), the folder of a trained one,
    `folder:PATH` (motion files that somebody made), `official` (the released TEXEDO
    weights, once downloaded), `kimodo`, `kimodo:PATH`, or a name that another package
    offers."""
    scorer: Annotated[str | None, tyro.conf.arg(metavar="|".join(SCORERS))] = None
    """Who says what the robot can perform: `verifier` by a look, without a simulator, or
    `oracle`, which performs all candidates. If not given: the verifier where it is
    installed, unless a --tracker is named."""
    dynamics: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH")] = None
    """The verifier that gives R_dyn, as in `texedo score`: `texedo` (ours), `paper`, or
    the folder of a trained one."""
    tracker: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH")] = None
    """The controller, as in `texedo rollout`: a name, a folder, or an ONNX policy. Ours
    if not given."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the files of `folder:PATH`, where they do not identify it."""
    semantics: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH|none")] = None
    """The semantic verifier that gives R_text, as in `texedo score`: `texedo` (ours),
    `paper`, or the folder of a trained one; `none` goes without. If not given: ours,
    where it is installed."""
    rule: Annotated[str | None, tyro.conf.arg(metavar="|".join(RULES))] = None
    """How the winner is chosen: `texedo` takes the highest R_text of those that survive,
    `oracle` the highest Q* of the rollouts, `dynamics` the highest R_dyn, `random` and
    `first` look at no score. If not given: `texedo` with a semantic verifier; without one
    the highest Q* or R_dyn. Candidates that survive and pass `texedo check` come first."""
    threshold: float | None = None
    """Chance to finish above which the rule `texedo` takes a candidate to be feasible, or
    R_dyn where the verifier goes by that (the paper's variant). If not given:
    what the verifier's weights say, 0.8 for the oracle."""
    confirm: Annotated[int, tyro.conf.arg(metavar="K")] = TRIES
    """Perform the winner in physics, and the next best if it fails, K at most for each
    motion that is written; 0 performs none of them."""
    robust: bool = False
    """Confirm under perturbations, too: five robots with other friction, masses, motors,
    delays, noise and pushes have to finish as well."""
    device: Annotated[str, tyro.conf.arg(metavar="|".join(DEVICES))] = "auto"
    """Where generator and verifiers compute; `auto` is the GPU if there is one. The same
    command gives the same bytes on the CPU."""
    format: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FORMAT...")] = ()
    """Write the motion in these formats too: lafan1, beyondmimic, sonic, ..."""
    keep_candidates: bool = False
    """Write all candidates, not only the chosen one."""
    video: Annotated[
        bool,
        tyro.conf.arg(
            help="Render neither video nor contact sheet of the performance.",
            help_behavior_hint="(default: both are rendered)",
        ),
    ] = True
    """Draw the performance, or the motion if nobody performed it."""
    repair: bool = False
    """Repair candidates that fail `texedo check`, as `texedo fix` does, before they are
    scored; the output says how many that saves."""
    anyway: bool = False
    """Refuse nothing: write the best candidate even if nothing known means what was
    said."""
    again: bool = False
    """Redo finished prompts."""
    overwrite: bool = False
    """Replace the motion of another request in the folder: the files that its run wrote,
    and nothing else."""
    json: bool = False
    """A JSON list with one object per prompt on standard output."""
    workers: int | None = None
    """Threads that perform candidates; all cores if not given."""


def run(cfg: Cfg) -> int:
    prompts, ask = check(cfg)
    started = time.perf_counter()
    generator = find_generator(cfg.generator, format=cfg.from_, device=cfg.device)
    pipe = make_pipeline(cfg, generator)
    check_settings(generator, ask.sampling)
    if ask.adaptive is not None:
        pipe.parts.choice.check_adaptive()
    return finish(Job(cfg, prompts, pipe, ask), started)


def make_pipeline(cfg: Cfg, generator: Generator) -> Pipeline:
    """The parts that the options name."""
    return Pipeline(
        generator,
        cfg.dynamics,
        cfg.semantics,
        cfg.tracker,
        cfg.rule,
        threshold=cfg.threshold,
        scorer=cfg.scorer,
        confirm=cfg.confirm,
        robust=cfg.robust,
        device=cfg.device,
        workers=cfg.workers,
        anyway=cfg.anyway,
        repair=cfg.repair,
    )


def finish(job: Job, started: float) -> int:
    """Do what is not finished, and say what came of it; the exit code."""
    prompts, pipe = job.prompts, job.pipe
    todo = [i for i in range(len(prompts)) if not job.is_finished(i)]
    if todo:
        pipe.load()
    job.load_seconds = time.perf_counter() - started
    results = pipe.stream([prompts[i] for i in todo], job.ask, report=job.tell)
    for i in todo:
        job.finish(i, results)
    job.print_json()
    return job.exit_code


def check(cfg: Cfg) -> tuple[list[str], Ask]:
    """Everything that can be wrong with the options, before any weights are read."""
    prompts = _prompts(cfg)
    if not prompts:
        raise GenerationError(
            'no prompt: say what the robot should do, as in texedo generate "a person '
            'waves", or name a --prompts-file.'
        )
    if cfg.workers is not None and cfg.workers < 1:
        raise TexedoError(f"--workers must be at least 1, got {cfg.workers}.")
    for name in cfg.format:
        if get_format(name).write is None:
            raise TexedoError(
                f"--format {name}: is only read here; choose from "
                f"{', '.join(writable_formats())}."
            )
    if cfg.confirm < 0:
        raise TexedoError(f"--confirm must be 0 or more, got {cfg.confirm}.")
    check_device(cfg.device)
    Choice(
        rule=cfg.rule or "first",
        threshold=THRESHOLD if cfg.threshold is None else cfg.threshold,
    )
    return check_prompts(prompts), _ask(cfg)


def _ask(cfg: Cfg) -> Ask:
    sampling = Sampling(
        temperature=cfg.temperature,
        top_k=cfg.top_k,
        top_p=cfg.top_p,
        guidance=cfg.guidance,
        duration=cfg.duration,
    )
    return Ask(
        n=cfg.num,
        seed=cfg.seed,
        sampling=sampling,
        top=cfg.top,
        adaptive=Adaptive() if cfg.adaptive else None,
        again=Again(
            write=Writing() if cfg.write else None,
            join=Joining() if cfg.join else None,
            edit=Editing() if cfg.edit else None,
            reword=Rewording() if cfg.reword else None,
        ),
    )


def _prompts(cfg: Cfg) -> list[str]:
    """All prompts, those of standard input where `-` stands."""
    if cfg.prompts.count(str(STDIN)) + (cfg.prompts_file == STDIN) > 1:
        raise GenerationError("standard input can be read once: leave out one `-`.")
    prompts: list[str] = []
    for prompt in cfg.prompts:
        prompts += read_prompts(STDIN) if prompt == str(STDIN) else [prompt]
    if cfg.prompts_file is not None:
        prompts += read_prompts(cfg.prompts_file)
    return prompts
