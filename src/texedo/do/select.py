"""Choose one of N candidates from their scores, and say why.

A rule turns the scores into a `Ranking`: a value for every candidate, and who may win.
The highest value among those wins, the lowest index if several share it. A candidate
with a NaN or infinite score among those that the rule reads never wins. Of those who may
win, the preferred ones come first, whatever the values of the others; if there are none,
or if nobody is feasible, the values alone decide.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from texedo.do.given import Above, as_mask, as_scores

THRESHOLD = 0.8
"""theta: a candidate is taken to be feasible when R_dyn is above it."""

Outcome = Literal[
    "chosen",
    "chosen_as_fallback",
    "infeasible",
    "fails_check",
    "outranked",
    "tied",
    "passed_over",
    "no_score",
    "fails_in_physics",
]
"""What became of a candidate.

`chosen_as_fallback`: nobody was feasible and this one came closest. `fails_check`: as good
as the winner or better, but not among the preferred. `tied`: as good as the winner, which
has the lower index. `passed_over`: the rule looks at no score. `no_score`: a score the rule
reads is NaN or infinite. `fails_in_physics`: the rule chose it, and the robot fell when it
was performed.
"""

_Scores = NDArray[Any]
_NAMES = {"dynamics": "R_dyn", "semantics": "R_text", "quality": "Q*"}


class Verdict(NamedTuple):
    """Why a candidate was or was not chosen."""

    outcome: Outcome
    reason: str
    """One sentence for people."""


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The choice among the candidates of one prompt."""

    index: int
    """The chosen candidate."""
    rule: str
    """The rule that chose, a key of `RULES`."""
    verdicts: tuple[Verdict, ...]
    """One for each candidate, in their order."""
    order: tuple[int, ...] = ()
    """Who may win, best first; the rule's own choice leads."""

    @property
    def fallback(self) -> bool:
        """Whether no candidate was feasible, so that this is the least bad."""
        return self.verdicts[self.index].outcome == "chosen_as_fallback"

    @property
    def reason(self) -> str:
        """Why the chosen one was chosen."""
        return self.verdicts[self.index].reason


class Pool(NamedTuple):
    """The candidates of one prompt, as a rule sees them; scores are (N,)."""

    scores: dict[str, _Scores]
    usable: NDArray[np.bool_]
    """Candidates whose scores, as far as the rule reads them, are finite."""
    threshold: float
    weights: tuple[float, float]
    seed: int
    prompt: str
    chance: _Scores | None = None
    """Chance to get to the end, where the threshold is of it and not of R_dyn."""

    @property
    def screened(self) -> _Scores:
        """What the threshold is of."""
        return self.scores["dynamics"] if self.chance is None else self.chance

    @property
    def screen(self) -> str:
        """What people call it."""
        return "R_dyn" if self.chance is None else "chance to finish"


class Ranking(NamedTuple):
    """What a rule thinks of the candidates."""

    values: _Scores
    """The highest one wins, (N,)."""
    eligible: NDArray[np.bool_]
    """Who may win, (N,); never empty."""
    value_name: str | None
    """What the values are, for the reasons; None if no score was looked at."""
    outcome: Outcome = "chosen"
    preferred: NDArray[np.bool_] | None = None
    """Who of the eligible comes first, (N,); None if nobody was to be preferred."""

    @property
    def first(self) -> NDArray[np.bool_]:
        """Whom the winner is taken from, (N,)."""
        if self.preferred is None or not (self.eligible & self.preferred).any():
            return self.eligible
        return self.eligible & self.preferred


class Rule(NamedTuple):
    """A way to choose: one of `RULES`, or your own."""

    reads: tuple[str, ...]
    """Which of dynamics, semantics and quality it looks at."""
    rank: Callable[[Pool], Ranking]
    name: str = "own rule"
    """What people call it, where it has no name in `RULES`."""


def _texedo(pool: Pool) -> Ranking:
    feasible = pool.usable & (pool.screened > pool.threshold)
    if feasible.any():
        return Ranking(pool.scores["semantics"], feasible, "R_text")
    dynamics = pool.scores["dynamics"]
    return Ranking(dynamics, pool.usable, "R_dyn", "chosen_as_fallback")


def _by_score(score: str) -> Callable[[Pool], Ranking]:
    return lambda pool: Ranking(pool.scores[score], pool.usable, _NAMES[score])


