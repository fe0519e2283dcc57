"""Candidates of prompts with all that is known of them, each thing found out once.

    KEPT/samples        candidates as the generator made them
    KEPT/scores         R_dyn, R_text and judges' scores, a file per scorer
    KEPT/labels.jsonl   roll-outs on the CPU, nominal and perturbed
    KEPT/executed       what the nominal robot did
    KEPT/labels-cuda.jsonl, executed-cuda    the same on a GPU: the two are never mixed

All of it is named by the content of what it is about and by the digest of who said it:
a command that was stopped goes on, and gives the same tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import TexedoError
from texedo.core.pool import Crew
from texedo.data.corpus.label_table import Label, clip_hash, label_quality
from texedo.do import Above
from texedo.evaluation.columns import Source, score_all
from texedo.evaluation.device import CPU, Files, Physics
from texedo.evaluation.performance import Named, perform_draws, read_draws
from texedo.evaluation.samples import TOGETHER, Request, draw
from texedo.evaluation.suites import work
from texedo.evaluation.suites.prompts import Asked
from texedo.evaluation.suites.scoring import (
    CHANCE,
    dynamics_source,
    judge_source,
    text_source,
)
from texedo.motion import Motion
from texedo.quality import Normalizers
from texedo.see.dynamics.protocol import DynamicsVerifier, filter_of
from texedo.see.semantics.protocol import SemanticVerifier
from texedo.text.generators.prompts import Sampling
from texedo.text.generators.protocol import Generator

if TYPE_CHECKING:
    from texedo.tracker.policies.protocol import Policy
    from texedo.tracker.sim.perturb import Perturbation

TEMPERATURE = 1.0
ROLL_OUTS = "roll-outs on"
"""The setting that says which device performed."""
ERRORS = ("mpjpe", "e_vel", "e_acc")
"""Of a roll-out: E_mpjpe-l [mm], E_vel [mm/frame], E_acc [mm/frame^2]."""
_DYNAMICS, _SEMANTICS = "R_dyn", "R_text"
_JUDGED = 64
"""Prompts whose performances are judged before that is written."""
_FEW = 16
"""Prompts for which worker processes take longer to start than they save."""

Float64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
Chosen = NDArray[np.int64]
"""Number of a candidate for each prompt, (P,)."""


class Judge(Protocol):
    """Whoever says from 1 to 10 how well performed motions show what a prompt asks for."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def digest(self) -> str:
        """Hash of everything its scores depend on."""
        ...

    def score(self, prompt: str, motions: Sequence[Motion]) -> NDArray[Any]:
        """One number for each, NaN where it cannot tell, (M,)."""
        ...


class Refuser(Protocol):
    """Whoever says which prompts `texedo generate` answers with no motion."""

    @property
    def digest(self) -> str: ...

    def judge(self, prompt: str, r_text: Float64) -> object | None:
        """Something if it is refused, given R_text of the candidates."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Performed:
    """How candidates went, NaN where one was not performed, (P, N) each."""

    success: Float64
    mpjpe: Float64
    e_vel: Float64
    e_acc: Float64
    q_star: Float64
    frames: Float64
    """Frames that were executed."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Base:
    """The models at work, and the folder that keeps what came of it."""

    generator: Generator
    policy: Policy
    dynamics: DynamicsVerifier
    semantics: SemanticVerifier
    folder: Path
    seed: int = 0
    judges: tuple[Judge, ...] = ()
    refuser: Refuser | None = None
    """None: every prompt is answered."""
    perturbation: Perturbation | None = None
    """Robots that the choice is performed on beside the nominal one."""
    workers: int | None = None
    physics: Physics | None = None
    """Performs in place of the CPU, which is the reference."""
    crew: Crew | None = None
    """Worker processes for what is neither a network nor physics."""
    together: int = TOGETHER
    """Prompts that are drawn and scored at once: many on a GPU."""
    report: Callable[[str, int, int], None] = lambda what, done, total: None

    def pool(self, asked: Sequence[Asked], n: int) -> Pool:
        """N candidates of every prompt."""
        if not asked:
            raise TexedoError("There is no prompt to measure anything on.")
        drawn = draw(
            self.generator,
            [own.text for own in asked],
            Request(n=n, seed=self.seed, sampling=Sampling(temperature=TEMPERATURE)),
            self.folder / "samples",
            together=self.together,
            progress=self.about("sample"),
        )
        motions = self.each(work.finish, [(row,) for row in drawn], "post-process")
        return Pool(self, tuple(asked), motions)

    def each(
        self, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], what: str
    ) -> list[Any]:
        """`function` of `work` for every prompt, by worker processes if that pays."""
        found = []
        crew = self.crew if len(calls) > _FEW else None
        results = (
            (function(*call) for call in calls)
            if crew is None
            else crew.ordered(function, calls)
        )
        for result in results:
            found.append(result)
            self.report(what, len(found), len(calls))
        return found

    @property
    def files(self) -> Files:
        """Where roll-outs are kept."""
        device = CPU if self.physics is None else self.physics.device
        return Files.of(self.folder, device)

    @property
    def normalizers(self) -> Normalizers:
        found = self.policy.normalizers
        if found is None:
            raise TexedoError(
                f"Tracker {self.policy.name!r} has no error limits for Q*; name another "
                "--tracker."
            )
        return found

    def settings(self) -> dict[str, Any]:
        """What all figures depend on."""
        return {
            "generator": self.generator.digest,
            "tracker": self.policy.digest,
            "dynamics": self.dynamics.digest,
            "semantics": self.semantics.digest,
            "judges": {own.name: own.digest for own in self.judges},
            "refusal": None if self.refuser is None else self.refuser.digest,
            "seed": self.seed,
            "temperature": TEMPERATURE,
            "threshold": float(self.dynamics.threshold),
            "perturbed robots": self.perturbation.draws if self.perturbation else 0,
            ROLL_OUTS: CPU if self.physics is None else self.physics.device,
        }

    def about(self, what: str) -> Callable[[int, int], None]:
        return lambda done, total: self.report(what, done, total)


