"""`texedo generate`: a sentence in, a motion that the robot can perform out."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

import texedo
from texedo.apps.bars import stage_bar
from texedo.apps.console import make_console
from texedo.apps.generate.ownership import check_folder
from texedo.apps.generate.run_folder import Wanted, finished_run, write_run
from texedo.apps.generate.text import print_failure, print_line, print_run
from texedo.core.errors import GenerationError, TexedoError
from texedo.do import RULES, THRESHOLD
from texedo.formats import get_format, writable_formats
from texedo.pipeline import (
    Choice,
    Failed,
    Generated,
    PerformedAndRead,
    Report,
    Scorer,
    default_rule,
    generate_stream,
)
from texedo.pipeline.oracle import OracleScorer
from texedo.see.semantics.find import find_semantics, has_semantics
from texedo.see.semantics.protocol import SemanticVerifier
from texedo.see.semantics.scorer import SemanticScorer
from texedo.text.generators.find import find_generator
from texedo.text.generators.ours import OURS as OUR_GENERATOR
from texedo.text.generators.prompts import (
    STDIN,
    Sampling,
    check_count,
    check_prompts,
    prompt_slug,
    read_prompts,
)
from texedo.text.generators.protocol import Generator, check_settings, used_sampling
from texedo.tracker.policies.find import OURS as OUR_TRACKER
from texedo.tracker.policies.find import find_policy

DEFAULT_OUT = Path("out/generate")
NO_SEMANTICS = "none"
_MOST_FOLDERS = 1000


@dataclass(frozen=True)
class Cfg:
    """Sample candidate motions from a sentence, let the controller perform each in
    physics, and keep the one of the survivors that fits the sentence best, or without a
    semantic verifier the one that the controller performs best.

    Writes a folder with the motion, a table of all candidates, a video of the
    performance, and `run.json`: what was asked, what was chosen and why, with hashes of
    all weights. The same command gives the same motion; what is finished is not done
    again. With several prompts each has a folder of its own, and one that fails does
    not stop the others.
    Exit code 0: every motion was performed to the end. 1: for some prompt no candidate
    was; the best of them is written all the same. 2: some prompt has no motion.

    Example: texedo generate "a person walks forward and waves" -n 16
    """

    prompts: tyro.conf.Positional[
        Annotated[tuple[str, ...], tyro.conf.arg(metavar="PROMPT...")]
    ] = ()
    """What the robot should do, in English, as in "a person waves"; `-` reads prompts
    from standard input, one per line."""
    num: Annotated[int, tyro.conf.arg(aliases=["-n"])] = 8
    """Candidates per prompt; time grows with it."""
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
    tracker: Annotated[str, tyro.conf.arg(metavar="NAME|PATH")] = OUR_TRACKER
    """The controller, as in `texedo rollout`: a name, a folder, or an ONNX policy."""
    from_: Annotated[str | None, tyro.conf.arg(name="from", metavar="FORMAT")] = None
    """Format of the files of `folder:PATH`, where they do not identify it."""
    semantics: Annotated[str | None, tyro.conf.arg(metavar="NAME|PATH|none")] = None
    """The semantic verifier that gives R_text, as in `texedo score`: `texedo` (ours),
    `paper`, or the folder of a trained one; `none` goes without. If not given: ours,
    where it is installed."""
    rule: Annotated[str | None, tyro.conf.arg(metavar="|".join(RULES))] = None
    """How the winner is chosen: `texedo` takes the highest R_text of those that survive,
    `oracle` the highest Q* of the rollouts, `random` and `first` look at no score. If not
    given: `texedo` with a semantic verifier, `oracle` without one. Candidates that survive
    and pass `texedo check` come first."""
    threshold: float = THRESHOLD
    """R_dyn above which the rule `texedo` takes a candidate to be feasible."""
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
    """Draw the performance."""
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
    prompts, sampling = _check(cfg)
    started = time.perf_counter()
    generator = find_generator(cfg.generator, format=cfg.from_)
    policy = find_policy(cfg.tracker)
    scorer: Scorer = OracleScorer(policy, workers=cfg.workers)
    weights = {**getattr(generator, "weights", {}), "tracker": policy.digest}
    verifier = _verifier(cfg.semantics)
    if verifier is not None:
        scorer = PerformedAndRead(scorer, SemanticScorer(verifier))
        weights["semantics"] = verifier.digest
    choice = Choice(rule=cfg.rule or default_rule(scorer), threshold=cfg.threshold)
    choice.check(scorer)
    check_settings(generator, sampling)
    job = _Job(cfg, prompts, generator, scorer)
    job.sampling, job.rule, job.weights = sampling, choice.rule, weights
    todo = [i for i in range(len(prompts)) if not job.is_finished(i)]
    if todo and hasattr(generator, "load"):
        generator.load()
    job.load_seconds = time.perf_counter() - started
    results = generate_stream(
        [prompts[i] for i in todo],
        generator,
        job.scorer,
        choice=choice,
        n=cfg.num,
        seed=cfg.seed,
        sampling=sampling,
        report=job.tell,
    )
    for i in todo:
        job.finish(i, results)
    job.print_json()
    return job.exit_code


def _verifier(which: str | None) -> SemanticVerifier | None:
    """What `--semantics` names; ours where nothing is said and it is installed."""
    if which == NO_SEMANTICS or (which is None and not has_semantics()):
        return None
    return find_semantics(which)


def _check(cfg: Cfg) -> tuple[list[str], Sampling]:
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
    check_count(cfg.num)
    sampling = Sampling(
        temperature=cfg.temperature,
        top_k=cfg.top_k,
        top_p=cfg.top_p,
        guidance=cfg.guidance,
        duration=cfg.duration,
    )
    Choice(rule=cfg.rule or "first", threshold=cfg.threshold)
    return check_prompts(prompts), sampling


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


class _Job:
    """Prompts on their way into folders."""

    def __init__(
        self, cfg: Cfg, prompts: list[str], generator: Generator, scorer: Scorer
    ) -> None:
        self.cfg, self.prompts = cfg, prompts
        self.generator, self.scorer = generator, scorer
        self.sampling = Sampling()
        """What the user said."""
        self.rule = ""
        self.load_seconds = 0.0
        self.weights: dict[str, str] = {}
        """Hashes of everything that was loaded."""
        self._tell: Report | None = None
        self._records: dict[int, dict[str, Any]] = {}
        self._failures: dict[int, Exception] = {}
        self._skipped: set[int] = set()
        self._folders: dict[int, Path] = {}
        self._said: set[str] = set()
        """Remarks; one that all prompts share is printed once."""
        self._wanted = Wanted(
            formats=cfg.format, keep_candidates=cfg.keep_candidates, video=cfg.video
        )
        self._console = make_console(stderr=cfg.json)

    def folder(self, i: int) -> Path:
        """Where the motion of prompt i goes."""
        if i not in self._folders:
            self._folders[i] = self._find_folder(i)
        return self._folders[i]

    def _find_folder(self, i: int) -> Path:
        name = folder_name(self.prompts[i])
        if self._in_subfolders:
            first = (self.cfg.out or DEFAULT_OUT) / f"{i + 1:03d}-{name}"
        else:
            seed = f"-seed{self.cfg.seed}" if self.cfg.seed else ""
            first = self.cfg.out or DEFAULT_OUT / f"{name}{seed}"
        if self.cfg.out is not None:
            self._check_folder(first, i)
            return first
        # Nobody named this folder, so another request does not have to wait for one.
        later = (first.with_name(f"{first.name}-{k}") for k in range(2, _MOST_FOLDERS))
        for folder in (first, *later):
            try:
                self._check_folder(folder, i)
            except GenerationError:
                continue
            return folder
        raise GenerationError(f"{first}: there are too many beside it. Name an --out.")

    def _check_folder(self, folder: Path, i: int) -> None:
        if finished_run(folder, self.request(i)) is None or self.cfg.again:
            check_folder(
                folder,
                self.request(i),
                self._wanted.places(),
                overwrite=self.cfg.overwrite,
            )

    @property
    def _in_subfolders(self) -> bool:
        # A list of one prompt is a list: it may have grown by the next run.
        listed = self.cfg.prompts_file is not None or str(STDIN) in self.cfg.prompts
        return listed or len(self.prompts) > 1

    def request(self, i: int) -> dict[str, Any]:
        """All that the motion of prompt i depends on, and what is written of it."""
        cfg = self.cfg
        return {
            "texedo": texedo.__version__,
            "prompt": self.prompts[i],
            "candidates": cfg.num,
            "seed": cfg.seed,
            **asdict(used_sampling(self.generator, self.sampling)),
            "rule": self.rule,
            "threshold": cfg.threshold,
            "generator": self.generator.name,
            "generator_hash": self.generator.digest,
            "scorer": self.scorer.name,
            "scorer_hash": self.scorer.digest,
            **self._wanted.to_dict(),
        }

    def is_finished(self, i: int) -> bool:
        record = finished_run(self.folder(i), self.request(i))
        if record is None or self.cfg.again:
            return False
        self._records[i] = record
        self._skipped.add(i)
        print_line(self._console, record, self.folder(i), was_finished=True)
        return True

    def tell(self, stage: str, done: int, total: int) -> None:
        """Move the bar of the prompt at work."""
        if self._tell is not None:
            self._tell(stage, done, total)

    def finish(self, i: int, results: Iterator[Generated | Failed]) -> None:
        """Wait for the next result, which is that of prompt i, and write it."""
        # A bar for each prompt: nothing may be printed while one is on the screen.
        with stage_bar() as self._tell:
            result = next(results)
            self.tell("write", 0, 1)
            if isinstance(result, Generated):
                result = self._write(i, result)
        if isinstance(result, Failed):
            if os.environ.get("TEXEDO_DEBUG"):
                raise result.error
            self._failures[i] = result.error
            print_failure(result.prompt, result.error)
            return
        if not self._in_subfolders:
            print_run(self._console, result, self._records[i])
        print_line(self._console, self._records[i], self.folder(i))
        for remark in result.remarks:
            if remark not in self._said:
                self._said.add(remark)
                self._console.print(f"note: {remark}", markup=False, soft_wrap=True)

    def _write(self, i: int, result: Generated) -> Generated | Failed:
        result.seconds["load"] = self.load_seconds
        try:
            self._records[i] = write_run(
                self.folder(i),
                result,
                request=self.request(i),
                wanted=self._wanted,
                extra={"weights": self.weights},
                overwrite=self.cfg.overwrite,
            )
        except (TexedoError, OSError) as error:
            return Failed(prompt=result.prompt, error=error)
        return result

    def print_json(self) -> None:
        if not self.cfg.json:
            return
        rows = [self._json_row(i) for i in range(len(self.prompts))]
        print(json.dumps(rows, indent=2, ensure_ascii=False))

    def _json_row(self, i: int) -> dict[str, Any]:
        if i in self._failures:
            return {"prompt": self.prompts[i], "error": str(self._failures[i])}
        return {
            **self._records[i],
            "folder": str(self.folder(i)),
            "was_finished": i in self._skipped,
        }

    @property
    def exit_code(self) -> int:
        if self._failures:
            return 2
        return int(any(r["survived"] is False for r in self._records.values()))


def folder_name(prompt: str) -> str:
    """The prompt as a folder's name; a short hash if the name cannot hold all of it."""
    slug = prompt_slug(prompt)
    if slug == "-".join(prompt.lower().split()).rstrip("."):
        return slug
    return f"{slug}-{hashlib.sha256(prompt.encode()).hexdigest()[:6]}"