def _random(pool: Pool) -> Ranking:
    # A lot for each candidate from what it is, not from a stream: neither the order of
    # calls nor further candidates change it.
    lots = [_lot(pool.seed, pool.prompt, i) for i in range(len(pool.usable))]
    return Ranking(np.array(lots), pool.usable, None)


def _first(pool: Pool) -> Ranking:
    return Ranking(-np.arange(len(pool.usable)), pool.usable, None)


def _linear(pool: Pool) -> Ranking:
    """alpha R_dyn - beta z(d), with d = -log R_text, z over the usable candidates."""
    dynamics, semantics = (
        pool.scores[s].astype(np.float64) for s in ("dynamics", "semantics")
    )
    semantics = semantics[pool.usable]
    if not ((semantics >= 0) & (semantics <= 1)).all():
        raise ValueError(
            "Rule 'linear' needs R_text = exp(-distance) between 0 and 1, got "
            f"{semantics.min():.6g} to {semantics.max():.6g}."
        )
    # exp(-d) underflows to 0 for a far embedding, whose distance is still finite.
    distance = -np.log(np.maximum(semantics, np.finfo(np.float64).tiny))
    z = (distance - distance.mean()) / (distance.std() + 1e-8)
    alpha, beta = pool.weights
    values = np.full(len(pool.usable), np.nan)
    values[pool.usable] = alpha * dynamics[pool.usable] - beta * z
    return Ranking(values, pool.usable, "weighted score")


RULES: dict[str, Rule] = {
    "texedo": Rule(("dynamics", "semantics"), _texedo),
    "dynamics": Rule(("dynamics",), _by_score("dynamics")),
    "semantics": Rule(("semantics",), _by_score("semantics")),
    "random": Rule((), _random),
    "first": Rule((), _first),
    "oracle": Rule(("quality",), _by_score("quality")),
    "linear": Rule(("dynamics", "semantics"), _linear),
}
"""Every rule by name. `oracle` is the bound: it knows the true qualities."""


def select_best(
    dynamics: ArrayLike,
    semantics: ArrayLike,
    *,
    threshold: float | Above = THRESHOLD,
    rule: str | Rule = "texedo",
    seed: int = 0,
    quality: ArrayLike | None = None,
    weights: tuple[float, float] = (1.0, 1.0),
    prompt: str = "",
    preferred: ArrayLike | None = None,
) -> Selection:
    """The best of N candidates by R_dyn and R_text, (N,) each.

    `threshold` is read by `texedo`, and is of R_dyn unless it is an `Above`; `seed` and
    `prompt` by `random`; `weights`, the alpha and beta of R_dyn and of the distance, by `linear`; `quality` (N,) by `oracle`:
    true Q*, or any other measure of which more is better. `preferred` (N,) says who
    passes what was checked of the motion itself; rules that read no score ignore it.
    """
    name, chosen_by = find_rule(rule)
    theta, chance = threshold if isinstance(threshold, Above) else (threshold, None)
    if not np.isfinite([theta, *weights]).all():
        raise ValueError(
            f"threshold and weights must be finite, got {theta} and {weights}."
        )
    reads = chosen_by.reads
    if quality is None and "quality" in reads:
        raise ValueError(f"Rule {name!r} needs the true qualities: pass quality=.")
    scores = as_scores(
        dynamics=dynamics, semantics=semantics, quality=quality, chance=chance
    )
    usable = _usable(scores, reads)
    pool = Pool(
        scores, usable, theta, weights, seed, prompt, scores.pop("chance", None)
    )
    ranking = chosen_by.rank(pool)
    if preferred is not None and reads and ranking.outcome == "chosen":
        ranking = ranking._replace(preferred=as_mask(preferred, len(usable)))
    order = _order(ranking)
    verdicts = tuple(
        _verdict(i, order[0], ranking, pool, reads) for i in range(len(usable))
    )
    return Selection(index=order[0], rule=name, verdicts=verdicts, order=order)


def find_rule(rule: str | Rule) -> tuple[str, Rule]:
    """A rule with its name."""
    if isinstance(rule, Rule):
        return rule.name, rule
    if rule not in RULES:
        raise ValueError(f"Unknown rule {rule!r}; there are {', '.join(RULES)}.")
    return rule, RULES[rule]


def _order(ranking: Ranking) -> tuple[int, ...]:
    """Who may win, best first: the preferred ones, then by value, then by index."""
    may = np.flatnonzero(ranking.eligible)
    keys = (may, -ranking.values[may], ~ranking.first[may])
    return tuple(int(i) for i in may[np.lexsort(keys)])


