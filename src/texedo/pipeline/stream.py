"""Prompts in, one result after another out: draw, see, choose, confirm.

Where nothing that was drawn fits the sentence, motions are written from what it says, its
steps are drawn one by one and joined, candidates are edited, and it is asked again in other
words.

Several prompts with few candidates are drawn as one batch. Many candidates of one prompt
are drawn, post-processed, checked and scored part by part, so that memory does not grow
with what a part needs on the way, and so that adaptive sampling can stop between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import GenerationError
from texedo.core.threads import beside_torch
from texedo.do import Selection
from texedo.motion import Motion
from texedo.pipeline.adaptive import Adaptive
from texedo.pipeline.again.more import Drawn, Looked, More, doubt, raised, told_of
from texedo.pipeline.choice import Choice
from texedo.pipeline.confirm import Confirmation, Confirmed, confirm, reselect
from texedo.pipeline.drawing import BATCH, Ask, Report, Source, sources_of
from texedo.pipeline.result import Failed, Generated
from texedo.pipeline.stage_clock import StageClock
from texedo.pipeline.table import Candidate, candidates_of
from texedo.robot.repair import RepairRecord, repair
from texedo.see.scores import Gives, Scorer, Scores, fit_bound
from texedo.text.generators.prompts import check_prompts
from texedo.text.generators.protocol import (
    Generator,
    NamesCandidates,
    check_settings,
    prompt_remarks,
)
from texedo.text.postprocess import postprocess

if TYPE_CHECKING:
    from texedo.pipeline.refusal import Refusal, Refuser

STAGES = ("sample", "check", "perform", "score", "choose", "confirm")
"""What is said of the work; candidates are either performed or scored by a look."""


class Parts(NamedTuple):
    """Who does the work."""

    generator: Generator
    scorer: Scorer
    choice: Choice
    confirmation: Confirmation | None = None
    """None: nobody is performed before it is handed out."""
    refuser: Refuser | None = None
    """Says which prompts get no motion; None: all get one."""
    anyway: bool = False
    """Those get one too, with a remark."""
    repair: bool = False
    """Candidates that fail the check are repaired, with a remark."""


def run_stream(
    prompts: Sequence[str], parts: Parts, ask: Ask, *, report: Report | None = None
) -> Iterator[Generated | Failed]:
    """Results as they are done; a prompt that fails does not stop the others."""
    texts = check_prompts(prompts)
    parts.choice.check(parts.scorer)
    check_settings(parts.generator, ask.sampling)
    if ask.adaptive is not None:
        parts.choice.check_adaptive()
    tell = report or (lambda stage, done, total: None)
    size = max(BATCH // ask.n, 1) if ask.adaptive is None else 1
    for start in range(0, len(texts), size):
        batch = texts[start : start + size]
        refused = _refused_early(batch, parts)
        drawn = [prompt for prompt in batch if prompt not in refused]
        sources = sources_of(drawn, parts.generator, ask, tell) if drawn else iter(())
        for prompt in batch:
            if prompt in refused:
                yield Failed(prompt=prompt, error=refused[prompt])
                continue
            _, source = next(sources)
            try:
                yield _Work(prompt, source, parts, ask, tell).result()
            except Exception as error:
                yield Failed(prompt=prompt, error=error)


def _refused_early(prompts: Sequence[str], parts: Parts) -> dict[str, Refusal]:
    """Prompts for which no candidate needs to be drawn."""
    if parts.refuser is None or parts.anyway:
        return {}
    answers = {prompt: parts.refuser.judge_early(prompt) for prompt in prompts}
    return {prompt: no for prompt, no in answers.items() if no is not None}


class _Work:
    """One prompt on its way from a source to a result."""

    def __init__(
        self, prompt: str, source: Source, parts: Parts, ask: Ask, tell: Report
    ) -> None:
        self.prompt, self.source, self.parts, self.ask = prompt, source, parts, ask
        self.tell = tell
        self.clock = StageClock()
        self.clock.seconds["sample"] = source.seconds
        self.candidates: list[Candidate] = []
        self.scores: list[Scores] = []
        self.few = False
        """The generator had fewer candidates than asked for."""
        self.repairs: list[RepairRecord] = []
        """Of all candidates, if they are to be repaired."""
        self.more: dict[int, More] = {}
        """Candidates beside those that were drawn, by the number of the first one."""

    def result(self) -> Generated:
        for part in self.source.parts:
            self._draw_and_score(part)
            if self.ask.adaptive is not None and self._is_enough(self.ask.adaptive):
                break
        remarks = self._refusal(Scores.join(self.scores)) + self._try_again()
        scores = self._named(Scores.join(self.scores))
        self.tell("choose", 0, len(scores))
        selection = self._choose(scores)
        self.clock.note("choose")
        confirmed = self._confirm(selection)
        selection = reselect(selection, confirmed)
        return Generated(
            prompt=self.prompt,
            offered=tuple(self.candidates),
            scores=scores,
            selection=selection,
            seconds=self.clock.seconds,
            threshold=self.parts.choice.threshold,
            performed=confirmed.performed,
            handed_out=self._handed_out(selection, confirmed),
            remarks=self._all_remarks(scores)
            + remarks
            + doubt(scores.semantics[selection.index], self._fits_from),
        )

    def _named(self, scores: Scores) -> Scores:
        """With the files of the candidates, where they are from files, and how those came
        to be that were not drawn for the prompt as it was said."""
        scores = replace(
            scores, columns=told_of(self.more, len(scores)) | scores.columns
        )
        if not isinstance(self.parts.generator, NamesCandidates):
            return scores
        names = list(self.parts.generator.names(self.prompt))[: len(scores)]
        return replace(scores, columns={"file": names, **scores.columns})

    def _refusal(self, scores: Scores) -> tuple[str, ...]:
        """Raise if the prompt is refused; what to say if it is answered anyway."""
        refuser = self.parts.refuser
        if refuser is None:
            return ()
        refusal = refuser.judge(self.prompt, scores.semantics)
        if refusal is None:
            return ()
        if not self.parts.anyway:
            raise refusal
        return (f"handed out anyway, though {refusal}",)

    def _draw_and_score(self, part: range) -> None:
        drawn = self.source.draw(part)
        self.clock.note("sample")
        self.few |= len(drawn) < len(part)
        if not drawn and not self.candidates:
            raise GenerationError(
                f"{self.parts.generator.name}: offered no candidate for {self.prompt!r}."
            )
        self._look_at(drawn, self.source.parts[-1].stop)

    def _try_again(self) -> tuple[str, ...]:
        """More candidates where none fits; what there is to say of them."""
        if self._fits_from is None:
            return ()
        for how in self.ask.again.rounds:
            drawn = self._drawn()
            if not how.is_needed(drawn):
                continue
            before, count = len(self.candidates), how.count(self.ask.n)
            self.tell("sample", before, before + count)
            more = how.make(drawn)
            self.clock.note("sample")
            if more is not None:
                self.more[before] = more
                self._look_at(list(more.motions), before + len(more.motions))
                seen = self.scores[-1]
                self.scores[-1] = replace(
                    seen, semantics=raised(seen.semantics, more.odds)
                )
        return tuple(more.remark for more in self.more.values() if more.remark)

    def _drawn(self) -> Drawn:
        scores = Scores.join(self.scores)
        return Drawn(
            prompt=self.prompt,
            generator=self.parts.generator,
            n=self.ask.n,
            seed=self.ask.seed,
            sampling=self.ask.sampling,
            motions=[candidate.motion for candidate in self.candidates],
            r_text=scores.semantics,
            may_win=self._may_win(scores),
            look=self._look_aside,
        )

    def _look_aside(self, prompt: str, drawn: Sequence[Motion]) -> Looked:
        """The same as below for motions of another sentence, which are no candidates."""
        motions, records = postprocess(list(drawn))
        scores = self.parts.scorer.score(prompt, motions)
        passing = np.array([c.is_in_order for c in candidates_of(motions, records)])
        may_win = self.parts.choice.passes(scores) & passing
        return Looked(motions, scores.semantics, may_win)

    def _look_at(self, drawn: list[Motion], total: int) -> None:
        """Post-process, check and score more candidates, of so many in all."""
        done = len(self.candidates)
        self.tell("check", done, total)
        keep = self.ask.sampling.duration is not None
        motions, records = postprocess(drawn, keep_length=keep)
        if self.parts.repair:
            motions, repairs = repair(motions, only_failing=True)
            self.repairs += repairs
        self.clock.note("check")
        # Checks are numpy's work and scores torch's: they share the cores.
        with beside_torch(lambda: candidates_of(motions, records)) as checked:
            self._score(motions, done, total)
            self.candidates += checked.result()
        self.tell("check", len(self.candidates), total)
        self.clock.note("check")

    def _score(self, motions: list[Motion], done: int, total: int) -> None:
        stage = _seeing(self.parts.scorer)
        self.tell(stage, done, total)
        scores = self.parts.scorer.score(
            self.prompt,
            motions,
            progress=lambda count, _: self.tell(stage, done + count, total),
        )
        self.scores.append(scores)
        self.clock.note(stage)

    @property
    def _fits_from(self) -> float | None:
        """From which R_text on a choice does what was said; None if nobody knows."""
        by_r_text = self.parts.choice.ranks_by_r_text
        return fit_bound(self.parts.scorer) if by_r_text else None

    def _passing(self) -> NDArray[np.bool_]:
        return np.array([c.is_in_order for c in self.candidates])

    def _may_win(self, scores: Scores) -> NDArray[np.bool_]:
        """Who passes the choice and the check, (N,)."""
        return self.parts.choice.passes(scores) & self._passing()

    def _is_enough(self, adaptive: Adaptive) -> bool:
        scores = Scores.join(self.scores)
        passes = self._may_win(scores)
        if passes.sum() < self.ask.top:
            return False
        return adaptive.is_enough(scores.semantics, passes)

    def _choose(self, scores: Scores) -> Selection:
        return self.parts.choice.choose(
            scores, self._passing(), prompt=self.prompt, seed=self.ask.seed
        )

    def _confirm(self, selection: Selection) -> Confirmed:
        how = self.parts.confirmation
        if how is None:
            return Confirmed((), {})
        motions = [candidate.motion for candidate in self.candidates]
        found = confirm(
            selection.order,
            motions,
            how,
            top=self.ask.top,
            progress=lambda done, total: self.tell("confirm", done, total),
        )
        self.clock.note("confirm")
        return found

    def _handed_out(
        self, selection: Selection, confirmed: Confirmed
    ) -> tuple[int, ...]:
        """The chosen one, and those after it that hold, or that nobody tried."""
        if confirmed.performed:
            more = confirmed.holding
        else:
            more = selection.order
        return tuple(dict.fromkeys((selection.index, *more)))[: self.ask.top]

    def _all_remarks(self, scores: Scores) -> tuple[str, ...]:
        said = prompt_remarks(self.parts.generator, self.prompt)
        count = min([len(self.candidates), *self.more])
        if self.few or self.source.parts[-1].stop < self.ask.n:
            name = self.parts.generator.name
            plural = "s" if count > 1 else ""
            said += (f"{name}: has {count} candidate{plural}, not {self.ask.n}.",)
        failed = [r for r in self.repairs if r.before.verdict == "fail"]
        if failed:
            saved = sum(record.saved for record in failed)
            said += (f"{saved} of {len(failed)} that failed the check were repaired.",)
        return said + scores.remarks


def _seeing(scorer: Scorer) -> str:
    """What it does, one of `STAGES`: a scorer that knows no Q* performs nothing."""
    known = scorer.gives if isinstance(scorer, Gives) else frozenset({"quality"})
    return "perform" if "quality" in known else "score"
