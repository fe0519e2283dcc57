"""DO in the pipeline: which rule chooses, and whom it prefers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import GenerationError
from texedo.do import RULES, THRESHOLD, Above, Rule, Selection, find_rule, select_best
from texedo.see.scores import Gives, HasThreshold, Scorer, Scores


def default_rule(scorer: Scorer) -> str:
    """The paper's rule for a scorer that gives what it reads, else by what it gives:
    the highest R_dyn, or Q*."""
    if not isinstance(scorer, Gives):
        return "oracle"
    for rule in ("texedo", "oracle", "dynamics"):
        if scorer.gives.issuperset(RULES[rule].reads):
            return rule
    return "oracle"


def default_threshold(scorer: Scorer) -> float:
    """The scorer's own, as its weights say, or the paper's."""
    own = scorer.threshold if isinstance(scorer, HasThreshold) else None
    return THRESHOLD if own is None else own


@dataclass(frozen=True, kw_only=True)
class Choice:
    """How one of the candidates is chosen."""

    rule: str | Rule = "oracle"
    """A key of `texedo.do.RULES`, or a rule of your own."""
    threshold: float = THRESHOLD
    """Above which the rule `texedo` takes a candidate to be feasible: of R_dyn, or of the
    chance to get to the end where the scorer gives one."""

    def __post_init__(self) -> None:
        if not isinstance(self.rule, Rule) and self.rule not in RULES:
            raise GenerationError(
                f"There is no rule {self.rule!r}; there are {', '.join(RULES)}."
            )
        if not 0 <= self.threshold <= 1:
            raise GenerationError(
                f"threshold must be 0 to 1, as scores are, got {self.threshold:g}."
            )

    @property
    def name(self) -> str:
        """What people call the rule."""
        return find_rule(self.rule)[0]

    @property
    def reads(self) -> tuple[str, ...]:
        """The scores that the rule looks at."""
        return find_rule(self.rule)[1].reads

    @property
    def ranks_by_r_text(self) -> bool:
        """Whether the sentence decides."""
        return self.rule in ("texedo", "semantics")

    def check_adaptive(self) -> None:
        """Raise `GenerationError` if the rule does not rank by R_text."""
        if not self.ranks_by_r_text:
            raise GenerationError(
                f"Adaptive sampling stops by R_text, and rule {self.name!r} does not "
                "choose by it: use the rule texedo, or draw all candidates."
            )

    def passes(self, scores: Scores) -> NDArray[np.bool_]:
        """Who may be handed out as far as the robot goes, (N,)."""
        if self.rule != "texedo":
            return np.isfinite(scores.semantics)
        feasible = scores.screened > self.threshold
        return feasible if scores.survived is None else feasible & scores.survived

    def check(self, scorer: Scorer) -> None:
        """Raise `GenerationError` if the scorer says that it lacks what the rule reads."""
        if not isinstance(scorer, Gives):
            return
        if missing := [name for name in self.reads if name not in scorer.gives]:
            fit = [
                name
                for name, rule in RULES.items()
                if scorer.gives.issuperset(rule.reads)
            ]
            raise GenerationError(
                f"Rule {self.name!r} needs the scores {' and '.join(missing)}, which "
                f"{scorer.name} does not give; choose from {', '.join(fit)}."
            )

    def choose(
        self, scores: Scores, passing: NDArray[np.bool_], *, prompt: str, seed: int
    ) -> Selection:
        """One of the candidates; those that survive and pass `check`, `passing` (N,),
        come first."""
        preferred: NDArray[np.bool_] | None = passing
        if scores.survived is not None:
            # A motion that falls is no better for being in order otherwise.
            preferred = passing & scores.survived if scores.survived.any() else None
        try:
            return select_best(
                scores.dynamics,
                scores.semantics,
                quality=scores.quality,
                rule=self.rule,
                threshold=Above.of(self.threshold, scores.chance),
                seed=seed,
                prompt=prompt,
                preferred=preferred,
            )
        except ValueError as error:
            whys = [text for text in scores.columns.get("error", []) if text]
            raise GenerationError(" ".join([str(error), *whys[:1]])) from error