def select_batch(
    dynamics: Sequence[ArrayLike],
    semantics: Sequence[ArrayLike],
    *,
    threshold: float = THRESHOLD,
    rule: str = "texedo",
    seed: int = 0,
    quality: Sequence[ArrayLike] | None = None,
    weights: tuple[float, float] = (1.0, 1.0),
    prompts: Sequence[str] | None = None,
    preferred: Sequence[ArrayLike] | None = None,
) -> list[Selection]:
    """`select_best` for each prompt; each may have its own number of candidates.

    Without `prompts` the draws of `random` are keyed by the prompt's number.
    """
    count = len(dynamics)
    for name, given in (
        ("semantics", semantics),
        ("quality", quality),
        ("prompts", prompts),
        ("preferred", preferred),
    ):
        if given is not None and len(given) != count:
            raise ValueError(f"dynamics has {count} prompts, {name} {len(given)}.")
    selections = []
    for i in range(count):
        try:
            selection = select_best(
                dynamics[i],
                semantics[i],
                threshold=threshold,
                rule=rule,
                seed=seed,
                quality=None if quality is None else quality[i],
                weights=weights,
                prompt=str(i) if prompts is None else prompts[i],
                preferred=None if preferred is None else preferred[i],
            )
        except ValueError as error:
            raise ValueError(f"Prompt {i}: {error}") from error
        selections.append(selection)
    return selections


def _usable(scores: dict[str, _Scores], reads: tuple[str, ...]) -> NDArray[np.bool_]:
    usable = np.ones(len(scores["dynamics"]), dtype=np.bool_)
    for name in reads:
        usable &= np.isfinite(scores[name])
    if not usable.any():
        raise ValueError(
            f"None of the {len(usable)} candidates has a finite "
            f"{' and '.join(_NAMES[name] for name in reads)}: nothing to choose by."
        )
    return usable


def _verdict(
    i: int, winner: int, ranking: Ranking, pool: Pool, reads: tuple[str, ...]
) -> Verdict:
    if not pool.usable[i]:
        bad = [n for n in reads if not np.isfinite(pool.scores[n][i])]
        said = ", ".join(f"{_NAMES[n]} is {pool.scores[n][i]}" for n in bad)
        return Verdict("no_score", f"{said}: never chosen without a score.")
    if not ranking.eligible[i]:
        mine = pool.screened[i]
        screen = pool.screen[0].upper() + pool.screen[1:]
        return Verdict(
            "infeasible", f"{screen} {mine:.6g} is not above {pool.threshold:g}."
        )
    if i == winner:
        return Verdict(ranking.outcome, _praise(winner, ranking, pool))
    name, best = ranking.value_name, ranking.values[winner]
    if name is None:
        return Verdict("passed_over", f"Candidate {winner} was taken unseen.")
    mine = ranking.values[i]
    if not ranking.first[i] and mine >= best:
        said = f"Fails a check, with {name} {mine:.6g}"
        return Verdict("fails_check", f"{said}; candidate {winner} passes.")
    if mine == best:
        return Verdict(
            "tied", f"Same {name} {mine:.6g} as candidate {winner}, which comes first."
        )
    said = f"{name[0].upper()}{name[1:]} {mine:.6g} is below {best:.6g}"
    return Verdict("outranked", f"{said} of candidate {winner}.")


def _praise(winner: int, ranking: Ranking, pool: Pool) -> str:
    count = int(ranking.eligible.sum())
    passing = int(ranking.first.sum())
    if ranking.value_name is None:
        return f"Taken from {count} candidates without a look at the scores."
    said = f"Highest {ranking.value_name} ({ranking.values[winner]:.6g})"
    if ranking.outcome == "chosen_as_fallback":
        return f"{said}: no candidate's {pool.screen} is above {pool.threshold:g}."
    total = len(pool.usable)
    if count < pool.usable.sum():
        screen = pool.screen if pool.chance is None else f"a {pool.screen}"
        among = f"{count} of {total} with {screen} above {pool.threshold:g}"
    else:
        among = (
            f"{total} candidates"
            if count == total
            else f"{count} of {total} candidates"
        )
    if passing < count:
        among = f"{passing} that fail no check, of {among}"
    elif ranking.preferred is not None and not ranking.preferred[winner]:
        among += "; all of them fail a check"
    return f"{said} among {among}."


def _lot(seed: int, prompt: str, candidate: int) -> int:
    """63 bits that depend on nothing but the arguments."""
    key = repr((int(seed), prompt, candidate)).encode()
    return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest()) >> 1
