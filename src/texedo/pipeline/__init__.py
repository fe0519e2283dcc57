"""Text -> See -> Do on one screen: prompts in, one motion for each out.

    result = generate("a person waves", n=8, seed=0, temperature=0.8)
    result.motion, result.survived

TEXT   the generator draws n candidates, which are post-processed and checked.
SEE    the scorer says how good each is: by a look (`scorer="verifier"`), or after each
       was performed in physics ("oracle").
DO     the rule chooses one, and says why: the best R_text among the survivors where
       there is a semantic verifier, else the highest Q*. Those that survive and pass
       `texedo check` come first.

Every stage is a seam: any `Generator`, any `Scorer`, any rule of `texedo.do`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Unpack, overload

import numpy as np

from texedo.core.errors import GenerationError
from texedo.do import THRESHOLD, Selection
from texedo.motion import Motion
from texedo.pipeline.choice import Choice as Choice
from texedo.pipeline.choice import default_rule as default_rule
from texedo.pipeline.choice import default_threshold as default_threshold
from texedo.pipeline.find import find_scorer as find_scorer
from texedo.pipeline.scorers import PerformedAndRead as PerformedAndRead
from texedo.robot.check import CheckReport, check_motion
from texedo.robot.summary import Summary, summarize
from texedo.see.scores import Gives
from texedo.see.scores import Scorer as Scorer
from texedo.see.scores import Scores as Scores
from texedo.text.generators.find import find_generator
from texedo.text.generators.ours import OURS as OUR_GENERATOR
from texedo.text.generators.prompts import Sampling, check_count, check_prompts
from texedo.text.generators.protocol import (
    Generator,
    Settings,
    check_settings,
    prompt_remarks,
)
from texedo.text.postprocess import PostprocessRecord, postprocess

STAGES = ("sample", "check", "perform", "score", "choose")
"""What is said of the work; candidates are either performed or scored by a look."""
BATCH = 64
"""Candidates that are drawn at once; several prompts share a batch."""

Report = Callable[[str, int, int], None]
"""Called with a stage, the number of candidates it has done, and of all."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Candidate:
    """One motion that the generator offered."""

    motion: Motion
    """After it was post-processed."""
    postprocess: PostprocessRecord
    check: CheckReport
    summary: Summary
    """What it does."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Generated:
    """What came of a prompt."""

    prompt: str
    candidates: tuple[Candidate, ...]
    scores: Scores
    selection: Selection
    seconds: dict[str, float]
    """How long each of `STAGES` took."""
    remarks: tuple[str, ...]
    """Sentences for the user."""
    threshold: float = THRESHOLD
    """R_dyn above which a candidate was taken to be feasible."""

    @property
    def chosen(self) -> Candidate:
        return self.candidates[self.selection.index]

    @property
    def motion(self) -> Motion:
        """The motion to play."""
        return self.chosen.motion

    @property
    def survived(self) -> bool | None:
        """Whether the controller performed it to the end; None if it never tried."""
        survived = self.scores.survived
        return None if survived is None else bool(survived[self.selection.index])

    @property
    def expected(self) -> bool | None:
        """Whether a motion that nobody performed is above the threshold; None if it was
        performed, or if nobody knows its R_dyn."""
        r_dyn = self.scores.dynamics[self.selection.index]
        if self.scores.survived is not None or np.isnan(r_dyn):
            return None
        return bool(r_dyn > self.threshold)


@dataclass(frozen=True, kw_only=True)
class Failed:
    """A prompt that nothing came of."""

    prompt: str
    error: Exception


@overload
def generate(  # type: ignore[overload-overlap]  # A str is a sequence of str.
    prompts: str,
    generator: Generator | None = None,
    scorer: Scorer | str | None = None,
    *,
    rule: str | None = None,
    threshold: float | None = None,
    n: int = 8,
    seed: int = 0,
    sampling: Sampling | None = None,
    report: Report | None = None,
    **settings: Unpack[Settings],
) -> Generated: ...


@overload
def generate(
    prompts: Sequence[str],
    generator: Generator | None = None,
    scorer: Scorer | str | None = None,
    *,
    rule: str | None = None,
    threshold: float | None = None,
    n: int = 8,
    seed: int = 0,
    sampling: Sampling | None = None,
    report: Report | None = None,
    **settings: Unpack[Settings],
) -> list[Generated]: ...


def generate(
    prompts: str | Sequence[str],
    generator: Generator | None = None,
    scorer: Scorer | str | None = None,
    *,
    rule: str | None = None,
    threshold: float | None = None,
    n: int = 8,
    seed: int = 0,
    sampling: Sampling | None = None,
    report: Report | None = None,
    **settings: Unpack[Settings],
) -> Generated | list[Generated]:
    """The best of n candidates for a prompt, or for each of a list of them.

    Without a generator or a scorer, those that ship with the package are taken; a scorer
    may be named, `verifier` or `oracle`. Without a rule or a threshold, those of
    `default_rule` and `default_threshold` are. Settings are the fields of `Sampling`, one by one or as a
    whole. The first failure is raised.
    """
    if scorer is None or isinstance(scorer, str):
        scorer = find_scorer(scorer).scorer
    given = Sampling.of(settings).over(sampling or Sampling())
    stream = generate_stream(
        [prompts] if isinstance(prompts, str) else prompts,
        generator or find_generator(OUR_GENERATOR),
        scorer,
        choice=_choice(scorer, rule=rule, threshold=threshold),
        n=n,
        seed=seed,
        sampling=given,
        report=report,
    )
    results = []
    for result in stream:
        if isinstance(result, Failed):
            raise result.error
        results.append(result)
    return results[0] if isinstance(prompts, str) else results


def generate_stream(
    prompts: Sequence[str],
    generator: Generator,
    scorer: Scorer,
    *,
    choice: Choice | None = None,
    n: int = 8,
    seed: int = 0,
    sampling: Sampling | None = None,
    report: Report | None = None,
) -> Iterator[Generated | Failed]:
    """The same as they are done; a prompt that fails does not stop the others."""
    texts, sampling, n = check_prompts(prompts), sampling or Sampling(), check_count(n)
    choice = choice or _choice(scorer)
    choice.check(scorer)
    check_settings(generator, sampling)
    tell = report or (lambda stage, done, total: None)
    size = max(BATCH // n, 1)
    for start in range(0, len(texts), size):
        batch = texts[start : start + size]
        tell("sample", 0, n * len(batch))
        for drawn in _draw(batch, generator, n=n, seed=seed, sampling=sampling):
            if isinstance(drawn, Failed):
                yield drawn
                continue
            try:
                yield _see_and_do(drawn, scorer, choice, seed=seed, tell=tell)
            except Exception as error:
                yield Failed(prompt=drawn.prompt, error=error)


def _choice(
    scorer: Scorer, *, rule: str | None = None, threshold: float | None = None
) -> Choice:
    if threshold is None:
        threshold = default_threshold(scorer)
    return Choice(rule=rule or default_rule(scorer), threshold=threshold)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Drawn:
    prompt: str
    motions: list[Motion]
    seconds: float
    remarks: tuple[str, ...]
    keep_length: bool
    """Somebody asked for it."""


def _draw(
    prompts: list[str],
    generator: Generator,
    *,
    n: int,
    seed: int,
    sampling: Sampling,
) -> Iterator[_Drawn | Failed]:
    """TEXT for a batch of prompts; if it fails as a whole, for each by itself."""
    started = time.perf_counter()
    try:
        rows = generator.sample_many(prompts, n, seed=seed, **sampling.to_dict())
        said = [prompt_remarks(generator, prompt) for prompt in prompts]
    except Exception as error:
        if len(prompts) == 1:
            yield Failed(prompt=prompts[0], error=error)
            return
        for prompt in prompts:
            yield from _draw([prompt], generator, n=n, seed=seed, sampling=sampling)
        return
    seconds = (time.perf_counter() - started) / len(prompts)
    for prompt, motions, remarks in zip(prompts, rows, said, strict=True):
        if not motions:
            nothing = f"{generator.name}: offered no candidate for {prompt!r}."
            yield Failed(prompt=prompt, error=GenerationError(nothing))
            continue
        if len(motions) < n:
            few = f"{len(motions)} candidate{'s' if len(motions) > 1 else ''}"
            remarks += (f"{generator.name}: has {few}, not {n}.",)
        yield _Drawn(
            prompt=prompt,
            motions=motions,
            seconds=seconds,
            remarks=remarks,
            keep_length=sampling.duration is not None,
        )


def _see_and_do(
    drawn: _Drawn, scorer: Scorer, choice: Choice, *, seed: int, tell: Report
) -> Generated:
    total, clock = len(drawn.motions), _Clock()
    tell("check", 0, total)
    motions, records = postprocess(drawn.motions, keep_length=drawn.keep_length)
    candidates = []
    for motion, record in zip(motions, records, strict=True):
        candidate = Candidate(
            motion=motion,
            postprocess=record,
            check=check_motion(motion),
            summary=summarize(motion),
        )
        candidates.append(candidate)
        tell("check", len(candidates), total)
    clock.note("check")
    stage = _seeing(scorer)
    tell(stage, 0, total)
    scores = scorer.score(
        drawn.prompt, motions, progress=lambda done, all_: tell(stage, done, all_)
    )
    clock.note(stage)
    tell("choose", 0, total)
    passing = np.array([c.check.verdict != "fail" for c in candidates])
    selection = choice.choose(scores, passing, prompt=drawn.prompt, seed=seed)
    clock.note("choose")
    return Generated(
        prompt=drawn.prompt,
        candidates=tuple(candidates),
        scores=scores,
        selection=selection,
        seconds={"sample": drawn.seconds, **clock.seconds},
        threshold=choice.threshold,
        remarks=drawn.remarks + scores.remarks,
    )


def _seeing(scorer: Scorer) -> str:
    """What it does, one of `STAGES`: a scorer that knows no Q* performs nothing."""
    known = scorer.gives if isinstance(scorer, Gives) else frozenset({"quality"})
    return "perform" if "quality" in known else "score"


class _Clock:
    """Seconds between notes."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def note(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[stage], self._last = now - self._last, now
