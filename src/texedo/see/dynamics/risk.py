"""Which threshold keeps the motions that are handed out from failing?

The unit is a prompt with its candidates. At a threshold those above it pass, and one of
them is handed out; if nobody passes, nothing is. The loss of a prompt is the chance that
what is handed out fails, by the way in which one of those who pass is picked:

    random   the share of failures among them. It stands in for R_text, which knows
             nothing of failure: that is the rule of which a threshold is promised.
    best     whether the one with the highest score fails.
    any      whether one of them fails: holds however they are picked.

Nobody passing is no failure, so a promise goes with the share of prompts it leaves empty.

A draw of fewer candidates changes nothing but how often nobody passes: of those who pass
each is as likely as before. So a promise from 32 candidates holds for fewer as well.

Why tests and not conformal risk control alone. That method asks for a loss that never
rises with the threshold, and `random` and `best` can: raising it may take away a success
and leave the failure. Its way out is the highest loss at this or any higher threshold,
which is `conformal_threshold`. But its promise holds on average over calibration sets,
so that about every second one, this one perhaps, misses it. What is stored with weights
is one threshold for good, so `threshold_by_tests` takes the promise that holds for it with
a stated confidence: thresholds are tested from the highest down, in an order that was
fixed before the data were seen, and the last one before the first that fails is taken
(Learn then Test, fixed sequence testing). Each test may err with probability 1 -
confidence, and so may the whole sequence, whether or not the loss is monotone.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Pick = Literal["random", "best", "any"]

THRESHOLDS: NDArray[np.float64] = np.linspace(1.0, 0.0, 1001)
"""In the order in which they are tested. Not taken from the scores: that would bend the
promise."""

STAKES: Mapping[float, float] = MappingProxyType({1.0: 0.8, 0.5: 0.1, 0.25: 0.1})
"""How much of what is there is staked on each prompt, and which part of the beginning
goes to that."""

Float64 = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Losses(NamedTuple):
    """What happens to P prompts at K thresholds."""

    loss: Float64
    """Chance that what is handed out fails, (K, P)."""
    empty: Bools
    """Whether nobody passes, (K, P)."""


def prompt_losses(
    scores: ArrayLike,
    failures: ArrayLike,
    *,
    thresholds: ArrayLike = THRESHOLDS,
    pick: Pick = "random",
) -> Losses:
    """Losses of prompts with scores (P, N) and failures (P, N) from 0 to 1, at thresholds
    that fall.

    NaN scores never pass: prompts with fewer candidates are padded with them.
    """
    raw = np.asarray(scores, dtype=np.float64)
    known = np.where(np.isnan(raw), -np.inf, raw)
    order = np.argsort(-known, axis=1, kind="stable")
    known = np.take_along_axis(known, order, axis=1)
    failed = np.take_along_axis(np.asarray(failures, dtype=np.float64), order, axis=1)
    failed = np.where(np.isfinite(known), failed, 0.0)
    # Loss if the first k pass, (P, N + 1): what k is follows from the threshold.
    number = np.arange(1, known.shape[1] + 1)
    if pick == "random":
        first_k = np.cumsum(failed, axis=1) / number
    elif pick == "best":
        first_k = np.repeat(failed[:, :1], len(number), axis=1)
    else:
        first_k = np.maximum.accumulate(failed, axis=1)
    first_k = np.concatenate((np.zeros((len(known), 1)), first_k), axis=1)
    passing = _passing(known, np.asarray(thresholds, dtype=np.float64))
    loss = first_k[np.arange(len(known))[None], passing]
    return Losses(loss, np.asarray(passing == 0))


def _passing(scores: Float64, thresholds: Float64) -> NDArray[np.int64]:
    """How many of (P, N) scores are above each of K falling thresholds, (K, P)."""
    count, prompts = len(thresholds), len(scores)
    # The first threshold that a score is above of; `count` if it is above none.
    first = count - np.searchsorted(thresholds[::-1], scores, side="left")
    cell = np.arange(prompts)[:, None] * (count + 1) + first
    new = np.bincount(cell.ravel(), minlength=prompts * (count + 1))
    return np.cumsum(new.reshape(prompts, count + 1), axis=1)[:, :count].T


def risk_p_value(losses: ArrayLike, *, limit: float) -> Float64:
    """Bound of the chance of losses (..., P) this low if their true mean is > `limit`.

    A bet against it: whoever stakes a part of what he has on each prompt, to win where
    the loss is below `limit` and to lose where it is above, multiplies it by 1 + stake
    (limit - loss), which is 1 or less in the mean. So it grows twentyfold with
    probability 1/20 at most. The full stake pays most for losses that are small shares,
    as those of many candidates are; a part is kept for smaller stakes, which outlive
    prompts that are lost entirely. It holds for any number of prompts, and their order
    plays no part.
    """
    if not 0 < limit < 1:
        raise ValueError(f"The largest failure rate is between 0 and 1, got {limit}.")
    own = np.asarray(losses, dtype=np.float64)
    won = [
        np.log(part) + np.log1p(stake * (limit - own)).sum(axis=-1)
        for stake, part in STAKES.items()
    ]
    grown = np.logaddexp.reduce(np.stack(won), axis=0)
    return np.asarray(np.exp(-np.maximum(grown, 0.0)))


def risk_bound(losses: ArrayLike, *, confidence: float) -> float:
    """The failure rate that prompts with losses (P,) do not exceed, so confidently."""
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        if float(risk_p_value(losses, limit=middle)) <= 1 - confidence:
            high = middle
        else:
            low = middle
    return high


def fewest_prompts(*, limit: float, confidence: float) -> int:
    """Prompts without a single failure that it takes to promise anything."""
    low, high = 0, 1
    while risk_p_value(np.zeros(high), limit=limit) > 1 - confidence:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        enough = risk_p_value(np.zeros(middle), limit=limit) <= 1 - confidence
        low, high = (low, middle) if enough else (middle, high)
    return high


def threshold_by_tests(
    losses: Mapping[str, Float64],
    *,
    limit: float,
    confidence: float,
    each: bool = False,
) -> int | None:
    """Number of the lowest threshold with a failure rate <= `limit`, (K, P) losses of
    each suite, thresholds falling; None if not even the highest will do: too few prompts.

    With probability `confidence` the rate holds over the prompts of all suites, in the
    mix that they are. With `each` it holds in every suite by itself, and so in any mix:
    a threshold is taken only if all suites pass, so that no suite's test has to be
    sharper for the others. That takes many prompts of each.
    """
    means = np.stack([own.mean(axis=1) for own in losses.values()])
    sets = [*losses.values()] if each else [np.concatenate([*losses.values()], axis=1)]
    values = [risk_p_value(own, limit=limit) for own in sets]
    good = np.max(values, axis=0) <= 1 - confidence
    # An easy suite must not make up for a hard one. To ask for more than the test does
    # only takes thresholds away, so the promise still stands.
    good &= (means <= limit).all(axis=0)
    passed = int(np.logical_and.accumulate(good).sum())
    return passed - 1 if passed else None


def conformal_threshold(losses: Float64, *, limit: float) -> int | None:
    """The same by conformal risk control: the promise holds on average over draws of the
    calibration prompts. `losses` (K, P), thresholds falling; None: too few prompts."""
    # The worst at this threshold or any above it: that never rises with the threshold.
    worst = np.maximum.accumulate(losses, axis=0)
    count = losses.shape[1]
    # The prompt to come may have the highest loss there is, 1.
    good = (worst.sum(axis=1) + 1) / (count + 1) <= limit
    passed = int(good.sum())
    return passed - 1 if passed else None