class Pool:
    """Candidates of P prompts, N each; what is not known yet is found out when asked."""

    def __init__(
        self, base: Base, asked: tuple[Asked, ...], motions: list[list[Motion]]
    ) -> None:
        self.base, self.asked, self.motions = base, asked, motions
        self.shape = len(asked), len(motions[0])

    @property
    def r_dyn(self) -> Float64:
        return self._foreseen[_DYNAMICS]

    @property
    def chance(self) -> Float64 | None:
        """The chance to finish, where the threshold is of it and not of R_dyn, (P, N)."""
        by_chance = filter_of(self.base.dynamics) == "success"
        return self._foreseen[CHANCE] if by_chance else None

    def threshold(self, i: int) -> float | Above:
        """That of the verifier, as a choice among the candidates of prompt `i` takes it."""
        chance = None if self.chance is None else self.chance[i]
        return Above.of(float(self.base.dynamics.threshold), chance)

    @cached_property
    def _foreseen(self) -> dict[str, Float64]:
        many = self.base.together > TOGETHER
        source = dynamics_source(self.base.dynamics, _DYNAMICS, many)
        return self._scores(source, _DYNAMICS)

    @cached_property
    def r_text(self) -> Float64:
        base = self.base
        each = base.each if base.together > TOGETHER else None
        source = text_source(base.semantics, _SEMANTICS, each)
        return self._scores(source, _SEMANTICS)[_SEMANTICS]

    @cached_property
    def right(self) -> Float64:
        """1 where the rule of a prompt holds, NaN where it has none."""
        found = np.full(self.shape, np.nan)
        ruled = [i for i, own in enumerate(self.asked) if own.rule is not None]
        calls = [(self.asked[i].rule, self.motions[i]) for i in ruled]
        if ruled:
            found[ruled] = self.base.each(work.right, calls, "rules")
        return found

    @cached_property
    def checked(self) -> list[tuple[int, bool]]:
        """Who is chosen of each prompt if those come first that pass `texedo check`, and
        whether nobody was feasible."""
        chances = (
            work.Chance(self.r_dyn[i], self.r_text[i], self.threshold(i), own.text)
            for i, own in enumerate(self.asked)
        )
        calls = list(zip(self.motions, chances, strict=True))
        return self.base.each(work.choose_checked, calls, "check")

    @cached_property
    def refused(self) -> Bools:
        """Prompts that get no motion at all, (P,)."""
        refuser = self.base.refuser
        if refuser is None:
            return np.zeros(len(self.asked), dtype=np.bool_)
        pairs = zip(self.asked, self.r_text, strict=True)
        return np.array([refuser.judge(p.text, r) is not None for p, r in pairs])

    @property
    def everyone(self) -> Bools:
        return np.ones(self.shape, dtype=np.bool_)

    def prepare(self, wanted: Bools) -> None:
        """Perform those candidates on all robots at once, where that is faster."""
        if self.base.physics is not None and self.base.perturbation is not None:
            self._roll_out(wanted, perturbed=True)

    def perform(self, wanted: Bools) -> Performed:
        """Those candidates on the nominal robot."""
        labels = self._roll_out(wanted, perturbed=False)
        columns = _columns([row[0] for row in labels], self.base.normalizers)
        return Performed(
            **{name: self._spread(wanted, values) for name, values in columns.items()}
        )

    def robust(self, wanted: Bools) -> Float64:
        """Share of the perturbed robots that finish."""
        if self.base.perturbation is None:
            return np.full(self.shape, np.nan)
        labels = self._roll_out(wanted, perturbed=True)
        shares = [np.mean([x is not None and x.success for x in row]) for row in labels]
        return self._spread(wanted, np.array(shares))

    def judged(self, wanted: Bools) -> dict[str, Float64]:
        """What each judge says of what the robot did; performed first if need be."""
        if not self.base.judges:
            return {}
        self._roll_out(wanted, perturbed=False)
        kept = self.base.files.executed
        found = {own.name: np.full(self.shape, np.nan) for own in self.base.judges}
        done: dict[int, dict[int, Motion]] = {}
        for i in range(self.shape[0]):
            read = {
                k: kept.read(clip_hash(self.motions[i][k])) for k in _where(wanted[i])
            }
            if known := {k: motion for k, motion in read.items() if motion is not None}:
                done[i] = known
        said = score_all(
            [judge_source(own, self.base.each) for own in self.base.judges],
            [self.asked[i].text for i in done],
            [list(own.values()) for own in done.values()],
            self.base.folder / "scores",
            together=_JUDGED,
            progress=self.base.about("judge"),
        )
        for i, own in done.items():
            for name, scores in said[self.asked[i].text].items():
                found[name][i, list(own)] = scores
        return found

    def _roll_out(self, wanted: Bools, *, perturbed: bool) -> list[list[Label | None]]:
        base, files = self.base, self.base.files
        named: list[Named] = [
            (f"{self.asked[i].text} #{k}", self.motions[i][k])
            for i in range(self.shape[0])
            for k in _where(wanted[i])
        ]
        ranges = base.perturbation if perturbed else None
        progress = base.about("perturbed robots" if perturbed else "perform")
        if base.physics is not None:
            base.physics.fill(
                named, files, perturbed=perturbed, seed=base.seed, progress=progress
            )
            return read_draws(
                named, base.policy, files.table, perturbation=ranges, seed=base.seed
            )
        return perform_draws(
            named,
            base.policy,
            files.table,
            perturbation=ranges,
            seed=base.seed,
            executed=None if perturbed else files.executed,
            workers=base.workers,
            progress=progress,
        )

    def _scores(self, source: Source, what: str) -> dict[str, Float64]:
        texts = [own.text for own in self.asked]
        found = score_all(
            [source],
            texts,
            self.motions,
            self.base.folder / "scores",
            together=self.base.together,
            progress=self.base.about(what),
        )
        names = found[texts[0]]
        return {name: np.array([found[text][name] for text in texts]) for name in names}

    def _spread(self, wanted: Bools, values: Float64) -> Float64:
        found = np.full(self.shape, np.nan)
        found[wanted] = values
        return found


def pick(values: Float64, chosen: Chosen) -> Float64:
    """The value of the chosen candidate of each prompt, (P,)."""
    return np.asarray(np.take_along_axis(values, chosen[:, None], axis=1)[:, 0])


def _where(row: Bools) -> list[int]:
    return [int(k) for k in np.flatnonzero(row)]


def _columns(
    labels: Sequence[Label | None], normalizers: Normalizers
) -> dict[str, Float64]:
    """What was measured; a motion that could not be performed is a failure."""
    known = [i for i, label in enumerate(labels) if label is not None]
    done = [label for label in labels if label is not None]

    def column(name: str, otherwise: float) -> Float64:
        found = np.full(len(labels), otherwise)
        found[known] = np.array([getattr(x, name) for x in done], dtype=np.float64)
        return found

    q_star = np.zeros(len(labels))
    q_star[known] = label_quality(done, normalizers).q_star
    return {
        "success": column("success", 0.0),
        **{name: column(name, np.nan) for name in ERRORS},
        "q_star": q_star,
        "frames": column("frame", 0.0),
    }
