"""A network's R_text, moved by what was measured.

A network has a feeling for every sentence, and counts badly; rules count well, and are
silent on some sentences. Where they speak, their evidence is added to its log-odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

import numpy as np

from texedo.motion import Motion
from texedo.see.semantics.measured.claims import VERSION, Claims, Seen, claims_of
from texedo.see.semantics.measured.steps import VERSION as STEPS_VERSION
from texedo.see.semantics.measured.steps import ReadsSteps, by_steps, steps_of
from texedo.see.semantics.protocol import Float64, Pairs

FITS_FROM = 0.98
"""By the development prompts of `texedo evaluate understanding` and those by others, with
what is written: half of the choices below it are right (65), 0.88 of the others (349)."""
SURE = 0.7
"""Part of the log-odds that is kept where something was measured: the readers and the
network often go by the same, and agree more than independent witnesses would."""


@runtime_checkable
class Network(Protocol):
    """A verifier whose scores are probabilities, and that reads as the generator does."""

    name: str
    digest: str
    metadata: dict[str, Any]

    def log_odds(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        """Of each pair, (P,)."""
        ...

    def normal(self, text: str) -> str:
        """The sentence as it is read."""
        ...

    def remarks(self, prompt: str) -> tuple[str, ...]:
        """What the user should know of how the prompt was read."""
        ...


class MeasuringVerifier:
    """R_text of a network and of rules."""

    fits_from = FITS_FROM

    def __init__(self, network: Network) -> None:
        self.network = network
        self.name = network.name
        self.digest = f"{network.digest}+measured-{VERSION}+steps-{STEPS_VERSION}"
        self.metadata = network.metadata
        self._claims = lru_cache(4096)(self._read)
        self._steps = lru_cache(4096)(self._said)

    def to(self, device: Any) -> MeasuringVerifier:
        """Move the network, in place."""
        if hasattr(self.network, "to"):
            self.network.to(device)
        return self

    def compare(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        """R_text of each pair (text, motion), (P,)."""
        # Side by side: the network leaves the interpreter free while it computes.
        with ThreadPoolExecutor(1) as pool:
            measured = pool.submit(self.measured, texts, motions, pairs)
            odds = self.network.log_odds(texts, motions, pairs)
            odds = self._by_steps(odds, texts, motions, pairs)
            found = measured.result()
        return combined(odds, found)

    def _by_steps(
        self,
        odds: Float64,
        texts: Sequence[str],
        motions: Sequence[Motion],
        pairs: Pairs,
    ) -> Float64:
        """Log-odds of the network's, those of sentences with several steps by these."""
        network = self.network
        if not isinstance(network, ReadsSteps):
            return odds
        out = np.array(odds, dtype=np.float64)
        rows = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        for text in np.unique(rows[:, 0]).tolist():
            if not (steps := self._steps(texts[text])):
                continue
            own = np.flatnonzero(rows[:, 0] == text)
            found = network.step_log_odds(steps, [motions[i] for i in rows[own, 1]])
            out[own] = by_steps(out[own], found)
        return out

    def measured(
        self, texts: Sequence[str], motions: Sequence[Motion], pairs: Pairs
    ) -> Float64:
        """Evidence of what was measured, 0 where nothing was [log-odds], (P,)."""
        seen, found = Seen(motions), np.zeros(len(pairs))
        rows = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        for text in np.unique(rows[:, 0]).tolist():
            own = np.flatnonzero(rows[:, 0] == text)
            found[own] = seen.does(self.claims(texts[text]), rows[own, 1].tolist())
        return found

    def claims(self, text: str) -> Claims:
        """What a sentence says that can be measured; for `evidence` elsewhere."""
        return self._claims(text)

    def remarks(self, prompt: str) -> tuple[str, ...]:
        """What the user should know of how the prompt was read."""
        return self.network.remarks(prompt)

    def _said(self, text: str) -> tuple[str, ...]:
        return steps_of(self.network.normal(text))

    def _read(self, text: str) -> Claims:
        return claims_of(self.network.normal(text))


def evidence(claims: Claims, motions: Sequence[Motion]) -> Float64:
    """What was measured of the candidates of a prompt, 0 where nothing was [log-odds],
    (N,). Needs no network: worker processes can do it."""
    found = Seen(motions).does(claims, list(range(len(motions))))
    return np.asarray(found, dtype=np.float64)


def combined(odds: Float64, found: Float64) -> Float64:
    """R_text of the network's log-odds (P,) and of the evidence (P,)."""
    odds = np.where(found == 0, odds, SURE * (odds + found))
    return np.asarray(1.0 / (1.0 + np.exp(-odds)))
