"""The rule that weighs the evidence, and the file it comes from.

The odds that nothing known was asked for are a sum: an offset, and each number of
`Evidence` times its weight. Above a bound the sentence is refused. Weights and bounds were
fitted on sentences that should be refused and on held-out captions that should not
(`texedo train refusal`), once with R_text and once without; the file says for which text
encoder and for which semantic verifier. With another verifier R_text is left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from texedo.checkpoints.artifact import (
    CONFIG_NAME,
    read_artifact,
    read_config,
    write_artifact,
)
from texedo.checkpoints.bundled import BUNDLED, GENERATOR, has_weights
from texedo.core.errors import CheckpointError
from texedo.language import Reading, read_prompt
from texedo.language.vectors import Progress, sentence_vectors
from texedo.pipeline.refusal.evidence import (
    BEST,
    WORST,
    Evidence,
    fit_of,
    names_action,
    unknown_share,
)
from texedo.pipeline.refusal.known import Float32, Known
from texedo.pipeline.refused import Refusal

KIND = "refusal"
"""Of the artefact, and the name of its folder among those that ship."""
ENCODER = BUNDLED / GENERATOR / "text_encoder"
_SCALE = 127.0
"""Groups are stored as int8."""


class Weighing(NamedTuple):
    """Weights of the evidence."""

    weights: tuple[float, ...]
    """One for each number of `Evidence`, without the last one where R_text is unknown."""
    offset: float
    bound: float
    """Log-odds above which a sentence is refused."""

    def odds(self, evidence: Evidence) -> float:
        """Log-odds that nothing known was asked for."""
        values = evidence.values()[: len(self.weights)]
        return self.offset + float(np.dot(self.weights, values))

    def refuses(self, evidence: Evidence) -> bool:
        return self.odds(evidence) > self.bound


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """What `texedo train refusal` stores."""

    known: Known
    with_r_text: Weighing
    without: Weighing
    text_encoder: str
    """Hash of the one that makes vectors of sentences."""
    semantics: str
    """Digest of the verifier that gave R_text."""
    figures: Mapping[str, Any]
    """How good it is on the sentences that it was fitted on."""
    digest: str = ""
    """Hash of what was stored."""


class Refuser:
    """Says which sentences get no motion."""

    def __init__(self, fitted: Fitted, *, semantics: str | None = None) -> None:
        """`semantics` is the digest of the verifier that gives R_text, if there is one;
        R_text counts if the rule was fitted for it."""
        self.fitted = fitted
        self.counts_r_text = semantics == fitted.semantics
        self._seen: dict[str, _Seen] = {}

    @property
    def digest(self) -> str:
        """Names the rule."""
        return self.fitted.digest

    def judge(self, prompt: str, r_text: ArrayLike | None = None) -> Refusal | None:
        """A refusal, or None: the prompt may be answered. `r_text` (N,) is that of its
        candidates."""
        evidence = self.evidence(prompt, r_text)
        if not self._weighing(evidence).refuses(evidence):
            return None
        reading, vector, _ = self._look(prompt)
        reason = _reason(reading, evidence, r_text)
        return Refusal(prompt, reason, self.fitted.known.nearest(vector))

    def judge_early(self, prompt: str) -> Refusal | None:
        """A refusal that no candidate could avert, however well it fits: nothing needs
        to be drawn."""
        if not self.counts_r_text:
            return self.judge(prompt)
        evidence = self.evidence(prompt)._replace(fits=BEST)
        return (
            self.judge(prompt) if self._weighing(evidence).refuses(evidence) else None
        )

    def needs_candidates(self, prompt: str) -> bool:
        """Whether R_text can change the answer."""
        evidence = self.evidence(prompt)
        ends = (evidence._replace(fits=fits) for fits in (WORST, BEST))
        answers = {self._weighing(end).refuses(end) for end in ends}
        return self.counts_r_text and len(answers) > 1

    def evidence(self, prompt: str, r_text: ArrayLike | None = None) -> Evidence:
        """What is looked at."""
        fits = fit_of(r_text) if self.counts_r_text else None
        return self._look(prompt).evidence._replace(fits=fits)

    def _weighing(self, evidence: Evidence) -> Weighing:
        known = evidence.fits is not None and self.counts_r_text
        return self.fitted.with_r_text if known else self.fitted.without

    def _look(self, prompt: str) -> _Seen:
        if prompt not in self._seen:
            reading = read_prompt(prompt)
            vector = self.vector(reading.text)
            near = float(self.fitted.known.near(vector[None])[0])
            self._seen[prompt] = _Seen(reading, vector, text_evidence(reading, near))
        return self._seen[prompt]

    def vector(self, text: str) -> Float32:
        """Of a sentence as it is read, (hidden,)."""
        found: Float32 = self._sentences.vectors([text])[0]
        return found

    @cached_property
    def _sentences(self) -> Sentences:
        return Sentences()


class _Seen(NamedTuple):
    reading: Reading
    vector: Float32
    evidence: Evidence


class Sentences:
    """Vectors of sentences by the text encoder that ships."""

    def __init__(self) -> None:
        # Here and not above: they load torch.
        from texedo.language.front import shared_text_front

        self._encoder, self._words = shared_text_front(ENCODER)

    def vectors(
        self,
        texts: Sequence[str],
        *,
        progress: Progress = lambda done, total: None,
    ) -> Float32:
        """Of texts as `read_prompt` gives them, (B, hidden)."""
        return sentence_vectors(self._encoder, self._words, texts, progress=progress)


def text_evidence(reading: Reading, near: float) -> Evidence:
    """What the sentence alone tells."""
    return Evidence(near, unknown_share(reading), float(names_action(reading)))


def _reason(reading: Reading, evidence: Evidence, r_text: ArrayLike | None) -> str:
    """What speaks most against the sentence, for people."""
    if not reading.text or any("English" in remark for remark in reading.remarks):
        return reading.remarks[0]
    if reading.unknown:
        return f"nothing I have learnt means that: {reading.remarks[-1]}"
    if evidence.fits is not None and evidence.fits < 0:
        best = float(np.nanmax(np.asarray(r_text, dtype=np.float64)))
        return f"no candidate means what was said: the best R_text is {best:.2f}"
    return "nothing I have learnt is near enough to that"


def find_refuser(
    folder: Path | None = None, *, semantics: str | None = None
) -> Refuser | None:
    """The rule that ships, or that of a folder; None if none ships that fits the text
    encoder of this installation. `semantics` is as for `Refuser`."""
    own = BUNDLED / KIND if folder is None else folder
    if folder is None and not (has_weights(own) and has_weights(ENCODER)):
        return None
    fitted = load_fitted(own)
    if fitted.text_encoder != encoder_hash():
        if folder is None:
            return None
        raise CheckpointError(
            f"{own}: was fitted for another text encoder; run texedo train refusal."
        )
    return Refuser(fitted, semantics=semantics)


def encoder_hash() -> str:
    """Of the text encoder that ships."""
    return str(read_config(ENCODER, kind="text-encoder")["sha256"])


def save_fitted(folder: Path, fitted: Fitted) -> Path:
    """Write the artefact."""
    config = {
        "weighing": fitted.with_r_text._asdict(),
        "weighing_without_r_text": fitted.without._asdict(),
        "text_encoder": fitted.text_encoder,
        "semantics": fitted.semantics,
        "figures": dict(fitted.figures),
        "phrases": list(fitted.known.phrases),
    }
    stored = np.rint(fitted.known.groups * _SCALE).astype(np.int8)
    return write_artifact(folder, kind=KIND, config=config, tensors={"groups": stored})


def load_fitted(folder: Path) -> Fitted:
    """Raises `CheckpointError`."""
    config, tensors = read_artifact(folder, kind=KIND)
    try:
        return Fitted(
            known=Known(tensors["groups"].astype(np.float32), config["phrases"]),
            with_r_text=_weighing(config["weighing"]),
            without=_weighing(config["weighing_without_r_text"]),
            text_encoder=str(config["text_encoder"]),
            semantics=str(config["semantics"]),
            figures=config["figures"],
            digest=hashlib.sha256((folder / CONFIG_NAME).read_bytes()).hexdigest(),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"{folder}: written by another version of texedo: {error}."
        ) from error


def _weighing(stored: Mapping[str, Any]) -> Weighing:
    return Weighing(tuple(stored["weights"]), stored["offset"], stored["bound"])
