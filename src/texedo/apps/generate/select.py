"""`texedo select`: the motion among somebody's files that does what a sentence says."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import tyro

from texedo.apps.faults import EXIT_BAD_INPUT
from texedo.apps.files.sources import Sources, read_sources
from texedo.apps.generate import command as generate
from texedo.apps.generate.job import Job
from texedo.core.errors import GenerationError
from texedo.do import RULES
from texedo.formats import tally
from texedo.pipeline.confirm import TRIES
from texedo.pipeline.find import SCORERS
from texedo.pipeline.pipe import DEVICES
from texedo.text.generators.folder import FolderGenerator, GivenMotions
from texedo.text.generators.prompts import MAX_CANDIDATES, check_prompt

OUT = Path("out/select")


@dataclass(frozen=True)
class Cfg:
    """Find out which of some motions the robot can perform, and keep the one of those that
    fits a sentence best. The motions are anybody's: files of any format, SONIC clips, run
    folders, or folders of them. Of a folder that holds candidates of several prompts,
    those of this one are taken.

    Everything else is as in `texedo generate`: the same folder is written, with the motion
    ready for the robot, and the same is said. `candidates.csv` names the file of each. A
    sentence that none of them means is refused. Exit code 0: the motion was performed to
    the end, or is expected to be; 1: it fails; 3: refused; 2: a file could not be read,
    the others were judged all the same.

    Example: texedo select "a person waves" motions/ clip.csv --from lafan1
    """

    prompt: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="PROMPT")]]
    """What the robot should do, in English."""
    motions: tyro.conf.Positional[
        Annotated[tuple[Path, ...], tyro.conf.arg(metavar="FOLDER|FILE...")]
    ]
    """Where the motions are."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the files, where they do not identify it; `texedo info` lists them."""
    fps: float | None = None
    """Frames per second of the files, where they do not say."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="DIR")] = None
    """Folder to write to; out/select/PROMPT if not given."""
    top: int = 1
    """Write this many motions, the best first."""
    scorer: Annotated[str | None, tyro.conf.arg(metavar="|".join(SCORERS))] = None
    """Who says what the robot can perform: `verifier` by a look, or `oracle`, which
    performs all of them. If not given: the verifier where it is installed."""
    dynamics: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH")] = None
    """The verifier that gives R_dyn."""
    semantics: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH|none")] = None
    """The verifier that gives R_text; `none` goes without."""
    tracker: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH")] = None
    """The controller; ours if not given."""
    rule: Annotated[str | None, tyro.conf.arg(metavar="|".join(RULES))] = None
    """How the winner is chosen; if not given, the highest R_text of those that survive."""
    threshold: float | None = None
    """Chance to finish above which a motion is taken to be feasible; R_dyn with the paper's
    variant."""
    confirm: Annotated[int, tyro.conf.arg(metavar="K")] = TRIES
    """Perform the winner in physics, and the next best if it fails, K at most; 0
    performs none."""
    robust: bool = False
    """Confirm under perturbations, too."""
    device: Annotated[str, tyro.conf.arg(metavar="|".join(DEVICES))] = "auto"
    """Where the verifiers compute."""
    format: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FORMAT...")] = ()
    """Write the motion in these formats too."""
    keep_candidates: bool = False
    """Write all motions, not only the chosen one."""
    video: Annotated[
        bool,
        tyro.conf.arg(
            help="Render neither video nor contact sheet of the performance.",
            help_behavior_hint="(default: both are rendered)",
        ),
    ] = True
    """Draw the performance."""
    repair: bool = False
    """Repair motions that fail `texedo check` before they are scored."""
    anyway: bool = False
    """Refuse nothing: write the best one even if none means what was said."""
    again: bool = False
    """Do it again if it is finished."""
    overwrite: bool = False
    """Replace the motion of another request in the folder."""
    json: bool = False
    """A JSON list with one object on standard output."""
    workers: int | None = None
    """Threads that perform motions; all cores if not given."""


def run(cfg: Cfg) -> int:
    prompt, started = check_prompt(cfg.prompt), time.perf_counter()
    if not cfg.motions:
        raise GenerationError(
            "no motions: name files or a folder of them after the prompt."
        )
    found = read_sources(_files(prompt, cfg), format=cfg.from_, fps=cfg.fps)
    if not found.motions:
        raise GenerationError(
            f"none of the {found.errors} files could be read; there is nothing to "
            "select from."
        )
    if len(found.motions) > MAX_CANDIDATES:
        raise GenerationError(
            f"there are {len(found.motions)} motions; {MAX_CANDIDATES} are the most "
            "that can be compared."
        )
    if not cfg.json:
        print(f"read {tally(found.readings)}")
    asked = _as_generate(cfg, prompt, len(found.motions))
    prompts, ask = generate.check(asked)
    generator = GivenMotions(found.motions, names=found.names)
    pipe = generate.make_pipeline(asked, generator)
    code = generate.finish(Job(asked, prompts, pipe, ask, default=OUT), started)
    return _with_errors(code, found)


def _files(prompt: str, cfg: Cfg) -> list[Path]:
    """All that is named; of a folder the candidates of the prompt, if it has some."""
    files: list[Path] = []
    for item in cfg.motions:
        if not item.exists():
            raise GenerationError(f"{item}: there is no such file or folder.")
        files += _of_folder(prompt, item) if item.is_dir() else [item]
    return files


def _of_folder(prompt: str, folder: Path) -> Sequence[Path]:
    try:
        return FolderGenerator(folder).files(prompt) or [folder]
    except GenerationError:  # No place of this prompt: everything below it.
        return [folder]


def _as_generate(cfg: Cfg, prompt: str, count: int) -> generate.Cfg:
    """The same options, as `texedo generate` has them."""
    shared = {field.name for field in fields(generate.Cfg)}
    own = {
        field.name: getattr(cfg, field.name)
        for field in fields(cfg)
        if field.name in shared
    }
    return generate.Cfg(prompts=(prompt,), num=count, **own)


def _with_errors(code: int, found: Sources) -> int:
    return EXIT_BAD_INPUT if found.errors else code
